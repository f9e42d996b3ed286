"""Tests of the model attribute: what it holds after assignment, and after loading."""

# Pickles of our own.

from __future__ import annotations

import copy
import pickle
from typing import Any

import pytest
from django.core.exceptions import ValidationError
from django.db import connection
from django.db.models import (
    Case,
    CharField,
    Count,
    F,
    Func,
    GeneratedField,
    Max,
    Model,
    QuerySet,
    TextField,
    Value,
    When,
)
from django.db.models.expressions import DatabaseDefault
from django.db.models.functions import Cast, Coalesce, Concat, Lower, Substr, Upper
from django.db.models.signals import post_save, pre_save
from django.test.utils import isolate_apps
from pytest_django import DjangoAssertNumQueries

import weburl
from django_whatwg_url.column.attributes import URLAttribute
from django_whatwg_url.column.values import UnparsableURL
from django_whatwg_url.fields import CanonicalURLField
from tests.django.stored import store_text
from tests.django.testapp.models import (
    Bookmark,
    Child,
    Defaulted,
    Page,
    Parent,
    Site,
    Visit,
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


def test_a_record_is_assigned_as_it_is() -> None:
    """A mutable URL is converted to its record."""
    assert Bookmark(url=URL).url is URL
    mutable: Any = weburl.URL("https://example.com")
    assert Bookmark(url=mutable).url == URL


@pytest.mark.parametrize("nothing", [None, ""])
def test_none_and_the_empty_string_are_none(nothing: str | None) -> None:
    """An empty string is no URL."""
    assert Page(url=nothing).url is None


def test_a_new_instance_without_a_url_has_none() -> None:
    """There is no empty string to begin with."""
    assert Bookmark().url is None
    assert CanonicalURLField().get_default() is None


def test_text_that_does_not_parse_raises_nothing_when_assigned() -> None:
    """It is kept, and says what is wrong with it."""
    bookmark = Bookmark(url="https://example.com:99999/")
    assert isinstance(bookmark.url, UnparsableURL)
    assert bookmark.url == "https://example.com:99999/"
    assert bookmark.url.error.type == "port-out-of-range"


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


def test_a_saved_expression_is_read_back_as_a_record() -> None:
    """refresh_from_db() converts what the database made of it."""
    page = Page.objects.create(url="https://example.com/Page")
    page.source = Lower(F("url"))
    page.save()
    page.refresh_from_db()
    assert page.source == parse("https://example.com/page")


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


def test_rows_are_read_as_records() -> None:
    """This includes instances, values, values_list, iterators and unions."""
    Bookmark.objects.create(url="https://example.com")
    rows = Bookmark.objects.all()
    assert rows.get().url == URL
    assert list(rows.values_list("url", flat=True)) == [URL]
    assert list(rows.values("url")) == [{"url": URL}]
    assert next(rows.iterator()).url == URL
    assert [row.url for row in rows.union(rows, all=True)] == [URL, URL]
    assert [row.url for row in Bookmark.objects.raw("SELECT * FROM testapp_bookmark")] == [URL]
    found: dict[Any, Bookmark] = Bookmark.objects.in_bulk(["HTTPS:example.com"], field_name="url")
    assert list(found) == [URL]


def test_deferred_urls_are_loaded_as_records() -> None:
    """They are loaded when the attribute is read, after only() and defer()."""
    Page.objects.create(url="https://example.com", source="https://example.com/2")
    for page in (Page.objects.only("title").get(), Page.objects.defer("url").get()):
        assert "url" in page.get_deferred_fields()
        assert page.url == URL
        assert page.get_deferred_fields() <= {"source", "published"}


def test_assignment_to_a_deferred_url_needs_no_query(
    django_assert_num_queries: DjangoAssertNumQueries,
) -> None:
    """The old value is of no interest."""
    Page.objects.create(url="https://example.com")
    page = Page.objects.defer("url").get()
    with django_assert_num_queries(0):
        page.url = "https://EXAMPLE.com/new"
        assert page.url == parse("https://example.com/new")


def test_text_in_the_database_that_parses_is_read_as_its_record() -> None:
    """Rows that other software wrote need not be canonical."""
    page = Page.objects.create()
    store_text(page, "HTTPS://EXAMPLE.com/a b")
    assert Page.objects.get().url == parse("https://example.com/a%20b")


def test_text_in_the_database_that_does_not_parse_stays_readable() -> None:
    """The row loads, and its URL says what is wrong."""
    page = Page.objects.create(title="kept")
    store_text(page, "not a URL")
    loaded = Page.objects.get()
    assert loaded.title == "kept"
    assert isinstance(loaded.url, UnparsableURL)
    assert loaded.url == "not a URL"
    assert loaded.url.error.type == "missing-scheme-non-relative-URL"
    assert isinstance(Page.objects.values_list("url", flat=True)[0], UnparsableURL)


def test_an_empty_string_in_the_database_is_none() -> None:
    """The same as on assignment."""
    page = Page.objects.create()
    store_text(page, "")
    assert Page.objects.get().url is None


def test_expressions_over_the_column_give_records_or_text() -> None:
    """A record if they choose a URL, and text if they compute it."""
    Bookmark.objects.create(url="https://example.com/A")
    row = Bookmark.objects.annotate(
        low=Lower("url"),
        high=Upper("url"),
        joined=Concat("url", Value("?q=a b")),
        first=Coalesce("url", Value("http://nowhere.example")),
        cast=Cast("title", CanonicalURLField()),
        broken=Func(F("url"), Value("https"), Value(""), function="REPLACE"),
    ).get()
    assert row.low == "https://example.com/a"
    assert row.high == "HTTPS://EXAMPLE.COM/A"
    assert row.joined == "https://example.com/A?q=a b"
    assert row.first == parse("https://example.com/A")
    assert row.cast is None
    assert type(row.broken) is str and row.broken == "://example.com/A"
    assert Bookmark.objects.aggregate(last=Max("url")) == {"last": parse("https://example.com/A")}


def test_expressions_of_other_types_give_those_types() -> None:
    """Text where text is asked for."""
    Bookmark.objects.create(url="https://example.com")
    row = Bookmark.objects.annotate(
        text=Cast("url", CharField(max_length=2048)), start=Substr("url", 1, 5)
    ).get()
    assert (row.text, row.start) == ("https://example.com/", "https")
    texts = Bookmark.objects.annotate(
        text=Concat(Value("see "), "url", output_field=TextField())
    ).values_list("text", flat=True)
    assert list(texts) == ["see https://example.com/"]


def test_grouping_and_distinct_work_on_urls() -> None:
    """Equal URLs are equal text."""
    for url in ("https://example.com", "HTTPS://EXAMPLE.COM/", "https://example.com/other"):
        Page.objects.create(url=url)
    assert Page.objects.values("url").distinct().count() == 2
    counted = Page.objects.values_list("url").annotate(Count("pk")).order_by("url")
    assert list(counted) == [(URL, 2), (parse("https://example.com/other"), 1)]


def test_the_database_orders_urls_as_python_does() -> None:
    """The order is by code point, whatever the collation of the database."""
    hrefs = ["https://a.example/b", "https://a.example/B", "https://a.example/%C3%A9", "http://z/"]
    hrefs += ["https://a.example/~", "https://a.example/-", "https://a-b.example/", "https://a.b/"]
    for href in hrefs:
        Bookmark.objects.create(url=href)
    urls = list(Bookmark.objects.order_by("url").values_list("url", flat=True))
    assert urls == sorted(map(parse, hrefs))
    assert [url.href for url in urls] == sorted(hrefs)


def test_instances_and_querysets_can_be_pickled_and_copied() -> None:
    """They keep their URLs, and text that does not parse."""
    Bookmark.objects.create(url="https://example.com")
    twins: list[Bookmark] = [
        pickle.loads(pickle.dumps(Bookmark.objects.get())),
        copy.copy(Bookmark.objects.get()),
        copy.deepcopy(Bookmark.objects.get()),
        pickle.loads(pickle.dumps(Bookmark.objects.all()))[0],
    ]
    for twin in twins:
        assert twin.url == URL
        twin.url = "https://EXAMPLE.com/2"
        assert twin.url == parse("https://example.com/2")
    broken = pickle.loads(pickle.dumps(Bookmark(url="bad")))
    assert isinstance(broken.url, UnparsableURL)


def test_fields_can_be_pickled_and_copied() -> None:
    """They may belong to a model or not."""
    field = Bookmark._meta.get_field("url")
    assert pickle.loads(pickle.dumps(field)) is field
    alone = pickle.loads(pickle.dumps(CanonicalURLField(max_length=9, strictness="valid")))
    assert (alone.max_length, alone.strictness) == (9, "valid")
    assert copy.deepcopy(field).max_length == 2048


def test_inherited_urls_convert_too() -> None:
    """The parent may be abstract, or have its own table."""
    child = Child(url="https://EXAMPLE.com", mirror="HTTP://mirror.example")
    assert child.url == URL
    child.save()
    assert Parent.objects.get().url == URL
    assert Child.objects.get(url="https:example.com").mirror == parse("http://mirror.example/")
    Child.objects.update(url="https://EXAMPLE.com/2", mirror=None)
    assert Parent.objects.get().url == parse("https://example.com/2")


def test_a_url_can_be_the_primary_key() -> None:
    """It identifies an instance in any spelling."""
    site = Site.objects.create(url="https://EXAMPLE.com")
    assert site.pk == URL
    assert Site.objects.get(pk="https:example.com") == site
    assert hash(Site(url="https:example.com")) == hash(site)
    Site(url="HTTPS://example.com").save()
    assert Site.objects.count() == 1


def test_a_foreign_key_to_a_url_holds_a_record() -> None:
    """It does so in memory and after loading. Its column is canonical too."""
    site = Site.objects.create(url="https://EXAMPLE.com")
    bookmark = Bookmark.objects.create(url="https://example.com/b")
    visit = Visit.objects.create(site=site, bookmark=bookmark)
    loaded = Visit.objects.select_related("site").get()
    assert (loaded.site_id, loaded.bookmark_id) == (URL, bookmark.url)
    assert (loaded.site, loaded.bookmark) == (site, bookmark)
    Visit.objects.filter(pk=visit.pk).update(site_id="HTTPS://EXAMPLE.com:443/")
    assert list(site.visit_set.all()) == [visit]
    assert list(bookmark.visit_set.all()) == [visit]


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


@pytest.mark.django_db(transaction=True)
def test_a_column_that_the_database_generates_is_read_as_a_record() -> None:
    """Its expression gives text of the database's own."""
    with isolate_apps("tests.django.testapp"):

        class Generated(Model):
            url = CanonicalURLField()
            low = GeneratedField(
                expression=Lower("url"), output_field=CanonicalURLField(), db_persist=True
            )

            class Meta:
                app_label = "testapp"

    with connection.schema_editor() as editor:
        editor.create_model(Generated)
    rows: QuerySet[Any] = QuerySet(Generated)
    try:
        row = rows.create(url="https://example.com/A")
        row.refresh_from_db()
        assert row.low == parse("https://example.com/a")
        assert rows.get(low="HTTPS:example.com/a") == row
    finally:
        with connection.schema_editor() as editor:
            editor.delete_model(Generated)


@pytest.mark.parametrize("junk", [b"https://example.com", 5, True, ["https://a"], {}, object()])
def test_what_is_no_text_is_kept_as_its_text_and_refused(junk: Any) -> None:
    """Bytes are not decoded, numbers are no hosts."""
    bookmark = Bookmark(url=junk)
    assert isinstance(bookmark.url, UnparsableURL) and bookmark.url == str(junk)
    for refuse in (bookmark.full_clean, bookmark.save):
        with pytest.raises(ValidationError):
            refuse()
    with pytest.raises(ValidationError):
        Bookmark.objects.filter(url=junk)
