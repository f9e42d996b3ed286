"""Finds the characters and labels of a domain that can be shown without misleading people.

If there is doubt, the answer is no, and the caller shows the ASCII form. This module only looks at
Unicode text; `legible` and `text` know the parts of a URL. It is imported only when there is text
beyond ASCII to show. Scripts come from `scripts`, the letters of IDNA 2008 from idna, and all other
data from `unicode_data`. A character that its tables lack is in doubt.
"""

from __future__ import annotations

from collections.abc import Iterable
from functools import lru_cache
from typing import Final

from idna.idnadata import codepoint_classes
from idna.intranges import intranges_contain

from weburl.standard.infra import unicode_data
from weburl.standard.rendering.scripts import scripts_of

# Scripts that are part of writing systems with several scripts, and the names of those systems.
# Spec: https://www.unicode.org/reports/tr39/#def-augmented-script-set
_SYSTEMS: Final = {
    "Han": frozenset({"Japanese", "Korean", "Chinese with Bopomofo"}),
    "Hiragana": frozenset({"Japanese"}),
    "Katakana": frozenset({"Japanese"}),
    "Hangul": frozenset({"Korean"}),
    "Bopomofo": frozenset({"Chinese with Bopomofo"}),
}
# Spec: https://www.unicode.org/reports/tr39/#highly_restrictive
_MAY_MIX_WITH_LATIN: Final = frozenset({"Japanese", "Korean", "Chinese with Bopomofo"})

# Letters of Latin alphabets in use that are more than an ASCII letter and marks above or below.
_LATIN_LETTERS: Final = frozenset("æœøđłħßðþŋɔɛəıɓɗƙɲ")
# Letters that look like one or two of ASCII, and the top-level domains whose readers expect them.
_LATIN_LETTERS_AT_HOME: Final = {
    "ı": ("az", "tr"),
    "ə": ("az",),
    "þ": ("fo", "is"),
    "æ": ("dk", "fo", "gl", "is", "no"),
    "œ": ("be", "ca", "ch", "fr", "lu"),
    "ơ": ("vn",),
    "ɓ": ("ne", "ng"),
    "ɗ": ("ne", "ng"),
    "ƙ": ("ne", "ng"),
}
# IDNA 2003 replaces or removes these letters, so there the same text is another host.
_DEVIATIONS: Final = frozenset("ßς\u200c\u200d")

# Vowels that every text in Thai and Lao has, although Unicode has a second way to write them.
_ORDINARY_ALL_THE_SAME: Final = frozenset("\u0e33\u0eb3")

# Letters, marks and digits that look like a delimiter of URLs or a quotation mark.
_LIKE_DELIMITERS: Final = frozenset("\u0660\u06f0ःઃஃះॽ៖๚๛丶丿\u02bc\u02ca\u02cb")
# Japanese and Chinese ones that look like a slash or a hyphen next to other scripts.
_STROKES: Final = frozenset("ノソゾンーヽヾㄟ一丨亅乀乁乙ニ二〇口ロ工エㄧ")
_EAST_ASIAN: Final = frozenset({"Han", "Hiragana", "Katakana", "Bopomofo", "Hangul"})

# Ideographs, and the Katakana that look like them among ideographs, and the other way round.
_LIKE_KATAKANA: Final = frozenset("一二八千口夕力卜工")
_LIKE_IDEOGRAPHS: Final = frozenset("ーニハチロタカトエ")

