"""Finds what in a label, or in other text, may mislead people.

`render` shows a label in Unicode if there is no warning about it, and `weburl.lookalikes` returns
the warnings. If there is doubt, there is a warning, as about a character that the tables of Unicode
lack. The module is imported only when there is text beyond ASCII.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from functools import lru_cache
from typing import Final

from idna.idnadata import codepoint_classes
from idna.intranges import intranges_contain

from weburl.standard.hosts.values import Domain
from weburl.standard.infra import unicode_data
from weburl.standard.infra.dns import MAX_DOMAIN_LENGTH, MAX_LABEL_LENGTH
from weburl.standard.rendering.reasons import Reason, Suspicion
from weburl.standard.rendering.scripts import HOMES, LATIN_LETTERS, scripts_of
from weburl.standard.rendering.skeletons import skeleton, without_accents

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
# IDNA 2003 replaces these letters, so there the same text is another host.
_DEVIATIONS: Final = frozenset("ßς")
# Scripts whose letters are drawn differently beside the joiner. In others, it cannot be seen.
_CONJUNCTS: Final = frozenset(
    {"Bengali", "Devanagari", "Gujarati", "Gurmukhi", "Kannada", "Malayalam", "Oriya", "Telugu"}
)
_JOINERS: Final = {"\u200c": _CONJUNCTS | {"Arabic"}, "\u200d": _CONJUNCTS | {"Sinhala"}}
# Punctuation inside words, and the scripts of the letters on both sides.
_IN_WORDS: Final = {
    "་": frozenset({"Tibetan"}),
    "・": frozenset({"Han", "Hiragana", "Katakana"}),
    "׳": frozenset({"Hebrew"}),
    "״": frozenset({"Hebrew"}),
}
# Punctuation that only readers of the script expect.
_ONLY_AT_HOME: Final = frozenset("׳״")
# Vowels with a dot below that carry the tones of Yoruba and Igbo, and those tones.
_TONED: Final = frozenset("ẹịọụ")
_TONES: Final = frozenset("\u0300\u0301\u0304")

# Vowels that every text in Thai and Lao has, although Unicode has a second way to write them.
_ORDINARY_ALL_THE_SAME: Final = frozenset("\u0e33\u0eb3")

_DELIMITERS: Final = frozenset("!\"#%&'()*+,-./:;<=>?@[\\]^_`|~·。")
# Letters, marks and digits that look like a delimiter of URLs or a quotation mark.
_LIKE_DELIMITERS: Final = frozenset("\u0660\u06f0ःઃះॽ៖๚๛丶丿\u02bc\u02ca\u02cb")
# Characters without a picture that are letters or marks to Unicode.
_INVISIBLE: Final = frozenset("\u034f\u115f\u1160\u17b4\u17b5\u3164\uffa0")
# Japanese and Chinese ones that look like a slash or a hyphen next to other scripts.
_STROKES: Final = frozenset(
    "ノソゾンーヽヾㄟ一丨亅乀乁乙ニ二〇口ロ工エㄧ七丁丄丅丆丫乂乛十讠ㄈㄒㄚㄨㄩㆲㆳㆺ"
)
_EAST_ASIAN: Final = frozenset({"Han", "Hiragana", "Katakana", "Bopomofo", "Hangul"})

# Ideographs, and the Katakana that look like them among ideographs, and the other way round.
_LIKE_KATAKANA: Final = frozenset("一二八千口夕力卜工")
_LIKE_IDEOGRAPHS: Final = frozenset("ーニハチロタカトエ")

# Letters of other scripts that someone may mistake for ASCII, beside what UTS #39 says.
_LIKE_LATIN: Final = frozenset(
    "ագզէլհյոսւօ"  # Armenian
    "аысԁеԍһіюјӏорԗԛѕԝхуъьҽпгѵѡєћђҍ"  # Cyrillic
    "ყჿიოძხჽ"  # Georgian
    "αικνρυωηοτεγσςχ"  # Greek
    "اأإآهةەہھۀ"  # Arabic
    "ठऽ"  # Devanagari
    "ሀሠዐፐነበየሰስተከዕዘጠ"  # Ethiopic
    "ટડ"  # Gujarati
    "一丨亅乀乁乙〇口工ㄧーノ"  # East Asian
    "וןסםחטניװױײד"  # Hebrew
    "ಠರಽ"  # Kannada
    "ຣຮບພຟແວ"  # Lao
    "ഠധടരഗനറ"  # Malayalam
    "ဝပငဂခဒထၔၜ"  # Myanmar
    "ରଠ"  # Oriya
    "டபு"  # Tamil
    "ఠర"  # Telugu
    "ทนบพรหภแเวอดลปฟม"  # Thai
)
# Letters that look like digits beside digits.
_LIKE_DIGITS: Final = frozenset("θзҙӡбճշउওਤੜဒვპკㄐ丩ଠძก")
_MAX_MARKS_IN_A_ROW: Final = 4
_NO_SCRIPTS: Final[frozenset[str]] = frozenset()


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
    return [reason is None for reason in _reasons(text, before, after)]


def may_show_label(label: str, top_level_label: str) -> bool:
    """Return whether people can be shown ``label`` of a domain, or only its ASCII form.

    Both labels must be valid and in Unicode; ``top_level_label`` is the last one of the domain.
    """
    return not any(reason.is_warning for reason in _findings(label, top_level_label))


def suspicions(host: Domain) -> tuple[Suspicion, ...]:
    """Return why the labels of ``host`` may mislead people, in the order of the labels."""
    value = host.value
    if "xn--" not in value:
        return ()
    labels = value.split(".")
    # A longer name cannot exist, and checking so many labels would take long.
    is_too_long = len(value.removesuffix(".")) > MAX_DOMAIN_LENGTH
    unicode_labels = labels if is_too_long else host.to_unicode().split(".")
    top_level_label = next((label for label in reversed(unicode_labels) if label), "")
    output: list[Suspicion] = []
    for label, unicode_label in zip(labels, unicode_labels, strict=True):
        if not label.startswith("xn--"):
            continue
        if label == unicode_label or len(label) > MAX_LABEL_LENGTH:
            output.append(Suspicion(Reason.UNDECODABLE, label))
            continue
        if found := _findings(unicode_label, top_level_label):
            text = without_accents(unicode_label)
            reads_as = text if text.isascii() else ""
            output += [Suspicion(reason, label, found[reason], reads_as) for reason in found]
    return tuple(output)


def _reasons(text: str, before: str = "", after: str = "") -> list[Reason | None]:
    """Return for each character of ``text`` why it is not legible; None if it is."""
    output: list[Reason | None] = []
    previous, marks = before, 0
    for at, char in enumerate(text):
        scripts = _scripts(char)
        reason = None if scripts else _why_never_legible(char)
        if char in _TONES and previous in _TONED:
            reason = None
        if scripts and is_mark(char):
            marks += 1
            if not (
                marks <= _MAX_MARKS_IN_A_ROW
                and char != previous
                and previous > "\x7f"
                and scripts & _scripts(previous)
                and (not output or output[-1] is None)
            ):
                reason = Reason.MISPLACED_MARK
        else:
            marks = 0
            if scripts and char in _STROKES:
                following = text[at + 1] if at + 1 < len(text) else after
                if not _is_among_east_asian(previous, following):
                    reason = Reason.LIKE_A_DELIMITER
        output.append(reason)
        previous = char
    return output


@lru_cache(maxsize=1 << 14)
def _why_never_legible(char: str) -> Reason:
    """Return why ``char``, which has no script, is not legible anywhere."""
    if unicode_data.category(char) in ("Cc", "Cf", "Zl", "Zp", "Zs") or char in _INVISIBLE:
        return Reason.INVISIBLE
    if char in _LIKE_DELIMITERS or skeleton(char) in _DELIMITERS:
        return Reason.LIKE_A_DELIMITER
    return Reason.MISPLACED_MARK if is_mark(char) else Reason.UNUSUAL


def _findings(label: str, top_level_label: str) -> dict[Reason, str]:
    """Return why ``label`` may mislead people, with the characters concerned, each once.

    The characters must be legible and of one writing system (or of an East Asian one and ASCII
    letters), with digits of one kind. A word that could be read as a word in Latin letters needs
    a top-level domain where its script is at home. The root zone allows no such words.

    Spec: https://www.unicode.org/reports/tr39/#highly_restrictive
    """
    found: dict[Reason, dict[str, None]] = {}
    for at, reason in enumerate(_reasons(label)):
        if reason := _reason_in_label(reason, label, at, top_level_label):
            found.setdefault(reason, {})[label[at]] = None
    if _mixes_digits(label):
        digits = [char for char in label if unicode_data.category(char) == "Nd"]
        found[Reason.MIXED_DIGITS] = dict.fromkeys(digits)
    strangers = [
        *_strangers(label, _LIKE_KATAKANA, "Katakana"),
        *_strangers(label, _LIKE_IDEOGRAPHS, "Han"),
    ]
    if strangers:
        found[Reason.MISPLACED_KANA] = dict.fromkeys(strangers)
    reason, chars = _judged_scripts(label, top_level_label)
    if reason is not None:
        found[reason] = dict.fromkeys(chars)
    return {reason: "".join(chars) for reason, chars in found.items()}


def _reason_in_label(
    reason: Reason | None, label: str, at: int, top_level_label: str
) -> Reason | None:
    """Return the reason about the character at ``at``, which is ``reason`` in other text."""
    char = label[at]
    if char < "\x80" or _is_in_a_word(label, at, top_level_label):
        return None
    if char in _JOINERS:
        return Reason.JOINER if _joins(label, at) else Reason.INVISIBLE
    if char in _DEVIATIONS and reason is None:
        return Reason.DEVIATION
    if top_level_label not in LATIN_LETTERS.get(char, (top_level_label,)):
        return Reason.FOREIGN_LETTER
    return reason


def _judged_scripts(label: str, top_level_label: str) -> tuple[Reason | None, str]:
    """Return whether ``label`` mixes scripts or reads as Latin, and the characters concerned."""
    chars = [char for char in label if _scripts(char)]
    systems = _writing_systems(chars)
    has_ascii_letters = any("a" <= char <= "z" for char in label)
    if not chars or "Latin" in systems:
        return None, ""
    if not systems or (has_ascii_letters and not systems & _MAY_MIX_WITH_LATIN):
        return Reason.MIXED_SCRIPTS, _of_the_rarest_script(label)
    has_digits = not has_ascii_letters and any("0" <= char <= "9" for char in label)
    if any(_is_unlike_latin(char) and not (has_digits and char in _LIKE_DIGITS) for char in chars):
        return None, ""
    return (None, "") if _are_at_home(systems, top_level_label) else (Reason.READS_AS_LATIN, "")


def _of_the_rarest_script(label: str) -> str:
    """Return the characters of ``label`` that are of the script with the fewest."""
    by_script: dict[str, list[str]] = {}
    for char in label:
        if scripts := _scripts(char) or ({"Latin"} if "a" <= char <= "z" else ()):
            by_script.setdefault(min(scripts), []).append(char)
    rarest = min(by_script, key=lambda script: (script == "Latin", len(by_script[script])))
    return "".join(by_script[rarest])


def _are_at_home(systems: frozenset[str], top_level_label: str) -> bool:
    """Return whether readers of the top-level domain know one of the writing systems."""
    if top_level_label.isascii():
        return any(top_level_label in HOMES.get(system, ()) for system in systems)
    return bool(systems & _writing_systems(char for char in top_level_label if char > "\x7f"))


def _joins(label: str, at: int) -> bool:
    """Return whether the joiner at ``at`` changes how the letters around it are drawn.

    A valid label has one only where letters join, or after a virama.
    """
    return any(_scripts(char) & _JOINERS[label[at]] for char in label[at + 1 : at + 2])


def _is_in_a_word(label: str, at: int, top_level_label: str) -> bool:
    """Return whether the character at ``at`` is punctuation that the spelling of a word needs."""
    char, before, after = label[at], label[at - 1 : at], label[at + 1 : at + 2]
    if char == "·":  # a double l in Catalan
        return before == after == "l" and top_level_label == "cat"
    scripts = _IN_WORDS.get(char, _NO_SCRIPTS)
    if char in _ONLY_AT_HOME and not _are_at_home(scripts, top_level_label):
        return False
    return all(side and bool(scripts & _scripts(side)) for side in (before, after))


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
    return all(side == "・" or _scripts(side) & _EAST_ASIAN for side in sides)


def _strangers(label: str, lookalikes: frozenset[str], script: str) -> Iterator[str]:
    """Yield those of ``lookalikes`` in ``label`` whose neighbours are all of ``script``."""
    for at, char in enumerate(label):
        if char in lookalikes:
            neighbours = [*label[max(at - 1, 0) : at], *label[at + 1 : at + 2]]
            if neighbours and all(script in _scripts(neighbour) for neighbour in neighbours):
                yield char


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


@lru_cache(maxsize=1 << 12)
def _is_unlike_latin(char: str) -> bool:
    """Return whether ``char`` is a letter that no one mistakes for ASCII."""
    letter = unicode_data.normalize("NFD", char)[0]
    return (
        unicode_data.category(char)[0] == "L"
        and letter not in _LIKE_LATIN
        and not skeleton(letter).isascii()
    )
