"""Tests of ``under`` and ``same_origin`` where the operand is another column, or an expression."""

from __future__ import annotations

import operator
from collections.abc import Callable, Iterable
from itertools import product
from typing import Any

import pytest
from django.db import connection, transaction
from django.db.models import CharField, Exists, F, OuterRef, Q, Subquery, Value
from django.db.models.functions import Concat
from hypothesis import given
from hypothesis import strategies as st

import weburl
from django_whatwg_url.fields import CanonicalURLField
from django_whatwg_url.functions import URLHost, URLPath
from tests.django.hrefs import (
    MISLEADING,
    is_host_under,
    is_path_under,
    is_under,
    misleading_hrefs,
    parts_of,
)
from tests.django.partsapp.models import Generated, Plain
from tests.django.testapp.models import Page
from weburl import parse

CAREFUL = (
    "https://example.com/",
    "https://example.com/docs",
    "https://example.com/docs/",
    "https://example.com/docs/a/b?q#f",
    "https://example.com/docs?q=/#/",
    "https://example.com/docs2",
    "https://example.com/DOCS/",
    "https://user@example.com/docs/",
    "https://user:pass@example.com/docs/a",
    "https://www.example.com:8080/docs/",
    "https://www.example.com./",
    "https://example.com./docs",
    "https://badexample.com/",
    "http://com/",
    "https://example.com/100%/a",
    "https://example.com/100%",
    "https://example.com/100%25",
    "https://example.com/1000",
    "https://example.com/a_b/",
    "https://example.com/axb/",
    "https://example.com/a:/",
    "https://example.com/a://b",
    "https://example.com/a://",
    "https://example.com/'/\"",
    "http://127.0.0.1/",
    "http://1.127.0.0.1.example/",
    "foo://127.0.0.1/",
    "foo://1.127.0.0.1/",
    "foo://999.1.1.1/",
    "foo://a.999.1.1.1/",
    "foo://01.1.1.1/",
    "foo://a.01.1.1.1",
    "foo://a.1.2/",
    "foo://1.2/",
    "http://[::1]:8080/docs",
    "foo://h/docs\\a/",
    "foo://h/docs\\a/b",
    "foo://h/docs\\a\\b",
    "foo://./",
    "foo://a./",
    "foo:/",
    "foo:/a",
    "foo:/a/",
    "foo:/.//a",
    "foo:/.//",
    "foo://host/a",
    "foo://EXAMPLE.com/docs/a",
    "foo://example.com/docs",
    "foo:///",
    "foo:///a",
    "foo://?q",
    "mailto:me@example.com",
    "mailto:me@example.com/x",
    "mailto:",
    "data:/x,",
    "file:///",
    "file:///home",
    "blob:https://example.com/1",
)


def pairs() -> list[tuple[str | None, str | None]]:
    """Return every pair of the URLs above, and those with one that is missing."""
    hrefs = sorted({*map(weburl.canonicalize, CAREFUL), *misleading_hrefs()})
    assert len(hrefs) > 80
    known: list[str | None] = [*hrefs, None]
    return list(product(known, known))


def store(found: Iterable[tuple[str | None, str | None]]) -> None:
    """Store pairs of URLs, past the ORM."""
    table = connection.ops.quote_name(Plain._meta.db_table)
    with connection.cursor() as cursor:
        cursor.executemany(f"INSERT INTO {table} (url, other) VALUES (%s, %s)", list(found))


def part(href: str | None, name: str) -> Any:
    """Return a part of a URL, None where there is no URL."""
    return None if href is None else parts_of(parse(href))[name]


def meaning(lookup: str, url: str | None, other: str | None) -> bool:
    """Return what Python says of two URLs."""
    if url is None or other is None:
        return False
    if lookup == "url__under":
        return is_under(parse(url), parse(other))
    if lookup == "url__path__under":
        return is_path_under(part(url, "path"), part(other, "path"))
    if lookup == "url__host__under":
        return is_host_under(part(url, "host"), part(other, "host"))
    if lookup == "url__hostname__under":
        return is_host_under(part(url, "hostname"), part(other, "hostname"))
    origin = part(url, "origin")
    return origin is not None and origin == part(other, "origin")


