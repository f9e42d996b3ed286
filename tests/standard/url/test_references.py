"""`weburl.standard.url.references`: relative references, and the shortest one between two URLs.

``python -m tests.standard.url.test_references 1000000`` tries a million pairs of URLs.
"""

from __future__ import annotations

import itertools
import os
import random
import re
import sys
from collections.abc import Callable
from typing import Final

import pytest
from hypothesis import given

import weburl
from tests.strategies import base_texts, url_texts
from weburl import RelativeReference, URLParseError, URLRecord
from weburl.standard.url.references import ReferenceKind

_STARTS: Final = (
    "https://h", "https://u:p@h", "https://h:8", "http://h", "file://", "file://h", "foo://h",
    "foo://", "foo:", "foo://u@h:1", "blob:", "mailto:",
)  # fmt: skip
_SEGMENTS: Final = (
    "", "", "a", "b", "a:b", "1:b", "C:", "C|", "%2e", "..", ".", "x.y", "%2F", "\\", "@",
)  # fmt: skip
_ENDS: Final = ("", "", "?", "?q", "?q/../x", "#", "#f", "?#", "?q#f", "#/?x")


def made_up(source: random.Random) -> URLRecord | None:
    """Return a URL of pieces that test the parser's rules, or None if they do not parse."""
    segments = source.choices(_SEGMENTS, k=source.randrange(5))
    text = source.choice(_STARTS) + "".join(f"/{segment}" for segment in segments)
    if source.random() < 0.1:
        text = source.choice(_STARTS) + source.choice(_SEGMENTS)
    return weburl.parse(text + source.choice(_ENDS)) if weburl.can_parse(text) else None


def leads_back(url: URLRecord, base: URLRecord) -> bool:
    """Return whether there is a reference, and assert that it leads from ``base`` to ``url``."""
    try:
        reference = url.relative_to(base)
    except URLParseError:
        return False
    assert base.join(str(reference)) == url
    assert reference.resolve(base) == url
    return True


def try_pairs(count: int) -> int:
    """Return the number of pairs, out of ``count``, with a reference."""
    source = random.Random(29)
    found = 0
    for _ in range(count):
        url, base = made_up(source), made_up(source)
        if url is not None and base is not None:
            found += leads_back(url, base)
    return found


def test_a_reference_leads_back_between_made_up_urls() -> None:
    """They have credentials, files, opaque paths, "//", and empty queries and fragments."""
    count = int(os.environ.get("WEBURL_PAIRS", "20000"))
    assert try_pairs(count) > count // 20


@given(base_texts, url_texts)
def test_a_reference_leads_back_from_any_base_to_what_it_joins(base_text: str, text: str) -> None:
    """If a relative text leads to a URL, then so does a reference."""
    if not weburl.can_parse(base_text):
        return
    base = weburl.parse(base_text)
    if not weburl.can_parse(text, base):
        return
    url = base.join(text)
    is_relative = True
    try:
        reference = RelativeReference(text)
    except URLParseError:
        is_relative = False
    found = leads_back(url, base)
    if is_relative:
        assert found or text == ""
        assert reference.resolve(base) == url
        if not reference.names_a_host:
            assert (url.scheme, url.host, url.port) == (base.scheme, base.host, base.port)


@pytest.mark.parametrize(
    ("base", "count"),
    [
        ("https://h/a/b/c?q#f", 300),
        ("https://h//a", 300),
        ("https://h/", 300),
        ("file:///C:/a", 200),
        ("file://h/a", 200),
        ("foo:/a/b", 200),
        ("foo://h?q", 200),
    ],
)
def test_no_shorter_valid_reference_leads_to_the_same_url(base: str, count: int) -> None:
    """All texts of up to four characters from a small alphabet are tried."""
    start = weburl.parse(base)
    shortest: dict[URLRecord, str] = {}
    for size in range(5):
        for letters in itertools.product("/.:?#ahC", repeat=size):
            text = "".join(letters)
            # A text that is not valid, such as "//C:/", may be shorter.
            if not weburl.can_parse(text, start):
                continue
            url = start.join(text)
            if url not in shortest and weburl.is_valid_url_string(text, base):
                shortest[url] = text
    tried = 0
    for url, text in shortest.items():
        if url.scheme == start.scheme:
            tried += 1
            assert len(url.relative_to(start).text) <= len(text), (url, text)
    assert tried >= count


