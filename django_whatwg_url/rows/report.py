"""The report: a line of JSON for each row that needs one, and a summary that counts each row once.

Usernames and passwords are never shown, even if the text is not a URL: see
`messages.without_credentials`.
"""

from __future__ import annotations

import json
from collections import Counter, defaultdict
from collections.abc import Iterator
from typing import IO, Any, Final

import attrs

from django_whatwg_url.column.values import text_of
from django_whatwg_url.rows.reading import Outcome, Refusal
from django_whatwg_url.rules.messages import manage_py, presentable, visible, without_credentials

_SHOWN_LENGTH: Final = 500
_EXAMPLES: Final = 3

_QUIET: Final = {Outcome.UNCHANGED, Outcome.NULL, Outcome.BLANK}
_WITHOUT_EXAMPLE: Final = {*_QUIET, Outcome.CHANGED, Outcome.EMPTY}
_MEANINGS: Final = {
    Outcome.CHANGED: "in another spelling",
    Outcome.UNCHANGED: "in canonical form already",
    Outcome.UNPARSABLE: "not a URL by the standard",
    Outcome.TOO_LONG: "longer than allowed in canonical form",
    Outcome.NOT_ALLOWED: "a URL that the field refuses",
    Outcome.EMPTY: "an empty string",
    Outcome.BLANK: "no URL, as the column allows",
    Outcome.NULL: "NULL",
    Outcome.COLLIDING: "would be the same as another row",
    Outcome.MERGED: "merged into another row, and deleted",
    Outcome.REFUSED: "refused by the database",
    Outcome.GONE: "deleted by another program meanwhile",
}


def masked(value: object) -> str:
    """Return ``value`` as text with possible credentials masked, and shortened if it is long."""
    text = without_credentials(text_of(value))
    if len(text) > _SHOWN_LENGTH:
        text = f"{text[:_SHOWN_LENGTH]}… ({len(text):,} characters)"
    return text


@attrs.define(kw_only=True)
class Row:
    """What happened to one row. Its line does not contain values that are None or empty.

    ``refusal``: why the field refuses the URL, which is kept. ``same_as``: the key of another row
    with the same URL, which is allowed. ``cleared``: whether the URL was set to NULL. ``removed``:
    whether the row was removed, except by merging. ``column``: the label of the column, in a run
    over several.
    """

    pk: Any
    outcome: Outcome
    done: str = ""
    text: object = None
    href: str | None = None
    error: str = ""
    reason: str = ""
    on: tuple[str, ...] = ()
    where: dict[str, Any] | None = None
    other: Any = None
    refusal: Refusal | None = None
    same_as: Any = None
    cleared: bool = False
    removed: bool = False
    column: str = ""

    def line(self) -> str:
        """Return the row as a line of JSON."""
        values: dict[str, Any] = {"column": self.column}
        values |= {"pk": _jsonable(self.pk), "outcome": str(self.outcome)}
        values["done"] = self.done
        values["text"] = None if self.text is None else masked(self.text)
        values["canonical"] = None if self.href is None else masked(self.href)
        values |= {"error": self.error, "reason": self.reason, "collides_on": list(self.on)}
        where = self.where or {}
        values["unique_with"] = {name: _jsonable(value) for name, value in where.items()}
        values |= {"collides_with": _jsonable(self.other), "same_as": _jsonable(self.same_as)}
        if self.refusal is not None:
            values["not_allowed"] = self.refusal.code
            values["reason"] = self.reason or self.refusal.reason
        kept = {key: value for key, value in values.items() if value not in (None, "", [], {})}
        return json.dumps(kept)


def undo_command(number: int, alias: str) -> str:
    """Return the command that undoes a run."""
    return manage_py("canonicalize_urls", "--undo", str(number), alias=alias)


def _shared(row: Row) -> str:
    """Return the columns and the values that a row has in common with the other row."""
    where = row.where or {}
    return ", ".join(
        f"{name} {presentable(str(_jsonable(where[name])))}" if name in where else name
        for name in row.on
    )


def _jsonable(pk: object) -> object:
    if isinstance(pk, bytes | memoryview):
        return bytes(pk).hex()
    return pk if isinstance(pk, int) else masked(pk) if pk is not None else None


