"""Writes `llms.txt`: a list of the site's pages for programs that read a site to answer questions.

The format is that of https://llmstxt.org/: a title, what the project is, and a list for each
section. Each page has its title and its first sentence.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Final

NAME: Final = "llms.txt"

_HIDDEN: Final = re.compile(r"<!--.*?-->|^```.*?^```$", re.DOTALL | re.MULTILINE)
_TITLE: Final = re.compile(r"^# (.+)$", re.MULTILINE)
_LINK: Final = re.compile(r"\[([^\]]*)\]\([^)]*\)")
_SENTENCE: Final = re.compile(r".+?[.:?!](?=\s|$)")
# A paragraph of text does not begin with one of these.
_MARKUP: Final = ("#", "|", "<", "-", "!", ">", "`", "1.")


def text(pages: Mapping[Path, Path], sections: Mapping[str, Sequence[str]]) -> str:
    """Return the list.

    Args:
        pages: The path within the site of every page, by its file.
        sections: The captions of the sections, each with its pages. The others of a folder follow
            its ``index``. A page that does not exist is left out.
    """
    files = {place.with_suffix("").as_posix(): file for file, place in pages.items()}
    start = files["index"].read_text(encoding="utf-8")
    title, summary = _about(start)
    lines = [f"# {title}", "", f"> {summary}"]
    for caption, names in sections.items():
        entries = [_entry(name, files[name]) for name in _with_folders(names, files)]
        if entries:
            lines += ["", f"## {caption}", "", *entries]
    return "\n".join([*lines, ""])


def _with_folders(names: Iterable[str], files: Mapping[str, Path]) -> list[str]:
    """Return the names of pages that exist, those of a folder after its index."""
    found: list[str] = []
    for name in names:
        if name not in files:
            continue
        found.append(name)
        folder, _slash, last = name.rpartition("/")
        if last == "index":
            found += sorted(
                each for each in files if each.startswith(f"{folder}/") and each != name
            )
    return found


def _entry(name: str, file: Path) -> str:
    title, summary = _about(file.read_text(encoding="utf-8"))
    return f"- [{title}]({name}.html)" + (f": {summary}" if summary else "")


def _about(page: str) -> tuple[str, str]:
    """Return the title of a page and its first sentence, as plain text."""
    shown = _HIDDEN.sub("", page)
    title = _TITLE.search(shown)
    paragraphs = shown[title.end() if title else 0 :].split("\n\n")
    texts = (" ".join(each.split()) for each in paragraphs)
    first = next((each for each in texts if each and not each.startswith(_MARKUP)), "")
    sentence = _SENTENCE.match(_plain(first))
    summary = sentence[0].removesuffix(":").removesuffix(".") + "." if sentence else ""
    return _plain(title[1] if title else ""), summary


def _plain(markdown: str) -> str:
    return _LINK.sub(r"\1", markdown).replace("**", "")
