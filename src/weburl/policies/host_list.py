"""A list of hosts as one frozen value, for block lists of any length."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from os import PathLike
from typing import Any, Final, final
from zlib import crc32

import attrs

from weburl.policies.host_table import BELOW as HOSTS_BELOW
from weburl.policies.host_table import ITSELF, NameTable, table_of
from weburl.policies.hosts import (
    BELOW,
    WITH_BELOW,
    bare_rule,
    canonical_rule,
    host_of,
    host_to_look_up,
    judged_host,
    means,
    plain_address,
    require_list,
    spellings,
)
from weburl.standard.hosts.values import Domain, EmptyHost, Host
from weburl.standard.infra.credentials import masked_before_at_sign
from weburl.standard.infra.dns import MAX_DOMAIN_LENGTH
from weburl.standard.infra.one_value import FrozenValue
from weburl.standard.infra.strings import shortened

_STARTS: Final = {"": ITSELF, WITH_BELOW: ITSELF | HOSTS_BELOW, BELOW: HOSTS_BELOW}
_START_OF_KIND: Final = {kind: start for start, kind in _STARTS.items()}
# A domain that is canonical as it is, so that it need not be parsed: most lines of a list.
_PLAIN: Final = re.compile(
    r"(?!(?:[^.]*\.)*xn--)(?:[a-z0-9](?:[a-z0-9_-]{0,61}[a-z0-9])?\.)+[a-z][a-z0-9]{0,62}"
)
# For a list that is shown as it is written.
_FEW: Final = 10


@final
@attrs.frozen(init=False, repr=False)
class HostList(FrozenValue):
    """A list of hosts that is fast and small even if it is long.

    One lookup takes as long as the host has labels. A million hosts take about 30 MB. Lists with
    the same hosts are equal and have the same hash. A list can be pickled.

    Use it in the ``hosts`` and ``refused_hosts`` of a `URLPolicy`, and in
    `weburl.columns.in_host_list`.

    Args:
        hosts: "example.com" is only that host, "*.example.com" is any host below it, and
            ".example.com" is both. A dot at the end of a host makes no difference.
        subdomains: whether "example.com" is read as ".example.com". An address is not changed.

    Raises:
        TypeError: ``hosts`` is one text, or a host is not text.
        ValueError: a string is not a host, or has more than 253 characters.
    """

    __module__ = "weburl"

    _table = attrs.field(type=NameTable)

    def __init__(self, hosts: Iterable[str] = (), *, subdomains: bool = False) -> None:
        require_list(hosts, "hosts", "hosts")
        kinds: dict[bytes, int] = {}
        for rule in hosts:
            _put(kinds, rule, subdomains=subdomains)
        self.__attrs_init__(table_of(kinds))

    @classmethod
    def read(
        cls, lines: Iterable[str] | PathLike[str], *, subdomains: bool = False
    ) -> tuple[HostList, list[HostListProblem]]:
        """Return the hosts in a block list, and its lines that name none.

        A line is one of these, and a list may mix them:

        - a host, written as in `HostList`: ``evil.example``, ``*.evil.example``
        - of a hosts file: ``0.0.0.0 evil.example``, with an address of the machine itself or of
          nothing, and any number of names
        - of an ad blocker: ``||evil.example^``, which means the hosts below, too. With options or a
          path, it does not mean all of a host, so it is a problem.
        - empty, or a comment that begins with "#", "!" or "["

        The names of the machine itself in a hosts file, such as "localhost" and "broadcasthost",
        are left out.

        Args:
            lines: An open file, lines, or the path of a file in UTF-8.
            subdomains: As in `HostList`. It applies to hosts files, too.

        Raises:
            TypeError: ``lines`` is one text, or a line is not text.
            ValueError: There are problems and no hosts, as in a page that says "not found".
            OSError: The file cannot be read.
        """
        kinds: dict[bytes, int] = {}
        problems: list[HostListProblem] = []
        for number, line in enumerate(lines_of(lines), 1):
            try:
                named = hosts_in_line(line)
            except ValueError as error:
                problems.append(_problem(number, line, error))
                continue
            for rule in named:
                try:
                    _put(kinds, rule, subdomains=subdomains)
                except ValueError as error:
                    problems.append(_problem(number, line, error))
        if problems and not kinds:
            raise ValueError(f"this is not a list of hosts: {problems[0]}")
        made = cls.__new__(cls)
        made.__attrs_init__(table_of(kinds))
        return made, problems

    def __contains__(self, host: object) -> bool:
        """Return whether the list has ``host`` in any spelling, as ``refused_hosts`` finds it.

        ``host``: text such as ``url.hostname``, or a host such as ``url.host``. None and the empty
        host are in no list. Raises ValueError for text that is not a host, and TypeError for
        another type, such as a `URLRecord`.
        """
        if host is None:
            return False
        if isinstance(host, str):
            if not host:
                return False
            found = has_text(self, host)
            if found is None:
                shown = shortened(masked_before_at_sign(host))
                raise ValueError(
                    f"{shown!r} is not a host. For a URL, write `weburl.parse(text).host in …`"
                )
            return found
        if isinstance(host, Host):
            return refuses(host, self)
        raise TypeError(
            f"a host must be text or a host, not {type(host).__name__}; for a URL, write"
            f" `url.host in hosts`"
        )

    def __iter__(self) -> Iterator[str]:
        """Yield the hosts as they are written in a list. The order depends only on the hosts."""
        for name, kind in self._table:
            yield _START_OF_KIND[kind] + name

    def __len__(self) -> int:
        return len(self._table.kinds)

    def __or__(self, other: HostList) -> HostList:
        """Return a list of the hosts in both."""
        if not isinstance(other, HostList):
            return NotImplemented
        return HostList(each for hosts in (self, other) for each in hosts)

    def __repr__(self) -> str:
        if len(self) <= _FEW:
            return f"HostList({sorted(self)!r})"
        table = self._table
        checksum = crc32(table.kinds, crc32(table.ends, crc32(table.texts)))
        return f"<HostList of {len(self)} hosts, {checksum:08x}>"

    def deconstruct(self) -> tuple[str, tuple[list[str]], dict[str, Any]]:
        """Return what Django's migrations write: the import path and all hosts."""
        return "weburl.HostList", (sorted(self),), {}


