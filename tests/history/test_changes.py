"""What has changed since 2020: each edition gives what `docs/history.md` and `changes.py` say."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any, Final

import pytest

import weburl
from tests.history.changes import GRAMMAR, ORIGINS, SAME_ORIGINS, SETTERS
from weburl.history import url_standard_2020, url_standard_2024
from weburl.history.errors import LegacyURLError

ROOT: Final = Path(__file__).resolve().parents[2]
PAGE: Final = (ROOT / "docs" / "history.md").read_text(encoding="utf-8")
OLDER: Final[tuple[Any, ...]] = (url_standard_2020, url_standard_2024)
REFUSED: Final = "refused"


def rows(heading: str) -> list[list[str]]:
    """Return the cells of the table under a heading, as text without code marks and escapes."""
    section = PAGE.partition(f"\n## {heading}\n")[2].partition("\n## ")[0]
    lines = [line for line in section.splitlines() if line.startswith("|")][2:]
    return [[text_of(cell) for cell in re.split(r"(?<!\\)\|", line)[1:-1]] for line in lines]


def text_of(cell: str) -> str:
    """Return what a cell shows: control characters and "|" are written with a backslash."""
    cell = cell.strip()
    if cell.count("`") == 2 and cell.startswith("`") and cell.endswith("`"):
        cell = cell[1:-1]
    return cell.replace("\\|", "|").replace("\\x7f", "\x7f").replace("\\0", "\0")


def parsed(edition: Any, text: str) -> str:
    """Return the href of a text in an edition, or "refused"."""
    try:
        return str(edition.parse(text).href)
    except (LegacyURLError, weburl.URLParseError):
        return REFUSED


@pytest.mark.parametrize("row", rows("What has changed since 2020"), ids=lambda row: f"{row[2]!a}")
def test_a_change_of_the_parser_is_as_the_page_says(row: list[str]) -> None:
    """The edition of 2024 has it if the page says so."""
    _, since, text, then, now = row
    assert parsed(url_standard_2020, text) == then != now
    assert parsed(weburl, text) == now
    assert since in {"2024", "later"}
    assert (parsed(url_standard_2024, text) == now) == (since == "2024")


def test_the_tables_have_their_rows() -> None:
    """So that no row is missed by a heading with another name."""
    assert len(rows("What has changed since 2020")) == 15
    assert (len(ORIGINS), len(SETTERS), len(GRAMMAR)) == (5, 3, 14)


@pytest.mark.parametrize(
    ("text", "then", "now"), [*ORIGINS, *((text, same, same) for text, same in SAME_ORIGINS)]
)
def test_an_origin_is_as_the_table_says(text: str, then: str, now: str) -> None:
    """And since 2024 it is today's."""
    assert str(url_standard_2020.parse(text).origin) == then
    assert str(url_standard_2024.parse(text).origin) == str(weburl.parse(text).origin) == now


@pytest.mark.parametrize(("name", "text", "value", "expected"), SETTERS)
def test_a_setter_is_as_the_table_says(
    name: str, text: str, value: str, expected: tuple[str, ...]
) -> None:
    """In each of the three editions."""
    found = [edition.set_attribute(edition.parse(text), name, value).href for edition in OLDER]
    url = weburl.URL(text)
    setattr(url, name, value)
    assert (*found, url.href) == expected


@pytest.mark.parametrize(("arguments", "expected"), [row[1:] for row in GRAMMAR], ids=ascii)
def test_what_may_be_written_is_as_the_table_says(
    arguments: tuple[str, ...], expected: tuple[bool, ...]
) -> None:
    """In each of the three editions."""
    found = [edition.is_valid_url_string(*arguments) for edition in (*OLDER, weburl)]
    assert tuple(found) == expected