@pytest.mark.parametrize(
    ("base", "url", "expected"),
    [
        ("https://h/a", "https://h/a", ""),
        ("https://h/a#f", "https://h/a#", "#"),
        ("https://h/a?q", "https://h/a?", "?"),
        ("https://h/a?q", "https://h/a", "a"),
        ("https://h/?q", "https://h/", "."),
        ("https://h/a/b/c", "https://h/a/", ".."),
        ("https://h/a/b/c", "https://h/a/x", "../x"),
        ("https://h/a/b/c", "https://h/x", "/x"),
        ("https://h/a", "https://h//a", ".//a"),
        ("https://h/a/b/c/d", "https://h//a", "/.//a"),
        ("https://h/x/a", "https://h/x/a:b", "./a:b"),
        ("https://h/x/a", "https://h/x/1:b", "1:b"),
        ("https://u:p@h/a", "https://h/a", "//h/a"),
        ("https://x/a", "https://h/?q", "//h?q"),
        ("file:///C:/a", "file:///x", "///x"),
        ("file:///C:/a", "file:///D:/x", "/D:/x"),
        ("mailto:a", "mailto:a#f", "#f"),
        ("foo:/a", "foo:/.//b", ".//b"),
    ],
)
def test_examples_of_the_reference_between_two_urls(base: str, url: str, expected: str) -> None:
    """There is an example for each rule."""
    assert str(weburl.parse(url).relative_to(base)) == expected
    assert str(weburl.parse(url).relative_to(weburl.parse(base))) == expected


def test_the_kind_that_is_preferred_is_taken_if_it_leads_there() -> None:
    """Otherwise, the shortest is returned."""
    url = weburl.parse("https://h/a/x?q")
    base = "https://h/a/b"
    texts = {kind: str(url.relative_to(base, prefer=kind)) for kind in _kinds()}
    assert texts == {
        "scheme-relative": "//h/a/x?q",
        "path-absolute": "/a/x?q",
        "path-relative": "x?q",
        "query": "x?q",
        "fragment": "x?q",
    }
    with pytest.raises(ValueError, match="reference 'short', only scheme-relative, path-absolute"):
        url.relative_to(base, prefer="short")  # type: ignore[arg-type]


def _kinds() -> tuple[ReferenceKind, ...]:
    return ("scheme-relative", "path-absolute", "path-relative", "query", "fragment")


@pytest.mark.parametrize(
    ("base", "url"),
    [
        ("http://h/", "https://h/"),
        ("mailto:a", "mailto:a"),
        ("mailto:a", "mailto:b"),
        ("foo://h/a", "foo:/a"),
        ("foo:/a", "foo:b"),
    ],
)
def test_where_no_reference_leads_is_an_error(base: str, url: str) -> None:
    """The message shows both URLs without credentials."""
    with pytest.raises(URLParseError, match="No relative reference leads from"):
        weburl.parse(url).relative_to(base)
    with pytest.raises(URLParseError, match="No relative") as caught:
        weburl.parse("https://user:hunter2@h/").relative_to("http://user:hunter2@h/")
    assert "hunter2" not in f"{caught.value} {caught.value!r}"


