"""Hides usernames and passwords in text for messages and reprs, which end up in logs.

Text that does not parse may be a URL whose password should have been percent-encoded. So this looks
further than the parser does, and hides too much rather than too little.
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

    This is the text after the first slashes. If there is a colon before the last "@" of the whole
    text, it ends at that "@", and any text up to a delimiter before the colon stays, since it may
    be a host and a path. Without a colon it ends at the last "@" before a delimiter. If there are
    no slashes, it is the text after the first colon, except after "mailto:".
    """
    start, end = _credentials(text)
    if start >= end:
        return text
    return text[:start] + _stars(text[start:end]) + text[end:]


def without_credentials(text: str) -> str:
    """Return a path, a query or a fragment with the credentials of URLs inside it masked.

    If it starts with a URL, `masked` finds its credentials.
    """
    if "@" not in text:
        return text
    if _STARTS_WITH_A_URL.match(text) is not None:
        return masked(text)
    return _INNER_USERINFO.sub("***@", text)


def masked_value(value: object) -> str:
    """Return a wrong value for a message: the repr of masked text, or only the type's name."""
    if isinstance(value, str):
        return repr(masked(exact(value)))
    return repr(value) if isinstance(value, _PLAIN) else f"a value of type {type(value).__name__}"


def masked_before_at_sign(text: str) -> str:
    """Return a part of a URL with a "*" for each code point before its last "@"."""
    end = text.rfind("@")
    return text if end < 0 else "*" * end + text[end:]


def _credentials(text: str) -> tuple[int, int]:
    """Return where credentials begin and end in ``text``; an empty span if there are none."""
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
