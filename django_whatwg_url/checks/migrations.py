"""System checks that find migrations in which a `CanonicalizeURLs` is needed but missing.

`makemigrations` writes Django's own operations, and `migrate` runs what the file says. So a check
says which operation to add. One check compares the models with the migrations, without a
database. The other has the tag ``database``, and checks the migrations that have not run on a
database yet. Neither reads rows.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import Any

import attrs
from django.apps import AppConfig, apps
from django.core import checks
from django.core.exceptions import FieldDoesNotExist
from django.db import DEFAULT_DB_ALIAS, DatabaseError, connections, models, router
from django.db.migrations import operations as django_operations
from django.db.migrations.loader import MigrationLoader

from django_whatwg_url.fields import CanonicalURLField
from django_whatwg_url.operations import CanonicalizeURLs
from django_whatwg_url.rows.rules import owner_of, unique_constraints
from django_whatwg_url.rules.messages import manage_py


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


def check_changed_models(
    app_configs: Sequence[AppConfig] | None = None, **_kwargs: object
) -> list[checks.CheckMessage]:
    """Return a warning for each text column that became a URL field without a migration so far.

    This is the state before `makemigrations` runs. No database is used.
    """
    labels = _labels(app_configs)
    if not labels:
        return []
    loader = MigrationLoader(None, ignore_no_migrations=True)
    return [
        message
        for change in _changes(loader, labels & loader.migrated_apps)
        if change.migration is None
        for message in _check_change(change, DEFAULT_DB_ALIAS)
    ]


def check_migrations(
    app_configs: Sequence[AppConfig] | None = None,
    databases: Sequence[str] | None = None,
    **_kwargs: object,
) -> list[checks.CheckMessage]:
    """Return the messages about migrations that have not run on a database.

    ``databases``: the aliases of the databases. With None, none is used.
    """
    labels = _labels(app_configs)
    messages: list[checks.CheckMessage] = []
    for alias in (databases or ()) if labels else ():
        try:
            loader = MigrationLoader(connections[alias], ignore_no_migrations=True)
        except DatabaseError:
            continue  # There is no database yet.
        for change in _changes(loader, labels & loader.migrated_apps):
            key = change.app_label, change.migration
            if change.migration and key not in loader.applied_migrations:
                messages += _check_change(change, alias)
    return messages


def planned_columns(alias: str) -> set[tuple[str, str, str]]:
    """Return the columns that a migration which has not run on a database makes canonical.

    Each is the label of the app, the name of the model in lower case, and the name of the field.
    """
    loader = MigrationLoader(connections[alias], ignore_no_migrations=True)
    return {
        (app_label, *column)
        for (app_label, name), migration in loader.graph.nodes.items()
        if (app_label, name) not in loader.applied_migrations
        for operation in _flattened(migration.operations)
        if isinstance(operation, CanonicalizeURLs)
        for column in operation.columns
    }


def _flattened(operations: Iterable[Any]) -> Iterator[Any]:
    """Yield operations, including operations inside `SeparateDatabaseAndState`."""
    for operation in operations:
        if isinstance(operation, django_operations.SeparateDatabaseAndState):
            yield from _flattened(operation.database_operations)
            yield from _flattened(operation.state_operations)
        else:
            yield operation


def _labels(app_configs: Sequence[AppConfig] | None) -> set[str]:
    """Return the labels of the apps that have a URL field."""
    return {
        model._meta.app_label
        for model in apps.get_models()
        if (app_configs is None or model._meta.app_config in app_configs)
        and any(isinstance(field, CanonicalURLField) for field in model._meta.local_fields)
    }


def _changes(loader: MigrationLoader, labels: Iterable[str]) -> Iterator[_Change]:
    for label in sorted(labels):
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
    """Update ``columns``, and yield those that become a URL field without `CanonicalizeURLs`."""
    for operation in _flattened(operations):
        match operation:
            case CanonicalizeURLs():
                for key in operation.columns:
                    if key in columns:
                        columns[key].is_canonical = True
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
    where = "" if change.migration is None else f" in migration {change.migration}"
    arguments = f'CanonicalizeURLs("{change.model_name}", "{change.field_name}")'
    label = f"{model._meta.label}.{field.name}"
    dry_run = manage_py("canonicalize_urls", label, "--dry-run", alias=alias)
    yield checks.Warning(
        f"{label} becomes a CanonicalURLField{where}, without a CanonicalizeURLs operation before "
        "the change. Rows that are not canonical would stay as they are.",
        hint=(
            f"Add {arguments} from django_whatwg_url.operations before the AlterField operation. "
            f"{_duplicates_of(model, field)} "
            f"To see what it would change, run: {dry_run}"
        ),
        obj=field,
        id="django_whatwg_url.W020",
    )


def _duplicates_of(model: type[models.Model], field: Any) -> str:
    """Return sentences about the fields that make two rows duplicates, from the constraints."""
    found = unique_constraints(model, field)
    if not found:
        owner = owner_of(model)
        return (
            "The model has no unique constraint with the URL. So name the fields that make two "
            "rows the same if on_duplicate is to merge rows: "
            + (f'unique_with=["{owner}"], for example.' if owner else "see unique_with.")
        )
    constraints = " and ".join(f"({', '.join(constraint.fields)})" for constraint in found)
    others = [name for name in found[0].fields if name != field.name]
    return (
        f"The model has a unique constraint on {constraints}, which says what makes two rows the "
        "same. If it comes with a later `migrate`, and on_duplicate is to merge rows, write "
        f"unique_with={others}."
    )
