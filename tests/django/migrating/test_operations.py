"""Tests of `AlterURLField` and `RenameURLField`, and of the check that asks for them."""

from __future__ import annotations

from io import StringIO
from typing import Any

import pytest
from django.core.management import call_command
from django.db import DatabaseError, Error, NotSupportedError, connection, migrations, models
from django.db.migrations.writer import OperationWriter

from django_whatwg_url.checks.migrations import check_migrations
from django_whatwg_url.constraints import IsCanonicalURL
from django_whatwg_url.fields import CanonicalURLField
from django_whatwg_url.generated import GeneratedURLPartField
from django_whatwg_url.indexes import URLIndex
from django_whatwg_url.operations import AlterURLField, RenameURLField
from tests.django.migrating.histories import LABEL, History, indexed_columns
from tests.django.servers import only_postgresql

pytestmark = pytest.mark.django_db(transaction=True)

TABLE = f"{LABEL}_page"


def fields(**options: Any) -> dict[str, Any]:
    """Return a URL with these options, and a column with its host."""
    return {
        "url": CanonicalURLField(**options),
        "host": GeneratedURLPartField("url", part="host", db_index=True),
    }


# SQLite cannot add a stored column to a table with rows.
ADDABLE: dict[str, Any] = {"db_persist": False} if connection.vendor == "sqlite" else {}
ORIGIN = {
    "url": CanonicalURLField(),
    "host": GeneratedURLPartField("url", part="origin", **ADDABLE),
}


def altered(kind: type[Any], **options: Any) -> Any:
    """Return an operation that alters the URL so."""
    return kind("page", "url", CanonicalURLField(**options))


def execute(sql: str) -> list[Any]:
    """Run a statement, and return its rows."""
    with connection.cursor() as cursor:
        cursor.execute(sql)
        return cursor.fetchall() if cursor.description else []


@only_postgresql
def test_postgresql_refuses_a_plain_alter_field(history: History) -> None:
    """What runs is what the file says, so the check names the operation to write there."""
    history.make(fields())
    history.write([altered(migrations.AlterField, max_length=3000)])
    with pytest.raises(NotSupportedError, match="used by a generated column"):
        history.migrate()


def test_the_command_migrate_alters_a_url_with_parts(history: History) -> None:
    """It runs the operations that the check requires, forwards and backwards."""
    history.make(fields())
    history.make(fields(max_length=3000))
    file = history.directory / "0002.py"
    assert "migrations.AlterField(" in file.read_text()
    file.write_text(
        "import django_whatwg_url.operations\n"
        + file.read_text().replace(
            "migrations.AlterField(", "django_whatwg_url.operations.AlterURLField("
        )
    )
    history.migrate(1)
    history.model(1)._default_manager.create(url="https://a.example/")
    for name in ("0002", "0001", "0002"):
        call_command("migrate", LABEL, name, verbosity=0)
        assert history.model()._default_manager.get(url__host="A.example").host == "a.example"


def asked(history: History, id: str = "django_whatwg_url.W027") -> list[str]:
    """Return the hints of the check about the operations that have not run."""
    with pytest.MonkeyPatch.context() as patch:
        # The app has no models of its own: its migrations are made by the tests.
        patch.setattr("django_whatwg_url.checks.migrations._labels", lambda _: {LABEL})
        found = check_migrations(databases=["default"])
    assert {message.id for message in found} <= {id}
    return [str(message.hint) for message in found]


def test_a_check_names_the_operation_to_write(history: History) -> None:
    """Only for migrations that have not run, and only where a generated column reads the URL."""
    history.make(fields())
    history.migrate()
    history.write([altered(migrations.AlterField, max_length=3000)])
    history.write(
        [migrations.SeparateDatabaseAndState([migrations.RenameField("page", "url", "link")])]
    )
    hints = asked(history)
    alters = connection.vendor == "postgresql"
    assert len(hints) == 1 + alters
    assert "operations.RenameURLField( in place of migrations.RenameField(" in hints[-1]
    if alters:
        assert "operations.AlterURLField( in place of migrations.AlterField(" in hints[0]


