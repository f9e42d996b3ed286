"""Tests of rules of the database for foreign keys, since Django 6.1: no row is lost."""

from __future__ import annotations

import json
from collections.abc import Iterator
from importlib import import_module
from io import StringIO
from typing import Any

import django
import pytest
from django.core.management import call_command
from django.db import connection

from tests.django.rows.running import undo

if django.VERSION < (6, 1):
    pytest.skip("Django 6.1 is the first with rules of the database", allow_module_level=True)

# Any, because mypy runs with a Django for which this app is not installed.
MODELS: Any = import_module("tests.django.databaseapp.models")
Alias, Copy, Cover, Hidden = MODELS.Alias, MODELS.Copy, MODELS.Cover, MODELS.Hidden
Line, Named, Page, Remark = MODELS.Line, MODELS.Named, MODELS.Page, MODELS.Remark

pytestmark = pytest.mark.django_db

TABLES: Any = (Page, Named, Copy, Line, Remark, Cover, Alias)
BAD = "https://exa mple.com/"


def run(column: str, **options: Any) -> dict[Any, dict[str, Any]]:
    """Run the command on a column, and return the report's lines by key."""
    out = StringIO()
    call_command(
        "canonicalize_urls", f"databaseapp.{column}", report="-", stdout=out, stderr=StringIO(),
        **options,
    )  # fmt: skip
    return {line["pk"]: line for line in map(json.loads, out.getvalue().splitlines())}


def everything() -> dict[str, list[Any]]:
    """Return all rows."""
    return {model.__name__: [*model.objects.order_by("pk").values_list()] for model in TABLES}


@pytest.fixture
def two() -> tuple[Any, Any]:
    """Return two pages with spellings of the same URL, each with a copy, a line and a remark."""
    first = Page.objects.create(url="https://example.com/")
    second = Page.objects.create(url="HTTPS://EXAMPLE.com")
    for page in (first, second):
        copy = Copy.objects.create(page=page)
        Line.objects.create(copy=copy)
        Remark.objects.create(copy=copy)
    return first, second


@pytest.fixture
def hidden() -> Iterator[None]:
    """Create the table of an unmanaged model."""
    with connection.schema_editor(atomic=False) as editor:
        editor.create_model(Hidden)
    yield
    with connection.schema_editor(atomic=False) as editor:
        editor.delete_model(Hidden)


def test_references_are_moved_before_the_row_is_deleted(two: tuple[Any, Any]) -> None:
    """So the database has nothing to delete with it."""
    before = everything()
    run("Page.url", unique_with=[], on_duplicate="keep-oldest")
    assert [page.pk for page in Page.objects.all()] == [two[0].pk]
    assert [copy.page_id for copy in Copy.objects.all()] == [two[0].pk, two[0].pk]
    assert (Line.objects.count(), Remark.objects.exclude(copy=None).count()) == (2, 2)
    undo()
    assert everything() == before


def test_a_row_whose_reference_cannot_move_stays(two: tuple[Any, Any]) -> None:
    """Both pages have a cover, and a page can have only one."""
    for page in two:
        Cover.objects.create(page=page)
    lines = run("Page.url", unique_with=[], on_duplicate="keep-oldest")
    assert lines[two[1].pk]["outcome"] == "colliding"
    assert Page.objects.count() == Cover.objects.count() == 2


@pytest.mark.django_db(transaction=True)
def test_a_reference_from_a_table_that_is_not_managed_keeps_its_row(
    two: tuple[Any, Any], hidden: None
) -> None:
    """The command does not change such a table, and the database would delete its row."""
    Hidden.objects.create(page=two[1])
    lines = run("Page.url", unique_with=[], on_duplicate="keep-oldest")
    assert lines[two[1].pk]["outcome"] == "colliding"
    assert "databaseapp.Hidden.page" in lines[two[1].pk]["reason"]
    assert Hidden.objects.count() == 1


def test_what_the_database_deletes_and_changes_is_written_down(two: tuple[Any, Any]) -> None:
    """An undo restores a copy, its line, and the copy of a remark."""
    Page.objects.filter(pk=two[1].pk).update(url=BAD)
    before = everything()
    run("Page.url", on_invalid="delete")
    assert Copy.objects.count() == Line.objects.count() == 1
    assert Remark.objects.filter(copy=None).count() == 1
    assert " 0 changed since, 0 refused" in undo()
    assert everything() == before


def test_a_row_whose_key_is_a_url_stays_if_the_database_would_delete_more() -> None:
    """Only the row itself is recorded, so nothing else may be deleted."""
    Alias.objects.create(named=Named.objects.create(url=BAD))
    before = everything()
    lines = run("Named.url", on_invalid="delete")
    assert "cannot be deleted" in lines[BAD]["reason"]
    assert everything() == before
    Alias.objects.all().delete()
    run("Named.url", on_invalid="delete")
    assert not Named.objects.exists()


def test_a_key_that_is_a_url_is_merged_with_its_references() -> None:
    """The references are moved to the row that is kept."""
    for url in ("https://example.com/", "HTTPS://EXAMPLE.com"):
        Alias.objects.create(named=Named.objects.create(url=url))
    before = everything()
    run("Named.url", on_duplicate="keep-oldest")
    assert {alias.named_id for alias in Alias.objects.all()} == {"https://example.com/"}
    assert Alias.objects.count() == 2
    undo()
    assert everything() == before
