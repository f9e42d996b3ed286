"""WARC, WET and WAT files: a row for each record with a URL, whatever its neighbours are."""

from __future__ import annotations

import gzip
import random
from collections.abc import Callable
from typing import Any, Final

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from tests.columns.commands import Command, read_rows
from weburl.columns.html import link_table

pytest.importorskip("fastwarc", reason="it comes with the extra warc")

HTML: Final = b"<base href=/d/><a href=x>t</a>"
HEAD: Final = b"HTTP/1.1 200 OK\r\nContent-Type: Text/HTML; charset=utf-8\r\n"


def record(
    content: bytes,
    url: str | None = "https://a.example/",
    kind: str = "response",
    content_type: str = "application/http; msgtype=response",
) -> bytes:
    """Return a record, as programs write it."""
    target = "" if url is None else f"WARC-Target-URI: {url}\r\n"
    head = (
        f"WARC/1.0\r\nWARC-Type: {kind}\r\n{target}WARC-Date: 2026-11-25T10:00:00Z\r\n"
        f"WARC-Record-ID: <urn:uuid:0>\r\nContent-Type: {content_type}\r\n"
        f"Content-Length: {len(content)}\r\n\r\n"
    )
    return head.encode() + content + b"\r\n\r\n"


def page(number: int, body: bytes = HTML, more: bytes = b"") -> bytes:
    """Return the record of a page."""
    return record(HEAD + more + b"\r\n" + body, f"https://a.example/{number}")


ENCODED: Final = gzip.compress(HTML)
# Each record, and what its row has, if it has one.
RECORDS: Final[list[tuple[bytes, dict[str, Any] | None]]] = [
    (record(b"software: x", None, "warcinfo", "application/warc-fields"), None),
    (record(b"GET / HTTP/1.1\r\n\r\n", kind="request"), None),
    (page(1), {"url": "https://a.example/1", "status": 200, "body": HTML}),
    (page(2, ENCODED, b"Content-Encoding: gzip\r\n"), {"body": HTML}),
    (
        page(3, b"%x\r\n%b\r\n0\r\n\r\n" % (len(HTML), HTML), b"Transfer-Encoding: chunked\r\n"),
        {"body": HTML},
    ),
    (
        record(b"HTTP/1.0 404 No\r\nContent-Type: image/png\r\n\r\n\x89PNG", "<https://b/>"),
        {"url": "https://b/", "status": 404, "content_type": "image/png", "body": b"\x89PNG"},
    ),
    (record(b"fetchTimeMs: 5", kind="metadata", content_type="application/warc-fields"), None),
    (
        record(b'{"a": 1}', kind="metadata", content_type="application/json"),
        {
            "type": "metadata",
            "status": None,
            "content_type": "application/json",
            "body": b'{"a": 1}',
        },
    ),
    (
        record("text \u00e9".encode(), kind="conversion", content_type="text/plain"),
        {"type": "conversion", "content_type": "text/plain", "body": "text \u00e9".encode()},
    ),
    (record(HTML, kind="resource", content_type="text/html"), {"type": "resource", "body": HTML}),
    (record(b"", kind="revisit"), None),
]
ROWS: Final = [row for _, row in RECORDS if row is not None]


def packed(records: list[bytes], suffix: str) -> bytes:
    """Return a file with records, each compressed by itself if the suffix says so."""
    return b"".join(map(gzip.compress, records) if suffix.endswith(".gz") else records)


@pytest.mark.parametrize("suffix", ["warc", "warc.gz", "wet.gz", "wat"])
def test_a_record_with_a_url_is_a_row(command: Command, suffix: str) -> None:
    """With its body in Parquet, as HTTP meant it; other records are left out."""
    path = command.write(f"in.{suffix}", packed([each for each, _ in RECORDS], suffix))
    done = command(path, command.path("out.parquet"), "--add", "host")
    assert (done.status, done.err) == (0, "7 rows, 0 of them bad\n")
    got = read_rows(command.path("out.parquet"))
    names = ["url", "type", "date", "status", "content_type", "body", "host"]
    assert [list(row) for row in got] == [names] * 7
    for row, due in zip(got, ROWS, strict=True):
        assert {name: row[name] for name in due} == due
        assert row["date"] == "2026-11-25T10:00:00Z"
    done = command(path, command.path("out.csv"), "--add", "host")
    cells = read_rows(command.path("out.csv"))
    assert [list(row) for row in cells] == [[name for name in names if name != "body"]] * 7


@pytest.mark.parametrize("suffix", ["warc", "warc.gz"])
def test_links_of_the_pages(command: Command, suffix: str) -> None:
    """Those of HTML, relative to the URL of the record. Records that are not HTML have no links."""
    path = command.write(f"in.{suffix}", packed([each for each, _ in RECORDS], suffix))
    done = command(path, command.path("l.parquet"), "--links", "body")
    assert done.status == 0
    bodies = [HTML, HTML, HTML, b"", b"", b"", HTML]
    addresses = [row.get("url", "https://a.example/") for row in ROWS]
    addresses[1:3] = ["https://a.example/2", "https://a.example/3"]
    due = link_table(pa.array(bodies), pa.array(addresses), errors="name").to_pylist()
    got = read_rows(command.path("l.parquet"))
    assert got == [
        {"page": row["page"], "url": addresses[row["page"]], **{n: row[n] for n in list(row)[1:]}}
        for row in due
    ]
    assert len(got) == 8


