"""What the command refuses, and in which words: arguments, inputs, and a system that fails."""

from __future__ import annotations

import bz2
import errno
import gzip
import json
import os
import resource
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from tests.columns.commands import PATIENCE, Command, environment, outside, program, write_rows
from weburl.columns.files import keeping, lines, parquet_batches, tables
from weburl.columns.files.errors import FileError
from weburl.columns.files.parquet_batches import ParquetBatches
from weburl.columns.files.places import place_of

SECRET = "https://user:hunter2@h/"  # which no message may show


@pytest.fixture
def command(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> Command:
    """Return what runs the command."""
    return Command(tmp_path, capsys)


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["in.csv", "out.csv"], "use --column to name the column with the URLs"),
        (["in.csv", "out", "--column", "u"], "'out' needs one of the extensions .parquet, .pq,"),
        (["in.dat.gz", "out.csv", "--column", "u"], "'in.dat.gz' needs one of the extensions"),
        (["-", "out.csv", "--column", "u"], "'-' has no extension: set its format with --from"),
        (["in.parquet", "-", "--column", "u"], "'-' has no extension: set its format with --to"),
        (["-", "-", "--from", "parquet", "--column", "u"], "Parquet cannot be read or written as"),
        (["in.parquet.gz", "o.csv", "--column", "u"], "Parquet has its own compression: leave out"),
        (["in.csv", "in.csv", "--column", "u"], "must be different files"),
        (["in.csv", "./in.csv", "--column", "u"], "must be different files"),
        (["in.csv", "o.csv", "--column", "u", "--bad", "o.csv"], "must be different files"),
        (["in.csv", "o.csv", "--column", "u", "--bad", "-"], "'-' has no extension"),
        (["none.csv", "o.csv", "--column", "u"], "none.csv does not exist"),
        (["in.csv", "none/o.csv", "--column", "u"], "none is not a folder"),
        (["in.csv", "folder.csv", "--column", "u"], "folder.csv is a folder"),
        (["in.csv", "o.csv", "--column", "v"], "in.csv has no column 'v'; it has 'u', 'n'"),
        (["in.csv", "o.csv", "--column", "u", "--base-column", "v"], "has no column 'v'"),
        (["in.csv", "o.csv", "--column", "u", "--add", "hots"], "--add does not accept 'hots'; it"),
        (["in.csv", "o.csv", "--column", "u", "--add", "key"], "; for 'key', use --key page"),
        (["in.csv", "o.csv", "--column", "u", "--add", ","], "--add is empty"),
        (["in.csv", "o.csv", "--column", "u", "--add", "host,host"], "'host' would be added twice"),
        (["in.csv", "o.csv", "--column", "u", "--base", "/x"], "--base: "),
        (
            ["in.csv", "o.csv", "--column", "u", "--base", "a:", "--base-column", "u"],
            "--base and --base-column cannot be combined",
        ),
        (["in.csv", "o.txt", "--column", "u"], "plain text has only one column"),
        (
            ["in.csv", "o.csv", "--column", "u", "--param", "\udcff"],
            "names of columns must be UTF-8",
        ),
        (["in.csv", "o.csv", "--column", "u\udcff"], "names of columns must be UTF-8"),
        ([f"{SECRET}in.csv", "o.csv", "--column", "u"], "are files on this machine, not URLs"),
        (["in.csv", f"{SECRET}o.csv", "--column", "u"], "are files on this machine, not URLs"),
        (["x" * 300, "o.csv", "--from", "csv", "--column", "u"], "cannot be examined: "),
        (["in.csv", "x" * 246 + ".csv", "--column", "u"], ".csv.partial cannot be written: "),
    ],
)
def test_arguments(
    command: Command, monkeypatch: pytest.MonkeyPatch, arguments: list[str], message: str
) -> None:
    """Nothing is written, and nothing is left."""
    monkeypatch.chdir(command.folder)
    command.write("in.csv", "u,n\na:b,1\n")
    (command.folder / "folder.csv").mkdir()
    before = command.names()
    refused = command(*arguments).refused()
    assert message in refused
    assert "hunter2" not in refused
    assert command.names() == before


