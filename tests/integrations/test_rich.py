"""rich shows attrs classes by their fields, and our values by their `__rich_repr__`."""

from __future__ import annotations

from typing import Any

import rich.pretty

import weburl
from tests.integrations.values import SECRET, VALUES, AttrsLink, each_value


@each_value
def test_rich_shows_no_password(value: Any) -> None:
    """This holds for terminals of any width, and inside other objects."""
    for width in (20, 200):
        for shown in (value, [value], AttrsLink(value, value)):
            assert SECRET not in rich.pretty.pretty_repr(shown, max_width=width)


@each_value
def test_rich_shows_a_value_as_its_repr_does(value: Any) -> None:
    """An opaque origin is the exception, because its repr has an address."""
    is_opaque_origin = isinstance(value, weburl.OpaqueOrigin)
    expected = "OpaqueOrigin()" if is_opaque_origin else repr(value)
    assert rich.pretty.pretty_repr(value, max_width=200) == expected


def test_rich_shows_a_record_in_one_line() -> None:
    """It does not use a line for each of the eight components."""
    assert (
        rich.pretty.pretty_repr(VALUES[0]) == "URLRecord('https://***:***@example.com:8080/a?b#c')"
    )
