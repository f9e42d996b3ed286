"""Completes the components that a caller gives with a base URL.

The same steps make the text of a pattern and the components to match, with `kind` telling which.

Spec: https://urlpattern.spec.whatwg.org/#canon-processing-for-init
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final, Literal, TypeAlias

from weburl.patterns.canonicalization import (
    canonicalize_a_hash,
    canonicalize_a_hostname,
    canonicalize_a_password,
    canonicalize_a_pathname,
    canonicalize_a_port,
    canonicalize_a_protocol,
    canonicalize_a_search,
    canonicalize_a_username,
    canonicalize_an_opaque_pathname,
)
from weburl.patterns.errors import URLPatternError
from weburl.patterns.pattern_strings import escape_a_pattern_string
from weburl.standard.infra.schemes import DEFAULT_PORTS, SPECIAL_SCHEMES
from weburl.standard.url.api import parse
from weburl.standard.url.record import URLRecord
from weburl.standard.url.report import URLParseError

COMPONENTS: Final = (
    "protocol",
    "username",
    "password",
    "hostname",
    "port",
    "pathname",
    "search",
    "hash",
)
BASE: Final = "baseURL"

Kind: TypeAlias = Literal["pattern", "url"]


def process_a_url_pattern_init(init: Mapping[str, str], kind: Kind) -> dict[str, str]:
    """Return the components of ``init``, with those that its base URL gives.

    Raises `URLPatternError` if the base URL does not parse, and for ``kind`` "url" if a component
    is not one that a URL can have.

    Spec: #process-a-urlpatterninit
    """
    base = _base_of(init)
    result = {} if kind == "pattern" else dict.fromkeys(COMPONENTS, "")
    if base is not None:
        result |= _inherited(init, base, kind)
    for name in ("protocol", "username", "password", "hostname"):
        if name in init:
            result[name] = _processed(name, init[name], "", kind)
    protocol = result.get("protocol", "")
    if "port" in init:
        result["port"] = _processed("port", init["port"], protocol, kind)
    if "pathname" in init:
        pathname = _joined_to_base(init["pathname"], base, kind)
        result["pathname"] = _processed("pathname", pathname, protocol, kind)
    for name in ("search", "hash"):
        if name in init:
            result[name] = _processed(name, init[name], protocol, kind)
    return result


def patterns_of(init: Mapping[str, str]) -> dict[str, str]:
    """Return the pattern of each component. Raises `URLPatternError` for a wrong base URL.

    Spec: #url-pattern-create
    """
    processed = process_a_url_pattern_init(init, "pattern")
    patterns = {name: processed.get(name, "*") for name in COMPONENTS}
    default_port = DEFAULT_PORTS.get(patterns["protocol"])
    if default_port is not None and patterns["port"] == str(default_port):
        patterns["port"] = ""
    return patterns


def components_of_record(record: URLRecord) -> dict[str, str]:
    """Return the components of a URL that patterns are matched against.

    Spec: #url-pattern-match
    """
    return {
        "protocol": record.scheme,
        "username": record.username,
        "password": record.password,
        "hostname": "" if record.host is None else str(record.host),
        "port": "" if record.port is None else str(record.port),
        "pathname": record.path_text,
        "search": record.query or "",
        "hash": record.fragment or "",
    }


def _base_of(init: Mapping[str, str]) -> URLRecord | None:
    if BASE not in init:
        return None
    try:
        return parse(init[BASE])
    except URLParseError as error:
        raise URLPatternError(f"The base URL does not parse. {error.reason}", init[BASE]) from None


def _inherited(init: Mapping[str, str], base: URLRecord, kind: Kind) -> dict[str, str]:
    """Return what the base URL gives: each component up to the first that ``init`` has.

    A pattern does not inherit the username and the password.
    """
    order: tuple[tuple[str, tuple[str, ...]], ...] = (
        ("protocol", ("protocol",)),
        ("username", ("protocol", "hostname", "port", "username")),
        ("password", ("protocol", "hostname", "port", "username", "password")),
        ("hostname", ("protocol", "hostname")),
        ("port", ("protocol", "hostname", "port")),
        ("pathname", ("protocol", "hostname", "port", "pathname")),
        ("search", ("protocol", "hostname", "port", "pathname", "search")),
        ("hash", ("protocol", "hostname", "port", "pathname", "search", "hash")),
    )
    values = components_of_record(base)
    return {
        name: process_a_base_url_string(values[name], kind)
        for name, earlier in order
        if init.keys().isdisjoint(earlier)
        and not (kind == "pattern" and name in ("username", "password"))
    }


def process_a_base_url_string(text: str, kind: Kind) -> str:
    """Return a component of the base URL, escaped if it becomes part of a pattern.

    Spec: #process-a-base-url-string
    """
    return text if kind == "url" else escape_a_pattern_string(text)


def _joined_to_base(pathname: str, base: URLRecord | None, kind: Kind) -> str:
    """Return a relative pathname after the directory of the base URL's path."""
    if base is None or base.has_opaque_path or is_an_absolute_pathname(pathname, kind):
        return pathname
    base_path = process_a_base_url_string(base.path_text, kind)
    return base_path[: base_path.rfind("/") + 1] + pathname


def is_an_absolute_pathname(text: str, kind: Kind) -> bool:
    """Return whether a pathname starts with a slash, which a pattern may write in three ways.

    Spec: #is-an-absolute-pathname
    """
    return text.startswith("/" if kind == "url" else ("/", "\\/", "{/"))


def _processed(name: str, value: str, protocol: str, kind: Kind) -> str:
    """Return a component that the caller gave: checked and encoded, unless it is a pattern.

    Spec: #process-protocol-for-init and the next seven
    """
    if name == "protocol":
        value = value.removesuffix(":")
    elif name == "search":
        value = value.removeprefix("?")
    elif name == "hash":
        value = value.removeprefix("#")
    if kind == "pattern":
        return value
    if name == "port":
        return canonicalize_a_port(value, protocol)
    if name == "pathname" and protocol and protocol not in SPECIAL_SCHEMES:
        return canonicalize_an_opaque_pathname(value)
    return _CANONICALIZED[name](value)


_CANONICALIZED: Final = {
    "protocol": canonicalize_a_protocol,
    "username": canonicalize_a_username,
    "password": canonicalize_a_password,
    "hostname": canonicalize_a_hostname,
    "pathname": canonicalize_a_pathname,
    "search": canonicalize_a_search,
    "hash": canonicalize_a_hash,
}
