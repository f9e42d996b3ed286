"""Compares yarl's `/`, `joinpath`, `with_name`, `with_suffix`, `relative` and `update_query`.

Each call is made with the real yarl and with a record. Where the results differ, a table in
`yarl_calls.md` has a row with both. The reason is before the table or in the row.
"""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any, Final

import yarl

import weburl

PAGE: Final = Path(__file__).with_name("yarl_calls.md")
ROW: Final = re.compile(
    r"^\| `([^`]+)` \| `(url[^`]+)` \| `([^`]+)` \| `([^`]+)` \|(?: ([^|]+) \|)?$", re.MULTILINE
)

SEGMENTS: Final = (
    *("b", "", "b/c", "b/", "/b", ".", "..", "%2e%2E", "...", "%20", "b%2Fc", "é", "😀", "b c"),
    *("b:c", "b+c", "b@c", "b?c", "b#c", "\\b", "b\tc", "b;c=d&e", "[b]", "^{}", "~b", "'", '"'),
)
SUFFIXES: Final = ("", ".md", "md", ".", "..", ".a.b", ".a/b", ".é", ".a%20", ".a?b", ".[")
PATHS: Final = ("", "/", "/a", "/a/", "/a/b", "//a", "/a//", "/a%2Fb", "/a?q#f", "/é")
NAMES: Final = ("", "a", "a.txt", "a.tar.gz", ".b", "a.", "a.txt?q#f", "a%2Fb.txt", "a/")
QUERIES: Final = ("", "?x=1", "?x=1&y=2&x=3", "?x=1#f", "?x=%27&z", "?x=%20&y=+", "?a=1;b=2")
UPDATES: Final = (
    *('{"x": "2"}', '{"y": "2"}', '{"x": ["4", "5"]}', '[("x", "4"), ("x", "5")]', '"y=2&x=4"'),
    *("None", "{}", '""', '{"y": "é &=+"}', '{"y": []}', '{"x": []}', '{"": "2"}', 'y="2"'),
    *('{"y": 2}', '{"y": 2.5}', '{"y": True}', '{"y": None}', '{"y": b"2"}', "5"),
)


def cases() -> list[tuple[str, str]]:
    """Return each call with its URL."""
    made = [(f"https://h{path}", 'url / "b"') for path in PATHS]
    made += [(f"https://h{path}", 'url.joinpath("b", "c")') for path in PATHS]
    made += [(f"https://h{path}", 'url.with_name("c")') for path in PATHS]
    for segment in SEGMENTS:
        made += [
            ("https://h/a", f"url / {segment!r}"),
            ("https://h/a", f"url.joinpath({segment!r}, 'c')"),
            ("https://h/a", f"url.joinpath('c', {segment!r})"),
            ("https://h/a/b", f"url.with_name({segment!r})"),
        ]
    made += [("https://h/a.txt", f"url.with_suffix({suffix!r})") for suffix in SUFFIXES]
    made += [(f"https://h/{name}", 'url.with_suffix(".md")') for name in NAMES]
    made += [(f"https://h/a{query}", f"url.update_query({UPDATES[0]})") for query in QUERIES]
    made += [(f"https://h/a{query}", f"url.update_query({UPDATES[1]})") for query in QUERIES]
    made += [("https://h/a?x=1&y=2&x=3", f"url.update_query({update})") for update in UPDATES]
    made += [
        ("https://h/a", "url.joinpath()"),
        ("https://h/a", "url.joinpath('b%20c', encoded=True)"),
        ("https://h/a/b?q#f", "url.with_name('c', keep_query=True, keep_fragment=True)"),
        *(
            ("https://h/a.txt", f"url{call}")
            for call in (" / 5", ".with_name(5)", ".with_suffix(5)")
        ),
        *(("mailto:a", f"url{call}") for call in (' / "b"', '.with_name("b")')),
        *((url, "url.relative()") for url in ("https://h/a?q#f", "https://u@h", "https://h//a")),
        ("mailto:a", "url.relative()"),
    ]
    return list(dict.fromkeys(made))


def result(call: str, url: object) -> str:
    """Return the result of a call as quoted text, or the name of the built-in error it raises."""
    try:
        given = eval(call, {"url": url})
    except (ValueError, TypeError, AttributeError) as error:
        return next(kind.__name__ for kind in type(error).__mro__ if kind.__module__ == "builtins")
    return repr(str(given))


def differences() -> dict[tuple[str, str], tuple[str, str]]:
    """Return the calls whose results differ, with yarl's result first."""
    found = {}
    for text, call in cases():
        theirs, ours = result(call, yarl.URL(text)), result(call, weburl.parse(text))
        if theirs != ours:
            found[text, call] = (theirs, ours)
    return found


def test_the_table_has_every_difference_and_no_other() -> None:
    """Each row has both results."""
    table: dict[Any, Any] = {
        (text, call): (theirs, ours)
        for text, call, theirs, ours, _why in ROW.findall(PAGE.read_text(encoding="utf-8"))
    }
    found = differences()
    assert table == found
    assert len(cases()) == 201
    assert len(found) == 45


def test_every_difference_has_a_reason() -> None:
    """The reason is before the table, or in the last cell of each row."""
    _start, *groups = PAGE.read_text(encoding="utf-8").split("\n### ")
    assert len(groups) == 8
    for group in groups:
        before, rows = group.partition("| URL |")[0], ROW.findall(group)
        has_reason = len(before.strip().splitlines()) > 1
        assert rows
        assert has_reason or all(why for *_others, why in rows), before
