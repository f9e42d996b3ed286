"""Tests of `django_whatwg_url.query_params`: a parameter in a column beside the URL."""

# Pickles of our own.

from __future__ import annotations

import pickle
import random
from collections.abc import Callable
from io import StringIO
from typing import Any, Final

import pytest
from django.core.checks import run_checks
from django.core.exceptions import ValidationError
from django.core.management import call_command
from django.db import IntegrityError, connection, models, transaction
from django.db.models import Count, F
from django.db.models.functions import Lower
from hypothesis import example, given
from hypothesis import strategies as st

from django_whatwg_url.beside.query_params import ShortenedValue, query_param
from django_whatwg_url.column.values import to_url
from django_whatwg_url.fields import CanonicalURLField, QueryParamField
from tests.django.explained import indexes_on, indexes_used
from tests.django.rows.running import undo
from tests.django.servers import created, model_with, only_postgresql
from tests.django.siteapp.models import Item, RatedItem, SingleItem
from tests.django.stored import store_text, stored_text, stored_texts
from tests.django.test_following_fields import check_ids
from tests.strategies import url_texts
from weburl import URL, URLRecord, parse

pytestmark = pytest.mark.django_db

OLD: Final = "https://old.example/?id=old"
LENGTH: Final = 100
"""The length of the column in the tests."""

VALUES: Final = [
    ("?id=42", "42"),
    ("?a=1&id=42&b=2", "42"),
    ("?id=1&id=2", "1"),
    ("?%69d=%34%32", "42"),
    ("?id=a+b", "a b"),
    ("?id=a%20b", "a b"),
    ("?id=a%2Bb", "a+b"),
    ("?id=%C3%A9", "é"),
    ("?id=%c3%a9", "é"),
    ("?id=%FF", "\ufffd"),
    ("?id=%", "%"),
    ("?id=%F0%9F%92%A9", "💩"),
    ("?id=a=b", "a=b"),
    ("?id=", ""),
    ("?id", ""),
    ("?id=a%00b", "a\0b"),
    ("?id=A", "A"),
    ("?id=a%20", "a "),
    (f"?id={'x' * LENGTH}", "x" * LENGTH),
    (f"?id={'x' * (LENGTH + 1)}", "x" * (LENGTH + 1)),
    (f"?id={'y' * 1500}", "y" * 1500),
    ("", None),
    ("?", None),
    ("?xid=1&ID=2&id%20=3", None),
    ("#?id=1", None),
    ("?&&=&", None),
]


@pytest.fixture(autouse=True)
def rows() -> None:
    """Another row with another value is in the table."""
    Item.objects.create(url="https://other.example/?id=other")


@pytest.mark.parametrize(("query", "value"), VALUES)
def test_the_value_is_the_one_of_url_search_params(query: str, value: str | None) -> None:
    """This applies to text and records, and only this value finds the row."""
    text = f"https://example.com/{query}"
    assert query_param(text, "id") == query_param(parse(text), "id") == value
    assert URL(text).search_params.get("id") == value
    row = Item.objects.create(url=text)
    assert row.item == value
    loaded = Item.objects.get(pk=row.pk)
    assert loaded.item == value
    assert Item.objects.get(url=text, item=value) == row
    if value is not None:
        assert Item.objects.get(item=value) == row
        assert Item.objects.get(item__in=[value, "nothing"]) == row
        assert row not in Item.objects.exclude(item=value)
    assert (row in Item.objects.filter(item=None)) is (value is None)
    assert (row in Item.objects.exclude(item="other")) is True


@pytest.mark.parametrize("nothing", [None, "", "bad", to_url("bad"), 5])
def test_what_is_not_a_url_has_no_parameters(nothing: object) -> None:
    """No error is raised."""
    assert query_param(nothing, "id") is None


def test_the_name_of_a_parameter_is_decoded() -> None:
    """It may be any text, such as one with a space, or none at all."""
    row = Item.objects.create(url="https://example.com/?utm%20source=a&=b&%00=c")
    assert row.source == "a"
    assert query_param(row.url, "") == "b"
    assert query_param(row.url, "\0") == "c"