@pytest.mark.skipif(sys.platform == "win32", reason="pipes of POSIX")
@pytest.mark.parametrize(
    ("names", "unfinished"),
    [
        (["o.csv.partial/output", "o.csv"], "o.csv"),
        (["bad.csv.partial", "o.csv", "--bad", "bad.csv"], "bad.csv"),
        (["in.csv", "bad.csv.partial", "--to", "csv", "--bad", "bad.csv"], "bad.csv"),
        (["o.partial/files", "o"], "o"),
        (["in", "o", "--bad", "o.partial"], "o"),
    ],
)
def test_what_an_unfinished_run_keeps_is_no_place_of_another(
    command: Command, monkeypatch: pytest.MonkeyPatch, names: list[str], unfinished: str
) -> None:
    """Such as the output of a stopped run as the input of the next, which would remove it."""
    monkeypatch.chdir(command.folder)
    source = Path(names[0])
    if not source.suffix or source.name == "files":
        source /= "in.csv"
    source.parent.mkdir(parents=True, exist_ok=True)
    source.write_bytes(b"u\nhttps://a/\n")
    options = () if source.suffix == ".csv" else ("--from", "csv")
    message = command(*names, *options, "--column", "u", "--overwrite").refused()
    assert message.endswith(f" is where an unfinished {unfinished} is kept: rename it")
    assert source.read_bytes() == b"u\nhttps://a/\n"


@pytest.mark.parametrize("option", ["--column", "--links"])
def test_an_empty_name_of_a_column_is_a_name(command: Command, option: str) -> None:
    """No column has it. It does not mean that the option is missing."""
    source, made = command.write("in.csv", "u\nhttps://a/\n"), command.path("o.csv")
    more = ("--base", "https://b/") if option == "--links" else ()
    message = command(source, made, option, "", *more).refused()
    assert message == f"{source} has no column ''; it has 'u'"


def test_no_control_in_a_name_reaches_the_terminal(command: Command) -> None:
    """Neither in that of a file nor in that of a column, which come from others."""
    source = command.write("a\x1b]0;t\x07.csv", "u\x1b[31m\u202e\nhttps://a/\n")
    message = command(source, command.path("o.csv"), "--column", "u\x9b").refused()
    assert "a\ufffd]0;t\ufffd.csv has no column 'u\ufffd'" in message
    assert message.endswith("it has 'u\ufffd[31m\ufffd'")


@pytest.mark.parametrize(
    ("closed", "stream"), [("<&-", "standard input"), (">&-", "standard output")]
)
def test_a_standard_stream_that_is_closed_is_an_error(closed: str, stream: str) -> None:
    """A program can run without it."""
    words = program("-", "-", "--from", "csv", "--column", "u")
    done = subprocess.run(
        ["sh", "-c", f'exec "$@" {closed}', "sh", *words],
        input=b"u\n",
        capture_output=True,
        env=environment(),
        timeout=60,
        check=False,
    )
    assert (done.returncode, done.stdout) == (2, b"")
    assert done.stderr.decode() == f"weburl columns: {stream} is closed\n"


def test_what_is_no_file_is_not_replaced(command: Command) -> None:
    """``--overwrite`` made a file of /dev/null, and of a pipe."""
    source, pipe = command.write("in.csv", "u\na:b\n"), command.path("pipe.csv")
    os.mkfifo(pipe)
    for arguments in ([pipe], [command.path("o.csv"), "--bad", pipe]):
        refused = command(source, *arguments, "--column", "u", "--overwrite").refused()
        assert refused == f"{pipe} is not a regular file; use - for standard output"
        assert pipe.is_fifo()
        assert command.names() == ["in.csv", "pipe.csv"]


@pytest.mark.skipif(sys.platform == "win32", reason="symbolic links")
def test_a_link_stays_and_its_file_is_replaced(command: Command) -> None:
    """``--overwrite`` put a file in the place of the link, /dev/stdout for one."""
    source, target = command.write("in.csv", "u\na:b\n"), command.write("o.csv", "old")
    link = command.path("link.csv")
    link.symlink_to(target)
    done = command(source, link, "--column", "u", "--add", "scheme", "--overwrite")
    assert done.status == 0, done.err
    assert link.is_symlink()
    assert target.read_text("utf-8") == "u,scheme\na:b,a\n"
    assert command.names() == ["in.csv", "link.csv", "o.csv"]


@pytest.mark.skipif(sys.platform == "win32", reason="symbolic links")
@pytest.mark.parametrize("options", [[], ["--overwrite"]])
def test_a_link_to_nothing_is_not_written_through(command: Command, options: list[str]) -> None:
    """A planted link chose the name of a new file in another folder."""
    source, link = command.write("in.csv", "u\na:b\n"), command.path("link.csv")
    link.symlink_to(command.path("elsewhere.csv"))
    for arguments in ([link], [command.path("o.csv"), "--bad", link]):
        refused = command(source, *arguments, "--column", "u", *options).refused()
        assert refused == f"{link} is a link to a file that does not exist"
        assert command.names() == ["in.csv", "link.csv"]


