"""The Public Suffix List: the names under which people can register domains.

The functions take and return text, and `values` makes domains of it. The list has about ten
thousand rules, so this module is imported only for a public suffix or a registrable domain. The
list comes from the publicsuffixlist package. `use_list` and `using_list` replace it.
"""

from __future__ import annotations

import importlib.resources
from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from functools import cache
from os import PathLike
from pathlib import Path
from typing import TYPE_CHECKING, Final

import attrs
import publicsuffixlist

from weburl.standard.hosts import uts46
from weburl.standard.infra.code_point_regexes import FORBIDDEN_DOMAIN_CODE_POINT
from weburl.standard.infra.credentials import masked
from weburl.standard.infra.dns import MAX_DOMAIN_LENGTH
from weburl.standard.infra.strings import ascii_lowercase, require_text, to_scalar_value_string
from weburl.standard.storage import COMPILED

_PRIVATE_BEGINS: Final = "// ===BEGIN PRIVATE DOMAINS==="
_PRIVATE_ENDS: Final = "// ===END PRIVATE DOMAINS==="
# The kinds of names in a list.
RULE: Final = 1
WILDCARD: Final = 2  # the text after "*."
EXCEPTION: Final = 4
UNKNOWN: Final = 8  # not in the list


def kinds_of_names(
    rules: frozenset[str], wildcards: frozenset[str], exceptions: frozenset[str]
) -> dict[str, int]:
    """Return what each name in a list is, and each name that such a name ends with.

    A value is a sum of `RULE`, `WILDCARD` and `EXCEPTION`. It is 0 for a name that only other names
    end with. So a lookup can stop at the first name that is not there.
    """
    kinds: dict[str, int] = {}
    for names, kind in ((rules, RULE), (wildcards, WILDCARD), (exceptions, EXCEPTION)):
        for name in names:
            kinds[name] = kinds.get(name, 0) | kind
            parent = name.partition(".")[2]
            while parent and parent not in kinds:
                kinds[parent] = 0
                parent = parent.partition(".")[2]
    return kinds


class SuffixTable:
    """The names in a list, with their kinds, as `kinds_of_names` returns them."""

    def __init__(self, kinds: dict[str, int]) -> None:
        self._kinds = kinds

    def last_labels(self, domain: str, more: int) -> str | None:
        """Return the public suffix with ``more`` labels before it, or None if it has fewer.

        Spec: https://github.com/publicsuffix/list/wiki/Format#algorithm
        """
        name = domain.removesuffix(".")
        # Spec divergence (the standard expects a suffix of every domain, but a name with an empty
        # label has no suffix in the list's own test vectors, and no one can register it)
        if not name or name.startswith(".") or name.endswith(".") or ".." in name:
            return None
        # From the shortest suffix on, while there are rules that end with it. The rule with the
        # most labels counts, and an exception more than any other rule.
        kinds = self._kinds
        starts: list[int] = []  # of the last label, of the last two, and so on
        labels, labels_of_exception, kind = 1, 0, 0
        dot = len(name)
        while dot >= 0:
            dot = name.rfind(".", 0, dot)
            starts.append(dot + 1)
            is_after_wildcard = kind & WILDCARD
            kind = kinds.get(name[dot + 1 :], UNKNOWN)
            if is_after_wildcard or kind & RULE:
                labels = len(starts)
            if kind & EXCEPTION:
                labels_of_exception = len(starts)
            if kind == UNKNOWN:
                break
        wanted = (labels_of_exception - 1 if labels_of_exception else labels) + more
        while len(starts) < wanted and dot >= 0:
            dot = name.rfind(".", 0, dot)
            starts.append(dot + 1)
        return domain[starts[wanted - 1] :] if len(starts) >= wanted else None


if COMPILED and not TYPE_CHECKING:
    from weburl.standard.compiled.suffixes import SuffixTable


@attrs.frozen(repr=False)
class PublicSuffixList:
    """A list of rules, as `parse_list` returns it. It can be compared, hashed and pickled.

    Args:
        rules: names as in the list, in ASCII and lowercase.
        wildcards: for each rule that begins with "*.", the text after that.
        exceptions: for each rule that begins with "!", the text after that.

    Raises:
        ValueError: an exception has only one label.
    """

    __module__ = "weburl.public_suffix"

    rules: frozenset[str]
    wildcards: frozenset[str]
    exceptions: frozenset[str]
    _table: SuffixTable = attrs.field(init=False, eq=False)

    def __attrs_post_init__(self) -> None:
        if not all("." in name for name in self.exceptions):
            raise ValueError("an exception in a public suffix list must have more than one label")
        kinds = kinds_of_names(self.rules, self.wildcards, self.exceptions)
        object.__setattr__(self, "_table", SuffixTable(kinds))

    def __reduce__(self) -> tuple[object, ...]:
        return type(self), (self.rules, self.wildcards, self.exceptions)

    def __repr__(self) -> str:
        return f"<{type(self).__name__} of {len(self)} rules>"

    def __len__(self) -> int:
        return len(self.rules) + len(self.wildcards) + len(self.exceptions)

    def public_suffix(self, domain: str) -> str | None:
        """Return the public suffix of ``domain``. It ends with a dot if the domain does.

        ``domain`` is ASCII and lowercase, as in a `Domain`. If no rule matches, the suffix is the
        last label. Returns None if a label is empty, because no one can register such a name; a dot
        at the end is allowed. Time is linear in the length.

        Spec: #host-public-suffix
        """
        return self._table.last_labels(require_text(domain, "a domain"), 0)

    def registrable_domain(self, domain: str) -> str | None:
        """Return the public suffix of ``domain`` with the label before it, or None.

        Returns None if there is no public suffix, or no label before it.

        Spec: #host-registrable-domain
        """
        return self._table.last_labels(require_text(domain, "a domain"), 1)


