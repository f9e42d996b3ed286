"""``weburl key``: the same text for URLs that are probably one page."""

from __future__ import annotations

import argparse
import json
from functools import partial

from weburl.command_line.arguments import add_url_options, base_of, parser_of, read_text
from weburl.command_line.lines import Work, answer_all
from weburl.command_line.statuses import CommandError
from weburl.command_line.terminal import Paint
from weburl.keys import RULE_NAMES, KeyRules, url_key
from weburl.standard.infra.arguments import ArgumentParser
from weburl.standard.infra.credentials import masked
from weburl.standard.url.api import canonicalize, parse


def argument_parser() -> ArgumentParser:
    """Return the parser of the arguments after the word ``key``."""
    parser = parser_of(
        "key",
        "Print the key of each URL: the same text for all URLs that the rules count as one page. "
        "Keys are for comparing, not for fetching.",
        "weburl key --rules page --unique < urls.txt",
    )
    rules = parser.add_mutually_exclusive_group()
    rules.add_argument(
        "--rules", choices=RULE_NAMES, default="page", help="the ready rules (default: page)"
    )
    rules.add_argument(
        "--rules-file", metavar="FILE", help="rules in JSON, as KeyRules.from_json reads them"
    )
    return add_url_options(parser)


def run(options: argparse.Namespace) -> int:
    """Print the key of each URL."""
    base, rules = base_of(options), _rules(options)
    if options.json:
        return answer_all(
            options,
            Work(
                lambda url: (canonicalize(url, base), url_key(parse(url, base), rules)),
                shown=_as_json,
                key=lambda found: found[1],
            ),
        )
    return answer_all(
        options,
        Work(
            partial(url_key, rules=rules)
            if base is None
            else lambda url: url_key(parse(url, base), rules)
        ),
    )


def _as_json(url: str, found: tuple[str, str], _paint: Paint) -> str:
    href, key = found
    return json.dumps({"input": url, "href": href, "key": key})


def _rules(options: argparse.Namespace) -> KeyRules:
    if options.rules_file is None:
        return KeyRules.named(options.rules)
    try:
        return KeyRules.from_json(read_text(options.rules_file))
    except (TypeError, ValueError) as error:
        raise CommandError(f"{masked(options.rules_file)}: {error}") from None
