"""Connections that are cut, and rows that others have locked: nothing is half done or lost."""

from __future__ import annotations

import io
import sqlite3
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest
from django.core.management import CommandError, call_command
from django.db import InterfaceError, OperationalError, connection, transaction
from django.db.utils import ConnectionHandler

from bookmarks.importing import BATCH_SIZE, import_links
from bookmarks.models import Bookmark
from django_whatwg_url.beside import registrable_domain
from tests.django.servers import needs_server
from tests.django.siteapp.models import Link
from tests.django.test_killed import Scratch, scratch

__all__ = ["scratch"]  # a fixture

pytestmark = pytest.mark.django_db(transaction=True)

CUT = (OperationalError, InterfaceError)
URLS = [f"https://www.example{number}.co.uk/" for number in range(300)]
BATCH = 50


@contextmanager
def another_connection() -> Iterator[Any]:
    """Open a second connection to the tests' database."""
    settings = {**connection.settings_dict}
    handler = ConnectionHandler({"default": settings})
    try:
        yield handler["default"]
    finally:
        handler["default"].close()


def cut() -> None:
    """Cut the tests' own connection, as an administrator or a network would."""
    own = {"postgresql": "SELECT pg_backend_pid()", "mysql": "SELECT CONNECTION_ID()"}
    end = {"postgresql": "SELECT pg_terminate_backend(%s)", "mysql": "KILL %s"}
    with connection.cursor() as cursor:
        cursor.execute(own[connection.vendor])
        (number,) = cursor.fetchone()
    with another_connection() as other, other.cursor() as cursor:
        cursor.execute(end[connection.vendor], [number])


def cut_at(statement: int) -> Callable[..., Any]:
    """Return a wrapper that cuts the connection before the statement of that number."""
    left = statement

    def execute(run: Callable[..., Any], *args: Any) -> Any:
        nonlocal left
        left -= 1
        if left == 0:
            cut()
        return run(*args)

    return execute


@pytest.fixture
def outdated() -> list[str]:
    """Store links with the wrong domain, and return the right ones."""
    Link.objects.bulk_create(Link(url=url) for url in URLS)
    Link.objects.update(site="old.example")
    return [registrable_domain(url) or "" for url in URLS]


def sites() -> list[str | None]:
    """Return the domains that are stored, in the order of the rows."""
    return list(Link.objects.order_by("pk").values_list("site", flat=True))


def whole_batches(expected: list[str]) -> int:
    """Return how many rows are right, and check that whole batches are."""
    stored = sites()
    right = sum(map(str.__eq__, map(str, stored), expected))
    assert stored == expected[:right] + ["old.example"] * (len(expected) - right)
    assert right % BATCH == 0
    return right


def update() -> None:
    """Run the command on the table of the links."""
    out = io.StringIO()
    call_command("update_registrable_domains", "siteapp.Link", batch_size=BATCH, stdout=out)


@needs_server
@pytest.mark.parametrize("statement", [1, 5, 6, 7, 8, 12, 13])
def test_a_command_whose_connection_is_cut_can_be_run_again(
    outdated: list[str], statement: int
) -> None:
    """It fails, committed batches are kept, and a second run handles the rest."""
    with connection.execute_wrapper(cut_at(statement)), pytest.raises((*CUT, CommandError)):
        update()
    connection.close()
    assert whole_batches(outdated) < len(outdated)
    update()
    assert sites() == outdated


@needs_server
@pytest.mark.parametrize("line", [1, BATCH_SIZE + 1, 2 * BATCH_SIZE + 10])
def test_an_import_whose_connection_is_cut_can_be_run_again(line: int) -> None:
    """Each link is there once in the end."""
    links = [f"HTTPS://example.com/{number}" for number in range(2 * BATCH_SIZE + 20)]

    def lines() -> Iterator[str]:
        for number, link in enumerate(links, start=1):
            if number == line:
                cut()
            yield link

    with pytest.raises(CUT):
        import_links(lines())
    connection.close()
    assert Bookmark.objects.count() == (line - 1) // BATCH_SIZE * BATCH_SIZE
    report = import_links(links)
    assert report.stored + report.already_stored == len(links)
    hrefs = [str(url) for url in Bookmark.objects.order_by("pk").values_list("url", flat=True)]
    assert hrefs == [link.replace("HTTPS", "https") for link in links]


