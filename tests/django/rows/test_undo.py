"""Tests of the records of a run, and of ``--undo``."""

from __future__ import annotations

import datetime as dt
import json
import traceback
from decimal import Decimal
from io import StringIO
from typing import Any

import pytest
from django.contrib.contenttypes.models import ContentType
from django.core.management import CommandError, call_command
from django.db import OperationalError, connection, transaction
from django.test.utils import CaptureQueriesContext

from django_whatwg_url.operations import CanonicalizeURLs
from django_whatwg_url.rows import journal
from django_whatwg_url.rows import undo as undoing
from django_whatwg_url.rows.report import undo_command
from django_whatwg_url.rows.table import Table
from tests.django.rows.running import run, undo
from tests.django.rows.test_choices import BAD, SPELLINGS
from tests.django.rows.test_operation import migrate
from tests.django.servers import only_postgresql
from tests.django.stored import stored_texts
from tests.django.wayinapp.models import (
    ByURL,
    Cited,
    Clicked,
    Keyed,
    Label,
    Loose,
    Note,
    Old,
    Person,
    Place,
    PointsAtURL,
    Profile,
    Rich,
    Saved,
    Shelf,
    Visit,
    Whole,
)

pytestmark = pytest.mark.django_db

TABLES = (
    Old, Visit, Profile, Shelf, Place, Cited, Note, Label, Loose, Whole, Saved, Clicked, Person,
    Keyed, ByURL, PointsAtURL, Rich, Old.labels.through, Saved.tags.through,
)  # fmt: skip


def everything() -> dict[str, list[Any]]:
    """Return all rows of all tables, with the values of the database."""
    found = {}
    with connection.cursor() as cursor:
        for model in TABLES:
            key = connection.ops.quote_name(str(model._meta.pk.column))
            cursor.execute(f"SELECT * FROM {model._meta.db_table} ORDER BY {key}")
            found[model.__name__] = cursor.fetchall()
    return found


@pytest.fixture
def merged() -> dict[str, list[Any]]:
    """Return the tables before a run that merges three rows with everything that refers to them."""
    three = [Old.objects.create(url=text) for text in SPELLINGS]
    for row in (*three, three[2]):
        Visit.objects.create(old=row)
    Profile.objects.create(old=three[2])
    labels = [Label.objects.create(name=name) for name in "abc"]
    three[0].labels.set(labels[:1])
    three[1].labels.set(labels[:2])
    three[2].labels.set(labels)
    Place.objects.create(shelf=Shelf.objects.create(), old=three[2], number=7)
    content_type = ContentType.objects.get_for_model(Old)
    Note.objects.create(content_type=content_type, object_id=str(three[2].pk))
    Cited.objects.create(old=three[1])
    Cited.objects.create(old=three[2])
    Old.objects.create(url="HTTPS://bücher.example/")
    return everything()


