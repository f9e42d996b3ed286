"""Tests of `query.encoded`: params are the same in SQL and in Python."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from random import Random
from typing import Any, Final

import pytest
from django.core.exceptions import FieldError, ValidationError
from django.db import (
    IntegrityError,
    NotSupportedError,
    OperationalError,
    connection,
    models,
    transaction,
)
from django.db.models import Case, Count, Exists, F, OuterRef, Q, Value, When
from django.db.models.functions import Lower
from django.test.utils import isolate_apps
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

import weburl
from django_whatwg_url.column.values import scalar_values
from django_whatwg_url.fields import CanonicalURLField
from django_whatwg_url.functions import QueryParam
from tests.django.hrefs import insert
from tests.django.partsapp.models import Plain
from tests.django.servers import created, model_with, only_postgresql
from tests.strategies import url_texts
from weburl import URLRecord, URLSearchParams, can_parse

pytestmark = pytest.mark.django_db

_PIECES: Final = (
    "a", "q", "q", "A", "é", "%C3%A9", "%c3%a9", "%C3", "%A9", "%E2%82", "%E2%82%AC", "%F0%9F",
    "%F0%9F%92%A9", "%ED%A0%80", "%E0%80", "%f4%90%80", "%00", "+", "%20", "%2B", "%", "%4", "%41",
    "%61", "%71", "&", "=", "&", "=", "&q=", "&q=", "&=", "%26", "%3D", "'", "[", "\\", "%25", "1",
    "%2541", "4", "?", "%5C", "%EF%BF%BD", "%ef%bf%bd", "%2e", ".", ".", "/", "%2F", "^", "|", "{",
    "}", "*", "(", ")", "$", '"', "%22", "%0A", "%0D", "\u212a", "ß", "É",
)  # fmt: skip
_BEGINNINGS: Final = ("https://h/", "https://u:p@h:81/", "foo://h/", "foo://h", "foo:o", "foo:o/")
NAMES: Final = ("q", "a", "", "é", "\ufffd", "%", "q'", "A", "\0", "[", "a b", "=", "&")
COUNT: Final = 800


def encoded_hrefs(count: int, seed: int = 0) -> list[str]:
    """Return distinct hrefs whose paths and queries are encoded in every way, sorted."""
    random = Random(seed)

    def text(most: int) -> str:
        return "".join(random.choices(_PIECES, k=random.randint(0, most)))

    found: set[str] = set()
    while len(found) < count:
        path = text(5).replace("?", "")
        query = f"?{text(9)}" if random.random() < 0.9 else ""
        fragment = f"#{text(4)}" if random.random() < 0.4 else ""
        url = f"{random.choice(_BEGINNINGS)}{path}{query}{fragment}"
        if weburl.can_parse(url):
            found.add(weburl.canonicalize(url))
    return sorted(found)


def values_of(url: URLRecord, name: str) -> list[str]:
    """Return what the standard's algorithm finds for a name."""
    return URLSearchParams(f"?{url.query or ''}").get_all(name)


def first_of(url: URLRecord, name: str) -> str | None:
    """Return the first of these values."""
    return URLSearchParams(f"?{url.query or ''}").get(name)


def as_stored(text: Any) -> Any:
    """Return a value as this database returns it: PostgreSQL has no NUL."""
    if isinstance(text, str) and connection.vendor == "postgresql":
        return text.replace("\0", "\ufffd")
    return text


@pytest.fixture
def urls(db: None) -> list[URLRecord]:
    """Store the hrefs, and a row without a URL."""
    hrefs = encoded_hrefs(COUNT)
    insert(Plain, hrefs)
    Plain.objects.create(url=None)
    return [weburl.parse(href) for href in hrefs]


