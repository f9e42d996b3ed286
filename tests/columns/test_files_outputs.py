"""Where outputs are put: folders, partitions, streams; what is replaced, and what stops a run."""

from __future__ import annotations

import gzip
import io
import os
import resource
import signal
import subprocess
import sys
import threading
from contextlib import suppress
from pathlib import Path
from typing import Any

import duckdb
import polars as pl
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from tests.columns.commands import (
    PATIENCE,
    Command,
    environment,
    expected,
    outside,
    program,
    read_rows,
    write_rows,
)
from weburl.__main__ import main
from weburl.columns import key_hash
from weburl.columns.files import places, running

ADD = ("--column", "url", "--add", "host,error")
URLS = ["https://a.example/", None, "http://[", "https://b.co.uk/x", "a:b", "https://a.example/2"]


# --- names ----------------------------------------------------------------------------------------

STRANGE = [
    "q'u;o\"te",
    "a*b?[c]",
    "\u00fc \u20ac \U0001f600",
    "a{b,c}",
    "-- x",
    "back\\slash",
    "%s",
]


@pytest.mark.parametrize("name", STRANGE)
@pytest.mark.parametrize("format", ["parquet", "csv", "jsonl"])
def test_names_are_never_sql_or_patterns(command: Command, name: str, format: str) -> None:
    """Of files, columns, prefixes and params."""
    for other in ("a1b2c", "abc"):  # What the pattern would match, too.
        write_rows(command.path(f"{other}.{format}"), [{"url": "wrong"}])
    source, target = command.path(f"{name}.{format}"), command.path(f"{name}-out.{format}")
    write_rows(source, [{name: "https://h/?" + "q=1", "other": "x"}])
    done = command(source, target, "--column", name, "--add", "host", "--prefix", f"{name}_",
                   "--param", name, "--bad", command.path(f"{name}-bad.{format}"))  # fmt: skip
    assert done.err == "1 rows, 0 of them bad\n"
    got = read_rows(target)
    assert got == [
        {name: "https://h/?q=1", "other": "x", f"{name}_host": "h", f"{name}_param_{name}": None}
    ]


def test_a_name_with_a_control_is_shown_without_it(command: Command) -> None:
    """Neither the name of a file nor that of a column reaches the terminal as it is."""
    source = command.write("in\x1b[2J.csv", "\x1b]0;x\x07\n")
    refused = command(source, command.path("o.csv"), "--column", "url").refused()
    assert "\x1b" not in refused and "\x07" not in refused
    own = command.write("own.csv", "weburl_added,url\nx,https://h/\n")
    refused = command(own, command.path("o.csv"), "--column", "url").refused()
    assert refused == f"{own} has a column named 'weburl_added': rename it"
    nul = command.write("nul.csv", "a\0b,url\nx,https://h/\n")
    assert "U+0000" in command(nul, command.path("o.csv"), "--column", "url").refused()


@pytest.mark.parametrize("format", ["parquet", "jsonl"])
def test_a_field_of_a_struct_has_a_name_with_a_dot(command: Command, format: str) -> None:
    """A column of this name comes first."""
    rows = [{"page": {"url": "https://in/", "x.y": "https://xy/"}}]
    write_rows(command.path(f"in.{format}"), rows)
    options = ("--add", "host", "--overwrite")
    source, target = command.path(f"in.{format}"), command.path("out.jsonl")
    assert command(source, target, "--column", "page.url", *options).status == 0
    assert read_rows(target) == [{**rows[0], "host": "in"}]
    write_rows(command.path(f"in.{format}"), [{**rows[0], "page.url": "https://out/"}])
    assert command(source, target, "--column", "page.url", *options).status == 0
    assert read_rows(target)[0]["host"] == "out"
    assert command(source, target, "--column", "page.link", *options).status == 2


# --- folders --------------------------------------------------------------------------------------


def tree(folder: Path) -> list[str]:
    """Return the paths of the files in a folder."""
    return sorted(str(path.relative_to(folder)) for path in folder.rglob("*") if path.is_file())


def write_tree(folder: Path) -> None:
    """Write files in folders, with some that are not data."""
    for name in ("date=1/a.csv", "date=1/b.csv.gz", "date=2/c.parquet", "_SUCCESS", ".x/d.csv"):
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        if path.suffix == ".parquet":
            write_rows(path, [{"url": "https://c/"}])
        elif path.suffix == ".gz":
            path.write_bytes(gzip.compress(b"url\nhttps://b/\n"))
        else:
            path.write_text("url\nhttps://a/\nhttp://[\n")


