"""The tables of `docs/comparison.md`, with the answers of other libraries.

WEBURL_WRITE_TABLES=1 writes them.
"""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Iterator
from contextlib import suppress
from pathlib import Path
from typing import Any, Final
from urllib.parse import urlsplit

import ada_url
import can_ada
import furl
import httpx
import hyperlink
import pydantic
import pytest
import rfc3986
import upa_url
import url
import w3lib.url
import yarl
from django import forms

import weburl

DOCS: Final = Path(__file__).resolve().parents[2] / "docs"
PAGE: Final = DOCS / "comparison.md"
README: Final = DOCS.parent / "README.md"

SECRET: Final = "https://user:s3cret@example.com/"

# What makes an object of a text.
MAKERS: Final[dict[str, Callable[[str], Any]]] = {
    "weburl": weburl.parse,
    "`urllib.parse`": urlsplit,
    "yarl": yarl.URL,
    "furl": furl.furl,
    "httpx": httpx.URL,
    "rfc3986": rfc3986.iri_reference,
    "hyperlink": hyperlink.parse,
    "ada-url": ada_url.URL,
    "can-ada": can_ada.parse,
    "upa-url": upa_url.URL,
    "url-py": url.URL.parse,
    "pydantic": pydantic.AnyUrl,
}

# What makes the most canonical text of it that the library knows.
WRITERS: Final[dict[str, Callable[[str], str]]] = {
    "weburl": weburl.canonicalize,
    "`urllib.parse`": lambda text: urlsplit(text).geturl(),
    "yarl": lambda text: str(yarl.URL(text)),
    "furl": lambda text: str(furl.furl(text).url),
    "httpx": lambda text: str(httpx.URL(text)),
    "rfc3986": lambda text: str(rfc3986.iri_reference(text).encode().normalize().unsplit()),
    "hyperlink": lambda text: hyperlink.parse(text).normalize().to_uri().to_text(),
    "ada-url": lambda text: str(ada_url.URL(text).href),
    "can-ada": lambda text: str(can_ada.parse(text).href),
    "upa-url": lambda text: str(upa_url.URL(text).href),
    "url-py": lambda text: str(url.URL.parse(text)),
    "pydantic": lambda text: str(pydantic.AnyUrl(text)),
    "w3lib": w3lib.url.canonicalize_url,
    "Django's `URLField`": lambda text: str(forms.URLField(assume_scheme="https").clean(text)),
}


def answer(write: Callable[[str], str], text: str) -> str | None:
    """Return what a library makes of ``text``, or None if the library refuses it."""
    try:
        return write(text)
    except Exception:  # noqa: BLE001 (each library has errors of its own)
        return None


def marks(write: Callable[[str], str], texts: list[str]) -> Iterator[str]:
    """Compare a library's answers with the browser's."""
    for text in texts:
        found, expected = answer(write, text), answer(weburl.canonicalize, text)
        yield "yes" if found == expected else "refuses" if found is None else "other"


def differing(write: Callable[[str], str], texts: list[str]) -> list[str]:
    """Return the numbers of the texts that a library writes differently, and that it refuses."""
    found = list(marks(write, texts))
    return [
        ", ".join(str(number) for number, mark in enumerate(found, 1) if mark == wanted) or "none"
        for wanted in ("other", "refuses")
    ]


def can(action: Callable[[], object]) -> bool:
    """Return whether an action succeeds with a result that is true."""
    try:
        return bool(action())
    except (AttributeError, TypeError):
        return False


def properties(make: Callable[[str], Any]) -> Iterator[str]:
    """Yield what the objects of a library can do, in the order of the table's rows."""
    first, same = (make("https://example.com/a") for _ in range(2))
    attributes = [name for name in ("fragment", "hash") if hasattr(first, name)]
    fixed = True
    with suppress(AttributeError, TypeError):
        setattr(same, attributes[0], "x")
        fixed = False
    same = make("https://example.com/a")
    for holds in (
        first == same,
        can(lambda: hash(first) == hash(same)),
        fixed,
        "s3cret" not in repr(make(SECRET)),
    ):
        yield "yes" if holds else "no"


