"""httpx: transports that ask a policy."""

from __future__ import annotations

from weburl.fetching import errors
from weburl.standard.support.releases import required

with required("httpx>=0.28"):
    import httpcore
    import httpx

# After the library, because it imports anyio, which comes with the library.
from weburl.fetching.transports import (
    AsyncCountedStream,
    AsyncTransport,
    CountedStream,
    Library,
    Transport,
)

__all__ = ["AsyncPolicyTransport", "PolicyTransport", "URLFetchError"]


class URLFetchError(errors.URLFetchError, httpx.TransportError):
    """A `weburl.fetching.URLFetchError` that is also an exception of httpx."""

    __module__ = "weburl.fetching.httpx"


_LIBRARY = Library(httpx, httpcore, URLFetchError)


class _Stream(CountedStream, httpx.SyncByteStream):
    pass


class _AsyncStream(AsyncCountedStream, httpx.AsyncByteStream):
    pass


class PolicyTransport(Transport[httpx.Limits, httpx.Request, httpx.Response], httpx.HTTPTransport):  # noqa: D101  # the same
    __doc__ = Transport.__doc__
    __module__ = "weburl.fetching.httpx"
    _library = _LIBRARY
    _stream = _Stream


class AsyncPolicyTransport(  # noqa: D101
    AsyncTransport[httpx.Limits, httpx.Request, httpx.Response], httpx.AsyncHTTPTransport
):
    __doc__ = AsyncTransport.__doc__
    __module__ = "weburl.fetching.httpx"
    _library = _LIBRARY
    _stream = _AsyncStream
