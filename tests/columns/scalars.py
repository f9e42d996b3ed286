"""What the functions of `weburl.columns` have to give: the same as those for one text."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Callable, Sequence
from typing import Any, Final

import pyarrow as pa

import weburl
from tests.reference.hosts import host_parser, host_serializer
from tests.reference.outcomes import ErrorLog, Failure
from weburl import URLRecord, columns
from weburl.html import PageLink
from weburl.keys import KeyRules, surt, url_key
from weburl.lookalikes import ProtectedNames
from weburl.public_suffix import packaged_list, using_list

KINDS: Final = {
    weburl.Domain: "domain",
    weburl.IPv4Address: "ipv4",
    weburl.IPv6Address: "ipv6",
    weburl.OpaqueHost: "opaque",
    weburl.EmptyHost: "empty",
}

# Rows that are hard to read, hard to write, or no URLs.
TEXTS: Final = [
    "HTTPS://User:Secret@Example.com:443/a/../b?q=1&q=2#f",
    "http://[::1",
    None,
    "https://b.example.co.uk:8080/\u00e9?q=%2C",
    'data:text/html,"quoted", \u201ctext\u201d',
    "mailto:you@example.com",
    "//relative",
    " https://h/with\ttab\nand line ",
    "https://h/\x00",
    "file:///C|/x",
    "https://\u202eexample.com/",
    "x" * 20_000,
    "https://h/" + "\U0001f600" * 5_000,
    "http://0x7f.1/",
]


def record_or_none(text: str | None, base: str | None = None) -> URLRecord | None:
    """Return the record of a text; None for what does not parse, and for None."""
    if text is None:
        return None
    try:
        return weburl.parse(text, base)
    except weburl.URLParseError:
        return None


def failure(text: str | None, base: str | None = None) -> str | None:
    """Return the name of the failure of a text; None for what parses, and for None."""
    found = None if text is None else weburl.check(text, base).failure
    return None if found is None else str(found.type)


def _host(record: URLRecord) -> str | None:
    return None if record.host is None else str(record.host)


def parts(record: URLRecord) -> dict[str, str | int | None]:
    """Return the parts of a record."""
    return {
        "scheme": record.scheme,
        "username": record.username,
        "password": record.password,
        "host": _host(record),
        "host_kind": None if record.host is None else KINDS[type(record.host)],
        "port": record.port,
        "path": record.path_text,
        "query": record.query,
        "fragment": record.fragment,
    }


def registrable_domain(record: URLRecord) -> str | None:
    """Return the registrable domain of a record's host as text."""
    found = None if record.host is None else record.host.registrable_domain
    return None if found is None else str(found)


def without_private(record: URLRecord) -> str | None:
    """Return the registrable domain by the list without its private section."""
    with using_list(packaged_list(private=False)):
        return registrable_domain(record)


def look_alike(record: URLRecord) -> str | None:
    """Return which name a record's host looks like."""
    found = None if record.host is None else NAMES.looks_like(record.host)
    return None if found is None else found.name


def search_param(record: URLRecord) -> str | None:
    """Return the first value of the name "q"."""
    return weburl.URLSearchParams(f"?{record.query or ''}").get("q")


def search_params(record: URLRecord) -> list[tuple[str, list[str]]]:
    """Return each name in the query with its values, as Arrow gives maps."""
    params = weburl.URLSearchParams(f"?{record.query or ''}")
    return [(name, params.get_all(name)) for name in dict.fromkeys(name for name, _ in params)]


def key_hash(record: URLRecord, rules: KeyRules | None = None) -> int:
    """Return the first 64 bits of the SHA-256 of the key, as a signed number."""
    number = int(
        hashlib.sha256(url_key(record, rules or KeyRules.page()).encode()).hexdigest()[:16], 16
    )
    return number - (1 << 64 if number >> 63 else 0)


def path_depth(record: URLRecord) -> int:
    """Return the number of segments, without an empty one at the end."""
    segments = [] if record.has_opaque_path else record.path_text.split("/")[1:]
    return len(segments) - (segments[-1:] == [""])


# --- bare hosts, by the literal reading of the standard ------------------------------------------


