"""What is promised where a row and a place meet, as the files in ``cells`` say it.

A file has the places of one subject. Each says for which kinds of fields it is the ``same`` as
Django's field, and which do ``not`` have it. What differs is under ``but``:

    ["Save: a URL, nothing, None, empty"]
    same = "records text exact reference"
    not = "domain key parameter"

    [["Save: a URL, nothing, None, empty".but]]
    rows = "text null, text null-unique"
    promise = "empty is NULL"
    steps = { "empty" = "None" }

``rows`` are patterns of names, with "!" before a pattern that leaves rows out. ``steps`` has the
right outcome of each step that differs.
``on`` names the databases where it differs, if it is not all of them.
"""

from __future__ import annotations

import tomllib
from collections.abc import Iterator
from fnmatch import fnmatchcase
from functools import cache
from pathlib import Path
from typing import Final

import attrs

from tests.django.crossings.rows import COMPANIONS, KINDS

_DIRECTORY: Final = Path(__file__).parent / "cells"


@attrs.frozen(eq=False)
class But:
    """Steps of a place that have another outcome than with Django's field."""

    rows: tuple[str, ...]
    steps: dict[str, str]
    promise: str
    on: tuple[str, ...] = ()

    def covers(self, row: str) -> bool:
        """Return whether it is about a row, on any database."""
        matching = [pattern for pattern in self.rows if fnmatchcase(row, pattern.removeprefix("!"))]
        return bool(matching) and not any(pattern.startswith("!") for pattern in matching)


@attrs.frozen
class Cells:
    """The cells of one place."""

    place: str
    subject: str
    same: frozenset[str]
    without: frozenset[str]
    but: tuple[But, ...]

    def buts(self, row: str, vendor: str) -> Iterator[But]:
        """Yield what differs for a row."""
        for each in self.but:
            if each.covers(row) and (not each.on or vendor in each.on):
                yield each


@cache
def cells() -> dict[str, Cells]:
    """Return the cells of all places, by the name of the place."""
    found: dict[str, Cells] = {}
    for path in sorted(_DIRECTORY.glob("*.toml")):
        data = tomllib.loads(path.read_text(encoding="utf-8"))
        subject = data.pop("subject")
        for place, said in data.items():
            found[place] = Cells(
                place,
                subject,
                frozenset(said["same"].split()),
                frozenset(said.get("not", "").split()),
                tuple(_but(each) for each in said.get("but", [])),
            )
    return found


def _but(said: dict[str, str | dict[str, str]]) -> But:
    given = {name: value for name, value in said.items() if name not in {"rows", "on"}}
    return But(
        rows=tuple(row.strip() for row in str(said["rows"]).split(",")),
        on=tuple(str(said.get("on", "")).split()),
        **given,  # type: ignore[arg-type]
    )


@cache
def promises() -> dict[str, str]:
    """Return the sentence of each promise, by its name."""
    text = (_DIRECTORY.parent / "promises.toml").read_text(encoding="utf-8")
    return tomllib.loads(text)


ALL_KINDS: Final = frozenset(KINDS) | frozenset(COMPANIONS)


def problems(
    place: Cells,
    row: str,
    vendor: str,
    ours: dict[str, str],
    theirs: dict[str, str],
    used: set[But],
) -> Iterator[str]:
    """Yield what is wrong with a cell, and add to ``used`` what it needed."""
    kind = row.split(maxsplit=1)[0]
    if not ours and not theirs:
        return  # This declaration has no such place.
    if kind in place.without:
        yield "it has outcomes, but the data says that there is no such place"
        return
    if kind not in place.same:
        yield "the data does not say what is promised"
        return
    right = dict(theirs)
    for but in place.buts(row, vendor):
        for step in but.steps.keys() & ours.keys():
            used.add(but)
            right[step] = but.steps[step]
    for step in sorted(ours.keys() | theirs.keys()):
        found, wanted = ours.get(step, "(no such step)"), right.get(step, "(no such step)")
        if found != wanted:
            yield f"{step}: {found}, but should be {wanted}"
