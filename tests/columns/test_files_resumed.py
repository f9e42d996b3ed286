"""Runs that are stopped and go on: killed, ended, refused; and runs by several workers."""

from __future__ import annotations

import json
import os
import signal
import sys
from pathlib import Path

import pyarrow as pa
import pytest

from tests.columns.commands import (
    Command,
    Held,
    outside,
    read_rows,
    write_rows,
)
from weburl.columns.files import keeping, parquet_batches, tables
from weburl.columns.files import workers as of_files
from weburl.columns.files.adding import Adding

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="signals of POSIX")

ADD = ("--column", "url", "--add", "host,registrable_domain,error", "--keep-seconds", "0")


def options(*more: object) -> list[object]:
    """Return ``ADD`` and more options, which may replace some of it."""
    own = zip(ADD[::2], ADD[1::2], strict=True)
    return [*(word for pair in own if pair[0] not in more for word in pair), *more]


# What no compiled kernel computes, so that each worker is a process in both builds.
ADD_BY_PYTHON = ("--column", "url", "--add", "rendered,error", "--keep-seconds", "0")
# For runs in a process of their own: four batches.
MANY = 110_000
# For those in this process, by batches of a hundred.
ROWS = 500
BATCH = 100


@pytest.fixture
def command(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> Command:
    """Return what runs the command."""
    return Command(tmp_path, capsys)


def write_many(path: Path, number: int = MANY) -> None:
    """Write rows; every hundredth is bad."""
    rows = [
        {"n": number, "url": f"https://h{number}.example/" if number % 100 else "http://["}
        for number in range(number)
    ]
    write_rows(path, rows)


@pytest.mark.parametrize(
    ("source", "target", "workers"), [("parquet", "parquet", 1), ("csv", "jsonl.gz", 2)]
)
def test_a_killed_run_goes_on(command: Command, source: str, target: str, workers: int) -> None:
    """The output is that of a run which was not killed, to the last byte."""
    given, made = command.path(f"in.{source}"), command.path(f"out.{target}")
    write_many(given)
    arguments = (given, made, *ADD, "--workers", workers, "--bad", command.path("bad.csv"))
    folder = keeping.partial_of(made)
    with Held("piece", *arguments) as run:
        run.wait_for(folder / "00000000.arrows")
        run.kill()
    assert not made.exists()
    assert (folder / "output").exists()
    refused = command(*arguments).refused()
    assert refused == (
        f"{folder} has an unfinished run: use --resume to continue it or --overwrite to start again"
    )
    result = command(*arguments, "--resume")
    assert result.status == 0, result.err
    kept = result.err.splitlines()[-1]
    assert kept.endswith(" rows were computed by an earlier run")
    assert 0 < int(kept.split()[0].replace(",", "")) < MANY
    assert result.err.startswith(f"{MANY:,} rows, {MANY // 100:,} of them bad")
    assert not folder.exists()
    whole, bad = command.path(f"whole.{target}"), command.path("bad-whole.csv")
    command(given, whole, *ADD, "--bad", bad)
    assert made.read_bytes() == whole.read_bytes()
    assert command.path("bad.csv").read_bytes() == bad.read_bytes()
    assert len(bad.read_text("utf-8").splitlines()) == MANY // 100 + 1
    assert command.names() == sorted(
        [given.name, made.name, whole.name, "bad.csv", "bad-whole.csv"]
    )


@pytest.mark.parametrize(
    ("number", "status", "workers"),
    [(signal.SIGINT, 130, 2), (signal.SIGTERM, 143, 1)],
    ids=["Ctrl-C", "SIGTERM"],
)
def test_a_run_that_is_told_to_stop_says_how_it_goes_on(
    command: Command, number: signal.Signals, status: int, workers: int
) -> None:
    """In two lines, without a traceback; the other processes end, too."""
    given, made = command.path("in.csv"), command.path("out.csv")
    write_many(given)
    with Held("piece", given, made, *ADD, "--workers", workers) as run:
        run.wait_for(keeping.partial_of(made) / "00000000.arrows")
        run.process.send_signal(number)
        err = run.end()
    assert run.process.returncode == status
    # The interpreter may add a warning about what the processes left.
    assert err.splitlines()[:2] == [
        "weburl columns: stopped",
        "What was computed is kept: repeat the command with --resume to continue.",
    ]
    assert "Traceback" not in err
    assert not made.exists()
    assert command(given, made, *ADD, "--resume", "--quiet").status == 0
    assert len(read_rows(made)) == MANY


def test_workers_end_when_the_first_process_is_killed(command: Command) -> None:
    """They would wait for work for ever."""
    given, made = command.path("in.csv"), command.path("out.csv")
    write_many(given)
    with Held("piece", given, made, *ADD_BY_PYTHON, "--workers", 2) as run:
        run.wait_for(keeping.partial_of(made) / "00000000.arrows")
        assert len(run.children()) >= 2
        run.kill()


def test_a_killed_worker_stops_the_run_and_it_can_go_on(command: Command) -> None:
    """As the system does where memory ends."""
    given, made = command.path("in.csv"), command.path("out.csv")
    write_many(given)
    with Held("worker", given, made, *ADD_BY_PYTHON, "--workers", 2) as run:
        run.wait_for(keeping.partial_of(made) / "00000000.arrows")
        named = {n: Path(f"/proc/{n}/cmdline").read_bytes() for n in run.children()}
        worker = next(number for number, words in named.items() if b"spawn_main" in words)
        os.kill(worker, signal.SIGKILL)
        assert "a worker process was killed" in run.end()
    assert run.process.returncode == 3
    assert command(given, made, *ADD_BY_PYTHON, "--resume", "--quiet").status == 0
    assert len(read_rows(made)) == MANY


def interrupted(command: Command, monkeypatch: pytest.MonkeyPatch, *more: object) -> None:
    """Leave a run that was stopped after its second batch."""
    monkeypatch.setattr(tables, "_ROWS_AT_A_TIME", BATCH)
    monkeypatch.setattr(parquet_batches, "_ROWS_AT_A_TIME", BATCH)
    with monkeypatch.context() as patched:
        seen: list[int] = []
        compute = Adding.compute

        def stop(self: Adding, urls: object, bases: object) -> object:
            seen.append(1)
            if len(seen) == 4:  # the first one finds the types
                raise KeyboardInterrupt
            return compute(self, urls, bases)

        patched.setattr(Adding, "compute", stop)
        arguments = (command.path("in.csv"), command.path("out.csv"), *options(*more))
        assert command(*arguments).status == 130


def test_what_was_computed_is_not_computed_again(
    command: Command, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Two batches of the five."""
    write_many(command.path("in.csv"), ROWS)
    interrupted(command, monkeypatch)
    lengths: list[int] = []
    compute = Adding.compute

    def count(self: Adding, urls: object, bases: object) -> object:
        lengths.append(len(urls))  # type: ignore[arg-type]
        return compute(self, urls, bases)

    monkeypatch.setattr(Adding, "compute", count)
    result = command(command.path("in.csv"), command.path("out.csv"), *ADD, "--resume")
    assert result.status == 0, result.err
    assert sum(lengths) == ROWS - 2 * BATCH
    assert f"{2 * BATCH} rows were computed by an earlier run" in result.err


def test_threads_are_stopped_and_go_on_too(
    command: Command, monkeypatch: pytest.MonkeyPatch
) -> None:
    """What the batches before gave is kept, and the output is that of one worker."""
    monkeypatch.setattr(of_files, "threads_pay", lambda **_: True)
    monkeypatch.setattr(tables, "_ROWS_AT_A_TIME", BATCH)
    monkeypatch.setattr(parquet_batches, "_ROWS_AT_A_TIME", BATCH)
    write_many(command.path("in.csv"), ROWS)
    arguments = (command.path("in.csv"), command.path("out.csv"), *ADD, "--workers", 2)
    compute = Adding.compute

    def stop(self: Adding, urls: pa.Array, bases: object) -> object:
        if f"https://h{2 * BATCH + 1}.example/" in urls.to_pylist():
            raise KeyboardInterrupt
        return compute(self, urls, bases)

    with monkeypatch.context() as patched:
        patched.setattr(Adding, "compute", stop)
        assert command(*arguments).status == 130
    result = command(*arguments, "--resume")
    assert result.status == 0, result.err
    assert f"{2 * BATCH} rows were computed by an earlier run" in result.err
    command(command.path("in.csv"), command.path("whole.csv"), *ADD)
    assert command.path("out.csv").read_bytes() == command.path("whole.csv").read_bytes()


@pytest.mark.parametrize(
    ("change", "named"),
    [
        (("--add", "host,error"), "--add"),
        (("--base", "https://h"), "--base"),
        (("--prefix", "x"), "--prefix"),
        (("--param", "q"), "--param"),
        (("--bad", "bad.csv"), "--bad"),
    ],
)
def test_other_options_are_another_run(
    command: Command, monkeypatch: pytest.MonkeyPatch, change: tuple[str, str], named: str
) -> None:
    """It says which, and leaves what there is to the run that it is of."""
    write_many(command.path("in.csv"), ROWS)
    interrupted(command, monkeypatch)
    monkeypatch.chdir(command.folder)
    files = (command.path("in.csv"), command.path("out.csv"))
    refused = command(*files, *options(*change), "--resume").refused()
    assert f"which differs in: {named}. Use --overwrite to start again" in refused
    assert command(*files, *ADD, "--resume", "--workers", 2, "--quiet").status == 0


def test_hosts_in_place_of_urls_are_another_run(
    command: Command, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The names in ``--add`` can be the same."""
    write_many(command.path("in.csv"), ROWS)
    more = ("--add", "registrable_domain,error")
    interrupted(command, monkeypatch, *more)
    arguments = (command.path("in.csv"), command.path("out.csv"), *options(*more), "--resume")
    assert "which differs in: --hosts. " in command(*arguments, "--hosts").refused()
    assert command(*arguments, "--quiet").status == 0


def test_another_block_list_is_another_run(
    command: Command, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The same names may mean the hosts below them: half of the rows had the old answers."""
    write_many(command.path("in.csv"), ROWS)
    names = [f"h{number}.example" for number in range(20)]
    command.write("block.txt", "\n".join(names))
    more = ("--add", "refusal,error", "--refused-hosts-file", command.path("block.txt"))
    interrupted(command, monkeypatch, *more)
    command.write("block.txt", "\n".join(f"*.{name}" for name in names))
    arguments = (command.path("in.csv"), command.path("out.csv"), *options(*more), "--resume")
    assert "which differs in: --policy. " in command(*arguments).refused()
    command.write("block.txt", "\n".join(names))
    assert command(*arguments).status == 0


def test_another_input_is_another_run(command: Command, monkeypatch: pytest.MonkeyPatch) -> None:
    """By its size, its time and its ends; ``--overwrite`` starts again."""
    given, made = command.path("in.csv"), command.path("out.csv")
    write_many(given, ROWS)
    interrupted(command, monkeypatch)
    with given.open("a") as file:
        file.write("1,https://more/\n")
    refused = command(given, made, *ADD, "--resume").refused()
    assert "which differs in: the input. " in refused
    assert command(given, made, *ADD, "--overwrite", "--quiet").status == 0
    assert len(read_rows(made)) == ROWS + 1
    assert command.names() == ["in.csv", "out.csv"]


def test_nothing_to_go_on_with_is_a_run_from_the_beginning(command: Command) -> None:
    """So the same command can be used each time; an output that is there stays."""
    write_rows(command.path("in.csv"), [{"url": "a:b"}])
    arguments = (command.path("in.csv"), command.path("out.csv"), *ADD, "--resume")
    assert command(*arguments).status == 0
    assert "already exists: use --overwrite to replace it" in command(*arguments).refused()
    assert command.names() == ["in.csv", "out.csv"]


@pytest.mark.parametrize("renamed", [0, 1, 2])
def test_a_crash_among_the_last_steps(
    command: Command, monkeypatch: pytest.MonkeyPatch, renamed: int
) -> None:
    """When all is written, but not all files have their names, going on gives them those."""
    write_rows(command.path("in.csv"), [{"url": "a:b"}, {"url": "nope"}])
    arguments = (*map(command.path, ("in.csv", "out.csv")), *ADD, "--bad", command.path("bad.csv"))
    real = keeping.Keeping._move

    def crash(self: keeping.Keeping, moves: list[tuple[Path, Path]]) -> None:
        for here, there in moves[:renamed]:
            here.replace(there)
        raise KeyboardInterrupt

    monkeypatch.setattr(keeping.Keeping, "_move", crash)
    assert command(*arguments).status == 130
    monkeypatch.setattr(keeping.Keeping, "_move", real)
    result = command(*arguments, "--resume")
    assert (result.status, result.err.splitlines()[0]) == (0, "2 rows, 1 of them bad")
    assert len(read_rows(command.path("out.csv"))) == 2
    assert len(read_rows(command.path("bad.csv"))) == 1
    assert command.names() == ["bad.csv", "in.csv", "out.csv"]


def test_two_runs_at_a_time(command: Command) -> None:
    """The second one is refused."""
    given, made = command.path("in.csv"), command.path("out.csv")
    write_many(given)
    with Held("piece", given, made, *ADD) as run:
        run.wait_for(keeping.partial_of(made) / "00000000.arrows")
        for option in ("--resume", "--overwrite"):
            refused = command(given, made, *ADD, option).refused()
            assert refused.endswith("out.csv.partial is in use by another run")


def test_a_broken_piece_is_told(command: Command, monkeypatch: pytest.MonkeyPatch) -> None:
    """A disk may break it."""
    write_many(command.path("in.csv"), ROWS)
    interrupted(command, monkeypatch)
    piece = keeping.partial_of(command.path("out.csv")) / "00000001.arrows"
    piece.write_bytes(piece.read_bytes()[:300])
    result = command(command.path("in.csv"), command.path("out.csv"), *ADD, "--resume")
    assert result.status == 2
    assert "00000001.arrows is corrupt: use --overwrite to start again" in result.err


def test_a_file_with_the_name_of_bad_rows_that_are_not_yet_whole_stays(command: Command) -> None:
    """It was overwritten, and then renamed."""
    arguments = (command.write("in.csv", "u\nnope\n"), command.path("o.csv"), "--column", "u",
                 "--bad", command.path("bad.csv"))  # fmt: skip
    mine = command.write("bad.csv.partial", "mine")
    assert command(*arguments).refused() == f"{mine} already exists: use --overwrite to replace it"
    assert mine.read_text("utf-8") == "mine"
    assert command(*arguments, "--overwrite").status == 0
    assert command.names() == ["bad.csv", "in.csv", "o.csv"]


@pytest.mark.parametrize("note", ["null", "", "[1]"])
def test_a_run_that_left_no_note_of_itself_cannot_go_on(command: Command, note: str) -> None:
    """That of a stream has none, "null": there was a traceback."""
    folder = command.path("o.csv.partial")
    folder.mkdir()
    (folder / "run.json").write_text(note, "utf-8")
    arguments = (command.write("in.csv", "u\na:b\n"), command.path("o.csv"), "--column", "u")
    refused = command(*arguments, "--resume").refused()
    assert (
        refused == f"{folder} is from a run that cannot be resumed: use --overwrite to start again"
    )
    assert command(*arguments, "--overwrite").status == 0
    assert command.names() == ["in.csv", "o.csv"]


@pytest.mark.parametrize("option", ["--resume", "--overwrite", "--quiet"])
def test_what_others_keep_under_the_name_of_the_folder_is_not_removed(
    command: Command, option: str
) -> None:
    """``--overwrite`` removed a folder with whatever was in it."""
    arguments = (command.write("in.csv", "u\na:b\n"), command.path("o.csv"), "--column", "u")
    folder = command.path("o.csv.partial")
    folder.mkdir()
    (folder / "mine.txt").write_text("mine", "utf-8")
    refused = command(*arguments, option).refused()
    assert refused == f"{folder} is in the way: it contains 'mine.txt'"
    assert [path.name for path in folder.iterdir()] == ["mine.txt"]
    (folder / "mine.txt").rename(command.path("mine.txt"))
    folder.rmdir()
    command.path("mine.txt").rename(folder)
    assert command(*arguments, option).refused() == f"{folder} is in the way: it is not a folder"
    assert folder.read_text("utf-8") == "mine"


def test_a_stream_cannot_be_resumed(command: Command) -> None:
    """And leaves nothing behind when it is stopped."""
    assert command("-", "-", "--from", "text", "--add", "host", "--resume").refused() == (
        "--resume needs files: a stream cannot be read again"
    )
    made = command.path("out.csv")
    done = outside("-", made, "--from", "jsonl", "--column", "url", input=b'{"url": 1}\n')
    assert done.returncode == 2
    assert command.names() == []


def test_workers_keep_the_order(command: Command) -> None:
    """Three of them, with batches that take different times."""
    texts = ["https://h/" + "\u00e9" * (number % 3000) for number in range(4000)]
    lines = "".join(json.dumps({"n": n, "url": text}) + "\n" for n, text in enumerate(texts))
    command.write("in.jsonl", lines * 4)
    for workers in (1, 3):
        command(command.path("in.jsonl"), command.path(f"{workers}.jsonl"), "--column", "url",
                "--workers", workers)  # fmt: skip
    assert command.path("1.jsonl").read_bytes() == command.path("3.jsonl").read_bytes()
