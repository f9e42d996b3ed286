"""Network backends for httpx and httpx2 that connect only to checked addresses.

Both clients get their connections from a backend, httpcore's or httpcore2's. These wrap one, so
this module imports neither client. A wrapped stream has the deadline, and counts.
"""

from __future__ import annotations

import ssl
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from typing import Any, NamedTuple

import anyio

from weburl.fetching import errors
from weburl.fetching.guard import current_hop, hop_to

# RFC 8305, section 5, recommends this delay between attempts.
_SECONDS_BETWEEN_ATTEMPTS = 0.25
# httpcore's time-out for a write is for each of its steps, of which long data may need many.
_PIECE = 65_536


class Failures(NamedTuple):
    """The exceptions of a backend."""

    connect: type[Exception]
    connect_timeout: type[Exception]
    timeout: type[Exception]


def _until_deadline(timeout: float | None) -> float | None:
    """Return the client's own time-out, or what is left if that is less."""
    hop = current_hop.get()
    return timeout if hop is None else hop.seconds(timeout)


class _Backend:
    def __init__(self, inner: Any, failures: Failures) -> None:  # noqa: ANN401  # of either library
        self._inner = inner
        self._failures = failures


class _Stream:
    def __init__(self, inner: Any, address: str, failures: Failures) -> None:  # noqa: ANN401
        self._inner = inner
        self._address = address
        self._failures = failures
        # Other requests may use a stream of HTTP/2 at the same time. Then a request may read the
        # bytes of another one's body. h2 bounds headers by itself.
        ssl_object = inner.get_extra_info("ssl_object")
        protocol = None if ssl_object is None else ssl_object.selected_alpn_protocol()
        self._is_shared = protocol == "h2"

    @contextmanager
    def _limited(self, timeout: float | None) -> Iterator[float | None]:
        """Give the time-out of a step that ends at the deadline, if a request waits for it."""
        hop = current_hop.get()
        try:
            yield _until_deadline(timeout)
        except self._failures.timeout:
            if hop is not None:
                hop.remaining()
            raise

    def _received(self, data: bytes) -> bytes:
        hop = current_hop.get()
        if hop is not None and not self._is_shared:
            hop.received(len(data))
        return data

    def _check_peer(self) -> None:
        hop = current_hop.get()
        if hop is not None:
            hop.check_peer(self._address)

    def get_extra_info(self, info: str) -> Any:  # noqa: ANN401  # as httpcore's
        return self._inner.get_extra_info(info)


class GuardedBackend(_Backend):
    """Wraps a ``NetworkBackend``."""

    def connect_tcp(
        self,
        host: str,
        port: int,
        timeout: float | None = None,
        local_address: str | None = None,
        socket_options: Iterable[Any] | None = None,
    ) -> GuardedStream:
        hop = hop_to(host, port)
        try:
            addresses = hop.addresses()
        except OSError as error:
            raise self._failures.connect(str(error)) from error
        for number, address in enumerate(addresses):
            try:
                stream = self._inner.connect_tcp(
                    address,
                    port,
                    hop.share(timeout, len(addresses) - number),
                    local_address,
                    socket_options,
                )
            except (self._failures.connect, self._failures.connect_timeout) as error:
                failure = error
                continue
            return GuardedStream(stream, address, self._failures)
        hop.remaining()
        raise failure

    def sleep(self, seconds: float) -> None:
        self._inner.sleep(_until_deadline(seconds))


class GuardedStream(_Stream):
    """Wraps a ``NetworkStream``. ``address``: where it leads, which was checked."""

    def read(self, max_bytes: int, timeout: float | None = None) -> bytes:
        with self._limited(timeout) as seconds:
            data = self._inner.read(max_bytes, seconds)
        return self._received(data)

    def write(self, buffer: bytes, timeout: float | None = None) -> None:
        self._check_peer()
        for start in range(0, len(buffer), _PIECE):
            with self._limited(timeout) as seconds:
                self._inner.write(buffer[start : start + _PIECE], seconds)

    def close(self) -> None:
        self._inner.close()

    def start_tls(
        self,
        ssl_context: ssl.SSLContext,
        server_hostname: str | None = None,
        timeout: float | None = None,
    ) -> GuardedStream:
        seconds = _until_deadline(timeout)
        stream = self._inner.start_tls(ssl_context, server_hostname, seconds)
        return GuardedStream(stream, self._address, self._failures)


class AsyncGuardedBackend(_Backend):
    """Wraps an ``AsyncNetworkBackend``. Tries addresses as RFC 8305 (happy eyeballs) describes."""

    async def connect_tcp(
        self,
        host: str,
        port: int,
        timeout: float | None = None,
        local_address: str | None = None,
        socket_options: Iterable[Any] | None = None,
    ) -> AsyncGuardedStream:
        hop = hop_to(host, port)
        try:
            # The thread ends by itself at the deadline. Before, it may have to wait for its turn.
            with anyio.fail_after(hop.remaining()):
                addresses = await anyio.to_thread.run_sync(hop.addresses, abandon_on_cancel=True)
        except TimeoutError:
            raise hop.refusal(errors.TOO_SLOW) from None
        except OSError as error:
            raise self._failures.connect(str(error)) from error
        streams: list[AsyncGuardedStream] = []
        failures: list[Exception] = []

        async def attempt(address: str, ended: anyio.Event) -> None:
            try:
                stream = await self._inner.connect_tcp(
                    address, port, hop.seconds(timeout), local_address, socket_options
                )
            except Exception as error:  # noqa: BLE001  # The task group would wrap it.
                failures.append(error)
                ended.set()
                return
            if streams:
                with anyio.CancelScope(shield=True):
                    await stream.aclose()
                return
            streams.append(AsyncGuardedStream(stream, address, self._failures))
            ended.set()
            group.cancel_scope.cancel()

        # It runs in a task of its own. If its wait ran in the caller's task and ended just as the
        # caller is cancelled, anyio's task group would swallow the cancellation.
        async def attempt_in_turn() -> None:
            for address in addresses:
                ended = anyio.Event()
                group.start_soon(attempt, address, ended)
                with anyio.move_on_after(_SECONDS_BETWEEN_ATTEMPTS):
                    await ended.wait()

        hop.remaining()
        try:
            async with anyio.create_task_group() as group:
                group.start_soon(attempt_in_turn)
        except BaseException:
            # The caller was cancelled just after a connection was made.
            with anyio.CancelScope(shield=True):
                for stream in streams:
                    await stream.aclose()
            raise
        if streams:
            return streams[0]
        hop.remaining()
        raise failures[0]

    async def sleep(self, seconds: float) -> None:
        await self._inner.sleep(_until_deadline(seconds))


class AsyncGuardedStream(_Stream):
    """Wraps an ``AsyncNetworkStream``. ``address``: where it leads, which was checked."""

    async def read(self, max_bytes: int, timeout: float | None = None) -> bytes:
        with self._limited(timeout) as seconds:
            data = await self._inner.read(max_bytes, seconds)
        return self._received(data)

    async def write(self, buffer: bytes, timeout: float | None = None) -> None:
        self._check_peer()
        with self._limited(timeout) as seconds:
            await self._inner.write(buffer, seconds)

    async def aclose(self) -> None:
        await self._inner.aclose()

    async def start_tls(
        self,
        ssl_context: ssl.SSLContext,
        server_hostname: str | None = None,
        timeout: float | None = None,
    ) -> AsyncGuardedStream:
        seconds = _until_deadline(timeout)
        stream = await self._inner.start_tls(ssl_context, server_hostname, seconds)
        return AsyncGuardedStream(stream, self._address, self._failures)
