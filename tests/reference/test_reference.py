"""The reference against web-platform-tests, the standard's own tables, and errors by hand.

Results are checked over the data; what the data does not know, which validation errors arise
where and in which order, is written out here for every one of their names.
"""

from __future__ import annotations

import re
from typing import NamedTuple

import pytest

from tests.reference.api import ReferenceURL, api_url_parser
from tests.reference.hosts import host_parser, host_serializer
from tests.reference.machine import State, basic_url_parse, starts_with_a_windows_drive_letter
from tests.reference.outcomes import (
    FAILURE,
    NOWHERE,
    VALIDATION_ERROR_NAMES,
    ErrorLog,
    ReferenceValidationError,
)
from tests.reference.records import ReferenceRecord
from tests.reference.serializing import url_serializer
from tests.reference.terms import (
    SPECIAL_QUERY_PERCENT_ENCODE_SET,
    USERINFO_PERCENT_ENCODE_SET,
    is_url_code_point,
    percent_decode,
    to_scalar_value_string,
    utf8_percent_encode,
)
from tests.standard_tables import HOSTS, URLS
from tests.wpt import GETTERS, load, load_cases
from weburl.standard.infra.errors import ValidationErrorType

Errors = list[tuple[str, int, bool]]


def parse_or_none(input: str, base: str | None) -> ReferenceURL | None:
    """Return the URL, or None where the constructor raises."""
    try:
        return ReferenceURL(input, base)
    except ValueError:
        return None


def parse(input: str, base: str | None = None) -> ReferenceRecord:
    """Return the record of an input that must parse."""
    record = api_url_parser(input, base)
    assert record is not FAILURE
    return record


def errors_of(input: str, base: str | None = None) -> Errors:
    """Return what is recorded while `input` is parsed, the base having been parsed before."""
    errors: list[ReferenceValidationError] = []
    result = basic_url_parse(input, None if base is None else parse(base), errors=errors)
    assert [error.is_failure for error in errors[:-1]].count(True) == 0
    assert (errors != [] and errors[-1].is_failure) == (result is FAILURE)
    return [(name, pointer, is_failure) for name, pointer, is_failure in errors]


# --- web-platform-tests -----------------------------------------------------------------------


@pytest.mark.parametrize(
    ("name", "count", "attributes"),
    [
        ("urltestdata.json", 891, 624 * 10 + 411),
        ("urltestdata-javascript-only.json", 1, 11),
    ],
)
def test_every_url_of_web_platform_tests_is_parsed_as_expected(
    name: str, count: int, attributes: int
) -> None:
    """All attributes are compared, or failure is, and no case is left out."""
    cases = load_cases(name)
    compared = 0
    wrong: list[object] = []
    for case in cases:
        url = parse_or_none(case["input"], case["base"])
        if url is None or case.get("failure", False):
            if url is not None or not case.get("failure", False):
                wrong.append((case, url))
            continue
        for getter in GETTERS:
            if getter in case:
                compared += 1
                if getattr(url, getter) != case[getter]:
                    wrong.append((case, getter, getattr(url, getter)))
    assert wrong == []
    assert (len(cases), compared) == (count, attributes)


def test_inputs_that_fail_alone_fail_as_bases_and_parse_only_against_the_bases_named() -> None:
    """The key `relativeTo` says with which kind of base an input that fails alone is a URL."""
    cases = [
        case
        for case in load_cases("urltestdata.json")
        if case.get("failure", False) and case["base"] is None
    ]
    bases = ("http://base.example/path", "https://base.example/path", "foo://base/path")
    wrong = []
    for case in cases:
        input, relative_to = case["input"], case.get("relativeTo")
        url = ReferenceURL("about:blank")
        with pytest.raises(ValueError, match=f"^{re.escape(input)}$"):
            url.href = input
        outcome = (
            url.href == "about:blank",
            parse_or_none("about:blank", input) is None,
            any(parse_or_none(input, base) is not None for base in bases),
            parse_or_none(input, "opaque:path") is not None,
        )
        expected = (
            True,
            True,
            relative_to in ("non-opaque-path-base", "any-base"),
            relative_to == "any-base",
        )
        if outcome != expected:
            wrong.append((case, outcome))
    assert wrong == []
    assert (len(cases), sum("relativeTo" in case for case in cases)) == (205, 17)