def assert_found(
    urls: Iterable[URLRecord], expected: Callable[[URLRecord], bool], *conditions: Any, **more: Any
) -> int:
    """Check which URLs a filter finds, and that ``exclude()`` keeps all others."""
    wanted = sorted(url.href for url in urls if expected(url))
    rows = Plain.objects.filter(*conditions, **more)
    assert sorted(str(row.url) for row in rows) == wanted, (conditions, more)
    others = Plain.objects.exclude(*conditions, **more)
    assert others.count() == Plain.objects.count() - len(wanted), (conditions, more)
    return len(wanted)


@pytest.mark.parametrize("name", NAMES)
def test_the_value_of_a_param_is_that_of_the_standard(urls: list[URLRecord], name: str) -> None:
    """A name and its value may be written in every way, and need not be UTF-8."""
    rows = Plain.objects.exclude(url=None).values_list("url", QueryParam("url", name))
    found = dict(rows)
    assert len(found) == COUNT
    for url in urls:
        assert found[url] == as_stored(first_of(url, name)), (url.href, name)
    assert_found(urls, lambda url: bool(values_of(url, name)), url__query_params__has=name)
    missing = Plain.objects.annotate(param=QueryParam("url", name)).filter(param__isnull=True)
    assert missing.count() == 1 + sum(first_of(url, name) is None for url in urls)


Test = Callable[[str], bool]


@pytest.mark.parametrize("name", ["q", "a", "A"])
def test_lookups_on_a_param_are_exact(urls: list[URLRecord], name: str) -> None:
    """Comparisons with text find what they find in Python, and ``exclude()`` loses no rows."""
    random = Random(name)
    lookup = f"url__query_params__{name}"
    values = sorted({value for url in urls for value in values_of(url, name)})

    def check(how: str, operand: Any, test: Test) -> int:
        return assert_found(
            urls,
            lambda url: any(map(test, values_of(url, name)[:1])),
            **{f"{lookup}{how}": operand},
        )

    found = 0
    for value in ["", *random.sample(values, min(20, len(values)))]:
        found += check("", value, value.__eq__)
        several = [value, "a", None]
        found += check("__in", several, several.__contains__)
    assert found > 12


@pytest.mark.parametrize("operand", ["a", "é", "", "a é", "%", "\ufffd"])
@pytest.mark.parametrize("value", ["param", "odd_param"])
def test_exclude_keeps_a_row_without_a_url_whatever_the_operand(value: str, operand: str) -> None:
    """Django adds no condition of its own for an expression."""
    row = Plain.objects.create(url=None)
    rows = Plain.objects.annotate(
        param=QueryParam("url", "q"),
        odd_param=QueryParam("url", "é"),
    )
    assert not rows.filter(**{value: operand})
    assert rows.exclude(**{value: operand}).get() == row
    assert rows.exclude(**{f"{value}__in": [operand, "b"]}).get() == row
    assert rows.exclude(url__query_params__has=operand).get() == row


@only_postgresql
def test_the_type_of_a_parameter_is_known_to_postgresql(monkeypatch: pytest.MonkeyPatch) -> None:
    """With server_side_binding, PostgreSQL infers the types of all parameters."""
    from django.db.backends.postgresql.base import ServerBindingCursor

    Plain.objects.create(url=None)
    monkeypatch.setattr(connection.connection, "cursor_factory", ServerBindingCursor)
    url = Value("https://h/é?é=é", CanonicalURLField())
    rows = Plain.objects.alias(value=QueryParam(url, "é"))
    assert rows.filter(value="é").count() == 1
    assert rows.exclude(value__in=["", "%"]).count() == 1


