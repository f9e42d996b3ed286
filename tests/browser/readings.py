"""A URL as `URL` of the web gives it, attribute by attribute: ours, and ways to write another."""

from __future__ import annotations

import re
from typing import Final, NamedTuple, TypeAlias

import attrs

import weburl
from tests.wpt import GETTERS

SPECIAL: Final = ("http:", "https:", "ws:", "wss:", "ftp:", "file:")


@attrs.frozen
class Reading:
    """What the attributes of a URL give; ``params`` are the pairs of its searchParams."""

    href: str
    protocol: str
    username: str
    password: str
    host: str
    hostname: str
    port: str
    pathname: str
    search: str
    hash: str
    origin: str

    @property
    def has_authority(self) -> bool:
        """Whether the URL has a host, even an empty one."""
        return self.href.startswith(f"{self.protocol}//")

    @property
    def is_special(self) -> bool:
        """Whether the standard calls the scheme special."""
        return self.protocol in SPECIAL

    @property
    def has_opaque_path(self) -> bool:
        """Whether the path is one text."""
        return not self.pathname.startswith("/") and not self.has_authority

    @property
    def end(self) -> str:
        """Query and fragment with their signs, as the href has them, even if they are empty."""
        found = re.search(r"[?#].*", self.href, re.DOTALL)
        return found[0] if found else ""

    def having(self, **parts: str) -> Reading:
        """Return the reading with some of protocol, username, … and origin, in its href too."""
        found = attrs.evolve(self, **parts)
        if "hostname" in parts or "port" in parts:
            port = f":{found.port}" if found.port else ""
            found = attrs.evolve(found, host=found.hostname + port)
        end = self.end
        if "search" in parts:
            end = found.search + (f"#{end.partition('#')[2]}" if "#" in end else "")
        if "hash" in parts:
            end = end.partition("#")[0] + found.hash
        return attrs.evolve(found, href=found.protocol + found._hierarchy(self) + end)

    def _hierarchy(self, old: Reading) -> str:
        if self.host or old.has_authority:
            password = f":{self.password}" if self.password else ""
            userinfo = f"{self.username}{password}@" if self.username or password else ""
            return f"//{userinfo}{self.host}{self.pathname}"
        return f"/.{self.pathname}" if self.pathname.startswith("//") else self.pathname


Outcome: TypeAlias = Reading | None
"""A reading, or None for what is no URL."""


class Case(NamedTuple):
    """A text, and perhaps a base."""

    input: str
    base: str | None = None


def of(url: weburl.URL) -> Reading:
    """Return what the attributes of a URL of ours give."""
    return Reading(*(getattr(url, name) for name in GETTERS))


def ours(case: Case) -> Outcome:
    """Return what our URL makes of a case."""
    try:
        return of(weburl.URL(*case) if case.base is not None else weburl.URL(case.input))
    except weburl.URLParseError:
        return None
