"""Servers, names, and a watch over all connections."""

from __future__ import annotations

import ipaddress
import socket
import ssl
from collections.abc import Iterator
from typing import Any, NamedTuple

import pytest
import trustme

from tests.fetching.clients import CLIENTS, Client
from tests.fetching.servers import Server


class Names:
    """What names resolve to: one list for each time that a name is asked for."""

    def __init__(self) -> None:
        self.answers: dict[str, list[list[str]]] = {"hook.example": [["127.0.0.1"]]}
        self.asked: list[str] = []

    def __call__(self, name: str, _port: int) -> list[str]:
        self.asked.append(name)
        answers = self.answers.get(name)
        if answers is None:
            raise socket.gaierror(socket.EAI_NONAME, "not known")
        return answers.pop(0) if len(answers) > 1 else answers[0]


@pytest.fixture
def names() -> Names:
    """Return the names of a test; "hook.example" leads to 127.0.0.1."""
    return Names()


@pytest.fixture
def server() -> Iterator[Server]:
    """Run a server for the time of a test."""
    server = Server()
    yield server
    server.close()


@pytest.fixture(params=CLIENTS, ids=lambda name: name.replace(", ", "-"))
def client(request: pytest.FixtureRequest) -> Client:
    """Return one client after the other."""
    return CLIENTS[request.param]


@pytest.fixture(autouse=True)
def contacted(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """Return the addresses that were connected to. One outside of this machine is an error."""
    addresses: list[str] = []
    real = socket.socket.connect

    def connect(self: socket.socket, address: Any) -> None:
        if self.family in {socket.AF_INET, socket.AF_INET6}:
            addresses.append(address[0])
            assert ipaddress.ip_address(address[0]).is_loopback, address
        real(self, address)

    monkeypatch.setattr(socket.socket, "connect", connect)
    return addresses


class TLS(NamedTuple):
    """A server's side and a client's side of TLS for the name "hook.example"."""

    server: ssl.SSLContext
    trusting: ssl.SSLContext


@pytest.fixture(scope="session")
def tls(tmp_path_factory: pytest.TempPathFactory) -> TLS:
    """Return a certificate for "hook.example", and who trusts it."""
    authority = trustme.CA()
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    authority.issue_cert("hook.example").configure_cert(context)
    bundle = tmp_path_factory.mktemp("tls") / "authority.pem"
    authority.cert_pem.write_to_path(str(bundle))
    trusting = ssl.create_default_context(cafile=str(bundle))
    trusting.bundle = str(bundle)  # type: ignore[attr-defined]
    return TLS(context, trusting)
