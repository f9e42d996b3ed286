"""Tests of the model attribute: what it holds after assignment, and after loading."""

# Pickles of our own.

from __future__ import annotations

import copy
import pickle
from typing import Any

import pytest
from django.core.exceptions import ValidationError
from django.db.models import (
    Case,
    F,
    Value,
    When,
)
from django.db.models.expressions import DatabaseDefault
from django.db.models.functions import Lower
from django.db.models.signals import post_save, pre_save
from pytest_django import DjangoAssertNumQueries

from django_whatwg_url.column.attributes import URLAttribute
from django_whatwg_url.column.values import UnparsableURL
from django_whatwg_url.fields import CanonicalURLField
from tests.django.testapp.models import (
    Bookmark,
    Defaulted,
    Page,
    Site,
)
from weburl import URLRecord, parse

pytestmark = pytest.mark.django_db

URL = parse("https://example.com/")


def test_text_is_a_record_as_soon_as_it_is_assigned() -> None:
    """It may be assigned by keyword, by position or to the attribute, before saving."""
    assert Bookmark(url=" HTTPS:EXAMPLE.com").url == URL
    assert Bookmark(1, "https://EXAMPLE.com").url == URL
    bookmark = Bookmark()
    bookmark.url = "https://example.com:443"
    assert bookmark.url == URL
    assert isinstance(bookmark.url, URLRecord)


def test_a_new_instance_without_a_url_has_none() -> None:
    """There is no empty string to begin with."""
    assert Bookmark().url is None
    assert CanonicalURLField().get_default() is None


@pytest.mark.parametrize(
    "expression",
    [
        F("title"),
        Value("HTTP://EXAMPLE.com"),
        Case(When(pk=1, then=Value("a:"))),
        Lower(F("url")),
        DatabaseDefault(Value("a:")),
        Bookmark.objects.values("url")[:1],
    ],
)
def test_expressions_stay_what_they_are(expression: object) -> None:
    """They are for the database to evaluate."""
    bookmark = Bookmark()
    bookmark.url = expression  # type: ignore[assignment]
    assert bookmark.url is expression


def test_the_class_attribute_is_the_descriptor() -> None:
    """Django's own fields do the same."""
    assert type(vars(Bookmark)["url"]) is URLAttribute
    assert Bookmark._meta.get_field("url").descriptor_class is URLAttribute


def test_defaults_of_every_kind_become_records() -> None:
    """Text, a record, a callable; and one that the database provides on saving."""
    instance = Defaulted()
    assert instance.text == parse("http://text.example/")
    assert instance.record == parse("http://record.example/")
    assert instance.called == parse("https://callable.example/")
    assert isinstance(instance.in_database, DatabaseDefault)
    instance.save()
    instance.refresh_from_db()
    assert instance.in_database == parse("http://database.example/")


def test_a_database_default_gives_way_to_a_value() -> None:
    """It is canonical text in the definition of the column."""
    instance = Defaulted.objects.create(in_database="https://EXAMPLE.com")
    assert Defaulted.objects.get().in_database == URL
    assert instance.in_database == URL


def test_assignment_to_a_deferred_url_needs_no_query(
    django_assert_num_queries: DjangoAssertNumQueries,
) -> None:
    """The old value is of no interest."""
    Page.objects.create(url="https://example.com")
    page = Page.objects.defer("url").get()
    with django_assert_num_queries(0):
        page.url = "https://EXAMPLE.com/new"
        assert page.url == parse("https://example.com/new")


def test_the_database_orders_urls_as_python_does() -> None:
    """The order is by code point, whatever the collation of the database."""
    hrefs = ["https://a.example/b", "https://a.example/B", "https://a.example/%C3%A9", "http://z/"]
    hrefs += ["https://a.example/~", "https://a.example/-", "https://a-b.example/", "https://a.b/"]
    for href in hrefs:
        Bookmark.objects.create(url=href)
    urls = list(Bookmark.objects.order_by("url").values_list("url", flat=True))
    assert urls == sorted(map(parse, hrefs))
    assert [url.href for url in urls] == sorted(hrefs)


def test_fields_can_be_pickled_and_copied() -> None:
    """They may belong to a model or not."""
    field = Bookmark._meta.get_field("url")
    assert pickle.loads(pickle.dumps(field)) is field
    alone = pickle.loads(pickle.dumps(CanonicalURLField(max_length=9, strictness="valid")))
    assert (alone.max_length, alone.strictness) == (9, "valid")
    assert copy.deepcopy(field).max_length == 2048


def test_a_url_can_be_the_primary_key() -> None:
    """It identifies an instance in any spelling."""
    site = Site.objects.create(url="https://EXAMPLE.com")
    assert site.pk == URL
    assert Site.objects.get(pk="https:example.com") == site
    assert hash(Site(url="https:example.com")) == hash(site)
    Site(url="HTTPS://example.com").save()
    assert Site.objects.count() == 1


def test_signals_see_records() -> None:
    """They are sent before and after saving."""
    seen: list[object] = []

    def receive(instance: Bookmark, **_kwargs: object) -> None:
        seen.append(instance.url)

    for signal in (pre_save, post_save):
        signal.connect(receive, sender=Bookmark)
    try:
        Bookmark.objects.create(url="HTTPS:EXAMPLE.com")
    finally:
        for signal in (pre_save, post_save):
            signal.disconnect(receive, sender=Bookmark)
    assert seen == [URL, URL]


@pytest.mark.parametrize("junk", [b"https://example.com", 5, True, ["https://a"], {}, object()])
def test_what_is_no_text_is_kept_as_its_text_and_refused(junk: Any) -> None:
    """Bytes are not decoded, numbers are no hosts."""
    bookmark = Bookmark(url=junk)
    assert isinstance(bookmark.url, UnparsableURL) and bookmark.url == str(junk)
    for refuse in (bookmark.full_clean, bookmark.save):
        with pytest.raises(ValidationError):
            refuse()
    with pytest.raises(ValidationError):
        Page.objects.filter(url=junk)
