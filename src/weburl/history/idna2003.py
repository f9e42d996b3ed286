"""RFC 3490: host names to ASCII as of 2003, with AllowUnassigned and UseSTD3ASCIIRules.

The standard library prepares labels in Unicode. It has the tables of Unicode 3.2, and the lowercase
letters and compositions of the running Python for code points that 3.2 did not have.
"""

from __future__ import annotations

import re
from typing import Final

from weburl.history.errors import LegacyURLError

_DOT: Final = re.compile("[.\u3002\uff0e\uff61]")
_ACE_PREFIX: Final = "xn--"
_MAX_LABEL_LENGTH: Final = 63
_STD3_LABEL: Final = re.compile("(?!-)[A-Za-z0-9\x80-\U0010ffff-]+(?<!-)")
# NFKC composes at most four code points into one, so a longer label remains too long.
_MAX_LENGTH_BEFORE_NFKC: Final = 4 * _MAX_LABEL_LENGTH


def domain_to_ascii(domain: str) -> str:
    """Return ``domain``, scalar values, with each of its labels in ASCII.

    A trailing dot does not add a label. Raises `LegacyURLError` for a label that is empty, longer
    than 63 characters, or contains a code point that is not allowed.

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

        from weburl.standard.hosts import punycode  # Few hosts need it, so it loads late.

        prepared = _ACE_PREFIX + punycode.encode(prepared)
    if len(prepared) > _MAX_LABEL_LENGTH:
        raise LegacyURLError("a label of the host is longer than 63 characters")
    return prepared


def _nameprep(label: str) -> str:
    """Return ``label`` prepared, or raise `LegacyURLError` if it may not be one. RFC 3491."""
    from encodings.idna import nameprep  # Few hosts need its tables.
    from stringprep import in_table_b1

    kept = "".join([char for char in label if not in_table_b1(char)])
    if len(kept) > _MAX_LENGTH_BEFORE_NFKC:
        # Normalizing a long text may take quadratic time.
        raise LegacyURLError("a label of the host is longer than 63 characters")
    try:
        return nameprep(kept)
    except UnicodeError:
        raise LegacyURLError("a label of the host has a character that is not allowed") from None