def test_params_can_be_grouped_ordered_and_compared_with_columns(urls: list[URLRecord]) -> None:
    """The decoded value is text for the rest of a query."""
    counts: dict[str | None, int] = {None: 1}
    for url in urls:
        value = as_stored(first_of(url, "q"))
        counts[value] = counts.get(value, 0) + 1
    grouped = Plain.objects.values_list("url__query_params__q").annotate(n=Count("pk"))
    assert dict(grouped) == counts
    ordered = Plain.objects.exclude(url__query_params__q=None).order_by("url__query_params__q")
    texts = list(ordered.values_list("url__query_params__q", flat=True))
    assert texts == sorted(texts)
    assert len(texts) > 50
    assert_found(
        urls,
        lambda url: first_of(url, "q") is not None and first_of(url, "q") == first_of(url, "a"),
        url__query_params__q=F("url__query_params__a"),
    )
    lower = Plain.objects.annotate(lower=Lower(QueryParam("url", "q"))).filter(lower="a")
    assert lower.count() == sum((first_of(url, "q") or "").lower() == "a" for url in urls)


def test_an_int_is_a_value() -> None:
    """``id=42`` finds the text "42"."""
    insert(Plain, ["https://h/?id=42", "https://h/?id=%34%32", "https://h/?id=420&id=42"])
    assert Plain.objects.filter(url__query_params__id=42).count() == 2
    assert Plain.objects.filter(url__query_params__id__in=[42, 420]).count() == 3


_NOT_COMPARED: Final = (
    *("nonsense", "iexact", "contains", "startswith", "endswith", "icontains"),
    *("gt", "lte", "range", "regex", "iregex"),
)


@pytest.mark.parametrize(
    ("lookup", "operand", "error"),
    [
        ("query_params", {"q": ["1"]}, FieldError),
        ("query_params__isnull", True, FieldError),
        ("query_params__has", None, TypeError),
        ("query_params__has", ["a"], TypeError),
        ("query_params__has", F("other"), TypeError),
        ("query_params__q", True, TypeError),
        ("query_params__q", 1.5, TypeError),
        ("query_params__q", b"a", TypeError),
        ("query_params__q__in", "abc", TypeError),
        *((f"query_params__q__{name}", "a", FieldError) for name in _NOT_COMPARED),
        ("query_params__q", "a" * 1001, ValidationError),
    ],
)
def test_what_cannot_be_exact_is_refused(lookup: str, operand: Any, error: type[Exception]) -> None:
    """A query never finds other rows than those it asks for: it says what to do instead."""
    with pytest.raises(error) as caught:
        Plain.objects.filter(**{f"url__{lookup}": operand})
    assert str(caught.value)


@pytest.mark.parametrize(
    ("lookup", "operand", "longest"),
    [
        ("query_params__q", "%", 709),
        ("query_params__q__in", "%", 709),
        ("query_params__has", "%", 710),
    ],
)
def test_an_expression_that_is_too_large_is_refused_when_the_query_is_made(
    lookup: str, operand: str, longest: int
) -> None:
    """Where forms and GraphQL see it; one that is not is accepted by the database."""

    def rows(count: int) -> Any:
        text = operand * count
        several = lookup.endswith("__in")
        return Plain.objects.filter(**{f"url__{lookup}": [text] if several else text})

    assert list(rows(longest)) == []
    for count in (longest + 1, 1000):
        with pytest.raises(ValidationError, match="together are too long"):
            rows(count)


@pytest.mark.parametrize(
    ("lookup", "visitor"),
    [
        ("query_params__has", "a" * 1200),
        ("query_params__q", "a" * 1200),
        ("host", "exa mple"),
    ],
)
def test_what_a_visitor_may_type_raises_the_same_error_as_what_is_not_a_host(
    lookup: str, visitor: Any
) -> None:
    """A view handles one error, and a test with a short text does not miss another one."""
    with pytest.raises(ValidationError) as caught:
        Plain.objects.filter(**{f"url__{lookup}": visitor})
    assert [error.code for error in caught.value.error_list] == ["invalid"] or lookup == "host"
    assert len(caught.value.messages[0]) < 300


