"""requests: an adapter that checks a policy, and a session that has only such adapters."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from contextlib import suppress
from functools import lru_cache
from typing import Any
from urllib.parse import urlsplit

from weburl.fetching import errors
from weburl.fetching.addresses import Resolve
from weburl.fetching.bounds import FetchBounds
from weburl.fetching.guard import Chain, Guard, RedirectPolicy, current_hop, endpoint
from weburl.policies.policy import URLPolicy
from weburl.standard.support.releases import required
from weburl.standard.url.api import parse
from weburl.standard.url.report import URLParseError

with required("requests>=2.32"):
    import requests
    import urllib3
    from requests.adapters import HTTPAdapter
    from requests.utils import get_environ_proxies, select_proxy
    from urllib3.util.retry import Retry

    from weburl.fetching.urllib3 import POOL_CLASSES, retries_within
    from weburl.fetching.urllib3 import URLFetchError as URLFetchErrorOfUrllib3

__all__ = ["PolicyAdapter", "PolicySession", "URLFetchError"]


class URLFetchError(errors.URLFetchError, requests.RequestException):
    """A `weburl.fetching.URLFetchError` that is also an exception of requests."""

    __module__ = "weburl.fetching.requests"


class PolicyAdapter(HTTPAdapter):
    """An adapter that connects only where a policy allows it. Mount it for http:// and https://.

    It ignores proxies of the environment and refuses others. A session that reads the environment
    also sends passwords from .netrc, which an adapter cannot see; `PolicySession` does not.

    Args:
        policy: what each URL and each address must obey.
        redirect_policy, bounds, credential_headers, resolve: see `weburl.fetching`.
        options: as in `requests.adapters.HTTPAdapter`.

    Raises the errors that `weburl.fetching` names; `URLFetchError` in `send`, and while an answer
    is read. What reads `Response.raw` itself gets `weburl.fetching.urllib3.URLFetchError`.
    """

    __module__ = "weburl.fetching.requests"
    __attrs__: list[str] = [*HTTPAdapter.__attrs__, "_arguments"]  # noqa: RUF012

    def __init__(
        self,
        policy: URLPolicy,
        *,
        redirect_policy: RedirectPolicy = None,
        bounds: FetchBounds | None = None,
        credential_headers: Iterable[str] = (),
        resolve: Resolve | None = None,
        **options: Any,  # noqa: ANN401  # of HTTPAdapter
    ) -> None:
        self._guard = _guard((policy, redirect_policy, bounds, credential_headers, resolve))
        # An iterator of headers has ended now.
        headers = self._guard.withheld_headers
        self._arguments = (policy, redirect_policy, bounds, headers, resolve)
        super().__init__(**options)
        self.max_retries: Retry = retries_within(self.max_retries, self._guard.bounds.seconds)

    def __setstate__(self, state: dict[str, Any]) -> None:
        super().__setstate__(state)  # type: ignore[misc]
        self._guard = _guard(self._arguments)

    def init_poolmanager(
        self,
        connections: int,
        maxsize: int,
        block: bool = False,
        **pool_kwargs: Any,  # noqa: ANN401  # of urllib3
    ) -> None:
        super().init_poolmanager(connections, maxsize, block, **pool_kwargs)
        self.poolmanager.pool_classes_by_scheme = POOL_CLASSES

    def request_url(
        self, request: requests.PreparedRequest, proxies: Mapping[str, str] | None
    ) -> str:
        hop = current_hop.get()
        return super().request_url(request, proxies) if hop is None else hop.judged.target

    def send(
        self,
        request: requests.PreparedRequest,
        stream: bool = False,
        timeout: Any = None,  # noqa: ANN401  # as requests takes it
        verify: bool | str = True,
        cert: Any = None,  # noqa: ANN401
        proxies: Mapping[str, str] | None = None,
    ) -> requests.Response:
        url = request.url or ""
        try:
            hop = self._guard.hop(_chain_of(request), url, _seen(url), request)
            if _is_own_proxy(url, proxies):
                raise hop.refusal(errors.PROXY_NOT_ALLOWED)
        except URLFetchErrorOfUrllib3 as error:
            raise _translated(error) from None
        _keep(request, hop.chain)
        if hop.leaves_first_origin:
            for name in [*filter(hop.is_withheld, request.headers)]:
                del request.headers[name]
        in_hop = current_hop.set(hop)
        try:
            return super().send(request, stream, timeout, verify, cert)
        except URLFetchErrorOfUrllib3 as error:
            raise _translated(error) from None
        except requests.RequestException:
            if hop.is_late:
                raise _translated(hop.refusal(errors.TOO_SLOW)) from None
            raise
        finally:
            current_hop.reset(in_hop)

    def build_response(
        self, req: requests.PreparedRequest, resp: urllib3.BaseHTTPResponse
    ) -> requests.Response:
        response = _Response()
        vars(response).update(vars(super().build_response(req, resp)))
        return response


class PolicySession(requests.Session):
    """A session that connects only where a policy allows it.

    It has a `PolicyAdapter` for http and https, no adapter for other schemes, and reads neither
    proxies nor .netrc from the environment, unless you set ``trust_env`` yourself. The arguments
    and errors are the same as for `PolicyAdapter`.
    """

    __module__ = "weburl.fetching.requests"

    def __init__(self, policy: URLPolicy, **options: Any) -> None:  # noqa: ANN401  # see above
        super().__init__()
        self.trust_env = False
        self.adapters.clear()
        adapter = PolicyAdapter(policy, **options)
        self.mount("https://", adapter)
        self.mount("http://", adapter)

    def prepare_request(self, request: requests.Request) -> requests.PreparedRequest:
        prepared = super().prepare_request(request)
        if not request.params and not self.params and prepared.url:
            # requests percent-decodes the URL, which may be signed.
            with suppress(URLParseError):
                record = parse(str(request.url))
                if endpoint(record) == endpoint(parse(prepared.url)):
                    prepared.url = record.href
        return prepared


class _Response(requests.Response):
    """A response whose body raises the exceptions of this module."""

    def iter_content(
        self, chunk_size: int | None = 1, decode_unicode: bool = False
    ) -> Iterator[Any]:
        return _translating(super().iter_content(chunk_size, decode_unicode))


def _translating(chunks: Iterator[Any]) -> Iterator[Any]:
    try:
        yield from chunks
    except URLFetchErrorOfUrllib3 as error:
        raise _translated(error) from None


def _translated(error: errors.URLFetchError) -> URLFetchError:
    """Return an exception of requests. Inside urllib3 it would count as a lost connection."""
    return error.remade_as(URLFetchError)(error.code)


def _guard(arguments: tuple[Any, ...]) -> Guard:
    return Guard(*arguments, error=URLFetchErrorOfUrllib3)


class _Keeper:
    """A hook that does nothing. requests copies the hooks of a request to its redirects."""

    def __init__(self, chain: Chain) -> None:
        self.chain = chain

    def __call__(
        self, response: requests.Response, *_arguments: object, **_options: object
    ) -> None:
        """Change nothing."""


def _chain_of(request: requests.PreparedRequest) -> Chain | None:
    for hook in request.hooks["response"]:
        if isinstance(hook, _Keeper):
            return hook.chain
    return None


def _keep(request: requests.PreparedRequest, chain: Chain) -> None:
    """Let the redirects of a request find its chain."""
    if _chain_of(request) is not chain:
        others = [hook for hook in request.hooks["response"] if not isinstance(hook, _Keeper)]
        request.hooks["response"] = [*others, _Keeper(chain)]


@lru_cache(256)
def _seen(url: str) -> tuple[str, str, int | None]:
    """Return what requests reads in a URL when it connects. A bad one has no host."""
    try:
        read = urlsplit(url)
        port = read.port
    except ValueError:
        return "", "", None
    return read.scheme, read.hostname or "", port


def _is_own_proxy(url: str, proxies: Mapping[str, str] | None) -> bool:
    """Return whether a program names a proxy for a URL, which the environment does not."""
    proxy = select_proxy(url, dict(proxies)) if proxies else None
    if proxy is None:
        return False
    return proxy != select_proxy(url, get_environ_proxies(url))
