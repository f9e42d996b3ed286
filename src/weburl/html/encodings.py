"""Names of encodings in HTML, from labels, `meta` elements and XML declarations.

The tables are in `infra.encodings`, which is imported only for encodings other than UTF-8.
"""

from __future__ import annotations

import re
from typing import Final

UTF_8: Final = "utf-8"

_CHARSET: Final = re.compile("(?ai:charset)[\t\n\f\r ]*+=[\t\n\f\r ]*+")
_UNQUOTED: Final = re.compile("[^\t\n\f\r ;]*+")
_XML_DECLARATION: Final = re.compile(
    rb"""<\?xml
    (?>[^>]*?encoding)[\x00-\x20]*+=[\x00-\x20]*+
    (?P<quote>["'])(?P<label>(?>(?:(?!(?P=quote))[^\x00-\x20>])*))(?P=quote)
    [^>]*+>""",
    re.VERBOSE,
)
PRESCANNED: Final = 1024
"""How many bytes at the start of a page are searched for a declaration."""


def encoding_name(label: str) -> str:
    """Return the name of the encoding with this ``label``.

    Raises ValueError for an unknown label, and TypeError if it is not text.
    """
    if label == UTF_8:
        return label
    from weburl.standard.infra.encodings import get_encoding

    return get_encoding(label)


def encoding_or_none(label: str) -> str | None:
    """Return the name of the encoding with this ``label``, or None for an unknown label.

    Spec: https://encoding.spec.whatwg.org/#concept-encoding-get
    """
    try:
        return encoding_name(label)
    except ValueError:
        return None


def xml_encoding(html: bytes) -> str | None:
    """Return the name of the encoding in an XML declaration at the start of ``html``, or None.

    Browsers follow it in HTML, too, unless a `meta` element declares another encoding.

    Spec: https://html.spec.whatwg.org/#concept-get-xml-encoding-when-sniffing
    """
    found = _XML_DECLARATION.match(html[:PRESCANNED])
    if found is None:
        return None
    name = encoding_or_none(found["label"].decode("latin-1"))
    # The declaration was read byte by byte, so the page cannot really be in UTF-16.
    return UTF_8 if name in ("utf-16be", "utf-16le") else name


def extract_character_encoding_from_meta_element(content: str) -> str | None:
    """Return the name of the encoding in the ``content`` of a `meta` element, or None.

    The name is the standard's, in lower case: ``"windows-1252"`` for
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
        # The pattern always matches, at least the empty text.
        unquoted = _UNQUOTED.match(content, start)
        label = "" if unquoted is None else unquoted[0]
    return encoding_or_none(label)
