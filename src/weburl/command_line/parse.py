"""``weburl parse``, also without the word: the parts of URLs."""

from __future__ import annotations

import argparse
import json
from functools import partial

from weburl.command_line.arguments import ArgumentParser, add_url_options, base_of, parser_of
from weburl.command_line.lines import Work, answer_all
from weburl.command_line.writing import Paint
from weburl.standard.url.api import parse
from weburl.standard.url.record import URLRecord

_NAME_WIDTH = 10


def argument_parser() -> ArgumentParser:
    """Return the parser of the arguments after the word ``parse``."""
    parser = parser_of(
        "parse",
        "Show the parts of a URL as a browser reads it. With several URLs, or from standard input "
        "or a file, print one line of JSON for each.",
        "weburl parse 'HTTPS://user@Example.com:8080/a/../b?q'",
    )
    return add_url_options(parser)


def run(options: argparse.Namespace) -> int:
    """Print the parts of each URL."""
    as_json = options.json or len(options.urls) != 1
    return answer_all(
        options,
        Work(
            partial(parse, base=base_of(options)),
            shown=_as_json if as_json else _as_table,
        ),
    )


def _as_json(_url: str, record: URLRecord, _paint: Paint) -> str:
    return json.dumps(_parts(record))


def _as_table(_url: str, record: URLRecord, paint: Paint) -> str:
    return "\n".join(
        f"{paint.bold(name)}{'':<{_NAME_WIDTH - len(name)}}{_cell(value)}"
        for name, value in (_parts(record) | {"path": record.path_text}).items()
    )


def _parts(record: URLRecord) -> dict[str, object]:
    components = {name: _plain(getattr(record, name)) for name in URLRecord.__match_args__}
    return {"href": record.href, **components, "origin": record.origin}


def _plain(value: object) -> object:
    """Return a component as a value for `json.dumps`."""
    if value is None or isinstance(value, int | str):
        return value
    return list(value) if isinstance(value, tuple) else str(value)


def _cell(value: object) -> str:
    """Return a component as the table shows it: a dash for None, and "" for an empty one."""
    return "-" if value is None else str(value) or '""'
