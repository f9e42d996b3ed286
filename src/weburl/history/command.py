"""``python -m weburl history``: prints what `history` says, as a table or as JSON.

It takes arguments and returns an exit status. `__main__` sets up the streams.
"""

from __future__ import annotations

import json
from collections.abc import Iterator

from weburl.history.readings import COMPONENTS, GENERATIONS, Reading, history
from weburl.standard.infra.arguments import ArgumentParser
from weburl.standard.infra.explanations import printable

_NOW = -1
_NAME_WIDTH = max(map(len, COMPONENTS)) + 2
_GENERATION_WIDTH = max(map(len, GENERATIONS)) + 2


def argument_parser() -> ArgumentParser:
    """Return the parser of the arguments after the word ``history``."""
    return ArgumentParser(
        prog="python -m weburl history",
        description="Show how each generation of rules reads a URL: RFC 3986 (2005), "
        "'Web addresses in HTML 5' (2009), the HTML5 draft, the URL Standard of 2020 and "
        "of 2024, and today's. "
        "'*' marks what is different today. Exit status: 0 if every URL can be parsed today, 1 if "
        "one cannot.",
    )


def show_history(url: str, base: str | None, as_json: bool) -> int:
    """Print the history of ``url``; return 0 if it parses by today's rules, else 1."""
    readings = history(url, base)
    if as_json:
        print(json.dumps(_as_json(url, base, readings)))
    else:
        print(printable(url))
        print("\n".join(_table(readings)))
    return 0 if readings[_NOW].failure is None else 1


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

    If a generation refuses the URL, the first block says why, and the other blocks leave it out.
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
