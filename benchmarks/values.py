"""What programs do with values and errors: keep, copy, pickle, compare, subclass, and forget them.

`benchmarks.leaks` runs these tasks beside those of `benchmarks.complexity`, each of which calls one
function with a text.
"""

from __future__ import annotations

import copy
import os
import pickle
import tempfile
from collections.abc import Callable, Iterator
from contextlib import suppress
from pathlib import Path
from threading import Thread
from typing import Any, Final

import weburl
from benchmarks.complexity import Task, utf8
from weburl import URL, URLParseError, URLRecord, URLSearchParams
from weburl.public_suffix import (
    current_list,
    packaged_list,
    parse_list,
    read_list,
    use_list,
    using_list,
)

BASE: Final = weburl.parse("http://user@host:8080/a/b?c#d")
_PAGE: Final = weburl.parse("https://example.com/a/page?x#y")


class OwnURL(URL):
    """A subclass with attributes of its own, whose instances refer to themselves."""

    def __init__(self, text: str) -> None:
        super().__init__(text)
        self.me: OwnURL = self


class OwnParams(URLSearchParams):
    """The same for params."""

    def __init__(self, text: str) -> None:
        super().__init__(text)
        self.me: OwnParams = self


class OwnDomain(weburl.Domain):
    """A subclass of a value."""


class OwnError(URLParseError):
    """A subclass of the error."""


def value_tasks() -> Iterator[Task]:
    """Yield what is done with values, with errors, and with what others of these were made of."""
    yield from _with_a_base()
    yield from _made()
    yield from _copied()
    yield from _compared()
    yield from _subclassed()
    yield from _refused()
    yield from _left_early()
    yield from _of_hosts_and_lists()
    yield from _of_pages()
    yield from _of_history()
    yield from _for_other_code()
    yield from _of_columns()


def _with_a_base() -> Iterator[Task]:
    yield Task("parse with a base", lambda text: weburl.parse(text, BASE))
    yield Task("parse with a text as the base", lambda text: weburl.parse("../x?y", text))
    yield Task("can_parse with a base", lambda text: weburl.can_parse(text, BASE))
    yield Task("canonicalize with a base", lambda text: weburl.canonicalize(text, BASE))
    yield Task("check with a base", lambda text: weburl.check(text, BASE).errors)
    yield Task("is_valid_url_string with a base",
               lambda text: weburl.is_valid_url_string(text, BASE))  # fmt: skip
    yield Task("URL with a base", lambda text: URL(text, BASE).href)
    yield Task("URL.parse", lambda text: URL.parse(text, BASE))
    yield Task("URL.can_parse", lambda text: URL.can_parse(text, BASE))


def _made() -> Iterator[Task]:
    yield Task("URLRecord", _record_by_hand, takes_url=False)
    yield Task("Domain", lambda text: weburl.Domain(text).to_unicode(), takes_url=False)
    yield Task("OpaqueHost", lambda text: str(weburl.OpaqueHost(text)), takes_url=False)
    yield Task("IPv4Address", lambda text: str(weburl.IPv4Address(hash(text) % (1 << 32))))
    yield Task("IPv6Address", lambda text: str(weburl.IPv6Address(hash(text) ** 2)))
    yield Task("EmptyHost", lambda _: weburl.EmptyHost())
    yield Task("Scheme", lambda text: weburl.Scheme(name=text, default_port=1), takes_url=False)
    yield Task("default_port", weburl.default_port, takes_url=False)
    yield Task("TupleOrigin, SchemeAndHost", _origins_by_hand, takes_url=False)
    yield Task("OpaqueOrigin", lambda _: weburl.OpaqueOrigin() == weburl.OpaqueOrigin())
    yield Task("URL and its search_params", _changed_by_params, takes_url=False)
    yield Task("URLSearchParams of a dict", _params_of_pairs, takes_url=False)
    yield Task("URLPolicy", _policy_by_hand, takes_url=False)


def _record_by_hand(text: str) -> object:
    return URLRecord(scheme="https", host=weburl.Domain("h.example"), path=(text,)).href


def _origins_by_hand(text: str) -> object:
    host = weburl.Domain(text)
    origin = weburl.TupleOrigin("https", host, None)
    site = weburl.SchemeAndHost("https", host)
    return weburl.same_origin(origin, origin), weburl.obtain_a_site(origin) == site, str(site)


