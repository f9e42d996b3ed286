"""What a database says of how it would answer a query."""

from __future__ import annotations

import re
from functools import cache
from typing import Any

from django.db import connection
from django.db.models import QuerySet


def plan(queryset: QuerySet[Any, Any]) -> str:
    """Return the database's plan for a query, as text."""
    return queryset.explain()


def indexes_used(queryset: QuerySet[Any, Any]) -> set[str]:
    """Return the names of the indexes that a query is answered by; empty if it reads all rows."""
    if connection.vendor == "mysql":
        sql, params = queryset.query.sql_with_params()
        with connection.cursor() as cursor:
            cursor.execute(f"EXPLAIN {sql}", params)
            assert cursor.description is not None
            columns = [description[0] for description in cursor.description]
            rows = [dict(zip(columns, row, strict=True)) for row in cursor.fetchall()]
        return {row["key"] for row in rows if row["key"] and row["type"] != "ALL"}
    pattern = {
        "sqlite": r"USING (?:COVERING )?INDEX (\w+)",
        "postgresql": r"(?:Index (?:Only )?Scan(?: Backward)? using|Bitmap Index Scan on) (\w+)",
    }[connection.vendor]
    return set(re.findall(pattern, plan(queryset)))


def indexes_on(table: str, column: str) -> set[str]:
    """Return the names of the indexes that begin with a column, on a table of the tests' apps."""
    return {name for name, first in _first_columns(table).items() if first == column}


@cache
def _first_columns(table: str) -> dict[str, str]:
    """Return the first column of each index; read once, because Django parses the table's SQL."""
    with connection.cursor() as cursor:
        constraints = connection.introspection.get_constraints(cursor, table)
    return {
        # SQLite's own name, which Django does not ask for.
        f"sqlite_autoindex_{table}_1" if name.startswith("__unnamed") else name: columns[0]
        for name, constraint in constraints.items()
        if (constraint["index"] or constraint["unique"]) and (columns := constraint["columns"])
    }
