"""Tests of `weburl.redirect_uris`: what may be registered, and what matches."""

from __future__ import annotations

import copy
import pickle
from typing import Any

import attrs
import pytest
from hypothesis import given
from hypothesis import strategies as st

import weburl
from tests.reference.api import api_url_parser
from tests.reference.outcomes import Failure
from tests.reference.serializing import url_serializer
from tests.strategies import url_texts
from tests.wpt import load_cases
from weburl import Reading, Readings
from weburl.redirect_uris import (
    MAX_LENGTH,
    MISMATCH_CODES,
    PROBLEM_CODES,
    Match,
    Mismatch,
    RedirectURIError,
    RedirectURIProblem,
    RedirectURIs,
)

APP = "https://app.example/cb"
URIS = (
    APP,
    "https://app.example/cb?tenant=1",
    "https://other.example:8443",
    "http://127.0.0.1/cb",
    "http://[::1]:8000/cb?x=1",
    "http://localhost:3000/cb",
    "com.example.app:/cb",
    "cursor://app/cb",
    "https://*.preview.example.com/cb",
)
ALL = RedirectURIs(URIS, allow_localhost=True, schemes=["cursor"], subdomain_wildcards=True)


def problem(text: str, **options: Any) -> str | None:
    """Return the code of what keeps a URI from being registered."""
    found = RedirectURIs((), **options).problem(text)
    return None if found is None else found.code


@pytest.mark.parametrize(
    ("text", "code"),
    [
        (APP, None),
        ("https://app.example", None),
        ("https://app.example?x", None),
        ("https://app.example:8443/a?b=c", None),
        ("https://xn--bcher-kva.example/", None),
        ("https://8.8.8.8/", None),
        ("http://127.0.0.1/", None),
        ("http://127.9.9.9:1/", None),
        ("http://[::1]/", None),
        ("com.example.app:/cb", None),
        ("com.example.app://host/cb", None),
        ("com.example.app:cb", None),
        ("x" * (MAX_LENGTH + 1), "too-long"),
        ("", "not-a-url"),
        ("/cb", "not-a-url"),
        ("app.example/cb", "not-a-url"),
        ("https://a b/", "not-a-url"),
        ("javascript:alert(1)", "scheme-not-allowed"),
        ("data:text/html,x", "scheme-not-allowed"),
        ("blob:https://a/1", "scheme-not-allowed"),
        ("file:///etc/passwd", "scheme-not-allowed"),
        ("ftp://a.example/", "scheme-not-allowed"),
        ("wss://a.example/", "scheme-not-allowed"),
        ("myapp:/cb", "scheme-without-dot"),
        ("http://app.example/cb", "not-encrypted"),
        ("http://0.0.0.0/cb", "not-encrypted"),
        ("http://[::ffff:7f00:1]/cb", "not-encrypted"),
        ("http://192.168.0.1/cb", "not-encrypted"),
        ("http://128.0.0.1/cb", "not-encrypted"),
        ("https://u@app.example/", "credentials"),
        ("https://:p@app.example/", "credentials"),
        ("com.example.app://u@host/", "credentials"),
        ("https://@app.example/", "not-canonical"),
        (f"{APP}#", "fragment"),
        (f"{APP}#a", "fragment"),
        ("com.example.app:/cb#a", "fragment"),
        ("https://*/", "wildcard"),
        ("https://*.example.com/", "wildcard"),
        ("https://a*.example.com/", "wildcard"),
        ("https://app.example/*", "wildcard"),
        ("com.example.app:/*", "wildcard"),
        ("http://localhost/cb", "localhost"),
        ("https://localhost/cb", "localhost"),
        ("http://a.localhost./cb", "localhost"),
        ("https://APP.example/cb", "not-canonical"),
        ("HTTPS://app.example/cb", "not-canonical"),
        ("https://app.example:443/cb", "not-canonical"),
        ("https://app.example/a/../cb", "not-canonical"),
        ("https://app.example/a b", "not-canonical"),
        (" https://app.example/", "not-canonical"),
        ("https://app.example\\cb", "not-canonical"),
        ("https:/app.example/cb", "not-canonical"),
        ("https://evil.example\\@app.example/cb", "not-canonical"),
        ("https://b\u00fccher.example/", "not-canonical"),
        ("http://0x7f.1/cb", "not-canonical"),
        ("https://app.example/\udcff", "not-canonical"),
    ],
)
def test_what_may_be_registered(text: str, code: str | None) -> None:
    """The first rule that it breaks, and the same for a whole list."""
    assert problem(text) == code
    if code is None:
        assert RedirectURIs([text]).match(text)
        return
    with pytest.raises(RedirectURIError) as caught:
        RedirectURIs([APP, text, "/x"])
    assert [each.code for each in caught.value.problems] == [code, "not-a-url"]
    assert caught.value.problems[0].message in str(caught.value)