def _changed_by_params(text: str) -> object:
    url = URL(f"https://h/?{text}")
    params = url.search_params
    params.append("a", text)
    params["b"] = "c"
    url.search = text
    return params.size, url.href, url.search_params is params


def _params_of_pairs(text: str) -> object:
    params = URLSearchParams({text: text, "a": "b"})
    other = URLSearchParams.from_bytes(text.encode("utf-8", "replace"))
    return params == other, dict(params), list(other.keys()), list(other.values()), repr(params)


def _policy_by_hand(text: str) -> object:
    policy = weburl.URLPolicy(hosts=[text], schemes=["https"])
    both = policy & weburl.URLPolicy.public_link()
    return both.check("https://example.com/"), repr(both), hash(policy)


def _values_of(text: str) -> tuple[Any, ...]:
    """Return values of every kind that are made from one text."""
    record = weburl.parse(text, BASE)
    origin = weburl.origin_of(record)
    return (
        record,
        record.host,
        URL(record),
        dict(record.query_params),
        URLSearchParams(record.query or ""),
        # An opaque origin cannot be copied.
        *([origin, weburl.obtain_a_site(origin)] if isinstance(origin, weburl.TupleOrigin) else []),
        weburl.check(text, BASE),
    )


def _copied() -> Iterator[Task]:
    yield Task("pickled", lambda text: pickle.loads(pickle.dumps(_values_of(text))))
    yield Task("copied", lambda text: [copy.copy(value) for value in _values_of(text)])
    yield Task("copied deeply", lambda text: copy.deepcopy(_values_of(text)))
    yield Task("errors pickled and copied", _copied_errors)
    pattern = weburl.URLPattern("https://*.example/:name")
    rules = weburl.URLPolicy.webhook(), weburl.HostList(["a.example"]), pattern
    yield Task("rules pickled and copied", lambda _: (
        pickle.loads(pickle.dumps(rules)), copy.deepcopy(rules)))  # fmt: skip


def _copied_errors(text: str) -> object:
    try:
        return weburl.parse(f"https://[{text}")
    except URLParseError as error:
        return pickle.loads(pickle.dumps(error)), copy.deepcopy(error), repr(error), str(error)


def _compared() -> Iterator[Task]:
    yield Task("hashed and compared", _hashed)
    yield Task("compared with text", lambda text: (weburl.parse(text) == text, text == BASE))
    yield Task("in a set of records", lambda text: {BASE, weburl.parse(text), URL(text).record})
    yield Task("sorted", lambda text: sorted([weburl.parse(text), BASE], key=str))
    yield Task("same_origin, same_site", lambda text: (
        weburl.same_origin(text, BASE), weburl.same_site(text, BASE)))  # fmt: skip


def _hashed(text: str) -> object:
    values = _values_of(text)
    again = _values_of(text)
    hashes = []
    for value in values:
        with suppress(TypeError):
            hashes.append(hash(value))
    return hashes, values == again, values != again, [repr(value) for value in values]


def _subclassed() -> Iterator[Task]:
    yield Task("a subclass of URL", lambda text: OwnURL(text).me.href)
    yield Task("a subclass of URLSearchParams", lambda text: str(OwnParams(text).me),
               takes_url=False)  # fmt: skip
    yield Task("a subclass of Domain", lambda text: hash(OwnDomain(text)), takes_url=False)
    yield Task("a subclass of the error", _own_error)
    yield Task("a class that is made and forgotten", _forgotten_class)


def _own_error(text: str) -> object:
    try:
        try:
            weburl.parse(text)
        except URLParseError as error:
            raise OwnError(error.type or "host-missing", error.input) from error
    except OwnError as own:
        return own.__cause__
    return None


def _forgotten_class(text: str) -> object:
    made: Any = type("Made", (URL,), {"more": text})
    return made("https://example.com/").more


def _refused() -> Iterator[Task]:
    yield Task("an error that refers to itself", _error_in_a_cycle)
    yield Task("an error with frames, kept a while", _error_kept)
    yield Task("arguments of a wrong type", _wrong_types)
    yield Task("attributes that do not exist", _wrong_attributes)


def _error_in_a_cycle(text: str) -> None:
    try:
        weburl.parse(text)
    except URLParseError as error:
        error.me = error  # type: ignore[attr-defined]
        error.__context__ = None


