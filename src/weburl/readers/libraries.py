"""Readings of a URL by Python's standard library, and by other libraries if installed.

Each library is called as programs call it before they connect. Any exception counts as a refusal.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from typing import Final, TypeAlias
from urllib.parse import urlsplit

from weburl.history.errors import LegacyURLError
from weburl.history.idna2003 import domain_to_ascii
from weburl.readers.reading import Reading, reading

_Parts: TypeAlias = tuple[str | None, str | None, int | None]
_Reader: TypeAlias = Callable[[str], _Parts]

URLLIB: Final = "urllib.parse"


def _by_urllib(text: str) -> _Parts:
    found = urlsplit(text)
    host = found.hostname
    if host is not None and not host.isascii():
        # `socket` encodes a name with IDNA 2003.
        try:
            host = domain_to_ascii(host)
        except LegacyURLError as error:
            raise ValueError(str(error)) from None
    return found.scheme, host, found.port


def _urllib3() -> _Reader | None:
    try:
        from urllib3.util import parse_url
    except ImportError:
        return None

    def read(text: str) -> _Parts:
        found = parse_url(text)
        return found.scheme, found.host, found.port

    return read


def _requests() -> _Reader | None:
    try:
        from requests import Request
        from urllib3.util import parse_url
    except ImportError:
        return None

    def read(text: str) -> _Parts:
        url = Request("GET", text).prepare().url
        found = parse_url(url or "")
        return found.scheme, found.host, found.port

    return read


def _httpx() -> _Reader | None:
    try:
        from httpx import URL
    except ImportError:
        return None

    def read(text: str) -> _Parts:
        url = URL(text)
        return url.scheme, url.raw_host.decode("ascii"), url.port

    return read


def _yarl() -> _Reader | None:
    try:
        from yarl import URL
    except ImportError:
        return None

    def read(text: str) -> _Parts:
        url = URL(text)
        return url.scheme, url.raw_host, url.explicit_port

    return read


@cache
def _readers() -> tuple[tuple[str, _Reader], ...]:
    """Return the readers of installed libraries, with their names; looks for them only once."""
    found = (
        (URLLIB, _by_urllib),
        ("urllib3", _urllib3()),
        ("requests", _requests()),
        ("httpx", _httpx()),
        ("yarl", _yarl()),
    )
    return tuple((name, read) for name, read in found if read is not None)


def read_by_libraries(text: str) -> tuple[Reading, ...]:
    """Return what each library that is installed makes of ``text``, always in one order."""
    return tuple(_read(name, read, text) for name, read in _readers())


def library_names() -> tuple[str, ...]:
    """Return the names of the libraries that are installed."""
    return tuple(name for name, _read in _readers())


def _read(name: str, read: _Reader, text: str) -> Reading:
    try:
        scheme, host, port = read(text)
    except Exception as error:  # noqa: BLE001  # They raise all kinds: IndexError, UnicodeError
        return Reading(name, failure=type(error).__name__)
    return reading(name, scheme, host, port)
