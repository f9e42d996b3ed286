"""The Public Suffix List: which part of a domain is open for registration, and by which list.

Text in and text out; `values` makes domains of it. Imported only when somebody asks for a public
suffix or a registrable domain: the list has some ten thousand rules. The list itself comes from
the publicsuffixlist package, and `use_list` and `using_list` put another in its place.
"""

from __future__ import annotations

import importlib.resources
from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from functools import cache
from os import PathLike
from pathlib import Path
from typing import Final

import attrs
import publicsuffixlist

from weburl.hosts import uts46
from weburl.infra.code_points import FORBIDDEN_DOMAIN_CODE_POINT
from weburl.infra.strings import ascii_lowercase, to_scalar_value_string

_PRIVATE_BEGINS: Final = "// ===BEGIN PRIVATE DOMAINS==="
_PRIVATE_ENDS: Final = "// ===END PRIVATE DOMAINS==="


@attrs.frozen(repr=False)
class PublicSuffixList:
    """A list of rules, as `parse_list` makes it: a value that can be compared, hashed, pickled.

    ``rules``: names as the list gives them, in ASCII and lowercase. ``wildcards``: what stands
    behind "*." in those that begin so. ``exceptions``: what stands behind "!", of two labels
    or more; ValueError for one of a single label.
    """

    __module__ = "weburl.public_suffix"

    rules: frozenset[str]
    wildcards: frozenset[str]
    exceptions: frozenset[str]
    _most_labels: int = attrs.field(init=False, eq=False)

    def __attrs_post_init__(self) -> None:
        if not all("." in name for name in self.exceptions):
            raise ValueError("an exception in a public suffix list must have more than one label")
        names = self.rules | self.exceptions
        most = max(
            max((name.count(".") for name in names), default=0) + 1,
            max((name.count(".") for name in self.wildcards), default=-1) + 2,
        )
        object.__setattr__(self, "_most_labels", most)

    def __repr__(self) -> str:
        return f"<{type(self).__name__} of {len(self)} rules>"

    def __len__(self) -> int:
        return len(self.rules) + len(self.wildcards) + len(self.exceptions)

    def public_suffix(self, domain: str) -> str | None:
        """Return the public suffix of ``domain``, with the dot behind it where that has one.

        ``domain``: ASCII and lowercase, as a `Domain` has it. Where no rule matches, the last
        label is the suffix. None for a domain with an empty label, other than the root's
        behind the last dot: no such name can be registered.

        Time is linear in the length.

        Spec: #host-public-suffix
        """
        return self._last_labels(domain, 0)

    def registrable_domain(self, domain: str) -> str | None:
        """Return the public suffix of ``domain`` and the label before it, or None.

        None where there is no public suffix, and where nothing stands before it.

        Spec: #host-registrable-domain
        """
        return self._last_labels(domain, 1)

    def _last_labels(self, domain: str, more: int) -> str | None:
        """Return as many labels as the public suffix has, and ``more``."""
        name = domain.removesuffix(".")
        # Spec divergence (where the standard expects a suffix of every domain, the list's own
        # test vectors give none to a name with an empty label, and nobody can register it)
        if not name or name.startswith(".") or name.endswith(".") or ".." in name:
            return None
        # One label more than any rule has, and one for all that is left.
        labels = name.rsplit(".", self._most_labels + 1)[-self._most_labels - 1 :]
        count = self._suffix_length(labels) + more
        if count > len(labels):
            return None
        return ".".join(labels[-count:]) + domain[len(name) :]

    def _suffix_length(self, labels: list[str]) -> int:
        """Return of how many of ``labels`` the public suffix consists.

        Spec: https://github.com/publicsuffix/list/wiki/Format#algorithm
        """
        # From the longest: the first to match is the one with the most labels.
        names = [".".join(labels[at:]) for at in range(len(labels))]
        for at, name in enumerate(names):
            if name in self.exceptions:
                return len(labels) - at - 1
        for at, name in enumerate(names):
            if name in self.rules or ".".join(labels[at + 1 :]) in self.wildcards:
                return len(labels) - at
        return 1


