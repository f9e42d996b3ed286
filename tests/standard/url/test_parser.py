"""Tests of `url.parser` with web-platform-tests, known traps, and hostile input.

The traps are those that splitting a URL, rather than walking through it, can fall into.
"""

from __future__ import annotations

import random
from collections.abc import Callable
from functools import partial
from typing import Any, Final

import pytest

from tests.agreement import web_attributes
from tests.standard_tables import URLS
from tests.wpt import load_cases
from weburl import (
    URL,
    URLParseError,
    URLRecord,
    can_parse,
    canonicalize,
    check,
    is_valid_url_string,
    parse,
)
from weburl.standard.hosts.values import Domain, EmptyHost, IPv4Address, IPv6Address, OpaqueHost
from weburl.standard.infra.errors import ErrorList, Failure
from weburl.standard.infra.errors import ValidationErrorType as Type
from weburl.standard.url.api import parse_generally as parse_url
from weburl.standard.url.parser import parse_port, split_host_and_port


def href(text: str, base: str | None = None) -> str | None:
    """Return the href of ``text``, or None if it does not parse."""
    try:
        return parse(text, base).href
    except URLParseError:
        return None


def cause(text: str, base: str | None = None) -> Type | None:
    """Return the type of the error of a text that does not parse."""
    with pytest.raises(URLParseError) as caught:
        parse(text, base)
    return caught.value.type


def authority(text: str) -> tuple[str, str, str, int | None]:
    """Return the username, password, host and port in ``text``."""
    record = parse(text)
    return record.username, record.password, str(record.host), record.port


# --- web-platform-tests ----------------------------------------------------------------------


@pytest.mark.parametrize(
    ("name", "count", "failures", "compared"),
    [
        ("urltestdata.json", 891, 267, 624 * 10 + 411),
        ("urltestdata-javascript-only.json", 1, 0, 11),
    ],
)
def test_every_url_of_web_platform_tests_is_parsed_as_expected(
    name: str, count: int, failures: int, compared: int
) -> None:
    """`parse` and `URL` are called, with a base as text and as a record."""
    cases = load_cases(name)
    wrong: list[object] = []
    counted = 0
    for case in cases:
        input, base = case["input"], case["base"]
        base_record = None if base is None or not can_parse(base) else parse(base)
        if case.get("failure", False):
            if can_parse(input, base) or URL.parse(input, base) is not None or href(input, base):
                wrong.append(case)
            continue
        record = parse(input, base_record)
        attributes = web_attributes(record)
        expected = {key: case[key] for key in attributes if key in case}
        counted += len(expected)
        url = URL(input, base)
        if (
            {key: attributes[key] for key in expected} != expected
            or {key: getattr(url, key) for key in expected} != expected
            or not url.record == parse(input, base) == record
            or canonicalize(input, base) != case["href"]
            or not can_parse(input, base)
        ):
            wrong.append((case, attributes))
    assert wrong == []
    assert len(cases) == count
    assert sum(bool(case.get("failure")) for case in cases) == failures
    assert counted == compared


@pytest.mark.parametrize(
    ("text", "base", "expected"),
    [(text, base, output) for text, base, _, output in URLS],
)
def test_urls_are_those_of_the_standards_table(
    text: str, base: str | None, expected: str | None
) -> None:
    """The table has inputs and outputs."""
    assert href(text, base) == expected


@pytest.mark.parametrize(
    ("text", "components"),
    [
        ("https://example.com/", ("https", Domain("example.com"), None, ("",), None, None)),
        (
            "https://localhost:8000/search?q=text#hello",
            ("https", Domain("localhost"), 8000, ("search",), "q=text", "hello"),
        ),
        ("urn:isbn:9780307476463", ("urn", None, None, "isbn:9780307476463", None, None)),
        (
            "file:///ada/Analytical%20Engine/README.md",
            ("file", EmptyHost(), None, ("ada", "Analytical%20Engine", "README.md"), None, None),
        ),
        ("http://127.1:80", ("http", IPv4Address(0x7F000001), None, ("",), None, None)),
        ("foo://[::1]:80", ("foo", IPv6Address(1), 80, (), None, None)),
        ("foo://127.1?#", ("foo", OpaqueHost("127.1"), None, (), "", "")),
        ("foo://", ("foo", EmptyHost(), None, (), None, None)),
        ("foo:/", ("foo", None, None, ("",), None, None)),
    ],
)
def test_components_are_those_of_the_standards_table(
    text: str, components: tuple[object, ...]
) -> None:
    """Types are compared too, so null and empty differ."""
    record = parse(text)
    assert components == (
        record.scheme,
        record.host,
        record.port,
        record.path,
        record.query,
        record.fragment,
    )


