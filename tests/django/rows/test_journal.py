"""Tests of recorded runs and of their list."""

from __future__ import annotations

import datetime as dt
import json
import os
import subprocess
import sys
import tempfile
from decimal import Decimal
from io import StringIO
from pathlib import Path
from typing import Any
from uuid import UUID

import pytest
from django.apps import apps
from django.contrib.auth.models import Permission, User
from django.core.management import CommandError, call_command
from django.db import connection, models
from django.db.models import F
from django.test.utils import isolate_apps

from django_whatwg_url.rows import journal
from django_whatwg_url.rows.journal import Change, Run
from django_whatwg_url.rows.options import Options
from tests.django.rows.running import newest, run, undo
from tests.django.rows.test_choices import BAD, SPELLINGS
from tests.django.rows.test_undo import everything
from tests.django.servers import created
from tests.django.stored import stored_texts
from tests.django.wayinapp.models import (
    Cited,
    Label,
    Loose,
    Old,
    Paired,
    Person,
    Place,
    Saved,
    Shelf,
    Ticket,
    Used,
    Visit,
)

pytestmark = pytest.mark.django_db

ROOT = Path(__file__).resolve().parents[3]


def command(*labels: str, **options: Any) -> str:
    """Run the command, and return what it prints."""
    out = StringIO()
    call_command("canonicalize_urls", *labels, stdout=out, stderr=StringIO(), **options)
    return out.getvalue()


# The list.


def test_runs_are_listed_the_newest_first_and_can_be_forgotten() -> None:
    """Each line begins with the number, and none shows a password."""
    for text in ("https://u:secret@h:443/", "https://u:secret@exa mple/"):
        Old.objects.create(url=text)
    Loose.objects.create(url="HTTPS://h")
    run("Old.url", on_invalid="null")
    run("Loose.url")
    lines = command(runs=True).splitlines()
    first, second = newest() - 1, newest()
    assert [int(line.split()[0]) for line in lines[:2]] == [second, first]
    assert "wayinapp.Loose.url: 1 rows read, 1 changed" in lines[0]
    assert "2 changes and 0 removed rows to undo" in lines[1]
    assert "secret" not in "".join(lines)
    assert command("wayinapp.Loose.url", runs=True).splitlines() == lines[:1]
    assert command(forget=[str(second)]) == "1 runs forgotten.\n"
    assert newest() == first
    with pytest.raises(CommandError, match=f"There is no run {second}"):
        undo(second)
    assert command(older_than=1) == "0 runs forgotten.\n"
    Run.objects.filter(pk=first).update(started="2020-01-02T03:04:05.000006Z")
    assert command(older_than=1) == "1 runs forgotten.\n"
    assert not Change.objects.filter(run=first).exists()
    assert stored_texts(Old) == ["https://u:secret@h/", None]


def test_a_run_that_changes_nothing_is_not_kept() -> None:
    """Neither is a dry run."""
    before = journal.runs("default")
    Old.objects.create(url="https://h/")
    Old.objects.create(url=BAD)
    run("Old.url")
    Old.objects.create(url="https://h:443/x")
    run("Old.url", dry_run=True)
    assert journal.runs("default") == before


def test_several_columns_are_one_run() -> None:
    """They have one summary, whose lines name the column, and one undo."""
    Loose.objects.create(url="HTTPS://l")
    row = Old.objects.create(url=BAD)
    Old.objects.create(url="HTTPS://o")
    before = everything()
    out = StringIO()
    call_command(
        "canonicalize_urls", "wayinapp.Loose.url", "wayinapp.Old", report="-", stdout=out,
        stderr=StringIO(),
    )  # fmt: skip
    lines = [json.loads(line) for line in out.getvalue().splitlines()]
    assert [(line["column"], line["outcome"]) for line in lines] == [
        ("wayinapp.Loose.url", "changed"),
        ("wayinapp.Old.url", "unparsable"),
        ("wayinapp.Old.url", "changed"),
    ]
    assert "wayinapp.Loose.url, wayinapp.Old.url: 3 rows read, 2 changed" in command(runs=True)
    undo()
    assert everything() == before
    text = command("wayinapp", dry_run=True)
    assert text.startswith("wayinapp.Old.url: ")  # The only URLField of the app.
    assert f"unparsable: {row.pk}: " in text
    with pytest.raises(CommandError, match="unique_with"):
        command("wayinapp.Old.url", "wayinapp.Loose.url", unique_with=["original"])
    assert everything() == before