@needs_server
def test_a_transaction_whose_connection_is_cut_stores_nothing() -> None:
    """Neither the URL nor its domain is stored, and the next connection works."""

    @transaction.atomic
    def store() -> None:
        Link.objects.create(url="https://a.example/")
        cut()
        Link.objects.create(url="https://b.example/")

    with pytest.raises(CUT):
        store()
    connection.close()
    assert Link.objects.count() == 0
    assert Link.objects.get_or_create(url="HTTPS://A.example")[1]
    assert not Link.objects.get_or_create(url="https://a.example/")[1]


def wait_no_longer(cursor: Any) -> None:
    """Let a connection give up at once where another has locked what it wants."""
    cursor.execute(
        {
            "postgresql": "SET lock_timeout = '300ms'",
            "mysql": "SET innodb_lock_wait_timeout = 1",
        }[connection.vendor]
    )


@needs_server
def test_a_command_that_meets_a_lock_fails_between_batches(outdated: list[str]) -> None:
    """Where the database gives up waiting; when the lock is gone, the second run does the rest."""
    table = connection.ops.quote_name(Link._meta.db_table)
    locked = Link.objects.order_by("pk")[BATCH * 2 + 3].pk
    with another_connection() as other:
        other.set_autocommit(False)
        with other.cursor() as cursor:
            cursor.execute(f"SELECT id FROM {table} WHERE id = %s FOR UPDATE", [locked])
        with connection.cursor() as cursor:
            wait_no_longer(cursor)
        with pytest.raises(CommandError, match=r"OperationalError: .*[Ll]ock.* timeout"):
            update()
        # MariaDB may read, and want, all rows of a small table.
        done = whole_batches(outdated)
        assert done == BATCH * 2 or (connection.vendor == "mysql" and done < BATCH * 2)
        other.rollback()
    update()
    assert sites() == outdated
    connection.close()


@pytest.mark.nightly
def test_a_file_that_is_locked_stops_an_import_which_can_be_run_again(
    scratch: Scratch, tmp_path: Path
) -> None:
    """SQLite has one writer: who waits too long fails, and has stored nothing."""
    if connection.vendor != "sqlite":
        pytest.skip("only SQLite locks a whole file")
    scratch.run("migrate", "--run-syncdb")
    links = tmp_path / "links.txt"
    links.write_text("https://a.example/\nhttps://b.example/\n", encoding="utf-8")
    writer = sqlite3.connect(tmp_path / "killed.sqlite3", isolation_level=None)
    writer.execute("BEGIN IMMEDIATE")
    with pytest.raises(AssertionError, match="database is locked"):
        scratch.run("import_links", str(links))
    assert scratch.ask("SELECT COUNT(*) FROM bookmarks_bookmark") == [(0,)]
    writer.execute("ROLLBACK")
    writer.close()
    scratch.run("import_links", str(links))
    assert scratch.ask("SELECT COUNT(*) FROM bookmarks_bookmark") == [(2,)]


@pytest.mark.nightly
def test_a_disk_that_is_full_stops_an_import_which_can_be_run_again(
    scratch: Scratch, tmp_path: Path
) -> None:
    """Whole batches are stored, the file is not damaged, and a run continues with more space."""
    if connection.vendor != "sqlite":
        pytest.skip("a server's disk cannot be filled for a test")
    scratch.run("migrate", "--run-syncdb")
    links = [f"https://example.com/{'a' * 100}/{number}" for number in range(4 * BATCH_SIZE)]
    file = tmp_path / "links.txt"
    file.write_text("\n".join(links), encoding="utf-8")
    size = (tmp_path / "killed.sqlite3").stat().st_size
    status = scratch.run("import_links", str(file), dies_at=-1, largest_file=size + 600_000)
    assert status == 1
    (count,) = scratch.ask("SELECT COUNT(*) FROM bookmarks_bookmark")[0]
    assert 0 < count < len(links)
    assert count % BATCH_SIZE == 0
    assert scratch.ask("PRAGMA integrity_check") == [("ok",)]
    scratch.run("import_links", str(file))
    rows = scratch.ask("SELECT url FROM bookmarks_bookmark ORDER BY id")
    assert [url for (url,) in rows] == links
