"""The site that `make docs` built: no link is broken, nothing is loaded from elsewhere."""

from __future__ import annotations

import importlib
import inspect
import re
from pathlib import Path
from typing import Final
from urllib.parse import unquote
from urllib.request import url2pathname

import pytest
from sphinx.util.inventory import InventoryFile

import weburl
from docs.site import examples, promised
from docs.site import pages as documents
from tests.site.built import SITE, addresses_in_css, page, pages

ROOT: Final = SITE.parent
PROMISED: Final = promised.names(ROOT)


@pytest.fixture(autouse=True, scope="module")
def site() -> Path:
    """Say what to do if there is none."""
    assert (SITE / "index.html").is_file(), "There is no site: make docs builds it."
    return SITE


def broken(path: Path, address: str) -> str | None:
    """Return what is wrong with an address on a page of the site; None for other sites."""
    url = weburl.parse(address, base=path.as_uri())
    if url.scheme != "file":
        return None
    linked = Path(url2pathname(url.path_text))
    if not linked.is_file():
        return f"{path.relative_to(SITE)}: there is no {address}"
    if not linked.is_relative_to(SITE):
        return f"{path.relative_to(SITE)}: {address} is outside of the site"
    anchor = unquote(url.fragment or "")
    if anchor and linked.suffix == ".html" and anchor not in page(linked).anchors:
        return f"{path.relative_to(SITE)}: there is no anchor {address}"
    return None


def test_every_document_has_a_page() -> None:
    """And there are pages of the reference, of search and of the index."""
    for path, place in documents.documents(ROOT).items():
        assert (SITE / place).with_suffix(".html").is_file(), path
    for module in PROMISED:
        assert (SITE / "reference" / f"{module}.html").is_file()
    assert {path.name for path in SITE.glob("*.html")} > {"search.html", "genindex.html"}


def test_the_list_for_programs_leads_to_pages() -> None:
    """`llms.txt` is at the top of the site."""
    listed = (SITE / "llms.txt").read_text(encoding="utf-8")
    addresses = re.findall(r"^- \[.+?\]\((.+?)\)", listed, re.MULTILINE)
    assert len(addresses) > 70
    assert [address for address in addresses if not (SITE / address).is_file()] == []


def test_no_link_is_broken() -> None:
    """Every address on every page leads to a file of the site, and to an anchor in it."""
    found = [
        problem
        for path in pages()
        for address in page(path).addresses
        if (problem := broken(path, address.text)) is not None
    ]
    assert found == []
    assert sum(len(page(path).addresses) for path in pages()) > 5000


def test_nothing_is_loaded_from_elsewhere() -> None:
    """No script, style, font or picture; only links lead to other hosts."""
    loaded = [
        (path, address.text)
        for path in pages()
        for address in page(path).addresses
        if address.is_loaded
    ]
    loaded += [
        (path, address)
        for path in pages()
        for style in page(path).styles
        for address in addresses_in_css(style)
    ]
    loaded += [
        (path, address)
        for path in sorted(SITE.rglob("*.css"))
        for address in addresses_in_css(path.read_text(encoding="utf-8"))
    ]
    schemes = {weburl.parse(address, base=path.as_uri()).scheme for path, address in loaded}
    assert schemes <= {"file", "data"}
    assert len(loaded) > 500


def test_every_function_has_an_example() -> None:
    """In the documents, where it is run as a test; those for columns have tables instead."""
    shown = examples.found(examples.sources(ROOT), PROMISED)
    functions = {
        f"{module}.{name}": (module, name) in shown
        for module, names in PROMISED.items()
        if not module.startswith("weburl.columns")
        for name in names
        if inspect.isroutine(getattr(importlib.import_module(module), name))
    }
    assert {name for name, has_one in functions.items() if not has_one} == set()
    assert len(functions) > 140


def pages_of(module: str) -> list[Path]:
    """Return the page of a module in the reference, and those of its topics."""
    directory = SITE / "reference"
    return [directory / f"{module}.html", *directory.glob(f"{module}-*.html")]


def test_every_promised_name_has_an_entry() -> None:
    """With an anchor on the page of its module, which the index and the search know."""
    inventory = InventoryFile.loads((SITE / "objects.inv").read_bytes(), uri="")
    entries = {
        name: item.uri
        for kind, items in inventory.data.items()
        if kind.startswith("py:")
        for name, item in items.items()
    }
    assert {f"{module}.{name}" for module, names in PROMISED.items() for name in names} <= set(
        entries
    )
    for module, names in PROMISED.items():
        shown = set().union(*(page(path).anchors for path in pages_of(module)))
        assert {f"{module}.{name}" for name in names} <= shown


def test_every_entry_says_something() -> None:
    """Behind each signature there is a description; members of an enumeration have a value."""
    for path in [path for module in PROMISED for path in pages_of(module)]:
        text = path.read_text(encoding="utf-8")
        for entry in text.split('<dl class="py ')[1:]:
            described = re.search(r"<dd>(\s*</dd>)?", entry)
            assert described is not None
            assert described[1] is None or entry.startswith("attribute"), entry[:200]


def test_the_search_needs_no_server() -> None:
    """Its index is a script that the page of the search names."""
    assert "searchindex.js" in {address.text for address in page(SITE / "search.html").addresses}
    index = (SITE / "searchindex.js").read_text(encoding="utf-8")
    assert index.startswith("Search.setIndex(")
    assert all(f'"{name}"' in index for name in ("quickstart", "models", "reference/weburl"))


def test_no_list_of_descriptions_is_without_terms() -> None:
    """Sphinx writes the parameters of long signatures so; a screen reader announces wrong lists."""
    lines = 0
    for path in pages():
        text = path.read_text(encoding="utf-8")
        assert not re.search(r"<dl[^>]*>\s*<dd", text), path
        lines += text.count('class="sig-line"')
    assert lines > 500


def test_no_default_value_is_an_address_or_a_mark() -> None:
    """Which say nothing to a reader."""
    for module in PROMISED:
        for path in pages_of(module):
            text = re.sub("<[^>]+>", "", path.read_text(encoding="utf-8"))
            for mark in ("object at 0x", "&lt;object object&gt;", "NOT_PROVIDED"):
                assert mark not in text, path


def test_the_reference_names_each_module_with_a_sentence() -> None:
    """And names of several modules with their module, so that no two look the same."""
    text = (SITE / "reference" / "index.html").read_text(encoding="utf-8")
    items = re.findall(r"<li><p>(.*?)</p></li>", text, re.DOTALL)
    shown = [re.sub("<[^>]+>", "", item) for item in items]
    for module in PROMISED:
        (item,) = [item for item in shown if item.startswith(f"{module}: ")]
        assert len(item) > len(module) + 10
    names = [item.partition(": ")[0] for item in shown]
    assert len(names) == len(set(names))
    assert "django_whatwg_url.forms.CanonicalURLField" in names


def test_no_table_has_an_empty_header() -> None:
    """An empty corner is a cell."""
    for path in pages():
        text = path.read_text(encoding="utf-8")
        assert not re.search(r"<th[^>]*>\s*(<p>\s*</p>)?\s*</th>", text), path