@attrs.define
class Report:
    """Counts what happened to the rows, and writes a line for each row that needs one.

    ``lines``: an open text file for the lines, or None to only count. Memory does not grow with the
    number of rows. Set ``column`` to the label of the current column in a run over several.
    """

    _lines: IO[str] | None = None
    column: str = ""
    counts: Counter[Outcome] = attrs.Factory(Counter)
    done: Counter[tuple[Outcome, str]] = attrs.Factory(Counter)
    duplicates: int = 0
    refused: Counter[str] = attrs.Factory(Counter)
    removed: int = 0
    cleared: int = 0
    filled: int = 0
    # By outcome, and by the code of a refusal.
    _examples: defaultdict[str, list[Row]] = attrs.Factory(lambda: defaultdict(list))

    def add(self, row: Row) -> None:
        """Count a row, and write its line."""
        row.column = self.column
        self.counts[row.outcome] += 1
        self.removed += row.removed
        self.cleared += row.cleared
        self.duplicates += row.same_as is not None
        if row.done:
            self.done[row.outcome, row.done] += 1
        refusal = row.refusal
        if refusal is not None:
            self.refused[refusal.code] += 1
        for name in (row.outcome, *([] if refusal is None else [refusal.code])):
            if len(self._examples[name]) < _EXAMPLES:
                self._examples[name].append(row)
        needs_line = row.outcome not in _QUIET or row.same_as is not None or refusal is not None
        if self._lines is not None and needs_line:
            self._lines.write(f"{row.line()}\n")

    def change(self, row: Row, before: Outcome) -> None:
        """Count a row with a new outcome that was first counted as ``before``."""
        if row.outcome is not before:
            self.counts[before] -= 1
            self.add(row)

    def flush(self) -> None:
        """Flush the lines to the system, so that they survive if the process is killed."""
        if self._lines is not None:
            self._lines.flush()

    @property
    def total(self) -> int:
        """How many rows were read."""
        return self.counts.total()

    def sentence(self) -> str:
        """Return the summary in one line."""
        counts, done = self.counts, self.done
        bad = (Outcome.UNPARSABLE, Outcome.TOO_LONG, Outcome.EMPTY)
        kept = sum(done[outcome, "kept"] + done[outcome, "reported"] for outcome in bad)
        refused = self.refused.total()
        return (
            f"{self.total:,} rows read, {counts[Outcome.CHANGED]:,} changed, "
            f"{self.cleared:,} set to NULL, {counts[Outcome.MERGED]:,} merged into another row, "
            f"{self.removed:,} removed otherwise, {kept:,} kept although they are not URLs or are "
            "too long"
            + (f", {refused:,} kept although the field would refuse them" * bool(refused))
        )

    def unsolved(self) -> int:
        """Return how many rows were not changed, because no choice decided about them."""
        problems = (
            Outcome.UNPARSABLE, Outcome.TOO_LONG, Outcome.COLLIDING, Outcome.NOT_ALLOWED
        )  # fmt: skip
        reported = sum(self.done[outcome, "reported"] for outcome in problems)
        return reported + self.counts[Outcome.REFUSED]

    def table(self) -> Iterator[str]:
        """Yield the lines of the summary for people: all rows, and then some of them again."""
        for outcome in Outcome:
            if number := self.counts[outcome]:
                yield f"{number:>11,}  {outcome:<11} {_MEANINGS[outcome]}{self._said(outcome)}"
        if self.duplicates or self.filled or self.refused:
            yield "Of these rows:"
        if self.refused:
            codes = ", ".join(f"{n:,} {code}" for code, n in sorted(self.refused.items()))
            yield f"{self.refused.total():>11,}  stay, but the field would refuse the URL ({codes})"
        if self.duplicates:
            yield f"{self.duplicates:>11,}  have the same URL as another row, which is allowed"
        if self.filled:
            yield f"{self.filled:>11,}  had no spelling in the column for it, and got one"

    def _said(self, outcome: Outcome) -> str:
        done = {name: n for (of, name), n in self.done.items() if of is outcome}
        if not done:
            return ""
        return " (" + ", ".join(f"{n:,} {name}" for name, n in sorted(done.items())) + ")"

    def examples(self, *, unsolved: bool = False) -> Iterator[str]:
        """Yield lines about a few rows of each outcome that needs attention.

        ``unsolved``: only for rows that no choice decided about.
        """
        for name, rows in self._examples.items():
            if name in _WITHOUT_EXAMPLE:
                continue
            for row in rows:
                is_unsolved = row.done == "reported" or row.outcome is Outcome.REFUSED
                if name != row.outcome and row.refusal is not None:
                    if not unsolved:
                        yield _example(name, row, row.refusal.reason)
                elif is_unsolved or not unsolved:
                    yield _example(name, row, row.reason)


def _example(name: str, row: Row, reason: str) -> str:
    parts = (
        presentable(masked(row.text)) if row.text else "",
        reason and visible(reason),
        f"{_shared(row)} as in {_jsonable(row.other)}" if row.on else "",
    )
    where = f"{row.column} " if row.column else ""
    said = "; ".join(filter(None, parts))
    return f"  {name}: {where}{presentable(str(_jsonable(row.pk)))}: {said}"
