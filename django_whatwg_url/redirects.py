"""Where a request may be redirected to, judged as the browser that follows would read it.

What comes out is a record, and its href is what goes into the ``Location`` header: never the
text that came in, which browsers may read in other ways than the standard says.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any, Final
from unicodedata import category

from django.core.exceptions import DisallowedHost
from django.http import HttpRequest

import weburl
from weburl import Domain, URLParseError, URLPolicy, URLRecord

if TYPE_CHECKING:
    from django.contrib.auth.views import RedirectURLMixin
    from django.views.generic.base import RedirectView

    _LoginMixin = RedirectURLMixin
    _RedirectMixin = RedirectView
else:
    _LoginMixin = _RedirectMixin = object

__all__ = ["SafeRedirectMixin", "SafeRedirectURLMixin", "request_url", "safe_redirect_url"]

MAX_LENGTH: Final = 2048
"""Of the target, in code points: as much as Django's own check reads."""

_OTHER_SCHEME: Final = {"http": "https", "https": "http"}

# Browsers have let other characters stand in a host, or end it there: Chromium took spaces.
_PLAIN_HOST: Final = re.compile(r"[a-z0-9._-]+", re.ASCII)


def request_url(request: HttpRequest) -> URLRecord:
    """Return the URL of ``request``, as far as the server knows: behind a proxy it need not be.

    The scheme follows ``SECURE_PROXY_SSL_HEADER``, the host ``USE_X_FORWARDED_HOST``, as Django
    has it. Raises `django.core.exceptions.DisallowedHost` for a host that is not in
    ``ALLOWED_HOSTS``, or that is no host of a URL.
    """
    return _page(request, str(request.scheme))


def _page(request: HttpRequest, scheme: str) -> URLRecord:
    """Return the URL of ``request`` as it is if the browser used ``scheme``."""
    host = request.get_host()
    try:
        return weburl.parse(f"{scheme}://{host}{request.get_full_path()}")
    except URLParseError as error:
        raise DisallowedHost(f"Invalid HTTP_HOST header: {host!r} is no host of a URL.") from error


def safe_redirect_url(
    request: HttpRequest, target: str | None, *, policy: URLPolicy | None = None
) -> URLRecord | None:
    """Return the URL that ``target`` is on the page of ``request``, if it is safe to go there.

    None for everything else, and for a target that is empty or begins with what is not seen.
    Safe is http or https on the request's own host and port, in any spelling, without a username
    or a password; and https alone where the request came so.
    ``policy``: other places that will do as well; it does not change what holds for all.

    A proxy may talk https to the browser and http to this server. So ``target`` is read from a
    page of each scheme, and there must be nothing to choose between: ``http:evil.example`` is a
    path to the one and a site to the other.

    Redirect to the record's href, not to ``target``. Raises
    `django.core.exceptions.DisallowedHost` as `request_url`.
    """
    scheme = str(request.scheme)
    pages = _page(request, scheme), _page(request, _OTHER_SCHEME.get(scheme, "http"))
    if not isinstance(target, str) or len(target) > MAX_LENGTH or not _begins_visibly(target):
        return None
    try:
        found, otherwise = (weburl.parse(target, page) for page in pages)
    except URLParseError:
        return None
    if request.is_secure() and found.scheme != "https":
        return None
    is_safe = all(_is_safe(url, pages, policy) for url in (found, otherwise))
    return found if is_safe and _is_the_same(found, otherwise, pages) else None


def _begins_visibly(target: str) -> bool:
    """Return whether something that is seen comes first, blanks and line ends aside.

    What is not seen is dropped by some programs, before what then is another URL.
    """
    first = target.lstrip(" \t\n\r")[:1]
    return first != "" and category(first)[0] not in "CZ"


