"""Tests of two connections that store one URL at the same moment, on real servers."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from threading import Barrier
from typing import Any

import pytest
from django.db import connection, transaction

from tests.django.servers import needs_server
from tests.django.stored import stored_texts
from tests.django.testapp.models import Bookmark
from weburl import parse

pytestmark = [pytest.mark.nightly, needs_server, pytest.mark.django_db(transaction=True)]

ROUNDS = 20


def new_urls() -> Iterator[list[str]]:
    """Yield two spellings of one URL, another in each round, while the table is empty.

    With the same URL again, MariaDB may find a deadlock of the two that insert it, because a row
    that was deleted locks its place in the index until it is purged.
    """
    for number in range(ROUNDS):
        Bookmark.objects.all().delete()
        yield [f"https://example.com/{number}", f"HTTPS:\\\\EXAMPLE.com:443/x/../{number}"]


def race(action: Callable[[str], Any], spellings: list[str]) -> list[Any]:
    """Return what ``action`` gives to two threads that call it at once, each with a spelling."""
    start = Barrier(len(spellings))

    def run(spelling: str) -> Any:
        try:
            connection.ensure_connection()
            start.wait(timeout=600)
            return action(spelling)
        finally:
            connection.close()

    with ThreadPoolExecutor(len(spellings)) as threads:
        return list(threads.map(run, spellings))


def test_of_two_that_get_or_create_one_creates() -> None:
    """Both get the same row."""
    for spellings in new_urls():
        (first, made), (second, made_too) = race(
            lambda url: Bookmark.objects.get_or_create(url=url), spellings
        )
        assert made != made_too
        assert first == second
        assert first.url == second.url == parse(spellings[0])
        assert stored_texts(Bookmark) == spellings[:1]


def test_of_two_that_update_or_create_the_last_wins() -> None:
    """There is one row, with the title of one of them."""
    for spellings in new_urls():
        (first, made), (second, made_too) = race(
            lambda url: Bookmark.objects.update_or_create(url=url, defaults={"title": url[:5]}),
            spellings,
        )
        assert made != made_too
        assert first == second
        row = Bookmark.objects.get()
        assert row == first
        assert row.title == (first if made_too else second).title


def test_of_two_that_insert_in_bulk_both_succeed() -> None:
    """The database drops what is there already."""

    def insert(url: str) -> None:
        with transaction.atomic():
            Bookmark.objects.bulk_create([Bookmark(url=url)], ignore_conflicts=True)

    for spellings in new_urls():
        race(insert, spellings)
        assert stored_texts(Bookmark) == spellings[:1]
