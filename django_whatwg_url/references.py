"""Resolves references of `fields.URLReferenceField`, on a page or with a base from the settings."""

from __future__ import annotations

from django.conf import settings
from django.core.exceptions import ImproperlyConfigured
from django.http import HttpRequest

import weburl
from django_whatwg_url.redirects import request_url
from weburl import URLRecord

__all__ = ["named_base", "resolve_reference"]


def named_base(name: str = "default") -> URLRecord:
    """Return the URL with this name in the setting ``URL_REFERENCE_BASES``.

    Use it as the base of `resolve_reference` where there is no request, as in mails and feeds. The
    setting is a dictionary of names and whole URLs: ``{"default": "https://www.example.com/"}``.

    Raises `django.core.exceptions.ImproperlyConfigured` if there is no such name, or if its value
    is not a URL that can be a base.

    Spec: #concept-base-url
    """
    bases = getattr(settings, "URL_REFERENCE_BASES", {})
    try:
        base = weburl.parse(bases[name])
    except KeyError:
        known = ", ".join(map(repr, bases)) or "none"
        reason = f"URL_REFERENCE_BASES has no base called {name!r}. It has: {known}."
        raise ImproperlyConfigured(reason) from None
    except weburl.URLParseError as error:
        reason = f"URL_REFERENCE_BASES[{name!r}] is not a URL: {error.reason}"
        raise ImproperlyConfigured(reason) from None
    if isinstance(base.path, str):
        raise ImproperlyConfigured(f"URL_REFERENCE_BASES[{name!r}] cannot be a base: {base!r}")
    return base


def resolve_reference(reference: str, base: HttpRequest | URLRecord | str) -> URLRecord:
    """Return the URL that ``reference`` means on the page ``base``, which may be a request.

    Without a request, use `named_base` to get a base from the settings.

    Raises `weburl.URLParseError` if there is no such URL, and
    `django.core.exceptions.DisallowedHost` if the host of a request is not in ``ALLOWED_HOSTS``.

    Spec: #concept-url-parser
    """
    page = request_url(base) if isinstance(base, HttpRequest) else base
    return weburl.parse(reference, page)