HOSTILE: Final = [
    "a\x7f" + "0" * 64,
    "\x7f" + "0" * 64,
    "x" * (LENGTH - 65) + "\x7f" + "a" * 64,
    "\x7f" * LENGTH,
    "'\"\\%_[]*?",
    "é" * LENGTH,
    "💩" * LENGTH,
    "💩" * (LENGTH + 1),
    "e\u0301",
    "\u200b",
    "\ufeff",
    "\uffff",
    "\U0010ffff",
    "a\U0010ffff",
    "a\U0010ffffb",
    "a\ud7ff",
    "a\ue000",
    "\n",
    "ß",
    "ss",
    "\0",
    "a\0",
    "\0a",
]

ANY_VALUE: Final = st.one_of(
    st.sampled_from(HOSTILE),
    st.text(st.characters(exclude_categories=["Cs"]), max_size=10),
    st.text(st.sampled_from("aAéÉ\x7f\0 "), min_size=60, max_size=LENGTH + 3),
)


@given(st.lists(ANY_VALUE, min_size=1, max_size=8))
@example(HOSTILE)
def test_each_value_finds_its_own_rows(values: list[str]) -> None:
    """Exactly those, whatever is in it, however long it is."""
    with transaction.atomic():
        Item.objects.all().delete()
        for value in values:
            Item.objects.create(url=parse("https://example.com/").with_query_param("id", value))
        for value in values:
            found = Item.objects.filter(item=value)
            assert [row.item for row in found] == [value] * values.count(value)
            assert Item.objects.exclude(item=value).count() == len(values) - len(found)
        groups = Item.objects.values_list("item").annotate(n=Count("pk"))
        assert sorted(n for _value, n in groups) == sorted(map(values.count, set(values)))
        for stored, count in groups:
            assert Item.objects.filter(item=stored).count() == count
        assert Item.objects.filter(item__in=values).count() == len(values)
        assert not Item.objects.filter(item__isnull=True).exists()
        transaction.set_rollback(True)


def whole(value: str) -> bool:
    """Return whether the column holds all of a value, as the documentation says it."""
    return len(value) <= LENGTH and "\0" not in value and value[-65:-64] != "\x7f"


@pytest.mark.parametrize(
    ("lookup", "expected"),
    [
        ("contains", lambda value, text: text in value),
        ("startswith", str.startswith),
        ("endswith", str.endswith),
        ("gt", lambda value, text: value > text),
        ("gte", lambda value, text: value >= text),
        ("lt", lambda value, text: value < text),
        ("lte", lambda value, text: value <= text),
    ],
)
def test_other_lookups_find_values_that_are_stored_whole(
    lookup: str, expected: Callable[[str, str], bool]
) -> None:
    """They never find another one, by its digest for example, and compare by code point."""
    generator = random.Random(47)
    values = [value for _query, value in VALUES if value is not None] + HOSTILE
    values += ["".join(generator.choices("abc0\x7fÉé", k=n)) for n in (1, 2, 3, 70, 140)]
    Item.objects.bulk_create(
        Item(url=parse("https://example.com/").with_query_param("id", value)) for value in values
    )
    Item.objects.filter(item="other").delete()
    operands = [*(value for value in values if "\0" not in value), "a", "0", "aé", "z" * 300]
    compared = 0
    for text in operands:
        found = sorted(str(row.item) for row in Item.objects.filter(**{f"item__{lookup}": text}))
        assert found == sorted(v for v in values if whole(v) and expected(v, text)), text
        compared += len(found)
    assert compared > len(operands)


@pytest.mark.parametrize("lookup", ["iexact", "icontains", "istartswith", "iendswith", "iregex"])
def test_letter_case_is_ignored_where_it_is_asked_for(lookup: str) -> None:
    """This works on every database, although the column compares exactly."""
    row = Item.objects.create(url="https://example.com/?id=Ab")
    assert Item.objects.get(**{f"item__{lookup}": "aB"}) == row
    assert not Item.objects.filter(item="aB").exists()
    assert Item.objects.get(item__regex="^A.$") == row