PROPERTIES: Final = (
    "is not equal to another of the same text",
    "is not hashable",
    "can be changed",
    "has its password in its `repr`",
)
"""What an object is or does if it lacks the `properties`, in their order."""


def table_named(page: str, name: str) -> re.Match[str]:
    """Find the rows of a table on the page, without its header."""
    found = re.search(rf"<!-- {name} -->\n.*\n.*\n((?:\|.*\n)+)<!-- end -->", page)
    assert found, f"no table {name!r}"
    return found


def expected_rows(page: str) -> dict[str, list[list[str]]]:
    """Return the cells that each table should have."""
    listed = re.search(r"<!-- texts -->\n((?:\d+\. .*\n)+)", page)
    assert listed
    texts = re.findall(r"^\d+\. `(\S+)`", listed[1], re.MULTILINE)
    having = {name: list(properties(make)) for name, make in MAKERS.items()}
    assert len(texts) == len(listed[1].splitlines()) == 10
    return {
        "readings": [[name, *differing(write, texts)] for name, write in WRITERS.items()],
        "properties": [
            [property, ", ".join(name for name, found in having.items() if found[at] == "no")]
            for at, property in enumerate(PROPERTIES)
        ],
    }


@pytest.mark.parametrize("name", ["readings", "properties"])
def test_a_table_says_what_is_found(name: str) -> None:
    """All cells are computed with the real packages."""
    page = PAGE.read_text(encoding="utf-8")
    shown = table_named(page, name)
    wanted = "".join(f"| {' | '.join(cells)} |\n" for cells in expected_rows(page)[name])
    if shown[1] != wanted and os.environ.get("WEBURL_WRITE_TABLES"):
        PAGE.write_text(page[: shown.start(1)] + wanted + page[shown.end(1) :], encoding="utf-8")
    assert shown[1] == wanted, "WEBURL_WRITE_TABLES=1 writes the table: then read the page again"


def test_the_readme_says_what_others_write() -> None:
    """Each cell is what the library makes of the text, or that it refuses it."""
    page = README.read_text(encoding="utf-8")
    header, *rows = re.findall(r"^\| (.+) \|$", page, re.MULTILINE)
    names = header.split(" | ")[2:]
    assert len(rows) == 4
    for row in rows:
        text, browser, *others = row.split(" | ")
        assert text.startswith("`")
        assert browser == cell(weburl.canonicalize, text.strip("`"))
        assert others == [cell(WRITERS[name], text.strip("`")) for name in names]


def cell(write: Callable[[str], str], text: str) -> str:
    """Return what a library makes of ``text``, as a cell of a table."""
    found = answer(write, text)
    return "refuses" if found is None else f"`{found}`"


def test_what_others_do_better_is_so() -> None:
    """The examples of that section do what it says."""
    assert urlsplit(b"/a?b").path == b"/a"
    for make in (ada_url.URL, can_ada.parse, upa_url.URL, url.URL.parse):
        with pytest.raises((ValueError, RuntimeError, url.URLError)) as refused:
            make("https://e:99999/")
        assert not re.search(r"\d", str(refused.value))
    with pytest.raises(weburl.URLParseError, match="99999' is greater"):
        weburl.parse("https://e:99999/")
    assert (weburl.parse("https://e/a") / "b c").href == "https://e/a/b%20c"
    assert str(yarl.URL("https://e/?a=1").update_query(b="2")) == "https://e/?a=1&b=2"
    with pytest.raises(ValueError, match="cannot contain"):
        yarl.URL("https://exa\u00admple.com/")
    assert str(weburl.parse("https://exa\u00admple.com/").host) == "example.com"
    assert w3lib.url.canonicalize_url("https://e/?b=2&a=1#top") == "https://e/?a=1&b=2"
    assert rfc3986.validators.Validator().require_presence_of("scheme")
