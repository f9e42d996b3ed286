"""``weburl check``: everything that is wrong with URLs."""

from __future__ import annotations

import argparse
import json
from functools import partial
from typing import Any

from weburl.command_line.arguments import ArgumentParser, add_url_options, base_of, parser_of
from weburl.command_line.lines import Work, answer_all
from weburl.command_line.writing import Paint
from weburl.lookalikes import suspicions_as_json
from weburl.standard.infra.credentials import masked
from weburl.standard.infra.explanations import printable
from weburl.standard.infra.strings import shortened
from weburl.standard.url.api import check
from weburl.standard.url.report import Report, errors_as_json


def argument_parser() -> ArgumentParser:
    """Return the parser of the arguments after the word ``check``."""
    parser = parser_of(
        "check",
        "Show everything that is wrong with URLs, and where, also if a browser accepts it.",
        r"weburl check 'https://example.com\a'",
        bad="a URL has an error",
    )
    return add_url_options(parser, assumes=False)


def run(options: argparse.Namespace) -> int:
    """Print the report on each URL."""
    return answer_all(
        options,
        Work(
            partial(check, base=base_of(options)),
            shown=_as_json if options.json else _as_text,
            is_good=lambda report: report.is_valid_url_string and not report.error_count,
        ),
    )


def _as_text(url: str, report: Report, paint: Paint) -> str:
    record = report.record
    outcome = "cannot be parsed" if record is None else f"parses as {record.redacted()}"
    lines = [printable(masked(url)), f"  {outcome}; {_count(report)}"]
    if report.errors:
        lines += [f"  {line}" for line in str(report).splitlines()]
    lines += [f"  {line}" for line in _suspicions(report)]
    return paint.report("\n".join(lines))


def _suspicions(report: Report) -> list[str]:
    """Return why people may take the host for another, one reason a line."""
    return [
        f"{found['reason']}: {shortened(found['label'])}: {found['sentence']}"
        + (f" It reads as {found['reads_as']!r}." if found["reads_as"] else "")
        for found in suspicions_as_json(None if report.record is None else report.record.host)
    ]


def _count(report: Report) -> str:
    match report.error_count:
        case 0 if not report.is_valid_url_string:
            return "no validation errors, but it has a lone surrogate"
        case 0:
            return "no validation errors"
        case 1:
            return "one validation error"
        case count:
            return f"{count} validation errors"


def _as_json(_url: str, report: Report, _paint: Paint) -> str:
    found: dict[str, Any] = {
        "input": report.input,
        "href": None if report.record is None else report.record.href,
        "is_valid_url_string": report.is_valid_url_string,
        "error_count": report.error_count,
        "errors": errors_as_json(report),
        "suspicions": suspicions_as_json(None if report.record is None else report.record.host),
    }
    return json.dumps(found)
