"""``weburl canonicalize``: text in, the URLs as canonical text out."""

from __future__ import annotations

import argparse
import json
from functools import partial

from weburl.command_line.arguments import add_url_options, base_of, parser_of
from weburl.command_line.lines import Work, answer_all
from weburl.command_line.terminal import Paint
from weburl.standard.infra.arguments import ArgumentParser
from weburl.standard.url.api import canonicalize


def argument_parser() -> ArgumentParser:
    """Return the parser of the arguments after the word ``canonicalize``."""
    parser = parser_of(
        "canonicalize",
        "Print the canonical text of each URL: all spellings of a URL have the same. Other lines "
        "are left out, and standard error says which and why.",
        "weburl canonicalize --unique < urls.txt > canonical.txt",
    )
    return add_url_options(parser)


def run(options: argparse.Namespace) -> int:
    """Print the canonical text of each URL."""
    base = base_of(options)
    return answer_all(
        options,
        Work(
            canonicalize if base is None else partial(canonicalize, base=base),
            shown=_as_json if options.json else None,
        ),
    )


def _as_json(url: str, href: str, _paint: Paint) -> str:
    return json.dumps({"input": url, "href": href})
