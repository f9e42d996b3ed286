"""`hosts.parser` finds the kind of a host, and reports errors."""

from __future__ import annotations

import pytest

from tests.standard_tables import HOSTS
from weburl.standard.hosts.parser import parse_host
from weburl.standard.infra.errors import Failure


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
