"""Readings of a URL by Python's standard library, and by other libraries if installed.

Each library is called as programs call it before they connect. Any exception counts as a refusal.
The functions that look at a library's URL object also serve the conversions of `integrations`.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from typing import Any, Final, TypeAlias
from urllib.parse import urlsplit

import attrs

from weburl.history.errors import LegacyURLError
from weburl.history.idna2003 import domain_to_ascii
from weburl.policies.readers.reading import Reading, reading


@attrs.frozen
class Seen:
    """The parts of a URL according to a library.

    ``username`` and ``password`` may be percent-encoded or not.
    """

    __module__ = "weburl.integrations.agreeing"

    scheme: str | None
    host: str | None
    port: int | None
    username: str | None = attrs.field(default=None, repr=False)
    password: str | None = attrs.field(default=None, repr=False)


_Reader: TypeAlias = Callable[[str], Seen]

URLLIB: Final = "urllib.parse"


def look_at_urllib(parts: Any) -> Seen:  # noqa: ANN401  # the stubs have no text for bytes
    """Return the parts in a `SplitResult` or `ParseResult` of text."""
    return Seen(parts.scheme, parts.hostname, parts.port, parts.username, parts.password)


def look_at_httpx(url: Any) -> Seen:  # noqa: ANN401  # it may not be installed
    """Return the parts in a URL of httpx or httpx2. Both connect to its ``raw_host``."""
    username, _, password = url.userinfo.decode("ascii").partition(":")
    return Seen(url.scheme, url.raw_host.decode("ascii"), url.port, username, password)


def look_at_yarl(url: Any) -> Seen:  # noqa: ANN401
    """Return the parts in a `yarl.URL`."""
    return Seen(url.scheme, url.raw_host, url.explicit_port, url.raw_user, url.raw_password)


def _by_urllib(text: str) -> Seen:
    seen = look_at_urllib(urlsplit(text))
    if seen.host is not None and not seen.host.isascii():
        # `socket` encodes a name with IDNA 2003.
        try:
            seen = attrs.evolve(seen, host=domain_to_ascii(seen.host))
        except LegacyURLError as error:
            raise ValueError(str(error)) from None
    return seen


def _urllib3() -> _Reader:
    from urllib3.util import parse_url

    def read(text: str) -> Seen:
        found = parse_url(text)
        return Seen(found.scheme, found.host, found.port)

    return read


def _requests() -> _Reader:
    from requests import Request

    read = _urllib3()
    return lambda text: read(Request("GET", text).prepare().url or "")


def _httpx() -> _Reader:
    from httpx import URL

    return lambda text: look_at_httpx(URL(text))


def _yarl() -> _Reader:
    from yarl import URL

    return lambda text: look_at_yarl(URL(text))


@cache
def _readers() -> tuple[tuple[str, _Reader], ...]:
    """Return the readers of installed libraries, with their names; looks for them only once."""
    found: list[tuple[str, _Reader]] = [(URLLIB, _by_urllib)]
    for name, load in (
        ("urllib3", _urllib3),
        ("requests", _requests),
        ("httpx", _httpx),
        ("yarl", _yarl),
    ):
        try:
            found.append((name, load()))
        except ImportError:
            continue
    return tuple(found)


def read_by_libraries(text: str) -> tuple[Reading, ...]:
    """Return what each library that is installed makes of ``text``, always in one order."""
    return tuple(_read(name, read, text) for name, read in _readers())


def library_names() -> tuple[str, ...]:
    """Return the names of the libraries that are installed."""
    return tuple(name for name, _read in _readers())


def _read(name: str, read: _Reader, text: str) -> Reading:
    try:
        seen = read(text)
    except Exception as error:  # noqa: BLE001  # They raise all kinds: IndexError, UnicodeError
        return Reading(name, failure=type(error).__name__)
    return reading(name, seen.scheme, seen.host, seen.port)
