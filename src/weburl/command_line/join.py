"""``weburl join``: relative URLs in, absolute ones out."""

from __future__ import annotations

from weburl.command_line.arguments import add_base, add_url_options, parser_of
from weburl.command_line.canonicalize import run
from weburl.standard.infra.arguments import ArgumentParser

__all__ = ["argument_parser", "run"]


def argument_parser() -> ArgumentParser:
    """Return the parser of the arguments after the word ``join``."""
    parser = parser_of(
        "join",
        "Join URLs to a base URL as a browser does, and print the results in canonical text.",
        "weburl join --base https://example.com/docs/ ../a '?page=2'",
    )
    add_base(parser, required=True)
    return add_url_options(parser, base=False)
