"""Tests of `weburl.origins.texts`: lists of allowed origins."""

from __future__ import annotations

import pickle

import pytest
from hypothesis import given

import weburl
from tests.strategies import url_texts
from weburl import OriginError, TupleOrigin, origin_problems, parse_origins
from weburl.origins import AllowedOrigins
from weburl.origins.texts import ORIGIN_CODES

CASES = [
    ("https://example.com", [], ""),
    ("http://example.com:8000", [], ""),
    ("https://127.0.0.1", [], ""),
    ("https://[::1]:8443", [], ""),
    ("https://xn--bcher-kva.example", [], ""),
    ("https://example.com/", ["trailing-slash"], "https://example.com"),
    ("https://Example.com", ["capital-letters"], "https://example.com"),
    ("HTTPS://example.com", ["capital-letters"], "https://example.com"),
    ("https://example.com:443", ["default-port"], "https://example.com"),
    ("http://Example.com:80/", ["trailing-slash", "capital-letters", "default-port"],
     "http://example.com"),
    ("https://b\u00fccher.example", ["not-ascii"], "https://xn--bcher-kva.example"),
    ("https://0x7f.1", ["spelling"], "https://127.0.0.1"),
    ("https:example.com", ["spelling"], "https://example.com"),
    (" https://example.com", ["spelling"], "https://example.com"),
    ("https://example.com/a", ["path"], "https://example.com"),
    ("https://example.com//", ["path"], "https://example.com"),
    ("https://example.com?", ["query"], "https://example.com"),
    ("https://example.com#", ["fragment"], "https://example.com"),
    ("https://u:p@example.com/a", ["credentials", "path"], "https://example.com"),
    ("null", ["null"], ""),
    ("*", ["wildcard"], ""),
    ("https://*.example.com", ["wildcard"], ""),
    ("https://*.example.com/a", ["wildcard", "path"], ""),
    ("", ["not-a-url"], ""),
    ("https://", ["not-a-url"], ""),
    ("https://a b", ["not-a-url"], ""),
    ("example.com", ["no-scheme"], ""),
    ("example.com:8000", ["no-scheme"], ""),
    ("//example.com", ["no-scheme"], ""),
    ("ws://example.com", ["scheme-not-allowed"], ""),
    ("file:///a", ["scheme-not-allowed"], ""),
    ("data:,", ["scheme-not-allowed"], ""),
    ("chrome-extension://abc", ["scheme-not-allowed"], ""),
]  # fmt: skip


@pytest.mark.parametrize(("text", "codes", "suggestion"), CASES)
def test_what_is_wrong_with_a_text(text: str, codes: list[str], suggestion: str) -> None:
    """Everything that can be said at once, and what to write in its place."""
    found = origin_problems(text)
    assert [each.code for each in found] == codes
    assert {each.suggestion for each in found} <= {suggestion}
    if codes:
        with pytest.raises(OriginError) as caught:
            parse_origins(["https://a.example", text])
        assert caught.value.problems == found
        assert found[0].message in str(caught.value)
    else:
        assert [str(origin) for origin in parse_origins([text])] == [text]


def test_every_code_is_one_of_those_listed() -> None:
    """And each is found by a case above, or by another scheme or wildcard."""
    seen = {code for _, codes, _ in CASES for code in codes}
    assert set(ORIGIN_CODES) == seen | {"no-host", "wildcard-misplaced"}


def test_other_schemes_have_origins_if_they_are_allowed() -> None:
    """Those of extensions, but never those that no page has."""
    assert parse_origins(["chrome-extension://abc"], schemes=None) == (
        TupleOrigin("chrome-extension", weburl.OpaqueHost("abc")),
    )
    assert not origin_problems("moz-extension://abc", schemes=["moz-extension"])
    assert origin_problems("wss://a.example", schemes=None)[0].code == "scheme-not-allowed"
    assert origin_problems("com.example:/a", schemes=None)[0].code == "no-host"
    assert origin_problems("a:///", schemes=None)[0].code == "no-host"


