"""Which hosts `docs/rendering.md` shows in Unicode, and an example of each rule behind it."""

from __future__ import annotations

from pathlib import Path

import pytest

import weburl

PAGE = Path(__file__).resolve().parents[3] / "docs" / "rendering.md"
SHOWN = ("l·l.cat", "ıssız.tr", "ස්\u200dරී.lk", "ικα.gr", "аррӏе.рф")
HIDDEN = (
    # Not recommended letters.
    *("☕.com", "l·l.com", "ᏎᏦ.com"),
    # Greek in Latin, a phonetic letter, a letter that readers of ".com" do not know.
    *("gοοgle.com", "ɡoogle.com", "paypaı.com"),
    # A joiner where no letters join, a combining mark, digits of two scripts.
    *("க்\u200dஷ.in", "x̂y.com", "क1१.com"),
    # Words that look like ASCII, delimiters and strokes, an ideograph in Katakana.
    *("аррӏе.com", "ικα.com", "नमः.com", "googleノート.com", "ソ二ー.jp"),
)


@pytest.mark.parametrize("name", HIDDEN)
def test_a_host_that_breaks_a_rule_stays_in_ascii(name: str) -> None:
    """It is the host that people would read."""
    url = weburl.parse(f"https://{name}/")
    assert url.host is not None
    assert url.host.to_unicode() == name
    assert weburl.render(url) == url.href


@pytest.mark.parametrize("name", SHOWN)
def test_a_host_that_follows_the_rules_is_shown_in_unicode(name: str) -> None:
    """Some letters and words depend on the top-level domain."""
    url = weburl.parse(f"https://{name}/")
    assert weburl.render(url) == f"https://{name}/" != url.href


def test_the_page_names_hosts_that_the_tests_have() -> None:
    """Those before "but not" are shown."""
    page = PAGE.read_text(encoding="utf-8")
    sentence = page.partition("whose readers know them: ")[2].partition(".\n\n")[0]
    shown, _, hidden = sentence.partition("but not")
    assert {*shown.split("`")[1::2]} == {"ıssız.tr", "ικα.gr", "аррӏе.рф"} <= {*SHOWN}
    assert {*hidden.split("`")[1::2]} == {"paypaı.com", "ικα.com"} <= {*HIDDEN}
