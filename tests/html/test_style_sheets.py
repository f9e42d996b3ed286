"""The URLs in CSS, by the grammar of its tokens."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from weburl.html.style_sheets import as_css, css_parts, css_urls, without_escapes

CASES = {
    "a{background:url(x.png)}": ["x.png"],
    "background : URL( 'a b' ) ; src:url(\"c\\22 d\")": ["a b", 'c"d'],
    "@import 'x' screen; @IMPORT url(y) print; @import url('z')": ["x", "y", "z"],
    "@import/**/'z'; url(/**/'w')": ["z"],
    "@import layer 'x'": [],
    "@importer 'x'; @imp\\6frt 'y'": ["y"],
    "@namespace s url(z); @namespace 'q'; @namespace url('r'); b{c:url(w)}": ["w"],
    "/* url(no) */ content:'url(no)' \"url(no)\";": [],
    "xurl(no) url-x(no) #url(no) @url(no) -url(no) 1url(no) urlx no": [],
    "u\\72l(a) \\75 rl(b) \\55RL(c)": ["a", "b", "c"],
    "url(a b) url(c\"d) url(e'f) url(g(h) url(i)": ["i"],
    "url(a url(b) url(c)": ["c"],
    "url(a\\) b) url(c\\)d) url(\\29 e)": ["c)d", ")e"],
    "url('e\nf) url(g)": ["g"],
    "url('h\\\ni')": ["hi"],
    "url(\t\r\n j\f) url(k": ["j", "k"],
    "@import 'l": ["l"],
    '@import "m\\': ["m"],
    "url(\\": [],
    "url(": [],
    "url(#a) url() url('') url( ) url('#b') url(\\23 c)": [],
    "foo(/*) url(no) */ url(y))": ["y"],
    "a: 'url(' url(z) ')'": ["z"],
    "url('a' 'b')": ["a"],
    "@media url { a:url(b) } 'c'": ["b"],
    "/* open": [],
    "url(\x7f) url(\x0b)": [],
    "url(é) url('ü\\\né')": ["é", "üé"],
}


@pytest.mark.parametrize("css", CASES)
def test_urls_are_those_of_url_and_import(css: str) -> None:
    """As browsers tokenize it, and at the places that are returned."""
    assert css_urls(css) == CASES[css]
    assert [without_escapes(css[start:end]) for start, end, *_ in css_parts(css)] == CASES[css]


@pytest.mark.parametrize(
    ("escaped", "text"),
    [
        ("a\\41 b", "aAb"),
        ("\\000041b", "Ab"),
        ("\\0000411", "A1"),
        ("\\41\r\nb", "Ab"),
        ("\\41  b", "A b"),
        ("\\0 \\d800 \\110000 ", "\ufffd\ufffd\ufffd"),
        ("\\g\\\\\\'", "g\\'"),
        ("a\\\nb\\\r\nc\\\fd", "abcd"),
        ("a\\", "a"),
        ("no", "no"),
    ],
)
def test_escapes_mean_code_points(escaped: str, text: str) -> None:
    """Up to six digits with one whitespace after them, or any other character."""
    assert without_escapes(escaped) == text


@given(st.text(st.characters(exclude_categories=["Cs"], exclude_characters="\0"), min_size=1))
def test_what_is_written_is_read_again(url: str) -> None:
    """In quotes and without, whatever it is. It cannot end a `style` element."""
    expected = [] if url.startswith("#") else [url]
    for before, quote, end in (("url(", "", ")"), ("url('", "'", "')"), ('@import "', '"', '";')):
        css = before + as_css(url, quote) + end
        assert css_urls(f"{css} url(x)") == [*expected, "x"]
        assert "<" not in css


@pytest.mark.parametrize(
    "piece", ["url(", "/*", "'", "\\", "@a ", "url(a ", "url( '", "url(\\a ", "-"]
)
def test_long_style_sheets_take_linear_time(piece: str) -> None:
    """A quadratic search would take minutes."""
    css_urls(piece * 100_000)