def test_a_check_reads_what_comes_before_in_the_same_migration(history: History) -> None:
    """A model that the migration itself makes, alters and renames."""
    columns: list[tuple[str, Any]] = [
        ("id", models.AutoField(primary_key=True)),
        ("url", CanonicalURLField()),
    ]
    history.write(
        [
            migrations.CreateModel("page", columns),
            altered(migrations.AlterField, max_length=3000),
            migrations.RenameField("page", "url", "link"),
            migrations.AddField(
                "page", "host", GeneratedURLPartField("link", part="host", **ADDABLE)
            ),
            migrations.RenameModel("page", "sheet"),
            migrations.RenameField("sheet", "link", "url"),
        ]
    )
    (hint,) = asked(history)
    assert "operations.RenameURLField( in place of migrations.RenameField(" in hint


@pytest.mark.skipif(connection.vendor != "sqlite", reason="others can add it")
def test_a_check_says_that_sqlite_cannot_add_a_stored_part(history: History) -> None:
    """It does so before migrate fails. A part that is not stored can be added."""
    history.make({"url": CanonicalURLField()})
    history.migrate()
    history.write([migrations.AddField("page", "host", GeneratedURLPartField("url", part="host"))])
    history.model(1)._default_manager.create(url="https://a.example/")
    (hint,) = asked(history, "django_whatwg_url.W028")
    assert hint.startswith("Write db_persist=False")
    with pytest.raises(DatabaseError, match="cannot add a STORED column"):
        history.migrate()


def test_the_check_leaves_operations_that_do_what_they_say(history: History) -> None:
    """One of ours, an option that is not part of the column, and a subclass."""
    history.make({**fields(), "title": models.TextField(), "other": CanonicalURLField()})
    history.migrate()
    history.write(
        [
            altered(migrations.AlterField, allowed_schemes=None),
            altered(AlterURLField, max_length=3000),
            migrations.AlterField("page", "other", CanonicalURLField(max_length=3000)),
            migrations.RenameField("page", "title", "name"),
            RenameURLField("page", "url", "link"),
        ]
    )
    assert asked(history) == []


@pytest.mark.parametrize("atomic", [True, False])
def test_the_operation_can_be_written_into_a_migration(history: History, atomic: bool) -> None:
    """Then everything runs it, in a transaction or not, and it can be undone."""
    history.make(fields())
    history.write([altered(AlterURLField, max_length=3000)], atomic=atomic)
    assert (
        "django_whatwg_url.operations.AlterURLField(" in (history.directory / "0002.py").read_text()
    )
    history.migrate(1, announced=False)
    model = history.model()
    model._default_manager.create(url="https://a.example/")
    indexes = indexed_columns(model)
    for number in (2, 1, 2):
        history.migrate(number, announced=False)
        assert [row.host for row in model._default_manager.filter(url__host="A.example")] == [
            "a.example"
        ]
        assert indexed_columns(model) == indexes


@only_postgresql
def test_what_was_made_by_hand_is_made_again(history: History) -> None:
    """Django does not know of it; the database does."""
    history.make(fields())
    history.write([altered(AlterURLField, max_length=3000)])
    history.migrate(1)
    execute(f"CREATE INDEX by_hand ON {TABLE} USING hash (host) WHERE host <> 'a%b'")
    execute(f"CREATE UNIQUE INDEX low ON {TABLE} (lower(host) DESC) INCLUDE (id)")
    execute(f"ALTER TABLE {TABLE} ADD CONSTRAINT short CHECK (length(host) < 99)")
    execute(f"ALTER TABLE {TABLE} ADD CONSTRAINT once UNIQUE (host, id) DEFERRABLE")
    asked = f"""
        SELECT pg_get_indexdef(indexrelid) FROM pg_index WHERE indrelid = '{TABLE}'::regclass
        UNION ALL SELECT conname || pg_get_constraintdef(oid) FROM pg_constraint
        WHERE conrelid = '{TABLE}'::regclass ORDER BY 1
    """
    before = execute(asked)
    assert len(before) == 9
    history.migrate(2)
    assert execute(asked) == before


