"""System checks of whole models: indexes, constraints and rows. The app registers them."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import suppress
from typing import Any, Final, NamedTuple

from django.apps import AppConfig, apps
from django.core import checks
from django.db import DatabaseError, connections, models, router, transaction
from django.db.migrations.loader import MigrationLoader

from django_whatwg_url.canonicalizing.planned_constraints import flattened
from django_whatwg_url.checks.references import check_url_field
from django_whatwg_url.checks.rows import check_rows
from django_whatwg_url.companions import Companion
from django_whatwg_url.fields import (
    CanonicalURLField,
    QueryParamField,
    RegistrableDomainField,
    URLKeyField,
)
from django_whatwg_url.managers import Follower, URLQuerySet, followers_of
from django_whatwg_url.messages import manage_py
from django_whatwg_url.operations import CanonicalizeURLs
from django_whatwg_url.operations.remaking import names_in
from django_whatwg_url.recomputing import differing

# Companions are computed in Python, so their check reads few rows.
_COMPANIONS: Final = 100


class _Stored(NamedTuple):
    """What a check says of a kind of companion: its id, what differs, and the command."""

    kind: type[Companion]
    id: str
    differs: str
    command: str


_STORED: Final = (
    _Stored(
        URLKeyField,
        "django_whatwg_url.W022",
        "another key than their URL has under the rules of the field",
        "update_url_keys",
    ),
    _Stored(
        RegistrableDomainField,
        "django_whatwg_url.W023",
        "another registrable domain than their URL has by the list in use",
        "update_registrable_domains",
    ),
    _Stored(
        QueryParamField,
        "django_whatwg_url.W025",
        "another value than the query of their URL has",
        "update_query_params",
    ),
)


def check_names(
    app_configs: Sequence[AppConfig] | None = None, **_kwargs: object
) -> list[checks.CheckMessage]:
    """Return the messages about fields that this package's indexes and constraints refer to."""
    return [
        message
        for model in _models(app_configs)
        for named in (*model._meta.indexes, *model._meta.constraints)
        if isinstance(url_field := getattr(named, "url_field", None), str)
        for message in check_url_field(
            model, f"{type(named).__name__} {named.name!r}", model, url_field
        )
    ]


def check_managers(
    app_configs: Sequence[AppConfig] | None = None, **_kwargs: object
) -> list[checks.CheckMessage]:
    """Return the messages about models with a column that `update()` of the URL would not update.

    Only the default manager of a model is looked at.
    """
    messages: list[checks.CheckMessage] = []
    for model in _models(app_configs):
        if (followers := [*followers_of(model)]) and not _updates_followers(model):
            messages += [_not_updated(model, follower) for follower in followers]
    return messages


def _updates_followers(model: type[models.Model]) -> bool:
    # A manager may raise any error outside a request, for example one that needs a tenant.
    with suppress(Exception):
        return isinstance(model._default_manager.all(), URLQuerySet)  # noqa: SLF001  # documented
    return False


def _not_updated(model: type[models.Model], follower: Follower) -> checks.CheckMessage:
    name = follower.column.name
    is_constrained = any(
        name in names
        for names in (
            [name] if follower.column.unique else [],
            *model._meta.unique_together,
            *map(_names_of_constraint, model._meta.constraints),
        )
    )
    kind: type[checks.CheckMessage] = checks.Warning
    id = "django_whatwg_url.W032"
    if is_constrained:
        kind, id = checks.Error, "django_whatwg_url.E033"
    constrained = " A constraint of the model needs the right value." if is_constrained else ""
    return kind(
        f"QuerySet.update() and bulk_update() of {follower.source!r} leave the old value in "
        f"{name!r}, which follows it.{constrained}",
        hint=(
            "Write objects = URLQuerySet.as_manager() in the model, or make your own manager from "
            "it: YourManager.from_queryset(URLQuerySet)(). The class is in "
            "django_whatwg_url.managers."
        ),
        obj=model,
        id=id,
    )


def _names_of_constraint(constraint: models.BaseConstraint) -> set[str]:
    read = [*getattr(constraint, "expressions", ()), getattr(constraint, "condition", None)]
    return {*getattr(constraint, "fields", ()), *(name for each in read for name in names_in(each))}


def check_stored_urls(
    app_configs: Sequence[AppConfig] | None = None,
    databases: Sequence[str] | None = None,
    **_kwargs: object,
) -> list[checks.CheckMessage]:
    """Return the messages about rows that are not canonical.

    A column that a migration with `CanonicalizeURLs` is about to make canonical is left out.

    ``databases``: the aliases of the databases to query. With None, no database is queried.
    """
    fields: list[Any] = [
        field
        for model in _models(app_configs)
        for field in model._meta.local_concrete_fields
        if isinstance(field, CanonicalURLField)
    ]
    return [
        message
        for alias in databases or ()
        for message in _unless_planned(check_rows(fields, [alias]), alias)
    ]


def _unless_planned(
    messages: list[checks.CheckMessage], alias: str
) -> Iterator[checks.CheckMessage]:
    if not messages:
        return
    loader = MigrationLoader(connections[alias], ignore_no_migrations=True)
    planned = {
        (app_label, *column)
        for (app_label, name), migration in loader.graph.nodes.items()
        if (app_label, name) not in loader.applied_migrations
        for operation in flattened(migration.operations)
        if isinstance(operation, CanonicalizeURLs)
        for column in operation.columns
    }
    for message in messages:
        field: Any = message.obj
        meta = field.model._meta
        if (meta.app_label, meta.model_name, field.name) not in planned:
            yield message


def check_stored_companions(
    app_configs: Sequence[AppConfig] | None = None,
    databases: Sequence[str] | None = None,
    **_kwargs: object,
) -> list[checks.CheckMessage]:
    """Return the messages about rows with another key, domain or parameter than their URL has.

    It looks at the first and the last 100 rows of each table with such a field, so it notices when
    the field was added to a table with rows, or when the rules or the list have changed, and the
    command that updates the rows has not run since.

    ``databases``: the aliases of the databases to query. With None, no database is queried.
    """
    return [
        message
        for alias in databases or ()
        for model in _models(app_configs)
        if model._meta.managed and router.allow_migrate_model(alias, model)
        for field in model._meta.local_concrete_fields
        for stored in _STORED
        if isinstance(field, stored.kind)
        for message in _check_companion(field, stored, alias)
    ]


def _check_companion(
    field: Companion, stored: _Stored, alias: str
) -> Iterator[checks.CheckMessage]:
    rows: Any = models.QuerySet(field.model).using(alias).only(field.from_field, field.name)
    try:
        with transaction.atomic(alias):
            seen = {
                row.pk: row for order in ("pk", "-pk") for row in rows.order_by(order)[:_COMPANIONS]
            }
        wrong = differing(field, seen.values())
    except (DatabaseError, ValueError):
        return  # The table or the column does not exist yet, or the rules have an unknown name.
    if wrong:
        label = f"{field.model._meta.label}.{field.name}"
        yield checks.Warning(
            f"{len(wrong):,} of the {len(seen):,} rows of {label} that were checked have "
            f"{stored.differs}.",
            hint=f"Run: {manage_py(stored.command, field.model._meta.label, alias=alias)}",
            obj=field,
            id=stored.id,
        )


def _models(app_configs: Sequence[AppConfig] | None) -> Iterator[type[models.Model]]:
    for config in apps.get_app_configs() if app_configs is None else app_configs:
        # A proxy shares its columns and indexes with another model, which is checked too.
        yield from (model for model in config.get_models() if not model._meta.proxy)