def parse_list(text: str, *, private: bool = True) -> PublicSuffixList:
    """Parse a list in the format of publicsuffix.org, and return it.

    Args:
        text: the text of the list.
        private: whether to include the list's section of private domains (github.io), as the
            standard does.

    Raises:
        ValueError: a line is not a rule, or there are no rules, as after a failed download.
            A rule has at most 253 characters in ASCII, as any name of the DNS.
    """
    rules: set[str] = set()
    wildcards: set[str] = set()
    exceptions: set[str] = set()
    is_private = False
    # Not `splitlines`, because a comment may contain one of Unicode's line separators.
    for number, line in enumerate(
        require_text(text, "a list").removeprefix("\ufeff").split("\n"), 1
    ):
        if line.startswith("//"):
            is_private = (is_private or line.startswith(_PRIVATE_BEGINS)) and not line.startswith(
                _PRIVATE_ENDS
            )
        elif (words := line.split(maxsplit=1)) and (private or not is_private):
            rule = words[0]
            if rule.startswith("*."):
                wildcards.add(_name(rule[2:], number))
            elif rule.startswith("!"):
                exceptions.add(_name(rule[1:], number))
            elif rule != "*":  # the default rule, which applies anyway if no other matches
                rules.add(_name(rule, number))
    if not (rules or wildcards or exceptions):
        raise ValueError("a public suffix list must have at least one rule")
    return PublicSuffixList(frozenset(rules), frozenset(wildcards), frozenset(exceptions))


def _name(name: str, line: int) -> str:
    """Return the name in a rule, in ASCII. Raises ValueError if it is not a name."""
    ascii_name = (
        ascii_lowercase(name)
        if name.isascii()
        else uts46.to_ascii(to_scalar_value_string(name), be_strict=False)
    )
    if (
        not ascii_name
        or len(ascii_name) > MAX_DOMAIN_LENGTH
        or "*" in ascii_name
        or "!" in ascii_name
        or FORBIDDEN_DOMAIN_CODE_POINT.search(ascii_name)
        or not all(ascii_name.split("."))
    ):
        shown = masked(name)[:100]
        raise ValueError(f"line {line} of the public suffix list is not a rule: {shown!r}")
    return ascii_name


def read_list(path: str | PathLike[str], *, private: bool = True) -> PublicSuffixList:
    """Read the list in a file, and return it.

    Args:
        path: a file in UTF-8.
        private: as for `parse_list`.

    Raises:
        OSError: the file cannot be read.
        ValueError: as `parse_list` raises it.
    """
    return parse_list(Path(path).read_text(encoding="utf-8"), private=private)


@cache
def packaged_list(*, private: bool = True) -> PublicSuffixList:
    """Return the list of the publicsuffixlist package. It is read only once.

    ``private`` is the same as for `parse_list`.
    """
    resource = importlib.resources.files(publicsuffixlist) / "public_suffix_list.dat"
    return parse_list(resource.read_text(encoding="utf-8"), private=private)


def _require_list(suffixes: object) -> None:
    if not isinstance(suffixes, PublicSuffixList):
        raise TypeError(
            f"expected a PublicSuffixList, as from parse_list, not {type(suffixes).__name__}"
        )


class _Lists:
    """The list that this process uses; None for the list of the package."""

    for_process: PublicSuffixList | None = None


_for_context: Final[ContextVar[PublicSuffixList | None]] = ContextVar(
    "weburl.public_suffix", default=None
)


def current_list() -> PublicSuffixList:
    """Return the list in use in this thread or asynchronous task."""
    in_context = _for_context.get()
    if in_context is not None:
        return in_context
    return packaged_list() if _Lists.for_process is None else _Lists.for_process


def use_list(suffixes: PublicSuffixList | None) -> None:
    """Use this list in the whole process from now on. None restores the package's list.

    Raises TypeError if the value is not a `PublicSuffixList`.
    """
    if suffixes is not None:
        _require_list(suffixes)
    _Lists.for_process = suffixes


@contextmanager
def using_list(suffixes: PublicSuffixList) -> Iterator[PublicSuffixList]:
    """Use this list inside a ``with`` block, only in this thread or asynchronous task.

    Threads that start in the block use it if they inherit its context, as they do by default on
    free-threaded Python 3.14.

    Raises TypeError if the value is not a `PublicSuffixList`.
    """
    _require_list(suffixes)
    token = _for_context.set(suffixes)
    try:
        yield suffixes
    finally:
        _for_context.reset(token)
