"""Files with columns added: every format, the answers, and what stays as it was."""

from __future__ import annotations

import gzip
import json
from datetime import UTC, datetime
from decimal import Decimal
from typing import Any, get_args

import pandas as pd
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from tests.columns.commands import (
    FORMATS,
    TEXTS,
    Command,
    as_cells,
    expected,
    outside,
    read_rows,
    write_rows,
)
from tests.corpus import corpus
from weburl.columns import Part
from weburl.columns.files import sources
from weburl.columns.files.arguments import NAMES
from weburl.columns.table import PARTS

ALL = ",".join(NAMES)


def rows_of(texts: list[str | None]) -> list[dict[str, Any]]:
    """Return rows with a URL each, between other columns."""
    return [
        {"id": f"{number:03}", "url": text, "note": f'n "{number}",\n'}
        for number, text in enumerate(texts)
    ]


@pytest.mark.parametrize("to", FORMATS)
@pytest.mark.parametrize("format", FORMATS)
def test_each_format_becomes_each_format_with_the_answers_of_the_scalar_functions(
    command: Command, format: str, to: str
) -> None:
    """Every name of ``--add``, for rows that are hard to read or write."""
    rows = rows_of(TEXTS)
    source, target = command.path(f"in.{format}"), command.path(f"out.{to}")
    write_rows(source, rows)
    result = command(source, target, "--column", "url", "--add", ALL, "--param", "q",
                     "--policy", "public_link")  # fmt: skip
    assert result.status == 0, result.err
    wanted = [{**row, **expected(row["url"])} for row in rows]
    if to in ("csv", "tsv"):
        wanted = [as_cells(row) for row in wanted]
    assert read_rows(target) == wanted
    assert list(read_rows(target)[0]) == ["id", "url", "note", *NAMES, "param_q"]
    assert command.names() == sorted([source.name, target.name])


@pytest.mark.parametrize("format", FORMATS)
def test_the_links_of_the_corpus(command: Command, format: str) -> None:
    """5,000 of them, by two threads; the summary counts the failures."""
    texts = [link.encode(errors="replace").decode() for link in corpus()[:5000]]
    write_rows(command.path(f"in.{format}"), [{"url": text} for text in texts])
    target = command.path("out.parquet")
    result = command(
        *(command.path(f"in.{format}"), target, "--column", "url", "--threads", 2),
        *("--add", "canonical,host,port,registrable_domain,error"),
    )
    names = ["canonical", "host", "port", "registrable_domain", "error"]
    empty_is_null = format in ("csv", "tsv")
    wanted = []
    for text in texts:
        made = expected(text)
        wanted.append({"url": text, **{name: made[name] for name in names}})
    got = read_rows(target)
    assert len(got) == 5000
    assert got == wanted
    bad = sum(row["error"] is not None for row in wanted)
    assert result.err.splitlines()[0] == f"5,000 rows, {bad:,} of them bad"
    assert not empty_is_null or "" not in texts


def test_values_of_parquet_stay(command: Command) -> None:
    """With the types that DuckDB has for them."""
    schema = pa.schema(
        [
            pa.field("n", pa.int8()),
            pa.field("url", pa.dictionary(pa.int32(), pa.string())),
            pa.field("list", pa.list_(pa.struct([("x", pa.float32())]))),
            pa.field("time", pa.timestamp("ns")),
            pa.field("money", pa.decimal128(12, 2)),
            pa.field("data", pa.binary()),
            pa.field("row;'\"u", pa.string()),
        ]
    )
    row = {
        "n": 1,
        "url": "HTTPS://a",
        "list": [{"x": 1.5}],
        "time": pd.Timestamp(1_000_000_001),
        "money": Decimal("1.20"),
        "data": b"\0\1\2",
        "row;'\"u": "x",
    }
    table = pa.Table.from_pylist([row, {**row, "url": "nope"}, {**row, "url": None}], schema)
    pq.write_table(table, command.path("in.parquet"))
    assert command(command.path("in.parquet"), command.path("out.parquet"), "--column", "url",
                   "--add", "canonical,port,error").status == 0  # fmt: skip
    made = pq.read_table(command.path("out.parquet"))
    assert made.select(schema.names).to_pylist() == table.to_pylist()
    assert made.schema.field("n").type == pa.int8()
    assert made.schema.field("money").type == pa.decimal128(12, 2)
    assert made["canonical"].to_pylist() == ["https://a/", None, None]
    assert made.schema.field("port").type == pa.int32()
    metadata = pq.ParquetFile(command.path("out.parquet")).metadata
    assert metadata.row_group(0).column(0).compression == "ZSTD"


