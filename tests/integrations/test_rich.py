"""rich, which shows the fields of attrs classes, and values of our own by `__rich_repr__`."""

from __future__ import annotations

from typing import Any

import rich.pretty

import weburl
from tests.integrations.values import SECRET, VALUES, AttrsLink, each_value


@each_value
def test_rich_shows_no_password(value: Any) -> None:
    """However wide the terminal is, and inside other objects too."""
    for width in (20, 200):
        for shown in (value, [value], AttrsLink(value, value)):
            assert SECRET not in rich.pretty.pretty_repr(shown, max_width=width)


@each_value
def test_rich_shows_a_value_as_its_repr_does(value: Any) -> None:
    """If there is room; an opaque origin has an address there and nothing here."""
    is_opaque_origin = isinstance(value, weburl.OpaqueOrigin)
    expected = "OpaqueOrigin()" if is_opaque_origin else repr(value)
    assert rich.pretty.pretty_repr(value, max_width=200) == expected


def test_rich_shows_a_record_in_one_line() -> None:
    """Not one line for each of the eight components."""
    assert (
        rich.pretty.pretty_repr(VALUES[0]) == "URLRecord('https://***:***@example.com:8080/a?b#c')"
    )
