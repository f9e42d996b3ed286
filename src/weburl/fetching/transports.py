"""The transports of httpx and httpx2: both libraries have the same classes under other names.

Nothing here imports a client. `weburl.fetching.httpx` and `httpx2` name theirs in a `Library`.
"""

from __future__ import annotations

import ssl
from collections.abc import AsyncIterator, Iterable, Iterator
from contextlib import contextmanager
from typing import Any, ClassVar, Generic, NamedTuple, TypeVar

from weburl.fetching import errors
from weburl.fetching.addresses import Resolve
from weburl.fetching.bounds import FetchBounds
from weburl.fetching.guard import Body, Guard, Hop, RedirectPolicy, current_hop
from weburl.fetching.networks import AsyncGuardedBackend, Failures, GuardedBackend
from weburl.policies.policy import URLPolicy

_CHAIN = "weburl.chain"

_Limits = TypeVar("_Limits")
_Request = TypeVar("_Request")
_Response = TypeVar("_Response")


class Library(NamedTuple):
    """A client library: its module, the module of its connections, and our error for it."""

    client: Any
    core: Any
    error: type[errors.URLFetchError]


class _Transport(Generic[_Limits, _Request, _Response]):
    """The base of both kinds of transport. The transport of the library is the next base."""

    _library: ClassVar[Library]

    def __init__(
        self,
        policy: URLPolicy,
        *,
        redirect_policy: RedirectPolicy = None,
        bounds: FetchBounds | None = None,
        credential_headers: Iterable[str] = (),
        resolve: Resolve | None = None,
        verify: ssl.SSLContext | str | bool = True,
        cert: Any = None,  # noqa: ANN401  # as the library takes it
        trust_env: bool = False,
        http1: bool = True,
        http2: bool = False,
        limits: _Limits | None = None,
        local_address: str | None = None,
        retries: int = 0,
        socket_options: Iterable[Any] | None = None,
    ) -> None:
        client, _, error = self._library
        if limits is not None and not isinstance(limits, client.Limits):
            raise TypeError(f"limits must be Limits of the library, not {type(limits).__name__}")
        self._guard = Guard(
            policy, redirect_policy, bounds, credential_headers, resolve, error=error
        )
        context = client.create_ssl_context(verify=verify, cert=cert, trust_env=trust_env)
        options: dict[str, Any] = {"http1": http1, "http2": http2}
        super().__init__(verify=context, **options)  # type: ignore[call-arg]  # the library's
        pool: Any = limits or client.Limits(max_connections=100, max_keepalive_connections=20)
        # The library takes no backend for its connections, but their own module does.
        self._pool = self._new_pool(
            ssl_context=context,
            max_connections=pool.max_connections,
            max_keepalive_connections=pool.max_keepalive_connections,
            keepalive_expiry=pool.keepalive_expiry,
            local_address=local_address,
            retries=retries,
            socket_options=socket_options,
            **options,
        )

    def _new_pool(self, **options: Any) -> Any:  # noqa: ANN401  # of either library
        """Return a pool that connects only to checked addresses."""
        raise NotImplementedError

    @property
    def _failures(self) -> Failures:
        core = self._library.core
        return Failures(core.ConnectError, core.ConnectTimeout, core.TimeoutException)

    @contextmanager
    def _sending(self, request: Any) -> Iterator[Hop]:  # noqa: ANN401  # of either library
        """Give the hop that a request is, and make the request fit for it."""
        hop = _hop_of(self._guard, request)
        kept, request.extensions = request.extensions, _extensions_for(hop, request)
        in_hop = current_hop.set(hop)
        try:
            yield hop
        except self._library.client.TransportError as error:
            if hop.is_late and not isinstance(error, errors.URLFetchError):
                raise hop.refusal(errors.TOO_SLOW) from None
            raise
        finally:
            current_hop.reset(in_hop)
            request.extensions = kept


class Transport(_Transport[_Limits, _Request, _Response]):
    """A transport that connects only where a policy allows it: ``Client(transport=…)``.

    It never uses a proxy. A client with a transport reads no proxies from the environment.

    Args:
        policy: what each URL and each address must obey.
        redirect_policy, bounds, credential_headers, resolve: see `weburl.fetching`.
        verify, cert, trust_env, http1, http2, limits, local_address, retries, socket_options: as
            the library's own ``HTTPTransport`` takes them. ``trust_env`` only concerns
            SSL_CERT_FILE and SSL_CERT_DIR.

    Raises the errors that `weburl.fetching` names. An answer is checked while it is read.
    """

    _stream: ClassVar[type[CountedStream]]

    def _new_pool(self, **options: Any) -> Any:  # noqa: ANN401
        core = self._library.core
        backend = GuardedBackend(core.SyncBackend(), self._failures)
        return core.ConnectionPool(network_backend=backend, **options)

    def handle_request(self, request: _Request) -> _Response:
        with self._sending(request) as hop:
            response: Any = super().handle_request(request)  # type: ignore[misc]  # the library's
        try:
            body = _body_of(hop, response, self._library.client)
        except errors.URLFetchError:
            response.close()
            raise
        response.stream = self._stream(response.stream, hop, body)
        return response  # type: ignore[no-any-return]


