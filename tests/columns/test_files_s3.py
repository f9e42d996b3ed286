"""Datasets on an S3 server that runs in this process, through s3fs."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import fsspec
import pytest

from tests.columns.commands import Command, read_rows
from tests.columns.test_files_datasets import ADD, PARTS, tree, write_dataset

server_of = pytest.importorskip("moto.server", reason="moto[server] is not installed")
pytest.importorskip("s3fs")

SECRET = "not-shown-anywhere"


@pytest.fixture
def command(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> Command:
    """Return what runs the command."""
    return Command(tmp_path, capsys)


@pytest.fixture(scope="module")
def server() -> Iterator[str]:
    """Run a server on a port that the system chooses, and return its address."""
    running = server_of.ThreadedMotoServer(ip_address="127.0.0.1", port=0, verbose=False)
    running.start()
    host, port = running.get_host_and_port()
    yield f"http://{host}:{port}"
    running.stop()


@pytest.fixture
def store(server: str, monkeypatch: pytest.MonkeyPatch) -> Iterator[Any]:
    """Return a file system with an empty bucket "lake"; the settings are in the environment."""
    for name, value in {
        "AWS_ENDPOINT_URL": server,
        "AWS_ACCESS_KEY_ID": "testing",
        "AWS_SECRET_ACCESS_KEY": SECRET,
        "AWS_DEFAULT_REGION": "us-east-1",
    }.items():
        monkeypatch.setenv(name, value)
    fsspec.get_filesystem_class("s3").clear_instance_cache()
    files = fsspec.filesystem("s3")
    files.mkdir("lake")
    yield files
    files.rm("lake", recursive=True)
    files.clear_instance_cache()


def test_a_dataset_on_s3(command: Command, store: Any) -> None:
    """It is read from there and written to there, with the files of a local run."""
    write_dataset(command.path("in"))
    store.put(f"{command.path('in')}/", "lake/in", recursive=True)
    assert command(command.path("in"), command.path("local"), *ADD).status == 0
    work = command.path("work")
    done = command("s3://lake/in", "s3://lake/made", *ADD, "--work", work)
    assert done.status == 0, done.err
    store.invalidate_cache()
    store.get("lake/made", str(command.path("back")), recursive=True)
    made = tree(command.path("back"))
    assert made.pop("_SUCCESS") == b""
    assert made == tree(command.path("local"))
    assert len(made) == len(PARTS)
    assert not work.exists()


def test_two_workers_on_s3(command: Command, store: Any) -> None:
    """Files are copied by the process that has the settings, and read by the others."""
    write_dataset(command.path("in"))
    store.put(f"{command.path('in')}/", "lake/in", recursive=True)
    work = command.path("work")
    options = (*ADD, "--work", work, "--workers", "2")
    assert command(command.path("in"), command.path("local"), *ADD).status == 0
    done = command("s3://lake/in", "s3://lake/made", *options)
    assert done.status == 0, done.err
    store.invalidate_cache()
    store.get("lake/made", str(command.path("back")), recursive=True)
    made = tree(command.path("back"))
    assert made.pop("_SUCCESS") == b""
    assert made == tree(command.path("local"))
    assert not work.exists()
    assert SECRET not in done.err


def test_an_upload_that_failed_is_resumed_by_two_workers(
    command: Command, store: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Nothing is computed again, and the dataset is whole."""
    write_dataset(command.path("in"))
    store.put(f"{command.path('in')}/", "lake/in", recursive=True)
    options = (*ADD, "--work", command.path("work"), "--workers", "2")
    put, names = store.put_file, []

    def fails(here: str, there: str) -> None:
        names.append(there)
        if len(names) == 2:
            raise OSError(SECRET)
        put(here, there)

    with monkeypatch.context() as patch:
        patch.setattr(store, "put_file", fails)  # fsspec keeps the file system
        stopped = command("s3://lake/in", "s3://lake/made", *options)
    assert stopped.status == 3
    assert "s3://lake/made cannot be written: OSError" in stopped.err
    assert SECRET not in stopped.err
    store.invalidate_cache()
    assert not store.exists("lake/made/_SUCCESS")
    resumed = command("s3://lake/in", "s3://lake/made", *options, "--resume")
    assert resumed.status == 0, resumed.err
    store.invalidate_cache()
    found = {path.removeprefix("lake/made/") for path in store.find("lake/made")}
    assert found == {*(f"{part}.parquet" for part in PARTS), "_SUCCESS"}
    assert "90 rows were computed by an earlier run" in resumed.err


def test_one_file_on_s3_by_two_workers(command: Command, store: Any) -> None:
    """A single file is split into batches."""
    write_dataset(command.path("in"))
    name = f"{PARTS[0]}.parquet"
    store.put_file(str(command.path("in") / name), f"lake/in/{name}")
    made, local = command.path("made"), command.path("local")
    options = (*ADD, "--workers", "2")
    done = command(f"s3://lake/in/{name}", made, *options)
    assert done.status == 0, done.err
    assert command(command.path("in"), local, *ADD).status == 0
    assert list(tree(made).values()) == [tree(local)[name]]


def test_a_pattern_on_s3(command: Command, store: Any) -> None:
    """Only the partitions that fit are read."""
    write_dataset(command.path("in"), "csv")
    store.put(f"{command.path('in')}/", "lake/in", recursive=True)
    done = command("s3://lake/in/date=2026-01-01/*.csv", command.path("made"), *ADD)
    assert done.status == 0, done.err
    assert sorted(tree(command.path("made"))) == ["part-0.csv", "part-1.csv"]
    assert read_rows(command.path("made") / "part-0.csv")[1]["host"] == "h0-1"


def test_what_s3_refuses(command: Command, store: Any) -> None:
    """A bucket that does not exist is an error without the key."""
    refused = command("s3://none/in", command.path("made"), *ADD).refused()
    assert refused.startswith("s3://none/in")
    write_dataset(command.path("in"))
    options = (*ADD, "--work", command.path("work"))
    unwritten = command(command.path("in"), "s3://none/made", *options).refused()
    assert unwritten == "s3://none/made cannot be written: there is no bucket 'none'"
    assert not store.exists("none")
    assert SECRET not in refused + unwritten
