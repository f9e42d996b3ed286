"""``bulk_create()`` with two spellings of one URL in a batch: as `docs/field-options.md` says."""

from __future__ import annotations

from typing import Any

import pytest
from django.db import IntegrityError, ProgrammingError, connection, transaction

from tests.django.testapp.models import Bookmark
from weburl import parse

pytestmark = pytest.mark.django_db

A = "https://example.com/"
B = "https://b.example/"
BATCH = ((A, "one"), ("HTTPS://EXAMPLE.com", "two"), (B, "other"))
# MariaDB and MySQL take no unique_fields: any key that is there twice is a conflict.
UPDATING: dict[str, Any] = {
    "update_conflicts": True,
    "update_fields": ["title"],
    "unique_fields": None if connection.vendor == "mysql" else ["url"],
}


def batch() -> list[Bookmark]:
    """Return rows, two of which have the same URL."""
    return [Bookmark(url=url, title=title) for url, title in BATCH]


def titles() -> dict[str, str]:
    """Return the title of every URL that is stored."""
    return {str(row.url): row.title for row in Bookmark.objects.all()}


@pytest.fixture(params=[False, True], ids=["new", "stored"])
def before(request: pytest.FixtureRequest) -> dict[str, str]:
    """Store nothing, or a row with the URL that is in the batch twice."""
    if request.param:
        Bookmark.objects.create(url=A, title="old")
    return titles()


def test_without_options_the_batch_is_refused(before: dict[str, str]) -> None:
    """A unique URL is unique in any spelling."""
    with pytest.raises(IntegrityError), transaction.atomic():
        Bookmark.objects.bulk_create(batch())
    assert titles() == before


def test_where_conflicts_are_ignored_the_first_row_stays(before: dict[str, str]) -> None:
    """A stored row is not changed either, on every database."""
    Bookmark.objects.bulk_create(batch(), ignore_conflicts=True)
    assert titles() == {A: before.get(A, "one"), B: "other"}


@pytest.mark.skipif(connection.vendor == "postgresql", reason="PostgreSQL refuses such a batch")
@pytest.mark.usefixtures("before")
def test_where_conflicts_update_the_last_row_wins() -> None:
    """On SQLite, MariaDB and MySQL; both instances get the key of the one row."""
    made = Bookmark.objects.bulk_create(batch(), **UPDATING)
    assert titles() == {A: "two", B: "other"}
    assert made[0].pk == made[1].pk == Bookmark.objects.get(url=A).pk


@pytest.mark.skipif(connection.vendor != "postgresql", reason="only PostgreSQL refuses it")
def test_postgresql_refuses_to_update_a_row_twice(before: dict[str, str]) -> None:
    """In one statement; nothing of the batch is stored."""
    with pytest.raises(ProgrammingError, match="a second time"), transaction.atomic():
        Bookmark.objects.bulk_create(batch(), **UPDATING)
    assert titles() == before


@pytest.mark.usefixtures("before")
def test_a_batch_with_each_url_once_is_taken_everywhere() -> None:
    """A dict by record keeps the last row of each URL; setdefault() would keep the first."""
    rows = {row.url: row for row in batch()}
    Bookmark.objects.bulk_create(rows.values(), **UPDATING)
    assert titles() == {A: "two", B: "other"}
    assert set(rows) == {parse(A), parse(B)}
