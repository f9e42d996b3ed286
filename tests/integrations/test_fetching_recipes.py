"""Runs the recipes that need other packages, for a client and for tests."""

from __future__ import annotations

import re
import subprocess
import sys
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from threading import Thread
from typing import Any, Final

import pycurl
import pytest

from weburl import URLPolicy, URLPolicyError

DOCS: Final = Path(__file__).parents[2] / "docs"
_BLOCK: Final = re.compile(r"^```python\n(.*?)^```$", re.DOTALL | re.MULTILINE)


def test_the_page_on_tests_has_tests_that_pass(tmp_path: Path) -> None:
    """The tests run from a file, with pytest-httpx."""
    page = (
        (DOCS / "integrations/testing.md").read_text("utf-8").partition("## Code that fetches")[2]
    )
    blocks = _BLOCK.findall(page)
    (tmp_path / "test_page.py").write_text("\n\n".join(blocks), "utf-8")
    words = ["-q", "-p", "no:cacheprovider", "-p", "no:django", "--rootdir", str(tmp_path)]
    done = subprocess.run(
        [sys.executable, "-m", "pytest", *words, str(tmp_path / "test_page.py")],
        capture_output=True,
        text=True,
        check=False,
        cwd=tmp_path,
    )
    assert "4 passed" in done.stdout, done.stdout


class _Answers(BaseHTTPRequestHandler):
    def do_GET(self) -> None:
        self.send_response(200)
        self.send_header("Content-Length", "2")
        self.end_headers()
        self.wfile.write(b"ok")

    def log_message(self, *_args: object) -> None:
        pass


@pytest.fixture
def port() -> Iterator[int]:
    """Serve on a port that the system chooses."""
    server = ThreadingHTTPServer(("127.0.0.1", 0), _Answers)
    Thread(target=server.serve_forever, daemon=True).start()
    yield server.server_port
    server.shutdown()
    server.server_close()


def test_pycurl_connects_only_where_the_policy_allows_it(port: int) -> None:
    """Two policies allow the name, but only one of them allows its address."""
    page = (DOCS / "fetching-reference.md").read_text("utf-8").partition("### pycurl")[2]
    names: dict[str, Any] = {}
    exec(_BLOCK.findall(page)[0], names)
    url = f"http://localhost:{port}/"
    allowed = URLPolicy.internal(names=["localhost"], networks=["127.0.0.0/8"])
    assert names["fetched"](url, allowed) == b"ok"
    elsewhere = URLPolicy.internal(names=["localhost"], networks=["10.0.0.0/8"])
    with pytest.raises(pycurl.error):
        names["fetched"](url, elsewhere)
    with pytest.raises(URLPolicyError):
        names["fetched"](url, URLPolicy.public_link())
