"""Safe redirects: decides whether a browser may be sent to a URL.

The result is a record. Put its href into the ``Location`` header, never the original text: some
browsers read that text differently from the standard.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any, Final, Literal, overload
from unicodedata import category

from django.core.exceptions import DisallowedHost
from django.http import HttpRequest

import weburl
from weburl import URL, Domain, RelativeReference, URLParseError, URLPolicy, URLRecord

if TYPE_CHECKING:
    from collections.abc import Iterable

    from django.contrib.auth.views import RedirectURLMixin
    from django.views.generic.base import RedirectView

    _LoginMixin = RedirectURLMixin
    _RedirectMixin = RedirectView
else:
    _LoginMixin = _RedirectMixin = object

__all__ = ["SafeRedirectMixin", "SafeRedirectURLMixin", "request_url", "safe_redirect_url"]

MAX_LENGTH: Final = 2048
"""The longest target that is read by default, in code points. Django's own check has this limit."""

_OTHER_SCHEME: Final = {"http": "https", "https": "http"}

# Some browsers have accepted other characters in a host, or ended it there: Chromium took spaces.
_PLAIN_HOST: Final = re.compile(r"[a-z0-9._-]+", re.ASCII)


def request_url(request: HttpRequest) -> URLRecord:
    """Return the URL of ``request``, as far as the server knows it.

    If the server is behind a proxy, the URL may be wrong: as in Django, the scheme depends on
    ``SECURE_PROXY_SSL_HEADER`` and the host on ``USE_X_FORWARDED_HOST``. Raises
    `django.core.exceptions.DisallowedHost` if the host is not in ``ALLOWED_HOSTS``, or cannot be
    the host of a URL.
    """
    return _page(request, str(request.scheme))


def _page(request: HttpRequest, scheme: str) -> URLRecord:
    """Return what the URL of ``request`` is if the browser used ``scheme``."""
    host = request.get_host()
    try:
        return weburl.parse(f"{scheme}://{host}{request.get_full_path()}")
    except URLParseError as error:
        raise DisallowedHost(
            f"Invalid HTTP_HOST header: {host!r} cannot be the host of a URL."
        ) from error


@overload
def safe_redirect_url(
    request: HttpRequest,
    target: str | URLRecord | URL | None,
    *,
    policy: URLPolicy | None = None,
    max_length: int = MAX_LENGTH,
    relative: Literal[False] = False,
) -> URLRecord | None: ...


@overload
def safe_redirect_url(
    request: HttpRequest,
    target: str | URLRecord | URL | None,
    *,
    policy: URLPolicy | None = None,
    max_length: int = MAX_LENGTH,
    relative: bool,
) -> URLRecord | RelativeReference | None: ...


def safe_redirect_url(
    request: HttpRequest,
    target: str | URLRecord | URL | None,
    *,
    policy: URLPolicy | None = None,
    max_length: int = MAX_LENGTH,
    relative: bool = False,
) -> URLRecord | RelativeReference | None:
    """Return the URL that ``target`` means on the page of ``request``, or None if it is not safe.

    A URL is safe if its scheme is http or https, if it has the host and port of the request (in any
    spelling), and if it has no username and password. If the request came by https, only https is
    safe. Empty targets are never safe, and neither are targets that begin with an invisible
    character, after the spaces, tabs and line breaks that browsers remove.

    A proxy may use https with the browser and http with this server. So ``target`` is read both as
    on an https page and as on an http page, and both must give the same URL: ``http:evil.example``
    is a path on one and another site on the other.

    Args:
        request: The request that is answered.
        target: The URL to redirect to, from a source that is not trusted. Text may be relative.
        policy: Allows other hosts and ports too. All other rules still apply.
        max_length: The longest target that is read, in code points. A longer one is not safe.
        relative: Whether a URL with the scheme, host and port of the request is returned as a
            reference that begins with one slash: "/cart/?item=5".

    Returns:
        A record, a reference if ``relative``, or None. Redirect to its text, not to ``target``.

    Raises:
        django.core.exceptions.DisallowedHost: As `request_url` raises it.
    """
    url = _safe_url(request, target, (), policy, max_length)
    if relative and url is not None and _is_on(url, page := request_url(request)):
        return url.relative_to(page, prefer="path-absolute")
    return url


def _safe_url(
    request: HttpRequest,
    target: str | URLRecord | URL | None,
    places: Iterable[URLRecord],
    policy: URLPolicy | None,
    max_length: int,
) -> URLRecord | None:
    """Work like `safe_redirect_url`, and allow the schemes, hosts and ports of ``places`` too."""
    scheme = str(request.scheme)
    pages = _page(request, scheme), _page(request, _OTHER_SCHEME.get(scheme, "http"))
    if isinstance(target, URLRecord | URL):
        target = target.href
    if not isinstance(target, str) or len(target) > max_length or not _begins_visibly(target):
        return None
    try:
        found, otherwise = (weburl.parse(target, page) for page in pages)
    except URLParseError:
        return None
    if request.is_secure() and found.scheme != "https":
        return None
    allowed = (*pages, *places)
    is_safe = all(_is_safe(url, allowed, policy) for url in (found, otherwise))
    return found if is_safe and _is_the_same(found, otherwise, pages) else None


