"""Builds the page of the playground alone, without the rest of the site."""

from __future__ import annotations

import re
import shutil
from pathlib import Path
from typing import Final

from docs.site import pages, promised
from docs.site.__main__ import build
from docs.site.playground.engine import Engine

DOCUMENT: Final = Path(__file__).resolve().parent.parent / "docs" / "playground.md"

_LINK: Final = re.compile(r"\]\(([\w-]+\.md)(?:#([\w-]+))?\)")


def built(directory: Path, engine: Engine | None = None) -> Path:
    """Build a site of the playground and what it links to; return the path of the page."""
    checkout, site = directory / "checkout", directory / "site"
    documents = checkout / pages.DIRECTORY_OF_DOCUMENTS
    (documents / "pictures").mkdir(parents=True)
    for name in pages.ROOT_PAGES:
        (checkout / name).parent.mkdir(parents=True, exist_ok=True)
        (checkout / name).write_text(f"# {name}\n", encoding="utf-8")
    (documents / "stability.md").write_text("# Stability\n", encoding="utf-8")
    names = '{"weburl": ["address_classes"]}'
    (documents / promised.FILE).write_text(names, encoding="utf-8")
    shutil.copy(DOCUMENT, documents)
    for name, anchor in _LINK.findall(DOCUMENT.read_text(encoding="utf-8")):
        heading = anchor.replace("-", " ")
        text = f"# {name}\n\n## {heading}\n" if heading else f"# {name}\n"
        (documents / name).write_text(text, encoding="utf-8")
    assert build(checkout, site, engine) == 0
    return site / "playground.html"
