"""Tests of lookups on URLs and parts whose operand is another column, or an expression."""

from __future__ import annotations

import operator
from collections.abc import Callable, Iterable
from itertools import product
from typing import Any

import pytest
from django.db import connection
from django.db.models import CharField, F, Value
from django.db.models.functions import Concat

import weburl
from django_whatwg_url.functions import URLOrigin
from tests.django.hrefs import (
    misleading_hrefs,
    parts_of,
)
from tests.django.partsapp.models import Plain
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


def meaning(url: str | None, other: str | None) -> bool:
    """Return whether two URLs have the same origin."""
    origin = part(url, "origin")
    return origin is not None and origin == part(other, "origin")


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
def test_a_column_has_the_same_origin_as_another_as_python_says() -> None:
    """NULL finds nothing, and ``exclude()`` keeps its rows."""
    every = pairs()
    store(every)
    assert found(url__origin=F("other__origin")) == {pair for pair in every if meaning(*pair)}
    origin = Concat(Value("https://"), Value("example.com/"), output_field=CharField())
    for row in Plain.objects.filter(url__origin=URLOrigin(origin))[:9]:
        assert row.url is not None and row.url.origin == "https://example.com"
    first = Plain.objects.filter(url="https://example.com/docs").values("url__origin")[:1]
    assert found(url__origin=first) == found(url__origin="https://example.com")
    nothing = Value(None, output_field=CharField())
    assert not Plain.objects.filter(url__origin=URLOrigin(nothing)).exists()


@pytest.mark.parametrize("lookup", ["url__under", "url__host__under", "url__path__under"])
def test_under_takes_no_expression(lookup: str) -> None:
    """The error says so, when the query is made."""
    for operand in (F("other"), Value("https://a.example/"), Plain.objects.values("other")):
        with pytest.raises(TypeError, match="under takes a value"):
            Plain.objects.filter(**{lookup: operand})


PART_LOOKUPS = {
    "scheme": "exact",
    "host": (
        "exact gt gte lt lte contains icontains startswith istartswith endswith iendswith iexact"
    ),
    "port": "exact gt lte",
    "path": "exact contains startswith endswith",
    "query": "exact contains",
    "fragment": "exact",
    "username": "exact",
    "origin": "exact startswith",
}


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
    for name, lookups in PART_LOOKUPS.items():
        operand: Any = F(f"other__{name}")
        for lookup in lookups.split():
            expected = {
                pair for pair in every if compare(lookup, part(pair[0], name), part(pair[1], name))
            }
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
