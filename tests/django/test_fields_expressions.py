"""Tests of URL columns within expressions, and of the values that they return."""

# The text of tables and columns is our own.

from __future__ import annotations

import datetime as dt
import hashlib
from typing import Any

import pytest
from asgiref.sync import async_to_sync
from django.db import connection, migrations, models
from django.db.migrations.operations import CreateModel
from django.db.migrations.state import ProjectState
from django.db.models import (
    Case,
    CharField,
    Count,
    Exists,
    ExpressionWrapper,
    F,
    Func,
    IntegerField,
    Max,
    OuterRef,
    Q,
    QuerySet,
    Subquery,
    TextField,
    Value,
    When,
)
from django.db.models.functions import (
    MD5,
    Cast,
    Coalesce,
    Concat,
    Greatest,
    Left,
    Length,
    Lower,
    NullIf,
    Replace,
    Reverse,
    StrIndex,
    Substr,
    Trim,
    Upper,
)

from django_whatwg_url.fields import CanonicalURLField
from tests.django.servers import created, model_with
from tests.django.testapp.models import Bookmark, Defaulted, Page
from weburl import URLRecord, parse

pytestmark = pytest.mark.django_db

A = parse("https://example.com/A")
B = parse("https://example.com/b?q=1")
LOWER_A = parse("https://example.com/a")
SPELLING = "HTTPS:\\\\EXAMPLE.com:443/x/../A"


@pytest.fixture
def page() -> Page:
    """Return a row whose two URLs differ."""
    return Page.objects.create(url=A, source=B, title="t", published=dt.date(2026, 7, 2))


RECORD_EXPRESSIONS: dict[str, tuple[Any, object]] = {
    "F": (F("url"), A),
    "wrapper": (ExpressionWrapper(F("url"), output_field=CanonicalURLField()), A),
    "Case": (Case(When(title="t", then="source"), default="url"), B),
    "Case by URL": (Case(When(url=SPELLING, then="source")), B),
    "Case by a set": (Case(When(url__in=[SPELLING, B], then="source")), B),
    "Case of none": (Case(When(title="x", then="source")), None),
    "Case of a literal": (
        Case(When(title="x", then="url"), default=Value(SPELLING, CanonicalURLField())),
        A,
    ),
    "Coalesce": (Coalesce("url", "source"), A),
    "Coalesce of none": (Coalesce(NullIf("url", "url"), "source"), B),
    "Coalesce and text": (Coalesce("url", Value("https://nowhere.example")), A),
    "NullIf": (NullIf("url", "url"), None),
    "Greatest": (Greatest("url", "source"), B),
    "Lower of a URL": (Lower("url", output_field=CanonicalURLField()), LOWER_A),
    "Cast": (Cast("title", CanonicalURLField()), "t"),
    "Cast to itself": (Cast("url", CanonicalURLField()), A),
    "wrapped text": (ExpressionWrapper(Lower("url"), output_field=CanonicalURLField()), LOWER_A),
    "Subquery": (Subquery(Page.objects.filter(pk=OuterRef("pk")).values("source")), B),
    "Subquery of none": (Subquery(Page.objects.filter(title="x").values("url")[:1]), None),
    "Max": (Max("url"), A),
}


@pytest.mark.parametrize(
    ("expression", "expected"), RECORD_EXPRESSIONS.values(), ids=[*RECORD_EXPRESSIONS]
)
def test_what_an_expression_makes_of_urls_is_read_as_one(
    page: Page, expression: Any, expected: object
) -> None:
    """It is used as an annotation, in values(), and in an ORDER BY."""
    annotated = Page.objects.annotate(made=expression)
    assert annotated.get().made == expected
    assert annotated.values_list("made", flat=True).get() == expected
    assert annotated.order_by("made").get() == page
    if isinstance(expected, URLRecord):
        assert annotated.get(made=expected) == page


@pytest.mark.parametrize(
    ("expression", "expected"),
    [
        (Length("url"), len(A.href)),
        (StrIndex("url", Value("A")), len(A.href)),
        (Substr("url", 1, 5), "https"),
        (Left("url", 5), "https"),
        (Cast("url", CharField(max_length=2048)), A.href),
        (Cast("url", TextField()), A.href),
        (Concat(Value("<"), "url", Value(">"), output_field=TextField()), f"<{A.href}>"),
        (MD5("url", output_field=CharField()), hashlib.md5(A.href.encode()).hexdigest()),
        (Count("url", distinct=True), 1),
        (Case(When(url=SPELLING, then=1), default=2, output_field=IntegerField()), 1),
        (Exists(Page.objects.filter(source=OuterRef("url"))), False),
        (Q(url=SPELLING), True),
    ],
    ids=lambda value: type(value).__name__,
)
def test_what_is_said_to_be_text_or_a_number_is_that(
    page: Page, expression: Any, expected: object
) -> None:
    """An output_field says it where the function does not."""
    made = Page.objects.annotate(made=expression).get().made
    assert made == expected
    assert type(made) is type(expected) or made in (0, 1)


