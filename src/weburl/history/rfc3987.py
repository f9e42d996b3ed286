"""RFC 3987: the grammar of IRI references. This module only checks text; it resolves nothing."""

from __future__ import annotations

import re
from typing import Final

from weburl.history.errors import LegacyURLError
from weburl.history.rfc3986 import Components, Grammar

__all__ = ["parse_iri_reference"]

_UCSCHAR: Final = "\\xa0-\\ud7ff\\uf900-\\ufdcf\\ufdf0-\\uffef" + "".join(
    f"\\U{plane:04x}{'1000' if plane == 14 else '0000'}-\\U{plane:04x}fffd"
    for plane in range(1, 15)
)
_IPRIVATE: Final = "\\ue000-\\uf8ff\\U000f0000-\\U000ffffd\\U00100000-\\U0010fffd"
# Section 4.1: left-to-right and right-to-left marks, embeddings, overrides, and what ends them.
_BIDI_FORMATTING: Final = re.compile("[\u200e\u200f\u202a-\u202e]")

IRI: Final = Grammar(f"A-Za-z0-9._~\\-{_UCSCHAR}", _IPRIVATE)
"""The grammar of RFC 3987."""


def parse_iri_reference(text: str, *, grammar_alone: bool = False) -> Components:
    """Return the components of ``text``; raises `LegacyURLError` if it is not an IRI reference.

    ``grammar_alone``: accept all text that matches the grammar. It may then contain bidirectional
    formatting characters, which another section forbids.

    Document: RFC 3987, sections 2.2 and 4.1.
    """
    if not grammar_alone and _BIDI_FORMATTING.search(text):
        raise LegacyURLError("there is a bidirectional formatting character")
    return IRI.parse(text)
