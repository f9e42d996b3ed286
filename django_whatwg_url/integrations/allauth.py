"""Integration with django-allauth's OpenID Connect provider, ``allauth.idp.oidc``.

It checks the redirect URIs of a client when it is registered, and compares them as text before
allauth reads a request for authorization.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, ClassVar

from allauth.idp.oidc.models import Client
from django import forms
from django.core.exceptions import BadRequest, ValidationError

from django_whatwg_url.validators import OriginValidator, RedirectURIValidator

if TYPE_CHECKING:
    from django.db.models import Model
    from django.http import HttpRequest, HttpResponseBase

    _Form = forms.ModelForm[Model]  # allauth has no types
else:
    _Form = forms.ModelForm

__all__ = ["ClientForm", "RedirectURIsAdapterMixin", "RedirectURIsViewMixin", "validate_client"]

_DEFAULT = RedirectURIValidator()


def validate_client(client: Client, validator: RedirectURIValidator = _DEFAULT) -> None:
    """Raise ValidationError if a client has redirect URIs or origins that cannot be registered.

    ``validator``: has the options. The errors name the field. An error in the URIs for after a
    logout, which are in ``data``, has the field ``data``.
    """
    errors: dict[str, list[ValidationError]] = {}
    for field, texts, check in (
        ("redirect_uris", client.get_redirect_uris(), validator),
        ("data", client.get_post_logout_redirect_uris(), validator),
        ("cors_origins", client.get_cors_origins(), OriginValidator(schemes=None)),
    ):
        for text in texts:
            try:
                check(text)
            except ValidationError as error:
                errors.setdefault(field, []).append(error)
    if errors:
        raise ValidationError(errors)


class ClientForm(_Form):
    """A form for the admin, which checks a client with `validate_client`."""

    redirect_uri_validator: ClassVar[RedirectURIValidator] = _DEFAULT

    class Meta:
        model: type[Model] = Client
        fields = "__all__"  # the admin says which

    def _post_clean(self) -> None:
        """Check the instance, which has the values of the form only from here on."""
        super()._post_clean()  # type: ignore[misc]  # not in the stubs
        try:
            validate_client(self.instance, self.redirect_uri_validator)
        except ValidationError as error:
            for name, found in error.error_dict.items():
                self.add_error(name if name in self.fields else None, found)


class RedirectURIsAdapterMixin:
    """For ``IDP_OIDC_ADAPTER``: checks clients that register themselves with `validate_client`.

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
            raise ValidationError(error.messages) from error


class RedirectURIsViewMixin:
    """For allauth's ``AuthorizationView``: the ``redirect_uri`` must be registered, as text.

    Put it before the view in the list of base classes, and route ``identity/o/authorize`` to it. It
    answers 400 (Bad Request) for another redirect URI. Then allauth reads the request as usual. A
    client that is not in the database, because its id is a URL of its metadata, is left to allauth.
    """

    redirect_uri_validator: ClassVar[RedirectURIValidator] = _DEFAULT

    def dispatch(self, request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponseBase:
        """Check the redirect URI, and then do as the view does."""
        uris = [uri for data in (request.GET, request.POST) for uri in data.getlist("redirect_uri")]
        ids = [id for data in (request.GET, request.POST) for id in data.getlist("client_id")]
        for client in Client.objects.filter(pk__in=ids):
            registered = self.redirect_uri_validator.registered(client.get_redirect_uris())
            for uri in uris:
                found = registered.match(uri)
                if not found:
                    raise BadRequest(found.message)
        response: HttpResponseBase = super().dispatch(  # type: ignore[misc]  # of the view
            request, *args, **kwargs
        )
        return response
