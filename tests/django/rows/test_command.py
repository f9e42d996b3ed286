"""Tests of the command: what happens to rows, and what it reports."""

from __future__ import annotations

import json
import os
import signal
from io import StringIO
from pathlib import Path
from typing import Any

import pytest
from django.core.management import CommandError, call_command
from django.db import IntegrityError, OperationalError, connection, models

from django_whatwg_url.rows import run as canonicalizing_run
from django_whatwg_url.rows.merging import Merger
from django_whatwg_url.rows.rules import Rules
from django_whatwg_url.rows.table import Table
from tests.django.rows.running import outcomes, run, summary
from tests.django.stored import stored_texts
from tests.django.wayinapp.models import (
    ByURL,
    Cited,
    Loose,
    Old,
    Owned,
    Paired,
    PointsAtURL,
    Whole,
)

pytestmark = pytest.mark.django_db

LONG = "https://example.com/" + "é" * 400


def olds(*texts: str | None) -> list[Old]:
    """Store rows with these texts, and return them."""
    return [Old.objects.create(url=text) for text in texts]


@pytest.fixture
def mixed() -> list[Old]:
    """Return a row of every kind."""
    return olds(
        "https://example.com/a",
        "HTTP://Example.com:80/b c",
        "https://user:secret@exa mple/",
        LONG,
        "",
        None,
        "https://example.com:443/a",
    )


def test_every_kind_of_row_is_counted_once(mixed: list[Old]) -> None:
    """The report names all rows except canonical ones."""
    lines = run("Old.url")
    assert {lines[row.pk]["outcome"] for row in mixed[1:2]} == {"changed"}
    assert lines[mixed[2].pk]["error"] == "domain-to-ASCII"
    assert lines[mixed[3].pk]["outcome"] == "too long"
    assert lines[mixed[4].pk]["outcome"] == "empty"
    assert lines[mixed[6].pk]["collides_with"] == mixed[0].pk
    assert lines[mixed[6].pk]["collides_on"] == ["url"]
    assert set(lines) == {row.pk for row in mixed} - {mixed[0].pk, mixed[5].pk}
    assert stored_texts(Old) == [
        "https://example.com/a",
        "http://example.com/b%20c",
        *(row.url for row in mixed[2:]),
    ]


def test_a_dry_run_says_the_same_and_changes_nothing(mixed: list[Old]) -> None:
    """It also finds duplicates that only the run itself would make."""
    more = olds("https://example.com:443/new", "https://EXAMPLE.com:443/x/../new")
    before = stored_texts(Old)
    dry = outcomes("Old.url", dry_run=True)
    assert stored_texts(Old) == before
    assert dry[more[0].pk] == "changed"
    assert dry[more[1].pk] == "colliding"
    assert dry == outcomes("Old.url")


def test_a_second_run_finds_nothing_to_change(mixed: list[Old]) -> None:
    """So a run that was stopped can be run again."""
    run("Old.url")
    assert "changed" not in outcomes("Old.url").values()


def test_no_password_is_shown_anywhere(mixed: list[Old]) -> None:
    """The text may be anything but a URL, or contain a URL."""
    olds(
        "https://u:secret@Example.com/", "user:secret@Example.com", "https://u:se/secret@h:x/",
        "blob:https://u:secret@Example.com/", "HTTPS://h/?u=https://u:secret@h/",
    )  # fmt: skip
    for options in ({}, {"assume_scheme": "https"}):
        assert "secret" not in json.dumps(list(run("Old.url", dry_run=True, **options).values()))
        assert "secret" not in summary("Old.url", dry_run=True, **options)


@pytest.mark.parametrize("size", [1, 2, 3, 1000])
def test_batches_of_any_size_reach_every_row(size: int) -> None:
    """Rows that the default manager hides are included."""
    Old.objects.bulk_create(
        Old(url=f"https://example.com:443/{n}", hidden=n % 2 == 1) for n in range(7)
    )
    assert list(outcomes("Old.url", batch_size=size).values()) == ["changed"] * 7


def test_a_scheme_is_assumed_as_in_the_form() -> None:
    """No scheme is added to relative references, and a host with a port is not a scheme."""
    texts = ["example.com", "localhost:8000/x", "/relative", "mailto:a@h", "//h.example/x"]
    Loose.objects.bulk_create(Loose(url=text) for text in texts)
    run("Loose.url", assume_scheme="https")
    assert stored_texts(Loose) == [
        "https://example.com/", "https://localhost:8000/x", "/relative", "mailto:a@h", "https://h.example/x",
    ]  # fmt: skip