def test_several_runs_are_undone_in_the_right_order() -> None:
    """The order of the arguments does not matter. Undoing an older run keeps a newer one."""
    first = Old.objects.create(url="example.com")
    before = everything()
    run("Old.url", on_invalid="null")
    Old.objects.filter(pk=first.pk).update(url="HTTPS://EXAMPLE.com")
    between = everything()
    run("Old.url")
    numbers = newest() - 1, newest()
    assert "1 changed since" in undo(numbers[0])
    out = undo(*numbers)
    assert out.index(f"Run {numbers[1]}:") < out.index(f"Run {numbers[0]}:")
    assert everything() == between
    Old.objects.filter(pk=first.pk).update(url=None)
    assert "1 changes undone" in undo(numbers[0])
    assert everything() == before
    assert f"{numbers[0]}  " in command(runs=True)
    assert "undone 2" in command(runs=True)


# Keys that were taken meanwhile.


@pytest.fixture
def two_owners() -> tuple[Saved, Saved, Person]:
    """Return the row that was kept, the row that was merged into it, and another owner."""
    a, b = Person.objects.create(name="a"), Person.objects.create(name="b")
    kept, merged = (Saved.objects.create(owner=a, url=text) for text in SPELLINGS[:2])
    merged.tags.add(Label.objects.create(name="tag"))
    run("Saved.url", on_duplicate="keep-oldest", unique_with=["owner"])
    return kept, merged, b


def test_nothing_of_a_row_is_attached_to_another_with_its_key(
    two_owners: tuple[Saved, Saved, Person],
) -> None:
    """Its references are only restored when the key is free again, together with the row."""
    kept, merged, b = two_owners
    taken = Saved.objects.create(pk=merged.pk, owner=b, url=SPELLINGS[1], title="of b")
    out = undo()
    assert "another row has its key" in out
    taken.refresh_from_db()
    assert (taken.owner, taken.title, taken.url) == (b, "of b", SPELLINGS[1])
    assert not taken.tags.exists()
    assert kept.tags.count() == 1
    taken.delete()
    assert " 0 changed since, 0 refused" in undo()
    assert Saved.objects.get(pk=merged.pk).tags.count() == 1
    assert not kept.tags.exists()


def test_a_text_is_not_given_to_another_owner_whose_row_has_the_key() -> None:
    """Both rows have NULL, but their owners differ."""
    row = Paired.objects.create(owner=1, url="HTTPS://a")
    run("Paired.url")
    row.delete()
    Paired.objects.create(pk=row.pk, owner=2, url="https://a/")
    assert "1 changed since" in undo()
    assert stored_texts(Paired) == ["https://a/"]


def test_a_row_that_refers_to_a_row_that_is_gone_is_not_restored() -> None:
    """Its owner was deleted meanwhile, and its references are not attached to another row."""
    person = Person.objects.create(name="a")
    for text in SPELLINGS[:2]:
        Saved.objects.create(owner=person, url=text)
    run("Saved.url", on_duplicate="keep-oldest", unique_with=[])
    Saved.objects.update(owner=None)
    person.delete()
    out = undo()
    assert "'owner' refers to is gone" in out or connection.vendor == "mysql"
    assert Saved.objects.count() == 1
    connection.check_constraints()


def test_a_change_since_does_not_keep_the_rest_from_being_undone() -> None:
    """A second undo completes it after a fix, and does not confuse another row with the first."""
    rows = [Old.objects.create(url=text) for text in SPELLINGS[:2]]
    visits = [Visit.objects.create(old=rows[1]) for _ in range(2)]
    before = everything()
    run("Old.url", on_duplicate="keep-oldest")
    elsewhere = Old.objects.create(url="https://elsewhere/")
    Visit.objects.filter(pk=visits[0].pk).update(old=elsewhere)
    assert " 1 changed since, 0 refused" in undo()
    assert Visit.objects.get(pk=visits[1].pk).old == rows[1]
    Visit.objects.filter(pk=visits[0].pk).update(old=rows[0])
    Old.objects.filter(pk=rows[1].pk).update(created="2026-01-02")
    assert "another row has its key" in undo()
    Old.objects.filter(pk=rows[1].pk).update(created=None)
    assert " 0 changed since, 0 refused" in undo()
    elsewhere.delete()
    assert everything() == before


