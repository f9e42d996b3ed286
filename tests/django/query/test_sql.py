"""Tests of `query.sql`, which must not change, because people's indexes contain it."""

from __future__ import annotations

import pytest

from django_whatwg_url.query.sql import CANONICAL_SQL, PART_SQL, PRESENCE_SQL, URL

VENDORS = ["sqlite", "postgresql", "mysql"]


@pytest.mark.parametrize("part", PART_SQL)
def test_sqlite_can_use_an_index_of_a_column_that_is_never_null(part: str) -> None:
    """SQLite 3.53 rewrites `IS NOT NULL` in a query and not in an index, so they would differ."""
    assert "NOT NULL" not in PART_SQL[part]["sqlite"]


@pytest.mark.parametrize("texts", [*PART_SQL.values(), *PRESENCE_SQL.values(), CANONICAL_SQL])
def test_the_sql_holds_nothing_that_needs_care(texts: dict[str, str]) -> None:
    """No parameters, no percent sign for a driver to trip over, no backslash, no comment."""
    for vendor in VENDORS:
        sql = texts[vendor]
        assert sql.isascii()
        assert URL in sql
        assert not set("%\\;`") & set(sql)
        assert sql.count("'") % 2 == 0
        assert sql.count("(") == sql.count(")")
        assert "REGEXP" not in sql or vendor == "mysql"  # Django's own, on SQLite.
