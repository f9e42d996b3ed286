"""``weburl history``: how older rules read a URL, as a table or as JSON."""

from __future__ import annotations

import argparse
import json
from collections.abc import Iterator

from weburl.command_line.arguments import add_url_options, parser_of
from weburl.command_line.lines import Work, answer_all
from weburl.command_line.terminal import Paint
from weburl.history.readings import COMPONENTS, GENERATIONS, Reading, history
from weburl.standard.infra.arguments import ArgumentParser
from weburl.standard.infra.explanations import printable

_NOW = -1
_NAME_WIDTH = max(map(len, COMPONENTS)) + 2
_GENERATION_WIDTH = max(map(len, GENERATIONS)) + 2


def argument_parser() -> ArgumentParser:
    """Return the parser of the arguments after the word ``history``."""
    parser = parser_of(
        "history",
        "Show how each generation of rules reads a URL: RFC 3986 (2005), 'Web addresses in HTML 5' "
        "(2009), the HTML5 draft, the URL Standard of 2020 and of 2024, and today's. '*' marks "
        "what is different today.",
        "weburl history 'HTTP://example.com:80/a^b'",
        bad="a URL cannot be parsed today",
    )
    return add_url_options(parser, assumes=False, unique=False)


def run(options: argparse.Namespace) -> int:
    """Print the history of each URL."""

    def shown(url: str, readings: tuple[Reading, ...], paint: Paint) -> str:
        if options.json:
            return json.dumps(_as_json(url, options.base, readings))
        return paint.marked("\n".join([printable(url), *_table(readings)]))

    return answer_all(
        options,
        Work(
            lambda url: history(url, options.base),
            shown=shown,
            is_good=lambda readings: readings[_NOW].failure is None,
        ),
    )


def _as_json(url: str, base: str | None, readings: tuple[Reading, ...]) -> dict[str, object]:
    now = readings[_NOW]
    return {
        "input": url,
        "base": base,
        "generations": [
            {
                "generation": reading.generation,
                "failure": reading.failure,
                **{name: getattr(reading, name) for name in COMPONENTS},
                "differs": list(reading.differences(now)),
            }
            for reading in readings
        ],
    }


def _table(readings: tuple[Reading, ...]) -> Iterator[str]:
    """Yield a line for each component that all agree on, else one for each generation.

    If a generation refuses the URL, the first block explains why, and the other blocks leave it
    out.
    """
    now = readings[_NOW]
    for name in COMPONENTS:
        shown = [
            (reading.generation, _cell(reading, name), getattr(reading, name) != getattr(now, name))
            for reading in readings
            if reading.failure is None or name == "href"
        ]
        if not shown:
            continue
        if len({cell for _, cell, _ in shown}) == 1:
            yield f"  {name:<{_NAME_WIDTH}}{shown[0][1]}".rstrip()
            continue
        for at, (generation, cell, differs) in enumerate(shown):
            mark = "*" if differs else " "
            label = "" if at else name
            yield f"{mark} {label:<{_NAME_WIDTH}}{generation:<{_GENERATION_WIDTH}}{cell}".rstrip()


def _cell(reading: Reading, name: str) -> str:
    """Return a component as the table shows it: a dash if it is missing, "" if it is empty."""
    if reading.failure is not None:
        return f"not a URL: {reading.failure}"
    value: str | None = getattr(reading, name)
    return "-" if value is None else printable(value) or '""'
