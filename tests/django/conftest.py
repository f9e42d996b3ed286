"""What the tests do once for a database server."""

from __future__ import annotations

from typing import Any

import pytest
from django.db import connection


@pytest.fixture(scope="session", autouse=True)
def _tables_are_emptied_by_delete() -> None:
    """Empty the tables after a test with transactions as Django does it on MariaDB.

    On PostgreSQL it truncates them. That writes new files for all 78 tables and their indexes, and
    takes a second, even though a test leaves only a few rows.
    """
    if connection.vendor != "postgresql":
        return
    operations = type(connection.ops)
    truncate = operations.sql_flush

    def sql_flush(self: Any, style: Any, tables: list[str], **options: Any) -> list[str]:
        if options.get("reset_sequences"):
            return truncate(self, style, tables, **options)
        # Foreign keys are checked when the transaction ends.
        return [f"DELETE FROM {self.quote_name(table)};" for table in tables]

    operations.sql_flush = sql_flush  # type: ignore[assignment, method-assign]