@pytest.mark.parametrize(
    ("pattern", "to", "files"),
    [
        ("in", (), ["date=1/a.csv", "date=1/b.csv.gz", "date=2/c.csv"]),
        ("in", ("--to", "jsonl"), ["date=1/a.jsonl", "date=1/b.jsonl", "date=2/c.jsonl"]),
        ("in/date=1", (), ["a.csv", "b.csv.gz"]),
        ("in/**/*.csv", (), ["date=1/a.csv"]),
        ("in/date=[12]", (), ["date=1/a.csv", "date=1/b.csv.gz", "date=2/c.csv"]),
    ],
)
def test_a_folder_or_pattern_gives_a_folder(
    command: Command, monkeypatch: pytest.MonkeyPatch, pattern: str, to: Any, files: list[str]
) -> None:
    """With the same folders inside. A part of a path such as ``date=1`` is not a column."""
    monkeypatch.chdir(command.folder)
    write_tree(command.path("in"))
    done = command(pattern, "out", *ADD, *to, "--bad", "bad")
    assert done.status == 0, done.err
    assert tree(command.path("out")) == tree(command.path("bad")) == files
    hosts = [name.rpartition("/")[2][0] for name in files]
    for name, host in zip(files, hosts, strict=True):
        path = command.path("out") / name
        if path.suffix == ".gz":
            assert gzip.decompress(path.read_bytes()) == b"url,host,error\nhttps://b/,b,\n"
        else:
            (row, *_) = read_rows(path)
            assert row == {"url": f"https://{host}/", "host": host, "error": None}
    assert done.err.startswith(f"{len(files) + 1} rows, 1 of them bad\n")
    assert "already exists" in command(pattern, "out", *ADD, *to).refused()
    assert command(pattern, "out", *ADD, *to, "--overwrite").status == 0
    command.write("out/notes.md", "mine")
    refused = command(pattern, "out", *ADD, *to, "--overwrite").refused()
    assert refused.startswith("out has files that are not data: ")


def test_a_folder_that_does_not_fit(command: Command, monkeypatch: pytest.MonkeyPatch) -> None:
    """Nothing is written."""
    monkeypatch.chdir(command.folder)
    write_tree(command.path("in"))
    command.path("empty").mkdir()
    for words, message in (
        (("empty", "out"), "'empty': there is no file"),
        (("no*.csv", "out"), "'no*.csv': there is no file"),
        (("in", "in/out"), "is inside"),
        (("in", "out", "--bad", "in/bad"), "is inside"),
        (("in", "out", "--bad", "out/bad"), "is inside"),
        (("in", "in"), "must be different files"),
        (("in", "-"), "the output of a folder or pattern is a folder"),
        (("in", "out", "--to", "csv", "--partition-by", "host"), "reads one file, not a folder"),
        (("in/date=1", "out", "--from", "csv", "--to", "text"), "plain text has only one column"),
    ):
        assert message in command(*words, *ADD).refused()
    command.write("in/date=1/a.tsv", "url\n")
    same = command("in", "out", *ADD, "--to", "jsonl").refused()
    assert same == "'date=1/a.jsonl' would be written for more than one file"
    command.write("in/x.xlsx", "")
    assert "'in/x.xlsx' needs one of the extensions" in command("in", "out", *ADD).refused()
    assert command.names() == ["empty", "in"]


def test_a_file_of_a_folder_that_cannot_be_read_leaves_nothing(command: Command) -> None:
    """Though others were written before it."""
    write_tree(command.path("in"))
    command.write("in/date=2/c.parquet", "root:x:0:0")
    refused = command(command.path("in"), command.path("out"), *ADD).refused()
    assert refused == f"{command.path('in/date=2/c.parquet')} is not Parquet, or it is damaged"
    assert command.names() == ["in"]


# --- partitions -----------------------------------------------------------------------------------

VALUES = [
    "https://a.example/1", "https://A.example/2", "http://[", None, "https://b.co.uk/",
    "https://xn--bcher-kva.example/", "data:x", "x://%41/", "x://..%2f/", "x://con/",
    f"x://{'%ff' * 200}/", "file:///x",
]  # fmt: skip


