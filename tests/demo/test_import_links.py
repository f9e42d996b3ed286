"""Tests of `manage.py import_links`, which reads a file and prints a report."""

from __future__ import annotations

import io
import os
import re
import subprocess
import sys
from pathlib import Path

import pytest
from django.core.management import CommandError, call_command

from bookmarks import importing
from bookmarks.management.commands import import_links
from bookmarks.management.commands.import_links import read_lines, shown
from bookmarks.models import Bookmark

DEMO = Path(import_links.__file__).resolve().parents[3]
SAMPLE = DEMO / "links.txt"


def report_on(file: Path) -> str:
    """Import ``file`` and return what the command printed."""
    printed = io.StringIO()
    call_command("import_links", str(file), stdout=printed)
    return printed.getvalue()


def counts(report: str) -> dict[str, int]:
    """Return the numbers in the report by name, with the number of lines as ``read``."""
    found = re.findall(r"(?m)^ *([\d,]+)  (stored|folded|already stored|refused|blank)\b", report)
    read = re.search(r"Read ([\d,]+) lines", report)
    assert read is not None
    return {name: int(count.replace(",", "")) for count, name in [*found, (read[1], "read")]}


@pytest.mark.django_db
def test_the_counts_of_the_report_add_up_to_the_lines_of_the_sample() -> None:
    """The demo's list has about 200 lines, with some of each kind."""
    total = len(SAMPLE.read_bytes().splitlines())
    found = counts(report_on(SAMPLE))
    assert 200 <= total <= 250
    assert found.pop("read") == total
    assert sum(found.values()) == total
    assert found["stored"] == Bookmark.objects.count() > 100
    assert min(found["folded"], found["refused"]) > 30
    assert found["blank"] > 1


@pytest.mark.django_db
def test_the_sample_holds_links_for_many_reasons_to_refuse_one() -> None:
    """A new user sees at least ten different error codes."""
    report = importing.import_links(read_lines(SAMPLE))
    assert len(report.refused) >= 10
    assert {"scheme-not-allowed", "max_length", "host-missing", "port-out-of-range"} <= set(
        report.refused
    )


@pytest.mark.django_db
def test_the_report_groups_what_was_refused_by_reason_with_examples(tmp_path: Path) -> None:
    """The most common reason comes first, and each reason lists its lines."""
    links = tmp_path / "links.txt"
    links.write_text("javascript:alert(1)\nhttps://\nhttps://:80/\nhttps://example.com/\n")
    report = report_on(links)
    assert report.index("2  host-missing") < report.index("1  scheme-not-allowed")
    assert "line 1: javascript:alert(1)\n" in report
    assert "line 3: https://:80/\n" in report
    assert "line 4" not in report


@pytest.mark.django_db
def test_the_report_shows_what_a_folded_link_was_taken_for(tmp_path: Path) -> None:
    """The report has the spelling in the file and the stored one."""
    links = tmp_path / "links.txt"
    links.write_text("https://example.com/\nHTTPS://EXAMPLE.COM\n")
    report = report_on(links)
    assert "line 2: HTTPS://EXAMPLE.COM\n" in report
    assert "-> https://example.com/\n" in report


@pytest.mark.django_db
def test_an_empty_file_is_reported_as_such(tmp_path: Path) -> None:
    """All counts are 0, and there are no examples."""
    links = tmp_path / "links.txt"
    links.touch()
    report = report_on(links)
    assert set(counts(report).values()) == {0}
    assert "Refused" not in report
    assert "Folded" not in report


