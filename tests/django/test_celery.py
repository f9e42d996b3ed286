"""The recipe of docs/fetching.md for Celery: what is refused is not tried again."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path
from typing import Any, Final

import pytest
import requests

from tests.fetching.conftest import Names
from tests.fetching.servers import Server
from tests.fetching.test_attacks import POLICY
from weburl.fetching import URLFetchError
from weburl.fetching.requests import PolicySession

celery = pytest.importorskip("celery", reason="Celery is installed by `make test-servers`.")

PAGE: Final = Path(__file__).parents[2] / "docs" / "fetching.md"


def test_the_task_repeats_only_what_may_succeed_later() -> None:
    """If a server closes the connection, the task is retried three times. A refusal is final."""
    found = re.search(
        r"```python\n(@shared_task.*?)```", PAGE.read_text(encoding="utf-8"), re.DOTALL
    )
    assert found is not None
    names = Names()
    names.answers["inside.example"] = [["10.0.0.1"]]

    def deliver(url: str, payload: dict[str, str]) -> int:
        with PolicySession(POLICY, redirect_policy="same-site", resolve=names) as session:
            return session.post(url, json=payload, timeout=5).status_code

    def hang_up(_server: Server) -> list[bytes]:
        raise ConnectionError

    server = Server()
    server.answers["/"] = hang_up
    app = celery.Celery("tests", set_as_current=False)
    app.conf.task_always_eager = True
    namespace: dict[str, Any] = {
        "shared_task": app.task,
        "requests": requests,
        "URLFetchError": URLFetchError,
        "deliver": deliver,
        "__name__": __name__,
    }
    exec(compile(found[1], str(PAGE), "exec"), namespace)
    later: Callable[..., Any] = namespace["deliver_later"].apply
    try:
        lost = later((f"http://hook.example:{server.port}/", {}))
        refused = later((f"http://inside.example:{server.port}/", {}))
        done = later((f"http://hook.example:{server.port}/done", {}))
    finally:
        server.close()
    assert isinstance(lost.result, requests.RequestException)
    assert isinstance(refused.result, URLFetchError)
    assert done.result == 200
    assert names.asked.count("hook.example") == 5
    assert names.asked.count("inside.example") == 1