PARTS = {
    "scheme": ("scheme-not-allowed", "scheme-without-dot", "not-encrypted"),
    "credentials": ("credentials",),
    "fragment": ("fragment",),
    "host": ("wildcard", "wildcard-misplaced", "localhost"),
    "url": ("too-long", "not-a-url", "not-canonical", "readers-disagree"),
}


def test_every_code_has_words() -> None:
    """Each is a sentence, for the whole or for one part."""
    assert len(PROBLEM_CODES) == 12
    assert sorted(sum(PARTS.values(), ())) == sorted(PROBLEM_CODES)
    for part, codes in PARTS.items():
        for code in codes:
            found = RedirectURIProblem(APP, code)
            assert found.part == part
            assert found.reason.endswith(".")
            assert str(found) == found.message
            assert f"{APP!r} cannot be registered. {found.reason}" in found.message
    assert len(MISMATCH_CODES) == 11
    for code in MISMATCH_CODES:
        assert Mismatch(code, APP).message.endswith(".")
        assert Mismatch(code).part


@pytest.mark.parametrize(
    ("text", "options", "code"),
    [
        ("http://localhost/cb", {"allow_localhost": True}, None),
        ("https://localhost/cb", {"allow_localhost": True}, None),
        ("http://app.example/cb", {"allow_http": True}, None),
        ("http://localhost/cb", {"allow_http": True}, "localhost"),
        ("cursor://app/cb", {"schemes": ["Cursor"]}, None),
        ("https://*.example.com/cb", {"subdomain_wildcards": True}, None),
        ("https://*.a.example.com/cb", {"subdomain_wildcards": True}, None),
        ("https://*-pr.example.com/cb", {"subdomain_wildcards": True}, None),
        ("https://*--pr.example.com?a", {"subdomain_wildcards": True}, None),
        ("https://*-pr.com/cb", {"subdomain_wildcards": True}, "wildcard-misplaced"),
        ("https://*-pr/cb", {"subdomain_wildcards": True}, "wildcard-misplaced"),
        ("https://*./cb", {"subdomain_wildcards": True}, "wildcard-misplaced"),
        ("https://*-pr.github.io/cb", {"subdomain_wildcards": True}, "wildcard-misplaced"),
        ("https://*-*.example.com/cb", {"subdomain_wildcards": True}, "wildcard-misplaced"),
        ("https://*_a.example.com/cb", {"subdomain_wildcards": True}, "wildcard-misplaced"),
        ("https://*-.example.com/cb", {"subdomain_wildcards": True}, "wildcard-misplaced"),
        ("https://*.com/cb", {"subdomain_wildcards": True}, "wildcard-misplaced"),
        ("https://*.co.uk/cb", {"subdomain_wildcards": True}, "wildcard-misplaced"),
        ("https://*.github.io/cb", {"subdomain_wildcards": True}, "wildcard-misplaced"),
        ("https://*/cb", {"subdomain_wildcards": True}, "wildcard-misplaced"),
        ("https://a.*.example.com/cb", {"subdomain_wildcards": True}, "wildcard-misplaced"),
        ("https://*.*.example.com/cb", {"subdomain_wildcards": True}, "wildcard-misplaced"),
        ("https://a*.example.com/cb", {"subdomain_wildcards": True}, "wildcard-misplaced"),
        ("https://*.example.com/*", {"subdomain_wildcards": True}, "wildcard-misplaced"),
        ("com.example.app://*.a.com/", {"subdomain_wildcards": True}, "wildcard-misplaced"),
    ],
)
def test_an_option_allows_what_it_says(
    text: str, options: dict[str, Any], code: str | None
) -> None:
    """And nothing else."""
    assert problem(text, **options) == code
    assert problem(text) is not None


