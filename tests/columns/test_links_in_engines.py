"""`links` in DuckDB, Polars and pandas: lists for each page, and one row for each link."""

from __future__ import annotations

from typing import Any, Final

import duckdb
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest

import weburl
import weburl.columns.pandas
import weburl.columns.polars
from tests.columns.scalars import as_row
from weburl.columns.duckdb import register
from weburl.columns.options import DEFAULT_LINK_FIELDS, SQL_LINK_FIELDS
from weburl.html import PageLimits, links

BODIES: Final = [
    "<base href=/d/><a href=x rel=nofollow>t <b>u</b></a><img src=i srcset='j 2x'>",
    None,
    "<a href='http://['><form action=f>",
    "<p>",
    "<a href=y>",
    "<meta charset=koi8-r><a href='?\u0436'>\u0436</a>",
]
ADDRESSES: Final = [
    "https://a.example/",
    "https://b.example/",
    "https://c/",
    "https://d",
    "nope",
    "https://e",
]
AS_BYTES: Final = [None if body is None else body.encode("koi8-r") for body in BODIES]


def wanted(bodies: list[Any], fields: Any = DEFAULT_LINK_FIELDS) -> list[Any]:
    """Return what the function for one page gives for each row."""
    return [
        None
        if body is None or not weburl.can_parse(address)
        else [
            {name: value for name, value in as_row(link).items() if name in fields}
            for link in links(body, address, texts=True)
        ]
        for body, address in zip(bodies, ADDRESSES, strict=True)
    ]


def hrefs_by_page(pages: list[Any]) -> list[tuple[int, str | None]]:
    """Return the number of the page and the href of each link."""
    return [(page, link["href"]) for page, found in enumerate(pages) for link in found or ()]


ERRORS: Final = [None, "no-body", None, None, "missing-scheme-non-relative-URL", None]


@pytest.mark.parametrize("bodies", [BODIES, AS_BYTES], ids=["text", "bytes"])
def test_duckdb_takes_text_and_bytes(bodies: list[Any]) -> None:
    """As lists, as structs with errors, and unnested."""
    due = wanted(bodies, SQL_LINK_FIELDS)
    pages = pa.table({"row": range(6), "body": bodies, "url": ADDRESSES})
    with duckdb.connect() as connection:
        register(connection)
        connection.register("pages", pages)
        got = connection.execute(
            "SELECT html_links(body, url), html_links_or_error(body, url) FROM pages ORDER BY row"
        ).fetchall()
        assert [row[0] for row in got] == due
        assert [row[1] for row in got] == [
            {"value": value, "error": error} for value, error in zip(due, ERRORS, strict=True)
        ]
        unnested = connection.execute(
            "SELECT row, link.href FROM (SELECT row, unnest(html_links(body, url)) AS link"
            " FROM pages) ORDER BY row"
        ).fetchall()
        assert unnested == hrefs_by_page(due)
        assert len(unnested) == 7
        with pytest.raises(duckdb.Error, match="html_links takes 2 columns, not 1"):
            connection.execute("SELECT html_links(body) FROM pages").fetchall()
        with pytest.raises(duckdb.Error, match="must be a text column"):
            connection.execute("SELECT html_links(row, url) FROM pages").fetchall()


@pytest.mark.parametrize("bodies", [BODIES, AS_BYTES], ids=["text", "bytes"])
def test_polars_on_series_and_in_queries(bodies: list[Any]) -> None:
    """With an expression of addresses, or one address for all; lazily; and exploded."""
    frame = pl.DataFrame({"body": bodies, "url": ADDRESSES})
    call = pl.col("body").weburl.links(pl.col("url"))  # type: ignore[attr-defined]
    assert frame.select(call)["body"].to_list() == wanted(bodies)
    assert frame.lazy().select(call).collect()["body"].to_list() == wanted(bodies)
    assert frame["body"].weburl.links(frame["url"]).to_list() == wanted(bodies)  # type: ignore[attr-defined]
    fields = ("href", "text", "line", "error")
    named = pl.col("body").weburl.links(  # type: ignore[attr-defined]
        pl.col("url"), {"hyperlink"}, fields=fields, errors="name"
    )
    got = frame.select(named.struct.unnest())
    assert got["error"].to_list() == ERRORS
    assert [None if row is None else [link["href"] for link in row] for row in got["value"]] == [
        None if row is None else [link["href"] for link in row if link["kind"] == "hyperlink"]
        for row in wanted(bodies)
    ]
    one = frame.select(pl.col("body").weburl.links("https://a.example/"))  # type: ignore[attr-defined]
    assert one["body"].to_list()[0] == wanted(bodies)[0]
    exploded = frame.select("url", link=call).explode("link").unnest("link").drop_nulls("kind")
    assert exploded["href"].to_list() == [href for _, href in hrefs_by_page(wanted(bodies))]


@pytest.mark.parametrize("bodies", [BODIES, AS_BYTES], ids=["text", "bytes"])
@pytest.mark.parametrize("dtype", [None, "object", "arrow"])
def test_pandas_on_text_and_bytes(bodies: list[Any], dtype: str | None) -> None:
    """With a Series of addresses, which is aligned, or one address for all."""
    own: Any = dtype
    if dtype == "arrow":
        own = pd.ArrowDtype(pa.string() if bodies is BODIES else pa.binary())
    index = [9, 8, 7, 6, 5, 4]
    pages = pd.Series(bodies, dtype=own, index=index)
    addresses = pd.Series(ADDRESSES, index=index).iloc[::-1]
    got = pages.weburl.links(addresses)
    assert list(got.index) == index
    assert pa.array(got).to_pylist() == wanted(bodies)
    named = pages.weburl.links(addresses, errors="name").struct.explode()
    assert [None if pd.isna(name) else name for name in named["error"]] == ERRORS
    few = pages.weburl.links("https://h/", limits=PageLimits(links=1), errors="name")
    assert few.struct.field("error").iloc[0] == "too-many-links"
    exploded = got.explode().dropna()
    assert len(exploded) == sum(len(row or ()) for row in wanted(bodies)) == 7


def test_wrong_options_are_refused_at_once() -> None:
    """Also in a lazy query."""
    pages = pl.col("body").weburl  # type: ignore[attr-defined]
    for options, error in (
        ({"kinds": {"link"}}, ValueError),
        ({"fields": ("hrefs",)}, ValueError),
        ({"encoding": "latin-99"}, ValueError),
        ({"errors": "ignore"}, ValueError),
        ({"limits": 5}, TypeError),
    ):
        with pytest.raises(error):
            pages.links(pl.col("url"), **options)
    with pytest.raises(weburl.URLParseError):
        pages.links("nope")
