"""One URL as each generation of the rules understood it, side by side.

A `Reading` is what one generation makes of a URL, and can be compared with today's.
"""

from __future__ import annotations

from collections.abc import Callable
from types import ModuleType
from typing import Final

import attrs

from weburl.history import html5_urls, rfc3986, url_standard_2020, url_standard_2024, web_addresses
from weburl.history.errors import LegacyURLError
from weburl.history.url_standard_2020 import URLRecord2020
from weburl.standard.infra.strings import require_text
from weburl.standard.url.api import parse as parse_now
from weburl.standard.url.record import URLRecord
from weburl.standard.url.report import URLParseError

__all__ = ["Reading", "history"]

COMPONENTS: Final = ("href", "scheme", "userinfo", "host", "port", "path", "query", "fragment")
"""What is compared, in the order in which it is shown."""


@attrs.frozen(repr=False)
class Reading:
    """The result of one generation of the rules for a URL.

    ``generation``: its name, one of `GENERATIONS`. ``failure``: why the text is not a URL under
    those rules, or None. The components are text, or None if the URL lacks them. After a failure
    all are None. The userinfo is ``username:password``.
    """

    generation: str
    failure: str | None = None
    href: str | None = None
    scheme: str | None = None
    userinfo: str | None = None
    host: str | None = None
    port: str | None = None
    path: str | None = None
    query: str | None = None
    fragment: str | None = None

    def differences(self, other: Reading) -> tuple[str, ...]:
        """Return the names of the components that differ in ``other``."""
        return tuple(name for name in COMPONENTS if getattr(self, name) != getattr(other, name))

    def __repr__(self) -> str:
        outcome = "a URL" if self.failure is None else self.failure
        return f"Reading({self.generation!r}, {outcome!r})"


def _read_uri(url: str, base: str | None) -> dict[str, str | None]:
    uri = rfc3986.parse(url, base)
    return {"href": str(uri), **attrs.asdict(uri)}


def _read_address(rules: ModuleType, url: str, base: str | None) -> dict[str, str | None]:
    href: str = rules.resolve(url, base)
    return {"href": href, **attrs.asdict(rules.split(href))}


def _now(url: str, base: str | None) -> dict[str, str | None]:
    base_record = None
    if base is not None:
        try:
            base_record = parse_now(base)
        except URLParseError as error:
            raise LegacyURLError(f"in the base: {_name_of(error)}") from None
    return _read_record(parse_now(url, base_record))


def _read_record(record: URLRecord | URLRecord2020) -> dict[str, str | None]:
    userinfo = None
    if record.username or record.password:
        userinfo = record.username + (f":{record.password}" if record.password else "")
    return {
        "href": record.href,
        "scheme": record.scheme,
        "userinfo": userinfo,
        "host": None if record.host is None else str(record.host),
        "port": None if record.port is None else str(record.port),
        "path": record.path_text,
        "query": record.query,
        "fragment": record.fragment,
    }


_READERS: Final[dict[str, Callable[[str, str | None], dict[str, str | None]]]] = {
    "RFC 3986": _read_uri,
    "Web addresses": lambda url, base: _read_address(web_addresses, url, base),
    "HTML5 draft": lambda url, base: _read_address(html5_urls, url, base),
    "URL 2020": lambda url, base: _read_record(url_standard_2020.parse(url, base)),
    "URL 2024": lambda url, base: _read_record(url_standard_2024.parse(url, base)),
    "now": _now,
}

GENERATIONS: Final = tuple(_READERS)
"""The names of the generations, the oldest first; today's URL Standard is "now"."""


def history(url: str, base: str | None = None) -> tuple[Reading, ...]:
    """Return what each generation of the rules made of ``url``, relative to ``base``, in order.

    Each generation reads the base by its own rules, too. If it cannot read the base, it refuses
    the URL. Lone surrogates count as U+FFFD. Raises TypeError for a value that is not text.
    """
    for text in (url, "" if base is None else base):
        require_text(text, "a URL")
    return tuple(_read(generation, url, base) for generation in GENERATIONS)


def _read(generation: str, url: str, base: str | None) -> Reading:
    try:
        return Reading(generation, None, **_READERS[generation](url, base))
    except URLParseError as error:
        return Reading(generation, _name_of(error))
    except LegacyURLError as error:
        return Reading(generation, str(error))


def _name_of(error: URLParseError) -> str:
    # The full message quotes the URL, which may contain a password; the name of the error does not.
    return "no URL" if error.type is None else str(error.type)
