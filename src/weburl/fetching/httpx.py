"""httpx: transports that ask a policy."""

from __future__ import annotations

import ssl
from collections.abc import AsyncIterator, Iterable, Iterator
from typing import Any, Final

import httpx  # first, because an ImportError then names what to install

# isort: split
import httpcore

from weburl.fetching import errors
from weburl.fetching.addresses import Resolve
from weburl.fetching.bounds import FetchBounds
from weburl.fetching.guard import Body, Guard, Hop, RedirectPolicy, current_hop
from weburl.fetching.networks import (
    AsyncGuardedBackend,
    Failures,
    GuardedBackend,
    body_of,
    extensions_for,
    hop_of,
)
from weburl.policies.policy import URLPolicy

__all__ = ["AsyncPolicyTransport", "PolicyTransport", "URLFetchError"]

_FAILURES: Final = Failures(
    httpcore.ConnectError, httpcore.ConnectTimeout, httpcore.TimeoutException
)
_DEFAULT_LIMITS: Final = httpx.Limits(max_connections=100, max_keepalive_connections=20)


class URLFetchError(errors.URLFetchError, httpx.TransportError):
    """A `weburl.fetching.URLFetchError` that is also an exception of httpx."""

    __module__ = "weburl.fetching.httpx"


class PolicyTransport(httpx.HTTPTransport):
    """A transport that connects only where a policy allows it: ``Client(transport=…)``.

    It never uses a proxy. A client with a transport reads no proxies from the environment.

    Args:
        policy: what each URL and each address must obey.
        redirect_policy: for redirects, another policy instead, or "same-site" or "same-origin" as
            the first URL besides ``policy``.
        bounds: how much a fetch may take; None is `FetchBounds`' defaults.
        credential_headers: headers that are not sent to another origin after a redirect, besides
            Authorization, Cookie and Proxy-Authorization.
        resolve: returns the addresses of a name and a port; None asks the system.
        verify, cert, trust_env, http1, http2, limits, local_address, retries, socket_options: as in
            `httpx.HTTPTransport`. ``trust_env`` only concerns SSL_CERT_FILE and SSL_CERT_DIR.

    Raises:
        URLFetchError: in `handle_request`, and while an answer is read.
        TypeError: an argument has the wrong type.
        ValueError: ``redirect_policy`` is not one of the above.
    """

    __module__ = "weburl.fetching.httpx"

    def __init__(
        self,
        policy: URLPolicy,
        *,
        redirect_policy: RedirectPolicy = None,
        bounds: FetchBounds | None = None,
        credential_headers: Iterable[str] = (),
        resolve: Resolve | None = None,
        verify: ssl.SSLContext | str | bool = True,
        cert: Any = None,  # noqa: ANN401  # as httpx takes it
        trust_env: bool = False,
        http1: bool = True,
        http2: bool = False,
        limits: httpx.Limits = _DEFAULT_LIMITS,
        local_address: str | None = None,
        retries: int = 0,
        socket_options: Iterable[Any] | None = None,
    ) -> None:
        self._guard = Guard(
            policy,
            redirect_policy=redirect_policy,
            bounds=bounds,
            credential_headers=credential_headers,
            resolve=resolve,
            error=URLFetchError,
        )
        context = httpx.create_ssl_context(verify=verify, cert=cert, trust_env=trust_env)
        super().__init__(verify=context, http1=http1, http2=http2)
        # httpx takes no backend, and httpcore does.
        self._pool = httpcore.ConnectionPool(
            ssl_context=context,
            max_connections=limits.max_connections,
            max_keepalive_connections=limits.max_keepalive_connections,
            keepalive_expiry=limits.keepalive_expiry,
            http1=http1,
            http2=http2,
            local_address=local_address,
            retries=retries,
            socket_options=socket_options,
            network_backend=GuardedBackend(httpcore.SyncBackend(), _FAILURES),  # type: ignore[arg-type]
        )

    def handle_request(self, request: httpx.Request) -> httpx.Response:
        hop = hop_of(self._guard, request)
        kept, request.extensions = request.extensions, extensions_for(hop, request)
        in_hop = current_hop.set(hop)
        try:
            response = super().handle_request(request)
        except httpx.TransportError as error:
            if hop.is_late and not isinstance(error, URLFetchError):
                raise hop.refusal(errors.TOO_SLOW) from None
            raise
        finally:
            current_hop.reset(in_hop)
            request.extensions = kept
        try:
            body = body_of(hop, response)
        except URLFetchError:
            response.close()
            raise
        assert isinstance(response.stream, httpx.SyncByteStream)
        response.stream = _Stream(response.stream, hop, body)
        return response