class AsyncTransport(_Transport[_Limits, _Request, _Response]):
    """A `PolicyTransport` for ``AsyncClient``, with the same arguments and errors.

    It tries the next address of a name after a quarter of a second, at the same time as the ones
    before it (happy eyeballs).
    """

    _stream: ClassVar[type[AsyncCountedStream]]

    def _new_pool(self, **options: Any) -> Any:  # noqa: ANN401
        core = self._library.core
        backend = AsyncGuardedBackend(core.AnyIOBackend(), self._failures)
        return core.AsyncConnectionPool(network_backend=backend, **options)

    async def handle_async_request(self, request: _Request) -> _Response:
        with self._sending(request) as hop:
            response: Any = await super().handle_async_request(request)  # type: ignore[misc]
        try:
            body = _body_of(hop, response, self._library.client)
        except errors.URLFetchError:
            await response.aclose()
            raise
        response.stream = self._stream(response.stream, hop, body)
        return response  # type: ignore[no-any-return]


class _Counted:
    """The body of an answer, counted. ``inner``: the library's own stream."""

    def __init__(self, inner: Any, hop: Hop, body: Body) -> None:  # noqa: ANN401
        self._inner = inner
        self._hop = hop
        self._body = body

    @contextmanager
    def _reading(self) -> Iterator[None]:
        in_hop = current_hop.set(self._hop)
        try:
            yield
        finally:
            current_hop.reset(in_hop)


class CountedStream(_Counted):
    """A body that is read chunk by chunk."""

    def __iter__(self) -> Iterator[bytes]:
        chunks = iter(self._inner)
        while True:
            with self._reading():
                chunk = next(chunks, None)
            if chunk is None:
                return
            self._body.received(chunk)
            yield chunk

    def close(self) -> None:
        """Close the library's stream."""
        self._inner.close()


class AsyncCountedStream(_Counted):
    """A `CountedStream` for ``async for``."""

    async def __aiter__(self) -> AsyncIterator[bytes]:
        chunks = aiter(self._inner)
        while True:
            with self._reading():
                chunk = await anext(chunks, None)
            if chunk is None:
                return
            self._body.received(chunk)
            yield chunk

    async def aclose(self) -> None:
        """Close the library's stream."""
        await self._inner.aclose()


def _hop_of(guard: Guard, request: Any) -> Hop:  # noqa: ANN401  # of either library
    """Return the hop that a request is. Takes away the headers that it must not send."""
    url = request.url
    seen = url.scheme, url.raw_host.decode("ascii"), url.port
    hop = guard.hop(request.extensions.get(_CHAIN), str(url), seen, request)
    # A redirect gets the extensions of the request before it.
    request.extensions[_CHAIN] = hop.chain
    if hop.leaves_first_origin:
        for name in [*filter(hop.is_withheld, request.headers)]:
            # httpx itself has put the new host into this one.
            if name.lower() != "host":
                del request.headers[name]
    return hop


def _extensions_for(hop: Hop, request: Any) -> dict[str, Any]:  # noqa: ANN401  # of either library
    """Return the extensions to send a request with: its time-outs, and the canonical target."""
    extensions = dict(request.extensions)
    timeouts = extensions.get("timeout", {})
    extensions["timeout"] = {**timeouts, "pool": hop.seconds(timeouts.get("pool"))}
    extensions["target"] = hop.judged.target.encode("ascii")
    if hop.leaves_first_origin:
        extensions.pop("sni_hostname", None)
    return extensions


def _body_of(hop: Hop, response: Any, client: Any) -> Body:  # noqa: ANN401
    """Check the head of an answer, and return what counts its body."""
    headers = response.headers

    def read(location: str) -> None:
        # As the client does, whether it follows redirects or not.
        url = client.URL(location)
        if not url.host:
            url.copy_with(host="host")

    location = hop.answered(response.status_code, headers.raw, read, client.InvalidURL)
    if location is not None:
        headers["location"] = location
    if any(map(_is_cookie_beyond_ascii, headers.raw)):
        # The client would keep it, and could not send any request with it.
        kept = [each for each in headers.raw if not _is_cookie_beyond_ascii(each)]
        response.headers = client.Headers(kept)
    return Body(hop, headers.get("content-encoding"))


def _is_cookie_beyond_ascii(header: tuple[bytes, bytes]) -> bool:
    name, value = header
    return name.lower() == b"set-cookie" and not value.isascii()
