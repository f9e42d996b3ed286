"""Rewriting of real pages: the HTML files of installed packages, and our documents as HTML."""

from __future__ import annotations

import sysconfig
from collections import Counter
from pathlib import Path
from random import Random
from typing import Final

import pytest

from tests.html.rewriting.checking import URL, check_rewriting
from weburl.html import absolute_links, links
from weburl.html.finding import MORE

ROOT: Final = Path(__file__).resolve().parents[3]
_MOST_BYTES: Final = 300_000
_MOST_FILES: Final = 150


def pages() -> dict[str, bytes]:
    """Return pages by their names: templates of Django are among them."""
    found: dict[str, bytes] = {}
    packages = Path(sysconfig.get_paths()["purelib"])
    files = sorted(packages.rglob("*.htm*"))
    Random(5).shuffle(files)  # not for secrets
    for file in files:
        if len(found) < _MOST_FILES and 0 < file.stat().st_size < _MOST_BYTES:
            found[str(file.relative_to(packages))] = file.read_bytes()
    markdown = pytest.importorskip("markdown_it", reason="markdown-it-py is not installed")
    parser = markdown.MarkdownIt("commonmark", {"html": True})
    for file in sorted((ROOT / "docs").glob("*.md")):
        html = parser.render(file.read_text(encoding="utf-8"))
        found[file.name] = f"<!doctype html><meta charset=utf-8>{html}".encode()
    return found


def test_exactly_the_changed_links_of_real_pages_change() -> None:
    """As bytes and as text."""
    random = Random(5)  # not for secrets
    outcomes: Counter[str] = Counter()
    for name, data in pages().items():
        for html in (data, data.decode("utf-8", "replace")):
            more = random.choice(((), MORE))
            try:
                outcomes[check_rewriting(html, random, None, more)] += 1
            except Exception as error:
                error.add_note(f"{name}, {type(html).__name__}, {more}")
                raise
    assert outcomes.total() >= 250
    assert outcomes["refused"] == 0
    assert outcomes["no links"] < outcomes.total() / 2


def test_real_pages_with_absolute_links_mean_the_same_elsewhere() -> None:
    """Wherever they are read from, unless a template writes a URL."""
    compared = 0
    for name, data in pages().items():
        output = absolute_links(data, URL, keep_fragments=False)
        elsewhere = links(output, "https://elsewhere.example/")
        for link, new in zip(links(data, URL), elsewhere, strict=True):
            if link.record is not None and not any(mark in link.input for mark in ("{", "%")):
                assert new.record == link.record, name
                compared += 1
    assert compared > 300  # an environment with few packages has 475
