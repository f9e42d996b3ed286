"""The fifteen tasks of `docs/coming-from/index.md`, with the real yarl."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any, Final

import pytest
import yarl

import weburl

INDEX: Final = Path(__file__).resolve().parents[2] / "docs" / "coming-from" / "index.md"
PAGE: Final = "https://example.com/docs/a.txt"
FULL: Final = "https://user:pw@example.com:8080/a/b?x=1&x=2&y=3#top"
ROW: Final = re.compile(
    r"^\| ([^|`]+) \| (?:`([^|]+)` )?\| `([^|]+)` \| `([^|]+)` \|$", re.MULTILINE
)
ROWS: Final = ROW.findall(INDEX.read_text(encoding="utf-8").partition("## Fifteen tasks")[2])


@pytest.mark.parametrize(("task", "theirs", "ours", "result"), ROWS, ids=[row[0] for row in ROWS])
def test_both_calls_give_what_the_table_says(
    task: str, theirs: str, ours: str, result: str
) -> None:
    """Compared as text; what yarl cannot do has no call."""
    names: dict[str, Any] = {"page": yarl.URL(PAGE), "full": yarl.URL(FULL), "URL": yarl.URL}
    if theirs:
        assert str(eval(theirs, names)) == result, task
    own = {"page": weburl.parse(PAGE), "full": weburl.parse(FULL), "parse": weburl.parse}
    assert str(eval(ours, own)) == result, task


def test_the_fifteen_tasks_take_no_more_characters_than_with_yarl() -> None:
    """In sum, over the tasks that yarl can do."""
    assert len(ROWS) == 15
    both = [(len(theirs), len(ours)) for _, theirs, ours, _ in ROWS if theirs]
    assert len(both) == 14
    assert sum(ours for _, ours in both) <= sum(theirs for theirs, _ in both)


def test_a_slash_in_a_segment_is_data_here() -> None:
    """Yarl makes two segments of it, or refuses it."""
    theirs, ours = yarl.URL("https://h/a"), weburl.parse("https://h/a")
    assert str(theirs / "b/c") == "https://h/a/b/c"
    assert str(ours / "b/c") == "https://h/a/b%2Fc"
    with pytest.raises(ValueError, match="slash"):
        theirs.joinpath("/b")
    assert str(ours.joinpath("/b")) == "https://h/a/%2Fb"
    with pytest.raises(ValueError, match="Slash"):
        theirs.with_name("b/c")
    assert str(ours.with_name("b/c")) == "https://h/b%2Fc"


@pytest.mark.parametrize("segment", [".", "..", "%2e"])
def test_a_dot_segment_is_refused_here(segment: str) -> None:
    """Yarl resolves it, or encodes its percent sign."""
    assert str(yarl.URL("https://h/a/b").joinpath(segment)).startswith("https://h/a/")
    with pytest.raises(weburl.URLParseError):
        weburl.parse("https://h/a/b").joinpath(segment)
