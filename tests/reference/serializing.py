"""The URL serializer, the path serializer, and origins.

Everything goes from a record to text; what needs parsing again is a blob URL's origin alone.
"""

from __future__ import annotations

from attrs import frozen

from tests.reference.hosts import Host, host_serializer
from tests.reference.machine import basic_url_parse
from tests.reference.outcomes import FAILURE
from tests.reference.records import ReferenceRecord


def url_serializer(url: ReferenceRecord, *, exclude_fragment: bool = False) -> str:
    """Return the record as an ASCII string.

    Spec: #concept-url-serializer
    """
    output = f"{url.scheme}:"  # 1
    if url.host is not None:  # 2
        output += "//"  # 2.1
        if url.includes_credentials:  # 2.2
            output += url.username  # 2.2.1
            if url.password != "":  # 2.2.2
                output += f":{url.password}"
            output += "@"  # 2.2.3
        output += host_serializer(url.host)  # 2.3
        if url.port is not None:  # 2.4
            output += f":{url.port}"
    if (  # 3
        url.host is None
        and not url.has_opaque_path
        and len(url.path_segments) > 1
        and url.path_segments[0] == ""
    ):
        output += "/."
    output += url_path_serializer(url)  # 4
    if url.query is not None:  # 5
        output += f"?{url.query}"
    if not exclude_fragment and url.fragment is not None:  # 6
        output += f"#{url.fragment}"
    return output  # 7


def url_path_serializer(url: ReferenceRecord) -> str:
    """Return the path as an ASCII string.

    Spec: #url-path-serializer
    """
    if isinstance(url.path, str):  # 1
        return url.path
    return "".join(f"/{segment}" for segment in url.path)  # 2 to 4


@frozen
class TupleOrigin:
    """An origin that can be compared; its domain is always null for a URL's origin.

    Spec: https://html.spec.whatwg.org/multipage/browsers.html#concept-origin-tuple
    """

    scheme: str
    host: Host
    port: int | None


def origin(url: ReferenceRecord) -> TupleOrigin | None:
    """Return the record's tuple origin, or None for a new opaque origin.

    There is no blob URL store here, and a file URL's origin is opaque.

    Spec: #concept-url-origin
    """
    match url.scheme:
        case "blob":
            path_url = basic_url_parse(url_path_serializer(url))  # 2
            if path_url is FAILURE:  # 3
                return None
            if path_url.scheme in ("http", "https", "file"):  # 4
                return origin(path_url)
            return None  # 5
        case "ftp" | "http" | "https" | "ws" | "wss":
            assert url.host is not None
            return TupleOrigin(url.scheme, url.host, url.port)
        case _:
            return None


def origin_serializer(tuple_origin: TupleOrigin | None) -> str:
    """Return an origin as text, `null` if it is opaque.

    Spec: https://html.spec.whatwg.org/multipage/browsers.html#ascii-serialisation-of-an-origin
    """
    if tuple_origin is None:  # 1
        return "null"
    result = f"{tuple_origin.scheme}://{host_serializer(tuple_origin.host)}"  # 2 to 4
    if tuple_origin.port is not None:  # 5
        result += f":{tuple_origin.port}"
    return result  # 6
