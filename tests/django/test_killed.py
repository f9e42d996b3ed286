"""Commands and migrations that are killed at one statement after another, and begun again.

Each time they go on from what was committed: no row is lost, none is stored twice, and the end is
the same.
"""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit, urlunsplit
from uuid import UUID

import pytest
from django.db import connection
from django.db.utils import ConnectionHandler, Error

from bookmarks.importing import BATCH_SIZE
from django_whatwg_url.beside import registrable_domain
from tests.django.settings import DATABASES, database

pytestmark = [
    pytest.mark.nightly,
    pytest.mark.django_db(transaction=True),
    pytest.mark.skipif(not hasattr(signal, "SIGKILL"), reason="there is no SIGKILL on Windows"),
]

ROOT = Path(__file__).resolve().parents[2]
STEP = 3
MIGRATIONS = ["0001", "0002", "0003", "0004", "0005", "0006"]


class Scratch:
    """A database of its own, which processes are killed in."""

    def __init__(self, url: str) -> None:
        self.url = url

    def run(self, *command: str, dies_at: int = 0, largest_file: int | None = None) -> int:
        """Run a command that dies before a statement, and return its exit status.

        ``largest_file``: how many bytes it may write into one, as if the disk were full then.
        """

        def limit() -> None:
            if largest_file is not None:
                import resource

                resource.setrlimit(resource.RLIMIT_FSIZE, (largest_file, largest_file))

        done = subprocess.run(
            [sys.executable, "-m", "tests.django.killed", str(dies_at), *command],
            check=False,
            cwd=ROOT,
            preexec_fn=limit,
            env={
                **os.environ,
                "WEBURL_TEST_DATABASE": self.url,
                "PYTHONPATH": os.pathsep.join([str(ROOT), str(ROOT / "docs" / "demo")]),
            },
            capture_output=True,
            text=True,
        )
        if dies_at == 0:
            assert done.returncode == 0, done.stderr
        return done.returncode

    def ask(self, sql: str, *rows: tuple[Any, ...]) -> list[tuple[Any, ...]]:
        """Execute SQL here, once or for each of some rows, and return what it gives."""
        handler = ConnectionHandler({"default": database(self.url)})
        try:
            with handler["default"].cursor() as cursor:
                if rows:
                    cursor.executemany(sql, list(rows))
                    return []
                cursor.execute(sql)
                return list(cursor.fetchall())
        finally:
            handler["default"].close()


@pytest.fixture
def scratch(tmp_path: Path) -> Iterator[Scratch]:
    """Make a database beside the tests', and drop it in the end."""
    if connection.vendor == "sqlite":
        yield Scratch(f"sqlite://{tmp_path / 'killed.sqlite3'}")
        return
    url = urlsplit(os.environ["WEBURL_TEST_DATABASE"])
    name = f"{DATABASES['default']['NAME']}_killed"
    quoted = connection.ops.quote_name(name)
    drop = f"DROP DATABASE IF EXISTS {quoted}"
    with connection.cursor() as cursor:
        cursor.execute(drop)
        cursor.execute(f"CREATE DATABASE {quoted}")
    try:
        yield Scratch(urlunsplit(url._replace(path=f"/{name}")))
    finally:
        with connection.cursor() as cursor:
            cursor.execute(f"{drop} WITH (FORCE)" if connection.vendor == "postgresql" else drop)


def test_an_import_that_is_killed_loses_nothing(scratch: Scratch, tmp_path: Path) -> None:
    """Whole batches are there or not; begun again it stores the rest, and each link once."""
    scratch.run("migrate", "--run-syncdb")
    links = [f"HTTPS://example.com/{number}" for number in range(2 * BATCH_SIZE + 50)]
    hrefs = [link.replace("HTTPS", "https") for link in links]
    file = tmp_path / "links.txt"
    file.write_text("\n".join(links), encoding="utf-8")
    stored = 0
    for dies_at in [*range(1, 12, 2), *range(12, 100)]:
        status = scratch.run("import_links", str(file), dies_at=dies_at)
        rows = [url for (url,) in scratch.ask("SELECT url FROM bookmarks_bookmark ORDER BY id")]
        assert rows == hrefs[: len(rows)]
        assert len(rows) >= stored
        assert len(rows) % BATCH_SIZE == 0 or len(rows) == len(hrefs)
        stored = len(rows)
        if status == 0:
            break
        assert status == -signal.SIGKILL
    scratch.run("import_links", str(file))
    rows = [url for (url,) in scratch.ask("SELECT url FROM bookmarks_bookmark ORDER BY id")]
    assert rows == hrefs


