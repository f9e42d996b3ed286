"""The links of pages in columns: those of one page after the other."""

from __future__ import annotations

import html as python_html
import subprocess
import sys
from collections.abc import Sequence
from typing import Any, Final

import pyarrow as pa
import pytest
from hypothesis import given
from hypothesis import strategies as st

import weburl
from tests.columns.scalars import as_row
from tests.corpus import corpus
from weburl import columns
from weburl.columns.html import PAGE_FAILURES, links
from weburl.columns.options import DEFAULT_LINK_FIELDS, LINK_FIELDS, LinkField
from weburl.html import LinkKind, PageLimitError, PageLimits
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


def expected(
    url: str | None,
    body: str | bytes | None,
    fields: Sequence[str] = DEFAULT_LINK_FIELDS,
    **options: Any,
) -> Any:
    """Return what the function for one page gives, as a row."""
    if url is None or body is None or not weburl.can_parse(url):
        return None
    return [
        {name: value for name, value in as_row(link).items() if name in fields}
        for link in links_of_page(body, url, texts=True, **options)
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
    got = links(bodies, urls, kinds)
    got.validate(full=True)
    assert got.to_pylist() == wanted
    assert wanted[1] == [] and wanted[2] is wanted[3] is wanted[4] is None
    chunked = links(
        pa.chunked_array([bodies[:1], bodies[1:]]), pa.chunked_array([urls[:4], urls[4:]]), kinds
    )
    assert chunked.to_pylist() == wanted
    assert chunked.num_chunks == 2
    assert links(bodies[1:], urls[1:], kinds).to_pylist() == wanted[1:]


@pytest.mark.parametrize("type", [pa.binary(), pa.large_binary(), pa.binary_view()], ids=str)
def test_bytes_are_in_the_encoding_that_the_page_declares(type: pa.DataType) -> None:
    """Or in the one that is named for all pages."""
    pages = [
        "<meta charset=windows-1251><a href='?ж'>".encode("windows-1251"),
        "<a href='?ж'>".encode(),
        b"<a href='?\xe4'>",
    ]
    urls, bodies = pa.array(["https://a.example/"] * 3), pa.array(pages, pa.binary()).cast(type)
    got = links(bodies, urls).to_pylist()
    assert [row[0]["input"] for row in got] == ["?ж", "?ж", "?ä"]
    assert got == [expected("https://a.example/", page) for page in pages]
    named = links(bodies, urls, encoding="koi8-r").to_pylist()
    assert named == [expected("https://a.example/", page, encoding="koi8-r") for page in pages]


def test_pages_that_cannot_be_read_are_null_or_raise() -> None:
    """A wrong URL, a page beyond its limits, text that is not UTF-8."""
    urls = pa.array(["https://a.example/", "https://b.example/"])
    bodies = pa.array(["<a href=x>", "<a href=x><a href=y>"])
    few = PageLimits(links=1)
    assert links(bodies, urls, limits=few).to_pylist()[1] is None
    with pytest.raises(PageLimitError) as caught:
        links(bodies, urls, limits=few, errors="raise")
    assert caught.value.__notes__ == ["This is row 1 of the column, counted from 0."]
    with pytest.raises(weburl.URLParseError):
        links(bodies, pa.array(["nope", None]), errors="raise")
    bad = pa.array([b"\xff<a href=x>", b""], pa.binary()).view(pa.string())
    assert links(bad, urls).to_pylist() == [None, []]
    with pytest.raises(UnicodeDecodeError):
        links(bad, urls, errors="raise")


def test_a_lone_surrogate_in_a_page_becomes_the_replacement_character() -> None:
    """As in every column of text; the parser of HTML makes one of none of these."""
    rows = links(pa.array(["<a href='&#xD800;'>\0"]), "https://a.example/")
    assert rows.to_pylist()[0][0]["input"] == "\ufffd"


def test_progress_and_many_pages() -> None:
    """More than are read at a time; empty columns too."""
    told: list[tuple[int, int]] = []
    urls = [f"https://a.example/{n}/" for n in range(600)]
    bodies = [f"<a href=b{n}>" for n in range(600)]
    got = links(pa.array(bodies), pa.array(urls), progress=lambda *at: told.append(at))
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
        ((pa.array([1]), pa.array(["a"])), {}, TypeError),
        ((pa.array(["a"]), pa.array([1])), {}, TypeError),
        ((["a"], pa.array(["a"])), {}, TypeError),
        ((pa.array(["a"]), ["a"]), {}, TypeError),
        ((pa.array(["a"]), "nope"), {}, weburl.URLParseError),
        ((pa.array(["a"]), pa.array(["a", "b"])), {}, ValueError),
        ((pa.array(["a"]), pa.array(["a"]), {"link"}), {}, ValueError),
        ((pa.array(["a"]), pa.array(["a"])), {"errors": "names"}, ValueError),
        ((pa.array(["a"]), pa.array(["a"])), {"encoding": "latin-99"}, ValueError),
        ((pa.array(["a"]), pa.array(["a"])), {"limits": 5}, TypeError),
        ((pa.array(["a"]), pa.array(["a"])), {"workers": 0}, ValueError),
        ((pa.array(["a"]), pa.array(["a"])), {"fields": ("href", "hrefs")}, ValueError),
        ((pa.array(["a"]), pa.array(["a"])), {"fields": ("href", "href")}, ValueError),
        ((pa.array(["a"]), pa.array(["a"])), {"fields": ()}, ValueError),
    ],
)
def test_wrong_arguments_raise(arguments: Any, options: Any, error: type[Exception]) -> None:
    """Before any page is read."""
    with pytest.raises(error):
        links(*arguments, **options)


