"""Conditions for a component that a database can check.

Databases do not have our automaton, but they have regular expressions. The expressions of this
module mean the same in Python's `re`, PostgreSQL, MariaDB and MySQL. A repetition in them can be
split in only one way, so no engine backtracks for long in it.
"""

from __future__ import annotations

from typing import Final

import attrs

from weburl.patterns.component import Component
from weburl.patterns.errors import URLPatternError
from weburl.patterns.parts import (
    TEXT_OF_MODIFIER,
    Options,
    Part,
    escape_a_regexp_string,
)
from weburl.standard.infra.one_value import FrozenValue

MOST_WILDCARDS: Final = 4
"""How many wildcards a regular expression may have, without one at its end: each one multiplies the
time of engines that backtrack."""

_ANYTHING: Final = ".*"


@attrs.frozen
class URLPatternCondition(FrozenValue):
    """A condition for a component of a URL that matches a pattern. See `URLPattern.conditions`."""

    __module__ = "weburl"

    prefix: str
    """The text that every match begins with, in any case if `ignore_case`."""
    regexp: str | None
    """A regular expression for the whole text with `prefix`, or None if it must be `prefix`."""
    ignore_case: bool
    """Whether letters match in either case."""
    matches_empty: bool
    """Whether the empty text matches, as of a URL that does not have the part."""


def condition_of(component: Component, name: str) -> URLPatternCondition | None:
    """Return the condition for a component, or None if it matches everything.

    ``name`` is the component's, for errors. Raises the errors of `weburl.URLPattern.conditions`.
    """
    parts = component.parts
    if component.pattern_string == "*":
        return None
    if component.has_regexp_groups:
        raise URLPatternError(
            "A database cannot check a group with a regular expression.",
            component.pattern_string,
            name,
            expected="a group without one, such as :name or *",
        )
    if sum(map(_is_wildcard, parts[:-1])) > MOST_WILDCARDS:
        raise URLPatternError(
            f"A database cannot check more than {MOST_WILDCARDS} wildcards in one component"
            " (one at its end does not count).",
            component.pattern_string,
            name,
        )
    prefix = _prefix(parts)
    is_fixed = all(part.type == "fixed-text" and part.modifier == "none" for part in parts)
    return URLPatternCondition(
        prefix,
        None if is_fixed else f"^{''.join(_regexp(part, component.options) for part in parts)}$",
        component.options.ignore_case,
        component.matcher.test(""),
    )


def _is_wildcard(part: Part) -> bool:
    return part.type in ("full-wildcard", "segment-wildcard")


def _prefix(parts: tuple[Part, ...]) -> str:
    """Return the fixed text at the beginning."""
    texts = []
    for part in parts:
        if part.modifier in ("optional", "zero-or-more"):
            break
        texts.append(part.value if part.type == "fixed-text" else part.prefix)
        if part.type != "fixed-text" or part.modifier != "none":
            break
    return "".join(texts)


def _regexp(part: Part, options: Options) -> str:
    """Return the regular expression of a part. Groups take no names."""
    modifier = TEXT_OF_MODIFIER[part.modifier]
    if part.type == "fixed-text":
        text = escape_a_regexp_string(part.value).replace("\\/", "/")
        return f"(?:{text}){modifier}" if modifier else text
    before, after = (
        escape_a_regexp_string(text).replace("\\/", "/") for text in (part.prefix, part.suffix)
    )
    one = _ANYTHING if part.type == "full-wildcard" else _segment(options)
    repeated = ""
    if part.modifier in ("zero-or-more", "one-or-more"):
        # Text that matches many times with what is between matches once, unless the delimiter is
        # between: then there is only one way to split it.
        between = part.suffix + part.prefix
        if one != _ANYTHING and options.delimiter and options.delimiter in between:
            repeated = f"(?:{after}{before}{one})*"
        modifier = "?" if part.modifier == "zero-or-more" else ""
    whole = f"{before}{one}{repeated}{after}"
    return f"(?:{whole}){modifier}" if modifier else whole


def _segment(options: Options) -> str:
    """Return the regular expression of a segment."""
    return f"[^{options.delimiter}]+" if options.delimiter else ".+"
