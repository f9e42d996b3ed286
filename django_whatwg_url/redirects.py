"""Safe redirects: decides whether a browser may be sent to a URL.

The result is a record. Put its href into the ``Location`` header, never the original text, which
some browsers parse differently from the standard.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final, Literal, overload
from unicodedata import category

from django.core.exceptions import DisallowedHost
from django.http import HttpRequest

import weburl
from django_whatwg_url.policies import PolicyOption, policy_of
from weburl import URL, Domain, RelativeReference, URLParseError, URLRecord

if TYPE_CHECKING:
    from collections.abc import Iterable

    from django.contrib.auth.views import RedirectURLMixin

    _LoginMixin = RedirectURLMixin
else:
    _LoginMixin = object

__all__ = ["SafeRedirectURLMixin", "request_url", "safe_redirect_url"]

MAX_LENGTH: Final = 2048
"""The longest target that is accepted by default, in code points. Django has the same limit."""

_OTHER_SCHEME: Final = {"http": "https", "https": "http"}

# Some browsers have accepted other characters in a host, such as Chromium spaces, or ended the host
# there.
_PLAIN_HOST: Final = re.compile(r"[a-z0-9._-]+", re.ASCII)


def request_url(request: HttpRequest) -> URLRecord:
    """Return the URL of ``request``, as far as the server can determine it.

    It may be wrong if the server is behind a proxy. As in Django, the scheme depends on
    ``SECURE_PROXY_SSL_HEADER`` and the host on ``USE_X_FORWARDED_HOST``. Raises
    `django.core.exceptions.DisallowedHost` if the host is not in ``ALLOWED_HOSTS``, or cannot be
    the host of a URL.
    """
    return _page(request, str(request.scheme))


def _page(request: HttpRequest, scheme: str) -> URLRecord:
    """Return the URL of ``request``, if the browser used ``scheme``."""
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
    policy: PolicyOption | None = None,
    max_length: int = MAX_LENGTH,
    relative: Literal[False] = False,
) -> URLRecord | None: ...


@overload
def safe_redirect_url(
    request: HttpRequest,
    target: str | URLRecord | URL | None,
    *,
    policy: PolicyOption | None = None,
    max_length: int = MAX_LENGTH,
    relative: bool,
) -> URLRecord | RelativeReference | None: ...


def safe_redirect_url(
    request: HttpRequest,
    target: str | URLRecord | URL | None,
    *,
    policy: PolicyOption | None = None,
    max_length: int = MAX_LENGTH,
    relative: bool = False,
) -> URLRecord | RelativeReference | None:
    """Return the URL that ``target`` means on the page of ``request``, or None if it is not safe.

    A URL is safe if its scheme is http or https, if it has the host and port of the request (in any
    spelling), and if it has no username and password. If the request is secure, only https is safe.
    Empty targets are never safe, and neither are targets that begin with an invisible character,
    after the spaces, tabs and line breaks that browsers remove.

    A proxy may use https with the browser and http with this server. So ``target`` is parsed
    against both an https page and an http page, and the results must be the same URL. For example,
    ``http:evil.example`` is a path on the http page, and another site on the https page.

    Args:
        request: The request to respond to.
        target: The URL to redirect to, from a source that is not trusted. Text may be relative.
        policy: A policy that allows other hosts and ports, or a reference to one, see
            `policies.PolicyOption`. All other rules still apply.
        max_length: The longest target that can be safe, in code points.
        relative: Whether a URL with the scheme, host and port of the request is returned as a
            reference that begins with one slash: "/cart/?item=5".

    Returns:
        A record, a reference if ``relative``, or None. Redirect to its text, not to ``target``.

    Raises:
        django.core.exceptions.DisallowedHost: The host of the request is not allowed. See
            `request_url`.
    """
    url = _safe_url(request, target, (), policy, max_length)
    if relative and url is not None and _is_on(url, page := request_url(request)):
        return url.relative_to(page, prefer="path-absolute")
    return url


def _safe_url(
    request: HttpRequest,
    target: str | URLRecord | URL | None,
    places: Iterable[URLRecord],
    policy: PolicyOption | None,
    max_length: int,
) -> URLRecord | None:
    """Work like `safe_redirect_url`, and also allow the schemes, hosts and ports of ``places``."""
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
    """Return whether the first character after spaces, tabs and line breaks is visible.

    Some programs remove invisible characters, and then parse the rest as a different URL.
    """
    first = target.lstrip(" \t\n\r")[:1]
    return first != "" and category(first)[0] not in "CZ"


def _is_the_same(
    found: URLRecord, otherwise: URLRecord, pages: tuple[URLRecord, URLRecord]
) -> bool:
    """Return whether both are the same URL, except for what each got from its own page."""
    if found == otherwise:
        return True
    urls = (found, otherwise)
    if _beyond_origin(found) != _beyond_origin(otherwise):
        return False
    if all(map(_is_on, urls, pages)):
        return True
    # If the target begins with two slashes, each URL has the scheme of its page.
    schemes_are_the_pages = all(
        url.scheme == page.scheme for url, page in zip(urls, pages, strict=True)
    )
    return schemes_are_the_pages and (found.host, found.port) == (otherwise.host, otherwise.port)


def _is_on(url: URLRecord, page: URLRecord) -> bool:
    """Return whether ``url`` has the scheme, host and port of ``page``."""
    return (url.scheme, url.host, url.port) == (page.scheme, page.host, page.port)


def _beyond_origin(url: URLRecord) -> tuple[str, str, str, str | None, str | None]:
    return url.username, url.password, url.path_text, url.query, url.fragment


def _is_safe(url: URLRecord, allowed: Iterable[URLRecord], policy: PolicyOption | None) -> bool:
    if url.scheme not in _OTHER_SCHEME or url.includes_credentials:
        return False
    if isinstance(url.host, Domain) and not _PLAIN_HOST.fullmatch(url.host.value):
        return False
    return any(_is_on(url, page) for page in allowed) or (
        policy is not None and policy_of(policy).allows(url)
    )


class SafeRedirectURLMixin(_LoginMixin):
    """A mixin for Django's LoginView and LogoutView. Checks ``next`` with `safe_redirect_url`.

    Put it before the view in the list of base classes. ``redirect_policy`` allows other hosts and
    ports. ``redirect_max_length`` is the ``max_length`` of `safe_redirect_url`.
    ``success_url_allowed_hosts`` also works. "www.example.com" in it allows that host with the
    default port of http or https, and "www.example.com:8000" with that port.
    """

    redirect_policy: PolicyOption | None = None
    redirect_max_length: int = MAX_LENGTH
    if TYPE_CHECKING:
        request: HttpRequest

    def get_redirect_policy(self) -> PolicyOption | None:
        """Return the policy for places other than the request's own host."""
        return self.redirect_policy

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

    Returns an empty list if ``host`` is not a host. Django also accepts ".example.com".
    """
    try:
        return [weburl.parse(f"{scheme}://{host}/") for scheme in _OTHER_SCHEME]
    except URLParseError:
        return []
