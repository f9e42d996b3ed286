"""aiohttp: a connector that checks a policy, and a session that uses it.

The connector gives each connection a protocol that counts what arrives, and has the deadline.
"""

from __future__ import annotations

import asyncio
import functools
import warnings
from collections.abc import Iterable
from contextlib import suppress
from contextvars import ContextVar
from typing import Any, Final, cast

from weburl.fetching import errors
from weburl.fetching.addresses import Resolve, numeric_result
from weburl.fetching.bounds import FetchBounds
from weburl.fetching.guard import Chain, Guard, Hop, RedirectPolicy, current_hop, hop_to
from weburl.policies.policy import URLPolicy
from weburl.standard.hosts.values import Domain
from weburl.standard.support.releases import required
from weburl.standard.url.api import parse
from weburl.standard.url.report import URLParseError

with required("aiohttp>=3.14"):
    import aiohttp
    import yarl
    from aiohttp.abc import AbstractResolver, ResolveResult
    from aiohttp.client_proto import ResponseHandler
    from aiohttp.connector import Connection
    from aiohttp.http_exceptions import HttpProcessingError, LineTooLong
    from aiohttp.http_parser import RawResponseMessage
    from aiohttp.streams import StreamReader
    from multidict import CIMultiDict, CIMultiDictProxy

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
        redirect_policy, bounds, credential_headers, resolve: see `weburl.fetching`.
        resolver: aiohttp's own kind of resolver, instead of ``resolve``.
        options: as in `aiohttp.TCPConnector`.

    Raises the errors that `weburl.fetching` names. An answer is checked while it is read.
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
            policy, redirect_policy, bounds, credential_headers, resolve, error=URLFetchError
        )
        self._own_traces: list[aiohttp.TraceConfig] = []
        # yarl makes the text each time, but gives the same object for the same text.
        self._last_url: yarl.URL | None = None
        self._last_text = ""
        self._last_seen: tuple[str, str, int | None] = ("", "", None)
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
            hop.addresses()  # aiohttp calls no resolver for these.
        in_hop = current_hop.set(hop)
        try:
            connection = await super().connect(
                req, traces, cast("aiohttp.ClientTimeout", _Shortened(timeout, hop))
            )
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
        self._judge_credentials(params.url)

    def _judge_credentials(self, url: yarl.URL) -> None:
        if url.raw_user is not None or url.raw_password is not None:
            self._guard.hop(None, str(url), (url.scheme, url.raw_host or "", url.port))

    def _hop(self, req: aiohttp.ClientRequest, traces: list[Any]) -> Hop:
        url = req.url
        if url is not self._last_url:
            self._last_text, self._last_seen = str(url), (url.scheme, url.raw_host or "", url.port)
            self._last_url = url
        kept = _chain_of_task.get()
        # aiohttp makes one list for a request and all its redirects.
        chain = kept[1] if kept is not None and kept[0] is traces else None
        hop = self._guard.hop(chain, self._last_text, self._last_seen)
        _chain_of_task.set((traces, hop.chain))
        if hop.leaves_first_origin:
            for name in [*filter(hop.is_withheld, req.headers)]:
                del req.headers[name]
            req.headers["Host"] = url.host_port_subcomponent or ""
        return hop


def policy_session(policy: URLPolicy, **options: Any) -> aiohttp.ClientSession:  # noqa: ANN401
    """Return a session with a `PolicyConnector`, which reads nothing from the environment.

    aiohttp takes the username and the password out of a URL before the connector gets it. Such a
    session checks them against the policy first. ``options``: of `PolicyConnector`. Raises its
    errors.
    """
    connector = PolicyConnector(policy, **options)
    if _BUILDS_URLS:
        return _PolicySession(connector=connector, trust_env=False, requote_redirect_url=False)
    return aiohttp.ClientSession(
        connector=connector,
        trace_configs=[connector.trace_config()],
        trust_env=False,
        requote_redirect_url=False,
    )


with warnings.catch_warnings():
    warnings.simplefilter("ignore", DeprecationWarning)  # aiohttp discourages subclasses.

    class _PolicySession(aiohttp.ClientSession):
        """Checks the credentials of a URL against the policy.

        A trace, which is aiohttp's public way, takes a twentieth of the time of a request.
        """

        def _build_url(self, str_or_url: str | yarl.URL) -> yarl.URL:
            if isinstance(str_or_url, str):
                # Its own text would lose bytes of the query, which may be signed. A relative one
                # is left to the session, which may have a base.
                with suppress(URLParseError):
                    str_or_url = yarl.URL(parse(str_or_url).href, encoded=True)
            url = super()._build_url(str_or_url)
            assert isinstance(self._connector, PolicyConnector)
            self._connector._judge_credentials(url)  # noqa: SLF001  # of this module
            return url


