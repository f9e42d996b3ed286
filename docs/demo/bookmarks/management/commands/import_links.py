"""`manage.py import_links FILE`: imports links with a progress bar and prints a report."""

from __future__ import annotations

import time
from argparse import ArgumentParser
from collections.abc import Iterator
from pathlib import Path

from django.core.management.base import BaseCommand, CommandError
from tqdm import tqdm

from bookmarks.importing import Example, ImportReport, import_links

SHOWN_LENGTH = 78


class Command(BaseCommand):
    """Imports a list of links, one per line, and reports what happened to them."""

    help = "Import the links of a text file, one per line, and report what happened to them."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("file", type=Path, help="a UTF-8 text file with one link per line")

    def handle(self, *, file: Path, **_options: object) -> None:
        try:
            with file.open("rb") as opened:
                total = sum(1 for _ in opened)
        except OSError as error:
            raise CommandError(f"Cannot read {file}: {error.strerror}.") from error
        started = time.perf_counter()
        # disable=None shows the bar only on a terminal.
        with tqdm(
            read_lines(file), total=total, unit=" links", desc="Importing", disable=None
        ) as lines:
            report = import_links(lines)
        seconds = time.perf_counter() - started
        self.stdout.write("\n".join(describe(report, file.name, seconds)))


def read_lines(file: Path) -> Iterator[str]:
    """Yield the lines of ``file`` without their ends, decoded as a browser decodes a UTF-8 page.

    A byte order mark is dropped, and bytes that are not UTF-8 become U+FFFD. Only a line feed
    ends a line, with or without a carriage return before it.
    """
    with file.open("rb") as opened:
        for number, line in enumerate(opened):
            text = line.decode("utf-8-sig" if number == 0 else "utf-8", errors="replace")
            yield text.removesuffix("\n").removesuffix("\r")


def describe(report: ImportReport, name: str, seconds: float) -> Iterator[str]:
    """Yield the lines of text that describe ``report``."""
    yield f"Read {report.read:,} lines of {shown(name)} in {seconds:.1f} s:"
    yield ""
    kinds = [
        (report.stored, "stored", ""),
        (report.folded, "folded as duplicates", "of a link earlier in the list, in any spelling"),
        (report.already_stored, "already stored", "before this import"),
        (report.refused.total(), "refused", "by reason below"),
        (report.blank, "blank", ""),
    ]
    for count, kind, remark in kinds:
        yield f"{count:>9,}  {kind:<20}  {remark}".rstrip()
    if report.folded_examples:
        yield ""
        yield "Folded, because a browser would fetch the same page:"
        for example in report.folded_examples:
            yield from _described(example)
    if report.refused:
        yield ""
        yield "Refused, and why:"
    for reason, count in report.refused.most_common():
        yield f"{count:>9,}  {reason}"
        for example in report.refused_examples[reason]:
            yield from _described(example)


def _described(example: Example) -> Iterator[str]:
    yield f"           line {example.line_number}: {shown(example.text)}"
    yield f"             -> {shown(example.outcome, limit=None)}"


def shown(text: str, limit: int | None = SHOWN_LENGTH) -> str:
    """Return ``text`` for a terminal: on one line, cut to ``limit``, all characters visible."""
    if limit is not None and len(text) > limit:
        text = f"{text[: limit - 20]} … ({len(text):,} characters)"
    return "".join(
        character if character.isprintable() else character.encode("unicode_escape").decode()
        for character in text
    )