def test_a_name_that_is_too_long_to_be_found_twice_is_refused_when_the_query_is_made() -> None:
    """The first param of a name is the one without another before it."""
    rows = Plain.objects.annotate(param=QueryParam("url", "%" * 500))
    with pytest.raises(ValidationError, match="together are too long"):
        rows.filter(param="")
    operands: list[Any] = [F("other"), Plain.objects.values("other")[:1]]
    for operand in operands:
        with pytest.raises(ValidationError, match="together are too long"):
            rows.filter(param=operand)
    with pytest.raises(ValidationError, match="together are too long"):
        rows.filter(param__in=Plain.objects.values("other"))
    assert not rows.filter(param__isnull=False)
    assert not Plain.objects.filter(url__query_params__has="%" * 500)


def test_all_params_together_have_no_value() -> None:
    """The error says how to name a param."""
    with pytest.raises(FieldError, match="with has"):
        list(Plain.objects.values("url__query_params"))


def test_expressions_that_differ_in_their_argument_are_not_equal() -> None:
    """Django merges equal expressions in one query."""
    assert QueryParam("url", "a") == QueryParam("url", "a")
    assert QueryParam("url", "a") != QueryParam("url", "b")
    assert Q(QueryParam("url", "a"), x=1) != Q(QueryParam("url", "b"), x=1)


# Where else they work.


@contextmanager
def linked_models() -> Iterator[tuple[type[Any], type[Any]]]:
    """Make a table of URLs, as text and with constraints, and one whose rows may name a URL."""
    with isolate_apps("tests.django.testapp"):

        class Link(models.Model):
            url = CanonicalURLField(as_text=True)

            class Meta:
                app_label = "testapp"
                constraints = (
                    models.CheckConstraint(
                        condition=~Q(url__query_params__has="utm_source"),
                        name="link_is_not_tracked",
                    ),
                    models.CheckConstraint(
                        condition=~Q(url__query_params__has="100%é"),
                        name="link_has_no_percent_sign",
                    ),
                    models.CheckConstraint(
                        condition=~Q(url__query_params__q="5%"),
                        name="link_is_ours",
                    ),
                )

        class Click(models.Model):
            link = models.ForeignKey(Link, models.CASCADE, null=True)

            class Meta:
                app_label = "testapp"

        with created(Link, Click):
            yield Link, Click


@pytest.mark.django_db(transaction=True)
def test_comparisons_with_text_can_be_in_constraints() -> None:
    """The database refuses a row, and so does ``full_clean()``."""
    with linked_models() as (link, _click):
        for url in ("https://h/a?q=1", "https://h/b%20c/x", "https://h/%61/?q=5"):
            link(url=url).full_clean()
            link.objects.create(url=url)
        refused = (
            "https://h/a?utm_source=1",
            "https://h/a?x&%75tm_source",
            "https://h/a?100%25%c3%a9=",
            "https://h/a?q=5%",
        )
        for url in refused:
            with pytest.raises(ValidationError):
                link(url=url).full_clean()
            with pytest.raises((IntegrityError, OperationalError)), transaction.atomic():
                link.objects.create(url=url)
        assert link.objects.count() == 3


@pytest.mark.django_db(transaction=True)
def test_params_are_found_through_a_join_and_in_conditional_expressions() -> None:
    """A row without the other row has no param, and ``exclude()`` keeps it."""
    with linked_models() as (link, click):
        one = link.objects.create(url="https://h/a?q=b+c")
        two = link.objects.create(url="https://h/a?z")
        for each in (one, one, two, None):
            click.objects.create(link=each)
        rows = click.objects
        assert rows.filter(link__url__query_params__q="b c").count() == 2
        assert rows.exclude(link__url__query_params__q="b c").count() == 2
        assert rows.filter(link__url__query_params__has="z").count() == 1
        assert rows.exclude(link__url__query_params__has="z").count() == 3
        assert rows.filter(link__url__query_params__q=None).count() == 2
        assert rows.filter(link__url__query_params__q__isnull=False).count() == 2
        kind = Case(
            When(link__url__query_params__q="b c", then=Value("b")),
            default=Value("other"),
        )
        kinds = rows.annotate(kind=kind).values_list("kind").annotate(n=Count("pk"))
        assert dict(kinds) == {"b": 2, "other": 2}
        outer = click.objects.filter(link__url__query_params__q=OuterRef("url__query_params__q"))
        assert list(link.objects.filter(Exists(outer))) == [one]
        named = rows.annotate(value=QueryParam("link__url", "q")).filter(value="b c")
        assert named.count() == 2
        by_host = link.objects.values("url__host").annotate(n=Count("url__query_params__q"))
        assert list(by_host) == [{"url__host": "h", "n": 1}]
        assert link.objects.filter(url__query_params__z="").update(url="https://h/a?q=1") == 1
        assert link.objects.filter(url__query_params__q=1).delete()[0] == 2


