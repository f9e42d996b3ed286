"""Finds which part of a URL each piece of text is, so that it can be shown in colours.

It only finds the delimiters, as the parser does, but also in text that does not parse. What the
parts mean is left to the parser.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final, NamedTuple

from weburl.standard.infra.schemes import SPECIAL_SCHEMES
from weburl.standard.infra.strings import (
    ascii_lowercase,
    remove_tabs_and_newlines,
    to_scalar_value_string,
    trimmed_span,
)
from weburl.standard.url.record import URLRecord
from weburl.standard.url.report import offsets_before_preparation

_SCHEME: Final = re.compile(r"([A-Za-z][A-Za-z0-9+.-]*+):")
_DRIVE_LETTER: Final = re.compile(r"[A-Za-z][:|](?:[/\\?#]|\Z)")
_PORT: Final = re.compile(r"(?:\[[^\]]*+\]?|[^:\[])*+(:)")


class Span(NamedTuple):
    """A piece of text: the part it is, and its offsets in code points.

    ``part``: "scheme", "username", "password", "host", "port", "path", "query" or "fragment".
    """

    part: str
    start: int
    end: int


class _Pieces:
    """Collects the parts of ``text``, the prepared input without its fragment."""

    def __init__(self, text: str) -> None:
        self.text = text
        self.found: list[Span] = []

    def add(self, part: str, start: int, end: int) -> None:
        self.found.append(Span(part, start, end))

    def rest(self, start: int, *, path: bool = True) -> None:
        """Add the path and the query that start at ``start``."""
        mark = self.text.find("?", start)
        end = len(self.text) if mark < 0 else mark
        if path and end > start:
            self.add("path", start, end)
        if mark >= 0:
            self.add("query", mark + 1, len(self.text))

    def authority(self, start: int, delimiters: str) -> None:
        """Add credentials, host and port, and what follows them."""
        found = re.compile(delimiters).search(self.text, start)
        end = len(self.text) if found is None else found.start()
        at = self.text.rfind("@", start, end)
        if at >= 0:
            colon = self.text.find(":", start, at)
            self.add("username", start, at if colon < 0 else colon)
            if colon >= 0:
                self.add("password", colon + 1, at)
            start = at + 1
        port = _PORT.match(self.text, start, end)
        self.add("host", start, end if port is None else port.start(1))
        if port is not None:
            self.add("port", port.end(1), end)
        self.rest(end)

    def file(self, start: int) -> None:
        """Add what follows "file:": perhaps a host, but no credentials and no port."""
        slashes = re.compile(r"[/\\]{2}").match(self.text, start)
        if slashes is None or _DRIVE_LETTER.match(self.text, slashes.end()):
            self.rest(start if slashes is None else slashes.end())
            return
        found = re.compile(r"[/\\?]").search(self.text, slashes.end())
        end = len(self.text) if found is None else found.start()
        self.add("host", slashes.end(), end)
        self.rest(end)


def spans(text: str, base: URLRecord | None = None) -> tuple[Span, ...]:
    """Return the parts in ``text``, in order, without those that it would take from ``base``.

    Text outside the spans is a delimiter or is ignored by the parser. Offsets are those in
    ``text``, so tabs and newlines count. The result is empty if ``text`` has no scheme and ``base``
    is None.
    """
    start, end = trimmed_span(text)
    prepared = remove_tabs_and_newlines(to_scalar_value_string(text[start:end]))
    found = list(_spans(prepared, base))
    wanted = {offset for span in found for offset in (span.start, span.end)}
    wanted |= {span.end - 1 for span in found if span.end > span.start}
    placed = offsets_before_preparation(text, wanted, start)
    return tuple(
        Span(
            span.part,
            placed[span.start],
            # Extend a part to the next delimiter, over characters that the parser drops.
            min(placed[span.end], end) if span.end > span.start else placed[span.start],
        )
        for span in found
    )


def _spans(text: str, base: URLRecord | None) -> Iterator[Span]:
    before, mark, _ = text.partition("#")
    pieces = _Pieces(before)
    scheme = _SCHEME.match(before)
    if scheme is not None:
        pieces.add("scheme", 0, scheme.end(1))
        _after_scheme(pieces, ascii_lowercase(scheme[1]), scheme.end(), base)
    elif base is None:
        return
    elif not base.has_opaque_path:
        _relative(pieces, base, 0)
    yield from pieces.found
    if mark:
        yield Span("fragment", len(before) + 1, len(text))


def _after_scheme(pieces: _Pieces, scheme: str, at: int, base: URLRecord | None) -> None:
    if scheme == "file":
        pieces.file(at)
    elif scheme in SPECIAL_SCHEMES:
        if base is not None and base.scheme == scheme and not pieces.text.startswith("//", at):
            _relative(pieces, base, at)
        else:
            _special_authority(pieces, at)
    elif pieces.text.startswith("//", at):
        pieces.authority(at + 2, r"[/?]")
    else:
        pieces.rest(at)


def _relative(pieces: _Pieces, base: URLRecord, at: int) -> None:
    if base.scheme == "file":
        pieces.file(at)
    elif base.is_special and re.compile(r"[/\\]{2}").match(pieces.text, at):
        _special_authority(pieces, at)
    elif not base.is_special and pieces.text.startswith("//", at):
        pieces.authority(at + 2, r"[/?]")
    else:
        pieces.rest(at)


def _special_authority(pieces: _Pieces, at: int) -> None:
    slashes = re.compile(r"[/\\]*+").match(pieces.text, at)
    assert slashes is not None
    pieces.authority(slashes.end(), r"[/\\?]")