def urls_of(count: int) -> list[str]:
    """Return canonical URLs on many hosts."""
    return [f"https://www.example{number}.co.uk/" for number in range(count)]


def test_domains_that_were_being_updated_are_old_or_right(scratch: Scratch) -> None:
    """Never half of a batch; begun again the command does the rest."""
    scratch.run("migrate", "--run-syncdb")
    urls = urls_of(60)
    scratch.ask(
        "INSERT INTO faultsapp_link (url, site) VALUES (%s, %s)", *((url, "old") for url in urls)
    )
    command = ("update_registrable_domains", "faultsapp", "--batch-size", "20")
    done = 0
    for dies_at in range(1, 100, 1 if STEP < 7 else 2):
        status = scratch.run(*command, dies_at=dies_at)
        sites = [site for (site,) in scratch.ask("SELECT site FROM faultsapp_link ORDER BY id")]
        right = [site == registrable_domain(url) for site, url in zip(sites, urls, strict=True)]
        assert all(
            site == "old" for site, is_right in zip(sites, right, strict=True) if not is_right
        )
        assert done <= sum(right)
        done = sum(right)
        assert done % 20 == 0
        if status == 0:
            break
        assert status == -signal.SIGKILL
    scratch.run(*command)
    expected = [registrable_domain(url) for url in urls]
    assert [s for (s,) in scratch.ask("SELECT site FROM faultsapp_link ORDER BY id")] == expected


def test_migrations_that_are_killed_can_be_run_again(scratch: Scratch) -> None:
    """From text to a unique URL with a domain, an index and a constraint, on a table with rows.

    MariaDB commits each change of a table by itself: there, what was done but not recorded is
    recorded by ``--fake``, as for any migration.
    """
    scratch.run("migrate", "--run-syncdb")
    scratch.run("migrate", "faultsapp", "0001")
    urls = urls_of(30)
    scratch.ask("INSERT INTO faultsapp_link (url) VALUES (%s)", *((url,) for url in urls))
    for dies_at in range(1, 300, STEP):
        status = scratch.run("migrate", "faultsapp", dies_at=dies_at)
        assert [url for (url,) in scratch.ask("SELECT url FROM faultsapp_link ORDER BY id")] == urls
        if status == 0:
            break
        if status != -signal.SIGKILL:
            assert connection.vendor == "mysql", status
            (count,) = scratch.ask("SELECT COUNT(*) FROM django_migrations WHERE app = 'faultsapp'")
            scratch.run("migrate", "--fake", "faultsapp", MIGRATIONS[count[0]])
    scratch.run("migrate", "faultsapp")
    scratch.run("update_registrable_domains", "faultsapp")
    assert {site for (site,) in scratch.ask("SELECT site FROM faultsapp_link")} == {
        registrable_domain(url) for url in urls
    }
    with pytest.raises(Error):
        scratch.ask("INSERT INTO faultsapp_link (url) VALUES (%s)", (urls[0],))
    with pytest.raises(Error):
        scratch.ask("INSERT INTO faultsapp_link (url) VALUES (%s)", ("HTTPS://x/",))
    scratch.run("migrate", "faultsapp", "0001")
    assert len(scratch.ask("SELECT url FROM faultsapp_link")) == len(urls)


RUN = (
    "canonicalize_urls", "wayinapp.Old.url", "--batch-size", "7", "--on-duplicate", "keep-oldest",
    "--on-invalid", "null",
)  # fmt: skip
TABLES = ("wayinapp_old", "wayinapp_visit")


def test_a_run_and_its_undo_that_are_killed_lose_nothing(scratch: Scratch) -> None:
    """Begun again they go on, and in the end every row is as it was before the first."""
    scratch.run("migrate", "--run-syncdb")
    spellings = ("https://h{}/", "HTTPS://h{}", "https://h{}:443/")
    texts = [spelling.format(number) for number in range(20) for spelling in spellings]
    texts.append("no url")
    scratch.ask(
        "INSERT INTO wayinapp_old (url, original, hidden) VALUES (%s, '', %s)",
        *((text, False) for text in texts),
    )
    keys = [key for (key,) in scratch.ask("SELECT id FROM wayinapp_old ORDER BY id")]
    scratch.ask("INSERT INTO wayinapp_visit (old_id) VALUES (%s)", *((key,) for key in keys))

    def rows() -> list[list[tuple[Any, ...]]]:
        return [scratch.ask(f"SELECT * FROM {table} ORDER BY id") for table in TABLES]

    before = rows()
    for dies_at in range(1, 600, 4 * STEP):
        status = scratch.run(*RUN, dies_at=dies_at)
        assert len(rows()[1]) == len(keys)
        if status == 0:
            break
        assert status == -signal.SIGKILL
    scratch.run(*RUN)
    assert len(rows()[0]) == 21
    runs = scratch.ask("SELECT id FROM django_whatwg_url_run ORDER BY id DESC")
    undo = ("canonicalize_urls", "--undo", *(str(number) for (number,) in runs))
    for dies_at in range(1, 600, 4 * STEP):
        status = scratch.run(*undo, dies_at=dies_at)
        assert len(rows()[1]) == len(keys)
        if status == 0:
            break
        assert status == -signal.SIGKILL
    scratch.run(*undo)
    assert rows() == before
    assert scratch.ask("SELECT COUNT(*) FROM django_whatwg_url_change") == [(0,)]