# --- nine traps ------------------------------------------------------------------------------


def test_a_fragment_is_split_off_before_a_query_but_not_by_a_setter() -> None:
    """Trap 1: with a state override, "?" and "#" are not always delimiters."""
    record = parse("https://h/a#b?c")
    assert (record.path, record.query, record.fragment) == (("a",), None, "b?c")
    record = parse("https://h/a?b#c?d#e")
    assert (record.query, record.fragment) == ("b", "c?d#e")
    url = URL("https://h/")
    url.pathname = "a#b?c"
    assert url.href == "https://h/a%23b%3Fc"
    url.search = "a#b?c"
    assert url.href == "https://h/a%23b%3Fc?a%23b?c"
    url.hash = "a?b#c"
    assert url.href == "https://h/a%23b%3Fc?a%23b?c#a?b#c"
    url.host = "g#b"
    url.port = "1#2"
    assert url.host == "g:1"
    assert parse("https://h/").with_path("a#b?c").href == "https://h/a%23b%3Fc"
    assert parse("foo:a#b?c").with_query("#").href == "foo:a?%23#b?c"


def test_validation_errors_come_from_left_to_right() -> None:
    """Trap 2: their order does not depend on how the URL is split."""
    text = " ht\ttp:\\\\u@v@ex%61mple_.org:080\\a b?c d#e f"
    assert [(error.type, error.start) for error in check(text).errors] == [
        (Type.INVALID_URL_UNIT, 0),
        (Type.INVALID_URL_UNIT, 3),
        (Type.SPECIAL_SCHEME_MISSING_FOLLOWING_SOLIDUS, 1),
        (Type.SPECIAL_SCHEME_MISSING_FOLLOWING_SOLIDUS, text.index("\\")),
        (Type.SPECIAL_SCHEME_MISSING_FOLLOWING_SOLIDUS, text.index("\\") + 1),
        (Type.INVALID_CREDENTIALS, text.index("@")),
        (Type.INVALID_CREDENTIALS, text.rindex("@")),
        (Type.DOMAIN_PERCENT_ENCODED, text.index("%61")),
        (Type.DOMAIN_TO_ASCII, text.index("ex%61")),
        (Type.INVALID_REVERSE_SOLIDUS, text.rindex("\\")),
        (Type.INVALID_URL_UNIT, text.index(" b")),
        (Type.INVALID_URL_UNIT, text.index(" d")),
        (Type.INVALID_URL_UNIT, text.index(" f")),
    ]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("https://h/@x", ("", "", "h", None)),
        ("https://h?@x", ("", "", "h", None)),
        ("https://h#@x", ("", "", "h", None)),
        ("https://h\\@x", ("", "", "h", None)),
        ("foo://u\\@x", ("u%5C", "", "x", None)),
        ("https://a@b@c@h", ("a%40b%40c", "", "h", None)),
        ("https://a:b:c@h", ("a", "b%3Ac", "h", None)),
        ("https://a@b:c@h", ("a%40b", "c", "h", None)),
        ("https://a:b@c:d@h:1", ("a", "b%40c%3Ad", "h", 1)),
        ("https://:@h", ("", "", "h", None)),
        ("https://@h", ("", "", "h", None)),
        ("https://@@h", ("%40", "", "h", None)),
        ("https://:p@h", ("", "p", "h", None)),
        ("https://[:]@h", ("%5B", "%5D", "h", None)),
        ("https://u:\u00e9 /", None),
    ],
)
def test_userinfo_ends_at_the_last_at_sign_and_the_password_starts_at_the_first_colon(
    text: str, expected: tuple[str, str, str, int | None] | None
) -> None:
    """Trap 3: the end of the authority is found first."""
    if expected is None:
        assert not can_parse(text)
    else:
        assert authority(text) == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("h", ("h", "", "")),
        ("h:", ("h", ":", "")),
        ("h:1:2", ("h", ":", "1:2")),
        (":1", ("", ":", "1")),
        ("[::1]:8", ("[::1]", ":", "8")),
        ("[::1]", ("[::1]", "", "")),
        ("[::1", ("[::1", "", "")),
        ("[::1]a:8", ("[::1]a", ":", "8")),
        ("a[:]b[:]:8", ("a[:]b[:]", ":", "8")),
        ("[a[:]:8", ("[a[:]", ":", "8")),
        ("[a]]:8", ("[a]]", ":", "8")),
        ("a]:8", ("a]", ":", "8")),
        ("][:]:8", ("][:]", ":", "8")),
        ("[]:[:", ("[]", ":", "[:")),
        ("[:]:]:", ("[:]", ":", "]:")),
        ("", ("", "", "")),
    ],
)
def test_the_port_starts_at_the_first_colon_outside_brackets(
    text: str, expected: tuple[str, str, str]
) -> None:
    """Trap 4: an opening bracket sets the flag, however often, and a closing one clears it."""
    assert split_host_and_port(text) == expected
    inside = False
    for at, char in enumerate(text):
        if char == ":" and not inside:
            assert expected == (text[:at], ":", text[at + 1 :])
            return
        inside = char == "[" or (inside and char != "]")
    assert expected == (text, "", "")


