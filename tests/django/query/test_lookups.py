"""Tests of `query.lookups`: operands, and what ``exclude()`` keeps."""

from __future__ import annotations

import ipaddress
import pickle
from typing import Any

import pytest
from django.core.exceptions import EmptyResultSet, FieldError, ValidationError
from django.db import connection
from django.db.models import Q, Value
from django.db.models.functions import Lower
from hypothesis import given
from hypothesis import strategies as st

import weburl
from django_whatwg_url.functions import PART_EXPRESSIONS, URLHost
from django_whatwg_url.query.fields import URLPartField, URLPortField
from django_whatwg_url.query.lookups import PORT_LOOKUPS, TEXT_PART_LOOKUPS
from django_whatwg_url.query.operands import TEXT_PARTS, operand_forms
from django_whatwg_url.rules.hosts import host_operand
from tests.django.hrefs import PARTS, insert, is_host_under, misleading_hrefs, parts_of, wpt_hrefs
from tests.django.partsapp.models import Generated, Plain
from tests.django.siteapp.models import Issuer, Item, Link
from tests.django.testapp.models import Bookmark
from tests.strategies import is_printable
from weburl import Domain, EmptyHost, IPv4Address, IPv6Address, OpaqueHost, OpaqueOrigin, URLRecord

URLS = (
    "https://example.com/docs/?q=1#top",
    "https://www.example.com:8080/docs/a/b",
    "https://user%20name@badexample.com/docs2",
    "https://xn--bcher-kva.example/caf%C3%A9?caf%C3%A9=%27#caf%C3%A9",
    "https://www.xn--bcher-kva.example./",
    "http://127.0.0.1/",
    "http://[::1]:8080/docs",
    "file:///docs/",
    "foo://EXAMPLE.com/docs\\a?'",
    "foo://127.0.0.1/",
    "mailto:me%00@example.com",
    "blob:https://example.com/1",
)


@pytest.fixture
def stored(db: None) -> None:
    """Store the URLs, and a row without one."""
    insert(Plain, URLS)
    Plain.objects.create(url=None)


def found(**lookups: Any) -> list[str]:
    """Return the URLs that a filter finds, and check that ``exclude()`` finds all others."""
    rows = Plain.objects.filter(**lookups)
    others = Plain.objects.exclude(**lookups)
    assert rows.count() + others.count() == Plain.objects.count()
    assert not set(rows) & set(others)
    return sorted(str(row.url) for row in rows)


@pytest.mark.usefixtures("stored")
@pytest.mark.parametrize(
    ("lookup", "operand", "expected"),
    [
        ("scheme", "HTTP", [5, 6]),
        ("scheme", "http:", [5, 6]),
        ("username", "user name", [2]),
        ("username", "user%20name", [2]),
        ("host", "EXAMPLE.com", [0, 8]),
        ("host", "Example.COM", [0]),
        ("host", "example.com", [0]),
        ("host", Domain("example.com"), [0]),
        ("host", OpaqueHost("EXAMPLE.com"), [8]),
        ("host", "BÜCHER.example", [3]),
        ("host", "127.1", [5, 9]),
        ("host", "127.0.0.1", [5, 9]),
        ("host", IPv4Address(0x7F000001), [5, 9]),
        ("host", ipaddress.ip_address("127.0.0.1"), [5, 9]),
        ("host", "[0:0::1]", [6]),
        ("host", IPv6Address(1), [6]),
        ("host", ipaddress.ip_address("::1"), [6]),
        ("host", "", [7]),
        ("host", EmptyHost(), [7]),
        ("host", "example.com.", []),
        ("hostname", "", [7, 10, 11]),
        ("hostname", "EXAMPLE.com", [0, 8]),
        ("port", 8080, [1, 6]),
        ("port", "8080", [1, 6]),
        ("port", 443, []),
        ("path", "/docs/", [0, 7]),
        ("path", "/x/../docs/./", [0, 7]),
        ("path", "/café", [3]),
        ("path", "/docs\\a", [8]),
        ("path", "\\docs\\", [0, 7]),
        ("path", "me\0@example.com", [10]),
        ("path", "/", [4, 5, 9]),
        ("path", "", []),
        ("query", "café='", [3]),
        ("query", "'", [8]),
        ("query", "q=1", [0]),
        ("query", "", []),
        ("fragment", "café", [3]),
        ("origin", "https://EXAMPLE.com:443", [0]),
        ("origin", "https://example.com/other/path", [0]),
        ("origin", "null", []),
        ("origin", OpaqueOrigin(), []),
        ("origin", weburl.origin_of("https://example.com/a"), [0]),
        ("origin", "mailto:x", []),
        ("origin", "file:///home/me", []),
        ("origin", "web+demo://host/", []),
        ("origin", "blob:https://example.com/2", [0]),
        ("origin", "", []),
    ],
)
def test_any_spelling_of_a_part_finds_it(lookup: str, operand: object, expected: list[int]) -> None:
    """This applies to exact and in. Other rows are excluded, including NULL."""
    urls = sorted(URLS[number] for number in expected)
    assert found(**{f"url__{lookup}": operand}) == urls
    assert found(**{f"url__{lookup}__in": [operand]}) == urls


