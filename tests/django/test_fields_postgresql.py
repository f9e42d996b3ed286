"""Tests of URL columns among what only PostgreSQL has: arrays, ranges, exclusion constraints."""

from __future__ import annotations

import datetime as dt
import json
from collections.abc import Iterator
from io import StringIO
from typing import Any

import pytest
from django.core import serializers
from django.core.exceptions import ValidationError
from django.db import IntegrityError, connection, transaction
from django.db.models import F, Func, QuerySet
from django.forms import modelform_factory
from django.test.utils import modify_settings

from django_whatwg_url.column.values import UnparsableURL
from django_whatwg_url.fields import CanonicalURLField
from tests.django.servers import created, model_with, only_postgresql
from weburl import parse

pytestmark = [only_postgresql, pytest.mark.django_db(transaction=True)]

A = parse("https://example.com/A")
B = parse("https://example.com/b")
SPELLING = "HTTPS:\\\\EXAMPLE.com:443/x/../A"


@pytest.fixture
def booked() -> Iterator[Any]:
    """Return a model with a URL, an array of URLs and a range, of which no two may overlap."""
    fields = pytest.importorskip("django.contrib.postgres.fields")
    exclusion = pytest.importorskip("django.contrib.postgres.constraints").ExclusionConstraint

    made = model_with(
        url=CanonicalURLField(),
        mirrors=fields.ArrayField(
            CanonicalURLField(max_length=40, strictness=["invalid-reverse-solidus"]),
            null=True,
            blank=True,
        ),
        days=fields.DateRangeField(null=True, blank=True),
        meta={
            "constraints": (
                exclusion(
                    name="one_at_a_time",
                    expressions=[("url", "="), ("days", "&&")],
                ),
            )
        },
    )
    with connection.cursor() as cursor:
        cursor.execute("CREATE EXTENSION IF NOT EXISTS btree_gist")
    # Newer versions of Django insist on the app.
    with (
        modify_settings(INSTALLED_APPS={"append": "django.contrib.postgres"}),
        created(made),
    ):
        yield made


@pytest.fixture
def rows(booked: Any) -> QuerySet[Any]:
    """Return the model's rows."""
    return QuerySet(booked)


def test_an_array_of_urls_is_canonical_and_read_as_records(rows: QuerySet[Any]) -> None:
    """None in an array remains None, and so does a missing array."""
    row = rows.create(url=A, mirrors=[SPELLING, B, None])
    with connection.cursor() as cursor:
        cursor.execute("SELECT mirrors FROM testapp_made")
        assert cursor.fetchone() == ([A.href, B.href, None],)
    row.refresh_from_db()
    assert row.mirrors == [A, B, None]
    assert rows.values_list("mirrors", flat=True).get() == [A, B, None]
    rows.update(mirrors=[SPELLING])
    assert rows.get().mirrors == [A]
    row = rows.get()
    row.mirrors = None
    rows.bulk_update([row], ["mirrors"])
    assert rows.get().mirrors is None


def test_an_array_is_asked_for_urls_in_any_spelling(rows: QuerySet[Any]) -> None:
    """Its own lookups and the lookups at a position accept them."""
    row = rows.create(url=A, mirrors=[A, B])
    rows.create(url=B, mirrors=[B])
    assert rows.get(mirrors=[SPELLING, B]) == row
    assert rows.get(mirrors__contains=[SPELLING]) == row
    assert rows.filter(mirrors__overlap=[SPELLING, B]).count() == 2
    assert rows.get(mirrors__0=SPELLING) == row
    assert rows.get(mirrors__0__in=[SPELLING]) == row
    assert rows.get(mirrors__0__endswith="A") == row
    assert rows.values_list("mirrors__1", flat=True).get(pk=row.pk) == B
    assert rows.get(mirrors__len=2) == row


def test_elements_are_made_and_taken_apart_by_expressions(rows: QuerySet[Any]) -> None:
    """An aggregate of URLs is an array of records, an element of it a record."""
    aggregates = pytest.importorskip("django.contrib.postgres.aggregates")
    rows.create(url=A, mirrors=[B, A])
    rows.create(url=B)
    assert rows.aggregate(all=aggregates.ArrayAgg("url", order_by="url")) == {"all": [A, B]}
    each = Func(F("mirrors"), function="unnest", output_field=CanonicalURLField())
    assert set(rows.annotate(each=each).values_list("each", flat=True)) == {A, B}


