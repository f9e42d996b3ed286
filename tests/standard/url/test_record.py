"""Tests of `URLRecord` as a value that is compared, copied, pickled, matched and shown."""

from __future__ import annotations

import inspect
import pickle
import weakref
from dataclasses import dataclass
from enum import Enum
from operator import eq, ge, gt, le, lt, ne
from typing import Any, cast

import attrs
import pytest
from hypothesis import given, reject
from hypothesis import strategies as st

from tests.strategies import bases_or_none, url_texts
from tests.wpt import load_cases
from weburl import (
    URL,
    Domain,
    EmptyHost,
    IPv6Address,
    OpaqueHost,
    URLParseError,
    URLRecord,
    can_parse,
    parse,
)
from weburl.standard.url.record import trusted_record
from weburl.standard.url.value import replaced

FULL = parse("https://user:secret@example.org:8443/a/b?c=d#e")
KINDS = (
    FULL,
    parse("https://example.org/"),
    parse("http://127.0.0.1/"),
    parse("http://[::1]:8080/?"),
    parse("file:///C:/x#"),
    parse("file://host/x"),
    parse("foo://opaque/a"),
    parse("foo://"),
    parse("foo:/.//a"),
    parse("mailto:you@example.org?subject=x"),
    parse("foo:"),
)
each_kind = pytest.mark.parametrize("record", KINDS, ids=str)
NAMES = ("scheme", "username", "password", "host", "port", "path", "query", "fragment")


def fields(record: URLRecord) -> tuple[Any, ...]:
    """Return the eight components of a record."""
    return tuple(getattr(record, name) for name in NAMES)


def with_components(record: URLRecord, **components: object) -> URLRecord:
    """Return the result of `copy.replace`, which exists since Python 3.13."""
    made: URLRecord = cast("Any", record).__replace__(**components)
    return made


def records_of_web_platform_tests() -> list[URLRecord]:
    """Return the record of each input that parses, in the order of the file."""
    return [
        parse(case["input"], case["base"])
        for case in load_cases("urltestdata.json")
        if not case.get("failure", False)
    ]


def test_a_record_has_the_eight_components_of_the_standard() -> None:
    """The constructor takes them in the same order, and only the scheme has no default."""
    assert tuple(inspect.signature(URLRecord).parameters) == URLRecord.__match_args__ == NAMES
    assert fields(FULL) == (
        "https",
        "user",
        "secret",
        Domain("example.org"),
        8443,
        ("a", "b"),
        "c=d",
        "e",
    )
    assert fields(URLRecord("foo")) == ("foo", "", "", None, None, "", None, None)


@each_kind
def test_a_record_is_frozen_and_has_no_other_attributes(record: URLRecord) -> None:
    """It has slots, so a misspelled name is an error."""
    assert not hasattr(record, "__dict__")
    for name in NAMES:
        with pytest.raises(attrs.exceptions.FrozenInstanceError):
            setattr(record, name, getattr(record, name))
        with pytest.raises(attrs.exceptions.FrozenInstanceError):
            delattr(record, name)
    for name in ("href", "origin", "hostname", "nothing_of_the_kind"):
        with pytest.raises(AttributeError):
            setattr(record, name, "a")


@each_kind
def test_a_record_made_by_its_constructor_of_its_own_fields_is_equal(record: URLRecord) -> None:
    """They are given by position, by name, and as `copy.replace` does."""
    made = URLRecord(*fields(record))
    assert made == URLRecord(**dict(zip(NAMES, fields(record), strict=True))) == record
    assert hash(made) == hash(record)
    assert made.href == record.href
    assert with_components(record) == record


@given(url_texts, bases_or_none)
def test_a_record_of_the_parser_is_made_again_by_its_constructor_and_by_its_href(
    text: str, base: str | None
) -> None:
    """The constructor refuses no record of the parser, and the href contains everything."""
    try:
        record = parse(text, base)
    except URLParseError:
        return
    made = URLRecord(*fields(record))
    assert made == record
    assert hash(made) == hash(record)
    assert record.href.isascii()
    assert parse(record.href) == record
    assert parse(record.href, "foo:opaque") == record
    assert parse(record.href).href == record.href