@pytest.mark.django_db
@pytest.mark.parametrize("operand", ["https", "", ":8080", "80a", (), "0x50", b"x"])
def test_a_port_that_is_not_a_number_is_refused(operand: Any) -> None:
    """Every lookup refuses it, as for other parts."""
    insert(Plain, URLS)
    lookups: dict[str, Any] = dict.fromkeys(("exact", "gt", "gte", "lt", "lte"), operand)
    lookups |= {"in": [8080, operand], "range": (1, operand)}
    for name, value in lookups.items():
        with pytest.raises(ValidationError, match="value must be an integer"):
            found(**{f"url__port__{name}": value})
    assert len(found(url__port="8080")) == len(found(url__port=8080)) == 2
    assert found(url__port=None) == found(url__port__isnull=True)


@pytest.mark.django_db
def test_an_asterisk_in_a_parent_host_is_no_wildcard() -> None:
    """A host may contain one, or begin with a dot: a value finds it. In text, these are signs."""
    urls = ["https://*.example.com/", "https://a.*.example.com/", "https://www.example.com/"]
    insert(Plain, [*urls, "https://.example.com/"])
    assert found(url__host__under=weburl.parse(urls[0]).host) == sorted(urls[:2])
    assert found(url__host__under=weburl.Domain(".example.com")) == ["https://.example.com/"]
    with pytest.raises(ValidationError, match="Expected a host"):
        found(url__host__under="*.EXAMPLE.com")
    for operand in (".example.com", ".EXAMPLE.com", ".%65xample.com"):
        assert len(found(url__host__under=operand)) == 4
    assert found(url__host="*.example.com") == urls[:1]
    assert len(found(url__host__under="example.com")) == 4


@pytest.mark.django_db
def test_delimiters_belong_to_no_part() -> None:
    """An operand with a delimiter is another value, which few URLs have."""
    insert(Plain, ["https://h/??a=1##b", "https://h/?a=1#b", "news:docs", "https://h/docs"])
    assert found(url__query="?a=1") == found(url__fragment="#b") == ["https://h/??a=1##b"]
    assert found(url__query="a=1") == found(url__fragment="b") == ["https://h/?a=1#b"]
    assert found(url__path="docs") == ["news:docs"]


@pytest.mark.django_db
def test_a_space_behind_an_operand_counts() -> None:
    """MariaDB would compare as if there were none; at the end of a path it is written "%20"."""
    insert(Plain, ["foo:a", "foo:", "foo:a%20?q", "foo:a b", "https://h/?a#a"])
    assert found(url__path="a") == ["foo:a"]
    assert found(url__path="a ") == found(url__path__in=["a "]) == ["foo:a%20?q"]
    assert found(url__path=" ") == found(url__path="  ") == []
    assert found(url__path="a b ") == []
    assert found(url__path__iexact="A ") == ["foo:a%20?q"]
    assert found(url__path__range=("a ", "a ")) == ["foo:a%20?q"]
    assert found(url__path__under="a ") == ["foo:a%20?q"]
    assert found(url__query="a ") == found(url__fragment="a ") == []
    assert found(url__path__endswith="a ") == ["foo:a%20?q"]
    assert Plain.objects.filter(url__path=Value("a ")).count() == 0


@pytest.mark.parametrize(
    ("part", "operand"),
    [
        ("scheme", ""),
        ("scheme", "http://"),
        ("scheme", "1a"),
        ("scheme", "\u212aa"),
        ("scheme", "a\n"),
        ("host", "exa mple.com"),
        ("host", "example.com:80"),
        ("host", "https://example.com"),
        ("host", "example.com/"),
        ("host", "::1"),
        ("host", "[::1"),
        ("host", "a\\b"),
        ("host", "user:secret@example.com"),
        ("host", ipaddress.ip_address("fe80::1%eth0")),
        ("host", weburl.parse("https://example.com")),
        ("hostname", "a b"),
        ("origin", "example.com"),
        ("origin", "https://user:secret@exa mple.com"),
    ],
)
@pytest.mark.parametrize("lookup", ["exact", "in", "gt"])
def test_what_cannot_be_such_a_part_is_an_error(part: str, operand: object, lookup: str) -> None:
    """It is raised before the query runs, without a password in the message."""
    value = [operand] if lookup == "in" else operand
    with pytest.raises(ValidationError) as caught:
        Plain.objects.filter(**{f"url__{part}__{lookup}": value})
    assert caught.value.code
    assert "secret" not in str(caught.value)
    assert caught.value.messages[0]