def host(text: str | None) -> str | None:
    """Return the canonical host of a text, None for what is none, and for None."""
    prepared = "" if text is None else re.sub("[\t\n\r]", "", text)
    found = host_parser(prepared, False, ErrorLog(None)) if prepared else None
    return None if found is None or isinstance(found, Failure) else host_serializer(found)


def refusal(text: str | None) -> str | None:
    """Return the first reason why `POLICY` does not allow a text; None if it does, and for None."""
    record = record_or_none(text)
    if record is None:
        return failure(text)
    return next((violation.code for violation in POLICY.check(record)), None)


def is_ip(text: str | None) -> bool | None:
    """Return whether a host is an address."""
    found = host(text)
    return None if found is None else found[-1] == "]" or found.replace(".", "").isdigit()


def of_domain(text: str | None, name: str) -> str | None:
    """Return a property of the domain of a host as text; None for addresses."""
    found = host(text)
    if found is None or is_ip(text):
        return None
    value = getattr(weburl.Domain(found), name)
    return None if value is None else str(value)


def subdomain(text: str | None) -> str | None:
    """Return the labels before the registrable domain of a host."""
    found, registrable = host(text), of_domain(text, "registrable_domain")
    if found is None or registrable is None:
        return None
    return ".".join(found.split(".")[: -len(registrable.split("."))])


def as_row(link: PageLink) -> dict[str, Any]:
    """Return everything about a link of a page."""
    return {
        "href": None if link.record is None else link.record.href,
        "kind": str(link.kind),
        "element": link.element,
        "attribute": link.attribute,
        "input": link.input,
        "text": link.text,
        "rel": " ".join(link.rel) or None,
        "target": link.target,
        "line": link.line,
        "column": link.column,
        "error": None if link.error is None else str(link.error.type),
    }


PATTERN: Final = weburl.URLPattern("http{s}?://{*.}?:name.:suffix/:first/*\\?*#*")

NAMES: Final = ProtectedNames(["example.org", "a.example"])
HOSTS: Final = weburl.HostList(
    ["example.com", ".example.org", "*.example.net", "127.0.0.1", "[::1]", ".com", "b\u00fccher.de"]
)

POLICY: Final = weburl.URLPolicy(
    schemes=["http", "https", "file", "foo", "blob"],
    refused_hosts=HOSTS,
    ports=[80, 443, 8080],
    credentials=False,
    fragments=False,
    max_length=60,
    ip_hosts=False,
    single_labels=False,
    public_suffixes=False,
)

OfRecord = Callable[[URLRecord], Any]
OfColumn = Callable[[Any], Any]

# Each function, and what it has to give for a record.
FUNCTIONS: Final[dict[str, tuple[OfColumn, OfRecord]]] = {
    "canonicalize": (columns.canonicalize, lambda record: record.href),
    "parse": (columns.parse, parts),
    "host": (columns.host, _host),
    "origin": (columns.origin, lambda record: record.origin),
    "registrable_domain": (columns.registrable_domain, registrable_domain),
    "without private": (
        lambda urls: columns.registrable_domain(urls, private=False),
        without_private,
    ),
    "site": (columns.site, lambda record: str(weburl.obtain_a_site(record))),
    "render": (columns.render, weburl.render),
    "render in 20": (
        lambda urls: columns.render(urls, max_length=20, omit_scheme="https"),
        lambda record: weburl.render(record, max_length=20, omit_scheme="https"),
    ),
    "search_param": (lambda urls: columns.search_param(urls, "q"), search_param),
    "search_params": (columns.search_params, search_params),
    "matches": (lambda urls: columns.matches(urls, PATTERN), PATTERN.test),
    "in_host_list": (
        lambda urls: columns.in_host_list(urls, HOSTS),
        lambda record: record.host in HOSTS,
    ),
    "lookalikes": (lambda urls: columns.lookalikes(urls, NAMES), look_alike),
    "path_segments": (columns.path_segments, lambda record: list(record.segments)),
    "path_depth": (columns.path_depth, path_depth),
    "file_name": (columns.file_name, lambda record: record.name),
    "file_extension": (columns.file_extension, lambda record: record.suffix),
    "key": (columns.key, lambda record: url_key(record, KeyRules.page())),
    "key_hash": (columns.key_hash, key_hash),
    "surt": (columns.surt, surt),
    "without_query_params": (
        lambda urls: columns.without_query_params(urls, "q", prefixes="utm_"),
        lambda record: record.without_query_params("q", prefixes="utm_").href,
    ),
    "scheme": (lambda urls: columns.part(urls, "scheme"), lambda record: record.scheme),
    "username": (lambda urls: columns.part(urls, "username"), lambda record: record.username),
    "password": (lambda urls: columns.part(urls, "password"), lambda record: record.password),
    "host_kind": (
        lambda urls: columns.part(urls, "host_kind"),
        lambda record: parts(record)["host_kind"],
    ),
    "port": (lambda urls: columns.part(urls, "port"), lambda record: record.port),
    "path": (lambda urls: columns.part(urls, "path"), lambda record: record.path_text),
    "query": (lambda urls: columns.part(urls, "query"), lambda record: record.query),
    "fragment": (lambda urls: columns.part(urls, "fragment"), lambda record: record.fragment),
}


