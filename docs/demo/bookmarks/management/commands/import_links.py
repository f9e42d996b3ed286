"""`manage.py import_links FILE`: the import with a progress bar, and its report in words."""

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
    """Imports a list of links, one a line, and says what became of each kind of line."""

    help = "Import the links of a text file, one a line, and report what became of them."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("file", type=Path, help="a text file in UTF-8, one link a line")

    def handle(self, *, file: Path, **_options: object) -> None:
        try:
            with file.open("rb") as opened:
                total = sum(1 for _ in opened)
        except OSError as error:
            raise CommandError(f"Cannot read {file}: {error.strerror}.") from error
        started = time.perf_counter()
        # Where nobody watches (disable=None: no terminal), there is no bar.
        with tqdm(
            read_lines(file), total=total, unit=" links", desc="Importing", disable=None
        ) as lines:
            report = import_links(lines)
        seconds = time.perf_counter() - started
        self.stdout.write("\n".join(describe(report, file.name, seconds)))


def read_lines(file: Path) -> Iterator[str]:
    """Yield the lines of ``file`` without their ends, read as a browser reads a page in UTF-8.

    A byte order mark is dropped, and bytes that are no UTF-8 become U+FFFD. Only a line feed
    ends a line, with or without a carriage return before it.
    """
    with file.open("rb") as opened:
        for number, line in enumerate(opened):
            text = line.decode("utf-8-sig" if number == 0 else "utf-8", errors="replace")
            yield text.removesuffix("\n").removesuffix("\r")


def describe(report: ImportReport, name: str, seconds: float) -> Iterator[str]:
    """Yield the lines of text that tell what ``report`` holds."""
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
        yield "Folded, since a browser would fetch the same page:"
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
    """Return ``text`` fit for a terminal: one line, cut to ``limit``, nothing unseen in it."""
    if limit is not None and len(text) > limit:
        text = f"{text[: limit - 20]} … ({len(text):,} characters)"
    return "".join(
        character if character.isprintable() else character.encode("unicode_escape").decode()
        for character in text
    )
