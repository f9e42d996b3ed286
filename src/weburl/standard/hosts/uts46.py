"""UTS #46, Unicode IDNA Compatibility Processing, with the flags the URL Standard sets.

The tables come from the idna package, normalization and properties from `unicode_data`. If its
tables are older than the tables of idna, a code point that they lack raises an ImportError, as long
as a label may contain it. This module is imported only when a host needs it.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Callable
from functools import cache
from typing import Final, TypeVar

from idna.idnadata import joining_types
from idna.intranges import intranges_contain
from idna.uts46data import uts46_replacements, uts46_starts, uts46_statuses

from weburl.standard.hosts import punycode
from weburl.standard.infra import unicode_data
from weburl.standard.infra.code_point_regexes import FORBIDDEN_DOMAIN_CODE_POINT
from weburl.standard.infra.code_points import FORBIDDEN_DOMAIN_CODE_POINTS, character_class
from weburl.standard.infra.dns import MAX_DOMAIN_LENGTH, MAX_LABEL_LENGTH

_VALID, _MAPPED, _DEVIATION, _IGNORED = b"VMDI"
_MAY_BE_IN_A_LABEL: Final = frozenset({_VALID, _MAPPED, _DEVIATION})
_ACE_PREFIX: Final = "xn--"
_STD3_ASCII: Final = frozenset("abcdefghijklmnopqrstuvwxyz0123456789-")
_VIRAMA: Final = 9
_MOST_REMEMBERED: Final = 1 << 15  # code points; a site in one script uses some thousands
_ZERO_WIDTH_NON_JOINER: Final = "\u200c"
_ZERO_WIDTH_JOINER: Final = "\u200d"

# The kind of a code point is a letter for its bidi class if a label may contain it, or else "".
_NOT_VALID: Final = ""
_JOINER: Final = "J"
_SEPARATOR: Final = "."  # the full stop between two labels
_ANY_OTHER_KIND: Final = "X"
_NEVER_ORDINARY: Final = "RAJ"
_KINDS: Final = {
    "L": "L",
    "R": "R",
    "AL": "R",
    "AN": "A",
    "EN": "E",
    "NSM": "N",
    "BN": _JOINER,
    **dict.fromkeys(("ES", "CS", "ET", "ON"), "O"),
}


def to_ascii(domain: str, be_strict: bool) -> str | None:
    """Return the result of Unicode ToASCII for ``domain``, or None for failure.

    ``be_strict`` is the value of CheckHyphens, UseSTD3ASCIIRules and VerifyDnsLength.

    Spec: https://www.unicode.org/reports/tr46/#ToASCII
    """
    labels = _process(domain, be_strict)
    return None if labels is None else ascii_of_labels(labels, verify_dns_length=be_strict)


def to_ascii_unless_forbidden(domain: str) -> str | None:
    """Return the result of Unicode ToASCII for ``domain``, not strict, or None for failure.

    Returns None, too, if the result would contain a forbidden domain code point.
    """
    labels = _ordinary_labels(domain)
    if labels is not None:
        return ascii_of_labels(labels, verify_dns_length=False)
    # Refused before mapping, which may make it twelve times as long.
    result = None if holds_what_stays_forbidden(domain) else to_ascii(domain, False)
    if result is None or FORBIDDEN_DOMAIN_CODE_POINT.search(result) is not None:
        return None
    return result


def to_ascii_unless_longer(domain: str, longest: int) -> str | None:
    """Return what `to_ascii_unless_forbidden` does, without writing very long labels in Punycode.

    A label of more than ``longest`` code points that are not all ASCII is replaced by another text
    of at least this length, without a dot. Such a label takes most of the time.
    """
    labels = _ordinary_labels(domain)
    if labels is None:
        if holds_what_stays_forbidden(domain):
            return None
        labels = _process(domain, False)
        # Punycode keeps ASCII, and adds only letters, digits and hyphens.
        if labels is None or any(map(FORBIDDEN_DOMAIN_CODE_POINT.search, labels)):
            return None
    labels = [
        label if len(label) <= longest or label.isascii() else _ACE_PREFIX + "a" * len(label)
        for label in labels
    ]
    return ascii_of_labels(labels, verify_dns_length=False)


def ascii_of_labels(labels: list[str], *, verify_dns_length: bool) -> str | None:
    """Return processed labels as a domain in ASCII, or None if a label or the domain is too long.

    Only ``verify_dns_length`` checks the lengths; it also refuses an empty label.

    Spec: https://www.unicode.org/reports/tr46/#ToASCII
    """
    ascii_labels = [
        label if label.isascii() else _ACE_PREFIX + punycode.encode(label) for label in labels
    ]
    result = ".".join(ascii_labels)
    if verify_dns_length and (
        len(result) > MAX_DOMAIN_LENGTH
        or not all(0 < len(label) <= MAX_LABEL_LENGTH for label in ascii_labels)
    ):
        return None
    return result


def to_unicode(domain: str) -> str | None:
    """Return the result of Unicode ToUnicode with relaxed flags, or None if it records an error.

    Spec: https://www.unicode.org/reports/tr46/#ToUnicode
    """
    labels = _process(domain, False)
    return None if labels is None else ".".join(labels)


_Key = TypeVar("_Key")
_Answer = TypeVar("_Answer")


class _Remembered(dict[_Key, _Answer]):
    """A cache of what the tables say about code points, because most of them recur.

    A look-up here takes a twentieth of the time of a look-up in the tables.
    """

    __slots__ = ("_ask",)

    def __init__(self, ask: Callable[[_Key], _Answer]) -> None:
        super().__init__()
        self._ask: Final = ask

    def __missing__(self, key: _Key) -> _Answer:
        if len(self) >= _MOST_REMEMBERED:  # untrusted text may contain all of Unicode
            self.clear()
        answer = self[key] = self._ask(key)
        return answer


# An ordinary code point is valid, is mapped to itself, is not a joiner, and makes no domain a bidi
# domain name. A domain of them is valid if it is in NFC and no label begins with a mark or "xn--".
# Asking a set about a domain takes half as long as mapping it.
_ORDINARY_ASCII: Final = _STD3_ASCII | {_SEPARATOR}
_ordinary: Final = set(_ORDINARY_ASCII)  # those that `_kinds` holds, and ASCII
_marks: Final[set[str]] = set()  # The marks that are or were ordinary. Unicode has few.


def _mapping(code_point: int) -> str | None:
    """Return what ``code_point`` is mapped to, or None if it is removed.

    Raises ImportError if the tables of Unicode lack what a label would contain.
    """
    index = bisect_right(uts46_starts, code_point) - 1
    status = uts46_statuses[index]
    if status == _IGNORED:
        return None
    replacement = (uts46_replacements[index] or "") if status == _MAPPED else chr(code_point)
    if status in _MAY_BE_IN_A_LABEL:
        unicode_data.require(replacement)
    return replacement


def _kind(code_point: int) -> str:
    """Return the kind of ``code_point``.

    Raises ImportError if the tables of Unicode lack a code point that a label may contain.
    """
    char = chr(code_point)
    if char == _SEPARATOR:
        return _SEPARATOR
    status = uts46_statuses[bisect_right(uts46_starts, code_point) - 1]
    # Only the strict rules refuse any ASCII, and they do not use the tables.
    if char >= "\x80" and status not in (_VALID, _DEVIATION):
        return _NOT_VALID
    unicode_data.require(char)
    kind = _KINDS.get(unicode_data.bidirectional(char), _ANY_OTHER_KIND)
    if char >= "\x80" and kind not in _NEVER_ORDINARY:
        if unicode_data.category(char).startswith("M"):
            _marks.add(char)
        _ordinary.add(char)
    return kind


class _Kinds(_Remembered[int, str]):
    """The kinds of code points. To forget them is to forget which ones are ordinary."""

    __slots__ = ()

    def clear(self) -> None:
        super().clear()
        _ordinary.clear()
        _ordinary.update(_ORDINARY_ASCII)


_mapped_to: Final = _Remembered(_mapping)
_kinds: Final = _Kinds(_kind)


# "<" and ">" may be composed with what follows, and then are no longer forbidden. All others are
# kept.
_STAYS_FORBIDDEN: Final = FORBIDDEN_DOMAIN_CODE_POINTS - {"<", ">"}
_FORBIDDEN_ONCE_MAPPED: Final = "".join(
    chr(code_point)
    for at, replacement in enumerate(uts46_replacements)
    if replacement and not _STAYS_FORBIDDEN.isdisjoint(replacement)
    for code_point in range(uts46_starts[at], uts46_starts[at + 1])
)  # all beyond ASCII
_STAYING_FORBIDDEN: Final = re.compile(
    f"[{character_class(_STAYS_FORBIDDEN)}{_FORBIDDEN_ONCE_MAPPED}]"
)


def holds_what_stays_forbidden(domain: str) -> bool:
    """Return whether ``domain`` contains a forbidden domain code point after mapping.

    Then it is not a domain, and need not be mapped. Mapping may make it much longer: U+FDFA becomes
    eighteen code points.
    """
    return _STAYING_FORBIDDEN.search(domain) is not None


def map_and_normalize(domain: str) -> str:
    """Return ``domain`` mapped and in NFC.

    Disallowed code points are kept, and the validity criteria find them.

    Spec: https://www.unicode.org/reports/tr46/#Processing
    """
    return unicode_data.normalize("NFC", domain.translate(_mapped_to))


def _process(domain: str, be_strict: bool) -> list[str] | None:
    """Return the labels of ``domain`` in Unicode, or None if an error would be recorded."""
    mapped = map_and_normalize(domain)
    if be_strict and len(mapped) > MAX_DOMAIN_LENGTH:
        return None  # ToASCII never makes it shorter, so it fails.
    ordinary_labels = _ordinary_labels(mapped)
    if ordinary_labels is not None:
        return None if be_strict and not all(map(_is_strict, ordinary_labels)) else ordinary_labels
    if _ACE_PREFIX not in mapped:
        labels = mapped.split(".")
        return labels if are_valid(labels, be_strict) else None
    labels = []
    for label in mapped.split("."):
        if label.startswith(_ACE_PREFIX):
            decoded = punycode.decode(label[len(_ACE_PREFIX) :])
            if decoded is None or decoded.isascii():
                return None
            if not is_normalized(decoded):
                return None
            label = decoded  # noqa: PLW2901
        if label.startswith(_ACE_PREFIX):
            return None
        labels.append(label)
    return labels if are_valid(labels, be_strict) else None


def _ordinary_labels(domain: str) -> list[str] | None:
    """Return the labels of ``domain`` if it needs no change and is valid, or None if unsure."""
    if (
        not _ordinary.issuperset(domain)
        or _ACE_PREFIX in domain
        or unicode_data.normalize("NFC", domain) != domain
    ):
        return None
    labels = domain.split(_SEPARATOR)
    for label in labels:  # A call of `any` would take twice as long.
        if label[:1] in _marks:
            return None
    return labels


def is_normalized(label: str) -> bool:
    """Return whether ``label`` is in NFC, the first of the validity criteria.

    Raises ImportError if the tables of Unicode lack a code point that a label may contain.
    """
    if not unicode_data.COMPLETE:
        label.translate(_kinds)
    return unicode_data.normalize("NFC", label) == label


def are_valid(labels: list[str], be_strict: bool) -> bool:
    """Return whether ``labels``, normalized and in Unicode, are valid in one domain.

    The ACE prefix is not checked here, because the criteria have refused it only since 2023.

    Spec: https://www.unicode.org/reports/tr46/#Validity_Criteria
    """
    if be_strict and not all(map(_is_strict, labels)):
        return False
    for label in labels:
        if "." in label or unicode_data.category(label[:1] or "a").startswith("M"):
            return False
    domain = _SEPARATOR.join(labels)
    kinds = domain.translate(_kinds)
    if len(kinds) != len(domain):
        return False  # One of them is `_NOT_VALID`.
    if _JOINER in kinds and not all(
        _joins(label, at) for label in labels for at in range(len(label))
    ):
        return False
    is_bidi_domain_name = "R" in kinds or "A" in kinds
    return not is_bidi_domain_name or _bidi_rule().fullmatch(kinds) is not None


@cache  # Compiling it takes half a millisecond, and few programs have such hosts.
def _bidi_rule() -> re.Pattern[str]:
    """Return what matches the kinds of a domain whose labels all satisfy the Bidi Rule.

    Spec: https://www.rfc-editor.org/rfc/rfc5893#section-2
    """
    label = "(?:(?:R(?:[REOJN]*[RE])?|R(?:[RAOJN]*[RA])?|L(?:[LEOJN]*[LE])?)N*+)?"
    return re.compile(rf"(?>(?:{label}\.)*){label}")


def _is_strict(label: str) -> bool:
    """Return whether ``label`` passes CheckHyphens and UseSTD3ASCIIRules."""
    if label[2:4] == "--" or label.startswith("-") or label.endswith("-"):
        return False
    return _STD3_ASCII.issuperset([char for char in label if char < "\x80"])


def _joins(label: str, at: int) -> bool:
    """Return whether the code point at ``at`` passes CheckJoiners, as all but joiners do.

    Spec: https://www.rfc-editor.org/rfc/rfc5892#appendix-A
    """
    if label[at] not in (_ZERO_WIDTH_NON_JOINER, _ZERO_WIDTH_JOINER):
        return True
    if at > 0 and unicode_data.combining(label[at - 1]) == _VIRAMA:
        return True
    if label[at] == _ZERO_WIDTH_JOINER:
        return False
    before = _first_joining_type(label, at - 1, -1)
    after = _first_joining_type(label, at + 1, 1)
    return before in ("L", "D") and after in ("R", "D")


def _first_joining_type(label: str, at: int, step: int) -> str:
    """Return the joining type of the first code point from ``at`` on that is not transparent."""
    while 0 <= at < len(label):
        joining_type = _joining_type(label[at])
        if joining_type != "T":
            return joining_type
        at += step
    return "U"


def _joining_type(char: str) -> str:
    for joining_type, ranges in joining_types.items():
        if intranges_contain(ord(char), ranges):
            return joining_type
    return "U"


def may_be_in_a_host(code_point: str) -> bool:
    """Return whether a label can contain ``code_point``, text of length 1, as it is or mapped.

    A label cannot contain an ignored code point, such as a soft hyphen: the label does not keep it.
    Nor can it contain a full stop, or a code point that is mapped to a delimiter.

    Spec: https://www.unicode.org/reports/tr46/#IDNA_Mapping_Table
    """
    mapped = _mapped_to[ord(code_point)]
    return bool(mapped) and all(
        char in _STD3_ASCII if char.isascii() else _kinds[ord(char)] != _NOT_VALID
        for char in mapped or ""
    )