def test_records_are_equal_if_and_only_if_their_hrefs_are() -> None:
    """Every pair is compared."""
    records = records_of_web_platform_tests() + list(KINDS)
    hrefs = [record.href for record in records]
    assert len({*records}) == len({*hrefs})
    by_href = dict(zip(hrefs, records, strict=True))
    assert all(by_href[record.href] == record for record in records)
    assert len({hash(record) for record in records}) > len({*hrefs}) * 0.99


@st.composite
def texts_of_urls(draw: st.DrawFn) -> str:
    """Draw the text of a URL. About a third of `url_texts` are URLs."""
    for _ in range(5):
        text = draw(url_texts)
        if can_parse(text):
            return text
    return reject()


@given(texts_of_urls(), texts_of_urls())
def test_equal_records_have_equal_hrefs_and_hashes(one: str, other: str) -> None:
    """Records with other hrefs are not equal."""
    first, second = parse(one), parse(other)
    assert (first == second) == (first.href == second.href)
    assert first == parse(one)
    assert hash(first) == hash(parse(one))


@pytest.mark.filterwarnings("ignore::weburl.ComparedWithTextWarning")
def test_a_record_equals_no_text() -> None:
    """It is equal only to a record."""
    others: list[object] = [FULL.href, fields(FULL), None, Domain("example.org")]
    assert [other for other in others if other == FULL] == []


def test_records_are_ordered_by_href() -> None:
    """All four operators compare the hrefs."""
    records = sorted(KINDS)
    assert [record.href for record in records] == sorted(record.href for record in KINDS)
    assert sorted(KINDS, reverse=True) == records[::-1]
    low, high = records[0], records[-1]
    assert low < high
    assert low <= high
    assert low <= parse(low.href)
    assert high > low
    assert high >= low
    assert high >= parse(high.href)
    assert not low < parse(low.href)
    assert not low > parse(low.href)


@pytest.mark.parametrize("other", [FULL.href, None, 1, Domain("a")])
def test_a_record_is_not_ordered_with_anything_else(other: Any) -> None:
    """This includes its own text."""
    for compare in ("__lt__", "__le__", "__gt__", "__ge__"):
        assert getattr(FULL, compare)(other) is NotImplemented
    with pytest.raises(TypeError):
        sorted([FULL, other])


@each_kind
@pytest.mark.parametrize("protocol", range(pickle.HIGHEST_PROTOCOL + 1))
def test_a_record_pickles_in_every_protocol(record: URLRecord, protocol: int) -> None:
    """The result is equal, and has all methods of a record."""
    other = pickle.loads(pickle.dumps(record, protocol))
    assert type(other) is URLRecord
    assert other == record
    assert hash(other) == hash(record)
    assert other.href == record.href
    assert other.with_fragment("x") == record.with_fragment("x")


@pytest.mark.parametrize("protocol", range(pickle.HIGHEST_PROTOCOL + 1))
@pytest.mark.parametrize("text", ["https://u:p@example.com:81/a?q#f", "http://[::1]/", "foo:a"])
def test_each_build_reads_the_pickles_of_the_other(text: str, protocol: int) -> None:
    """The interpreted build uses the `__reduce_ex__` of `object`."""
    record = parse(text)
    values = (record.scheme, record.username, record.password, record.host, record.port)
    host = record.host.value if isinstance(record.host, Domain) else record.host
    state = (*values[:3], host, record.port, record.path_text, record.query, record.fragment)
    assert record.__getstate__() == state
    assert pickle.loads(pickle.dumps(record, protocol)) == record
    make, arguments, *given = cast("Any", object.__reduce_ex__(record, protocol))
    again = make(*arguments)
    again.__setstate__(given[0])
    assert again == record
    assert type(again.host) is type(record.host)


def test_operators_see_no_difference_between_a_record_and_one_of_a_subclass() -> None:
    """In the compiled build, the operators of a subclass are other code."""

    class Other(URLRecord):
        pass

    records = [*KINDS, *(parse(record.href) for record in KINDS), parse("http://[::2]/")]
    others = [Other(*fields(record)) for record in records]
    for a, x in zip(records, others, strict=True):
        assert hash(a) == hash(x)
        for b, y in zip(records, others, strict=True):
            for operate in (eq, ne, lt, le, gt, ge):
                expected = operate(a.href, b.href)
                for one, other in ((a, b), (a, y), (x, b), (x, y)):
                    assert operate(one, other) is expected