def test_references_by_value_and_through_models_come_back() -> None:
    """There is a foreign key to a unique column, and a row of a through model."""
    rows = [Ticket.objects.create(url=text, code=text[-3:]) for text in SPELLINGS]
    for row in rows:
        Used.objects.create(ticket=row)
    shelf = Shelf.objects.create()
    olds = [Old.objects.create(url=text) for text in SPELLINGS]
    for old in olds[1:]:
        Cited.objects.create(old=old)
    Place.objects.create(shelf=shelf, old=olds[2], number=3)
    before = everything(), [*Used.objects.order_by("pk").values_list()]
    run("Ticket.url", on_duplicate="keep-newest", unique_with=[])
    run("Old.url", on_duplicate="keep-newest")
    assert Ticket.objects.count() == Old.objects.count() == 1
    undo(newest(), newest() - 1)
    assert (everything(), [*Used.objects.order_by("pk").values_list()]) == before


# Changes that no run has recorded.


@pytest.mark.parametrize(
    ("column", "text"),
    [
        ("key", "{}"),
        ("key", "[]"),
        ("key", '{"id": 12345678901234567890123}'),
        ("key", '{"id": {"what": 1, "else": 2}}'),
        ("key", "1" * 5_000),
        ("before", "null"),
        ("before", "{"),
        ("before", "[" * 100_000),
        ("after", '"text"'),
        ("after", '{"password": "x"}'),
    ],
)
def test_a_damaged_change_is_an_error_before_anything_is_undone(column: str, text: str) -> None:
    """It has one clear message, and the other changes are not undone either."""
    for number in range(3):
        Old.objects.create(url=f"HTTPS://h{number}")
    run("Old.url")
    before = everything()
    changed = Change.objects.filter(run=newest()).order_by("pk")[1]
    Change.objects.filter(pk=changed.pk).update(**{column: text})
    with pytest.raises(CommandError, match=f"change {changed.pk} in the journal is damaged"):
        undo()
    assert everything() == before


def test_a_run_changes_only_models_that_refer_to_its_own() -> None:
    """Someone has written a change of the users into the journal."""
    user = User.objects.create(username="someone")
    Old.objects.create(url="HTTPS://h")
    run("Old.url")
    Change.objects.filter(run=newest()).update(
        model="auth.user",
        key=json.dumps({"id": user.pk}),
        before=json.dumps({"is_superuser": True}),
        after=json.dumps({"is_superuser": False}),
    )
    with pytest.raises(CommandError, match=r"changes of auth\.user, which the run"):
        undo()
    user.refresh_from_db()
    assert not user.is_superuser


def test_a_row_that_is_gone_is_not_said_to_be_changed() -> None:
    """It referred to the row that was merged."""
    rows = [Old.objects.create(url=text) for text in SPELLINGS[:2]]
    visit = Visit.objects.create(old=rows[1])
    run("Old.url", on_duplicate="keep-oldest")
    visit.delete()
    assert "the row has been removed" in undo()


# Files.


def test_a_report_never_overwrites_a_file(tmp_path: Path) -> None:
    """This applies to a run, a dry run and an undo. Only the owner can read the file."""
    Old.objects.create(url="https://h:443/")
    path = tmp_path / "report"
    run_options: list[dict[str, Any]] = [{}, {"dry_run": True}]
    path.write_text("mine")
    for options in run_options:
        with pytest.raises(CommandError, match="exists already"):
            command("wayinapp.Old.url", report=str(path), **options)
    assert stored_texts(Old) == ["https://h:443/"]
    run("Old.url")
    with pytest.raises(CommandError, match="exists already"):
        undo(report=str(path))
    assert path.read_text() == "mine"
    assert stored_texts(Old) == ["https://h/"]
    undo(report=str(tmp_path / "undone"))
    assert (tmp_path / "undone").stat().st_mode & 0o777 == 0o600
    with pytest.raises(CommandError):
        command("wayinapp.Old.url", report="/dev/full")