TEXT_EXPRESSIONS: dict[str, tuple[Any, str | None]] = {
    "Lower": (Lower("url"), "https://example.com/a"),
    "Upper": (Upper("url"), "HTTPS://EXAMPLE.COM/A"),
    "Concat": (Concat("url", Value("?x y#z")), "https://example.com/A?x y#z"),
    "Replace": (Replace("url", Value("https"), Value("http")), "http://example.com/A"),
    "Reverse": (Reverse("url"), A.href[::-1]),
    "MD5": (MD5("url"), hashlib.md5(A.href.encode()).hexdigest()),
    "Trim": (Trim("url"), A.href),
    "Func": (Func("url", function="LOWER"), "https://example.com/a"),
    "nested": (Upper(Lower("url")), "HTTPS://EXAMPLE.COM/A"),
    "of a choice": (Lower(Coalesce("url", "source")), "https://example.com/a"),
    "Max": (Max(Lower("url")), "https://example.com/a"),
    "Coalesce": (Coalesce(Lower("url"), "source"), "https://example.com/a"),
    "Coalesce with other text": (Coalesce("url", "title"), A.href),
    "NullIf": (NullIf(Lower("url"), Value("x")), "https://example.com/a"),
    "NULL": (Lower(NullIf("url", "url")), None),
    "Case": (Case(When(title="", then=Lower("url")), default=Lower("title")), "t"),
    "Case of URLs": (Case(When(title="t", then=Lower("url")), default="source"), LOWER_A.href),
    "Subquery": (
        Subquery(Page.objects.filter(pk=OuterRef("pk")).annotate(x=Lower("url")).values("x")),
        "https://example.com/a",
    ),
}


@pytest.mark.parametrize(
    ("expression", "expected"), TEXT_EXPRESSIONS.values(), ids=[*TEXT_EXPRESSIONS]
)
def test_what_a_function_computes_from_a_url_is_text(
    page: Page, expression: Any, expected: str | None
) -> None:
    """As an annotation and among values(), and it is compared with text."""
    annotated = Page.objects.annotate(made=expression)
    for made in (annotated.get().made, annotated.values_list("made", flat=True).get()):
        assert type(made) is type(expected)
        assert made == expected
    assert annotated.order_by("made").get() == page
    if expected is None:
        assert annotated.get(made=None) == page
        return
    assert annotated.get(made=expected) == page
    assert annotated.get(made__in=[expected, "no url"]) == page
    assert annotated.get(made__range=(expected, expected)) == page
    assert annotated.get(made__gte=expected, made__lte=expected) == page
    assert annotated.get(made__iexact=expected.upper()) == page
    assert annotated.get(made__startswith=expected[:3], made__endswith=expected[3:]) == page
    assert annotated.get(made__contains=expected) == page
    assert not annotated.filter(made="no url").exists()
    assert not annotated.filter(made__lt="").exists()
    assert not annotated.filter(made__gt="~\u00e9").exists()
    assert annotated.exclude(made="\u00e9").get() == page


def test_text_that_may_come_from_another_column_is_not_percent_encoded(page: Page) -> None:
    """The other column holds it as it is."""
    Page.objects.filter(pk=page.pk).update(title="\u00c4pfel")
    key = Case(When(title="", then=Lower("url")), default=F("title"))
    annotated = Page.objects.annotate(key=key)
    assert annotated.get().key == "\u00c4pfel"
    assert annotated.get(key="\u00c4pfel") == page
    assert annotated.get(key__in=["\u00c4pfel"]) == page
    assert annotated.get(key__contains="\u00c4pf") == page
    assert annotated.get(key__startswith="\u00c4") == page


def test_combined_queries_give_records(page: Page) -> None:
    """union(), intersection() and difference() of rows and of values, named and not."""
    other = Page.objects.create(url=B, source=A)
    urls, sources = Page.objects.values_list("url"), Page.objects.values_list("source")
    assert set(urls.union(sources)) == {(A,), (B,)}
    assert set(urls.intersection(sources)) == {(A,), (B,)}
    assert list(urls.difference(sources.filter(pk=page.pk))) == [(A,)]
    rows = Page.objects.filter(pk=page.pk).union(Page.objects.filter(pk=other.pk)).order_by("url")
    assert [row.url for row in rows] == [A, B]
    assert rows.values("url")[0] == {"url": A}
    with_nothing = Page.objects.none().values_list("url").union(urls).order_by("url")
    assert list(with_nothing) == [(A,), (B,)]


