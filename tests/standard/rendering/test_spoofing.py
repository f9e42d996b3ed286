"""Compares `rendering.spoofing` with the data of UTS #39."""

from __future__ import annotations

import string
import sys
from collections import defaultdict

import pytest
import unicodedata2
from confusable_homoglyphs.confusables import confusables_data

from weburl.standard.rendering import spoofing
from weburl.standard.rendering.scripts import LATIN_LETTERS, SCRIPTS
from weburl.standard.rendering.spoofing import is_right_to_left, legible, may_show_label

SHOWN_LABELS = [
    ("bücher", "example"),
    ("łódź", "pl"),
    ("garçon", "com"),
    ("đường", "vn"),
    ("ísland", "is"),
    ("пример", "com"),
    ("вконтакте", "рф"),
    ("рус", "рус"),
    ("укр", "укр"),
    ("αθήνα", "gr"),
    ("հայփոստ", "am"),
    ("საქართველო", "ge"),
    ("日本語", "jp"),
    ("ソニー", "jp"),
    ("ドメイン名例", "jp"),
    ("東ハト", "jp"),
    ("グーグル", "jp"),
    ("力士", "jp"),
    ("力", "jp"),
    ("一番カレー", "jp"),
    ("hello中国", "com"),
    ("テスト2", "com"),
    ("한국", "kr"),
    ("漢字한국", "kr"),
    ("דוגמה", "com"),
    ("مثال", "com"),
    ("इंडिया", "com"),
    ("ไทยแลนด์", "com"),
    ("ኢትዮጵያ", "com"),
    ("ıssız", "tr"),
    ("bədii", "az"),
    ("þórs", "is"),
    ("smørrebrød", "dk"),
    ("१२३हिन्दी", "com"),
    ("१२३", "in"),
    ("курс", "com"),
    ("рус", "ru"),
    ("ικα", "gr"),
    ("օսո", "am"),
    ("ყჿ", "ge"),
    ("סו", "il"),
    ("ทน", "th"),
    ("аррӏе", "рф"),
    ("straße", "de"),
    ("ελλάς", "gr"),
    ("نامه\u200cای", "ir"),
    ("क्\u200dष", "in"),
    ("ස්\u200dරී", "lk"),
    ("l·l", "cat"),
    ("サン・マルタン", "com"),
    ("ש׳ב", "il"),
    ("ལྷ་ས", "cn"),
    ("ẹ́kọ́", "ng"),
    ("12за", "ru"),
]

HIDDEN_LABELS = [
    ("аррӏе", "com", "whole-script confusable, Cyrillic"),
    ("соре", "com", "the same"),
    ("рус", "com", "the same"),
    ("ου", "com", "whole-script confusable, Greek"),
    ("օսո", "com", "whole-script confusable, Armenian"),
    ("ყჿ", "com", "whole-script confusable, Georgian"),
    ("סו", "com", "whole-script confusable, Hebrew"),
    ("اه", "com", "whole-script confusable, Arabic"),
    ("ทน", "com", "whole-script confusable, Thai"),
    ("ዐሀ", "com", "whole-script confusable, Ethiopic"),
    ("०", "com", "a digit alone"),
    ("一", "com", "a stroke alone"),
    ("gооgle", "com", "Latin and Cyrillic"),
    ("gοοgle", "com", "Latin and Greek"),
    ("abcжд", "com", "Latin and Cyrillic that nobody mistakes"),
    ("abcไทย", "com", "Latin and Thai"),
    ("دًر", "ir", "a vowel sign of general use"),
    ("пαф", "com", "Cyrillic and Greek"),
    ("中문ก", "com", "Han and Thai"),
    ("ひ한", "com", "Hiragana and Hangul"),
    ("googleノート", "com", "a stroke like a slash beside Latin"),
    ("pay一pal", "com", "a stroke like a hyphen between Latin"),
    ("ノfoo", "com", "a stroke before Latin"),
    ("丿中", "com", "a stroke that is never shown"),
    ("ソ二ー", "jp", "an ideograph for a Katakana"),
    ("グ一グル", "jp", "the same"),
    ("東エ大学", "jp", "a Katakana for an ideograph"),
    ("ɡoogle", "com", "a letter of phonetics"),
    ("ǃgoogle", "com", "a click"),
    ("paypaı", "com", "dotless i away from home"),
    ("cæsar", "com", "ae away from home"),
    ("bədii", "com", "schwa away from home"),
    ("க்\u200dஷ", "in", "a joiner where no letters join"),
    ("क्\u200d", "in", "a joiner at the end"),
    ("☕", "com", "a symbol"),
    ("😀", "com", "an emoji"),
    ("x\u0302y", "com", "a combining mark that has no precomposed form with its letter"),
    ("é\u0323", "com", "a second mark"),
    ("द१०٣", "com", "two scripts"),
    ("दे1१", "com", "digits of two kinds"),
    ("द\u0947\u0947", "com", "the same mark twice"),
    ("नमः", "com", "a sign like a colon"),
    ("कॽख", "com", "a letter like a question mark"),
    ("ᏎᏦ", "com", "a script of limited use"),
    ("ⲁⲃ", "com", "a script out of use"),
    ("l·l", "com", "punctuation away from home"),
    ("l·a", "cat", "punctuation beside another letter"),
    ("・ネ", "jp", "punctuation at the start"),
    ("a・ネ", "jp", "punctuation beside Latin"),
    ("ש׳ב", "com", "punctuation away from home"),
    ("google十com", "com", "an ideograph like a plus sign beside Latin"),
    ("7七7", "com", "an ideograph beside digits"),
    ("12з4567890", "com", "a Cyrillic letter among digits"),
    ("1234567θ9", "com", "a Greek letter among digits"),
    ("ёё", "com", "a letter with a mark, Cyrillic"),
]


