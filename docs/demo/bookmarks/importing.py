"""Puts many links on the shelf and counts what happens to each. Does not print or open files."""

from __future__ import annotations

import itertools
from collections import Counter
from collections.abc import Iterable, Iterator
from typing import NamedTuple

import attrs
from django.db import transaction
from django.db.models import Max

from bookmarks.forms import ImportedLinkForm
from bookmarks.models import Bookmark, ImportedLine
from weburl import URLParseError, URLRecord

BATCH_SIZE = 500
EXAMPLES_KEPT = 3
LINE_KEPT = 300
"""How many characters of a line the page shows."""


class Example(NamedTuple):
    """A line of the list and its outcome: a canonical URL, or the reason for refusing it."""

    line_number: int
    text: str
    outcome: str


@attrs.define
class ImportReport:
    """What happened to the lines of one list. Every line is counted once."""

    stored: int = 0
    folded: int = 0
    already_stored: int = 0
    blank: int = 0
    refused: Counter[str] = attrs.Factory(Counter)
    folded_examples: list[Example] = attrs.Factory(list)
    lines: list[ImportedLine] = attrs.Factory(list)
    """The lines that are not written yet."""
    refused_examples: dict[str, list[Example]] = attrs.Factory(dict)

    @property
    def read(self) -> int:
        """The number of lines read."""
        return self.stored + self.folded + self.already_stored + self.blank + self.refused.total()


class _Candidate(NamedTuple):
    line_number: int
    text: str
    bookmark: Bookmark


def import_links(lines: Iterable[str]) -> ImportReport:
    """Put the link of each line on the shelf, and return a report.

    The form checks each line, which then becomes a bookmark or is refused with the form's
    reason. A link that is already on the shelf, in any spelling, is not stored again. It counts
    as already stored if it was there before this import, and otherwise as folded. Each batch of
    ``BATCH_SIZE`` lines is one transaction.
    """
    report = ImportReport()
    newest_before = Bookmark.objects.aggregate(newest=Max("pk"))["newest"] or 0
    candidates = _candidates(lines, report)
    while batch := list(itertools.islice(candidates, BATCH_SIZE)):
        _store(batch, report, newest_before)
    _write_lines(report)
    return report


def _candidates(lines: Iterable[str], report: ImportReport) -> Iterator[_Candidate]:
    """Yield the lines that the form accepts, and count the others."""
    for line_number, text in enumerate(lines, start=1):
        form = ImportedLinkForm({"url": text})
        if form.is_valid():
            yield _Candidate(line_number, text, form.save(commit=False))
            continue
        error = form.errors.as_data()["url"][0]
        if error.code == "required":
            report.blank += 1
            continue
        reason = error.code or "invalid"
        report.refused[reason] += 1
        examples = report.refused_examples.setdefault(reason, [])
        if len(examples) < EXAMPLES_KEPT:
            examples.append(Example(line_number, text, " ".join(error.messages)))
        _keep_line(report, line_number, text, reason=" ".join(error.messages))


@transaction.atomic
def _store(batch: list[_Candidate], report: ImportReport, newest_before: int) -> None:
    """Store the links of a batch that are not on the shelf yet, and count all of them."""
    urls = [candidate.bookmark.url for candidate in batch]
    rows = Bookmark.objects.filter(url__in=urls).values_list("url", "pk")
    was_there_before: dict[URLRecord, bool] = {url: pk <= newest_before for url, pk in rows}
    new = []
    folded: list[tuple[int, str, URLRecord]] = []
    for line_number, text, bookmark in batch:
        url = bookmark.url
        if url not in was_there_before:
            was_there_before[url] = False
            new.append(bookmark)
        elif was_there_before[url]:
            report.already_stored += 1
        else:
            report.folded += 1
            _keep_folded_example(report, Example(line_number, text, url.href))
            folded.append((line_number, text, url))
    Bookmark.objects.bulk_create(new)
    report.stored += len(new)
    if folded:
        kept = Bookmark.objects.filter(url__in={url for *_, url in folded})
        by_url = {bookmark.url: bookmark for bookmark in kept}
        for line_number, text, url in folded:
            _keep_line(report, line_number, text, bookmark=by_url[url])


def _keep_line(
    report: ImportReport,
    number: int,
    text: str,
    *,
    bookmark: Bookmark | None = None,
    reason: str = "",
) -> None:
    """Keep a line for the page, without its password."""
    without_password = URLParseError("", text).input_without_password
    shown = without_password[:LINE_KEPT].encode("utf-8", "replace").decode().replace("\0", "\ufffd")
    report.lines.append(ImportedLine(number=number, text=shown, bookmark=bookmark, reason=reason))
    if len(report.lines) >= BATCH_SIZE:
        _write_lines(report)


def _write_lines(report: ImportReport) -> None:
    """Write the lines that were kept, except those of an earlier import of the same list."""
    if report.lines:
        ImportedLine.objects.bulk_create(report.lines, ignore_conflicts=True)
        report.lines.clear()


def _keep_folded_example(report: ImportReport, example: Example) -> None:
    """Keep one other spelling of each link. An identical text would not be a useful example."""
    if len(report.folded_examples) == EXAMPLES_KEPT or example.text.strip() == example.outcome:
        return
    if all(example.outcome != kept.outcome for kept in report.folded_examples):
        report.folded_examples.append(example)