@pytest.mark.parametrize(
    ("text", "path", "expected"),
    [
        ("foo:a b", "a b", "foo:a b"),
        ("foo:a ?b", "a%20", "foo:a%20?b"),
        ("foo:a #b", "a%20", "foo:a%20#b"),
        ("foo:a  ?b", "a %20", "foo:a %20?b"),
        ("foo:a   #b", "a  %20", "foo:a  %20#b"),
        ("foo: ?", "%20", "foo:%20?"),
        ("foo:   ", "", "foo:"),
        ("foo:a  ", "a", "foo:a"),
        ("foo: a", " a", "foo: a"),
        ("foo:a \t?b", "a%20", "foo:a%20?b"),
        ("foo:a \t", "a", "foo:a"),
        ("foo:a %20?", "a %20", "foo:a %20?"),
        ("foo:a\u3000?", "a%E3%80%80", "foo:a%E3%80%80?"),
    ],
)
def test_only_a_space_right_before_a_delimiter_is_encoded_in_an_opaque_path(
    text: str, path: str, expected: str
) -> None:
    """Trap 5: other spaces are kept."""
    record = parse(text)
    assert (record.path, record.href) == (path, expected)
    assert parse(expected) == record


def test_a_null_host_and_an_empty_host_are_told_apart() -> None:
    """Trap 6: only two slashes make a host, even if the path begins with slashes."""
    assert parse("foo:/a").host is None
    assert parse("foo:///a").host == EmptyHost()
    assert parse("foo:/.//a").host is None
    assert parse("foo:////a").host == EmptyHost()
    assert parse("file:/a").host == EmptyHost()
    assert href("..//a", "foo:/b/c") == "foo:/.//a"
    assert href("/.//a", "foo:/b/c") == "foo:/.//a"
    assert href("//a", "foo:/b/c") == "foo://a"
    assert href("/..//a", "foo://h/b") == "foo://h//a"
    assert href("", "foo:/.//a") == "foo:/.//a"
    assert href("#x", "foo:/.//a") == "foo:/.//a#x"


def test_a_setter_may_succeed_in_part_and_then_fail() -> None:
    """Trap 7: the host is set before the port turns out to be wrong."""
    for value, host in (
        ("example.com:65536", "example.com"),
        ("example.com:", "example.com"),
        ("example.com:x", "example.com"),
        ("example.com:81x", "example.com:81"),
        ("exa^mple.com:81", "h"),
        (":81", "h"),
    ):
        url = URL("https://h/")
        url.host = value
        assert (value, url.host) == (value, host)
        with pytest.raises(URLParseError):
            parse("https://h/").with_host(value)


