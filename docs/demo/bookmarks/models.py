"""The one model, and how bookmarks are searched."""

from __future__ import annotations

from typing import Final, Self

from django.core.exceptions import ValidationError
from django.db import models

import weburl
from django_whatwg_url.fields import CanonicalURLField
from django_whatwg_url.indexes import URLIndex

SITE: Final = "site:"


class BookmarkQuerySet(models.QuerySet["Bookmark"]):
    """Bookmarks, searchable by what people type."""

    def matching(self, text: str) -> Self:
        """Keep the bookmarks whose URL holds every word of ``text``, however it is spelled.

        A word such as ``site:example.com`` asks for a host and its subdomains.
        """
        found = self
        for word in text.split():
            if word.startswith(SITE):
                found = found.on_site(word.removeprefix(SITE))
                continue
            found = found.filter(url__holds=word)
        return found

    def on_site(self, host: str) -> Self:
        """Keep the bookmarks of a host and its subdomains; none where ``host`` cannot be one."""
        try:
            return self.filter(url__host__under=host)
        except ValidationError:
            return self.none()


class Bookmark(models.Model):
    """A link somebody kept: unique by the page that a browser would fetch."""

    url = CanonicalURLField(unique=True)
    added = models.DateTimeField(auto_now_add=True)

    objects = BookmarkQuerySet.as_manager()

    class Meta:
        indexes = (URLIndex("url", part="reversed_host"),)  # for on_site()

    def __str__(self) -> str:
        return str(self.url)

    @property
    def host_in_unicode(self) -> str:
        """The host in its own script, or "" where that is how it stands in the URL anyway."""
        # A row that somebody else wrote may hold text that is no URL, and so has no host.
        host = getattr(self.url, "host", None)
        if not isinstance(host, weburl.Domain):
            return ""
        unicode = host.to_unicode()
        return "" if unicode == host.value else unicode
