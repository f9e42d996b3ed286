"""Finds rows that the database itself deletes or changes when a row is deleted.

Since Django 6.1, the ``on_delete`` of a foreign key can be a rule of the database: `DB_CASCADE`,
`DB_SET_NULL` and `DB_SET_DEFAULT`. Django does not see the effects of such a rule. So this module
finds them before the row is deleted, and they can be recorded.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import Any

from django.db import connections, models
from django.db.models import ForeignObjectRel, deletion

from django_whatwg_url.rows.table import Key, Table, key_fields, key_of

_KIND: Any = getattr(deletion, "DatabaseOnDelete", ())
_CASCADE: Any = getattr(deletion, "DB_CASCADE", None)
_SET_NULL: Any = getattr(deletion, "DB_SET_NULL", None)


def is_rule_of_the_database(field: Any) -> bool:
    """Return whether the database, not Django, applies the ``on_delete`` of a foreign key."""
    return isinstance(field.remote_field.on_delete, _KIND)


def fields_with_rules(model: type[models.Model]) -> list[Any]:
    """Return the foreign keys to a model that have a rule of the database.

    This includes foreign keys of unmanaged models.
    """
    return [
        relation.field
        for relation in model._meta.get_fields(include_hidden=True)
        if isinstance(relation, ForeignObjectRel)
        and (relation.one_to_many or relation.one_to_one)
        and is_rule_of_the_database(relation.field)
    ]


class Collector(deletion.Collector):
    """A collector that also finds rows that the database will delete by `DB_CASCADE`.

    A model may have no table, because Django itself does not search it for such rows. Then there
    are none.
    """

    def __init__(self, alias: str) -> None:
        options: dict[str, Any] = {"force_collection": True} if _KIND else {}
        super().__init__(using=alias, **options)
        self._tables = set(connections[alias].introspection.table_names()) if _KIND else None

    def related_objects(
        self, related_model: type[models.Model], related_fields: Any, objs: Any
    ) -> Any:
        """Return the rows that refer to these instances."""
        found: Any = super().related_objects(related_model, related_fields, objs)
        is_missing = self._tables is not None and related_model._meta.db_table not in self._tables
        by_database = all(map(is_rule_of_the_database, related_fields))
        return found.none() if is_missing and by_database else found


def changes(instances: Iterable[Any], alias: str) -> Iterator[tuple[Any, tuple[Any, Any, Any]]]:
    """Yield the changes that `DB_SET_NULL` and `DB_SET_DEFAULT` make if instances are deleted.

    Each is a model, and a change for `Journal.changed`.
    """
    by_model: dict[type[models.Model], list[Any]] = {}
    for instance in instances:
        by_model.setdefault(instance._meta.concrete_model, []).append(instance)
    for model, some in by_model.items():
        for field in fields_with_rules(model):
            if field.remote_field.on_delete is not _CASCADE:
                yield from _changes(field, some, alias)


def _changes(
    field: Any, instances: Sequence[Any], alias: str
) -> Iterator[tuple[Any, tuple[Any, Any, Any]]]:
    source = field.model
    table = Table(source, alias)
    names = [field.column, *(key.column for key in key_fields(source))]
    target = field.target_field
    values = [
        target.get_db_prep_value(getattr(each, target.attname), table.connection)
        for each in instances
    ]
    after = None
    if field.remote_field.on_delete is not _SET_NULL:
        with table.connection.schema_editor(collect_sql=True) as editor:
            sql, params = editor.db_default_sql(field)
        with table.connection.cursor() as cursor:
            cursor.execute(f"SELECT {sql}", params)
            (after,) = cursor.fetchone()
    for _first, before, *found in table.matching(names, {field: values}):
        key = dict(zip(names[1:], found, strict=True))
        yield source, (key, {field.column: before}, {field.column: after})


def referring(
    fields: Sequence[Any], model: type[models.Model], alias: str, keys: Iterable[Key]
) -> dict[Key, str]:
    """Return the keys that these foreign keys refer to, each with the label of a foreign key."""
    found: dict[Key, str] = {}
    tables = set(connections[alias].introspection.table_names()) if fields else set()
    for field in fields:
        source = field.model
        if source._meta.db_table not in tables:
            continue
        values = {key: key for key in keys}
        if not field.target_field.primary_key:
            stored = Table(model, alias).rows(keys, [field.target_field.column])
            values = {row[0]: key for key, row in stored.items() if row[0] is not None}
        table = Table(source, alias, key=field)
        for row in table.matching([], {field: list(values)}) if values else ():
            if (key := values.get(key_of(row[0]))) is not None:
                found[key] = f"{source._meta.label}.{field.name}"
    return found
