"""§4.3 of the URL Standards of 2020 and 2024: valid URL strings, which people should write.

The grammar is a value, because the two years differ in three productions: hosts, opaque hosts and
ports. It does not use the parser, and takes linear time.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Final

import attrs

from weburl.history.facts import (
    FORBIDDEN_IN_OPAQUE_HOST_2024,
    NOT_A_URL_UNIT,
    SCHEME_AND_COLON,
    SPECIAL_SCHEMES,
)
from weburl.history.idna_editions import UNICODE_13, UNICODE_15_1
from weburl.standard.hosts.ipv6 import is_ipv6_address
from weburl.standard.infra.strings import ascii_lowercase, join_surrogate_pairs

_DIGITS: Final = re.compile("[0-9]*")
_WINDOWS_DRIVE: Final = re.compile("/[A-Za-z][:|]/")
# As in the standard of 2020. The standard of 2024 requires the shortest form.
_IPV4_ADDRESS: Final = re.compile(
    r"(?:[0-9]{1,2}|[01][0-9]{2}|2[0-4][0-9]|25[0-5])(?:\.(?:[0-9]{1,2}|[01][0-9]{2}|2[0-4][0-9]|25[0-5])){3}"
)
_BYTE: Final = "(?:25[0-5]|2[0-4][0-9]|1[0-9]{2}|[1-9]?[0-9])"
_SHORTEST_IPV4_ADDRESS: Final = re.compile(rf"{_BYTE}(?:\.{_BYTE}){{3}}")
_MAX_PORT: Final = "65535"


def base_kind(scheme: str, host: object) -> str:
    """Return the kind of base that the grammar distinguishes, for a base's scheme and host.

    It is "special", "file", "file+" for a file URL whose host is not empty, or "other".
    """
    if scheme == "file":
        return "file" if host == "" else "file+"
    return "special" if scheme in SPECIAL_SCHEMES else "other"


@attrs.frozen
class Grammar:
    """The productions. ``is_valid_domain``: returns whether text is a valid domain.

    ``limits_ports``: whether a port is at most 65535. ``forbidden_in_opaque_host``: matches a code
    point that no opaque host may contain; None if any URL unit may be in one. ``ipv4_address``:
    a valid IPv4-address string.
    """

    is_valid_domain: Callable[[str], bool]
    limits_ports: bool
    forbidden_in_opaque_host: re.Pattern[str] | None
    ipv4_address: re.Pattern[str]

    def is_valid_url_string(self, text: str, base: str | None) -> bool:
        """Return whether ``text`` is a valid URL string. ``base``: a `base_kind`, or None."""
        before_fragment, _, fragment = join_surrogate_pairs(text).partition("#")
        before_query, _, query = before_fragment.partition("?")
        if not (_is_url_units(fragment) and _is_url_units(query)):
            return False
        found = SCHEME_AND_COLON.match(before_query)
        if found is None:
            return base is not None and self._is_relative_url(before_query, base)
        scheme, rest = ascii_lowercase(found[1]), before_query[found.end() :]
        if scheme == "file":
            return self._is_scheme_relative_file_url(rest)
        if scheme in SPECIAL_SCHEMES:
            return self._is_scheme_relative_special_url(rest)
        return self._is_relative_url(rest, "other")

    def _is_relative_url(self, text: str, base: str) -> bool:
        if text.startswith("//"):
            match base:
                case "special":
                    return self._is_scheme_relative_special_url(text)
                case "file" | "file+":
                    return self._is_scheme_relative_file_url(text)
            return self._is_scheme_relative_url(text)
        if text.startswith("/"):
            is_windows = base == "file+" and _WINDOWS_DRIVE.match(text) is not None
            return not is_windows and _is_path_absolute_url(text)
        return SCHEME_AND_COLON.match(text) is None and _is_url_units(text)

    def _is_scheme_relative_special_url(self, text: str) -> bool:
        if not text.startswith("//"):
            return False
        host, path = _split_at_path(text[2:])
        host, port = _split_port(host)
        return (
            self._is_valid_host(host) and self._is_port(port) and _is_optional_path_absolute(path)
        )

    def _is_scheme_relative_url(self, text: str) -> bool:
        rest = text[2:]
        if rest.startswith("["):
            host, path = _split_at_path(rest)
            host, port = _split_port(host)
            return (
                _is_ipv6_in_brackets(host)
                and self._is_port(port)
                and _is_optional_path_absolute(path)
            )
        if self.forbidden_in_opaque_host is None:
            return _is_url_units(
                rest
            )  # The host may contain slashes and colons, so it may be the whole text.
        host, path = _split_at_path(rest)
        if host:
            host, port = _split_port(host)
            if not host or not self._is_port(port):
                return False
            if not _is_url_units(host) or self.forbidden_in_opaque_host.search(host):
                return False
        return _is_optional_path_absolute(path)

    def _is_scheme_relative_file_url(self, text: str) -> bool:
        if not text.startswith("//"):
            return False
        host, path = _split_at_path(text[2:])
        if not host:
            return _is_path_absolute_url(path)
        return (
            self._is_valid_host(host)
            and _WINDOWS_DRIVE.match(path) is None
            and _is_optional_path_absolute(path)
        )

    def _is_valid_host(self, text: str) -> bool:
        if text.startswith("["):
            return _is_ipv6_in_brackets(text)
        return self.is_valid_domain(text) or self.ipv4_address.fullmatch(text) is not None

    def _is_port(self, text: str) -> bool:
        if _DIGITS.fullmatch(text) is None:
            return False
        significant = text.lstrip("0")
        return not self.limits_ports or (
            (len(significant), significant) <= (len(_MAX_PORT), _MAX_PORT)
        )


def _is_url_units(text: str) -> bool:
    return NOT_A_URL_UNIT.search(text) is None


def _is_path_absolute_url(text: str) -> bool:
    # A path-relative-URL string, which does not start with a slash, follows the first slash.
    return text.startswith("/") and not text.startswith("//") and _is_url_units(text)


def _is_optional_path_absolute(text: str) -> bool:
    return not text or _is_path_absolute_url(text)


def _split_at_path(text: str) -> tuple[str, str]:
    host, slash, path = text.partition("/")
    return host, slash + path


def _split_port(authority: str) -> tuple[str, str]:
    """Return a host and the port after its colon, "" if there is no colon."""
    head, bracket, tail = authority.rpartition("]")
    host, _, port = tail.partition(":")
    return head + bracket + host, port


def _is_ipv6_in_brackets(text: str) -> bool:
    return text.startswith("[") and text.endswith("]") and is_ipv6_address(text[1:-1])


GRAMMAR_2020: Final = Grammar(UNICODE_13.is_valid_domain, False, None, _IPV4_ADDRESS)
"""The grammar of 2020."""

GRAMMAR_2024: Final = Grammar(
    UNICODE_15_1.is_valid_domain, True, FORBIDDEN_IN_OPAQUE_HOST_2024, _SHORTEST_IPV4_ADDRESS
)
"""The grammar of 2024."""