class AsyncPolicyTransport(httpx.AsyncHTTPTransport):
    """A `PolicyTransport` for `httpx.AsyncClient`, with the same arguments and errors.

    It tries the next address of a name after a quarter of a second, at the same time as the ones
    before it (happy eyeballs).
    """

    __module__ = "weburl.fetching.httpx"

    def __init__(
        self,
        policy: URLPolicy,
        *,
        redirect_policy: RedirectPolicy = None,
        bounds: FetchBounds | None = None,
        credential_headers: Iterable[str] = (),
        resolve: Resolve | None = None,
        verify: ssl.SSLContext | str | bool = True,
        cert: Any = None,  # noqa: ANN401  # as httpx takes it
        trust_env: bool = False,
        http1: bool = True,
        http2: bool = False,
        limits: httpx.Limits = _DEFAULT_LIMITS,
        local_address: str | None = None,
        retries: int = 0,
        socket_options: Iterable[Any] | None = None,
    ) -> None:
        self._guard = Guard(
            policy,
            redirect_policy=redirect_policy,
            bounds=bounds,
            credential_headers=credential_headers,
            resolve=resolve,
            error=URLFetchError,
        )
        context = httpx.create_ssl_context(verify=verify, cert=cert, trust_env=trust_env)
        super().__init__(verify=context, http1=http1, http2=http2)
        self._pool = httpcore.AsyncConnectionPool(
            ssl_context=context,
            max_connections=limits.max_connections,
            max_keepalive_connections=limits.max_keepalive_connections,
            keepalive_expiry=limits.keepalive_expiry,
            http1=http1,
            http2=http2,
            local_address=local_address,
            retries=retries,
            socket_options=socket_options,
            network_backend=AsyncGuardedBackend(httpcore.AnyIOBackend(), _FAILURES),  # type: ignore[arg-type]
        )

    async def handle_async_request(self, request: httpx.Request) -> httpx.Response:
        hop = hop_of(self._guard, request)
        kept, request.extensions = request.extensions, extensions_for(hop, request)
        in_hop = current_hop.set(hop)
        try:
            response = await super().handle_async_request(request)
        except httpx.TransportError as error:
            if hop.is_late and not isinstance(error, URLFetchError):
                raise hop.refusal(errors.TOO_SLOW) from None
            raise
        finally:
            current_hop.reset(in_hop)
            request.extensions = kept
        try:
            body = body_of(hop, response)
        except URLFetchError:
            await response.aclose()
            raise
        assert isinstance(response.stream, httpx.AsyncByteStream)
        response.stream = _AsyncStream(response.stream, hop, body)
        return response


class _Stream(httpx.SyncByteStream):
    """The body of an answer, counted."""

    def __init__(self, inner: httpx.SyncByteStream, hop: Hop, body: Body) -> None:
        self._inner = inner
        self._hop = hop
        self._body = body

    def __iter__(self) -> Iterator[bytes]:
        chunks = iter(self._inner)
        while True:
            in_hop = current_hop.set(self._hop)
            try:
                chunk = next(chunks, None)
            finally:
                current_hop.reset(in_hop)
            if chunk is None:
                return
            self._body.received(chunk)
            yield chunk

    def close(self) -> None:
        self._inner.close()


class _AsyncStream(httpx.AsyncByteStream):
    """The body of an answer, counted."""

    def __init__(self, inner: httpx.AsyncByteStream, hop: Hop, body: Body) -> None:
        self._inner = inner
        self._hop = hop
        self._body = body

    async def __aiter__(self) -> AsyncIterator[bytes]:
        chunks = aiter(self._inner)
        while True:
            in_hop = current_hop.set(self._hop)
            try:
                chunk = await anext(chunks, None)
            finally:
                current_hop.reset(in_hop)
            if chunk is None:
                return
            self._body.received(chunk)
            yield chunk

    async def aclose(self) -> None:
        await self._inner.aclose()
