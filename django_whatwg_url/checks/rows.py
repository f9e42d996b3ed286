"""System checks of rows: whether a URL column holds what its field would not store or accept."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from contextlib import suppress
from typing import Any, Final
from uuid import UUID

from django.core import checks
from django.core.exceptions import ImproperlyConfigured
from django.db import DEFAULT_DB_ALIAS, DatabaseError, models, router, transaction
from django.db.models import Case, Value, When
from django.db.models.functions import Cast

from django_whatwg_url.functions import LooksCanonical
from django_whatwg_url.messages import manage_py
from django_whatwg_url.policies import require_policy
from django_whatwg_url.refusals import PolicyFailedError, Refuses, refusals_of
from django_whatwg_url.storage.values import to_url
from weburl import URLParseError, URLRecord

# Read this many rows at each end of the table, ordered by primary key, so the check stays fast.
_ROWS: Final = 5_000


def check_rows(fields: Sequence[Any], databases: Sequence[str] | None) -> list[checks.CheckMessage]:
    """Return a warning for each column of ``fields`` with rows that are certainly not canonical.

    Another one counts the canonical URLs that the field would refuse today, or says that its policy
    raised an error. Only the first and the last 5,000 rows of a table are read. `LooksCanonical`
    says what is canonical. Tables and columns that do not exist yet are left out, and so are
    unmanaged models, because their key may have no index. ``databases``: the aliases of the
    databases to query. With None, none is queried.
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
                key: (text, is_canonical)
                for order in ("pk", "-pk")
                for key, text, is_canonical in _ends(field, alias, order)
            }
    except DatabaseError:
        return []  # The table or the column does not exist yet.
    urls = {key: row for key, row in seen.items() if row[0] not in (None, field.no_url)}
    wrong = {key: text for key, (text, is_canonical) in urls.items() if not is_canonical}
    canonical = {key: text for key, (text, is_canonical) in urls.items() if is_canonical}
    messages = []
    if wrong:
        messages.append(_not_canonical(field, alias, wrong, len(seen)))
    try:
        require_policy(getattr(field, "policy", None))
    except ImproperlyConfigured:
        return messages  # Another check says it.
    try:
        # A transaction of its own, so that a failing query of a policy has no other effect.
        with transaction.atomic(alias):
            refuses = refusals_of(field)
    except PolicyFailedError as error:
        messages.append(_not_judged(field, error))
        return messages
    refused = _refused(refuses, canonical)
    if refused:
        messages.append(_refused_today(field, alias, refused, len(seen)))
    return messages


def _ends(field: Any, alias: str, order: str) -> models.QuerySet[Any, Any]:
    """Return the keys of the first rows, each with its text, and whether it may be canonical."""
    rows = field.model._base_manager.using(alias).order_by(order)  # noqa: SLF001
    is_canonical = Case(
        When(LooksCanonical(field.name), then=Value(1)),
        default=Value(0),
        output_field=models.IntegerField(),
    )
    # As text, because converting it would drop the spelling.
    text = Cast(field.name, models.TextField())
    found: models.QuerySet[Any, Any] = rows.values_list("pk", text, is_canonical)[:_ROWS]
    return found


def _not_canonical(
    field: Any, alias: str, wrong: dict[Any, str], checked: int
) -> checks.CheckMessage:
    example = _example(next(iter(wrong)))
    if not any(_can_be_canonical(field, text) for text in wrong.values()):
        return _rows_kept_bad(field, alias, len(wrong), checked, example)
    return checks.Warning(
        f"{len(wrong):,} of the {checked:,} rows of {_label(field)} that were checked are not "
        f"canonical{example}. filter() does not find them by their URL, and "
        "get_or_create() stores the URL a second time.",
        hint=f"To see what would change, run: {_dry_run(field, alias)}",
        obj=field,
        id="django_whatwg_url.W021",
    )


def _refused(refuses: Refuses, texts: dict[Any, str]) -> dict[Any, str]:
    """Return the keys of the rows whose URL the field would refuse, and the code of the error."""
    found = {}
    for key, text in texts.items():
        with suppress(URLParseError):  # What looks canonical to the database need not be a URL.
            refusal = refuses(text)
            if refusal is not None:
                found[key] = refusal.code
    return found


def _refused_today(
    field: Any, alias: str, refused: dict[Any, str], checked: int
) -> checks.CheckMessage:
    codes = ", ".join(f"{n:,} {code}" for code, n in sorted(Counter(refused.values()).items()))
    return checks.Warning(
        f"{len(refused):,} of the {checked:,} rows of {_label(field)} that were checked "
        f"have URLs that the field would refuse today: {codes}{_example(next(iter(refused)))}. "
        "They can be saved as they are.",
        hint=f"To count them all, with examples, run: {_dry_run(field, alias)}",
        obj=field,
        id="django_whatwg_url.W024",
    )


def _not_judged(field: Any, error: PolicyFailedError) -> checks.CheckMessage:
    if isinstance(error.__cause__, DatabaseError):
        hint = (
            "If the policy reads a table that `migrate` has yet to create, run `migrate`, and this "
            "check again. Otherwise, fix the function: a form with this field raises the same "
            "error."
        )
    else:
        hint = "A form with this field raises the same error."
    return checks.Warning(
        f"The rows of {_label(field)} were not checked against its policy. {error}",
        hint=hint,
        obj=field,
        id="django_whatwg_url.W026",
    )


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
        f"{count:,} of the {checked:,} rows of {_label(field)} that were "
        f"checked hold text that is not a URL, or too long a URL{example}. They can be saved as "
        "long as the text does not change.",
        hint=(
            "canonicalize_urls cannot make them canonical. To find them: "
            f"{rows}.filter({field.name}__looks_canonical=False)"
        ),
        obj=field,
        id="django_whatwg_url.W021",
    )


def _label(field: Any) -> str:
    return f"{field.model._meta.label}.{field.name}"


def _dry_run(field: Any, alias: str) -> str:
    return manage_py("canonicalize_urls", _label(field), "--dry-run", alias=alias)


def _example(key: object) -> str:
    # Show only numbers and UUIDs: a key may be a URL with a password.
    return f" (pk={key})" if isinstance(key, (int, UUID)) else ""
