"""A system check of rows: whether a URL column holds what its field would never have stored."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final
from uuid import UUID

from django.core import checks
from django.db import DatabaseError, models, router, transaction

from django_whatwg_url.functions import LooksCanonical

# At each end of the table, by its primary key: two statements, and neither reads more.
_ROWS: Final = 5_000


def check_rows(fields: Sequence[Any], databases: Sequence[str] | None) -> list[checks.CheckMessage]:
    """Warn of each column of ``fields`` with rows that are certainly not canonical.

    Looks at the first and the last 5,000 rows of a table, with the rules of `LooksCanonical`.
    ``databases``: the aliases that may be asked, none for None. Tables and columns that are not
    there yet are left out, and so are unmanaged models: their key may have no index.
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
        return []  # There is no such table or column yet.
    # NULL is neither.
    wrong = [key for key, looks_canonical in seen.items() if looks_canonical is False]
    if not wrong:
        return []
    label = f"{field.model._meta.label}.{field.name}"
    return [
        checks.Warning(
            f"{len(wrong):,} of {len(seen):,} rows of {label} that were looked at are not "
            f"canonical{_example(wrong[0])}. filter() does not find them by their URL, and "
            "get_or_create() stores it a second time.",
            hint=f"Make them canonical: manage.py canonicalize_urls {label} --dry-run",
            obj=field,
            id="django_whatwg_url.W021",
        )
    ]


def _ends(field: Any, alias: str, order: str) -> models.QuerySet[Any, Any]:
    rows = field.model._base_manager.using(alias).order_by(order)  # noqa: SLF001
    found: models.QuerySet[Any, Any] = rows.values_list("pk", LooksCanonical(field.name))[:_ROWS]
    return found


def _example(key: object) -> str:
    # A key may be a URL, with a password in it.
    return f" (pk={key})" if isinstance(key, (int, UUID)) else ""
