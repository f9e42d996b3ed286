"""The messages are the same each time, and the measurements count what they say."""

from __future__ import annotations

import unicodedata

import pytest

from benchmarks.links_in_text import PROSE, Finder, finders, growth, lines_right, messages
from tests.text.unicode_data import NEEDS_DATA
from weburl.text import find_links

LINKS = ["https://example.com/a_(b)", "http://www.example.org/?q=1", "ftp://example.net/", "a b"]


def test_messages_are_prose_of_twelve_scripts_with_links() -> None:
    """The same each time; most have a link."""
    made = messages(LINKS, 1200)
    assert made == messages(LINKS, 1200)
    assert len(set(made)) > 1000
    assert not any("ftp:" in message for message in made)
    assert 600 < sum("example.com/a_(b)" in m or "example.org" in m for m in made) < 1200
    assert len(PROSE) == 12
    scripts = {unicodedata.name(sentences[1][0]).partition(" ")[0] for sentences in PROSE}
    assert len(scripts) == 12


@NEEDS_DATA
def test_lines_are_counted_by_the_links_in_them() -> None:
    """All are right with ours, and those without a link with a library that finds none."""
    ours = Finder("ours", find_links, lambda text: [link.text for link in find_links(text)])
    right, total = lines_right(ours)
    assert right == total > 300
    none, _ = lines_right(Finder("none", str, lambda _text: []))
    assert 0 < none < total


def test_growth_is_told_from_none() -> None:
    """What takes no time to speak of does not grow."""
    assert growth(len) == 0


def test_the_other_libraries_find_a_plain_link() -> None:
    """As text, whatever they make of it."""
    pytest.importorskip("bleach", reason="needs the dependency group `bench`")
    pytest.importorskip("linkify_it", reason="needs the dependency group `bench`")
    text = "See https://example.com/a?b=c&d=e <b>."
    found = list(finders())
    assert len(found) == 5
    for finder in found:
        assert finder.find(text) == ["https://example.com/a?b=c&d=e"], finder.name
        finder.run(text)
