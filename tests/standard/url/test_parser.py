"""Tests of `url.parser` with known traps and hostile input."""

from __future__ import annotations

import random
from collections.abc import Callable
from functools import partial
from typing import Any, Final

import pytest

from weburl import (
    URLParseError,
    URLRecord,
    can_parse,
    check,
    is_valid_url_string,
    parse,
)
from weburl.standard.hosts.values import Domain
from weburl.standard.infra.errors import ErrorList, Failure
from weburl.standard.infra.errors import ValidationErrorType as Type
from weburl.standard.url.parser import parse_port, split_host_and_port


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
    """An opening bracket sets the flag, however often, and a closing one clears it."""
    assert split_host_and_port(text) == expected
    inside = False
    for at, char in enumerate(text):
        if char == ":" and not inside:
            assert expected == (text[:at], ":", text[at + 1 :])
            return
        inside = char == "[" or (inside and char != "]")
    assert expected == (text, "", "")


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


# --- hostile input, a megabyte each, where a quadratic step would never end ----------

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
        assert len(str(error)) < 400
        assert len(error.reason) < 200


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
    assert len(str(report)) < 400_000
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
