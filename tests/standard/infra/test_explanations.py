"""`infra.explanations` explains every error in true and readable sentences."""

from __future__ import annotations

import re
from typing import Final

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.strategies import is_printable
from weburl import URLParseError, ValidationError, ValidationErrorType, can_parse, check, parse
from weburl.standard.infra import unicode_data
from weburl.standard.infra.explanations import EXPLANATIONS, explain, printable, quoted

Type = ValidationErrorType
BLANK: Final = "\u115f\u1160\u2800\u3164\uffa0"

# For each name an input that has it, a base or None, and what the message and its hint say of it.
SHOWN: Final[dict[Type, tuple[str, str | None, str, str]]] = {
    Type.DOMAIN_TO_ASCII: (
        "https://a..b/", None, "'a..b' is not a valid domain name: it has an empty", "each dot"
    ),
    Type.DOMAIN_PERCENT_ENCODED: (
        "https://ex%61mple.org/", None, "percent-encoded byte '%61'", "without percent signs"
    ),
    Type.HOST_INVALID_CODE_POINT: ("k://a^b/", None, "The host contains '^'", ""),
    Type.IPV4_NON_ASCII_INPUT: (
        "https://１２７.0.0.1/", None, "'１２７.0.0.1'", "the digits 0 to 9"
    ),
    Type.IPV4_EMPTY_PART: ("https://127.0.0.1./", None, "ends in a dot", "Remove the last dot"),
    Type.IPV4_TOO_FEW_PARTS: ("https://127.1/", None, "'127.1' has fewer than four", "127.0.0.1"),
    Type.IPV4_TOO_MANY_PARTS: ("https://1.2.3.4.5/", None, "'1.2.3.4.5' has more", "four numbers"),
    Type.IPV4_NON_NUMERIC_PART: ("https://a.42/", None, "is not a number: 'a'", "last part is"),
    Type.IPV4_NON_DECIMAL_PART: ("https://127.0.0x0.1/", None, "octal part: '0x0'", "decimal"),
    Type.IPV4_OUT_OF_RANGE_PART: ("https://1.2.300.4/", None, "than 255: '300'", "0 to 255"),
    Type.IPV6_UNCLOSED: ("https://[::1", None, "'[::1' is not closed", "']'"),
    Type.IPV6_INVALID_COMPRESSION: ("https://[:1]", None, "begins with a single colon", "'::'"),
    Type.IPV6_TOO_MANY_PIECES: ("https://[1:2:3:4:5:6:7:8:9]", None, "more than eight pieces", ""),
    Type.IPV6_MULTIPLE_COMPRESSION: ("https://[1::1::1]", None, "more than one place", "Keep one"),
    Type.IPV6_INVALID_CODE_POINT: ("https://[1:2!]", None, "'!' where a hexadecimal digit", ""),
    Type.IPV6_TOO_FEW_PIECES: ("https://[1:2:3]", None, "has fewer than eight pieces", "'::'"),
    Type.IPV6_PIECE_LEADING_ZERO: ("https://[::01]", None, "The piece '01'", "leading zeros"),
    Type.IPV4_IN_IPV6_TOO_MANY_PIECES: (
        "https://[1:1:1:1:1:1:1:127.0.0.1]", None, "before the IPv4 address '127.0.0.1'", ""
    ),
    Type.IPV4_IN_IPV6_INVALID_CODE_POINT: (
        "https://[ffff::127.0.x.1]", None, "wrong at 'x'", "without leading zeros"
    ),
    Type.IPV4_IN_IPV6_OUT_OF_RANGE_PART: (
        "https://[ffff::127.0.0.4000]", None, "greater than 255", "0 to 255"
    ),
    Type.IPV4_IN_IPV6_TOO_FEW_PARTS: (
        "https://[ffff::127.0.0]", None, "fewer than four numbers", "all four"
    ),
    Type.INVALID_URL_UNIT: ("https://h/>", None, "'>' is not allowed here", "Percent-encode"),
    Type.SPECIAL_SCHEME_MISSING_FOLLOWING_SOLIDUS: (
        "https:h", None, "Exactly two slashes", "'//'"
    ),
    Type.MISSING_SCHEME_NON_RELATIVE_URL: ("h/p", None, "no scheme", "https://"),
    Type.INVALID_REVERSE_SOLIDUS: ("https://h\\", None, "backslash", "Write '/'"),
    Type.INVALID_CREDENTIALS: ("https://u@h/", None, "username or a password", "Remove"),
    Type.HOST_MISSING: ("https://#f", None, "The URL has no host.", "https://example.com"),
    Type.PORT_OUT_OF_RANGE: ("https://h:70000", None, "'70000' is greater than 65535", ""),
    Type.PORT_INVALID: ("https://h:7z", None, "'z', which is not a digit", "0 to 65535"),
    # Written with ":" it would be a scheme.
    Type.FILE_INVALID_WINDOWS_DRIVE_LETTER: (
        "C|/x", "file:///D:/", "'C|' is a Windows drive letter", "the whole file URL"
    ),
    Type.FILE_INVALID_WINDOWS_DRIVE_LETTER_HOST: (
        "file://C:/x", None, "'C:' is in the place of the host", "three slashes"
    ),
}  # fmt: skip


