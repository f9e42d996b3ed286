"""Tests of `python -m weburl view`: who is answered, and how it begins and ends."""

from __future__ import annotations

import http.client
import json
import re
import signal
import socket
import subprocess
import sys
import threading
from collections.abc import Iterator

import pytest

from weburl.__main__ import main
from weburl.viewer.server import Server, _Handler

# A shell starts what runs in the background without the signal of Ctrl-C.
_BY_CTRL_C = """
import signal, sys
signal.signal(signal.SIGINT, signal.default_int_handler)
from weburl.__main__ import main
sys.exit(main(["view", "--port", "0"]))
"""


@pytest.fixture(scope="module")
def port() -> Iterator[int]:
    """Serve the viewer, and return the port."""
    with Server(0) as server:
        thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.05})
        thread.start()
        yield server.server_port
        server.shutdown()
        thread.join()


def fetch(
    port: int, path: str = "/", method: str = "GET", body: bytes | None = None, **headers: str
) -> tuple[int, bytes]:
    """Return the status and the body of an answer."""
    connection = http.client.HTTPConnection("127.0.0.1", port, timeout=600)
    names = {name.replace("_", "-"): value for name, value in headers.items()}
    connection.request(method, path, body, names)
    response = connection.getresponse()
    answer = response.status, response.read()
    connection.close()
    return answer


def test_it_serves_the_pages_and_what_they_load(port: int) -> None:
    """All that a page names is there."""
    status, page = fetch(port, "/?url=https%3A%2F%2Fexample.com%2F")
    assert status == 200
    named = re.findall(r'(?:src|href)="(static/[^"]+)"', page.decode())
    assert len(named) == 3
    for name in named:
        assert fetch(port, f"/{name}")[0] == 200
    body = json.dumps({"url": "http:\\\\h"}).encode()
    status, answer = fetch(port, "/report.json", "POST", body, Content_Type="application/json")
    assert (status, json.loads(answer)["report"]["attributes"]["href"]) == (200, "http://h/")
    assert fetch(port, "/nothing")[0] == 404


@pytest.mark.parametrize(
    "host", ["evil.example", "evil.example:{port}", "127.0.0.1", "127.0.0.1:1", ""]
)
def test_another_name_is_refused(port: int, host: str) -> None:
    """A site whose name leads here (DNS rebinding) is told nothing."""
    status, body = fetch(port, Host=host.format(port=port))
    assert status == 403
    assert b"<html" not in body
    assert fetch(port, Host=f"LOCALHOST:{port}")[0] == 200


def test_it_listens_on_this_machine_alone(port: int) -> None:
    """Not at the other addresses that the machine has."""
    with Server(0) as server:
        assert server.server_address[0] == "127.0.0.1"


def test_it_writes_no_address_into_a_log(port: int, capfd: pytest.CaptureFixture[str]) -> None:
    """An address may hold what is nobody's business."""
    fetch(port, "/?url=https%3A%2F%2Fsecret.example%2F")
    assert capfd.readouterr() == ("", "")


@pytest.mark.parametrize("length", ["x", "-1", "9" * 40, "²"])
def test_a_length_that_is_none_is_answered(port: int, length: str) -> None:
    """Nothing is read then."""
    with socket.create_connection(("127.0.0.1", port), timeout=600) as connection:
        head = (
            f"POST /report.json HTTP/1.0\r\nHost: 127.0.0.1:{port}\r\nContent-Length: {length}\r\n"
        )
        connection.sendall(head.encode() + b"Content-Type: application/json\r\n\r\n")
        assert b" 400 " in connection.recv(1000).split(b"\r\n")[0]


def test_half_a_body_is_refused(port: int, capfd: pytest.CaptureFixture[str]) -> None:
    """And nothing is printed for each client that disconnects."""
    head = f"POST /report.json HTTP/1.0\r\nHost: 127.0.0.1:{port}\r\nContent-Length: 9\r\n"
    with socket.create_connection(("127.0.0.1", port), timeout=600) as connection:
        connection.sendall(head.encode() + b"Content-Type: application/json\r\n\r\n{")
        connection.shutdown(socket.SHUT_WR)
        answer = connection.makefile("rb").read()
    assert answer.startswith(b"HTTP/1.0 400 ")
    assert b"ended before its body did" in answer
    assert capfd.readouterr() == ("", "")


def test_a_silent_client_is_dropped(
    port: int, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    """It cannot keep a thread, and nothing is printed."""
    monkeypatch.setattr(_Handler, "timeout", 0.1)
    with socket.create_connection(("127.0.0.1", port), timeout=600) as connection:
        connection.sendall(b"GET / HTTP/1.0\r\n")
        assert connection.recv(1) == b""
    assert capfd.readouterr() == ("", "")


def test_a_taken_port_is_said_in_words(port: int, capsys: pytest.CaptureFixture[str]) -> None:
    """With what to do."""
    assert main(["view", "--port", str(port)]) == 2
    out, err = capsys.readouterr()
    assert (out, err) == (
        "",
        f"Cannot listen on 127.0.0.1, port {port}: it is in use; choose another with --port.\n",
    )


@pytest.mark.parametrize("text", ["x", "-1", "65536", "²", ""])
def test_a_port_is_a_number(text: str, capsys: pytest.CaptureFixture[str]) -> None:
    """Wrong usage exits with 2."""
    with pytest.raises(SystemExit) as stopped:
        main(["view", f"--port={text}"])
    assert stopped.value.code == 2
    assert "a port must be a number from 0 to 65535" in capsys.readouterr().err


@pytest.mark.nightly
@pytest.mark.skipif(sys.platform == "win32", reason="sends the signal of Ctrl-C")
def test_it_ends_by_ctrl_c() -> None:
    """Cleanly, without a traceback."""
    process = subprocess.Popen(
        [sys.executable, "-c", _BY_CTRL_C],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        encoding="utf-8",
    )
    assert process.stdout is not None
    line = process.stdout.readline()
    found = re.search(r"http://127\.0\.0\.1:(\d+)/", line)
    assert found is not None
    assert fetch(int(found[1]))[0] == 200
    process.send_signal(signal.SIGINT)
    out, err = process.communicate(timeout=600)
    assert (process.returncode, out, err) == (0, "\n", "")
