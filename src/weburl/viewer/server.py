"""``python -m weburl view``: a server for the viewer, only for this machine.

It listens on 127.0.0.1 and answers only requests for that name or "localhost". So another site
cannot make a browser read its pages by DNS rebinding.
"""

from __future__ import annotations

import errno
import os
import sys
from collections.abc import Iterable
from socket import socket
from socketserver import TCPServer, ThreadingMixIn
from typing import Final
from wsgiref.simple_server import WSGIRequestHandler, WSGIServer
from wsgiref.types import StartResponse, WSGIEnvironment

from weburl.viewer.responding import ViewerRequest, respond

ADDRESS: Final = "127.0.0.1"
PORT: Final = 8042
SECONDS: Final = 60
"""How long the server waits for a client to send or to receive more."""

_NAMES: Final = ("127.0.0.1", "localhost")


def application(environ: WSGIEnvironment, start_response: StartResponse) -> Iterable[bytes]:
    """Answer a WSGI request with the viewer. A server may mount it at any path."""
    length = environ.get("CONTENT_LENGTH") or ""
    response = respond(
        ViewerRequest(
            method=environ["REQUEST_METHOD"],
            path=environ.get("PATH_INFO", "").removeprefix("/"),
            query=environ.get("QUERY_STRING", ""),
            content_type=environ.get("CONTENT_TYPE") or "",
            length=int(length) if length.isascii() and length.isdigit() and len(length) < 16 else 0,
            read=environ["wsgi.input"].read,
            site=environ.get("HTTP_SEC_FETCH_SITE", ""),
        )
    )
    headers = [*response.headers, ("Content-Length", str(len(response.body)))]
    start_response(response.status, headers)
    return [response.body]


class _Handler(WSGIRequestHandler):
    timeout = SECONDS

    def log_message(self, format: str, *args: object) -> None:
        """Do not log: an address may contain private data."""


class Server(ThreadingMixIn, WSGIServer):
    """Serves the viewer at a port of this machine; 0 lets the system choose one.

    Raises OSError if the port is in use.
    """

    daemon_threads = True
    # On Windows, this would let two servers use the same port.
    allow_reuse_address: bool = os.name == "posix"
    server_name: str
    server_port: int

    def __init__(self, port: int = PORT) -> None:
        super().__init__((ADDRESS, port), _Handler)
        self.set_app(self._answer)

    def server_bind(self) -> None:
        # Skips the parent's lookup of this machine's name, which may be slow.
        TCPServer.server_bind(self)
        self.server_name, self.server_port = ADDRESS, self.server_address[1]
        self.setup_environ()

    @property
    def address(self) -> str:
        """The address of the first page."""
        return f"http://{ADDRESS}:{self.server_port}/"

    def handle_error(self, request: socket | tuple[bytes, socket], client_address: object) -> None:
        """Ignore a client that disconnected or is silent; report every other error."""
        if not isinstance(sys.exception(), ConnectionError | TimeoutError):
            super().handle_error(request, client_address)

    def _answer(self, environ: WSGIEnvironment, start_response: StartResponse) -> Iterable[bytes]:
        names = {f"{name}:{self.server_port}" for name in _NAMES}
        # DNS rebinding: another site's name may resolve to this machine, but it is still in Host.
        if environ.get("HTTP_HOST", "").lower() not in names:
            start_response("403 Forbidden", [("Content-Type", "text/plain; charset=utf-8")])
            return [f"Open http://{ADDRESS}:{self.server_port}/ instead.\n".encode()]
        return application(environ, start_response)


def serve(port: int) -> int:
    """Serve the viewer until Ctrl-C, and return the exit status."""
    try:
        server = Server(port)
    except OSError as error:
        taken = error.errno == errno.EADDRINUSE
        reason = "it is in use; choose another with --port" if taken else error.strerror
        print(f"Cannot listen on {ADDRESS}, port {port}: {reason}.", file=sys.stderr)
        return 2
    with server:
        print(f"The URL viewer is at {server.address} – press Ctrl-C to stop it.", flush=True)
        try:
            server.serve_forever()
        except KeyboardInterrupt:
            print()
    return 0
