"""The fast path gives what the general parser gives, in both builds."""

from __future__ import annotations

import os
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

import weburl
from tests import strategies
from tests.corpus import THOROUGH, corpus
from tests.standard.compiled.equality import (
    BASES,
    METHODS,
    differences,
    edit_differences,
    edits,
    general,
    mutated,
    params_differences,
    tried,
)
from tests.standard.compiled.test_tampering import LikeText
from tests.wpt import load_cases
from weburl import COMPILED, Domain, URLRecord
from weburl.standard.url import fast_path

BUILT = {
    "protocol": "scheme",
    "hostname": "host",
    "pathname": "path",
    "search": "query",
    "hash": "fragment",
}
# Without compiled code, most of these texts are declined, and the parser is compared with itself.
MUTATIONS = int(os.environ.get("WEBURL_MUTATIONS", "20000" if COMPILED else "4000"))
STARTS = ("https://", "file://", "foo://u@") if COMPILED or THOROUGH else ("https://",)


def test_every_url_of_web_platform_tests_on_every_kind_of_base() -> None:
    """On bases that an input was not written for, other branches run."""
    inputs = {case["input"] for case in load_cases("urltestdata.json")}
    bases = [None, *map(weburl.parse, BASES)]
    assert [found for text in inputs for base in bases for found in differences(text, base)] == []
    assert len(inputs) == 814


def test_every_domain_of_web_platform_tests() -> None:
    """Domains are tried in uppercase and percent-encoded, and compiled as opaque hosts."""
    count = 0
    for name in ("IdnaTestV2.json", "IdnaTestV2-removed.json", "toascii.json"):
        for case in load_cases(name):
            text = case["input"]
            encoded = "".join(f"%{byte:02x}" for byte in text.encode("utf-8", "surrogatepass"))
            for host in (text, text.upper(), encoded):
                for start in STARTS:
                    assert list(differences(f"{start}{host}/")) == []
            count += 1
    assert count == 2778


def test_real_links() -> None:
    """One in ten of the corpus is read, also as a reference. `.ci/nightly` reads all of them."""
    base = weburl.parse(BASES[0])
    chosen = corpus() if THOROUGH else corpus()[::10]
    for link in chosen:
        assert list(differences(link)) == []
        assert list(differences(link.partition(":")[2], base)) == []
        assert list(params_differences(link.partition("?")[2])) == []
    assert len(chosen) >= 100


def test_every_code_point_in_a_host() -> None:
    """After the first thousands, one in 31 is tried, or one in 101 if interpreted."""
    first, step = (0x3000, 31) if COMPILED else (0x400, 101)
    count = 0
    for code in range(0x110000) if THOROUGH else (*range(first), *range(first, 0x110000, step)):
        text = f"https://a{chr(code)}.{chr(code)}b/"
        found = list(differences(text))
        assert found == []
        count += 1
    assert count >= (40_000 if COMPILED else 12_000)


@given(strategies.url_texts, strategies.bases_or_none)
def test_text_that_is_nearly_a_url(text: str, base: str | None) -> None:
    """The texts are pieces of URLs, broken in many ways, on all kinds of bases."""
    record = None if base is None else general(base)
    assert list(differences(text, record)) == []
    assert list(params_differences(text)) == []


@given(st.text(), st.sampled_from((None, *BASES)))
def test_any_text(text: str, base: str | None) -> None:
    """Hypothesis chooses the code points."""
    record = None if base is None else weburl.parse(base)
    assert list(differences(text, record)) == []
    assert list(params_differences(text)) == []


@given(strategies.hosts, st.sampled_from(("https://", "file://", "foo://", "ws://u:p@")))
def test_hosts(host: str, start: str) -> None:
    """Only the host can be the reason for a failure."""
    assert list(differences(f"{start}{host}/")) == []
    assert list(differences(f"{start}{host}:81?")) == []


@given(strategies.base_texts, strategies.url_texts)
def test_any_base(base: str, text: str) -> None:
    """Hypothesis makes the bases."""
    record = general(base)
    if record is not None:
        assert list(differences(text, record)) == []


def test_mutated_texts() -> None:
    """WEBURL_MUTATIONS is their number. `.ci/nightly` tries a million with `equality`."""
    bases = [weburl.parse(text) for text in BASES]
    taken = 0
    for index, text in enumerate(mutated(MUTATIONS, seed=1)):
        assert list(differences(text)) == []
        assert list(differences(text, bases[index % len(bases)])) == []
        assert list(params_differences(text)) == []
        taken += fast_path.parse_quickly(text) is not None
    assert taken > MUTATIONS // (3 if COMPILED else 100)