def test_replacing_components_of_a_record_checks_what_it_makes() -> None:
    """A component must be in its final form, unlike the value for a setter."""
    assert with_components(FULL, query=None, fragment="a%20b").href.endswith("/a/b#a%20b")
    with pytest.raises(ValueError, match="fragment"):
        with_components(FULL, fragment="a b")
    with pytest.raises(TypeError, match="nothing_of_the_kind"):
        with_components(FULL, nothing_of_the_kind="a")


def test_a_record_matches_patterns() -> None:
    """Patterns name its components or use their order, and match the host too."""

    def kind(record: URLRecord) -> str:
        match record:
            case URLRecord(scheme="mailto", path=str(address)):
                return f"mail to {address}"
            case URLRecord("http" | "https", host=Domain(name), path=(*_, last)):
                return f"{last!r} on {name}"
            case URLRecord(host=IPv6Address(number)):
                return f"address {number}"
            case URLRecord(scheme="file", host=EmptyHost(), path=(drive, *_)):
                return f"drive {drive}"
            case URLRecord("foo", "", "", OpaqueHost(name)):
                return f"opaque {name}"
            case URLRecord(host=None):
                return "no host"
        return "other"

    assert [kind(record) for record in KINDS] == [
        "'b' on example.org",
        "'' on example.org",
        "other",
        "address 1",
        "drive C:",
        "other",
        "opaque opaque",
        "other",
        "no host",
        "mail to you@example.org",
        "no host",
    ]
    assert URLRecord.__match_args__ == NAMES


def test_repr_hides_the_password_and_nothing_else() -> None:
    """This holds inside other objects. `str` shows the password."""
    assert repr(FULL) == "URLRecord('https://***:***@example.org:8443/a/b?c=d#e')"
    assert "secret" not in f"{[FULL]!r} {FULL!r}"
    assert "secret" in str(FULL)
    assert repr(parse("https://secret@h/")) == "URLRecord('https://***@h/')"
    assert repr(parse("https://:x@h/")) == "URLRecord('https://:***@h/')"
    for record in KINDS[1:]:
        assert repr(record) == f"URLRecord({record.href!r})"


@each_kind
def test_str_and_format_give_the_href(record: URLRecord) -> None:
    """A width works as with any text."""
    assert str(record) == f"{record!s}" == record.href
    width = len(record.href) + 3
    assert f"{record:>{width}}" == f"   {record.href}"


@pytest.mark.parametrize(
    ("text", "special", "opaque", "credentials", "bare"),
    [
        ("https://h/", True, False, False, False),
        ("https://u@h/", True, False, True, False),
        ("https://:p@h/", True, False, True, False),
        ("wss://h/", True, False, False, False),
        ("file:///", True, False, False, True),
        ("file://h/", True, False, False, True),
        ("foo://h", False, False, False, False),
        ("foo://u:p@h", False, False, True, False),
        ("foo://", False, False, False, True),
        ("foo:/", False, False, False, True),
        ("foo:", False, True, False, True),
        ("foo:a", False, True, False, True),
    ],
)
def test_a_record_answers_four_questions(
    text: str, special: bool, opaque: bool, credentials: bool, bare: bool
) -> None:
    """The standard has a name for each."""
    record = parse(text)
    assert record.is_special is special
    assert record.has_opaque_path is opaque
    assert record.includes_credentials is credentials
    assert record.cannot_have_a_username_password_or_port is bare


@pytest.mark.parametrize(
    ("text", "path"),
    [
        ("https://h", "/"),
        ("https://h/a//b/?q", "/a//b/"),
        ("foo://h", ""),
        ("foo://h/", "/"),
        ("foo:/.//a", "//a"),
        ("foo:a/b c", "a/b c"),
        ("foo:", ""),
        ("file:///C|/", "/C:/"),
    ],
)
def test_the_path_as_text_is_text_whatever_its_kind(text: str, path: str) -> None:
    """It does not have the "/." that an href may need before it."""
    assert parse(text).path_text == path


