"""§4.3: valid URL strings, the grammar for people who write URLs.

This check is separate from the parser: it uses the same tables, but never calls the parser. Each
function is one production of the standard's grammar. It takes the text that remains after its
delimiters are split off. All functions take linear time.
"""

from __future__ import annotations

import re
from typing import Final

from weburl.standard.hosts.domains import parse_domain_strictly
from weburl.standard.hosts.ipv4 import ends_in_a_number
from weburl.standard.infra.code_point_regexes import FORBIDDEN_HOST_CODE_POINT, SCHEME_AND_COLON
from weburl.standard.infra.code_points import (
    ASCII_ALPHANUMERIC,
    PLAIN_DOMAIN,
    character_class,
)
from weburl.standard.infra.dns import MAX_DOMAIN_LENGTH, MAX_LABEL_LENGTH
from weburl.standard.infra.schemes import SPECIAL_SCHEMES
from weburl.standard.infra.strings import ascii_lowercase, join_surrogate_pairs
from weburl.standard.infra.url_units import NOT_A_URL_UNIT
from weburl.standard.url.value import RecordStorage

_BYTE: Final = "(?:25[0-5]|2[0-4][0-9]|1[0-9]{2}|[1-9]?[0-9])"
_IPV4_ADDRESS: Final = re.compile(rf"{_BYTE}(?:\.{_BYTE}){{3}}")
_IPV6_PIECE: Final = re.compile("0|[1-9A-Fa-f][0-9A-Fa-f]{0,3}")
_LONGEST_IPV6_ADDRESS: Final = 45
_DIGITS: Final = re.compile("[0-9]+")
_MAX_PORT: Final = "65535"


def is_valid_url_string(text: str, base: RecordStorage | None) -> bool:
    """Return whether ``text`` is a valid URL string. With a base, it may be relative.

    Spec: #valid-url-string
    """
    before_fragment, hash_mark, fragment = join_surrogate_pairs(text).partition("#")
    if not is_url_units(fragment):
        return False
    if base is not None and base.has_opaque_path and hash_mark and not before_fragment:
        return True
    before_query, _, query = before_fragment.partition("?")
    if not is_url_units(query):
        return False
    found = SCHEME_AND_COLON.match(before_query)
    if found is not None:
        return _is_after_scheme(before_query[found.end() :], ascii_lowercase(found[1]))
    if base is None or base.has_opaque_path:
        return False
    return _is_relative_url(before_query, base.scheme)


def is_url_units(text: str) -> bool:
    """Return whether ``text`` consists of URL code points and percent-encoded bytes.

    Spec: #url-units
    """
    return NOT_A_URL_UNIT.search(text) is None


def _is_after_scheme(rest: str, scheme: str) -> bool:
    """Return whether ``rest`` is an absolute-URL string without its scheme and query.

    Spec: #absolute-url-string
    """
    if scheme in SPECIAL_SCHEMES or rest.startswith("//"):
        return _is_scheme_relative(rest, scheme)
    # With one slash at the start it is a path-absolute-non-authority-URL string, and otherwise an
    # opaque-path-URL string.
    return is_url_units(rest)


def _is_relative_url(text: str, base_scheme: str) -> bool:
    """Return whether ``text`` is a relative-URL string without its query.

    It does not start with a scheme and ":".

    Spec: #relative-url-string
    """
    if text.startswith("//"):
        return _is_scheme_relative(text, base_scheme)
    # A path-absolute-non-authority-URL string or a path-relative-scheme-less-URL string.
    return is_url_units(text)


def _is_scheme_relative(text: str, scheme: str) -> bool:
    """Return whether ``text`` is a scheme-relative URL string of the kind that ``scheme`` needs.

    Spec: #scheme-relative-special-url-string
    """
    if not text.startswith("//"):
        return False
    authority, _, path = text[2:].partition("/")
    if not is_url_units(path):
        return False
    if scheme == "file":
        return not authority or is_valid_host_string(authority)
    if not authority:
        return scheme not in SPECIAL_SCHEMES
    host, colon, port = _split_port(authority)
    if colon and not is_url_port_string(port):
        return False
    if scheme in SPECIAL_SCHEMES:
        return is_valid_host_string(host)
    return is_valid_opaque_host_string(host)


def _split_port(authority: str) -> tuple[str, str, str]:
    if not authority.startswith("["):
        return authority.partition(":")
    host, bracket, rest = authority.partition("]")
    if rest and not rest.startswith(":"):
        return authority, "", ""
    return host + bracket, rest[:1], rest[1:]