NOT_TEXT: Final = (
    "parse",
    "port",
    "host_kind",
    "path_depth",
    "path_segments",
    "search_params",
    "matches",
    "in_host_list",
    "key_hash",
)
"""Those of them that give no text."""

# The functions of a text, which also answer for what does not parse.
OF_TEXT: Final[dict[str, tuple[OfColumn, Callable[[str | None], Any]]]] = {
    "can_parse": (
        columns.can_parse,
        lambda text: None if text is None else weburl.can_parse(text),
    ),
    "check": (columns.check, failure),
    "allowed": (
        lambda urls: columns.allowed(urls, POLICY),
        lambda text: None if text is None else POLICY.allows(text),
    ),
    "refusal": (lambda urls: columns.refusal(urls, POLICY), refusal),
    "canonical_host": (columns.canonical_host, host),
    "is_ip": (columns.is_ip, is_ip),
    "host_in_host_list": (
        lambda hosts: columns.host_in_host_list(hosts, HOSTS),
        lambda text: None if (found := host(text)) is None else found in HOSTS,
    ),
    "registrable_domain_of_host": (
        columns.registrable_domain_of_host,
        lambda text: of_domain(text, "registrable_domain"),
    ),
    "public_suffix": (columns.public_suffix, lambda text: of_domain(text, "public_suffix")),
    "subdomain": (columns.subdomain, subdomain),
}


def same_site(text: str, other: str) -> bool | None:
    """Return whether two URLs have the same site; None if one does not parse."""
    first, second = record_or_none(text), record_or_none(other)
    return None if first is None or second is None else weburl.same_site(first, second)


def value_of_param(text: str, name: str) -> str | None:
    """Return the first value of a name in the query of a URL."""
    record = record_or_none(text)
    return None if record is None else weburl.URLSearchParams(f"?{record.query or ''}").get(name)


def matches(text: str, other: str) -> bool | None:
    """Return whether a URL matches the pattern that `pattern_for` makes of another text."""
    record = record_or_none(text)
    return None if record is None else weburl.URLPattern(pattern_for(other)).test(record)


def pattern_for(text: str) -> str:
    """Return a pattern made of a text: of its host if it is a URL, else of its length."""
    record = record_or_none(text)
    host = None if record is None else _host(record)
    # The fixed part of a pattern that ends in a number is read as an IPv4 address.
    if host and re.fullmatch(r"(?:[a-z0-9-]*\.)*[a-z][a-z0-9-]*", host):
        return f"*://{{*.}}?{host}:*/*"
    return ["*://*:*/*", "https://*/:name", "http{s}?://*.com/*\\?*#*", "*:*"][len(text) % 4]


def matches_any(urls: Any, others: Any) -> Any:
    """Return the answers of `columns.matches` for the patterns made of other texts."""
    patterns = [None if text is None else pattern_for(text) for text in others.to_pylist()]
    return columns.matches(urls, pa.array(patterns, pa.string()))


# Those that take a base, and what each has to give for a text and a base that are both there.
ON_BASES: Final[dict[str, tuple[Callable[[Any, Any], Any], Callable[[str, str], Any]]]] = {
    "canonicalize": (columns.canonicalize, lambda text, base: _of(text, base, "href")),
    "resolve": (columns.resolve, lambda text, base: _of(text, base, "href")),
    "can_parse": (columns.can_parse, weburl.can_parse),
    "check": (columns.check, failure),
    "parse": (columns.parse, lambda text, base: _of(text, base, "parts")),
    "same_site": (columns.same_site, same_site),
    "matches": (matches_any, matches),
    "search_param": (columns.search_param, value_of_param),
}

