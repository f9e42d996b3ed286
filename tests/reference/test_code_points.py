"""Every code point of ASCII in every place of a URL: the parser and the oracle read the same.

Both have tables of their own. A member that is added to one of them or taken away shows here.
"""

from __future__ import annotations

from typing import Final

import pytest

from tests.agreement import parse_disagreements, setter_disagreements
from tests.reference.outcomes import VALIDATION_ERROR_NAMES
from tests.reference.terms import is_url_code_point
from weburl import ValidationErrorType

# Alone, percent-encoded, and between letters.
CODE_POINTS: Final = [*map(chr, range(0x80)), "\x80", "\x9f", "\xa0", "\xad", "\u2028", "\ufdd0"]
BASES: Final = (None, "https://h/a/b?c", "zap://h/a/b?c", "file:///C:/a/b?c", "zap:opaque?c")
PLACES: Final = {
    "a scheme": ("s{}s://h/", "{}s:x"),
    "credentials": ("https://u{}u@h/", "https://u:p{}p@h/", "zap://u{}u:p{}p@h/"),
    "a domain": ("https://a{}b.example/", "https://{}/", "https://a%{:02x}b/"),
    "an opaque host": ("zap://a{}b/", "zap://{}/", "zap://a%{:02x}b/"),
    "a host of a file URL": ("file://a{}b/c", "file://{}/c"),
    "an address": ("https://[::{}1]/", "https://1.2.{}3.4/", "zap://[1{}::]/"),
    "a port": ("https://h:8{}0/", "zap://h:{}/"),
    "a path": ("https://h/a{}b/c", "zap://h/{}/c", "file:///a{}b", "https://h/a/%{:02x}b"),
    "an opaque path": ("zap:a{}b", "zap:{}a?b", "zap:a{}"),
    "a query": ("https://h/?a{}b", "zap://h/?{}", "zap:a?a{}b"),
    "a fragment": ("https://h/#a{}b", "zap://h/#{}", "zap:a#a{}b"),
    "a reference": ("{}", "a{}b", "/{}/b", "//{}/b", "?{}", "#{}", "..{}b"),
}


def texts(places: tuple[str, ...]) -> list[str]:
    """Return the texts of a place with every code point."""
    return [
        place.replace("%{:02x}", f"%{ord(char):02x}").replace("{}", char)
        for place in places
        for char in CODE_POINTS
        if ord(char) < 0x100 or "%{:02x}" not in place
    ]


@pytest.mark.parametrize("place", PLACES)
def test_every_code_point_is_read_alike(place: str) -> None:
    """Without a base and on bases of each kind; a text with a scheme on one base after another."""
    tried = [
        (text, base)
        for at, text in enumerate(texts(PLACES[place]))
        for base in (BASES if place == "a reference" else (None, BASES[1 + at % 4]))
    ]
    wrong = [parse_disagreements(text, base) for text, base in tried]
    assert len(wrong) >= 130 * 2
    assert [each for each in wrong if each] == []


@pytest.mark.parametrize("href", ["https://u:p@h:1/a?b#c", "zap://u:p@h:1/a?b#c", "zap:a"])
def test_every_code_point_is_set_alike(href: str) -> None:
    """In each attribute: alone, between letters, and at both ends."""
    names = ("protocol", "username", "password", "host", "hostname", "port", "pathname", "search")
    wrong = [
        setter_disagreements(href, [(name, value)])
        for name in (*names, "hash")
        for char in CODE_POINTS
        for value in (char, f"a{char}b", f"8{char}0", f"{char}9", f"9{char}", f"h{char}ttp")
    ]
    assert [each for each in wrong if each] == []


def test_a_url_code_point_is_neither_a_noncharacter_nor_a_surrogate_nor_eof() -> None:
    """Counted over all code points: 81 of ASCII, and the rest above U+009F."""
    assert not is_url_code_point("")
    assert sum(is_url_code_point(chr(value)) for value in range(0x80)) == 81
    count = sum(is_url_code_point(chr(value)) for value in range(0x110000))
    noncharacters = 32 + 2 * 17
    assert count == 81 + (0x110000 - 0xA0) - 0x800 - noncharacters


def test_the_names_of_validation_errors_are_those_of_weburl() -> None:
    """There are 31, one of them younger than the standard's text that the rest is from."""
    assert len(VALIDATION_ERROR_NAMES) == 31
    assert {str(member.value) for member in ValidationErrorType} == VALIDATION_ERROR_NAMES