@pytest.mark.django_db
@pytest.mark.parametrize("part", PARTS)
def test_every_part_in_web_platform_tests_finds_its_rows(part: str) -> None:
    """The value that the database returns is an operand that finds all rows with it."""
    hrefs = [*wpt_hrefs(), *misleading_hrefs()]
    insert(Plain, hrefs)
    values = {parts_of(weburl.parse(href))[part] for href in hrefs}
    assert len(values) > 1
    part_of = {href: parts_of(weburl.parse(href))[part] for href in hrefs}
    for value in values:
        found_rows = Plain.objects.filter(**{f"url__{part}": value})
        rows = {str(row.url) for row in found_rows}
        assert {href for href in hrefs if part_of[href] == value} <= rows
        if value is not None and part != "port":
            # The same text may be another host where the scheme is not special.
            assert {part_of[href] for href in rows} <= set(operand_forms(part, value))


@pytest.mark.django_db
@pytest.mark.parametrize("model", [Plain, Generated])
def test_under_agrees_with_python_on_every_host_of_web_platform_tests(model: Any) -> None:
    """Each host, and each of its ends, asked for by expression and by generated column."""
    more = [
        "https://k.l.a.b.c.d.e.f.g.h.i.j.k.example.com/",
        "https://b.c.d.e.f.g.h.i.j.k.example/",
    ]
    hrefs = sorted({*wpt_hrefs(), *misleading_hrefs(), *more})
    insert(model, hrefs)
    hosts = {record.host for record in map(weburl.parse, hrefs) if record.host is not None}
    domains = {str(host) for host in hosts if isinstance(host, Domain)}
    ends = {host[at + 1 :] for host in domains for at in range(len(host)) if host[at] == "."}
    asked = 0
    for text in sorted(domains | {end for end in ends if end}):
        host = weburl.parse("https://host/").with_hostname(text).host
        if not isinstance(host, Domain) or str(host) != text:
            continue
        asked += 1
        expected = {
            href
            for href in hrefs
            for found_host in [parts_of(weburl.parse(href))["host"]]
            if is_host_under(found_host, text)
        }
        rows = model.objects.filter(url__host__under=host)
        assert {str(row.url) for row in rows} == expected, text
        if model is Generated:
            assert set(model.objects.filter(host__under=host)) == set(rows)
    assert asked > 80


@pytest.mark.parametrize("part", ["scheme", "username", "port", "query", "fragment", "origin"])
def test_only_hosts_and_paths_have_something_under_them(part: str) -> None:
    """Elsewhere it is as unknown as any lookup that is not there."""
    with pytest.raises(FieldError, match="Unsupported lookup 'under'"):
        Plain.objects.filter(**{f"url__{part}__under": "x"})


def test_under_takes_neither_none_nor_what_is_no_host() -> None:
    """Other lookups do not accept these either."""
    with pytest.raises(ValueError, match="None"):
        Plain.objects.filter(url__host__under=None)
    with pytest.raises(ValidationError):
        Plain.objects.filter(url__host__under="exa mple.com")


@pytest.mark.usefixtures("stored")
def test_lookups_reach_annotations_and_take_expressions() -> None:
    """The type of an expression is a field that normalizes in the same way."""
    hosts = Plain.objects.annotate(h=URLHost("url"))
    assert hosts.get(h="BÜCHER.example").url == weburl.parse(URLS[3])
    assert hosts.filter(h__under="example.com").count() == 2
    # The row without a URL is neither, as with any annotation.
    assert hosts.exclude(h="example.com").count() == len(URLS) - 1
    assert hosts.filter(h=Lower(Value("EXAMPLE.com"))).count() == 1
    assert hosts.filter(h__in=[Value("example.com"), "127.1"]).count() == 3
    assert hosts.filter(Q(h=None)).count() == 3
    sliced = Plain.objects.filter(pk__in=Plain.objects.filter(url__host="EXAMPLE.com").values("pk"))
    assert sliced.count() == 2


