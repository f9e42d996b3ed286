"""A thousand clients send the demo, served by gunicorn, what people and attackers send.

They talk to this machine only, on a port that the system chooses.
"""

from __future__ import annotations

import asyncio
import os
import re
import signal
import sqlite3
import subprocess
import sys
import time
from collections import Counter
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from urllib.parse import urlencode

import pytest

from bookmarks import settings as demo_settings

pytestmark = [
    pytest.mark.nightly,
    pytest.mark.skipif(
        not Path("/proc/self/statm").is_file(), reason="asks /proc for the memory of a process"
    ),
]

CLIENTS = 1000
AT_ONCE = 200
"""How many connections are open at a time: the system's own queue of them has an end."""

HOSTILE = (
    "",
    "\0",
    "https://",
    "https://[::1",
    "https://a:99999/",
    "javascript:alert(1)",
    "https://user:secret@h/\r\nSet-Cookie: a=b",
    "https://example.com/" + "a" * 100_000,
    "https://" + "a." * 5000,
    "https://" + "ﷺ" * 2000,
    "https://" + "é" * 3000 + ".example",
    "xn--" * 2000,
    "https://example.com/?" + "%" * 5000,
    "<script>alert(1)</script>",
    "' OR 1=1 --",
    "\u202ehttps://moc.elpmaxe",
    "https://1.2.3.4.5.6.7.8.9/",
    "https://" + "0x" * 1000,
    "site:" + "a." * 200,
    "%ff%fe",
)


class Server:
    """The demo under gunicorn, with its address, its database and its processes."""

    def __init__(self, database: Path, log: Path) -> None:
        self.database = database
        self.log = log
        environment = {
            **os.environ,
            "DEMO_DATABASE": str(database),
            "DJANGO_SETTINGS_MODULE": "bookmarks.settings",
        }
        demo = demo_settings.BASE_DIR
        subprocess.run(
            [sys.executable, "manage.py", "migrate", "--verbosity", "0"],
            cwd=demo,
            env=environment,
            check=True,
        )
        command = [sys.executable, "-m", "gunicorn", "--bind", "127.0.0.1:0", "--workers", "2"]
        command += ["--threads", "8", "--backlog", "2048", "--timeout", "120", "--preload"]
        command += ["django.core.wsgi:get_wsgi_application()"]
        with log.open("wb") as output:
            self.process = subprocess.Popen(command, cwd=demo, env=environment, stderr=output)
        self.port = self._port()

    def _port(self) -> int:
        deadline = time.monotonic() + 600
        while time.monotonic() < deadline:
            found = re.search(r"Listening at: http://127\.0\.0\.1:([0-9]+)", self.log.read_text())
            if found:
                return int(found[1])
            assert self.process.poll() is None, self.log.read_text()
            time.sleep(0.1)
        raise TimeoutError(self.log.read_text())

    def workers(self) -> list[int]:
        """Return the ids of the processes that answer requests."""
        children = Path(f"/proc/{self.process.pid}/task/{self.process.pid}/children")
        return [int(number) for number in children.read_text().split()]

    def memory(self) -> int:
        """Return how many bytes of memory the workers use."""
        pages = [int(Path(f"/proc/{pid}/statm").read_text().split()[1]) for pid in self.workers()]
        assert len(pages) == 2
        return sum(pages) * os.sysconf("SC_PAGE_SIZE")

    def stop(self) -> None:
        """Stop the server as an administrator would."""
        self.process.send_signal(signal.SIGTERM)
        self.process.wait(timeout=600)


@pytest.fixture
def server(tmp_path: Path) -> Iterator[Server]:
    """Start the demo, and stop it after the test."""
    started = Server(tmp_path / "shelf.sqlite3", tmp_path / "gunicorn.log")
    try:
        yield started
    finally:
        started.stop()


async def asked(port: int, head: str, body: bytes = b"") -> tuple[int, str]:
    """Send one request on its own connection, and return the status and the answer."""
    reader, writer = await asyncio.open_connection("127.0.0.1", port)
    try:
        writer.write(f"{head}\r\nHost: localhost\r\nConnection: close\r\n".encode())
        writer.write(f"Content-Length: {len(body)}\r\n\r\n".encode() + body)
        await writer.drain()
        answer = (await reader.read()).decode()
    finally:
        writer.close()
    return int(answer.split(" ", 2)[1]), answer


async def client(server: Server, number: int, turn: asyncio.Semaphore, seen: Counter[str]) -> None:
    """Open the page, add a link in one of two spellings, send something hostile, and search."""

    async def send(kind: str, head: str, body: bytes = b"") -> str:
        async with turn:
            status, answer = await asked(server.port, head, body)
        seen[f"{kind} {status}"] += 1
        return answer

    page = await send("page", "GET / HTTP/1.1")
    cookie = re.search(r"csrftoken=(\w+)", page)
    token = re.search(r'name="csrfmiddlewaretoken" value="(\w+)"', page)
    assert cookie
    assert token
    post = (
        "POST / HTTP/1.1\r\nContent-Type: application/x-www-form-urlencoded\r\n"
        f"Cookie: csrftoken={cookie[1]}"
    )

    def form(text: str) -> bytes:
        return urlencode({"csrfmiddlewaretoken": token[1], "url": text}).encode()

    # Every link is sent by two clients.
    link = f"example.com/{number // 2}"
    await send("link", post, form(f"HTTPS://{link}" if number % 2 else f"https://{link}"))
    hostile = HOSTILE[number % len(HOSTILE)]
    await send("hostile", post, form(hostile))
    await send("search", f"GET /?{urlencode({'q': hostile[:300], 'page': hostile[:50]})} HTTP/1.1")


async def many(server: Server, numbers: range) -> Counter[str]:
    """Run the clients with these numbers at once, and count the answers by kind and status."""
    turn, seen = asyncio.Semaphore(AT_ONCE), Counter[str]()
    await asyncio.gather(*(client(server, number, turn, seen) for number in numbers))
    return seen


def test_a_thousand_clients_lose_no_bookmark(server: Server) -> None:
    """No answer is a server error, and the thousand take hardly more memory than the first few."""
    memory = []
    for numbers in (range(AT_ONCE), range(AT_ONCE, AT_ONCE + CLIENTS)):
        seen = asyncio.run(many(server, numbers))
        memory.append(server.memory())
        count = len(numbers)
        assert sum(seen.values()) == 4 * count
        assert not [key for key in seen if key.endswith(tuple(f" {n}" for n in range(500, 600)))]
        assert seen["page 200"] == seen["search 200"] == count
        # Of two clients one adds the link, and the other is told that it is there.
        assert seen["link 302"] == seen["link 200"] == count // 2
        assert seen["hostile 200"] + seen["hostile 302"] == count
    with closing(sqlite3.connect(server.database)) as database:
        rows = [url for (url,) in database.execute("SELECT url FROM bookmarks_bookmark")]
    assert len(rows) == len(set(rows))
    links = range((AT_ONCE + CLIENTS) // 2)
    assert {f"https://example.com/{number}" for number in links} <= set(rows)
    assert memory[1] < memory[0] * 1.2
    assert "Traceback" not in server.log.read_text()
