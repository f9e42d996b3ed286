"""The server answers every kind of request, and growth of its memory is told."""

from __future__ import annotations

from random import Random
from time import monotonic, sleep

import pytest

from benchmarks import serving
from benchmarks.leaks import Reading
from benchmarks.serving import Load, ask, memory_of

pytest.importorskip("httpx")


@pytest.mark.nightly
def test_a_server_answers_every_kind_of_request() -> None:
    """Rows are saved, pages show them, and memory is told."""
    with serving.serving() as port:
        load = Load(port, 2)
        load.start()
        try:
            deadline = monotonic() + 600  # a second or two, but on a busy machine
            while load.requests < 60 and monotonic() < deadline:
                sleep(0.05)
        finally:
            load.stop()
        assert load.requests >= 60
        assert not load.failures()
        status, page = ask(port, "GET", "/", {})
        assert status == 200
        assert b'<strong class="url-registrable-domain">example.com</strong>' in page
        status, answer = ask(port, "GET", "/fetch/", {"path": "/1"})
        assert (status, answer[:5]) == (200, b"hello")
        _, reading = memory_of(port)
        assert reading.blocks > 100_000
        assert ask(port, "GET", "/nothing/", {})[0] == 404


@pytest.mark.nightly
def test_a_request_that_fails_is_told() -> None:
    """An error of the server's, and a server that is not there."""
    load = Load(1, 1)  # a port that no program may listen on
    load.start()
    while not load.requests:
        sleep(0.01)
    load.stop()
    assert list(load.failures()) == list(load.answers)
    load.answers.update(["page 500", "page 200", "REST in 400"])
    assert "page 500" in load.failures()
    assert not {"page 200", "REST in 400"} & set(load.failures())


@pytest.mark.parametrize(("blocks", "resident", "wrong"), [
    (1500, 1 << 20, []),
    (-5000, -(1 << 20), []),
    (9000, 0, ["9,000 more blocks"]),
    (0, 20 << 20, ["20,971,520 more bytes resident"]),
])  # fmt: skip
def test_growth_is_told(blocks: int, resident: int, wrong: list[str]) -> None:
    """Of objects, and of the whole process; in 10,000 requests."""
    early = Reading(400_000, 0, 100 << 20)
    late = Reading(400_000 + blocks, 0, (100 << 20) + resident)
    assert serving._growth([(1000, early), (6000, early), (11_000, late)]) == wrong


def test_clients_send_every_kind_of_request() -> None:
    """In a thousand requests, each kind comes, and every part of the form has many values."""
    sent = [serving._request(Random(number), number) for number in range(1000)]
    assert len({kind for kind, *_ in sent}) == (10 if serving._HAS_REST else 8)
    for kind, method, path, fields in sent:
        assert method == ("POST" if kind in {"form", "links", "REST in"} else "GET")
        assert path.startswith("/")
        assert kind != "form" or len(fields) == 8
