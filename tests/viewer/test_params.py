"""Tests of the query that is edited as a table."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

import weburl
from tests.strategies import bases_or_none, url_texts
from weburl.viewer.params import Row, with_rows


def rows_of(url: str, base: str | None = None) -> list[Row]:
    """Return the rows that the table shows of a URL."""
    pairs = weburl.parse(url, base).query_pairs
    return [Row(name, value, at) for at, (name, value) in enumerate(pairs)]


@pytest.mark.parametrize(
    ("url", "base", "rows", "written"),
    [
        ("HTTPS://H?a=b#f", None, [Row("a", "c", 0)], "HTTPS://H?a=c#f"),
        ("https://h", None, [Row("a", "ä &")], "https://h?a=%C3%A4+%26"),
        ("https://h#f?", None, [Row("a", "")], "https://h?a=#f?"),
        (" https://h ", None, [Row("a", "1")], " https://h?a=1 "),
        ("https://h?a=b&c=d#f", None, [Row("c", "d", 1)], "https://h?c=d#f"),
        ("https://h?a=b#f", None, [], "https://h#f"),
        ("https://h?a=b#f", None, [Row("a", "b", 0)], "https://h?a=b#f"),
        ("?a=b#f", "https://h?x=y", [], "?#f"),
        ("", "https://h?x=y", [Row("x", "z", 0)], "?x=z"),
        ("mailto:x", None, [Row("subject", "a b")], "mailto:x?subject=a+b"),
        ("https://h?\t\na=b", None, [Row("a", "c", 0)], "https://h?a=c"),
        ("http:", "http://h?x=y", [], "http:?"),
        ("#f", "mailto:x", [Row("a", "b")], "#f"),
        ("nothing", None, [Row("a", "b")], "nothing"),
        ("x", "nothing", [Row("a", "b")], "x"),
    ],
)
def test_rows_are_written_into_the_text(
    url: str, base: str | None, rows: list[Row], written: str
) -> None:
    """In the place of the query; all else stays as it was typed."""
    assert with_rows(url, base, rows) == written


def test_a_row_keeps_what_no_field_can_hold() -> None:
    """A carriage return in one value stays when another is edited."""
    url = "https://h?a=%0D%0A&b=%00&c=1"
    shown = [Row("a", "\n", 0), Row("b", "\ufffd", 1), Row("c", "2", 2)]
    assert with_rows(url, None, shown) == "https://h?a=%0D%0A&b=%00&c=2"
    assert with_rows(url, None, [*shown[:1], Row("b", "x", 1)]) == "https://h?a=%0D%0A&b=x"


@given(url_texts, bases_or_none, st.lists(st.tuples(st.text(), st.text()), max_size=4))
def test_what_is_written_is_read_again(
    url: str, base: str | None, pairs: list[tuple[str, str]]
) -> None:
    """The URL has the pairs of the rows then, and nothing else has changed."""
    if not weburl.can_parse(url, base):
        return
    before = weburl.parse(url, base)
    clean = [(_without_line_ends(name), _without_line_ends(value)) for name, value in pairs]
    rows = [Row(name, value) for name, value in clean]
    written = with_rows(url, base, rows)
    if base is not None and weburl.parse(base).has_opaque_path and not weburl.can_parse(url):
        assert written == url  # Nothing but a fragment goes with an opaque path.
        return
    after = weburl.parse(written, base)
    assert list(after.query_pairs) == clean
    assert after.with_query(None) == before.with_query(None)


def _without_line_ends(text: str) -> str:
    return text.replace("\r", "").replace("\0", "")


@given(url_texts)
def test_untouched_rows_change_nothing(url: str) -> None:
    """Not even the spelling of the query."""
    if weburl.can_parse(url):
        assert with_rows(url, None, rows_of(url)) == url
