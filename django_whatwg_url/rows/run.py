"""Rewrites a column from the first row to the last, for the command and the operation.

Each batch is its own transaction. Each row is read again under lock, and the locked text is
classified again. So a run can be stopped or killed at any time and started again, because it does
not change canonical rows.
"""

from __future__ import annotations

import random
import time
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import closing
from functools import partial
from itertools import islice
from typing import Any, Final, NamedTuple, TypeVar

import attrs
from django.apps import apps as installed_apps
from django.core.exceptions import FieldDoesNotExist
from django.db import IntegrityError, OperationalError, connections, models

from django_whatwg_url.beside.written import spells, trimmed, written_column
from django_whatwg_url.rows.disposing import Disposer, refused
from django_whatwg_url.rows.journal import Journal
from django_whatwg_url.rows.merging import Group, Merger
from django_whatwg_url.rows.options import AfterChange, Follow, OnDuplicate, Options
from django_whatwg_url.rows.reading import Outcome, Reading, reader_of
from django_whatwg_url.rows.references import references_to
from django_whatwg_url.rows.report import Report, Row
from django_whatwg_url.rows.rules import (
    Candidate,
    Collision,
    Rules,
    UniqueRule,
    unique_rules,
)
from django_whatwg_url.rows.scratch import Scratch
from django_whatwg_url.rows.table import Key, Record, Table
from django_whatwg_url.rows.writing import Change, Writer, name_of_refusal

_GROUPS_AT_A_TIME: Final = 200
# How often to try a transaction that meets a deadlock, or a lock on the SQLite file.
_ATTEMPTS: Final = 6
_FIRST_PAUSE: Final = 0.1  # seconds, doubled each time

Column = tuple[type[models.Model], str]

_T = TypeVar("_T")


def column_named(label: str) -> Column:
    """Return the model and the name of a field for "app_label.Model.field". Raises ValueError."""
    model_label, _, name = label.rpartition(".")
    if model_label.count(".") != 1:
        raise ValueError(f"{label!r} is not a column. Write app_label.Model.field.")
    try:
        return installed_apps.get_model(model_label), name
    except LookupError as error:
        raise ValueError(str(error)) from None


def text_column(model: type[models.Model], name: str) -> tuple[type[models.Model], Any]:
    """Return the model whose table has the column, and its field.

    Raises ValueError if there is no field with this name, if it is not a text column, or if the
    model has a primary key of several columns.
    """
    try:
        field: Any = model._meta.get_field(name)
    except FieldDoesNotExist as error:
        raise ValueError(str(error)) from None
    kinds = (models.CharField, models.TextField)
    if not isinstance(field, kinds) or field.column is None:
        raise ValueError(f"{model._meta.label}.{name} is not a text column")
    owner: Any = field.model._meta.concrete_model
    if getattr(owner._meta.pk, "column", None) is None:
        raise ValueError(
            f"{owner._meta.label} has a primary key of several columns, which is not supported"
        )
    return owner, owner._meta.get_field(name)


_NO_URL: Final = frozenset((Outcome.NULL, Outcome.BLANK))


class _Seen(NamedTuple):
    """A row as it was read. ``values``: its text, and the values of the other columns."""

    pk: Key
    values: Record
    reading: Reading

    @property
    def text(self) -> Any:
        return self.values[0]


