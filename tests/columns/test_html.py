"""The links of pages in columns: those of one page after the other."""

from __future__ import annotations

import subprocess
import sys
from typing import Any

import pyarrow as pa
import pytest

import weburl
from weburl.columns.html import links
from weburl.html import PageLimitError, PageLimits
from weburl.html import links as links_of_page

URLS = [
    "https://a.example/x/",
    "https://b.example/",
    None,
    "nope",
    "https://c.example/",
    "http://d",
]
BODIES = [
    "<base href=/y/><a href='z?ä'>1</a><a href='http://['>2</a><img src=i.png>",
    "<p>nothing</p>",
    "<a href=/>",
    "<a href=/>",
    None,
    "<a href='\ud83d\ude00'>".encode("utf-16", "surrogatepass").decode("utf-16"),
]


def expected(url: str | None, body: str | bytes | None, **options: Any) -> Any:
    """Return what the function for one page gives, as a row."""
    if url is None or body is None or not weburl.can_parse(url):
        return None
    return [
        {
            "href": None if link.record is None else link.record.href,
            "kind": str(link.kind),
            "element": link.element,
            "text": link.input,
        }
        for link in links_of_page(body, url, **options)
    ]


@pytest.mark.parametrize(
    "type",
    [pa.string(), pa.large_string(), pa.string_view(), pa.dictionary(pa.int8(), pa.string())],
    ids=str,
)
@pytest.mark.parametrize("kinds", [None, {"hyperlink"}, {"base", "resource"}, set()])
def test_every_row_has_the_links_of_its_page(type: pa.DataType, kinds: Any) -> None:
    """Whatever the type of the text, and in chunks that differ."""
    urls, bodies = pa.array(URLS), pa.array(BODIES).cast(type)
    wanted = [expected(*row, kinds=kinds) for row in zip(URLS, BODIES, strict=True)]
    got = links(urls, bodies, kinds)
    got.validate(full=True)
    assert got.to_pylist() == wanted
    assert wanted[1] == [] and wanted[2] is wanted[3] is wanted[4] is None
    chunked = links(
        pa.chunked_array([urls[:1], urls[1:]]), pa.chunked_array([bodies[:4], bodies[4:]]), kinds
    )
    assert chunked.to_pylist() == wanted
    assert chunked.num_chunks == 2
    assert links(urls[1:], bodies[1:], kinds).to_pylist() == wanted[1:]


@pytest.mark.parametrize("type", [pa.binary(), pa.large_binary(), pa.binary_view()], ids=str)
def test_bytes_are_in_the_encoding_that_the_page_declares(type: pa.DataType) -> None:
    """Or in the one that is named for all pages."""
    pages = [
        "<meta charset=windows-1251><a href='?ж'>".encode("windows-1251"),
        "<a href='?ж'>".encode(),
        b"<a href='?\xe4'>",
    ]
    urls, bodies = pa.array(["https://a.example/"] * 3), pa.array(pages, pa.binary()).cast(type)
    got = links(urls, bodies).to_pylist()
    assert [row[0]["text"] for row in got] == ["?ж", "?ж", "?ä"]
    assert got == [expected("https://a.example/", page) for page in pages]
    named = links(urls, bodies, encoding="koi8-r").to_pylist()
    assert named == [expected("https://a.example/", page, encoding="koi8-r") for page in pages]


def test_pages_that_cannot_be_read_are_null_or_raise() -> None:
    """A wrong URL, a page beyond its limits, text that is not UTF-8."""
    urls = pa.array(["https://a.example/", "https://b.example/"])
    bodies = pa.array(["<a href=x>", "<a href=x><a href=y>"])
    few = PageLimits(links=1)
    assert links(urls, bodies, limits=few).to_pylist()[1] is None
    with pytest.raises(PageLimitError) as caught:
        links(urls, bodies, limits=few, errors="raise")
    assert caught.value.__notes__ == ["This is row 1 of the column, counted from 0."]
    with pytest.raises(weburl.URLParseError):
        links(pa.array(["nope", None]), bodies, errors="raise")
    bad = pa.array([b"\xff<a href=x>", b""], pa.binary()).view(pa.string())
    assert links(urls, bad).to_pylist() == [None, []]
    with pytest.raises(UnicodeDecodeError):
        links(urls, bad, errors="raise")


def test_a_lone_surrogate_in_a_page_becomes_the_replacement_character() -> None:
    """As in every column of text; the parser of HTML makes one of none of these."""
    rows = links(pa.array(["https://a.example/"]), pa.array(["<a href='&#xD800;'>\0"]))
    assert rows.to_pylist()[0][0]["text"] == "\ufffd"


def test_progress_and_many_pages() -> None:
    """More than are read at a time; empty columns too."""
    told: list[tuple[int, int]] = []
    urls = [f"https://a.example/{n}/" for n in range(600)]
    bodies = [f"<a href=b{n}>" for n in range(600)]
    got = links(pa.array(urls), pa.array(bodies), progress=lambda *at: told.append(at))
    assert [row[0]["href"] for row in got.to_pylist()] == [
        f"https://a.example/{n}/b{n}" for n in range(600)
    ]
    assert told == [(256, 600), (512, 600), (600, 600)]
    assert links(pa.array([], pa.string()), pa.array([], pa.string())).to_pylist() == []
    empty = pa.chunked_array([], pa.string())
    assert links(empty, empty).type == got.type


@pytest.mark.parametrize(
    ("arguments", "options", "error"),
    [
        ((pa.array(["a"]), pa.array([1])), {}, TypeError),
        ((["a"], pa.array(["a"])), {}, TypeError),
        ((pa.array(["a"]), pa.array(["a", "b"])), {}, ValueError),
        ((pa.array(["a"]), pa.array(["a"]), {"link"}), {}, ValueError),
        ((pa.array(["a"]), pa.array(["a"])), {"errors": "name"}, ValueError),
        ((pa.array(["a"]), pa.array(["a"])), {"encoding": "latin-99"}, ValueError),
        ((pa.array(["a"]), pa.array(["a"])), {"limits": 5}, TypeError),
    ],
)
def test_wrong_arguments_raise(arguments: Any, options: Any, error: type[Exception]) -> None:
    """Before any page is read."""
    with pytest.raises(error):
        links(*arguments, **options)


def test_it_is_imported_only_where_it_is_asked_for() -> None:
    """The other functions need no parser of HTML."""
    program = "import sys, weburl.columns; sys.exit('weburl.html' in sys.modules)"
    subprocess.run([sys.executable, "-c", program], check=True)