FULL = """
import resource, sys, django
django.setup()
from django.core.management import call_command, CommandError
from tests.django.wayinapp.models import Loose
call_command("migrate", run_syncdb=True, verbosity=0)
Loose.objects.bulk_create(Loose(url=f"HTTPS://example.com/{n}") for n in range(500))
resource.setrlimit(resource.RLIMIT_FSIZE, (4096, 4096))
try:
    call_command("canonicalize_urls", "wayinapp.Loose.url", report=sys.argv[1], batch_size=100)
except CommandError as error:
    print(error)
done = Loose.objects.filter(url__startswith="https:").count()
call_command("canonicalize_urls", "wayinapp.Loose.url", verbosity=0)
print(done, Loose.objects.filter(url__startswith="https:").count())
"""


@pytest.mark.skipif(sys.platform == "win32", reason="needs RLIMIT_FSIZE")
def test_a_full_disk_ends_a_run_with_an_error(tmp_path: Path) -> None:
    """Finished batches are stored, and the next run handles the rest."""
    environment = {
        **os.environ,
        "WEBURL_TEST_DATABASE": "sqlite://",
        "DJANGO_SETTINGS_MODULE": "tests.django.settings",
        "PYTHONPATH": os.pathsep.join([str(ROOT / "src"), str(ROOT), str(ROOT / "docs" / "demo")]),
    }
    done = subprocess.run(
        [sys.executable, "-c", FULL, str(tmp_path / "report")],
        check=True, env=environment, capture_output=True, text=True,
    )  # fmt: skip
    error, counts = done.stdout.splitlines()
    assert "File too large" in error
    assert counts.split()[1] == "500"
    assert int(counts.split()[0]) % 100 == 0
    assert "Traceback" not in done.stderr


HEAD = """
import django, sys
django.setup()
from django.core.management import call_command
from tests.django.wayinapp.models import Loose
call_command("migrate", run_syncdb=True, verbosity=0)
Loose.objects.bulk_create(Loose(url=f"no url {n}") for n in range(20_000))
call_command("canonicalize_urls", "wayinapp.Loose.url", report="-", batch_size=100, verbosity=0)
"""


def test_a_report_into_a_program_that_ends_is_no_error() -> None:
    """As in ``canonicalize_urls … | head``."""
    environment = {
        **os.environ,
        "WEBURL_TEST_DATABASE": "sqlite://",
        "DJANGO_SETTINGS_MODULE": "tests.django.settings",
        "PYTHONPATH": os.pathsep.join([str(ROOT / "src"), str(ROOT), str(ROOT / "docs" / "demo")]),
    }
    with subprocess.Popen(
        [sys.executable, "-c", HEAD],
        env=environment, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
    ) as program:  # fmt: skip
        assert program.stdout is not None and program.stderr is not None
        assert program.stdout.readline().startswith("{")
        program.stdout.close()
        assert program.stderr.read() == ""
        assert program.wait() == 141


def test_a_run_needs_no_directory_that_can_be_written(monkeypatch: pytest.MonkeyPatch) -> None:
    """A container may have neither a writable current directory nor one for temporary files."""

    def nowhere() -> str:
        raise FileNotFoundError("No usable temporary directory found")

    monkeypatch.setattr(tempfile, "gettempdir", nowhere)
    for text in SPELLINGS:
        Old.objects.create(url=text)
    before = everything()
    run("Old.url", on_duplicate="keep-oldest")
    assert stored_texts(Old) == ["https://h/"]
    undo()
    assert everything() == before


# Values of all kinds.


