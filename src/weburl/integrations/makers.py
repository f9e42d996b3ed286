"""Random values for libraries that fill objects with test data.

The values are plain and differ from each other. `weburl.testing` has values that find bugs. This
module does not depend on any of these libraries.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from random import Random
from typing import Any, Final

import weburl

__all__ = ["MAKERS", "random_host", "random_origin", "random_url"]

_LETTERS: Final = "abcdefghijklmnopqrstuvwxyz"
_SUFFIXES: Final = ("com", "org", "net", "de", "co.uk")
_TOKEN: Final = 12


def random_url(
    random: Random, *, schemes: Sequence[str] | None = None, max_length: int | None = None
) -> weburl.URLRecord:
    """Return a random URL, such as ``https://www.nqkvbt.com/ufwykrpzmdca``.

    The path has 12 random letters, or fewer if ``max_length`` is short, so that URLs rarely repeat
    in a unique column.

    Args:
        random: The source of randomness.
        schemes: The schemes to choose from; only https by default.
        max_length: The maximum length of the href, or None.

    Raises:
        ValueError: No URL is that short, or a scheme is invalid.
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
    """Return strings to put before a token, each with the minimum length of the token."""
    if scheme == "file":  # the only special scheme that can do without a host
        return [("file:///", 0)]
    if scheme not in weburl.SPECIAL_SCHEMES:
        return [(f"{scheme}:", 0)]
    return [
        (f"{scheme}://www.{_domain(random)}/", _TOKEN // 2),
        (f"{scheme}://{random.choice(_LETTERS)}/", 0),
    ]


def random_host(random: Random) -> weburl.Host:
    """Return a domain with a registrable domain, or an IP address."""
    return random.choice((_a_domain, _a_domain, _an_ipv4_address, _an_ipv6_address))(random)


def random_origin(random: Random) -> weburl.TupleOrigin:
    """Return the origin of a URL whose scheme is https."""
    return weburl.TupleOrigin("https", _a_domain(random), random.choice((None, 8443)))


def _word(random: Random, length: int) -> str:
    return "".join(random.choices(_LETTERS, k=length))


def _domain(random: Random) -> str:
    return f"{_word(random, 6)}.{random.choice(_SUFFIXES)}"


def _a_domain(random: Random) -> weburl.Domain:
    return weburl.Domain(_domain(random))


def _an_ipv4_address(random: Random) -> weburl.IPv4Address:
    return weburl.IPv4Address(random.getrandbits(32))


def _an_ipv6_address(random: Random) -> weburl.IPv6Address:
    return weburl.IPv6Address(random.getrandbits(128))


MAKERS: Final[dict[type[Any], Callable[[Random], Any]]] = {
    weburl.URLRecord: random_url,
    weburl.URL: lambda random: weburl.URL(random_url(random).href),
    weburl.Domain: _a_domain,
    weburl.IPv4Address: _an_ipv4_address,
    weburl.IPv6Address: _an_ipv6_address,
    weburl.OpaqueHost: lambda random: weburl.OpaqueHost(_word(random, 6)),
    weburl.EmptyHost: lambda _random: weburl.EmptyHost(),
    weburl.TupleOrigin: random_origin,
    weburl.OpaqueOrigin: lambda _random: weburl.OpaqueOrigin(),
    weburl.SchemeAndHost: lambda random: weburl.SchemeAndHost("https", _a_domain(random)),
}
"""The function that makes a random value of each class."""
