"""Readings of a URL by other software: where it would connect to, and whether all agree.

Nothing here decides whether a URL is safe. The functions that look at a library's URL object also
serve the conversions of `integrations`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import cache
from typing import Any, Final, TypeAlias
from urllib.parse import urlsplit

import attrs

from weburl.history import idna2003, rfc3986, url_standard_2020
from weburl.history.errors import LegacyURLError
from weburl.history.url_standard_2020 import host_text
from weburl.standard.hosts.domains import domain_to_ascii
from weburl.standard.hosts.ipv4 import ends_in_a_number
from weburl.standard.hosts.ipv6 import parse_ipv6, serialize_ipv6
from weburl.standard.infra.credentials import without_credentials
from weburl.standard.infra.errors import Failure
from weburl.standard.infra.one_value import FrozenValue
from weburl.standard.infra.schemes import DEFAULT_PORTS
from weburl.standard.infra.strings import ascii_lowercase, to_scalar_value_string
from weburl.standard.url.api import parse, text_of
from weburl.standard.url.record import AnyURL
from weburl.standard.url.report import URLParseError
from weburl.standard.url.writing import is_plain_link

STANDARD: Final = "URL Standard"
STANDARD_2020: Final = "URL Standard of 2020"
RFC_3986: Final = "RFC 3986"
MAX_LENGTH: Final = 8192
"""The longest text that other readers get, in code points; they may be slow on longer text."""
_LONGEST: Final = 60


@attrs.frozen
class Reading(FrozenValue):
    """The scheme, host and port that one reader finds in a URL.

    ``reader``: its name. ``scheme``: in lower case. ``host``: as the reader gives it, but with
    ASCII letters in lower case and an IPv6 address in brackets; None for no host. ``port``: the
    scheme's default port is filled in; None for no port. ``failure``: why the reader refuses the
    text, or None; after a failure the other parts are None.
    """

    __module__ = "weburl"

    reader: str
    scheme: str | None = None
    host: str | None = attrs.field(default=None, repr=lambda host: repr(_without_credentials(host)))
    port: int | None = None
    failure: str | None = None

    def __str__(self) -> str:
        if self.failure is not None:
            return f"{self.reader}: not a URL"
        port = "" if self.port is None else f":{self.port}"
        host = _without_credentials(self.host)
        where = f"//{_shortened(host)}{port}" if host else "no host"
        return f"{self.reader}: {_shortened(self.scheme or '')}:{where}"


def _without_credentials(host: str | None) -> str | None:
    return without_credentials(host, after="//") if host else None


def reading(reader: str, scheme: str | None, host: str | None, port: int | None) -> Reading:
    """Return the reading of ``reader``, with the parts in one form for all readers.

    A host in Unicode becomes the domain that the standard makes of it. If that fails or gives an
    address, the host stays unchanged, and the reading agrees with no other. An empty host is None.
    """
    scheme = ascii_lowercase(scheme) if scheme else None
    if port is None and scheme is not None:
        port = DEFAULT_PORTS.get(scheme)
    host = _one_form(host) if host else None
    return Reading(reader, scheme, host, port if host else None)


def _one_form(host: str) -> str:
    address = host[1:-1] if host.startswith("[") and host.endswith("]") else host
    if ":" in address:
        try:
            return f"[{serialize_ipv6(parse_ipv6(address))}]"
        except Failure:
            return host
    if host.isascii():
        return ascii_lowercase(host)
    domain = domain_to_ascii(to_scalar_value_string(host), False)
    return domain if domain and not ends_in_a_number(domain) else host


def _shortened(text: str | None) -> str:
    text = text or ""
    return text if len(text) <= _LONGEST else f"{text[:_LONGEST]}…"


def read_by_the_standard(text: str) -> Reading:
    """Return what a browser makes of ``text``.

    Spec: #concept-url-parser
    """
    try:
        record = parse(text)
    except URLParseError as error:
        return Reading(STANDARD, failure=error.reason)
    host = None if record.host is None else str(record.host)
    return reading(STANDARD, record.scheme, host, record.port)


def read_by_the_standard_of_2020(text: str) -> Reading:
    """Return what ``text`` means by the URL Standard of 2020."""
    try:
        record = url_standard_2020.parse(text)
    except LegacyURLError as error:
        return Reading(STANDARD_2020, failure=str(error))
    return reading(STANDARD_2020, record.scheme, host_text(record.host), record.port)


def read_by_rfc_3986(text: str) -> Reading:
    """Return what ``text`` means by RFC 3986, which allows no spaces or letters like "é"."""
    try:
        target = rfc3986.parse(text)
    except LegacyURLError as error:
        return Reading(RFC_3986, failure=str(error))
    digits = (target.port or "").lstrip("0")
    if len(digits) > 5:
        return Reading(RFC_3986, failure="the port is longer than any port")
    port = int(digits) if digits else (0 if target.port else None)
    return reading(RFC_3986, target.scheme, target.host, port)


@attrs.frozen
class Seen:
    """The parts of a URL according to a library.

    ``username`` and ``password`` may be percent-encoded or not.
    """

    __module__ = "weburl.integrations.agreeing"

    scheme: str | None
    host: str | None
    port: int | None
    username: str | None = attrs.field(default=None, repr=False)
    password: str | None = attrs.field(default=None, repr=False)


_Reader: TypeAlias = Callable[[str], Seen]


def look_at_urllib(parts: Any) -> Seen:  # noqa: ANN401  # the stubs have no text for bytes
    """Return the parts in a `SplitResult` or `ParseResult` of text."""
    return Seen(parts.scheme, parts.hostname, parts.port, parts.username, parts.password)


def look_at_httpx(url: Any) -> Seen:  # noqa: ANN401  # it may not be installed
    """Return the parts in a URL of httpx or httpx2. Both connect to its ``raw_host``."""
    username, _, password = url.userinfo.decode("ascii").partition(":")
    return Seen(url.scheme, url.raw_host.decode("ascii"), url.port, username, password)


def look_at_yarl(url: Any) -> Seen:  # noqa: ANN401
    """Return the parts in a `yarl.URL`."""
    return Seen(url.scheme, url.raw_host, url.explicit_port, url.raw_user, url.raw_password)


def _by_urllib(text: str) -> Seen:
    seen = look_at_urllib(urlsplit(text))
    if seen.host is not None and not seen.host.isascii():
        # `socket` encodes a name with IDNA 2003.
        try:
            seen = attrs.evolve(seen, host=idna2003.domain_to_ascii(seen.host))
        except LegacyURLError as error:
            raise ValueError(str(error)) from None
    return seen


def _urllib3() -> _Reader:
    from urllib3.util import parse_url

    def read(text: str) -> Seen:
        found = parse_url(text)
        return Seen(found.scheme, found.host, found.port)

    return read


def _requests() -> _Reader:
    from requests import Request

    read = _urllib3()
    return lambda text: read(Request("GET", text).prepare().url or "")


def _httpx() -> _Reader:
    from httpx import URL

    return lambda text: look_at_httpx(URL(text))


def _yarl() -> _Reader:
    from yarl import URL

    return lambda text: look_at_yarl(URL(text))


@cache
def _readers() -> tuple[tuple[str, _Reader], ...]:
    """Return the readers of installed libraries, with their names; looks for them only once."""
    found: list[tuple[str, _Reader]] = [("urllib.parse", _by_urllib)]
    for name, load in (
        ("urllib3", _urllib3),
        ("requests", _requests),
        ("httpx", _httpx),
        ("yarl", _yarl),
    ):
        try:
            found.append((name, load()))
        except ImportError:
            continue
    return tuple(found)


def read_by_libraries(text: str) -> tuple[Reading, ...]:
    """Return what each library that is installed makes of ``text``, always in one order."""
    return tuple(_read(name, read, text) for name, read in _readers())


def _read(name: str, read: _Reader, text: str) -> Reading:
    try:
        seen = read(text)
    except Exception as error:  # noqa: BLE001  # They raise all kinds: IndexError, UnicodeError
        return Reading(name, failure=type(error).__name__)
    return reading(name, seen.scheme, seen.host, seen.port)


@attrs.frozen
class Readings(FrozenValue):
    """The reading of ``text`` by each reader. Iterating gives a `Reading` for each.

    ``readings``: all of them. ``standard``: the reading of the URL Standard, which is always the
    first.
    """

    __module__ = "weburl"

    text: str = attrs.field(repr=False)
    readings: tuple[Reading, ...]

    def __iter__(self) -> Iterator[Reading]:
        return iter(self.readings)

    def __len__(self) -> int:
        return len(self.readings)

    def __getitem__(self, reader: str) -> Reading:
        """Return the reading of the reader with this name. Raises KeyError for an unknown name."""
        for each in self.readings:
            if each.reader == reader:
                return each
        raise KeyError(reader)

    @property
    def standard(self) -> Reading:
        """The reading of the URL Standard, as in a browser."""
        return self.readings[0]

    @property
    def agree(self) -> bool:
        """Whether the standard's parser accepts the text, and no reader disagrees.

        Readers that refuse the text do not count. False if the text was too long for the other
        readers.
        """
        return (
            self.standard.failure is None and not self.disagreeing and len(self.text) <= MAX_LENGTH
        )

    @property
    def disagreeing(self) -> tuple[Reading, ...]:
        """The readings that have another scheme, host or port than the standard's reading.

        This is empty if the text is not a URL by the standard, because there is nothing to compare
        with.
        """
        if self.standard.failure is not None:
            return ()
        expected = _place(self.standard)
        return tuple(
            each for each in self.readings if each.failure is None and _place(each) != expected
        )

    @property
    def summary(self) -> str:
        """One line: where the URL leads by the standard, and by each reader that disagrees."""
        if len(self.text) > MAX_LENGTH:
            return f"it is longer than {MAX_LENGTH} characters"
        return ", ".join(map(str, (self.standard, *self.disagreeing)))


def _place(reading: Reading) -> tuple[str | None, str | None, int | None]:
    return reading.scheme, reading.host, reading.port


def readings(text: AnyURL) -> Readings:
    """Return the scheme, host and port that each reader finds in ``text``.

    The readers are the URL Standard, the URL Standard of 2020, RFC 3986, Python's ``urllib.parse``,
    and whichever of urllib3, requests, httpx and yarl are installed. Text of more than 8,192 code
    points is read by today's standard only. So is a link that is so plain that all readers read it
    alike. The text of a record is its href. Raises TypeError for other types.

    Spec: #concept-url-parser
    """
    text = text_of(text)
    standard = read_by_the_standard(text)
    others = (STANDARD_2020, RFC_3986, *(name for name, _read in _readers()))
    if len(text) > MAX_LENGTH:
        found = tuple(Reading(name, failure="not asked: the text is too long") for name in others)
    elif is_plain_link(text):
        found = tuple(Reading(name, *_place(standard)) for name in others)
    else:
        of_standards = read_by_the_standard_of_2020(text), read_by_rfc_3986(text)
        found = (*of_standards, *read_by_libraries(text))
    return Readings(text, (standard, *found))