def test_every_setter_of_web_platform_tests_does_what_is_expected() -> None:
    """Each case sets one attribute and compares the attributes it names."""
    count = 0
    wrong = []
    for attribute, cases in load("setters_tests.json").items():
        if attribute == "comment":
            continue
        for case in cases:
            count += 1
            url = ReferenceURL(case["href"])
            setattr(url, attribute, case["new_value"])
            for getter, expected in case["expected"].items():
                if getattr(url, getter) != expected:
                    wrong.append((case, getter, getattr(url, getter)))
    assert wrong == []
    assert count == 278


def test_queries_in_legacy_encodings_are_those_of_web_platform_tests() -> None:
    """Each input is the query of an https URL, parsed with each encoding that is named."""
    cases = load_cases("percent-encoding.json")
    wrong = []
    for case in cases:
        for encoding, expected in case["output"].items():
            record = basic_url_parse(f"https://a.example/?{case['input']}", encoding=encoding)
            assert record is not FAILURE
            if record.query != expected:
                wrong.append((case["input"], encoding, expected, record.query))
    assert wrong == []
    assert len(cases) == 7


# --- validation errors ------------------------------------------------------------------------


def test_the_names_of_validation_errors_are_those_of_weburl() -> None:
    """There are 31, one of them younger than the standard's text that the rest is from."""
    assert len(VALIDATION_ERROR_NAMES) == 31
    assert {str(member.value) for member in ValidationErrorType} == VALIDATION_ERROR_NAMES


class Example(NamedTuple):
    """A row of the standard's table of validation errors, with all errors that must arise."""

    name: str
    input: str
    errors: Errors
    base: str | None = None


def in_host(name: str, *, is_failure: bool = False) -> tuple[str, int, bool]:
    """Return an error of host parsing, which has no pointer."""
    return (name, NOWHERE, is_failure)


def ipv6_failure(name: str, input: str) -> Example:
    """Return an example whose only error is a failure of host parsing."""
    return Example(name, input, [in_host(name, is_failure=True)])