@attrs.define(slots=False)
class _Canonicalization:
    """A run over one column of one database. Raises ValueError if the options do not fit it.

    ``after_change`` is called with the rows of each batch whose URL was written, in its
    transaction. See `canonicalize` for the others.
    """

    column: Column
    _alias: str
    _options: Options
    _report: Report
    _journal: Journal
    _after_change: AfterChange | None
    _apps: Any
    _progress: Callable[[int], object]
    _is_stopped: Callable[[], bool]

    def __attrs_post_init__(self) -> None:
        options, journal = self._options, self._journal
        model, field = text_column(*self.column)
        self._field = field
        self.table = table = Table(model, self._alias)
        self._scratch = Scratch()
        rules = unique_rules(model, field, options.unique_with, merges=options.merges)
        self._rules = Rules(table, field, rules, self._scratch, dry_run=options.dry_run)
        self._written: Any = written_column(field)
        references = references_to(model, self._alias, self._apps)
        self._read = reader_of(field, options)
        self._disposer = Disposer(table, field, options, references, journal)
        self._writer = Writer(table, field, self._written, references, journal)
        self._merger = Merger(
            table, field, options, self._rules, references, self._read, self._write_merged, journal
        )
        self._columns = [
            each.column for each in (field, *self._rules.others, self._written) if each is not None
        ]

    def run(self) -> bool:
        """Handle all rows, and return whether the run reached the end.

        Raises ValueError if the run cannot be recorded. Then nothing was changed.
        """
        with closing(self._scratch):
            if self._rules.scans:
                self._rules.scan(self.table.pages(self._columns, self._options.batch_size))
            for page in self.table.pages(self._columns, self._options.batch_size):
                self._page(page)
                self._retried(partial(self._fill, page))
                self._progress(len(page))
                if self._is_stopped():
                    return False
            return self._merge()

    # A batch.

    def _page(self, page: Sequence[Record], *, again: bool = False) -> None:
        if self._field.primary_key and not again:
            # If the URL is the key, a changed row may move to a later page and be read again.
            seen = self._scratch.seen([row[0] for row in page])
            page = [row for row in page if row[0] not in seen]
        asks = self._rules.asks_for_unchanged_rows
        pending: dict[Key, _Seen] = {}
        unchanged: dict[Key, _Seen] = {}
        for pk, *values in page:
            row = _Seen(pk, tuple(values), self._read(values[0]))
            if row.reading.outcome is not Outcome.UNCHANGED:
                pending[pk] = row
            elif asks or row.reading.refusal is not None:
                unchanged[pk] = row
        quiet = len(page) - len(pending) - len(unchanged)
        self._report.counts[Outcome.UNCHANGED] += quiet
        rows, waiting = self._handle(pending, unchanged, again)
        for each in rows:
            self._report.add(each)
        self._scratch.wait(
            (self._rules.all.index(c.rule), c.digest, c.href, c.pk, c.other) for c in waiting
        )
        if self._field.primary_key or self._options.merges:
            self._scratch.remember(
                each.href if self._field.primary_key else each.pk
                for each in rows
                if each.outcome is Outcome.CHANGED
            )
        self._report.flush()

    def _handle(
        self, pending: Mapping[Key, _Seen], unchanged: Mapping[Key, _Seen], again: bool
    ) -> tuple[list[Row], list[Collision]]:
        """Handle the rows of a batch, or all that the database accepts."""
        try:
            return self._retried(lambda: self._batch(pending, unchanged, again))
        except IntegrityError as error:
            # SQLite checks foreign keys only when the transaction ends. Look for their rows.
            keys = [*pending]
            if len(keys) == 1 and not unchanged:
                return [self._refusal(pending[keys[0]], error)], []
            half = 0 if unchanged else len(keys) // 2
            first, second = (
                self._handle({key: pending[key] for key in some}, others, again)
                for some, others in ((keys[:half], unchanged), (keys[half:], {}))
            )
        return [*first[0], *second[0]], [*first[1], *second[1]]

    def _batch(
        self, pending: Mapping[Key, _Seen], unchanged: Mapping[Key, _Seen], again: bool
    ) -> tuple[list[Row], list[Collision]]:
        """Handle the rows of a batch. Return what happened to them, and those that wait."""
        if self._options.dry_run or all(row.reading.outcome in _NO_URL for row in pending.values()):
            return self._carry_out({**unchanged, **pending}, again)
        self._journal.prepare()
        with self.table.transaction():
            stored = self.table.rows(pending, self._columns, lock=True)
            # The row may have changed since it was read, so use the locked one.
            now = {
                pk: pending[pk]
                if values == pending[pk].values
                else _Seen(pk, values, self._read(values[0]))
                for pk, values in stored.items()
            }
            rows, waiting = self._carry_out({**unchanged, **now}, again)
            is_key = self._field.primary_key
            self._call_with(
                (row.href if is_key else row.pk)
                for row in rows
                if row.outcome is Outcome.CHANGED or row.cleared
            )
        gone = (row for pk, row in pending.items() if pk not in stored)
        rows += [Row(pk=row.pk, outcome=Outcome.GONE, text=row.text) for row in gone]
        return rows, waiting

    def _carry_out(
        self, seen: Mapping[Key, _Seen], again: bool
    ) -> tuple[list[Row], list[Collision]]:
        """Write, remove and report rows, which are locked unless this is a dry run."""
        dry_run = self._options.dry_run
        by_outcome: dict[Outcome, list[_Seen]] = {}
        for row in seen.values():
            by_outcome.setdefault(row.reading.outcome, []).append(row)
        collisions = [
            *self._rules.collisions(
                *(
                    [self._candidate(row) for row in by_outcome.get(outcome, ())]
                    for outcome in (Outcome.CHANGED, Outcome.UNCHANGED)
                )
            )
        ]
        lost = {each.pk: each for each in collisions if each.rule.matters}
        changes = [
            self._change(row.pk, row.text, row.reading.href, row.values)._replace(
                where=self._compared(row)
            )
            for row in by_outcome.get(Outcome.CHANGED, ())
            if row.pk not in lost
        ]
        errors = {} if dry_run else {each.pk: why for each, why in self._writer.write(changes)}
        rows = self._disposer.dispose(
            [
                (row.pk, row.text, row.reading, self._compared(row))
                for row in seen.values()
                if row.reading.outcome in self._disposer.choices
            ]
        )
        done = "to be changed" if dry_run else ""
        rows += [
            Row(pk=pk, outcome=Outcome.CHANGED, text=old, href=new, done=done)
            if pk not in errors
            else self._refusal(seen[pk], errors[pk])
            for pk, old, new, *_rest in changes
        ]
        waits = self._options.merges and not dry_run and not again
        if not waits:
            rows += [self._colliding(seen[pk], each) for pk, each in lost.items()]
        rows += [
            Row(pk=row.pk, outcome=outcome, text=row.text)
            for outcome in (*_NO_URL, Outcome.UNCHANGED)
            for row in by_outcome.get(outcome, ())
            if row.pk not in lost
        ]
        twins = {twin.pk: twin.other for twin in collisions if not twin.rule.matters}
        for each in rows:
            each.refusal, each.same_as = seen[each.pk].reading.refusal, twins.get(each.pk)
        return rows, [*lost.values()] if waits else []

    def _compared(self, row: _Seen) -> dict[str, Any]:
        """Return the values of other columns that an undo compares too."""
        others = self._rules.others
        return dict(zip((each.column for each in others), row.values[1:], strict=False))

    def _candidate(self, row: _Seen) -> Candidate:
        others = row.values[1 : 1 + len(self._rules.others)]
        return self._rules.candidate(row.pk, row.reading.href or "", others)

    def _change(self, pk: Key, text: Any, href: str | None, values: Sequence[Any]) -> Change:
        if self._written is None:
            return Change(pk, text, href)
        kept, href = values[-1], href or ""
        spelling, limit = kept, self._written.max_length
        # Another program may have changed the URL without this column.
        if not (kept and spells(kept, href)):
            spelling = trimmed(text)
            if limit is not None and len(spelling) > limit:
                spelling = href
        return Change(pk, text, href, spelling, kept)

    def _call_with(self, keys: Iterable[Key]) -> None:
        if self._after_change is None:
            return
        rows: Any = models.QuerySet(self.table.model).using(self._alias)
        if instances := [*rows.in_bulk([*keys]).values()]:
            self._after_change(instances)

    def _fill(self, page: Sequence[Record]) -> None:
        """Store the spelling of canonical rows that have none yet."""
        if self._written is None or self._options.dry_run:
            return
        keys = [
            row[0]
            for row in page
            if not row[-1] and self._read(row[1]).outcome is Outcome.UNCHANGED
        ]
        if not keys:
            return
        with self.table.transaction():
            stored = self.table.rows(keys, [self._field.column, self._written.column], lock=True)
            filled = self.table.write(
                [self._written],
                [
                    (pk, text)
                    for pk, (text, spelling) in stored.items()
                    if not spelling and self._read(text).outcome is Outcome.UNCHANGED
                ],
            )
        self._report.filled += filled

    def _colliding(self, row: _Seen, collision: Collision) -> Row:
        done = "kept" if self._options.on_duplicate == OnDuplicate.KEEP else "reported"
        if self._options.merges and self._options.dry_run:
            done = "to be merged"
        return self._collision(row, collision.rule, collision.other, done)

    def _collision(self, row: _Seen, rule: UniqueRule, other: Key, done: str) -> Row:
        return Row(
            pk=row.pk, outcome=Outcome.COLLIDING, text=row.text, href=row.reading.href,
            on=rule.names, other=other, done=done, where=rule.values(self._candidate(row).others),
        )  # fmt: skip

    def _refusal(self, row: _Seen, error: Exception) -> Row:
        """Return what happened to a row that the database has refused."""
        if row.reading.outcome in self._disposer.choices:
            return refused((row.pk, row.text, row.reading, {}), error)
        if (found := self._rules.who_refuses(self._candidate(row))) is not None:
            return self._collision(row, *found, "reported")
        reason = f"{name_of_refusal(error)}."
        return Row(
            pk=row.pk, outcome=Outcome.REFUSED, text=row.text, href=row.reading.href, reason=reason
        )

    # Rows with the same URL.

    def _merge(self) -> bool:
        for groups in _batches(self._scratch.groups(), _GROUPS_AT_A_TIME):
            named = [Group(self._rules.all[rule], href, keys) for rule, href, keys in groups]
            # The first key of a group is the first row with the URL, which did not collide.
            owners = {group.keys[0] for group in named}
            waiting = {key for group in named for key in group.keys[1:]}
            self._journal.prepare()
            rows = self._retried(partial(self._merger.merge, named))
            changed = self._scratch.seen(list(owners - waiting))
            for row in rows:
                if row.pk in waiting:
                    self._report.add(row)
                elif row.outcome is not Outcome.UNCHANGED:
                    before = Outcome.CHANGED if row.pk in changed else Outcome.UNCHANGED
                    self._report.change(row, before)
            left = waiting - {row.pk for row in rows}
            self._read_again(left)
            self._report.flush()
            if self._is_stopped():
                return False
        return True

    def _read_again(self, keys: Iterable[Key]) -> None:
        """Handle rows that changed before they could be merged."""
        keys = list(keys)
        if not keys:
            return
        stored = self.table.rows(keys, self._columns)
        self._page([(pk, *values) for pk, values in stored.items()], again=True)
        for pk in keys:
            if pk not in stored:
                self._report.add(Row(pk=pk, outcome=Outcome.GONE))

    def _write_merged(self, rows: Sequence[tuple[Key, Any, str]]) -> None:
        """Write the URLs of rows that others were merged into. Raises the database's errors."""
        written = [] if self._written is None else [self._written.column]
        originals = self.table.rows([row[0] for row in rows], written) if written else {}
        changes = [
            self._change(pk, text, href, originals.get(pk, (None,))) for pk, text, href in rows
        ]
        for _change, error in self._writer.write(changes):
            raise error
        is_key = self._field.primary_key
        self._call_with(href if is_key else pk for pk, _text, href in rows)

    def _retried(self, action: Callable[[], _T]) -> _T:
        """Return the result of ``action``, a transaction that is retried after a deadlock."""
        for attempt in range(_ATTEMPTS - 1):
            try:
                return action()
            except OperationalError:
                if connections[self._alias].in_atomic_block:
                    raise
                time.sleep(_FIRST_PAUSE * 2**attempt * random.uniform(0.5, 1.0))  # noqa: S311
        return action()