@pytest.mark.parametrize(
    "type", [pa.large_string(), pa.string_view(), pa.binary(), pa.large_binary()]
)
def test_columns_of_other_types_of_text(command: Command, type: Any) -> None:
    """Bytes that are not UTF-8 are a bad row."""
    urls = pa.array([b"HTTPS://a", None, b"nope"]).cast(type)
    if pa.types.is_binary(type):
        urls = pa.array([b"HTTPS://a", None, b"\xff"], type)
    pq.write_table(pa.table({"u": urls}), command.path("in.parquet"))
    command(command.path("in.parquet"), command.path("out.parquet"), "--column", "u",
            "--add", "host,canonical,error")  # fmt: skip
    rows = read_rows(command.path("out.parquet"))
    assert [row["canonical"] for row in rows] == ["https://a/", None, None]
    bad = "not-UTF-8" if pa.types.is_binary(type) else "missing-scheme-non-relative-URL"
    assert [row["error"] for row in rows] == [None, None, bad]
    assert rows[0]["host"] == "a"


def test_cells_of_csv_stay_to_the_letter(command: Command) -> None:
    """Numbers keep their zeros; an empty cell and "" stay two things; quotes where needed."""
    source = command.write(
        "in.csv", '\ufeffn,url,"a ""b"""\r\n007,a:b,1.10\r\n,"",""\r\n1e5,"a:,","x\ny"\r\n'
    )
    command(source, command.path("out.csv"), "--column", "url", "--add", "canonical,error")
    assert command.path("out.csv").read_bytes() == (
        b'n,url,"a ""b""",canonical,error\n'
        b"007,a:b,1.10,a:b,\n"
        b',"","",,missing-scheme-non-relative-URL\n'
        b'1e5,"a:,","x\ny","a:,",\n'
    )


def test_lines_of_json_stay_to_the_letter(command: Command) -> None:
    """New members are at the end. Numbers, spaces, and names given twice stay."""
    lines = [
        '{"url": "HTTPS:\\u002f\\u002fa",  "n": 1.10, "n": 1e400, "big": 123456789012345678901}',
        '  {"url":null}\t',
        "{}",
        '{ "url" : "nope" , "deep": [[{"host": 1}]] }',
    ]
    source = command.write("in.jsonl", "\r\n".join(lines))
    result = command(source, command.path("out.jsonl"), "--column", "url", "--add", "canonical")
    assert result.status == 0, result.err
    assert command.path("out.jsonl").read_text("utf-8").splitlines() == [
        f'{lines[0][:-1]}, "canonical":"https://a/"}}',
        '  {"url":null, "canonical":null}',
        '{"canonical":null}',
        f'{lines[3][:-2]}, "canonical":null}}',
    ]
    assert "1 missing-scheme-non-relative-URL" in result.err


@pytest.mark.parametrize("format", ["txt", "jsonl"])
def test_a_byte_order_mark_splits_no_line(
    command: Command, monkeypatch: pytest.MonkeyPatch, format: str
) -> None:
    """The first block was shorter without it, so it was taken for the last one."""
    monkeypatch.setattr(sources, "_BLOCK", 64)
    urls = [f"https://h{number}.example/" for number in range(20)]
    texts = urls if format == "txt" else [json.dumps({"url": url}) for url in urls]
    source = command.write(f"in.{format}", "\ufeff" + "\n".join(texts))
    result = command(source, command.path("out.csv"), "--column", "url", "--add", "canonical")
    assert result.err == "20 rows, 0 of them bad\n"
    assert [row["canonical"] for row in read_rows(command.path("out.csv"))] == urls


