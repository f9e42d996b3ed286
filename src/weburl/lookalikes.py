"""Whether a host may be taken for another: why by itself, or which of the names to protect.

`suspicions` looks at one host, and has the same rules as `weburl.render`. `ProtectedNames` compares
hosts with names. Neither says whether a site is bad: see the page for how often each is wrong.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator
from enum import Enum
from functools import cached_property
from typing import Any, Final, final

import attrs

from weburl.standard.hosts.parser import parse_host
from weburl.standard.hosts.values import Domain, Host, trusted_domain
from weburl.standard.infra.credentials import masked_value
from weburl.standard.infra.dns import MAX_DOMAIN_LENGTH
from weburl.standard.infra.errors import Failure
from weburl.standard.infra.one_value import FrozenValue
from weburl.standard.infra.strings import to_scalar_value_string
from weburl.standard.rendering.reasons import Reason, Suspicion

__all__ = [
    "DEFAULT_KINDS",
    "Kind",
    "Likeness",
    "ProtectedNames",
    "Reason",
    "Suspicion",
    "suspicions",
]

# A shorter label is like many others, so its suffix must be the same, too.
_LONG_ENOUGH: Final = 5
# A reader needs no more reasons. A host may have one for each of a million labels.
_MOST_LISTED: Final = 20


def suspicions(host: Host | str) -> tuple[Suspicion, ...]:
    """Return why the labels of ``host`` may mislead people; () for most hosts.

    A reason whose ``is_warning`` is false is information. `weburl.render` shows a label in Unicode
    exactly if there is no warning about it. The time is linear in the length of the host.

    Args:
        host: a host such as ``url.host``, or text such as ``url.hostname``. Only domains have
            suspicions.

    Raises:
        TypeError: ``host`` is of another type.
        ValueError: the text is not a host.
    """
    domain = _domain(host)
    if domain is None or "xn--" not in domain.value:
        return ()
    from weburl.standard.rendering import spoofing  # It loads the tables of Unicode.

    return spoofing.suspicions(domain)


def suspicions_as_json(host: Host | None) -> list[dict[str, Any]]:
    """Return why people may take ``host`` for another: the first reasons, as values for JSON."""
    found = () if host is None else suspicions(host)
    return [
        {
            "label": each.label,
            "reason": each.reason.value,
            "is_warning": each.reason.is_warning,
            "sentence": each.reason.sentence,
            "characters": each.characters,
            "reads_as": each.reads_as,
        }
        for each in found[:_MOST_LISTED]
    ]


class Kind(Enum):
    """How a host is like a name to protect."""

    __module__ = "weburl.lookalikes"

    SAME_LOOK = "same-look"
    """The label looks the same in some fonts: equal skeletons of UTS #39."""
    NEAR_LOOK = "near-look"
    """The same without marks and hyphens, or with "l" for "i", "vv" for "w", "cl" for "d"."""
    BEFORE_DOMAIN = "before-domain"
    """The name comes before another domain, as in ``paypal.com.evil.example``."""
    ONE_EDIT = "one-edit"
    """One letter is missing, added, changed, or two are swapped, in a label of five or more."""
    OTHER_SUFFIX = "other-suffix"
    """The same label under another suffix, as in ``paypal.shop``."""
    ADDED_WORD = "added-word"
    """The label begins or ends with the name, as in ``paypal-login.com``."""


DEFAULT_KINDS: Final = frozenset({Kind.SAME_LOOK, Kind.NEAR_LOOK, Kind.BEFORE_DOMAIN})
"""The kinds that are almost never wrong."""


@attrs.frozen
class Likeness(FrozenValue):
    """What a host looks like. ``kind``: how. ``name``: the name. ``label``: where, in ASCII."""

    __module__ = "weburl.lookalikes"

    kind: Kind
    name: str
    label: str


@attrs.frozen
class _Tables:
    """The names by what their first labels are, and look like."""

    by_label: dict[str, str]
    by_skeleton: dict[str, str]
    by_near_skeleton: dict[str, str]
    by_first_word: dict[str, list[tuple[list[str], str]]]


