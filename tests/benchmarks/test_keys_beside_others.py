"""What is counted beside other functions that merge URLs."""

from __future__ import annotations

from pathlib import Path

import pytest

from benchmarks.keys_beside_others import Counts, as_linkding, count, functions, main


def test_what_is_counted() -> None:
    """Each kind once: a result that is another page, that is not a URL, and that changes again."""
    links = ["https://a/", "https://b/c", "https://d/", "https://e/", "https://f/#x"]
    made = {"https://b/c": "https://b/", "https://d/": "d", "https://f/#x": "https://f/"}
    assert count(lambda link: made.get(link, link), links) == Counts(0, 1, 1, 0)
    assert count(lambda link: link.rstrip("/"), links) == Counts(0, 0, 0, 0)
    assert count(lambda link: link + "x", ["https://a/"]) == Counts(0, 1, 0, 1)
    assert count(lambda _: "https://a/", links) == Counts(4, 4, 0, 0)


def test_a_function_that_raises_has_no_result() -> None:
    """It counts as one that does not return a URL."""
    assert count(int, ["https://a/", "https://b/"]) == Counts(0, 0, 2, 0)


@pytest.mark.parametrize(
    ("link", "expected"),
    [
        ("https://example.com/", "https://example.com"),
        ("https://example.com/path?b=2&a=1", "https://example.com/path?a=1&b=2"),
        ("HTTPS://Example.COM/Path/?q=%FC#f", "https://example.com/Path?q=%EF%BF%BD#f"),
    ],
)
def test_as_linkding(link: str, expected: str) -> None:
    """The examples of its issue, and what becomes of other bytes."""
    assert as_linkding(link) == expected


def test_the_table(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """A row for each function that is installed; links that do not parse are left out."""
    links = tmp_path / "links.txt"
    links.write_text("https://a.b/\nbad\nhttps://www.a.b\n", "utf-8")
    main(str(links))
    lines = capsys.readouterr().out.split("\n")
    assert lines[0] == "2 links"
    names = [name for name, _ in functions()]
    rows = lines[4:-1]
    assert [row.split(" | ")[0][2:] for row in rows] == names
    assert rows[2].startswith('| `url_key`, "page" | 1 | 1 | 0 | 0 |')
