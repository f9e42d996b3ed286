"""Names of encodings, as HTML looks for them in labels and in `meta` elements.

The tables are those of `weburl.encodings`, loaded by those who name an encoding other than UTF-8.
"""

from __future__ import annotations

import re
from typing import Final

UTF_8: Final = "utf-8"

_CHARSET: Final = re.compile("(?ai:charset)[\t\n\f\r ]*+=[\t\n\f\r ]*+")
_UNQUOTED: Final = re.compile("[^\t\n\f\r ;]*+")


def encoding_name(label: str) -> str:
    """Return the name of the encoding that has ``label``.

    Raises LookupError for none, and TypeError for what is not text.
    """
    if label == UTF_8:
        return label
    from weburl.encodings import get_encoding

    return get_encoding(label)


def encoding_or_none(label: str) -> str | None:
    """Return the name of the encoding that has ``label``, or None.

    Spec: https://encoding.spec.whatwg.org/#concept-encoding-get
    """
    try:
        return encoding_name(label)
    except LookupError:
        return None


def extract_character_encoding_from_meta_element(content: str) -> str | None:
    """Return the name of the encoding in a `meta` element's ``content``, or None.

    The name is the standard's in lower case, as in ``"windows-1252"`` for
    ``"text/html; charset=latin1"``.

    Spec: https://html.spec.whatwg.org/#algorithm-for-extracting-a-character-encoding-from-a-meta-element
    """
    found = _CHARSET.search(content)
    if found is None:
        return None
    start = found.end()
    quote = content[start : start + 1]
    if quote and quote in "\"'":
        end = content.find(quote, start + 1)
        label = content[start + 1 : end] if end >= 0 else ""
    else:
        # It matches always, be it nothing.
        unquoted = _UNQUOTED.match(content, start)
        label = "" if unquoted is None else unquoted[0]
    return encoding_or_none(label)