TWINS: Final = {
    "allowed": "URLPolicy.allows",
    "can_parse": "can_parse",
    "canonical_host": "Host",
    "canonicalize": "canonicalize",
    "check": "check",
    "file_extension": "URLRecord.suffix",
    "file_name": "URLRecord.name",
    "host": "URLRecord.host",
    "host_in_host_list": "HostList",
    "in_host_list": "HostList",
    "is_ip": "Host",
    "lookalikes": "lookalikes.ProtectedNames.looks_like",
    "key": "keys.url_key",
    "key_hash": "keys.url_key",
    "matches": "URLPattern.test",
    "origin": "URLRecord.origin",
    "parse": "parse",
    "part": "URLRecord",
    "path_depth": "URLRecord.segments",
    "path_segments": "URLRecord.segments",
    "public_suffix": "Domain.public_suffix",
    "refusal": "URLPolicy.check",
    "registrable_domain": "Domain.registrable_domain",
    "registrable_domain_of_host": "Domain.registrable_domain",
    "render": "render",
    "resolve": "URLRecord.join",
    "same_site": "same_site",
    "search_param": "URLSearchParams.get",
    "search_params": "URLSearchParams.get_all",
    "site": "obtain_a_site",
    "subdomain": "Domain.registrable_domain",
    "surt": "keys.surt",
    "without_query_params": "URLRecord.without_query_params",
}
"""What does for one text or one record what each function does for a column, in `weburl`."""


def _of(text: str, base: str, wanted: str) -> Any:
    record = record_or_none(text, base)
    if record is None:
        return None
    return record.href if wanted == "href" else parts(record)


def as_map(name: str, answer: Any) -> Any:
    """Return an answer as a dict if it is a map, which each engine has in its own way."""
    if not name.endswith("search_params") or not isinstance(answer, list):
        return answer
    return dict(tuple(pair.values()) if isinstance(pair, dict) else pair for pair in answer)


def compared() -> set[str]:
    """Return the names of the functions whose answers are compared with those for one text."""
    by_part = set(parts(weburl.parse("https://h"))) <= set(FUNCTIONS)
    return {*FUNCTIONS, *OF_TEXT, *ON_BASES, *(["part"] if by_part else [])}


def expected(name: str, texts: Sequence[str | None]) -> list[Any]:
    """Return what the function ``name`` has to give for each text."""
    of_record = FUNCTIONS[name][1]
    records = map(record_or_none, texts)
    return [None if record is None else of_record(record) for record in records]


def differences(texts: Sequence[str | None]) -> list[tuple[str, str | None, Any, Any]]:
    """Return where a function gives something else than the one for one text."""
    urls = pa.array(texts, pa.string())
    answers = {name: (function(urls), expected(name, texts)) for name, (function, _) in _all()}
    for name, (function, of_text) in OF_TEXT.items():
        answers[name] = (function(urls), [of_text(text) for text in texts])
    found = []
    for name, (array, wanted) in answers.items():
        array.validate(full=True)
        for text, got, want in zip(texts, array.to_pylist(), wanted, strict=True):
            if got != want or type(got) is not type(want):
                found.append((name, text, got, want))
    return found


def _all() -> Sequence[tuple[str, tuple[OfColumn, OfRecord]]]:
    return list(FUNCTIONS.items())


def differences_with_bases(
    texts: Sequence[str | None], bases: Sequence[str | None]
) -> list[tuple[Any, ...]]:
    """Return where a text on a base gives something else than for one text and base."""
    urls, of_bases = pa.array(texts, pa.string()), pa.array(bases, pa.string())
    found = []
    for name, (function, of_text) in ON_BASES.items():
        got = function(urls, of_bases).to_pylist()
        for text, base, answer in zip(texts, bases, got, strict=True):
            want = None if text is None or base is None else of_text(text, base)
            if answer != want or type(answer) is not type(want):
                found.append((name, text, base, answer, want))
    return found