@pytest.mark.skipif(sys.platform == "win32", reason="pipes of POSIX")
def test_a_pipe_with_a_name_is_read_as_a_stream(command: Command) -> None:
    """As ``<(zcat links.csv.gz)`` of a shell. There was a traceback: it has no end to look at."""
    pipe, target = command.path("pipe.csv"), command.path("o.csv")
    os.mkfifo(pipe)
    writer = subprocess.Popen(
        [sys.executable, "-c", f"open({str(pipe)!r}, 'w').write('u\\na:b\\n')"]
    )
    done = command(pipe, target, "--column", "u", "--add", "scheme")
    assert writer.wait(timeout=PATIENCE) == 0
    assert done.status == 0, done.err
    assert target.read_text("utf-8") == "u,scheme\na:b,a\n"
    refused = command(pipe, target, "--column", "u", "--resume").refused()
    assert refused == "--resume needs files: a stream cannot be read again"
    refused = command(pipe, command.path("p.csv"), "--from", "parquet", "--column", "u").refused()
    assert refused == f"{pipe} is not a file, and Parquet cannot be read as a stream"


def test_a_folder_that_cannot_be_written_is_told_before_the_work(
    command: Command, monkeypatch: pytest.MonkeyPatch
) -> None:
    """There was a traceback, with the status of bad rows; and a folder was left."""

    def full(*_: object) -> None:
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    monkeypatch.setattr(keeping, "_write_whole", full)
    source = command.write("in.csv", "u\na:b\n")
    refused = command(source, command.path("o.csv"), "--column", "u").refused()
    assert refused.endswith(f"o.csv.partial cannot be written: {os.strerror(errno.ENOSPC)}")
    assert command.names() == ["in.csv"]


def test_a_disk_that_is_full_at_the_very_end_stops_a_run_that_can_go_on(
    command: Command, monkeypatch: pytest.MonkeyPatch
) -> None:
    """There was a traceback where all was written but the note that it is."""
    write = keeping._write_whole

    def full(path: Path, text: str) -> None:
        if path.name == "done.json":
            raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))
        write(path, text)

    monkeypatch.setattr(keeping, "_write_whole", full)
    arguments = (command.write("in.csv", "u\na:b\n"), command.path("o.csv"), "--column", "u")
    stopped = command(*arguments)
    assert stopped.status == 3
    assert f"o.csv cannot be written: {os.strerror(errno.ENOSPC)}" in stopped.err
    assert "--resume to continue" in stopped.err
    monkeypatch.undo()
    assert command(*arguments, "--resume").status == 0
    assert command.names() == ["in.csv", "o.csv"]


def test_a_base_that_does_not_parse_shows_no_password(command: Command) -> None:
    """As all messages."""
    command.write("in.csv", "u\na:b\n")
    base = "https://user:hunter2@[::1"
    refused = command(command.path("in.csv"), command.path("o.csv"), "--column", "u",
                      "--base", base).refused()  # fmt: skip
    assert "hunter2" not in refused


# How each input goes on behind its first bytes, and what is said of it.
CSV = f"u,n\n{SECRET},1\n"
JSON = f'{{"u": "{SECRET}"}}\n'
INPUTS: list[tuple[str, bytes, str]] = [
    ("in.parquet", b"", "in.parquet is not a Parquet file or is corrupt"),
    ("in.parquet", b"PAR1 no PAR1", "in.parquet is not a Parquet file or is corrupt"),
    ("in.csv", b"", "in.csv is empty: CSV begins with a row of names"),
    ("in.csv", b"\xef\xbb\xbf", "in.csv is empty: CSV begins with a row of names"),
    ("in.csv", b"\nu\nx\n", "in.csv begins with an empty line: CSV begins with a row of names"),
    ("in.tsv", b"\n", "in.tsv is empty: TSV begins with a row of names"),
    ("in.csv", f"{CSV}{SECRET}\n".encode(), "row 3 (the header is row 1): 1 cells, but the "),
    ("in.csv", f"{CSV}{SECRET},2,3\n".encode(), "row 3 (the header is row 1): 3 cells"),
    ("in.csv", f"{CSV}{SECRET}".encode() + b"\xe9,2\n", "in.csv is not UTF-8, in row 3 or after"),
    ("in.csv", b"u,\xe9\n", "in.csv is not UTF-8, in row 1"),
    ("in.csv", b"u,u\n1,2\n", "in.csv has 2 columns named 'u'"),
    ("in.csv", f"{SECRET},1\n".encode(), "has no column 'u'; it has 'https://****:*******@h/',"),
    ("in.jsonl", f'{{"{SECRET}": 1}}'.encode(), "line 1 has 'https://****:*******@h/'"),
    ("in.jsonl", f"{JSON}{SECRET}\n".encode(), "in.jsonl, line 2: not JSON"),
    ("in.jsonl", f"{JSON}\n".encode(), "in.jsonl, line 2: not JSON"),
    ("in.jsonl", JSON.encode() + b'{"u": NaN}', "in.jsonl, line 2: not JSON"),
    ("in.jsonl", JSON.encode() + b"[" * 100_000, "in.jsonl, line 2: not JSON"),
    ("in.jsonl", JSON.encode() + b'{"u": "\xff"}', "in.jsonl, line 2: not UTF-8"),
    ("in.jsonl", JSON.encode() + b'["u"]', "in.jsonl, line 2: not a JSON object"),
    ("in.jsonl", JSON.encode() + b'{"u": 1}', "in.jsonl, line 2: 'u' is a number, not text"),
    ("in.jsonl", JSON.encode() + b'{"u": [1]}', "in.jsonl, line 2: 'u' is an array, not text"),
    ("in.jsonl", b'{"v": 1}\n{"w": 2}\n', "the first 2 lines have no 'u'; line 1 has 'v'"),
    ("in.csv.gz", b"no gzip", "in.csv.gz cannot be read"),
]  # fmt: skip