OPERANDS: dict[str, Any] = {
    "url__under": F("other"),
    "url__path__under": F("other__path"),
    "url__host__under": F("other__host"),
    "url__hostname__under": F("other__hostname"),
    "url__same_origin": F("other"),
}


def found(**lookups: Any) -> set[tuple[str | None, str | None]]:
    """Return the pairs that a filter finds, and check that ``exclude()`` finds all others."""
    rows: dict[int, tuple[str | None, str | None]] = {
        pk: (None if url is None else str(url), None if other is None else str(other))
        for pk, url, other in Plain.objects.filter(**lookups).values_list("pk", "url", "other")
    }
    others = set(Plain.objects.exclude(**lookups).values_list("pk", flat=True))
    assert not others & set(rows), lookups
    assert len(others) + len(rows) == Plain.objects.count(), lookups
    return set(rows.values())


@pytest.mark.django_db
@pytest.mark.parametrize("lookup", OPERANDS)
def test_a_column_lies_under_another_as_python_says(lookup: str) -> None:
    """For every pair, row by row; what is missing lies under nothing, and nothing under it."""
    every = pairs()
    store(every)
    expected = {pair for pair in every if meaning(lookup, *pair)}
    assert len(expected) > 80
    assert found(**{lookup: OPERANDS[lookup]}) == expected


@pytest.mark.django_db
@pytest.mark.parametrize("lookup", OPERANDS)
def test_a_subquery_and_what_is_outside_of_one(lookup: str) -> None:
    """OuterRef in a filter of a subquery, and a subquery as the operand."""
    hrefs = sorted(map(weburl.canonicalize, CAREFUL[:24]))
    Plain.objects.bulk_create([Plain(url=href) for href in hrefs])
    Generated.objects.bulk_create([Generated(url=href) for href in hrefs])
    name = OPERANDS[lookup].name.replace("other", "url")
    inner = Generated.objects.filter(Q(**{lookup: OuterRef(name)})).exclude(url=OuterRef("url"))
    rows = Plain.objects.filter(Exists(inner))
    assert {str(row.url) for row in rows} == {
        other for other in hrefs if any(meaning(lookup, h, other) for h in hrefs if h != other)
    }
    for href in hrefs[::5]:
        operand = Generated.objects.filter(url=href).values(name)
        for rhs in (operand, Subquery(operand)):
            rows = Plain.objects.filter(**{lookup: rhs})
            assert {str(row.url) for row in rows} == {
                other for other in hrefs if meaning(lookup, other, href)
            }


LABELS = st.sampled_from(["a", "b", "a%", "_", "1", "127.0.0.1", "0.0.1", "com", "A", "\\", ""])
HOSTS = st.lists(LABELS, max_size=3).map(".".join)
SEGMENTS = st.lists(st.sampled_from(["a", "b", "%", "_", "a:", "", "\\", "'", "ab"]), max_size=4)
TEXTS = st.builds(
    "{}{}{}{}{}".format,
    st.sampled_from(["https:", "foo:", "file:"]),
    st.sampled_from(["//", "//", "//", "//u@", "//u:p@", "", "/", "/.//"]),
    HOSTS,
    SEGMENTS.map(lambda segments: "".join(f"/{segment}" for segment in segments)),
    st.sampled_from(["", "?", "?/", "#", "#/?"]),
)
HREFS = TEXTS.filter(weburl.can_parse).map(weburl.canonicalize)


@pytest.mark.django_db
@given(st.lists(st.tuples(HREFS, HREFS), min_size=1, max_size=20))
def test_generated_urls_lie_under_one_another_as_python_says(
    some: list[tuple[str | None, str | None]],
) -> None:
    """Letters that would mean something in a pattern are letters."""
    with transaction.atomic():
        # Each with itself, and with the other way round.
        every = {pair for one, two in some for pair in ((one, two), (two, one), (one, one))}
        store(every)
        for lookup, operand in OPERANDS.items():
            assert found(**{lookup: operand}) == {
                pair for pair in every if meaning(lookup, *pair)
            }, lookup
        transaction.set_rollback(True)


