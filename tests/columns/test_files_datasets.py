"""Datasets: folders, patterns and remote files, by workers, stopped and resumed."""

from __future__ import annotations

import os
import signal
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import fsspec
import pytest

from tests.columns.commands import Command, Held, read_rows, wait_until, write_rows
from weburl.columns.files import datasets, keeping
from weburl.columns.files.errors import FileError
from weburl.columns.files.remote import Remote
from weburl.columns.files.running import Job

ADD = ("--column", "u", "--add", "host,error")
PARTS = ("date=2026-01-01/part-0", "date=2026-01-01/part-1", "date=2026-01-02/b=x y/part-0")


@pytest.fixture
def command(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> Command:
    """Return what runs the command."""
    return Command(tmp_path, capsys)


@pytest.fixture
def store() -> Iterator[Any]:
    """Return fsspec's file system in memory, which is empty."""
    files = fsspec.filesystem("memory")
    for path in (each["name"] for each in files.ls("/")):
        files.rm(path, recursive=True)
    yield files
    for path in (each["name"] for each in files.ls("/")):
        files.rm(path, recursive=True)


def write_dataset(folder: Path, kind: str = "parquet", rows: int = 30) -> None:
    """Write three partitions, with files that are no part of them."""
    for number, part in enumerate(PARTS):
        path = folder / f"{part}.{kind}"
        path.parent.mkdir(parents=True, exist_ok=True)
        urls = (f"https://h{number}-{row}/" if row % 10 else "http://[" for row in range(rows))
        write_rows(path, [{"n": row, "u": url} for row, url in enumerate(urls)])
    (folder / "_SUCCESS").touch()
    (folder / PARTS[0]).parent.joinpath(".crc").write_bytes(b"\0")


def tree(folder: Path) -> dict[str, bytes]:
    """Return all files of a folder, by their paths."""
    paths = (path for path in folder.rglob("*") if path.is_file())
    return {path.relative_to(folder).as_posix(): path.read_bytes() for path in paths}


def single_runs(command: Command, folder: Path, kind: str, name: str) -> dict[str, bytes]:
    """Return the outputs of one run for each file."""
    made = {}
    for number, part in enumerate(PARTS):
        target, bad = command.path(f"{name}-{number}.{kind}"), command.path(f"b-{number}.{kind}")
        source = next(folder.glob(f"{part}.*"))
        assert command(source, target, *ADD, "--bad", bad, "--overwrite").status == 0
        made[f"{part}.{kind}"] = target.read_bytes()
        made[f"bad/{part}.{kind}"] = bad.read_bytes()
    return made


@pytest.mark.parametrize("workers", [1, 2])
@pytest.mark.parametrize(
    ("source", "options", "target"),
    [("parquet", (), "parquet"), ("csv", ("--to", "jsonl"), "jsonl")],
)
def test_a_folder(
    command: Command, source: str, options: tuple[str, ...], target: str, workers: int
) -> None:
    """Each file is that of a run of its own, in the same partition."""
    given, made, bad = (command.path(name) for name in ("in", "out", "bad"))
    write_dataset(given, source)
    done = command(given, made, *ADD, *options, "--bad", bad, "--workers", workers)
    assert (done.status, done.err) == (0, "90 rows, 9 of them bad\n  9 IPv6-unclosed\n")
    expected = single_runs(command, given, target, "single")
    found = tree(made) | {f"bad/{name}": data for name, data in tree(bad).items()}
    assert found == expected
    assert not list(command.folder.glob("*.partial"))


@pytest.mark.skipif(sys.platform == "win32", reason="permissions of POSIX")
def test_the_folders_have_the_permissions_of_new_folders(command: Command) -> None:
    """They are private until the run is complete."""
    write_dataset(command.path("in"))
    command.path("new").mkdir()
    assert command(command.path("in"), command.path("out"), *ADD).status == 0
    mode = command.path("new").stat().st_mode
    folders = [command.path("out"), *command.path("out").rglob("date=*")]
    assert [folder.stat().st_mode for folder in folders] == [mode] * 3


def test_patterns(command: Command, monkeypatch: pytest.MonkeyPatch) -> None:
    """Paths begin after the last folder without a pattern; matching folders count as a whole."""
    write_dataset(command.path("in"))
    monkeypatch.chdir(command.folder)
    for number, (pattern, names) in enumerate(
        {
            "in/**/*.parquet": PARTS,
            "in/date=*": PARTS,
            "in/*/part-0.parquet": PARTS[:1],
            f"{command.folder}/i*/{PARTS[1]}.parquet": [f"in/{PARTS[1]}"],
        }.items()
    ):
        done = command(pattern, f"out-{number}", *ADD)
        assert done.status == 0, done.err
        assert set(tree(command.path(f"out-{number}"))) == {f"{name}.parquet" for name in names}
    assert command("in/*.csv", "o", *ADD).refused() == "in/*.csv has no files"


def test_a_pattern_leaves_out_hidden_names(
    command: Command, monkeypatch: pytest.MonkeyPatch
) -> None:
    """What Spark had not finished in "_temporary" was read, too."""
    monkeypatch.chdir(command.folder)
    for name in ("a.csv", "_b.csv", ".c.csv", "_temporary/d.csv", "x/_e.csv", "x/f.csv"):
        command.path(f"in/{name}").parent.mkdir(parents=True, exist_ok=True)
        command.write(f"in/{name}", "url\na:b\n")
    options = ("--column", "url", "--add", "scheme")
    assert command("in/**/*.csv", "out", *options).status == 0
    assert set(tree(command.path("out"))) == {"a.csv", "x/f.csv"}
    assert command("in/_temp*/*", "o", *options).refused() == "in/_temp*/* has no files"
    assert command("in/_temporary/*", "own", *options).status == 0
    assert set(tree(command.path("own"))) == {"d.csv"}


def test_malformed_lines_of_a_dataset(command: Command) -> None:
    """They are in files with a name that readers of datasets leave out."""
    write_dataset(command.path("in"), "csv")
    with command.path("in").joinpath(f"{PARTS[1]}.csv").open("a") as file:
        file.write("x\n")
    options = ("--malformed", "keep", "--bad", command.path("bad"), "--encoding", "latin1")
    done = command(command.path("in"), command.path("out"), *ADD, *options)
    assert "90 rows, 9 of them bad" in done.err
    assert "1 malformed lines, which" in done.err
    kept = command.path("bad") / "date=2026-01-01" / "_part-1.csv.malformed.jsonl"
    assert [row["row"] for row in read_rows(kept)] == [32]


def test_a_broken_file_keeps_the_finished_ones(
    command: Command, monkeypatch: pytest.MonkeyPatch
) -> None:
    """When it is repaired, only it and those after it are computed."""
    given, made = command.path("in"), command.path("out")
    write_dataset(given, "csv")
    broken = given / f"{PARTS[1]}.csv"
    text = broken.read_text("utf-8")
    broken.write_text(f"{text}x\n", encoding="utf-8")
    refused = command(given, made, *ADD).refused()
    assert refused.startswith(f"{broken}, row 32 (the header is row 1): 1 cells")
    assert not made.exists()
    broken.write_text(text, encoding="utf-8")
    ran: list[str] = []
    run: Callable[..., Any] = vars(datasets)["run"]

    def noted(job: Job, *others: Any) -> Any:
        ran.append(str(job.input))
        return run(job, *others)

    monkeypatch.setattr(datasets, "run", noted)
    done = command(given, made, *ADD, "--resume")
    assert done.err.endswith("30 rows were computed by an earlier run\n")
    assert done.err.startswith("90 rows, 9 of them bad")
    assert ran == [str(given / f"{name}.csv") for name in PARTS[1:]]
    assert tree(made).keys() == {f"{name}.csv" for name in PARTS}


def test_a_changed_file_is_computed_again_and_a_removed_one_is_left_out(command: Command) -> None:
    """The others are not."""
    given, made = command.path("in"), command.path("out")
    write_dataset(given, "csv")
    last = given / f"{PARTS[2]}.csv"
    last.write_text("u\nx,y\n", encoding="utf-8")
    assert command(given, made, *ADD).status == 2
    write_rows(last, [{"u": "https://new/"}])
    write_rows(given / f"{PARTS[0]}.csv", [{"u": "https://changed/"}])
    (given / f"{PARTS[1]}.csv").unlink()
    done = command(given, made, *ADD, "--resume")
    assert done.err == "2 rows, 0 of them bad\n"
    assert tree(made) == {
        f"{PARTS[0]}.csv": b"u,host,error\nhttps://changed/,changed,\n",
        f"{PARTS[2]}.csv": b"u,host,error\nhttps://new/,new,\n",
    }


@pytest.mark.skipif(sys.platform == "win32", reason="signals of POSIX")
@pytest.mark.parametrize(
    ("number", "workers"), [(signal.SIGKILL, 1), (signal.SIGKILL, 2), (signal.SIGTERM, 2)]
)
def test_a_stopped_run_goes_on(command: Command, number: signal.Signals, workers: int) -> None:
    """All files are those of a run that was not stopped, to the last byte."""
    given, made, whole = (command.path(name) for name in ("in", "out", "whole"))
    write_dataset(given, "csv", 40_000)
    options = (*ADD, "--keep-seconds", 0, "--workers", workers, "--bad", command.path("bad"))
    folder = keeping.partial_of(made)
    with Held("piece", given, made, *options) as run:
        run.wait_for(folder / "files" / f"{PARTS[0]}.csv.partial" / "00000000.arrows")
        if number == signal.SIGKILL:
            run.kill()
        else:
            run.process.send_signal(number)
            wait_until((folder / datasets._STOP).exists)
            run.release()
            run.end()
    assert run.process.returncode == (143 if number == signal.SIGTERM else -number)
    assert not made.exists()
    how = "use --resume to continue it or --overwrite to start again"
    for _ in range(2):
        assert command(given, made, *options).refused() == f"{folder} has an unfinished run: {how}"
    done = command(given, made, *options, "--resume")
    assert done.status == 0, done.err
    assert "rows were computed by an earlier run" in done.err
    bad = command.path("whole-bad")
    assert command(given, whole, *ADD, "--bad", bad).status == 0
    assert tree(made) == tree(whole)
    assert tree(command.path("bad")) == tree(bad)
    assert command.names() == ["bad", "in", "out", "whole", "whole-bad"]


def test_overwriting(command: Command) -> None:
    """An output is replaced as a whole, and only if it contains nothing but data."""
    given, made = command.path("in"), command.path("out")
    write_dataset(given, "csv")
    made.mkdir()
    (made / "old.csv").touch()
    refused = command(given, made, *ADD).refused()
    assert refused == f"{made} already exists: use --overwrite to replace it"
    done = command(given, made, *ADD, "--overwrite")
    assert done.status == 0, done.err
    assert set(tree(made)) == {f"{name}.csv" for name in PARTS}
    (made / "letter.odt").touch()
    before = tree(made)
    refused = command(given, made, *ADD, "--overwrite").refused()
    assert "contains 'letter.odt', which is not a data file" in refused
    assert tree(made) == before


@pytest.mark.skipif(sys.platform == "win32", reason="links and owners of POSIX")
@pytest.mark.parametrize("where", ["files", "files/date=2026-01-01", "bad", "finished.jsonl"])
@pytest.mark.parametrize("what", ["link", "hard link", "writable"])
def test_what_another_user_may_have_put_there(command: Command, where: str, what: str) -> None:
    """Nothing is written through it."""
    given, made = command.path("in"), command.path("out")
    write_dataset(given, "csv")
    given.joinpath(f"{PARTS[1]}.csv").write_text("u\nx,y\n", encoding="utf-8")
    assert command(given, made, *ADD, "--bad", command.path("bad")).status == 2
    folder = keeping.partial_of(made)
    planted = folder / where
    elsewhere = command.path("elsewhere")
    if what == "link":
        elsewhere.mkdir()
        if planted.is_dir():
            planted.rename(folder.with_name("moved"))
        else:
            planted.unlink()
        planted.symlink_to(elsewhere)
    elif what == "hard link":
        elsewhere.write_bytes(b"precious")
        inside = planted / "x.csv" if planted.is_dir() else planted
        inside.unlink(missing_ok=True)
        os.link(elsewhere, inside)
    elif planted.is_dir():
        planted.chmod(0o777)
    else:
        folder.chmod(0o777)
    for option in ("--resume", "--overwrite"):
        options = (*ADD, "--bad", command.path("bad"), option)
        refused = command(given, made, *options).refused()
        assert f"{folder} is in the way: " in refused
    if what == "hard link":
        assert elsewhere.read_bytes() == b"precious"
    elif what == "link":
        assert not any(elsewhere.iterdir())


def test_what_is_refused(command: Command, monkeypatch: pytest.MonkeyPatch) -> None:
    """Before anything is written."""
    monkeypatch.chdir(command.folder)
    write_dataset(Path("in"), "csv")
    Path("two").mkdir()
    write_rows(Path("two/a.csv"), [{"u": "a:"}])
    write_rows(Path("two/a.jsonl"), [{"u": "a:"}])
    Path("same").mkdir()
    write_rows(Path("same/a.csv"), [{"u": "a:"}])
    Path("same/a.CSV.gz").touch()
    Path("empty").mkdir()
    Path("file").touch()
    before = command.names()
    for arguments, message in {
        ("two", "out"): "two has files of several formats, 'csv', 'jsonl': use a pattern",
        ("same", "out", "--to", "jsonl"): "two files of the input would be written to 'a.jsonl'",
        ("empty", "out"): "empty has no files",
        ("in", "file"): "file is not a folder",
        ("in", "none/out"): "none is not a folder",
        ("in", "."): "contains the input",
        ("in", "in"): "contains the input",
        ("in", "-"): "the output of a dataset is a folder",
        ("in", "out", "--bad", "out"): "must be different folders",
        ("in", "out", "--bad", "out/bad"): "is not a folder",
        ("in", "out", "--work", "w"): "a local one does not use it",
        ("in", "out", "--malformed", "keep"): "--malformed keep needs --bad FOLDER",
        ("in", "memory://out"): "a remote output needs --work FOLDER",
        ("nosuch://x", "out"): "nosuch://x cannot be opened: ValueError",
        ("memory://none/x.csv", "out"): "memory://none/x.csv has no files",
    }.items():
        assert message in command(*arguments, *ADD).refused()
        assert command.names() == before


def test_a_store_whose_package_is_missing_says_what_to_install(command: Command) -> None:
    """As fsspec knows it. The names of other errors are shown without their messages."""
    needs = "Install nosuchstore to access stores"
    fsspec.register_implementation("nosuchstore", "nosuchstore.Files", clobber=True, errtxt=needs)
    message = command("nosuchstore://me:s3cret@h/x", command.path("out"), *ADD).refused()
    assert message == f"nosuchstore://**:******@h/x cannot be opened: {needs}"


@pytest.mark.parametrize("workers", [1, 2])
def test_a_remote_dataset(command: Command, store: Any, workers: int) -> None:
    """The same files as from and to local folders, and ``_SUCCESS`` at the end."""
    given = command.path("in")
    write_dataset(given)
    store.put(str(given), "/lake", recursive=True)
    options = (*ADD, "--workers", workers)
    local = command.path("local")
    assert command("memory://lake", local, *options).status == 0
    assert tree(local) == {
        name: data for name, data in single_runs(command, given, "parquet", "s").items()
        if not name.startswith("bad/")
    }  # fmt: skip
    work = command.path("work")
    done = command("memory://lake/**/*.parquet", "memory://made", *options, "--work", work)
    assert done.status == 0, done.err
    made = {path.removeprefix("/made/"): store.cat_file(path) for path in store.find("/made")}
    assert made == {**tree(local), "_SUCCESS": b""}
    assert not any(name.startswith("work") for name in command.names())
    refused = command(given, "memory://made", *options, "--work", work).refused()
    assert refused == "memory://made already exists: use --overwrite to replace it"
    store.pipe_file("/made/other.txt", b"")
    refused = command(given, "memory://made", *options, "--work", work, "--overwrite").refused()
    assert refused == "memory://made also contains 'other.txt'"


def test_an_upload_that_fails_is_tried_again(
    command: Command, store: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Nothing is computed again, and the store's message is not shown."""
    write_dataset(command.path("in"))
    put = type(store).put_file

    def refuse(files: Any, local: str, remote: str, **options: Any) -> None:
        if "part-1" in remote:
            raise PermissionError("key hunter2")
        put(files, local, remote, **options)

    monkeypatch.setattr(type(store), "put_file", refuse)
    arguments = (command.path("in"), "memory://made", *ADD, "--work", command.path("work"))
    stopped = command(*arguments)
    assert stopped.status == 3
    assert "memory://made cannot be written: PermissionError\n" in stopped.err
    assert "hunter2" not in stopped.err
    monkeypatch.setattr(type(store), "put_file", put)
    done = command(*arguments, "--resume")
    assert done.status == 0, done.err
    assert "90 rows were computed by an earlier run" in done.err
    assert len(store.find("/made")) == 4


def test_a_run_that_was_stopped_while_its_folders_got_their_names(
    command: Command, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The next one does the rest."""
    write_dataset(command.path("in"))
    arguments = (command.path("in"), command.path("out"), *ADD, "--bad", command.path("bad"))
    sync = keeping._sync_folder

    def stop(folder: Path) -> None:
        if folder == command.folder:  # The files are complete.
            raise KeyboardInterrupt

    monkeypatch.setattr(keeping, "_sync_folder", stop)
    assert command(*arguments).status == 130
    assert command.path("bad").exists()
    assert not command.path("out").exists()
    monkeypatch.setattr(keeping, "_sync_folder", sync)
    done = command(*arguments, "--resume")
    assert (done.status, done.err) == (0, "90 rows, 9 of them bad\n  9 IPv6-unclosed\n")
    assert tree(command.path("out")).keys() == {f"{name}.parquet" for name in PARTS}
    assert command.names() == ["bad", "in", "out"]


def test_fsspecs_local_files(command: Command) -> None:
    """By ``file://``; one file is a dataset, too."""
    write_dataset(command.path("in"), "csv")
    source = command.path("in") / f"{PARTS[0]}.csv"
    target = f"file://{command.path('made')}"
    done = command(f"file://{source}", target, *ADD, "--work", command.path("work"))
    assert done.status == 0, done.err
    assert set(tree(command.path("made"))) == {"part-0.csv", "_SUCCESS"}


@pytest.mark.parametrize(
    "name", ["../x.csv", "a/../../x.csv", "a//x.csv", "a\\..\\x.csv", "c:x.csv"]
)
def test_names_of_remote_files_that_leave_the_folder(name: str) -> None:
    """Another user may have chosen them."""

    class Files:
        def isfile(self, _: str) -> bool:
            return False

        def find(self, _: str) -> list[str]:
            return [f"lake/{name}"]

        def info(self, _: str) -> dict[str, int]:
            return {"size": 1}

    with pytest.raises(FileError, match="cannot be the name of a local file"):
        list(Remote("memory://lake", Files(), "lake").found())
