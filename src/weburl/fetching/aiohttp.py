"""aiohttp: a connector that asks a policy, and a session that has one.

The connector gives each connection a protocol that counts what arrives, and each request a class of
response that knows the deadline.
"""

from __future__ import annotations

import asyncio
import functools
from collections.abc import Iterable
from contextvars import ContextVar
from typing import Any, Final, cast

import aiohttp
from aiohttp.abc import AbstractResolver, ResolveResult
from aiohttp.client_proto import ResponseHandler
from aiohttp.connector import Connection
from aiohttp.http_exceptions import LineTooLong
from aiohttp.streams import StreamReader

from weburl.fetching import errors
from weburl.fetching.addresses import Resolve, numeric_result
from weburl.fetching.bounds import FetchBounds
from weburl.fetching.guard import Chain, Guard, Hop, RedirectPolicy, current_hop, hop_to
from weburl.hosts.values import Domain
from weburl.policies.policy import URLPolicy

__all__ = ["PolicyConnector", "URLFetchError", "policy_session"]


# How many bytes one step may unpack, and how many may wait to be read: about twice as many.
_STEP: Final = 262_144


class URLFetchError(errors.URLFetchError, aiohttp.ClientError):
    """A `weburl.fetching.URLFetchError` that is also an exception of aiohttp."""

    __module__ = "weburl.fetching.aiohttp"


class PolicyConnector(aiohttp.TCPConnector):
    """A connector that connects only where a policy allows it: ``ClientSession(connector=…)``.

    It refuses proxies, and does not cache what names resolve to. Make it inside a running event
    loop, as every connector.

    Args:
        policy: what each URL and each address must obey.
        redirect_policy: for redirects, another policy instead, or "same-site" or "same-origin" as
            the first URL besides ``policy``.
        bounds: how much a fetch may take; None is `FetchBounds`' defaults.
        credential_headers: headers that are not sent to another origin after a redirect, besides
            Authorization, Cookie and Proxy-Authorization.
        resolve: returns the addresses of a name and a port; None asks the system.
        resolver: aiohttp's own kind of resolver, instead of ``resolve``.
        options: as in `aiohttp.TCPConnector`.

    Raises:
        URLFetchError: in requests, and while an answer is read.
        TypeError: an argument has the wrong type.
        ValueError: ``redirect_policy`` is not one of the above.
    """

    __module__ = "weburl.fetching.aiohttp"

    def __init__(
        self,
        policy: URLPolicy,
        *,
        redirect_policy: RedirectPolicy = None,
        bounds: FetchBounds | None = None,
        credential_headers: Iterable[str] = (),
        resolve: Resolve | None = None,
        resolver: AbstractResolver | None = None,
        **options: Any,  # noqa: ANN401  # of TCPConnector
    ) -> None:
        self._guard = Guard(
            policy,
            redirect_policy=redirect_policy,
            bounds=bounds,
            credential_headers=credential_headers,
            resolve=resolve,
            error=URLFetchError,
        )
        self._own_traces: list[aiohttp.TraceConfig] = []
        # A cached address may have been allowed by another policy.
        options["use_dns_cache"] = False
        super().__init__(resolver=_CheckedResolver(resolver), **options)
        # aiohttp has no public way to count what a connection receives.
        self._factory = functools.partial(_Handler, loop=self._loop)  # type: ignore[assignment]

    async def connect(
        self, req: aiohttp.ClientRequest, traces: list[Any], timeout: aiohttp.ClientTimeout
    ) -> Connection:
        if traces:
            self._end_own_trace(traces)
        hop = self._hop(req, traces)
        if req.proxy:
            raise hop.refusal(errors.PROXY_NOT_ALLOWED)
        if not isinstance(hop.judged.record.host, Domain):
            hop.addresses()  # aiohttp asks no resolver for these.
        in_hop = current_hop.set(hop)
        try:
            connection = await super().connect(req, traces, _shortened(timeout, hop))
        except TimeoutError:
            hop.remaining()
            raise
        finally:
            current_hop.reset(in_hop)
        try:
            _take_over(connection, hop)
        except aiohttp.ClientError:
            connection.close()
            raise
        req.response_class = _guarded(req.response_class)  # type: ignore[arg-type]
        return connection

    def trace_config(self) -> aiohttp.TraceConfig:
        """Return what a session needs so that the policy sees the credentials of a URL."""
        config = aiohttp.TraceConfig()
        config.on_request_start.append(self._judge_first)
        self._own_traces.append(config)
        return config

    def _end_own_trace(self, traces: list[Any]) -> None:
        """Remove what `trace_config` made: aiohttp would call it for other events, too."""
        for trace in traces[:]:
            if trace._trace_config in self._own_traces:  # noqa: SLF001  # It has no public name.
                traces.remove(trace)

    async def _judge_first(
        self,
        _session: aiohttp.ClientSession,
        _context: object,
        params: aiohttp.TraceRequestStartParams,
    ) -> None:
        url = params.url
        if url.raw_user is None and url.raw_password is None:
            return
        self._guard.hop(None, str(url), (url.scheme, url.raw_host or "", url.port))

    def _hop(self, req: aiohttp.ClientRequest, traces: list[Any]) -> Hop:
        url = req.url
        kept = _chain_of_task.get()
        # aiohttp makes one list for a request and all its redirects.
        chain = kept[1] if kept is not None and kept[0] is traces else None
        hop = self._guard.hop(chain, str(url), (url.scheme, url.raw_host or "", url.port))
        _chain_of_task.set((traces, hop.chain))
        if hop.leaves_first_origin:
            for name in [*filter(hop.is_withheld, req.headers)]:
                del req.headers[name]
            req.headers["Host"] = url.host_port_subcomponent or ""
        return hop


