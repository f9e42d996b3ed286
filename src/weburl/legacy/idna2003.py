"""RFC 3490: host names to ASCII as of 2003, with AllowUnassigned and UseSTD3ASCIIRules.

What its labels become in Unicode is the business of `nameprep`.
"""

from __future__ import annotations

import re
from typing import Final

from weburl.legacy.errors import LegacyURLError

_DOT: Final = re.compile("[.\u3002\uff0e\uff61]")
_ACE_PREFIX: Final = "xn--"
_MAX_LABEL_LENGTH: Final = 63
_STD3_LABEL: Final = re.compile("(?!-)[A-Za-z0-9\x80-\U0010ffff-]+(?<!-)")
# No character of NFKC is made of more than four, so that this many always leave too many.
_MAX_LENGTH_BEFORE_NFKC: Final = 4 * _MAX_LABEL_LENGTH


def domain_to_ascii(domain: str) -> str:
    """Return ``domain``, scalar values, with each of its labels in ASCII.

    The empty label of the root, behind the last dot, is none. Raises `LegacyURLError` for a
    label that is empty, longer than 63, or holds what no label may hold.

    Document: RFC 3490, section 4.1.
    """
    labels = _DOT.split(domain)
    root = labels.pop() if len(labels) > 1 and not labels[-1] else None
    ascii_labels = [_label_to_ascii(label) for label in labels]
    return ".".join(ascii_labels if root is None else [*ascii_labels, root])


def _label_to_ascii(label: str) -> str:
    prepared = label if label.isascii() else _nameprep(label)
    if not _STD3_LABEL.fullmatch(prepared):
        raise LegacyURLError("a label of the host is empty, or has a character that is not allowed")
    if not prepared.isascii():
        if prepared.startswith(_ACE_PREFIX):
            raise LegacyURLError("a label of the host begins with 'xn--' and is not ASCII")

        from weburl.hosts import punycode  # As long as few hosts need it, few load it.

        prepared = _ACE_PREFIX + punycode.encode(prepared)
    if len(prepared) > _MAX_LABEL_LENGTH:
        raise LegacyURLError("a label of the host is longer than 63 characters")
    return prepared


def _nameprep(label: str) -> str:
    """Return ``label`` prepared, raising `LegacyURLError` for what may not be in it. RFC 3491."""
    from weburl.legacy import nameprep  # Tables that few need.

    kept = nameprep.without_what_maps_to_nothing(label)
    if len(kept) > _MAX_LENGTH_BEFORE_NFKC:
        # Normalizing a long text may take quadratic time.
        raise LegacyURLError("a label of the host is longer than 63 characters")
    prepared = nameprep.map_and_normalize(kept)
    if nameprep.is_prohibited(prepared):
        raise LegacyURLError("a label of the host has a character that is not allowed")
    return prepared