@pytest.mark.django_db(transaction=True)
def test_the_value_cannot_be_part_of_a_table() -> None:
    """An index and a generated column need SQL without parameters, which says so."""
    if not connection.features.supports_expression_indexes:
        pytest.skip("needs indexes on expressions, which Django leaves out on MariaDB")
    model = model_with(
        url=CanonicalURLField(),
        meta={"indexes": (models.Index(QueryParam("url", "q"), name="by_param"),)},
    )
    with (
        pytest.raises(NotSupportedError, match="QueryParam cannot be in an index"),
        connection.schema_editor(collect_sql=True) as editor,
    ):
        editor.add_index(model, model._meta.indexes[0])


@settings(deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(url_texts, st.text(max_size=5), st.text(max_size=8))
def test_any_url_any_name_and_any_value(text: str, name: str, value: str) -> None:
    """Every spelling that the parser makes is compared as Python compares it."""
    if not can_parse(text) or name.count("\ufffd") > 4 or value.count("\ufffd") > 4:
        return
    url = weburl.parse(text).add_query_param(name, value).add_query_param(name, "x")
    if len(url.href) > 2048:
        return
    Plain.objects.all().delete()
    Plain.objects.create(url=url)
    params = Plain.objects.annotate(param=QueryParam("url", name))
    first, *_others = values = values_of(url, name)
    assert params.filter(param=first).exists()
    assert not params.exclude(param=first).exists()
    assert params.filter(param=value).exists() == (scalar_values(value) == first)
    assert Plain.objects.filter(url__query_params__has=name).exists()
    assert params.get().param == as_stored(first)
    assert len(values) >= 2


def test_an_expression_is_never_larger_than_a_database_takes() -> None:
    """MariaDB has 64 kB for one, and longer operands are refused before they get there."""
    href = weburl.parse("https://h/").with_query_param("é" * 100, "ü" * 200).href
    insert(Plain, [href])
    params = Plain.objects.annotate(param=QueryParam("url", "é" * 100))
    assert params.filter(param="ü" * 200).count() == 1
    assert params.filter(param__in=["ü" * 200, "%" * 200, *map(str, range(1000))]).count() == 1
    params = Plain.objects.annotate(param=QueryParam("url", "%" * 900))
    with pytest.raises(ValidationError, match="together are too long"):
        params.filter(param="%" * 900).count()
    for text in ("a" * 1001, "é" * 501, "\ufffd" * 5):
        with pytest.raises(ValidationError, match="more than"):
            params.filter(param=text)


@pytest.mark.parametrize(
    "query",
    ["&" * 1_000_000, "a=b&" * 250_000, "%" * 1_000_000, "%C3%A9" * 160_000, "=%71" * 250_000],
)
def test_a_long_query_takes_no_memory_for_each_param(query: str) -> None:
    """No database gives up, and the last param of a megabyte is found."""
    url = Value(f"https://h/?{query}&q=a+b&q=2", CanonicalURLField(max_length=None))
    Plain.objects.create(url="https://h/")
    rows = Plain.objects.annotate(long=url)
    param = rows.annotate(param=QueryParam(F("long"), "q"))
    assert param.filter(param="a b").count() == 1
    assert param.filter(url__query_params__has="q").count() == 0
