"""Tests of `check` and its report, with names, places, order and words of errors.

In the tables here a culprit stands between ⟦ and ⟧, which are taken out before the text is
checked: so every offset is into the caller's own text, spaces, tabs and all.
"""

from __future__ import annotations

import copy
import pickle
from collections.abc import Callable
from typing import Any, Final

import pytest
from hypothesis import given
from hypothesis import strategies as st

import weburl
from tests import strategies
from tests.agreement import parse_disagreements
from tests.standard_tables import URLS
from weburl import Report, URLParseError, ValidationError, ValidationErrorType

# --- the 31 names -----------------------------------------------------------------------------

FAILS: Final = True
PARSES: Final = False

# For each name: texts with one culprit marked, a base or None, and whether it is the failure.
CASES: Final[dict[str, list[tuple[str, str | None, bool]]]] = {
    "domain-to-ASCII": [
        ("https://⟦exa_mple.org⟧/", None, PARSES),
        ("https://u:p@⟦example.org.⟧:80?x", None, PARSES),
        (" \t https://⟦a\tb..c⟧/ ", None, PARSES),
        ("https://💩@⟦💩_⟧/", None, PARSES),
        ("//⟦" + "a" * 64 + "⟧", "http://h/", PARSES),
        ("https://⟦exa%23mple.org⟧", None, FAILS),
        ("https://⟦\u00ad⟧/", None, FAILS),
        ("https://⟦a%zz⟧/", None, FAILS),
        ("file://⟦h:80⟧/", None, FAILS),
    ],
    "domain-percent-encoded": [
        ("https://exam⟦%70⟧le.org/", None, PARSES),
        ("file://loc⟦%61⟧lhost/", None, PARSES),
        ("https://%⟦%41⟧", None, PARSES),
        ("https://💩⟦%\t4\n1⟧", None, PARSES),
    ],
    "host-invalid-code-point": [
        ("foo://exa⟦[⟧mple.org", None, FAILS),
        ("foo://a⟦ ⟧b|c/", None, FAILS),
        ("foo://u@h⟦<⟧:80", None, FAILS),
        ("//⟦^⟧", "foo://h", FAILS),
        ("\tfoo://💩\r⟦\\⟧x", None, FAILS),
    ],
    "IPv4-non-ASCII-input": [
        ("https://⟦\uff11.2.3.4⟧/", None, PARSES),
        ("https://⟦%EF%BC%91.2.3.4⟧", None, PARSES),
        ("file://⟦1.2.3.4\u00ad⟧/x", None, PARSES),
        ("https://⟦\uff10x7f.1⟧", None, PARSES),
    ],
    "IPv4-empty-part": [
        ("https://127.0.0.1⟦.⟧/", None, PARSES),
        ("https://1⟦.⟧:80", None, PARSES),
        ("http://\t0x7f.1⟦.⟧", None, PARSES),
        ("http://⟦1%2E⟧", None, PARSES),
    ],
    "IPv4-too-few-parts": [
        ("https://⟦1.2.3⟧/", None, PARSES),
        ("https://u@⟦0x7f.1⟧:80", None, PARSES),
        ("https://⟦1\t.2⟧", None, PARSES),
        ("https://⟦a.1⟧", None, PARSES),
    ],
    "IPv4-too-many-parts": [
        ("https://⟦1.2.3.4.5⟧/", None, FAILS),
        ("https://⟦a.b.c.d.5⟧:80", None, FAILS),
        ("https://⟦\uff11.2.3.4.5⟧", None, FAILS),
        ("file://⟦1.2.3.4.5.⟧", None, FAILS),
    ],
    "IPv4-non-numeric-part": [
        ("https://⟦test⟧.42", None, FAILS),
        ("https://1.⟦08⟧.3", None, FAILS),
        ("https://1⟦..⟧3", None, FAILS),
        ("https://0x.\t⟦0\txg⟧\t.1", None, FAILS),
        ("https://⟦%61.1⟧", None, FAILS),
    ],
    "IPv4-non-decimal-part": [
        ("https://127.0.⟦0x0⟧.1", None, PARSES),
        ("https://⟦010⟧.0.0.1", None, PARSES),
        ("https://1.2.3.⟦0x⟧/", None, PARSES),
        (" https://1.⟦0\t0⟧.0.0", None, PARSES),
        ("https://⟦00.0.0.%30⟧", None, PARSES),
        ("https://⟦\u3251.0x2.3.4⟧", None, PARSES),
    ],
    "IPv4-out-of-range-part": [
        ("https://255.255.⟦4000⟧.1", None, FAILS),
        ("https://⟦99999999999999999999⟧", None, FAILS),
        ("https://⟦4294967295⟧", None, PARSES),
        ("https://1.2.⟦65535⟧:80", None, PARSES),
        ("https://⟦256⟧.1", None, FAILS),
        ("https://1.⟦0x1000000⟧", None, FAILS),
    ],
    "IPv6-unclosed": [
        ("https://⟦[::1⟧", None, FAILS),
        ("foo://⟦[⟧/", None, FAILS),
        ("https://u@⟦[::1]x⟧:80", None, FAILS),
        ("https://⟦[::1:80⟧/", None, FAILS),
        ("https://💩@⟦[⟧\t?", None, FAILS),
    ],
    "IPv6-invalid-compression": [
        ("https://[⟦:⟧1]", None, FAILS),
        ("foo://[⟦:⟧]", None, FAILS),
        ("https://[\t⟦:⟧a::]", None, FAILS),
    ],
    "IPv6-too-many-pieces": [
        ("https://[1:2:3:4:5:6:7:8:⟦9⟧]", None, FAILS),
        ("foo://[1:2:3:4:5:6:7:8:⟦9:a⟧]:80", None, FAILS),
        ("https://[::2:3:4:5:6:7:8:⟦9⟧]", None, FAILS),
        ("https://[1:2:3:4:5:6:7:8:⟦:⟧]", None, FAILS),
        ("https://[1:2:3:4::5:6:7:⟦8⟧]", None, FAILS),
    ],
    "IPv6-multiple-compression": [
        ("https://[1::1:⟦:⟧1]", None, FAILS),
        ("foo://[::⟦:⟧]", None, FAILS),
        ("https://[::1:\t⟦:⟧]", None, FAILS),
    ],
    "IPv6-invalid-code-point": [
        ("https://[1:2:3⟦!⟧:4]", None, FAILS),
        ("https://[1:2:3⟦:⟧]", None, FAILS),
        ("http://[⟦v⟧7.a]/", None, FAILS),
        ("https://[::1⟦%⟧25eth0]", None, FAILS),
        ("foo://[1234⟦5⟧::]", None, FAILS),
        ("https://[::⟦[⟧]", None, FAILS),
        ("https://[\n⟦💩⟧]", None, FAILS),
    ],
    "IPv6-too-few-pieces": [
        ("https://[⟦1:2:3⟧]", None, FAILS),
        ("https://[⟦⟧]", None, FAILS),
        ("foo://[⟦1.2.3.4⟧]:80", None, FAILS),
        ("https://[⟦1:2:3:4:5:6:\t7⟧]", None, FAILS),
    ],
    "IPv6-piece-leading-zero": [
        ("https://[::⟦01⟧]", None, PARSES),
        ("foo://[⟦0000⟧::]", None, PARSES),
        ("https://[1::⟦0\tf⟧:1]", None, PARSES),
        ("https://[⟦00⟧::g]", None, PARSES),
    ],
    "IPv4-in-IPv6-too-many-pieces": [
        ("https://[1:1:1:1:1:1:1:⟦127.0.0.1⟧]", None, FAILS),
        ("foo://[::1:1:1:1:1:1:⟦1.2.3.4⟧]", None, FAILS),
        ("https://[1:1:1:1:1:1:1:⟦1.x⟧]:80", None, FAILS),
    ],
    "IPv4-in-IPv6-invalid-code-point": [
        ("https://[ffff::⟦.⟧0.0.1]", None, FAILS),
        ("https://[ffff::127.0.⟦x⟧yz.1]", None, FAILS),
        ("https://[ffff::127.0⟦x⟧yz]", None, FAILS),
        ("https://[ffff::127.0⟦0⟧.0.1]", None, FAILS),
        ("https://[ffff::127.0.0.1⟦.⟧2]", None, FAILS),
        ("https://[::1.2.3⟦.⟧]", None, FAILS),
        ("https://[::1.2.3.\t⟦%⟧31]", None, FAILS),
    ],
    "IPv4-in-IPv6-out-of-range-part": [
        ("https://[ffff::127.0.0.40⟦0⟧0]", None, FAILS),
        ("foo://[::25⟦6⟧.0.0.0]", None, FAILS),
        ("https://[::1.99⟦9⟧]", None, FAILS),
    ],
    "IPv4-in-IPv6-too-few-parts": [
        ("https://[ffff::127.0.⟦0⟧]", None, FAILS),
        ("foo://[::1.⟦2⟧]:80", None, FAILS),
        ("https://[1:2:3:4:5:6:1.2.\t⟦3⟧]", None, FAILS),
    ],
    "invalid-URL-unit": [
        ("https://example.org/⟦%⟧s", None, PARSES),
        ("https://example.org⟦ \n\x1f⟧", None, PARSES),
        ("⟦\x00 \t⟧https://example.org", None, PARSES),
        ("ht⟦\n⟧tp\ts://example.org", None, PARSES),
        ("https://example.org/#💩⟦#⟧", None, PARSES),
        ("foo://h⟦{⟧}/", None, PARSES),
        ("foo://a%⟦{⟧", None, PARSES),
        ("foo://%41⟦%⟧4x%/", None, PARSES),
        ("foo:/a⟦\\⟧b", None, PARSES),
        ("#a⟦\ufdd0⟧", "foo:x", PARSES),
        ("https://h/⟦\U0001fffe⟧", None, PARSES),
    ],
    "special-scheme-missing-following-solidus": [
        ("⟦https:⟧example.org", None, PARSES),
        ("⟦file:⟧c:/my-secret-folder", None, PARSES),
        (" ⟦h\tttps:⟧/h", None, PARSES),
        ("⟦https:⟧foo.html", "https://example.org/", PARSES),
        ("https://⟦/⟧h", None, PARSES),
        ("https://⟦\\⟧h", "https://h/", PARSES),
        ("//⟦/⟧h", "ws://h/", PARSES),
    ],
    "missing-scheme-non-relative-URL": [
        ("⟦💩⟧", None, FAILS),
        ("⟦💩⟧", "mailto:user@example.org", FAILS),
        (" ⟦//example.org/a b⟧\n", None, FAILS),
        ("⟦⟧", None, FAILS),
        ("⟦1http://h/⟧", None, FAILS),
        ("⟦ht tps://example.org⟧", None, FAILS),
        ("⟦?a\t#b⟧", "foo:x", FAILS),
    ],
    "invalid-reverse-solidus": [
        ("⟦\\⟧a", "https://h/", PARSES),
        ("file:⟦\\⟧/h", None, PARSES),
        ("file:/\t⟦\\⟧h", None, PARSES),
        ("a/..⟦\\⟧b", "file:///", PARSES),
        ("file://C|⟦\\⟧x", None, PARSES),
    ],
    "invalid-credentials": [
        ("https://user⟦@⟧example.org", None, PARSES),
        ("https://⟦@⟧h/@", None, PARSES),
        ("https://💩:p\t⟦@⟧p@h", None, PARSES),
        ("//u⟦@⟧h", "foo:/", PARSES),
    ],
    "host-missing": [
        ("https://⟦#⟧fragment", None, FAILS),
        ("https://⟦:443⟧", None, FAILS),
        ("https://user:pass⟦@⟧", None, FAILS),
        ("https://⟦⟧", None, FAILS),
        ("\thttps:⟦⟧", None, FAILS),
        ("https://⟦⟧ \n", None, FAILS),
        ("https:///⟦⟧", None, FAILS),
        ("foo://⟦:80⟧/", None, FAILS),
        ("foo://u⟦@⟧/", None, FAILS),
        ("foo://u@⟦:⟧/", None, FAILS),
        ("//⟦⟧", "https://h/", FAILS),
        ("https://u@\t⟦:8\t0⟧/", None, FAILS),
    ],
    "port-out-of-range": [
        ("https://example.org:⟦70000⟧", None, FAILS),
        ("foo://h:⟦65536⟧/", None, FAILS),
        ("https://[::1]:⟦0009\t9999⟧?", None, FAILS),
        ("//h:⟦99999999999999999999⟧", "http://h/", FAILS),
    ],
    "port-invalid": [
        ("https://example.org:7⟦z⟧", None, FAILS),
        ("https://h:⟦ ⟧80/", None, FAILS),
        ("foo://h:8⟦\uff10⟧", None, FAILS),
        ("https://[::1]:80\t⟦:⟧80", None, FAILS),
        ("https://h:99999⟦a⟧", None, FAILS),
        ("foo://h:1⟦\\⟧", None, FAILS),
    ],
    "file-invalid-Windows-drive-letter": [
        ("⟦c|⟧/path/to/file", "file:///c:/", PARSES),
        ("file:⟦C:⟧", "file:///", PARSES),
        (" file:⟦c\t|⟧\\x", "file://h/x", PARSES),
        ("⟦C|⟧?q", "file:///a/b", PARSES),
    ],
    "file-invalid-Windows-drive-letter-host": [
        ("file://⟦c:⟧", None, PARSES),
        ("file:\\\\⟦C|⟧\\x", None, PARSES),
        ("//⟦c:⟧/", "file:///", PARSES),
        ("\\/⟦c\t|⟧?", "file://h/", PARSES),
    ],
}


