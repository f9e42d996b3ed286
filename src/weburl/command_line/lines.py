"""Runs a command that answers for each URL: reads, answers, writes."""

from __future__ import annotations

import argparse
from collections.abc import Callable
from typing import Generic, NamedTuple, TypeVar

from weburl.command_line.arguments import explained, in_one_line
from weburl.command_line.reading import LONGEST, Batch, Source, has_other_bytes
from weburl.command_line.statuses import BAD, DONE
from weburl.command_line.writing import Complaints, Output, Paint
from weburl.standard.infra.credentials import masked
from weburl.standard.infra.explanations import quoted
from weburl.standard.url.report import URLParseError

Answer = TypeVar("Answer")


class BadURLError(Exception):
    """A URL that a command refuses, with the reason."""


class Work(NamedTuple, Generic[Answer]):
    """The work of a command for each URL.

    Args:
        answer: makes an answer of the text of a URL, which has the scheme of ``--assume-scheme``.
            It raises `URLParseError` or `BadURLError` for one that is only complained of.
        shown: makes the record to print of the text as it was read and the answer, or None for no
            record. Without this function, the answer is text, and the record.
        is_good: whether the exit status can be 0.
    """

    answer: Callable[[str], Answer]
    shown: Callable[[str, Answer, Paint], str | None] | None = None
    is_good: Callable[[Answer], bool] | None = None


def answer_all(options: argparse.Namespace, work: Work[Answer]) -> int:
    """Do the work for every URL, and return the exit status."""
    source = Source(options.urls, options.files, null=options.null)
    complaints = Complaints()
    output = Output(null=options.null)
    status = DONE
    if getattr(options, "assume_scheme", None) is not None:
        work = work._replace(answer=_assuming(options.assume_scheme, work.answer))
    for batch in source.batches():
        status = max(status, _answer_batch(batch, work, output, complaints))
    return status


def _assuming(scheme: str, answer: Callable[[str], Answer]) -> Callable[[str], Answer]:
    """Return the same function for text that may have no scheme."""
    from weburl.standard.support.typed_text import read_typed_text

    def answered(text: str) -> Answer:
        typed = read_typed_text(text, scheme, single_labels=True)
        if typed.problem is not None:
            raise BadURLError(f"{typed.code}: {typed.reason} {quoted(text)}")
        return answer(typed.text)

    return answered


def _answer_batch(batch: Batch, work: Work[Answer], output: Output, complaints: Complaints) -> int:
    status = DONE
    records: list[str] = []
    answer_for = work.answer if batch.is_utf_8 else _only_for_utf_8(work.answer)
    shown, is_good = work.shown, work.is_good
    if batch.after_too_long:
        complaints.add(f"{batch.where}{batch.first - 1}", f"longer than {LONGEST:,} bytes")
        status = BAD
    for number, text in enumerate(batch.texts, batch.first):
        try:
            answer = answer_for(text)
        except (URLParseError, BadURLError) as error:
            if output.is_terminal:  # it shows both in order
                output.write(records)
                records.clear()
            complaints.add(
                f"{batch.where}{number}" if batch.where else "", _reason(error, text, batch)
            )
            status = BAD
            continue
        if is_good is not None and not is_good(answer):
            status = BAD
        record = answer if shown is None else shown(text, answer, output.paint)
        if record is not None:
            records.append(record)  # type: ignore[arg-type]  # text, as in Work
    output.write(records)
    return status


def _only_for_utf_8(answer: Callable[[str], Answer]) -> Callable[[str], Answer]:
    """Return the same function, which raises `BadURLError` for bytes that are not UTF-8.

    Browsers would read U+FFFD in their place. In a list, they are a mistake.
    """
    from weburl.columns.rows import NOT_UTF_8  # as `columns` calls it

    def answered(text: str) -> Answer:
        if not has_other_bytes(text):
            return answer(text)
        shown = masked(text).encode("utf-8", "surrogateescape").decode("utf-8", "backslashreplace")
        raise BadURLError(f"{NOT_UTF_8}: There are bytes that are not UTF-8. {quoted(shown)}")

    return answered


def _reason(error: URLParseError | BadURLError, text: str, batch: Batch) -> str:
    """Return a reason: with the place in the text for an argument, in one line for others."""
    if isinstance(error, BadURLError):
        return str(error)
    return in_one_line(error, text) if batch.where else explained(error)
