"""The options for rows that cannot simply be changed.

The default is always "report": leave the row as it is, and say so.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from enum import StrEnum
from typing import Any, Final, TypeAlias

import attrs
from django.db import models

from django_whatwg_url.validators import normalized_schemes

DEFAULT_BATCH_SIZE: Final = 5000

ChooseRow: TypeAlias = Callable[[Sequence[Any]], models.Model | None]
"""Called with the instances that are one URL, by their keys; returns the one to keep, or None to
leave them all as they are."""


class OnDuplicate(StrEnum):
    """What to do where several rows become one URL that may be stored once."""

    REPORT = "report"
    KEEP = "keep"
    KEEP_OLDEST = "keep-oldest"
    KEEP_NEWEST = "keep-newest"
    KEEP_MOST_REFERENCED = "keep-most-referenced"


class Disposal(StrEnum):
    """What to do with text that is no URL, or whose canonical form is too long."""

    REPORT = "report"
    KEEP = "keep"
    NULL = "null"
    DELETE = "delete"
    COLUMN = "column"
    FILE = "file"


@attrs.frozen
class Disposing:
    """A disposal and, for "column:NAME" and "file:PATH", where to."""

    disposal: Disposal
    place: str = ""

    @classmethod
    def named(cls, name: str) -> Disposing:
        """Return what ``name`` stands for. Raises ValueError for what is no policy."""
        kind, _, place = str(name).partition(":")
        wants_place = kind in {Disposal.COLUMN, Disposal.FILE}
        if kind not in set(Disposal) or wants_place != bool(place):
            known = "report, keep, null, delete, column:NAME or file:PATH"
            raise ValueError(f"{name!r} is no policy: it is {known}")
        return cls(Disposal(kind), place)

    @property
    def leaves_the_row(self) -> bool:
        """Whether nothing is to be done."""
        return self.disposal in {Disposal.REPORT, Disposal.KEEP}


def _disposing(named: str | Disposing) -> Disposing:
    return named if isinstance(named, Disposing) else Disposing.named(named)


def _reporting() -> Disposing:
    return Disposing(Disposal.REPORT)


def _duplicate_policy(policy: str | ChooseRow) -> OnDuplicate | ChooseRow:
    if callable(policy):
        return policy
    if policy not in set(OnDuplicate):
        known = ", ".join(OnDuplicate)
        raise ValueError(f"{policy!r} is no policy: it is {known} or a callable")
    return OnDuplicate(policy)


def _scheme(scheme: str | None) -> str | None:
    if scheme is None:
        return None
    return normalized_schemes([scheme])[0]


_SHARD: Final = re.compile(r"([0-9]{1,6})/([0-9]{1,6})", re.ASCII)


@attrs.frozen
class Shard:
    """The part of a table that one of several workers takes: ``index`` from 1 to ``count``."""

    index: int = 1
    count: int = 1

    @classmethod
    def named(cls, name: str) -> Shard:
        """Return the shard "i/n". Raises ValueError for what is none."""
        found = _SHARD.fullmatch(name)
        if found is None or not 1 <= int(found[1]) <= int(found[2]):
            raise ValueError(f"{name!r} is no shard: write i/n, such as 1/4")
        return cls(int(found[1]), int(found[2]))


def _positive(_instance: object, attribute: Any, value: int | None) -> None:
    if value is not None and (not isinstance(value, int) or value < 1):
        raise ValueError(f"{attribute.name} is 1 or more, not {value!r}")


@attrs.frozen(kw_only=True)
class Options:
    """How to go about it. Raises ValueError for what makes no sense.

    ``on_duplicate``: a name of `OnDuplicate` or a `ChooseRow`. ``on_invalid``, ``on_too_long``:
    names of `Disposal`, of which two have a place behind a colon. ``on_empty``: "report", "keep" or
    "null". ``assume_scheme``: for text that has none, as in the form field. ``max_length``: of
    the canonical form; None for what the column and a `CanonicalURLField` hold. ``unique``:
    treat the column as unique although it is not yet. ``keep_original``: the column in which to
    keep the spelling of a row that changes. ``age_field``: by which the oldest is found, by
    default the primary key. ``batch_size``: rows a transaction.
    """

    on_duplicate: OnDuplicate | ChooseRow = attrs.field(
        default=OnDuplicate.REPORT, converter=_duplicate_policy
    )
    on_invalid: Disposing = attrs.field(factory=_reporting, converter=_disposing)
    on_too_long: Disposing = attrs.field(factory=_reporting, converter=_disposing)
    on_empty: Disposing = attrs.field(factory=_reporting, converter=_disposing)
    assume_scheme: str | None = attrs.field(default=None, converter=_scheme)
    max_length: int | None = attrs.field(default=None, validator=_positive)
    unique: bool = False
    keep_original: str | None = None
    age_field: str | None = None
    batch_size: int = attrs.field(default=DEFAULT_BATCH_SIZE, validator=_positive)
    shard: Shard = attrs.field(factory=Shard)
    dry_run: bool = False

    @on_empty.validator
    def _empty_is_little(self, _attribute: object, value: Disposing) -> None:
        if value.disposal not in {Disposal.REPORT, Disposal.KEEP, Disposal.NULL}:
            raise ValueError(f"on_empty is report, keep or null, not {value.disposal}")

    @property
    def merges(self) -> bool:
        """Whether rows that are one URL are to become one row."""
        return self.on_duplicate not in {OnDuplicate.REPORT, OnDuplicate.KEEP}

    @property
    def columns(self) -> set[str]:
        """The names of fields in which text is kept."""
        places = {self.on_invalid, self.on_too_long}
        named = {place.place for place in places if place.disposal is Disposal.COLUMN}
        return named | ({self.keep_original} if self.keep_original else set())