@pytest.mark.parametrize(("name", "data", "message"), INPUTS)
def test_inputs(command: Command, name: str, data: bytes, message: str) -> None:
    """The message names the place, and shows nothing of the row."""
    target = command.path("out.jsonl" if name.endswith("l") else "out.csv")
    result = command(command.write(name, data), target, "--column", "u")
    assert result.status in (2, 3)
    assert message in result.err
    assert "hunter2" not in result.err
    assert not target.exists()
    if result.status == 2:
        assert command.names() == [name]


@pytest.mark.parametrize(
    ("name", "data"),
    [
        ("in.jsonl", JSON.encode() + b"no JSON\n"),
        ("in.csv", f"{CSV}1\n".encode()),
        ("in.csv", f"{CSV}1,\xe9\n".encode("latin-1")),
        ("in.csv", f'{CSV}1,"2\n'.encode()),
    ],
)
def test_a_malformed_line_says_how_to_go_on(command: Command, name: str, data: bytes) -> None:
    """And the option does."""
    arguments = (command.write(name, data), command.path(f"out{name[2:]}"), "--column", "u")
    assert (
        command(*arguments)
        .refused()
        .endswith(". Use --malformed skip or keep to go on without such lines")
    )
    assert command(*arguments, "--malformed", "skip").status == 0