@pytest.mark.parametrize("digit", ["\u0661", "\uff11", "\u00b2", "\u2460", "\U0001d7cf", "\u06f1"])
def test_only_ascii_digits_are_digits(digit: str) -> None:
    """Trap 8: `str.isdigit` and `int` accept many more."""
    assert cause(f"https://h:{digit}/") is Type.PORT_INVALID
    assert cause(f"https://h:8{digit}/") is Type.PORT_INVALID
    assert cause(f"https://[::{digit}]/") is Type.IPV6_INVALID_CODE_POINT
    assert URL("https://h/").port == ""
    url = URL("https://h:1/")
    url.port = f"{digit}2"
    assert url.port == "1"
    url.port = f"2{digit}"
    assert url.port == "2"
    assert parse(f"foo://1.{digit}/").host == OpaqueHost(
        f"1.{''.join(f'%{byte:02X}' for byte in digit.encode())}"
    )


@pytest.mark.parametrize(
    "text", ["\u212aey:a", "a\u212a:b", "\u017f:a", "\u0130:a", "\uff41:a", "\u00e9:a", "\u0391:a"]
)
def test_only_ascii_letters_make_a_scheme(text: str) -> None:
    """Trap 8: `str.lower` changes some other letters to ASCII."""
    assert cause(text) is Type.MISSING_SCHEME_NON_RELATIVE_URL
    assert href(text, "foo://h/") is not None
    assert parse(f"HTTPS://\u212a/{text}").host == Domain("k")


@pytest.mark.parametrize("space", ["\x85", "\xa0", "\u2003", "\u2028", "\u3000", "\ufeff", "\x7f"])
def test_only_c0_controls_and_spaces_are_trimmed(space: str) -> None:
    """Trap 8: `str.strip` removes all whitespace of Unicode."""
    assert cause(f"{space}https://h/") is Type.MISSING_SCHEME_NON_RELATIVE_URL
    encoded = "".join(f"%{byte:02X}" for byte in space.encode())
    assert href(f"https://h/{space}") == f"https://h/{encoded}"
    assert href("\x1f \0https://h/\x0b\x1c\x1d\x1e") == "https://h/"


def test_a_newline_ends_nothing() -> None:
    """Trap 8: a dollar sign matches before a newline. The parser removes newlines first."""
    assert href("ht\ntps://h:8\n0/\n..\n") == "https://h:80/"
    assert href("file:///C|\n/a") == "file:///C:/a"
    assert href("https://h:80\x0b/") is None
    assert cause("https://1.2.3.4\x0c/") is Type.DOMAIN_TO_ASCII


def test_integers_are_not_what_python_takes_for_them() -> None:
    """Trap 8: `int` accepts signs, underscores and spaces."""
    for port in ("+80", "-80", "8_0", "8 0", "0x50", "8.0", "1e1"):
        assert cause(f"https://h:{port}/") is Type.PORT_INVALID
    assert parse("https://h:00000000000000000000081/").port == 81
    assert parse("https://h:0000443/").port is None
    assert cause("https://h:65536/") is Type.PORT_OUT_OF_RANGE
    assert cause("https://h:99999999999999999999/") is Type.PORT_OUT_OF_RANGE


# --- more that is easily mistaken ------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "scheme", "expected"),
    [
        ("0", "https", 0),
        ("443", "https", None),
        ("443", "http", 443),
        ("080", "http", None),
        ("65535", "foo", 65535),
        ("0", "file", 0),
    ],
)
def test_a_port_is_none_if_it_is_the_default(text: str, scheme: str, expected: int | None) -> None:
    """Zero is a port."""
    assert parse_port(text, scheme) == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("8x9y", (Type.PORT_INVALID, 8, 9, True)),
        ("99999x", (Type.PORT_INVALID, 12, 13, True)),
        ("065536", (Type.PORT_OUT_OF_RANGE, 7, 13, True)),
    ],
)
def test_a_wrong_port_is_an_error_at_its_first_wrong_code_point_or_all_of_it(
    text: str, expected: tuple[Type, int, int, bool]
) -> None:
    """The port is at offset 7."""
    errors = ErrorList(9)
    with pytest.raises(Failure):
        parse_port(text, "https", errors.after(7))
    assert errors.recorded == [expected]


