"""``--links``: a row for each link of the pages in a file."""

from __future__ import annotations

import json
from typing import Any, Final

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from tests.columns.commands import Command, read_rows, write_rows
from tests.columns.test_links_in_engines import ADDRESSES, AS_BYTES, BODIES, wanted
from weburl.columns.files.arguments import DEFAULT_LINKS
from weburl.columns.html import link_table
from weburl.columns.table import LINK_FIELDS

FIELDS: Final[Any] = tuple(DEFAULT_LINKS.split(","))


def rows_due(bodies: Any, fields: Any = FIELDS, kinds: Any = None) -> list[dict[str, Any]]:
    """Return the rows of links, which the function for columns gives."""
    table = link_table(pa.array(bodies), pa.array(ADDRESSES), kinds, fields=fields, errors="name")
    return [
        {"page": row["page"], "url": ADDRESSES[row["page"]], **{name: row[name] for name in fields}}
        for row in table.to_pylist()
    ]


@pytest.mark.parametrize("source", ["parquet", "csv", "jsonl"])
@pytest.mark.parametrize("target", ["parquet", "jsonl", "csv"])
def test_every_link_has_a_row(command: Command, source: str, target: str) -> None:
    """In every format, with the number and the address of its page, and no other column."""
    rows = [
        {"id": f"{number}", "body": body, "url": url}
        for number, (body, url) in enumerate(zip(BODIES, ADDRESSES, strict=True))
    ]
    write_rows(command.path(f"pages.{source}"), rows)
    done = command(
        command.path(f"pages.{source}"),
        command.path(f"l.{target}"),
        "--links",
        "body",
        "--base",
        "url",
    )
    due = rows_due(BODIES)
    assert (done.status, done.err.splitlines()[0]) == (0, f"{len(due)} rows, 3 of them bad")
    got = read_rows(command.path(f"l.{target}"))
    if target == "csv":
        due = [
            {name: None if value is None else str(value) for name, value in row.items()}
            for row in due
        ]
    assert got == due
    assert len(due) == 2 + sum(len(row or ()) for row in wanted(BODIES))


def test_bytes_kinds_fields_and_bad_rows(command: Command) -> None:
    """As the function for columns gives them; a nested column of pages, and one address for all."""
    pages = pa.table(
        {"page": [{"html": body} for body in AS_BYTES], "url": ADDRESSES, "href": ["x"] * 6}
    )
    pq.write_table(pages, command.path("in.parquet"))
    out, bad = command.path("out.parquet"), command.path("bad.parquet")
    names = ("rel", "href", "text", "line")
    done = command(
        command.path("in.parquet"), out, "--links", "page.html", "--base", "url",
        "--add", ",".join(names), "--kinds", "hyperlink, submission", "--bad", bad, "--strict",
    )  # fmt: skip
    due = rows_due(AS_BYTES, (*names, "error"), {"hyperlink", "submission"})
    assert done.status == 1
    assert read_rows(out) == [{k: v for k, v in row.items() if k != "error"} for row in due]
    assert read_rows(bad) == [row for row in due if row["error"] is not None]
    done = command(
        command.path("in.parquet"), command.path("hrefs.txt"), "--links", "page.html",
        "--base", "https://h/", "--add", "href", "--prefix", "x_",
    )  # fmt: skip
    assert done.status == 0
    texts = command.path("hrefs.txt").read_text("utf-8").splitlines()
    all_pages = link_table(pa.array(AS_BYTES), "https://h/", errors="name")["href"].to_pylist()
    assert texts == [href or "" for href in all_pages]
    everything = command(
        command.path("in.parquet"), command.path("all.parquet"), "--links", "page.html",
        "--base", "url", "--add", ",".join(LINK_FIELDS),
    )  # fmt: skip
    assert everything.status == 0
    assert read_rows(command.path("all.parquet")) == rows_due(AS_BYTES, LINK_FIELDS)


