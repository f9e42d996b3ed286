"""``weburl canonicalize``: text in, the URLs as canonical text out."""

from __future__ import annotations

import argparse
import json
from functools import partial

from weburl.command_line.arguments import ArgumentParser, add_url_options, base_of, parser_of
from weburl.command_line.lines import Work, answer_all
from weburl.command_line.writing import Paint
from weburl.standard.url.api import canonicalize


def argument_parser() -> ArgumentParser:
    """Return the parser of the arguments after the word ``canonicalize``."""
    parser = parser_of(
        "canonicalize",
        "Print the canonical text of each URL: all spellings of a URL have the same. Other lines "
        "are left out, and standard error says which and why.",
        "weburl canonicalize --unique < urls.txt > canonical.txt",
    )
    parser.add_argument(
        "--unique", action="store_true", help="print each URL only once, the first time"
    )
    return add_url_options(parser)


def run(options: argparse.Namespace) -> int:
    """Print the canonical text of each URL. ``--unique`` keeps them all in memory."""
    base = base_of(options)
    seen: set[str] | None = set() if options.unique else None

    def shown(url: str, href: str, _paint: Paint) -> str | None:
        if seen is not None:
            if href in seen:
                return None
            seen.add(href)
        return json.dumps({"input": url, "href": href}) if options.json else href

    return answer_all(
        options,
        Work(
            canonicalize if base is None else partial(canonicalize, base=base),
            shown=shown,
        ),
    )
