"""Conversions from and to URLs of other libraries never silently give another URL."""

from __future__ import annotations

import re
import sys
from collections.abc import Callable
from typing import Any, NamedTuple
from urllib.parse import urlparse, urlsplit

import httpx
import httpx2
import pydantic
import pytest
import rfc3986
import yarl
from hypothesis import given, settings
from hypothesis import strategies as st

import weburl
from weburl import URLRecord, parse
from weburl.integrations.agreeing import URLConversionError
from weburl.integrations.httpx import from_httpx, to_httpx
from weburl.integrations.httpx2 import from_httpx2, to_httpx2
from weburl.integrations.pydantic_urls import from_pydantic, to_pydantic
from weburl.integrations.rfc3986 import from_rfc3986, to_rfc3986
from weburl.integrations.urllib import from_urllib, to_urllib
from weburl.integrations.yarl import from_yarl, to_yarl
from weburl.policies.readers import reading
from weburl.standard.url.record import AnyURL
from weburl.testing import hostile_texts, url_texts, urls

SECRET = "s3cret"


class Library(NamedTuple):
    """Two conversions, the library's constructor, and a function that returns its host in ASCII."""

    to: Callable[[AnyURL], Any]
    back: Callable[[Any], URLRecord]
    make: Callable[[str], Any]
    host: Callable[[Any], str | None]


LIBRARIES = {
    "yarl": Library(to_yarl, from_yarl, yarl.URL, lambda url: url.raw_host),
    "httpx": Library(to_httpx, from_httpx, httpx.URL, lambda url: url.raw_host.decode()),
    "httpx2": Library(to_httpx2, from_httpx2, httpx2.URL, lambda url: url.raw_host.decode()),
    "pydantic": Library(to_pydantic, from_pydantic, pydantic.AnyUrl, lambda url: url.host),
    "urlsplit": Library(to_urllib, from_urllib, urlsplit, lambda url: url.hostname),
    "urlparse": Library(to_urllib, from_urllib, urlparse, lambda url: url.hostname),
    "bytes": Library(
        to_urllib, from_urllib, lambda text: urlsplit(text.encode()), lambda url: str(url.hostname)
    ),
    "rfc3986": Library(to_rfc3986, from_rfc3986, rfc3986.uri_reference, lambda url: url.host),
}
each_library = pytest.mark.parametrize("library", LIBRARIES.values(), ids=LIBRARIES)


def one_form(host: str | None) -> str | None:
    """Return a host in the form in which readings are compared."""
    return reading("", "foo", host, None).host


@each_library
@pytest.mark.parametrize(
    "text",
    [
        "https://example.com/",
        "https://user:pass@www.example.com:8443/a/b?c=d#e",
        "https://bücher.example/ä?ö#ü",
        "http://127.0.0.1:80/",
        "http://[::1]:8080/",
        "https://u%40:p%3A@h/",
    ],
)
def test_ordinary_urls_go_there_and_back(library: Library, text: str) -> None:
    """Converting a record and converting the result back gives the same record."""
    record = parse(text)
    there = library.to(record)
    assert library.back(there) == record
    made = library.make(record.href)
    assert library.back(made) == record
    assert type(there) is type(made) or library is not LIBRARIES["yarl"]


@each_library
def test_a_url_of_another_library_is_refused_with_the_name_of_its_conversion(
    library: Library,
) -> None:
    """Functions that take a URL refuse it, and so does a pydantic field."""
    url = library.make("https://example.com/")
    call = f"weburl.integrations.{library.back.__module__.split('.')[-1]}.{library.back.__name__}"
    for read in (parse, weburl.canonicalize, pydantic.TypeAdapter(URLRecord).validate_python):
        with pytest.raises((TypeError, ValueError), match=re.escape(f"write {call}(url)")):
            read(url)