# In alphabets related to the Latin one, the letters that no one mistakes for ASCII, not even for
# small capitals. A word without any of them may be read as a Latin word.
_UNLIKE_LATIN: Final = {
    "Armenian": frozenset("ձճշչջպփծժխ"),
    "Cyrillic": frozenset("джзийлфцчшщэюяђљњћ"),
    "Georgian": frozenset("ბგდკლნპრშჩწჭჯ"),
    "Greek": frozenset("δζθλξπφψ"),
}
# In other scripts, the letters that someone may mistake for a letter or digit of ASCII.
_LIKE_LATIN: Final = {
    "Arabic": frozenset("اأإآهةەہھۀ"),
    "Bopomofo": frozenset("ㄧ"),
    "Devanagari": frozenset("ठ"),
    "Ethiopic": frozenset("ሀሠዐፐነበየ"),
    "Gujarati": frozenset("ટ"),
    "Han": frozenset("一丨亅乀乁乙〇口工"),
    "Hebrew": frozenset("וןסםחטניװױײ"),
    "Hiragana": frozenset("ー"),
    "Kannada": frozenset("ಠರ"),
    "Katakana": frozenset("ノー"),
    "Lao": frozenset("ຣຮບພຟແວ"),
    "Malayalam": frozenset("ഠധടരഗ"),
    "Myanmar": frozenset("ဝပငဂခဒ"),
    "Oriya": frozenset("ରଠ"),
    "Tamil": frozenset("டபு"),
    "Telugu": frozenset("ఠర"),
    "Thai": frozenset("ทนบพรหภแเวอ"),
}
_MAX_MARKS_IN_A_ROW: Final = 4


def is_right_to_left(text: str) -> bool:
    """Return whether ``text`` holds a character that is written from right to left."""
    return any(unicode_data.bidirectional(char) in ("R", "AL", "AN") for char in text)


def is_mark(char: str) -> bool:
    """Return whether ``char`` is drawn together with the one before it."""
    return bool(unicode_data.category(char)[0] == "M")


def legible(text: str, before: str = "", after: str = "") -> list[bool]:
    """Return for each character of ``text`` whether it can be shown as itself.

    Only letters, digits and marks that IDNA 2008 has (or whose lowercase form it has), of
    a script in wide use, can be: no punctuation, no symbol, no space, nothing invisible,
    private or unassigned, no second form of another character, and nothing that looks like a
    delimiter of URLs. A mark needs a letter of its script before it. ``before`` and ``after``
    are the characters on the two sides of ``text``, "" if there is no such character.
    """
    output: list[bool] = []
    previous, marks = before, 0
    for at, char in enumerate(text):
        scripts = _scripts(char)
        is_shown = bool(scripts)
        if is_shown and is_mark(char):
            marks += 1
            is_shown = (
                marks <= _MAX_MARKS_IN_A_ROW
                and char != previous
                and previous > "\x7f"
                and bool(scripts & _scripts(previous))
                and (not output or output[-1])
            )
        else:
            marks = 0
            if is_shown and char in _STROKES:
                following = text[at + 1] if at + 1 < len(text) else after
                is_shown = _is_among_east_asian(previous, following)
        output.append(is_shown)
        previous = char
    return output


def may_show_label(label: str, top_level_label: str) -> bool:
    """Return whether people can be shown ``label`` of a domain, or only its ASCII form.

    Both labels must be valid and in Unicode; ``top_level_label`` is the last one of the domain.
    The characters must be legible and of one writing system (or of an East Asian one and ASCII
    letters), with digits of one kind. A word that could be read as a word in Latin letters is
    shown only under a top-level domain in the same script. The root zone allows no such words.

    Spec: https://www.unicode.org/reports/tr39/#highly_restrictive
    """
    beyond_ascii = [char for char in label if char > "\x7f"]
    if not all(shown or char < "\x80" for char, shown in zip(label, legible(label), strict=True)):
        return False
    if not _DEVIATIONS.isdisjoint(beyond_ascii) or _mixes_digits(label):
        return False
    if _has_a_stranger(label, _LIKE_KATAKANA, "Katakana") or _has_a_stranger(
        label, _LIKE_IDEOGRAPHS, "Han"
    ):
        return False
    at_home = [
        _LATIN_LETTERS_AT_HOME[char] for char in beyond_ascii if char in _LATIN_LETTERS_AT_HOME
    ]
    if not all(top_level_label in top_level_labels for top_level_labels in at_home):
        return False
    systems = _writing_systems(beyond_ascii)
    has_ascii_letters = any("a" <= char <= "z" for char in label)
    if "Latin" in systems:
        return True
    if not systems or (has_ascii_letters and not systems & _MAY_MIX_WITH_LATIN):
        return False
    if any(map(_is_unlike_latin, beyond_ascii)):
        return True
    return bool(systems & _writing_systems(char for char in top_level_label if char > "\x7f"))


