"""httpx2, the successor of httpx: transports that ask a policy."""

from __future__ import annotations

from weburl.fetching import errors
from weburl.standard.support.releases import required

with required("httpx2>=2.16"):
    import httpcore2
    import httpx2

# After the library, because it imports anyio, which comes with the library.
from weburl.fetching.transports import (
    AsyncCountedStream,
    AsyncTransport,
    CountedStream,
    Library,
    Transport,
)

__all__ = ["AsyncPolicyTransport", "PolicyTransport", "URLFetchError"]


class URLFetchError(errors.URLFetchError, httpx2.TransportError):
    """A `weburl.fetching.URLFetchError` that is also an exception of httpx2."""

    __module__ = "weburl.fetching.httpx2"


_LIBRARY = Library(httpx2, httpcore2, URLFetchError)


class _Stream(CountedStream, httpx2.SyncByteStream):
    pass


class _AsyncStream(AsyncCountedStream, httpx2.AsyncByteStream):
    pass


class PolicyTransport(  # noqa: D101  # the same for both libraries
    Transport[httpx2.Limits, httpx2.Request, httpx2.Response], httpx2.HTTPTransport
):
    __doc__ = Transport.__doc__
    __module__ = "weburl.fetching.httpx2"
    _library = _LIBRARY
    _stream = _Stream


class AsyncPolicyTransport(  # noqa: D101
    AsyncTransport[httpx2.Limits, httpx2.Request, httpx2.Response], httpx2.AsyncHTTPTransport
):
    __doc__ = AsyncTransport.__doc__
    __module__ = "weburl.fetching.httpx2"
    _library = _LIBRARY
    _stream = _AsyncStream