@each_library
@settings(max_examples=150, deadline=None)
@given(record=urls())
def test_a_record_becomes_the_same_url_or_an_error(library: Library, record: URLRecord) -> None:
    """The library sees the same host, in ASCII."""
    try:
        url = library.to(record)
    except URLConversionError:
        return
    host = None if record.host is None else str(record.host)
    seen = url.hostname if library.to is to_urllib else library.host(url)
    assert one_form(seen) == one_form(host)


@each_library
@settings(max_examples=150, deadline=None)
@given(text=st.one_of(url_texts(), hostile_texts(max_length=300)))
def test_any_text_of_theirs_becomes_the_same_url_or_an_error(library: Library, text: str) -> None:
    """The text is anything that the library's constructor accepts."""
    try:
        url = library.make(text)
    except Exception:  # noqa: BLE001  # They raise what they like.
        return
    try:
        record = library.back(url)
    except URLConversionError:
        return
    if isinstance(url.hostname if hasattr(url, "hostname") else "", bytes):
        url = url.decode()
    host = None if record.host is None else str(record.host)
    assert one_form(library.host(url) if url else None) in (one_form(host), "none")


CONFUSIONS = [
    (from_urllib, urlsplit("http://evil.example\\@good.example/")),
    (from_urllib, urlsplit("http://0x7f.1/")),
    (from_urllib, urlsplit("https://exa%6Dple.com/")),
    (from_rfc3986, rfc3986.uri_reference("http://1.2.3/")),
    (from_yarl, yarl.URL("/a")),
    (from_httpx, httpx.URL("a")),
    (from_httpx2, httpx2.URL("a")),
    (from_rfc3986, rfc3986.uri_reference("//h/")),
]


@pytest.mark.parametrize(("back", "url"), CONFUSIONS)
def test_another_reading_is_an_error(back: Callable[[Any], URLRecord], url: Any) -> None:
    """Examples are published attacks, other spellings of addresses, and relative references."""
    with pytest.raises(URLConversionError):
        back(url)


def test_the_message_names_the_hosts_and_no_credentials() -> None:
    """Messages of errors end up in logs."""
    with pytest.raises(URLConversionError) as caught:
        from_urllib(urlsplit(f"http://user:{SECRET}@0x7f.1/"))
    assert str(caught.value) == (
        "urllib.parse and the URL Standard read different hosts: '0x7f.1' and '127.0.0.1'"
    )
    assert caught.value.__cause__ is None
    for text in (f"http://u:{SECRET}@a b/", f"http://u:{SECRET}@a\\@b/"):
        with pytest.raises(URLConversionError) as caught:
            from_urllib(urlsplit(text))
        assert SECRET not in str(caught.value)


@pytest.mark.parametrize("library", ["yarl", "httpx", "httpx2", "pydantic", "urlsplit", "rfc3986"])
def test_a_url_in_any_form_is_converted(library: str) -> None:
    """Values of other types raise TypeError."""
    to = LIBRARIES[library].to
    record = weburl.parse("https://h/a")
    assert str(to("https://h/a")) == str(to(weburl.URL(record))) == str(to(record))
    with pytest.raises(TypeError, match="a URL must be text, a URLRecord or a URL"):
        to(b"https://h/")  # type: ignore[arg-type]


@pytest.mark.skipif(sys.version_info < (3, 15), reason="urlsplit has missing_as_none since 3.15")
@pytest.mark.parametrize("split", [urlsplit, urlparse])
@pytest.mark.parametrize(
    "text",
    [
        "https://example.com/?",
        "https://example.com/#",
        "https://example.com/a?#",
        "https://u:p@example.com:8080/",
        "mailto:a@b",
        "file:///a",
    ],
)
def test_a_result_of_urllib_with_none_for_missing_parts_keeps_empty_parts(
    split: Callable[..., Any], text: str
) -> None:
    """An empty query is not the same as no query."""
    assert from_urllib(split(text, missing_as_none=True)).href == text
    assert from_urllib(split(text.encode(), missing_as_none=True)).href == text
