"""Dirty files: other encodings, lines that are not rows, and URLs inside structs."""

from __future__ import annotations

import gzip
import json
import subprocess
from collections.abc import Iterable
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from tests.columns.commands import Command, environment, program, read_rows, write_rows
from weburl.columns.files import keeping, lines, parquet_batches, tables
from weburl.columns.files.malformed import HINT
from weburl.columns.files.parquet_batches import ParquetBatches
from weburl.columns.files.places import place_of

ADD = ("--column", "u", "--add", "host,error")


@pytest.fixture
def command(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> Command:
    """Return what runs the command."""
    return Command(tmp_path, capsys)


def written(name: str, texts: Iterable[str], encoding: str) -> bytes:
    """Return a file with a URL in each row, in an encoding."""
    if name.endswith("jsonl"):
        rows = [json.dumps({"u": text}, ensure_ascii=False) for text in texts]
    else:
        rows = [*(["u"] if name.endswith("csv") else []), *texts]
    return "".join(f"{row}\n" for row in rows).encode(encoding)


@pytest.mark.parametrize("name", ["in.csv", "in.jsonl", "in.txt"])
@pytest.mark.parametrize(
    ("label", "encoding", "host"),
    [
        ("latin1", "cp1252", "é"),
        ("Windows-1251", "cp1251", "привет"),
        ("shift_jis", "shift_jis", "日本"),
        ("gb18030", "gb18030", "中\U0001f600"),
        ("iso-2022-jp", "iso2022_jp", "日本"),
        ("utf-16", "utf-16", "é"),
        ("utf-16", "utf-16-be", "\ufeffé"),
        ("utf-16le", "utf-16-le", "é"),
        ("windows-1252", "utf-8-sig", "é"),
    ],
)
def test_another_encoding(
    command: Command, name: str, label: str, encoding: str, host: str
) -> None:
    """The output is that of the same file in UTF-8. A byte order mark has priority."""
    mark, host = ("\ufeff" if "\ufeff" in host else ""), host.removeprefix("\ufeff")
    texts = [f"https://h/{host}/{number}" for number in range(9_000)]
    data = mark.encode(encoding) + written(name, texts, encoding)
    given, plain = (
        command.write(name, data),
        command.write(f"8-{name}", written(name, texts, "utf-8")),
    )
    column = () if name == "in.txt" else ("--column", "u")
    for path, options in ((given, ("--encoding", label)), (plain, ())):
        done = command(path, f"{path}.out.csv", *column, *options, "--add", "canonical")
        assert (done.status, done.err) == (0, "9,000 rows, 0 of them bad\n")
    made = Path(f"{given}.out.csv").read_bytes()
    assert made == Path(f"{plain}.out.csv").read_bytes()
    assert made.count(b"https://h/%") == 9_000


def test_bytes_that_are_not_in_the_encoding(command: Command) -> None:
    """They stay as they are, so their line is not UTF-8."""
    source = command.write("in.jsonl", b'{"u": "https://\xe9/"}\n{"u": "a:\x81"}\n')
    refused = command(source, command.path("o.jsonl"), *ADD, "--encoding", "latin1").refused()
    assert refused == f"{source}, line 2: not UTF-8. {HINT}"
    command.write("in.jsonl", '{"u": "a:b"}\n'.encode("utf-16") + b"\0")
    refused = command(source, command.path("o.jsonl"), *ADD, "--encoding", "utf-16").refused()
    assert refused == f"{source} is not utf-16le"
    lone = '{"u": "a:\ud800"}\n'.encode("utf-16", "surrogatepass")
    command.write("in.jsonl", '{"u": "a:b"}\n'.encode("utf-16-le") + lone[2:])
    refused = command(source, command.path("o.jsonl"), *ADD, "--encoding", "utf-16").refused()
    assert refused == f"{source}, line 2: not UTF-8. {HINT}"


@pytest.mark.parametrize("action", ["skip", "keep"])
@pytest.mark.parametrize("target", ["o.jsonl", "o.parquet"])
def test_lines_that_are_not_json(command: Command, action: str, target: str) -> None:
    """They are counted, and kept with their numbers. The other lines are as without them."""
    source = command.write(
        "in.jsonl",
        b'{"u": "https://a/"\n{"u": "https://b/"}\n\n["u"]\n{"u": "http://["}\n{"u": "\xff"}\n'
        b'{"u": "https://c/"}\n{"u": NaN}',
    )
    bad = command.path("bad.jsonl")
    done = command(source, command.path(target), *ADD, "--malformed", action, "--bad", bad)
    assert done.status == 0, done.err
    assert done.err == (
        "3 rows, 1 of them bad\n  1 IPv6-unclosed\n"
        "5 malformed lines, which are not in the output\n"
        "  3 not JSON\n  1 not UTF-8\n  1 not a JSON object\n"
    )
    rows = read_rows(command.path(target))
    assert [row["host"] for row in rows] == ["b", None, "c"]
    assert [row["u"] for row in read_rows(bad)] == ["http://["]
    kept = command.path("bad.jsonl.malformed.jsonl")
    assert kept.exists() == (action == "keep")
    if action == "keep":
        assert read_rows(kept) == [
            {"row": 1, "why": "not JSON", "text": '{"u": "https://a/"'},
            {"row": 3, "why": "not JSON", "text": ""},
            {"row": 4, "why": "not a JSON object", "text": '["u"]'},
            {"row": 6, "why": "not UTF-8", "text": '{"u": "\\xff"}'},
            {"row": 8, "why": "not JSON", "text": '{"u": NaN}'},
        ]
    assert not list(command.folder.glob("*.partial"))
    strict = command(source, command.path("s.jsonl"), *ADD, "--malformed", "skip", "--strict")
    assert strict.status == 1


@pytest.mark.parametrize("workers", [1, 2])
@pytest.mark.parametrize(
    ("name", "target"),
    [
        ("in.txt", "bad.csv"),
        ("in.csv", "bad.parquet"),
        ("in.jsonl", "bad.jsonl"),
        ("in.jsonl", "bad.csv"),
        ("in.parquet", "bad.csv"),
    ],
)
def test_a_bad_row_has_its_number_in_the_input(
    command: Command, name: str, target: str, workers: int
) -> None:
    """It is that of its line, whatever malformed lines and batches come before it."""
    texts = [f"https://h/{number}" for number in range(80_000)]
    bad = [0, 1, 5_000, 32_767, 32_768, 40_001, 70_000, 79_999]
    for number in bad:
        texts[number] = f"http://[{number}"
    source = command.path(name)
    if name == "in.parquet":
        write_rows(source, [{"u": text} for text in texts])
        options: tuple[object, ...] = ()
    else:
        lines = written(name, texts, "utf-8").splitlines(keepends=True)
        options = ("--malformed", "skip")
        if name != "in.txt":  # every line of it is a row
            at = [number + name.endswith("csv") for number in (2, 5_001, 40_000, 69_999)]
            for number in at:
                lines[number] = b"x,y\n"
            lines[at[0] + 1] = b'"\xff"\n' if name == "in.csv" else b'{"u": 1}\n'
        source.write_bytes(b"".join(lines))
    add = ("--add", "error") if name == "in.txt" else ("--column", "u", "--add", "host,error")
    made = (command.path("o.csv"), *add, *options, "--bad", command.path(target))
    done = command(source, *made, "--workers", workers)
    assert done.status == 0, done.err
    rows = read_rows(command.path(target))
    first = 2 if name == "in.csv" else 1
    assert [int(row["row"]) for row in rows] == [number + first for number in bad]
    assert [row.get("u", row.get("url")) for row in rows] == [texts[number] for number in bad]


@pytest.mark.parametrize("name", ["in.csv", "in.jsonl"])
def test_a_column_of_the_input_may_have_the_name_of_the_numbers(
    command: Command, name: str
) -> None:
    """Then the numbers need a prefix, but only if there is a file of bad rows."""
    source = command.path(name)
    write_rows(source, [{"u": "http://[", "row": "x"}])
    made, bad = command.path(f"o.{name}"), command.path(f"bad.{name}")
    refused = command(source, made, *ADD, "--bad", bad).refused()
    assert "already has 'row': use --prefix for other names" in refused
    assert command(source, made, *ADD).status == 0
    given = (source, made, *ADD, "--overwrite", "--prefix", "_", "--bad", bad)
    assert command(*given).status == 0
    (row,) = read_rows(bad)
    assert (row["row"], int(row["_row"])) == ("x", 2 if name == "in.csv" else 1)


def test_rows_that_are_not_csv(command: Command) -> None:
    """Rows with another number of cells, rows that are not UTF-8, and an open quotation mark."""
    source = command.write(
        "in.csv",
        b"u,n\nhttps://a/,1\nhttps://b/\n\xff,3\nhttps://c/,4\n\nhttps://d/,5,6\n"
        b'"https://e/\n",7\nhttps://f/,"8\nhttps://g/,9\nhttps://h/\nhttps://i/,1\n',
    )
    bad = command.path("bad.csv")
    done = command(source, command.path("o.csv"), *ADD, "--malformed", "keep", "--bad", bad)
    assert done.status == 0, done.err
    assert "5 malformed lines" in done.err
    assert (
        "  3 another number of cells\n  1 a quotation mark is not closed\n  1 not UTF-8" in done.err
    )
    assert [row["host"] for row in read_rows(command.path("o.csv"))] == ["a", "c", "e", "g", "i"]
    assert read_rows(command.path("bad.csv.malformed.jsonl")) == [
        {"row": 3, "why": "1 cells, but the header has 2", "text": "https://b/"},
        {"row": 4, "why": "not UTF-8", "text": "\\xff,3"},
        {"row": 6, "why": "3 cells, but the header has 2", "text": "https://d/,5,6"},
        {"row": 8, "why": "a quotation mark is not closed", "text": 'https://f/,"8'},
        {"row": 10, "why": "1 cells, but the header has 2", "text": "https://h/"},
    ]


def test_a_row_of_csv_that_swallows_megabytes(
    command: Command, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Its first line is malformed, and no row after it is lost."""
    monkeypatch.setattr(tables, "BLOCK", 1 << 10)
    monkeypatch.setattr(tables, "_CSV_BLOCK", 1 << 12)
    rows = [f"https://h{number}/,{number}\n" for number in range(3_000)]
    source = command.write("in.csv", "".join(["u,n\n", rows[0], 'https://x/,"\n', *rows[1:]]))
    done = command(source, command.path("o.csv"), *ADD, "--malformed", "skip")
    assert done.status == 0, done.err
    assert done.err.startswith("3,000 rows, 0 of them bad\n1 malformed lines")
    hosts = [row["host"] for row in read_rows(command.path("o.csv"))]
    assert hosts == [f"h{number}" for number in range(3_000)]
    command.write("in.csv", "u,n\n" + "x" * (1 << 18))
    refused = command(source, command.path("p.csv"), *ADD, "--malformed", "skip").refused()
    assert "a row after row 1 is longer than" in refused


def test_a_file_with_nothing_but_malformed_rows(command: Command) -> None:
    """The output has only a header."""
    source = command.write("in.csv", "u,n\n1\n2\n")
    done = command(source, command.path("o.csv"), *ADD, "--malformed", "skip")
    assert done.err.startswith("0 rows, 0 of them bad\n2 malformed lines")
    assert command.path("o.csv").read_bytes() == b"u,n,host,error\n"
    source = command.write("in.jsonl", "1\n2\n")
    refused = command(source, command.path("o.jsonl"), *ADD, "--malformed", "skip").refused()
    assert refused == f"{source}: the first lines are not JSON objects"


@pytest.mark.parametrize("kind", ["csv", "jsonl"])
def test_malformed_lines_in_a_run_that_is_resumed(
    command: Command, kind: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """All files are those of a single run, to the last byte."""
    monkeypatch.setattr(lines, "BLOCK", 1 << 10)
    monkeypatch.setattr(tables, "BLOCK", 1 << 10)
    rows = [
        {"u": f"https://h{number}/" if number % 7 else "http://[", "n": 1}
        for number in range(5_000)
    ]
    path = command.path(f"in.{kind}")
    write_rows(path, rows)
    texts = path.read_text("utf-8").splitlines()
    path.write_text(
        "\n".join(text + ("" if n % 9 else "}{,") for n, text in enumerate(texts, 1)), "utf-8"
    )
    options = (*ADD, "--malformed", "keep", "--keep-seconds", 0)
    whole = command(path, command.path(f"whole.{kind}"), *options, "--bad", command.path("w.csv"))
    assert whole.status == 0, whole.err
    keep, number = keeping.Keeping.keep, 0

    def stop(self: keeping.Keeping, added: Any) -> None:
        nonlocal number
        number += 1
        if number == 6:
            raise KeyboardInterrupt
        keep(self, added)

    monkeypatch.setattr(keeping.Keeping, "keep", stop)
    arguments = (path, command.path(f"made.{kind}"), *options, "--bad", command.path("m.csv"))
    assert command(*arguments).status == 130
    monkeypatch.setattr(keeping.Keeping, "keep", keep)
    made = command(*arguments, "--resume")
    assert made.status == 0, made.err
    assert made.err.startswith(whole.err)
    assert "rows were computed by an earlier run" in made.err
    for one, other in (
        (f"whole.{kind}", f"made.{kind}"),
        ("w.csv", "m.csv"),
        ("w.csv.malformed.jsonl", "m.csv.malformed.jsonl"),
    ):
        assert command.path(one).read_bytes() == command.path(other).read_bytes()
    assert len(read_rows(command.path("m.csv.malformed.jsonl"))) == len(texts) // 9


@pytest.mark.parametrize("source", ["parquet", "jsonl"])
@pytest.mark.parametrize("target", ["parquet", "jsonl"])
def test_a_field_of_a_struct(command: Command, source: str, target: str) -> None:
    """By a name with dots, where no column has this name."""
    page = [{"of": {"url": "/a"}}, None, {"of": None}, {"of": {"url": "http://["}}]
    rows = [{"page": inner, "site": {"base": "https://h/"}} for inner in page]
    given, made = command.path(f"in.{source}"), command.path(f"o.{target}")
    write_rows(given, rows)
    options = ("--column", "page.of.url", "--base-column", "site.base")
    done = command(given, made, *options)
    assert done.err == "4 rows, 1 of them bad\n  1 IPv6-unclosed\n"
    assert [(row["canonical"], row["error"]) for row in read_rows(made)] == [
        ("https://h/a", None),
        (None, None),
        (None, None),
        (None, "IPv6-unclosed"),
    ]
    assert [row["page"] for row in read_rows(made)][1] is None
    refused = command(given, command.path("n.jsonl"), "--column", "page.of.x").refused()
    assert "no 'page.of.x'" in refused or "no column 'page.of.x'" in refused


def test_a_column_whose_name_has_a_dot_comes_first(command: Command) -> None:
    """Before the field of a struct."""
    rows = [{"a": {"b": "https://field/"}, "a.b": "https://column/"}]
    write_rows(command.path("in.jsonl"), rows)
    for name in ("o.jsonl", "o.parquet"):
        target = command.path(name)
        command(command.path("in.jsonl"), target, "--column", "a.b", "--add", "host")
        assert [row["host"] for row in read_rows(target)] == ["column"]


@pytest.mark.parametrize(
    "others",
    [
        {"a": [{"b": "https://field/"}, None]},
        {"a": [{"b": 1}, None]},
        {"a": [[{"b": "https://field/"}], []]},
        {"a": ["https://a/", None]},
        {"a": [{"b": [["https://field/"]]}, None]},
    ],
    ids=["text", "number", "list", "prefix", "lists"],
)
@pytest.mark.parametrize("is_first", [True, False])
@pytest.mark.parametrize("of_lists", [False, True], ids=["texts", "lists"])
def test_columns_with_one_path_in_parquet(
    command: Command, others: dict[str, list[Any]], is_first: bool, of_lists: bool
) -> None:
    """The field "b" of "a" and a column "a.b" have the same path in the file."""
    urls = ["https://column/", None]
    named = {"u": urls, "a.b": [urls, []]} if of_lists else {"a.b": urls}
    table = pa.table({**named, **others} if is_first else {**others, **named})
    pq.write_table(table, command.path("in.parquet"))
    target = command.path("o.parquet")
    name = "u" if of_lists else "a.b"
    assert command(command.path("in.parquet"), target, "--column", name).status == 0
    made = pq.read_table(target)
    assert made["canonical"].to_pylist() == urls
    assert made.select(table.column_names) == table


def test_a_long_value_among_columns_with_one_path(
    command: Command, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The rows at a time are few enough, though the dictionary of one of them is not read."""
    monkeypatch.setattr(parquet_batches, "_BATCH_BYTES", 1 << 20)
    table = pa.table({"a.b": ["x" * (1 << 16)] * 100, "a": [{"b": "https://h/"}] * 100})
    pq.write_table(table, command.path("in.parquet"))
    place = place_of(str(command.path("in.parquet")), None, None)
    batches = ParquetBatches(place, pq.ParquetFile(place.path))
    assert [batch.num_rows for batch in batches][:2] == [15, 15]


@pytest.mark.parametrize("name", ["a.b", "a.b.c", "a.b.c.d"])
def test_names_with_dots_at_every_level(command: Command, name: str) -> None:
    """The longest name of a column that fits is meant."""
    inner = {"c.d": "https://c.d/", "c": "https://c/"}
    rows: dict[str, dict[str, list[Any]]] = {
        "a.b": {"a.b": ["https://a.b/"], "a": [{"b": "https://b/"}]},
        "a.b.c": {"a.b": [inner]},
        "a.b.c.d": {"a": [{"b": inner}]},
    }
    table = pa.table(rows[name])
    pq.write_table(table, command.path("in.parquet"))
    target = command.path("o.jsonl")
    options = ("--column", name, "--add", "host")
    assert command(command.path("in.parquet"), target, *options).status == 0
    assert read_rows(target)[0]["host"] == name.removeprefix("a.b.")


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (["in.csv", "--malformed", "keep"], "--malformed keep needs --bad FILE"),
        (["in.parquet", "--malformed", "skip"], "--malformed is for text: a Parquet file has no"),
        (["in.parquet", "--encoding", "latin1"], "--encoding is for text: Parquet is always"),
        (["in.csv", "--encoding", "latin-one"], "--encoding does not know 'latin-one'"),
        (["in.csv", "--encoding", "\udcff"], "--encoding does not know"),
    ],
)
def test_options_that_do_not_fit(command: Command, options: list[str], message: str) -> None:
    """Nothing is written."""
    source, *others = options
    command.write(source, "u\na:b\n")
    column = () if source == "in.txt" else ("--column", "u")
    refused = command(
        command.path(source), command.path("o.csv"), *column, "--add", "host", *others
    )
    assert message in refused.refused()
    assert command.names() == [source]


def test_compressed_bytes_without_their_extension(command: Command) -> None:
    """The message names the compression. It was "not UTF-8"."""
    data = gzip.compress(b"u\na:b\n")
    source = command.write("in.csv", data)
    refused = command(source, command.path("o.csv"), *ADD).refused()
    assert refused == f"{source} is compressed by gzip: its name must end in .gz"
    done = subprocess.run(
        program("-", "-", "--from", "csv", *ADD),
        input=data,
        env=environment(),
        capture_output=True,
        timeout=300,
        check=False,
    )
    assert (done.returncode, done.stdout) == (2, b"")
    assert done.stderr.decode() == (
        "weburl columns: standard input or output is compressed by gzip: decompress it"
        " first, as in 'gzip -dc |'\n"
    )
