"""The checks of a record made by hand: it must be one that the parser can return.

Each error explains why.
"""

from __future__ import annotations

from weburl.standard.hosts.values import (
    Domain,
    EmptyHost,
    Host,
    IPv4Address,
    IPv6Address,
    OpaqueHost,
    is_host,
    refuse_unless,
)
from weburl.standard.infra.code_point_regexes import SCHEME
from weburl.standard.infra.code_points import (
    C0_CONTROL_PERCENT_ENCODE_SET,
    DOUBLE_DOT_SEGMENTS,
    FRAGMENT_PERCENT_ENCODE_SET,
    PATH_PERCENT_ENCODE_SET,
    QUERY_PERCENT_ENCODE_SET,
    SINGLE_DOT_SEGMENTS,
    SPECIAL_QUERY_PERCENT_ENCODE_SET,
    USERINFO_PERCENT_ENCODE_SET,
    PercentEncodeSet,
)
from weburl.standard.infra.credentials import masked_value
from weburl.standard.infra.schemes import DEFAULT_PORTS, SPECIAL_SCHEMES
from weburl.standard.url.path import is_normalized_windows_drive_letter, is_windows_drive_letter


def default_path(scheme: str, host: Host | None) -> tuple[str, ...] | str:
    """Return the path that a URL has when it is written without one."""
    if host is None:
        return ""
    # `check_components` checks the scheme later, so it may be any value here.
    return ("",) if str(scheme) in SPECIAL_SCHEMES else ()


def _check_encoded(name: str, text: object, percent_encode_set: PercentEncodeSet) -> None:
    refuse_unless(isinstance(text, str), f"the {name} must be text, not {masked_value(text)}")
    found = percent_encode_set.pattern.search(str(text))
    if found is not None:
        # Show nothing of credentials: a run of code points may be a whole password.
        what = "what is" if name in ("username", "password") else f"{found[0]!r}"
        raise ValueError(f"{what} in the {name} must be percent-encoded")


def check_scheme(scheme: object) -> None:
    """Raise ValueError, with the reason, if this cannot be the scheme of a URL."""
    refuse_unless(
        not (isinstance(scheme, str) and ":" in scheme),
        "a record is made of parts, and a scheme is written without ':'. To read a whole URL, use"
        " weburl.parse(text)",
    )
    refuse_unless(
        isinstance(scheme, str) and SCHEME.fullmatch(scheme) is not None,
        "a scheme must be lowercase letters, digits, '+', '-' or '.', first a letter:"
        f" {masked_value(scheme)}",
    )


def check_port(scheme: str, port: object) -> None:
    """Raise ValueError, with the reason, if this cannot be the port of a URL with ``scheme``."""
    refuse_unless(
        port is None or (type(port) is int and 0 <= port <= 0xFFFF),
        f"a port must be an integer from 0 to 65535, or None: {masked_value(port)}",
    )
    refuse_unless(
        port is None or port != DEFAULT_PORTS.get(scheme),
        f"{port} is the default port of {scheme!r}: write it as None",
    )


def check_components(
    scheme: str,
    username: str,
    password: str,
    host: Host | None,
    port: int | None,
    path: tuple[str, ...] | str,
    query: str | None,
    fragment: str | None,
) -> None:
    """Raise ValueError, with the reason, if the parser cannot return such a record."""
    check_scheme(scheme)
    _check_host(scheme, host)
    if scheme == "file" or host is None or isinstance(host, EmptyHost):
        refuse_unless(
            not username and not password and port is None,
            "a URL without a host, or a file URL, cannot have a username, password or port",
        )
    _check_encoded("username", username, USERINFO_PERCENT_ENCODE_SET)
    _check_encoded("password", password, USERINFO_PERCENT_ENCODE_SET)
    check_port(scheme, port)
    _check_path(scheme, host, path)
    if query is not None:
        _check_encoded(
            "query",
            query,
            SPECIAL_QUERY_PERCENT_ENCODE_SET
            if scheme in SPECIAL_SCHEMES
            else QUERY_PERCENT_ENCODE_SET,
        )
    if fragment is not None:
        _check_encoded("fragment", fragment, FRAGMENT_PERCENT_ENCODE_SET)


def _check_host(scheme: str, host: Host | None) -> None:
    is_special = scheme in SPECIAL_SCHEMES
    if host is not None and not is_host(host):
        raise ValueError(f"a host must be one of the host values, or None: {masked_value(host)}")
    if scheme == "file":
        refuse_unless(
            host is not None and not isinstance(host, OpaqueHost) and host != Domain("localhost"),
            "the host of a file URL must be a domain except 'localhost', an IP address, or empty",
        )
    elif is_special:
        refuse_unless(
            isinstance(host, Domain | IPv4Address | IPv6Address),
            f"the host of a {scheme!r} URL must be a domain or an IP address, not"
            f" {masked_value(host)}",
        )
    else:
        refuse_unless(
            not isinstance(host, Domain | IPv4Address),
            f"the scheme {scheme!r} is not special: its host must be opaque, an IPv6 address,"
            f" empty, or None, not {masked_value(host)}",
        )


def _check_path(scheme: str, host: Host | None, path: tuple[str, ...] | str) -> None:
    is_special = scheme in SPECIAL_SCHEMES
    if isinstance(path, str):
        refuse_unless(
            not is_special and host is None,
            "only a URL with no host and no special scheme can have an opaque path",
        )
        _check_encoded("path", path, C0_CONTROL_PERCENT_ENCODE_SET)
        refuse_unless(
            not path.startswith("/") and not path.endswith(" ") and not {"?", "#"} & set(path),
            "an opaque path cannot start with '/', end with a space, or have a '?'"
            f" or '#': {masked_value(path)}",
        )
        return
    refuse_unless(
        isinstance(path, tuple),
        f"a path must be a tuple of segments or a string: {masked_value(path)}",
    )
    refuse_unless(
        path != () or not (is_special or host is None),
        "only a URL with a host and no special scheme can have a path without segments",
    )
    for segment in path:
        _check_encoded("path", segment, PATH_PERCENT_ENCODE_SET)
        refuse_unless(
            segment not in SINGLE_DOT_SEGMENTS and segment not in DOUBLE_DOT_SEGMENTS,
            "a record cannot have a dot segment, because the parser resolves it:"
            f" {masked_value(segment)}",
        )
        refuse_unless(
            "/" not in segment and not (is_special and "\\" in segment),
            f"a path segment cannot have a separator: {masked_value(segment)}",
        )
    if scheme == "file" and path:
        first = path[0]
        refuse_unless(
            not is_windows_drive_letter(first) or is_normalized_windows_drive_letter(first),
            f"a Windows drive letter must be written with ':': {masked_value(first)}",
        )