def unmarked(marked: str) -> tuple[str, int, int]:
    """Return the text without its marks, and the start and end of the culprit."""
    before, culprit = marked.split("⟦")
    culprit, after = culprit.split("⟧")
    return before + culprit + after, len(before), len(before) + len(culprit)


def test_every_name_of_the_standard_is_tried_at_least_three_times() -> None:
    """There are 31, with one that was added after July 2026."""
    assert len(ValidationErrorType) == 31
    assert set(CASES) == {type.value for type in ValidationErrorType}
    assert all(len(cases) >= 3 for cases in CASES.values())


@pytest.mark.parametrize(
    ("name", "marked", "base", "is_failure"),
    [(name, *case) for name, cases in CASES.items() for case in cases],
    ids=ascii,
)
def test_an_error_is_where_the_culprit_is(
    name: str, marked: str, base: str | None, is_failure: bool
) -> None:
    """The first error with the name counts code points of the caller's text."""
    text, start, end = unmarked(marked)
    report = weburl.check(text, base)
    error = next(error for error in report.errors if error.type == name)
    assert (error.start, error.end) == (start, end)
    assert error.is_failure is is_failure
    assert (report.record is None) is (report.failure is not None)
    if is_failure:
        assert report.failure is error
        assert report.record is None


# --- order ------------------------------------------------------------------------------------


