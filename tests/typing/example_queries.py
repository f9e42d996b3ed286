"""What the plugin for mypy makes of queries. Checked with the plugin only, never run."""

from __future__ import annotations

from typing import assert_type

from django.db.models import F, QuerySet

from tests.django.siteapp.models import Link
from tests.django.testapp.models import Bookmark, Page
from weburl import Domain, URLRecord


def rows(record: URLRecord) -> None:
    """Rows have records, and lookups take any spelling or a record."""
    assert_type(Bookmark.objects.get(url="https://example.com").url, URLRecord)
    assert_type(Page.objects.get(url=record).url, URLRecord | None)
    Page.objects.filter(url=None)
    Page.objects.filter(url__in=[record, "https://example.com"])
    Page.objects.filter(url__icontains="é")


def values(bookmarks: QuerySet[Bookmark]) -> None:
    """So do values and lists of values."""
    assert_type(bookmarks.values_list("url", flat=True).get(), URLRecord)
    assert_type(Page.objects.values_list("pk", "url").get(), tuple[int, URLRecord | None])


def domains() -> None:
    """Read text that may be missing; look up domains too."""
    assert_type(Link.objects.get(site="example.com").site, str | None)
    Link.objects.filter(site=Domain("example.com"))
    Link.objects.filter(site=None)
    assert_type(Link.objects.values_list("site", flat=True).get(), str | None)
    Link.objects.filter(site=5)  # type: ignore[misc]


def writing(record: URLRecord) -> None:
    """Text, records and expressions can be stored."""
    Bookmark.objects.create(url="https://example.com")
    Bookmark.objects.create(url=record)
    Page(url=None, source=F("url"))
    Bookmark.objects.create(url=5)  # type: ignore[misc]
    Bookmark(url=None)  # type: ignore[misc]