@pytest.mark.parametrize(
    ("text", "kind"),
    [
        ("//evil.example", "scheme-relative"),
        ("\\\\evil.example", "scheme-relative"),
        (" \x01//evil.example", "scheme-relative"),
        ("\n/\r\\evil.example", "scheme-relative"),
        ("/a//evil.example", "path-absolute"),
        ("/", "path-absolute"),
        ("\\a", "path-absolute"),
        ("", "path-relative"),
        ("./a:b", "path-relative"),
        ("?//h", "query"),
        ("#//h", "fragment"),
    ],
)
def test_a_reference_says_its_kind_and_whether_it_names_a_host(text: str, kind: str) -> None:
    """A browser on a web page reads it in the same way."""
    reference = RelativeReference(text)
    base = weburl.parse("https://site.example/a/b")
    assert reference.kind == kind
    assert reference.names_a_host is (kind == "scheme-relative")
    assert (reference.resolve(base).host == base.host) is not reference.names_a_host
    assert reference.resolve(base) == weburl.parse(text, base)


@pytest.mark.parametrize("text", ["https:a", "x:", "https://h/", " \tmailto:a", "ja\nvascript:a"])
def test_text_with_a_scheme_is_not_a_relative_reference(text: str) -> None:
    """This holds even if the parser reads it as relative to a base with that scheme."""
    with pytest.raises(URLParseError, match="has a scheme, so it is not relative"):
        RelativeReference(text)


@pytest.mark.parametrize("text", ["https://[2001]/", "http://exa mple.com/", "https://h:abc"])
def test_text_that_is_neither_a_url_nor_a_reference_has_the_error_of_the_parser(text: str) -> None:
    """Both functions raise the same error."""
    with pytest.raises(URLParseError) as expected:
        weburl.parse(text)
    for read in (RelativeReference, weburl.parse_reference):
        with pytest.raises(URLParseError) as caught:
            read(text)
        assert (caught.value.type, str(caught.value)) == (expected.value.type, str(expected.value))


_PAGES: Final = (
    "https://e.example/p/q/r/s?k#f",
    "http://e.example:8/1",
    "http://~base~0/~base~0/~base~0/",
    "wss://base.invalid/a/b/c/d/",
)


@pytest.mark.parametrize(
    ("text", "canonical"),
    [
        ("", ""),
        ("?", "?"),
        ("#", "#"),
        ("a/../..", ".."),
        ("../../x y?é#z", "../../x%20y?%C3%A9#z"),
        ("%2e%2E/.%2e/x", "../../x"),
        ("\\a\\..\\b c", "/b%20c"),
        ("/..//a", "/.//a"),
        ("./a:b", "./a:b"),
        ("?../..", "?../.."),
        ("~base~0/../x", "x"),
        ("../~base~0/~base~1/x", "../~base~0/~base~1/x"),
        ("//EXAMPLE.com:443/a", "//example.com:443/a"),
        ("\\/h:80", "//h:80"),
        ("//base.invalid/x", "//base.invalid/x"),
    ],
)
def test_the_canonical_reference_leads_to_the_same_url_on_every_page(
    text: str, canonical: str
) -> None:
    """It may begin with many "..", or have a host with a default port."""
    found = RelativeReference(text).canonical()
    assert found.text == canonical
    assert found.canonical() == found
    for page in _PAGES:
        assert found.resolve(page) == weburl.parse(text, page)


@given(text=url_texts)
def test_any_reference_has_a_canonical_one(text: str) -> None:
    """If it fails on a page, `canonical` raises an error."""
    try:
        reference = RelativeReference(text)
    except URLParseError:
        return
    if not weburl.can_parse(text, "https://e.example/"):
        with pytest.raises(URLParseError):
            reference.canonical()
        return
    found = reference.canonical()
    assert found.canonical() == found
    for page in _PAGES:
        assert found.resolve(page) == weburl.parse(text, page)


def test_a_canonical_reference_has_the_encoding_of_its_page() -> None:
    """Only the query uses it, as with `parse`."""
    found = RelativeReference("../é?é").canonical(encoding="windows-1252")
    assert found.text == "../%C3%A9?%E9"
    with pytest.raises(ValueError, match="there is no encoding with the label 'latin'"):
        found.canonical(encoding="latin")


