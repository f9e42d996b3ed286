"""Output that is split up into folders by a column, read back by DuckDB, pyarrow and Polars."""

from __future__ import annotations

import stat
from pathlib import Path
from typing import Any
from urllib.parse import unquote

import duckdb
import polars as pl
import pyarrow as pa
import pyarrow.dataset as ds
import pyarrow.parquet as pq
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.columns.commands import TEXTS, Command, expected, outside, write_rows
from weburl import columns
from weburl.columns.files import keeping, parquet_batches, partitions, tables
from weburl.columns.files.adding import Adding
from weburl.columns.files.partitions import NO_VALUE, Partitioning

HOSTILE = ["", ".", "..", "/etc/passwd", "a/../../b", "\x00", "a.", "A", "\u00e9", "%2E", NO_VALUE]
HASHES = ["--key-hash", "page", "--key-hash", "crawl"]
PAGES = [f"https://www.h{number % 7}.example/{number}" for number in range(500)]


@pytest.fixture
def command(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> Command:
    """Return what runs the command."""
    return Command(tmp_path, capsys)


def read(folder: Path, name: str) -> list[tuple[int, str | int | None]]:
    """Return the number and the value of each row. Three engines must agree about them."""
    files = f"{folder}/**/*.parquet"
    in_arrow = ds.dataset(folder, format="parquet", partitioning="hive")
    rows = sorted((row["n"], row[name]) for row in in_arrow.to_table(["n", name]).to_pylist())
    in_duckdb = duckdb.sql(
        f"SELECT n, {name} FROM read_parquet('{files}', hive_partitioning = true) ORDER BY n"
    )
    assert in_duckdb is not None and in_duckdb.fetchall() == rows
    in_polars = pl.scan_parquet(files, hive_partitioning=True).select("n", name).sort("n")
    assert in_polars.collect().rows() == rows
    return rows


def contents(folder: Path) -> dict[str, bytes]:
    """Return what is in each file below a folder."""
    return {
        path.relative_to(folder).as_posix(): path.read_bytes()
        for path in sorted(folder.rglob("*"))
        if path.is_file()
    }


@pytest.mark.parametrize("by", ["registrable_domain", "host", "scheme"])
@pytest.mark.parametrize("format", ["parquet", "csv", "jsonl"])
def test_engines_read_the_value_of_each_row(command: Command, by: str, format: str) -> None:
    """Null, "" and what is too long for a name are null; all other columns stay."""
    texts = [*TEXTS, "foo://A%2Fb..%2f/", "https://a.example./", f"https://{'a' * 300}.com/"]
    rows = [{"n": number, "url": text} for number, text in enumerate(texts)]
    write_rows(command.path(f"in.{format}"), rows)
    out = command.path("out")
    bad = command.path("bad.csv")
    result = command(
        command.path(f"in.{format}"), out, "--column", "url", "--partition-by", by, "--bad", bad
    )
    assert result.status == 0, result.err
    wanted = [expected(text)[by] or None for text in texts]
    wanted = [value if len(value or "") < 230 else None for value in wanted]
    read_back = [(int(number), value) for number, value in read(out, by)]
    assert sorted(read_back) == list(enumerate(wanted))
    names = ds.dataset(out, format="parquet").schema.names
    assert names == ["n", "url", "canonical", "error"]
    assert f",{by},row\n" in bad.read_text("utf-8")
    assert result.err.startswith(f"{len(rows)} rows, ")


def test_buckets_are_the_hash_modulo_their_number(command: Command) -> None:
    """So a batch that is hashed elsewhere finds its bucket; null hashes have a folder."""
    urls = [*PAGES, "nope", None]
    rows = [{"n": number, "url": url} for number, url in enumerate(urls)]
    write_rows(command.path("in.parquet"), rows)
    arguments = (command.path("in.parquet"), command.path("out"), "--column", "url")
    result = command(*arguments, "--partition-by", "key_hash", "--buckets", 64)
    assert result.status == 0, result.err
    hashes = columns.key_hash(pa.array(urls), "page").to_pylist()
    wanted = [None if value is None else value % 64 for value in hashes]
    assert read(command.path("out"), "bucket") == list(enumerate(wanted))
    table = ds.dataset(command.path("out"), format="parquet").to_table()
    assert dict(zip(table["n"].to_pylist(), table["key_hash_page"].to_pylist(), strict=True)) == (
        dict(enumerate(hashes))
    )
    assert len(contents(command.path("out"))) == len({*wanted})


@given(st.lists(st.one_of(st.none(), st.sampled_from(HOSTILE), st.text())))
def test_a_folder_is_one_name_that_means_the_value(values: list[str | None]) -> None:
    """Whatever the value is, and also where capital letters or a dot at the end do not count."""
    own = [None if value is None else value.encode(errors="replace").decode() for value in values]
    folders = Partitioning("host").folders(pa.array(own, pa.string())).to_pylist()
    assert len(folders) == len(own)
    for value, folder in zip(own, folders, strict=True):
        name, _, text = folder.partition("=")
        assert name == "host"
        assert len(folder) <= 255
        assert Path(folder).name == folder
        if text == NO_VALUE:
            assert not value or len(value) > 50
        else:
            assert unquote(text) == value
            assert text.lower() == text or "%" in text
            assert not text.endswith(".")


def test_rows_of_many_folders_keep_few_files_open(
    command: Command, monkeypatch: pytest.MonkeyPatch
) -> None:
    """With two open files and rows that are written by fifty, a folder has several files."""
    monkeypatch.setattr(parquet_batches, "_ROWS_AT_A_TIME", 50)
    monkeypatch.setattr(partitions, "_MOST_ROWS", 50)
    monkeypatch.setattr(partitions, "_MOST_OPEN", 2)
    there: list[int] = []
    part = partitions.Partitions._part

    def count(self: partitions.Partitions, folder: str) -> Any:
        found = part(self, folder)
        there.append(len(self._open))
        return found

    monkeypatch.setattr(partitions.Partitions, "_part", count)
    rows = [{"n": number, "url": url} for number, url in enumerate(PAGES)]
    write_rows(command.path("in.parquet"), rows)
    arguments = (command.path("in.parquet"), command.path("out"), "--column", "url")
    assert command(*arguments, "--partition-by", "registrable_domain").status == 0
    assert max(there) == 2
    assert len(contents(command.path("out"))) > 7
    wanted = [(number, f"h{number % 7}.example") for number in range(len(PAGES))]
    assert read(command.path("out"), "registrable_domain") == wanted


def test_a_stopped_run_goes_on(command: Command, monkeypatch: pytest.MonkeyPatch) -> None:
    """Its files are those of a run that was not stopped, byte for byte; folders are for all."""
    monkeypatch.setattr(tables, "_ROWS_AT_A_TIME", 100)
    monkeypatch.setattr(partitions, "_MOST_ROWS", 150)
    write_rows(command.path("in.csv"), [{"url": url} for url in [*PAGES, "nope"]])

    def run(out: str, *more: object) -> Any:
        options = ("--column", "url", "--partition-by", "registrable_domain", "--keep-seconds", "0")
        return command(command.path("in.csv"), command.path(out), *options, *more)

    assert run("whole").status == 0
    seen: list[int] = []
    compute = Adding.compute

    def stop(self: Adding, urls: Any, bases: Any) -> Any:
        seen.append(1)
        if len(seen) == 5:  # the first one finds the types
            raise KeyboardInterrupt
        return compute(self, urls, bases)

    with monkeypatch.context() as patched:
        patched.setattr(Adding, "compute", stop)
        assert run("out").status == 130
    assert (keeping.partial_of(command.path("out")) / "output").is_dir()
    assert not command.path("out").exists()
    result = run("out", "--resume")
    assert result.status == 0, result.err
    assert result.err.endswith("300 rows were computed by an earlier run\n")
    assert contents(command.path("out")) == contents(command.path("whole"))
    assert len(contents(command.path("out"))) >= 8
    new = command.path("new")
    new.mkdir()
    own = stat.S_IMODE(new.stat().st_mode)
    folders = [path for path in command.path("out").rglob("*") if path.is_dir()]
    assert {stat.S_IMODE(path.stat().st_mode) for path in [*folders, command.path("out")]} == {own}
    assert command.names() == ["in.csv", "new", "out", "whole"]


def test_a_crash_among_the_last_steps(command: Command, monkeypatch: pytest.MonkeyPatch) -> None:
    """When all is written, going on gives the folder its name, in place of an older one."""
    write_rows(command.path("in.csv"), [{"url": "https://a.example/"}])
    files = (command.path("in.csv"), command.path("out"))
    arguments = (*files, "--column", "url", "--partition-by", "host", "--quiet")
    assert command(*arguments).status == 0
    write_rows(command.path("in.csv"), [{"url": "https://b.example/"}])

    def crash(self: keeping.Keeping, moves: object) -> None:
        raise KeyboardInterrupt

    with monkeypatch.context() as patched:
        patched.setattr(keeping.Keeping, "_move", crash)
        assert command(*arguments, "--overwrite").status == 130
    assert not command.path("out").exists()
    assert command(*arguments, "--resume").status == 0
    assert [*contents(command.path("out"))] == ["host=b.example/part-00000.parquet"]
    assert command.names() == ["in.csv", "out"]


@pytest.mark.parametrize("rows", [[], [None, None], ["http://[", None]])
def test_rows_without_a_value_have_a_folder(command: Command, rows: list[str | None]) -> None:
    """Without rows there is an empty folder."""
    table = pa.table({"url": pa.array(rows, pa.string())})
    pq.write_table(table, command.path("in.parquet"))
    for by in (["host"], ["key_hash", "--buckets", "4"]):
        out = command.path(by[0])
        arguments = (command.path("in.parquet"), out, "--column", "url", "--partition-by", *by)
        assert command(*arguments, "--quiet").status == 0
        name = "host" if by == ["host"] else "bucket"
        wanted = [f"{name}={NO_VALUE}/part-00000.parquet"] if rows else []
        assert [*contents(out)] == wanted
        assert ds.dataset(out, format="parquet").count_rows() == len(rows)


def test_dictionaries_and_their_types_are_kept(command: Command) -> None:
    """Each folder has the rows with its value."""
    urls = pa.array([*PAGES[:10], None, "nope"] * 3).dictionary_encode()
    pq.write_table(pa.table({"n": range(36), "url": urls}), command.path("in.parquet"))
    arguments = (command.path("in.parquet"), command.path("out"), "--column", "url", "--quiet")
    assert command(*arguments, "--partition-by", "registrable_domain").status == 0
    wanted = [f"h{n % 7}.example" if n < 10 else None for n in range(12)] * 3
    assert read(command.path("out"), "registrable_domain") == list(enumerate(wanted))
    schema = ds.dataset(command.path("out"), format="parquet").schema
    assert pa.types.is_dictionary(schema.field("url").type)


def test_standard_input_and_lines_of_json_are_split_up(command: Command) -> None:
    """A stream cannot be resumed, and lines stay as they are."""
    lines = b'{"url": "https://a.example/", "x": 1.50}\n{"url": null}\n'
    arguments = ("-", command.path("out"), "--from", "jsonl", "--to", "jsonl", "--column", "url")
    done = outside(*arguments, "--partition-by", "host", "--quiet", input=lines)
    assert (done.returncode, done.stderr) == (0, b"")
    assert contents(command.path("out")) == {
        "host=a.example/part-00000.jsonl": b'{"url": "https://a.example/", "x": 1.50,'
        b' "canonical": "https://a.example/", "error": null}\n',
        f"host={NO_VALUE}/part-00000.jsonl": b'{"url": null, "canonical": null, "error": null}\n',
    }
    assert command.names() == ["out"]


def test_lines_of_json_stay_as_they_are_without_a_new_column(command: Command) -> None:
    """Each had a comma and nothing after it, which is not JSON."""
    source = command.write("in.jsonl", '{"url": "https://a.example/", "x": 1.50}\n{}\n')
    arguments = (source, command.path("out"), "--column", "url", "--to", "jsonl")
    assert command(*arguments, "--add", "host", "--partition-by", "host").status == 0
    assert contents(command.path("out")) == {
        "host=a.example/part-00000.jsonl": b'{"url": "https://a.example/", "x": 1.50}\n',
        f"host={NO_VALUE}/part-00000.jsonl": b"{}\n",
    }


def test_another_output_is_replaced_as_a_whole(command: Command) -> None:
    """Only where it is asked for, and only if there is nothing but data."""
    write_rows(command.path("in.csv"), [{"url": "https://a.example/"}])
    files = (command.path("in.csv"), command.path("out"))
    arguments = (*files, "--column", "url", "--partition-by", "host", "--quiet")
    assert command(*arguments).status == 0
    assert "already exists: use --overwrite to replace it" in command(*arguments).refused()
    write_rows(command.path("in.csv"), [{"url": "https://b.example/"}])
    assert command(*arguments, "--overwrite").status == 0
    assert [*contents(command.path("out"))] == ["host=b.example/part-00000.parquet"]
    (command.path("out") / "notes.md").write_text("precious")
    result = command(*arguments, "--overwrite")
    assert "contains 'notes.md', which is not a data file, so it is not replaced" in result.err
    assert (command.path("out") / "notes.md").read_text() == "precious"
    assert [name for name in command.names() if not name.endswith(".partial")] == ["in.csv", "out"]


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["in.csv", "-", "--partition-by", "host"], "--partition-by writes a folder: name one"),
        (["folder", "out", "--partition-by", "host"], "--partition-by reads one file, not a"),
        (["in.csv", "out", "--partition-by", "key_hash"], "--buckets need each other"),
        (["in.csv", "out", "--partition-by", "host", "--buckets", "4"], "--buckets need each"),
        (["in.csv", "out.csv", "--buckets", "4"], "--buckets need each other"),
        (["in.csv", "out", "--partition-by", "host", "--hosts"], "--add does not accept 'host'"),
        (
            ["in.csv", "out", "--partition-by", "key_hash", "--buckets", "4", "--hosts"],
            "--hosts cannot be combined with",
        ),
        (
            ["in.csv", "out", "--partition-by", "host", "--add", "host", "--to", "text"],
            "plain text has only one column, so --partition-by leaves none",
        ),
        (["in.csv", "out", "--partition-by", "host", "--prefix", "a/"], "cannot begin with 'a/"),
        (["in.csv", "in.csv", "--partition-by", "host"], "must be different files"),
        (["in.csv", "file", "--partition-by", "host"], "file is not a folder"),
        (["folder/in.csv", "folder", "--partition-by", "host"], "folder contains the input"),
        (
            ["in.csv", "out", "--partition-by", "host", "--bad", "out/bad.csv"],
            "out contains the input or the file of bad rows",
        ),
        (["in.csv", "none/out", "--partition-by", "host"], "none is not a folder"),
        (
            ["in.csv", "out", "--partition-by", "key_hash", "--buckets", "4"],
            "the input already has 'bucket': use --prefix",
        ),
        (
            ["in.csv", "out", "--partition-by", "key_hash", "--buckets", "4", *HASHES],
            "--partition-by key_hash needs one --key-hash",
        ),
    ],
)
def test_what_is_refused(
    command: Command, monkeypatch: pytest.MonkeyPatch, arguments: list[str], message: str
) -> None:
    """Before anything is written."""
    monkeypatch.chdir(command.folder)
    command.path("folder").mkdir()
    for name in ("in.csv", "file", "folder/in.csv"):
        command.write(name, "url,bucket\nhttps://a.example/,1\n")
    before = sorted(command.folder.rglob("*"))
    assert message in command(*arguments, "--column", "url").refused()
    assert sorted(command.folder.rglob("*")) == before


def test_lists_of_urls_are_refused(command: Command) -> None:
    """A row would belong to several folders."""
    write_rows(command.path("in.parquet"), [{"links": [{"url": "https://a.example/"}]}])
    arguments = (command.path("in.parquet"), command.path("out"), "--column", "links.url")
    refused = command(*arguments, "--partition-by", "host").refused()
    assert refused == "--partition-by needs one URL in each row, not lists"
    assert command.names() == ["in.parquet"]