def test_lines_of_json_become_columns(command: Command) -> None:
    """With types; a name that a line does not have is null there."""
    source = command.write(
        "in.jsonl",
        '{"url": "a:b", "n": 1}\n{"n": 2, "list": [1.5], "url": "c:"}\n{"url": null, "z": {}}\n',
    )
    command(source, command.path("out.parquet"), "--column", "url", "--add", "scheme")
    assert read_rows(command.path("out.parquet")) == [
        {"url": "a:b", "n": 1, "list": None, "z": None, "scheme": "a"},
        {"url": "c:", "n": 2, "list": [1.5], "z": None, "scheme": "c"},
        {"url": None, "n": None, "list": None, "z": "{}", "scheme": None},
    ]
    command(source, command.path("out.csv"), "--column", "url", "--add", "scheme")
    assert command.path("out.csv").read_text("utf-8") == (
        "url,n,list,z,scheme\na:b,1,,,a\nc:,2,[1.5],,c\n,,,{},\n"
    )


def test_values_without_a_type_in_json_or_csv(command: Command) -> None:
    """Dates are text, and nested values are JSON in the cells of CSV."""
    table = pa.table(
        {"url": ["a:b"], "at": [datetime(2026, 1, 2, tzinfo=UTC)], "f": [[{"x": 1.5}]]}
    )
    pq.write_table(table, command.path("in.parquet"))
    options = ("--column", "url", "--add", "host")
    command(command.path("in.parquet"), command.path("out.jsonl"), *options)
    (row,) = read_rows(command.path("out.jsonl"))
    assert row == {"url": "a:b", "at": row["at"], "f": [{"x": 1.5}], "host": None}
    assert row["at"].startswith("2026-01-02 00:00:00")
    command(command.path("in.parquet"), command.path("out.csv"), *options)
    (cells,) = read_rows(command.path("out.csv"))
    assert cells["f"] == '[{"x":1.5}]'


def test_plain_text(command: Command) -> None:
    """A URL on each line: empty lines are null, and bytes that are no text are a bad row."""
    source = command.write("in.txt", b"\xef\xbb\xbfHTTPS://a\r\n\n\xff:\nb:c")
    command(source, command.path("out.csv"), "--add", "canonical,error")
    assert command.path("out.csv").read_text("utf-8") == (
        "url,canonical,error\nHTTPS://a,https://a/,\n,,\n\\xFF:,,not-UTF-8\nb:c,b:c,\n"
    )
    command(source, command.path("out.txt"), "--add", "canonical", "--bad", command.path("bad.txt"))
    assert command.path("out.txt").read_text("utf-8") == "https://a/\n\n\nb:c\n"
    assert command.path("bad.txt").read_text("utf-8") == "\\xFF:\n"
    refused = command(source, command.path("more.txt")).refused()
    assert refused == "plain text has only one column: name one with --add"


@pytest.mark.parametrize(("suffix", "magic"), [("gz", b"\x1f\x8b"), ("zst", b"(\xb5/\xfd")])
def test_compressed_files(command: Command, suffix: str, magic: bytes) -> None:
    """By their extensions, on both sides."""
    rows = rows_of(TEXTS)
    write_rows(command.path("in.jsonl"), rows)
    packed, again = command.path(f"p.jsonl.{suffix}"), command.path(f"again.csv.{suffix}")
    command(command.path("in.jsonl"), packed, "--column", "url", "--add", "host")
    assert packed.read_bytes().startswith(magic)
    command(packed, again, "--column", "url", "--add", "port")
    command(again, command.path("out.jsonl"), "--column", "url", "--add", "scheme")
    got = read_rows(command.path("out.jsonl"))
    assert [row["host"] for row in got] == [expected(row["url"])["host"] for row in rows]
    assert [row["scheme"] for row in got] == [expected(row["url"])["scheme"] for row in rows]


