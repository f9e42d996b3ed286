"""Merges rows with the same URL: chooses a row to keep, and moves all references to it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any

import attrs
from django.db import DataError, IntegrityError, models
from django.db.models import ProtectedError, RestrictedError

from django_whatwg_url.rows.database_rules import fields_with_rules, referring
from django_whatwg_url.rows.journal import Journal
from django_whatwg_url.rows.options import OnDuplicate, Options
from django_whatwg_url.rows.reading import Outcome, Reader
from django_whatwg_url.rows.references import CannotMoveError, Reference
from django_whatwg_url.rows.report import Row
from django_whatwg_url.rows.rules import Rules, UniqueRule
from django_whatwg_url.rows.table import Key, Record, Table

_REFUSALS = (DataError, IntegrityError, ProtectedError, RestrictedError, CannotMoveError)


@attrs.define
class Group:
    """Rows with the same URL under a rule, with the values that were read."""

    rule: UniqueRule
    href: str
    keys: list[Key]
    keeper: Key = None
    rows: dict[Key, Record] = attrs.Factory(dict)

    @property
    def losers(self) -> list[Key]:
        """The rows to delete."""
        return [key for key in self.rows if key != self.keeper]


@attrs.define(slots=False)
class Merger:
    """Merges groups of rows, with a transaction for each batch of groups.

    A row is deleted only after everything that refers to it has been moved to the row that is kept.
    ``write`` changes their text. It is called with triples of a key, the old text and the new text.
    """

    _table: Table
    _field: Any
    _options: Options
    _rules: Rules
    _references: Sequence[Reference]
    _read: Reader
    _write: Callable[[Sequence[tuple[Key, Any, str]]], None]
    _journal: Journal

    def __attrs_post_init__(self) -> None:
        self._rules_of_the_database = fields_with_rules(self._table.model)
        targets = dict.fromkeys(reference.target for reference in self._references)
        self._targets = [target for target in targets if not target.primary_key]
        fields = (self._field, *self._rules.others, *self._targets)
        self._columns = [field.column for field in fields]

    def merge(self, groups: Sequence[Group]) -> list[Row]:
        """Merge groups, and return what happened to their rows.

        Rows that are not in the result have changed since, and must be read again.
        """
        try:
            with self._table.transaction():
                rows = self._merge_all(groups)
                self._table.check_constraints()
        except _REFUSALS:
            if len(groups) == 1:
                return self._merge_one_by_one(groups[0])
            half = len(groups) // 2
            return [*self.merge(groups[:half]), *self.merge(groups[half:])]
        return rows

    def _load(self, groups: Sequence[Group]) -> None:
        """Read the rows of the groups again under lock, and drop those whose URL has changed."""
        keys = [key for group in groups for key in group.keys]
        stored = self._locked(keys)
        for group in groups:
            group.rows = {
                key: stored[key]
                for key in group.keys
                if key in stored and self._read(stored[key][0]).href == group.href
            }
            has_holder = any(row[0] == group.href for row in group.rows.values())
            if group.rule.is_kept and group.rows and not has_holder and not self._rules.scans:
                self._add_holder(group)

    def _add_holder(self, group: Group) -> None:
        """Add the row that already has the URL, if it is not in the group."""
        key, row = next(iter(group.rows.items()))
        others = row[1 : 1 + len(self._rules.others)]
        holder = self._rules.holder_of(group.rule, self._rules.candidate(key, group.href, others))
        if holder is not None and holder not in group.rows:
            group.rows |= self._locked([holder])

    def _locked(self, keys: Sequence[Key]) -> dict[Key, Record]:
        # The database would delete a reference that is added after the existing ones were moved.
        refuses = bool(self._rules_of_the_database)
        return self._table.rows(keys, self._columns, lock=True, refuse_references=refuses)

    def _merge_all(self, groups: Sequence[Group]) -> list[Row]:
        """Merge all groups with few statements. Raises an error if it fails for any row."""
        self._load(groups)
        chosen = [group for group in groups if group.rows]
        self._choose(chosen)
        merged = [group for group in chosen if group.keeper is not None]
        self._absorb({loser: group for group in merged for loser in group.losers})
        answer: list[Row] = []
        changes: list[tuple[Key, Any, str]] = []
        for group in chosen:
            answer += self._settle(group, changes)
        self._write(changes)
        return answer

    def _merge_one_by_one(self, group: Group) -> list[Row]:
        """Merge as many rows of a group as possible, one by one."""
        try:
            with self._table.transaction():
                self._load([group])
                self._choose([group] if group.rows else [])
                blocked: list[Row] = []
                for loser in group.losers if group.keeper is not None else []:
                    obstacle = self._merge_row(group, loser)
                    if obstacle:
                        blocked.append(self._colliding(group, loser, obstacle))
                        del group.rows[loser]
                holder = next((row.pk for row in blocked if row.text == group.href), None)
                changes: list[tuple[Key, Any, str]] = []
                rows = self._settle(group, changes, holder)
                self._write(changes)
                self._table.check_constraints()
                return [*blocked, *rows]
        except _REFUSALS as error:
            return [
                self._colliding(group, key, f"the database refused it ({type(error).__name__})")
                for key in group.rows
            ]

    def _merge_row(self, group: Group, loser: Key) -> str:
        """Merge a row into the one that is kept. Return "", or the reason why it is impossible."""
        try:
            with self._table.transaction():
                self._absorb({loser: group})
        except CannotMoveError as error:
            return str(error)
        return ""

    def _absorb(self, pairs: Mapping[Key, Group]) -> None:
        """Move all that refers to rows to the row that is kept, and delete them.

        Raises CannotMoveError if that is impossible for one of them.
        """
        values = {key: row for group in pairs.values() for key, row in group.rows.items()}
        units = self._units(pairs, values)
        label = self._table.model._meta.label
        try:
            for reference in self._references:
                label = reference.label
                owners = self._owners(reference, pairs, values)
                moves = {
                    value: self._value(reference, pairs[loser].keeper, values)
                    for value, loser in owners.items()
                }
                if moves:
                    of = {value: units[loser] for value, loser in owners.items()}
                    reference.move(moves, self._journal, of)
                    self._table.check_constraints()
            label = self._table.model._meta.label
            self._delete(units)
        except (IntegrityError, ProtectedError, RestrictedError) as error:
            raise CannotMoveError(
                f"{label} cannot be moved: the row to keep already has one, or it is protected"
            ) from error

    def _settle(
        self, group: Group, changes: list[tuple[Key, Any, str]], holder: Key = None
    ) -> list[Row]:
        """Return what happens to the rows of a group, and add the new text to ``changes``.

        ``holder``: the row that already has the URL and cannot be deleted, or None.
        """
        if group.keeper is None:
            if len(group.rows) == 1:
                group.keeper = next(iter(group.rows))
            else:
                other = next(iter(group.rows), None)
                return [
                    self._colliding(group, key, "no row was chosen", other)
                    for key in group.rows
                    if key != other
                ]
        text = group.rows[group.keeper][0]
        answer = [self._row(group, loser, Outcome.MERGED, group.keeper) for loser in group.losers]
        if text == group.href:
            return [*answer, Row(pk=group.keeper, outcome=Outcome.UNCHANGED)]
        if holder is not None:
            reason = "the other row cannot be deleted"
            return [*answer, self._colliding(group, group.keeper, reason, holder)]
        changes.append((group.keeper, text, group.href))
        return [*answer, Row(pk=group.keeper, outcome=Outcome.CHANGED, text=text, href=group.href)]

    def _colliding(self, group: Group, key: Key, reason: str, other: Key = None) -> Row:
        other = group.keeper if other is None else other
        return self._row(group, key, Outcome.COLLIDING, other, reason=reason, done="reported")

    def _row(self, group: Group, key: Key, outcome: Outcome, other: Key, **more: Any) -> Row:
        others = self._rules.others
        values = dict(zip(others, group.rows[key][1:], strict=False))
        return Row(
            pk=key, outcome=outcome, text=group.rows[key][0], href=group.href, other=other,
            on=group.rule.names, where=group.rule.values(values), **more,
        )  # fmt: skip

    # Choosing.

    def _choose(self, groups: Sequence[Group]) -> None:
        choice = self._options.on_duplicate
        several = [group for group in groups if len(group.rows) > 1]
        counts: Counter[Key] = Counter()
        if choice == OnDuplicate.KEEP_MOST_REFERENCED:
            counts = self._counts(
                {key: row for group in several for key, row in group.rows.items()}
            )
        for group in groups:
            group.keeper = None
        for group in several:
            if not isinstance(choice, OnDuplicate):
                group.keeper = self._called(choice, group)
            elif choice == OnDuplicate.KEEP_NEWEST:
                group.keeper = max(group.rows)
            else:
                # max() returns the first of several, which is the oldest.
                group.keeper = max(sorted(group.rows), key=counts.__getitem__)

    def _counts(self, rows: Mapping[Key, Record]) -> Counter[Key]:
        counted: Counter[Key] = Counter()
        for reference in self._references if rows else ():
            if values := self._owners(reference, rows, rows):
                counted += reference.count(values)
        return counted

    def _called(self, choice: Callable[[Sequence[Any]], Any], group: Group) -> Key | None:
        table = self._table
        rows: Any = models.QuerySet(table.model).using(table.alias)
        # A queryset would make a key canonical that is a URL.
        sql = f"SELECT * FROM {table.name} WHERE {table.key} = %s"
        instances = {key: next(iter(rows.raw(sql, [key]))) for key in sorted(group.rows)}
        chosen = choice(list(instances.values()))
        if chosen is None:
            return None
        for key, instance in instances.items():
            if instance is chosen or instance == chosen:
                return key
        raise TypeError("on_duplicate must return one of the instances it was given, or None")

    def _value(self, reference: Reference, key: Key, rows: Mapping[Key, Record]) -> Any:
        """Return the value of the reference's column that refers to the row."""
        if reference.target not in self._targets:
            return reference.held(key)
        start = 1 + len(self._rules.others)
        return rows[key][start + self._targets.index(reference.target)]

    def _owners(
        self, reference: Reference, keys: Iterable[Key], rows: Mapping[Key, Record]
    ) -> dict[Any, Key]:
        """Return keys by the values of the reference's column that refer to them."""
        owners = {self._value(reference, key, rows): key for key in keys}
        owners.pop(None, None)  # Nothing can refer to NULL.
        return owners

    # Deleting.

    def _units(self, keys: Iterable[Key], rows: Mapping[Key, Record]) -> dict[Key, int]:
        """Return a unit of the journal for each row to delete.

        Rows that refer to each other have the same unit, because one cannot be restored without the
        other.
        """
        units = {key: self._journal.unit() for key in keys}
        for reference in self._references:
            if reference.is_own:
                owners = self._owners(reference, units, rows)
                for row in reference.referring(owners):
                    one, other = units.get(row[0]), units[owners[row[1]]]
                    if one is not None and one != other:
                        units |= {key: one for key, unit in units.items() if unit == other}
        return units

    def _delete(self, units: Mapping[Key, int]) -> None:
        """Record and delete rows that nothing refers to, by their keys.

        Raises CannotMoveError if something still refers to one of them.
        """
        if not units:
            return
        keys, table = [*units], self._table
        self._journal.removed_with_parents(table.model, units)
        for label in referring(
            self._rules_of_the_database, table.model, table.alias, keys
        ).values():
            raise CannotMoveError(f"{label} refers to this row, and cannot be moved")
        if self._field.primary_key:
            # A queryset would make these keys canonical, and not find the rows.
            table.delete(keys)
            return
        rows: Any = models.QuerySet(table.model).using(table.alias)
        _total, deleted = rows.filter(pk__in=list(keys)).delete()
        own = {table.model._meta.label, *(p._meta.label for p in table.model._meta.all_parents)}
        if others := [name for name, number in deleted.items() if number and name not in own]:
            raise CannotMoveError(f"{', '.join(others)} would be deleted with it")
