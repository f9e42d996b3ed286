"""``weburl links``: what is found in HTML, Markdown and text, and where."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

import weburl.text
from tests import strategies
from tests.command_line.test_filters import filtered

pytest.importorskip("markdown_it", reason="markdown-it-py, of the extra markdown, is not installed")

from weburl.command_line import markdown
from weburl.command_line.links import MOST_BYTES
from weburl.command_line.markdown import links_of_markdown

_BASE = "https://base.example/docs/"
# Markdown, and its links with their lines.
_CASES: list[tuple[str, list[tuple[str, int]]]] = [
    ("[a](b.html)", [("b.html", 1)]),
    ('\n[a](<b c> "t\nt") [d](e)', [("b c", 2), ("e", 3)]),
    ("[a][b] [c] [d][]\n\n[b]: /1\n[C]: /2 (t)\n[d]: <>", [("/1", 1), ("/2", 1), ("", 1)]),
    ("[unused]: /x", []),
    ("<https://a.com/> <me@a.com>", [("https://a.com/", 1), ("mailto:me@a.com", 1)]),
    ("![a](b.png) [![c](d.png)](e)", [("b.png", 1), ("e", 1), ("d.png", 1)]),
    (
        "see https://a.com/b_c_d, and\n(http://b.com/x).",
        [("https://a.com/b_c_d", 1), ("http://b.com/x", 2)],
    ),
    ("www.a.com me@a.com", [("https://www.a.com/", 1), ("mailto:me@a.com", 1)]),
    ("setup.py a.com README.md", []),
    ("*https://a.com/* **https://b.com/**", [("https://a.com/", 1), ("https://b.com/", 1)]),
    ("http://example.org/foo._bar_-_baz x", [("http://example.org/foo._bar_-_baz", 1)]),
    (
        "**https://e.com/a** ~~https://e.com/b~~ **see https://e.com/c_** _x\nhttps://e.com/d_",
        [(f"https://e.com/{name}", 1 + (name == "d")) for name in "abcd"],
    ),
    ("https://e.com/a\\_b&amp;c [https://e.com/a_b_c](d)", [("https://e.com/a_b&c", 1), ("d", 1)]),
    (
        "![https://e.com/a](b) `https://e.com/` *https://e.com/c*",
        [("b", 1), ("https://e.com/c", 1)],
    ),
    ("`https://a.com/` ``https://a.com/ ` ``", []),
    ("```\nhttps://a.com/\n[a](b)\n```\n\n~~~\n<https://a.com/>\n~~~", []),
    ("    https://a.com/\n\nx\n\n\t[a](b)", []),
    ("[https://a.com/](b)", [("b", 1)]),
    ("`a\nb` https://a.com/", [("https://a.com/", 2)]),
    ("a\\\n[b](c)", [("c", 2)]),
    ("- a\n- [b](c)\n  d [e](f)\n\n> x\n> [g](h)", [("c", 2), ("f", 3), ("h", 6)]),
    ("# [a](b)\n\n[c](d)\n===", [("b", 1), ("d", 3)]),
    ("|a|b|\n|-|-|\n|https://a.com/|[b](c)|", [("https://a.com/", 3), ("c", 3)]),
    (
        "[a](javascript:alert%281%29) [b](a%20b\\&amp;)",
        [("javascript:alert%281%29", 1), ("a%20b&amp;", 1)],
    ),
    ("\\[a](b) \\<https://a.com/>", [("https://a.com/", 1)]),
    (
        'x <a href="b">https://a.com/</a> https://c.com/',
        [('<a href="b">', 1), ("</a>", 1), ("https://c.com/", 1)],
    ),
    ('\n<div>\n<img src="b">\n</div>\n\n[c](d)', [('<div>\n<img src="b">\n</div>\n', 2), ("d", 6)]),
    ("[a](b)\r\n[c](d)\r\n", [("b", 1), ("d", 2)]),
    ("[^1]\n\n[^1]: https://a.com/", [("https://a.com/", 1)]),
]


@pytest.mark.parametrize(("text", "links"), _CASES)
def test_links_are_found_where_commonmark_has_them(text: str, links: list[tuple[str, int]]) -> None:
    """As they are written, with their lines, and nothing that is code."""
    assert [(link.input, link.line) for link in links_of_markdown(text)] == links


@given(
    st.lists(st.sampled_from(["a b", "`c`", "[d](e{})", "![f](g{})", "<http://h/{}>"]), min_size=1)
)
def test_a_line_is_the_line_of_the_link(words: list[str]) -> None:
    """However many lines a paragraph has."""
    lines = [word.format(number) for number, word in enumerate(words, 1)]
    found = [
        (int(link.input.strip("ghtp:/e")), link.line)
        for link in links_of_markdown("\n".join(lines))
    ]
    assert all(number == line for number, line in found)
    assert len(found) == sum("{}" in word for word in words)


@given(
    st.text(st.sampled_from("[]()<>!`*_\\ \n\t#>-|&;:/.ahtp'\"\x00\ud800é"), max_size=60)
    | st.text()
)
def test_any_text_is_markdown(text: str) -> None:
    """Nothing is raised, and each line is one of the text."""
    lines = text.replace("\r\n", "\n").replace("\r", "\n").count("\n") + 1
    assert all(1 <= link.line <= lines for link in links_of_markdown(text))


@pytest.mark.nightly
@pytest.mark.parametrize(
    "piece",
    [
        "[",
        "![",
        "<a ",
        "`",
        "*a ",
        "[a](",
        "[a](b",
        "> ",
        "- ",
        "<",
        "&",
        "https://a.com/ ",
        "|",
        "\\",
    ],
)
def test_hostile_markdown_is_read_in_time(piece: str) -> None:
    """Twenty thousand times the same: what takes quadratic time would not end."""
    done = subprocess.run(
        [sys.executable, "-m", "weburl", "links", "--from", "markdown"],
        input=(piece * 20_000).encode(),
        capture_output=True,
        env={**os.environ, "PYTHONPATH": str(Path(weburl.__file__).parents[1])},
        timeout=600,
        check=False,
    )
    assert done.returncode in (0, 1)
    assert b"Traceback" not in done.stderr


@pytest.mark.parametrize(("format", "most"), MOST_BYTES.items())
def test_a_file_that_is_too_long_is_refused(
    monkeypatch: pytest.MonkeyPatch, format: str, most: int
) -> None:
    """Before it is parsed, and one of exactly that length is not."""
    assert most in (4 << 20, 64 << 20)
    monkeypatch.setitem(MOST_BYTES, format, 1 << 20)
    for more, status in ((0, 0), (1, 2)):
        data = b"<https://a.com/>\n".ljust((1 << 20) + more, b"x")
        done, _, complaints = filtered(["links", "--from", format], data)
        assert done == status
        assert ["is longer than 1 MiB" in each for each in complaints] == [True] * more


@pytest.mark.parametrize(("piece", "tokens"), [("-\n", 2), ("a\n\n", 3), ("|a|\n", 5), ("*a*", 3)])
def test_markdown_that_needs_much_memory_is_refused(
    monkeypatch: pytest.MonkeyPatch, piece: str, tokens: int
) -> None:
    """However short it is; half as much is not."""
    monkeypatch.setattr(markdown, "MOST_TOKENS", 6000)
    before = "|a|\n|-|\n" if "|" in piece else ""
    few, many = (before + piece * (count // tokens) for count in (3000, 30_000))
    assert list(links_of_markdown(few)) == []
    with pytest.raises(OverflowError, match="cut it into parts"):
        list(links_of_markdown(many))
    status, _, complaints = filtered(["links", "--from", "markdown"], many.encode())
    assert (status, "more than 6,000" in complaints[0]) == (2, True)


def test_an_empty_list_of_kinds_is_wrong_usage() -> None:
    """Instead of no links at all."""
    with pytest.raises(SystemExit) as stopped:
        filtered(["links", "--kinds", ",", "--from", "html"], b"<a href=https://a.com>a</a>")
    assert stopped.value.code == 2


def test_kinds_that_text_cannot_have_are_wrong_usage(tmp_path: Path) -> None:
    """Nothing was printed, also for a file that is not there, with the status 0."""
    missing = str(tmp_path / "missing.txt")
    (tmp_path / "a.html").write_text("<img src=https://a.com/i>", encoding="utf-8")
    for words in ([missing], ["--from", "text"]):
        status, _, complaints = filtered(["links", "--kinds", "resource", *words], b"")
        assert (status, "only hyperlinks" in complaints[0]) == (2, True)
    words = ["links", "--kinds", "resource", str(tmp_path / "a.html"), missing]
    status, records, complaints = filtered(words, b"")
    assert (status, records) == (2, ["https://a.com/i"])
    assert "cannot read" in complaints[0]


def test_markdown_is_joined_or_reported(tmp_path: Path) -> None:
    """Also the links of HTML in it."""
    path = tmp_path / "notes.md"
    path.write_text(
        '# [a](b)\n\n<p><img src="c">\n<a href="//d.example">x</a>\n\n<https://e.com/> [f](#g)\n',
        encoding="utf-8",
    )
    status, records, complaints = filtered(["links", str(path), "--base", _BASE], b"")
    assert (status, complaints) == (0, [])
    assert records == [
        f"{_BASE}b",
        f"{_BASE}c",
        "https://d.example/",
        "https://e.com/",
        f"{_BASE}#g",
    ]
    status, records, complaints = filtered(["links", str(path)], b"")
    assert (status, records) == (1, ["https://e.com/"])
    assert complaints == [
        f"{path}:{line}: the URL is relative, so it needs --base: '{text}'"
        for line, text in ((1, "b"), (3, "c"), (4, "//d.example"), (6, "#g"))
    ]


def test_html_has_the_links_of_the_library(tmp_path: Path) -> None:
    """In page order, with those that are wrong on standard error."""
    html = (
        "<link rel=stylesheet href=s.css><a href='/a'>a</a>\n<a href='#f'>f</a>"
        "<img srcset='i.png 1x, j.png 2x'>\n<a href='https://me:s3cret@h:x/'>b</a><form></form>"
    )
    path = tmp_path / "page.html"
    path.write_text(html, encoding="utf-8")
    found = weburl.html.links(html, _BASE)
    status, records, complaints = filtered(["links", str(path), "--base", _BASE], b"")
    assert status == 1
    assert records == [link.record.href for link in found if link.record is not None]
    assert len(complaints) == 1 and complaints[0].startswith(f"{path}:3: port-invalid: ")
    assert "s3cret" not in complaints[0]
    assert filtered(["links", "--from", "html", "--base", _BASE], html.encode())[1] == records
    only = ["links", str(path), "--base", _BASE, "--kinds", "hyperlink", "--json"]
    assert [json.loads(record) for record in filtered(only, b"")[1]] == [
        {"file": str(path), "line": line, "kind": "hyperlink", "input": text, "href": href}
        for line, text, href in (
            (1, "/a", "https://base.example/a"),
            (2, "#f", f"{_BASE}#f"),
        )
    ]


@pytest.mark.parametrize(
    "html",
    [
        b"<!DOCTYPE html><p><a href=/a>",
        b"\n<html><a href='/a'>",
        b"text <A\nclass=x HREF = /a >",
        b"\xef\xbb\xbf<body><a href=/a>",
    ],
)
def test_standard_input_is_html_if_it_looks_like_it(html: bytes) -> None:
    """It was read as text, and nothing was found."""
    assert filtered(["links", "--base", _BASE], html)[:2] == (0, ["https://base.example/a"])
    assert filtered(["links", "--from", "text", "--base", _BASE], html)[1] == []
    assert filtered(["links"], b"a < b https://a.com/x> <br>")[1] == ["https://a.com/x"]


def test_html_without_an_address_has_no_relative_links() -> None:
    """Not even a fragment, which any base would do for; a base element gives one."""
    html = (
        b"<a href='https://a.com'>a</a><a href='#f'>f</a>\n<a href=b>b</a><form action=''></form>"
        b"<a href='about:blank'>c</a>"
    )
    status, records, complaints = filtered(["links", "--from", "html"], html)
    assert (status, records) == (1, ["https://a.com/", "about:blank"])
    assert [line.partition(": ")[0] for line in complaints] == [
        "standard input:1",
        "standard input:2",
        "standard input:2",
    ]
    based = b"<base href='https://b.com/c/'>" + html
    assert "https://b.com/c/b" in filtered(["links", "--from", "html"], based)[1]


_PIECES = [
    "a.com",
    "http://",
    "http://a",
    "[::1]",
    "\n",
    " ",
    "é",
    ".",
    "me@",
    "\r",
    "\u2028",
    "(",
    ":8",
]


@given(st.text() | strategies.url_texts | st.lists(st.sampled_from(_PIECES)).map("".join))
def test_links_in_lines_are_those_of_the_whole_text(text: str) -> None:
    """Text is read a chunk at a time, so no link may go on in the next line."""
    data = text.encode("utf-8", "surrogatepass")
    text = data.decode("utf-8", "surrogateescape").removeprefix("\ufeff")
    assert filtered(["links"], data)[1] == [
        found.url.href for found in weburl.text.find_links(text, any_host=True)
    ]


@pytest.mark.parametrize(
    ("text", "addresses"),
    [
        (
            "see http://localhost:8000/a, or (https://10.0.0.1).",
            ["http://localhost:8000/a", "https://10.0.0.1"],
        ),
        ("http://[::1]:80/x http://wiki/Page_(a)!", ["http://[::1]:80/x", "http://wiki/Page_(a)"]),
        ("http://a.example/" + "b" * 2000 + ". c", ["http://a.example/" + "b" * 2000]),
        ("http://localhost. http://x.example/?q#f", ["http://localhost", "http://x.example/?q#f"]),
        ("http://me@localhost/ http://me:pw@localhost/ http:// ftp://localhost/", []),
        (
            "http://localhost http://a.com/ http://localhost",
            ["http://localhost", "http://a.com/", "http://localhost"],
        ),
        (
            "\u201chttp://wiki/\u201d http://b\u00fccher.example",
            ["http://wiki/", "http://b\u00fccher.example"],
        ),
    ],
)
def test_a_url_may_have_any_host(text: str, addresses: list[str]) -> None:
    """It ends where it would with a known host, and a username is not a host."""
    assert [found.text for found in weburl.text.find_links(text, any_host=True)] == addresses


def test_json_has_the_name_of_the_file_as_it_was_given(tmp_path: Path) -> None:
    """Only messages mask what looks like a password in it."""
    path = tmp_path / "me:s3cret@h.html"
    path.write_text(
        "<a href='https://u:s3cret@h/'>a</a><a href='https://[/'>b</a>", encoding="utf-8"
    )
    status, (record,), (complaint,) = filtered(["links", str(path), "--base", _BASE, "--json"], b"")
    assert (status, json.loads(record)["file"]) == (1, str(path))
    assert json.loads(record)["input"] == "https://u:s3cret@h/"
    assert "s3cret" not in complaint


def test_pages_are_not_fetched() -> None:
    """An address is the name of a file that is not there, with a hint."""
    status, _, complaints = filtered(["links", "https://me:s3cret@example.com/"], b"")
    assert status == 2
    assert "fetches nothing" in complaints[0] and "s3cret" not in complaints[0]


@pytest.mark.parametrize(
    ("format", "package"), [("html", "turbohtml"), ("markdown", "markdown_it")]
)
def test_what_is_not_installed_is_named(format: str, package: str) -> None:
    """With the extra that has it; text needs neither."""
    program = (
        f"import sys; sys.modules['{package}'] = None; from weburl.__main__ import main; "
        "sys.exit(main(sys.argv[1:]))"
    )

    def outcome(name: str) -> tuple[int, bytes]:
        done = subprocess.run(
            [sys.executable, "-c", program, "links", "--from", name],
            input=b"<a href='https://a.com/'>",
            capture_output=True,
            env={**os.environ, "PYTHONPATH": str(Path(weburl.__file__).parents[1])},
            check=False,
        )
        return done.returncode, done.stderr

    need = f"weburl: links in {format} need {package}: pip install 'weburl[{format}]'\n"
    assert outcome(format) == (2, need.encode())
    assert outcome("text") == (0, b"")


def test_a_page_is_printed_with_other_links(tmp_path: Path) -> None:
    """Byte by byte, in its encoding."""
    page = tmp_path / "page.html"
    page.write_bytes(b"<meta charset=latin1>\xe9\r\n<a href='x'>")
    arguments = ["links", "--base", _BASE, "--rewrite"]
    command = [sys.executable, "-m", "weburl", *arguments]
    absolute = subprocess.run([*command, "absolute", page], capture_output=True, check=True)
    assert absolute.stdout == page.read_bytes().replace(b"'x'", b"'https://base.example/docs/x'")
    assert not absolute.stderr
    relative = subprocess.run(
        [*command, "relative"], capture_output=True, check=True, input=absolute.stdout
    )
    assert relative.stdout == page.read_bytes()


@pytest.mark.parametrize(
    ("arguments", "html", "error"),
    [
        (["page.html"], "", "--rewrite needs --base and one file of HTML"),
        (["page.html", "page.html", "--base", _BASE], "", "one file of HTML"),
        (["page.html", "--base", _BASE, "--from", "text"], "", "one file of HTML"),
        (
            ["page.html", "--base", _BASE],
            "<meta charset=iso-2022-jp><a href=x>",
            "cannot be edited",
        ),
    ],
)
def test_a_page_that_cannot_be_changed_is_an_error(
    arguments: list[str], html: str, error: str, tmp_path: Path
) -> None:
    """With status 2 and nothing on standard output."""
    (tmp_path / "page.html").write_text(html, encoding="utf-8")
    result = subprocess.run(
        [sys.executable, "-m", "weburl", "links", "--rewrite", "absolute", *arguments],
        capture_output=True,
        cwd=tmp_path,
        text=True,
        check=False,
    )
    assert result.returncode == 2
    assert error in result.stderr
    assert not result.stdout
