"""Tests of `django_whatwg_url.indexes` and of plans: lookups are answered by indexes.

Twenty thousand rows, or fifty thousand at night, and the plans by which the database finds some
rows.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any, Final

import pytest
from django.db import connection
from django.db.migrations.writer import MigrationWriter
from django.db.models import Q

import weburl
from django_whatwg_url.fields import CanonicalURLField
from django_whatwg_url.functions import PART_EXPRESSIONS, URLHost, URLReversedHost
from django_whatwg_url.indexes import URLIndex
from tests.corpus import THOROUGH
from tests.django.explained import indexes_on, indexes_used, plan
from tests.django.hrefs import insert
from tests.django.partsapp.models import Generated, Indexed, Plain
from tests.django.servers import model_with

ROWS: Final = 50_000 if THOROUGH else 20_000


@pytest.fixture
def expression_indexes(db: None) -> None:
    """Skip the test on MariaDB."""
    if not connection.features.supports_expression_indexes:
        pytest.skip("this database has no indexes on expressions")


@pytest.fixture(params=["Indexed", "Generated"])
def model(request: pytest.FixtureRequest) -> type[Any]:
    """Return a model whose parts have indexes of their own, or columns with indexes."""
    if request.param == "Indexed":
        request.getfixturevalue("expression_indexes")
        return Indexed
    return Generated


def href(number: int) -> str:
    """Return the URL of a row: some thousand hosts, ports, users, paths and schemes."""
    scheme = "ftp" if number % 100 == 99 else ("https", "http")[number % 2]
    user = f"user{number % 2500}@" if number % 5 == 0 else ""
    host = f"{('www', 'docs', 'a.b')[number % 3]}.site{number % 4999}.example"
    port = f":{1024 + number % 4001}" if number % 4 == 0 else ""
    query = f"?q={number}" if number % 3 else ""
    fragment = f"#f{number}" if number % 7 == 0 else ""
    return f"{scheme}://{user}{host}{port}/docs/{number % 50}/{number}{query}{fragment}"


@pytest.fixture(scope="module")
def many_rows(django_db_setup: None, django_db_blocker: Any) -> Iterator[None]:
    """Fill the tables once, and empty them in the end."""
    hrefs = [href(number) for number in range(ROWS)]
    with django_db_blocker.unblock():
        has_indexes = connection.features.supports_expression_indexes
        tables = [connection.ops.quote_name(Generated._meta.db_table)]
        # Where the other table has all of them, fewer will do for this one.
        insert(Generated, hrefs[:5000] if has_indexes else hrefs)
        if has_indexes:
            tables.append(connection.ops.quote_name(Indexed._meta.db_table))
            insert(Indexed, hrefs)
        for table in tables:
            with connection.cursor() as cursor:
                cursor.execute(f"ANALYZE {'TABLE ' if connection.vendor == 'mysql' else ''}{table}")
        yield
        for table in tables:
            with connection.cursor() as cursor:
                cursor.execute(f"DELETE FROM {table}")


N = 4242
RECORD = weburl.parse(href(N))
SITE = "https://www.site4242.example"
HOSTS = ("www.site3.example", "docs.site4.example")
PATH = "/docs/42/424"


def begins(start: str) -> Callable[[Any], bool]:
    """Return whether a URL begins with text."""
    return lambda url: url.href.startswith(start)


def of(*hosts: str) -> Callable[[Any], bool]:
    """Return whether a URL has one of these hosts."""
    return lambda url: str(url.host) in hosts


def under(host: str) -> Callable[[Any], bool]:
    """Return whether a URL's host is below a host."""
    return lambda url: str(url.host) == host or str(url.host).endswith(f".{host}")


Lookup = tuple[str, str, Any, Callable[[Any], bool]]

