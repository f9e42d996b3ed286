"""Copies the documents for Sphinx, with lists of contents and adapted links.

In the site, the pages of `docs/` are at the top level, next to those of the rest of the checkout.
"""

from __future__ import annotations

import os
import re
import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import Final

from docs.site import llms, maps, searching
from docs.site.playground import page as playground
from docs.site.playground.engine import Engine

DIRECTORY_OF_DOCUMENTS: Final = "docs"

AS_THEY_ARE: Final = "as-they-are"
"""The directory for files that HTML in the documents shows. Sphinx does not read them."""

# The pages beside `docs/`, and their names in the site.
ROOT_PAGES: Final = {
    "README.md": "index.md",
    "CHANGELOG.md": "changes.md",
    "CONTRIBUTING.md": "contributing.md",
    "SECURITY.md": "reporting.md",
    "benchmarks/README.md": "benchmarks.md",
}

# The contents, in the order in which people need them: to learn, to do, to look up, to understand.
# Pages that do not exist are left out. Sphinx warns about a page that is not in any section.
SECTIONS: Final = {
    "Start": [
        *("quickstart", "tutorial", "tutorial-link-checker", "recipes", "playground"),
        *("coming-from/index", "contents"),
    ],
    "Guides with Django": [
        *("models", "which-field", "before-you-swap", "migrating", "forms", "templates", "admin"),
        *("querying", "registrable-domains", "url-keys-in-django"),
        "integrations/index",
    ],
    "Guides with weburl": [
        *("values", "validation-errors", "rendering", "origins", "keys", "html", "rewriting"),
        *("text", "patterns", "command-line", "viewer"),
    ],
    "Security": [
        *("security", "lookalikes", "policies", "block-lists", "fetching"),
        *("redirects", "redirect-uris", "reporting"),
    ],
    "Data": ["columns/index"],
    "Reference": [
        *("reference/index", "field-options", "lookups"),
        *("canonicalize-urls", "policy-rules"),
        *("fetching-reference", "html-reference", "glossary"),
    ],
    "Explanation": ["pitfalls", "pitfalls-in-django", "comparison", "conventions"],
    "About the project": ["support", "stability", "performance", "changes"],
    "For contributors": [
        *("contributing", "architecture", "conformance", "trust", "benchmarks", "history"),
    ],
}

_LINK: Final = re.compile(r"(?<=\]\()[^()\s#]+|(?<=src=\")[^\"]+|(?<=srcset=\")[^\"]+")
# GitHub chooses the picture by the system's colors, and the site by its own switch.
_PICTURE: Final = re.compile(
    r"<picture>\s*<source media=\"\(prefers-color-scheme: dark\)\" srcset=\"([^\"]+)\">\s*"
    r"<img alt=\"([^\"]+)\"\s+src=\"([^\"]+)\">\s*</picture>"
)
_BOTH_PICTURES: Final = (
    r'<img class="only-light" loading="lazy" alt="\2" src="\3">'
    "\n"
    r'<img class="only-dark" loading="lazy" alt="\2" src="\1">'
)
_MERMAID: Final = re.compile(r"^```mermaid\n(.*?)^```\n", re.DOTALL | re.MULTILINE)
# Doctest needs an empty line after the last output, but readers do not.
_EMPTY_LINES_AT_END: Final = re.compile(r"^(```python\n(?:(?!```).*\n)*?)\n+(?=```$)", re.MULTILINE)


def write(root: Path, target: Path, engine: Engine | None = None) -> None:
    """Write the sources of the site to the new directory ``target``; ``root`` is the checkout.

    ``engine`` is what the playground runs; without it, only the browser reads what people type.
    """
    for source, page in documents(root).items():
        path = target / page
        path.parent.mkdir(parents=True, exist_ok=True)
        text = _with_links(root, source, source.read_text(encoding="utf-8"))
        text = _PICTURE.sub(_BOTH_PICTURES, text)
        text = _EMPTY_LINES_AT_END.sub(r"\1", text)
        text = _MERMAID.sub(lambda found: maps.drawn(found[1]), text)
        text = searching.with_keywords(text, page.with_suffix("").as_posix())
        path.write_text(playground.filled(text, engine), encoding="utf-8")
    for picture in (root / DIRECTORY_OF_DOCUMENTS).glob("*.svg"):
        shutil.copy(picture, target)
    pictures = Path(DIRECTORY_OF_DOCUMENTS, "pictures")
    shutil.copytree(root / pictures, target / AS_THEY_ARE / "pictures")
    playground.write_files(target / AS_THEY_ARE / playground.DIRECTORY, engine)
    listed = llms.text(documents(root), SECTIONS)
    (target / AS_THEY_ARE / llms.NAME).write_text(listed, encoding="utf-8")
    _add_contents(target)


def documents(root: Path) -> dict[Path, Path]:
    """Return the path within the site of every page, by its file."""
    found = {root / name: Path(page) for name, page in ROOT_PAGES.items()}
    directory = root / DIRECTORY_OF_DOCUMENTS
    for path in sorted([*directory.glob("*.md"), *directory.glob("*/*.md")]):
        found[path] = path.relative_to(directory)
    return found


def _with_links(root: Path, source: Path, text: str) -> str:
    """Return a page's text with its links to files of the checkout adapted to the site."""

    def link(found: re.Match[str]) -> str:
        linked = Path(os.path.normpath(source.parent / found[0]))
        if "://" in found[0] or not linked.is_relative_to(root) or not linked.is_file():
            return found[0]  # Sphinx warns about broken links
        place = _place(root, linked)
        return Path(os.path.relpath(place, _place(root, source).parent)).as_posix()

    return _LINK.sub(link, text)


def _place(root: Path, path: Path) -> Path:
    """Return where a file of the checkout is in the site."""
    inside = path.relative_to(root)
    if inside.parts[0] == DIRECTORY_OF_DOCUMENTS:
        return inside.relative_to(DIRECTORY_OF_DOCUMENTS)
    return Path(ROOT_PAGES.get(inside.as_posix(), inside))


def _add_contents(target: Path) -> None:
    """Add lists of contents to the first page and to the index of each folder."""
    for section in sorted(target.glob("*/index.md")):
        _append(section, _toctree(None, _others(section)))
    contents = (
        _toctree(caption, list(_present(target, patterns)))
        for caption, patterns in SECTIONS.items()
    )
    _append(target / "index.md", "".join(contents))


def _others(section: Path) -> list[str]:
    """Return the other pages of a folder in the order in which its index links to them."""
    linked = list(dict.fromkeys(_LINK.findall(section.read_text(encoding="utf-8"))))
    others = [page for page in sorted(section.parent.glob("*.md")) if page != section]
    others.sort(key=lambda page: linked.index(page.name) if page.name in linked else len(linked))
    return [page.stem for page in others]


def _present(target: Path, patterns: list[str]) -> Iterator[str]:
    """Yield the pages of ``patterns`` that exist; `reference` writes its own."""
    for pattern in patterns:
        if pattern.startswith("reference/"):
            yield pattern
        for path in sorted(target.glob(f"{pattern}.md")):
            yield path.relative_to(target).with_suffix("").as_posix()


def _toctree(caption: str | None, names: list[str]) -> str:
    """Return a hidden list of pages in MyST's Markdown, or "" without pages."""
    if not names:
        return ""
    options = [":hidden:", *([f":caption: {caption}"] if caption else [])]
    return "\n".join(["", "```{toctree}", *options, "", *names, "```", ""])


def _append(path: Path, text: str) -> None:
    path.write_text(path.read_text(encoding="utf-8") + text, encoding="utf-8")