@pytest.mark.parametrize(
    ("text", "base", "expected"),
    [
        ("", "https://u:p@h:1/a/b?q#f", "https://u:p@h:1/a/b?q"),
        ("#", "https://u:p@h:1/a/b?q#f", "https://u:p@h:1/a/b?q#"),
        ("?", "https://u:p@h:1/a/b?q#f", "https://u:p@h:1/a/b?"),
        ("c", "https://u:p@h:1/a/b?q#f", "https://u:p@h:1/a/c"),
        ("/c", "https://u:p@h:1/a/b?q#f", "https://u:p@h:1/c"),
        ("//c", "https://u:p@h:1/a/b?q#f", "https://c/"),
        ("\\\\c", "https://u:p@h:1/a/b?q#f", "https://c/"),
        ("///\\/c", "https://u:p@h:1/a/b?q#f", "https://c/"),
        ("https:c", "https://u:p@h:1/a/b?q#f", "https://u:p@h:1/a/c"),
        ("https:", "https://u:p@h:1/a/b?q#f", "https://u:p@h:1/a/b?q"),
        ("https:/c", "https://u:p@h:1/a/b?q#f", "https://u:p@h:1/c"),
        ("https:#x", "https://u:p@h:1/a/b?q#f", "https://u:p@h:1/a/b?q#x"),
        ("http:c", "https://u:p@h:1/a/b?q#f", "http://c/"),
        ("wss:/c", "https://h/", "wss://c/"),
        ("foo:c", "foo://h/a", "foo:c"),
        ("///c", "foo://h/a", "foo:///c"),
        ("\\c", "foo://h/a", "foo://h/\\c"),
        ("c", "foo://h", "foo://h/c"),
        ("..", "foo://h", "foo://h/"),
        ("c", "foo:/", "foo:/c"),
        ("#x", "foo:a?q#f", "foo:a?q#x"),
        ("\t#x", "foo:a", "foo:a#x"),
        (" #x ", "mailto:a@b", "mailto:a@b#x"),
        ("", "foo:a", None),
        ("?x", "foo:a", None),
        ("c", "foo:a", None),
        ("//c", "foo:a", None),
        ("1:", "https://h/", "https://h/1:"),
        ("1:", None, None),
        ("://", "https://h/", "https://h/://"),
        (":#x", "foo:a", None),
    ],
)
def test_a_url_is_relative_by_its_scheme_its_slashes_and_its_base(
    text: str, base: str | None, expected: str | None
) -> None:
    """With an opaque base, only a fragment can be relative."""
    assert href(text, base) == expected


@pytest.mark.parametrize(
    ("text", "base", "expected"),
    [
        ("file:", None, "file:///"),
        ("file:a", None, "file:///a"),
        ("file:/a", None, "file:///a"),
        ("file:\\\\h\\a", None, "file://h/a"),
        ("file://C:", None, "file:///C:"),
        ("file://C|/a", None, "file:///C:/a"),
        ("file:C|", None, "file:///C:"),
        ("file://C:a", None, None),
        ("file://h:80/", None, None),
        ("file://u@h/", None, None),
        ("file://[::1]/", None, "file://[::1]/"),
        ("file://LOCALHOST/a", None, "file:///a"),
        ("file:////h/a", None, "file:////h/a"),
        ("file:", "file://h/C:/a?q", "file://h/C:/a?q"),
        ("?x", "file://h/C:/a?q", "file://h/C:/a?x"),
        ("#x", "file://h/C:/a?q", "file://h/C:/a?q#x"),
        ("b", "file://h/C:/a?q", "file://h/C:/b"),
        ("/b", "file://h/C:/a?q", "file://h/C:/b"),
        ("/D:/b", "file://h/C:/a?q", "file://h/D:/b"),
        ("D|/b", "file://h/C:/a?q", "file://h/D:/b"),
        ("D|b", "file://h/C:/a?q", "file://h/C:/D|b"),
        ("//i/b", "file://h/C:/a?q", "file://i/b"),
        ("///b", "file://h/C:/a?q", "file:///b"),
        ("..", "file:///C:/", "file:///C:/"),
        ("..", "file:///a/b", "file:///"),
        ("/..", "file:///C:/a", "file:///C:/"),
        ("file:b", "https://h/a", "file:///b"),
        ("/b", "file:///a/C:/", "file:///b"),
    ],
)
def test_a_file_url_has_rules_of_its_own_about_hosts_and_drives(
    text: str, base: str | None, expected: str | None
) -> None:
    """A drive letter is never a host, and is kept if a path climbs above it."""
    assert href(text, base) == expected