def _registrable_domain(name: object) -> str:
    """Return the registrable domain of ``name``, or ``name`` itself if it has none."""
    if not isinstance(name, str):
        raise TypeError(f"a name must be text, not {type(name).__name__}")
    try:
        domain = _domain(name.strip("."))
    except ValueError:
        domain = None
    if domain is None:
        raise ValueError(f"a name must be a domain, not {masked_value(name)}")
    return (domain.registrable_domain or domain).value


def _names(names: Iterable[str]) -> tuple[str, ...]:
    if isinstance(names, str | bytes) or not isinstance(names, Iterable):
        given = "one text" if isinstance(names, str | bytes) else type(names).__name__
        raise TypeError(f"names must be a list of names, not {given}")
    return tuple(sorted(set(map(_registrable_domain, names))))


@final
@attrs.frozen
class ProtectedNames(FrozenValue):
    """Names to compare hosts with. Values with the same names are equal, and can be pickled.

    Args:
        names: Domains, such as "paypal.com". Each is reduced to its registrable domain. List all
            that are your own, so that they are not compared with each other.

    Raises:
        TypeError: ``names`` is one text, or a name is not text.
        ValueError: a name is not a domain.
    """

    __module__ = "weburl.lookalikes"

    names: tuple[str, ...] = attrs.field(converter=_names)
    """The registrable domains, in ASCII and in order."""

    def looks_like(
        self, host: Host | str, *, kinds: Collection[Kind] = DEFAULT_KINDS
    ) -> Likeness | None:
        """Return which name ``host`` looks like, and how; None if none, or if it has that name.

        The time is linear in the length of the host, and does not grow with the number of names.

        Args:
            host: a host such as ``url.host``, or text such as ``url.hostname``.
            kinds: the kinds to look for. They are tried in the order of `Kind`.

        Raises:
            TypeError: ``host`` is of another type.
            ValueError: the text is not a host, or a kind is not a `Kind`.
        """
        wanted = kinds if kinds is DEFAULT_KINDS else frozenset(map(Kind, kinds))
        domain = _domain(host)
        if domain is None or len(domain.value) > MAX_DOMAIN_LENGTH + 1:
            return None
        domain = trusted_domain(domain.value.strip(".") or ".")
        registrable = domain.registrable_domain
        if registrable is None or registrable.value in self._own:
            return None
        label, _, suffix = registrable.value.partition(".")
        for kind, name, where in self._likenesses(domain.value, label, suffix, wanted):
            if kind in wanted:
                return Likeness(kind, name, where)
        return None

    @cached_property
    def _own(self) -> frozenset[str]:
        return frozenset(self.names)

    @cached_property
    def _tables(self) -> _Tables:
        from weburl.standard.rendering.skeletons import near_skeleton, skeleton

        tables = _Tables({}, {}, {}, {})
        for name in self.names:
            label = name.partition(".")[0]
            in_unicode = _decoded(label)
            tables.by_label.setdefault(label, name)
            tables.by_skeleton.setdefault(skeleton(in_unicode), name)
            tables.by_near_skeleton.setdefault(near_skeleton(in_unicode), name)
            first, *words = [near_skeleton(_decoded(word)) for word in _words(name)]
            tables.by_first_word.setdefault(first, []).append((words, name))
        return tables

    @cached_property
    def _shortened(self) -> dict[str, list[str]]:
        """The near skeletons of long names, by themselves and by themselves without a letter."""
        found: dict[str, list[str]] = {}
        for near in self._tables.by_near_skeleton:
            if len(near) >= _LONG_ENOUGH:
                for text in (near, *_without_a_letter(near)):
                    found.setdefault(text, []).append(near)
        return found

    @cached_property
    def _lengths(self) -> list[int]:
        return sorted({len(near) for near in self._tables.by_near_skeleton}, reverse=True)

    def _likenesses(
        self, value: str, label: str, suffix: str, wanted: Collection[Kind]
    ) -> Iterator[tuple[Kind, str, str]]:
        """Yield each likeness of a host: ``label`` and ``suffix`` are its registrable domain."""
        from weburl.standard.rendering.skeletons import near_skeleton, skeleton

        tables = self._tables
        same = tables.by_label.get(label)
        if same is None:
            in_unicode = _decoded(label)
            near = near_skeleton(in_unicode)
            is_clear = len(in_unicode) >= _LONG_ENOUGH
            for kind, name in (
                (Kind.SAME_LOOK, tables.by_skeleton.get(skeleton(in_unicode))),
                (Kind.NEAR_LOOK, tables.by_near_skeleton.get(near)),
            ):
                if name and (is_clear or name.partition(".")[2] == suffix):
                    yield kind, name, label
        yield from _names_before_the_domain(tables, value, suffix)
        if same is not None:
            yield Kind.OTHER_SUFFIX, same, label
            return
        if Kind.ONE_EDIT in wanted:
            for text in (near, *_without_a_letter(near)):
                for other in self._shortened.get(text, ()):
                    if _is_within_one_edit(near, other):
                        yield Kind.ONE_EDIT, tables.by_near_skeleton[other], label
        if Kind.ADDED_WORD in wanted:
            yield from self._with_added_words(in_unicode, near, label)

    def _with_added_words(
        self, in_unicode: str, near: str, label: str
    ) -> Iterator[tuple[Kind, str, str]]:
        from weburl.standard.rendering.skeletons import near_skeleton

        by_near_skeleton = self._tables.by_near_skeleton
        words = in_unicode.split("-")
        parts = [near_skeleton(word) for word in words] if len(words) > 1 else []
        for length in self._lengths:
            if _LONG_ENOUGH <= length < len(near):
                parts += [near[:length], near[-length:]]
        for part in parts:
            if len(part) >= _LONG_ENOUGH - 1 and part in by_near_skeleton:
                yield Kind.ADDED_WORD, by_near_skeleton[part], label