def the_error(input: str, base: str | None, type: Type) -> ValidationError:
    """Return the first error of that type."""
    return next(error for error in check(input, base).errors if error.type is type)


def test_every_name_of_the_standard_is_explained() -> None:
    """There are 31, in the same order, each with an input below."""
    assert list(EXPLANATIONS) == list(Type)
    assert set(SHOWN) == set(Type)
    assert len(SHOWN) == 31


@pytest.mark.parametrize("type", Type)
def test_messages_and_hints_are_sentences(type: Type) -> None:
    """They begin with a capital letter or the culprit, and end with one full stop, on one line."""
    message, hint = EXPLANATIONS[type]
    assert re.fullmatch(r"([A-Z]|\{culprit\}).*[^.]\.", message)
    assert hint == "" or re.fullmatch(r"[A-Z].*[^.]\.", hint)
    for text in (message, hint):
        assert "\n" not in text
        assert "  " not in text
        assert text.count("{culprit}") <= 1
        assert not set(text.replace("{culprit}", "")) & set("{}")
        assert type.value not in text
        assert len(text) < 110


@pytest.mark.parametrize("type", Type)
def test_each_error_is_explained_where_it_occurs(type: Type) -> None:
    """The message contains the culprit, and the hint says what to do.

    The link's anchor is the name in lower case. One is longer, because an algorithm has that name.
    """
    input, base, message, hint = SHOWN[type]
    error = the_error(input, base, type)
    assert message in error.message
    assert hint in error.hint
    assert "{culprit}" not in error.message + error.hint
    assert str(error) == error.message
    prefix = "validation-error-" if type is Type.DOMAIN_TO_ASCII else ""
    assert error.spec_url == f"https://url.spec.whatwg.org/#{prefix}{type.value.lower()}"


@pytest.mark.parametrize("forbidden", "\t\n\r\0\x1b\x7f #/:<>?@[\\]^|")
def test_a_host_that_fails_by_one_code_point_is_told_which(forbidden: str) -> None:
    """An invisible code point is named by its number."""
    message, hint = explain(Type.DOMAIN_TO_ASCII, f"a{forbidden}b", is_failure=True)
    named = {" ": "a space"}.get(forbidden) or (
        f"'{forbidden}'" if forbidden.isprintable() else f"U+{ord(forbidden):04X}"
    )
    assert f"contains {named}, which is not allowed in a domain name." in message
    assert hint == ""


@pytest.mark.parametrize(("culprit", "is_failure"), [("a%20b", True), ("a b", False)])
def test_a_host_is_not_told_of_a_code_point_that_did_no_harm(
    culprit: str, is_failure: bool
) -> None:
    """A percent sign was decoded before, and an error that is not a failure has another cause."""
    message, hint = explain(Type.DOMAIN_TO_ASCII, culprit, is_failure=is_failure)
    assert message == f"'{culprit}' is not a valid domain name."
    assert hint.startswith("A domain name is made of labels")


