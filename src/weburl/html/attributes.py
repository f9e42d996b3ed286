"""The grammars of attributes whose values contain URLs among other things.

The functions take an attribute's value and return the URLs in it as text. They do not parse them,
and they take linear time.
"""

from __future__ import annotations

import re
from typing import Final

from weburl.standard.infra.strings import ascii_lowercase

Part = tuple[int, int, int, int]
"""Where a URL is in a value: its start and end, and the start and end of what belongs to it."""

ASCII_WHITESPACE: Final = "\t\n\f\r "
_TOKEN: Final = re.compile(f"[^{ASCII_WHITESPACE}]+")

# The patterns use possessive quantifiers, which never backtrack: the time stays linear.
_REFRESH: Final = re.compile(
    r"""[\t\n\f\r ]*+
    (?:[0-9]++|(?=\.))[0-9.]*+  # seconds
    (?:[;,]|[\t\n\f\r ]++[;,]?+)
    [\t\n\f\r ]*+
    (?P<url>.*)""",
    re.DOTALL | re.VERBOSE,
)
_VALID_REFRESH: Final = re.compile(
    r"[\t\n\f\r ]*+(?:[0-9]++|(?=\.))[0-9.]*+(?:[;,\t\n\f\r ].*)?", re.DOTALL
)
URL_EQUALS: Final = re.compile(r"(?ai:url)[\t\n\f\r ]*+=[\t\n\f\r ]*+")

_SEPARATORS: Final = re.compile("[\t\n\f\r ,]*+")
_SPACE: Final = re.compile("[\t\n\f\r ]*+")
_DESCRIPTOR: Final = re.compile(r"(?:[^\t\n\f\r ,(]++|\([^)]*+\)?+)++")
_WIDTH_OR_HEIGHT: Final = re.compile("(?=[0-9]*[1-9])[0-9]++[wh]")
_DENSITY: Final = re.compile(
    r"-?+(?:[0-9]++(?>(?:\.[0-9]++)?)|\.[0-9]++)(?>(?:[eE][+-]?+[0-9]++)?)x"
)


def space_separated_tokens(value: str) -> list[str]:
    """Return the tokens of ``value``, which are separated by ASCII whitespace.

    Spec: https://infra.spec.whatwg.org/#split-on-ascii-whitespace
    """
    return _TOKEN.findall(value)


def refresh_url(content: str) -> str | None:
    """Return the URL in the ``content`` of a `meta` element that refreshes the page, or None.

    It is None if the page reloads itself, and if the value is invalid.

    Spec: https://html.spec.whatwg.org/#shared-declarative-refresh-steps
    """
    span = refresh_span(content)
    return None if span is None else content[slice(*span)]


def refresh_span(content: str) -> tuple[int, int] | None:
    """Return where the `refresh_url` of ``content`` starts and ends, or None."""
    found = _REFRESH.fullmatch(content)
    if found is None or not found["url"]:
        return None
    start, end = _end(URL_EQUALS, content, found.start("url")), len(content)
    quote = content[start : start + 1]
    if quote and quote in "\"'":
        start += 1
        close = content.find(quote, start)
        end = end if close < 0 else close
    return start, end


def is_refresh(content: str) -> bool:
    """Return whether ``content`` is a valid refresh: a number of seconds, with or without a URL.

    Spec: https://html.spec.whatwg.org/#shared-declarative-refresh-steps
    """
    return _VALID_REFRESH.fullmatch(content) is not None


def srcset_urls(value: str) -> list[str]:
    """Return the URLs of the image candidates in ``value``, except those that browsers drop.

    Spec: https://html.spec.whatwg.org/#parse-a-srcset-attribute
    """
    return [value[part[0] : part[1]] for part in srcset_parts(value)]


def token_parts(value: str) -> list[Part]:
    """Return where the `space_separated_tokens` of ``value`` are."""
    return [
        (*found.span(), found.start(), _end(_SPACE, value, found.end()))
        for found in _TOKEN.finditer(value)
    ]


def srcset_parts(value: str) -> list[Part]:
    """Return where the `srcset_urls` of ``value`` are, with their descriptors."""
    parts: list[Part] = []
    at = 0
    while True:
        start = at = _end(_SEPARATORS, value, at)
        if at == len(value):
            return parts
        end = at = _end(_TOKEN, value, at)
        descriptors: list[str] = []
        if value[end - 1] == ",":
            end = start + len(value[start:end].rstrip(","))
        else:
            at = _end(_SPACE, value, at)
            while at < len(value) and value[at] != ",":
                after = _end(_DESCRIPTOR, value, at)
                descriptors.append(value[at:after])
                at = _end(_SPACE, value, after)
        if _are_descriptors(descriptors):
            parts.append((start, end, start, _end(_SEPARATORS, value, at)))


def _end(pattern: re.Pattern[str], text: str, at: int) -> int:
    found = pattern.match(text, at)
    return at if found is None else found.end()


def _are_descriptors(descriptors: list[str]) -> bool:
    """Return whether the descriptors are valid together.

    A candidate may have no descriptors, a width, a width with a height, or a density.
    """
    kinds = sorted(descriptor[-1] for descriptor in descriptors)
    return kinds in ([], ["w"], ["x"], ["h", "w"]) and all(map(_is_descriptor, descriptors))


def _is_descriptor(text: str) -> bool:
    if _DENSITY.fullmatch(text) is not None:
        # A tiny negative number rounds to -0.0, which browsers accept.
        return float(text[:-1]) >= 0
    return _WIDTH_OR_HEIGHT.fullmatch(text) is not None


def is_keyword(value: str | None, keyword: str) -> bool:
    """Return whether an attribute's value is ``keyword``, in any case. ``value`` may be None.

    Spec: https://infra.spec.whatwg.org/#ascii-case-insensitive
    """
    return value is not None and ascii_lowercase(value) == keyword