def test_members_of_gzip_one_after_the_other(command: Command) -> None:
    """As `cat a.gz b.gz` makes them."""
    source = command.write("in.txt.gz", gzip.compress(b"a:\n") + gzip.compress(b"b:\n"))
    command(source, command.path("out.txt"), "--add", "canonical")
    assert command.path("out.txt").read_text("utf-8") == "a:\nb:\n"


def test_bases(command: Command) -> None:
    """One for all rows, or a column; parts are those of the joined URL."""
    rows: list[dict[str, Any]] = [
        {"url": "../x?q=1", "page": "https://a.example/b/c"},
        {"url": "y", "page": None},
        {"url": "z", "page": "nope"},
        {"url": "//h", "page": "http://b/"},
    ]
    source = command.path("in.jsonl")
    write_rows(source, rows)
    names = ["canonical", "error", "host", "scheme", "origin"]
    add = ("--column", "url", "--add", ",".join(names), "--param", "q")
    command(source, command.path("one.jsonl"), *add, "--base", "https://base/d/")
    wanted = [{**row, **_some([*names, "param_q"], row["url"], "https://base/d/")} for row in rows]
    assert read_rows(command.path("one.jsonl")) == wanted
    command(source, command.path("of-rows.jsonl"), *add, "--base", "page")
    got = read_rows(command.path("of-rows.jsonl"))
    none = "missing-scheme-non-relative-URL"
    assert [(row["canonical"], row["error"], row["param_q"]) for row in got] == [
        ("https://a.example/x?q=1", None, "1"),
        (None, None, None),
        (None, none, None),
        ("http://h/", None, None),
    ]


def _some(names: list[str], text: str, base: str) -> dict[str, Any]:
    made = expected(text, base)
    return {name: made[name] for name in names}


def test_bad_rows_are_counted_kept_and_written_apart(command: Command) -> None:
    """With the error, whether it was asked for or not; ``--strict`` shows in the status."""
    rows = rows_of(TEXTS)
    write_rows(command.path("in.csv"), rows)
    add = ("--column", "url", "--add", "host")
    result = command(command.path("in.csv"), command.path("out.csv"), *add, "--strict",
                     "--bad", command.path("bad.jsonl"))  # fmt: skip
    failures = [(row, expected(row["url"])["error"]) for row in rows]
    bad = [(n, row, name) for n, (row, name) in enumerate(failures, 1) if name is not None]
    assert len(bad) > 3
    assert result.status == 1
    assert result.err.splitlines()[0] == f"{len(rows)} rows, {len(bad)} of them bad"
    assert len(read_rows(command.path("out.csv"))) == len(rows)
    assert read_rows(command.path("bad.jsonl")) == [
        {**row, "host": None, "error": name, "row": number} for number, row, name in bad
    ]
    counted = {line.split()[1]: int(line.split()[0]) for line in result.err.splitlines()[1:]}
    assert sum(counted.values()) == len(bad)
    write_rows(command.path("good.csv"), rows[:1])
    assert command(command.path("good.csv"), command.path("o.csv"), *add, "--strict").status == 0
    quiet = command(command.path("in.csv"), command.path("q.csv"), *add, "--quiet")
    assert (quiet.status, quiet.err) == (0, "")


