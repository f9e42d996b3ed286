"""The authority, between the slashes and the path: credentials, host and port.

The parser finds where it begins and ends.
"""

from __future__ import annotations

import re
from typing import Final, TypeAlias

from weburl.standard.hosts.parser import parse_host
from weburl.standard.hosts.values import Host
from weburl.standard.infra.code_points import USERINFO_PERCENT_ENCODE_SET
from weburl.standard.infra.errors import NO_ERRORS, Errors, ValidationErrorType
from weburl.standard.infra.percent_encoding import utf8_percent_encode
from weburl.standard.infra.schemes import DEFAULT_PORTS, SPECIAL_SCHEMES

# Up to the first colon outside brackets. Possessive, so it never backtracks.
_HOST: Final = re.compile(r"(?:[^:\[]++|\[[^\]]*+\]?+)*+")
_MAX_PORT_DIGITS: Final = 5
_MAX_PORT: Final = 0xFFFF

# A plain tuple, because a named one takes five times as long to make.
Authority: TypeAlias = tuple[str, str, Host | None, int | None]  # username, password, host, port


def parse_authority(text: str, scheme: str, errors: Errors = NO_ERRORS) -> Authority:
    """Parse ``text`` as credentials, host and port. Raises `Failure`.

    Args:
        text: the authority, without slashes.
        scheme: lowercase, without ":".
        errors: where validation errors are recorded.

    Spec: #authority-state
    """
    is_special = scheme in SPECIAL_SCHEMES
    username, password, host_and_port = "", "", text
    has_at_sign = "@" in text
    if has_at_sign:
        userinfo, _, host_and_port = text.rpartition("@")
        username, _, password = userinfo.partition(":")
        at = text.find("@")
        while at >= 0:
            errors.add(ValidationErrorType.INVALID_CREDENTIALS, at, at + 1)
            at = text.find("@", at + 1)
        username = utf8_percent_encode(username, USERINFO_PERCENT_ENCODE_SET)
        password = utf8_percent_encode(password, USERINFO_PERCENT_ENCODE_SET)
    start = len(text) - len(host_and_port)
    host_text, colon, port_text = split_host_and_port(host_and_port)
    if not host_text and (is_special or has_at_sign or colon):
        if not host_and_port and has_at_sign:
            start -= 1  # The error points at the "@", because nothing follows it.
        end = start + max(len(host_and_port), 1)
        raise errors.failure(ValidationErrorType.HOST_MISSING, start, end)
    host = parse_host(host_text, not is_special, errors.after(start))
    port = parse_port(port_text, scheme, errors.after(start + len(host_text) + 1))
    return username, password, host, port


def split_host_and_port(text: str) -> tuple[str, str, str]:
    """Split ``text`` at the first colon outside brackets, as `str.partition` does.

    Spec: #host-state
    """
    if "[" not in text:
        return text.partition(":")
    found = _HOST.match(text)
    end = 0 if found is None else found.end()
    return text[:end], text[end : end + 1], text[end + 1 :]


def parse_port(text: str, scheme: str, errors: Errors = NO_ERRORS) -> int | None:
    """Return the port in ``text``, or None if it is empty or the default port of ``scheme``.

    Raises `Failure`.

    Spec: #port-state
    """
    if not text:
        return None
    if not (text.isascii() and text.isdigit()):
        at = next(at for at, digit in enumerate(text) if digit not in "0123456789")
        raise errors.failure(ValidationErrorType.PORT_INVALID, at, at + 1)
    significant = text.lstrip("0")
    # A long number is not converted, because `int` takes quadratic time.
    port = int(significant or "0") if len(significant) <= _MAX_PORT_DIGITS else _MAX_PORT + 1
    if port > _MAX_PORT:
        raise errors.failure(ValidationErrorType.PORT_OUT_OF_RANGE, 0, len(text))
    return None if port == DEFAULT_PORTS.get(scheme) else port
