"""What weburl answers about a domain: asked with unicodedata2, and without."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from weburl import URLParseError, parse
from weburl.standard.hosts.domains import domain_to_ascii

FILES: Final = ("IdnaTestV2.json", "IdnaTestV2-removed.json", "toascii.json")
"""The test data of hosts."""


def answers(domain: str) -> list[str | None]:
    """Return a domain in ASCII, not strict and strict, and as the host of a URL.

    "declined" stands for an answer that only unicodedata2 can give.
    """
    return [
        _answer(lambda: domain_to_ascii(domain, False)),
        _answer(lambda: domain_to_ascii(domain, True)),
        _answer(lambda: str(parse(f"https://{domain}/").host)),
    ]


def _answer(ask: Callable[[], str | None]) -> str | None:
    try:
        return ask()
    except URLParseError:
        return None
    except ImportError as error:
        return "declined" if error.name == "unicodedata2" else str(error)
