"""Files that cannot be read, and rows that cannot: what is kept, and what no message shows."""

from __future__ import annotations

import gzip
import json
import os

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from tests.columns.commands import Command, read_rows
from weburl.columns.files import sources

PASSWD = "root:x:0:0:root:/root:/bin/bash\n"
ADD = ("--column", "url", "--add", "host")


@pytest.mark.parametrize(
    ("name", "data", "message"),
    [
        ("in.parquet", PASSWD, "is not Parquet, or it is damaged"),
        ("in.parquet", "", "is not Parquet, or it is damaged"),
        ("in.csv", "", "is empty: the first row has the names of the columns"),
        ("in.csv", PASSWD, "has no column 'url'; it has nothing that looks like a name"),
        ("in.tsv", f"link\t{PASSWD}", "has no column 'url'; it has 'link'"),
        ("in.csv", b"\xff\xfe\n", "the row of names cannot be read"),
        ("in.csv", "url,URL\n", "has more than one column named 'URL', 'url'"),
        ("in.csv", f"url\n{PASSWD[:-1]},x\n", "line 2: another number of cells"),
        ("in.csv", f'url,x\na:b,"{PASSWD}', "line 2: a quotation mark is not closed"),
        ("in.csv", f'url\n"a"{PASSWD}', "line 2: a quotation mark is not closed, or text"),
        ("in.csv", b"url\na:b\nroot:\xff\n", "line 3: not UTF-8"),
        ("in.csv", "url\na:b\r\nroot:x\n", "its lines end in different ways"),
        ("in.csv.gz", PASSWD, "cannot be read"),
        ("in.csv.gz", gzip.compress(b"url\n" + b"a:b\n" * 9999)[:-30], "cannot be read"),
        ("in.csv.zst", PASSWD, "cannot be read"),
        ("in.csv", gzip.compress(b"url\n"), "is compressed: its name must end in .gz"),
        ("in.jsonl", b"\x28\xb5\x2f\xfd", "is compressed: its name must end in .zst"),
        ("in.jsonl", PASSWD, "line 1: not JSON"),
        ("in.jsonl", "{}\n\n", "line 2: an empty line"),
        ("in.jsonl", '{}\n["root:x"]', "line 2: not a JSON object"),
        ("in.jsonl", '{"url": null}\n{"url": ["root:x"]}\n', "line 2: 'url' is not text"),
        ("in.jsonl", '{"url": "\\ud800"}\n', "line 1: not JSON"),
        ("in.jsonl", b'{"url": "root:x\xff"}\n', "line 1: not UTF-8"),
        ("in.jsonl", '{"link": "root:x"}\n', "no line has text for 'url'"),
        ("in.jsonl.gz", gzip.compress(b'{"url": "a:"}\n' * 9999)[:-30], "ends early or is damaged"),
    ],
)
@pytest.mark.parametrize("to", ["csv", "jsonl", "parquet"])
def test_an_input_that_cannot_be_read(
    command: Command, name: str, data: bytes | str, message: str, to: str
) -> None:
    """The message names the place. It shows nothing of a row, and nothing is left."""
    source = command.write(name, data)
    refused = command(source, command.path(f"out.{to}"), *ADD).refused()
    assert message in refused
    assert "Traceback" not in refused
    assert "root:" not in refused
    assert command.names() == [name]


def test_a_link_to_a_file_of_the_system_shows_nothing_of_it(command: Command) -> None:
    """Whatever its name says."""
    secret = command.write("secret", PASSWD * 3)
    for suffix in ("parquet", "jsonl", "jsonl.gz", "csv.zst", "tsv", "warc", "warc.gz"):
        link = command.path(f"in.{suffix}")
        link.symlink_to(secret)
        done = command(link, command.path("out.jsonl"), "--column", "url")
        assert done.status == 2
        assert "x:0" not in done.err or suffix == "tsv"  # There, it is the name of a column.


DIRTY = {
    "csv": (
        b'id,url\n1,a://b\n2,c://d,x\n"3"x,e://f\n4,\xff\n5,http://[\n6\n\n7,g://h\n',
        {3: "another number of cells", 4: "a quotation mark is not closed, or text follows it",
         5: "not UTF-8", 7: "another number of cells"},
        [("http://[", 2)],
    ),
    "jsonl": (
        b'{"url": "a://b"}\nnope\n{"url": 1}\n\n{"url": "http://["}\n\xff\n[]\n{"url": "g://h"}',
        {2: "not JSON", 3: "'url' is not text", 4: "an empty line", 6: "not UTF-8",
         7: "not a JSON object"},
        [("http://[", 5)],
    ),
}  # fmt: skip