@pytest.mark.parametrize(
    ("text", "type"),
    [
        ("https://", Type.HOST_MISSING),
        ("https:///", Type.HOST_MISSING),
        ("https://#f", Type.HOST_MISSING),
        ("https://:443", Type.HOST_MISSING),
        ("https://user:pass@", Type.HOST_MISSING),
        ("https://u@/a", Type.HOST_MISSING),
        ("https://u@:1", Type.HOST_MISSING),
        ("foo://u@", Type.HOST_MISSING),
        ("foo://:1", Type.HOST_MISSING),
        ("foo://u@:1/", Type.HOST_MISSING),
        ("", Type.MISSING_SCHEME_NON_RELATIVE_URL),
        ("https", Type.MISSING_SCHEME_NON_RELATIVE_URL),
        ("foo://a b", Type.HOST_INVALID_CODE_POINT),
        ("foo://a:b", Type.PORT_INVALID),
        ("foo://h:1\\", Type.PORT_INVALID),
    ],
)
def test_a_failure_names_its_cause(text: str, type: Type) -> None:
    """The name is the standard's."""
    assert cause(text) is type


@pytest.mark.parametrize(
    ("scheme", "query"),
    [
        ("https", "%E9%27"),
        ("file", "%E9%27"),
        ("ftp", "%E9%27"),
        ("ws", "%C3%A9%27"),
        ("wss", "%C3%A9%27"),
        ("foo", "%C3%A9'"),
    ],
)
def test_a_legacy_encoding_is_for_the_query_of_special_urls_but_web_sockets(
    scheme: str, query: str
) -> None:
    """The scheme of the URL decides, not of the base. Other components are UTF-8."""
    record = parse_url(f"{scheme}://h/\u00e9?\u00e9'#\u00e9", None, "windows-1252")
    assert (record.path, record.query, record.fragment) == (("%C3%A9",), query, "%C3%A9")
    joined = parse_url("?\u00e9'", record, "windows-1252")
    assert joined.query == query


def test_lone_surrogates_become_replacement_characters_everywhere() -> None:
    """They fail only in a domain, as U+FFFD does."""
    text = "foo://\ud800:\udc00@h\ud800/\udfff?\udbff#\udc00\ud800"
    replaced = "foo://\ufffd:\ufffd@h\ufffd/\ufffd?\ufffd#\ufffd\ufffd"
    assert parse(text) == parse(replaced)
    assert cause("https://h\ud800/") is Type.DOMAIN_TO_ASCII
    assert parse("https://\ud83d\udca9/") == parse("https://\U0001f4a9/")
    assert cause("https://\ud83d\t\udca9/") is Type.DOMAIN_TO_ASCII
    assert cause("\ud800://h") is Type.MISSING_SCHEME_NON_RELATIVE_URL


def test_a_surrogate_pair_is_the_code_point_that_it_stands_for_in_every_function() -> None:
    """Text from UTF-16 is parsed and checked like other text."""
    pair, single = "https://h/\ud83d\udca9", "https://h/\U0001f4a9"
    assert parse(pair) == parse(single)
    assert check(pair).errors == check(single).errors == ()
    assert check(single).is_valid_url_string
    assert is_valid_url_string(single)
    assert check(pair).is_valid_url_string
    assert is_valid_url_string(pair)


# --- trap 9: hostile input, a megabyte each, where a quadratic step would never end ----------

MEGABYTE: Final = 1_000_000
QUARTER: Final = MEGABYTE // 4