@pytest.mark.parametrize(
    "text",
    [
        *(uri for uri in URIS if "*" not in uri),
        "http://127.0.0.1:1/cb",
        "http://127.0.0.1:80/cb",
        "http://127.0.0.1:65535/cb",
        "http://[::1]/cb?x=1",
        "http://[::1]:9000/cb?x=1",
        "http://localhost/cb",
        "http://localhost:9000/cb",
        "https://a.preview.example.com/cb",
        "https://pr-17.preview.example.com/cb",
    ],
)
def test_what_matches(text: str) -> None:
    """The match has the record of the text, and the URI that is registered."""
    found = ALL.match(text)
    assert isinstance(found, Match)
    assert found
    assert found.url == weburl.parse(text)
    assert found.registered in URIS


@pytest.mark.parametrize(
    ("text", "code", "part"),
    [
        ("", "not-a-url", "url"),
        ("/cb", "not-a-url", "url"),
        ("https://evil@app.example/cb", "credentials", "credentials"),
        (f"{APP}#", "fragment", "fragment"),
        ("ftp://app.example/cb", "scheme-differs", "scheme"),
        ("https://evil.example/cb", "host-differs", "host"),
        ("https://evil.example\\@app.example/cb", "host-differs", "host"),
        ("https://app.example.evil.example/cb", "host-differs", "host"),
        ("https://app.example./cb", "host-differs", "host"),
        ("https://app.example:8443/cb", "port-differs", "port"),
        ("https://other.example", "port-differs", "port"),
        ("http://127.0.0.1:0/cb", "port-differs", "port"),
        ("https://app.example/cb/", "path-differs", "path"),
        ("https://app.example/CB", "path-differs", "path"),
        ("https://app.example/%63b", "path-differs", "path"),
        ("http://127.0.0.1:5000/other", "path-differs", "path"),
        ("https://app.example/cb?", "query-differs", "query"),
        ("https://app.example/cb?tenant=2", "query-differs", "query"),
        ("https://app.example:443/cb", "spelling-differs", "url"),
        ("https://app.example/x/../cb", "spelling-differs", "url"),
        ("https:\\\\app.example/cb", "spelling-differs", "url"),
        ("https://app.ex\tample/cb", "spelling-differs", "url"),
        (" https://app.example/cb", "spelling-differs", "url"),
        ("https://other.example:8443/", "spelling-differs", "url"),
        ("http://127.0.0.1:05000/cb", "spelling-differs", "url"),
        ("http://127.1:5000/cb", "spelling-differs", "url"),
        ("http://127.0.0.1:99999/cb", "not-a-url", "url"),
        ("http://127.0.0.1:5000@evil.example/cb", "credentials", "credentials"),
        ("http://127.0.0.1:\u0665/cb", "not-a-url", "url"),
        ("https://127.0.0.1:8443/cb", "host-differs", "host"),
        ("https://preview.example.com/cb", "host-differs", "host"),
        ("https://a.b.preview.example.com/cb", "host-differs", "host"),
        ("https://*.preview.example.com/cb", "host-differs", "host"),
        ("https://-a.preview.example.com/cb", "host-differs", "host"),
        ("https://a.preview.example.com/", "path-differs", "path"),
        ("https://evil.example/.preview.example.com/cb", "host-differs", "host"),
    ],
)
def test_a_mismatch_names_the_part_that_differs(text: str, code: str, part: str) -> None:
    """From the registered URI that is most like it."""
    found = ALL.match(text)
    assert isinstance(found, Mismatch)
    assert not found
    assert (found.code, found.part) == (code, part)
    assert str(found) == found.message


def test_a_wildcard_stands_for_a_label_that_all_readers_accept() -> None:
    """A label that IDNA refuses is in no domain that a browser reads."""
    assert ALL.match("https://xn--bcher-kva.preview.example.com/cb")
    assert not ALL.match("https://xn--\u2260.preview.example.com/cb")


def disagreement(text: str) -> Readings:
    """Return readings of ``text`` in which one program sees another host."""
    standard = Reading("URL Standard", "https", "app.example", 443)
    return Readings(text, (standard, Reading("another", "https", "evil.example", 443)))


