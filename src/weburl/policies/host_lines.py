"""Reads block lists as people publish them: hosts, hosts files, and rules of ad blockers."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from os import PathLike
from typing import Final

import attrs

from weburl.standard.infra.one_value import FrozenValue

_COMMENTS: Final = ("#", "!", "[Adblock", "[AdBlock")
_REST: Final = re.compile(r"\s#.*", re.DOTALL)
_AD_BLOCKER: Final = ("||", "|", "@@", "/", "##")
_WHOLE_HOST: Final = re.compile(r"\|\|([^\s/^$*|]+)\^")
# Hosts in links may contain these, but hosts of a block list do not: the file has another format.
_NOT_IN_A_NAME: Final = re.compile(r"[!\"$&'()+,;=`{}~]")
# The addresses to which hosts files send what they block.
_NOWHERE: Final = frozenset(("0.0.0.0", "127.0.0.1", "::", "::1", "0", "::0"))  # noqa: S104
_ADDRESS: Final = re.compile(r"[0-9.]+|[0-9a-f:.]*:[0-9a-f:.]*(?:%\w+)?", re.IGNORECASE)
# The names with which a hosts file of a system begins.
_OF_THE_MACHINE: Final = frozenset(
    (
        *("0.0.0.0", "broadcasthost", "local", "localdomain", "localhost"),  # noqa: S104
        *("localhost.localdomain", "localhost4", "localhost6", "ip6-allhosts", "ip6-allnodes"),
        *("ip6-allrouters", "ip6-localhost", "ip6-localnet", "ip6-loopback", "ip6-mcastprefix"),
    )
)


@attrs.frozen
class HostListProblem(FrozenValue):
    """A line of a block list that names no host.

    ``line``: its number, from 1. ``text``: the line, shortened, without credentials. ``message``:
    what is wrong, in English.
    """

    __module__ = "weburl"

    line: int
    text: str
    message: str

    def __str__(self) -> str:
        return f"line {self.line}: {self.message}"


def lines_of(lines: Iterable[str] | PathLike[str]) -> Iterator[str]:
    """Yield the lines of a file or an iterable. Raises as `HostList.read`."""
    if isinstance(lines, str):
        raise TypeError(
            "HostList.read takes lines or the path of a file, not one text: write"
            " pathlib.Path(path), or text.splitlines()"
        )
    if isinstance(lines, PathLike):
        # A byte that is not UTF-8 makes its line a problem, and no other.
        with open(lines, encoding="utf-8-sig", errors="surrogateescape") as file:  # noqa: PTH123
            yield from file
        return
    for number, line in enumerate(lines):
        if not isinstance(line, str):
            raise TypeError(f"a line of a list must be text, not {type(line).__name__}")
        yield line if number else line.removeprefix("\ufeff")


def hosts_in_line(line: str) -> Iterable[str]:
    """Return the hosts that a line names, which may be none. They are not checked.

    Raises ValueError for a line that is not about hosts.
    """
    text = line.strip()
    if not text or text.startswith(_COMMENTS):
        return ()
    text = _REST.sub("", text)
    if text.startswith(_AD_BLOCKER) or "##" in text:
        return (_of_ad_blocker(text),)
    first, *names = text.split()
    found = _NOT_IN_A_NAME.search(text)
    if found is not None:
        raise ValueError(
            f"no host of a list contains {found[0]!r}: is this CSV, JSON or a program?"
        )
    if not names:
        return (first,)
    return _of_hosts_file(first, names)


def _of_ad_blocker(text: str) -> str:
    found = _WHOLE_HOST.fullmatch(text)
    if found is None:
        raise ValueError("an ad-blocker rule that is not for a whole host; write ||evil.example^")
    host = found[1]
    return host if _ADDRESS.fullmatch(host) or host.startswith("[") else f".{host}"


def _of_hosts_file(address: str, names: list[str]) -> list[str]:
    if _ADDRESS.fullmatch(address) is None:
        raise ValueError("this is neither one host nor an address followed by host names")
    named = [name for name in names if name.lower() not in _OF_THE_MACHINE]
    if named and address.lower() not in _NOWHERE:
        raise ValueError("this line of a hosts file gives a name its address, and blocks nothing")
    return named
