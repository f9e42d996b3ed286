"""`hosts.parser` finds the kind of a host, and reports errors."""

from __future__ import annotations

from contextlib import suppress

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.reference import hosts as reference
from tests.reference.outcomes import FAILURE, ErrorLog, ReferenceValidationError
from tests.strategies import hosts
from weburl import EmptyHost
from weburl.standard.hosts.parser import parse_host
from weburl.standard.infra.errors import ErrorList, Failure, RecordedError
from weburl.standard.infra.errors import ValidationErrorType as Type
from weburl.standard.infra.strings import to_scalar_value_string


def recorded(text: str, *, is_opaque: bool = False, start: int = 0) -> list[RecordedError]:
    """Return the errors that are recorded for a host at an offset."""
    errors = ErrorList(100)
    with suppress(Failure):
        parse_host(text, is_opaque, errors.after(start))
    return errors.recorded


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("example.com", []),
        ("ex%61mple.c%6Fm", [(Type.DOMAIN_PERCENT_ENCODED, 5, 8, False)]),
        ("a_b", [(Type.DOMAIN_TO_ASCII, 3, 6, False)]),
        ("example.com.", [(Type.DOMAIN_TO_ASCII, 3, 15, False)]),
        ("xn--a", [(Type.DOMAIN_TO_ASCII, 3, 8, False)]),
        (
            "%65_",
            [(Type.DOMAIN_PERCENT_ENCODED, 3, 6, False), (Type.DOMAIN_TO_ASCII, 3, 7, False)],
        ),
        (
            "%zz%41",
            [(Type.DOMAIN_PERCENT_ENCODED, 6, 9, False), (Type.DOMAIN_TO_ASCII, 3, 9, True)],
        ),
        (
            "\uff11.2.3",
            [(Type.IPV4_NON_ASCII_INPUT, 3, 8, False), (Type.IPV4_TOO_FEW_PARTS, 3, 8, False)],
        ),
        ("\uff11.2.3.4", [(Type.IPV4_NON_ASCII_INPUT, 3, 10, False)]),
        (
            "%EF%BC%91.2.3.4",
            [(Type.DOMAIN_PERCENT_ENCODED, 3, 6, False), (Type.IPV4_NON_ASCII_INPUT, 3, 18, False)],
        ),
        (
            "\uff11.2.3.4.5",
            [(Type.IPV4_NON_ASCII_INPUT, 3, 12, False), (Type.IPV4_TOO_MANY_PARTS, 3, 12, True)],
        ),
        (
            "%31.0x2.3.4",
            [
                (Type.DOMAIN_PERCENT_ENCODED, 3, 6, False),
                (Type.IPV4_NON_DECIMAL_PART, 3, 14, False),
            ],
        ),
        ("1.0x2.3.4", [(Type.IPV4_NON_DECIMAL_PART, 5, 8, False)]),
        (
            "\u3251.0x2.3.4",
            [(Type.IPV4_NON_ASCII_INPUT, 3, 12, False), (Type.IPV4_NON_DECIMAL_PART, 3, 12, False)],
        ),
        (
            "1.2.3.4.",
            [(Type.DOMAIN_TO_ASCII, 3, 11, False), (Type.IPV4_EMPTY_PART, 10, 11, False)],
        ),
        ("[::01]", [(Type.IPV6_PIECE_LEADING_ZERO, 6, 8, False)]),
        ("[::1", [(Type.IPV6_UNCLOSED, 3, 7, True)]),
        ("[1:]", [(Type.IPV6_INVALID_CODE_POINT, 5, 6, True)]),
    ],
)
def test_errors_of_a_host_come_in_the_standards_order(
    text: str, expected: list[tuple[Type, int, int, bool]]
) -> None:
    """The host is at offset 3."""
    assert recorded(text, start=3) == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ('a{b}"', [(Type.INVALID_URL_UNIT, 4, 5, False)]),
        ("%zz%", [(Type.INVALID_URL_UNIT, 3, 4, False)]),
        ("a%{", [(Type.INVALID_URL_UNIT, 5, 6, False), (Type.INVALID_URL_UNIT, 4, 5, False)]),
        ("\ufdd0", [(Type.INVALID_URL_UNIT, 3, 4, False)]),
        ("\u00e9%41", []),
        ("", []),
    ],
)
def test_an_opaque_host_has_at_most_one_error_of_each_of_two_kinds(
    text: str, expected: list[tuple[Type, int, int, bool]]
) -> None:
    """The kinds are a code point that is not a URL unit, and a percent sign without digits."""
    assert recorded(text, is_opaque=True, start=3) == expected


@given(hosts, st.booleans())
def test_the_host_parser_is_that_of_the_reference(text: str, is_opaque: bool) -> None:
    """The host or failure is the same, and so are the errors and their order."""
    text = to_scalar_value_string(text)
    if not text and not is_opaque:
        return
    expected_errors: list[ReferenceValidationError] = []
    expected = reference.host_parser(text, is_opaque, ErrorLog(expected_errors))
    errors = ErrorList(100)
    try:
        host = parse_host(text, is_opaque, errors)
    except Failure:
        assert expected is FAILURE
    else:
        assert expected is not FAILURE
        assert str(host) == reference.host_serializer(expected)
        assert parse_host(text, is_opaque) == host
        assert host == EmptyHost() or parse_host(str(host), is_opaque) == host
    assert [(error.type.value, error.is_failure) for error in errors.recorded] == [
        (error.name, error.is_failure) for error in expected_errors
    ]
    for _, start, end, _ in errors.recorded:
        assert 0 <= start <= end <= len(text)