# In the order of the standard's table, all its examples but one, which has a test of its own.
EXAMPLES = [
    Example(
        "domain-to-ASCII",
        "https://exa%23mple.org",
        [in_host("domain-percent-encoded"), in_host("domain-to-ASCII", is_failure=True)],
    ),
    Example("domain-percent-encoded", "https://exam%70le.org", [in_host("domain-percent-encoded")]),
    Example(
        "host-invalid-code-point",
        "foo://exa[mple.org",
        [in_host("host-invalid-code-point", is_failure=True)],
    ),
    Example(
        "IPv4-empty-part",
        "https://127.0.0.1./",
        [in_host("domain-to-ASCII"), in_host("IPv4-empty-part")],
    ),
    Example("IPv4-too-few-parts", "https://1.2.3/", [in_host("IPv4-too-few-parts")]),
    Example(
        "IPv4-too-many-parts",
        "https://1.2.3.4.5/",
        [in_host("IPv4-too-many-parts", is_failure=True)],
    ),
    Example(
        "IPv4-non-numeric-part",
        "https://test.42",
        [in_host("IPv4-too-few-parts"), in_host("IPv4-non-numeric-part", is_failure=True)],
    ),
    Example("IPv4-non-decimal-part", "https://127.0.0x0.1", [in_host("IPv4-non-decimal-part")]),
    Example(
        "IPv4-out-of-range-part",
        "https://255.255.4000.1",
        [in_host("IPv4-out-of-range-part", is_failure=True)],
    ),
    ipv6_failure("IPv6-unclosed", "https://[::1"),
    ipv6_failure("IPv6-invalid-compression", "https://[:1]"),
    ipv6_failure("IPv6-too-many-pieces", "https://[1:2:3:4:5:6:7:8:9]"),
    ipv6_failure("IPv6-multiple-compression", "https://[1::1::1]"),
    ipv6_failure("IPv6-invalid-code-point", "https://[1:2:3!:4]"),
    ipv6_failure("IPv6-invalid-code-point", "https://[1:2:3:]"),
    ipv6_failure("IPv6-too-few-pieces", "https://[1:2:3]"),
    Example("IPv6-piece-leading-zero", "https://[::01]", [in_host("IPv6-piece-leading-zero")]),
    ipv6_failure("IPv4-in-IPv6-too-many-pieces", "https://[1:1:1:1:1:1:1:127.0.0.1]"),
    ipv6_failure("IPv4-in-IPv6-invalid-code-point", "https://[ffff::.0.0.1]"),
    ipv6_failure("IPv4-in-IPv6-invalid-code-point", "https://[ffff::127.0.xyz.1]"),
    ipv6_failure("IPv4-in-IPv6-invalid-code-point", "https://[ffff::127.0xyz]"),
    ipv6_failure("IPv4-in-IPv6-invalid-code-point", "https://[ffff::127.00.0.1]"),
    ipv6_failure("IPv4-in-IPv6-invalid-code-point", "https://[ffff::127.0.0.1.2]"),
    ipv6_failure("IPv4-in-IPv6-out-of-range-part", "https://[ffff::127.0.0.4000]"),
    ipv6_failure("IPv4-in-IPv6-too-few-parts", "https://[ffff::127.0.0]"),
    Example("invalid-URL-unit", "https://example.org/>", [("invalid-URL-unit", 20, False)]),
    Example("invalid-URL-unit", " https://example.org ", [("invalid-URL-unit", NOWHERE, False)]),
    # The standard shows a line break between "ht" and "tps".
    Example("invalid-URL-unit", "ht\ntps://example.org", [("invalid-URL-unit", NOWHERE, False)]),
    Example("invalid-URL-unit", "https://example.org/%s", [("invalid-URL-unit", 20, False)]),
    Example(
        "special-scheme-missing-following-solidus",
        "file:c:/my-secret-folder",
        [("special-scheme-missing-following-solidus", 4, False)],
    ),
    Example(
        "special-scheme-missing-following-solidus",
        "https:example.org",
        [("special-scheme-missing-following-solidus", 6, False)],
    ),
    Example(
        "special-scheme-missing-following-solidus",
        "https:foo.html",
        [("special-scheme-missing-following-solidus", 6, False)],
        "https://example.org/",
    ),
    Example(
        "missing-scheme-non-relative-URL", "💩", [("missing-scheme-non-relative-URL", 0, True)]
    ),
    Example(
        "missing-scheme-non-relative-URL",
        "💩",
        [("missing-scheme-non-relative-URL", 0, True)],
        "mailto:user@example.org",
    ),
    Example(
        "invalid-reverse-solidus",
        "https://example.org\\path\\to\\file",
        [("invalid-reverse-solidus", pointer, False) for pointer in (19, 24, 27)],
    ),
    Example(
        "invalid-credentials", "https://user@example.org", [("invalid-credentials", 12, False)]
    ),
    Example("invalid-credentials", "ssh://user@example.org", [("invalid-credentials", 10, False)]),
    Example("host-missing", "https://#fragment", [("host-missing", 7, True)]),
    Example("host-missing", "https://:443", [("host-missing", 8, True)]),
    Example(
        "host-missing",
        "https://user:pass@",
        [("invalid-credentials", 17, False), ("host-missing", 18, True)],
    ),
    Example("port-out-of-range", "https://example.org:70000", [("port-out-of-range", 25, True)]),
    Example("port-invalid", "https://example.org:7z", [("port-invalid", 21, True)]),
    Example(
        "file-invalid-Windows-drive-letter-host",
        "file://c:",
        [("file-invalid-Windows-drive-letter-host", 8, False)],
    ),
]


@pytest.mark.parametrize("example", EXAMPLES, ids=[example.input for example in EXAMPLES])
def test_the_examples_in_the_standards_table_of_errors_give_these_errors(example: Example) -> None:
    """The row's error is among them, each is where it belongs, and none is beside them."""
    assert example.name in [name for name, _, _ in example.errors]
    assert errors_of(example.input, example.base) == example.errors


def test_the_table_of_errors_is_covered() -> None:
    """Every name has an example but one whose example is wrong and one that is younger."""
    assert VALIDATION_ERROR_NAMES - {example.name for example in EXAMPLES} == {
        "file-invalid-Windows-drive-letter",
        "IPv4-non-ASCII-input",
    }
    assert len(EXAMPLES) == 43


def test_a_drive_letter_is_an_error_against_a_file_base_only_without_a_slash() -> None:
    """The file slash state records none, so the table's example gives no error."""
    assert errors_of("/c:/path/to/file", "file:///c:/") == []
    assert errors_of("c|/path/to/file", "file:///c:/") == [
        ("file-invalid-Windows-drive-letter", 0, False),
        ("invalid-URL-unit", 1, False),
    ]
    assert errors_of("file:c:", "file:///d:/e") == [
        ("special-scheme-missing-following-solidus", 4, False),
        ("file-invalid-Windows-drive-letter", 5, False),
    ]
    assert errors_of("file:c:", "https://example.org/") == [
        ("special-scheme-missing-following-solidus", 4, False)
    ]


