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
