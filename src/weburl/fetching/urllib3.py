"""urllib3: a pool manager that checks a policy, and the connections that `requests` uses too.

http.client reads the answer. It reads from a file that has the deadline, and counts.
"""

from __future__ import annotations

import http.client
import io
import socket
from collections.abc import Iterable, Mapping
from contextvars import ContextVar
from functools import lru_cache
from typing import Any, Final

from weburl.fetching import errors
from weburl.fetching.addresses import Resolve
from weburl.fetching.bounds import FetchBounds
from weburl.fetching.guard import Body, Chain, Guard, Hop, RedirectPolicy, current_hop, hop_to
from weburl.policies.policy import URLPolicy
from weburl.standard.support.releases import required

with required("urllib3>=2.6.3"):
    import urllib3
    from urllib3.connection import HTTPConnection, HTTPSConnection
    from urllib3.exceptions import (
        ConnectTimeoutError,
        HTTPError,
        LocationParseError,
        NameResolutionError,
        NewConnectionError,
    )
    from urllib3.util.connection import create_connection
    from urllib3.util.retry import Retry
    from urllib3.util.timeout import Timeout
    from urllib3.util.url import parse_url

__all__ = ["PolicyPoolManager", "URLFetchError"]

_PIECE: Final = 65_536


class URLFetchError(errors.URLFetchError, HTTPError):
    """A `weburl.fetching.URLFetchError` that is also an exception of urllib3."""

    __module__ = "weburl.fetching.urllib3"


class PolicyPoolManager(urllib3.PoolManager):
    """A pool manager that connects only where a policy allows it.

    It never uses a proxy.

    Args:
        policy: what each URL and each address must obey.
        num_pools, headers: as in `urllib3.PoolManager`.
        redirect_policy, bounds, credential_headers, resolve: see `weburl.fetching`.
        connection_pool_kw: as in `urllib3.PoolManager`.

    Raises the errors that `weburl.fetching` names. An answer is checked while it is read.
    """

    __module__ = "weburl.fetching.urllib3"

    def __init__(
        self,
        policy: URLPolicy,
        num_pools: int = 10,
        headers: Mapping[str, str] | None = None,
        *,
        redirect_policy: RedirectPolicy = None,
        bounds: FetchBounds | None = None,
        credential_headers: Iterable[str] = (),
        resolve: Resolve | None = None,
        **connection_pool_kw: Any,  # noqa: ANN401  # urllib3's own
    ) -> None:
        self._guard = Guard(
            policy, redirect_policy, bounds, credential_headers, resolve, error=URLFetchError
        )
        super().__init__(num_pools, headers, **connection_pool_kw)
        self.pool_classes_by_scheme = POOL_CLASSES
        own = Retry.from_int(self.connection_pool_kw.get("retries"))
        self._retries = retries_within(own, self._guard.bounds.seconds)

    def urlopen(  # type: ignore[override]
        self,
        method: str,
        url: str,
        redirect: bool = True,
        **kw: Any,  # noqa: ANN401  # urllib3's own
    ) -> urllib3.BaseHTTPResponse:
        outer = _chain_of_manager.get()
        chain = outer[1] if outer is not None and outer[0] is self else None
        hop = self._guard.hop(chain, url, _seen(url))
        if hop.leaves_first_origin:
            headers = kw.get("headers", self.headers)
            kept = {name: value for name, value in headers.items() if not hop.is_withheld(name)}
            kw["headers"] = kept
        given = kw.get("retries")
        kw["retries"] = (
            self._retries
            if given is None
            else retries_within(Retry.from_int(given, redirect), self._guard.bounds.seconds)
        )
        in_chain = _chain_of_manager.set((self, hop.chain))
        in_hop = current_hop.set(hop)
        try:
            # A redirect calls this method again, with the next URL.
            return super().urlopen(method, hop.judged.href, redirect, **kw)
        except HTTPError as error:
            if hop.is_late and not isinstance(error, URLFetchError):
                raise hop.refusal(errors.TOO_SLOW) from None
            raise
        finally:
            current_hop.reset(in_hop)
            _chain_of_manager.reset(in_chain)