MORE_ERRORS: list[tuple[str, str | None, Errors]] = [
    # The input's preparation comes first, each part of it once.
    (" \t\n", None, [
        ("invalid-URL-unit", NOWHERE, False),
        ("missing-scheme-non-relative-URL", 0, True),
    ]),
    (" h\tttp\r://a.example/\n\n b\x00 ", None, [
        ("invalid-URL-unit", NOWHERE, False),
        ("invalid-URL-unit", NOWHERE, False),
        ("invalid-URL-unit", 17, False),
    ]),
    # Schemes.
    ("", None, [("missing-scheme-non-relative-URL", 0, True)]),
    ("ab c:d", None, [("missing-scheme-non-relative-URL", 0, True)]),
    ("", "mailto:x", [("missing-scheme-non-relative-URL", 0, True)]),
    ("#>", "mailto:x", [("invalid-URL-unit", 1, False)]),
    ("https:", None, [
        ("special-scheme-missing-following-solidus", 6, False),
        ("host-missing", 5, True),
    ]),
    # One where "//" was expected and, at the same code point, one for the slash to ignore.
    ("https:/a.example", None, [
        ("special-scheme-missing-following-solidus", 6, False),
        ("special-scheme-missing-following-solidus", 6, False),
    ]),
    ("https:\\\\a.example", None, [
        ("special-scheme-missing-following-solidus", 6, False),
        ("special-scheme-missing-following-solidus", 6, False),
        ("special-scheme-missing-following-solidus", 7, False),
    ]),
    ("https:///\\a.example", None, [
        ("special-scheme-missing-following-solidus", 8, False),
        ("special-scheme-missing-following-solidus", 9, False),
    ]),
    ("https:\\x", "https://a.example/", [
        ("special-scheme-missing-following-solidus", 6, False),
        ("invalid-reverse-solidus", 6, False),
    ]),
    ("https://a.example/", "https://b.example/", []),
    ("file:", None, [("special-scheme-missing-following-solidus", 4, False)]),
    ("file:\\\\", None, [
        ("special-scheme-missing-following-solidus", 4, False),
        ("invalid-reverse-solidus", 5, False),
        ("invalid-reverse-solidus", 6, False),
    ]),
    # Relative URLs.
    ("\\\\b.example", "https://a.example/", [
        ("invalid-reverse-solidus", 0, False),
        ("invalid-reverse-solidus", 1, False),
    ]),
    ("/\\b.example", "https://a.example/", [("invalid-reverse-solidus", 1, False)]),
    ("\\b", "foo://a/", [("invalid-URL-unit", 0, False)]),
    ("\\b", "file:///a", [("invalid-reverse-solidus", 0, False)]),
    # Authorities.
    ("https://a@b:c@d.example", None, [
        ("invalid-credentials", 9, False),
        ("invalid-credentials", 13, False),
    ]),
    ("https://@/x", None, [("invalid-credentials", 8, False), ("host-missing", 9, True)]),
    ("https://@:1/x", None, [("invalid-credentials", 8, False), ("host-missing", 9, True)]),
    ("foo://@/x", None, [("invalid-credentials", 6, False), ("host-missing", 7, True)]),
    ("foo://:1/x", None, [("host-missing", 6, True)]),
    ("foo:///x", None, []),
    ("https://a.example:80:", None, [("port-invalid", 20, True)]),
    ("https://a.example:\\", None, [("invalid-reverse-solidus", 18, False)]),
    ("foo://a:\\", None, [("port-invalid", 8, True)]),
    ("https://a.example:65536/x", None, [("port-out-of-range", 23, True)]),
    ("https://a.example:00065535/", None, []),
    ("https://[:1/", None, [("IPv6-unclosed", NOWHERE, True)]),
    # Hosts of special URLs.
    ("https://exa mple.org", None, [("domain-to-ASCII", NOWHERE, True)]),
    ("https://exa_mple.org", None, [("domain-to-ASCII", NOWHERE, False)]),
    ("https://-a.example", None, [("domain-to-ASCII", NOWHERE, False)]),
    ("https://a.example.", None, [("domain-to-ASCII", NOWHERE, False)]),
    ("https://a..example", None, [("domain-to-ASCII", NOWHERE, False)]),
    ("https://xn--a", None, [("domain-to-ASCII", NOWHERE, False)]),
    ("https://é.xn--a", None, [("domain-to-ASCII", NOWHERE, True)]),
    ("https://%FF", None, [
        ("domain-percent-encoded", NOWHERE, False),
        ("domain-to-ASCII", NOWHERE, True),
    ]),
    ("https://%", None, [("domain-to-ASCII", NOWHERE, True)]),
    ("https://\xad", None, [("domain-to-ASCII", NOWHERE, True)]),
    ("https://fa\xdf.example", None, []),
    ("file://exa%6Dple/", None, [("domain-percent-encoded", NOWHERE, False)]),
    ("file://a b/", None, [("domain-to-ASCII", NOWHERE, True)]),
    ("file://C|/x", None, [
        ("file-invalid-Windows-drive-letter-host", 8, False),
    ]),
    ("file:///C|/x", None, [("invalid-URL-unit", 9, False)]),
    # IPv4 addresses.
    ("https://256.1", None, [
        ("IPv4-too-few-parts", NOWHERE, False),
        ("IPv4-out-of-range-part", NOWHERE, True),
    ]),
    ("https://1.256", None, [
        ("IPv4-too-few-parts", NOWHERE, False),
        ("IPv4-out-of-range-part", NOWHERE, False),
    ]),
    ("https://1.2.3.256", None, [("IPv4-out-of-range-part", NOWHERE, True)]),
    ("https://4294967295", None, [
        ("IPv4-too-few-parts", NOWHERE, False),
        ("IPv4-out-of-range-part", NOWHERE, False),
    ]),
    ("https://4294967296", None, [
        ("IPv4-too-few-parts", NOWHERE, False),
        ("IPv4-out-of-range-part", NOWHERE, True),
    ]),
    ("https://256.256.256.256", None, [("IPv4-out-of-range-part", NOWHERE, True)]),
    ("https://0x.00.08.1", None, [
        ("IPv4-non-decimal-part", NOWHERE, False),
        ("IPv4-non-decimal-part", NOWHERE, False),
        ("IPv4-non-numeric-part", NOWHERE, True),
    ]),
    ("https://09", None, [
        ("IPv4-too-few-parts", NOWHERE, False),
        ("IPv4-non-numeric-part", NOWHERE, True),
    ]),
    ("https://0x1.", None, [
        ("domain-to-ASCII", NOWHERE, False),
        ("IPv4-empty-part", NOWHERE, False),
        ("IPv4-too-few-parts", NOWHERE, False),
        ("IPv4-non-decimal-part", NOWHERE, False),
    ]),
    ("https://1..2", None, [
        ("domain-to-ASCII", NOWHERE, False),
        ("IPv4-too-few-parts", NOWHERE, False),
        ("IPv4-non-numeric-part", NOWHERE, True),
    ]),
    ("https://1.2..", None, [("domain-to-ASCII", NOWHERE, False)]),
    ("https://\uff11.2.3.4", None, [("IPv4-non-ASCII-input", NOWHERE, False)]),
    ("https://%EF%BC%91.2.3.4", None, [
        ("domain-percent-encoded", NOWHERE, False),
        ("IPv4-non-ASCII-input", NOWHERE, False),
    ]),
    ("https://1.2.3.4\u3002", None, [
        ("domain-to-ASCII", NOWHERE, False),
        ("IPv4-non-ASCII-input", NOWHERE, False),
        ("IPv4-empty-part", NOWHERE, False),
    ]),
    ("https://é.\uff142", None, [
        ("IPv4-non-ASCII-input", NOWHERE, False),
        ("IPv4-too-few-parts", NOWHERE, False),
        ("IPv4-non-numeric-part", NOWHERE, True),
    ]),
    ("https://é.example", None, []),
    ("foo://\uff11", None, []),
    # IPv6 addresses.
    ("foo://[0::01:0002]", None, [
        ("IPv6-piece-leading-zero", NOWHERE, False),
        ("IPv6-piece-leading-zero", NOWHERE, False),
    ]),
    ("foo://[::00]", None, [("IPv6-piece-leading-zero", NOWHERE, False)]),
    ("foo://[::10]", None, []),
    ("foo://[01:]", None, [("IPv6-invalid-code-point", NOWHERE, True)]),
    ("foo://[01::g]", None, [
        ("IPv6-piece-leading-zero", NOWHERE, False),
        ("IPv6-invalid-code-point", NOWHERE, True),
    ]),
    ("foo://[::12345]", None, [("IPv6-invalid-code-point", NOWHERE, True)]),
    ("foo://[]", None, [("IPv6-too-few-pieces", NOWHERE, True)]),
    ("foo://[::1%41]", None, [("IPv6-invalid-code-point", NOWHERE, True)]),
    ("foo://[1:2:3:4:5:6:7::]", None, []),
    ("foo://[1:2:3:4:5:6:7:8:]", None, [("IPv6-invalid-code-point", NOWHERE, True)]),
    ("foo://[1:2:3:4:5:6:7:8::]", None, [("IPv6-too-many-pieces", NOWHERE, True)]),
    ("foo://[::1.2.3.256]", None, [("IPv4-in-IPv6-out-of-range-part", NOWHERE, True)]),
    ("foo://[::1.2.3.4:]", None, [("IPv4-in-IPv6-invalid-code-point", NOWHERE, True)]),
    ("foo://[::1.2.3.]", None, [("IPv4-in-IPv6-invalid-code-point", NOWHERE, True)]),
    ("foo://[::1.]", None, [("IPv4-in-IPv6-invalid-code-point", NOWHERE, True)]),
    ("foo://[::12345.2.3.4]", None, [("IPv6-invalid-code-point", NOWHERE, True)]),
    ("foo://[::0a.2.3.4]", None, [("IPv4-in-IPv6-invalid-code-point", NOWHERE, True)]),
    ("foo://[1.2.3.4]", None, [("IPv6-too-few-pieces", NOWHERE, True)]),
    ("foo://[::1]a", None, [("IPv6-unclosed", NOWHERE, True)]),
    ("foo://a[::1]", None, [("host-invalid-code-point", NOWHERE, True)]),
    # Opaque hosts: one error for all code points, one for all percent signs.
    ('foo://"a"%g%', None, [
        ("invalid-URL-unit", NOWHERE, False),
        ("invalid-URL-unit", NOWHERE, False),
    ]),
    ("foo://%g%41%", None, [("invalid-URL-unit", NOWHERE, False)]),
    ("foo://{}", None, [("invalid-URL-unit", NOWHERE, False)]),
    ("foo://%00", None, []),
    ("foo://a^%", None, [("host-invalid-code-point", NOWHERE, True)]),
    # Paths, queries, fragments: one error for each code point.
    ("https://a.example/%%4%41[]", None, [
        ("invalid-URL-unit", pointer, False) for pointer in (18, 19, 24, 25)
    ]),
    ("https://a.example/a\\..\\?\\`#\\#", None, [
        ("invalid-reverse-solidus", 19, False),
        ("invalid-reverse-solidus", 22, False),
        *[("invalid-URL-unit", pointer, False) for pointer in (24, 25, 27, 28)],
    ]),
    ("foo:/a\\b", None, [("invalid-URL-unit", 6, False)]),
    ("foo:a  ?b #c ", None, [
        ("invalid-URL-unit", NOWHERE, False),
        *[("invalid-URL-unit", pointer, False) for pointer in (5, 6, 9)],
    ]),
    ("foo:%a\"?'#'", None, [("invalid-URL-unit", 4, False), ("invalid-URL-unit", 6, False)]),
    ("foo:\ud800\ud83d\udca9\uffff\ue000\x9f\xa0", None, [
        ("invalid-URL-unit", 4, False),
        ("invalid-URL-unit", 6, False),
        ("invalid-URL-unit", 8, False),
    ]),
    # All at once, from left to right.
    (" https:\\\\u@%41_.example:8\\ ?%#\t% ", None, [
        ("invalid-URL-unit", NOWHERE, False),
        ("invalid-URL-unit", NOWHERE, False),
        ("special-scheme-missing-following-solidus", 6, False),
        ("special-scheme-missing-following-solidus", 6, False),
        ("special-scheme-missing-following-solidus", 7, False),
        ("invalid-credentials", 9, False),
        ("domain-percent-encoded", NOWHERE, False),
        ("domain-to-ASCII", NOWHERE, False),
        ("invalid-reverse-solidus", 24, False),
        ("invalid-URL-unit", 25, False),
        ("invalid-URL-unit", 27, False),
        ("invalid-URL-unit", 29, False),
    ]),
]  # fmt: skip