@pytest.mark.django_db
def test_bytes_that_are_not_utf_8_and_a_line_of_ten_megabytes_do_not_stop_the_import(
    tmp_path: Path,
) -> None:
    """Such bytes become U+FFFD, as in a browser. The line is refused because it is too long."""
    links = tmp_path / "links.txt"
    links.write_bytes(
        b"https://example.org/caf\xe9\n"
        b"https://example.org/%b\n"
        b"\xff\xfe\x00\n"
        b"https://example.org/last" % (b"a" * 10_000_000)
    )
    report = report_on(links)
    assert counts(report)["read"] == 4
    assert "(10,000,020 characters)" in report
    assert len(report) < 3000
    assert [bookmark.url.href for bookmark in Bookmark.objects.order_by("pk")] == [
        "https://example.org/caf%EF%BF%BD",
        "https://example.org/last",
    ]


def test_lines_are_read_without_a_byte_order_mark_and_line_ends(tmp_path: Path) -> None:
    """Windows line ends are removed too. A lone carriage return or U+2028 does not end a line."""
    links = tmp_path / "links.txt"
    links.write_bytes(b"\xef\xbb\xbfa\r\nb \n\nc\rd\xe2\x80\xa8e\n\xef\xbb\xbff")
    assert list(read_lines(links)) == ["a", "b ", "", "c\rd\u2028e", "\ufefff"]


@pytest.mark.parametrize("name", ["absent.txt", "."])
def test_a_file_that_cannot_be_read_is_named_in_one_sentence(tmp_path: Path, name: str) -> None:
    """Neither a missing file nor a directory leads to a traceback."""
    with pytest.raises(CommandError, match=r"^Cannot read .+: .+\.$"):
        call_command("import_links", str(tmp_path / name))


def test_what_is_shown_on_a_terminal_holds_no_control_characters() -> None:
    """A link in the file must not control the terminal or reverse the line."""
    assert shown("a\x1b[31m\u202eb\nü\ud800") == r"a\x1b[31m\u202eb\nü\ud800"


def test_what_is_shown_on_a_terminal_is_cut() -> None:
    """Only the beginning of a long link is shown, with its length."""
    assert shown("a" * 78) == "a" * 78
    assert shown("a" * 79) == "a" * 58 + " … (79 characters)"


def run_manage(*arguments: str, database: Path, **environment: str) -> str:
    """Run the demo's `manage.py` with its settings, and return its standard output."""
    inherited = {
        name: value for name, value in os.environ.items() if name != "DJANGO_SETTINGS_MODULE"
    }
    completed = subprocess.run(
        [sys.executable, str(DEMO / "manage.py"), *arguments],
        env={**inherited, "DEMO_DATABASE": str(database), **environment},
        capture_output=True,
        check=True,
        timeout=600,
        encoding="utf-8",
    )
    return completed.stdout


def test_the_demo_imports_its_sample_once_however_often_it_is_run(tmp_path: Path) -> None:
    """The second import, in another process, stores nothing."""
    database = tmp_path / "db.sqlite3"
    run_manage("migrate", "--verbosity", "0", database=database)
    first = counts(run_manage("import_links", str(SAMPLE), database=database))
    second = counts(run_manage("import_links", str(SAMPLE), database=database))
    assert first["stored"] > 100
    assert second["stored"] == second["folded"] == 0
    assert second["already stored"] == first["stored"] + first["folded"]
    assert second["refused"] == first["refused"]


def test_the_report_prints_on_a_terminal_without_unicode(tmp_path: Path) -> None:
    """Characters that the terminal cannot show are escaped."""
    database = tmp_path / "db.sqlite3"
    links = tmp_path / "links.txt"
    links.write_text("https://例え.jp:x/\n", encoding="utf-8")
    run_manage("migrate", "--verbosity", "0", database=database)
    printed = run_manage(
        "import_links", str(links), database=database, PYTHONIOENCODING="ascii", PYTHONUTF8="0"
    )
    assert r"https://\u4f8b\u3048.jp:x/" in printed


def test_the_migrations_of_the_demo_are_complete(tmp_path: Path) -> None:
    """No migration is missing, and the system checks find nothing."""
    database = tmp_path / "db.sqlite3"
    run_manage("makemigrations", "--check", "--dry-run", database=database)
    run_manage("check", "--fail-level", "DEBUG", database=database)
