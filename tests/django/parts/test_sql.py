"""Tests of `parts.sql`: text that people's indexes were made of stays as it is."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from django_whatwg_url.functions import PART_EXPRESSIONS
from django_whatwg_url.parts.sql import CANONICAL_SQL, PART_SQL, PRESENCE_SQL, URL

FROZEN = json.loads((Path(__file__).parent / "frozen_sql.json").read_text(encoding="utf-8"))
VENDORS = ["sqlite", "postgresql", "mysql"]


@pytest.mark.parametrize("part", [*PART_EXPRESSIONS, "canonical"])
@pytest.mark.parametrize("vendor", VENDORS)
def test_the_sql_of_a_part_is_the_frozen_one(part: str, vendor: str) -> None:
    """Another text would not find the index that an older version made.

    So a change is a new expression beside the old one, which old migrations go on naming.
    """
    texts = CANONICAL_SQL if part == "canonical" else PART_SQL[part]
    assert texts[vendor] == FROZEN[part][vendor], (
        "Indexes and constraints in people's databases contain this SQL. Before the first release,"
        " write the new text into frozen_sql.json. After it, keep the old expression and add a new"
        " one. A new special scheme is such a change: see CONTRIBUTING.md, How to add a scheme."
    )


def test_nothing_else_is_frozen() -> None:
    """Ten parts and the canonical look, on three kinds of database."""
    assert set(FROZEN) == {*PART_SQL, "canonical"}
    assert all(set(texts) == set(VENDORS) for texts in FROZEN.values())
    assert len(FROZEN) == 11


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
