"""A system check of rows: whether a URL column holds text that its field would not store."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final
from uuid import UUID

from django.core import checks
from django.db import DatabaseError, models, router, transaction

from django_whatwg_url.functions import LooksCanonical

# Read this many rows at each end of the table, ordered by primary key, so the check stays fast.
_ROWS: Final = 5_000


def check_rows(fields: Sequence[Any], databases: Sequence[str] | None) -> list[checks.CheckMessage]:
    """Return a warning for each column of ``fields`` with rows that are certainly not canonical.

    The check looks at the first and the last 5,000 rows of a table, with the rules of
    `LooksCanonical`. It skips tables and columns that do not exist yet. It also skips unmanaged
    models, because their key may have no index. ``databases``: the aliases of the databases to
    query. With None, no database is queried.
    """
    return [
        message
        for alias in databases or ()
        for field in fields
        if field.model._meta.managed and router.allow_migrate_model(alias, field.model)
        for message in _check_column(field, alias)
    ]


def _check_column(field: Any, alias: str) -> list[checks.CheckMessage]:
    try:
        with transaction.atomic(alias):
            seen = {
                key: looks_canonical
                for order in ("pk", "-pk")
                for key, looks_canonical in _ends(field, alias, order)
            }
    except DatabaseError:
        return []  # The table or the column does not exist yet.
    # The result is None for NULL, which is not wrong.
    wrong = [key for key, looks_canonical in seen.items() if looks_canonical is False]
    if not wrong:
        return []
    label = f"{field.model._meta.label}.{field.name}"
    return [
        checks.Warning(
            f"{len(wrong):,} of the {len(seen):,} rows of {label} that were checked are not "
            f"canonical{_example(wrong[0])}. filter() does not find them by their URL, and "
            "get_or_create() stores the URL a second time.",
            hint=f"To see what would change, run: manage.py canonicalize_urls {label} --dry-run",
            obj=field,
            id="django_whatwg_url.W021",
        )
    ]


def _ends(field: Any, alias: str, order: str) -> models.QuerySet[Any, Any]:
    rows = field.model._base_manager.using(alias).order_by(order)  # noqa: SLF001
    found: models.QuerySet[Any, Any] = rows.values_list("pk", LooksCanonical(field.name))[:_ROWS]
    return found


def _example(key: object) -> str:
    # Show only numbers and UUIDs: a key may be a URL with a password.
    return f" (pk={key})" if isinstance(key, (int, UUID)) else ""
