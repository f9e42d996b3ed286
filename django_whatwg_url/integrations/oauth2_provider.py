"""Integration with django-oauth-toolkit: a mixin for the model of applications.

It checks redirect URIs when an application is registered, and compares them as text in requests.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, ClassVar

from django.core.exceptions import ValidationError

from django_whatwg_url.validators import OriginValidator, RedirectURIValidator
from weburl import origin_problems

__all__ = ["RedirectURIsMixin"]


class RedirectURIsMixin:
    """Put it before ``AbstractApplication`` in the base classes of your model of applications.

    ``clean()`` also refuses redirect URIs that `weburl.redirect_uris.RedirectURIs` refuses, and
    origins that a browser never sends. Requests are compared by its rules, in place of
    django-oauth-toolkit's. A stored URI that could not be registered today matches nothing.

    ``redirect_uri_validator`` has the options. Its schemes must be in
    ``ALLOWED_REDIRECT_URI_SCHEMES`` too, as for every application.
    """

    redirect_uri_validator: ClassVar[RedirectURIValidator] = RedirectURIValidator()
    if TYPE_CHECKING:
        redirect_uris: str
        post_logout_redirect_uris: str
        allowed_origins: str

    def clean(self) -> None:
        """Raise ValidationError with django-oauth-toolkit's errors and these, field by field."""
        errors: dict[str, list[ValidationError]] = {}
        try:
            super().clean()  # type: ignore[misc]  # of the model
        except ValidationError as raised:
            errors = raised.update_error_dict({})
        validator = self.redirect_uri_validator
        for name, check in (
            ("redirect_uris", validator),
            ("post_logout_redirect_uris", validator),
            ("allowed_origins", OriginValidator(schemes=None)),
        ):
            if found := _errors(getattr(self, name).split(), check):
                errors.setdefault(name, []).extend(found)
        if errors:
            raise ValidationError(errors)

    def redirect_uri_allowed(self, uri: str) -> bool:
        """Return whether ``uri`` is registered, compared as RFC 9700 says."""
        return bool(self.redirect_uri_validator.registered(self.redirect_uris.split()).match(uri))

    def post_logout_redirect_uri_allowed(self, uri: str) -> bool:
        """Return whether ``uri`` is registered for after a logout, compared in the same way."""
        uris = self.post_logout_redirect_uris.split()
        return bool(self.redirect_uri_validator.registered(uris).match(uri))

    def origin_allowed(self, origin: str) -> bool:
        """Return whether ``origin`` is one of the allowed origins, as a browser sends it."""
        return origin in self.allowed_origins.split() and not origin_problems(origin, schemes=None)


def _errors(texts: list[str], check: Callable[[object], None]) -> list[ValidationError]:
    found: list[ValidationError] = []
    for text in texts:
        try:
            check(text)
        except ValidationError as error:
            found.append(error)
    return found