# Each page, its address, and the name of the failure of both with `FEW`.
FEW: Final = PageLimits(links=2, resolved_length=200, implied_elements=20)
FAILING: Final[list[tuple[bytes | None, bytes | None, str | None]]] = [
    (b"<a href=x>", b"https://a.example/", None),
    (None, b"https://a.example/", "no-body"),
    (b"<a href=x>", None, "no-address"),
    (None, None, None),
    (b"<a href=x>", b"nope", "missing-scheme-non-relative-URL"),
    (b"<a href=x>", b"http://[::1", "IPv6-unclosed"),
    (b"<a href=x>", b"https://\xff/", "not-UTF-8"),
    (None, b"nope", "missing-scheme-non-relative-URL"),
    (b"\xff<a href=x>", b"nope", "missing-scheme-non-relative-URL"),
    (b"\xff<a href=x>", b"https://a.example/", "body-not-UTF-8"),
    (b"\xff<a href=x>", None, "no-address"),
    (b"<a href=1><a href=2><a href=3>", b"https://a.example/", "too-many-links"),
    (b"<a href=" + b"x" * 300 + b">", b"https://a.example/", "too-long-URLs"),
    (b"<b><i><u><p>" * 10, b"https://a.example/", "too-many-elements"),
    (b"<a href=http://[>", b"https://a.example/", None),
    (b"", b"https://a.example/", None),
]


