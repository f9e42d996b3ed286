"""The command does not change "" where it means no URL: with ``as_text`` and ``blank``."""

from __future__ import annotations

import json
from io import StringIO
from typing import Any

import pytest
from django.core.management import CommandError, call_command

from tests.django.stored import store_text, stored_texts
from tests.django.textapp.models import Note

pytestmark = pytest.mark.django_db

NOTES: Any = Note._default_manager
OLD = "HTTPS://Example.com"


def report(column: str, **options: Any) -> list[tuple[Any, str]]:
    """Run the command on a column, and return the keys and outcomes of its report."""
    out = StringIO()
    call_command("canonicalize_urls", column, report="-", stdout=out, stderr=StringIO(), **options)
    lines = map(json.loads, out.getvalue().splitlines())
    return [(line["pk"], line["outcome"]) for line in lines]


def rows(*texts: str) -> list[Any]:
    """Store strings in the column unchanged, and return the keys of their rows."""
    made = [NOTES.create(url="https://h/") for _ in texts]
    for row, text in zip(made, texts, strict=True):
        store_text(row, text)
    return [row.pk for row in made]


@pytest.mark.parametrize("on_empty", ["report", "keep"])
def test_an_empty_text_is_a_value_of_the_column(on_empty: str) -> None:
    """It is not in the report, and two of them are not the same URL."""
    _first, _second, old = rows("", "", OLD)
    found = report("textapp.Note.url", on_empty=on_empty, unique_with=[])
    assert found == [(old, "changed")]
    assert sorted(stored_texts(Note)) == ["", "", "https://example.com/"]


def test_the_summary_counts_the_rows_without_a_url() -> None:
    """They have their own line."""
    rows("", OLD)
    out = StringIO()
    call_command("canonicalize_urls", "textapp.Note.url", stdout=out)
    assert "no URL, as the column allows" in out.getvalue()


def test_an_empty_text_in_another_column_is_still_reported() -> None:
    """A column that allows NULL uses NULL for no URL, and one without ``blank`` requires a URL."""
    row = NOTES.create(url="https://h/", mirror="https://h/")
    store_text(row, "", "mirror")
    assert report("textapp.Note.mirror") == [(row.pk, "empty")]
    assert report("textapp.Note.mirror", on_empty="null") == [(row.pk, "empty")]
    assert NOTES.get().mirror is None


def test_the_command_still_refuses_null_where_it_is_not_allowed() -> None:
    """This does not differ from other columns."""
    with pytest.raises(CommandError, match="cannot be NULL"):
        report("textapp.Note.url", on_empty="null")
