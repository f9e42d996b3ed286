"""Origins in the HTML Standard: how two compare, and the site of one.

The comparisons take origins and URLs. A URL whose origin is opaque is not the same origin as any
URL, not even as itself.
"""

from __future__ import annotations

from weburl.standard.hosts.parser import parse_host
from weburl.standard.hosts.values import Domain, Host
from weburl.standard.infra.errors import Failure
from weburl.standard.infra.strings import to_scalar_value_string
from weburl.standard.url.api import record_of
from weburl.standard.url.fast_path import have_same_origin, untracked
from weburl.standard.url.origin import (
    OpaqueOrigin,
    Origin,
    SchemeAndHost,
    Site,
    TupleOrigin,
    trusted_site,
    with_a_tuple_origin,
)
from weburl.standard.url.origin_of import origin_of
from weburl.standard.url.record import AnyURL, URLRecord


def _origin(value: Origin | AnyURL) -> Origin:
    if isinstance(value, URLRecord):
        return origin_of(value)
    if isinstance(value, TupleOrigin | OpaqueOrigin):
        return value
    return origin_of(record_of(value, "an origin or a URL"))


def same_origin(a: Origin | AnyURL, b: Origin | AnyURL) -> bool:
    """Return whether scheme, host and port are the same, or both are the same opaque origin.

    Raises the errors of `origin_of`.

    Spec: https://html.spec.whatwg.org/multipage/browsers.html#same-origin
    """
    answer = have_same_origin(a, b)
    if answer is not None:
        return answer
    a, b = _origin(a), _origin(b)
    if isinstance(a, OpaqueOrigin) or isinstance(b, OpaqueOrigin):
        return a is b
    return (a.scheme, a.host, a.port) == (b.scheme, b.host, b.port)


def same_origin_domain(a: Origin | AnyURL, b: Origin | AnyURL) -> bool:
    """Return whether both set the same ``document.domain``, or neither did and origins are equal.

    If both set it, the scheme must be the same too, and ports do not matter. Raises the
    errors of `origin_of`.

    Spec: https://html.spec.whatwg.org/multipage/browsers.html#same-origin-domain
    """
    a, b = _origin(a), _origin(b)
    if isinstance(a, OpaqueOrigin) or isinstance(b, OpaqueOrigin):
        return a is b
    if a.domain is None or b.domain is None:
        return a.domain is b.domain and same_origin(a, b)
    return (a.scheme, a.domain) == (b.scheme, b.domain)


def _scheme_and_host(value: Origin | AnyURL) -> tuple[str, Host] | OpaqueOrigin:
    """Return the scheme and the host of the origin of ``value``, or an opaque origin."""
    if isinstance(value, OpaqueOrigin):
        return value
    if isinstance(value, TupleOrigin):
        return value.scheme, value.host
    found = with_a_tuple_origin(record_of(value, "an origin or a URL"))
    host = None if found is None else found.host
    if found is None or host is None:
        return OpaqueOrigin()
    return found.scheme, host


def _scheme_and_site_host(value: Origin | Site | AnyURL) -> tuple[str, Host] | OpaqueOrigin:
    if isinstance(value, SchemeAndHost):
        return value.scheme, value.host
    found = _scheme_and_host(value)
    return found if isinstance(found, OpaqueOrigin) else (found[0], _site_host(found[1]))


def _site_host(host: Host) -> Host:
    return host.registrable_domain or host


def obtain_a_site(origin: Origin | AnyURL) -> Site:
    """Return the site of ``origin``: its scheme and registrable domain.

    If the host has no registrable domain, the site has the whole host. The site of an opaque origin
    is that origin. Raises the errors of `origin_of`.

    Spec: https://html.spec.whatwg.org/multipage/browsers.html#obtain-a-site
    """
    found = _scheme_and_host(origin)
    if isinstance(found, OpaqueOrigin):
        return found
    return untracked(trusted_site(found[0], _site_host(found[1])))


def schemelessly_same_site(a: Origin | AnyURL, b: Origin | AnyURL) -> bool:
    """Return whether both have the same registrable domain, or the same host if they have none.

    Raises the errors of `origin_of`.

    Spec: https://html.spec.whatwg.org/multipage/browsers.html#schemelessly-same-site
    """
    of_a, of_b = _scheme_and_host(a), _scheme_and_host(b)
    if isinstance(of_a, OpaqueOrigin) or isinstance(of_b, OpaqueOrigin):
        return of_a is of_b
    return _site_host(of_a[1]) == _site_host(of_b[1])


def same_site(a: Origin | Site | AnyURL, b: Origin | Site | AnyURL) -> bool:
    """Return whether both have the same scheme and are `schemelessly_same_site`.

    Sites can be passed too. Compare origins where you can: registrable domains depend on the
    edition of the Public Suffix List. Raises the errors of `origin_of`.

    Spec: https://html.spec.whatwg.org/multipage/browsers.html#same-site
    """
    of_a, of_b = _scheme_and_site_host(a), _scheme_and_site_host(b)
    if isinstance(of_a, OpaqueOrigin) or isinstance(of_b, OpaqueOrigin):
        return of_a is of_b
    return of_a == of_b


def is_registrable_domain_suffix_of_or_is_equal_to(
    host_suffix_string: str, original_host: Host
) -> bool:
    """Return whether a page on ``original_host`` may act for ``host_suffix_string``.

    It may if this is the same host, or a domain above it that is not a public suffix. Browsers
    check ``document.domain`` and the relying parties of Web Authentication this way. False for text
    that does not parse as a host. Raises TypeError unless the arguments are text and a `Host`.

    Spec: https://html.spec.whatwg.org/multipage/browsers.html#is-a-registrable-domain-suffix-of-or-is-equal-to
    """
    if not (isinstance(host_suffix_string, str) and isinstance(original_host, Host)):
        raise TypeError(
            f"expected text and a host, not {type(host_suffix_string).__name__}"
            f" and a {type(original_host).__name__}"
        )
    text = to_scalar_value_string(host_suffix_string)
    if not text:
        return False
    try:
        suffix = parse_host(text, False)
    except Failure:
        return False
    if suffix == original_host:
        return True
    if not (isinstance(suffix, Domain) and isinstance(original_host, Domain)):
        return False
    own, of_original = suffix.public_suffix, original_host.public_suffix
    return (
        original_host.value.endswith(f".{suffix}")
        # No one can register a name with an empty label.
        and own is not None
        and of_original is not None
        and own != suffix
        and not of_original.value.endswith(f".{suffix}")
    )
