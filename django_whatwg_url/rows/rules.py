"""Finds the unique constraints on a column, and rows that may not both get the same URL."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any, Final

import attrs
from django.conf import settings
from django.core.exceptions import FieldDoesNotExist
from django.db import models
from django.db.models import Q

from django_whatwg_url.rows.scratch import Scratch, digest
from django_whatwg_url.rows.table import Key, Record, Table

# InnoDB's limit for a B-tree index, in bytes.
_INDEX_BYTES: Final = 3072
_BYTES_OF_A_CHARACTER: Final = 4


@attrs.frozen
class UniqueRule:
    """Allows only one row with ``condition`` to have the same URL and the same ``others``.

    ``is_kept``: whether the database has such a constraint. ``matters``: whether a row that would
    break the rule is not changed. Otherwise, it is only reported.
    """

    names: tuple[str, ...]
    others: tuple[Any, ...] = ()
    condition: Q | None = None
    nulls_distinct: bool = True
    is_kept: bool = True
    matters: bool = True

    @property
    def meaning(self) -> tuple[object, ...]:
        """A value that is equal for two rules if they define the same duplicates."""
        return frozenset(self.names), self.condition, self.nulls_distinct

    def values(self, others: Mapping[Any, Any]) -> dict[str, Any]:
        """Return the values of the other columns, by the name of each field."""
        return {other.name: others[other] for other in self.others}


def unique_rules(
    model: type[models.Model], field: Any, unique_with: Sequence[str] | None, *, merges: bool
) -> list[UniqueRule]:
    """Return the rules for the constraints of a model, and for ``unique_with``.

    If there are none, return a rule that only counts duplicates. Constraints on expressions are
    skipped, because the database refuses rows that break them.

    Args:
        model: The model.
        field: The field of the URL column.
        unique_with: The fields that define duplicates together with the URL. An empty list means
            that only the URL counts.
        merges: Whether rows are to be merged.

    Raises:
        ValueError: A name in ``unique_with`` is not a column of the table, or rows are to be
            merged and duplicates are not defined.
    """
    rules = [_rule(model, field, constraint) for constraint in unique_constraints(model, field)]
    if unique_with is not None:
        others = [_column(model, field, name) for name in unique_with]
        named = _constraint([*(name for name in others if name != field.name), field.name])
        rule = _rule(model, field, named, is_kept=False)
        if rule.meaning not in {other.meaning for other in rules}:
            rules.append(rule)
    if not rules and merges:
        label = f"{model._meta.label}.{field.name}"
        owner = owner_of(model)
        advice = (
            f'name the other fields: unique_with=["{owner}"] in a migration, --unique-with {owner} '
            "in the command"
            if owner
            else "name the fields that make two rows the same, with unique_with"
        )
        raise ValueError(
            f"Nothing says what makes two rows of {label} the same, so none of them can be merged. "
            "Either add a unique constraint that contains the URL, or "
            f"{advice}. unique_with=[] and --unique-with without a name mean that "
            f"the URL by itself makes two rows the same{', whoever owns them' if owner else ''}."
        )
    return rules or [UniqueRule((field.name,), is_kept=False, matters=False)]


def unique_constraints(model: type[models.Model], field: Any) -> list[models.UniqueConstraint]:
    """Return the constraints on a column, including `unique` and `unique_together`."""
    found = [_constraint([field.name])] if field.unique else []
    found += [_constraint(names) for names in model._meta.unique_together if field.name in names]
    found += [
        constraint
        for constraint in model._meta.constraints
        if isinstance(constraint, models.UniqueConstraint) and field.name in constraint.fields
    ]
    return found


def owner_of(model: type[models.Model]) -> str | None:
    """Return the name of the field for the owner of a row, or None if there is none."""
    user = settings.AUTH_USER_MODEL.lower()
    for field in model._meta.local_fields:
        related: Any = field.related_model
        is_user = getattr(getattr(related, "_meta", None), "label_lower", "") == user
        if is_user or field.name in {"owner", "user", "author", "account"}:
            return field.name
    return None


def _constraint(names: Iterable[str]) -> models.UniqueConstraint:
    return models.UniqueConstraint(fields=[*names], name="unnamed")


def _column(model: type[models.Model], field: Any, name: str) -> str:
    """Return the name of the field of a column in the table of a model."""
    try:
        found = model._meta.get_field(name)
    except FieldDoesNotExist as error:
        raise ValueError(f"unique_with: {error}") from None
    if found not in model._meta.local_concrete_fields:
        raise ValueError(f"unique_with: {name!r} is not a column in the table of {field.name!r}")
    return found.name


def _rule(
    model: type[models.Model],
    field: Any,
    constraint: models.UniqueConstraint,
    *,
    is_kept: bool = True,
) -> UniqueRule:
    names = constraint.fields
    others = tuple(model._meta.get_field(name) for name in names if name != field.name)
    distinct = constraint.nulls_distinct is not False
    return UniqueRule(tuple(names), others, constraint.condition, distinct, is_kept=is_kept)


@attrs.frozen
class Collision:
    """A row that cannot get ``href``, because the row ``other`` has it, and ``rule`` forbids it."""

    pk: Key
    href: str
    rule: UniqueRule
    other: Key
    digest: bytes


@attrs.define
class Candidate:
    """A row that would get ``href``, with its values in the columns of all rules."""

    pk: Key
    href: str
    others: Mapping[Any, Any]


@attrs.define(slots=False)
class Rules:
    """Finds candidates that would collide with each other or with stored rows.

    In a dry run, or if the database has no constraint yet, this remembers the first row with each
    URL.
    """

    _table: Table
    _field: Any
    _rules: Sequence[UniqueRule]
    _scratch: Scratch
    _dry_run: bool

    def __attrs_post_init__(self) -> None:
        table, field, rules = self._table, self._field, self._rules
        # A model may have a constraint that no migration has added to the table yet.
        found = table.unique_columns()
        self.all: list[UniqueRule] = [
            attrs.evolve(
                rule,
                is_kept=rule.is_kept
                and {field.column, *(other.column for other in rule.others)} in found,
            )
            for rule in rules
        ]
        # MariaDB stores such an index as a hash, and scans the table for each IN.
        wide = (field.max_length or _INDEX_BYTES) * _BYTES_OF_A_CHARACTER > _INDEX_BYTES
        self.scans: bool = (
            table.vendor == "mysql" and wide and any(rule.is_kept for rule in self.all)
        )
        self.others: list[Any] = list(
            dict.fromkeys(other for rule in rules for other in rule.others)
        )

    def scan(self, pages: Iterable[Sequence[Record]]) -> None:
        """Store the text of each row, if querying the database for each batch would be too slow.

        ``pages``: all rows, each with its key, its text, the values of `others`, and possibly more.
        """
        end = 2 + len(self.others)
        kept = [
            (number, rule)
            for number, rule in enumerate(self.all)
            if rule.is_kept and rule.condition is None
        ]
        for page in pages:
            rows = [
                self.candidate(row[0], row[1], row[2:end]) for row in page if row[1] is not None
            ]
            for number, rule in kept:
                self._scratch.first_owners((_digest_of(number, rule, row), row.pk) for row in rows)

    @property
    def asks_for_unchanged_rows(self) -> bool:
        """Whether a rule needs the rows that do not change."""
        return any(not rule.is_kept for rule in self.all)

    def collisions(
        self, changing: Sequence[Candidate], unchanged: Sequence[Candidate]
    ) -> Iterator[Collision]:
        """Yield the collisions of candidates, only by the first rule for each."""
        lost: set[Key] = set()
        for number, rule in enumerate(self.all):
            # A row that is already canonical comes first, because it does not have to be written.
            rows = changing if rule.is_kept else [*unchanged, *changing]
            rows = [row for row in rows if row.pk not in lost]
            for collision in self._under(number, rule, rows):
                if rule.matters:
                    lost.add(collision.pk)
                yield collision

    def _under(
        self, number: int, rule: UniqueRule, rows: Sequence[Candidate]
    ) -> Iterator[Collision]:
        if rule.nulls_distinct:
            rows = [row for row in rows if None not in map(row.others.get, rule.others)]
        if rule.condition is not None and rows:
            chosen = self._table.satisfying(rule.condition, [row.pk for row in rows])
            rows = [row for row in rows if row.pk in chosen]
        if not rows:
            return
        digests = [_digest_of(number, rule, row) for row in rows]
        holders: dict[bytes, Key] = {}
        remembers = self._dry_run or not rule.is_kept
        if self.scans and rule.condition is None:
            remembers = True
        elif rule.is_kept:
            holders = self.holders(number, rule, rows)
        if remembers:
            pairs = [
                (key, row.pk) for key, row in zip(digests, rows, strict=True) if key not in holders
            ]
            holders = self._scratch.first_owners(pairs) | holders
        for row, key in zip(rows, digests, strict=True):
            other = holders.setdefault(key, row.pk)
            if other != row.pk:
                yield Collision(row.pk, row.href, rule, other, key)

    def holders(self, number: int, rule: UniqueRule, rows: Sequence[Candidate]) -> dict[bytes, Key]:
        """Return the keys of stored rows that collide with ``rows`` under ``rule``, by digest."""
        wanted: dict[Any, set[Any]] = {self._field: {row.href for row in rows}}
        for other in rule.others:
            values = {row.others[other] for row in rows}
            if None not in values:
                wanted[other] = values
        columns = [self._field.column, *(other.column for other in rule.others)]
        found = {
            digest(number, *values): pk for pk, *values in self._table.matching(columns, wanted)
        }
        if rule.condition is not None and found:
            chosen = self._table.satisfying(rule.condition, found.values())
            found = {digest: pk for digest, pk in found.items() if pk in chosen}
        return found

    def candidate(self, pk: Key, href: str, values: Sequence[Any]) -> Candidate:
        """Return a candidate. ``values``: the values of ``others``, in the same order."""
        return Candidate(pk, href, dict(zip(self.others, values, strict=True)))

    def holder_of(self, rule: UniqueRule, row: Candidate) -> Key | None:
        """Return the key of the stored row that collides with ``row`` under ``rule``, or None."""
        number = self.all.index(rule)
        return self.holders(number, rule, [row]).get(_digest_of(number, rule, row))

    def who_refuses(self, row: Candidate) -> tuple[UniqueRule, Key] | None:
        """Return the constraint that ``row`` would break, and the key of the other row, or None."""
        for rule in self.all:
            if not rule.is_kept:
                continue
            wanted: dict[Any, list[Any]] = {self._field: [row.href]}
            wanted |= {o: [row.others[o]] for o in rule.others if row.others[o] is not None}
            for record in self._table.matching([], wanted):
                # Compare in the database, because its collation may treat two texts as equal.
                if record[0] != row.pk:
                    return rule, record[0]
        return None


def _digest_of(number: int, rule: UniqueRule, row: Candidate) -> bytes:
    return digest(number, row.href, *(row.others[other] for other in rule.others))