@pytest.mark.parametrize("after", range(6))
def test_an_undo_that_is_interrupted_can_be_run_again(
    merged: dict[str, list[Any]], after: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Changes that were undone before the interruption are not needed the second time."""
    run("Old.url", on_duplicate="keep-oldest")
    monkeypatch.setattr(undoing, "_BATCH_SIZE", 3)
    whole = Table.transaction
    begun = 0

    def interrupted(table: Table) -> Any:
        nonlocal begun
        begun += 1
        if begun > after:
            raise KeyboardInterrupt
        return whole(table)

    with monkeypatch.context() as patched:
        patched.setattr(Table, "transaction", interrupted)
        with pytest.raises(KeyboardInterrupt):
            undo()
    assert after or everything() != merged
    assert " 0 changed since, 0 refused" in undo()
    assert everything() == merged


@pytest.mark.parametrize("policy", ["keep-oldest", "keep-newest", "keep-most-referenced"])
@pytest.mark.parametrize("size", [1, 1000])
def test_a_run_can_be_undone_whole(merged: dict[str, list[Any]], policy: str, size: int) -> None:
    """It restores rows, spellings and all kinds of references."""
    run("Old.url", on_duplicate=policy, batch_size=size)
    assert Old.objects.count() == 2
    assert " 0 changed since, 0 refused" in undo()
    assert everything() == merged
    assert ": 0 changes undone" in undo()
    assert everything() == merged


def test_merged_rows_come_back_with_few_statements(monkeypatch: pytest.MonkeyPatch) -> None:
    """If one of them cannot, they come back one by one."""
    for number in range(120):
        row = Old.objects.create(url=f"https://h{number // 2}.example{'/' * (number % 2)}")
        Visit.objects.create(old=row)
    before = everything()
    cursor, count = Table._cursor, 0

    def counted(table: Table) -> Any:
        nonlocal count
        count += 1
        return cursor(table)

    run("Old.url", on_duplicate="keep-oldest")
    monkeypatch.setattr(Table, "_cursor", counted)
    assert " 0 changed since, 0 refused" in undo()
    assert everything() == before
    few, count = count, 0
    run("Old.url", on_duplicate="keep-oldest")
    count = 0
    Visit.objects.latest("pk").delete()
    assert " 1 changed since, 0 refused" in undo()
    assert few < 60 < count
    assert Old.objects.count() == 120


@only_postgresql
def test_the_changes_of_a_unit_are_found_by_the_index() -> None:
    """PostgreSQL may not have analyzed the journal. Then it would read the whole run each time."""
    Old.objects.bulk_create(
        Old(url=f"https://h{number // 2}.example{'/' * (number % 2)}") for number in range(1000)
    )
    run("Old.url", on_duplicate="keep-oldest")
    with CaptureQueriesContext(connection) as captured:
        undo()
    wanted = [query["sql"] for query in captured if '"unit"' in query["sql"].partition("WHERE")[2]]
    assert wanted
    with connection.cursor() as cursor:
        for sql in wanted:
            cursor.execute(f"EXPLAIN {sql}")
            assert any("Index Cond: " in line and "unit" in line for (line,) in cursor.fetchall())


def test_rows_that_cannot_be_merged_at_once_can_be_undone_too(merged: dict[str, Any]) -> None:
    """They are merged one by one, after an attempt that was rolled back."""
    first, second, *_others = Old.objects.order_by("pk")
    Profile.objects.create(old=first)
    Old.objects.filter(pk=first.pk).update(twin=second)
    before = everything()
    run("Old.url", on_duplicate="keep-oldest")
    assert everything() != before
    undo()
    assert everything() == before


@pytest.mark.parametrize("policy", ["null", "delete"])
def test_what_was_done_about_bad_text_is_undone(policy: str) -> None:
    """So is everything that Django has deleted with a row."""
    row = Old.objects.create(url=BAD, original="was here")
    Old.objects.create(url="https://h/", twin=row)
    row.labels.add(Label.objects.create(name="a"))
    Visit.objects.create(old=row)
    Cited.objects.create(old=row)
    before = everything()
    if policy != "delete":
        Cited.objects.all().delete()
        before = everything()
    run("Old.url", on_invalid=policy)
    assert everything() != before
    assert " 0 changed since, 0 refused" in undo()
    assert everything() == before


def test_a_key_that_is_set_to_null_is_undone() -> None:
    """The key referred to a row that Django has deleted."""
    Clicked.objects.create(saved=Saved.objects.create(url=BAD))
    before = everything()
    run("Saved.url", on_invalid="delete")
    assert Clicked.objects.get().saved is None
    undo()
    assert everything() == before


def test_columns_of_every_type_come_back() -> None:
    """They have exactly the same values in the database."""
    for text in ("https://h:443/", "https://h/"):
        Rich.objects.create(
            url=text, price=Decimal("12.50"), moment=dt.datetime(2026, 1, 2, 3, 4, 5, 6, dt.UTC),
            day=dt.date(2026, 1, 2), took=dt.timedelta(days=3, microseconds=5), is_on=True,
            data={"ü": [1, None, {"hex": "00"}]}, raw=b"\x00\xff", ratio=0.1,
        )  # fmt: skip
    before = everything()
    run("Rich.url", on_duplicate="keep-newest")
    assert Rich.objects.count() == 1
    undo()
    assert everything() == before
    assert all(row.data == {"ü": [1, None, {"hex": "00"}]} for row in Rich.objects.all())


def test_a_key_that_is_a_url_comes_back() -> None:
    """Its references are restored too."""
    for text in ("http://zzz:80/", "http://zzz/", "http://aaa/x/.."):
        PointsAtURL.objects.create(by=ByURL.objects.create(url=text))
    before = everything()
    run("ByURL.url", on_duplicate="keep-oldest")
    assert stored_texts(ByURL) == ["http://aaa/", "http://zzz/"]
    undo()
    assert everything() == before


def test_a_child_by_multi_table_inheritance_comes_back_with_its_parent() -> None:
    """They are two rows."""
    Whole.objects.create(url="no url", extra="more")
    before = everything()
    run("Loose.url", on_invalid="delete")
    assert not Loose.objects.exists()
    undo()
    assert everything() == before


@pytest.mark.django_db(transaction=True)
def test_rows_that_refer_to_each_other_come_back() -> None:
    """The row that another refers to is first, because databases check this after each row."""
    first, second, third = (Old.objects.create(url=text) for text in SPELLINGS)
    Old.objects.filter(pk=third.pk).update(twin=second)
    before = everything()
    assert run("Old.url", on_duplicate="keep-oldest")[third.pk]["outcome"] == "merged"
    assert Old.objects.get() == first
    assert "4 changes undone" in undo()
    assert everything() == before


@pytest.fixture
def in_a_circle() -> list[Old]:
    """Return a row to keep and five to merge: three in a circle, and two that refer to it."""
    texts = (*SPELLINGS, "https:h", "https:/h", "https:///h")
    rows = [Old.objects.create(url=text) for text in texts]
    for source, target in ((1, 2), (2, 3), (3, 1), (4, 1), (5, 4)):
        Old.objects.filter(pk=rows[source].pk).update(twin=rows[target])
    rows[3].labels.add(Label.objects.create(name="a"))
    Visit.objects.create(old=rows[2])
    return rows


@pytest.mark.django_db(transaction=True)
def test_rows_that_refer_to_each_other_in_a_circle_come_back(in_a_circle: list[Old]) -> None:
    """A database refuses each of them by itself."""
    before = everything()
    run("Old.url", on_duplicate="keep-oldest")
    assert Old.objects.get() == in_a_circle[0]
    for expected in ("13 changes undone, 0 not needed", "0 changes undone, 0 not needed"):
        assert f"{expected}, 0 changed since, 0 refused" in undo()
        assert everything() == before


@pytest.mark.django_db(transaction=True)
def test_a_circle_without_one_of_its_rows_is_refused_whole(in_a_circle: list[Old]) -> None:
    """The references to its rows are not moved back."""
    run("Old.url", on_duplicate="keep-oldest")
    taken = Old.objects.create(url=in_a_circle[2].url)
    assert "1 changes undone, 0 not needed, 0 changed since, 12 refused" in undo()
    assert {*Old.objects.all()} == {in_a_circle[0], taken}
    assert Visit.objects.get().old == Old.objects.get(labels__name="a") == in_a_circle[0]


def test_what_was_changed_since_stays(merged: dict[str, Any]) -> None:
    """It is reported, without texts."""
    Cited.objects.all().delete()
    run("Old.url", on_duplicate="keep-oldest")
    kept = Old.objects.order_by("pk")[0]
    Old.objects.filter(pk=kept.pk).update(url="https://u:secret@new/")
    visit = Visit.objects.order_by("pk")[1]
    visit.old = Old.objects.order_by("pk")[1]
    visit.save()
    out = undo(report="-", stderr=StringIO())
    left = [json.loads(line) for line in out.splitlines()]
    assert {(line["model"], line["key"]["id"]) for line in left} == {
        ("wayinapp.old", kept.pk),
        ("wayinapp.visit", visit.pk),
    }
    assert "secret" not in out
    assert " 2 changed since" in undo()
    assert Old.objects.get(pk=kept.pk).url == "https://u:secret@new/"
    visit.refresh_from_db()
    assert visit.old_id not in {kept.pk, None}


def test_what_was_changed_since_can_be_undone_later() -> None:
    """The removed row was restored the first time, and then got its old spelling back."""
    removed, kept = (Old.objects.create(url=f"https://h:443/{dot}") for dot in ("", "."))
    visit = Visit.objects.create(old=removed)
    other = Old.objects.create(url="https://other/")
    before = everything()
    run("Old.url", on_duplicate="keep-newest")
    Visit.objects.filter(pk=visit.pk).update(old=other)
    assert " 1 changed since" in undo()
    Visit.objects.filter(pk=visit.pk).update(old=kept)
    assert " 0 changed since, 0 refused" in undo()
    assert everything() == before


def test_a_row_that_cannot_come_back_leaves_its_references(merged: dict[str, Any]) -> None:
    """Another row has its URL now."""
    run("Old.url", on_duplicate="keep-oldest")
    Old.objects.create(url=SPELLINGS[2])
    out = undo()
    refused = merged["Old"][2][0]
    assert f"wayinapp.old {refused}: a constraint does not allow it" in out
    assert "10 refused" in out
    connection.check_constraints()
    assert Visit.objects.filter(old=Old.objects.order_by("pk")[0]).count() == 3


@pytest.mark.django_db(transaction=True)
@pytest.mark.parametrize("atomic", [True, False])
def test_a_migration_can_be_undone(atomic: bool) -> None:
    """It works like a run of the command."""
    for text in SPELLINGS:
        Visit.objects.create(old=Old.objects.create(url=text))
    before = everything()
    migrate(CanonicalizeURLs("Old", "url", on_duplicate="keep-newest"), atomic=atomic)
    assert Old.objects.count() == 1
    assert " 0 refused" in undo()
    assert everything() == before


@pytest.mark.django_db(transaction=True)
def test_a_run_that_was_rolled_back_leaves_nothing_to_undo() -> None:
    """Its record is in the same transaction."""
    runs = journal.runs("default")
    for text in (*SPELLINGS, BAD):
        Old.objects.create(url=text)
    before = everything()
    with transaction.atomic():
        run("Old.url", on_duplicate="keep-oldest")
        transaction.set_rollback(True)
    assert everything() == before
    assert journal.runs("default") == runs


@pytest.mark.django_db(transaction=True)
def test_an_error_that_breaks_the_transaction_is_told(
    merged: dict[str, Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Such as a full disk. The error of the next query would not say why."""
    run("Old.url", on_duplicate="keep-oldest")
    after = everything()

    def fail(*_args: object, **_kwargs: object) -> None:
        raise OperationalError("the disk is full")

    with monkeypatch.context() as patch:
        patch.setattr(Table, "insert_rows", fail)
        patch.setattr(connection, "savepoint_rollback", fail)
        with pytest.raises(CommandError, match="the disk is full"):
            undo()
    assert everything() == after
    undo()
    assert everything() == merged


def test_the_command_to_undo_names_the_database() -> None:
    """This is needed unless it is the default database."""
    assert undo_command(7, "other") == "manage.py canonicalize_urls --undo 7 --database other"


def test_text_with_any_line_separator_comes_back() -> None:
    """The serializer does not escape them, and a line of the file is one line."""
    title = "a\u2028b\u0085c\r\nd\x1e\u202e"
    for text in ("https://h:443/", "https://h/"):
        Saved.objects.create(url=text, title=title)
    before = everything()
    run("Saved.url", on_duplicate="keep-newest", unique_with=[])
    assert Saved.objects.count() == 1
    undo()
    assert everything() == before


def rename(column: str, name: str) -> None:
    """Rename a column of the table of `Visit`."""
    with connection.cursor() as cursor:
        cursor.execute(f"ALTER TABLE wayinapp_visit RENAME COLUMN {column} TO {name}")


# MariaDB commits when a table is altered, so the next test would find the rows.
@pytest.mark.django_db(transaction=True)
def test_a_table_without_a_column_is_found_before_anything_is_changed(
    merged: dict[str, Any],
) -> None:
    """This happens if a migration was undone first. With the column, the undo works."""
    run("Old.url", on_duplicate="keep-oldest")
    after = everything()
    rename("old_id", "was_old_id")
    try:
        with pytest.raises(CommandError, match=r"have no wayinapp_visit\.old_id\. Undo the rows"):
            undo()
    finally:
        rename("was_old_id", "old_id")
    assert everything() == after
    undo()
    assert everything() == merged


def test_an_error_of_the_database_is_shown_without_values(monkeypatch: pytest.MonkeyPatch) -> None:
    """The error has a cause only if that shows no values either."""
    from django_whatwg_url.management.commands import canonicalize_urls

    Old.objects.create(url="HTTPS://example.com")
    for message, shown, has_cause in [
        ("no such column: wayinapp_old.url", "no such column: wayinapp_old.url", True),
        ('column "url" does not exist', 'column "url" does not exist', True),
        ("Duplicate entry 'https://u:secret@h/' for key 'x'", "Duplicate entry … for key …", False),
        (
            'duplicate key value violates unique constraint "k"\nDETAIL:  Key (url)=(secret).',
            "duplicate key value violates unique constraint …",
            False,
        ),
        ("got https://u:secret@h/ here", "got https://***:***@h/ here", False),
        ("value 'it''s secret", "value …", False),
    ]:

        def fail(*_args: object, message: str = message, **_kwargs: object) -> None:
            raise OperationalError(message)

        monkeypatch.setattr(canonicalize_urls.Command, "_canonicalize", fail)
        with pytest.raises(CommandError) as caught:
            call_command("canonicalize_urls", "wayinapp.Old.url")
        assert str(caught.value) == f"Database error: OperationalError: {shown}."
        assert (caught.value.__cause__ is not None) is has_cause
        assert "secret" not in "".join(traceback.format_exception(caught.value))