def _error_kept(text: str) -> object:
    kept: list[URLParseError] = []
    for attempt in (text, f"https://{text}", f"https://{text}@[", f"https://h:{text}"):
        try:
            weburl.canonicalize(attempt)
        except URLParseError as error:
            kept.append(error)
    return kept


def _wrong_types(text: str) -> None:
    values: tuple[Any, ...] = (None, text.encode("utf-8", "replace"), len(text))
    calls: tuple[Callable[..., object], ...] = (
        weburl.parse, weburl.canonicalize, URL, weburl.check, weburl.render, weburl.origin_of,
        BASE.join, BASE.with_host, BASE.with_query, URLSearchParams, weburl.Domain,
        weburl.URLPattern,
    )  # fmt: skip
    for value in values:
        for call in calls:
            with suppress(TypeError, ValueError):
                call(value)


def _wrong_attributes(text: str) -> None:
    url: Any = URL(BASE)
    name = f"a{len(text) % 7}"
    for value in (url, BASE, weburl, url.search_params):
        with suppress(AttributeError):
            getattr(value, name)
    for frozen, attribute in ((BASE, "path"), (BASE.host, "value"), (url, name)):
        with suppress(AttributeError):
            setattr(frozen, attribute, text)


def _left_early() -> Iterator[Task]:
    from weburl.text import find_links, split

    yield Task("a search for links that is left", lambda text: next(find_links(text), None))
    yield Task("a split that is left", lambda text: next(iter(split(text)), None))
    yield Task("params that are left", lambda text: next(iter(URLSearchParams(text)), None),
               takes_url=False)  # fmt: skip
    yield Task("in a thread of its own", _in_a_thread)


def _in_a_thread(text: str) -> None:
    def run() -> None:
        with using_list(packaged_list()), suppress(URLParseError):
            weburl.origin_of(weburl.parse(text))

    thread = Thread(target=run)
    thread.start()
    thread.join()


def _of_hosts_and_lists() -> Iterator[Task]:
    yield Task("check_addresses, address_classes", _addresses)
    yield Task("read_list", _read_again, takes_url=False)
    yield Task("HostList", _host_list, takes_url=False)
    yield Task("using_list, use_list", _other_list, takes_url=False)
    yield Task("URLPatternList of new patterns", lambda text: weburl.URLPatternList(
        [weburl.URLPattern(pathname=text), "https://*/*"]).first("https://example.com/a"),
        takes_url=False)  # fmt: skip


def _addresses(text: str) -> object:
    number = hash(text)
    addresses: list[weburl.IPv4Address | weburl.IPv6Address]
    addresses = [weburl.IPv4Address(number % (1 << 32)), weburl.IPv6Address(number % (1 << 128))]
    policy = weburl.URLPolicy.webhook()
    found = [weburl.address_classes(address) for address in addresses]
    return found, weburl.check_addresses(policy, addresses)


def _host_list(text: str) -> object:
    hosts = weburl.HostList([text, "a.example"], subdomains=True)
    both = hosts | weburl.HostList(["b.example"])
    return text in both, "x.a.example" in both, list(both), repr(both), len(both)


def _other_list(text: str) -> object:
    suffixes = parse_list(f"// ===BEGIN ICANN DOMAINS===\nexample\n{text[:50]}\n")
    with using_list(suffixes):
        inside = weburl.Domain("a.b.example").registrable_domain
    use_list(suffixes)
    try:
        return inside, weburl.Domain("a.b.example").public_suffix
    finally:
        use_list(None)


# One file for all calls: Python 3.12 keeps the names of files for ever.
_LIST: Final = Path(tempfile.gettempdir(), f"weburl-list-{os.getpid()}.dat")


def _read_again(text: str) -> object:
    content = f"// ===BEGIN ICANN DOMAINS===\nexample\n{utf8(text[:50])}\n"
    _LIST.write_text(content, encoding="utf-8")
    try:
        return read_list(_LIST), current_list()
    finally:
        _LIST.unlink()