def test_text_that_no_value_contains_finds_nothing() -> None:
    """The database does not raise an error."""
    for text in ("\0", "a\0b", "\ud800"):
        assert not Item.objects.filter(item=text).exists()
        assert not Item.objects.filter(item__in=[text]).exists()
        for lookup in (
            "contains",
            "icontains",
            "startswith",
            "regex",
            "iexact",
            "gt",
            "gte",
            "lt",
            "lte",
        ):
            assert not Item.objects.filter(**{f"item__{lookup}": text}).exists()
        for bounds in (("a", text), (text, "z")):
            assert not Item.objects.filter(item__range=bounds).exists()
    assert Item.objects.filter(item__range=("a", "z")).count() == 1
    assert Item.objects.filter(item__lte=F("item")).count() == 1


def test_a_long_value_is_whole_in_the_attribute_and_shortened_in_the_column() -> None:
    """The value from the column is also an operand."""
    value = "v" * 1500
    row = Item.objects.create(url=f"https://example.com/?id={value}")
    row.full_clean()
    assert Item.objects.get(pk=row.pk).item == value
    stored = Item.objects.values_list("item", flat=True).get(pk=row.pk)
    assert isinstance(stored, ShortenedValue)
    assert len(stored) == LENGTH
    assert stored.startswith("v" * (LENGTH - 65) + "\x7f")
    assert stored == stored_text(row, "item")
    assert Item.objects.get(item=stored) == row
    assert Item.objects.get(item__in=[stored]) == row
    assert Item.objects.defer("url").get(pk=row.pk).item == stored
    # As text, it is another value, which another URL could have.
    assert not Item.objects.filter(item=str(stored)).exists()
    assert pickle.loads(pickle.dumps(stored)) == stored


@pytest.mark.parametrize("fields", [["url"], ["url", "item"]])
def test_an_upsert_writes_the_value_of_the_url(fields: list[str]) -> None:
    """Whether the column is named or not."""
    row = Item.objects.create(url=OLD)
    Item.objects.bulk_create(
        [Item(pk=row.pk, url="https://new.example/?id=new")],
        update_conflicts=True,
        update_fields=fields,
        unique_fields=None if connection.vendor == "mysql" else ["id"],
    )
    assert Item.objects.values_list("url", "item").get(pk=row.pk) == (
        parse("https://new.example/?id=new"),
        "new",
    )


def test_an_expression_in_an_update_makes_the_value_unknown() -> None:
    """The old one would be wrong. The command finds the new one."""
    Item.objects.update(url=Lower("url"))
    assert stored_texts(Item, "item") == [None]
    assert run() == lines(item=1)
    assert stored_texts(Item, "item") == ["other"]


def test_a_url_of_the_database_and_plain_text_have_values() -> None:
    """The second URL may be missing, and may be no URL."""
    assert SingleItem.objects.create().item == "déf"
    assert SingleItem.objects.get(item="déf").url.startswith("https:")
    row = RatedItem.objects.create(url="https://example.com/?id=1", mirror="https://a.example?id=é")
    assert (row.item, row.mirror_item) == ("1", "é")
    assert RatedItem.objects.get(mirror_item="é", item="1") == row
    for nothing in ("/a?id=2", "", None):
        row.mirror = nothing
        row.save()
        assert stored_text(row, "mirror_item") is None


def test_a_value_can_be_unique() -> None:
    """The form and the database both compare whole values, also those that are shortened."""
    long = "u" * 500
    SingleItem.objects.create(url=f"https://example.com/?id={long}1")
    SingleItem.objects.create(url=f"https://example.com/?id={long}2")
    SingleItem.objects.create(url="https://example.com/?id=U")
    SingleItem.objects.create(url="https://example.com/?id=u")
    SingleItem.objects.create(url="https://example.com/?id=u+")
    with pytest.raises(ValidationError, match="already exists"):
        SingleItem(url=f"https://other.example/?id={long}2").full_clean()
    with pytest.raises(IntegrityError), transaction.atomic():
        SingleItem.objects.create(url=f"https://other.example/?id={long}2")
    for _ in range(2):
        SingleItem.objects.create(url="https://example.com/")


