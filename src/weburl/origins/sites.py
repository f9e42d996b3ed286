"""What the HTML Standard does with origins: where they are had from, and how they compare.

Each comparison takes origins, and URL records for their origins: where that is opaque, a record
is of the same origin with no other, and not with itself either.
"""

from __future__ import annotations

from typing import Protocol, runtime_checkable

from weburl.api import parse
from weburl.hosts.parser import parse_host
from weburl.hosts.values import Domain, Host
from weburl.infra.errors import Failure
from weburl.infra.strings import to_scalar_value_string
from weburl.origins.of_url import BlobEntryOrigin, origin_of
from weburl.origins.values import OpaqueOrigin, Origin, SchemeAndHost, Site, TupleOrigin
from weburl.records.record import URLRecord


@runtime_checkable
class HasAnOrigin(Protocol):
    """What an origin can be extracted of, because it says so itself: `URL` among others."""

    def extract_an_origin(self) -> Origin | None:
        """Return the origin, or None where there is none."""


def extract_an_origin(
    value: Origin | URLRecord | HasAnOrigin | str,
    *,
    blob_entry_origin: BlobEntryOrigin | None = None,
) -> Origin:
    """Return the origin of ``value``.

    That is itself for an origin; the origin of the URL for a record, a `URL`, and text that
    is one; and what ``value.extract_an_origin()`` returns. ``blob_entry_origin`` is as in
    `origin_of`.

    Raises `URLParseError` for text that is no URL, "null" among it, and TypeError for
    everything that has no origin.

    Spec: https://html.spec.whatwg.org/multipage/browsers.html#dom-origin-from
    """
    if isinstance(value, TupleOrigin | OpaqueOrigin):
        return value
    if isinstance(value, str):
        value = parse(value)
    if isinstance(value, URLRecord):
        return origin_of(value, blob_entry_origin=blob_entry_origin)
    origin = value.extract_an_origin() if isinstance(value, HasAnOrigin) else None
    if origin is None:
        raise TypeError(f"a {type(value).__name__} has no origin")
    return origin


def _origin(value: Origin | URLRecord) -> Origin:
    if isinstance(value, URLRecord):
        return origin_of(value)
    if isinstance(value, TupleOrigin | OpaqueOrigin):
        return value
    raise TypeError(f"expected an origin or a URLRecord, not a {type(value).__name__}")


def same_origin(a: Origin | URLRecord, b: Origin | URLRecord) -> bool:
    """Whether scheme, host and port are the same, or both are the same opaque origin.

    Raises TypeError for what is neither an origin nor a record.

    Spec: https://html.spec.whatwg.org/multipage/browsers.html#same-origin
    """
    a, b = _origin(a), _origin(b)
    if isinstance(a, OpaqueOrigin) or isinstance(b, OpaqueOrigin):
        return a is b
    return (a.scheme, a.host, a.port) == (b.scheme, b.host, b.port)


def same_origin_domain(a: Origin | URLRecord, b: Origin | URLRecord) -> bool:
    """Whether both have set the same domain, whatever their port, or are the same without one.

    Raises TypeError for what is neither an origin nor a record.

    Spec: https://html.spec.whatwg.org/multipage/browsers.html#same-origin-domain
    """
    a, b = _origin(a), _origin(b)
    if isinstance(a, OpaqueOrigin) or isinstance(b, OpaqueOrigin):
        return a is b
    if a.domain is None or b.domain is None:
        return a.domain is b.domain and same_origin(a, b)
    return (a.scheme, a.domain) == (b.scheme, b.domain)


def _site_host(host: Host) -> Host:
    return host.registrable_domain or host


def obtain_a_site(origin: Origin | URLRecord) -> Site:
    """Return the site of ``origin``: its scheme and registrable domain, or whole host.

    The host where that has no registrable domain; an opaque origin is its own site. Raises
    TypeError for what is neither an origin nor a record.

    Spec: https://html.spec.whatwg.org/multipage/browsers.html#obtain-a-site
    """
    origin = _origin(origin)
    if isinstance(origin, OpaqueOrigin):
        return origin
    return SchemeAndHost(origin.scheme, _site_host(origin.host))


def schemelessly_same_site(a: Origin | URLRecord, b: Origin | URLRecord) -> bool:
    """Whether both have the same registrable domain, or, without one, the same host.

    Raises TypeError for what is neither an origin nor a record.

    Spec: https://html.spec.whatwg.org/multipage/browsers.html#schemelessly-same-site
    """
    a, b = _origin(a), _origin(b)
    if isinstance(a, OpaqueOrigin) or isinstance(b, OpaqueOrigin):
        return a is b
    return _site_host(a.host) == _site_host(b.host)


def same_site(a: Origin | Site | URLRecord, b: Origin | Site | URLRecord) -> bool:
    """Whether both are of the same scheme too, and otherwise as `schemelessly_same_site`.

    Takes sites as well. Where an origin will do, compare that: what is registered under what
    differs from list to list. Raises TypeError for what is none of them.

    Spec: https://html.spec.whatwg.org/multipage/browsers.html#same-site
    """
    site_a, site_b = (
        value if isinstance(value, SchemeAndHost) else obtain_a_site(value) for value in (a, b)
    )
    return site_a == site_b


def is_registrable_domain_suffix_of_or_is_equal_to(
    host_suffix_string: str, original_host: Host
) -> bool:
    """Whether a page on ``original_host`` may speak for ``host_suffix_string``.

    That is the host itself, or a domain it is under and that is no public suffix:
    ``document.domain`` and the relying parties of Web Authentication are checked so. False for
    text that is no host. Raises TypeError for what is not text and a `Host`.

    Spec: https://html.spec.whatwg.org/multipage/browsers.html#is-a-registrable-domain-suffix-of-or-is-equal-to
    """
    if not (isinstance(host_suffix_string, str) and isinstance(original_host, Host)):
        raise TypeError(
            f"expected text and a host, not a {type(host_suffix_string).__name__}"
            f" and a {type(original_host).__name__}"
        )
    text = to_scalar_value_string(host_suffix_string)
    if not text:
        return False
    try:
        suffix = parse_host(text, False, None, 0)
    except Failure:
        return False
    if suffix == original_host:
        return True
    if not (isinstance(suffix, Domain) and isinstance(original_host, Domain)):
        return False
    own, of_original = suffix.public_suffix, original_host.public_suffix
    return (
        original_host.value.endswith(f".{suffix}")
        # A name with an empty label is under nobody's registration.
        and own is not None
        and of_original is not None
        and own != suffix
        and not of_original.value.endswith(f".{suffix}")
    )