# Whose index is to be used, the lookup, its operand, and what Python says of a row's URL.
LOOKUPS: list[Lookup] = [
    ("url", "exact", RECORD, lambda u: u == RECORD),
    (
        "url",
        "in",
        [href(1), href(2), "https://nowhere.example"],
        lambda u: u.href in (href(1), href(2)),
    ),
    ("url", "under", "https://www.site3.example/docs/", begins("https://www.site3.example/docs/")),
    ("url", "under", f"{SITE}/docs", begins(f"{SITE}/docs/")),
    ("url", "iexact", href(N).upper(), lambda u: u.href.lower() == href(N).lower()),
    ("url", "startswith", "https://www.site4242.", begins("https://www.site4242.")),
    ("url", "istartswith", "HTTPS://user4005@", begins("https://user4005@")),
    ("origin", "origin", RECORD, lambda u: u.origin == RECORD.origin),
    ("origin", "origin__iexact", RECORD.origin.upper(), lambda u: u.origin == RECORD.origin),
    ("scheme", "scheme", "FTP", lambda u: u.scheme == "ftp"),
    ("username", "username", "user5", lambda u: u.username == "user5"),
    ("username", "username__iexact", "USER5", lambda u: u.username == "user5"),
    ("host", "host", "WWW.site3.example", of("www.site3.example")),
    ("host", "host__in", list(HOSTS), of(*HOSTS)),
    (
        "host",
        "host__range",
        ("www.site300", "www.site300z"),
        lambda u: "www.site300" <= str(u.host) <= "www.site300z",
    ),
    ("host", "host__iexact", "WWW.Site3.example", of("www.site3.example")),
    ("host", "host__startswith", "www.site30", lambda u: str(u.host).startswith("www.site30")),
    ("host", "host__istartswith", "WWW.site30", lambda u: str(u.host).startswith("www.site30")),
    ("hostname", "hostname", "www.site3.example", of("www.site3.example")),
    ("reversed_host", "host__under", "Site3.example", under("site3.example")),
    ("reversed_host", "host__under", "127.0.0.1", lambda _url: False),
    ("reversed_host", "hostname__under", "b.site5.example", under("b.site5.example")),
    ("port", "port", 1028, lambda u: u.port == 1028),
    ("port", "port__range", (1028, 1030), lambda u: u.port in (1028, 1029, 1030)),
    ("path", "path", "/docs/./42/4242", lambda u: u.path_text == "/docs/42/4242"),
    ("path", "path__under", "/docs/42/4242", lambda u: u.path_text == "/docs/42/4242"),
    ("path", "path__iexact", "/DOCS/42/4242", lambda u: u.path_text == "/docs/42/4242"),
    ("path", "path__startswith", PATH, lambda u: u.path_text.startswith(PATH)),
    ("path", "path__istartswith", PATH, lambda u: u.path_text.startswith(PATH)),
    ("query", "query", "q=4241", lambda u: u.query == "q=4241"),
    ("query", "query__istartswith", "Q=424", lambda u: (u.query or "").startswith("q=424")),
    ("fragment", "fragment", "f4242", lambda u: u.fragment == "f4242"),
    ("fragment", "fragment__iexact", "F4242", lambda u: u.fragment == "f4242"),
]


def names_of_indexes(model: type[Any], part: str) -> set[str]:
    """Return the names of the indexes that may serve a part, or the column itself."""
    table = model._meta.db_table
    if part == "url" or model is Generated:
        return indexes_on(table, part)
    parts = {PART_EXPRESSIONS[part]}
    return {index.name for index in Indexed._meta.indexes if type(index.expressions[0]) in parts}


@pytest.mark.django_db
@pytest.mark.usefixtures("many_rows")
@pytest.mark.parametrize(
    ("part", "lookup", "operand", "is_found"),
    LOOKUPS,
    ids=lambda value: value if isinstance(value, str) else "",
)
def test_a_lookup_is_answered_by_its_index(
    model: type[Any], part: str, lookup: str, operand: object, is_found: Callable[[Any], bool]
) -> None:
    """On an index of the expression, or on that of a generated column, which it finds by itself."""
    expected = names_of_indexes(model, part)
    assert expected
    queryset = model.objects.filter(**{f"url__{lookup}": operand})
    used = indexes_used(queryset)
    assert used
    assert used <= expected, plan(queryset)
    assert connection.vendor != "sqlite" or "SCAN" not in plan(queryset), plan(queryset)
    found = sorted(str(row.url) for row in queryset)
    hrefs = map(href, range(model.objects.count()))
    assert found == sorted(text for text in hrefs if is_found_in(text, is_found))


@pytest.mark.django_db
@pytest.mark.usefixtures("many_rows")
def test_another_condition_leaves_a_lookup_its_index(model: type[Any]) -> None:
    """Every row meets the other one."""
    queryset = model.objects.filter(url__host="www.site3.example", pk__gt=0)
    used = indexes_used(queryset)
    assert used
    assert used <= names_of_indexes(model, "host"), plan(queryset)


PARSED: dict[str, Any] = {}


def is_found_in(text: str, is_found: Callable[[Any], bool]) -> bool:
    """Return what Python says of a URL, which is parsed but once."""
    if text not in PARSED:
        PARSED[text] = weburl.parse(text)
    return is_found(PARSED[text])


