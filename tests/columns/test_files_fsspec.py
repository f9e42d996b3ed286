"""Files that fsspec opens: in memory, and on an S3 server that runs in this process."""

from __future__ import annotations

import gzip
from collections.abc import Iterator
from typing import Any

import fsspec
import pytest

from tests.columns.commands import Command, read_rows, write_rows

pytest.importorskip("fsspec")

SECRET = "not-shown-anywhere"
ADD = ("--column", "url", "--add", "host")


@pytest.fixture(scope="module")
def server() -> Iterator[str]:
    """Run a server on a port that the system chooses, and return its address."""
    server_of = pytest.importorskip("moto.server", reason="moto[server] is not installed")
    pytest.importorskip("s3fs")
    running = server_of.ThreadedMotoServer(ip_address="127.0.0.1", port=0, verbose=False)
    running.start()
    host, port = running.get_host_and_port()
    yield f"http://{host}:{port}"
    running.stop()


@pytest.fixture(params=["memory", "s3"])
def store(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> Iterator[Any]:
    """Return a file system with an empty bucket "lake"; the settings are in the environment."""
    if request.param == "s3":
        for name, value in {
            "AWS_ENDPOINT_URL": request.getfixturevalue("server"),
            "AWS_ACCESS_KEY_ID": "testing",
            "AWS_SECRET_ACCESS_KEY": SECRET,
            "AWS_DEFAULT_REGION": "us-east-1",
        }.items():
            monkeypatch.setenv(name, value)
    fsspec.get_filesystem_class(request.param).clear_instance_cache()
    files = fsspec.filesystem(request.param)
    files.mkdir("lake")
    yield files
    files.rm("lake", recursive=True)
    files.clear_instance_cache()


def test_files_and_folders_on_another_machine(command: Command, store: Any) -> None:
    """They are read from there and written to there, with the rows of a local run."""
    lake = store.unstrip_protocol("lake")
    parts = ("date=1/a.parquet", "date=2/b;'.parquet")
    for part in parts:
        path = command.path("in") / part
        path.parent.mkdir(parents=True)
        write_rows(path, [{"url": f"https://{part[5]}.example/"}, {"url": "http://["}])
    store.put(f"{command.path('in')}/", f"{lake}/in", recursive=True)
    folder = command(f"{lake}/in", f"{lake}/made", *ADD)
    assert folder.err.splitlines()[0] == "4 rows, 2 of them bad"
    pattern = command(f"{lake}/in/date=2/*.parquet", command.path("some"), *ADD)
    assert pattern.err.splitlines()[0] == "2 rows, 1 of them bad"
    one = command(f"{lake}/in/date=1/a.parquet", f"{lake}/one.csv.gz", *ADD)
    assert one.status == 0, one.err
    store.invalidate_cache()
    found = [path.rpartition("lake/made/")[2] for path in store.find("lake/made")]
    assert sorted(found) == [*parts]
    store.get(f"{lake}/made/{parts[1]}", str(command.path("back.parquet")))
    made = read_rows(command.path("back.parquet"))
    assert made == read_rows(command.path("some") / "b;'.parquet")
    with store.open(f"{lake}/one.csv.gz", "rb") as file:
        text = gzip.decompress(file.read()).decode()
    assert text == "url,host\nhttps://1.example/,1.example\nhttp://[,\n"
    again = command(f"{lake}/in", f"{lake}/made", *ADD).refused()
    assert again == f"{lake}/made already exists: use --overwrite to replace it"
    missing = command(f"{lake}/none.parquet", command.path("made.parquet"), *ADD).refused()
    assert missing == f"{lake}/none.parquet cannot be read: FileNotFoundError"


@pytest.mark.parametrize("store", ["s3"], indirect=True)
def test_a_bucket_that_does_not_exist(command: Command, store: Any) -> None:
    """It is an error that does not show the key."""
    missing = command("s3://none/in.parquet", command.path("made.parquet"), *ADD)
    assert (missing.status, "s3://none/in.parquet cannot be read" in missing.err) == (2, True)
    write_rows(command.path("in.parquet"), [{"url": "a:"}])
    unwritten = command(command.path("in.parquet"), "s3://none/made.parquet", *ADD)
    assert unwritten.status == 3
    assert unwritten.err.startswith("weburl columns: s3://none/made.parquet cannot be written: ")
    assert SECRET not in missing.err + unwritten.err
    assert command.names() == ["in.parquet"]


@pytest.mark.parametrize(
    ("name", "message"),
    [
        ("https://a.example/x.csv", "files on the web are not read: download them first"),
        ("nothing://x/y.csv", "fsspec cannot open nothing://: "),
    ],
)
def test_other_addresses(command: Command, name: str, message: str) -> None:
    """They are refused, and no one is asked for them."""
    assert message in command(name, command.path("out.csv"), *ADD).refused()