@pytest.mark.parametrize("by", ["host", "registrable_domain", "scheme"])
@pytest.mark.parametrize("to", ["parquet", "csv", "jsonl"])
def test_engines_read_the_value_from_the_names_of_folders(
    command: Command, by: str, to: str
) -> None:
    """Null, "" and a value that is too long for a name are null. All other columns are kept."""
    source = command.path("in.parquet")
    write_rows(source, [{"id": number, "url": url} for number, url in enumerate(VALUES)])
    done = command(source, command.path("out"), "--column", "url", "--add", "error",
                   "--partition-by", by, "--to", to)  # fmt: skip
    assert done.status == 0, done.err
    due = {}
    for number, url in enumerate(VALUES):
        value = expected(url)[by]
        due[number] = None if not value or len(value) > 200 else value
    if to == "jsonl":  # DuckDB gives them its own extension.
        pattern, reader = "**/*.json", "read_json"
    else:
        pattern, reader = f"**/*.{to}", f"read_{to}"
    rows = duckdb.execute(
        f"SELECT id, {by} FROM {reader}('{command.path('out')}/{pattern}',"
        " hive_partitioning=true, hive_types_autocast=false)"
    ).fetchall()
    assert dict(rows) == due
    if to == "parquet":
        frame = pl.read_parquet(command.path("out"), hive_partitioning=True)
        assert dict(zip(frame["id"], frame[by], strict=True)) == due
        assert set(frame.columns) == {"id", "url", "error", by}


def test_buckets_are_the_hash_modulo_their_number(command: Command) -> None:
    """So a batch that is hashed elsewhere finds its bucket. The hash stays a column."""
    urls = [f"https://h{number}.example/" for number in range(60)]
    write_rows(command.path("in.parquet"), [{"url": url} for url in [*urls, None, "nope"]])
    options = ("--column", "url", "--partition-by", "key_hash", "--buckets", 4)
    assert command(command.path("in.parquet"), command.path("out"), *options).status == 0
    rows = duckdb.execute(
        f"SELECT url, bucket, key_hash_page FROM '{command.path('out')}/**/*.parquet'"
    ).fetchall()
    assert len(rows) == 62
    for url, bucket, hashed in rows:
        due = None if url not in urls else key_hash(pa.array([url]))[0].as_py()
        assert hashed == due
        assert bucket == (None if due is None else due % 4)
    # Other new columns have names that begin like that of the hash, or contain it.
    others = ("--key", '{"name": "hash_x", "drop_fragment": true}', "--param", "key_hash_y")
    assert (
        command(command.path("in.parquet"), command.path("others"), *options, *others).status == 0
    )
    refused = command(command.path("in.parquet"), command.path("o"), *options, "--prefix", "/")
    assert "the name of a folder cannot begin with" in refused.refused()


# --- streams --------------------------------------------------------------------------------------


def test_parquet_from_and_to_standard_streams(command: Command) -> None:
    """As any other format."""
    write_rows(command.path("in.parquet"), [{"url": url} for url in URLS])
    with command.path("in.parquet").open("rb") as file, command.path("o.parquet").open("wb") as out:
        done = outside("-", "-", "--from", "parquet", "--to", "parquet", *ADD, stdin=file,
                       stdout=out, stderr=subprocess.PIPE, capture_output=False)  # fmt: skip
    assert (done.returncode, done.stderr) == (0, b"6 rows, 1 of them bad\n  1 IPv6-unclosed\n")
    assert [row["url"] for row in read_rows(command.path("o.parquet"))] == URLS


def test_progress_is_shown_only_on_a_terminal(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    """On standard error. DuckDB, whose bar would be among the rows, shows nothing."""
    source = tmp_path / "in.csv"
    source.write_text("url\n" + "https://a.example/\n" * 20_000)
    made = duckdb.connect()
    monkeypatch.setattr(duckdb, "connect", lambda: made)
    made.execute("SET progress_bar_time = 0")  # milliseconds, usually 2,000
    made.execute("SET enable_progress_bar_print = false")
    made.execute("SET enable_progress_bar = false")
    capfd.readouterr()
    monkeypatch.setattr(sys.stderr, "isatty", lambda: True)
    written = io.BytesIO()
    monkeypatch.setattr(sys, "stdout", io.TextIOWrapper(written))
    assert main(["columns", str(source), "-", *ADD]) == 0
    rows = written.getvalue()
    assert rows == b"url,host,error\n" + b"https://a.example/,a.example,\n" * 20_000
    printed = capfd.readouterr()
    assert printed.out == ""
    assert "\r\x1b[K20,000 rows" in printed.err


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="only Linux has it")
@pytest.mark.parametrize("closed", ["full", "0", "1", "2"])
def test_streams_that_are_full_or_closed(command: Command, closed: str) -> None:
    """A message of one line, and a documented status."""
    command.write("in.csv", "url\nhttps://a/\n")
    words = " ".join(program("-" if closed == "0" else command.path("in.csv"), "-", *ADD))
    words += " --from csv --to csv"
    redirected = "> /dev/full" if closed == "full" else f"{closed}>&-"
    done = subprocess.run(
        ["sh", "-c", f"{words} {redirected}"], env=environment(), capture_output=True, text=True,
        timeout=PATIENCE, check=False, stdin=subprocess.DEVNULL,
    )  # fmt: skip
    due = {
        "full": (3, "weburl columns: standard output cannot be written: No space left on device\n"),
        "0": (2, "weburl columns: standard input is closed\n"),
        "1": (3, "weburl columns: standard output is closed\n"),
        "2": (0, ""),
    }
    assert (done.returncode, done.stderr) == due[closed]


