"""Tests of the operation `CanonicalizeURLs`, and of the check that suggests it."""

from __future__ import annotations

from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from django.apps import apps
from django.core.checks import run_checks
from django.db import connection, migrations, models
from django.db.migrations.state import ProjectState
from django.db.migrations.writer import MigrationWriter, OperationWriter
from pytest_django import DjangoAssertNumQueries

from django_whatwg_url.checks import migrations as migration_checks
from django_whatwg_url.checks.migrations import (
    _applied,
    _Column,
    check_changed_models,
    check_migrations,
)
from django_whatwg_url.fields import CanonicalURLField
from django_whatwg_url.operations import CanonicalizeURLs, UnsolvedRowsError
from tests.django.rows.running import newest
from tests.django.rows.test_choices import BAD, SPELLINGS, last_of
from tests.django.stored import stored_texts
from tests.django.wayinapp.models import Old, Profile, Visit


def migrate(operation: CanonicalizeURLs, *, atomic: bool = False, backwards: bool = False) -> None:
    """Run an operation on historical models."""
    state = ProjectState.from_apps(apps)
    direction = operation.database_backwards if backwards else operation.database_forwards
    with connection.schema_editor(atomic=atomic) as editor:
        direction("wayinapp", editor, state, state)


@pytest.mark.django_db(transaction=True)
@pytest.mark.parametrize("atomic", [True, False])
def test_rows_are_changed_and_merged_in_a_migration(atomic: bool) -> None:
    """There is one transaction, or one for each batch."""
    rows = [Old.objects.create(url=text) for text in SPELLINGS]
    visit = Visit.objects.create(old=rows[2])
    migrate(CanonicalizeURLs("Old", "url", on_duplicate="keep-oldest", batch_size=1), atomic=atomic)
    assert stored_texts(Old) == ["https://h/"]
    visit.refresh_from_db()
    assert visit.old_id == rows[0].pk


@pytest.mark.django_db(transaction=True)
def test_rows_that_no_choice_handles_end_the_migration() -> None:
    """The error has a summary without passwords. In a transaction, nothing is changed."""
    for text in (*SPELLINGS, BAD):
        Old.objects.create(url=text)
    with pytest.raises(UnsolvedRowsError, match=r"3 rows of wayinapp\.Old\.url") as raised:
        migrate(CanonicalizeURLs("old", "url"), atomic=True)
    assert "secret" not in str(raised.value)
    assert stored_texts(Old) == [*SPELLINGS, BAD]
    migrate(CanonicalizeURLs("old", "url", on_duplicate="keep", on_invalid="keep"))


@pytest.mark.django_db(transaction=True)
def test_only_rows_that_need_a_decision_are_examples(caplog: pytest.LogCaptureFixture) -> None:
    """Rows that a choice has changed are only counted in the warning."""
    for text in (BAD, "https://example.com/" + "é" * 500):
        Old.objects.create(url=text)
    with pytest.raises(UnsolvedRowsError, match="1 row of") as raised:
        migrate(CanonicalizeURLs("old", "url", on_invalid="null"))
    assert "  too long: " in str(raised.value)
    assert "unparsable: " not in str(raised.value)
    (line,) = caplog.messages
    assert line == (
        "wayinapp.Old.url: 2 rows read, 0 changed, 1 set to NULL, 0 merged into another row, 0 "
        "removed otherwise, 1 kept although they are not URLs or are too long. This is run "
        f"{newest()}. To undo it: manage.py canonicalize_urls --undo {newest()}"
    )


@pytest.mark.django_db(transaction=True)
def test_rows_that_a_choice_keeps_are_counted_too(caplog: pytest.LogCaptureFixture) -> None:
    """They are added to the rows without a choice."""
    for text in (BAD, "https://example.com/" + "é" * 500, "HTTPS://h"):
        Old.objects.create(url=text)
    with pytest.raises(UnsolvedRowsError, match="1 row of"):
        migrate(CanonicalizeURLs("old", "url", on_invalid="keep"))
    assert "2 kept although they are not URLs or are too long." in caplog.text


@pytest.mark.django_db(transaction=True)
def test_a_migration_that_changes_nothing_says_nothing(caplog: pytest.LogCaptureFixture) -> None:
    """As in a new database."""
    Old.objects.create(url="https://h/")
    migrate(CanonicalizeURLs("old", "url"))
    assert caplog.messages == []