@pytest.mark.parametrize(("label", "top_level_label"), SHOWN_LABELS)
def test_a_label_that_reads_as_itself_can_be_shown(label: str, top_level_label: str) -> None:
    """It has one writing system, or also digits and ASCII letters if that is customary."""
    assert may_show_label(label, top_level_label)


@pytest.mark.parametrize(("label", "top_level_label", "reason"), HIDDEN_LABELS)
def test_a_label_that_may_mislead_is_not_shown(
    label: str, top_level_label: str, reason: str
) -> None:
    """The third item is the reason."""
    assert not may_show_label(label, top_level_label), reason


def test_every_recommended_script_has_a_label_that_is_shown() -> None:
    """So the name of no script is misspelled."""
    seen: set[str] = set()
    for code_point in range(0x80, 0xD7A4):
        char = chr(code_point)
        if legible(char) == [True] and may_show_label(char, "com"):
            seen |= spoofing._scripts(char)
    assert seen >= set(SCRIPTS) - {"Georgian"}
    assert may_show_label("ბგდ", "com")


@pytest.mark.parametrize(
    "char",
    [
        "\u2044", "\u2215", "\uff0f", "\u29f8", "\u2571",  # like "/"
        "\uff1f", "\u0294", "\uff03", "\u02d0", "\ua789", "\u2024", "\uff0e", "\u3002",
        "\uff20", "\uff05", "\u2025", "\u2026", "\u01c3", "\ua4fa",
        " ", "\xa0", "\u2003", "\u3000", "\u2028", "\u1680",
        "\0", "\x7f", "\x85", "\xad", "\u200b", "\u200c", "\u200d", "\u2060", "\ufeff",
        "\u034f", "\u115f", "\u3164", "\u17b4", "\ufe0f", "\U000e0041", "\u180e",
        "\u061c", "\u200e", "\u200f", "\u202a", "\u202e", "\u2066", "\u2069",
        "\ue000", "\U000f0000", "\u0378", "\ufdd0", "\uffff", "\ufffd",
        "\u0301", "\u0338", "\u20dd", "\U0001f512", "\u2764", "\u212b", "\u212a", "\uff41",
        "\U0001d41a", "\ufb01", "\xb2", "\xaa", "a", "%",
    ],
)  # fmt: skip
def test_what_deceives_or_is_not_seen_is_not_legible(char: str) -> None:
    """Examples are delimiters and lookalikes, spaces, controls, and invisible characters."""
    assert legible(char) == [False] * len(char)


@pytest.mark.parametrize(
    "text", ["é", "É", "ß", "İ", "путь", "中文", "नमस्ते", "ทำ", "שלום", "ノート"]
)
def test_ordinary_words_are_legible(text: str) -> None:
    """They may have uppercase letters, and marks of their script."""
    assert legible(text) == [True] * len(text)


def test_a_mark_is_legible_only_after_a_letter_of_its_script() -> None:
    """It is not legible at the start, after ASCII or another script, or after many marks."""
    assert legible("\u0947") == [False]
    assert legible("\u0947", before="a") == [False]
    assert legible("é\u0947") == [True, False]
    assert legible("द\u0947") == [True, True]
    assert legible("द\u0947\u0947\u0941") == [True, True, False, False]
    assert legible("د\u064b") == [True, False]
    assert legible("द\u0947\u0947") == [True, True, False]
    assert legible("द" + "\u0947\u0941" * 3) == [True] * 5 + [False] * 2