def test_an_element_that_cannot_be_stored_is_refused(rows: QuerySet[Any]) -> None:
    """Text that does not parse, and text that the database would cut short to another URL."""
    for element, code in (
        ("bad", "missing-scheme-non-relative-URL"),
        ("https://example.com/".ljust(41, "a"), "max_length"),
    ):
        with pytest.raises(ValidationError) as caught:
            rows.create(url=A, mirrors=[A, element])
        assert caught.value.code == code
    rows.create(url=A, mirrors=["https://example.com/".ljust(40, "a")])


def test_validation_names_the_element_and_the_reason(booked: Any) -> None:
    """The base field of the array has the schemes, the length and the strictness."""
    for mirrors, code in (
        (["https://example.com", "bad"], "missing-scheme-non-relative-URL"),
        (["javascript:x"], "scheme-not-allowed"),
        (["https://example.com/".ljust(41, "a")], "max_length"),
        (["https://example.com\\a"], "invalid-reverse-solidus"),
    ):
        with pytest.raises(ValidationError) as caught:
            booked(url=A, mirrors=mirrors).full_clean()
        (error,) = caught.value.error_dict["mirrors"]
        assert error.code in {"item_invalid", code}
        assert f"Item {len(mirrors)} in the array did not validate" in error.messages[0]
    booked(url=A, mirrors=[A, "https://example.com/b"]).full_clean()


def test_text_in_an_array_that_does_not_parse_stays_readable(rows: QuerySet[Any]) -> None:
    """The row loads."""
    rows.create(url=A, mirrors=[A])
    with connection.cursor() as cursor:
        cursor.execute("UPDATE testapp_made SET mirrors = ARRAY['bad', 'HTTPS:example.com/A']")
    bad, good = rows.get().mirrors
    assert isinstance(bad, UnparsableURL)
    assert good == A


def test_an_array_survives_dumping_forms_and_deconstruction(
    booked: Any, rows: QuerySet[Any]
) -> None:
    """As text that is read again."""
    rows.create(url=A, mirrors=[SPELLING, B, None])
    dumped = serializers.serialize("json", rows.all())
    assert json.loads(json.loads(dumped)[0]["fields"]["mirrors"]) == [A.href, B.href, None]
    field = booked._meta.get_field("mirrors")
    assert field.to_python(json.loads(dumped)[0]["fields"]["mirrors"]) == [A, B, None]
    form = modelform_factory(booked, fields=["mirrors"])({"mirrors": f"HTTPS://EXAMPLE.com/A,{B}"})
    assert form.is_valid(), form.errors
    assert form.cleaned_data["mirrors"] == [A, B]
    assert field.clone().base_field.deconstruct()[1:] == field.base_field.deconstruct()[1:]
    assert field.check() == []
    out = StringIO()
    serializers.serialize("xml", rows.all(), stream=out)
    assert A.href in out.getvalue()


def test_a_url_and_a_range_are_kept_from_overlapping(booked: Any, rows: QuerySet[Any]) -> None:
    """The database and full_clean() prevent it, in any spelling of the URL."""
    july = (dt.date(2026, 7, 1), dt.date(2026, 8, 1))
    days = (dt.date(2026, 7, 31), dt.date(2026, 8, 5))
    row = rows.create(url=A, days=july)
    rows.create(url=B, days=july)
    with pytest.raises(IntegrityError), transaction.atomic():
        rows.create(url=SPELLING, days=days)
    ranges = pytest.importorskip("psycopg.types.range")
    with pytest.raises(ValidationError, match="one_at_a_time"):
        booked(url=SPELLING, days=ranges.Range(*days)).full_clean()
    assert rows.get(days__contains=dt.date(2026, 7, 5), url=SPELLING) == row
    assert rows.values_list("url", "days").get(pk=row.pk)[0] == A