@pytest.mark.parametrize(
    ("text", "codes"),
    [
        ("https://*.example.com", []),
        ("https://*.example.com:8443", []),
        ("https://*.com", ["wildcard-misplaced"]),
        ("https://*.github.io", ["wildcard-misplaced"]),
        ("https://*example.com", ["wildcard-misplaced"]),
        ("https://www.*.com", ["wildcard-misplaced"]),
        ("https://*.*.example.com", ["wildcard-misplaced"]),
        ("https://*", ["wildcard-misplaced"]),
        ("https://*.example.com:443", ["default-port"]),
    ],
)
def test_a_wildcard_is_a_whole_label_of_a_domain_that_someone_registered(
    text: str, codes: list[str]
) -> None:
    """Where wildcards are asked for, as Django's setting has them."""
    assert [each.code for each in origin_problems(text, subdomain_wildcards=True)] == codes


def test_a_list_loses_its_duplicates_and_no_message_has_a_secret() -> None:
    """The query and the fragment may hold a token."""
    assert len(parse_origins(["https://a.example", "https://a.example"])) == 1
    with pytest.raises(OriginError) as caught:
        parse_origins(["https://s3cret:s3cret@a.example/?s3cret#s3cret"])
    assert "s3cret" not in f"{caught.value}{caught.value!r}"


def test_schemes_of_origins_are_a_list_of_schemes() -> None:
    """One text is not a list."""
    with pytest.raises(TypeError):
        parse_origins([], schemes="https")
    with pytest.raises(ValueError, match="not a scheme"):
        parse_origins([], schemes=["https:"])


@given(url_texts)
def test_an_origin_is_what_the_record_has(text: str) -> None:
    """A text without problems is the origin of the URL that it is; a suggestion has none."""
    problems = origin_problems(text)
    if not problems:
        assert weburl.parse(text).origin == text
    for each in problems:
        if each.suggestion:
            assert weburl.parse(text).origin == each.suggestion
            if "*" not in each.suggestion:
                assert not origin_problems(each.suggestion)


ALLOWED = AllowedOrigins(
    ["https://example.com", "https://*.example.com", "http://*.a.example:8080", "https://[::1]"]
)


@pytest.mark.parametrize(
    ("origin", "is_allowed"),
    [
        ("https://example.com", True),
        ("https://a.example.com", True),
        ("https://a.b.example.com", True),
        ("http://b.a.example:8080", True),
        ("https://[::1]", True),
        ("http://a.example.com", False),
        ("https://a.example.com:8443", False),
        ("http://a.example:8080", False),
        ("https://aexample.com", False),
        ("https://.example.com", False),
        ("https://example.com/", False),
        ("https://HTTPS.example.com", False),
        ("https://evil.example/.example.com", False),
        ("https://u@a.example.com", False),
        ("https://*.example.com", False),
        ("null", False),
        ("", False),
        ("*", False),
    ],
)
def test_the_header_is_compared_with_a_list(origin: str, is_allowed: bool) -> None:
    """A wildcard stands for one label or more."""
    assert (origin in ALLOWED) is is_allowed


def test_a_list_of_origins_is_a_value() -> None:
    """Equal by its origins, also for origins as values; wrong entries and types are refused."""
    assert pickle.loads(pickle.dumps(ALLOWED)) == ALLOWED == AllowedOrigins(iter(ALLOWED.texts))
    assert weburl.origin_of("https://a.example.com/x") in ALLOWED
    assert weburl.origin_of("data:,") not in ALLOWED
    assert "foo://h" in AllowedOrigins(["foo://h"], schemes=None)
    with pytest.raises(weburl.OriginError, match="wildcard"):
        AllowedOrigins(["https://*.com", "https://a.*.com"])
    with pytest.raises(TypeError):
        AllowedOrigins("https://example.com")
    with pytest.raises(TypeError, match="NoneType"):
        assert None in ALLOWED  # type: ignore[operator]


def test_a_long_header_is_compared_in_linear_time() -> None:
    """By which this test ends."""
    assert f"https://{'a.' * 500_000}example.org" not in ALLOWED