def is_url_port_string(text: str) -> bool:
    """Return whether ``text`` is empty, or a number from 0 to 65535 in ASCII digits.

    Spec: #url-port-string
    """
    if not text:
        return True
    if _DIGITS.fullmatch(text) is None:
        return False
    significant = text.lstrip("0")
    return (len(significant), significant) <= (len(_MAX_PORT), _MAX_PORT)


def is_valid_host_string(text: str) -> bool:
    """Return whether ``text`` is a valid domain, IPv4 address, or IPv6 address in brackets.

    Spec: #valid-host-string
    """
    if text.startswith("["):
        return text.endswith("]") and is_valid_ipv6_address_string(text[1:-1])
    return is_valid_domain(text) or is_valid_ipv4_address_string(text)


def is_valid_domain(text: str) -> bool:
    """Return whether the strict domain parser accepts ``text``, and it does not end in a number.

    Spec: #valid-domain
    """
    domain = parse_domain_strictly(text)
    return domain is not None and not ends_in_a_number(domain)


def is_valid_ipv4_address_string(text: str) -> bool:
    """Return whether ``text`` is four decimal numbers without leading zeros.

    Spec: #valid-ipv4-address-string
    """
    return _IPV4_ADDRESS.fullmatch(text) is not None


def is_valid_opaque_host_string(text: str) -> bool:
    """Return whether ``text`` is URL units without forbidden host code points, or an IPv6 address.

    Spec: #valid-opaque-host-string
    """
    if text.startswith("["):
        return text.endswith("]") and is_valid_ipv6_address_string(text[1:-1])
    return text != "" and is_url_units(text) and not FORBIDDEN_HOST_CODE_POINT.search(text)


def is_valid_ipv6_address_string(text: str) -> bool:
    """Return whether ``text`` is an IPv6 address without leading zeros.

    Spec: #valid-ipv6-address-string
    """
    if len(text) > _LONGEST_IPV6_ADDRESS:
        return False
    before, compression, after = text.partition("::")
    if not compression:
        return _effective_piece_length(text, may_end_in_ipv4=True) == 8
    lengths = [
        _effective_piece_length(part, may_end_in_ipv4=part is after)
        for part in (before, after)
        if part
    ]
    return None not in lengths and sum(length or 0 for length in lengths) <= 7


def _effective_piece_length(text: str, *, may_end_in_ipv4: bool) -> int | None:
    """Return the effective piece length of a valid IPv6-pieces(-and-IPv4) string, or None.

    Spec: #effective-piece-length
    """
    pieces = text.split(":")
    length = len(pieces)
    if may_end_in_ipv4 and is_valid_ipv4_address_string(pieces[-1]):
        pieces.pop()
        length += 1
    return length if all(map(_IPV6_PIECE.fullmatch, pieces)) else None


# --- plain links ----------------------------------------------------------------------------------

# Links so plain that every grammar of URLs allows them, and every reader reads them alike.
#
# The scheme is http or https, and there are no credentials. The host is a lowercase name as in RFC
# 1035, which does not end in a number and has no two hyphens in a row, so it is neither an address
# nor an A-label. The rest has only characters of RFC 3986, with well-formed percent-encoded bytes.
# "@" is not among them, because it separates credentials.
_CHARACTERS: Final = character_class(ASCII_ALPHANUMERIC | frozenset("!$&'()*+,-./:;=_~"))
_LABEL_CHARACTER: Final = "[a-z0-9-]"
# Not the five digits from 60000 on, which may be too large, and no zero at the start.
_PLAIN_PORT: Final = "(?:[1-5][0-9]{4}|[1-9][0-9]{0,3})"


def _units(more: str) -> str:
    return f"[{_CHARACTERS}{more}]*+(?:%[0-9A-Fa-f][0-9A-Fa-f][{_CHARACTERS}{more}]*+)*+"


_PLAIN_LINK: Final = re.compile(
    rf"https?://(?!{_LABEL_CHARACTER[:-1]}.]{{{MAX_DOMAIN_LENGTH + 1}}})"
    rf"(?!(?:{_LABEL_CHARACTER}*+\.)*?{_LABEL_CHARACTER}{{{MAX_LABEL_LENGTH + 1}}})"
    rf"{PLAIN_DOMAIN.replace('_', '')}(?>(?::{_PLAIN_PORT})?)"
    rf"(?:[/?]{_units('?')})?+(?:\#{_units('?')})?+"
)


def is_plain_link(text: str) -> bool:
    """Return whether ``text`` is a plain link. It is then a valid URL string and has no errors."""
    return _PLAIN_LINK.fullmatch(text) is not None
