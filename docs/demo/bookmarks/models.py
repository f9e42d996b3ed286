"""The bookmarks and their search, and the lines of an import that added no bookmark."""

from __future__ import annotations

from typing import Final, Self

from django.core.exceptions import ValidationError
from django.db import models

from django_whatwg_url.fields import CanonicalURLField, URLKeyField
from django_whatwg_url.indexes import URLIndex
from django_whatwg_url.managers import URLQuerySet

SITE: Final = "site:"


class BookmarkQuerySet(URLQuerySet["Bookmark"]):
    """Bookmarks, searchable by what people type."""

    def matching(self, text: str) -> Self:
        """Keep the bookmarks whose URL contains every word of ``text``, in any spelling.

        A word such as ``site:example.com`` matches a host and its subdomains. A word that is a URL
        also matches the other URLs of the same page, such as one without ``utm_source``.
        """
        found = self
        for word in text.split():
            if word.startswith(SITE):
                found = found.on_site(word.removeprefix(SITE))
                continue
            found = found.filter(models.Q(url__holds=word) | models.Q(url_key__same_as=word))
        return found

    def on_site(self, host: str) -> Self:
        """Keep the bookmarks of a host and its subdomains. An invalid ``host`` matches nothing."""
        try:
            return self.filter(url__host__under=host)
        except ValidationError:
            return self.none()


class Bookmark(models.Model):
    """A saved link. Two spellings of the same URL cannot both be saved.

    Two URLs of the same page can: the form refuses the second one, and the importer takes both.
    """

    url = CanonicalURLField(unique=True)
    url_key = URLKeyField("url")
    added = models.DateTimeField(auto_now_add=True)

    objects = BookmarkQuerySet.as_manager()

    class Meta:
        indexes = (URLIndex("url", part="reversed_host"),)  # for on_site()

    def __str__(self) -> str:
        return self.url.redacted()


class ImportedLine(models.Model):
    """A line of an imported list that added no bookmark.

    It is another spelling of ``bookmark``, or was refused for ``reason``. ``text`` has no password,
    and only its first characters are kept.
    """

    number = models.PositiveIntegerField()
    text = models.CharField(max_length=300)
    bookmark = models.ForeignKey(
        Bookmark, on_delete=models.CASCADE, null=True, related_name="spellings"
    )
    reason = models.TextField(blank=True)

    class Meta:
        constraints = (
            models.UniqueConstraint(fields=("number", "text"), name="one_line_of_each_import"),
        )

    def __str__(self) -> str:
        return self.text