def _begins_visibly(target: str) -> bool:
    """Return whether the first character after spaces, tabs and line ends is a visible one.

    Some programs drop invisible characters, and then read the rest as a different URL.
    """
    first = target.lstrip(" \t\n\r")[:1]
    return first != "" and category(first)[0] not in "CZ"


def _is_the_same(
    found: URLRecord, otherwise: URLRecord, pages: tuple[URLRecord, URLRecord]
) -> bool:
    """Return whether both readings are the same URL, except for what each takes from its page."""
    if found == otherwise:
        return True
    urls = (found, otherwise)
    if _beyond_origin(found) != _beyond_origin(otherwise):
        return False
    if all(map(_is_on, urls, pages)):
        return True
    # The target begins with two slashes, so each reading has the scheme of its page.
    schemes_are_the_pages = all(
        url.scheme == page.scheme for url, page in zip(urls, pages, strict=True)
    )
    return schemes_are_the_pages and (found.host, found.port) == (otherwise.host, otherwise.port)


def _is_on(url: URLRecord, page: URLRecord) -> bool:
    """Return whether ``url`` has the scheme, host and port of ``page``."""
    return (url.scheme, url.host, url.port) == (page.scheme, page.host, page.port)


def _beyond_origin(url: URLRecord) -> tuple[str, str, str, str | None, str | None]:
    return url.username, url.password, url.path_text, url.query, url.fragment


def _is_safe(url: URLRecord, allowed: Iterable[URLRecord], policy: URLPolicy | None) -> bool:
    if url.scheme not in _OTHER_SCHEME or url.includes_credentials:
        return False
    if isinstance(url.host, Domain) and not _PLAIN_HOST.fullmatch(url.host.value):
        return False
    return any(_is_on(url, page) for page in allowed) or (policy is not None and policy.allows(url))


class _WithPolicy:
    redirect_policy: URLPolicy | None = None
    redirect_max_length: int = MAX_LENGTH

    def get_redirect_policy(self) -> URLPolicy | None:
        """Return the policy for places other than the request's own host."""
        return self.redirect_policy


class SafeRedirectURLMixin(_WithPolicy, _LoginMixin):
    """For Django's LoginView and LogoutView: checks ``next`` with `safe_redirect_url`.

    Put it before the view in the list of base classes. ``redirect_policy`` allows other hosts and
    ports. ``redirect_max_length`` is the ``max_length`` of `safe_redirect_url`.
    ``success_url_allowed_hosts`` works too. It allows a host as the request's own host is allowed:
    "www.example.com" with the default port of http or https, "www.example.com:8000" with that port.
    """

    if TYPE_CHECKING:
        request: HttpRequest

    def get_redirect_url(self, request: HttpRequest | None = None) -> str:
        """Return the href of the URL that the user asked for, or "" if it is not safe."""
        if request is None:
            request = self.request
        name = self.redirect_field_name
        target = request.POST.get(name, request.GET.get(name))
        hosts = self.get_success_url_allowed_hosts() - {request.get_host()}
        places = [page for host in sorted(hosts) for page in _pages_of_host(host)]
        url = _safe_url(
            request, target, places, self.get_redirect_policy(), self.redirect_max_length
        )
        return "" if url is None else url.href


def _pages_of_host(host: str) -> list[URLRecord]:
    """Return an http page and an https page of ``host``, which may have a port.

    Returns an empty list if it is not a host, such as ".example.com", which Django's own check
    allows.
    """
    try:
        return [weburl.parse(f"{scheme}://{host}/") for scheme in _OTHER_SCHEME]
    except URLParseError:
        return []


class SafeRedirectMixin(_WithPolicy, _RedirectMixin):
    """For Django's RedirectView: checks the URL that it redirects to with `safe_redirect_url`.

    Put it before the view in the list of base classes. ``redirect_policy`` allows other hosts and
    ports. ``redirect_max_length`` is the ``max_length`` of `safe_redirect_url`. ``fallback_url`` is
    where to go if the URL is not safe. If it is None, the response is 410 (Gone).
    """

    fallback_url: str | None = None

    def get_redirect_url(self, *args: Any, **kwargs: Any) -> str | None:
        """Return the href that the view redirects to, or ``fallback_url`` if it is not safe."""
        target = super().get_redirect_url(*args, **kwargs)
        url = safe_redirect_url(
            self.request,
            target,
            policy=self.get_redirect_policy(),
            max_length=self.redirect_max_length,
        )
        return self.fallback_url if url is None else url.href