def names(text: str, base: str | None = None) -> list[str]:
    """Return the names of all errors, in their order."""
    return [error.type.value for error in weburl.check(text, base).errors]


# --- the standard's own examples --------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "base", "is_valid", "href"),
    URLS,
)
def test_the_standards_table_of_urls_holds(
    text: str, base: str | None, is_valid: bool, href: str | None
) -> None:
    """In the table, a URL is valid if it has no errors."""
    report = weburl.check(text, base)
    assert (None if report.record is None else report.record.href) == href
    assert report.is_valid_url_string is is_valid is (report.errors == ())


# --- offsets ----------------------------------------------------------------------------------


@given(strategies.url_texts, st.sampled_from(("\t", "\n\r", "\r\t\n")), st.integers(0, 200))
def test_a_tab_moves_later_offsets_and_changes_nothing_else(text: str, tab: str, at: int) -> None:
    """Other text that preparation would change is skipped."""
    if text.strip("".join(map(chr, range(0x21)))) != text or set(text) & set("\t\n\r"):
        return
    if any("\ud800" <= char <= "\udfff" for char in text):
        return
    at %= len(text) + 1
    if at in (0, len(text)):
        return
    plain, tabbed = weburl.check(text), weburl.check(text[:at] + tab + text[at:])
    assert tabbed.record == plain.record
    assert tabbed.error_count == plain.error_count + 1
    first, *others = tabbed.errors
    assert (first.type, first.start, first.end) == ("invalid-URL-unit", at, at + 1)
    for before, after in zip(plain.errors, others, strict=True):
        assert after.type is before.type
        assert after.start == before.start + (len(tab) if before.start >= at else 0)
        is_behind = before.end > at if before.end > before.start else before.end >= at
        assert after.end == before.end + (len(tab) if is_behind else 0)


