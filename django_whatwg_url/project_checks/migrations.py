"""A system check for migrations that change a text column into a URL column.

It suggests `CanonicalizeURLs`. It reads the migrations. It reads rows only if such a migration has
not been applied yet.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import Any, Final

import attrs
from django.apps import AppConfig, apps
from django.core import checks
from django.core.exceptions import FieldDoesNotExist, ImproperlyConfigured
from django.db import DEFAULT_DB_ALIAS, DatabaseError, connections, models, router
from django.db.migrations import operations as django_operations
from django.db.migrations.exceptions import MigrationSchemaMissing
from django.db.migrations.loader import MigrationLoader
from django.db.migrations.recorder import MigrationRecorder

from django_whatwg_url.canonicalizing.choices import Options
from django_whatwg_url.canonicalizing.reading import Outcome, reader
from django_whatwg_url.canonicalizing.rules import unique_constraints
from django_whatwg_url.canonicalizing.run import limit_of
from django_whatwg_url.canonicalizing.table import Table
from django_whatwg_url.fields import CanonicalURLField
from django_whatwg_url.messages import manage_py
from django_whatwg_url.operations import CanonicalizeURLs

_SAMPLE: Final = 10_000


@attrs.define
class _Column:
    """The state of a column after the migrations that have been read so far."""

    field: Any
    is_canonical: bool = False


@attrs.frozen
class _Change:
    """A text column that becomes a URL column.

    ``migration``: the name of the migration, or None if the change is only in the models.
    """

    app_label: str
    model_name: str
    field_name: str
    migration: str | None


def check_migrations(
    app_configs: Sequence[AppConfig] | None = None,
    databases: Sequence[str] | None = None,
    **_kwargs: object,
) -> list[checks.CheckMessage]:
    """Return a warning for each text column that becomes a URL field without `CanonicalizeURLs`.

    ``databases``: the aliases of the databases whose rows are counted. By default, only the default
    database.
    """
    labels = {
        model._meta.app_label
        for model in apps.get_models()
        if (app_configs is None or model._meta.app_config in app_configs)
        and any(isinstance(field, CanonicalURLField) for field in model._meta.local_fields)
    }
    if not labels:
        return []
    loader = MigrationLoader(None, ignore_no_migrations=True)
    labels &= loader.migrated_apps
    messages: list[checks.CheckMessage] = []
    for alias in databases or [DEFAULT_DB_ALIAS]:
        for change in _changes(loader, sorted(labels)):
            messages += _check_change(change, alias)
    return messages


def _changes(loader: MigrationLoader, labels: Iterable[str]) -> Iterator[_Change]:
    for label in labels:
        columns: dict[tuple[str, str], _Column] = {}
        leaves = loader.graph.leaf_nodes(label)
        plan = [key for leaf in leaves for key in loader.graph.forwards_plan(leaf)]
        for key in dict.fromkeys(plan):
            if key[0] == label:
                migration = loader.graph.nodes[key]
                for model, name in _applied(migration.operations, columns):
                    yield _Change(label, model, name, key[1])
        for model_class in apps.get_app_config(label).get_models():
            for field in model_class._meta.local_fields:
                key_of = (str(model_class._meta.model_name), field.name)
                column = columns.get(key_of)
                if column is not None and _becomes_url(column, field):
                    yield _Change(label, *key_of, None)


def _becomes_url(column: _Column, field: Any) -> bool:
    return (
        isinstance(field, CanonicalURLField)
        and isinstance(column.field, models.CharField | models.TextField)
        and not isinstance(column.field, CanonicalURLField)
        and not column.is_canonical
    )


def _applied(  # noqa: C901  # one case for each operation
    operations: Iterable[Any], columns: dict[tuple[str, str], _Column]
) -> Iterator[tuple[str, str]]:
    """Update ``columns``, and yield each that becomes a URL field without `CanonicalizeURLs`."""
    for operation in operations:
        match operation:
            case CanonicalizeURLs():
                key = (operation.model_name.lower(), operation.name)
                if key in columns:
                    columns[key].is_canonical = True
            case django_operations.SeparateDatabaseAndState():
                inner = [*operation.database_operations, *operation.state_operations]
                yield from _applied(inner, columns)
            case django_operations.CreateModel():
                for name, field in operation.fields:
                    columns[operation.name_lower, name] = _Column(field)
            case django_operations.AddField():
                columns[operation.model_name_lower, operation.name] = _Column(operation.field)
            case django_operations.AlterField():
                key = (operation.model_name_lower, operation.name)
                column = columns.setdefault(key, _Column(None))
                if _becomes_url(column, operation.field):
                    yield key
                column.field = operation.field
            case django_operations.RenameField():
                old = (operation.model_name_lower, operation.old_name)
                if old in columns:
                    columns[operation.model_name_lower, operation.new_name] = columns.pop(old)
            case django_operations.RenameModel():
                for model, name in [key for key in columns if key[0] == operation.old_name_lower]:
                    columns[operation.new_name_lower, name] = columns.pop((model, name))


def _check_change(change: _Change, alias: str) -> Iterator[checks.CheckMessage]:
    try:
        model = apps.get_model(change.app_label, change.model_name)
        field: Any = model._meta.get_field(change.field_name)
    except LookupError:
        return  # The field has been renamed or removed since.
    except FieldDoesNotExist:
        return
    if not router.allow_migrate_model(alias, model):
        return
    try:
        if change.migration is not None and _is_applied(change, alias):
            return
        rows = _rows_concerned(model, field, alias)
    except (DatabaseError, ImproperlyConfigured):
        rows = "Its rows could not be counted."
    where = "" if change.migration is None else f" in migration {change.migration}"
    arguments = f'CanonicalizeURLs("{change.model_name}", "{change.field_name}")'
    label = f"{model._meta.label}.{field.name}"
    dry_run = manage_py("canonicalize_urls", label, "--dry-run", alias=alias)
    yield checks.Warning(
        f"{label} becomes a CanonicalURLField{where}, without a "
        f"CanonicalizeURLs operation before the change. {rows}",
        hint=(
            f"Add {arguments} from django_whatwg_url.operations before the AlterField operation. "
            f"{_duplicates_of(model, field)} "
            f"To see what it would change, run: {dry_run}"
        ),
        obj=field,
        id="django_whatwg_url.W020",
    )


def _duplicates_of(model: type[models.Model], field: Any) -> str:
    """Return sentences about what makes two rows the same, by the constraints of the model."""
    found = unique_constraints(model, field)
    if not found:
        return (
            "The model has no unique constraint with the URL. So name the fields that make two "
            'rows the same if on_duplicate is to merge rows: unique_with=["owner"], for example.'
        )
    constraints = " and ".join(f"({', '.join(constraint.fields)})" for constraint in found)
    others = [name for name in found[0].fields if name != field.name]
    return (
        f"The model has a unique constraint on {constraints}, which says what makes two rows the "
        "same. If it comes with a later `migrate`, and on_duplicate is to merge rows, write "
        f"unique_with={others}."
    )


def _is_applied(change: _Change, alias: str) -> bool:
    recorder = MigrationRecorder(connections[alias])
    try:
        return (change.app_label, change.migration) in recorder.applied_migrations()
    except MigrationSchemaMissing:
        return False


def _rows_concerned(model: type[models.Model], field: Any, alias: str) -> str:
    """Return a sentence that counts the rows, and says how many of the first ones need a change."""
    table = Table(model, alias)
    count = table.count()
    read = reader(Options(), limit_of(field, Options()))
    sample = next(table.pages([field.column], _SAMPLE), [])
    readings = [read(text).outcome for _pk, text in sample]
    changing = readings.count(Outcome.CHANGED)
    bad = readings.count(Outcome.UNPARSABLE) + readings.count(Outcome.TOO_LONG)
    of = (
        f"Of its {count:,} rows"
        if count <= _SAMPLE
        else f"It has {count:,} rows. Of the first {_SAMPLE:,}"
    )
    # A developer's database is often empty, so this is not a reason to be silent.
    elsewhere = "" if changing or bad else " Other databases may have such rows."
    return (
        f"{of}, {changing:,} would be changed to the canonical form, and {bad:,} would be reported "
        f"because the text is not a URL or is too long.{elsewhere}"
    )
