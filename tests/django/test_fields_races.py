"""Tests of two connections that store one URL at the same moment, on real servers."""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from threading import Barrier
from typing import Any

import pytest
from django.db import connection, transaction

from tests.django.servers import needs_server
from tests.django.stored import stored_texts
from tests.django.testapp.models import Bookmark
from weburl import parse

pytestmark = [needs_server, pytest.mark.django_db(transaction=True)]

SPELLINGS = ["https://example.com/a", "HTTPS:\\\\EXAMPLE.com:443/x/../a"]
URL = parse(SPELLINGS[0])
ROUNDS = 20


def race(action: Callable[[str], Any]) -> list[Any]:
    """Return what ``action`` gives to two threads that call it at once, each with a spelling."""
    start = Barrier(len(SPELLINGS))

    def run(spelling: str) -> Any:
        try:
            connection.ensure_connection()
            start.wait(timeout=30)
            return action(spelling)
        finally:
            connection.close()

    with ThreadPoolExecutor(len(SPELLINGS)) as threads:
        return list(threads.map(run, SPELLINGS))


def test_of_two_that_get_or_create_one_creates() -> None:
    """And both get the one row."""
    for _ in range(ROUNDS):
        Bookmark.objects.all().delete()
        (first, made), (second, made_too) = race(
            lambda url: Bookmark.objects.get_or_create(url=url)
        )
        assert made != made_too
        assert first == second
        assert first.url == second.url == URL
        assert stored_texts(Bookmark) == [URL.href]


def test_of_two_that_update_or_create_the_last_wins() -> None:
    """There is one row, with the title of one of them."""
    for _ in range(ROUNDS):
        Bookmark.objects.all().delete()
        (first, made), (second, made_too) = race(
            lambda url: Bookmark.objects.update_or_create(url=url, defaults={"title": url[:5]})
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

    for _ in range(ROUNDS):
        Bookmark.objects.all().delete()
        race(insert)
        assert stored_texts(Bookmark) == [URL.href]
