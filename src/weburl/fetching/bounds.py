"""The bounds of one fetch: time, redirects, headers and bytes."""

from __future__ import annotations

import math
from typing import Any

import attrs

from weburl.standard.infra.credentials import masked_value
from weburl.standard.infra.one_value import FrozenValue


def _is_a_count(_instance: object, attribute: attrs.Attribute[Any], value: object) -> None:
    if type(value) is not int or value < 0:
        raise ValueError(
            f"{attribute.name} must be an integer of 0 or more, not {masked_value(value)}"
        )


def _is_a_duration(_instance: object, attribute: attrs.Attribute[Any], value: object) -> None:
    if type(value) not in {int, float} or not 0 < value < math.inf:  # type: ignore[operator]
        raise ValueError(f"{attribute.name} must be a number above 0, not {masked_value(value)}")


@attrs.frozen(kw_only=True)
class FetchBounds(FrozenValue):
    """The most that one fetch may take, with all its redirects.

    Args:
        seconds: for everything, from the name of the first host to the last byte of the answer.
            Above 0.
        redirects: how many may be followed. The client may have a lower maximum of its own.
        headers: the number of headers in an answer.
        header_bytes: the size of an answer before its body, in bytes. It is checked between reads,
            so up to 64 KiB more may be in memory.
        body_bytes: the size of a body as it is sent, in bytes.
        unpacked_bytes: the size of a body after its Content-Encoding is undone, in bytes.

    Raises:
        ValueError: a value is out of range.
    """

    __module__ = "weburl.fetching"

    seconds: float = attrs.field(default=30.0, validator=_is_a_duration)
    redirects: int = attrs.field(default=5, validator=_is_a_count)
    headers: int = attrs.field(default=100, validator=_is_a_count)
    header_bytes: int = attrs.field(default=65_536, validator=_is_a_count)
    body_bytes: int = attrs.field(default=10_000_000, validator=_is_a_count)
    unpacked_bytes: int = attrs.field(default=10_000_000, validator=_is_a_count)
