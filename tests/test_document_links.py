"""Links between the documents lead somewhere, and every document is linked."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Final

import pytest

import weburl

ROOT: Final = Path(__file__).resolve().parent.parent
START: Final = ROOT / "README.md"
PAGES: Final = sorted([*ROOT.glob("*.md"), *ROOT.glob("docs/**/*.md")])

LINK: Final = re.compile(
    r"(?<!\\)\[(?:[^\]\[]|\[[^\]]*\])*\]\(([^)\s]+)\)|(?:src|srcset)=\"([^\"]+)\""
)
FENCED: Final = re.compile(r"^(```+).*?^\1$", re.MULTILINE | re.DOTALL)
CODE: Final = re.compile(r"`[^`\n]*`")


def text_of(page: Path) -> str:
    """Return the text of a document without its blocks of code."""
    return FENCED.sub("", page.read_text(encoding="utf-8"))


def links_of(page: Path) -> Iterator[str]:
    """Give what a document links to beside itself and on it, but not on the web."""
    for match in LINK.finditer(CODE.sub("", text_of(page))):
        target = match[1] or match[2]
        if not re.match(r"[a-z]+:", target):
            yield target


def anchors_of(page: Path) -> set[str]:
    """Return the anchors of a document's headings, as GitHub makes them."""
    anchors: set[str] = set()
    for heading in re.findall(r"^#+ (.+)$", text_of(page), re.MULTILINE):
        shown = re.sub(r"\[([^\]]*)\]\([^)]*\)", r"\1", heading).lower()
        anchor = re.sub(r"[^\w\- ]", "", shown).replace(" ", "-")
        number = 0
        while anchor + (f"-{number}" if number else "") in anchors:
            number += 1
        anchors.add(anchor + (f"-{number}" if number else ""))
    return anchors


@pytest.mark.parametrize("page", PAGES, ids=lambda page: str(page.relative_to(ROOT)))
def test_the_links_of_a_document_lead_somewhere(page: Path) -> None:
    """To a file that is there, and to a heading on it."""
    for link in links_of(page):
        name, _, anchor = link.partition("#")
        target = (page.parent / name).resolve() if name else page
        assert target.exists(), link
        if anchor:
            assert anchor in anchors_of(target), link


def test_every_document_is_found_from_the_readme() -> None:
    """By one link after another; of a folder, its index."""
    found, waiting = {START}, [START]
    while waiting:
        page = waiting.pop()
        for link in links_of(page):
            target = (page.parent / link.partition("#")[0]).resolve()
            if target.suffix == ".md" and target not in found:
                assert target.exists(), target
                found.add(target)
                waiting.append(target)
    assert {*ROOT.glob("docs/*.md"), *ROOT.glob("docs/*/index.md")} - found == set()


def test_the_page_of_all_pages_lists_them() -> None:
    """Of a folder, at least its index."""
    contents = ROOT / "docs" / "contents.md"
    listed = {(contents.parent / link.partition("#")[0]).resolve() for link in links_of(contents)}
    pages = {*ROOT.glob("*.md"), *ROOT.glob("docs/*.md"), *ROOT.glob("docs/*/index.md")}
    assert pages - {START, contents} - listed == set()


def test_the_names_in_the_glossary_are_there() -> None:
    """And every term has a link to its standard."""
    _, rows = text_of(ROOT / "docs" / "glossary.md").split("|---|---|---|\n")
    terms = re.findall(r"^\| \[([^]]+)\]\(https://[a-z]+\.spec\.whatwg\.org/", rows, re.MULTILINE)
    assert len(terms) == len(rows.strip().splitlines()) >= 20
    assert [term.lower() for term in terms] == sorted(term.lower() for term in terms)
    names = re.findall(r"`weburl\.(\w+)", rows)
    assert len(names) >= 15
    assert [name for name in names if not hasattr(weburl, name)] == []
    parts = re.findall(r"`url\.(\w+)", rows)
    assert [part for part in parts if not hasattr(weburl.URLRecord, part)] == []
