"""From the patterns of all components to one text, which makes the same pattern again."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from itertools import product

from weburl.patterns.constructor_strings import parse_a_constructor_string
from weburl.patterns.errors import URLPatternError
from weburl.patterns.init import COMPONENTS, patterns_of


def constructor_string_of(patterns: Mapping[str, str]) -> str | None:
    """Return a constructor string for the pattern strings of all components, or None.

    There is none if, for example, the pathname has no slash before it.
    """
    for text in _candidates(patterns):
        try:
            read = parse_a_constructor_string(text)
        except URLPatternError:
            continue
        if patterns_of(read) == patterns:
            return text
    return None


def _candidates(patterns: Mapping[str, str]) -> Iterator[str]:
    """Yield texts that may mean these patterns, the shortest first."""
    protocol, username, password, hostname, port, pathname, search, hash = (
        patterns[name] for name in COMPONENTS
    )
    credentials = "" if username == password == "*" else f"{username}:{password}@"
    authority = f"{credentials}{hostname}{f':{port}' if port else ''}"
    # After a group, a "?" could be its modifier, and a ":" could start a name.
    for colon, slashes, question_mark in product((":", "\\:"), ("//", ""), ("?", "\\?")):
        start = f"{protocol}{colon}{slashes}{authority if slashes else ''}"
        rest = f"{question_mark}{search}" if search != "*" or hash != "*" else ""
        end = f"#{hash}" if hash != "*" else ""
        if pathname != "*" or search != "*" or hash != "*":
            yield f"{start}{pathname}{rest}{end}"
            # An empty search that a hash follows needs no "?".
            yield f"{start}{pathname}{end}"
        yield f"{start}{pathname}?{search}#{hash}"
        if pathname == "*":
            yield f"{start}{rest}{end}"