@pytest.mark.django_db
def test_an_expression_and_a_value_find_the_same() -> None:
    """A literal in canonical form, as the operand of every row."""
    hrefs = sorted(map(weburl.canonicalize, (*CAREFUL, *MISLEADING)))
    store((href, None) for href in hrefs)
    for href in hrefs:
        record = parse(href)
        hosts = Plain.objects.filter(url__host__under=Value(part(href, "host") or ""))
        if record.host is not None and part(href, "host") not in {"1.2", "01.1.1.1"}:
            same = Plain.objects.filter(url__host__under=record.host)
            if "127.0.0.1" not in href:
                assert set(hosts) == set(same), href
        paths = Plain.objects.filter(url__path__under=Value(part(href, "path")))
        assert set(paths) == {
            row
            for row in Plain.objects.all()
            if is_path_under(part(str(row.url), "path"), part(href, "path"))
        }
        below = Plain.objects.filter(url__under=Value(href))
        if record.has_opaque_path:
            assert not below.exists()
        else:
            assert set(below) == set(Plain.objects.filter(url__under=record)), href


@pytest.mark.django_db
def test_expressions_of_other_kinds() -> None:
    """What is put together, annotated, or a plain column of text; the other side may be one too."""
    Plain.objects.create(url="https://example.com/docs/a", other="https://com/docs")
    below = Concat("other", Value("/"), output_field=CanonicalURLField())
    assert not Plain.objects.filter(url__under=below).exists()
    host = Concat(Value("exam"), Value("ple.com"), output_field=CharField())
    assert Plain.objects.filter(url__host__under=host).exists()
    assert Plain.objects.filter(url__host__under=URLHost("other")).exists()
    assert Plain.objects.filter(url__path__under=URLPath(F("other"))).exists()
    assert Plain.objects.annotate(h=F("other__host")).filter(url__host__under=F("h")).exists()
    assert Plain.objects.annotate(h=URLHost("url")).filter(h__under=F("other__host")).exists()
    base = Concat(Value("https://"), F("url__host"), Value("/docs"), output_field=CharField())
    assert Plain.objects.filter(url__under=base).exists()
    origin = Concat(Value("https://"), Value("example.com/"), output_field=CharField())
    assert Plain.objects.filter(url__same_origin=origin).exists()
    nothing = Value(None, output_field=CharField())
    for lookup in OPERANDS:
        assert not Plain.objects.filter(**{lookup: nothing}).exists()
        assert Plain.objects.exclude(**{lookup: nothing}).count() == 1
        # Every path with a slash lies below the empty one, as for a value.
        below_nothing = Plain.objects.filter(**{lookup: Value("")}).count()
        assert below_nothing == (lookup == "url__path__under")


@pytest.mark.django_db
def test_a_column_of_plain_text_is_compared_as_it_is() -> None:
    """It is compared by byte, even if other columns of the database ignore letter case."""
    for title, count in (
        ("example.com", 1),
        ("EXAMPLE.com", 0),
        ("exampl\u00e9.com", 0),
        ("https://example.com/docs", 1),
        ("https://example.com/DOCS", 0),
        ("/docs", 1),
        ("/Docs", 0),
        ("/docs ", 0),
        ("%", 0),
        ("_ocs", 0),
    ):
        Page.objects.all().delete()
        Page.objects.create(url="https://www.example.com/docs/a", title=title)
        Page.objects.create(url="https://example.com/docs/a", title="")
        title_of: Any = F("title")
        query = Q(url__host__under=title_of) | Q(url__path__under=title_of)
        query |= Q(url__under=title_of)
        expected = 0 if title.startswith("https") else count
        assert Page.objects.filter(query).exclude(title="").count() == expected, title
        Page.objects.filter(title=title).update(url="https://example.com/docs/a")
        assert Page.objects.filter(query).exclude(title="").count() == count, title