@pytest.mark.parametrize(
    ("input", "base", "words"),
    [
        # The joiner makes the host fail, and not the tab or newline, which is removed.
        *(
            (f"https://a\u200d{dropped}b/", None, "which no domain name may contain")
            for dropped in "\t\n\r"
        ),
        # Nothing can be relative to the base because its path is opaque.
        *(
            ("x", base, "there is no base URL")
            for base in ("mailto:you@example.com", "about:blank", "data:,x")
        ),
        # The address ends too early.
        *(
            (f"https://[{address}]/", None, "has ':' where a hexadecimal digit or a colon")
            for address in ("1:", "1:2:", "1:2:3:4:5:6:7:")
        ),
        # A piece has more than four digits.
        *(
            (f"https://[{address}]/", None, "where a hexadecimal digit")
            for address in ("12345::", "0:00000", "::abcde")
        ),
        # The number has no place in the text, so the error points to the host.
        ("https://０.０.０.２５６/", None, "'０.０.０.２５６', a part of"),
    ],
)
def test_what_is_not_the_cause_is_not_blamed(input: str, base: str | None, words: str) -> None:
    """Each of these messages was once misleading."""
    with pytest.raises(URLParseError) as caught:
        parse(input, base)
    assert words not in caught.value.reason


@pytest.mark.parametrize("part", ["08", "09", "0180", "00008"])
def test_a_number_with_a_leading_zero_is_explained(part: str) -> None:
    """It is read as octal, which has no digits 8 and 9. People cannot guess that."""
    with pytest.raises(URLParseError) as caught:
        parse(f"https://192.168.{part}.1/")
    report = caught.value.report
    assert report is not None
    assert report.failure is not None
    explanation = report.failure.message + report.failure.hint
    assert "octal" in explanation or "leading zero" in explanation


@pytest.mark.parametrize(
    "input",
    [
        "https://[]/",
        "https://[",
        "https://",
        "k://@",
        "https://@/",
        "https://:80",
        "https://[:",
        "https://1..2/",
        "https://.1/",
        "https://[1::2.]/",
        "https://[::1.]/",
    ],
)
def test_no_message_quotes_an_empty_culprit(input: str) -> None:
    """Empty quotation marks help no one."""
    for error in check(input).errors:
        assert "''" not in error.message


# --- quoted and printable


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("", "''"),
        ("a", "'a'"),
        ("'", "'''"),
        (" ", "a space"),
        ("  ", "'  '"),
        ("\t", "U+0009"),
        ("\0", "U+0000"),
        ("\x7f", "U+007F"),
        ("\u202e", "U+202E"),
        ("\ud800", "U+D800"),
        ("\U000e0001", "U+E0001"),
        ("\U0010ffff", "U+10FFFF"),
        ("🦊", "'🦊'"),
        ("ü\u202eb", "'ü\ufffdb'"),
        ("\r\n", "'\ufffd\ufffd'"),
        ("x" * 40, "'" + "x" * 40 + "'"),
        ("x" * 41, "'" + "x" * 39 + "…'"),
        ("\t" * 41, "'" + "\ufffd" * 39 + "…'"),
    ],
)
def test_a_culprit_is_quoted_or_named_and_shortened(text: str, shown: str) -> None:
    """An invisible code point is named. At most forty are shown."""
    assert quoted(text) == shown


@given(st.text())
def test_what_is_shown_is_printable_and_as_long(text: str) -> None:
    """Each code point becomes one, so carets can be placed below it."""
    shown = printable(text)
    assert len(shown) == len(text)
    assert is_printable(shown)
    for before, after in zip(text, shown, strict=True):
        assert after in (before, "\ufffd")
        is_shown = is_printable(before) and before not in BLANK
        assert (after == before) == (is_shown or before == "\ufffd")
    assert len(quoted(text)) <= 42
    assert is_printable(quoted(text))


@pytest.mark.parametrize("category", ["Cc", "Cf", "Cs", "Co", "Cn", "Zl", "Zp"])
def test_no_control_format_or_unassigned_code_point_is_shown(category: str) -> None:
    """Every code point of the category up to U+FFFF is tried."""
    found = [char for char in map(chr, range(0x10000)) if unicode_data.category(char) == category]
    assert found
    assert set(printable("".join(found))) == {"\ufffd"}