@pytest.mark.parametrize(("input", "base", "errors"), MORE_ERRORS, ids=ascii)
def test_errors_arise_in_this_order_at_these_pointers(
    input: str, base: str | None, errors: Errors
) -> None:
    """Worked out by hand from the standard's text, all errors and nothing but."""
    assert errors_of(input, base) == errors


def test_a_state_override_records_errors_but_no_error_of_trimming() -> None:
    """With a URL given, the input is not trimmed; spaces are ordinary code points then."""
    errors: list[ReferenceValidationError] = []
    url = parse("https://a.example/")
    result = basic_url_parse(" a\tb\\ ", url=url, state_override=State.PATH_START, errors=errors)
    assert result is url
    assert url.path == ["", "%20ab", "%20"]
    assert errors == [
        ("invalid-URL-unit", NOWHERE, False),
        ("invalid-URL-unit", 0, False),
        ("invalid-reverse-solidus", 3, False),
        ("invalid-URL-unit", 4, False),
    ]


# --- results ----------------------------------------------------------------------------------


def test_a_surrogate_pair_is_one_code_point_and_a_lone_surrogate_is_replaced() -> None:
    """As Web IDL converts any string before a browser's parser sees it."""
    assert to_scalar_value_string("\ud83d\udca9") == "\U0001f4a9"
    assert to_scalar_value_string("\udbff\udfff\ud800\udc00") == "\U0010ffff\U00010000"
    assert to_scalar_value_string("\ud83d\ud83d\udca9\udca9") == "\ufffd\U0001f4a9\ufffd"
    assert parse("foo:\ud83d\udca9\udca9").path == "%F0%9F%92%A9%EF%BF%BD"
    url = ReferenceURL("https://a.example/")
    url.username = "\ud83d\udca9\ud83d"
    assert url.username == "%F0%9F%92%A9%EF%BF%BD"


