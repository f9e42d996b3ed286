"""Hides usernames and passwords in text for messages and reprs, which end up in logs.

Text that does not parse may be a URL whose password should have been percent-encoded, and another
parser may find credentials where ours finds none. So this looks further than the parser does, and
hides too much rather than too little. `masking` finds them. It is loaded for the first text in
which there may be an "@".
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from weburl.standard.infra.strings import exact, shortened

if TYPE_CHECKING:
    from weburl.standard.infra.masked import Masked

_PLAIN: Final = (bool, int, float, type(None))
_LARGEST_SHOWN: Final = 10**40


def masking(text: str) -> Masked:
    """Return what `masked` does, with the places of the secrets."""
    from weburl.standard.infra.masked import Masked

    if _cannot_have_an_at_sign(text):
        return Masked(text)
    from weburl.standard.infra.masking import mask  # its regexes are slow to compile

    return mask(text)


def masking_before_at_sign(text: str) -> Masked:
    """Return what `masked_before_at_sign` does, with the place of the secret."""
    from weburl.standard.infra.masked import Masked

    if _cannot_have_an_at_sign(text):
        return Masked(text)
    from weburl.standard.infra.masking import mask_before_at_sign

    return mask_before_at_sign(text)


def masking_all(text: str) -> Masked:
    """Return a mask for the whole text, which is a secret."""
    from weburl.standard.infra.masked import MASK, Masked, Secret

    return Masked(MASK, (Secret(0, len(text), 0),)) if text else Masked(text)


def masked(text: str) -> str:
    """Return ``text`` with "***" for each part of it that may be a username or a password.

    This is the text between the beginning of an authority and the last "@" in it, also for a URL
    inside a URL, and for an authority without a scheme. If there is a colon before the last "@" of
    the whole text, everything between them is masked, whatever delimiters are there, because they
    may be in a password. An e-mail address is kept if it is the whole text, or follows "mailto:" or
    a delimiter.
    """
    return masking(text).text


def without_credentials(text: str, *, after: str = "") -> str:
    """Return a part of a URL with the credentials of URLs inside it masked.

    ``after``: "//" for a host, "scheme:" for an opaque path. This is what precedes the part in
    the URL, and `masked` finds the credentials of both together. So it does if a path, a query or a
    fragment starts with a URL.
    """
    if _cannot_have_an_at_sign(text):
        return text
    from weburl.standard.infra.masking import mask_part

    return mask_part(text, after)


def masked_value(value: object) -> str:
    """Return a wrong value for a message: the repr of masked text, or only the type's name.

    The repr of other objects may raise, nest too deeply or have megabytes. Long text is shortened.
    """
    if isinstance(value, str):
        return repr(shortened(masked(exact(value))))
    if type(value) in _PLAIN and (type(value) is not int or abs(value) <= _LARGEST_SHOWN):
        return repr(value)
    return f"a value of type {type(value).__name__}"


def masked_before_at_sign(text: str) -> str:
    """Return a part of a URL with "***" for everything before its last "@"."""
    return masking_before_at_sign(text).text


def _cannot_have_an_at_sign(text: str) -> bool:
    """Return whether ``text`` has no "@": not even percent-encoded, or in a form beyond ASCII."""
    return "@" not in text and "%" not in text and text.isascii()