@pytest.mark.django_db
@pytest.mark.usefixtures("many_rows")
@pytest.mark.parametrize("order", ["url__host", "-url__host", "url__reversed_host", "url__port"])
def test_an_order_is_that_of_an_index(model: type[Any], order: str) -> None:
    """The first rows of many are found without sorting all of them."""
    part = order.removeprefix("-").removeprefix("url__")
    by: Any = URLReversedHost("url") if part == "reversed_host" else order
    queryset = model.objects.order_by(by)[:10]
    used = indexes_used(queryset)
    assert used
    assert used <= names_of_indexes(model, part), plan(queryset)


@pytest.mark.django_db
@pytest.mark.usefixtures("many_rows", "expression_indexes")
def test_an_index_on_two_columns_begins_with_a_part() -> None:
    """``Index(URLHost("url"), "year")`` is one of Django's own."""
    queryset = Indexed.objects.filter(url__host="www.site3.example", year=1999)
    assert indexes_used(queryset) == {"host_and_year"}


@pytest.mark.django_db
def test_mariadb_makes_none_of_these_indexes() -> None:
    """So there is a check, and `GeneratedURLPartField`."""
    if connection.features.supports_expression_indexes:
        pytest.skip("this database has indexes on expressions")
    assert indexes_on("partsapp_indexed", "url") == {"url"}
    with connection.cursor() as cursor:
        constraints = connection.introspection.get_constraints(cursor, "partsapp_indexed")
    assert not {index.name for index in Indexed._meta.indexes} & set(constraints)


@pytest.mark.django_db
def test_a_part_is_read_from_its_generated_column_and_from_no_other() -> None:
    """In conditions and in what is selected, also through an alias; never in another model."""
    sql = str(Generated.objects.filter(url__host="a.example").values("url__port").query)
    quote = connection.ops.quote_name
    assert f"{quote('partsapp_generated')}.{quote('host')} = " in sql
    assert f"{quote('partsapp_generated')}.{quote('port')} AS" in sql
    assert "host" not in str(Plain.objects.filter(url__host="a.example").query).replace(
        "partsapp", ""
    )


def test_an_index_is_named_by_table_field_and_part() -> None:
    """A name can be given. It has at most 30 characters, as Oracle requires."""
    names = [index.name for index in Indexed._meta.indexes]
    assert len(set(names)) == 11
    assert names[2] == "partsapp_url_host_a89203_idx"
    assert all(len(name) <= 30 for name in names)
    model = model_with(
        link_to_somewhere=CanonicalURLField(),
        meta={
            "db_table": "_a_table_with_a_very_long_name",
            "indexes": (
                URLIndex("link_to_somewhere", part="reversed_host"),
                URLIndex("link_to_somewhere", part="host", name="mine"),
            ),
        },
    )
    first, second = model._meta.indexes
    assert first.name.startswith("Da_table_")
    assert len(first.name) <= 30
    assert second.name == "mine"


def test_migrations_write_an_index_by_its_part() -> None:
    """The expression is the library's own affair."""
    index = URLIndex("url", part="host", name="by_host", condition=Q(pk__gt=5), include=["id"])
    assert index.deconstruct() == (
        "django_whatwg_url.indexes.URLIndex",
        ("url",),
        {"part": "host", "name": "by_host", "condition": Q(pk__gt=5), "include": ("id",)},
    )
    assert index.clone() == index
    assert index.expressions == (URLHost("url"),)
    written, _imports = MigrationWriter.serialize(URLIndex("url", part="host", name="a"))
    assert written == "django_whatwg_url.indexes.URLIndex('url', name='a', part='host')"


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"part": "password"}, "'password' is not a part of a URL"),
        ({"part": "host", "condition": Q(pk=1)}, "must be named"),
        ({"part": "host", "include": ["id"]}, "must be named"),
    ],
)
def test_an_index_that_makes_no_sense_is_refused(options: dict[str, Any], message: str) -> None:
    """The error is raised when the model is defined."""
    with pytest.raises(ValueError, match=message):
        URLIndex("url", **options)


@pytest.mark.django_db(transaction=True)
def test_an_index_can_be_added_and_removed() -> None:
    """As migrations do; where there are none on expressions, nothing happens."""
    index = URLIndex("url", part="host", name="added_later")
    table = Plain._meta.db_table
    with connection.schema_editor() as editor:
        editor.add_index(Plain, index)
    try:
        with connection.cursor() as cursor:
            there = "added_later" in connection.introspection.get_constraints(cursor, table)
        assert there == connection.features.supports_expression_indexes
    finally:
        with connection.schema_editor() as editor:
            editor.remove_index(Plain, index)
    with connection.cursor() as cursor:
        assert "added_later" not in connection.introspection.get_constraints(cursor, table)