def test_a_url_code_point_is_neither_a_noncharacter_nor_a_surrogate_nor_eof() -> None:
    """Counted over all code points: 81 of ASCII, and the rest above U+009F."""
    assert not is_url_code_point("")
    assert sum(is_url_code_point(chr(value)) for value in range(0x80)) == 81
    count = sum(is_url_code_point(chr(value)) for value in range(0x110000))
    noncharacters = 32 + 2 * 17
    assert count == 81 + (0x110000 - 0xA0) - 0x800 - noncharacters


def test_a_setter_that_fails_may_have_changed_a_part() -> None:
    """The port is out of range, but the host before it has been set."""
    url = parse("https://a.example:8080/x")
    result = basic_url_parse("b.example:65536", url=url, state_override=State.HOST)
    assert result is FAILURE
    assert url.components() == ("https", "", "", "b.example", 8080, ("x",), None, None)


def test_a_state_override_ends_with_the_url_with_nothing_or_with_failure() -> None:
    """The three ways in which the parser can end when a URL was given."""
    url = parse("https://a.example/")
    assert basic_url_parse("#x", url=url, state_override=State.PATH_START) is url
    assert basic_url_parse("b.example/x", url=url, state_override=State.HOST) is None
    assert basic_url_parse("foo:", url=url, state_override=State.SCHEME_START) is None
    assert basic_url_parse("1:", url=url, state_override=State.SCHEME_START) is FAILURE
    assert basic_url_parse("a!:", url=url, state_override=State.SCHEME_START) is FAILURE
    assert basic_url_parse("", url=url, state_override=State.HOST) is FAILURE
    assert basic_url_parse("b:1", url=url, state_override=State.HOSTNAME) is FAILURE
    assert url_serializer(url) == "https://b.example//%23x"