@pytest.mark.parametrize(
    ("readers", "code"),
    [
        ([None], None),  # urllib3 sees no scheme there.
        (["other.app"], "readers-disagree"),
        ([None, "other.app"], "readers-disagree"),
    ],
)
def test_a_private_scheme_registers_only_if_all_who_see_it_agree(
    monkeypatch: pytest.MonkeyPatch, readers: list[str | None], code: str | None
) -> None:
    """No installed reader sees another scheme there, but others may."""

    def some_disagree(text: str) -> Readings:
        standard = Reading("URL Standard", "com.example.app", None, None)
        others = (Reading(f"{scheme}", scheme, None, None) for scheme in readers)
        return Readings(text, (standard, *others))

    monkeypatch.setattr("weburl.redirect_uris.readings", some_disagree)
    assert problem("com.example.app:/cb") == code


def test_a_wildcard_may_be_the_beginning_of_a_label() -> None:
    """Of one label, which must be longer than the rest of it."""
    uris = RedirectURIs(["https://*-pr.example.com/cb"], subdomain_wildcards=True)
    for label in ("1-pr", "a-b-pr", "a--pr", "xn--bcher-kva-pr", "a" * 60 + "-pr"):
        assert uris.match(f"https://{label}.example.com/cb") or label.startswith("xn--"), label
    for label in (
        "-pr",
        "pr",
        "*-pr",
        "a.b-pr",
        "-a-pr",
        "_a-pr",
        "A-pr",
        "a" * 61 + "-pr",
        "a-prx",
    ):
        found = uris.match(f"https://{label}.example.com/cb")
        assert isinstance(found, Mismatch), label
    assert not uris.match("https://evil.example/-pr.example.com/cb")
    assert not uris.match("https://evil.example?-pr.example.com/cb")


def test_the_slash_after_a_host_may_be_missing_before_a_query_too() -> None:
    """As it often is: a browser adds it."""
    text = "https://app.example?tenant=7&a=b"
    found = RedirectURIs([text]).match(text)
    assert isinstance(found, Match)
    assert found.url.href == "https://app.example/?tenant=7&a=b"
    assert not RedirectURIs([text]).match("https://app.example/?tenant=7&a=b")