BROKEN: Final[dict[str, Callable[[bytes, int], bytes]]] = {
    "cut off": lambda whole, at: whole[: at + 300],
    "junk between": lambda whole, at: whole[:at] + b"junk" * 9 + whole[at:],
}


@pytest.mark.parametrize("what", BROKEN)
@pytest.mark.parametrize("suffix", ["warc", "warc.gz"])
def test_records_before_a_broken_one_are_kept(command: Command, suffix: str, what: str) -> None:
    """The message has a byte, and shows nothing of the record."""
    bodies = [random.Random(number).randbytes(400).hex().encode() for number in range(5)]
    records = [packed([page(number, body)], suffix) for number, body in enumerate(bodies)]
    at = len(b"".join(records[:3]))
    path = command.write(f"in.{suffix}", BROKEN[what](b"".join(records), at))
    stopped = command(path, command.path("no.jsonl"), "--add", "host").refused()
    assert "junk" not in stopped
    done = command(
        path, command.path("out.jsonl"), "--malformed", "keep", "--bad", command.path("bad.jsonl")
    )
    assert done.status == 0
    urls = [row["url"] for row in read_rows(command.path("out.jsonl"))]
    assert urls == [f"https://a.example/{number}" for number in range(3)]
    (malformed,) = read_rows(command.path("bad.jsonl.malformed.jsonl"))
    assert malformed["row"] in (at, len(b"".join(records[:2])))  # or what it follows
    assert malformed["why"] in ("a record is cut off", "what follows this byte is damaged")
    assert f", byte {malformed['row']:,}: {malformed['why']}. " in stopped
    assert "1 malformed lines" in done.err


@pytest.mark.parametrize("suffix", ["warc", "warc.gz"])
def test_a_bad_row_has_the_byte_where_its_record_begins(command: Command, suffix: str) -> None:
    """As a malformed record has. The records between are not rows."""
    (info, _), *_ = RECORDS
    records = [page(1), info, record(HEAD + b"\r\n", "http://["), page(2), record(b"", "http://[")]
    data = [packed([each], suffix) for each in records]
    path, bad = command.write(f"in.{suffix}", b"".join(data)), command.path("bad.jsonl")
    done = command(path, command.path("out.jsonl"), "--add", "host", "--bad", bad)
    assert done.status == 0, done.err
    at = [len(b"".join(data[:number])) for number in (2, 4)]
    assert [(row["row"], row["url"]) for row in read_rows(bad)] == [(n, "http://[") for n in at]


def test_a_body_that_unpacks_to_too_much_is_malformed(command: Command) -> None:
    """A record of 300 MB in 300 kB, by gzip inside and outside of HTTP."""
    bomb = gzip.compress(b"a" * 300_000_000)
    records = [
        packed([page(1, bomb, b"Content-Encoding: gzip\r\n")], "warc.gz"),
        gzip.compress(page(2, b"a" * 300_000_000)),
        packed([page(3)], "warc.gz"),
    ]
    path = command.write("in.warc.gz", b"".join(records))
    done = command(path, command.path("out.jsonl"), "--malformed", "skip")
    assert "2 a record is longer than 64 MiB" in done.err
    assert [row["url"] for row in read_rows(command.path("out.jsonl"))] == ["https://a.example/3"]


def test_a_body_that_cannot_be_decoded_is_malformed(command: Command) -> None:
    """Instead of a page of noise."""
    wrong = page(1, b"not gzip", b"Content-Encoding: gzip\r\n")
    path = command.write("in.warc", wrong + page(2))
    done = command(path, command.path("out.jsonl"), "--malformed", "skip")
    assert (done.status, "1 a body cannot be decoded" in done.err) == (0, True)
    assert [row["url"] for row in read_rows(command.path("out.jsonl"))] == ["https://a.example/2"]


def test_a_dataset_of_warc_files_becomes_one_of_parquet(command: Command) -> None:
    """With the same names."""
    command.path("in").mkdir()
    for number in range(2):
        command.write(f"in/{number}.warc.gz", packed([page(number)] * 3, "warc.gz"))
    done = command(command.path("in"), command.path("out"), "--links", "body")
    assert (done.status, done.err) == (0, "12 rows, 0 of them bad\n")
    for number in range(2):
        rows = pq.read_table(command.path("out") / f"{number}.parquet").to_pylist()
        assert {row["url"] for row in rows} == {f"https://a.example/{number}"}


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("in.warc", "out.warc"), "a WARC file can only be read"),
        (("in.warc", "-"), "'-' has no extension: set its format with --to"),  # It was a KeyError.
        (("in.warc.zst", "out.jsonl"), "can only have gzip"),
        (("in.warc", "out.jsonl", "--column", "uri"), "has no column 'uri'"),
    ],
)
def test_what_does_not_fit_is_refused(
    command: Command, monkeypatch: pytest.MonkeyPatch, arguments: tuple[str, ...], message: str
) -> None:
    """Before anything is written."""
    monkeypatch.chdir(command.folder)
    for name in ("in.warc", "in.warc.zst"):
        command.write(name, page(1))
    assert message in command(*arguments).refused()
    assert command.names() == ["in.warc", "in.warc.zst"]
