"""Reads the URLs of httpx and of its successor httpx2, which have the same attributes."""

from __future__ import annotations

from typing import Protocol

from weburl.integrations.agreeing import Seen


class HttpxURL(Protocol):
    """The URL of either library."""

    @property
    def scheme(self) -> str: ...
    @property
    def raw_host(self) -> bytes: ...
    @property
    def port(self) -> int | None: ...
    @property
    def userinfo(self) -> bytes: ...


def look(url: HttpxURL) -> tuple[Seen, str]:
    """Return the parts that a library reads in its URL, and its text."""
    username, _, password = url.userinfo.decode("ascii").partition(":")
    # Both libraries connect to raw_host; their `host` is in Unicode.
    seen = Seen(url.scheme, url.raw_host.decode("ascii"), url.port, username, password)
    return seen, str(url)
