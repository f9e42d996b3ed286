"""Canonical hrefs for the tests of parts, and what Python says of their parts."""

from __future__ import annotations

import ipaddress
from collections.abc import Iterable
from typing import Any

from django.db import connection, models

import weburl
from tests.wpt import load_cases
from weburl import URLRecord

PARTS = (
    "scheme",
    "username",
    "host",
    "hostname",
    "port",
    "path",
    "query",
    "fragment",
    "origin",
)
"""The parts that a URL column can be asked for."""

PARSEABLE_IN_WPT = 624
DISTINCT_IN_WPT = 471

# What web-platform-tests leaves out: brackets, colons and slashes where they could mislead SQL.
MISLEADING = (
    "https://u:p@[::1]:8080/]:9?[#@",
    "https://example.com/@[::1]:80/?a@b:1#c@d:2/e?f",
    "https://example.com?/@:#/",
    "https://user@example.com:444?@:1",
    "foo://u:p@HOST:1?q/@x:2",
    "foo://[::1]?x",
    "foo://h#f?/",
    "https://admin:12345secret@example.com/",
    "foo://x:0@h/p",
    "foo://x:443@h:1#@",
    "https://u:80@[::1]/",
    "foo:///p?",
    "foo://",
    "foo://?",
    "foo:/.//p//q?#",
    "foo:/..//p",
    "foo://h//p",
    "foo:o//p:1@x?",
    "foo:o#?//h",
    "mailto:a@b.example?subject=c://d/e",
    "file:///C:/a?b#c",
    "file://host/C:/",
    "ws://h?",
    "wss://h:1#",
    "ftp://u@h:0/",
    "http://h:65535/?",
    'foo://a"b.c{d}/',
    "blob:https://example.com:81/1-2-3",
    "data:text/plain,a b?c#d",
    "https://a.b.c.d.e.f.g.h.i.j.k.example.com/",
    "https://a..b/",
    "https://example.com./",
    "https://127.0.0.1:81/",
)


def wpt_hrefs() -> list[str]:
    """Return the hrefs of every input of web-platform-tests that parses, each once and sorted."""
    found = [
        weburl.canonicalize(case["input"], case.get("base"))
        for case in load_cases("urltestdata.json")
        if weburl.can_parse(case["input"], case.get("base"))
    ]
    assert len(found) >= PARSEABLE_IN_WPT
    hrefs = sorted(set(found))
    assert len(hrefs) >= DISTINCT_IN_WPT
    return hrefs


def misleading_hrefs() -> list[str]:
    """Return the hrefs of `MISLEADING`."""
    return [weburl.canonicalize(text) for text in MISLEADING]


def parts_of(record: URLRecord) -> dict[str, Any]:
    """Return what Python says of a URL's parts, as SQL says it: None for NULL."""
    host = None if record.host is None else str(record.host)
    # SQL cannot parse the path of a blob URL.
    has_origin = record.origin != "null" and record.scheme != "blob"
    return {
        "scheme": record.scheme,
        "username": record.username,
        "host": host,
        "hostname": host or "",
        "port": record.port,
        "path": record.path_text,
        "query": record.query,
        "fragment": record.fragment,
        "origin": record.origin if has_origin else None,
    }


def insert(model: type[models.Model], hrefs: Iterable[str]) -> None:
    """Store many hrefs in the column ``url``, past the ORM."""
    table = connection.ops.quote_name(model._meta.db_table)
    with connection.cursor() as cursor:
        cursor.executemany(f"INSERT INTO {table} (url) VALUES (%s)", [(href,) for href in hrefs])


def is_under(url: URLRecord, base: URLRecord) -> bool:
    """Return whether a URL lies under another: all up to the path the same, and the path."""
    return (
        not url.has_opaque_path
        and not base.has_opaque_path
        and (url.scheme, url.username, url.password) == (base.scheme, base.username, base.password)
        and (url.host, url.port) == (base.host, base.port)
        and is_path_under(url.path_text, base.path_text)
    )


def is_path_under(path: str, base: str) -> bool:
    """Return whether a path is another, or lies below it."""
    return path == base or path.startswith(base if base.endswith("/") else f"{base}/")


def is_host_under(host: str | None, base: str | None) -> bool:
    """Return whether a host is another, or one of its subdomains; an address has none."""
    if host is None or base is None:
        return False
    if base == "":
        return host == ""
    return host == base or (host.endswith(f".{base}") and not _is_address(base))


def _is_address(host: str) -> bool:
    try:
        return str(ipaddress.IPv4Address(host)) == host
    except ValueError:
        return host.startswith("[")
