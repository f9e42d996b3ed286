"""Tests of `django_whatwg_url.functions`: the parts of a URL as SQL, on whatever database."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import pytest
from django.db import NotSupportedError, connection, models
from django.db.migrations.writer import MigrationWriter
from django.db.models import (
    Case,
    CharField,
    Count,
    Exists,
    F,
    Max,
    OuterRef,
    Q,
    Subquery,
    Value,
    When,
)
from django.db.models.functions import Coalesce, Collate, Concat, Length, Lower, Upper
from django.test.utils import CaptureQueriesContext
from hypothesis import HealthCheck, given, settings

import weburl
from django_whatwg_url import functions
from django_whatwg_url.fields import CanonicalURLField
from django_whatwg_url.functions import (
    PART_EXPRESSIONS,
    LooksCanonical,
    URLHost,
    URLOrigin,
    URLPart,
    URLPath,
    URLPort,
    URLQuery,
    URLReversedHost,
    URLText,
)
from tests.corpus import corpus
from tests.django.hrefs import PARTS, insert, misleading_hrefs, parts_of, wpt_hrefs
from tests.django.partsapp.models import Generated, Plain
from tests.django.servers import created, model_with, only_postgresql
from tests.strategies import url_texts

pytestmark = pytest.mark.django_db


def differences(hrefs: list[str]) -> list[str]:
    """Store hrefs, ask the database for every part, and say what Python says otherwise."""
    insert(Plain, hrefs)
    rows = Plain.objects.values_list("url", *(f"url__{part}" for part in PARTS))
    found = []
    count = 0
    for url, *parts in rows.iterator():
        count += 1
        for (part, expected), value in zip(parts_of(url).items(), parts, strict=True):
            if (value, type(value)) != (expected, type(expected)):
                found.append(f"{part} of {url}: {value!r}, not {expected!r}")
    assert count == len(hrefs)
    return found


def test_the_parts_in_sql_are_those_of_the_record_for_all_of_web_platform_tests() -> None:
    """624 inputs that parse, 471 URLs, nine parts each; null and empty are told apart."""
    assert differences(wpt_hrefs()) == []


def test_the_parts_in_sql_are_those_of_the_record_for_urls_that_could_mislead() -> None:
    """Delimiters where they do not delimit."""
    assert differences(misleading_hrefs()) == []


def test_the_parts_in_sql_are_those_of_the_record_for_a_corpus_of_real_links() -> None:
    """All links that fit into the column are used."""
    hrefs = {weburl.canonicalize(link) for link in corpus() if weburl.can_parse(link)}
    assert differences(sorted(href for href in hrefs if len(href) <= 2048)) == []


# The table is emptied between tests only, and the one row in it serves all examples.
@settings(suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(url_texts)
def test_the_parts_in_sql_are_those_of_the_record_for_any_url(text: str) -> None:
    """Here the URL is a parameter and not a column, and takes its place wherever it stands."""
    if not weburl.can_parse(text):
        return
    url = weburl.parse(text)
    Plain.objects.get_or_create(pk=1)
    value = Value(url, output_field=CanonicalURLField())
    parts = {part: PART_EXPRESSIONS[part](value) for part in PARTS}
    assert Plain.objects.values(looks=LooksCanonical(value), **parts).get() == {
        "looks": True,
        **parts_of(url),
    }


def test_no_url_has_no_parts() -> None:
    """NULL gives NULL, not even an empty username."""
    Plain.objects.create(url=None)
    parts = {part: expression("url") for part, expression in PART_EXPRESSIONS.items()}
    row = Plain.objects.values(looks=LooksCanonical("url"), **parts).get()
    assert len(row) == 11
    assert set(row.values()) == {None}


@pytest.mark.parametrize(
    "text",
    [
        "",
        "x",
        ":",
        "://",
        "a://b:99999999999999999999/",
        "a://b:/",
        "a://b:1x/",
        "a://[",
        "a://]",
        "a://]:",
        "a://b@",
        "HTTP://",
        "http:///",
        "@[:]//?#",
        "a://b:8\\0'\"/",
        "?:#/",
    ],
)
def test_text_that_is_no_url_is_no_error(text: str) -> None:
    """Another program may have written it. Its parts are not defined."""
    insert(Plain, [text])
    parts = {part: expression("url") for part, expression in PART_EXPRESSIONS.items()}
    assert len(Plain.objects.values(looks=LooksCanonical("url"), **parts)) == 1
    Generated.objects.all().delete()
    insert(Generated, [text])  # A generated column must not refuse the row either.


@pytest.fixture
def rows() -> list[Plain]:
    """Store four URLs and NULL."""
    urls = [
        "https://b.example:8080/docs/?q=1#top",
        "http://a.example/docs/a",
        "https://user@b.example/",
        "mailto:me@a.example",
        None,
    ]
    return [Plain.objects.create(url=url, other="https://a.example/") for url in urls]


def test_a_part_can_be_annotated_selected_and_ordered_by(rows: list[Plain]) -> None:
    """As a transform or as an expression, and rows without a host are where NULL is."""
    annotated = Plain.objects.annotate(host=URLHost("url")).get(pk=rows[0].pk)
    assert annotated.host == "b.example"
    hosts = ["b.example", "a.example", "b.example", None, None]
    assert list(Plain.objects.order_by("pk").values_list("url__host", flat=True)) == hosts
    assert list(Plain.objects.order_by("pk").values_list(URLHost("url"), flat=True)) == hosts
    with_host = Plain.objects.filter(url__host__isnull=False)
    by_host = [row.pk for row in with_host.order_by("url__host", "-url__port", "pk")]
    assert by_host[0] == rows[1].pk
    assert set(by_host) == {row.pk for row in rows[:3]}
    assert with_host.order_by(URLHost("url").desc(), "pk").first() == rows[0]
    assert with_host.order_by(URLReversedHost("url"), "pk").first() == rows[1]


def test_a_part_can_be_grouped_counted_and_told_apart(rows: list[Plain]) -> None:
    """Aggregates, distinct values and sets of rows."""
    counts = Plain.objects.filter(url__host__isnull=False).values("url__host")
    assert {row["url__host"]: row["n"] for row in counts.annotate(n=Count("pk"))} == {
        "a.example": 1,
        "b.example": 2,
    }
    hosts = Count("url__host", distinct=True)
    assert Plain.objects.aggregate(n=Max("url__port"), hosts=hosts) == {"n": 8080, "hosts": 2}
    schemes = Plain.objects.exclude(url=None).values_list("url__scheme", flat=True)
    assert sorted(schemes.distinct()) == ["http", "https", "mailto"]
    assert set(schemes.union(Plain.objects.values_list("other__host", flat=True))) == {
        *schemes,
        "a.example",
    }


def test_parts_can_be_compared_with_each_other(rows: list[Plain]) -> None:
    """They are ``F("url__host")``, in conditions, subqueries and other expressions."""
    assert Plain.objects.get(url__host=F("other__host")) == rows[1]
    # A URL without a host has not the same one, on either side.
    assert Plain.objects.exclude(url__host=F("other__host")).count() == 4
    assert Plain.objects.exclude(other__host=F("url__host")).count() == 4
    assert Plain.objects.get(Q(url__scheme="http") & ~Q(url__host="b.example")) == rows[1]
    same = Plain.objects.filter(url__host=OuterRef("url__host")).exclude(pk=OuterRef("pk"))
    assert set(Plain.objects.filter(Exists(same))) == {rows[0], rows[2]}
    longest = Plain.objects.filter(url__host=OuterRef("other__host")).values("url__path")[:1]
    assert Plain.objects.annotate(path=Subquery(longest)).first().path == "/docs/a"  # type: ignore[union-attr]
    hosts = Plain.objects.filter(url__scheme="http").values("url__host")
    assert Plain.objects.filter(other__host__in=hosts).count() == 5


def test_parts_are_expressions_like_others(rows: list[Plain]) -> None:
    """Case, Coalesce, Concat, arithmetic, functions of functions."""
    row: Any = (
        Plain.objects.annotate(
            kind=Case(When(url__port__gt=1024, then=Value("high")), default=Value("low")),
            port=Coalesce(URLPort("url"), 443) + 1,
            shown=Concat(URLHost("url"), Value(" "), URLPath("url"), output_field=CharField()),
            loud=Upper(URLHost("url")),
            length=Length("url__path"),
            lowered=URLQuery(Lower("url")),
        )
        .order_by("pk")
        .first()
    )
    assert (row.kind, row.port, row.shown) == ("high", 8081, "b.example /docs/")
    assert (row.loud, row.length, row.lowered) == ("B.EXAMPLE", 6, "q=1")


def test_rows_can_be_updated_by_a_part(rows: list[Plain]) -> None:
    """In the condition, and in what is stored."""
    assert Plain.objects.filter(url__host="b.example").update(other=URLOrigin("url")) == 2
    rows[0].refresh_from_db()
    assert str(rows[0].other) == "https://b.example:8080/"
    assert Plain.objects.filter(url__host="b.example").delete()[0] == 2


def test_the_literals_of_a_part_are_in_the_sql() -> None:
    """As parameters they would keep SQLite from using an index: the operand alone is one."""
    query = Plain.objects.filter(url__scheme="https").query
    compiled, params = query.get_compiler(connection=connection).as_sql()
    assert params == ("https",)
    assert compiled.count("%s") == 1
    with CaptureQueriesContext(connection) as queries:
        list(Plain.objects.values("url__host", "url__port", "url__origin"))
    assert len(queries) == 1


@pytest.mark.parametrize("expression", [*PART_EXPRESSIONS.values(), LooksCanonical])
def test_migrations_name_an_expression_by_a_path_that_will_not_move(expression: type[Any]) -> None:
    """`django_whatwg_url.functions`, and the name of the URL field."""
    written, imports = MigrationWriter.serialize(expression("url"))
    assert written == f"django_whatwg_url.functions.{expression.__name__}('url')"
    assert imports == {"import django_whatwg_url.functions"}
    assert expression("url") == expression("url") != expression("other")


def test_all_public_expressions_are_known_by_their_part() -> None:
    """A new one would be forgotten otherwise."""
    names = {expression.__name__ for expression in PART_EXPRESSIONS.values()}
    more = {"QueryParam", "QueryParams", "URLPart", "LooksCanonical", "URLText"}
    assert {*names, *more} == set(functions.__all__)
    assert {*PARTS, "reversed_host"} == set(PART_EXPRESSIONS)
    assert CanonicalURLField().get_transform("host") is URLHost
    assert CanonicalURLField().get_transform("reversed_host") is None


@pytest.mark.parametrize("expression", [URLHost("url"), LooksCanonical("url"), URLText("url")])
def test_an_unknown_database_is_an_error(expression: URLPart | LooksCanonical | URLText) -> None:
    """Rather than SQL that it may understand otherwise."""
    other: Any = SimpleNamespace(vendor="oracle", display_name="Oracle")
    with pytest.raises(NotSupportedError, match="but not Oracle"):
        expression.as_sql(None, other)  # type: ignore[arg-type]


def test_reversed_hosts_sort_by_domain() -> None:
    """A domain before its subdomains, and those of each together; only what sorts is the same."""
    hosts = ["b.example", "a.b.example", "z.a.b.example", "c.example", "b.test", "127.0.0.1"]
    for host in reversed(hosts):
        Plain.objects.create(url=f"https://{host}/")
    ordered = Plain.objects.order_by(URLReversedHost("url")).values_list("url__host", flat=True)
    names = [host for host in ordered if host != "127.0.0.1"]
    assert names.index("a.b.example") == names.index("b.example") + 1
    assert names.index("z.a.b.example") == names.index("a.b.example") + 1
    assert sorted(names) == sorted(hosts[:-1])


@pytest.mark.django_db(transaction=True)
def test_text_of_a_url_sorts_among_other_text_as_the_database_sorts() -> None:
    """On PostgreSQL, the collation "C" of the URL would spread to the whole expression."""
    model = model_with(title=models.CharField(max_length=50, blank=True), url=CanonicalURLField())
    rows = [("zebra", "https://a/"), ("\u00c4pfel", "https://b/"), ("", "https://M.example/")]
    with created(model):
        titled: models.QuerySet[Any] = models.QuerySet(model)
        titled.bulk_create([model(title=title, url=url) for title, url in rows])
        key = Case(When(title="", then=Lower(URLText("url"))), default=Lower("title"))
        plain = titled.exclude(title="").order_by(Lower("title"))
        mixed = titled.order_by(key)
        assert [row.title for row in mixed if row.title] == [row.title for row in plain]
        assert set(titled.annotate(key=key).values_list("key", flat=True)) > {"https://m.example/"}
        annotated = titled.annotate(text=URLText("url"))
        assert type(annotated[0].text) is str
        assert annotated.get(text="https://a/").title == "zebra"
        if connection.vendor == "postgresql":
            assert collation(titled.annotate(key=key)) == "default"
            plain_url: Any = Case(When(title="", then=Lower("url")), default=Lower("title"))
            assert collation(titled.annotate(key=plain_url)) == '"C"'


@only_postgresql
@pytest.mark.django_db(transaction=True)
def test_a_column_with_a_collation_of_its_own_sorts_by_it() -> None:
    """If the URL is given the same collation. Otherwise PostgreSQL refuses."""
    model = model_with(
        title=models.CharField(max_length=50, blank=True, db_collation="und-x-icu"),
        url=CanonicalURLField(),
    )
    with created(model):
        collated: models.QuerySet[Any] = models.QuerySet(model)
        rows = [("zebra", "https://a/"), ("\u00c4pfel", "https://b/"), ("", "https://M.example/")]
        collated.bulk_create([model(title=title, url=url) for title, url in rows])
        url = Collate("url", "und-x-icu")
        key = Case(When(title="", then=Lower(url)), default=Lower("title"))
        titles = collated.order_by(key).values_list("title", flat=True)
        assert list(titles) == ["\u00c4pfel", "", "zebra"]


def collation(rows: models.QuerySet[Any]) -> str:
    """Return the collation of the annotation ``key`` on PostgreSQL."""
    sql, params = rows.values_list("key").query.sql_with_params()
    with connection.cursor() as cursor:
        cursor.execute(f"SELECT pg_collation_for(key) FROM ({sql}) AS t (key)", params)
        found: str = cursor.fetchone()[0]
    return found.strip('"') if found == '"default"' else found
