"""A server on a loopback address that sends exactly the bytes that a test wants."""

from __future__ import annotations

import socket
import ssl
from collections.abc import Callable, Iterable
from contextlib import suppress
from threading import Event, Thread
from typing import Final, NamedTuple, TypeAlias

PLAIN: Final = b"HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nhello"

Pieces: TypeAlias = Iterable[bytes]
"""What to send, one piece after the other."""

Answer: TypeAlias = bytes | Callable[["Server"], Pieces]
"""The bytes of an answer, or what makes them."""


class Asked(NamedTuple):
    """One request that arrived."""

    host: str
    path: str
    headers: dict[str, str]
    connection: int
    method: str
    body: bytes


class Server:
    """A server, what it was asked, and what it answers. By path; others get ``PLAIN``."""

    def __init__(
        self,
        context: ssl.SSLContext | None = None,
        address: str = "127.0.0.1",
        *,
        port: int = 0,
    ) -> None:
        family = socket.AF_INET6 if ":" in address else socket.AF_INET
        self.socket = socket.create_server((address, port), family=family)
        self.port: int = self.socket.getsockname()[1]
        self.context = context
        self.answers: dict[str, Answer] = {}
        self.asked: list[Asked] = []
        self.connections = 0
        self.hung_up: list[int] = []
        """The numbers of the connections that clients closed."""
        self.ended = Event()
        self.threads: list[Thread] = []
        self._start(self._accept)

    def redirect(self, path: str, location: str, status: int = 302) -> None:
        """Let a path lead to ``location``, in which {port} is the server's port."""
        value = location.replace("{port}", str(self.port)).encode()
        self.answers[path] = (
            b"HTTP/1.1 %d Elsewhere\r\nLocation: %b\r\nContent-Length: 0\r\n\r\n" % (status, value)
        )

    def paths(self) -> list[str]:
        """Return the paths that were asked for."""
        return [each.path for each in self.asked]

    def close(self) -> None:
        """Stop, and wait for the end of all threads."""
        self.ended.set()
        self.socket.shutdown(socket.SHUT_RDWR)
        self.socket.close()
        for thread in self.threads:
            thread.join(10)
            assert not thread.is_alive()

    def _start(self, target: Callable[..., None], *arguments: object) -> None:
        thread = Thread(target=target, args=arguments, daemon=True)
        self.threads.append(thread)
        thread.start()

    def _accept(self) -> None:
        while not self.ended.is_set():
            try:
                connection, _ = self.socket.accept()
            except OSError:
                return
            self.connections += 1
            self._start(self._serve, connection, self.connections)

    def _serve(self, connection: socket.socket, number: int) -> None:
        connection.settimeout(0.05)
        try:
            if self.context is not None:
                connection.settimeout(5)
                connection = self.context.wrap_socket(connection, server_side=True)
                connection.settimeout(0.05)
            while (asked := self._request(connection, number)) is not None:
                self.asked.append(asked)
                connection.settimeout(1)
                plain = PLAIN if asked.method != "HEAD" else PLAIN.removesuffix(b"hello")
                answer = self.answers.get(asked.path, plain)
                for piece in [answer] if isinstance(answer, bytes) else answer(self):
                    connection.sendall(piece)
                connection.settimeout(0.05)
                if b"Connection: close" in (answer if isinstance(answer, bytes) else b""):
                    return
            if not self.ended.is_set():
                self.hung_up.append(number)
        except ConnectionError:
            self.hung_up.append(number)
        except OSError:
            pass
        finally:
            connection.close()

    def _request(self, connection: socket.socket, number: int) -> Asked | None:
        data = b""
        while b"\r\n\r\n" not in data:
            if (received := self._received(connection)) is None:
                return None
            data += received
        head, _, body = data.partition(b"\r\n\r\n")
        lines = head.decode("latin-1").split("\r\n")
        headers = {
            name.lower(): value.strip()
            for name, _, value in (line.partition(":") for line in lines[1:])
        }
        method, path, _ = lines[0].split(" ")
        while len(body) < int(headers.get("content-length", 0)):
            if (received := self._received(connection)) is None:
                return None
            body += received
        return Asked(headers.get("host", ""), path, headers, number, method, body)

    def _received(self, connection: socket.socket) -> bytes | None:
        """Return the next bytes, or None if there are no more."""
        while not self.ended.is_set():
            with suppress(TimeoutError):
                return connection.recv(65_536) or None
        return None


def with_body(body: bytes, *headers: str) -> bytes:
    """Return an answer with a body and its length."""
    lines = ["HTTP/1.1 200 OK", f"Content-Length: {len(body)}", *headers, "", ""]
    return "\r\n".join(lines).encode("latin-1") + body


def slowly(data: bytes, pause: float = 0.05) -> Answer:
    """Return an answer that arrives a byte at a time, and stops when the server does."""

    def pieces(server: Server) -> Pieces:
        for index in range(len(data)):
            yield data[index : index + 1]
            if server.ended.wait(pause):
                return

    return pieces


def endlessly(first: bytes, again: bytes) -> Answer:
    """Return an answer without an end."""

    def pieces(server: Server) -> Pieces:
        yield first
        while not server.ended.is_set():
            yield again

    return pieces
