"""System checks that compare the rows of a table with what its fields would store.

They have the tag ``database``, so they run in ``check --database`` and in ``migrate``. Each reads
the first and the last 100 rows of a table, ordered by primary key. The commands read all rows.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any, Final, NamedTuple
from uuid import UUID

from django.apps import AppConfig
from django.core import checks
from django.db import DEFAULT_DB_ALIAS, DatabaseError, models, router, transaction
from django.db.models import Case, Value, When
from django.db.models.functions import Cast

from django_whatwg_url.beside.base import Companion
from django_whatwg_url.checks.migrations import planned_columns
from django_whatwg_url.checks.models import models_of
from django_whatwg_url.column.values import to_url
from django_whatwg_url.fields import (
    CanonicalURLField,
    QueryParamField,
    RegistrableDomainField,
    URLKeyField,
)
from django_whatwg_url.functions import LooksCanonical
from django_whatwg_url.rows.recompute import differing
from django_whatwg_url.rules.messages import manage_py
from weburl import URLRecord

# How many rows to read at each end of the table.
_ROWS: Final = 100


class _Stored(NamedTuple):
    """The check for one class of companions: its id, what differs, and the command to run."""

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


def check_stored_urls(
    app_configs: Sequence[AppConfig] | None = None,
    databases: Sequence[str] | None = None,
    **_kwargs: object,
) -> list[checks.CheckMessage]:
    """Return a warning for each column with rows that are certainly not canonical.

    `LooksCanonical` decides what is canonical. Tables and columns that do not exist yet are
    skipped. So are unmanaged models, because their primary key may have no index, and columns that
    a migration with `CanonicalizeURLs` is about to make canonical.

    ``databases``: the aliases of the databases to query. With None, no database is queried.
    """
    messages: list[checks.CheckMessage] = []
    for alias in databases or ():
        found = [
            (field, message)
            for field in _fields_of(app_configs, CanonicalURLField, alias)
            for message in _check_column(field, alias)
        ]
        planned = planned_columns(alias) if found else set()
        for field, message in found:
            meta = field.model._meta
            if (meta.app_label, meta.model_name, field.name) not in planned:
                messages.append(message)
    return messages


def _fields_of(
    app_configs: Sequence[AppConfig] | None, kind: type[Any], alias: str
) -> Iterator[Any]:
    """Yield the fields of a class whose tables are in a database."""
    for model in models_of(app_configs):
        if model._meta.managed and router.allow_migrate_model(alias, model):
            yield from (f for f in model._meta.local_concrete_fields if isinstance(f, kind))


def _check_column(field: Any, alias: str) -> Iterator[checks.CheckMessage]:
    try:
        with transaction.atomic(alias):
            seen = {
                key: (text, is_canonical)
                for order in ("pk", "-pk")
                for key, text, is_canonical in _ends(field, alias, order)
            }
    except DatabaseError:
        return  # The table or the column does not exist yet.
    wrong = {
        key: text
        for key, (text, is_canonical) in seen.items()
        if not is_canonical and text not in (None, field.no_url)
    }
    if wrong:
        yield _not_canonical(field, alias, wrong, len(seen))


def _ends(field: Any, alias: str, order: str) -> models.QuerySet[Any, Any]:
    """Return the first rows: the primary key, the text, and whether it may be canonical."""
    rows = field.model._base_manager.using(alias).order_by(order)  # noqa: SLF001
    is_canonical = Case(
        When(LooksCanonical(field.name), then=Value(1)),
        default=Value(0),
        output_field=models.IntegerField(),
    )
    # Read it as text, because the field would convert it to the canonical spelling.
    text = Cast(field.name, models.TextField())
    found: models.QuerySet[Any, Any] = rows.values_list("pk", text, is_canonical)[:_ROWS]
    return found


def _not_canonical(
    field: Any, alias: str, wrong: dict[Any, str], checked: int
) -> checks.CheckMessage:
    example = _example(next(iter(wrong)))
    rows = f"{len(wrong):,} of the {checked:,} rows of {_label(field)} that were checked"
    if any(_can_be_canonical(field, text) for text in wrong.values()):
        said = (
            f"{rows} are not canonical{example}. filter() does not find them by their URL, and "
            "get_or_create() stores the URL a second time."
        )
        dry_run = manage_py("canonicalize_urls", _label(field), "--dry-run", alias=alias)
        hint = f"To see what would change, run: {dry_run}"
    else:
        said = (
            f"{rows} hold text that is not a URL, or a URL that is too long{example}. They can be "
            "saved as long as the text does not change."
        )
        using = "" if alias == DEFAULT_DB_ALIAS else f".using({alias!r})"
        hint = (
            "canonicalize_urls cannot make them canonical. To find them: "
            f"{field.model.__name__}.objects{using}.filter({field.name}__looks_canonical=False)"
        )
    return checks.Warning(said, hint=hint, obj=field, id="django_whatwg_url.W021")


def _can_be_canonical(field: Any, text: str) -> bool:
    """Return whether ``canonicalize_urls`` could change ``text`` to what the field stores."""
    url = to_url(text)
    return url is None or (
        isinstance(url, URLRecord)
        and (field.max_length is None or len(url.href) <= field.max_length)
    )


def _label(field: Any) -> str:
    return f"{field.model._meta.label}.{field.name}"


def _example(key: object) -> str:
    # Show only numbers and UUIDs, because another key may be a URL with a password.
    return f" (pk={key})" if isinstance(key, (int, UUID)) else ""


def check_stored_companions(
    app_configs: Sequence[AppConfig] | None = None,
    databases: Sequence[str] | None = None,
    **_kwargs: object,
) -> list[checks.CheckMessage]:
    """Return the messages about rows whose key, domain or parameter does not belong to their URL.

    This happens if the field was added to a table with rows, if the rules or the list have changed,
    or if a manager without `URLQuerySet` has updated the URL. The command for the field fixes it.

    ``databases``: the aliases of the databases to query. With None, no database is queried.
    """
    return [
        message
        for alias in databases or ()
        for stored in _STORED
        for field in _fields_of(app_configs, stored.kind, alias)
        for message in _check_companion(field, stored, alias)
    ]


def _check_companion(
    field: Companion, stored: _Stored, alias: str
) -> Iterator[checks.CheckMessage]:
    rows: Any = models.QuerySet(field.model).using(alias).only(field.from_field, field.name)
    try:
        with transaction.atomic(alias):
            seen = {row.pk: row for order in ("pk", "-pk") for row in rows.order_by(order)[:_ROWS]}
        wrong = differing(field, seen.values())
    except (DatabaseError, ValueError):
        return  # The table or the column does not exist yet, or the name of the rules is unknown.
    if wrong:
        label = _label(field)
        yield checks.Warning(
            f"{len(wrong):,} of the {len(seen):,} rows of {label} that were checked have "
            f"{stored.differs}.",
            hint=f"Run: {manage_py(stored.command, field.model._meta.label, alias=alias)}",
            obj=field,
            id=stored.id,
        )