@pytest.mark.parametrize(
    ("text", "pairs"),
    [
        ("https://h/", ()),
        ("https://h/?", ()),
        ("https://h/?a=b&a=%C3%A9+%2B&c&=&", (("a", "b"), ("a", "\u00e9 +"), ("c", ""), ("", ""))),
        ("foo:a?b=c", (("b", "c"),)),
        ("https://h/??a=b", (("?a", "b"),)),
        ("https://h/?%FF", (("\ufffd", ""),)),
    ],
)
def test_the_query_is_read_as_names_and_values(
    text: str, pairs: tuple[tuple[str, str], ...]
) -> None:
    """They are decoded, in order, and with duplicates."""
    assert parse(text).query_pairs == pairs


def test_a_record_joins_text_and_stays_as_it_is() -> None:
    """The base is a value and does not change."""
    base = parse("https://h/a/b?q#f")
    assert base.join("../c").href == "https://h/c"
    assert base.join("//other").href == "https://other/"
    assert base.join("") == parse("https://h/a/b?q")
    assert base.href == "https://h/a/b?q#f"
    with pytest.raises(URLParseError):
        parse("foo:a").join("b")


def test_the_parsers_own_constructors_check_nothing() -> None:
    """They exist to be fast, for components that need no check."""
    unsound = trusted_record("HTTP", "", "", FULL.host, 80, "/..", None, None)
    assert fields(unsound) == ("HTTP", "", "", FULL.host, 80, ("..",), None, None)
    stored = (*fields(FULL)[:5], FULL.path_text, *fields(FULL)[6:])
    assert trusted_record(*stored) == FULL
    assert hash(trusted_record(*stored)) == hash(FULL)
    assert fields(replaced(FULL, port=443, query=None)) == (
        *fields(FULL)[:4],
        443,
        ("a", "b"),
        None,
        "e",
    )
    assert replaced(FULL) == FULL


def test_a_record_can_be_referred_to_weakly() -> None:
    """Caches do that."""
    import weakref

    record = parse("https://example.org/")
    assert weakref.ref(record)() is record


@pytest.mark.parametrize(
    "text",
    [
        "https://user:secret@ex ample/",
        "https:user:secret@ex ample/",
        "https:/user:secret@ex ample/",
        "https://user@mail:secret@ex ample/",
        "https:/\t/user:secret@ex ample/",
        "\\\\user:secret@ex ample",
        "foo://user:back\\secret@ex ample/",
        "foo://:secret@:1",
    ],
)
def test_an_error_hides_what_the_parser_takes_for_a_password(text: str) -> None:
    """It is between the first colon of the authority and its last at sign."""
    with pytest.raises(URLParseError) as caught:
        parse(text, "ftp://example.org/")
    assert "secret" not in str(caught.value)
    assert "secret" not in repr(caught.value)
    assert "secret" not in repr(caught.value.report)
    assert "secret" in caught.value.input


def test_an_error_hides_the_password_that_a_url_cannot_have() -> None:
    """Logs keep errors, and need not keep passwords."""
    with pytest.raises(URLParseError) as caught:
        parse("foo:a").with_password("secret")
    assert "secret" not in str(caught.value)
    assert "secret" not in repr(caught.value)


# --- subclasses of records, and the slots that are there


@pytest.mark.parametrize(
    "decorate",
    [
        attrs.define(init=False, eq=False, repr=False, kw_only=True, getstate_setstate=False),
        dataclass(init=False, eq=False, repr=False, slots=True, weakref_slot=True),
    ],
)
def test_what_adds_slots_to_a_subclass_finds_those_of_the_record(decorate: Any) -> None:
    """In the compiled build, attrs once added a slot for weak references, which was a TypeError."""
    made = decorate(type("Noted", (URLRecord,), {"__annotations__": {"note": str, "host": object}}))
    assert made.__slots__ == ("note",)
    record = made("https", host=Domain("example.com"))
    object.__setattr__(record, "note", "x")
    assert (record.note, record.href) == ("x", "https://example.com/")
    assert record.__weakref__ is None
    reference = weakref.ref(record)
    assert record.__weakref__ is reference
    domain = decorate(type("Named", (Domain,), {"__annotations__": {"value": str}}))
    assert domain.__slots__ == ("__weakref__",)
    assert str(domain("example.com")) == "example.com"