@pytest.mark.django_db
def test_generated_columns_are_read_in_both_places() -> None:
    """They have their own names and the name of the part."""
    row = Generated.objects.create(url="https://www.example.com/docs/a")
    Generated.objects.create(url="https://example.com/docs")
    others = Generated.objects.filter(url="https://example.com/docs")
    for name in ("host", "path"):
        inner = others.filter(pk__isnull=False).values(name)
        assert row in Generated.objects.filter(**{f"url__{name}__under": inner})
        assert row in Generated.objects.filter(**{f"{name}__under": inner})
        own: Any = F(name)
        assert Generated.objects.filter(**{f"url__{name}__under": own}).count() == 2
    sql = str(Generated.objects.filter(url__host__under=F("host")).query)
    assert "substring" not in sql.lower()
    assert "instr" not in sql.lower()


PART_LOOKUPS = [
    ("scheme", "exact"),
    ("host", "exact"),
    ("host", "gt"),
    ("host", "gte"),
    ("host", "lt"),
    ("host", "lte"),
    ("host", "contains"),
    ("host", "icontains"),
    ("host", "startswith"),
    ("host", "istartswith"),
    ("host", "endswith"),
    ("host", "iendswith"),
    ("host", "iexact"),
    ("port", "exact"),
    ("port", "gt"),
    ("port", "lte"),
    ("path", "exact"),
    ("path", "contains"),
    ("path", "startswith"),
    ("path", "endswith"),
    ("query", "exact"),
    ("query", "contains"),
    ("fragment", "exact"),
    ("username", "exact"),
    ("origin", "exact"),
    ("origin", "startswith"),
]


MEANINGS: dict[str, Callable[[Any, Any], object]] = {
    "exact": operator.eq,
    "gt": operator.gt,
    "gte": operator.ge,
    "lt": operator.lt,
    "lte": operator.le,
    "contains": operator.contains,
    "startswith": str.startswith,
    "endswith": str.endswith,
}


def compare(lookup: str, one: Any, two: Any) -> bool:
    """Return what Python says of two parts: nothing is true of one that is not there."""
    if one is None or two is None:
        return False
    if lookup.startswith("i"):
        one, two = one.lower(), two.lower()
    return bool(MEANINGS[lookup.removeprefix("i")](one, two))


@pytest.mark.django_db
def test_every_lookup_on_a_part_takes_the_part_of_another_column() -> None:
    """With the answer of Python, and ``exclude()`` has the rest: parts that are not there too."""
    every = pairs()[::7]
    store(every)
    for name, lookup in PART_LOOKUPS:
        expected = {
            pair for pair in every if compare(lookup, part(pair[0], name), part(pair[1], name))
        }
        operand: Any = F(f"other__{name}")
        assert found(**{f"url__{name}__{lookup}": operand}) == expected, (name, lookup)


@pytest.mark.django_db
def test_a_part_may_be_one_of_what_a_subquery_gives() -> None:
    """Several rows, as with any other column; values and expressions may be mixed."""
    hrefs = sorted(map(weburl.canonicalize, CAREFUL))
    Plain.objects.bulk_create([Plain(url=href, other=hrefs[0]) for href in hrefs])
    for name in ("scheme", "host", "port", "path", "origin"):
        some = [href for href in hrefs if part(href, name) is not None][::3]
        inner = Plain.objects.filter(url__in=some).values(f"url__{name}")
        rows = Plain.objects.filter(**{f"url__{name}__in": inner})
        given = {part(href, name) for href in some}
        assert {str(row.url) for row in rows} == {
            href for href in hrefs if part(href, name) in given
        }
        mixed: list[Any] = [F(f"other__{name}"), part(some[-1], name)]
        assert Plain.objects.filter(**{f"url__{name}__in": mixed}).exists()
    between: Any = (F("other__path"), F("url__path"))
    assert Plain.objects.filter(url__path__range=between).exists()
    Plain.objects.create(url=hrefs[0])
    ports: Any = (F("other__port"), 9000)
    for lookup in ({"url__path__range": between}, {"url__port__range": ports}):
        rows = Plain.objects.filter(**lookup)
        assert rows.count() + Plain.objects.exclude(**lookup).count() == len(hrefs) + 1
