"""The SQL in the reference of lookups is the SQL there is."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from django.db import connection

from django_whatwg_url.parts.sql import PART_SQL, URL
from tests.django.partsapp.models import Generated

PAGE = (Path(__file__).parents[2] / "docs" / "lookups.md").read_text(encoding="utf-8")


def test_the_page_shows_the_sql_of_every_part() -> None:
    """On PostgreSQL, whose text fits a page."""
    block = re.search(r"```sql\n(scheme .*?)```", PAGE, re.DOTALL)
    assert block is not None
    shown = dict(re.findall(r"^(\w+) +(.*)$", block[1], re.MULTILINE))
    expected = {part: sql["postgresql"].replace(URL, "url") for part, sql in PART_SQL.items()}
    assert shown == expected, "Put the new SQL into the block in docs/lookups.md, The SQL."


def test_the_page_shows_the_ranges_that_lookups_ask_for() -> None:
    """But for the table's name, quotation marks, and what SQLite takes for a reversed host."""
    shown = re.findall(r'^(url__\w+)="(.*?)" +(\w.*)$', PAGE, re.MULTILINE)
    assert [lookup for lookup, _operand, _sql in shown] == ["url__under", "url__host__under"]
    for lookup, operand, expected in shown:
        if lookup == "url__host__under" and connection.vendor == "sqlite":
            continue
        sql, params = Generated.objects.filter(**{lookup: operand}).query.sql_with_params()
        condition = re.sub(r'["`]|["`]?partsapp_generated["`]?\.', "", sql.split("WHERE")[1])
        assert expected in condition % tuple(f"'{param}'" for param in params)


@pytest.mark.parametrize("part", PART_SQL)
def test_the_page_tells_of_every_part(part: str) -> None:
    """By the lookup, or for sorting."""
    assert f"`url__{part}`" in PAGE or part == "reversed_host"
