"""``python -m weburl match``: prints which components of URLs match a pattern.

It takes arguments and returns an exit status. `__main__` sets up the streams.
"""

from __future__ import annotations

import json
from collections.abc import Iterator

from weburl.patterns.by_component import ComponentMatch, component_matches
from weburl.patterns.init import COMPONENTS
from weburl.patterns.pattern import URLPattern
from weburl.standard.infra.arguments import ArgumentParser
from weburl.standard.infra.credentials import masked
from weburl.standard.infra.explanations import printable
from weburl.standard.url.record import URLRecord

_NAME_WIDTH = max(map(len, COMPONENTS)) + 2
_SECRET = ("username", "password")


def argument_parser() -> ArgumentParser:
    """Return the parser of the arguments after the word ``match``."""
    parser = ArgumentParser(
        prog="python -m weburl match",
        description="Show whether URLs match a URL pattern, component by component. '*' marks a "
        "component that does not match. Exit status: 0 if every URL matches, 1 if one does not, 2 "
        "if the pattern or the base is wrong.",
    )
    parser.add_argument(
        "pattern", metavar="PATTERN", help="a URL pattern, such as 'https://example.com/users/:id'"
    )
    return parser


def show_match(url: str, pattern: URLPattern, base: URLRecord | None, as_json: bool) -> int:
    """Print what each component makes of ``url``; return 0 if it matches, else 1.

    Usernames and passwords are masked.
    """
    components = component_matches(pattern, url, base)
    matched = components is not None and all(component.matched for component in components)
    shown = [_masked(component) for component in components or ()]
    if as_json:
        print(json.dumps(_as_json(url, matched, shown)))
        return int(not matched)
    print(printable(masked(url)))
    if components is None:
        print("  not a URL, so it matches nothing")
    else:
        print("  matches" if matched else "  does not match")
    print("".join(f"{line}\n" for line in _table(shown)), end="")
    return int(not matched)


def _masked(found: ComponentMatch) -> ComponentMatch:
    """Return the component without a username or password."""
    if found.name not in _SECRET:
        return found
    groups = found.groups and tuple((name, text and "…") for name, text in found.groups)
    return ComponentMatch(found.name, _hidden(found.pattern), found.input and "…", groups)


def _hidden(pattern: str) -> str:
    return pattern if pattern in ("", "*") else "…"


def _as_json(url: str, matched: bool, components: list[ComponentMatch]) -> dict[str, object]:
    return {
        "input": masked(url),
        "matches": matched,
        "components": {
            found.name: {
                "pattern": found.pattern,
                "input": found.input,
                "matches": found.matched,
                "groups": None if found.groups is None else dict(found.groups),
            }
            for found in components
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
