"""Checks that another library reads a URL as the standard does. All conversions use it.

It compares the scheme, the host, the port and the credentials, which decide where a program
connects and as whom. Paths, queries and fragments are not compared, because libraries spell them
differently.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeVar
from urllib.parse import unquote_to_bytes

import weburl
from weburl import URLParseError, URLRecord
from weburl.policies.readers import Reading, Seen, reading
from weburl.standard.url.api import record_of
from weburl.standard.url.record import AnyURL

__all__ = ["Seen", "URLConversionError", "agreed_record", "agreed_url"]

_T = TypeVar("_T")


class URLConversionError(ValueError):
    """Raised if the URL Standard and another library do not read the same URL.

    The message names the part that differs. It shows hosts, but no credentials and no other part.
    """


def agreed_url(
    record: AnyURL,
    library: str,
    make: Callable[[str], _T],
    look: Callable[[Any], Seen],
    text: Callable[[Any], str] = str,
) -> _T:
    """Return the URL that another library makes from a record.

    Args:
        record: The URL to convert.
        library: The name of the library, for messages.
        make: Returns the library's URL for an href.
        look: Returns the parts that the library reads in its URL.
        text: Returns the text that the library writes for its URL.

    Raises:
        URLConversionError: The library refuses the URL or reads a different one.
        URLParseError: ``record`` is text that does not parse.
        TypeError: ``record`` is not a URL.
    """
    record = record_of(record)
    try:
        url = make(record.href)
        seen, written = look(url), text(url)
    except Exception as error:  # noqa: BLE001  # Libraries may raise anything.
        raise URLConversionError(f"{library} refuses the URL ({type(error).__name__})") from None
    _compare(record, library, seen)
    # The library passes on the text that it writes, which may be a different URL.
    _compare(_parsed(written, library), library, seen)
    return url


def agreed_record(
    url: object, library: str, look: Callable[[Any], Seen], text: Callable[[Any], str] = str
) -> URLRecord:
    """Return the record of another library's URL. The arguments are the same as for `agreed_url`.

    Raises `URLConversionError` if the standard reads a different URL.
    """
    try:
        seen, written = look(url), text(url)
    except Exception as error:  # noqa: BLE001
        raise URLConversionError(
            f"{library} cannot read its URL ({type(error).__name__})"
        ) from None
    record = _parsed(written, library)
    _compare(record, library, seen)
    return record


def _parsed(text: str, library: str) -> URLRecord:
    try:
        return weburl.parse(text)
    except URLParseError as error:
        raise URLConversionError(
            f"the text from {library} is not a URL by the URL Standard: {error.reason}"
        ) from None


def _compare(record: URLRecord, library: str, seen: Seen) -> None:
    """Raise `URLConversionError` unless a library reads the same parts as a record has."""
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
            raise URLConversionError(f"{library} and the URL Standard read different {part}s")


def _difference(part: str, ours: Reading, theirs: Reading) -> str:
    found = f"{theirs.reader} and the URL Standard read different {part}s"
    if part == "host" and "@" not in f"{theirs.host}":
        return f"{found}: {_shown(theirs.host)} and {_shown(ours.host)}"
    return found


def _shown(host: str | None) -> str:
    return "none" if host is None else ascii(host[:100])
