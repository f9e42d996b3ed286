"""A system check of ``db_collation``: whether the collation treats two different URLs as equal.

The URL field calls `check_collation`. This module registers nothing with Django.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from django.core import checks
from django.db import DatabaseError, connections, router, transaction


def check_collation(
    field: Any, collation: str | None, databases: Iterable[str] | None
) -> list[checks.CheckMessage]:
    """Yield a warning for each database in which the collation ignores letter case.

    The check compares two texts in the database itself. It skips a collation that the database does
    not know, because a migration may create it first. ``databases``: the aliases of the databases
    to query. With None, no database is queried.
    """
    if not collation:
        return []
    return [
        checks.Warning(
            f"The collation {collation!r} of {connections[alias].display_name} ignores letter "
            "case, so https://example.com/A and https://example.com/a are the same URL to it.",
            hint=(
                "Remove db_collation. Every database then compares the column by code point. For "
                "searches that ignore letter case, use iexact, icontains or holds."
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
        # A literal has the character set of the connection, which may not fit the collation.
        names = _character_sets(collation)
        small, large = (f"CONVERT({text} USING {names})" for text in (small, large))
    try:
        # A transaction of its own, so that a failure of this statement has no other effect.
        with transaction.atomic(alias), connection.cursor() as cursor:
            cursor.execute(f"SELECT {small} = {large} COLLATE {quoted}")
            return bool(cursor.fetchone()[0])
    except DatabaseError:
        return False


def _character_sets(collation: str) -> str:
    """Return the character set of a collation of MariaDB or MySQL, with which its name begins."""
    name = collation.partition("_")[0]
    # Some of MariaDB's collations are for every character set, such as uca1400_ai_ci.
    return "utf8mb4" if name.startswith("uca") or not name.isidentifier() else name