@pytest.mark.parametrize("invisible", BLANK)
def test_letters_and_symbols_that_do_not_show_are_replaced(invisible: str) -> None:
    """Hangul fillers and the empty Braille cell are blank, but printable in Python."""
    assert printable(f"a{invisible}b") == "a\ufffdb"


@given(st.text())
def test_no_message_disturbs_its_surroundings(text: str) -> None:
    """Everything in a report is printable, and each message has one line."""
    report = check(f"https://{text}")
    for error in report.errors:
        assert is_printable(error.message)
        assert is_printable(error.hint)
        assert len(error.message) < 200
    assert all(is_printable(line) for line in str(report).split("\n"))


# --- messages and hints that depend on more than the name


@pytest.mark.parametrize(
    ("input", "words"),
    [
        ("https://[::1]x/", "text after the ']'"),
        ("file://[::1]:80/", "text after the ']'"),
        ("file:c:/x", "Write 'file:///' before the path"),
        ("/path", "Pass a base URL"),
        ("?a", "Pass a base URL"),
        ("../a", "Pass a base URL"),
        ("//example.com", "such as 'https:'."),
        ("example.com", "such as 'https://'."),
        ("https//example.com", "Add a ':'"),
        ("http://exa%mple.org", "contains '%'"),
        ("http://ab--cd.com", "third and fourth characters"),
        ("http://1.2..3", "has an empty part"),
        ("http://.1", "has an empty part"),
        ("https://[12345::]/", "more than four digits"),
        ("https://[fe80::1%eth0]/", "has no zone"),
        ("https://@example.com", "or an '@' for them"),
        ("https://a./", "it has an empty label"),
        ("https://a\u202eb/", "it contains U+202E (RIGHT-TO-LEFT OVERRIDE)"),
        ("https://a\u200b\u200db/", "it contains U+200D (ZERO WIDTH JOINER)"),
        ("https://a\ue000b/", "it contains U+E000."),
        ("\ufeffhttps://example.com/", "begins with U+FEFF (byte order mark)"),
        ("\u200bhttps://example.com/", "begins with U+200B (ZERO WIDTH SPACE)"),
        ("http://0x100000000/", "'0x100000000' is too large"),
        ("http://4294967296/", "'4294967296' is too large"),
        ("http://1.16777216/", "'16777216' is too large"),
        ("http://1." + "9" * 5000, "is too large"),
        ("http://0400.1.1.1/", "'0400' is 256."),
        ("http://0x1ff.1.1.1/", "'0x1ff' is 511."),
        ("http://1.2.3.256/", "greater than 255: '256'."),
    ],
)
def test_a_person_is_told_what_helps_with_this_text(input: str, words: str) -> None:
    """One name can have several causes."""
    errors = check(input).errors
    assert any(words in f"{error.message} {error.hint}" for error in errors)


def test_each_invisible_character_that_is_blamed_makes_a_host_fail() -> None:
    """The few that UTS #46 removes, or allows, are not blamed if the host has another fault."""
    blamed = [
        char
        for char in map(chr, [*range(0x80, 0x3200), *range(0xD7FF, 0x1F000)])
        if "it contains" in explain(Type.DOMAIN_TO_ASCII, f"a{char}b", is_failure=True).message
    ]
    assert len(blamed) > 8000
    assert [char for char in blamed if can_parse(f"https://a{char}b/")] == []


@pytest.mark.parametrize("input", ["https:foo.html", "http:/example.com", "https:///example.com"])
def test_no_hint_changes_what_a_relative_url_means(input: str) -> None:
    """With a base of the same scheme, the text is relative. With two slashes, it would not be."""
    (error, *_) = check(input, "https://example.com/").errors
    assert "A relative URL has no scheme" in error.hint


def test_messages_begin_like_sentences() -> None:
    """This includes messages that begin with the culprit."""
    for error in check("https://u@h:8/ |\t\u3164\ufdd0?\\").errors:
        assert not error.message[0].islower()
