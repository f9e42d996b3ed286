"""No client keeps anything of a session that is closed: neither answers, refusals nor redirects."""

from __future__ import annotations

import gc
from collections.abc import Iterator
from contextlib import suppress

import pytest

from benchmarks.leaks import counted, set_aside
from tests.fetching.clients import Client
from tests.fetching.servers import Server
from weburl import URLPolicy

SESSIONS = 30
POLICY = URLPolicy.internal(networks=["127.0.0.0/8"])


@pytest.fixture
def sessions(client: Client, server: Server, contacted: list[str]) -> Iterator[Iterator[None]]:
    """Run so many sessions each time that the next one is asked for."""
    server.redirect("/redirect", "http://127.0.0.1:{port}/elsewhere")
    server.redirect("/bad", "http://10.0.0.1/")

    def session(number: int) -> None:
        with client.session(POLICY, None, None, {}) as get:
            for path in (f"/{number}", "/redirect", "/bad"):
                with suppress(client.error, *client.refusals):
                    get(f"http://127.0.0.1:{server.port}{path}")

    def run() -> Iterator[None]:
        done, accepting = 0, server.threads[0]
        while True:
            for number in range(done, done + SESSIONS):
                session(number)
            done += SESSIONS
            for thread in server.threads:
                if thread is not accepting:  # The others end once their connections are closed.
                    thread.join(60)
            for own in (server.asked, server.threads, server.hung_up, contacted):
                own.clear()
            yield

    yield run()
    gc.unfreeze()  # what `set_aside` froze


@pytest.mark.nightly
def test_sessions_take_no_memory_once_they_are_closed(sessions: Iterator[None]) -> None:
    """Each with an answer, a redirect, and a redirect that the policy refuses."""
    next(sessions)
    set_aside()
    _, before = counted()
    next(sessions)
    _, after = counted()
    assert after.blocks - before.blocks < SESSIONS
