"""Tests of the operation that adds a unique constraint while the site runs."""

from __future__ import annotations

from collections.abc import Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import contextmanager
from typing import Any

import pytest
from django.db import (
    IntegrityError,
    NotSupportedError,
    OperationalError,
    connection,
    migrations,
    models,
)
from django.db.models import Q
from django.db.models.functions import Lower

from django_whatwg_url.constraints import IsCanonicalURL, UniqueURLKey
from django_whatwg_url.fields import CanonicalURLField, URLKeyField
from django_whatwg_url.operations import AddUniqueConstraintConcurrently, UnsolvedRowsError
from tests.django.migrating.histories import LABEL, History
from tests.django.servers import only_postgresql

pytestmark = pytest.mark.django_db(transaction=True)

TABLE = f"{LABEL}_page"
ONE_EACH = models.UniqueConstraint(fields=["owner", "url"], name="one_each")


def fields() -> dict[str, Any]:
    """Return the fields of the table."""
    return {
        "owner": models.IntegerField(null=True),
        "url": CanonicalURLField(null=True, blank=True),
        "url_key": URLKeyField("url", max_length=200, db_index=False),
    }


def prepare(history: History, constraint: Any = ONE_EACH, *, atomic: bool = False) -> Any:
    """Make a table with rows, and write the migration with the operation. Return the rows."""
    history.make(fields())
    history.write([AddUniqueConstraintConcurrently("page", constraint)], atomic=atomic)
    history.migrate(1)
    rows = history.model(1)._default_manager
    rows.bulk_create(
        rows.model(owner=number, url=f"https://a.example/{number}") for number in range(50)
    )
    return rows


def indexes() -> dict[str, tuple[bool, bool]]:
    """Return the indexes of the table: whether each is valid, and whether it has a constraint."""
    with connection.cursor() as cursor:
        cursor.execute(
            "SELECT indexrelid::regclass::text, indisvalid, EXISTS (SELECT 1 FROM pg_constraint "
            "WHERE conindid = indexrelid) FROM pg_index WHERE indrelid = %s::regclass "
            "AND NOT indisprimary",
            [TABLE],
        )
        return {name: (valid, constraint) for name, valid, constraint in cursor.fetchall()}


def test_the_constraint_is_added_and_removed(history: History) -> None:
    """The database refuses a second row, and the models are what Django's own operation leaves."""
    rows = prepare(history)
    history.migrate()
    with pytest.raises(IntegrityError):
        rows.create(owner=7, url="https://a.example/7")
    rows.create(owner=None, url="https://a.example/7")
    rows.create(owner=None, url="https://a.example/7")
    assert history.make(fields(), constraints=[ONE_EACH]) == []
    history.migrate(1)
    rows.create(owner=7, url="https://a.example/7")


def test_it_is_written_into_a_migration_and_described() -> None:
    """Another constraint than a unique one is refused."""
    operation = AddUniqueConstraintConcurrently("page", ONE_EACH)
    name, args, kwargs = operation.deconstruct()
    assert (name, args) == ("AddUniqueConstraintConcurrently", [])
    assert kwargs == {"model_name": "page", "constraint": ONE_EACH}
    assert operation.describe() == "Concurrently create constraint one_each on model page"
    with pytest.raises(TypeError, match="must be a UniqueConstraint, not IsCanonicalURL"):
        AddUniqueConstraintConcurrently("page", IsCanonicalURL("url", name="is_canonical"))  # type: ignore[arg-type]


@only_postgresql
def test_it_demands_a_migration_without_a_transaction(history: History) -> None:
    """Nothing is changed otherwise."""
    prepare(history, atomic=True)
    with pytest.raises(NotSupportedError, match="Set atomic = False in the migration"):
        history.migrate()
    assert indexes() == {}


WAYS: dict[str, tuple[Any, bool]] = {
    "columns": (ONE_EACH, True),
    "key": (UniqueURLKey("url_key", within=["owner"], name="one_each"), True),
    "deferrable": (
        models.UniqueConstraint(
            fields=["url"], name="one_each", deferrable=models.Deferrable.DEFERRED
        ),
        True,
    ),
    "condition": (
        models.UniqueConstraint(fields=["url"], name="one_each", condition=Q(owner__gt=5)),
        False,
    ),
    "expression": (models.UniqueConstraint(Lower("url"), "owner", name="one_each"), False),
    "include": (
        models.UniqueConstraint(fields=["url"], include=["owner"], name="one_each"),
        False,
    ),
}


def definitions() -> list[str]:
    """Return what PostgreSQL says of the unique indexes and constraints of the table."""
    with connection.cursor() as cursor:
        cursor.execute(
            "SELECT pg_get_indexdef(indexrelid), indimmediate, (SELECT pg_get_constraintdef(oid) "
            "FROM pg_constraint WHERE conindid = indexrelid) FROM pg_index "
            "WHERE indrelid = %s::regclass AND NOT indisprimary",
            [TABLE],
        )
        return [str(row) for row in cursor.fetchall()]


