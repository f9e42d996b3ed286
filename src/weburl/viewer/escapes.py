r"""Backslash escapes for text that a field or an address cannot contain.

A text field drops NUL, and an address cannot contain a lone surrogate. So people can write ``\0``
and ``\ud800``, and tick a box to have these read as escapes.
"""

from __future__ import annotations

import re
from typing import Final

_NAMED: Final = {"\\": "\\", "n": "\n", "r": "\r", "t": "\t", "0": "\0"}
_ESCAPE: Final = re.compile(
    r"\\(?:([\\nrt0])|x([0-9A-Fa-f]{2})|u([0-9A-Fa-f]{4})|u\{0{0,8}([0-9A-Fa-f]{1,6})\})"
)
_NAME_OF: Final = {char: f"\\{name}" for name, char in _NAMED.items()}
# Code points that fields or addresses lose, that are invisible, or that move the text around them.
_UNWRITABLE: Final = re.compile(
    "[\\\\\x00-\x1f\x7f-\xa0\u00ad\u061c\u115f\u1160\u17b4\u17b5\u180e\u200b-\u200f\u2028-\u202f"
    "\u205f-\u206f\u2800\u3000\u3164\ud800-\udfff\ufe00-\ufe0f\ufeff\uffa0\ufff0-\uffff"
    "\U000e0000-\U000e0fff]"
)


def unescaped(text: str) -> str:
    r"""Return ``text`` with its escapes replaced by what they mean.

    Escapes are ``\\``, ``\n``, ``\r``, ``\t``, ``\0``, ``\xHH``, ``\uHHHH`` and ``\u{H}`` with up
    to six digits. Other backslashes are kept, and so are escapes of numbers above U+10FFFF.
    """
    return _ESCAPE.sub(_meant, text) if "\\" in text else text


def escaped(text: str) -> str:
    """Return ``text`` with escapes for what is invisible or lost in a field or an address."""
    return _UNWRITABLE.sub(lambda found: _written(found[0]), text)


def needs_escapes(text: str) -> bool:
    """Return whether a field or the address of a page would change ``text``."""
    return re.search("[\x00\r\ud800-\udfff]", text) is not None


def is_unseen(char: str) -> bool:
    """Return whether ``char`` is invisible or moves the text around it."""
    return char != "\\" and _UNWRITABLE.match(char) is not None


def _meant(found: re.Match[str]) -> str:
    name, *numbers = found.groups()
    if name is not None:
        return _NAMED[name]
    number = int(next(filter(None, numbers)), 16)
    return chr(number) if number <= 0x10FFFF else found[0]


def _written(char: str) -> str:
    number = ord(char)
    if char in _NAME_OF:
        return _NAME_OF[char]
    if number < 0x100:
        return f"\\x{number:02x}"
    return f"\\u{number:04x}" if number < 0x10000 else f"\\u{{{number:x}}}"
