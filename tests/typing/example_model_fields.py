"""What type checkers make of model fields: checked with the plugin and without, never run."""

from __future__ import annotations

from typing import assert_type

from django.db import models
from django.db.models import F

from django_whatwg_url.beside import registrable_domain
from django_whatwg_url.fields import (
    CanonicalURLField,
    ExactURLField,
    QueryParamField,
    RegistrableDomainField,
    UnparsableURL,
    URLKeyField,
    URLReferenceField,
)
from django_whatwg_url.query_params import query_param
from django_whatwg_url.url_keys import url_key
from weburl import Domain, URLParseError, URLPolicy, URLRecord
from weburl.keys import KeyRules, ParamRule


class Link(models.Model):
    """A model with a URL that is required and one that is not."""

    url = CanonicalURLField(
        "link", unique=True, max_length=500, schemes=["https"], strictness="valid"
    )
    origin = CanonicalURLField(null=False, strictness=["invalid-credentials"])
    hook = CanonicalURLField(policy=URLPolicy(schemes=["https"], ports={443}, hosts=("a.com",)))
    mirror = CanonicalURLField(null=True, blank=True, default=None, schemes=None)
    site = RegistrableDomainField("url", "site of the link", unique=True, max_length=500)
    item = QueryParamField("url", "id", "item of the link", max_length=200, db_index=False)
    url_key = URLKeyField("url", "key of the link", rules=KeyRules.page(), max_length=500)
    exact_key = URLKeyField("url", rules="browser", unique=True)


def reading(link: Link) -> None:
    """Attributes are records, and None where the column may be NULL."""
    assert_type(link.url, URLRecord)
    assert_type(link.origin, URLRecord)
    assert_type(link.mirror, URLRecord | None)
    assert_type(link.url.href, str)
    assert_type(link.url.with_query("a=1").join("../b"), URLRecord)
    str(link.mirror.href)  # type: ignore[union-attr]
    assert_type(link.site, str | None)
    assert_type(registrable_domain(link.url), str | None)
    assert_type(link.item, str | None)
    assert_type(query_param(link.url, "id"), str | None)
    assert_type(link.url_key, str | None)
    assert_type(url_key(link.url, KeyRules.page()), str | None)
    KeyRules(drop_params=["ref", ParamRule(["si"])], keep_fragments=["a"])
    KeyRules(drop_params=5)  # type: ignore[arg-type]
    KeyRules(keep_params=[5])  # type: ignore[list-item]
    ParamRule(prefixes=5)  # type: ignore[arg-type]


def writing(link: Link, record: URLRecord) -> None:
    """Text, records and expressions can be assigned, None only where it can be stored."""
    link.url = "https://example.com"
    link.url = record
    link.url = F("mirror")
    link.mirror = None
    link.mirror = "https://example.com"
    link.site = registrable_domain(record)
    link.site = Domain("example.com")  # type: ignore[assignment]
    link.url = None  # type: ignore[assignment]
    link.url = 5  # type: ignore[assignment]
    link.mirror = b"https://example.com"  # type: ignore[assignment]


class TextLink(models.Model):
    """A model whose URLs are text."""

    url = CanonicalURLField("link", as_text=True, unique=True, policy=URLPolicy(schemes=["https"]))
    note = CanonicalURLField(as_text=True, null=False, blank=True)
    mirror = CanonicalURLField(as_text=True, null=True, blank=True)
    record = CanonicalURLField(as_text=False)


def reading_text(link: TextLink) -> None:
    """Attributes are text, and None where the column may be NULL."""
    assert_type(link.url, str)
    assert_type(link.note, str)
    assert_type(link.mirror, str | None)
    assert_type(link.record, URLRecord)
    str(link.url.host)  # type: ignore[attr-defined]


def writing_text(link: TextLink, record: URLRecord) -> None:
    """Text, records and expressions can be assigned, as without the option."""
    link.url = "https://example.com"
    link.url = record
    link.url = F("mirror")
    link.mirror = None
    link.url = None  # type: ignore[assignment]


def options() -> None:
    """Misspelt options and values are found before the program runs."""
    CanonicalURLField(max_lenght=5)  # type: ignore[call-overload]
    CanonicalURLField(schemes=5)  # type: ignore[call-overload]
    CanonicalURLField(as_text="yes")  # type: ignore[call-overload]
    CanonicalURLField(strictness=5)  # type: ignore[call-overload]
    CanonicalURLField(max_length="5")  # type: ignore[call-overload]
    CanonicalURLField(written=5)  # type: ignore[call-overload]
    ExactURLField(written="text")  # type: ignore[call-overload]
    ExactURLField(strictness=5)  # type: ignore[call-overload]
    URLReferenceField(allow_scheme_relative=5)  # type: ignore[call-overload]
    RegistrableDomainField()  # type: ignore[call-arg]
    RegistrableDomainField("url", null=False)  # type: ignore[call-arg]
    QueryParamField("url")  # type: ignore[call-arg]
    QueryParamField("url", "id", null=False)  # type: ignore[call-arg]
    QueryParamField("url", b"id")  # type: ignore[arg-type]
    URLKeyField()  # type: ignore[call-arg]
    URLKeyField("url", null=False)  # type: ignore[call-arg]
    URLKeyField("url", rules=5)  # type: ignore[arg-type]


class Feed(models.Model):
    """URLs whose text is kept."""

    url = CanonicalURLField(written="url_written")
    mirror = CanonicalURLField(null=True, written="mirror_written")
    url_written: models.TextField[str, str] = models.TextField()
    mirror_written: models.TextField[str, str] = models.TextField()
    issuer = ExactURLField(unique=True, max_length=500, policy=URLPolicy(schemes=["https"]))
    origin = ExactURLField(null=True, blank=True, schemes=None)
    link = URLReferenceField(unique=True, allow_scheme_relative=True)
    image = URLReferenceField(null=True, policy=URLPolicy(schemes=["https"]))


def text_kept(feed: Feed, record: URLRecord) -> None:
    """Exact URLs are text. The other attributes are records, as without ``written``."""
    assert_type(feed.url, URLRecord)
    assert_type(feed.mirror, URLRecord | None)
    assert_type(feed.issuer, str)
    assert_type(feed.origin, str | None)
    assert_type(feed.link, str)
    assert_type(feed.image, str | None)
    feed.link = "/a"
    feed.link = record
    feed.image = None
    feed.link = None  # type: ignore[assignment]
    feed.issuer = "https://example.com"
    feed.issuer = record
    feed.issuer = F("origin")
    feed.origin = None
    feed.issuer = None  # type: ignore[assignment]
    feed.origin = 5  # type: ignore[assignment]


class Annotated(models.Model):
    """Types can be written out, for checkers that infer nothing."""

    url: CanonicalURLField[URLRecord | str, URLRecord] = CanonicalURLField()
    mirror: CanonicalURLField[URLRecord | str | None, URLRecord | None] = CanonicalURLField(
        null=True
    )


class Guarded(models.Model):
    """Rows that other software writes: the checker asks what happens with those that are broken."""

    url: CanonicalURLField[URLRecord | str, URLRecord | UnparsableURL] = CanonicalURLField()


def reading_guarded(row: Guarded) -> None:
    """Ask first, then use."""
    str(row.url.host)  # type: ignore[union-attr]
    if isinstance(row.url, UnparsableURL):
        assert_type(row.url.error, URLParseError)
    else:
        assert_type(row.url, URLRecord)


def reading_annotated(row: Annotated) -> None:
    """Get the same from them."""
    assert_type(row.url, URLRecord)
    assert_type(row.mirror, URLRecord | None)
