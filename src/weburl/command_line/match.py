"""``weburl match``: which components of URLs match a pattern."""

from __future__ import annotations

import argparse
import json
from collections.abc import Iterator

import attrs

from weburl.command_line.arguments import add_url_options, base_of, parser_of
from weburl.command_line.lines import Work, answer_all
from weburl.command_line.statuses import CommandError
from weburl.command_line.terminal import Paint
from weburl.patterns.by_component import ComponentMatch, component_matches
from weburl.patterns.errors import URLPatternError
from weburl.patterns.init import COMPONENTS
from weburl.patterns.pattern import URLPattern
from weburl.standard.infra.arguments import ArgumentParser
from weburl.standard.infra.credentials import masked
from weburl.standard.infra.explanations import printable
from weburl.standard.url.api import canonicalize
from weburl.standard.url.record import URLRecord

_NAME_WIDTH = max(map(len, COMPONENTS)) + 2
_SECRET = ("username", "password")


@attrs.frozen
class _Match:
    """The result of a pattern for a URL. Text that is not a URL has no components."""

    href: str
    components: tuple[ComponentMatch, ...]

    @property
    def matched(self) -> bool:
        return bool(self.components) and all(found.matched for found in self.components)


def argument_parser() -> ArgumentParser:
    """Return the parser of the arguments after the word ``match``."""
    parser = parser_of(
        "match",
        "Show whether URLs match a URL pattern, component by component. '*' marks a component that "
        "does not match. --only prints the URLs that match, and nothing else.",
        "weburl match --only 'https://*.example.com/*' < urls.txt",
        bad="a URL does not match",
    )
    parser.add_argument(
        "pattern", metavar="PATTERN", help="a URL pattern, such as 'https://example.com/users/:id'"
    )
    parser.add_argument(
        "--only", action="store_true", help="print each URL that matches, and no other"
    )
    return add_url_options(parser)


def run(options: argparse.Namespace) -> int:
    """Show what each component makes of each URL. The table has no usernames and passwords."""
    base = base_of(options)
    try:
        pattern = URLPattern(options.pattern, base)
    except URLPatternError as error:
        raise CommandError(str(error)) from None
    if options.only and options.json:
        raise CommandError("pass --only or --json, not both")
    return answer_all(
        options,
        Work(
            lambda url: _match(url, pattern, base, must_parse=options.only),
            shown=_only if options.only else _shown_as_json if options.json else _shown,
            key=lambda match: match.href,
            is_good=lambda match: match.matched,
        ),
    )


def _match(url: str, pattern: URLPattern, base: URLRecord | None, *, must_parse: bool) -> _Match:
    components = component_matches(pattern, url, base)
    if components is None:
        if must_parse:
            canonicalize(url, base)  # raises why
        return _Match(url, ())
    return _Match(canonicalize(url, base), components)


def _only(_url: str, match: _Match, _paint: Paint) -> str | None:
    return match.href if match.matched else None


def _shown_as_json(url: str, match: _Match, _paint: Paint) -> str:
    return json.dumps(_as_json(url, match))


def _shown(url: str, match: _Match, paint: Paint) -> str:
    if not match.components:
        outcome = "  not a URL, so it matches nothing"
    else:
        outcome = "  matches" if match.matched else "  does not match"
    table = _table(list(map(_masked, match.components)))
    return paint.marked("\n".join([printable(masked(url)), outcome, *table]))


def _masked(found: ComponentMatch) -> ComponentMatch:
    """Return the component without a username or password."""
    if found.name not in _SECRET:
        return found
    groups = found.groups and tuple((name, text and "…") for name, text in found.groups)
    return ComponentMatch(found.name, _hidden(found.pattern), found.input and "…", groups)


def _hidden(pattern: str) -> str:
    return pattern if pattern in ("", "*") else "…"


def _as_json(url: str, match: _Match) -> dict[str, object]:
    return {
        "input": url,
        "matches": match.matched,
        "components": {
            found.name: {
                "pattern": found.pattern,
                "input": found.input,
                "matches": found.matched,
                "groups": None if found.groups is None else dict(found.groups),
            }
            for found in match.components
        },
    }


def _table(components: list[ComponentMatch]) -> Iterator[str]:
    """Yield a line for each component, except those that match everything."""
    rows = [found for found in components if found.pattern != "*"]
    width = max((len(printable(found.pattern)) for found in rows), default=0) + 2
    for found in rows:
        mark = " " if found.matched else "*"
        pattern = printable(found.pattern) or '""'
        value = printable(found.input) or '""'
        yield f"{mark} {found.name:<{_NAME_WIDTH}}{pattern:<{max(width, 4)}}{value}".rstrip()
        for name, text in found.groups or ():
            value = "-" if text is None else printable(text) or '""'
            yield f"{'':<{_NAME_WIDTH + 4}}{name} = {value}"