def policy_session(policy: URLPolicy, **options: Any) -> aiohttp.ClientSession:  # noqa: ANN401
    """Return a session with a `PolicyConnector`, which reads nothing from the environment.

    aiohttp takes the username and the password out of a URL before the connector gets it. Such a
    session asks the policy about them first. ``options``: of `PolicyConnector`. Raises its errors.
    """
    connector = PolicyConnector(policy, **options)
    return aiohttp.ClientSession(
        connector=connector, trace_configs=[connector.trace_config()], trust_env=False
    )


_chain_of_task: ContextVar[tuple[list[Any], Chain] | None] = ContextVar(
    "weburl_chain_of_task", default=None
)


class _CheckedResolver(AbstractResolver):
    """Resolves a name once, and returns its addresses if the policy allows all of them."""

    def __init__(self, inner: AbstractResolver | None) -> None:
        self._inner = inner

    async def resolve(self, host: str, port: int = 0, family: Any = 0) -> list[ResolveResult]:  # noqa: ANN401
        hop = hop_to(host, port)
        if self._inner is None:
            resolved = await asyncio.wrap_future(hop.start_resolving())
            addresses = hop.take_addresses(resolved)
            return [cast("ResolveResult", numeric_result(host, each, port)) for each in addresses]
        found = await self._inner.resolve(host, port, family)
        hop.take_addresses(each["host"] for each in found)
        return found

    async def close(self) -> None:
        if self._inner is not None:
            await self._inner.close()