def test_a_surrogate_pair_written_as_two_is_covered_whole() -> None:
    """The parser sees one code point, but slices of the text see two."""
    text = "https://h/\ud83d\udca9|\ud83f\udffe!"
    bar, noncharacter = weburl.check(text).errors
    assert (bar.start, bar.end) == (12, 13)
    assert (noncharacter.start, noncharacter.end) == (13, 15)
    missing = weburl.check(" \ud83d\udca9").failure
    assert missing is not None
    assert (missing.start, missing.end) == (1, 3)


# --- the report -------------------------------------------------------------------------------


def test_a_report_without_errors_says_so() -> None:
    """It has a record, and its text is empty."""
    report = weburl.check("https://example.org/")
    assert (report.errors, report.error_count, report.failure) == ((), 0, None)
    assert report.is_valid_url_string
    assert report.record == weburl.parse("https://example.org/")
    assert str(report) == ""


# --- long and hostile text --------------------------------------------------------------------

MEGABYTE: Final = 1_000_000


@pytest.mark.parametrize(
    ("text", "name", "count"),
    [
        ("https://h/" + " " * MEGABYTE + "x", "invalid-URL-unit", MEGABYTE),
        ("https://h/?" + "%" * MEGABYTE, "invalid-URL-unit", MEGABYTE),
        ("https://h/#" + "#" * MEGABYTE, "invalid-URL-unit", MEGABYTE),
        ("foo:" + "\\" * MEGABYTE, "invalid-URL-unit", MEGABYTE),
        ("https://h" + "\\" * MEGABYTE, "invalid-reverse-solidus", MEGABYTE),
        ("https://" + "@" * MEGABYTE + "h", "invalid-credentials", MEGABYTE),
        (
            "https://" + "/" * MEGABYTE + "h",
            "special-scheme-missing-following-solidus",
            MEGABYTE,
        ),
    ],
    ids=lambda value: repr(value)[:24],
)
def test_a_report_holds_the_first_thousand_errors_and_counts_them_all(
    text: str, name: str, count: int
) -> None:
    """The text is a megabyte of errors that still parses."""
    report = weburl.check(text)
    assert report.record is not None
    assert report.error_count == count
    assert len(report.errors) == 1000
    assert {error.type.value for error in report.errors} == {name}
    starts = [error.start for error in report.errors]
    assert starts == list(range(starts[0], starts[0] + 1000))
    assert report.failure is None
    assert str(report).endswith(f"… and {count - 1000} more")
    assert len(str(report)) < 1000 * 400


