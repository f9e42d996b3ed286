"""CSV as others write it: where its first row ends, and what of it stays."""

from __future__ import annotations

import csv
import io
import random
from pathlib import Path

import pytest

from tests.columns.commands import Command
from weburl.columns.files import tables


@pytest.fixture
def command(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> Command:
    """Return what runs the command."""
    return Command(tmp_path, capsys)


def written(command: Command, text: str, delimiter: str = ",") -> list[list[str]]:
    """Return the rows that are written for a file, without the column that is added."""
    source, target = command.write("in.csv", text), command.path("out.csv")
    to = {",": "csv", "\t": "tsv"}[delimiter]
    result = command(source, target, "--from", to, "--to", to, "--column", "url",
                     "--add", "canonical", "--prefix", "new_", "--overwrite")  # fmt: skip
    assert result.status == 0, result.err
    with target.open(encoding="utf-8", newline="") as file:
        rows = list(csv.reader(file, delimiter=delimiter, strict=True))
    assert rows[0][-1] == "new_canonical"
    return [row[:-1] for row in rows]


def test_lines_that_end_in_cr_alone_are_not_lost(command: Command) -> None:
    """All rows were taken for a part of the header, and none was written."""
    assert written(command, "id,url\r1,a:\r2,b:\r") == [["id", "url"], ["1", "a:"], ["2", "b:"]]
    assert written(command, 'id,url\r"1\n2",a:') == [["id", "url"], ["1\n2", "a:"]]


def test_a_quotation_mark_inside_of_a_name_loses_no_rows(command: Command) -> None:
    """The rows up to the next quotation mark were taken for a part of the header."""
    assert written(command, 'disk 5",url\n1,a:\n2,b:\n') == [
        ['disk 5"', "url"], ["1", "a:"], ["2", "b:"],
    ]  # fmt: skip


def test_a_name_may_have_what_only_python_takes_for_the_end_of_a_line(command: Command) -> None:
    """The names behind it were lost."""
    name = "a\u2028b\x85c\x0bd"
    assert written(command, f"{name},url\n1,a:\n") == [[name, "url"], ["1", "a:"]]


def test_a_byte_order_mark_in_front_of_the_first_cell_stays(command: Command) -> None:
    """Only that in front of the header is none of the text."""
    for text in ("id,url\n\ufeff1,a:\n", "\ufeffid,url\n\ufeff1,a:\n"):
        assert written(command, text) == [["id", "url"], ["\ufeff1", "a:"]]


def test_a_quotation_mark_that_is_not_closed_in_the_header_is_told(
    command: Command, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Whether the file ends or goes on; the whole file was taken for the header."""
    monkeypatch.setattr(tables, "BLOCK", 1 << 18)
    for rows in (2, 100_000):
        source = command.write("in.csv", '"id,url\n' + "1,https://user:hunter2@h/\n" * rows)
        refused = command(source, command.path("out.csv"), "--column", "url").refused()
        assert "in.csv: row 1 is longer than " in refused
        assert "MiB, or a quotation mark is not closed" in refused
        assert "hunter2" not in refused


def test_a_long_header_is_read_whole(command: Command) -> None:
    """Also where a cell or the end of the row lies on a border of what is read at a time."""
    for length in range((1 << 16) - 12, (1 << 16) + 4):
        name = "x" * length
        for end in ("\r\n", "\r", "\n"):
            text = f'"{name}""y",url{end}1,a:{end}'
            assert written(command, text) == [[f'{name}"y', "url"], ["1", "a:"]]


PIECES = [
    "a", '"', '""', ",", "\t", "\n", "\r\n", "\r", " ", "\u00e9", "\u2028", "\x85", "\x0b", "\x1c",
    "\ufeff", "\x00", "https://a.example/", "\\", '\\"', "'", ";", "null", "NA", "007", "1e5", "#",
]  # fmt: skip


def test_what_the_module_csv_writes_is_read_alike(command: Command) -> None:
    """Made-up cells, with each end of lines and each delimiter."""
    made = random.Random(18)

    def cell() -> str:
        return "".join(made.choices(PIECES, k=made.choice([0, 1, 1, 2, 3, 5])))

    for _ in range(300):
        width = made.randint(1, 4)
        rows = [[cell() for _ in range(width)] for _ in range(made.choice([0, 1, 2, 5, 20]))]
        names = [f"{number}{cell()}" for number in range(width)]
        names[made.randrange(width)] = "url"
        delimiter, end = made.choice(",\t"), made.choice(["\n", "\r\n", "\r"])
        text = io.StringIO(newline="")
        csv.writer(text, delimiter=delimiter, lineterminator=end, quoting=csv.QUOTE_ALL).writerows(
            [names, *rows]
        )
        mark = made.choice(["", "\ufeff"])
        assert written(command, mark + text.getvalue(), delimiter) == [names, *rows]


@pytest.mark.parametrize("end", ["", "\n", "\r\n", '\nd:""', '\n"d:"" "'])
@pytest.mark.parametrize("header", ["url", "id,url"])
def test_a_quotation_mark_that_is_not_closed_is_told(
    command: Command, header: str, end: str
) -> None:
    """All rows behind it were one cell, and nothing was said."""
    before = "1," * header.count(",")
    rows = [f"{before}a:", f'{before}"b:', *(f"{before}c:{number}" for number in range(5))]
    if end.endswith('"'):  # In a cell, two marks are one that does not close it.
        end = end.replace('"', '""')
    source = command.write("in.csv", "\n".join([header, *rows]) + end)
    result = command(source, command.path("out.csv"), "--column", "url", "--add", "canonical")
    assert result.status == 2
    assert "row 3 (the header is row 1): a quotation mark is not closed" in result.err


@pytest.mark.parametrize(
    "text", ["", "a:", "a:\n", '"a:"', '"a:"\n', '"a:\n"', "a:\r", "\n", "\n\n", '5"', '"a:"""']
)
def test_the_last_row_is_as_it_was(command: Command, text: str) -> None:
    """Whatever ends it: nothing of what looks for an open cell stays in it."""
    rows = list(csv.reader(io.StringIO(f"url\n{text}", newline="")))
    assert [row or [""] for row in rows] == written(command, f"url\n{text}")


@pytest.mark.parametrize("block", [1, 2, 3, 7])
def test_rows_are_read_alike_wherever_a_block_ends(
    command: Command, monkeypatch: pytest.MonkeyPatch, block: int
) -> None:
    """In a cell, between two quotation marks, and between CR and LF."""
    rows = [["\r\n,", 'a"b'], ["", "\ufeff"], ['"', '""\n'], ["c", ""], ["\ufeffd", 'e"']]
    text = io.StringIO(newline="")
    csv.writer(text, quoting=csv.QUOTE_ALL, lineterminator="\r\n").writerows(rows)
    data = text.getvalue().encode() + b'f"g,h\r"i"j,k"l\n'
    monkeypatch.setattr(tables, "BLOCK", block)
    blocks = list(tables._WholeRows(io.BytesIO(data), b"", ","))
    assert b"".join(blocks) == data
    assert len(blocks) == len(rows) + 2
    monkeypatch.undo()
    assert written(command, "id,url\r\n" + data.decode()) == [
        ["id", "url"],
        *rows,
        ['f"g', "h"],
        ["ij", 'k"l'],
    ]
