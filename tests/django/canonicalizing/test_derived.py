"""Tests of columns that are made from the URL, and of ``--call`` and ``after_change``."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import pytest
from django.core.management import CommandError, call_command
from django.db import transaction

from django_whatwg_url.operations import CanonicalizeURLs
from tests.django.canonicalizing.running import run, undo
from tests.django.canonicalizing.test_operation import migrate
from tests.django.stored import stored_texts
from tests.django.wayinapp.models import Old, Saved


@pytest.fixture
def rows(db: None) -> list[Saved]:
    """Return rows whose other columns were made from the URL by `save()`."""
    return [
        Saved.objects.create(url=text, title=title)
        for text, title in [
            ("https://EXAMPLE.com/a/", "https://EXAMPLE.com/a/"),
            ("https://example.com/b", "B"),
            ("https://Example.com/c", "C"),
        ]
    ]


def refresh(rows: Sequence[Any]) -> None:
    """Update the derived column in one statement."""
    assert transaction.get_connection().in_atomic_block
    for row in rows:
        row.normalized = f"{row.pk} of {len(rows)}"
    type(rows[0])._base_manager.bulk_update(rows, ["normalized"])


def fail(_rows: Sequence[Any]) -> None:
    """Raise an error, as a function with a mistake would."""
    raise ValueError("a mistake")


def test_a_method_of_each_changed_row_can_be_called(rows: list[Saved]) -> None:
    """The method is `save`."""
    run("Saved.url", call="save")
    assert stored_texts(Saved, "normalized") == ["example.com/a", "example.com/b", "example.com/c"]


@pytest.mark.parametrize("size", [1, 1000])
def test_a_function_can_be_called_for_a_batch(rows: list[Saved], size: int) -> None:
    """It is called only with the rows that were changed."""
    run("Saved.url", call=f"{__name__}.refresh", batch_size=size)
    count = 1 if size == 1 else 2
    assert stored_texts(Saved, "normalized") == [
        f"{rows[0].pk} of {count}",
        "example.com/b",
        f"{rows[2].pk} of {count}",
    ]


def test_rows_that_others_are_merged_into_are_passed_too(rows: list[Saved]) -> None:
    """So are rows whose URL becomes NULL."""
    Saved.objects.create(url="https://example.COM/a/")
    run("Saved.url", call="save", unique_with=[], on_duplicate="keep-newest")
    assert sorted(stored_texts(Saved, "normalized")) == [
        "example.com/a", "example.com/b", "example.com/c",
    ]  # fmt: skip
    assert stored_texts(Saved)[-1] == "https://example.com/a/"


@pytest.mark.django_db
def test_rows_that_lose_their_url_are_passed() -> None:
    """The derived values must be updated too."""
    Old.objects.create(url="no url")
    Old.objects.create(url="https://h/")
    call_command("canonicalize_urls", "wayinapp.Old.url", on_invalid="null", call="delete")
    assert [row.url for row in Old.objects.all()] == ["https://h/"]


@pytest.mark.parametrize("name", ["nothing", "url", "no.such.function"])
def test_what_cannot_be_called_is_refused(rows: list[Saved], name: str) -> None:
    """It is found before anything is changed."""
    with pytest.raises(CommandError, match="--call"):
        run("Saved.url", call=name)
    assert stored_texts(Saved)[0] == "https://EXAMPLE.com/a/"


def test_a_mistake_in_the_function_undoes_its_batch(rows: list[Saved]) -> None:
    """Neither the URL nor the derived value is changed."""
    with pytest.raises(CommandError, match="a mistake"), transaction.atomic():
        run("Saved.url", call=f"{__name__}.fail")
    assert stored_texts(Saved)[0] == "https://EXAMPLE.com/a/"


def test_the_undo_can_call_it_too(rows: list[Saved]) -> None:
    """It restores both the URL and the derived value."""
    run("Saved.url", call="save")
    undo(call="save")
    assert stored_texts(Saved, "normalized")[0] == "EXAMPLE.com/a"


@pytest.mark.django_db(transaction=True)
def test_a_migration_calls_a_function_with_its_own_models() -> None:
    """They have no methods, so `save()` is Django's."""
    row = Saved.objects.create(url="https://EXAMPLE.com/a/")
    migrate(CanonicalizeURLs("saved", "url", after_change=refresh))
    assert stored_texts(Saved, "normalized") == [f"{row.pk} of 1"]
