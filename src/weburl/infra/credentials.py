"""What of a text may be a username or a password, and the text without it.

For messages and reprs, which end up in logs. Text that does not parse may be a URL whose password
ought to have been percent-encoded, so this looks farther than the parser does, and rather hides
too much than too little.
"""

from __future__ import annotations

import re
from typing import Final

from weburl.infra.schemes import SPECIAL_SCHEMES
from weburl.infra.strings import ascii_lowercase, exact

# Schemes may be nested, as in "blob:https://" and "jdbc:mysql://".
_UP_TO_SLASHES: Final = re.compile(r"([^/\\]*+)([/\\][/\\\t\n\r]*+)")
_STARTS_WITH_A_URL: Final = re.compile(r"[A-Za-z][A-Za-z0-9+.:-]*+(?<=:)[/\\]{2}")
_AUTHORITY_END: Final = re.compile(r"[/\\?#]")
_USERINFO_END: Final = re.compile(r"[/?#]")
_INNER_USERINFO: Final = re.compile(r"(?<=:[/\\]{2})[^/?#@]*+@(?:[^/?#@]*+@)*+")
_PLAIN: Final = (int, float, type(None))


def masked(text: str) -> str:
    """Return ``text`` with a "*" for each code point of what may be a username or a password.

    That is what stands behind the first slashes, up to the last "@" of the whole text where
    there is a colon in between, and up to the last one before a delimiter where there is none.
    Where a delimiter stands before the colon, what is in front of it stays: a host and a path,
    maybe. Without slashes, what stands behind the first colon, but for "mailto:".
    """
    start, end = _credentials(text)
    if start >= end:
        return text
    return text[:start] + _stars(text[start:end]) + text[end:]


def without_credentials(text: str) -> str:
    """Return an opaque path, a path, a query or a fragment with the credentials in it masked.

    Those of URLs inside it: of one it starts with, as `masked` finds them, or of others.
    """
    if "@" not in text:
        return text
    if _STARTS_WITH_A_URL.match(text) is not None:
        return masked(text)
    return _INNER_USERINFO.sub("***@", text)


def masked_value(value: object) -> str:
    """Return the repr of a wrong value for a message: text masked, of other types the name."""
    if isinstance(value, str):
        return repr(masked(exact(value)))
    return repr(value) if isinstance(value, _PLAIN) else f"a value of type {type(value).__name__}"


def masked_before_at_sign(text: str) -> str:
    """Return a text that is no whole URL with a "*" for each code point before its last "@"."""
    end = text.rfind("@")
    return text if end < 0 else "*" * end + text[end:]


def _credentials(text: str) -> tuple[int, int]:
    """Return where in ``text`` credentials begin and end; a span of nothing for none."""
    end = text.rfind("@")
    if end < 0:
        return 0, 0
    found = _UP_TO_SLASHES.match(text)
    before_slashes = text if found is None else found[1]
    scheme, colon_mark, rest = before_slashes.partition(":")
    if "@" in rest and "@" not in scheme and not ascii_lowercase(scheme).endswith("mailto"):
        return len(scheme) + len(colon_mark), end
    if found is None:
        return 0, 0
    start = found.end()
    colon = text.find(":", start, end)
    if colon >= 0:
        delimiter = _AUTHORITY_END.search(text, start, colon)
        return (start if delimiter is None else colon + 1), end
    scheme = ascii_lowercase(before_slashes.rpartition(":")[0].strip())
    if len(found[2]) == 1 and scheme not in SPECIAL_SCHEMES:
        return 0, 0
    delimiter = _USERINFO_END.search(text, start)
    return start, text.rfind("@", start, len(text) if delimiter is None else delimiter.start())


def _stars(userinfo: str) -> str:
    username, colon, password = userinfo.partition(":")
    return "*" * len(username) + colon + "*" * len(password)