class _Handler(ResponseHandler):
    """A connection that stops when an answer is longer than it may be, or takes too long."""

    def __init__(self, loop: asyncio.AbstractEventLoop) -> None:
        super().__init__(loop)
        self.hop: Hop | None = None
        self._content: StreamReader | None = None
        self._is_encoded = False
        self._has_ended = False
        self._body_bytes = 0
        self._refusal: errors.URLFetchError | None = None
        # It may ring too early for the present answer, but never too late.
        self._alarm: asyncio.TimerHandle | None = None
        self._rings_at = 0.0

    def expect(self, hop: Hop) -> None:
        """Count the next answer for ``hop``, until its deadline."""
        hop.sends()
        self.hop = hop
        self._content = None
        self._has_ended = False
        self._body_bytes = 0
        self._refusal = None
        if self._alarm is None or hop.chain.deadline < self._rings_at:
            self._stop()
            self._set_alarm(hop)

    def watch(self, response: aiohttp.ClientResponse) -> None:
        """Count a body from now on. What is in it already arrived with the headers."""
        hop = self.hop
        assert hop is not None
        headers = response.headers
        hop.answered(response.status, len(response.raw_headers), headers.get)
        self._content = response.content
        self._is_encoded = "content-encoding" in headers
        self._content.on_eof(self._end)
        self._check_content()

    def _end(self) -> None:
        """Expect nothing more: the answer is complete."""
        self._has_ended = True

    def _set_alarm(self, hop: Hop) -> None:
        self._rings_at = hop.chain.deadline
        self._alarm = self._loop.call_later(hop.remaining(), self._ring)

    def _stop(self) -> None:
        """Forget the deadline."""
        if self._alarm is not None:
            self._alarm.cancel()
            self._alarm = None

    def connection_lost(self, exc: BaseException | None) -> None:
        self._stop()
        self._unpack_in_steps()
        super().connection_lost(exc)
        if self._refusal is not None:
            self._pass_on(self._refusal)  # And not that the connection is lost.

    def data_received(self, data: bytes) -> None:
        if self._refusal is not None:
            return
        if data and self._has_ended and not self._upgraded:
            self._hang_up()
            return
        try:
            if self._content is None:
                if self.hop is not None:
                    self.hop.received(len(data))
                super().data_received(data)
                return
            self._count(len(data))
            self._unpack_in_steps()
            super().data_received(data)
            self._check_content()
        except errors.URLFetchError as error:
            self._refuse(error)

    def _ring(self) -> None:
        self._alarm = None
        hop = self.hop
        if hop is None or self._has_ended or self._refusal is not None:
            return
        try:
            self._set_alarm(hop)
        except errors.URLFetchError as error:
            self._refuse(error)

    def _refuse(self, error: errors.URLFetchError) -> None:
        """Let the one that reads the answer get this exception, and end the connection.

        At once: what the other side does not take would keep it open.
        """
        self._refusal = error
        self._stop()
        self._pass_on(error)
        self._hang_up()

    def _hang_up(self) -> None:
        if self.transport is not None:
            self.transport.abort()

    def _unpack_in_steps(self) -> None:
        """Let aiohttp unpack only as much as it can check. It takes off the limit of `read()`."""
        content = self._content
        if content is not None and self._is_encoded and content.get_read_buffer_limits()[0] > _STEP:
            # aiohttp has a public way to raise these limits, and none to lower them.
            content._low_water = _STEP  # noqa: SLF001
            content._high_water = 2 * _STEP  # noqa: SLF001

    def _pass_on(self, error: errors.URLFetchError) -> None:
        if self._content is None:
            self.set_exception(error)
        else:
            self.force_close()
            self._content.set_exception(error)

    def _count(self, length: int) -> None:
        hop = self.hop
        assert hop is not None
        self._body_bytes += length
        if self._is_encoded and self._body_bytes > hop.guard.bounds.body_bytes:
            raise hop.refusal(errors.BODY_TOO_LONG)

    def _check_content(self) -> None:
        hop, content = self.hop, self._content
        if hop is None or content is None:
            return
        bounds = hop.guard.bounds
        if not self._is_encoded and content.total_bytes > bounds.body_bytes:
            raise hop.refusal(errors.BODY_TOO_LONG)
        if content.total_bytes > bounds.unpacked_bytes:
            raise hop.refusal(errors.UNPACKED_TOO_LONG)


def _shortened(timeout: aiohttp.ClientTimeout, hop: Hop) -> aiohttp.ClientTimeout:
    """Return time-outs with which connecting ends at the deadline."""
    return aiohttp.ClientTimeout(
        connect=hop.seconds(timeout.connect),
        sock_connect=timeout.sock_connect,
        ceil_threshold=timeout.ceil_threshold,
    )


def _take_over(connection: Connection, hop: Hop) -> None:
    """Check where a connection leads, and let it count for ``hop``."""
    handler = connection.protocol
    transport = connection.transport
    assert isinstance(handler, _Handler)
    assert transport is not None
    peer = transport.get_extra_info("peername")
    if peer is None:
        raise aiohttp.ServerDisconnectedError
    hop.check_peer(str(peer[0]))
    handler.expect(hop)


@functools.cache
def _guarded(base: type[aiohttp.ClientResponse]) -> type[aiohttp.ClientResponse]:
    """Return a class of responses that tells the connection where a body starts."""

    class Response(base):  # type: ignore[misc,valid-type]
        async def start(self, connection: Connection) -> aiohttp.ClientResponse:
            handler = connection.protocol
            assert isinstance(handler, _Handler)
            hop = handler.hop
            assert hop is not None
            try:
                await super().start(connection)
            except aiohttp.ClientResponseError as error:
                _refuse_headers(error, hop)
                raise
            handler.watch(self)
            return self

    return Response


def _refuse_headers(error: aiohttp.ClientResponseError, hop: Hop) -> None:
    """Raise `URLFetchError` if aiohttp found too many headers, or one that is too long."""
    cause = error.__cause__
    if isinstance(cause, LineTooLong) or (cause and isinstance(cause.__cause__, LineTooLong)):
        raise hop.refusal(errors.HEADERS_TOO_LONG) from None
    if "Too many headers" in error.message:
        raise hop.refusal(errors.TOO_MANY_HEADERS) from None
