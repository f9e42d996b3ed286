"""Running ``python -m weburl columns`` here and in another process, and reading what it wrote."""

from __future__ import annotations

import csv
import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any, Final

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

import weburl
from tests.columns.scalars import FUNCTIONS, failure, record_or_none
from weburl.__main__ import main
from weburl.columns.table import PARTS

SOURCES: Final = Path(weburl.__file__).resolve().parents[1]
POLICY: Final = weburl.URLPolicy.public_link()
"""The policy of ``--policy public_link``."""
FORMATS: Final = ("parquet", "csv", "tsv", "jsonl")
PATIENCE: Final = 600.0
"""Seconds after which a test gives up, much longer than anything takes on a busy machine."""

# Rows that are hard to read, hard to write, or no URLs.
TEXTS: Final = [
    "HTTPS://User:Secret@Example.com:443/a/../b?q=1&q=2#f",
    "http://[::1",
    None,
    "https://b.example.co.uk:8080/\u00e9?q=%2C",
    'data:text/html,"quoted", \u201ctext\u201d',
    "mailto:you@example.com",
    "//relative",
    " https://h/with\ttab\nand line ",
    "https://h/\x00",
    "file:///C|/x",
    "https://\u202eexample.com/",
    "x" * 20_000,
    "https://h/" + "\U0001f600" * 5_000,
    "http://0x7f.1/",
]


class Result:
    """What a run in this process printed, and its exit status."""

    def __init__(self, status: int, out: str, err: str) -> None:
        self.status = status
        self.out = out
        self.err = err

    def refused(self) -> str:
        """Return the message of a run that was refused before it began to write."""
        assert self.status == 2
        assert self.out == ""
        prefix, colon, message = self.err.partition(": ")
        assert (prefix, colon) == ("weburl columns", ": ")
        return message.removesuffix("\n")


class Command:
    """Runs the command in a folder of its own."""

    def __init__(self, folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
        self.folder = folder
        self._capsys = capsys

    def __call__(self, *arguments: object) -> Result:
        status = main(["columns", *map(str, arguments)])
        out, err = self._capsys.readouterr()
        return Result(status, out, err)

    def path(self, name: str) -> Path:
        return self.folder / name

    def write(self, name: str, data: bytes | str) -> Path:
        path = self.folder / name
        path.write_bytes(data.encode() if isinstance(data, str) else data)
        return path

    def names(self) -> list[str]:
        """Return what is in the folder."""
        return sorted(path.name for path in self.folder.iterdir())


def outside(*arguments: object, **options: Any) -> subprocess.CompletedProcess[bytes]:
    """Run the command in a process of its own."""
    return subprocess.run(
        program(*arguments),
        env=environment(),
        timeout=PATIENCE,
        check=False,
        **{"capture_output": True, **options},
    )


def program(*arguments: object) -> list[str]:
    """Return the words of the command."""
    return [sys.executable, "-m", "weburl", "columns", *map(str, arguments)]


def environment() -> dict[str, str]:
    """Return the environment in which this checkout is found."""
    path = os.pathsep.join([str(SOURCES), *filter(None, [os.environ.get("PYTHONPATH")])])
    return {**os.environ, "PYTHONPATH": path, "PYTHONIOENCODING": "utf-8"}


def write_rows(path: Path, rows: list[dict[str, Any]]) -> None:
    """Write rows in the format of the extension; in CSV, null is empty and "" has quotes."""
    suffix = path.suffix.removeprefix(".")
    names = list(rows[0])
    if suffix == "parquet":
        pq.write_table(pa.Table.from_pylist(rows), path)
    elif suffix == "jsonl":
        text = "".join(f"{json.dumps(row, ensure_ascii=False)}\n" for row in rows)
        path.write_text(text, encoding="utf-8")
    else:
        between = {"csv": ",", "tsv": "\t"}[suffix]
        quoted = [name if name.isidentifier() else _cell(name) for name in names]
        lines = [quoted, *([_cell(row[name]) for name in names] for row in rows)]
        text = "".join(f"{between.join(line)}\n" for line in lines)
        path.write_text(text, encoding="utf-8", newline="")


def _cell(value: object) -> str:
    return "" if value is None else '"' + str(value).replace('"', '""') + '"'


def read_rows(path: Path) -> list[dict[str, Any]]:
    """Return the rows of a file; of CSV every cell is text, and an empty one is None."""
    suffix = path.suffix.removeprefix(".")
    if suffix == "parquet":
        rows: list[dict[str, Any]] = pq.read_table(path).to_pylist()
        return rows
    with path.open(encoding="utf-8", newline="") as file:
        if suffix == "jsonl":
            return [json.loads(line) for line in file.read().removesuffix("\n").split("\n")]
        csv.field_size_limit(1 << 30)
        read = csv.DictReader(file, delimiter={"csv": ",", "tsv": "\t"}[suffix], strict=True)
        return [{name: value or None for name, value in row.items()} for row in read]


# What is added to a URL that parses, by the names in `scalars.FUNCTIONS`.
_ADDED: Final = {
    **{name: name for name in (*PARTS, "origin", "site", "registrable_domain", "surt")},
    **{name: name for name in ("path_depth", "file_name", "file_extension")},
    "canonical": "canonicalize",
    "rendered": "render",
    "param_q": "search_param",
}


def expected(text: str | None, base: str | None = None) -> dict[str, Any]:
    """Return what has to be added to a URL, by the functions for one text."""
    record = record_or_none(text, base)
    made = {
        name: None if record is None else FUNCTIONS[of][1](record) for name, of in _ADDED.items()
    }
    refusal = failure(text, base)
    if record is not None:
        refusal = next((violation.code for violation in POLICY.check(record)), None)
    return {
        **made,
        "error": failure(text, base),
        "can_parse": None if text is None else record is not None,
        "allowed": None if text is None else refusal is None,
        "refusal": refusal,
    }


def as_cells(row: dict[str, Any]) -> dict[str, Any]:
    """Return a row as CSV has it."""
    cells = {}
    for name, value in row.items():
        text = str(value).lower() if isinstance(value, bool) else str(value)
        cells[name] = None if value is None or value == "" else text
    return cells