# The command and the check.


def run(*labels: str, **options: Any) -> list[str]:
    """Run the command, and return the lines it prints."""
    out = StringIO()
    call_command("update_query_params", *labels, stdout=out, **options)
    return out.getvalue().splitlines()


def lines(item: int = 0, rows: int = 1, mirror: int = 0, mirrors: int = 0) -> list[str]:
    """Return what the command prints of each column."""
    return [
        f"siteapp.Item.item: {rows} rows read, {item} values stored",
        f"siteapp.Item.source: {rows} rows read, 0 values stored",
        f"siteapp.RatedItem.mirror_item: {mirrors} rows read, {mirror} values stored",
        "siteapp.SingleItem.item: 0 rows read, 0 values stored",
    ]


def checked() -> list[str]:
    """Return what the check of the database says of stored values."""
    found = run_checks(tags=["database"], databases=["default"])
    return [
        f"{message.msg} {message.hint}"
        for message in found
        if message.id == "django_whatwg_url.W025"
    ]


def test_the_command_and_the_check_find_values_that_differ() -> None:
    """They differ after raw SQL, or if the column was added to a table with rows."""
    long = f"https://example.com/?id={'l' * 300}"
    rows = [Item.objects.create(url=url) for url in (long, "https://example.com/?id=%00&")]
    RatedItem.objects.create(url=OLD, mirror="https://example.com/?id=a")
    assert checked() == []
    assert run() == lines(rows=2 + 2, mirrors=1)
    with connection.cursor() as cursor:
        cursor.execute("UPDATE siteapp_item SET item = NULL")
        cursor.execute("UPDATE siteapp_rateditem SET mirror_item = 'b'")
    assert [message.partition(" were")[0] for message in checked()] == [
        "4 of the 4 rows of siteapp.Item.item that",
        "1 of the 1 rows of siteapp.RatedItem.mirror_item that",
    ]
    assert checked()[0].endswith(
        "have another value than the query of their URL has."
        " Run: manage.py update_query_params siteapp.Item"
    )
    dry = [line.replace("stored", "would be stored") for line in lines(4, 4, 1, 1)]
    assert run(dry_run=True) == dry
    for size, stored in ((1, 4), (3, 0)):
        assert run("siteapp.Item", batch_size=size)[0] == lines(stored, 4)[0]
    assert run() == lines(rows=4, mirror=1, mirrors=1)
    assert checked() == []
    assert [Item.objects.get(item=row.item) for row in rows] == rows
    assert run("testapp") == ["There is no QueryParamField."]


def test_canonicalize_urls_keeps_the_value() -> None:
    """A URL that is made canonical has its parameter at once, and so has one that is undone."""
    row = Item.objects.create(url=OLD)
    store_text(row, "HTTPS://Example.com?id=a b")
    call_command("canonicalize_urls", "siteapp.Item.url", stdout=StringIO())
    assert (stored_text(row), stored_text(row, "item")) == ("https://example.com/?id=a%20b", "a b")
    Item.objects.filter(pk=row.pk).update(item="gone")
    undo()
    assert stored_text(row) == "HTTPS://Example.com?id=a b"
    assert stored_text(row, "item") == "a b"


# The column.


@pytest.mark.django_db(transaction=True)
def test_the_index_is_used() -> None:
    """For the value, for several, and for the beginning of one.

    On MariaDB, ANALYZE TABLE commits the rows, so the test must remove them.
    """
    Item.objects.bulk_create(Item(url=f"https://example.com/?id={n}") for n in range(2000))
    queries = [
        Item.objects.filter(item="77"),
        Item.objects.filter(item__in=["77", "x" * 200]),
        Item.objects.order_by("item")[:3],
        Item.objects.filter(item__startswith="77"),
    ]
    analyze = {"sqlite": "ANALYZE", "mysql": "ANALYZE TABLE siteapp_item"}
    if connection.vendor in analyze:
        with connection.cursor() as cursor:
            cursor.execute(analyze[connection.vendor])
    with transaction.atomic(), connection.cursor() as cursor:
        if connection.vendor == "postgresql":
            cursor.execute("SET LOCAL enable_seqscan = off")
            # Another test may have analyzed the empty table, which would then be read by its key.
            cursor.execute("TRUNCATE siteapp_rateditem")
        indexes = indexes_on("siteapp_item", "item")
        for query in queries:
            assert indexes_used(query) & indexes, query.explain()
        mirrors = RatedItem.objects.filter(mirror_item="77")
        assert indexes_used(mirrors) & indexes_on("siteapp_rateditem", "mirror_item")


