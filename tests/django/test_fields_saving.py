"""Tests of what reaches the column. `crossings` has every way of saving and every field."""

from __future__ import annotations

from datetime import date
from typing import Any

import pytest
from django.core.exceptions import ValidationError
from django.db import IntegrityError, connection, models, transaction
from django.db.models import Case, ExpressionWrapper, F, QuerySet, Value, When
from django.db.models.functions import Cast, Coalesce, Concat, Lower
from django.test.utils import CaptureQueriesContext

import weburl
from django_whatwg_url.fields import CanonicalURLField
from tests.django.keysapp.models import Plain
from tests.django.servers import model_with
from tests.django.siteapp.models import Issuer, MenuItem
from tests.django.stored import store_text, stored_text, stored_texts
from tests.django.testapp.models import Bookmark, Page, Short
from tests.django.textapp.models import Note
from weburl import parse

pytestmark = pytest.mark.django_db

SPELLING = " HTTPS:\\\\EXAMPLE.com:443/a/../é\n"
CANONICAL = "https://example.com/%C3%A9"


def test_the_length_that_counts_is_the_canonical_one() -> None:
    """Long spellings of short URLs fit, and short spellings of long ones do not."""
    Short.objects.create(url="https://example.com/" + "./" * 100)
    assert stored_texts(Short) == ["https://example.com/"]
    Short.objects.create(url="https://example.com/1234567890")
    with pytest.raises(ValidationError), transaction.atomic():
        Short.objects.create(url="https://example.com/éé")


def test_a_file_url_on_localhost_is_stored_as_it_will_be_read() -> None:
    """The one record whose href is not what parsing it again gives."""
    url = weburl.URL("http://localhost/x")
    url.protocol = "file"
    bookmark = Bookmark.objects.create(url=url.record)
    assert stored_text(bookmark) == bookmark.url.href == "file:///x"
    assert Bookmark.objects.get(url=url.record) == bookmark


def test_all_spellings_of_a_url_are_one_row() -> None:
    """get_or_create() and update_or_create() find it, the unique constraint guards it."""
    first, created = Bookmark.objects.get_or_create(url="https://example.com")
    assert created
    for spelling in ("HTTPS://EXAMPLE.COM/", "https:example.com:443", " https://example.com/a/.."):
        assert Bookmark.objects.get_or_create(url=spelling) == (first, False)
        assert Bookmark.objects.update_or_create(url=spelling, defaults={"title": spelling}) == (
            first,
            False,
        )
        with pytest.raises(IntegrityError), transaction.atomic():
            Bookmark.objects.create(url=spelling)
    Bookmark.objects.bulk_create([Bookmark(url="https:example.com")], ignore_conflicts=True)
    assert Bookmark.objects.count() == 1