def test_new_columns_have_names_of_their_own(command: Command) -> None:
    """A name that is there is an error, and ``--prefix`` is the way out."""
    write_rows(command.path("in.csv"), [{"url": "a:b", "host": "mine"}])
    add = ("--column", "url", "--add", "host,error")
    source = command.path("in.csv")
    refused = command(source, command.path("out.csv"), *add).refused()
    assert refused == f"{source} already has 'host': use --prefix for other names"
    command(source, command.path("out.csv"), *add, "--prefix", "url_")
    assert list(read_rows(command.path("out.csv"))[0]) == ["url", "host", "url_host", "url_error"]
    write_rows(command.path("in.jsonl"), [{"url": "a:b"}, {"url": "a:b", "host": 1}])
    refused = command(command.path("in.jsonl"), command.path("o.jsonl"), *add).refused()
    assert "line 2: it already has a new member" in refused
    bad = ("--add", "canonical", "--bad", command.path("bad.csv"))
    write_rows(command.path("e.csv"), [{"url": "a:b", "error": "x"}])
    assert (
        "'error'"
        in command(command.path("e.csv"), command.path("o.csv"), "--column", "url", *bad).refused()
    )
    assert command.names() == ["e.csv", "in.csv", "in.jsonl", "out.csv"]


def test_streams(command: Command) -> None:
    """From standard input to standard output, with nothing else there."""
    done = outside("-", "-", "--from", "jsonl", "--column", "u", input=b'{"u": "HTTPS://a"}\n')
    assert json.loads(done.stdout) == {"u": "HTTPS://a", "canonical": "https://a/", "error": None}
    assert done.stderr == b"1 rows, 0 of them bad\n"
    target = command.path("out.parquet")
    done = outside("-", target, "--from", "text", "--add", "host", input=b"http://h\n")
    assert read_rows(target) == [{"url": "http://h", "host": "h"}]
    assert command.names() == ["out.parquet"]


@pytest.mark.parametrize("format", FORMATS)
def test_no_rows(command: Command, format: str) -> None:
    """A file with only columns stays one."""
    source = command.path(f"in.{format}")
    if format == "parquet":
        pq.write_table(pa.table({"url": pa.array([], pa.string())}), source)
    else:
        source.write_text("" if format == "jsonl" else "url\n")
    result = command(source, command.path(f"out.{format}"), "--column", "url", "--add", "port")
    assert (result.status, result.err) == (0, "0 rows, 0 of them bad\n")
    if format == "parquet":
        assert pq.read_schema(command.path("out.parquet")).names == ["url", "port"]
    elif format == "jsonl":
        assert command.path("out.jsonl").read_bytes() == b""
    else:
        assert command.path(f"out.{format}").read_bytes().split() in (
            [b"url,port"],
            [b"url", b"port"],
        )


def test_keys_are_added_by_the_names_of_ready_rules(command: Command) -> None:
    """Each is a column of its own; another name is refused."""
    source, target = command.path("in.jsonl"), command.path("out.jsonl")
    write_rows(source, [{"url": "http://www.a.b/c/?utm_id=1#x"}, {"url": "nope"}])
    command(source, target, "--column", "url", "--key", "page", "--key", "browser")
    assert [(row["key_page"], row["key_browser"]) for row in read_rows(target)] == [
        ("https://a.b/c", "http://www.a.b/c/?utm_id=1"),
        (None, None),
    ]
    refused = command(source, command.path("o.jsonl"), "--column", "url", "--key", "x").refused()
    assert "browser, page, crawl" in refused


def test_the_names_of_parts_are_those_of_the_functions() -> None:
    """The arguments are read without pyarrow, so they have a list of their own."""
    assert get_args(Part) == PARTS


def test_a_column_without_schemes_says_what_may_be_meant(command: Command) -> None:
    """If that is all that is wrong, and neither hosts nor a base was named."""
    hint = "No row has a scheme: use --hosts if they are hosts"
    source = command.write("in.csv", "u\nwww.example.com\nexample.org\n")
    arguments = (source, command.path("out.csv"), "--column", "u", "--overwrite")
    assert hint in command(*arguments).err
    assert hint not in command(*arguments, "--hosts").err
    assert hint not in command(*arguments, "--base", "https://example.com/").err
    assert hint not in command(*arguments, "--quiet").err
    command.write("in.csv", "u\nwww.example.com\nhttps://example.org\n")
    assert hint not in command(*arguments).err
