"""A real Chromium, shown pages by a server that notes what it asks for.

Each page is loaded in a frame of its own. Nothing drives the browser but the pages' own scripts.
"""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import tempfile
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any, Final, NamedTuple, TypeAlias
from urllib.parse import unquote

BROWSER: Final = os.environ.get("CHROMIUM") or next(
    filter(None, map(shutil.which, ("chromium", "chromium-browser", "google-chrome"))), None
)
"""Where the browser is, or None."""

_OPTIONS: Final = (
    "--headless", "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run",
    "--disable-background-networking", "--disable-component-update", "--disable-sync",
    "--disable-popup-blocking", "--autoplay-policy=no-user-gesture-required",
)  # fmt: skip
_BODIES: Final = {
    "style": ("text/css", b""),
    "track": ("text/vtt", b"WEBVTT\n\n"),
    "image": ("image/gif", bytes.fromhex(
        "47494638396101000100800000000000ffffff21f90401000000002c00000000010001000002024401003b")),
}  # fmt: skip
# Tells the window that a navigation ended in.
_ARRIVED: Final = b"<!doctype html><script>navigator.sendBeacon('/.arrived', JSON.stringify({"
_RUNS: Final = b"navigator.sendBeacon(location.origin + '/.ran', %s)"
_ARRIVED_END: Final = b"name: window.name, path: location.pathname}))</script>"
# A few pages at a time, each for as long as it takes to do what it does, and until the server has
# seen what it waits for.
_DRIVER: Final = """<!doctype html><script>
let next = 0, done = 0;
function start() {
  if (next >= COUNT) return;
  const frame = document.createElement("iframe"), page = next++;
  frame.name = `own${page}`;
  frame.src = `/d/page${page}`;
  document.body.append(frame);
  setTimeout(async function end() {
    if (await (await fetch(`/.waiting${page}`)).text()) return setTimeout(end, 500);
    frame.remove();
    if (++done === COUNT) navigator.sendBeacon("/.done", "");
    start();
  }, 4500);
}
onload = () => { for (let i = 0; i < 20; i++) start(); };
</script><body>"""


class Request(NamedTuple):
    """What the browser asked for: ``destination`` as it says, "ping" for a hyperlink's ping.

    A script is asked for as "script" and has another entry once it has run, as "ran": browsers look
    ahead in a page and ask for scripts that they then do not run.
    """

    path: str
    destination: str


class Seen(NamedTuple):
    """What became of the pages.

    ``requests``: all but those for the pages themselves. ``arrivals``: path and window of each
    navigation. ``reports``: what each page said of itself, by its number.
    """

    requests: list[Request]
    arrivals: list[tuple[str, str]]
    reports: dict[int, Any]


Finished: TypeAlias = Callable[[int, Seen], bool]
"""Whether what was seen is all that a page, given by its number, has to do."""

# Seconds, in which a machine with other work to do shows twenty pages. What a page has not done
# then, it does not do.
_PATIENCE: Final = 60


class _Server(ThreadingHTTPServer):
    daemon_threads = True

    def __init__(self) -> None:
        super().__init__(("127.0.0.1", 0), _Handler)
        self.pages: list[str] = []
        self.finished: Finished = lambda _page, _seen: True
        self.seen = Seen([], [], {})
        self.done = threading.Event()
        self._asked: dict[int, float] = {}

    def is_waiting(self, page: int) -> bool:
        """Return whether a page is to stay for a while."""
        first = self._asked.setdefault(page, time.monotonic())
        return not self.finished(page, self.seen) and time.monotonic() - first < _PATIENCE


class _Handler(BaseHTTPRequestHandler):
    server: _Server
    protocol_version = "HTTP/1.1"

    def do_GET(self) -> None:
        """Answer with a page, or with what the destination can make use of."""
        if self.path == "/.driver":
            count = str(len(self.server.pages))
            return self._answer("text/html", _DRIVER.replace("COUNT", count).encode())
        if self.path.startswith("/.waiting"):
            is_waiting = self.server.is_waiting(int(self.path.removeprefix("/.waiting")))
            return self._answer("text/plain", b"yes" if is_waiting else b"")
        if self.path.startswith("/d/page"):
            page = self.server.pages[int(self.path.removeprefix("/d/page"))]
            return self._answer("text/html; charset=utf-8", page.encode())
        destination = self.headers.get("Sec-Fetch-Dest", "")
        self.server.seen.requests.append(Request(self.path, destination))
        if destination in ("iframe", "frame", "document", "embed", "object"):
            return self._answer("text/html", _ARRIVED + _ARRIVED_END)
        if destination == "script":
            return self._answer("text/javascript", _RUNS % json.dumps(self.path).encode())
        return self._answer(*_BODIES.get(destination, ("text/plain", b"")))

    def do_POST(self) -> None:
        """Take a report, a ping or a form."""
        body = self.rfile.read(int(self.headers.get("Content-Length", 0))).decode()
        if self.path == "/.done":
            self.server.done.set()
        elif self.path == "/.report":
            report = json.loads(body)
            self.server.seen.reports[report["page"]] = report
        elif self.path == "/.ran":
            self.server.seen.requests.append(Request(body, "ran"))
        elif self.path == "/.arrived":
            arrival = json.loads(body)
            self.server.seen.arrivals.append((unquote(arrival["path"]), arrival["name"]))
        else:
            is_ping = self.headers.get("Ping-To") is not None
            destination = "ping" if is_ping else self.headers.get("Sec-Fetch-Dest", "")
            self.server.seen.requests.append(Request(self.path, destination))
            if not is_ping:
                return self._answer("text/html", _ARRIVED + _ARRIVED_END)
        return self._answer("text/plain", b"")

    def _answer(self, type: str, body: bytes) -> None:
        self.send_response(200)
        self.send_header("Content-Type", type)
        self.send_header("Content-Length", str(len(body)))
        self.send_header("Cache-Control", "no-store")
        self.send_header("Access-Control-Allow-Origin", "*")  # For modules of another origin.
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, format: str, *args: object) -> None:
        """Say nothing."""


class Session:
    """A server that is up, and has not shown its pages yet."""

    def __init__(self, server: _Server) -> None:
        self._server = server
        self.port: Final = server.server_address[1]

    def show(self, pages: list[str], finished: Finished) -> Seen:
        """Return what became of ``pages``, shown at /d/page0, /d/page1 and so on."""
        assert BROWSER is not None
        self._server.pages = pages
        self._server.finished = finished
        with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as directory:
            browser = subprocess.Popen(
                [BROWSER, *_OPTIONS, f"--user-data-dir={directory}", "--remote-debugging-port=0",
                 f"http://localhost:{self.port}/.driver"],
                stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
            )  # fmt: skip
            try:
                assert self._server.done.wait(60 + 5 * len(pages)), "the browser did not finish"
            finally:
                browser.terminate()
                browser.wait(20)
        return self._server.seen


@contextmanager
def session() -> Iterator[Session]:
    """Yield a server for one show."""
    server = _Server()
    thread = threading.Thread(target=server.serve_forever, daemon=True)
    thread.start()
    try:
        yield Session(server)
    finally:
        server.shutdown()
        server.server_close()
        thread.join()