@pytest.mark.django_db(transaction=True)
def test_a_limit_can_be_named() -> None:
    """The limit counts characters of the canonical form."""
    Old.objects.create(url="https://h:443/12345")
    with pytest.raises(UnsolvedRowsError, match="too long"):
        migrate(CanonicalizeURLs("old", "url", max_length=14))
    migrate(CanonicalizeURLs("old", "url", max_length=15))
    assert stored_texts(Old) == ["https://h/12345"]


@pytest.mark.django_db(transaction=True)
def test_one_row_needs_a_decision() -> None:
    """The message uses the singular."""
    Old.objects.create(url=BAD)
    with pytest.raises(UnsolvedRowsError, match=r"^1 row of wayinapp\.Old\.url needs a decision:"):
        migrate(CanonicalizeURLs("old", "url"), atomic=True)


@pytest.mark.django_db(transaction=True)
@pytest.mark.parametrize(
    ("choice", "advice"),
    [
        ("report", "Say what happens to them with on_duplicate, or fix the rows."),
        (
            "keep-oldest",
            (
                "on_duplicate could not merge some rows, for the reasons above. First change or "
                "delete by hand what prevents it, such as a one-to-one that refers to the row."
            ),
        ),
    ],
)
def test_the_advice_is_about_what_can_help(choice: str, advice: str) -> None:
    """Another choice does not help if both rows have a one-to-one."""
    for text in ("https://h:443", "https://h/"):
        Profile.objects.create(old=Old.objects.create(url=text))
    with pytest.raises(UnsolvedRowsError) as raised:
        migrate(CanonicalizeURLs("old", "url", on_duplicate=choice))
    last = str(raised.value).splitlines()[-1]
    assert last.partition(" lists them all. ")[2] == advice


@pytest.mark.django_db(transaction=True)
def test_the_advice_names_only_the_options_that_are_needed() -> None:
    """Options for other kinds of rows are left out."""
    Old.objects.create(url=BAD)
    with pytest.raises(
        UnsolvedRowsError, match=r"all\. Say what happens to them with on_invalid, or"
    ):
        migrate(CanonicalizeURLs("old", "url"))


def test_an_operation_is_written_as_it_was_made() -> None:
    """The import path never changes, and a function is written by its name."""
    operation = CanonicalizeURLs(
        "old", "url", on_duplicate=last_of, on_invalid="null", elidable=True, batch_size=7
    )
    name, args, kwargs = operation.deconstruct()
    again = CanonicalizeURLs(*args, **kwargs)
    assert again.deconstruct() == (name, args, kwargs)
    text, imports = OperationWriter(operation, indentation=0).serialize()
    assert "import django_whatwg_url.operations" in imports
    assert text.startswith("django_whatwg_url.operations.CanonicalizeURLs(")
    assert "batch_size=7" in text
    assert again.elidable
    assert again.reversible
    assert CanonicalizeURLs("old", "url").deconstruct()[2] == {}
    assert "canonicalize_old_url" in operation.migration_name_fragment
    migration = type("Migration", (migrations.Migration,), {"operations": [operation]})
    assert "last_of" in MigrationWriter(migration("0002", "wayinapp")).as_string()


@pytest.mark.parametrize(
    ("options", "error"),
    [({"on_duplicate": "best"}, ValueError), ({"dry_run": True}, TypeError)],
)
def test_options_that_make_no_sense_are_refused(options: Any, error: type[Exception]) -> None:
    """The error is raised when the migration is loaded."""
    with pytest.raises(error):
        CanonicalizeURLs("old", "url", **options)


OLD = models.URLField(unique=True)
NEW = CanonicalURLField(unique=True)
CREATE = migrations.CreateModel("Old", [("id", models.AutoField(primary_key=True)), ("url", OLD)])
ALTER = migrations.AlterField("old", "url", NEW)
CANONICALIZE = CanonicalizeURLs("Old", "url")


