"""What a label looks like: skeletons that are equal if two labels may be confused.

They are for comparing, never for showing. The table is `confusables.txt`, and is read when the
first skeleton is made.
"""

from __future__ import annotations

from functools import cache
from importlib.resources import files
from typing import Final

from weburl.standard.infra import unicode_data

# What letters of other alphabets look like in small type, beside what UTS #39 says.
_NEAR: Final = {
    "b": "ƅьъβ",
    "bl": "ы",
    "c": "ς",
    "e": "əǝɘә",
    "f": "ſϝӻ",
    "h": "ҥԋԧԩ",
    "ij": "ĳ",
    "k": "ĸкқҝҟҡӄԟκ",
    "l": "ŀլ",
    "lo": "ю",
    "m": "мӎ",
    "n": "ŉпҧԥπ",
    "p": "ҏ",
    "r": "ӷ",
    "ss": "ß",
    "t": "ԏ",
    "u": "ʉμ",
    "w": "ω",
    "x": "ҳӽӿχ",
    "0": "θ",
    "2": "ƨշ",
    "3": "ʒɜзҙӡ",
    "4": "чҷҹӌ",
    "6": "ճ",
}
# Pairs of ASCII letters that look like one.
_PAIRS: Final = (("rn", "m"), ("vv", "w"), ("cl", "d"))
# Digits and letters of ASCII that look like another letter, and hyphens, which are left out.
_ALIKE: Final = str.maketrans("01iq", "ollg", "-")


@cache
def _tables() -> list[dict[int, str]]:
    """Return what each character looks like, for `str.translate`: the prototypes, and the bases."""
    text = files(__package__).joinpath("confusables.txt").read_text("utf-8")
    tables: list[dict[int, str]] = []
    for line in text.splitlines():
        if line.startswith("["):
            tables.append({})
        elif not line.startswith("#"):
            for word in line.split():
                target, _, chars = word.partition(":")
                looks = "".join(chr(int(code, 16)) for code in target.split("+"))
                tables[-1].update((int(code, 16), looks) for code in chars.split(","))
    return tables


@cache
def _letters() -> dict[int, str]:
    """Return what each letter beyond ASCII looks like when it has no marks."""
    prototypes, bases = _tables()
    near = {ord(char): letter for letter, chars in _NEAR.items() for char in chars}
    found = {**prototypes, **bases, **near}
    found = {code: text for code, text in found.items() if code > 0x7F}
    # What one character looks like may look like another.
    return {code: _without_marks(text).translate(found) for code, text in found.items()}


def _without_marks(text: str) -> str:
    if text.isascii():
        return text
    return "".join(
        [
            char
            for char in unicode_data.normalize("NFD", text)
            if char < "\x80" or unicode_data.category(char)[0] != "M"
        ]
    )


def skeleton(label: str) -> str:
    """Return the skeleton of a label in Unicode. Labels with the same skeleton look the same.

    Spec: https://www.unicode.org/reports/tr39/#def-skeleton
    """
    text = unicode_data.normalize("NFD", label).translate(_tables()[0])
    return unicode_data.normalize("NFD", text)


def without_accents(label: str) -> str:
    """Return what a label in Unicode looks like without its marks, in ASCII where it can be.

    Characters of ASCII stay as they are.
    """
    if label.isascii():
        return label
    return _without_marks(_without_marks(label).translate(_letters()))


def near_skeleton(label: str) -> str:
    """Return a skeleton of a label in Unicode that leaves out what readers miss in small type.

    Those are marks, hyphens, and the difference between "i" and "l", "cl" and "d", and the like.
    """
    text = without_accents(label).translate(_ALIKE)
    for pair, letter in _PAIRS:
        if pair in text:
            text = text.replace(pair, letter)
    return text