def test_two_runs_at_once_have_a_number_each(scratch: Scratch) -> None:
    """Both begin by creating the tables, each changes its rows, and both can be undone."""
    scratch.run("migrate", "--run-syncdb")
    for table, column in (("wayinapp_loose", "url"), ("wayinapp_keyed", "url")):
        rows = [(f"HTTPS://{number}.example",) for number in range(300)]
        if table == "wayinapp_keyed":
            if connection.vendor == "sqlite":
                keyed = [(f"{number:032x}", *row) for number, row in enumerate(rows)]
            else:
                keyed = [(str(UUID(int=number)), *row) for number, row in enumerate(rows)]
            scratch.ask(f"INSERT INTO {table} (id, {column}) VALUES (%s, %s)", *keyed)
        else:
            scratch.ask(f"INSERT INTO {table} ({column}) VALUES (%s)", *rows)
    environment = {
        **os.environ,
        "WEBURL_TEST_DATABASE": scratch.url,
        "PYTHONPATH": os.pathsep.join([str(ROOT / "src"), str(ROOT), str(ROOT / "docs" / "demo")]),
    }
    command = [sys.executable, "-m", "tests.django.killed", "0", "canonicalize_urls"]
    processes = [
        subprocess.Popen(
            [*command, label, "--batch-size", "20"],
            cwd=ROOT, env=environment, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
        )
        for label in ("wayinapp.Loose.url", "wayinapp.Keyed.url")
    ]  # fmt: skip
    for process in processes:
        assert process.communicate(timeout=600)[1] == ""
        assert process.returncode == 0
    changes = scratch.ask("SELECT run, COUNT(*) FROM django_whatwg_url_change GROUP BY run")
    assert [number for _run, number in changes] == [300, 300]
    scratch.run("canonicalize_urls", "--undo", *(str(run) for run, _number in changes))
    for table in ("wayinapp_loose", "wayinapp_keyed"):
        texts = [text for (text,) in scratch.ask(f"SELECT url FROM {table}")]
        assert sorted(texts) == sorted(f"HTTPS://{number}.example" for number in range(300))


GET_OR_CREATE = """
import sys, django
django.setup()
from bookmarks.models import Bookmark
Bookmark.objects.exists()
print("ready", flush=True)
sys.stdin.readline()
for number in range(40):
    row, made = Bookmark.objects.get_or_create(url=sys.argv[1] + str(number))
    print(row.pk, made)
"""


def test_of_two_processes_that_get_or_create_one_creates(scratch: Scratch) -> None:
    """Two spellings of forty URLs, by two connections at once: each URL is made once."""
    scratch.run("migrate", "--run-syncdb")
    environment = {
        **os.environ,
        "WEBURL_TEST_DATABASE": scratch.url,
        "DJANGO_SETTINGS_MODULE": "tests.django.settings",
        "PYTHONPATH": os.pathsep.join([str(ROOT), str(ROOT / "docs" / "demo")]),
    }
    processes = [
        subprocess.Popen(
            [sys.executable, "-c", GET_OR_CREATE, spelling],
            env=environment,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
        )
        for spelling in ("https://example.com/a/", "HTTPS:\\\\EXAMPLE.com:443/x/../a/")
    ]
    for process in processes:
        assert process.stdout is not None
        assert process.stdout.readline() == "ready\n"
    for process in processes:
        assert process.stdin is not None
        process.stdin.write("go\n")
        process.stdin.flush()
    first, second = (process.communicate(timeout=600)[0].splitlines() for process in processes)
    assert [process.returncode for process in processes] == [0, 0]
    assert len(first) == len(second) == 40
    for one, other in zip(first, second, strict=True):
        assert one.split()[0] == other.split()[0]
        assert {one.split()[1], other.split()[1]} == {"True", "False"}
    assert scratch.ask("SELECT COUNT(*) FROM bookmarks_bookmark") == [(40,)]
