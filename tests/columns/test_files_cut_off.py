"""Compressed files whose end is missing or corrupt, and JSON values of the wrong type."""

from __future__ import annotations

import bz2
import gzip
import json
from collections.abc import Callable
from pathlib import Path
from typing import Final

import pytest
import zstandard

from tests.columns.commands import Command, read_rows
from weburl.columns.files import unpacking

PACKED: Final[dict[str, Callable[[bytes], bytes]]] = {
    ".gz": gzip.compress,
    ".bz2": bz2.compress,
    ".zst": zstandard.compress,
}
URLS: Final = [f"https://h{number * 7919}.example/{number}" for number in range(3000)]
DATA: Final = {
    ".csv": "u\n" + "".join(f"{url}\n" for url in URLS),
    ".jsonl": "".join(f'{{"u": "{url}"}}\n' for url in URLS),
    ".txt": "".join(f"{url}\n" for url in URLS),
}


@pytest.fixture
def command(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> Command:
    """Return what runs the command."""
    return Command(tmp_path, capsys)


def malformed(path: Path) -> list[dict[str, object]]:
    """Return the malformed lines of a run with ``--bad``."""
    found: list[dict[str, object]] = read_rows(path.with_name(f"{path.name}.malformed.jsonl"))
    return found


def in_two(pack: Callable[[bytes], bytes], data: bytes) -> bytes:
    """Return data packed in two members, so that half of it is there without the second."""
    half = len(data) // 2
    return pack(data[:half]) + pack(data[half:])


@pytest.mark.parametrize("packing", sorted(PACKED))
@pytest.mark.parametrize("format", sorted(DATA))
@pytest.mark.parametrize("left", [0.6, 0.9999])
def test_what_comes_before_the_end_is_kept(
    command: Command, format: str, packing: str, left: float
) -> None:
    """Every whole line that can be unpacked is a row, and the last line is malformed."""
    packed = in_two(PACKED[packing], DATA[format].encode())
    path = command.write(f"in{format}{packing}", packed[: int(len(packed) * left)])
    bad, output = command.path("bad.jsonl"), command.path("o.jsonl")
    column = [] if format == ".txt" else ["--column", "u"]
    arguments = (path, output, *column, "--add", "host", "--bad", bad)
    assert unpacking.CUT_OFF in command(*arguments).refused()
    result = command(*arguments, "--malformed", "keep")
    assert result.status == 0
    assert f"1 {unpacking.CUT_OFF}" in result.err
    rows = read_rows(output)
    assert [row["url" if format == ".txt" else "u"] for row in rows] == URLS[: len(rows)]
    assert len(rows) > 1400
    (last,) = malformed(bad)
    first = 2 if format == ".csv" else 1
    assert (last["row"], last["why"]) == (len(rows) + first, unpacking.CUT_OFF)
    lines = DATA[format].splitlines()[first - 1 :]
    assert (lines[len(rows)] if len(rows) < len(lines) else "").startswith(str(last["text"]))


def test_all_that_can_be_unpacked_is_kept(command: Command) -> None:
    """Only the checksum at the end of a small gzip file is missing: all rows are there."""
    data = "".join(f'{{"u": "{url}"}}\n' for url in URLS[:20]).encode()
    path = command.write("in.jsonl.gz", gzip.compress(data)[:-8])
    result = command(path, command.path("o.jsonl"), "--column", "u", "--malformed", "skip")
    assert result.status == 0
    assert len(read_rows(command.path("o.jsonl"))) == 20


def test_a_line_that_is_cut_off_is_never_a_row(command: Command) -> None:
    """Its URL would be another one."""
    data = b"".join(f"{url}\n".encode() for url in URLS)
    for cut in range(200, 400, 7):
        path = command.write("in.txt.gz", gzip.compress(data, 0)[:cut])
        result = command(path, command.path("o.txt"), "--add", "canonical", "--malformed", "skip",
                         "--overwrite")  # fmt: skip
        assert result.status == 0
        got = command.path("o.txt").read_text("utf-8").splitlines()
        assert got == URLS[: len(got)]
        assert len(got) >= (cut - 60) // 30


@pytest.mark.parametrize("target", ["o.jsonl", "o.parquet", "o.csv"])
@pytest.mark.parametrize("value", ["1", "-0.5", "true", "[]", '{"u": "https://a"}'])
def test_a_value_of_the_wrong_type_is_a_malformed_line(
    command: Command, target: str, value: str
) -> None:
    """It is kept as it is, wherever it comes; otherwise it is an error with its line."""
    good = '{"u": "https://a.example", "n": 2}'
    lines = [f'{{"u": {value}, "n": 1}}', good, good, f'{{"u": {value}}}']
    source = command.write("in.jsonl", "\n".join(lines))
    output, bad = command.path(target), command.path("bad.jsonl")
    arguments = (source, output, "--column", "u", "--add", "host", "--bad", bad)
    refused = command(*arguments).refused()
    assert "in.jsonl, line 1: 'u' is " in refused
    assert "not text. Use --malformed skip or keep" in refused
    result = command(*arguments, "--malformed", "keep")
    assert result.status == 0
    assert [(row["u"], row["host"]) for row in read_rows(output)] == [
        ("https://a.example", "a.example")
    ] * 2
    assert [(row["row"], row["text"]) for row in malformed(bad)] == [(1, lines[0]), (4, lines[3])]


def test_another_value_that_does_not_fit_is_a_malformed_line(command: Command) -> None:
    """Most values of a column decide its type; in JSON lines, all are kept."""
    rows = [{"u": "https://a.example", "n": number, "s": {"x": [1]}} for number in range(5)]
    rows[1]["n"] = "hunter2"
    rows[3]["s"] = {"x": ["y"]}
    source = command.write("in.jsonl", "".join(f"{json.dumps(row)}\n" for row in rows))
    output, bad = command.path("o.parquet"), command.path("bad.parquet")
    arguments = (source, output, "--column", "u", "--add", "host", "--bad", bad)
    assert "have different types" in command(*arguments).refused()
    assert command(*arguments, "--malformed", "keep").status == 0
    assert [row["n"] for row in read_rows(output)] == [0, 2, 4]
    assert [row["row"] for row in malformed(bad)] == [2, 4]
    output = command.path("o.jsonl")
    assert command(source, output, "--column", "u", "--malformed", "skip").status == 0
    assert len(read_rows(output)) == 5


def test_lists_of_urls_are_not_malformed(command: Command) -> None:
    """If most lines have a list there, one with a text is."""
    rows = [{"u": ["https://a.example", None]}, {"u": []}, {"u": "https://b.example"}, {"u": None}]
    source = command.write("in.jsonl", "".join(f"{json.dumps(row)}\n" for row in rows))
    output, bad = command.path("o.parquet"), command.path("bad.parquet")
    result = command(
        source, output, "--column", "u", "--add", "host", "--bad", bad, "--malformed", "keep"
    )
    assert result.status == 0, result.err
    assert [row["host"] for row in read_rows(output)] == [["a.example", None], [], None]
    assert [row["row"] for row in malformed(bad)] == [3]
