"""Integration with django-oauth-toolkit: a mixin for the application model.

It checks redirect URIs when an application is registered, and compares them as text in requests.
"""

from __future__ import annotations

import logging
from collections.abc import Iterator
from functools import partial
from typing import TYPE_CHECKING, ClassVar, Final

import attrs
from django.core.exceptions import ValidationError

from django_whatwg_url.rules.messages import presentable_entry, presentable_part
from django_whatwg_url.rules.validators import OriginValidator, RedirectURIValidator, refusals
from weburl import origin_problems
from weburl.integrations.building_blocks import required
from weburl.redirect_uris import Mismatch, RedirectURIs

with required("django-oauth-toolkit>=3.4"):
    from oauth2_provider.settings import oauth2_settings

__all__ = ["RedirectURIsMixin"]

# This is django-oauth-toolkit's logger, which also logs why a request is refused.
_LOGGER: Final = logging.getLogger("oauth2_provider.models")
_MOST_LOGGED: Final = 10


class RedirectURIsMixin:
    """A mixin for your application model. Put it before ``AbstractApplication`` in the bases.

    ``clean()`` also refuses redirect URIs that `weburl.redirect_uris.RedirectURIs` refuses, and
    origins that a browser never sends. `RedirectURIs` also compares the URIs in requests, instead
    of django-oauth-toolkit. A stored URI that could not be registered today matches nothing.

    ``redirect_uri_validator`` has the options. Private schemes of ``get_allowed_schemes()`` are
    also allowed. With ``subdomain_wildcards``, allowed origins may have wildcards too. The reason
    for refusing a request is logged to django-oauth-toolkit's logger, without queries and
    passwords.
    """

    redirect_uri_validator: ClassVar[RedirectURIValidator] = RedirectURIValidator()
    if TYPE_CHECKING:
        client_id: str
        redirect_uris: str
        post_logout_redirect_uris: str
        allowed_origins: str

        def get_allowed_schemes(self) -> list[str]: ...

    def clean(self) -> None:
        """Raise ValidationError with django-oauth-toolkit's errors and ours, by field.

        If both refuse a URI, a single error has both reasons and our code.
        """
        errors: dict[str, list[ValidationError]] = {}
        try:
            super().clean()  # type: ignore[misc]  # of the model
        except ValidationError as raised:
            errors = raised.update_error_dict({})
        validator = self._validator()
        for name, check in (
            ("redirect_uris", validator),
            ("post_logout_redirect_uris", validator),
            ("allowed_origins", partial(_check_origin, validator)),
        ):
            found = refusals(getattr(self, name).split(), check)
            if merged := list(_merged(errors.pop(name, []), found)):
                errors[name] = merged
        if errors:
            raise ValidationError(errors)

    def redirect_uri_allowed(self, uri: str) -> bool:
        """Return whether ``uri`` is registered, compared as RFC 9700 requires."""
        return self._is_registered("redirect_uri", uri)

    def post_logout_redirect_uri_allowed(self, uri: str) -> bool:
        """Return whether ``uri`` is registered for logouts, compared in the same way."""
        return self._is_registered("post_logout_redirect_uri", uri)

    def origin_allowed(self, origin: str) -> bool:
        """Return whether ``origin``, as a browser sends it, is one of the allowed origins."""
        if origin_problems(origin, schemes=oauth2_settings.ALLOWED_SCHEMES):
            return False
        allowed = self.allowed_origins.split()
        if origin in allowed:
            return True
        wildcards = [text for text in allowed if "*" in text]
        return bool(wildcards and self._validator().registered(wildcards).match(origin))

    def _validator(self) -> RedirectURIValidator:
        """Return the validator, which also allows the private schemes of the application."""
        own = [scheme for scheme in self.get_allowed_schemes() if _may_be_private(scheme)]
        validator = self.redirect_uri_validator
        return attrs.evolve(validator, schemes=(*validator.schemes, *own)) if own else validator

    def _is_registered(self, kind: str, uri: str) -> bool:
        registered = getattr(self, f"{kind}s").split()
        rules = self._validator().registered(registered)
        found = rules.match(uri)
        if not found and _LOGGER.isEnabledFor(logging.DEBUG):
            reasons = "; ".join(_reasons(uri, registered, rules)) or "no URIs are registered"
            _LOGGER.debug(
                "%s %s does not match any %s registered for client_id %r: %s",
                *(kind, _loggable(uri), kind, self.client_id, reasons),
            )
        return bool(found)


def _check_origin(validator: RedirectURIValidator, value: object) -> None:
    """Raise an error for text that is not an origin. A wildcard has the rules of redirect URIs."""
    text = str(value)
    is_wildcard = validator.subdomain_wildcards and "://*" in text
    OriginValidator(schemes=None)(text.replace("*", "a", 1) if is_wildcard else text)
    if is_wildcard:
        validator(text)


def _may_be_private(scheme: str) -> bool:
    try:
        RedirectURIs((), schemes=[scheme])
    except ValueError:
        return False
    return True


def _reasons(uri: str, registered: list[str], rules: RedirectURIs) -> Iterator[str]:
    """Yield the reason why ``uri`` does not match, for each registered URI."""
    for text in registered[:_MOST_LOGGED]:
        problem = rules.problem(text)
        if problem is not None:
            yield f"{_loggable(text)}: cannot be registered ({problem.code})"
            continue
        found = attrs.evolve(rules, uris=[text]).match(uri)
        if isinstance(found, Mismatch):
            # django-oauth-toolkit uses this word.
            code = found.code.replace("host-", "hostname-")
            yield f"{_loggable(text)}: {code.replace('-', ' ')}"
    if len(registered) > _MOST_LOGGED:
        more = len(registered) - _MOST_LOGGED
        yield f"...and {more} further registered URI(s) not listed"


def _loggable(uri: str) -> str:
    """Return a URI in quotes for the log, without parts that may be secret."""
    return repr(presentable_entry(uri))


def _merged(
    others: list[ValidationError], ours: dict[str, ValidationError]
) -> Iterator[ValidationError]:
    """Yield one error for each URI, and django-oauth-toolkit's other errors of the field.

    ``ours``: our errors, by URI.
    """
    reasons: dict[str, dict[str, None]] = {}
    for error in others:
        params = error.params or {}
        text = params.get("value")
        if text is None:
            yield error
            continue
        # A parameter may be an exception of Python that quotes a part of the text.
        shown = {key: presentable_part(str(value)) for key, value in params.items()}
        shown["value"] = presentable_entry(text)
        if text in ours:
            reasons.setdefault(text, {})[error.message % shown] = None
        else:
            yield ValidationError(error.message, code=error.code, params=shown)
    for text, found in reasons.items():
        ours[text].params = {**(ours[text].params or {}), "entry": "; ".join(found)}
    yield from ours.values()