def test_components_tell_null_from_empty_and_opaque_from_list() -> None:
    """The tuple that other implementations are compared with."""
    assert parse("foo:a?#").components() == ("foo", "", "", None, None, "a", "", "")
    assert parse("foo:/a").components() == ("foo", "", "", None, None, ("a",), None, None)
    assert parse("foo:///").components() == ("foo", "", "", "", None, ("",), None, None)
    assert parse("foo://h").components() == ("foo", "", "", "h", None, (), None, None)
    assert parse("ws://u:p@[::1]:8/").components() == (
        "ws", "u", "p", "[::1]", 8, ("",), None, None
    )  # fmt: skip
    assert parse("ftp://0x7f.1:21/").components() == (
        "ftp", "", "", "127.0.0.1", None, ("",), None, None
    )  # fmt: skip


def test_a_base_is_not_changed_by_what_is_parsed_against_it() -> None:
    """Its path is cloned before it is shortened or added to."""
    base = parse("https://a.example/b/c?d")
    relative = basic_url_parse("../e", base)
    assert relative is not FAILURE
    assert url_serializer(relative) == "https://a.example/e"
    assert url_serializer(base) == "https://a.example/b/c?d"


def test_the_fragment_may_be_left_out_of_serializing() -> None:
    """Only the fragment: a query stays."""
    url = parse("https://a.example/?b#c")
    assert url_serializer(url) == "https://a.example/?b#c"
    assert url_serializer(url, exclude_fragment=True) == "https://a.example/?b"