@pytest.mark.parametrize(
    ("text", "name", "start"),
    [
        ("https://" + "@" * MEGABYTE, "host-missing", MEGABYTE + 7),
        ("https://" + "@" * MEGABYTE + "h:x", "port-invalid", MEGABYTE + 10),
        ("https://" + "@" * MEGABYTE + "[::g]", "IPv6-invalid-code-point", MEGABYTE + 11),
        ("https:" + "\\" * MEGABYTE + ":", "host-missing", MEGABYTE + 6),
    ],
    ids=lambda value: repr(value)[:24],
)
def test_a_report_holds_the_failure_even_after_a_million_errors(
    text: str, name: str, start: int
) -> None:
    """It has the first thousand errors, the failure, and the number of errors."""
    report = weburl.check(text)
    assert report.record is None
    assert len(report.errors) == 1001
    assert report.failure is report.errors[-1]
    assert report.failure is not None
    assert (report.failure.type, report.failure.start) == (name, start)
    assert report.error_count > MEGABYTE
    assert [error.is_failure for error in report.errors] == [False] * 1000 + [True]
    with pytest.raises(URLParseError) as caught:
        weburl.parse(text)
    assert caught.value.type == name
    assert len(str(caught.value)) < 1000


@pytest.mark.parametrize("count", [999, 1000, 1001])
def test_the_bound_is_a_thousand(count: int) -> None:
    """One more error is counted but not kept. A failure is kept in addition."""
    report = weburl.check("https://h/" + "|" * count)
    assert (len(report.errors), report.error_count) == (min(count, 1000), count)
    report = weburl.check("https://" + "@" * count)
    assert (len(report.errors), report.error_count) == (min(count, 1000) + 1, count + 1)