@only_postgresql
def test_an_index_of_trigrams_is_used_on_postgresql() -> None:
    """Lookups on the URL use it, for any spelling, and for names without a value."""
    Item.objects.bulk_create(Item(url=f"https://example.com/?id={n}&b=c") for n in range(2000))
    Item.objects.create(url="https://example.com/?q=a%62c+d")
    with connection.cursor() as cursor:
        cursor.execute("CREATE EXTENSION IF NOT EXISTS pg_trgm")
        cursor.execute("CREATE INDEX trigrams ON siteapp_item USING gin (url gin_trgm_ops)")
        cursor.execute("ANALYZE siteapp_item")
        cursor.execute("SET LOCAL enable_seqscan = off")
    for lookup, operand, count in (
        ("id", "1234", 1),
        ("q", "abc d", 1),
        ("q__in", ["abc d"], 1),
        ("has", "utm_source", 0),
    ):
        found = Item.objects.filter(**{f"url__query_params__{lookup}": operand})
        assert found.count() == count
        assert indexes_used(found) == {"trigrams"}, found.explain()


@only_postgresql
def test_the_longest_value_that_fits_everywhere_fits_on_postgresql() -> None:
    """Its characters take four bytes and cannot be compressed."""
    generator = random.Random(47)
    value = "".join(chr(generator.randrange(0x20000, 0x2FFFF)) for _ in range(673))
    model = model_with(
        url=CanonicalURLField(max_length=20_000),
        item=QueryParamField("url", "id", max_length=673),
    )
    with created(model):
        row = model._default_manager.create(url=f"https://example.com/?id={value}")
        assert model._default_manager.get(item=value) == row


def test_options_that_cannot_work_are_errors() -> None:
    """They are raised when the field is made, because no query could raise them."""
    with pytest.raises(TypeError, match="the name of a parameter, not int"):
        QueryParamField("url", 5)  # type: ignore[arg-type]
    with pytest.raises(ValueError, match="lone surrogate"):
        QueryParamField("url", "\ud800")


def test_the_checks_know_which_fields_and_lengths_work() -> None:
    """The URL must be text of the same table, and the column must have room for a digest."""
    url = CanonicalURLField(max_length=600)
    assert check_ids(url, QueryParamField("url", "id")) == []
    assert check_ids(models.TextField(), QueryParamField("url", "id", max_length=600)) == []
    assert check_ids(models.URLField(), QueryParamField("url", "id", unique=True)) == []
    wrong = ["django_whatwg_url.E007"]
    assert check_ids(url, QueryParamField("link", "id")) == wrong
    assert check_ids(models.IntegerField(), QueryParamField("url", "id")) == wrong
    assert check_ids(url, QueryParamField("url", "id", max_length=99)) == ["django_whatwg_url.E010"]
    long = {"postgresql": 674, "mysql": 769}.get(connection.vendor)
    expected = [] if long is None else ["django_whatwg_url.W003"]
    assert check_ids(url, QueryParamField("url", "id", max_length=long or 999)) == expected
    assert check_ids(url, QueryParamField("url", "id", max_length=999, db_index=False)) == []


@given(url_texts, st.sampled_from(["", "a", "id", "q"]))
def test_every_url_has_the_values_of_url_search_params(text: str, name: str) -> None:
    """It may be any URL."""
    url = to_url(text)
    if isinstance(url, URLRecord):
        assert query_param(url, name) == URL(url.href).search_params.get(name)
    else:
        assert query_param(url, name) is None
