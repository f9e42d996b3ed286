"""The fifteen tasks of `fifteen_tasks.md`, with the real libraries."""

from __future__ import annotations

import re
import urllib.parse
from pathlib import Path, PurePosixPath
from typing import Any, Final

import pytest
import yarl
from furl import furl

import weburl

PAGE: Final = "https://example.com/docs/a.txt"
FULL: Final = "https://user:pw@example.com:8080/a/b?x=1&x=2&y=3#top"
CALL: Final = r"(?:`([^`]+)` )?"
ROW: Final = re.compile(
    rf"^\| ([^|`]+) \| {CALL}\| {CALL}\| {CALL}\| `([^`]+)` \| `([^`]+)` \|$", re.MULTILINE
)
SUMS: Final = re.compile(
    r"^\| characters[^|]+\| (\d+) \| (\d+) \| (\d+) \| (\d+) \| \|$", re.MULTILINE
)
TABLE: Final = Path(__file__).with_name("fifteen_tasks.md").read_text(encoding="utf-8")
ROWS: Final = ROW.findall(TABLE)


def names(library: str) -> dict[str, Any]:
    """Return new objects for the names that the code in a column uses."""
    if library == "yarl":
        return {"page": yarl.URL(PAGE), "full": yarl.URL(FULL), "URL": yarl.URL}
    if library == "furl":
        own = {"furl": furl, "PurePosixPath": PurePosixPath}
        return {"page": furl(PAGE), "full": furl(FULL), **own}
    if library == "urllib.parse":
        return {"page": PAGE, "full": FULL, **vars(urllib.parse), "PurePosixPath": PurePosixPath}
    return {"page": weburl.parse(PAGE), "full": weburl.parse(FULL), "parse": weburl.parse}


@pytest.mark.parametrize(("task", "yarls", "furls", "urllibs", "ours", "result"), ROWS)
def test_each_call_gives_what_the_table_says(
    task: str, yarls: str, furls: str, urllibs: str, ours: str, result: str
) -> None:
    """Results are compared as text. A library that cannot do the task has no call."""
    calls = {"yarl": yarls, "furl": furls, "urllib.parse": urllibs, "weburl": ours}
    for library, call in calls.items():
        if call:
            assert str(eval(call, names(library))) == result, (task, library)


def test_the_fifteen_tasks_take_no_more_characters_than_with_yarl() -> None:
    """The last row has the sums, over the tasks that every library can do."""
    assert len(ROWS) == 15
    by_all = [calls for _, *calls, _ in ROWS if all(calls)]
    assert len(by_all) == 14
    sums = [sum(map(len, column)) for column in zip(*by_all, strict=True)]
    written = SUMS.search(TABLE)
    assert written is not None
    assert [int(number) for number in written.groups()] == sums
    assert sums[3] <= min(sums)


def test_a_slash_in_a_segment_is_data_here() -> None:
    """In yarl, a slash separates two segments or is refused."""
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
    """In yarl, it is resolved, or its percent sign is encoded."""
    assert str(yarl.URL("https://h/a/b").joinpath(segment)).startswith("https://h/a/")
    with pytest.raises(weburl.URLParseError):
        weburl.parse("https://h/a/b").joinpath(segment)
