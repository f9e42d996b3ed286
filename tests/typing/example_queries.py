"""What the plugin for mypy makes of queries. Checked with the plugin only, never run."""

from __future__ import annotations

from typing import assert_type

from django.db import models
from django.db.models import Count, F, Q, QuerySet

from django_whatwg_url.constraints import IsCanonicalURL, URLAllowedBy
from django_whatwg_url.fields import CanonicalURLField
from django_whatwg_url.functions import LooksCanonical, QueryParam, URLHost, URLPort
from django_whatwg_url.generated import GeneratedURLPartField
from django_whatwg_url.indexes import URLIndex
from tests.django.siteapp.models import FollowedFeed, Issuer, Item, Link
from tests.django.testapp.models import Bookmark, Page
from weburl import Domain, Host, URLPolicy, URLRecord

POLICY = URLPolicy(schemes=["https"], hosts=[".example.com"])


def rows(record: URLRecord) -> None:
    """Rows have records, and lookups take any spelling or a record."""
    assert_type(Bookmark.objects.get(url="https://example.com").url, URLRecord)
    assert_type(Page.objects.get(url=record).url, URLRecord | None)
    Page.objects.filter(url=None)
    Page.objects.filter(url__in=[record, "https://example.com"])
    Page.objects.filter(url__icontains="é")


def parts(bookmarks: QuerySet[Bookmark], host: Host) -> None:
    """Parts are asked for by text, by host or by record, and selected as text and numbers."""
    bookmarks.filter(url__host="example.com", url__port__gt=1024, url__path__under="/docs/")
    bookmarks.filter(url__host__in=[host, "example.com"], url__origin=F("url__origin"))
    bookmarks.exclude(Q(url__under=bookmarks.get().url) | Q(url__host__under=host))
    bookmarks.order_by("url__host", URLPort("url").desc())
    annotated = bookmarks.annotate(host=URLHost("url"))
    assert_type(annotated.get().url, URLRecord)
    str(annotated.get().host)
    bookmarks.values("url__host").annotate(n=Count("pk"))
    bookmarks.filter(LooksCanonical("url"))


def params(bookmarks: QuerySet[Bookmark]) -> None:
    """Params are asked for by text, and the column of a param has text or None."""
    bookmarks.filter(url__query_params__has="utm_source", url__query_params__q="hello world")
    bookmarks.filter(url__query_params__q__in=["a", "b"], url__query_params__q__isnull=False)
    bookmarks.annotate(source=QueryParam("url", "utm-source")).filter(source="mail")
    bookmarks.values_list(QueryParam("url", "id")).annotate(n=Count("pk"))
    Item.objects.filter(item="42", source__in=["mail"]).exclude(item__startswith="4")
    Item.objects.filter(item=None)
    Item.objects.filter(item=5)  # type: ignore[misc]
    assert_type(Item.objects.get().item, str | None)
    assert_type(Item.objects.values_list("item", flat=True).get(), str | None)


class Report(models.Model):
    """Indexes, columns and constraints of parts."""

    url = CanonicalURLField()
    host = GeneratedURLPartField("url", part="host", db_index=True)

    class Meta:
        indexes = (URLIndex("url", part="origin", name="by_origin"),)
        constraints = (
            IsCanonicalURL("url", name="canonical"),
            URLAllowedBy("url", POLICY, name="ours", violation_error_code="insecure"),
        )


def columns(report: Report) -> None:
    """Misspelt options are found before the program runs; what is generated is of any type."""
    str(report.host)
    assert_type(report.url, URLRecord)
    URLIndex("url")  # type: ignore[call-arg]
    URLIndex("url", part=5)  # type: ignore[arg-type]
    GeneratedURLPartField("url")  # type: ignore[call-arg]
    URLAllowedBy("url", "https", name="a")  # type: ignore[arg-type]
    URLAllowedBy("url", POLICY)  # type: ignore[call-arg]


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


def text_kept(record: URLRecord) -> None:
    """Exact URLs are text, and a queryset keeps the type of its rows."""
    assert_type(Issuer.objects.get(url="https://example.com").url, str)
    assert_type(Issuer.objects.values_list("url", "home").get(), tuple[str, str | None])
    Issuer.objects.filter(url=record)
    Issuer.objects.filter(url=5)  # type: ignore[misc]
    assert_type(FollowedFeed.objects.get(url=record).url, URLRecord)
    assert_type(FollowedFeed.objects.update(url="https://example.com"), int)