def _times(piece: str, size: int = MEGABYTE) -> str:
    """Return ``piece`` repeated up to a size in bytes of UTF-8."""
    return piece * (size // len(piece.encode("utf-8", "surrogatepass")))


def _random_text(alphabet: str, size: int = MEGABYTE) -> str:
    """Return code points of an alphabet in random order, the same in each run."""
    length = size // len(alphabet[0].encode())
    return "".join(random.Random(9).choices(alphabet, k=length))


HOSTILE: Final[dict[str, Callable[[], str]]] = {
    "at signs": lambda: "https://" + _times("@") + "h",
    "at signs without a host": lambda: "https://" + _times("@"),
    "colons and at signs": lambda: "https://" + _times(":@") + "h",
    "colons": lambda: "https://" + _times(":"),
    "colons alone": lambda: _times(":"),
    "colons in brackets": lambda: "https://[" + _times(":") + "]",
    "pieces in brackets": lambda: "https://[" + _times("1:") + "]",
    "numbers in brackets": lambda: "https://[::" + _times("1.") + "]",
    "a scheme": lambda: _times("a") + ":",
    "a scheme without a colon": lambda: _times("a"),
    "parents": lambda: "https://h" + _times("/../"),
    "parents of children": lambda: "https://h" + _times("/a")[:500_000] + _times("/..")[:500_000],
    "encoded parents": lambda: "foo:" + _times("/%2e%2E"),
    "parents of a drive": lambda: "file:///C:" + _times("/.."),
    "drives": lambda: "file:///" + _times("C|/"),
    "dots in a path": lambda: "https://h/" + _times("."),
    "slashes": lambda: "https:" + _times("/") + "h",
    "slashes of a file": lambda: "file:" + _times("/"),
    "backslashes": lambda: "https:" + _times("\\"),
    "backslashes in a path": lambda: "https://h/" + _times("\\"),
    "percent signs in a host": lambda: "https://" + _times("%"),
    "percent signs in an opaque host": lambda: "foo://" + _times("%"),
    "percent signs in a path": lambda: "https://h/" + _times("%"),
    "encoded percent signs": lambda: "https://" + _times("%25"),
    "brackets": lambda: "https://" + _times("["),
    "closed brackets": lambda: "https://" + _times("[]") + ":1",
    "brackets in an opaque host": lambda: "foo://" + _times("[:]") + ":1",
    "dots in a host": lambda: "https://" + _times("."),
    "numbers in a host": lambda: "https://" + _times("1.") + "1",
    "a number": lambda: "https://" + _times("9"),
    "a hexadecimal number": lambda: "https://0x" + _times("f"),
    "an octal number": lambda: "https://0" + _times("7"),
    "zeros": lambda: "https://" + _times("0"),
    "a port": lambda: "https://h:" + _times("1"),
    "zeros in a port": lambda: "https://h:" + _times("0") + "1",
    "an A-label of zeros": lambda: "https://xn--" + _times("a"),
    "an A-label of nines": lambda: "https://xn--" + _times("9"),
    "a random A-label": lambda: (
        "https://xn--" + _random_text("abcdefghijklmnopqrstuvwxyz0123456789")
    ),
    "ampersands": lambda: "https://h/?" + _times("&"),
    "question marks": lambda: "https://h/" + _times("?"),
    "number signs": lambda: "https://h/" + _times("#"),
    "spaces": lambda: _times(" "),
    "spaces around": lambda: _times(" ") + "https://h" + _times(" "),
    "spaces in an opaque path": lambda: "foo:" + _times(" ") + "?",
    "tabs": lambda: "ht\ttps://h/" + _times("\t"),
    "tabs everywhere": lambda: "https://h/" + _times("a\t"),
    "surrogates": lambda: "https://h/" + _times("\ud800"),
    "surrogate pairs": lambda: "https://h/" + _times("\ud83d\udca9"),
    "letters in credentials": lambda: "https://" + _times("\u00e9") + "@h",
    "letters in an opaque host": lambda: "foo://" + _times("\u00e9"),
    "letters in a path": lambda: "https://h/" + _times("\u00e9"),
}
# Unicode's tables are asked about every code point here: a quarter of a megabyte is enough.
HOSTILE_DOMAINS: Final[dict[str, Callable[[], str]]] = {
    "one letter": lambda: _times("\u00e9", QUARTER),
    "ideographs": lambda: _random_text("".join(map(chr, range(0x4E00, 0xA000))), QUARTER),
    "labels of ideographs": lambda: _times("\u65e5\u672c.", QUARTER),
    "a long A-label beside a short label": lambda: "\u00e9.xn--" + _times("a", QUARTER),
    "letters that are mapped to words": lambda: _times("\ufdfb", QUARTER),
    "joiners between letters": lambda: _times("\u0628\u200c", QUARTER) + "\u0628",
    "joiners among marks": lambda: (
        _times("\u0628" + "\u064b" * 1000 + "\u200c", QUARTER) + "\u0628"
    ),
    "joiners behind viramas": lambda: _times("\u0915\u094d\u200d", QUARTER),
    "marks in the wrong order": lambda: "a" + "\u0301" * QUARTER + "\u0323" * QUARTER,
    "syllables in pieces": lambda: _times("\u1100\u1161\u11a8", QUARTER),
    "letters and digits from right to left": lambda: _times("\u05d01", QUARTER),
}


def settle(call: Callable[[], object]) -> None:
    """Call a function, and read its error."""
    error = None
    try:
        call()
    except URLParseError as caught:
        error = caught
    if error is not None:
        assert len(str(error)) < 10_000
        assert len(error.reason) < 10_000


@pytest.mark.parametrize("shape", HOSTILE)
def test_a_megabyte_of_anything_takes_linear_time(shape: str) -> None:
    """It is parsed, joined, reported and checked for validity."""
    text = HOSTILE[shape]()
    assert len(text) >= MEGABYTE // 3
    base = parse("https://u:p@h/" + "a/" * 1000)
    settle(lambda: parse(text))
    settle(lambda: parse(text, base))
    settle(lambda: parse(text[8:], base))
    assert isinstance(can_parse(text), bool)
    report = check(text)
    assert len(report.errors) <= 1001
    assert report.error_count <= len(text) + 2
    assert len(str(report)) < 1_000_000
    assert report.is_valid_url_string is is_valid_url_string(text)
    if report.record is not None:
        assert parse(report.record.href) == report.record


@pytest.mark.parametrize("shape", HOSTILE_DOMAINS)
def test_much_of_a_domain_takes_linear_time_but_for_sorting(shape: str) -> None:
    """The report parses the domain twice, with strict rules and without."""
    report = check(f"https://{HOSTILE_DOMAINS[shape]()}/")
    assert not report.is_valid_url_string
    if report.record is not None:
        assert isinstance(report.record.host, Domain)
        assert str(report.record.host).startswith(("xn--", "a"))


_VALUES: Final = (
    *"@/%[.:&\\\t#?1 a\ud800",
    "/../",
    "[:]",
    "1.",
    "0x",
    "\u00e9",
    "C|/",
)
_METHODS: Final = ("scheme", "username", "password", "port", "path", "query", "fragment")


@pytest.mark.nightly
@pytest.mark.parametrize("component", [*_METHODS, "host", "hostname"])
def test_a_megabyte_given_to_a_with_method_takes_linear_time(component: str) -> None:
    """Values of every shape are set on three kinds of URLs."""
    for record in (parse("https://u:p@h:1/a?b#c"), parse("file:///C:/a"), parse("foo://h/a")):
        method: Callable[[Any], URLRecord] = getattr(record, f"with_{component}")
        for value in _VALUES:
            # Unicode's tables are slow: see above.
            text = _times(value, MEGABYTE if value.isascii() else QUARTER)
            settle(partial(method, f"h{text}" if component in ("host", "hostname") else text))


def test_a_path_of_a_million_segments_takes_linear_time() -> None:
    """It is given as a sequence, and is a base."""
    record = parse("https://h/").with_path(["a"] * 500_000)
    assert len(record.path) == 500_000
    assert len(record.join("../" * 300_000 + "b").path) == 200_000
    assert parse(record.href) == record
