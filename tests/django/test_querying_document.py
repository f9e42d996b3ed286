"""The reference of lookups tells of every part, and lookups compare with ranges."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from django.db import connection

from django_whatwg_url.query.sql import PART_SQL
from tests.django.partsapp.models import Generated

PAGE = (Path(__file__).parents[2] / "docs" / "lookups.md").read_text(encoding="utf-8")


@pytest.mark.parametrize(
    ("lookup", "operand", "expected"),
    [
        (
            "url__under",
            "https://example.com/docs/",
            "url >= 'https://example.com/docs/' AND url < 'https://example.com/docs0'",
        ),
        (
            "url__host__under",
            "example.com",
            "reversed_host >= 'moc.elpmaxe.' AND reversed_host < 'moc.elpmaxe/'",
        ),
    ],
)
def test_lookups_ask_for_ranges(lookup: str, operand: str, expected: str) -> None:
    """So that an index is used. SQLite compares what it takes for a reversed host."""
    if lookup == "url__host__under" and connection.vendor == "sqlite":
        pytest.skip("the reversed host is other text here")
    sql, params = Generated.objects.filter(**{lookup: operand}).query.sql_with_params()
    condition = re.sub(r'["`]|["`]?partsapp_generated["`]?\.', "", sql.split("WHERE")[1])
    assert expected in condition % tuple(f"'{param}'" for param in params)


@pytest.mark.parametrize("part", PART_SQL)
def test_the_page_tells_of_every_part(part: str) -> None:
    """It shows a lookup, or how to sort by the part."""
    assert f"`url__{part}`" in PAGE or part == "reversed_host"