@pytest.mark.parametrize(
    "text",
    [
        "\t" * MEGABYTE + "https://h/|",
        "https://h/" + "a\t" * (MEGABYTE // 2) + "|",
        "https://h/" + "\ud83d\udca9" * (MEGABYTE // 2) + "|",
        "https://h/" + "\ufffd" * MEGABYTE + "|",
    ],
    ids=["tabs in front", "tabs inside", "surrogate pairs", "replacement characters"],
)
def test_an_error_after_a_megabyte_is_placed_exactly(text: str) -> None:
    """Much of the text was removed or joined."""
    error = weburl.check(text).errors[-1]
    assert (error.start, error.end) == (len(text) - 1, len(text))


# --- how it is shown --------------------------------------------------------------------------


def shown(text: str, base: str | None = None) -> list[str]:
    """Return the lines of the report's text."""
    return str(weburl.check(text, base)).split("\n")


def test_a_report_shows_each_error_with_carets_and_a_hint() -> None:
    """Each has a name and message, the text, carets below the culprit, and a hint."""
    text = "https:\\h/|"
    expected: list[str] = []
    places = ["^^^^^^", "      ^", "         ^"]
    for error, carets in zip(weburl.check(text).errors, places, strict=True):
        expected += [f"{error.type}: {error.message}", f"    {text}", f"    {carets}"]
        expected += [f"  {error.hint}"]
    assert shown(text) == expected


@pytest.mark.parametrize(
    ("text", "text_line", "caret_line"),
    [
        ("https://h/|", "https://h/|", "          ^"),
        # What is missing gets one caret where it should be.
        ("https://", "https://", "        ^"),
        ("", "", "^"),
        # Wide characters take two columns, in front of the culprit and in it.
        ("https://h/日本|", "https://h/日本|", "              ^"),
        ("https://日 本/", "https://日 本/", "        ^^^^^"),
        ("https://h/💩|", "https://h/💩|", "            ^"),
        ("https://h/\uff21|", "https://h/\uff21|", "            ^"),
        # Marks that combine with the character before them take no column.
        ("https://h/e\u0301\u0301|", "https://h/e\u0301\u0301|", "           ^"),
        ("https://h/\u0915\u0941|", "https://h/\u0915\u0941|", "           ^"),
        ("https://h/\u0e01\u0e31|", "https://h/\u0e01\u0e31|", "           ^"),
        # What a terminal would obey, or not show, is replaced by one visible character.
        ("https://h/\x1b[31m", "https://h/\ufffd[31m", "          ^"),
        ("https://h/\u202e|", "https://h/\ufffd|", "           ^"),
        ("https://h/\ud800|", "https://h/\ufffd|", "          ^"),
        ("https://h\t/\n", "https://h\ufffd/\ufffd", "           ^"),
    ],
    ids=ascii,
)
def test_carets_are_under_the_culprit(text: str, text_line: str, caret_line: str) -> None:
    """They count columns of a terminal."""
    lines = shown(text)
    assert lines[1] == f"    {text_line}"
    assert lines[2] == f"    {caret_line}"


def test_a_long_text_is_shown_around_the_culprit_only() -> None:
    """There are 36 code points on each side, and an ellipsis if there are more."""
    _, text, carets, _ = shown("https://h/" + "a" * 100 + "|" + "b" * 100)
    assert text == "    …" + "a" * 36 + "|" + "b" * 36 + "…"
    assert carets == "    " + " " * 37 + "^"


def test_a_long_culprit_is_shown_in_part() -> None:
    """No line grows with the text."""
    _, text, carets, *_ = shown("https://" + "a_" * 5000)
    assert text.startswith("    https://a_a_")
    assert text.endswith("a_…")
    assert len(text) < 140
    assert set(carets[12:]) == {"^"}
    assert carets.startswith(" " * 12 + "^")
    assert len(carets) <= len(text)


def test_a_long_culprit_is_quoted_in_part() -> None:
    """This holds for the message."""
    report = weburl.check("https://" + "a_" * 5000)
    assert len(report.errors[0].message) < 100
    assert "…" in report.errors[0].message


@given(strategies.url_texts, strategies.bases_or_none)
def test_whatever_is_shown_is_printable(text: str, base: str | None) -> None:
    """Controls, bidi marks and lone surrogates are replaced."""
    report = weburl.check(text, base)
    for line in str(report).split("\n"):
        assert strategies.is_printable(line)
    str(report).encode()


@given(
    st.sampled_from(("https:", "HTTP:", "foo:", " wss:", "")),
    st.sampled_from(("//", "//", "\\\\", "/\t/", "///")),
    st.sampled_from(("", "u", "u@", "\u00e9", " ")),
    st.sampled_from(("{}", "{}@", "{}:{}", "|{} ", "@{}")),
    strategies.hosts,
    st.one_of(st.just(""), strategies.ports.map(":{}".format)),
    strategies.bases_or_none,
)
def test_a_password_is_not_shown(
    scheme: str, slashes: str, username: str, password: str, host: str, port: str, base: str | None
) -> None:
    """Reports and errors end up in logs."""
    secret = "hunter2"
    text = f"{scheme}{slashes}{username}:{password.replace('{}', secret)}@{host}{port} "
    report = weburl.check(text, base)
    if not any(error.type == "invalid-credentials" for error in report.errors):
        return
    if report.record is not None and secret not in report.record.password:
        return
    assert secret not in str(report)
    if report.record is None:
        assert secret not in str(parse_error(text, base))


# --- URLParseError ----------------------------------------------------------------------------


def parse_error(text: str, base: str | None = None) -> URLParseError:
    """Return the error that `parse` raises."""
    with pytest.raises(URLParseError) as caught:
        weburl.parse(text, base)
    return caught.value


@pytest.mark.parametrize(
    "copied", [copy.copy, copy.deepcopy, lambda error: pickle.loads(pickle.dumps(error))]
)
def test_the_arguments_of_a_parse_error_have_no_password(copied: Callable[[Any], Any]) -> None:
    """Some loggers write ``error.args``. A copy still has everything else."""
    original = parse_error("https://me:s3cret@exa mple.org/")
    original.add_note("A note.")
    for error in (original, copied(original)):
        assert error.args == (error.reason,)
        assert "s3cret" not in error.reason
        assert type(error) is URLParseError
        assert (str(error), vars(error)) == (str(original), vars(original))
        assert "s3cret" in error.input and error.__notes__ == ["A note."]


def test_a_parse_error_without_a_report_is_only_the_sentence() -> None:
    """Such errors are made by hand, or by methods for which the standard has no name."""
    error = URLParseError("No.", "x")
    assert str(error) == error.reason == "No."
    assert (error.type, error.report) == (None, None)
    assert str(pickle.loads(pickle.dumps(error))) == "No."


@given(strategies.url_texts, strategies.bases_or_none)
def test_a_parse_error_is_at_most_three_short_lines(text: str, base: str | None) -> None:
    """This holds for any text."""
    if weburl.can_parse(text, base):
        return
    error = parse_error(text, base)
    lines = str(error).split("\n")
    assert lines[0] == error.reason
    # Of an empty text there is nothing to show.
    assert len(lines) == (3 if error.input else 1)
    assert set("".join(lines[2:])) <= {" ", "^"}
    assert all(strategies.is_printable(line) for line in lines)


def test_a_type_is_the_standards_name() -> None:
    """Its text is the name, and the member's name is in Python's spelling."""
    for type in ValidationErrorType:
        assert str(type) == type.value == f"{type}"
        assert type.name == type.value.upper().replace("-", "_")
        assert ValidationErrorType(type.value) is type


def test_a_report_made_by_hand_shows_what_it_is_given() -> None:
    """An error is shown at the place that it states."""
    error = ValidationError(
        ValidationErrorType.INVALID_URL_UNIT, 2, 3, is_failure=False, message="Look.", hint="Do."
    )
    report = Report("ab|c", None, (error,), 1, is_valid_url_string=False)
    assert str(report) == "invalid-URL-unit: Look.\n    ab|c\n      ^\n  Do."
    assert report.failure is None


@pytest.mark.parametrize(
    ("text", "places"),
    [
        ("https://h/\ud800", [10]),
        ("https://h/a\udc00b?\ud800#\ud800\udc00\udfff", [11, 14, 18]),
        (" foo:\ud800x", [0, 5]),
        ("foo://a\ud800/", [7]),
        ("https://h/\ufffd\t\ud800", [11, 12]),
    ],
)
def test_a_lone_surrogate_is_no_url_unit(text: str, places: list[int]) -> None:
    """The text is not valid, and once no error explained it."""
    report = weburl.check(text)
    assert [(error.type.value, error.start) for error in report.errors] == [
        ("invalid-URL-unit", place) for place in places
    ]
    assert report.record is not None
    assert not report.is_valid_url_string
    assert parse_disagreements(text) == []