def test_get_or_create_finds_the_row_that_somebody_was_faster_to_create(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """It looks, finds nothing, meets the unique constraint, and looks again."""
    first = Bookmark.objects.create(url="https://example.com/")
    get = QuerySet.get
    asked: list[object] = []

    def too_early(rows: QuerySet[Bookmark], **lookups: object) -> Bookmark:
        asked.append(lookups)
        if len(asked) == 1:
            raise Bookmark.DoesNotExist
        return get(rows, **lookups)

    monkeypatch.setattr(QuerySet, "get", too_early)
    assert Bookmark.objects.get_or_create(url="HTTPS:EXAMPLE.com") == (first, False)
    assert len(asked) == 2


def test_unique_tells_paths_in_other_letter_case_apart() -> None:
    """They are different URLs, whatever the collation of the database."""
    Bookmark.objects.create(url="https://example.com/A")
    Bookmark.objects.create(url="https://example.com/a")
    assert Bookmark.objects.get(url="https://example.com/a").url.path == ("a",)
    assert Bookmark.objects.filter(url__in=["https://example.com/A"]).count() == 1


@pytest.mark.parametrize("nothing", [None, "", Value(None), Value("")])
def test_nothing_is_stored_as_null(nothing: Any) -> None:
    """An empty string is no URL."""
    page = Page.objects.create(url=nothing)
    assert stored_text(page) is None
    Page.objects.create(url="https://example.com/")
    Page.objects.update(url=nothing)
    assert stored_texts(Page) == [None, None]


@pytest.mark.parametrize(
    "expression",
    [
        Case(When(title="x", then=F("source")), default=Value(SPELLING)),
        Case(When(Value(True), then=Value(SPELLING))),
        Coalesce(F("url"), Value(SPELLING)),
        Value(parse(SPELLING)),
        Cast(Value(SPELLING), CanonicalURLField()),
        ExpressionWrapper(Value(SPELLING), output_field=CanonicalURLField()),
        Case(When(url=None, then=Coalesce(Value(None), Value(SPELLING)))),
    ],
    ids=["case", "when", "coalesce", "record", "cast", "wrapper", "nested"],
)
def test_literals_that_an_expression_may_evaluate_to_are_canonical(expression: Any) -> None:
    """As far as Python sees them, that is, on the branches of the expression."""
    page = Page.objects.create()
    Page.objects.update(url=expression)
    assert stored_text(page) == CANONICAL


def test_a_literal_on_a_branch_that_does_not_parse_is_refused() -> None:
    """Whether or not any row would take that branch."""
    Page.objects.create()
    with pytest.raises(ValidationError), transaction.atomic():
        Page.objects.update(url=Case(When(title="x", then=Value("bad")), default=F("source")))


def test_an_expression_is_not_changed_by_being_saved() -> None:
    """It may be used again, on another column."""
    literal = Value(SPELLING)
    case = Case(When(pk__gt=0, then=literal))
    page = Page.objects.create(url=literal, title=Value("t"))
    Page.objects.update(url=case)
    Page.objects.update(title=case)
    page.refresh_from_db()
    assert page.title == SPELLING
    assert literal.value == SPELLING and not hasattr(literal.output_field, "strictness")


def test_text_that_the_database_makes_is_its_own() -> None:
    """Functions and other columns pass as they are, and are read all the same."""
    page = Page.objects.create(url="https://example.com/A", title="HTTP://EXAMPLE.com")
    Page.objects.update(url=Concat("url", Value("? b"), output_field=CanonicalURLField()))
    page.refresh_from_db()
    assert page.url == parse("https://example.com/A?%20b")
    Page.objects.update(url=F("title"))
    assert stored_text(page) == "HTTP://EXAMPLE.com"
    page.refresh_from_db()
    assert page.url == parse("http://example.com/")
    page.save()
    assert stored_text(page) == "http://example.com/"
    Page.objects.update(url=Lower("source"))
    page.refresh_from_db()
    assert page.url == page.source


@pytest.mark.parametrize(
    ("model", "column", "other", "value"),
    [
        (Bookmark, "url", "title", "new"),
        (Note, "url", "day", date(2026, 1, 1)),
        (Issuer, "url", "home", "https://home.example/"),
        (MenuItem, "link", "image", "/image"),
    ],
)
def test_update_or_create_writes_only_what_its_defaults_name(
    model: Any, column: str, other: str, value: Any
) -> None:
    """A change that was made meanwhile is kept, and a row with other text is not respelled."""
    row = model.objects.create(**{column: "https://a.example/"})
    store_text(row, "HTTPS://Respelled.example", column)
    with CaptureQueriesContext(connection) as queries:
        model.objects.update_or_create(pk=row.pk, defaults={other: value})
    assert stored_text(row, column) == "HTTPS://Respelled.example"
    (update,) = [each["sql"] for each in queries if each["sql"].startswith("UPDATE")]
    assert connection.ops.quote_name(column) not in update.partition("WHERE")[0]
    model.objects.update_or_create(pk=row.pk, defaults={column: "HTTPS://b.example/"})
    assert stored_text(row, column).lower() == "https://b.example/"


def test_a_column_beside_a_url_is_written_with_it_in_one_statement() -> None:
    """If both are named, or if Django adds the column, which follows in ``pre_save()``."""
    row: Any = Plain.objects.create(url="https://a.example/")
    row.url = parse("https://b.example/")
    with CaptureQueriesContext(connection) as queries:
        row.save(update_fields=["url", "url_key"])
        Plain.objects.update_or_create(pk=row.pk, defaults={"url": "https://c.example/"})
    assert sum(each["sql"].startswith("UPDATE") for each in queries) == 2
    assert stored_text(row, "url_key").endswith("//c.example/")


def test_a_subclass_that_saves_in_its_own_way_calls_value_to_save() -> None:
    """The attribute becomes canonical, as with the class of this package."""

    class OwnField(CanonicalURLField):
        def pre_save(self, model_instance: models.Model, add: bool) -> Any:
            return self.value_to_save(model_instance, add)

    model = model_with(url=OwnField(as_text=True))
    own = model(url="HTTPS://A.example")
    assert model._meta.get_field("url").pre_save(own, True).href == "https://a.example/"
    assert own.url == "https://a.example/"