@pytest.mark.parametrize(
    ("text", "error", "reason"),
    [
        ("exa mple.com", "domain-to-ASCII", "The host 'exa mple.com' contains a space"),
        ("1.2.3.4.5", "IPv4-too-many-parts", "The IPv4 address '1.2.3.4.5' has more than"),
        ("nope", "single-label", "“nope” is not a complete host name."),
        ("me@example.com", "email-address", "This is an e-mail address."),
        ("01.02.2024", "number", "“01.02.2024” is not a host name."),
        ("n.a.", "misplaced-dot", "“n.a.” has a dot in the wrong place."),
        ("<https://a.example/>", "brackets", "Remove the brackets around the URL."),
        ("::1", "IPv6-without-brackets", "Put the IPv6 address in brackets"),
        ("http;//a", "missing-scheme-non-relative-URL", "There is ';' in place of a colon."),
        ("1u:se/secret@h:x", "port-invalid", "The text after the colon is not a port."),
        ("/relative", "missing-scheme-non-relative-URL", "It is a path of a site."),
        ("?q", "missing-scheme-non-relative-URL", "The URL has no scheme"),
    ],
)
def test_with_an_assumed_scheme_the_report_says_what_is_wrong_with_it(
    text: str, error: str, reason: str
) -> None:
    """A missing scheme is only reported for text that does not get one."""
    row = Loose.objects.create(url=text)
    line = run("Loose.url", assume_scheme="https")[row.pk]
    assert line["error"] == error
    assert line["reason"].startswith(reason)
    (line,) = run("Loose.url").values()
    assert line["error"] == "missing-scheme-non-relative-URL"


def test_two_urls_are_not_joined_to_one() -> None:
    """The parser would remove the line break between them."""
    row = Loose.objects.create(url="https://a/8\nhttps://a/9")
    for options in ({}, {"assume_scheme": "https"}, {"dry_run": True}):
        line = run("Loose.url", **options)[row.pk]
        assert (line["error"], line["reason"]) == ("two-URLs", "These are two URLs.")
    mail = Loose.objects.create(url="me@example.com")
    assert run("Loose.url")[mail.pk]["reason"] == "This is an e-mail address."


def test_duplicates_in_a_column_that_is_not_unique_are_changed_and_mentioned() -> None:
    """With --unique-with, they are not changed."""
    first, second = (Loose.objects.create(url=f"https://h{end}") for end in ("/", ""))
    lines = run("Loose.url", dry_run=True, unique_with=[])
    assert lines[second.pk]["collides_with"] == first.pk
    assert "the same URL as another row" in summary("Loose.url")
    assert stored_texts(Loose) == ["https://h/", "https://h/"]
    assert outcomes("Loose.url", unique_with=[]) == {second.pk: "colliding"}


def test_a_conditional_constraint_counts_only_for_its_rows() -> None:
    """Only one of the active rows may have the URL."""
    for active in (True, False, True):
        Owned.objects.create(url=f"https://h/{'./' * Owned.objects.count()}", active=active)
    first, second, third = Owned.objects.order_by("pk")
    lines = run("Owned.url")
    assert lines[second.pk]["outcome"] == "changed"
    assert lines[third.pk]["collides_with"] == first.pk