def test_a_stroke_is_legible_where_nothing_but_east_asian_letters_touches_it() -> None:
    """Beside ASCII, it looks like a slash or a hyphen."""
    assert legible("ノ", before="/", after="") == [True]
    assert legible("ノ", before="m") == [False]
    assert legible("ノ", after="7") == [False]
    assert legible("ノé") == [False, True]
    for stroke in "ヽヾㄟ":  # like a backslash
        assert legible(f"m{stroke}m")[1:2] == [False]
        assert may_show_label(f"example{stroke}login日", "jp") is False
    assert legible("カノカ", before="a", after="b") == [True, True, True]


def test_right_to_left_text_is_recognised() -> None:
    """It has a Hebrew or Arabic letter, or an Arabic number."""
    assert is_right_to_left("abcא") and is_right_to_left("ب") and is_right_to_left("١")
    assert not is_right_to_left("é中नि1")


def classes_of_confusables() -> tuple[dict[str, set[str]], dict[str, set[str]]]:
    """Return what is confusable with each character, and sequences it is confusable with.

    The package keeps marks of direction with what is written from right to left.
    """
    parents: dict[str, str] = {}

    def root(char: str) -> str:
        while parents.setdefault(char, char) != char:
            char = parents[char]
        return char

    sequences: dict[str, set[str]] = defaultdict(set)
    for source, targets in confusables_data.items():
        char = source.strip("\u200e\u200f")
        for target in targets:
            other = target["c"].strip("\u200e\u200f")
            if len(char) == len(other) == 1:
                parents[root(char)] = root(other)
            elif len(char) == 1:
                sequences[char].add(other)
    classes: dict[str, set[str]] = defaultdict(set)
    for char in list(parents):
        classes[root(char)].add(char)
    return {char: classes[root(char)] for char in list(parents)}, sequences


ALIKE, SEQUENCES = classes_of_confusables()
LEGIBLE = sorted(char for char in ALIKE.keys() | SEQUENCES.keys() if spoofing._scripts(char))
ASCII_WORD = set(string.ascii_letters + string.digits)
# All that the URL Standard's parser, or a reader, takes for the end of something.
DELIMITERS = set('/\\:?#@.%&=;,!"()[]<>')


def passes_for_ascii(char: str) -> bool:
    """Return whether ``char`` is confusable with letters or digits of ASCII."""
    return not ASCII_WORD.isdisjoint(ALIKE.get(char, ())) or any(
        all(not ASCII_WORD.isdisjoint(ALIKE.get(part, part)) for part in sequence)
        for sequence in SEQUENCES.get(char, ())
    )


def test_nothing_legible_is_confusable_with_a_delimiter() -> None:
    """The exception is a Katakana letter, which is legible only among East Asian letters."""
    found = {char for char in LEGIBLE if not DELIMITERS.isdisjoint(ALIKE.get(char, ()))}
    assert found == {"ノ"}
    assert found < spoofing._STROKES
    assert len(LEGIBLE) > 2000


def test_every_latin_letter_confusable_with_ascii_is_shown_at_home_only() -> None:
    """The data of UTS #39 say which letters are confusable."""
    found = {
        char
        for char in LEGIBLE
        if char.islower() and "Latin" in spoofing._scripts(char) and passes_for_ascii(char)
    }
    assert {"ı", "æ", "œ"} <= found <= set(LATIN_LETTERS)
    assert not any(may_show_label(f"x{char}x", "com") for char in found)


def test_no_letter_confusable_with_ascii_makes_a_label_of_another_script_distinct() -> None:
    """A label with only such letters is not shown."""
    found = [
        char
        for char in LEGIBLE
        if "Latin" not in spoofing._scripts(char)
        and passes_for_ascii(char)
        and not char.isupper()  # No domain holds any.
    ]
    assert [char for char in found if may_show_label(char, "com")] == []
    assert {"а", "ο", "օ", "ყ", "ס", "ه", "०"} <= set(found)
    assert len(found) > 60


def test_a_letter_of_the_newest_unicode_is_judged_by_the_newest_tables() -> None:
    """A code point that is unassigned in unicodedata2's Unicode is not legible."""
    unassigned = (
        char
        for char in map(chr, range(0x80, sys.maxunicode + 1, 7))
        if unicodedata2.category(char) in ("Cn", "Co", "Cs", "Cf", "Cc", "Zs", "Zl", "Zp")
    )
    assert not any(spoofing._scripts(char) for char in unassigned)
