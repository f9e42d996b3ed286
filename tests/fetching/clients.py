"""The guarded clients, each used in the same way: a session, and one function for requests."""

from __future__ import annotations

import asyncio
import io
import ssl
from collections.abc import Callable, Iterator, Mapping
from contextlib import AbstractContextManager, contextmanager
from typing import Any, Final, NamedTuple, TypeAlias

import aiohttp
import httpx
import httpx2
import requests
import urllib3

import weburl.fetching.aiohttp
import weburl.fetching.httpx
import weburl.fetching.httpx2
import weburl.fetching.requests
import weburl.fetching.urllib3
from weburl import URLPolicy

# It takes a while to load, and httpx would load it for each client.
SYSTEM_AUTHORITIES: Final = ssl.create_default_context()


class Answer(NamedTuple):
    """What a client returned."""

    status: int
    body: bytes


Get: TypeAlias = Callable[..., Answer]
"""``get(url, headers=…, method="POST", body=b"…")``, of which all but the URL may be missing."""


class Client(NamedTuple):
    """A client: its session, and the exceptions that its users catch."""

    session: Callable[..., AbstractContextManager[Get]]
    error: type[Exception]
    refusals: tuple[type[Exception], ...] = ()
    """What it raises besides for a URL that it does not read."""


def _httpx(package: Any, module: Any) -> Client:
    @contextmanager
    def session(
        policy: URLPolicy, authority: ssl.SSLContext | None, auth: Any, options: Mapping[str, Any]
    ) -> Iterator[Get]:
        transport = module.PolicyTransport(
            policy, verify=authority or SYSTEM_AUTHORITIES, **options
        )
        with package.Client(transport=transport, follow_redirects=True, auth=auth) as client:

            def get(
                url: str, *, method: str = "GET", body: bytes | None = None, **arguments: Any
            ) -> Answer:
                response = client.request(method, url, content=body, **arguments)
                return Answer(response.status_code, response.content)

            yield get

    return Client(session, package.HTTPError, (package.InvalidURL,))


def _async_httpx(package: Any, module: Any) -> Client:
    @contextmanager
    def session(
        policy: URLPolicy, authority: ssl.SSLContext | None, auth: Any, options: Mapping[str, Any]
    ) -> Iterator[Get]:
        with asyncio.Runner() as runner:

            async def make() -> Any:
                transport = module.AsyncPolicyTransport(
                    policy, verify=authority or SYSTEM_AUTHORITIES, **options
                )
                return package.AsyncClient(transport=transport, follow_redirects=True, auth=auth)

            client = runner.run(make())

            async def one(
                url: str, *, method: str = "GET", body: bytes | None = None, **arguments: Any
            ) -> Answer:
                response = await client.request(method, url, content=body, **arguments)
                return Answer(response.status_code, response.content)

            try:
                yield lambda url, **arguments: runner.run(one(url, **arguments))
            finally:
                runner.run(client.aclose())

    return Client(session, package.HTTPError, (package.InvalidURL,))


@contextmanager
def _requests(
    policy: URLPolicy, authority: ssl.SSLContext | None, auth: Any, options: Mapping[str, Any]
) -> Iterator[Get]:
    with weburl.fetching.requests.PolicySession(policy, **options) as session:
        session.auth = auth
        if authority is not None:
            session.verify = authority.bundle  # type: ignore[attr-defined]

        def get(
            url: str, *, method: str = "GET", body: bytes | None = None, **arguments: Any
        ) -> Answer:
            response = session.request(method, url, data=body, **arguments)
            return Answer(response.status_code, response.content)

        yield get


@contextmanager
def _urllib3(
    policy: URLPolicy, authority: ssl.SSLContext | None, auth: Any, options: Mapping[str, Any]
) -> Iterator[Get]:
    if authority is not None:
        options = {**options, "ssl_context": authority}
    with weburl.fetching.urllib3.PolicyPoolManager(policy, **options) as manager:
        basic = {} if auth is None else urllib3.make_headers(basic_auth=":".join(auth))

        def get(
            url: str,
            headers: Mapping[str, str] | None = None,
            *,
            method: str = "GET",
            **arguments: Any,
        ) -> Answer:
            retries = arguments.pop("retries", urllib3.Retry(10, connect=0, read=0, redirect=10))
            response = manager.request(
                method, url, headers={**basic, **(headers or {})}, retries=retries, **arguments
            )
            return Answer(response.status, response.data)

        yield get


@contextmanager
def _aiohttp(
    policy: URLPolicy, authority: ssl.SSLContext | None, auth: Any, options: Mapping[str, Any]
) -> Iterator[Get]:
    if authority is not None:
        options = {**options, "ssl": authority}
    basic = {} if auth is None else {"Authorization": aiohttp.encode_basic_auth(*auth)}
    with asyncio.Runner() as runner:

        async def make() -> aiohttp.ClientSession:
            return weburl.fetching.aiohttp.policy_session(policy, **options)

        session = runner.run(make())

        async def one(
            url: str,
            headers: Mapping[str, str] | None = None,
            *,
            method: str = "GET",
            body: bytes | None = None,
            **arguments: Any,
        ) -> Answer:
            both = {**basic, **(headers or {})}
            # aiohttp warns of long bodies that are not in a file.
            data = None if body is None else io.BytesIO(body)
            async with session.request(
                method, url, headers=both, data=data, **arguments
            ) as response:
                return Answer(response.status, await response.read())

        try:
            yield lambda url, **arguments: runner.run(one(url, **arguments))
        finally:
            runner.run(session.close())


CLIENTS: Final = {
    "httpx": _httpx(httpx, weburl.fetching.httpx),
    "httpx, async": _async_httpx(httpx, weburl.fetching.httpx),
    "httpx2": _httpx(httpx2, weburl.fetching.httpx2),
    "httpx2, async": _async_httpx(httpx2, weburl.fetching.httpx2),
    "requests": Client(_requests, requests.RequestException),
    "urllib3": Client(_urllib3, urllib3.exceptions.HTTPError),
    "aiohttp": Client(_aiohttp, aiohttp.ClientError),
}


def session_of(
    client: Client,
    policy: URLPolicy,
    *,
    authority: ssl.SSLContext | None = None,
    auth: tuple[str, str] | None = None,
    **options: Any,
) -> AbstractContextManager[Get]:
    """Open a session of a guarded client.

    ``authority``: whom it trusts by TLS, with the path of its certificate in ``bundle``. ``auth``:
    a username and a password that it sends. ``options``: of the guard.
    """
    return client.session(policy, authority, auth, options)