def parse_list(text: str, *, private: bool = True) -> PublicSuffixList:
    """Return the list that ``text`` is, in the format of publicsuffix.org.

    ``private``: whether rules of its section of private domains (github.io) count too, as
    they do for the standard. Raises ValueError for a line that is no rule, and where there is
    no rule at all: a download that failed must not pass for a list.
    """
    rules: set[str] = set()
    wildcards: set[str] = set()
    exceptions: set[str] = set()
    is_private = False
    # Not `splitlines`: a comment that holds one of Unicode's line separators goes on behind it.
    for number, line in enumerate(text.removeprefix("\ufeff").split("\n"), 1):
        if line.startswith("//"):
            is_private = (is_private or line.startswith(_PRIVATE_BEGINS)) and not line.startswith(
                _PRIVATE_ENDS
            )
        elif (words := line.split(maxsplit=1)) and (private or not is_private):
            rule = words[0]
            kind = wildcards if rule.startswith("*.") else rules
            kind = exceptions if rule.startswith("!") else kind
            if rule != "*":  # What holds anyway, where no other rule does.
                kind.add(_name(rule.removeprefix("*.").removeprefix("!"), number))
    if not (rules or wildcards or exceptions):
        raise ValueError("a public suffix list must have at least one rule")
    return PublicSuffixList(frozenset(rules), frozenset(wildcards), frozenset(exceptions))


def _name(name: str, line: int) -> str:
    """Return the name in a rule in ASCII; raise ValueError for what is none."""
    ascii_name = (
        ascii_lowercase(name)
        if name.isascii()
        else uts46.to_ascii(to_scalar_value_string(name), be_strict=False)
    )
    if (
        not ascii_name
        or "*" in ascii_name
        or FORBIDDEN_DOMAIN_CODE_POINT.search(ascii_name)
        or not all(ascii_name.split("."))
    ):
        raise ValueError(f"line {line} of the public suffix list is not a rule: {name[:100]!r}")
    return ascii_name


def read_list(path: str | PathLike[str], *, private: bool = True) -> PublicSuffixList:
    """Return the list in the file at ``path``, in UTF-8.

    Raises OSError where it cannot be read, ValueError as `parse_list`.
    """
    return parse_list(Path(path).read_text(encoding="utf-8"), private=private)


@cache
def packaged_list() -> PublicSuffixList:
    """Return the list that the publicsuffixlist package carries, read once."""
    resource = importlib.resources.files(publicsuffixlist) / "public_suffix_list.dat"
    return parse_list(resource.read_text(encoding="utf-8"))


def _require_list(suffixes: object) -> None:
    if not isinstance(suffixes, PublicSuffixList):
        raise TypeError(
            f"expected a PublicSuffixList, as from parse_list, not a {type(suffixes).__name__}"
        )


class _Lists:
    """The list that this process uses: the package's, until another is named."""

    for_process: PublicSuffixList | None = None


_for_context: Final[ContextVar[PublicSuffixList | None]] = ContextVar(
    "weburl.public_suffix", default=None
)


def current_list() -> PublicSuffixList:
    """Return the list in use here and now."""
    in_context = _for_context.get()
    if in_context is not None:
        return in_context
    return packaged_list() if _Lists.for_process is None else _Lists.for_process


def use_list(suffixes: PublicSuffixList | None) -> None:
    """Use another list in the whole process from now on; None for the package's again.

    Raises TypeError for what is no `PublicSuffixList`.
    """
    if suffixes is not None:
        _require_list(suffixes)
    _Lists.for_process = suffixes


@contextmanager
def using_list(suffixes: PublicSuffixList) -> Iterator[PublicSuffixList]:
    """Use another list within a ``with`` block: in this thread or asynchronous task alone.

    Raises TypeError for what is no `PublicSuffixList`.
    """
    _require_list(suffixes)
    token = _for_context.set(suffixes)
    try:
        yield suffixes
    finally:
        _for_context.reset(token)
