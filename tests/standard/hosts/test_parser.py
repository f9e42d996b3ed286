"""`hosts.parser` finds the kind of a host, and reports errors."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.reference import hosts as reference
from tests.reference.outcomes import FAILURE, ErrorLog, ReferenceValidationError
from tests.standard_tables import HOSTS
from tests.strategies import hosts
from weburl import EmptyHost
from weburl.standard.hosts.parser import parse_host
from weburl.standard.infra.errors import ErrorList, Failure
from weburl.standard.infra.strings import to_scalar_value_string


@pytest.mark.parametrize(("input", "host", "opaque_host"), HOSTS)
def test_hosts_are_those_of_the_standards_table(
    input: str, host: str | None, opaque_host: str | None
) -> None:
    """A table of what the host parser makes of an input, opaque or not; None is failure."""
    for is_opaque, expected in ((False, host), (True, opaque_host)):
        if expected is None:
            with pytest.raises(Failure):
                parse_host(input, is_opaque)
        else:
            assert str(parse_host(input, is_opaque)) == expected


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