@pytest.mark.django_db(transaction=True)
@isolate_apps("tests.django.wayinapp")
def test_a_table_with_odd_names_and_values_comes_back(monkeypatch: pytest.MonkeyPatch) -> None:
    """It has names that are not ASCII or are keywords, a key to itself, and extreme values."""

    class Size(models.Model):
        select = models.URLField(max_length=300, db_column="där url")
        group = models.IntegerField(null=True, db_column="order")
        self_ref: Any = models.ForeignKey(
            "self", null=True, on_delete=models.CASCADE, db_column="ré f"
        )
        price = models.DecimalField(max_digits=30, decimal_places=10, null=True, db_column="€")
        raw = models.BinaryField(null=True)
        moment = models.DateTimeField(null=True)
        time = models.TimeField(null=True)
        took = models.DurationField(null=True)
        data = models.JSONField(null=True)
        ratio = models.FloatField(null=True)
        number = models.BigIntegerField(null=True)
        token = models.UUIDField(null=True)
        text = models.TextField(null=True)  # noqa: DJ001
        small = models.SmallIntegerField(default=1)
        doubled = models.GeneratedField(
            expression=F("small") * 2, output_field=models.IntegerField(), db_persist=True
        )

        class Meta:
            app_label = "wayinapp"
            db_table = "tabelle ß"
            constraints = (
                models.UniqueConstraint(fields=["select", "group"], name="größe_einmal"),
            )

    def stored() -> list[Any]:
        with connection.cursor() as cursor:
            cursor.execute(
                f"SELECT * FROM {connection.ops.quote_name(Size._meta.db_table)} ORDER BY id"
            )
            return list(cursor.fetchall())

    monkeypatch.setitem(apps.all_models["wayinapp"], "size", Size)
    apps.clear_cache()
    rows_of: Any = models.QuerySet  # The type checker does not find the manager.
    with created(Size):
        texts = ["https://h/", "HTTPS://h", "https://h:443/", "no url"]
        rows = [rows_of(Size).create(select=text, group=1, small=n) for n, text in enumerate(texts)]
        rows_of(Size).filter(pk=rows[1].pk).update(
            self_ref=rows[2], price=Decimal("12345678901234567890.0123456789"),
            raw=bytes(range(256)), moment=dt.datetime(1, 1, 2, 3, 4, 5, 6, dt.UTC)
            if connection.vendor != "mysql" else dt.datetime(2026, 1, 2, 3, 4, 5, 6, dt.UTC),
            time=dt.time(23, 59, 59, 999_999), took=dt.timedelta(-3, 1, 5),
            data={"ü": [1.5, None, "\u2028", {"hex": "00"}]}, ratio=1e-310, number=-(2**63),
            token=UUID(int=1), text="\u2028\r\n\t'\"\\%s{}" + "ä" * 70_000,
        )  # fmt: skip
        rows_of(Size).filter(pk=rows[2].pk).update(self_ref=rows[1])
        rows_of(Size).filter(pk=rows[3].pk).update(self_ref=rows[3], text="x" * 2_000_000)
        before = stored()
        run("size.select", on_duplicate="keep-oldest", on_invalid="delete")
        assert rows_of(Size).count() == 1
        assert " 0 changed since, 0 refused" in undo()
        assert stored() == before
    apps.clear_cache()


# The tables.


@pytest.mark.django_db(transaction=True)
def test_without_the_tables_nothing_is_changed() -> None:
    """The message has the command that makes them. Migrations make them for every database."""
    row = Old.objects.create(url="https://h:443/")
    call_command("migrate", "django_whatwg_url", "zero", verbosity=0)
    try:
        for what in ({}, {"runs": True}, {"undo": ["1"]}):
            with pytest.raises(CommandError, match=r"Run: manage\.py migrate django_whatwg_url"):
                command("wayinapp.Old.url", **what)
        assert stored_texts(Old) == ["https://h:443/"]
        assert "1  changed" in command("wayinapp.Old.url", dry_run=True)
        row.delete()
        assert "0 rows" in command("wayinapp.Old.url")
    finally:
        call_command("migrate", "django_whatwg_url", verbosity=0)


def test_the_models_are_those_of_the_migration() -> None:
    """They have no permissions, because no person works with them."""
    call_command("makemigrations", "django_whatwg_url", check=True, dry_run=True, verbosity=0)
    assert not Permission.objects.filter(content_type__app_label="django_whatwg_url").exists()


def test_values_are_stored_such_that_they_can_be_read_again() -> None:
    """JSON has no types for these values."""
    for value in (None, True, 7, 0.1, "\x00\ud800'\"", b"\x00\xff", dt.timedelta(-1, 5, 6)):
        assert journal.from_json(journal.to_json({"column": value})) == {"column": value}


def test_options_of_a_run_are_recorded_without_the_others() -> None:
    """Only options that differ from their defaults are recorded."""
    assert Options(on_duplicate="keep", dry_run=True).named() == {"on_duplicate": "keep"}