# If it is removed, sessions have a trace again.
_BUILDS_URLS: Final = hasattr(aiohttp.ClientSession, "_build_url")


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
        self._body_bytes = 0
        self._refusal: errors.URLFetchError | None = None
        # It may fire too early for the present response, but never too late.
        self._alarm: asyncio.TimerHandle | None = None
        self._rings_at = 0.0

    def expect(self, hop: Hop) -> None:
        """Count the next answer for ``hop``, until its deadline."""
        self.hop = hop
        self._content = None
        self._body_bytes = 0
        self._refusal = None
        if self._alarm is None or hop.chain.deadline < self._rings_at:
            self._stop()
            self._set_alarm(hop)

    def feed_data(self, data: tuple[RawResponseMessage, StreamReader], size: int = 0) -> None:
        """Take a head, with the part of its body that arrived together with it."""
        message, content = data
        is_interim = 100 <= message.code < 200 and message.code != 101
        if self._content is None and not is_interim:
            data = self._watch(message, content), content
        super().feed_data(data, size)

    def _watch(self, message: RawResponseMessage, content: StreamReader) -> RawResponseMessage:
        """Check a head, and count the body from now on. Returns the head for the client."""
        hop = self.hop
        assert hop is not None
        headers = message.headers
        location = hop.answered(message.code, message.raw_headers, yarl.URL)
        self._is_encoded = "content-encoding" in headers
        self._check_length(content)
        self._content = content
        return message if location is None else _with_location(message, location)

    def set_exception(self, exc: BaseException, *cause: BaseException) -> None:
        """Say why instead, if aiohttp found too many headers, or one that is too long."""
        hop = self.hop
        if hop is not None and self._content is None and isinstance(exc, HttpProcessingError):
            if cause and isinstance(cause[0], LineTooLong):
                exc, cause = hop.refusal(errors.HEADERS_TOO_LONG), ()
            elif "Too many headers" in exc.message:
                exc, cause = hop.refusal(errors.TOO_MANY_HEADERS), ()
        super().set_exception(exc, *cause)

    @property
    def _has_ended(self) -> bool:
        """Whether the answer is complete, so that nothing more is expected."""
        return self._content is not None and self._content.is_eof()

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
        try:
            if self._content is None:
                if self.hop is not None:
                    self.hop.received(len(data))
                super().data_received(data)
                return
            if data and self._has_ended and not self._upgraded:
                self._hang_up()
                return
            self._count(len(data))
            self._unpack_in_steps()
            super().data_received(data)
            self._check_length(self._content)
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
        """Raise this exception for the reader of the response, and end the connection.

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

    def _check_length(self, content: StreamReader) -> None:
        hop, length = self.hop, content.total_bytes
        assert hop is not None
        bounds = hop.guard.bounds
        if not self._is_encoded and length > bounds.body_bytes:
            raise hop.refusal(errors.BODY_TOO_LONG)
        if length > bounds.unpacked_bytes:
            raise hop.refusal(errors.UNPACKED_TOO_LONG)


def _with_location(message: RawResponseMessage, location: str) -> RawResponseMessage:
    """Return the head of an answer that leads to a URL."""
    headers = CIMultiDict(message.headers)
    headers["Location"] = location
    return RawResponseMessage(
        message.version,
        message.code,
        message.reason,
        CIMultiDictProxy(headers),
        message.raw_headers,
        message.should_close,
        message.compression,
        message.upgrade,
        message.chunked,
    )


class _Shortened:
    """Time-outs with which connecting ends at the deadline.

    They are not computed before aiohttp needs them, because a pooled connection needs none.
    """

    __slots__ = ("_connect", "_hop", "ceil_threshold", "sock_connect")
    total = None

    def __init__(self, timeout: aiohttp.ClientTimeout, hop: Hop) -> None:
        self._hop = hop
        self._connect = timeout.connect
        self.sock_connect = timeout.sock_connect
        self.ceil_threshold = timeout.ceil_threshold

    @property
    def connect(self) -> float:
        return self._hop.seconds(self._connect)


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