@pytest.mark.parametrize("to", ["csv", "jsonl", "parquet"])
@pytest.mark.parametrize("format", DIRTY)
def test_malformed_lines_are_counted_and_kept(command: Command, format: str, to: str) -> None:
    """With their numbers and their text. The other rows are as without them."""
    data, whys, bad_rows = DIRTY[format]
    source, bad = command.write(f"in.{format}", data), command.path("bad.jsonl")
    for action in ("skip", "keep"):
        out = command.path(f"{action}.{to}")
        done = command(
            source, out, *ADD, "--malformed", action, "--bad", bad, "--overwrite", "--strict"
        )
        assert done.status == 1, done.err
        assert [row["host"] for row in read_rows(out)] == ["b", None, "h"]
        lines = done.err.splitlines()
        assert lines[0] == "3 rows, 1 of them bad"
        assert lines[2] == f"{len(whys)} malformed lines, which are not in the output"
        counted = {line[4:] for line in lines[3:]}
        assert counted == set(whys.values())
        assert [(row["url"], row["row"]) for row in read_rows(bad)] == bad_rows
    kept = read_rows(command.path("bad.jsonl.malformed.jsonl"))
    assert {row["row"]: row["why"] for row in kept} == whys
    lines_of_input = data.decode(errors="replace").split("\n")
    for row in kept:
        if row["why"] not in ("not UTF-8", "an empty line"):
            assert row["text"] == lines_of_input[row["row"] - 1]


def test_a_file_with_only_malformed_rows(command: Command) -> None:
    """The output has only a header."""
    source = command.write("in.csv", "id,url\n1\n2,3,4\n")
    done = command(source, command.path("out.csv"), *ADD, "--malformed", "skip")
    assert done.status == 0
    assert command.path("out.csv").read_text() == "id,url,host\n"


def test_lines_before_damaged_data_are_kept(command: Command) -> None:
    """If malformed lines are skipped. The line that is not complete is malformed."""
    urls = "".join(f"https://h{os.urandom(8).hex()}.example/\n" for _ in range(200_000))
    data = gzip.compress(urls.encode())
    source = command.write("in.txt.gz", data[: len(data) // 2])
    done = command(source, command.path("out.txt"), "--add", "canonical", "--malformed", "skip")
    assert done.status == 0
    assert "  1 the compressed data ends early or is damaged" in done.err
    got = command.path("out.txt").read_text()
    assert 50_000 < got.count("\n") < 150_000
    assert urls.startswith(got)


def test_no_character_of_a_line_is_lost_at_a_carriage_return(command: Command) -> None:
    """DuckDB's own reader of lines drops the one after it."""
    source = command.write("in.txt", b"https://a/x\r\nhttps://b/\rq\nhttps://c/\r\r\n")
    command(source, command.path("out.csv"), "--add", "canonical")
    rows = read_rows(command.path("out.csv"))
    assert [row["url"] for row in rows] == ["https://a/x", "https://b/\rq", "https://c/\r"]
    assert [row["canonical"] for row in rows] == ["https://a/x", "https://b/q", "https://c/"]


@pytest.mark.parametrize("format", ["csv", "txt", "jsonl"])
def test_a_long_line_is_a_row_and_one_that_is_too_long_is_refused(
    command: Command, monkeypatch: pytest.MonkeyPatch, format: str
) -> None:
    """The message does not show it."""
    monkeypatch.setattr(sources, "MOST_BYTES", 3_000_000)
    monkeypatch.setattr(sources, "MOST_OF_ROW", 3_000_000)
    for size, fits in ((2_000_000, True), (9_000_000, False)):
        url = f"https://h/{'x' * size}"
        text = {"csv": f"url\n{url}\n", "txt": url, "jsonl": json.dumps({"url": url})}[format]
        source = command.write(f"in.{format}", text)
        done = command(source, command.path("out.csv"), *ADD, "--overwrite")
        assert (done.status == 0) == fits, done.err
        assert "xxx" not in done.err
        if fits:
            assert [row["host"] for row in read_rows(command.path("out.csv"))] == ["h"]


def test_a_column_that_is_not_text(command: Command) -> None:
    """Of numbers, or of lists. The message names its type."""
    table = pa.table({"n": [1], "list": [["a:"]], "url": ["a:"]})
    pq.write_table(table, command.path("in.parquet"))
    for name, kind in (("n", "BIGINT"), ("list", "VARCHAR[]")):
        for options in (("--column", name), ("--column", "url", "--base", name)):
            refused = command(command.path("in.parquet"), command.path("o.csv"), *options).refused()
            assert refused.endswith(f"{name!r} is not text, but {kind}")


def test_members_that_do_not_become_columns(command: Command) -> None:
    """Names that DuckDB cannot tell apart, and a number that is too great for its type."""
    source = command.write("in.jsonl", '{"url": "a:", "x": 1, "X": 2}\n')
    refused = command(source, command.path("out.parquet"), *ADD).refused()
    assert refused.endswith("has members that differ only in case: 'X', 'x'")
    assert command(source, command.path("out.jsonl"), *ADD).status == 0
