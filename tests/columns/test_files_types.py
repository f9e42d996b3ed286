"""Columns whose types take care: small dictionaries, nanoseconds, those that lines of JSON say."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from tests.columns.commands import Command, environment, read_rows


@pytest.fixture
def command(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> Command:
    """Return what runs the command."""
    return Command(tmp_path, capsys)


@pytest.mark.parametrize(
    ("index", "values"), [(pa.int8(), 100), (pa.uint8(), 200), (pa.int16(), 20_000)]
)
def test_small_dictionaries_of_several_row_groups_do_not_become_one_that_is_too_large(
    command: Command, index: pa.DataType, values: int
) -> None:
    """A row group had more values than its type can count, so that nobody could read the output."""
    type = pa.dictionary(index, pa.string())
    source, target = command.path("in.parquet"), command.path("out.parquet")
    numbers = pa.array([*range(values), None], index)
    with pq.ParquetWriter(source, pa.schema([("u", type), ("k", type)])) as writer:
        for group in range(4):
            urls = [f"https://h{group}-{number}.example/" for number in range(values)]
            column = pa.DictionaryArray.from_arrays(numbers, pa.array(urls))
            writer.write_table(pa.table({"u": column, "k": column}))
    result = command(source, target, "--column", "u", "--add", "canonical,error")
    assert result.status == 0, result.err
    table, before = pq.read_table(target), pq.read_table(source)
    assert table.schema.field("canonical").type == type
    assert table.schema.field("k").type == type
    for name in ("u", "k", "canonical"):
        assert table[name].to_pylist() == before["u"].to_pylist()


def test_a_small_dictionary_does_not_make_small_row_groups(command: Command) -> None:
    """Batches with the same values are written together."""
    column = pa.array([f"https://{number % 100}.example/" for number in range(200_000)])
    type = pa.dictionary(pa.int8(), pa.string())
    pq.write_table(pa.table({"u": column.cast(type)}), command.path("in.parquet"))
    result = command(command.path("in.parquet"), command.path("o.parquet"), "--column", "u")
    assert result.status == 0, result.err
    assert pq.ParquetFile(command.path("o.parquet")).num_row_groups == 1


def test_a_last_line_without_its_end_counts_among_the_first_ones(command: Command) -> None:
    """It stood apart, so that the columns of a short file were those of the lines before it."""
    source = command.write("in.jsonl", '{"n": null}\n{"n": null, "u": "a:", "m": "x"}')
    result = command(source, command.path("o.csv"), "--column", "u", "--add", "scheme")
    assert result.status == 0, result.err
    assert command.path("o.csv").read_text("utf-8") == "n,u,m,scheme\n,,,\n,a:,x,a\n"


NANOSECONDS = [0, 1_700_000_000_000_000_000, 1_700_000_000_000_001_000, 1_700_000_000_000_000_001]


def test_nanoseconds_stay_in_json(command: Command) -> None:
    """Those of times of the day were cut off."""
    of_day = [number % 86_400_000_000_000 for number in NANOSECONDS]
    columns = {
        "u": pa.array(["a:"] * 4),
        "t": pa.array(of_day, pa.time64("ns")),
        "at": pa.array(NANOSECONDS, pa.timestamp("ns")),
    }
    pq.write_table(pa.table(columns), command.path("in.parquet"))
    arguments = (command.path("in.parquet"), command.path("o.jsonl"), "--column", "u")
    assert command(*arguments, "--add", "host").status == 0
    rows = read_rows(command.path("o.jsonl"))
    assert [rows[3]["t"], rows[3]["at"]] == ["22:13:20.000000001", "2023-11-14 22:13:20.000000001"]
    columns["t"], columns["at"] = columns["t"][:3], columns["at"][:3]
    columns["u"] = columns["u"][:3]
    pq.write_table(pa.table(columns), command.path("in.parquet"))
    assert command(*arguments, "--add", "host", "--overwrite").status == 0
    rows = read_rows(command.path("o.jsonl"))
    assert [row["t"] for row in rows] == ["00:00:00", "22:13:20", "22:13:20.000001"]
    assert rows[2]["at"] == "2023-11-14 22:13:20.000001"


WITHOUT_PANDAS = """
import sys
class Finder:
    def find_spec(self, name, path=None, target=None):
        if name == "pandas":
            raise ModuleNotFoundError(name, name=name)
sys.meta_path.insert(0, Finder())
from weburl.__main__ import main
sys.exit(main(sys.argv[1:]))
"""


@pytest.mark.parametrize(
    ("values", "status"),
    [
        (pa.array([1], pa.timestamp("ns")), 0),
        (pa.array([[1]], pa.list_(pa.timestamp("ns"))), 2),
        (pa.array([1], pa.duration("ns")), 2),
    ],
)
def test_nanoseconds_without_pandas(command: Command, values: pa.Array, status: int) -> None:
    """There was a traceback, where Arrow has pandas make objects of them."""
    pq.write_table(pa.table({"u": ["a:"], "t": values}), command.path("in.parquet"))
    words = ("columns", command.path("in.parquet"), command.path("o.jsonl"), "--column", "u")
    done = subprocess.run(
        [sys.executable, "-c", WITHOUT_PANDAS, *map(str, words)],
        env=environment(),
        capture_output=True,
        timeout=300,
        check=False,
    )
    assert done.returncode == status, done.stderr
    assert (b"is too precise for JSON lines" in done.stderr) == (status == 2)
    assert b"Traceback" not in done.stderr