@pytest.mark.parametrize(
    ("text", "edit", "edited"),
    [
        ("/search?q=1", lambda url: url.add_query_param("page", 2), "/search?q=1&page=2"),
        ("../../a?b#c", lambda url: url.with_query(None), "../../a#c"),
        ("?q=1#top", lambda url: url.without_fragment(), "?q=1"),
        ("", lambda url: url.with_query("a"), "?a"),
        ("", lambda url: url.with_fragment("a"), "#a"),
        ("?q=1", lambda url: url.with_query(None), ""),
        ("../a", lambda url: url / "b c", "../a/b%20c"),
        ("a/b", lambda url: url.parent, "a"),
        ("?q", lambda url: url.with_name("b"), "b"),
        ("../a", lambda url: url.with_path("/b"), "/b"),
        ("//h:443/a", lambda url: url.with_path("/b"), "//h:443/b"),
        ("/a", lambda url: url.with_hostname("h.example"), "//h.example/a"),
    ],
)
def test_a_reference_can_be_edited_as_a_record(
    text: str, edit: Callable[[URLRecord], URLRecord], edited: str
) -> None:
    """The result contains nothing of the base that was used for it."""
    assert RelativeReference(text).edited(edit).text == edited


@pytest.mark.parametrize(
    ("text", "edit"),
    [
        ("", lambda url: url / "b"),
        ("a", lambda url: url.parent),
        ("../a", lambda url: url.parent),
        ("a", lambda url: url.with_scheme("http")),
        ("?next=//user:secret@h", lambda url: url / "b"),
    ],
)
def test_an_edit_that_needs_the_base_is_refused(
    text: str, edit: Callable[[URLRecord], URLRecord]
) -> None:
    """The parent of "a" is the directory of the page, which is unknown."""
    with pytest.raises(URLParseError, match="needs a base: resolve it first") as caught:
        RelativeReference(text).edited(edit)
    assert "secret" not in str(caught.value)


def test_an_edit_returns_a_record() -> None:
    """Anything else raises TypeError."""
    with pytest.raises(TypeError, match="an edit must return a URLRecord, not str"):
        RelativeReference("a").edited(lambda url: url.href)  # type: ignore[arg-type,return-value]


@given(text=url_texts)
def test_text_is_a_url_or_a_reference_or_an_error(text: str) -> None:
    """A reference is text that the parser refuses only because it has no scheme."""
    failure = weburl.check(text).failure
    if failure is None:
        assert weburl.parse_reference(text) == weburl.parse(text)
    elif failure.type is weburl.ValidationErrorType.MISSING_SCHEME_NON_RELATIVE_URL:
        assert weburl.parse_reference(text) == RelativeReference(text)
    else:
        with pytest.raises(URLParseError, match=re.escape(failure.message)):
            weburl.parse_reference(text)


def test_a_record_is_returned_as_it_is() -> None:
    """`parse` does the same."""
    record = weburl.parse("https://h/a")
    assert weburl.parse_reference(record) is record


def test_a_reference_shows_no_password() -> None:
    """This holds for its repr and for the message of an error."""
    reference = RelativeReference("//user:hunter2@h/a")
    assert "hunter2" not in repr(reference)
    assert str(reference) == "//user:hunter2@h/a"
    with pytest.raises(URLParseError) as caught:
        RelativeReference("https://user:hunter2@h/a")
    assert "hunter2" not in f"{caught.value} {caught.value!r}"
    with pytest.raises(TypeError, match="int"):
        RelativeReference(5)  # type: ignore[arg-type]


def test_a_reference_between_long_paths_takes_linear_time_and_memory() -> None:
    """Both paths have a million segments."""
    url = weburl.parse("https://h" + "/a" * 1_000_000)
    base = weburl.parse("https://h" + "/a" * 999_999 + "/b/")
    assert str(url.relative_to(base)) == "../a"
    assert len(weburl.parse("https://h/x").relative_to(base).text) == 2


if __name__ == "__main__":
    print(try_pairs(int(sys.argv[1])), "references lead back")