@pytest.mark.parametrize("workers", [1, 2])
def test_a_failure_has_a_name(workers: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """Null bodies, null addresses, bad addresses, bytes that are not UTF-8 and limits differ."""
    monkeypatch.setattr("weburl.columns.html._BYTES_FOR_A_WORKER", 1)
    bodies = pa.array([body for body, _, _ in FAILING], pa.binary()).view(pa.string())
    addresses = pa.array([address for _, address, _ in FAILING], pa.binary()).view(pa.string())
    got = links(bodies, addresses, errors="name", workers=workers, limits=FEW)
    got.validate(full=True)
    rows = got.to_pylist()
    assert rows[3] is None
    for row, (_, _, name) in zip(rows[:3] + rows[4:], FAILING[:3] + FAILING[4:], strict=True):
        assert row["error"] == name
        assert (row["value"] is None) == (name is not None)
    names = {name for _, _, name in FAILING if name is not None}
    assert names <= set(PAGE_FAILURES)
    assert len(names) == 9
    nulls = links(bodies, addresses, workers=workers, limits=FEW)
    assert nulls.to_pylist() == [None if row is None else row["value"] for row in rows]


def test_the_names_of_the_addresses_are_those_of_check() -> None:
    """With a page that has no failures of its own."""
    addresses = pa.array([address for _, address, _ in FAILING], pa.binary()).view(pa.string())
    bodies = pa.array(["<a href=x>"] * len(FAILING))
    errors = links(bodies, addresses, errors="name").field("error").to_pylist()
    names = columns.check(addresses).to_pylist()
    given = addresses.is_valid().to_pylist()
    assert errors == [
        name if is_given else "no-address" for name, is_given in zip(names, given, strict=True)
    ]


@pytest.mark.parametrize(
    ("row", "workers"),
    [
        *((row, 1) for row, (*_, name) in enumerate(FAILING) if name and "no-" not in name),
        (4, 2),
    ],
)
def test_the_first_page_that_fails_raises(
    row: int, workers: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """With a note that says where it is; null rows are no failures."""
    monkeypatch.setattr("weburl.columns.html._BYTES_FOR_A_WORKER", 1)
    body, address, name = FAILING[row]
    bodies = pa.array([None, b"", body, b"", b"\xff"], pa.binary()).view(pa.string())
    addresses = pa.array([b"https://h/", None, address, b"nope", b"https://h/"], pa.binary())
    with pytest.raises(ValueError) as caught:  # noqa: PT011  # one of three, as the next line says
        links(bodies, addresses, errors="raise", workers=workers, limits=FEW)
    assert isinstance(
        caught.value,
        PageLimitError
        if str(name).startswith("too-")
        else UnicodeDecodeError
        if name == "body-not-UTF-8"
        else weburl.URLParseError,
    )
    assert caught.value.__notes__ == ["This is row 2 of the column, counted from 0."]


def test_workers_give_what_one_gives(monkeypatch: pytest.MonkeyPatch) -> None:
    """For real links, in bytes and text, with chunks, dictionaries and one address for all."""
    monkeypatch.setattr("weburl.columns.html._BYTES_FOR_A_WORKER", 1)
    monkeypatch.setattr("weburl.columns.html._BATCH_BYTES", 40_000)
    pages = [
        f"<base href='{python_html.escape(one)}'><a href='{python_html.escape(other)}'>t</a>"
        for one, other in zip(corpus()[:600], corpus()[600:1200], strict=True)
    ]
    bodies = pa.chunked_array([pa.array(pages[:100]), pa.array(pages[100:]), pa.array([], "str")])
    wanted = [expected("https://h/", page) for page in pages]
    assert len(wanted) == 600
    addresses = pa.array(["https://h/"] * 600)
    for column, address, workers in (
        (bodies, "https://h/", 1),
        (bodies.cast(pa.large_binary()), addresses, 2),
        (bodies.dictionary_encode(), "https://h/", 2),
    ):
        got = links(column, address, errors="name", workers=workers)
        assert [row["value"] for row in got.to_pylist()] == wanted


MARKUP: Final = [
    "<a href=x rel='No UGC'>t <b>u</b></a>",
    "<a href='http://['>",
    "<p><a href=y>1<p>2</a>3",
    "<img src=i alt=a srcset='j 2x, k'>",
    "<form action='?q=\u00e4'><button formaction=''>",
    "<base href=/b/ target=w>",
    "<meta http-equiv=refresh content='1; url=r'>",
    "<area href=z alt=' Al\tt '>",
    "<svg><a xlink:href=s>v</a></svg>",
    "<link rel='next stylesheet' href=l>",
    "<script>a</script>",
    "<blockquote cite=c>",
    "\u00e9\n",
]


@given(
    st.lists(
        st.one_of(st.none(), st.lists(st.sampled_from(MARKUP)).map("".join)), min_size=1, max_size=4
    ),
    st.permutations(LINK_FIELDS).flatmap(
        lambda names: st.integers(1, len(names)).map(lambda count: tuple(names[:count]))
    ),
    st.one_of(st.none(), st.sets(st.sampled_from(list(LinkKind)))),
)
def test_the_fields_of_made_up_pages_are_those_of_their_links(
    pages: list[str | None], fields: Any, kinds: Any
) -> None:
    """In their order."""
    wanted = [expected("https://h/d/", page, fields, kinds=kinds) for page in pages]
    bodies = pa.array(pages, pa.string())
    got = links(bodies, "https://h/d/", kinds, fields=fields)
    assert got.type.value_type.names == list(fields)
    assert got.to_pylist() == wanted


def test_the_rows_of_a_page_have_a_bound() -> None:
    """A long base URL, and a long `rel` of many links, would repeat in each row."""
    long = "x" * 100_000
    of_base = f"<base href='/{long}/'>" + "<a href=y>" * 1000
    of_rel = f"<link as=image rel='preload {long}' href=y imagesrcset='{'z, ' * 1000}'>"
    cases: list[tuple[str, tuple[LinkField, ...]]] = [(of_base, ("href",)), (of_rel, ("rel",))]
    for page, fields in cases:
        got = links(pa.array([page]), "https://h/", fields=fields, errors="name").to_pylist()
        assert got == [{"value": None, "error": "too-long-URLs"}]
        assert len(links_of_page(page, "https://h/")) >= 1000


def test_it_is_imported_only_where_it_is_asked_for() -> None:
    """The other functions need no parser of HTML."""
    program = "import sys, weburl.columns; sys.exit('weburl.html' in sys.modules)"
    subprocess.run([sys.executable, "-c", program], check=True)