@pytest.mark.parametrize("dry_run", [True, False])
@pytest.mark.parametrize("scans", [True, False], ids=["reading all rows", "by queries"])
def test_columns_that_are_unique_together_collide_together(
    dry_run: bool, scans: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Rows with another owner, or without one, do not. MariaDB reads all rows of a wide column."""
    monkeypatch.setattr(Rules, "scans", property(lambda _: scans, lambda *_: None), raising=False)
    for owner, text in ((1, "https://h/"), (2, "https://h"), (1, "https://h"), (None, "https:h")):
        Paired.objects.create(owner=owner, url=text)
    first, second, third, fourth = Paired.objects.order_by("pk")
    lines = run("Paired.url", dry_run=dry_run)
    assert lines[third.pk]["collides_with"] == first.pk
    assert lines[third.pk]["collides_on"] == ["owner", "url"]
    assert lines[second.pk]["outcome"] == lines[fourth.pk]["outcome"] == "changed"


def test_a_url_that_is_the_key_moves_with_what_points_at_it() -> None:
    """Every row is changed once, although its new key may be on a later page."""
    for text in ("HTTP://zzz/", "http://aaa/x/..", "http://mmm/"):
        PointsAtURL.objects.create(by=ByURL.objects.create(url=text))
    assert sorted(outcomes("ByURL.url", batch_size=1).values()) == ["changed", "changed"]
    assert stored_texts(ByURL) == ["http://aaa/", "http://mmm/", "http://zzz/"]
    assert {point.by.url for point in PointsAtURL.objects.all()} == set(stored_texts(ByURL))


def test_a_key_that_is_referred_to_is_not_deleted() -> None:
    """The report says so, and the run goes on with the next column."""
    PointsAtURL.objects.create(by=ByURL.objects.create(url="no url"))
    ByURL.objects.create(url="no url either")
    Loose.objects.create(url="HTTPS://l")
    out = StringIO()
    call_command(
        "canonicalize_urls", "wayinapp.ByURL.url", "wayinapp.Loose.url", on_invalid="delete",
        stdout=out,
    )  # fmt: skip
    assert "(1 deleted, 1 reported)" in out.getvalue()
    assert stored_texts(ByURL) == ["no url"]
    assert stored_texts(Loose) == ["https://l/"]
    connection.check_constraints()


def test_what_points_at_a_url_by_its_text_is_changed_with_it() -> None:
    """Both change in one transaction, even if the database checks constraints immediately."""
    row = Old.objects.create(url="https://h:443/")
    Cited.objects.create(old=row)
    run("Old.url")
    assert stored_texts(Cited, "old") == stored_texts(Old) == ["https://h/"]
    connection.check_constraints()


def test_a_column_that_a_child_inherits_is_its_parents() -> None:
    """All rows of the parent's table are handled."""
    Whole.objects.create(url="https://h")
    Loose.objects.create(url="https://i")
    assert len(outcomes("Whole.url")) == 2
    assert stored_texts(Loose) == ["https://h/", "https://i/"]


def test_a_row_that_changes_meanwhile_is_read_again(monkeypatch: pytest.MonkeyPatch) -> None:
    """Text that another program has written is never overwritten, and no row is recreated."""
    first, second, third = olds("https://h:443/1", "https://h:443/2", "https://h:443/3")
    rows = Table.rows

    def meanwhile(table: Table, *args: Any, **kwargs: Any) -> Any:
        monkeypatch.setattr(Table, "rows", rows)
        Old.objects.filter(pk=first.pk).update(url="https://new:443/")
        Old.objects.filter(pk=second.pk).update(url="no url")
        Old.objects.filter(pk=third.pk).delete()
        return rows(table, *args, **kwargs)

    monkeypatch.setattr(Table, "rows", meanwhile)
    assert outcomes("Old.url") == {first.pk: "changed", second.pk: "unparsable", third.pk: "gone"}
    assert stored_texts(Old) == ["https://new/", "no url"]


def test_an_unforeseen_collision_is_left_to_the_database(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """The other rows are still written, and the report names the row that has the URL."""
    rows = olds(*(f"https://h:443/{n}" for n in range(6)))
    write = Table.write

    def meanwhile(table: Table, *args: Any, **kwargs: Any) -> Any:
        monkeypatch.setattr(Table, "write", write)
        olds("https://h/3")
        return write(table, *args, **kwargs)

    monkeypatch.setattr(Table, "write", meanwhile)
    # On SQLite, the row that was added meanwhile is rolled back together with the batch.
    lines = run("Old.url")
    changed = [pk for pk, line in lines.items() if line["outcome"] == "changed"]
    if lines.get(rows[3].pk, {}).get("outcome") == "colliding":
        assert len(changed) == 5
    else:
        assert len(changed) == 6


def test_a_row_that_a_check_constraint_refuses_is_reported(monkeypatch: pytest.MonkeyPatch) -> None:
    """The database's message is not shown, because it quotes the text."""
    (row,) = olds("https://u:secret@h:443/")

    def refuse(*_args: Any, **_kwargs: Any) -> None:
        raise IntegrityError("CHECK failed: https://u:secret@h/")

    monkeypatch.setattr(Table, "write", refuse)
    lines = run("Old.url")
    assert lines[row.pk]["outcome"] == "refused"
    assert "secret" not in json.dumps(lines)


@pytest.mark.parametrize("refused", range(5))
def test_only_the_row_that_the_database_refuses_keeps_its_text(
    refused: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Wherever it is in the batch, all other rows are written."""
    rows = olds(*(f"https://h:443/{n}" for n in range(5)))
    write = Table.write

    def refuse(table: Table, fields: Any, changes: Any, *args: Any, **kwargs: Any) -> int:
        if any(change[0] == rows[refused].pk for change in changes):
            raise IntegrityError
        return write(table, fields, changes, *args, **kwargs)

    monkeypatch.setattr(Table, "write", refuse)
    found = outcomes("Old.url")
    assert found == {row.pk: "changed" for row in rows} | {rows[refused].pk: "refused"}
    texts = [f"https://h/{n}" for n in range(5)]
    assert stored_texts(Old) == [*texts[:refused], rows[refused].url, *texts[refused + 1 :]]


@pytest.mark.parametrize("failures", [1, 5, 6])
@pytest.mark.django_db(transaction=True)
def test_a_merge_that_meets_a_deadlock_is_tried_six_times(
    failures: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """After that, its error ends the command."""
    olds("https://h:443/", "https://h/")
    calls = fail_merges(failures, monkeypatch)
    if failures == 6:
        with pytest.raises(CommandError, match="OperationalError"):
            run("Old.url", on_duplicate="keep-oldest")
    else:
        run("Old.url", on_duplicate="keep-oldest")
        assert stored_texts(Old) == ["https://h/"]
    assert len(calls) == min(failures + 1, 6)


def test_a_merge_in_a_transaction_is_tried_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """A deadlock ends the whole transaction, for example of a migration."""
    olds("https://h:443/", "https://h/")
    calls = fail_merges(1, monkeypatch)
    with pytest.raises(CommandError, match="OperationalError"):
        run("Old.url", on_duplicate="keep-oldest")
    assert len(calls) == 1


def fail_merges(failures: int, monkeypatch: pytest.MonkeyPatch) -> list[Any]:
    """Make the first merges fail as a deadlock does, without pauses, and return all calls."""
    calls: list[Any] = []
    merge = Merger.merge

    def fail(merger: Merger, groups: Any) -> Any:
        calls.append(groups)
        if len(calls) <= failures:
            raise OperationalError("deadlock detected")
        return merge(merger, groups)

    monkeypatch.setattr(Merger, "merge", fail)
    monkeypatch.setattr(canonicalizing_run, "_FIRST_PAUSE", 0)
    return calls


def test_a_signal_ends_it_after_the_batch(monkeypatch: pytest.MonkeyPatch) -> None:
    """The batch is stored, the exit code is that for the signal, and its handler is restored."""
    olds(*(f"https://h:443/{n}" for n in range(6)))
    write = Table.write

    def interrupted(table: Table, *args: Any, **kwargs: Any) -> Any:
        monkeypatch.setattr(Table, "write", write)
        os.kill(os.getpid(), signal.SIGTERM)
        return write(table, *args, **kwargs)

    before = signal.getsignal(signal.SIGTERM)
    monkeypatch.setattr(Table, "write", interrupted)
    with pytest.raises(CommandError) as stopped:
        run("Old.url", batch_size=2)
    assert stopped.value.returncode == 128 + signal.SIGTERM
    assert signal.getsignal(signal.SIGTERM) == before
    assert [text[:11] for text in stored_texts(Old)].count("https://h/0") == 1
    assert len([text for text in stored_texts(Old) if ":443" in text]) == 4


@pytest.mark.parametrize(
    ("column", "options"),
    [
        ("wayinapp.Person", {}),
        ("nothing", {}),
        ("wayinapp.Old.url", {"dry_run": True, "runs": True}),
        ("wayinapp.Old.url", {"undo": "7000"}),
        ("wayinapp.Old.url", {"forget": ["x"]}),
        ("wayinapp.Old.url", {"older_than": -1}),
        ("wayinapp.Old.url", {"on_invalid": "aside"}),
        ("wayinapp.Nothing.url", {}),
        ("wayinapp.Old.nothing", {}),
        ("wayinapp.Old.hidden", {}),
        ("wayinapp.Old.url", {"database": "other"}),
        ("wayinapp.Old.url", {"batch_size": 0}),
        ("wayinapp.Old.url", {"on_duplicate": "best"}),
        ("wayinapp.Old.url", {"on_duplicate": "no.such.function"}),
        ("wayinapp.Old.url", {"on_invalid": "column"}),
        ("wayinapp.Old.url", {"assume_scheme": "h t"}),
        ("wayinapp.Loose.url", {"on_invalid": "null"}),
        ("wayinapp.Old.url", {"report": "/no/such/directory/file"}),
    ],
)
def test_options_that_make_no_sense_are_an_error(column: str, options: dict[str, Any]) -> None:
    """They are found before anything is changed."""
    olds("https://h:443/")
    with pytest.raises(CommandError):
        call_command("canonicalize_urls", column, **options)
    assert stored_texts(Old) == ["https://h:443/"]


def test_the_report_is_for_its_owner(tmp_path: Path, mixed: list[Old]) -> None:
    """The file has the mode 0600."""
    path = tmp_path / "report.jsonl"
    summary("Old.url", report=str(path))
    assert path.stat().st_mode & 0o777 == 0o600
    assert len(path.read_text().splitlines()) == 5


def test_the_model_of_a_field_need_not_be_known_to_a_manager() -> None:
    """The command finds rows that the default manager hides."""
    Old.objects.create(url="https://h:443/", hidden=True)
    assert not Old.objects.exists()
    assert list(outcomes("Old.url").values()) == ["changed"]
    assert models.QuerySet(Old).get().url == "https://h/"
