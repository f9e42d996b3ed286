"""A value of each class that the integrations write as text, and classes that hold some.

Their annotations are no strings, which cattrs does not resolve everywhere.
"""

import dataclasses
from typing import Any, Final

import attrs
import msgspec
import pytest

import weburl
import weburl.integrations.msgspec
from weburl import Domain, URLRecord

SECRET: Final = "hunter2"
VALUES: Final[tuple[Any, ...]] = (
    weburl.parse(f"https://user:{SECRET}@example.com:8080/a?b#c"),
    weburl.Domain("xn--bcher-kva.example"),
    weburl.IPv4Address(5),
    weburl.IPv6Address(5),
    weburl.OpaqueHost("a%20b"),
    weburl.EmptyHost(),
    weburl.origin_of(weburl.parse("https://example.com:8080")),
    weburl.OpaqueOrigin(),
    weburl.obtain_a_site(weburl.parse("https://www.example.com")),
    weburl.RelativeReference("../a?b=%c3#d"),
)
each_value = pytest.mark.parametrize("value", VALUES, ids=lambda value: type(value).__name__)


@attrs.frozen
class AttrsLink:
    """An attrs class with URLs."""

    url: URLRecord
    host: Domain
    home: URLRecord | None = None


@dataclasses.dataclass
class DataLink:
    """A dataclass with URLs."""

    url: URLRecord
    host: Domain
    home: URLRecord | None = None


class StructLink(msgspec.Struct):
    """A msgspec class with a URL, as `weburl.integrations.msgspec` declares it."""

    url: weburl.integrations.msgspec.URLRecord
    host: weburl.integrations.msgspec.Domain
    home: weburl.integrations.msgspec.URLRecord | None = None