def test_raw_queries_give_records(page: Page) -> None:
    """They name columns, translate them, leave some out, or have more."""
    table = connection.ops.quote_name("testapp_page")
    raw = Page.objects.raw(f"SELECT * FROM {table} WHERE url = %s", [str(A)])
    assert [(row.url, row.source) for row in raw] == [(A, B)]
    raw = Page.objects.raw(
        f"SELECT id, url AS address FROM {table}", translations={"address": "url"}
    )
    (row,) = raw
    assert row.get_deferred_fields() == {"source", "published", "title"}
    assert (row.url, row.source) == (A, B)
    (row,) = Page.objects.raw(f"SELECT id, source AS other FROM {table}")
    assert vars(row)["other"] == B.href  # a column that no field has is text
    assert row.url == A


def test_a_database_default_is_canonical_also_in_bulk() -> None:
    """Where the database returns it, as a record at once; elsewhere when it is asked for."""
    row = Defaulted.objects.create()
    (bulk,) = Defaulted.objects.bulk_create([Defaulted()])
    default = parse("http://database.example/")
    if connection.features.can_return_columns_from_insert:
        assert row.in_database == default
    if connection.features.can_return_rows_from_bulk_insert:
        assert bulk.in_database == default
    assert [row.in_database for row in Defaulted.objects.all()] == [default, default]


def test_the_asynchronous_interface_takes_and_gives_records() -> None:
    """This is tested from creating to deleting."""

    async def live() -> None:
        bookmark, made = await Bookmark.objects.aget_or_create(url=SPELLING)
        assert made
        assert bookmark.url == A
        assert (await Bookmark.objects.aget(url=A)).url == A
        bookmark.url = B.href
        await bookmark.asave()
        assert [row.url async for row in Bookmark.objects.filter(url=B)] == [B]
        assert [url async for url in Bookmark.objects.values_list("url", flat=True)] == [B]
        assert await Bookmark.objects.aaggregate(Max("url")) == {"url__max": B}
        assert await Bookmark.objects.filter(url=B).aupdate(url=SPELLING) == 1
        assert await Bookmark.objects.filter(url=A).aexists()
        await Bookmark.objects.abulk_update([bookmark], ["url"])
        assert [row.url async for row in Bookmark.objects.aiterator()] == [B]
        await bookmark.adelete()

    async_to_sync(live)()
    assert not Bookmark.objects.exists()


@pytest.mark.django_db(transaction=True)
def test_historical_models_in_migrations_take_and_give_records() -> None:
    """A RunPython sees the attribute, the lookups and the canonical column."""
    seen: list[object] = []

    def forwards(apps: Any, schema_editor: Any) -> None:
        model = apps.get_model("testapp", "Historical")
        rows = model.objects.using(schema_editor.connection.alias)
        rows.create(url=SPELLING)
        row = rows.get(url="https:example.com/A")
        assert type(row).__module__ == "__fake__"
        seen.append(row.url)
        row.url = "HTTPS://example.com/b?q=1"
        row.save()
        seen.extend(rows.values_list("url", flat=True))

    state = ProjectState()
    make = CreateModel(
        "Historical",
        [("id", models.BigAutoField(primary_key=True)), ("url", CanonicalURLField(unique=True))],
    )
    run = migrations.RunPython(forwards, migrations.RunPython.noop)
    after = state.clone()
    make.state_forwards("testapp", after)
    with connection.schema_editor() as editor:
        make.database_forwards("testapp", editor, state, after)
    try:
        with connection.schema_editor() as editor:
            run.database_forwards("testapp", editor, after, after)
        assert seen == [A, B]
    finally:
        with connection.schema_editor() as editor:
            make.database_backwards("testapp", editor, after, state)


@pytest.mark.django_db(transaction=True)
def test_a_column_generated_from_a_url_is_read_as_its_type() -> None:
    """It has the type of the URL or another one."""
    model = model_with(
        url=CanonicalURLField(),
        low=models.GeneratedField(
            expression=Lower("url"), output_field=CanonicalURLField(), db_persist=True
        ),
        start=models.GeneratedField(
            expression=Substr("url", 1, 5),
            output_field=models.CharField(max_length=5),
            db_persist=True,
        ),
    )
    with created(model):
        rows: QuerySet[Any] = QuerySet(model)
        rows.create(url=SPELLING)
        row = rows.get(low="HTTPS:example.com/a")
        assert (row.url, row.low, row.start) == (A, parse("https://example.com/a"), "https")
        rows.update(url=Replace("url", Value("https:"), Value("http:")))
        assert rows.values_list("url", "low", "start").get() == (
            parse("http://example.com/A"),
            parse("http://example.com/a"),
            "http:",
        )
