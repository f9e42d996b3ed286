"""A system check of ``db_collation``: whether the database takes two URLs for one in it.

The URL field calls `check_collation`. Nothing here is registered with Django.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from django.core import checks
from django.db import DatabaseError, connections, router, transaction


def check_collation(
    field: Any, collation: str | None, databases: Iterable[str] | None
) -> list[checks.CheckMessage]:
    """Warn of a collation that ignores letter case. The database itself is asked.

    ``databases``: the aliases that may be asked, none for None. A collation that a database does
    not know is left to it: a migration may make it first.
    """
    if not collation:
        return []
    return [
        checks.Warning(
            f"The collation {collation!r} of {connections[alias].display_name} ignores letter "
            "case, so it takes https://example.com/A and https://example.com/a for the same URL.",
            hint=(
                "Remove db_collation: without it the column is compared by code point, on every "
                "database. For searches that ignore letter case use iexact, icontains or holds."
            ),
            obj=field,
            id="django_whatwg_url.W005",
        )
        for alias in databases or ()
        if router.allow_migrate_model(alias, field.model) and _ignores_case(collation, alias)
    ]


def _ignores_case(collation: str, alias: str) -> bool:
    connection = connections[alias]
    quoted = connection.ops.quote_name(collation)
    small, large = "'a'", "'A'"
    if connection.vendor == "mysql":
        # A literal is of the connection's character set, and a collation of its own.
        names = _character_sets(collation)
        small, large = (f"CONVERT({text} USING {names})" for text in (small, large))
    try:
        # In a transaction, for it is only this statement that may fail.
        with transaction.atomic(alias), connection.cursor() as cursor:
            cursor.execute(f"SELECT {small} = {large} COLLATE {quoted}")
            return bool(cursor.fetchone()[0])
    except DatabaseError:
        return False


def _character_sets(collation: str) -> str:
    """Return the character set of a collation of MariaDB or MySQL: how its name begins."""
    name = collation.partition("_")[0]
    # MariaDB has some for every character set, such as uca1400_ai_ci.
    return "utf8mb4" if name.startswith("uca") or not name.isidentifier() else name