def test_mutated_edits() -> None:
    """Their number is a tenth of WEBURL_MUTATIONS."""
    changed = 0
    for text, name, value in edits(MUTATIONS // 10, seed=1):
        record = weburl.parse(text)
        assert list(edit_differences(record, name, value)) == []
        url = weburl.URL(record)
        setattr(url, name, value)
        changed += url.record != record
    assert changed > MUTATIONS // 20


def test_urls_are_built_from_the_parts_that_edits_take() -> None:
    """The compiled `build` gives what the one in Python gives."""
    build: Any = URLRecord.build
    general_build = getattr(build, "__wrapped__", build.__func__)
    built = 0
    for count, (text, name, value) in enumerate(edits(MUTATIONS // 20, seed=2)):
        url = weburl.URL(text)
        parts: dict[str, Any] = {
            "scheme": url.protocol[:-1],
            "username": url.username,
            "host": url.hostname,
            "path": url.pathname,
            "query": {"q": url.search} if count % 2 else url.search,
        }
        parts |= {BUILT.get(name, name): value}
        if count % 3:
            parts |= {"port": (80, 443, 8080, 65536)[count % 4], "password": value}
        found = tried(lambda: URLRecord.build(**parts))  # noqa: B023
        assert found == tried(lambda: general_build(URLRecord, **parts)), parts  # noqa: B023
        built += not isinstance(found[0], type)
    assert built > MUTATIONS // 60


def test_values_of_other_types_in_edits() -> None:
    """Some values are valid for one part only."""
    values: tuple[Any, ...] = (
        *(None, "", 0, 80, 443, 65535, 65536, -1, True, 10**4000, 1.5, b"x", LikeText("x"), ()),
        *({}, {"a": "b"}, {"a": 1}, {"\ud800": "x"}, {1: "x"}, {"\u00e9": ""}, ["a"], [("a", "b")]),
        *("?", "#", "/", "\\", "//x", "..", "%2e", "%2e%2e/", ".", "\t", "a\nb", "\ud800"),
        "\u00e9",
        *("C|/x", "c:", "https", "https:", "HTTPS", "file", "foo", "a:b", "a/b", "a?b", "a#b", "|"),
        *("[::1]", "[::1]:81", "h:", "h:80", "h:0443", ":1", "1.2.3", "b\u00fccher.example", "@"),
        " x",
        *(Domain("example.org"), weburl.IPv6Address(1), weburl.parse("https://other.example/")),
    )
    for text in BASES:
        record = weburl.parse(text)
        for name in METHODS:
            for value in values:
                assert list(edit_differences(record, name, value)) == []


@pytest.mark.skipif(not COMPILED, reason="regexes take what is canonical alone")
@pytest.mark.parametrize(
    ("text", "href"),
    [
        (" HTTPS:\\\\User:p:w@EXAMPLE.com:0443/a/./b/../c d?q'#<f> ", None),
        ("http://0x7f.1/", "http://127.0.0.1/"),
        ("http://[1:0::0:2]:65535", "http://[1::2]:65535/"),
        ("file:C|/x/../..", "file:///C:/"),
        ("file://LOCALHOST/x", "file:///x"),
        ("git+ssh://g%20it@h\u00e9/x/..", "git+ssh://g%20it@h%C3%A9/"),
        ("data:text/plain,a b #c", "data:text/plain,a b%20#c"),
        ("ht\ntps://a\tb.c/\r", "https://ab.c/"),
        ("https://ex%61mple.%E2%93%92om/", "https://example.com/"),
    ],
)
def test_the_compiled_parser_takes_all_kinds(text: str, href: str | None) -> None:
    """Otherwise, the tests above would also pass if it declined everything."""
    record = fast_path.parse_quickly(text)
    assert record is not None
    assert record == general(text)
    assert fast_path.canonical_href(text) == record.href
    assert href in (None, record.href)
    assert fast_path.is_parsable(text)


@pytest.mark.skipif(not COMPILED, reason="regexes take what is canonical alone")
def test_the_compiled_parser_declines_few_real_links() -> None:
    """Those either fail or are not ASCII."""
    links = corpus()
    declined = [link for link in links if fast_path.parse_quickly(link) is None]
    assert len(declined) <= max(1, len(links) // 500)
    for link in declined:
        assert general(link) is None or not link.isascii()