def test_the_lookups_have_the_names_of_those_they_replace() -> None:
    """Each once, and none of the plain ones is left."""
    assert len({lookup.lookup_name for lookup in TEXT_PART_LOOKUPS}) == len(TEXT_PART_LOOKUPS) == 16
    assert len({lookup.lookup_name for lookup in PORT_LOOKUPS}) == len(PORT_LOOKUPS) == 16
    for name, lookup in URLPartField.get_class_lookups().items():
        assert lookup.__module__.startswith("django_whatwg_url.") or name == "isnull", name
    for expression in PART_EXPRESSIONS.values():
        assert isinstance(expression("url").output_field, URLPartField | URLPortField)


def forms_or_message(part: str, operand: object) -> tuple[tuple[str, ...], str]:
    """Return what an operand stands for, or the one sentence that says why it cannot."""
    try:
        return operand_forms(part, operand), ""
    except ValidationError as error:
        (message,) = error.messages
        return (), message


@given(st.sampled_from(TEXT_PARTS), st.text() | st.binary() | st.integers())
def test_no_operand_makes_anything_but_canonical_text_or_a_validation_error(
    part: str, operand: object
) -> None:
    """Printable ASCII, and a form of a form is among its own forms."""
    forms, message = forms_or_message(part, operand)
    assert is_printable(message)
    assert len(set(forms)) == len(forms) <= 2
    for form in forms:
        assert form.isascii()
        assert form.isprintable()
        assert form in operand_forms(part, form)


@given(st.text("aznx01-.", max_size=12))
def test_a_plain_domain_is_what_the_parser_makes_of_it(text: str) -> None:
    """So it need not be parsed: numbers at the end and Punycode are parsed."""
    try:
        hosts = tuple(map(str, host_operand(text)))
    except ValidationError:
        hosts = ()
    assert forms_or_message("host", text)[0] == hosts


@pytest.mark.parametrize("part", TEXT_PARTS)
@pytest.mark.parametrize(
    "text", ["\ud800", "\0", "\u202e", "a" * 10**6, "." * 10**6, "/../" * 10**5, "@" * 10**6]
)
def test_hostile_operands_are_no_trouble(part: str, text: str) -> None:
    """They become text, or a short message."""
    forms, message = forms_or_message(part, text)
    assert all(form.isascii() for form in forms)
    assert len(message) < 300


_LOOKUPS = (
    "exact",
    "iexact",
    "in",
    "contains",
    "icontains",
    "startswith",
    "endswith",
    "gt",
    "under",
)


@pytest.mark.parametrize(
    "field", ["url", *(f"url__{part}" for part in TEXT_PARTS if part != "reversed_host")]
)
def test_no_value_is_in_the_sql(field: str) -> None:
    """Every value is a parameter of the query."""
    sent = 0
    for lookup in _LOOKUPS:
        for value in ("hunter2", "/hunter2", "https://hunter2.example/'--", "hunter2'; --%s\"`\\"):
            operand = [value] if lookup == "in" else value
            try:
                query = Plain.objects.filter(**{f"{field}__{lookup}": operand}).query
                sql, params = query.get_compiler(connection=connection).as_sql()
            except (ValidationError, FieldError, EmptyResultSet):
                continue
            assert "hunter2" not in sql
            assert sql.count("'") % 2 == 0
            sent += any("hunter2" in str(param) for param in params)
    assert sent >= 8


def test_a_part_field_knows_its_part() -> None:
    """Another part is refused."""
    with pytest.raises(ValueError, match="'port' is not a part of a URL"):
        URLPartField("port")
    field = URLPartField("host", max_length=50)
    _name, path, args, kwargs = field.deconstruct()
    assert (path, args, kwargs) == (
        "django_whatwg_url.generated.URLPartField",
        ["host"],
        {"max_length": 50},
    )
    assert field.clone().part == "host"
    assert field.get_prep_value(None) is None
    assert field.get_prep_value("EXAMPLE.com") == "example.com"
    assert isinstance(weburl.parse("a:b"), URLRecord)


@pytest.mark.parametrize(
    ("model", "conditions"),
    [
        (Issuer, {"url__contains": "x", "url__gt": "x"}),
        (Bookmark, {"url": "https://x.example/", "url__gt": "https://x.example/"}),
        (Bookmark, {"url__contains": "x", "url__path__contains": "x", "url__port__gt": 1}),
        (Bookmark, {"url__port__contains": "1", "url__port__in": [1]}),
        (Bookmark, {"url__query_params__has": "x", "url__query_params__q__in": ["x"]}),
        (Link, {"site__contains": "x"}),
        (Item, {"item__contains": "1", "item__gt": "1"}),
    ],
)
def test_a_query_can_be_pickled(model: Any, conditions: dict[str, Any]) -> None:
    """Lookups that are made of others are found in their modules."""
    query = model._default_manager.filter(**conditions).query
    assert str(pickle.loads(pickle.dumps(query))) == str(query)
