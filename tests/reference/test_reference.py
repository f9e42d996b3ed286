"""The reference against web-platform-tests, the standard's own tables, and errors by hand.

Results are checked over the data; what the data does not know, which validation errors arise
where and in which order, is written out here for every one of their names.
"""

from __future__ import annotations

import re

import pytest

from tests.reference.api import ReferenceURL, api_url_parser
from tests.reference.hosts import host_parser, host_serializer
from tests.reference.machine import basic_url_parse
from tests.reference.outcomes import (
    FAILURE,
    VALIDATION_ERROR_NAMES,
    ErrorLog,
    ReferenceValidationError,
)
from tests.reference.records import ReferenceRecord
from tests.reference.serializing import url_serializer
from tests.reference.terms import (
    is_url_code_point,
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


# --- results ----------------------------------------------------------------------------------


def test_a_url_code_point_is_neither_a_noncharacter_nor_a_surrogate_nor_eof() -> None:
    """Counted over all code points: 81 of ASCII, and the rest above U+009F."""
    assert not is_url_code_point("")
    assert sum(is_url_code_point(chr(value)) for value in range(0x80)) == 81
    count = sum(is_url_code_point(chr(value)) for value in range(0x110000))
    noncharacters = 32 + 2 * 17
    assert count == 81 + (0x110000 - 0xA0) - 0x800 - noncharacters


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
