"""Integration with django-allauth's OpenID Connect provider, ``allauth.idp.oidc``.

It checks the redirect URIs of a client when the client is registered, and compares them as text in
requests for authorization and logout.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, ClassVar

from django import forms
from django.core.exceptions import BadRequest, ValidationError

from django_whatwg_url.rules.messages import sentences
from django_whatwg_url.rules.validators import OriginValidator, RedirectURIValidator, refusals
from weburl.integrations.building_blocks import required

with required("django-allauth"):
    from allauth.idp.oidc.internal.clientkit import lookup_client
    from allauth.idp.oidc.internal.oauthlib.utils import get_validator_context
    from allauth.idp.oidc.models import Client

if TYPE_CHECKING:
    from django.db.models import Model
    from django.http import HttpRequest, HttpResponseBase

    _Form = forms.ModelForm[Model]  # allauth has no types.
    _LogoutForm = forms.Form
else:
    from allauth.idp.oidc.forms import RPInitiatedLogoutForm as _LogoutForm

    _Form = forms.ModelForm

__all__ = [
    "ClientForm",
    "LogoutForm",
    "RedirectURIsAdapterMixin",
    "RedirectURIsViewMixin",
    "validate_client",
]

_DEFAULT = RedirectURIValidator()


def validate_client(client: Client, validator: RedirectURIValidator = _DEFAULT) -> None:
    """Raise ValidationError if a client has redirect URIs or origins that cannot be registered.

    ``validator``: its options decide what can be registered. The errors name the field. URIs for
    after a logout are in the field ``data``.
    """
    found = {
        "redirect_uris": refusals(client.get_redirect_uris(), validator),
        "data": refusals(client.get_post_logout_redirect_uris(), validator),
        "cors_origins": refusals(client.get_cors_origins(), OriginValidator(schemes=None)),
    }
    errors = {field: list(refused.values()) for field, refused in found.items() if refused}
    if errors:
        raise ValidationError(errors)


class ClientForm(_Form):
    """A form for the admin, which checks a client with `validate_client`."""

    redirect_uri_validator: ClassVar[RedirectURIValidator] = _DEFAULT

    class Meta:
        model: type[Model] = Client
        fields = "__all__"  # The admin sets the fields.

    def _post_clean(self) -> None:
        """Check the instance, which now has the values of the form."""
        super()._post_clean()  # type: ignore[misc]  # not in the stubs
        try:
            validate_client(self.instance, self.redirect_uri_validator)
        except ValidationError as error:
            for name, found in error.error_dict.items():
                self.add_error(name if name in self.fields else None, found)


class RedirectURIsAdapterMixin:
    """A mixin for ``IDP_OIDC_ADAPTER``. Checks self-registered clients with `validate_client`.

    Put it before ``DefaultOIDCAdapter`` in the list of base classes.
    """

    redirect_uri_validator: ClassVar[RedirectURIValidator] = _DEFAULT

    def validate_client_registration(self, *, client: Client, **kwargs: Any) -> None:
        """Raise ValidationError if the client must not be saved."""
        super().validate_client_registration(  # type: ignore[misc]  # of the adapter
            client=client, **kwargs
        )
        try:
            validate_client(client, self.redirect_uri_validator)
        except ValidationError as error:
            # allauth uses only one message.
            raise ValidationError(sentences(error.messages)) from error


class LogoutForm(_LogoutForm):
    """A form for allauth's ``LogoutView``. The ``post_logout_redirect_uri`` must be registered.

    Set ``form_class`` to it. If a client has no URIs for after a logout, its redirect URIs are
    compared. If none is equal, the view shows its error page, and the user is not logged out.
    """

    redirect_uri_validator: ClassVar[RedirectURIValidator] = _DEFAULT

    def clean(self) -> dict[str, Any] | None:
        """Clean the form, and then compare the URI."""
        values: dict[str, Any] | None = super().clean()
        client, uri = (values or {}).get("client"), (values or {}).get("post_logout_redirect_uri")
        if client is not None and uri:
            registered = client.get_post_logout_redirect_uris() or client.get_redirect_uris()
            found = self.redirect_uri_validator.registered(registered).match(uri)
            if not found:
                self.add_error("post_logout_redirect_uri", found.message)
        return values


class RedirectURIsViewMixin:
    """A mixin for allauth's ``AuthorizationView``. The ``redirect_uri`` must be registered.

    Put it before the view in the list of base classes, and route ``identity/o/authorize`` to it. It
    responds with 400 (Bad Request) to another redirect URI, or to several clients. Otherwise,
    allauth handles the request as usual. Metadata of a client is only fetched after the login.
    """

    redirect_uri_validator: ClassVar[RedirectURIValidator] = _DEFAULT

    def dispatch(self, request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponseBase:
        """Check the redirect URI, and then call the view."""
        ids = {id for data in (request.GET, request.POST) for id in data.getlist("client_id")}
        if len(ids) > 1:  # Each id may also be a URL that is fetched.
            raise BadRequest("The request has more than one client_id.")
        client = _client(request, ids.pop()) if ids else None
        if client is not None:
            registered = self.redirect_uri_validator.registered(client.get_redirect_uris())
            for data in (request.GET, request.POST):
                for uri in data.getlist("redirect_uri"):
                    found = registered.match(uri)
                    if not found:
                        raise BadRequest(found.message)
        response: HttpResponseBase = super().dispatch(  # type: ignore[misc]  # of the view
            request, *args, **kwargs
        )
        return response


def _client(request: HttpRequest, client_id: str) -> Client | None:
    """Return the client, or None if there is none or if allauth requires a login first.

    allauth reuses the result later in the same request.
    """
    is_address = client_id.startswith("https:")
    prompts = request.GET.getlist("prompt")
    if is_address and not (
        request.user.is_authenticated or any("none" in prompt for prompt in prompts)
    ):
        return None  # Otherwise anyone could make the server fetch the metadata of a client.
    clients: dict[str, Client | None] = get_validator_context().clients
    if client_id not in clients:
        clients[client_id] = lookup_client(client_id)
    return clients[client_id]