def _is_the_same(
    found: URLRecord, otherwise: URLRecord, pages: tuple[URLRecord, URLRecord]
) -> bool:
    """Return whether both readings are one, but for what each has of its page."""
    if found == otherwise:
        return True
    urls = (found, otherwise)
    if _behind_place(found) != _behind_place(otherwise):
        return False
    if all(map(_is_on, urls, pages)):
        return True
    # Two slashes and no scheme: that of the page.
    schemes_are_the_pages = all(
        url.scheme == page.scheme for url, page in zip(urls, pages, strict=True)
    )
    return schemes_are_the_pages and (found.host, found.port) == (otherwise.host, otherwise.port)


def _is_on(url: URLRecord, page: URLRecord) -> bool:
    """Return whether ``url`` has the scheme, host and port of ``page``."""
    return (url.scheme, url.host, url.port) == (page.scheme, page.host, page.port)


def _behind_place(url: URLRecord) -> tuple[str, str, str, str | None, str | None]:
    return url.username, url.password, url.path_text, url.query, url.fragment


def _is_safe(url: URLRecord, pages: tuple[URLRecord, URLRecord], policy: URLPolicy | None) -> bool:
    if url.scheme not in _OTHER_SCHEME or url.includes_credentials:
        return False
    if isinstance(url.host, Domain) and not _PLAIN_HOST.fullmatch(url.host.value):
        return False
    return any(_is_on(url, page) for page in pages) or (policy is not None and policy.allows(url))


class SafeRedirectURLMixin(_LoginMixin):
    """For Django's LoginView and LogoutView: ``next`` is judged by `safe_redirect_url`.

    Write it before the view among the bases. ``redirect_policy``: other places that will do.
    So will ``success_url_allowed_hosts``: "www.example.com", "www.example.com:8000".
    """

    redirect_policy: URLPolicy | None = None
    if TYPE_CHECKING:
        request: HttpRequest

    def get_redirect_policy(self) -> URLPolicy | None:
        """Return which other places will do, besides the request's own host."""
        return self.redirect_policy

    def get_redirect_url(self, request: HttpRequest | None = None) -> str:
        """Return the href of where the user wants to go, or "" where that is not safe."""
        if request is None:
            request = self.request
        name = self.redirect_field_name
        target = request.POST.get(name, request.GET.get(name))
        policies = [self.get_redirect_policy()]
        policies += map(_policy_of_host, sorted(self.get_success_url_allowed_hosts()))
        for policy in policies:
            url = safe_redirect_url(request, target, policy=policy)
            if url is not None:
                return url.href
        return ""


def _policy_of_host(host: str) -> URLPolicy | None:
    """Return the policy that allows ``host``, with the port it names or else the default ones.

    None for what is no host, such as the ".example.com" of Django's own check.
    """
    try:
        urls = [weburl.parse(f"{scheme}://{host}/") for scheme in _OTHER_SCHEME]
    except URLParseError:
        return None
    ports = {url.port or port for url, port in zip(urls, (80, 443), strict=True)}
    if ":" in host.rpartition("]")[2]:
        ports = {port for url in urls if (port := url.port) is not None} or ports
    return URLPolicy(schemes=_OTHER_SCHEME, hosts=[str(urls[0].host)], ports=ports)


class SafeRedirectMixin(_RedirectMixin):
    """For Django's RedirectView: what it would redirect to is judged by `safe_redirect_url`.

    Write it before the view among the bases. ``redirect_policy``: other places that will do.
    ``fallback_url``: where to go instead of what is not safe; None, and the answer is 410 (Gone).
    """

    redirect_policy: URLPolicy | None = None
    fallback_url: str | None = None

    def get_redirect_policy(self) -> URLPolicy | None:
        """Return which other places will do, besides the request's own host."""
        return self.redirect_policy

    def get_redirect_url(self, *args: Any, **kwargs: Any) -> str | None:
        """Return the href of what the view would redirect to, or else ``fallback_url``."""
        target = super().get_redirect_url(*args, **kwargs)
        url = safe_redirect_url(self.request, target, policy=self.get_redirect_policy())
        return self.fallback_url if url is None else url.href