@lru_cache(maxsize=1 << 16)  # more than there are ideographs in use
def _scripts(char: str) -> frozenset[str]:
    """Return the scripts that ``char`` is used with; empty if it is ASCII or never legible."""
    if (
        char < "\x80"
        or char in _LIKE_DELIMITERS
        or unicode_data.category(char) not in ("Ll", "Lu", "Lo", "Lm", "Mn", "Mc", "Nd")
        or not (char in _ORDINARY_ALL_THE_SAME or _is_its_own_normal_form(char))
    ):
        return frozenset()
    scripts = scripts_of(char)
    return scripts if "Latin" not in scripts or _is_plain_latin(char) else frozenset()


def _is_its_own_normal_form(char: str) -> bool:
    """Return whether ``char`` is not a variant, and IDNA 2008 allows its lowercase form.

    Spec: https://www.rfc-editor.org/rfc/rfc5892#section-3
    """
    return unicode_data.normalize("NFKC", char) == char and all(
        intranges_contain(ord(lower), codepoint_classes["PVALID"])
        or intranges_contain(ord(lower), codepoint_classes["CONTEXTO"])
        for lower in char.lower()
    )


def _is_plain_latin(char: str) -> bool:
    """Return whether ``char`` is of an alphabet in use, not of phonetics or old manuscripts."""
    decomposed = unicode_data.normalize("NFD", char)
    return decomposed[0].isascii() or char.lower() in _LATIN_LETTERS


def _is_among_east_asian(previous: str, following: str) -> bool:
    """Return whether a reader recognizes a stroke between these two characters."""
    sides = [side for side in (previous, following) if side > "\x7f" or side.isalnum()]
    return all(_scripts(side) & _EAST_ASIAN for side in sides)


def _has_a_stranger(label: str, lookalikes: frozenset[str], script: str) -> bool:
    """Return whether one of ``lookalikes`` in ``label`` has neighbours only of ``script``."""
    for at, char in enumerate(label):
        if char in lookalikes:
            neighbours = [*label[max(at - 1, 0) : at], *label[at + 1 : at + 2]]
            if neighbours and all(script in _scripts(neighbour) for neighbour in neighbours):
                return True
    return False


def _writing_systems(chars: Iterable[str]) -> frozenset[str]:
    """Return the scripts and writing systems that all of ``chars`` belong to."""
    common: frozenset[str] | None = None
    for char in chars:
        scripts = _scripts(char)
        systems = scripts.union(*(_SYSTEMS.get(name, ()) for name in scripts))
        common = systems if common is None else common & systems
    return common or frozenset()


def _mixes_digits(label: str) -> bool:
    """Return whether ``label`` contains decimal digits of two kinds.

    Spec: https://www.unicode.org/reports/tr39/#Mixed_Number_Detection
    """
    zeros = {
        ord(char) - int(unicode_data.digit(char))
        for char in label
        if unicode_data.category(char) == "Nd"
    }
    return len(zeros) > 1


def _is_unlike_latin(char: str) -> bool:
    """Return whether ``char`` is a letter that no one mistakes for ASCII."""
    if unicode_data.category(char)[0] != "L":
        return False
    return all(
        char in _UNLIKE_LATIN[name]
        if name in _UNLIKE_LATIN
        else char not in _LIKE_LATIN.get(name, ())
        for name in _scripts(char)
    )