def label_of(column: Column) -> str:
    """Return the label of a column: ``app_label.Model.field``."""
    return f"{column[0]._meta.label}.{column[1]}"


def canonicalize(
    columns: Sequence[Column],
    alias: str,
    options: Options,
    report: Report,
    journal: Journal,
    follow: Follow,
    *,
    apps: Any = installed_apps,
    progress: Callable[[int], object] = lambda _rows: None,
    is_stopped: Callable[[], bool] = lambda: False,
) -> bool:
    """Rewrite several columns of one database, with a common report.

    Returns whether the run reached the end. Raises ValueError if the options do not fit one of the
    columns, before anything is changed.

    Args:
        columns: The columns.
        alias: The alias of the database.
        options: The options.
        report: Counts and describes the rows.
        journal: Records the changes.
        follow: Returns a function to call with the rows of each batch whose URL was written.
        apps: The registry of models that may refer to the rows.
        progress: Called with the number of rows that are done.
        is_stopped: Called after each batch. It ends the run if it returns True.
    """
    runs = [
        _Canonicalization(
            each, alias, options, report, journal, follow(*each), apps, progress, is_stopped
        )
        for each in columns
    ]
    reached_the_end = True
    for run in runs:
        report.column = label_of(run.column) if len(columns) > 1 else ""
        reached_the_end = run.run()
        if not reached_the_end:
            break
    journal.finish(report.sentence())
    return reached_the_end


def _batches(items: Iterator[_T], size: int) -> Iterator[list[_T]]:
    while batch := list(islice(items, size)):
        yield batch