def _of_pages() -> Iterator[Task]:
    from weburl import html

    document = html.Document(_PAGE)

    def with_a_base(text: str) -> object:
        based = html.set_frozen_base_url(document, text)
        moved = html.set_url(based, "https://example.com/b")
        return html.document_base_url(moved), html.fallback_base_url(moved)

    def of_documents(text: str) -> object:
        settings = html.EnvironmentSettings.of_window(document)
        return (
            html.parse_url(text, document),
            html.encoding_parse_url(text, settings),
            html.encoding_parse_and_serialize_url(text, settings),
        )

    def terms(text: str) -> object:
        return (
            html.extract_character_encoding_from_meta_element(f"text/html; charset={text}"),
            html.matches_about_blank(text),
            html.matches_about_srcdoc(text),
        )

    def moved(text: str) -> object:
        page = html.page(text, "https://example.com/", texts=True)
        other = html.set_frozen_base_url(page.document, "https://b.example/")
        return list(html.respond_to_base_url_changes(page.links, other))

    yield Task("html.Document with a base", with_a_base)
    yield Task("html.parse_url", of_documents)
    yield Task("html.matches_about_blank and others", terms)
    yield Task("html.page, moved", moved, takes_url=False)
    yield Task("html.page, refused", lambda text: html.page(
        f"<a href={text}><a href=b><a href=c>", _PAGE, limits=html.PageLimits(links=1)),
        takes_url=False)  # fmt: skip


def _of_history() -> Iterator[Task]:
    from weburl.history import rfc3986, rfc3987, url_standard_2020, url_standard_2024

    base = "https://example.com/a"
    yield Task("legacy.url_standard_2024.parse", url_standard_2024.parse)
    yield Task("legacy.url_standard_2020, a setter", lambda text: url_standard_2020.set_attribute(
        url_standard_2020.parse(base), "host", text), takes_url=False)  # fmt: skip
    yield Task("legacy.rfc3987", rfc3987.parse_iri_reference)
    yield Task("legacy.rfc3986.resolve", lambda text: rfc3986.resolve(
        rfc3986.split(text), rfc3986.split(base)))  # fmt: skip


def _for_other_code() -> Iterator[Task]:
    """Yield what integrations and the Django app offer besides functions of one text."""
    from django.test import RequestFactory, override_settings

    from django_whatwg_url.redirects import request_url
    from weburl.integrations.building_blocks import LazyAttribute, UnparsableURL, is_visible
    from weburl.viewer import SiteLink, ViewerRequest, respond

    class Lazy:
        url = LazyAttribute("url", weburl.parse)

    def lazy(text: str) -> object:
        row = Lazy()
        row.url = text
        return row.url

    def unparsable(text: str) -> object:
        try:
            return weburl.parse(text)
        except URLParseError as error:
            value = UnparsableURL(text, error)
            with suppress(AttributeError):
                getattr(value, "host")  # noqa: B009  # type checkers rightly refuse it
            return pickle.loads(pickle.dumps(value)), repr(value)

    requests = RequestFactory()
    links = [SiteLink("https://example.com/", "Home")]

    @override_settings(ALLOWED_HOSTS=["*"])
    def requested(text: str) -> object:
        return request_url(
            requests.get("/a", {"b": text}, headers={"host": f"{hash(text):x}.example"})
        )

    yield Task("LazyAttribute", lazy)
    yield Task("UnparsableURL", unparsable)
    yield Task("is_visible", lambda text: list(map(is_visible, text)))
    yield Task("request_url", requested)
    yield Task("viewer.respond", lambda text: respond(
        ViewerRequest("GET", "", str(URLSearchParams({"url": text}))), links=links))  # fmt: skip


def _of_columns() -> Iterator[Task]:
    try:
        import pyarrow as pa
    except ImportError:
        return
    from weburl import columns

    policy, hosts = weburl.URLPolicy.public_link(), weburl.HostList(["example.com"])

    def many(text: str) -> Any:
        return pa.array([utf8(text), None, "https://example.com/", utf8(text)])

    yield Task("columns.allowed", lambda text: columns.allowed(many(text), policy))
    yield Task("columns.refusal", lambda text: columns.refusal(many(text), policy))
    yield Task("columns.key_hash", lambda text: columns.key_hash(many(text)))
    yield Task("columns.lookalikes", lambda text: columns.lookalikes(many(text), ["example.com"]))
    yield Task("columns.in_host_list", lambda text: columns.in_host_list(many(text), hosts))
    yield Task("columns.host_in_host_list", lambda text: columns.host_in_host_list(
        many(text), hosts), takes_url=False)  # fmt: skip