def matches(host: Host, rules: Iterable[str] | HostList) -> bool:
    """Return whether one of ``rules`` means exactly ``host``; a trailing dot makes a difference."""
    host = plain_address(host)
    if isinstance(rules, HostList):
        return not isinstance(host, EmptyHost) and _is_in(str(host), rules)
    return any(means(rule, str(host)) for rule in rules)


def refuses(host: Host, rules: Iterable[str] | HostList) -> bool:
    """Return whether one of ``rules`` means ``host`` or another spelling of it."""
    judged = judged_host(host)
    if judged is None:
        return False
    names = set(spellings(judged))
    if isinstance(rules, HostList):
        return any(_is_in(name, rules) for name in names)
    bare_rules = [bare_rule(rule) for rule in rules]
    return any(means(rule, name) for rule in bare_rules for name in names)


def has_text(hosts: HostList, text: str) -> bool | None:
    """Return whether the list has the host in ``text``, or None if it is not a host."""
    if _PLAIN.fullmatch(text):
        return _is_in(text, hosts)
    host = host_to_look_up(text)
    return None if host is None else refuses(host, hosts)


def has_serialized(hosts: HostList, text: str) -> bool:
    """Return whether the list has the host that is written as ``text`` in a canonical URL.

    An opaque host that no http URL can have is looked up as it is.
    """
    found = has_text(hosts, text)
    return _is_in(text.strip("."), hosts) if found is None else found


def table_in(hosts: HostList) -> NameTable:
    """Return the table of a list, for the compiled reader of columns."""
    return hosts._table  # noqa: SLF001


def _is_in(name: str, hosts: HostList) -> bool:
    return hosts._table.find(name) is not None  # noqa: SLF001


def _put(kinds: dict[bytes, int], rule: str, *, subdomains: bool) -> None:
    """Put a rule among the names in reverse. Raises the errors of `HostList`."""
    if type(rule) is str and _PLAIN.fullmatch(rule):
        start, name, has_below = "", rule, subdomains
    else:
        start, host = canonical_rule(rule, "hosts")
        name = bare_rule(host)
        has_below = subdomains and isinstance(host_of(name), Domain)
    if len(name) > MAX_DOMAIN_LENGTH:
        raise ValueError(
            f"hosts: {shortened(name)!r} has more than {MAX_DOMAIN_LENGTH} characters, so it can"
            f" be the name of no host"
        )
    kind = _STARTS[WITH_BELOW] if has_below and not start else _STARTS[start]
    key = name.encode("ascii")[::-1]
    kinds[key] = kinds.get(key, 0) | kind


def _problem(number: int, line: str, error: ValueError) -> HostListProblem:
    return HostListProblem(number, shortened(masked_before_at_sign(line.strip())), str(error))


# Block lists as people publish them: hosts, hosts files, and rules of ad blockers.

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
