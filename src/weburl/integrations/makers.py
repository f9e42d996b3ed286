"""Random values for libraries that fill objects with test data.

They are plain and different from each other; `weburl.testing` has those that look for mistakes. No
such library is known here.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from random import Random
from typing import Any, Final

import weburl
from weburl import (
    URL,
    Domain,
    EmptyHost,
    Host,
    IPv4Address,
    IPv6Address,
    OpaqueHost,
    OpaqueOrigin,
    SchemeAndHost,
    TupleOrigin,
    URLRecord,
)

__all__ = ["MAKERS", "random_host", "random_origin", "random_url"]

_LETTERS: Final = "abcdefghijklmnopqrstuvwxyz"
_SUFFIXES: Final = ("com", "org", "net", "de", "co.uk")
_TOKEN: Final = 12


def random_url(
    random: Random, *, schemes: Sequence[str] | None = None, max_length: int | None = None
) -> URLRecord:
    """Return a URL, such as ``https://www.nqkvbt.com/ufwykrpzmdca``, or one of another scheme.

    ``schemes``: one of them is taken; by default https. ``max_length``: of the href. The path holds
    12 random letters, or as many as there is room for, so that unique columns take many of them.
    Raises ValueError if no URL is so short, and for what is no scheme.
    """
    schemes = ("https",) if schemes is None else tuple(schemes)
    if not schemes:
        raise ValueError("schemes must name at least one scheme")
    token = _word(random, _TOKEN)
    for scheme in random.sample(schemes, len(schemes)):
        for before, least in _before_the_token(random, scheme):
            room = _TOKEN if max_length is None else max_length - len(before)
            if room >= least:
                return weburl.parse(before + token[:room])
    raise ValueError(f"a URL with the scheme {scheme!r} has no room in {max_length} characters")


def _before_the_token(random: Random, scheme: str) -> list[tuple[str, int]]:
    """Return texts to put before a token, and the shortest token that they want."""
    if scheme == "file":  # the only special scheme that can do without a host
        return [("file:///", 0)]
    if scheme not in weburl.SPECIAL_SCHEMES:
        return [(f"{scheme}:", 0)]
    return [
        (f"{scheme}://www.{_domain(random)}/", _TOKEN // 2),
        (f"{scheme}://{random.choice(_LETTERS)}/", 0),
    ]


def random_host(random: Random) -> Host:
    """Return a domain with a registrable domain, or an IP address."""
    return random.choice((_a_domain, _a_domain, _an_ipv4_address, _an_ipv6_address))(random)


def random_origin(random: Random) -> TupleOrigin:
    """Return the origin of a URL whose scheme is https."""
    return TupleOrigin("https", _a_domain(random), random.choice((None, 8443)))


def _word(random: Random, length: int) -> str:
    return "".join(random.choices(_LETTERS, k=length))


def _domain(random: Random) -> str:
    return f"{_word(random, 6)}.{random.choice(_SUFFIXES)}"


def _a_domain(random: Random) -> Domain:
    return Domain(_domain(random))


def _an_ipv4_address(random: Random) -> IPv4Address:
    return IPv4Address(random.getrandbits(32))


def _an_ipv6_address(random: Random) -> IPv6Address:
    return IPv6Address(random.getrandbits(128))


MAKERS: Final[dict[type[Any], Callable[[Random], Any]]] = {
    URLRecord: random_url,
    URL: lambda random: URL(random_url(random).href),
    Domain: _a_domain,
    IPv4Address: _an_ipv4_address,
    IPv6Address: _an_ipv6_address,
    OpaqueHost: lambda random: OpaqueHost(_word(random, 6)),
    EmptyHost: lambda _random: EmptyHost(),
    TupleOrigin: random_origin,
    OpaqueOrigin: lambda _random: OpaqueOrigin(),
    SchemeAndHost: lambda random: SchemeAndHost("https", _a_domain(random)),
}
"""What makes a value of each class, with a source of randomness."""