_chain_of_manager: ContextVar[tuple[PolicyPoolManager, Chain] | None] = ContextVar(
    "weburl_chain_of_manager", default=None
)


def retries_within(retries: Retry, seconds: float) -> Retry:
    """Return retries that sleep for at most ``seconds`` at a time, whatever a server requests."""
    if max(retries.retry_after_max, retries.backoff_max) <= seconds:
        return retries
    return retries.new(
        retry_after_max=min(retries.retry_after_max, seconds),
        backoff_max=min(retries.backoff_max, seconds),
    )


@lru_cache(256)
def _seen(url: str) -> tuple[str, str, int | None]:
    """Return what urllib3 reads in a URL. One that it cannot read has no host."""
    try:
        read = parse_url(url)
    except LocationParseError:
        return "", "", None
    return read.scheme or "", read.host or "", read.port


# --- connections ------------------------------------------------------------------------------


class _Guarded:
    """The base of both kinds of connection: addresses, deadline and reading."""

    peer: str | None = None
    """The address of the other side, which was checked; None before the connection."""

    def _new_conn(self: Any) -> socket.socket:  # one of the classes below
        hop = hop_to(self._dns_host, self.port)
        own = Timeout.resolve_default_timeout(self.timeout)
        try:
            addresses = hop.addresses()
        except socket.gaierror as error:
            raise NameResolutionError(self.host, self, error) from error
        except OSError as error:
            raise NewConnectionError(self, f"The name cannot be resolved: {error}") from error
        for number, address in enumerate(addresses):
            try:
                sock = create_connection(
                    (address, self.port),
                    hop.share(own, len(addresses) - number),
                    source_address=self.source_address,
                    socket_options=self.socket_options,
                )
            except OSError as error:
                failure = error
                continue
            self.peer = address
            sock.settimeout(hop.seconds(own))
            return sock
        hop.remaining()
        if isinstance(failure, TimeoutError):
            raise ConnectTimeoutError(self, f"Connection to {self.host} timed out") from failure
        raise NewConnectionError(self, f"Connection to {self.host} failed: {failure}") from failure

    def request(self: Any, method: str, url: str, *arguments: Any, **options: Any) -> None:  # noqa: ANN401
        hop = hop_to(self._dns_host, self.port)
        hop.sends()
        if self.sock is not None:
            hop.check_peer(self.peer)
        # urllib3 has changed the bytes of a URL, which may be signed.
        url = hop.judged.target
        super().request(method, url, *arguments, **options)  # type: ignore[misc]

    def send(self: Any, data: Any) -> None:  # noqa: ANN401  # as http.client's
        hop = current_hop.get()
        if self.sock is not None and hop is not None:
            limit_time(self.sock, hop, Timeout.resolve_default_timeout(self.timeout))
        super().send(data)  # type: ignore[misc]


