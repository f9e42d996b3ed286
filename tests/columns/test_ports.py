"""Patterns that leave out URLs on other ports than the default one."""

from __future__ import annotations

import warnings

import duckdb
import pyarrow as pa
import pytest

from weburl import URLPattern, columns
from weburl.columns import OtherPortsWarning
from weburl.columns.duckdb import register
from weburl.columns.ports import on_any_port

URLS = pa.array(["https://a.example/b", "http://a.example:8080/b", "ftp://a.example:8080/", None])


def test_a_pattern_for_any_host_warns_of_the_urls_that_only_their_port_leaves_out() -> None:
    """The message says what to write, for one pattern and for a column of them."""
    for pattern in (
        "http{s}?://*/*",
        URLPattern("http{s}?://*/*"),
        pa.array(["http{s}?://*/*"] * 4),
    ):
        with pytest.warns(
            OtherPortsWarning, match=r"write http\{s\}\?://\*:\*/\* for any"
        ) as caught:
            answers = columns.matches(URLS, pattern).to_pylist()
        assert answers == [True, False, False, None]
        assert len(caught) == 1
    answers = columns.matches(URLS, "http{s}?://*:*/*").to_pylist()
    assert answers == [True, True, False, None]


def test_in_sql() -> None:
    """DuckDB shows it, too."""
    with duckdb.connect() as connection:
        register(connection)
        connection.register("links", pa.table({"url": URLS}))
        query = "SELECT count(*) FROM links WHERE url_matches(url, 'http{s}?://*/*')"
        with pytest.warns(OtherPortsWarning):
            assert connection.sql(query).fetchall() == [(1,)]


@pytest.mark.parametrize(
    ("pattern", "url"),
    [
        ("https://a.example/*", "https://a.example:8080/"),
        ("https://*/*", "https://a.example/"),
        ("https://*/*", "http://a.example:8080/"),
        ("https://*/b", "https://a.example:8080/"),
        ("https://*:443/*", "https://a.example/"),
        ("https://*:8081/*", "https://a.example:8080/"),
        ({"hostname": "*"}, "https://a.example:8080/"),
    ],
)
def test_no_other_pattern_warns(pattern: str | dict[str, str], url: str) -> None:
    """Nor one for any host if no URL is left out by its port."""
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        columns.matches(pa.array([url]), URLPattern(pattern))


def test_the_pattern_for_any_port_is_otherwise_the_same() -> None:
    """With all components and options."""
    pattern = URLPattern("http{s}?://*/A?q#f", ignore_case=True)
    wide = on_any_port(pattern)
    assert wide == URLPattern("http{s}?://*:*/A?q#f", ignore_case=True)