@only_postgresql
@pytest.mark.parametrize("way", WAYS)
def test_it_makes_what_the_operation_of_django_makes(way: str, history: History) -> None:
    """This holds for each kind of unique constraint, and for the way back."""
    constraint, is_attached = WAYS[way]
    prepare(history, constraint)
    history.migrate()
    ours = definitions()
    assert indexes() == {"one_each": (True, is_attached)}
    history.migrate(1)
    assert indexes() == {}
    model = history.model(1)
    with connection.schema_editor() as editor:
        editor.add_constraint(model, constraint)
    assert definitions() == ours
    with connection.schema_editor() as editor:
        editor.remove_constraint(model, constraint)


@only_postgresql
def test_nulls_can_be_equal(history: History) -> None:
    """PostgreSQL 15 and newer know this."""
    if not connection.features.supports_nulls_distinct_unique_constraints:
        pytest.skip("needs PostgreSQL 15 or newer")
    constraint = models.UniqueConstraint(
        fields=["owner", "url"], name="one_each", nulls_distinct=False
    )
    rows = prepare(history, constraint)
    history.migrate()
    rows.create(owner=None, url="https://a.example/7")
    with pytest.raises(IntegrityError):
        rows.create(owner=None, url="https://a.example/7")


@only_postgresql
def test_rows_that_are_the_same_are_an_error_that_leaves_nothing(history: History) -> None:
    """It names no values, because a URL may have a password. Afterwards it can be run again."""
    rows = prepare(history)
    double = rows.create(owner=7, url="https://user:secret@a.example/")
    rows.create(owner=7, url="https://user:secret@a.example/")
    with pytest.raises(UnsolvedRowsError, match="rows break the constraint one_each") as caught:
        history.migrate()
    assert "secret" not in str(caught.value)
    assert caught.value.__suppress_context__
    assert indexes() == {}
    double.delete()
    history.migrate()
    assert indexes() == {"one_each": (True, True)}


@contextmanager
def beside_an_open_transaction() -> Iterator[Any]:
    """Give another connection, with a transaction that has written a row."""
    other = connection.copy()
    other.set_autocommit(False)
    with other.cursor() as cursor:
        cursor.execute(f"INSERT INTO {TABLE} (owner, url) VALUES (99, 'https://b.example/')")
    try:
        yield other
    finally:
        other.close()


@contextmanager
def migrating(history: History) -> Iterator[tuple[Future[None], int]]:
    """Migrate in another thread. Give its result, and its process when it waits for a lock."""

    def migrate() -> None:
        try:
            history.migrate()
        finally:
            connection.close()

    with ThreadPoolExecutor(1) as threads:
        running = threads.submit(migrate)
        waiting: list[Any] = []
        while not waiting:
            if running.done():
                running.result()
                raise AssertionError("the migration has not waited")
            with connection.cursor() as cursor:
                cursor.execute(
                    "SELECT pid FROM pg_locks WHERE NOT granted AND pid != pg_backend_pid() "
                    "AND pid IN (SELECT pid FROM pg_stat_activity WHERE datname = "
                    "current_database())"
                )
                waiting = cursor.fetchall()
        yield running, waiting[0][0]


def lock_at_once(mode: str) -> None:
    """Lock the table as a statement would. Raises OperationalError if it had to wait."""
    other = connection.copy()
    try:
        other.set_autocommit(False)
        with other.cursor() as cursor:
            cursor.execute(f"LOCK TABLE {TABLE} IN {mode} MODE NOWAIT")
    finally:
        other.close()


@only_postgresql
def test_readers_and_writers_do_not_wait_while_it_waits(history: History) -> None:
    """The index waits for a transaction, and nothing waits for the index."""
    prepare(history)
    with beside_an_open_transaction() as other, migrating(history) as (running, _process):
        lock_at_once("ACCESS SHARE")
        lock_at_once("ROW EXCLUSIVE")
        other.commit()
        running.result()
    assert indexes() == {"one_each": (True, True)}


@only_postgresql
def test_readers_wait_for_the_operation_of_django(history: History) -> None:
    """So the test above would notice a lock."""
    history.make(fields())
    history.write([migrations.AddConstraint("page", ONE_EACH)])
    history.migrate(1)
    with beside_an_open_transaction() as other, migrating(history) as (running, _process):
        with pytest.raises(OperationalError):
            lock_at_once("ACCESS SHARE")
        other.commit()
        running.result()


@only_postgresql
def test_an_interrupted_run_is_repeated(history: History) -> None:
    """The index that it left is not valid. The next run removes it."""
    prepare(history)
    with beside_an_open_transaction(), migrating(history) as (running, process):
        with connection.cursor() as cursor:
            cursor.execute("SELECT pg_cancel_backend(%s)", [process])
        with pytest.raises(OperationalError):
            running.result()
    assert indexes() == {"one_each": (False, False)}
    history.migrate()
    assert indexes() == {"one_each": (True, True)}


@only_postgresql
def test_the_index_of_something_else_is_not_removed(history: History) -> None:
    """Only a unique one can be what an interrupted run left."""
    prepare(history)
    with connection.cursor() as cursor:
        cursor.execute(f"CREATE INDEX one_each ON {TABLE} (owner)")
    with pytest.raises(Exception, match="already exists"):
        history.migrate()
    assert indexes() == {"one_each": (True, False)}
    with connection.cursor() as cursor:
        cursor.execute("DROP INDEX one_each")