class _Answer:
    """http.client's response, which reads no more than it may.

    It has no attribute ``fp``. With one, urllib3 would read the chunks of a body by itself.
    """

    def __init__(self, sock: socket.socket, *arguments: Any, **options: Any) -> None:  # noqa: ANN401
        hop = current_hop.get()
        if hop is None:
            raise RuntimeError("an answer is read outside of a request of the guarded client")
        self._hop = hop
        self._body: Body | None = None
        self._inner = http.client.HTTPResponse(_Source(sock, hop), *arguments, **options)  # type: ignore[arg-type]

    def __getattr__(self, name: str) -> Any:  # noqa: ANN401  # of http.client's response
        if name == "fp":
            raise AttributeError(name)
        return getattr(self._inner, name)

    def begin(self) -> None:
        try:
            self._inner.begin()
        except http.client.LineTooLong:
            raise self._hop.refusal(errors.HEADERS_TOO_LONG) from None
        except http.client.HTTPException as error:
            # http.client raises the base class itself only for the number of headers.
            if type(error) is http.client.HTTPException:
                raise self._hop.refusal(errors.TOO_MANY_HEADERS) from None
            raise
        inner = self._inner
        headers = [
            (name.encode("latin-1"), value.encode("latin-1"))
            for name, value in inner.msg.raw_items()
        ]
        location = self._hop.answered(inner.status, headers, parse_url, LocationParseError)
        if location is not None:
            del inner.msg["Location"]
            inner.msg["Location"] = location
        encodings = inner.msg.get_all("content-encoding", [])
        self._body = Body(self._hop, ",".join(encodings))
        # Found without `__getattr__`, which takes longer.
        self.msg = self.headers = inner.msg
        self.status, self.reason, self.version = inner.status, inner.reason, inner.version
        self.will_close = inner.will_close
        self.isclosed = inner.isclosed

    def read(self, amt: int | None = None) -> bytes:
        if amt is not None:
            return self._counted(self._inner.read(min(amt, self._most)))
        length = self._inner.length
        if length is not None and length < self._most:
            return self._counted(self._inner.read())
        return b"".join(iter(lambda: self.read(_PIECE), b""))

    def read1(self, n: int = -1) -> bytes:
        return self._counted(self._inner.read1(min(n, self._most) if n >= 0 else self._most))

    def readinto(self, buffer: bytearray | memoryview) -> int:
        data = self.read(len(buffer))
        buffer[: len(data)] = data
        return len(data)

    @property
    def _most(self) -> int:
        """How much to read at once: one byte too many is enough to refuse."""
        assert self._body is not None
        return min(_PIECE, self._body.left + 1)

    def _counted(self, data: bytes) -> bytes:
        assert self._body is not None
        self._body.received(data)
        return data


class _Source:
    """A socket from which http.client makes its file: its bytes until the deadline."""

    __slots__ = ("_hop", "_sock", "_timeout")

    def __init__(self, sock: socket.socket, hop: Hop) -> None:
        self._sock = sock
        self._timeout = sock.gettimeout()
        self._hop = hop

    def makefile(self, _mode: str) -> io.BufferedReader:
        file = self._sock.makefile("rb", buffering=0)
        # A subclass with this method takes longer to make, and to close.
        file.readinto = self._read_into  # type: ignore[assignment]
        return io.BufferedReader(file)

    def _read_into(self, buffer: Any) -> int:  # noqa: ANN401  # as io's
        limit_time(self._sock, self._hop, self._timeout)
        try:
            count = self._sock.recv_into(buffer)
        except TimeoutError:
            self._hop.remaining()
            raise
        self._hop.received(count)
        return count


def limit_time(sock: socket.socket, hop: Hop, timeout: float | None) -> None:
    """Let the next step of a socket end at the deadline, or a hundredth of the rest later.

    ``timeout``: the client's own. Each call of `settimeout` is a system call.
    """
    seconds = hop.seconds(timeout)
    now = sock.gettimeout()
    if now is None or not seconds <= now <= seconds * 1.01:
        sock.settimeout(seconds)


class _HTTPConnection(_Guarded, HTTPConnection):
    response_class = _Answer  # type: ignore[assignment]


class _HTTPSConnection(_Guarded, HTTPSConnection):
    response_class = _Answer  # type: ignore[assignment]


class _HTTPConnectionPool(urllib3.HTTPConnectionPool):
    ConnectionCls = _HTTPConnection


class _HTTPSConnectionPool(urllib3.HTTPSConnectionPool):
    ConnectionCls = _HTTPSConnection


POOL_CLASSES: Final[dict[str, type[urllib3.HTTPConnectionPool]]] = {
    "http": _HTTPConnectionPool,
    "https": _HTTPSConnectionPool,
}
"""For a pool manager's ``pool_classes_by_scheme``."""