def test_a_reader_that_stops_ends_the_command_quietly(command: Command) -> None:
    """As ``| head`` does."""
    command.write("in.csv", "url\n" + "https://a.example/\n" * 50_000)
    words = " ".join(program(command.path("in.csv"), "-", *ADD))
    done = subprocess.run(
        ["sh", "-c", f"{{ {words}; echo $? >&2; }} | head -n 1"],
        env=environment(), capture_output=True, text=True, timeout=PATIENCE, check=False,
    )  # fmt: skip
    assert (done.stdout, done.stderr) == ("url,host,error\n", "3\n")


# --- what is replaced -----------------------------------------------------------------------------


def test_an_output_is_replaced_only_if_it_is_asked_for(command: Command) -> None:
    """A link is kept, and its file is replaced. What is not a file is not."""
    source = command.write("in.csv", "url\na:b\n")
    target = command.write("out.csv", "mine")
    bad = command.write("bad.csv", "mine")
    assert "already exists: use --overwrite" in command(source, target, *ADD).refused()
    words = (source, command.path("new.csv"), *ADD, "--bad", bad)
    assert "already exists: use --overwrite" in command(*words).refused()
    command.path("link.csv").symlink_to(target)
    assert command(source, command.path("link.csv"), *ADD, "--overwrite").status == 0
    assert command.path("link.csv").is_symlink()
    assert target.read_text() == "url,host,error\na:b,,\n"
    command.path("nothing.csv").symlink_to(command.path("elsewhere.csv"))
    os.mkfifo(command.path("pipe.csv"))
    command.path("folder.csv").mkdir()
    for name, message in (
        ("nothing.csv", "is a link to a file that does not exist"),
        ("pipe.csv", "is not a regular file; use - for standard output"),
        ("folder.csv", "is a folder"),
        ("no/out.csv", "no is not a folder"),
        ("in.csv", "must be different files"),
    ):
        done = command(source, command.path(name), *ADD, "--overwrite")
        assert message in done.refused()
    assert "use - for standard input" in command(command.path("pipe.csv"), target, *ADD).refused()
    assert "does not exist" in command(command.path("none.csv"), target, *ADD).refused()
    assert source.read_text() == "url\na:b\n"


def test_no_other_user_can_use_the_folder_of_an_unfinished_output(command: Command) -> None:
    """Its name is new each time, whatever others have put there, and the umask does not count."""
    before = os.umask(0)
    try:
        outputs = [
            places.Output(places.Place(str(command.path("out.csv")), "csv"), overwrite=False)
            for _ in "12"
        ]
        for output in outputs:
            output.make()
            assert output.own.stat().st_mode & 0o777 == 0o700
            assert output.own.parent == command.folder
        assert len({output.own for output in outputs}) == 2
    finally:
        os.umask(before)
    for output in outputs:
        output.close()
    assert command.names() == []


