"""WARC, WET and WAT files: a row for each record with a URL, whatever its neighbours are."""

from __future__ import annotations

import gzip
import json
import random
import resource
import subprocess
from collections.abc import Callable
from pathlib import Path
from typing import Any, Final

import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.columns.commands import Command, environment, program, read_rows
from weburl.columns.html import link_table

pytest.importorskip("fastwarc", reason="it comes with the extra warc")

from io import BytesIO

from weburl.columns.files import warc
from weburl.columns.files.warc import _PROBE, records_of

HTML: Final = b"<base href=/d/><a href=x>t</a>"
HEAD: Final = b"HTTP/1.1 200 OK\r\nContent-Type: Text/HTML; charset=utf-8\r\n"


@pytest.fixture
def columns(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> Command:
    """Give a command with a folder of its own."""
    return Command(tmp_path, capsys)


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
def test_a_record_with_a_url_is_a_row(columns: Command, suffix: str) -> None:
    """With its body in Parquet, as HTTP meant it; other records are left out."""
    path = columns.write(f"in.{suffix}", packed([each for each, _ in RECORDS], suffix))
    done = columns(path, columns.path("out.parquet"), "--add", "host")
    assert (done.status, done.err) == (0, "7 rows, 0 of them bad\n")
    got = read_rows(columns.path("out.parquet"))
    names = ["url", "type", "date", "status", "content_type", "body", "host"]
    assert [list(row) for row in got] == [names] * 7
    for row, due in zip(got, ROWS, strict=True):
        assert {name: row[name] for name in due} == due
        assert row["date"] == "2026-11-25T10:00:00Z"
    done = columns(path, columns.path("out.csv"), "--add", "host")
    cells = read_rows(columns.path("out.csv"))
    assert [list(row) for row in cells] == [[name for name in names if name != "body"]] * 7


@pytest.mark.parametrize("suffix", ["warc", "warc.gz"])
@pytest.mark.parametrize("workers", [1, 2])
def test_links_of_the_pages(columns: Command, suffix: str, workers: int) -> None:
    """Those of HTML, relative to the URL of the record. Records that are not HTML have no links."""
    path = columns.write(f"in.{suffix}", packed([each for each, _ in RECORDS], suffix))
    done = columns(path, columns.path("l.parquet"), "--links", "body", "--workers", workers)
    assert done.status == 0
    bodies = [HTML, HTML, HTML, b"", b"", b"", HTML]
    addresses = [row.get("url", "https://a.example/") for row in ROWS]
    addresses[1:3] = ["https://a.example/2", "https://a.example/3"]
    due = link_table(pa.array(bodies), pa.array(addresses), errors="name").to_pylist()
    got = read_rows(columns.path("l.parquet"))
    assert got == [
        {"page": row["page"], "url": addresses[row["page"]], **{n: row[n] for n in list(row)[1:]}}
        for row in due
    ]
    assert len(got) == 8


BROKEN: Final[dict[str, Callable[[bytes, int], bytes]]] = {
    "cut off": lambda whole, at: whole[: at + 300],
    "junk between": lambda whole, at: whole[:at] + b"junk" * 9 + whole[at:],
    "zeros inside": lambda whole, at: whole[: at + 120] + b"\0" * 60 + whole[at + 180 :],
    "one missing byte": lambda whole, at: whole[: at + 200] + whole[at + 201 :],
}


@pytest.mark.parametrize("what", BROKEN)
@pytest.mark.parametrize("suffix", ["warc", "warc.gz"])
def test_a_broken_record_is_kept_as_malformed_and_no_other_is_lost(
    columns: Command, suffix: str, what: str
) -> None:
    """With the byte where it begins, and what is wrong."""
    bodies = [random.Random(number).randbytes(400).hex().encode() for number in range(5)]
    records = [packed([page(number, body)], suffix) for number, body in enumerate(bodies)]
    at = len(b"".join(records[:3]))
    path = columns.write(f"in.{suffix}", BROKEN[what](b"".join(records), at))
    is_seen = (suffix, what) != ("warc", "zeros inside")  # It has no checksum.
    stopped = columns(path, columns.path("no.jsonl"), "--add", "host")
    assert stopped.status == (2 if is_seen else 0)
    assert (f"byte {at:,}: " in stopped.err) == is_seen
    done = columns(
        path, columns.path("out.jsonl"), "--malformed", "keep", "--bad", columns.path("bad.jsonl")
    )
    assert done.status == 0
    urls = [row["url"] for row in read_rows(columns.path("out.jsonl"))]
    assert urls[:3] == [f"https://a.example/{number}" for number in range(3)]
    after = [3, 4] if what == "junk between" or not is_seen else [] if what == "cut off" else [4]
    assert urls[3:] == [f"https://a.example/{number}" for number in after]
    if not is_seen:
        return
    kept = columns.path("bad.jsonl.malformed.jsonl").read_text("utf-8").splitlines()
    (malformed,) = map(json.loads, kept)
    assert malformed["row"] == at
    assert malformed["why"] in ("a record is cut off", "not a WARC record")
    assert "1 malformed lines" in done.err


@given(st.binary(max_size=3000), st.booleans(), st.integers(0, 2500))
def test_whatever_the_bytes_are_the_records_after_them_are_found(
    junk: bytes, is_packed: bool, cut: int
) -> None:
    """And no exception comes out."""
    suffix = "warc.gz" if is_packed else "warc"
    if not is_packed:
        cut %= 2  # Without gzip, the length of a record that is cut may reach into the next.
    first, last = (packed([page(number)], suffix) for number in (1, 2))
    found = list(records_of(BytesIO(first[:cut] + junk + b"\r\n" + last), is_packed=is_packed))
    assert found[-1].why is None
    assert found[-1].data.startswith(b"WARC/1.0\r\n")
    assert b"https://a.example/2\r\n" in found[-1].data


class Counting(BytesIO):
    """A file that counts how many bytes were read of it."""

    count = 0

    def read(self, size: int | None = -1, /) -> bytes:
        """Read, and count."""
        data = super().read(size)
        self.count += len(data)
        return data


def stored(data: bytes) -> bytes:
    """Return a broken member of gzip whose bytes are not compressed and have a wrong checksum."""
    return gzip.compress(data, 0)[:-8] + b"\0" * 8


# Pieces of hostile files, each of which seems to begin a record that reaches far.
HOSTILE: Final[dict[str, tuple[bytes, bool]]] = {
    "lengths that are too great": (b"WARC/1.0\nContent-Length: 60000000\n\n", False),
    "lengths that reach the end of the next": (b"WARC/1.0\nContent-Length: 500000\n\n", False),
    "lengths that no number is": (b"WARC/1.0\nContent-Length: 999999999999999\n\n", False),
    "heads without a length": (b"WARC/1.0\n\n", False),
    "heads without an end": (b"WARC/1.0\nContent-Length: 9\n", False),
    "marks": (b"WARC/1.0\n", False),
    "line ends": (b"\r\n", False),
    "marks of gzip": (b"\x1f\x8b\x08", True),
    "members without an end": (gzip.compress(page(1), mtime=0)[:60], True),
    "members with a wrong checksum": (stored(page(1)), True),
}


@pytest.mark.parametrize("what", HOSTILE)
def test_a_hostile_file_is_not_read_again_for_each_of_its_marks(what: str) -> None:
    """What is read grows as the file does, and the record after it is found."""
    piece, is_packed = HOSTILE[what]
    last = packed([page(7)], ".gz" if is_packed else "")
    for size in (300_000, 1_200_000):
        data = piece * (size // len(piece)) + b"\r\n" + last
        file = Counting(data)
        found = list(records_of(file, is_packed=is_packed))
        assert b"https://a.example/7\r\n" in found[-1].data
        assert found[-1].why is None
        assert sum(len(each.data) for each in found) <= 3 * len(data)
        # A probe is 64 bytes for each head, or a thousand for each member.
        most = 3 + (2 * _PROBE if is_packed else 64) / len(piece)
        assert file.count <= most * len(data) + 300_000


def test_a_chain_of_members_in_members_is_not_unpacked_for_each(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Each reaches the end of the file, and none is whole: some are left out of the search."""
    monkeypatch.setattr(warc, "_MOST_IN_VAIN", 1 << 20)
    parts = bytearray()
    count, distance = 300, 64
    for number in range(count):
        # Each is a block that is not compressed, and ends where the part after all of them begins.
        size = (count - number) * distance - 15
        parts += gzip.compress(b"", mtime=0)[:10] + b"\x00" + size.to_bytes(2, "little")
        parts += (size ^ 0xFFFF).to_bytes(2, "little") + b"WARC/1.0\r\n".ljust(distance - 15)
    tail = stored(bytes(2_000_000))[10:]
    file = Counting(bytes(parts) + tail + packed([page(7)], ".gz"))
    found = list(records_of(file, is_packed=True))
    assert found[-1].why is None
    assert b"https://a.example/7\r\n" in found[-1].data
    assert 1 < len(found) < 10
    assert file.count < 20_000_000


def test_a_length_beyond_the_end_of_the_file_costs_no_other_record() -> None:
    """However large it is."""
    for length in (70_000_000, 10**14):
        wrong = b"WARC/1.0\r\nContent-Length: %d\r\n\r\n" % length
        found = list(records_of(BytesIO(page(1) + wrong + page(2)), is_packed=False))
        assert [each.why for each in found] == [None, "a record is cut off", None]
        assert found[1].data == wrong
        assert found[1].offset == len(page(1))


@given(
    st.lists(
        st.sampled_from(
            [page(1), page(2, b"x" * 5000), page(3)[:-9], b"junk", b"WARC/1.0\r\n", b"\r\n\r\n"]
        ),
        max_size=40,
    ),
    st.sampled_from([256, 1000]),
)
def test_blocks_make_no_difference(pieces: list[bytes], most: int) -> None:
    """The same records are found where few bytes are read together."""
    data = b"".join(pieces)
    due = list(records_of(BytesIO(data), is_packed=False))
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(warc, "_MOST_HEAD", most)
        assert list(records_of(BytesIO(data), is_packed=False)) == due


@pytest.mark.parametrize("suffix", ["warc", "warc.gz"])
def test_a_bad_row_has_the_byte_where_its_record_begins(columns: Command, suffix: str) -> None:
    """As a malformed record has. The records between are not rows."""
    (info, _), *_ = RECORDS
    records = [page(1), info, record(HEAD + b"\r\n", "http://["), page(2), record(b"", "http://[")]
    data = [packed([each], suffix) for each in records]
    path, bad = columns.write(f"in.{suffix}", b"".join(data)), columns.path("bad.jsonl")
    done = columns(path, columns.path("out.jsonl"), "--add", "host", "--bad", bad)
    assert done.status == 0, done.err
    at = [len(b"".join(data[:number])) for number in (2, 4)]
    assert [(row["row"], row["url"]) for row in read_rows(bad)] == [(n, "http://[") for n in at]


def test_a_body_that_unpacks_to_too_much_is_malformed(tmp_path: Path) -> None:
    """In little memory: a record of 300 MB in 300 kB, by gzip inside and outside of HTTP."""
    bomb = gzip.compress(b"a" * 300_000_000)
    records = [
        packed([page(1, bomb, b"Content-Encoding: gzip\r\n")], "warc.gz"),
        gzip.compress(page(2, b"a" * 300_000_000)),
        packed([page(3)], "warc.gz"),
    ]
    (tmp_path / "in.warc.gz").write_bytes(b"".join(records))
    done = subprocess.run(
        program(tmp_path / "in.warc.gz", tmp_path / "out.jsonl", "--malformed", "skip"),
        env=environment(),
        capture_output=True,
        text=True,
        check=True,
        preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_DATA, (600 << 20, 600 << 20)),
    )
    assert "2 a record is longer than 64 MiB" in done.stderr
    assert [row["url"] for row in read_rows(tmp_path / "out.jsonl")] == ["https://a.example/3"]


def test_a_body_that_cannot_be_decoded_is_malformed(columns: Command) -> None:
    """Instead of a page of noise."""
    wrong = page(1, b"not gzip", b"Content-Encoding: gzip\r\n")
    path = columns.write("in.warc", wrong + page(2))
    done = columns(path, columns.path("out.jsonl"), "--malformed", "skip")
    assert (done.status, "1 a body cannot be decoded" in done.err) == (0, True)
    assert [row["url"] for row in read_rows(columns.path("out.jsonl"))] == ["https://a.example/2"]


def test_a_dataset_of_warc_files_becomes_one_of_parquet(columns: Command) -> None:
    """With the same names, and resumed as any other."""
    columns.path("in").mkdir()
    for number in range(2):
        columns.write(f"in/{number}.warc.gz", packed([page(number)] * 3, "warc.gz"))
    done = columns(columns.path("in"), columns.path("out"), "--links", "body")
    assert (done.status, done.err) == (0, "12 rows, 0 of them bad\n")
    for number in range(2):
        rows = pq.read_table(columns.path("out") / f"{number}.parquet").to_pylist()
        assert {row["url"] for row in rows} == {f"https://a.example/{number}"}


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("-", "out.jsonl", "--from", "warc"), "WARC cannot be read or written as a stream"),
        (("in.warc", "out.warc"), "a WARC file can only be read"),
        (("in.warc.zst", "out.jsonl"), "can only have gzip"),
        (("in.warc", "out.jsonl", "--encoding", "latin1"), "--encoding is for text"),
        (("in.warc", "out.jsonl", "--column", "uri"), "has no column 'uri'"),
    ],
)
def test_what_does_not_fit_is_refused(
    columns: Command, monkeypatch: pytest.MonkeyPatch, arguments: tuple[str, ...], message: str
) -> None:
    """Before anything is written."""
    monkeypatch.chdir(columns.folder)
    for name in ("in.warc", "in.warc.zst"):
        columns.write(name, page(1))
    assert message in columns(*arguments).refused()
    assert columns.names() == ["in.warc", "in.warc.zst"]