def test_a_folder_and_threads_give_the_same(command: Command) -> None:
    """In the same order, and with the same numbers of pages."""
    pages = pa.table({"body": BODIES * 500, "url": ADDRESSES * 500})
    command.path("in").mkdir()
    for part in range(2):
        pq.write_table(pages, command.path("in") / f"{part}.parquet")
    options = ("--links", "body", "--base", "url")
    source, target = command.path("in") / "0.parquet", command.path("one.parquet")
    assert command(source, target, *options, "--threads", 1).status == 0
    assert command(command.path("in"), command.path("out"), *options, "--threads", 4).status == 0
    written = read_rows(target)
    pages_of = [row["page"] for row in written]
    assert pages_of == sorted(pages_of) and pages_of[-1] == 2999
    for part in range(2):
        assert read_rows(command.path("out") / f"{part}.parquet") == written


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (("--links", "body"), "--links needs --base"),
        (
            ("--links", "body", "--base", "url", "--column", "url"),
            "cannot be combined with --column",
        ),
        (("--links", "body", "--base", "url", "--param", "q"), "cannot be combined with --param"),
        (("--links", "body", "--base", "url", "--key", "page"), "cannot be combined with --key"),
        (("--links", "body", "--base", "url", "--hosts"), "cannot be combined with --hosts"),
        (("--links", "body", "--base", "http://["), "--base: The IPv6 address"),
        (("--links", "body", "--base", "link"), "has no column 'link'"),
        (("--links", "html", "--base", "url"), "has no column 'html'"),
        (("--links", "number", "--base", "url"), "'number' is not text"),
        (("--links", "body", "--base", "url", "--kinds", "a"), "--kinds does not accept 'a'"),
        (("--links", "body", "--base", "url", "--add", "host"), "--add does not accept 'host'"),
        (("--links", "body", "--base", "url", "--add", ""), "--add is empty"),
        (("--links", "body", "--base", "url", "--add", "href,href"), "added twice"),
        (("--column", "url", "--kinds", "base"), "--kinds is for --links"),
    ],
)
def test_options_that_do_not_fit_are_refused(
    command: Command, options: tuple[str, ...], message: str
) -> None:
    """Before anything is written."""
    table = pa.table({"body": ["<a href=x>"], "url": ["https://h/"], "number": [1]})
    pq.write_table(table, command.path("in.parquet"))
    done = command(command.path("in.parquet"), command.path("out.parquet"), *options)
    assert message in done.refused()
    assert command.names() == ["in.parquet"]


def test_addresses_in_a_column_named_page(command: Command) -> None:
    """The output had two columns of this name, which no one reads from Parquet."""
    pq.write_table(
        pa.table({"body": ["<a href=x>"], "page": ["https://h/"]}), command.path("in.parquet")
    )
    arguments = (command.path("in.parquet"), command.path("out.parquet"), "--links", "body",
                 "--base", "page", "--add", "href")  # fmt: skip
    assert command(*arguments).refused() == (
        "the numbers of the pages have the name 'page', too: use --prefix for other names"
    )
    assert command(*arguments, "--prefix", "link_").status == 0
    assert read_rows(command.path("out.parquet")) == [
        {"link_page": 0, "page": "https://h/", "link_href": "https://h/x"}
    ]


def test_a_base_that_is_no_url_is_a_column(command: Command) -> None:
    """For the columns of URLs, too."""
    rows = [{"link": "b", "from": "https://a/x/"}, {"link": "/c", "from": "https://d/"}]
    write_rows(command.path("in.jsonl"), rows)
    done = command(
        command.path("in.jsonl"), command.path("out.jsonl"), "--column", "link", "--base", "from"
    )
    assert done.status == 0
    lines = command.path("out.jsonl").read_text("utf-8").splitlines()
    assert [json.loads(line)["canonical"] for line in lines] == ["https://a/x/b", "https://d/c"]
