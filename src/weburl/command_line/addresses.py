"""Addresses in text: those that `find_links` finds, and http URLs with any other host.

`find_links` is for text of people, so it takes only hosts with a known top-level domain. Files also
have "http://localhost:8000/" and "https://10.0.0.1/". Such a URL ends where it would with a known
host.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final, NamedTuple

from weburl.standard.url.api import parse
from weburl.standard.url.record import URLRecord
from weburl.standard.url.report import URLParseError
from weburl.text import find_links

# ASCII letters, digits, hyphens, dots, and what is beyond ASCII; or an IPv6 address.
_START: Final = re.compile(
    r"https?://(?:[^\x00-,/:-@\[-`{-\x9f\s]++|\[[0-9a-f:.]++\])", re.ASCII | re.IGNORECASE
)
_KNOWN: Final = "https://example.com"
_FIRST_LENGTH: Final = 256


class Address(NamedTuple):
    """An address: its text, its URL, and whether it has a scheme."""

    text: str
    url: URLRecord
    has_scheme: bool


def addresses_in(text: str) -> Iterator[Address]:
    """Yield the addresses in ``text``, from the first to the last. Takes linear time."""
    position = 0
    for link in find_links(text):
        yield from _with_other_hosts(text, position, link.start)
        yield Address(link.text, link.url, link.has_scheme)
        position = link.end
    yield from _with_other_hosts(text, position, len(text))


def _with_other_hosts(text: str, position: int, end: int) -> Iterator[Address]:
    while (found := _START.search(text, position, end)) is not None:
        position = found.end()
        host_end = found.start() + len(found[0].rstrip(".-"))
        stop = host_end + _length_of_rest(text, host_end, end)
        if text[stop : stop + 1] == "@" or _NAME_AND_PASSWORD.match(text, host_end, end):
            continue  # what looks like a host is a username
        try:
            url = parse(text[found.start() : stop])
        except URLParseError:
            continue
        position = max(position, stop)
        yield Address(text[found.start() : stop], url, has_scheme=True)


_NAME_AND_PASSWORD: Final = re.compile(r":[^/?#\\\s@]*+@")


def _length_of_rest(text: str, start: int, end: int) -> int:
    """Return how many characters after a host belong to the URL: port, path, query, fragment."""
    length = _FIRST_LENGTH
    while True:
        rest = text[start : min(start + length, end)]
        link = next(find_links(_KNOWN + rest, emails=False), None)
        found = 0 if link is None or link.start else link.end - len(_KNOWN)
        # Brackets and punctuation near the end of the piece depend on what follows.
        if len(rest) < length or found < length // 2:
            return max(found, 0)
        length *= 2