def test_two_runs_with_one_file_of_bad_rows(
    command: Command, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The second to end is an error, and leaves the file of the first as it is."""
    source, bad = command.write("in.csv", "url\nnope\n"), command.path("bad.csv")
    put = places.Output.put

    def slow(output: places.Output) -> None:
        monkeypatch.setattr(places.Output, "put", put)
        bad.write_text("of another run")
        put(output)

    monkeypatch.setattr(places.Output, "put", slow)
    done = command(source, command.path("out.csv"), *ADD, "--bad", bad)
    assert done.status == 3
    assert done.err == f"weburl columns: {bad} was made by another program meanwhile\n"
    assert bad.read_text() == "of another run"
    assert command.names() == ["bad.csv", "in.csv"]


# --- what stops a run -----------------------------------------------------------------------------


def test_a_small_file_that_unfolds_to_much_is_stopped(command: Command) -> None:
    """A dictionary of Parquet repeats a long value in a few bits."""
    value = f"https://h/{'a' * 46_000}"
    column = pa.DictionaryArray.from_arrays(pa.array([0] * 2_000, pa.int32()), pa.array([value]))
    other = pa.array(["https://h/"] * 2_000)
    for names in (("url", "x"), ("x", "url")):
        bomb = command.path("bomb.parquet")
        pq.write_table(pa.table([column, other], names=names), bomb, compression="zstd")
        assert bomb.stat().st_size < 3_000
        words = (bomb, command.path("out.csv"), *ADD, "--max-output", 1 << 20)
        assert command(*words).refused() == (
            f"{bomb}: more than 1,048,576 bytes would be written: --max-output allows more"
        )
    assert command.names() == ["bomb.parquet"]
    assert command(*words[:-1], 1 << 30).status == 0


def no_large_files() -> None:
    """Let this process write files of at most a megabyte."""
    signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
    resource.setrlimit(resource.RLIMIT_FSIZE, (1 << 20, 1 << 20))


def test_a_disk_without_room_stops_a_run(command: Command) -> None:
    """Nothing is half-written under the final name."""
    rows = "".join(f"https://h{os.urandom(8).hex()}/\n" for _ in range(100_000))
    source = command.write("in.csv", f"url\n{rows}")
    done = subprocess.run(
        program(source, command.path("out.csv"), *ADD),
        env=environment(), capture_output=True, text=True, timeout=PATIENCE, check=False,
        preexec_fn=no_large_files,
    )  # fmt: skip
    assert done.returncode == 3
    assert done.stderr == (
        f"weburl columns: {command.path('out.csv')} cannot be written: File too large\n"
    )
    assert command.names() == ["in.csv"]


@pytest.mark.parametrize(("number", "status"), [(signal.SIGINT, 130), (signal.SIGTERM, 143)])
def test_a_stopped_run_leaves_nothing(command: Command, number: int, status: int) -> None:
    """It reads standard input until its end, so it cannot end before it is stopped."""
    run = subprocess.Popen(
        program("-", command.path("out.csv"), "--from", "csv", *ADD), env=environment(),
        stdin=subprocess.PIPE, stderr=subprocess.PIPE,
        preexec_fn=lambda: signal.signal(signal.SIGINT, signal.default_int_handler),  # noqa: PLW1509
    )  # fmt: skip
    with run, suppress(BrokenPipeError):
        assert run.stdin is not None and run.stderr is not None
        while not any(path.is_dir() for path in command.folder.iterdir()):
            assert run.poll() is None
        run.send_signal(number)
        assert run.wait(PATIENCE) == status
        assert run.stderr.read() == b"weburl columns: stopped\n"
    assert command.names() == []


def test_a_query_that_is_stopped_ends_first(
    command: Command, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Ctrl-C comes while DuckDB runs, and once more while it is being stopped."""
    source = command.write("in.csv", "url\n" + "https://a.example/\n" * 200_000)
    waits: list[float | None] = []

    class Interrupted(threading.Event):
        """An event whose first two waits are interrupted."""

        def wait(self, timeout: float | None = None) -> bool:
            """Wait, or raise as Ctrl-C does."""
            waits.append(timeout)
            if len(waits) <= 2:
                raise KeyboardInterrupt
            return super().wait(timeout)

    monkeypatch.setattr(running, "Event", Interrupted)
    done = command(source, command.path("out.csv"), *ADD)
    assert (done.status, done.err) == (130, "weburl columns: stopped\n")
    assert len(waits) >= 1
    assert command.names() == ["in.csv"]


def test_little_memory_is_an_error_that_says_so(command: Command) -> None:
    """And so is a size that DuckDB cannot read."""
    source = command.write("in.csv", "url\n" + "https://a.example/\n" * 1_000)
    words = (source, command.path("out.parquet"), *ADD, "--memory")
    assert "--memory takes a size such as 2GB, not 'much'" in command(*words, "much").refused()
    done = command(*words, "1MB")
    assert (done.status, "needs more memory: --memory allows more" in done.err) == (3, True)
    assert command(*words, "1GB", "--threads", 1).status == 0


def test_without_duckdb_the_extra_is_named(command: Command) -> None:
    """The help works without it."""
    hidden = "import sys; sys.modules['duckdb'] = None; from weburl.__main__ import main; "
    for words, status, message in (
        (["columns", "a.csv", "b.csv"], 2, b"needs DuckDB: pip install 'weburl[duckdb]'"),
        (["columns", "--help"], 0, b""),
    ):
        done = subprocess.run(
            [sys.executable, "-c", f"{hidden}sys.exit(main({words!r}))"],
            env=environment(), capture_output=True, timeout=PATIENCE, check=False,
        )  # fmt: skip
        assert (done.returncode, message in done.stderr) == (status, True)
