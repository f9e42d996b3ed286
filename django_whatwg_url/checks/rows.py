"""A system check of rows: whether a URL column holds text that its field would not store."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final
from uuid import UUID

from django.core import checks
from django.db import DEFAULT_DB_ALIAS, DatabaseError, models, router, transaction
from django.db.models import Case, Value, When
from django.db.models.functions import Cast

from django_whatwg_url.functions import LooksCanonical
from django_whatwg_url.messages import manage_py
from django_whatwg_url.storage.values import to_url
from weburl import URLRecord

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
                key: wrong_text
                for order in ("pk", "-pk")
                for key, wrong_text in _ends(field, alias, order)
            }
    except DatabaseError:
        return []  # The table or the column does not exist yet.
    wrong = {key: text for key, text in seen.items() if text is not None and text != field.no_url}
    if not wrong:
        return []
    label = f"{field.model._meta.label}.{field.name}"
    example = _example(next(iter(wrong)))
    if not any(_can_be_canonical(field, text) for text in wrong.values()):
        return [_rows_kept_bad(field, alias, len(wrong), len(seen), example)]
    dry_run = manage_py("canonicalize_urls", label, "--dry-run", alias=alias)
    return [
        checks.Warning(
            f"{len(wrong):,} of the {len(seen):,} rows of {label} that were checked are not "
            f"canonical{example}. filter() does not find them by their URL, and "
            "get_or_create() stores the URL a second time.",
            hint=f"To see what would change, run: {dry_run}",
            obj=field,
            id="django_whatwg_url.W021",
        )
    ]


def _ends(field: Any, alias: str, order: str) -> models.QuerySet[Any, Any]:
    """Return the keys of the first rows, each with its text if that is certainly not canonical."""
    rows = field.model._base_manager.using(alias).order_by(order)  # noqa: SLF001
    wrong_text = Case(
        When(LooksCanonical(field.name), then=Value(None)),
        default=Cast(field.name, models.TextField()),
        output_field=models.TextField(),
    )
    found: models.QuerySet[Any, Any] = rows.values_list("pk", wrong_text)[:_ROWS]
    return found


def _can_be_canonical(field: Any, text: str) -> bool:
    """Return whether ``canonicalize_urls`` could change ``text`` to what the field stores."""
    url = to_url(text)
    return url is None or (
        isinstance(url, URLRecord)
        and (field.max_length is None or len(url.href) <= field.max_length)
    )


def _rows_kept_bad(
    field: Any, alias: str, count: int, checked: int, example: str
) -> checks.CheckMessage:
    rows = f"{field.model.__name__}.objects"
    if alias != DEFAULT_DB_ALIAS:
        rows += f".using({alias!r})"
    return checks.Warning(
        f"{count:,} of the {checked:,} rows of {field.model._meta.label}.{field.name} that were "
        f"checked hold text that is not a URL, or too long a URL{example}. They can be saved as "
        "long as the text does not change, but full_clean() refuses them.",
        hint=(
            "canonicalize_urls cannot make them canonical. To find them: "
            f"{rows}.filter({field.name}__looks_canonical=False)"
        ),
        obj=field,
        id="django_whatwg_url.W021",
    )


def _example(key: object) -> str:
    # Show only numbers and UUIDs: a key may be a URL with a password.
    return f" (pk={key})" if isinstance(key, (int, UUID)) else ""