@only_postgresql
def test_a_view_of_the_column_is_not_taken_away(history: History) -> None:
    """The database refuses, and everything is as before."""
    history.make(fields())
    history.write([altered(AlterURLField, max_length=3000)], atomic=False)
    history.migrate(1)
    history.model()._default_manager.create(url="https://a.example/")
    execute(f"CREATE VIEW hosts AS SELECT host FROM {TABLE}")
    try:
        with pytest.raises(Error, match="other objects depend on it"):
            history.migrate(2)
        assert execute("SELECT host FROM hosts") == [("a.example",)]
    finally:
        execute("DROP VIEW hosts")


def test_nothing_is_remade_that_need_not_be(history: History) -> None:
    """An option that is no matter of the column, and a change that the database can make."""
    history.make(fields())
    history.write([altered(AlterURLField, allowed_schemes=None)])
    history.write([altered(AlterURLField, allowed_schemes=None, null=True)])
    for name in ("0002", "0003"):
        out = StringIO()
        history.migrate(int(name) - 1)
        call_command("sqlmigrate", LABEL, name, stdout=out)
        assert "DROP COLUMN" not in out.getvalue()
    history.migrate()


@only_postgresql
def test_sqlmigrate_shows_what_is_remade(history: History) -> None:
    """Where the operation is written into the migration."""
    history.make(fields())
    history.write([altered(AlterURLField, max_length=3000)])
    history.migrate(1)
    out = StringIO()
    call_command("sqlmigrate", LABEL, "0002", stdout=out)
    text = out.getvalue()
    assert text.index("DROP COLUMN") < text.index("ALTER COLUMN") < text.index("ADD COLUMN")
    assert text.index("ADD COLUMN") < text.index("CREATE INDEX")


def test_the_operations_are_written_as_they_were_made() -> None:
    """The import path never changes."""
    operations: list[Any] = [
        AlterURLField("page", "url", CanonicalURLField(max_length=9), preserve_default=False),
        RenameURLField("page", "url", "link"),
    ]
    for operation in operations:
        text, imports = OperationWriter(operation, indentation=0).serialize()
        assert text.startswith(f"django_whatwg_url.operations.{type(operation).__name__}(")
        assert "import django_whatwg_url.operations" in imports


def test_what_is_made_of_a_url_follows_its_name(history: History) -> None:
    """This includes historical models. References to other fields do not change."""
    history.make(
        {**fields(), "other": CanonicalURLField()},
        indexes=[
            URLIndex("url", part="path", name="by_path"),
            URLIndex("other", part="path", name="by_other"),
            models.Index(fields=["other"], name="plain"),
        ],
        constraints=[IsCanonicalURL("url", name="is_canonical")],
    )
    history.write([RenameURLField("page", "url", "link")])
    history.migrate(announced=False)
    model = history.model()
    assert model._meta.get_field("host").url_field == "link"
    assert [getattr(index, "url_field", None) for index in model._meta.indexes] == [
        "link",
        "other",
        None,
    ]
    assert model._meta.constraints[0].url_field == "link"
    model._default_manager.create(link="https://a.example/", other="https://b.example/")
    assert model._default_manager.get(link__host="a.example").host == "a.example"
    with pytest.raises(DatabaseError):
        execute(f"UPDATE {TABLE} SET link = 'A'")


def test_what_a_part_is_cannot_be_altered(history: History) -> None:
    """Django says so before anything is changed."""
    history.make(fields())
    history.make(ORIGIN)
    with pytest.raises(ValueError, match="must be removed and re-added"):
        history.migrate()
    history.migrate(1)


def test_a_part_is_removed_and_added_as_another(history: History) -> None:
    """This works on a table with rows."""
    history.make({**fields(), "host": GeneratedURLPartField("url", part="host", **ADDABLE)})
    history.make({"url": CanonicalURLField()})
    history.make(ORIGIN)
    history.migrate(1)
    history.model(1)._default_manager.create(url="https://a.example/")
    history.migrate()
    assert history.model()._default_manager.get().host == "https://a.example"
    history.migrate(1)
    assert history.model(1)._default_manager.get().host == "a.example"