def test_numbers_of_any_length_are_read() -> None:
    """Python's own limit on the digits of a number is never met."""
    assert parse(f"https://a.example:{'0' * 9000}81/").port == 81
    assert errors_of(f"https://{'9' * 9000}/")[-1] == (
        "IPv4-out-of-range-part", NOWHERE, True
    )  # fmt: skip
    assert errors_of(f"https://a.example:{'9' * 9000}/")[-1][0] == "port-out-of-range"


@pytest.mark.parametrize(
    ("url", "query"),
    [
        ("https://a.example/?‽≡'", "%26%238253%3B%81%DF%27"),
        ("file:///?≡", "%81%DF"),
        ("ws://a.example/?≡", "%E2%89%A1"),
        ("wss://a.example/?≡", "%E2%89%A1"),
        ("foo://a/?≡'", "%E2%89%A1'"),
    ],
)
def test_a_legacy_encoding_is_for_special_urls_other_than_web_sockets(url: str, query: str) -> None:
    """Everything else of a URL, and every other URL, is UTF-8."""
    record = basic_url_parse(url, encoding="shift_jis")
    assert record is not FAILURE
    assert record.query == query


def test_encodings_that_cannot_encode_urls_give_way_to_utf_8() -> None:
    """The output encoding of UTF-16 is UTF-8, and labels may have spaces around them."""
    for label in ("utf-16le", " UTF-8\n", "unicode-1-1-utf-8", "UTF8"):
        record = basic_url_parse("https://a.example/?≡", encoding=label)
        assert record is not FAILURE
        assert record.query == "%E2%89%A1"


# --- the standard's other tables --------------------------------------------------------------


@pytest.mark.parametrize(
    ("input", "host", "opaque_host"),
    HOSTS,
)
def test_hosts_are_those_of_the_standards_table(
    input: str, host: str | None, opaque_host: str | None
) -> None:
    """A table of what the host parser makes of an input, opaque or not; None is failure."""
    for is_opaque, expected in ((False, host), (True, opaque_host)):
        result = host_parser(input, is_opaque, ErrorLog(None))
        assert (None if result is FAILURE else host_serializer(result)) == expected


@pytest.mark.parametrize(
    ("input", "base", "is_valid", "output"),
    URLS,
)
def test_urls_are_those_of_the_standards_table(
    input: str, base: str | None, is_valid: bool, output: str | None
) -> None:
    """A table of inputs and outputs; None is failure, and a valid input gives no errors."""
    record = api_url_parser(input, base)
    assert (None if record is FAILURE else url_serializer(record)) == output
    assert (errors_of(input, base) == []) == is_valid


@pytest.mark.parametrize(
    ("string", "expected"),
    [("c:", True), ("c:/", True), ("c:a", False), ("c|#", True), ("c", False), ("1:", False)],
)
def test_windows_drive_letters_start_as_in_the_standards_table(string: str, expected: bool) -> None:
    """The table's three rows and a few that it implies."""
    assert starts_with_a_windows_drive_letter(string) is expected


def test_percent_encoding_is_that_of_the_standards_table() -> None:
    """The rows of the table that concern UTF-8."""
    assert percent_decode("%25%s%1G") == b"%%s%1G"
    assert percent_decode("‽%25%2E") == b"\xe2\x80\xbd%."
    assert percent_decode("%4") == b"%4"
    assert utf8_percent_encode("≡", USERINFO_PERCENT_ENCODE_SET) == "%E2%89%A1"
    assert utf8_percent_encode("Say what‽", USERINFO_PERCENT_ENCODE_SET) == "Say%20what%E2%80%BD"
    assert utf8_percent_encode(" ", SPECIAL_QUERY_PERCENT_ENCODE_SET) == "%20"
    assert utf8_percent_encode("\x7f", SPECIAL_QUERY_PERCENT_ENCODE_SET) == "%7F"


@pytest.mark.parametrize(
    ("address", "expected"),
    [
        ("0:f:0:0:f:f:0:0", "[0:f::f:f:0:0]"),
        ("1:0:1:1:1:1:1:1", "[1:0:1:1:1:1:1:1]"),
        ("0:0:0:0:0:0:0:0", "[::]"),
        ("1:0:0:0:0:0:0:0", "[1::]"),
        ("1:0:0:1:0:0:0:1", "[1:0:0:1::1]"),
        ("::ffff:192.168.0.1", "[::ffff:c0a8:1]"),
    ],
)
def test_the_first_longest_run_of_zero_pieces_is_compressed(address: str, expected: str) -> None:
    """The standard's own example comes first; one zero alone is not compressed."""
    host = host_parser(f"[{address}]", False, ErrorLog(None))
    assert host is not FAILURE
    assert host_serializer(host) == expected
