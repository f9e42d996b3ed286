"""A run and its ``--undo`` with two databases that have the same tables."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from io import StringIO
from pathlib import Path
from typing import Any

import pytest
from django.apps import apps
from django.core.checks import run_checks
from django.core.management import CommandError, call_command
from django.db import connections
from django.db.migrations.state import ProjectState
from django.db.utils import load_backend

from django_whatwg_url.operations import CanonicalizeURLs, UnsolvedRowsError
from django_whatwg_url.rows import journal
from tests.django.keysapp.models import Plain, Single
from tests.django.rows.running import newest, run, undo
from tests.django.rows.test_choices import SPELLINGS
from tests.django.wayinapp.models import Label, Old, Visit

OTHER = "other"


pytestmark = pytest.mark.django_db


@contextmanager
def connected(path: Path) -> Iterator[str]:
    """Add a second database in a file, and yield its alias."""
    known: Any = connections
    settings = {
        **known.settings["default"],
        "ENGINE": "django.db.backends.sqlite3",
        "NAME": str(path),
        "OPTIONS": {},
    }
    # Django lets a test connect to a database that is not in the settings, so connect first.
    connection: Any = load_backend(settings["ENGINE"]).DatabaseWrapper(settings, OTHER)
    connection.ensure_connection()
    known.settings[OTHER] = settings
    known[OTHER] = connection
    try:
        yield OTHER
    finally:
        connection.close()
        del known[OTHER]
        del known.settings[OTHER]


@pytest.fixture(scope="module")
def migrated(
    tmp_path_factory: pytest.TempPathFactory, django_db_setup: None, django_db_blocker: Any
) -> Path:
    """Return a database that has all tables, and no rows of ours. Tests take a copy."""
    path = tmp_path_factory.mktemp("databases") / "migrated.sqlite3"
    with django_db_blocker.unblock(), connected(path):
        call_command("migrate", database=OTHER, run_syncdb=True, verbosity=0)
    return path


@pytest.fixture
def other(migrated: Path, tmp_path: Path, db: None) -> Iterator[str]:
    """Return the alias of a second database, which has all tables."""
    with connected(Path(shutil.copy(migrated, tmp_path / "other.sqlite3"))) as alias:
        yield alias


def fill(alias: str) -> None:
    """Store three rows with one URL, and rows that refer to them."""
    through: Any = Old.labels.through
    for number, text in enumerate(SPELLINGS, 1):
        row = Old.objects.using(alias).create(pk=number, url=text)
        Visit.objects.using(alias).create(pk=number, old=row)
        label = Label.objects.using(alias).create(pk=number, name=f"{number}")
        # A sequence of PostgreSQL continues after the last test, so every row has its key here.
        through.objects.using(alias).create(pk=number, old=row, label=label)


def rows(alias: str) -> list[list[Any]]:
    """Return the rows of all of the tables in one database."""
    tables: tuple[Any, ...] = (Old, Visit, Label, Old.labels.through)
    return [list(table.objects.using(alias).order_by("pk").values_list()) for table in tables]


@pytest.mark.parametrize(("ran", "not_ran"), [("default", OTHER), (OTHER, "default")])
def test_a_run_and_its_undo_change_only_the_database_that_is_named(
    other: str, ran: str, not_ran: str
) -> None:
    """The other database has rows with the same keys, and its name does not undo the run."""
    for alias in ("default", other):
        fill(alias)
    before = rows(ran)
    assert before == rows(not_ran)
    run("Old.url", on_duplicate="keep-oldest", database=ran)
    assert len(rows(ran)[0]) == 1
    assert rows(not_ran) == before

    merged = rows(ran)
    # A test with its own transactions may have left a run with this number.
    journal.forget(not_ran, [each.pk for each in journal.runs(not_ran)])
    with pytest.raises(CommandError, match="There is no run"):
        undo(newest(ran), database=not_ran)
    assert (rows(ran), rows(not_ran)) == (merged, before)

    assert " 0 changed since, 0 refused" in undo(database=ran)
    assert (rows(ran), rows(not_ran)) == (before, before)


def test_two_runs_are_undone_one_by_one(other: str) -> None:
    """Each is undone in its own database."""
    before = {}
    for alias in ("default", other):
        fill(alias)
        before[alias] = rows(alias)
        run("Old.url", on_duplicate="keep-newest", database=alias)
    for alias in before:
        undo(database=alias)
    assert {alias: rows(alias) for alias in before} == before


def test_advice_names_the_database(other: str) -> None:
    """Without its name, the command would change the rows of the default database."""
    for number in (1, 2):
        Plain.objects.using(other).bulk_create([Plain(url=f"https://h.example/#{number}")])
    Plain.objects.using(other).update(url_key=None)
    Single.objects.using(other).bulk_create([Single(url="https://h/")])
    for url in ("HTTPS://H", "no url"):
        with connections[other].cursor() as cursor:
            cursor.execute("UPDATE keysapp_single SET url = %s", [url])
        found = run_checks(tags=["database"], databases=["default", other])
        hints = {
            (message.id, message.msg.rpartition(" of keysapp.")[2].partition(".")[0]): str(
                message.hint
            )
            for message in found
        }
        if url == "no url":
            assert (
                f"Single.objects.using('{other}').filter("
                in hints["django_whatwg_url.W021", "Single"]
            )
        else:
            assert hints["django_whatwg_url.W021", "Single"].endswith(
                f"canonicalize_urls keysapp.Single.url --dry-run --database {other}"
            )
        assert hints["django_whatwg_url.W022", "Plain"] == (
            f"Run: manage.py update_url_keys keysapp.Plain --database {other}"
        )
    first, second = (f"https://{name}.example/" for name in "ab")
    rows = Single.objects.using(other).bulk_create([Single(url=first), Single(url=second)])
    with connections[other].cursor() as cursor:
        cursor.execute(
            "UPDATE keysapp_single SET url = %s WHERE id = %s", [f"{second}#x", rows[0].pk]
        )
    with pytest.raises(CommandError, match="1 rows keep their old value"):
        call_command("update_url_keys", "keysapp.Single", database=other, stdout=StringIO())


def test_the_error_of_a_migration_names_the_database(other: str) -> None:
    """The command that lists the rows has the option."""
    Old.objects.using(other).create(url="no url")
    state = ProjectState.from_apps(apps)
    editor = connections[other].schema_editor(atomic=False)
    with pytest.raises(UnsolvedRowsError, match=f"--report FILE --database {other}`"):
        CanonicalizeURLs("old", "url").database_forwards("wayinapp", editor, state, state)
