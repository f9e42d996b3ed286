"""Whether another library reads a URL as the standard does: what the conversions share.

Compared are the scheme, the host, the port and the credentials, which say where a program connects
and as whom. Paths, queries and fragments are not: libraries spell them in ways of their own.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeVar
from urllib.parse import unquote_to_bytes

import attrs

import weburl
from weburl import URLParseError, URLRecord
from weburl.readers.reading import Reading, reading

__all__ = ["Seen", "URLConversionError", "agreed_record", "agreed_url"]

_T = TypeVar("_T")


class URLConversionError(ValueError):
    """Raised where the URL Standard and another library do not read the same URL.

    The message says in what they differ. It shows no credentials, and no other part but the hosts.
    """


@attrs.frozen
class Seen:
    """What a library says of a URL. ``username``, ``password``: percent-encoded or not."""

    scheme: str | None
    host: str | None
    port: int | None
    username: str | None = attrs.field(default=None, repr=False)
    password: str | None = attrs.field(default=None, repr=False)


def agreed_url(
    record: URLRecord,
    library: str,
    make: Callable[[str], _T],
    look: Callable[[_T], tuple[Seen, str]],
) -> _T:
    """Return what ``library`` makes of a record.

    ``look``: gives what the library sees in its URL, and the text that it writes for it. Raises
    `URLConversionError` if the library refuses the URL or sees another one, and TypeError if
    ``record`` is not a record.
    """
    if not isinstance(record, URLRecord):
        raise TypeError(f"a URLRecord is converted, not {type(record).__name__}")
    try:
        url = make(record.href)
        seen, text = look(url)
    except Exception as error:  # noqa: BLE001  # They raise what they like.
        raise URLConversionError(f"{library} refuses the URL ({type(error).__name__})") from None
    _compare(record, library, seen)
    # What it writes is what it hands on, which may be another URL than it holds.
    _compare(_parsed(text, library), library, seen)
    return url


def agreed_record(url: _T, library: str, look: Callable[[_T], tuple[Seen, str]]) -> URLRecord:
    """Return the record of a URL of ``library``. Raises `URLConversionError` if they differ."""
    try:
        seen, text = look(url)
    except Exception as error:  # noqa: BLE001
        raise URLConversionError(
            f"{library} cannot read its URL ({type(error).__name__})"
        ) from None
    record = _parsed(text, library)
    _compare(record, library, seen)
    return record


def _parsed(text: str, library: str) -> URLRecord:
    try:
        return weburl.parse(text)
    except URLParseError as error:
        raise URLConversionError(
            f"what {library} has is no URL by the URL Standard: {error.reason}"
        ) from None


def _compare(record: URLRecord, library: str, seen: Seen) -> None:
    """Raise `URLConversionError` unless a library sees what a record has."""
    host = None if record.host is None else str(record.host)
    ours = reading("URL Standard", record.scheme, host, record.port)
    theirs = reading(library, seen.scheme, seen.host, seen.port)
    for part, one, other in (
        ("scheme", ours.scheme, theirs.scheme),
        ("host", ours.host, theirs.host),
        ("port", ours.port, theirs.port),
    ):
        if one != other:
            raise URLConversionError(_difference(part, ours, theirs))
    for part, mine, its in (
        ("username", record.username, seen.username),
        ("password", record.password, seen.password),
    ):
        if unquote_to_bytes(mine) != unquote_to_bytes(its or ""):
            raise URLConversionError(f"{library} reads another {part} than the URL Standard does")


def _difference(part: str, ours: Reading, theirs: Reading) -> str:
    found = f"{theirs.reader} reads another {part} than the URL Standard does"
    if part == "host" and "@" not in f"{theirs.host}":
        return f"{found}: {_shown(theirs.host)}, not {_shown(ours.host)}"
    return found


def _shown(host: str | None) -> str:
    return "none" if host is None else ascii(host[:100])