@pytest.mark.parametrize(
    ("operations", "found"),
    [
        ([CREATE, ALTER], [("old", "url")]),
        ([CREATE, CANONICALIZE, ALTER], []),
        ([CREATE, migrations.SeparateDatabaseAndState([CANONICALIZE]), ALTER], []),
        ([CREATE, ALTER, ALTER], [("old", "url")]),
        ([CREATE, migrations.AlterField("old", "url", models.TextField())], []),
        (
            [
                CREATE,
                migrations.RenameModel("Old", "Elder"),
                migrations.RenameField("elder", "url", "link"),
                migrations.AlterField("elder", "link", NEW),
            ],
            [("elder", "link")],
        ),
        ([migrations.CreateModel("Old", [("url", NEW)]), ALTER], []),
        ([CREATE, migrations.AddField("old", "more", NEW)], []),
    ],
)
def test_a_column_that_becomes_one_of_urls_as_it_is_is_found(
    operations: list[Any], found: list[Any]
) -> None:
    """The column may be renamed in between."""
    columns: dict[tuple[str, str], _Column] = {}
    assert list(_applied(operations, columns)) == found


@pytest.mark.django_db
def test_the_check_names_the_operation(django_assert_num_queries: DjangoAssertNumQueries) -> None:
    """It also names the constraint that defines duplicates."""
    change = migration_checks._Change("wayinapp", "old", "url", None)
    with django_assert_num_queries(0):
        (warning,) = migration_checks._check_change(change, "default")
    assert warning.id == "django_whatwg_url.W020"
    assert 'CanonicalizeURLs("old", "url")' in str(warning.hint)
    assert "The model has a unique constraint on (url)" in str(warning.hint)
    assert "unique_with=[]" in str(warning.hint)
    pending = migration_checks._Change("wayinapp", "old", "url", "0002_later")
    assert "in migration 0002_later" in next(migration_checks._check_change(pending, "default")).msg
    gone = migration_checks._Change("wayinapp", "old", "nothing", None)
    assert list(migration_checks._check_change(gone, "default")) == []


def test_no_check_opens_a_database_unless_it_is_named() -> None:
    """The tests refuse a connection here, and `runserver` and `makemigrations` need none."""
    assert check_changed_models() == []
    assert check_migrations() == []
    assert not [each for each in run_checks() if str(each.id).startswith("django_whatwg_url.W02")]


@pytest.mark.django_db
def test_a_field_that_no_migration_knows_yet_is_found(
    tmp_path: Path, settings: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Only the model has changed, as before `makemigrations` runs."""
    assert check_changed_models() == []
    first = type("Migration", (migrations.Migration,), {"operations": [CREATE]})
    text = MigrationWriter(first("0001_initial", "wayinapp")).as_string()
    package = tmp_path / "wayin_before"
    package.mkdir()
    (package / "__init__.py").write_text("")
    (package / "0001_initial.py").write_text(text)
    monkeypatch.syspath_prepend(str(tmp_path))
    settings.MIGRATION_MODULES = {**settings.MIGRATION_MODULES, "wayinapp": package.name}
    field: Any = Old._meta.get_field("url")
    now = CanonicalURLField(unique=True, null=True, max_length=700)
    now.set_attributes_from_name("url")
    now.model = Old
    others = [other for other in Old._meta.local_fields if other is not field]
    options = SimpleNamespace(
        app_label="wayinapp",
        app_config=apps.get_app_config("wayinapp"),
        local_fields=[*others, now],
        model_name="old",
        label="wayinapp.Old",
    )
    changed = SimpleNamespace(_meta=options)
    config = apps.get_app_config("wayinapp")
    monkeypatch.setattr(apps, "get_models", lambda: [changed])
    monkeypatch.setattr(config, "get_models", lambda: [changed])
    (warning,) = check_changed_models()
    assert "wayinapp.Old.url becomes a CanonicalURLField, without" in warning.msg


@pytest.mark.django_db
@pytest.mark.parametrize(
    ("model", "hint"),
    [
        ("paired", "The model has a unique constraint on (owner, url)"),
        ("paired", "unique_with=['owner']."),
        ("loose", "The model has no unique constraint with the URL."),
        ("loose", "merge rows: see unique_with."),
        ("saved", 'unique_with=["owner"], for example.'),
    ],
)
def test_the_check_knows_the_constraints_of_the_model(model: str, hint: str) -> None:
    """So its hint does not cause the rows of two owners to be merged."""
    change = migration_checks._Change("wayinapp", model, "url", None)
    (warning,) = migration_checks._check_change(change, "default")
    assert hint in str(warning.hint)
