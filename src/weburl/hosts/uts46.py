"""UTS #46, Unicode IDNA Compatibility Processing, with the flags the URL Standard sets.

Tables come from the idna package, normalization and properties from unicodedata2, both of
one Unicode version; the interpreter's own are older. Imported only when a host needs them.
"""

from __future__ import annotations

from bisect import bisect_right
from typing import Final

from idna.idnadata import joining_types
from idna.intranges import intranges_contain
from idna.uts46data import uts46_replacements, uts46_starts, uts46_statuses

from weburl.hosts import punycode

try:
    import unicodedata2
except ImportError as _error:
    raise ImportError(
        "Hosts beyond ASCII take unicodedata2, which cannot be loaded here; an isolated"
        " subinterpreter takes no such extension module.",
        name=_error.name,
        path=_error.path,
    ) from _error

_VALID, _MAPPED, _DEVIATION, _IGNORED = b"VMDI"
_ACE_PREFIX: Final = "xn--"
_MAX_LABEL_LENGTH: Final = 63
_MAX_DOMAIN_LENGTH: Final = 253
_STD3_ASCII: Final = frozenset("abcdefghijklmnopqrstuvwxyz0123456789-")
_VIRAMA: Final = 9
_ZERO_WIDTH_NON_JOINER: Final = "\u200c"
_ZERO_WIDTH_JOINER: Final = "\u200d"

# RFC 5893, section 2.
_RTL_STARTS: Final = frozenset({"R", "AL"})
_RTL: Final = frozenset({"R", "AL", "AN"})
_NEUTRAL: Final = frozenset({"EN", "ES", "CS", "ET", "ON", "BN", "NSM"})
_ALLOWED_IN_RTL: Final = _RTL | _NEUTRAL
_ALLOWED_IN_LTR: Final = frozenset({"L"}) | _NEUTRAL
_ENDS_RTL: Final = frozenset({"R", "AL", "EN", "AN"})
_ENDS_LTR: Final = frozenset({"L", "EN"})


def to_ascii(domain: str, be_strict: bool) -> str | None:
    """Return Unicode ToASCII of ``domain``, or None for failure.

    ``be_strict`` is the value of CheckHyphens, UseSTD3ASCIIRules and VerifyDnsLength.

    Spec: https://www.unicode.org/reports/tr46/#ToASCII
    """
    labels = _process(domain, be_strict)
    if labels is None:
        return None
    ascii_labels = [
        label if label.isascii() else _ACE_PREFIX + punycode.encode(label) for label in labels
    ]
    result = ".".join(ascii_labels)
    if be_strict and (
        len(result) > _MAX_DOMAIN_LENGTH
        or not all(0 < len(label) <= _MAX_LABEL_LENGTH for label in ascii_labels)
    ):
        return None
    return result


def to_unicode(domain: str) -> str | None:
    """Return Unicode ToUnicode of ``domain`` with relaxed flags, or None if it records an error.

    Spec: https://www.unicode.org/reports/tr46/#ToUnicode
    """
    labels = _process(domain, False)
    return None if labels is None else ".".join(labels)


def _status(char: str) -> int:
    return uts46_statuses[bisect_right(uts46_starts, ord(char)) - 1]


def map_and_normalize(domain: str) -> str:
    """Return ``domain`` mapped, and in NFC.

    What is disallowed stays, for the validity criteria to find.

    Spec: https://www.unicode.org/reports/tr46/#Processing
    """
    output: list[str] = []
    for char in domain:
        index = bisect_right(uts46_starts, ord(char)) - 1
        status = uts46_statuses[index]
        if status == _MAPPED:
            output.append(uts46_replacements[index] or "")
        elif status != _IGNORED:
            output.append(char)
    return str(unicodedata2.normalize("NFC", "".join(output)))


def _process(domain: str, be_strict: bool) -> list[str] | None:
    """Return the labels of ``domain`` in Unicode, or None where an error would be recorded."""
    mapped = map_and_normalize(domain)
    if be_strict and len(mapped) > _MAX_DOMAIN_LENGTH:
        return None  # ToASCII never makes it shorter; spare the work on long text.
    labels: list[str] = []
    for label in mapped.split("."):
        if label.startswith(_ACE_PREFIX):
            decoded = punycode.decode(label[len(_ACE_PREFIX) :])
            if decoded is None or decoded.isascii():
                return None
            if not is_normalized(decoded):
                return None
            label = decoded  # noqa: PLW2901
        if label.startswith(_ACE_PREFIX) or not is_valid_label(label, be_strict):
            return None
        labels.append(label)
    return labels if are_valid_together(labels) else None


def is_normalized(label: str) -> bool:
    """Return whether ``label`` is in NFC, the first of the validity criteria."""
    return bool(unicodedata2.normalize("NFC", label) == label)


def are_valid_together(labels: list[str]) -> bool:
    """Return whether ``labels``, in Unicode, pass CheckBidi as the labels of one domain."""
    is_bidi_domain_name = any(
        unicodedata2.bidirectional(char) in _RTL for label in labels for char in label
    )
    return not is_bidi_domain_name or all(map(_satisfies_bidi_rule, labels))


def is_valid_label(label: str, be_strict: bool) -> bool:
    """Return whether ``label``, normalized and in Unicode, meets the validity criteria.

    But for CheckBidi, and for the ACE prefix, which the criteria have refused since 2023 only.

    Spec: https://www.unicode.org/reports/tr46/#Validity_Criteria
    """
    if not label:
        return True
    if be_strict and (label[2:4] == "--" or label.startswith("-") or label.endswith("-")):
        return False
    if "." in label:
        return False
    if unicodedata2.category(label[0]).startswith("M"):
        return False
    for at, char in enumerate(label):
        if char < "\x80":
            if be_strict and char not in _STD3_ASCII:
                return False
        elif _status(char) not in (_VALID, _DEVIATION) or not _joins(label, at):
            return False
    return True


def _joins(label: str, at: int) -> bool:
    """Return whether the code point at ``at`` is no joiner, or one in a context that wants it.

    Spec: https://www.rfc-editor.org/rfc/rfc5892#appendix-A
    """
    if label[at] not in (_ZERO_WIDTH_NON_JOINER, _ZERO_WIDTH_JOINER):
        return True
    if at > 0 and unicodedata2.combining(label[at - 1]) == _VIRAMA:
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


def _satisfies_bidi_rule(label: str) -> bool:
    """Return whether ``label`` satisfies the Bidi Rule.

    Spec: https://www.rfc-editor.org/rfc/rfc5893#section-2
    """
    if not label:
        return True
    directions: list[str] = [unicodedata2.bidirectional(char) for char in label]
    ending = next((direction for direction in reversed(directions) if direction != "NSM"), "NSM")
    if directions[0] in _RTL_STARTS:
        return (
            _ALLOWED_IN_RTL.issuperset(directions)
            and ending in _ENDS_RTL
            and not ("EN" in directions and "AN" in directions)
        )
    return directions[0] == "L" and _ALLOWED_IN_LTR.issuperset(directions) and ending in _ENDS_LTR