def _names_before_the_domain(
    tables: _Tables, value: str, suffix: str
) -> Iterator[tuple[Kind, str, str]]:
    """Yield the names whose words come one after the other, before the suffix of the host."""
    from weburl.standard.rendering.skeletons import near_skeleton

    before = value[: -len(suffix) - 1]
    labels = [(word, label) for label in before.split(".") for word in _words(label)]
    words = [near_skeleton(_decoded(word)) for word, _ in labels]
    for at, first in enumerate(words):
        for rest, name in tables.by_first_word.get(first, ()):
            if words[at + 1 : at + 1 + len(rest)] == rest:
                yield Kind.BEFORE_DOMAIN, name, labels[at][1]


def _domain(host: Host | str) -> Domain | None:
    """Return ``host`` if it is a domain, and the domain that text is; None for another host."""
    if isinstance(host, Domain):
        return host
    if isinstance(host, str):
        try:
            parsed = parse_host(to_scalar_value_string(host), False) if host else None
        except Failure:
            parsed = None
        if parsed is None:
            raise ValueError(f"not a host: {masked_value(host)}")
        return parsed if isinstance(parsed, Domain) else None
    if not isinstance(host, Host):
        raise TypeError(f"expected a host or text, not {type(host).__name__}")
    return None


def _decoded(label: str) -> str:
    return trusted_domain(label).to_unicode() if label.startswith("xn--") else label


def _words(name: str) -> list[str]:
    """Return the words between dots and hyphens. An encoded label is one word."""
    words: list[str] = []
    for label in name.split("."):
        words += [label] if label.startswith("xn--") else label.split("-")
    return words


def _without_a_letter(text: str) -> list[str]:
    return [text[:at] + text[at + 1 :] for at in range(len(text))]


def _is_within_one_edit(one: str, other: str) -> bool:
    """Return whether one letter added, left out, changed or swapped makes the texts equal."""
    if len(one) > len(other):
        one, other = other, one
    at = next((at for at in range(len(one)) if one[at] != other[at]), len(one))
    if len(other) > len(one):
        return one[at:] == other[at + 1 :]
    swapped = one[at : at + 2][::-1] + one[at + 2 :]
    return one[at + 1 :] == other[at + 1 :] or swapped == other[at:]