def test_json_that_fits_into_no_columns(command: Command) -> None:
    """Values of two types, and a name that comes late."""
    arguments = (command.path("in.jsonl"), command.path("out.parquet"), "--column", "u")
    command.write("in.jsonl", JSON + '{"u": "a:", "n": 1}\n{"u": "a:", "n": "hunter2"}\n')
    refused = command(*arguments).refused()
    assert "lines 1 to 3: the values of a column have different types" in refused
    assert "hunter2" not in refused
    rows = '{"u": "a:"}\n' * (lines.BLOCK // 12 + 1)
    command.write("in.jsonl", rows + '{"u": "a:", "n": 1}\n')
    assert "has 'n', which the first lines do not have" in command(*arguments).refused()


def test_a_column_that_is_no_text(command: Command) -> None:
    """Of numbers, or of lists of them."""
    for values in ([1], [[1]]):
        pq.write_table(pa.table({"u": values}), command.path("in.parquet"))
        refused = command(command.path("in.parquet"), command.path("o.csv"), "--column", "u")
        assert "'u' is not text" in refused.refused()
        assert command.names() == ["in.parquet"]


@pytest.mark.parametrize(
    ("to", "words"),
    [
        ("csv", "cannot represent 'x', which has the type list<"),
        ("jsonl", "JSON cannot represent the bytes of 'b'"),
    ],
)
def test_types_that_an_output_cannot_hold(command: Command, to: str, words: str) -> None:
    """It says which column."""
    table = pa.table({"u": ["a:"], "x": [[1]], "b": [b"\0"]})
    pq.write_table(table, command.path("in.parquet"))
    refused = command(command.path("in.parquet"), command.path(f"o.{to}"), "--column", "u")
    assert words in refused.refused()
    assert command.names() == ["in.parquet"]


def test_a_line_break_does_not_fit_into_plain_text(command: Command) -> None:
    """A value in the query can have one."""
    source = command.write("in.txt", "https://h/?q=a%0Ab\n")
    refused = command(source, command.path("o.txt"), "--param", "q").refused()
    assert "a value of 'param_q' has a line break" in refused


PACKED: dict[str, Callable[[bytes], bytes]] = {
    "gz": gzip.compress,
    "bz2": bz2.compress,
    "zst": lambda data: pa.compress(data, "zstd", asbytes=True),
}


@pytest.mark.parametrize("suffix", PACKED)
@pytest.mark.parametrize(
    ("rows", "message"),
    [
        (b'u\n"http://h/', "a row after row 1 is longer than 16 MiB, or a quotation mark is not"),
        (b"u\nhttp://h/", "a row after row 1 is longer than 16 MiB, or a quotation mark is not"),
        (b"u,n\na:b,1\na:b,", "a row after row 2 is longer than 16 MiB, or a quotation mark is"),
        (b"u\na:b\n\xff", "a row after row 2 is longer than 16 MiB, or a quotation mark is not"),
        (b"", "in.csv.{suffix} has no column 'u'; it has 'aaaa"),
        (b'"', "row 1 is longer than 4 MiB, or a quotation mark is not closed"),
    ],
)
def test_a_csv_that_unpacks_to_a_huge_row_is_refused(
    command: Command, suffix: str, rows: bytes, message: str
) -> None:
    """Arrow's thread was still reading when the interpreter ended, which aborted the process."""
    source = command.path(f"in.csv.{suffix}")
    source.write_bytes(PACKED[suffix](rows + b"a" * (40 << 20)))
    result = outside(source, command.path("o.csv"), "--column", "u")
    assert result.returncode == 2, result.stderr
    assert message.format(suffix=suffix) in result.stderr.decode()
    assert len(result.stderr) < 1000
    assert command.names() == [source.name]


@pytest.mark.parametrize("suffix", PACKED)
@pytest.mark.parametrize("kind", ["txt", "jsonl"])
def test_a_line_that_unpacks_to_more_than_64_mib_is_refused(
    command: Command, kind: str, suffix: str
) -> None:
    """The message says which line, and nothing of it."""
    first = {"txt": b"a:b\n", "jsonl": b'{"u": "a:b"}\n'}[kind]
    source = command.path(f"in.{kind}.{suffix}")
    source.write_bytes(PACKED[suffix](first + b"a" * (65 << 20)))
    assert source.stat().st_size < 1 << 17
    options = () if kind == "txt" else ("--column", "u")
    result = command(source, command.path("o.csv"), *options)
    assert result.status == 2
    assert f"{source}, line 2: longer than 64 MiB" in result.err
    assert command.names() == [source.name]


LONG = "https://h/" + "a" * (1 << 20)


@pytest.mark.parametrize(
    ("limits", "columns", "message"),
    [
        (
            {},
            {"u": ["a:b", "https://h/" + "a" * (65 << 20)]},
            "row group 1: the column 'u' has a value longer than 64 MiB",
        ),
        (
            {"_UNPACKED": 1 << 20},
            {"u": [f"https://h/{number}/{'a' * 10_000}" for number in range(1000)]},
            "row group 1: the column 'u' unpacks to more than 0 GiB and more than 100 times its",
        ),
        (
            {"_UNPACKED": 1 << 24},
            {"u": ["a:b"], "n": [["a" * 10_000] * 10_000]},
            "row group 1: the column 'n.list.element' unpacks to more than 0 GiB and more than 100",
        ),
        (
            {"_UNPACKED": 1 << 24},
            {"u": ["a:b"], "n": [[0] * 10_000_000]},
            "row group 1: the column 'n.list.element' unpacks to more than 0 GiB and more than 100",
        ),
        (
            {"_ALL_UNPACKED": 1 << 25, "_BATCH_BYTES": 1 << 23},
            {"u": [LONG] * 200},
            "unpack to more than 1,000 times the size of the file",
        ),
    ],
    ids=["value", "chunk", "list of text", "list of numbers", "all rows"],
)
def test_a_parquet_file_that_unpacks_to_too_much_is_refused(
    command: Command,
    monkeypatch: pytest.MonkeyPatch,
    limits: dict[str, int],
    columns: dict[str, list[object]],
    message: str,
) -> None:
    """A dictionary repeats a long value in a few bits. The message says where, and no value."""
    for name, value in limits.items():
        monkeypatch.setattr(parquet_batches, name, value)
    source = command.path("in.parquet")
    # Without a dictionary, a chunk contains each value; with one, only the different ones.
    pq.write_table(
        pa.table(columns),
        source,
        compression="zstd",
        compression_level=19,
        use_dictionary=message.count("'u' unpacks") == 0,
        dictionary_pagesize_limit=1 << 27,
        write_statistics=False,
    )
    assert source.stat().st_size < 1 << 17
    result = command(source, command.path("o.parquet"), "--column", "u")
    assert result.status == 2
    assert message in result.err
    assert "aaaa" not in result.err
    assert command.names() == [source.name]


@pytest.mark.parametrize("nested", [False, True])
def test_long_values_of_a_dictionary_are_read_a_few_at_a_time(
    command: Command, monkeypatch: pytest.MonkeyPatch, nested: bool
) -> None:
    """A batch of 32,768 rows had 32 GB."""
    monkeypatch.setattr(parquet_batches, "_BATCH_BYTES", 1 << 24)
    values: list[object] = [{"v": LONG} if nested else LONG] * 100
    source = command.path("in.parquet")
    pq.write_table(pa.table({"u": values}), source, compression="zstd")
    place = place_of(str(source), None, None)
    read = [
        (batch.num_rows, batch.nbytes) for batch in ParquetBatches(place, pq.ParquetFile(source))
    ]
    assert sum(rows for rows, _ in read) == 100
    assert max(size for _, size in read) < 20 << 20


def test_small_row_groups_are_read_together(command: Command) -> None:
    """A batch for each would take as long as one of many rows."""
    source = command.path("in.parquet")
    table = pa.table({"u": [f"https://{number}/" for number in range(1000)]})
    pq.write_table(table, source, row_group_size=10)
    batches = ParquetBatches(place_of(str(source), None, None), pq.ParquetFile(source))
    assert pa.Table.from_batches(batches) == table
    assert len(list(batches)) == 1


def test_nested_columns_are_read_as_they_are(command: Command) -> None:
    """Their leaves are looked at one by one: of lists, of maps, of structs with a dot in a name."""
    table = pa.table(
        {
            "u": ["a:b", None, "c:d"],
            "a.b": ["x", None, "y"],
            "l": [["x", None], None, []],
            "m": pa.array([[("k", "v")], None, []], pa.map_(pa.string(), pa.string())),
            "s": [{"l": [{"t": "x"}]}, None, {"l": None}],
            "f": pa.array([["x", "y"], ["z", None], ["x", "y"]], pa.list_(pa.string(), 2)),
            "d": pa.array(["x", "y", None]).dictionary_encode(),
        }
    )
    source = command.path("in.parquet")
    pq.write_table(table, source)
    batches = ParquetBatches(place_of(str(source), None, None), pq.ParquetFile(source))
    assert pa.Table.from_batches(batches).to_pylist() == table.to_pylist()


def test_an_error_in_the_first_row_of_a_stream_does_not_wait_for_its_end(command: Command) -> None:
    """A thread that reads ahead would wait for the program that writes."""
    reading = subprocess.Popen(
        program("-", command.path("o.csv"), "--from", "csv", "--column", "u"),
        env=environment(),
        stdin=subprocess.PIPE,
        stderr=subprocess.PIPE,
    )
    assert reading.stdin is not None
    assert reading.stderr is not None
    # The command reads the first 64 KiB for the header, and then one block.
    reading.stdin.write((b"u,n\na:b\n" + b"a:b,1\n" * (1 << 20))[: lines.BLOCK + (100 << 10)])
    reading.stdin.flush()
    assert b"row 2 (the header is row 1): 1 cells, but the header has 2" in reading.stderr.read()
    assert reading.wait(timeout=PATIENCE) == 2
    reading.stdin.close()
    reading.stderr.close()
    assert command.names() == []


def test_huge_lines(command: Command, monkeypatch: pytest.MonkeyPatch) -> None:
    """They are refused before memory ends; shorter ones of some MB are rows as others."""
    monkeypatch.setattr(tables, "_CSV_BLOCK", 1 << 20)
    monkeypatch.setattr(lines, "MOST_BYTES", 1 << 20)
    long = "x" * (9 << 20)
    source = command.write("in.csv", f'u,n\na:b,1\n"{long}\n')
    refused = command(source, command.path("o.csv"), "--column", "u").refused()
    assert "a row after row" in refused
    assert "is longer than 1 MiB, or a quotation mark is not closed" in refused
    source = command.write("in.txt", f"a:b\n{long}\n")
    refused = command(source, command.path("o.csv")).refused()
    assert refused == f"{source}, line 2: longer than 1 MiB"
    monkeypatch.undo()
    source = command.write("ok.txt", f"a:b\nhttps://h/{long}\n")
    assert command(source, command.path("o.csv"), "--add", "path,host").status == 0
    assert command.path("o.csv").stat().st_size == len(long) * 2 + len(
        "url,path,host\na:b,b,\nhttps://h/,/,h\n"
    )


def test_a_parquet_file_that_breaks_in_the_middle(command: Command) -> None:
    """It says after which row."""
    table = pa.table({"u": [f"https://{number}/" for number in range(200_000)]})
    path = command.path("in.parquet")
    pq.write_table(table, path, row_group_size=100_000, compression="none", use_dictionary=False)
    data = bytearray(path.read_bytes())
    middle = pq.ParquetFile(path).metadata.row_group(1).column(0).data_page_offset
    data[middle : middle + 2000] = b"\xff" * 2000
    path.write_bytes(data)
    result = command(path, command.path("o.csv"), "--column", "u")
    assert result.status == 2
    assert "in.parquet is corrupt after row " in result.err


@pytest.mark.skipif(not os.path.exists("/dev/full"), reason="of Linux")  # noqa: PTH110
def test_a_full_disk_behind_standard_output() -> None:
    """One line, and the status 3."""
    with Path("/dev/full").open("wb") as full:
        done = subprocess.run(
            program("-", "-", "--from", "text", "--add", "host"),
            input=b"https://h\n" * 100_000,
            stdout=full,
            stderr=subprocess.PIPE,
            env=environment(),
            timeout=PATIENCE,
            check=False,
        )
    assert done.returncode == 3
    assert b"cannot be written: No space left on device" in done.stderr
    assert b"Traceback" not in done.stderr


@pytest.mark.skipif(sys.platform == "win32", reason="limits of POSIX")
def test_a_file_that_cannot_grow_and_the_run_goes_on_when_it_can(command: Command) -> None:
    """As where a disk is full: nothing is half-written under the final name."""
    rows = [{"u": f"https://h/{'x' * 90}/{number}"} for number in range(40_000)]
    write_rows(command.path("in.csv"), rows)
    arguments = (command.path("in.csv"), command.path("o.csv"), "--column", "u",
                 "--add", "canonical")  # fmt: skip

    def limit() -> None:
        resource.setrlimit(resource.RLIMIT_FSIZE, (1 << 20, 1 << 20))

    done = outside(*arguments, preexec_fn=limit)
    assert done.returncode == 3
    assert b"cannot be written: " in done.stderr
    assert b"--resume to continue" in done.stderr
    assert b"Traceback" not in done.stderr
    assert not command.path("o.csv").exists()
    assert command(*arguments, "--resume").status == 0
    assert len(command.path("o.csv").read_text("utf-8").splitlines()) == 40_001


def test_a_closed_pipe(command: Command) -> None:
    """Whoever read this has read enough."""
    command.write("in.txt", "https://h\n" * 300_000)
    process = subprocess.Popen(
        program(command.path("in.txt"), "-", "--add", "canonical", "--quiet"),
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        env=environment(),
    )
    assert process.stdout is not None
    assert process.stderr is not None
    assert process.stdout.readline() == b"https://h/\n"
    process.stdout.close()
    assert process.wait(timeout=PATIENCE) == 3
    assert process.stderr.read() == b""
    process.stderr.close()


@pytest.mark.parametrize("name", ["lock", "output", "run.new", "00000000.new"])
@pytest.mark.parametrize("option", ["--overwrite", "--resume"])
def test_a_link_in_the_folder_of_a_run_is_refused(command: Command, name: str, option: str) -> None:
    """The file that it points to keeps its text."""
    command.write("in.csv", "u\na:b\n")
    command.write("other", "precious")
    command.path("out.csv.partial").mkdir(0o700)
    (command.path("out.csv.partial") / name).symlink_to(command.path("other"))
    arguments = (command.path("in.csv"), command.path("out.csv"), "--column", "u")
    assert f"is in the way: it contains '{name}'" in command(*arguments, option).refused()
    assert command.path("other").read_text() == "precious"


posix_only = pytest.mark.skipif(sys.platform == "win32", reason="owners and modes of POSIX")


@posix_only
@pytest.mark.parametrize("option", ["--overwrite", "--resume"])
@pytest.mark.parametrize("name", ["lock", "output", "run.json", "done.json", "00000000.arrows"])
def test_a_file_with_another_name_elsewhere_is_refused(
    command: Command, name: str, option: str
) -> None:
    """A hard link looks like a file of the run, but writing to it changes a file elsewhere."""
    command.write("in.csv", "u\na:b\n")
    folder = command.path("out.csv.partial")
    folder.mkdir(0o700)
    (folder / name).hardlink_to(command.write("other", "precious"))
    arguments = (command.path("in.csv"), command.path("out.csv"), "--column", "u", option)
    assert command(*arguments).refused() == (
        f"{folder} is in the way: '{name}' in it has another name elsewhere"
    )
    assert command.path("other").read_text() == "precious"
    assert (folder / name).exists()


@posix_only
@pytest.mark.skipif(not hasattr(os, "geteuid") or os.geteuid() != 0, reason="needs root")
@pytest.mark.parametrize("option", ["--overwrite", "--resume"])
@pytest.mark.parametrize("name", ["", "lock", "done.json"])
def test_a_folder_or_file_of_another_user_is_refused(
    command: Command, name: str, option: str
) -> None:
    """Who made it may still write to it."""
    command.write("in.csv", "u\na:b\n")
    folder = command.path("out.csv.partial")
    folder.mkdir(0o700)
    (folder / "lock").touch()
    (folder / "done.json").touch()
    os.chown(folder / name if name else folder, 12345, 12345)
    arguments = (command.path("in.csv"), command.path("out.csv"), "--column", "u", option)
    what = f"'{name}' in it" if name else "it"
    assert command(*arguments).refused() == (
        f"{folder} is in the way: {what} belongs to another user"
    )
    assert sorted(path.name for path in folder.iterdir()) == ["done.json", "lock"]


@posix_only
@pytest.mark.parametrize("mode", [0o770, 0o707, 0o1777])
@pytest.mark.parametrize("option", ["--overwrite", "--resume"])
def test_a_folder_that_others_can_write_to_is_refused(
    command: Command, mode: int, option: str
) -> None:
    """They may have put anything into it."""
    command.write("in.csv", "u\na:b\n")
    folder = command.path("out.csv.partial")
    folder.mkdir()
    folder.chmod(mode)
    arguments = (command.path("in.csv"), command.path("out.csv"), "--column", "u", option)
    assert command(*arguments).refused() == (
        f"{folder} is in the way: it can be written by other users"
    )


@posix_only
def test_no_other_user_can_write_into_the_folder_of_a_run(command: Command) -> None:
    """Whatever the umask is; and such a folder is taken for its own by ``--resume``."""
    before = os.umask(0)
    try:
        made = keeping.Keeping(command.path("out.csv"), 10)
        made.begin({"a": 1}, resume=False, overwrite=False)
        assert made.folder.stat().st_mode & 0o777 == 0o700
        made.close()
        again = keeping.Keeping(command.path("out.csv"), 10)
        again.begin({"a": 1}, resume=True, overwrite=False)
        again.remove()
    finally:
        os.umask(before)
    assert command.names() == []


@posix_only
@pytest.mark.parametrize("option", ["--overwrite", "--resume"])
@pytest.mark.parametrize("kind", ["link", "hard link", "pipe"])
def test_a_strange_file_in_place_of_unfinished_bad_rows_is_refused(
    command: Command, kind: str, option: str
) -> None:
    """The bad rows were written through a hard link into a file elsewhere."""
    command.write("in.csv", "u\na:b\nhttp://[\n")
    other, partial = command.write("other", "precious"), command.path("bad.csv.partial")
    match kind:
        case "link":
            partial.symlink_to(other)
        case "hard link":
            partial.hardlink_to(other)
        case _:
            os.mkfifo(partial)
    arguments = (command.path("in.csv"), command.path("out.csv"), "--column", "u")
    refused = command(*arguments, "--bad", command.path("bad.csv"), option).refused()
    why = "has another name elsewhere" if kind == "hard link" else "is a link or a special file"
    assert refused == f"{partial} is in the way: it {why}"
    assert other.read_text() == "precious"
    assert "out.csv.partial" not in command.names()


@pytest.mark.parametrize("text", ["", "[]", "{}", '{"summary": 1}'])
def test_a_note_of_the_end_that_is_corrupt_is_refused(command: Command, text: str) -> None:
    """There was a traceback."""
    command.write("in.csv", "u\na:b\n")
    folder = command.path("out.csv.partial")
    folder.mkdir(0o700)
    arguments = (command.path("in.csv"), command.path("out.csv"), "--column", "u", "--resume")
    (folder / "done.json").write_text(text)
    refused = command(*arguments).refused()
    assert refused == (
        f"{folder} is from a run that cannot be resumed: use --overwrite to start again"
    )
    (folder / "done.json").unlink()
    made = keeping.Keeping(command.path("out.csv"), 10)
    made.begin(None, resume=True, overwrite=False)
    (folder / "done.json").write_text(text)
    with pytest.raises(FileError, match=r"done.json is corrupt: use --overwrite"):
        made.finished([])
    made.close()


def test_a_planted_file_does_not_say_what_is_moved(command: Command) -> None:
    """The moves are those of the job."""
    command.write("in.csv", "u\na:b\n")
    command.write("other", "precious")
    folder = command.path("out.csv.partial")
    folder.mkdir(0o700)
    moves = [[str(command.path("other")), str(command.path("stolen"))]]
    done = {"moves": moves, "summary": {"rows": 1, "kept": 0, "bad": {}}}
    (folder / "done.json").write_text(json.dumps(done))
    command(command.path("in.csv"), command.path("out.csv"), "--column", "u", "--resume")
    assert command.path("other").read_text() == "precious"
    assert not command.path("stolen").exists()
