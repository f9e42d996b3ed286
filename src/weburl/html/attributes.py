"""The grammars of attributes that hold URLs among other things.

Takes an attribute's value and returns the texts in it. Nothing is parsed as a URL here. All
functions take linear time.
"""

from __future__ import annotations

import re
from typing import Final

from weburl.infra.strings import ascii_lowercase

_TOKEN: Final = re.compile("[^\t\n\f\r ]+")

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
_URL_EQUALS: Final = re.compile(r"(?ai:url)[\t\n\f\r ]*+=[\t\n\f\r ]*+")

_SEPARATORS: Final = re.compile("[\t\n\f\r ,]*+")
_SPACE: Final = re.compile("[\t\n\f\r ]*+")
_DESCRIPTOR: Final = re.compile(r"(?:[^\t\n\f\r ,(]++|\([^)]*+\)?+)++")
_WIDTH_OR_HEIGHT: Final = re.compile("(?=[0-9]*[1-9])[0-9]++[wh]")
_DENSITY: Final = re.compile(r"-?+(?:[0-9]++(?:\.[0-9]++)?+|\.[0-9]++)(?:[eE][+-]?+[0-9]++)?+x")


def space_separated_tokens(value: str) -> list[str]:
    """Return the tokens of ``value``, which ASCII whitespace separates.

    Spec: https://infra.spec.whatwg.org/#split-on-ascii-whitespace
    """
    return _TOKEN.findall(value)


def refresh_url(content: str) -> str | None:
    """Return the URL in the ``content`` of a `meta` element that refreshes, or None.

    None also if the page loads itself again, and if the value is invalid.

    Spec: https://html.spec.whatwg.org/#shared-declarative-refresh-steps
    """
    found = _REFRESH.fullmatch(content)
    if found is None or not found["url"]:
        return None
    url = found["url"]
    equals = _URL_EQUALS.match(url)
    if equals is not None:
        url = url[equals.end() :]
    quote = url[:1]
    return url[1:].partition(quote)[0] if quote and quote in "\"'" else url


def is_refresh(content: str) -> bool:
    """Return whether ``content`` says after how many seconds to refresh, with a URL or without.

    Spec: https://html.spec.whatwg.org/#shared-declarative-refresh-steps
    """
    return _VALID_REFRESH.fullmatch(content) is not None


def srcset_urls(value: str) -> list[str]:
    """Return the URLs of the image candidates in ``value``, but those that browsers drop.

    Spec: https://html.spec.whatwg.org/#parse-a-srcset-attribute
    """
    urls: list[str] = []
    at = 0
    while True:
        at = _end(_SEPARATORS, value, at)
        if at == len(value):
            return urls
        end = _end(_TOKEN, value, at)
        url = value[at:end]
        at = end
        descriptors: list[str] = []
        if url.endswith(","):
            url = url.rstrip(",")
        else:
            at = _end(_SPACE, value, at)
            while at < len(value) and value[at] != ",":
                end = _end(_DESCRIPTOR, value, at)
                descriptors.append(value[at:end])
                at = _end(_SPACE, value, end)
        if _are_descriptors(descriptors):
            urls.append(url)


def _end(pattern: re.Pattern[str], text: str, at: int) -> int:
    found = pattern.match(text, at)
    return at if found is None else found.end()


def _are_descriptors(descriptors: list[str]) -> bool:
    """Return whether descriptors say one thing: nothing, a width (with a height) or a density."""
    kinds = sorted(descriptor[-1] for descriptor in descriptors)
    return kinds in ([], ["w"], ["x"], ["h", "w"]) and all(map(_is_descriptor, descriptors))


def _is_descriptor(text: str) -> bool:
    if _DENSITY.fullmatch(text) is not None:
        # What rounds to zero is not less than zero.
        return float(text[:-1]) >= 0
    return _WIDTH_OR_HEIGHT.fullmatch(text) is not None


def is_keyword(value: str | None, keyword: str) -> bool:
    """Return whether an attribute has that keyword for its value, whatever the case.

    Spec: https://infra.spec.whatwg.org/#ascii-case-insensitive
    """
    return value is not None and ascii_lowercase(value) == keyword