def test_a_text_that_programs_read_differently_neither_registers_nor_matches(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """The readers that are installed agree on what a browser writes, but others may not."""
    monkeypatch.setattr("weburl.redirect_uris.readings", disagreement)
    assert problem(APP) == "readers-disagree"
    for text in ("http://127.0.0.1:5000/cb", "https://a.preview.example.com/cb"):
        found = ALL.match(text)
        assert isinstance(found, Mismatch)
        assert (found.code, found.part) == ("readers-disagree", "url")


def test_nothing_registered_matches_nothing() -> None:
    """A client may have no redirect URIs."""
    assert ALL.match(APP)
    assert RedirectURIs(()).match(APP) == Mismatch("nothing-registered")


def test_no_message_has_a_secret() -> None:
    """No username, password, query or fragment: they may be tokens."""
    text = "https://s3cret:s3cret@app.example/?s3cret#s3cret"
    for bad in (text, "https://APP.example/?s3cret"):
        with pytest.raises(RedirectURIError) as caught:
            RedirectURIs([bad])
        assert "s3cret" not in f"{caught.value}{caught.value!r}"
    uris = RedirectURIs(["https://app.example/cb?s3cret"])
    assert "s3cret" not in repr(uris)
    assert "s3cret" not in f"{uris.match(APP)!r}{uris.match(text)!r}{uris.match(APP)}"


def test_it_is_a_value() -> None:
    """Equal, hashable, copied and pickled as what it was made of."""
    same = RedirectURIs(
        iter(URIS), allow_localhost=True, schemes=("cursor",), subdomain_wildcards=True
    )
    assert same == ALL and hash(same) == hash(ALL)
    assert copy.copy(ALL) is ALL
    assert pickle.loads(pickle.dumps(ALL)).match(APP) == ALL.match(APP)
    assert tuple(ALL) == ALL.uris and len(ALL) == len(URIS)
    assert RedirectURIs([APP, APP]).uris == (APP,)
    assert attrs.evolve(RedirectURIs([APP]), uris=["https://b.example/"]).match(
        "https://b.example/"
    )
    with pytest.raises(attrs.exceptions.FrozenInstanceError):
        ALL.uris = ()  # type: ignore[misc]


def test_stored_uris_are_left_out_if_they_cannot_be_registered() -> None:
    """The others still match."""
    stored = RedirectURIs.from_stored([APP, "http://localhost/cb", "x"])
    assert stored.uris == (APP,)
    assert RedirectURIs.from_stored(["http://localhost/cb"], allow_localhost=True)


def test_arguments_of_another_type_are_refused() -> None:
    """With TypeError; and a scheme that must never be one with ValueError."""
    for call in (
        lambda: RedirectURIs([APP], allow_localhost=1),  # type: ignore[arg-type]
        lambda: RedirectURIs([APP], schemes="cursor"),
        lambda: ALL.match(None),  # type: ignore[arg-type]
        lambda: ALL.problem(b"x"),  # type: ignore[arg-type]
    ):
        with pytest.raises(TypeError):
            call()
    for scheme in ("https", "file", "javascript", "data", "not a scheme"):
        with pytest.raises(ValueError, match="scheme"):
            RedirectURIs([APP], schemes=[scheme])


# --- where a browser goes -------------------------------------------------------------------


def require_that_a_match_leads_to_a_registered_place(uris: RedirectURIs, text: str) -> bool:
    """Read a text that matches with the literal machine, and compare with what is registered."""
    found = uris.match(text)
    if not found:
        return False
    read = api_url_parser(text)
    assert not isinstance(read, Failure)
    href = url_serializer(read)
    assert found.url.href == href
    assert found.url.username == found.url.password == ""
    assert found.url.fragment is None
    target = weburl.parse(found.registered)
    beyond = (found.url.scheme, found.url.path_text, found.url.query)
    assert beyond == (target.scheme, target.path_text, target.query)
    if str(target.host).startswith("*."):
        assert str(found.url.host).partition(".")[2] == str(target.host)[2:]
    else:
        assert found.url.host == target.host
    if str(target.host) not in ("127.0.0.1", "[::1]", "localhost"):
        assert found.url.port == target.port
    return True


HOSTILE = st.sampled_from(
    [
        *"/\\@:?#.%*[]-\t\n\r \x00",
        "//",
        "..",
        "%2f",
        "%40",
        ":80",
        ":443",
        ":8000",
        "evil",
        "\u3002",
    ]
)


@st.composite
def nearly_registered(draw: st.DrawFn) -> str:
    """Draw a registered URI with up to three edits."""
    text = draw(st.sampled_from([*URIS, "https://a.preview.example.com/cb"]))
    for _ in range(draw(st.integers(0, 3))):
        start = draw(st.integers(0, len(text)))
        end = draw(st.integers(start, min(start + 3, len(text))))
        text = text[:start] + draw(HOSTILE | st.text(max_size=2)) + text[end:]
    return text


@given(nearly_registered() | url_texts)
def test_nothing_matches_that_leads_elsewhere(text: str) -> None:
    """Neither another origin nor another path or query than the registered one."""
    require_that_a_match_leads_to_a_registered_place(ALL, text)


@given(url_texts | nearly_registered(), nearly_registered() | url_texts)
def test_whatever_is_registered_nothing_matches_that_leads_elsewhere(one: str, text: str) -> None:
    """Also for URIs that no one would think of."""
    uris = RedirectURIs.from_stored([one], allow_http=True, subdomain_wildcards=True)
    for each in (one, text):
        require_that_a_match_leads_to_a_registered_place(uris, each)


def test_the_inputs_of_web_platform_tests_match_only_themselves() -> None:
    """All that can be registered is, and then every input and every href is asked about."""
    cases = load_cases("urltestdata.json")
    inputs = {str(case["input"]) for case in cases}
    hrefs = {str(case["href"]) for case in cases if "href" in case}
    uris = RedirectURIs.from_stored(
        sorted(inputs | hrefs), allow_http=True, allow_localhost=True, subdomain_wildcards=True
    )
    assert len(uris) > 100
    matched = {
        text
        for text in inputs | hrefs
        if require_that_a_match_leads_to_a_registered_place(uris, text)
    }
    assert set(uris) <= matched
    for text in matched - set(uris):
        found = uris.match(text)
        assert isinstance(found, Match)
        assert str(found.url.host).startswith("127.") or str(found.url.host) in (
            "[::1]",
            "localhost",
        )