@pytest.mark.parametrize("value", [FULL, FULL.host], ids=["record", "domain"])
def test_errors_of_the_interpreter_name_the_class_in_both_builds(value: Any) -> None:
    """They omit its module, as for every class in Python."""
    with pytest.raises(AttributeError) as caught:
        _ = value.nothing
    assert f"{type(value).__name__}' object has no attribute 'nothing'" in str(caught.value)
    assert "weburl." not in str(caught.value)


# --- subclasses of str


class Member(str, Enum):  # noqa: UP042  # these print as "Member.DOTS"
    """An enumeration whose members are printed differently from their text."""

    HTTPS = "https"
    DOTS = ".."
    SPACE = "a b"
    PLAIN = "plain"


def test_what_a_record_is_made_of_by_hand_becomes_plain_strings() -> None:
    """They are printed as their text."""
    plain = Member.PLAIN
    record = URLRecord(
        Member.HTTPS, plain, plain, Domain(plain), 8080, (plain, plain), plain, plain
    )
    expected = parse("https://plain:plain@plain:8080/plain/plain?plain#plain")
    assert (record, hash(record), record.href) == (expected, hash(expected), expected.href)
    opaque = URLRecord("foo", path=plain)
    values = [*fields(record), *fields(opaque), *record.path, record.path_text]
    assert {type(value) for value in values} == {str, tuple, int, type(None), Domain}
    assert type(opaque.path_text) is str
    assert URLRecord(Member.HTTPS, host=Domain("h")) == parse("https://h/")


@pytest.mark.parametrize(
    "components",
    [
        {"path": (Member.DOTS,)},
        {"path": (Member.SPACE,)},
        {"query": Member.SPACE},
        {"fragment": Member.SPACE},
        {"username": Member.SPACE},
        {"scheme": Member.HTTPS, "path": ()},
    ],
)
def test_what_no_parser_makes_is_refused_whatever_it_prints_as(components: Any) -> None:
    """The text that the record would store is checked."""
    with pytest.raises(ValueError, match=r"dot segment|percent-encoded|without segments"):
        URLRecord(**{"scheme": "https", "host": Domain("h"), **components})


def test_what_a_refusal_says_of_its_text_is_a_plain_string() -> None:
    """The text may be a member of an enumeration."""
    with pytest.raises(URLParseError, match="port to 'plain'") as caught:
        FULL.with_port(Member.PLAIN)
    assert (type(caught.value.input), caught.value.input) == (str, "plain")


@pytest.mark.parametrize(
    ("text", "host_port", "userinfo", "username", "password"),
    [
        ("https://example.com:443/", "example.com", "", "", ""),
        ("https://a%40b:c%20%@[::1]:8080/", "[::1]:8080", "a%40b:c%20%", "a@b", "c %"),
        ("https://:c@h/", "h", ":c", "", "c"),
        ("https://a:@h:0/", "h:0", "a", "a", ""),
        ("foo://%ff:%FE@Ex:80", "Ex:80", "%ff:%FE", "\ufffd", "\ufffd"),
        ("file:///a", "", "", "", ""),
        ("mailto:me@example.com", "", "", "", ""),
    ],
)
def test_the_authority_of_a_record_in_pieces(
    text: str, host_port: str, userinfo: str, username: str, password: str
) -> None:
    """Its pieces are returned as written, and the credentials also decoded."""
    record = parse(text)
    assert (record.host_port, record.userinfo) == (host_port, userinfo)
    assert (record.decoded_username, record.decoded_password) == (username, password)
    assert record.host_port == URL(record).host
    authority = f"{userinfo}@{host_port}" if userinfo else host_port
    assert record.host is None or f"{record.scheme}://{authority}{record.path_text}" == record.href
    assert not userinfo or userinfo not in repr(record)


@pytest.mark.parametrize(
    ("url", "full_path"),
    [
        ("https://example.com/a%20b?q=1&r#f", "/a%20b?q=1&r"),
        ("https://example.com", "/"),
        ("https://example.com/a?", "/a?"),
        ("mailto:a@b.example?subject=x", "a@b.example?subject=x"),
    ],
)
def test_the_full_path_has_the_query(url: str, full_path: str) -> None:
    """As in a request; a fragment is never sent."""
    assert parse(url).full_path == full_path
