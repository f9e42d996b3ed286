"""The table of `docs/rendering.md`: which hosts are shown in Unicode."""

from __future__ import annotations

from pathlib import Path

import weburl

PAGE = Path(__file__).resolve().parents[3] / "docs" / "rendering.md"


def test_the_page_says_which_hosts_are_shown_in_unicode() -> None:
    """Each name in the last column stays in ASCII, except those after "but"."""
    page = PAGE.read_text(encoding="utf-8")
    rows = page.partition("| rule | stays in ASCII |\n")[2].partition("\n\n")[0].splitlines()[1:]
    hidden = shown = 0
    for row in rows:
        cell, _, exception = row.strip("| ").rpartition(" | ")[2].partition("; but ")
        for name in cell.split("`")[1::2]:
            url = weburl.parse(f"https://{name}/")
            assert url.host is not None
            assert url.host.to_unicode() == name, name
            assert weburl.render(url) == url.href, name
            hidden += 1
        for name in exception.split("`")[1::2]:
            url = weburl.parse(f"https://{name}/")
            assert weburl.render(url) == f"https://{name}/" != url.href, name
            shown += 1
    assert (hidden, shown) == (14, 5)
