"""Makes the links of HTML absolute, for mail and for templates. Needs turbohtml."""

from __future__ import annotations

from typing import Any, Final

from django.apps import apps
from django.contrib.sites.shortcuts import get_current_site
from django.core.exceptions import ImproperlyConfigured
from django.http import HttpRequest

from weburl import URL, URLRecord
from weburl.html import absolute_links

__all__ = ["absolute_mail_links"]

_FOR_MAIL: Final[dict[str, bool]] = {
    "css": True,
    "lazy": True,
    "conditional_comments": True,
    "longdesc": True,
    "keep_base": False,
}


def absolute_mail_links(html: str, base: object = None) -> str:
    """Return the HTML body of a mail with each relative URL in full, also in CSS and for Outlook.

    URLs with template syntax stay as they are. `base` elements lose their ``href``, because mail
    programs ignore it.

    Args:
        html: The body.
        base: What the URLs are relative to: a URL as text or a record, a request, or a site of
            ``django.contrib.sites``. None means the current site, with https.

    Raises:
        CannotRewrite: A link cannot be changed without changing something else.
        ImproperlyConfigured: ``base`` is None, and ``django.contrib.sites`` is not installed.
        URLParseError: ``base`` does not parse.
        ImportError: The HTML parser is not installed.
    """
    return absolute_links(html, base_url_of(base), **_FOR_MAIL)  # type: ignore[arg-type]


def base_url_of(base: object) -> Any:
    """Return the URL that ``base`` means, as `absolute_mail_links` takes it."""
    if isinstance(base, HttpRequest):
        return base.build_absolute_uri()
    if isinstance(base, str | URLRecord | URL):
        return base
    if base is None:
        if not apps.is_installed("django.contrib.sites"):
            raise ImproperlyConfigured(
                "without a base, links are relative to the current site, which needs"
                ' "django.contrib.sites" in INSTALLED_APPS'
            )
        base = get_current_site(None)  # it uses SITE_ID
    domain = getattr(base, "domain", None)
    if domain is None:
        raise TypeError(f"links cannot be relative to {type(base).__name__}")
    return f"https://{domain}/"
