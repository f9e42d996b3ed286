"""Tests of links that no program opens: `defang` and `refang`."""

from __future__ import annotations

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from tests.text.test_finding import TEXTS
from weburl.text import defang, find_links, refang

PAIRS = [
    ("https://a.com/x.y?b.c", "hxxps://a[.]com/x.y?b.c"),
    ("HTTP://A.com", "HXXP://A[.]com"),
    ("hTtP://1.1.1.1:80/", "hXxP://1[.]1[.]1[.]1:80/"),
    ("a.b.com/c@d.com", "a[.]b[.]com/c@d.com"),
    ("me.you@a.com", "me[.]you[@]a[.]com"),
    ("mailto:me@a.com?subject=a.com", "mailto:me[@]a[.]com?subject=a.com"),
    ("http://[::1]/", "hxxp://[::1]/"),
    ("https://u:p@a.com/", "hxxps://u:p@a.com/"),
    ("e.g. this", "e.g. this"),
    ("https://日本。jp/", "hxxps://日本。jp/"),
]


@pytest.mark.parametrize(("text", "defanged"), PAIRS)
def test_an_address_loses_its_fangs_and_gets_them_back(text: str, defanged: str) -> None:
    """Also in a sentence."""
    assert defang(text) == defanged
    assert refang(defanged) == text
    assert defang(f"See {text}, it is bad.") == f"See {defanged}, it is bad."


@pytest.mark.parametrize(
    "text",
    [
        *("hxxps://a[.]com", "h**ps://a[.]com", "hxxps[:]//a[.]com", "hxxps[://]a[.]com"),
        *("hxxps[:][//]a[.]com", "hxxps:[/][/]a[.]com", "https://a(.)com", "https://a{.}com"),
        *("https://a[dot]com", "hxxps://a (DOT) com", "https://a<.>com", "https://a[ . ]com"),
    ],
)
def test_many_spellings_are_read(text: str) -> None:
    """Brackets of every kind, and words for signs."""
    assert refang(text) == "https://a.com"


@pytest.mark.parametrize(
    "text", ["me[at]a[dot]com", "me(at)a(dot)com", "me [at] a [dot] com", "me{@}a[.]com"]
)
def test_mail_addresses_are_read(text: str) -> None:
    """With words or signs."""
    assert refang(text) == "me@a.com"


@pytest.mark.parametrize("text", ["[.]", "a[0].b", "x [.]", "(at) noon", "hxxp", "exxp://a"])
def test_other_text_is_not_changed(text: str) -> None:
    """A sign needs something on both sides."""
    assert refang(text) == text


@given(TEXTS | st.lists(st.sampled_from([text for text, _ in PAIRS])).map(" ".join))
def test_what_was_defanged_has_no_links_and_comes_back(text: str) -> None:
    """Unless the text was defanged before."""
    defanged = defang(text)
    assert not any(link.has_scheme for link in find_links(defanged, schemes=["http", "https"]))
    assume(refang(text) == text)
    assert refang(defanged) == text


def test_a_megabyte_takes_no_time() -> None:
    """It is linear, by which this test ends."""
    for piece in ("a.com ", "hxxp", "[.]", "a[.]", "( ", "[ . ", "http://", "@a"):
        text = piece * 100_000
        defang(text)
        refang(text)
