"""The rows of the tables, the same for each number of rows."""

from __future__ import annotations

from collections.abc import Iterator
from random import Random
from typing import Final

NOT_CANONICAL: Final = 0.22
INVALID: Final = 0.03
DUPLICATE: Final = 0.05
INVALID_TEXT: Final = "no URL"
"""What every text begins with that is not a URL."""

_HOSTS: Final = 50_000
_OWNERS: Final = 1_000
_REMEMBERED: Final = 10_000
_SECTIONS: Final = ("blog", "docs", "shop", "news", "a", "wiki")


def host(number: int) -> str:
    """Return one of 50,000 hosts. Small numbers have most URLs, as on the web."""
    return f"{('www', 'shop', 'm')[number % 3]}.site{number // 2}.example"


def links(count: int) -> Iterator[tuple[int, str]]:
    """Yield the owner and the URL of each row."""
    random = Random(74)
    earlier: list[tuple[int, str, str]] = []
    for number in range(count):
        kind = random.random()
        if kind < INVALID:
            yield number % _OWNERS, f"{INVALID_TEXT} {number}"
            continue
        kind -= INVALID
        if kind < DUPLICATE and earlier:
            owner, domain, rest = random.choice(earlier)
        else:
            owner = random.randrange(_OWNERS)
            domain = host(min(int(random.paretovariate(0.4)) - 1, _HOSTS - 1))
            query = f"?utm_source=mail&id={random.randrange(count)}" if number % 3 else ""
            rest = f"/{random.choice(_SECTIONS)}/{number}/page{query}"
            if len(earlier) < _REMEMBERED:
                earlier.append((owner, domain, rest))
            else:
                earlier[random.randrange(_REMEMBERED)] = owner, domain, rest
        if random.random() < NOT_CANONICAL / (1 - INVALID):
            yield owner, f"HTTPS://{domain.upper()}:443/x/..{rest}"
        else:
            yield owner, f"https://{domain}{rest}"


def clicks(count: int) -> Iterator[int]:
    """Yield the number of the row that each of ``count // 2`` rows refers to, from 0."""
    random = Random(75)
    for _ in range(count // 2):
        yield random.randrange(count)
