"""Finds and moves references to rows: foreign keys, one-to-ones, many-to-manys, generic relations.

Each reference is a column of a table that contains the key or another value of the row.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from typing import Any
from uuid import UUID

import attrs
from django.apps import apps as installed_apps
from django.db import connections, models, router

from django_whatwg_url.rows.journal import Changed, Journal
from django_whatwg_url.rows.table import Key, Table, key_fields, key_of


class CannotMoveError(Exception):
    """Raised if a reference cannot be moved to the row that is kept. The message names it."""


@attrs.frozen
class Reference:
    """A column that refers to rows of a model.

    ``target``: the field whose value it contains. ``content_types``: for a generic relation, the
    column with the content type, and the values that mean the model. ``is_link``: whether its rows
    are the pairs of a many-to-many table that Django created. ``far``: the other column of such a
    pair. ``is_child``: whether its rows are parts of the same object, by multi-table inheritance.
    """

    label: str
    table: Table
    field: Any
    target: Any
    content_types: tuple[Any, tuple[int, ...]] | None = None
    far: Any = None
    is_child: bool = False
    is_own: bool = False

    def where(self) -> tuple[str, tuple[int, ...]]:
        """Return a condition for the rows that may refer to the model, and its parameters."""
        if self.content_types is None:
            return "", ()
        column, values = self.content_types
        quoted = self.table.connection.ops.quote_name(column.column)
        return f"{quoted} IN ({', '.join(['%s'] * len(values))})", values

    def held(self, key: Key) -> Any:
        """Return the value of the column that refers to a key, or None if it cannot refer to it.

        A generic relation may store keys as text, as Python's ``str()`` writes them.
        """
        if self.content_types is None:
            return key
        target = self.target
        while target.remote_field is not None:  # A child model has the key of its parent.
            target = target.target_field
        is_uuid = isinstance(target, models.UUIDField)
        if isinstance(self.field, (models.CharField, models.TextField)):
            return str(UUID(str(key))) if is_uuid else str(key)
        if isinstance(self.field, models.IntegerField) and not isinstance(key, int):
            return None
        return None if isinstance(self.field, models.UUIDField) and not is_uuid else key

    def _wanted(self, values: Iterable[Any]) -> dict[Any, Any]:
        """Return the conditions for the rows with one of the values in the column."""
        wanted: dict[Any, Any] = {self.field: list(values)}
        if self.content_types is not None:
            wanted[self.content_types[0]] = self.content_types[1]
        return wanted

    def count(self, values: Mapping[Any, Key]) -> Counter[Key]:
        """Return how many rows refer to each row.

        ``values``: maps the value in the column to the key of the row.
        """
        found = (values.get(value) for _key, value in self.referring(values))
        return Counter(key for key in found if key is not None)

    def move(self, moves: Mapping[Any, Any], journal: Journal, units: Mapping[Any, int]) -> None:
        """Change references from each key of ``moves`` to its value.

        ``units``: maps each key of ``moves`` to the unit of its row. See `Journal`.

        Raises CannotMoveError, or IntegrityError if a constraint does not allow it.
        """
        if any(self.count({old: old for old, new in moves.items() if new is None}).values()):
            name = self.target.name
            raise CannotMoveError(
                f"{self.label} cannot refer to the row to keep, whose {name} is NULL"
            )
        moves = {old: new for old, new in moves.items() if new is not None}
        if self.is_child:
            if any(self.count({old: old for old in moves}).values()):
                raise CannotMoveError(f"a row of {self.label} is part of this one")
            return
        for key, value in self.referring(moves) if self.is_own else ():
            if value in moves and key == key_of(moves[value]):
                raise CannotMoveError(f"{self.label} of the row to keep would refer to itself")
        if self.far is not None:
            self._drop_links_that_are_there(moves, journal, units)
        recorded = self._record(moves, journal, units)
        where, params = self.where()
        moved = self.table.write([self.field], list(moves.items()), where, params)
        if moved != recorded:
            raise CannotMoveError(f"another program has just changed {self.label}")

    def _record(self, moves: Mapping[Any, Any], journal: Journal, units: Mapping[Any, int]) -> int:
        """Record the references that will be moved. Return how many there are."""
        model = self.table.model
        columns = [field.column for field in key_fields(model)]
        changes: list[Changed] = []
        of: list[int] = []
        for _field, value, *key in self.table.matching(
            [self.field.column, *columns], self._wanted(moves)
        ):
            old = _like(value, moves)
            if old not in moves:  # The database's collation ignores a difference.
                raise CannotMoveError(f"{self.label} has the key of this row in another spelling")
            after = str(moves[old]) if isinstance(value, str) else moves[old]
            both = {self.field.column: value}, {self.field.column: after}
            changes.append((dict(zip(columns, key, strict=True)), *both))
            of.append(units[old])
        journal.changed(model, changes, of)
        return len(changes)

    def referring(self, values: Iterable[Any]) -> Iterator[tuple[Key, Any]]:
        """Yield the key of each row of `table` that refers to one of some values, and the value."""
        known = dict.fromkeys(values)
        columns = [key_fields(self.table.model)[0].column, self.field.column]
        for _field, key, value in self.table.matching(columns, self._wanted(known)):
            yield key_of(key), _like(value, known)

    def _drop_links_that_are_there(
        self, moves: Mapping[Any, Any], journal: Journal, units: Mapping[Any, int]
    ) -> None:
        """Delete links of rows to be deleted if the rows to keep have the same links."""
        pk: Any = self.table.model._meta.pk
        columns = [self.field.column, self.far.column, pk.column]
        both = {*moves, *moves.values()}
        rows = [row[1:] for row in self.table.matching(columns, {self.field: both})]
        kept = {(key_of(near), key_of(far)) for near, far, _pk in rows if near not in moves}
        surplus: dict[Key, int] = {}
        for near, far, link in sorted(rows, key=lambda row: str(row[2])):
            if near in moves:
                pair = (key_of(moves[near]), key_of(far))
                if pair in kept:
                    surplus[key_of(link)] = units[_like(near, units)]
                kept.add(pair)
        journal.removed(
            self.table.model, [{pk.column: key} for key in surplus], [*surplus.values()]
        )
        Table(self.table.model, self.table.alias).delete(surplus)


def _like(value: Any, known: Mapping[Any, Any]) -> Any:
    """Return the key in ``known`` that equals a stored value, which may be text.

    A generic relation may store keys as text.
    """
    if value in known:
        return value
    value = key_of(value)
    if value in known:
        return value
    # Some databases ignore letter case and trailing spaces.
    return next((key for key in known if _folded(key) == _folded(value)), value)


def _folded(value: Any) -> str:
    return str(value).rstrip(" ").casefold()


def references_to(model: type[models.Model], alias: str, apps: Any) -> list[Reference]:
    """Return all references to the rows of a model that models declare.

    References from tables that do not exist are left out.

    Args:
        model: The model whose rows are referred to.
        alias: The alias of the database.
        apps: The registry of models to search, for example the registry of a migration.
    """
    found = [*_foreign_keys(model, alias), *_generic_keys(model, alias, apps)]
    if not found:
        return found
    tables = set(found[0].table.connection.introspection.table_names())
    return [reference for reference in found if reference.table.model._meta.db_table in tables]


def _foreign_keys(model: type[models.Model], alias: str) -> Iterator[Reference]:
    family = [model, *model._meta.all_parents]
    for relation in model._meta.get_fields(include_hidden=True):
        if not (relation.auto_created and not relation.concrete) or relation.many_to_many:
            continue
        field: Any = getattr(relation, "field", None)
        source: Any = relation.related_model
        if getattr(field, "column", None) is None or source._meta.swapped:
            continue
        if source in family and field.remote_field.parent_link:
            continue  # This links a row to its own parent.
        if not source._meta.managed or not router.allow_migrate_model(alias, source):
            continue
        others = (each for each in source._meta.local_fields if each.is_relation)
        is_link = bool(source._meta.auto_created)
        far = next(each for each in others if each is not field) if is_link else None
        yield Reference(
            label=f"{source._meta.label}.{field.name}",
            table=Table(source, alias, key=field),
            field=field,
            target=field.target_field,
            far=far,
            is_child=bool(field.remote_field.parent_link),
            is_own=source is model and far is None,
        )


def _generic_keys(model: type[models.Model], alias: str, apps: Any) -> Iterator[Reference]:
    if not installed_apps.is_installed("django.contrib.contenttypes"):
        return
    from django.contrib.contenttypes.fields import GenericForeignKey
    from django.contrib.contenttypes.models import ContentType

    names = [(model._meta.app_label, model._meta.model_name)]
    names += [
        (other._meta.app_label, other._meta.model_name)
        for other in apps.get_models()
        if other._meta.proxy and other._meta.concrete_model is model
    ]
    # Migrations do not record generic relations, so use the current models.
    keys = [
        (source, field)
        for source in installed_apps.get_models()
        for field in source._meta.private_fields
        if isinstance(field, GenericForeignKey)
        and field.model is source
        and not source._meta.proxy
        and router.allow_migrate_model(alias, source)
    ]
    tables = set(connections[alias].introspection.table_names()) if keys else set()
    if not keys or ContentType._meta.db_table not in tables:
        return
    types = ContentType.objects.using(alias)
    ids = tuple(
        found.pk for app, name in names for found in types.filter(app_label=app, model=name)
    )
    for source, generic in keys if ids else ():
        object_id: Any = source._meta.get_field(generic.fk_field)
        yield Reference(
            label=f"{source._meta.label}.{generic.name}",
            table=Table(source, alias, key=object_id),
            field=object_id,
            target=model._meta.pk,
            content_types=(source._meta.get_field(generic.ct_field), ids),
        )
