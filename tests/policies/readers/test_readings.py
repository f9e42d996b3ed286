"""Tests of `weburl.readings`: who reads what, and whether they agree."""

from __future__ import annotations

import subprocess
import sys

import pytest
from hypothesis import given
from hypothesis import strategies as st

import weburl
from tests.corpus import corpus
from tests.policies.readers.confusion_cases import AGREEMENTS, DISAGREEMENTS
from tests.strategies import url_texts
from weburl import Readings
from weburl.policies.readers import (
    MAX_LENGTH,
    read_by_libraries,
    read_by_rfc_3986,
    read_by_the_standard,
    read_by_the_standard_of_2020,
)
from weburl.standard.infra.strings import ascii_lowercase
from weburl.standard.url.writing import is_plain_link

READERS = (
    "URL Standard",
    "URL Standard of 2020",
    "RFC 3986",
    "urllib.parse",
    "urllib3",
    "requests",
    "httpx",
    "yarl",
)


@pytest.mark.parametrize(("text", "host", "reader", "other"), DISAGREEMENTS)
def test_published_confusions_are_disagreements(
    text: str, host: str, reader: str, other: str
) -> None:
    """A browser goes to one host, and another reader to another."""
    found = weburl.readings(text)
    assert not found.agree
    assert found.standard.host == host
    assert found[reader].host == (other or None)
    assert found[reader] in found.disagreeing
    assert reader in found.summary


@pytest.mark.parametrize("text", AGREEMENTS)
def test_plain_urls_are_agreed_on(text: str) -> None:
    """In whatever spelling; a reader that refuses them does no harm."""
    found = weburl.readings(text)
    assert found.agree, found.summary
    assert found.disagreeing == ()


def test_every_reader_is_asked_and_shown() -> None:
    """All of them are installed here, in their real versions."""
    found = weburl.readings("https://user:secret@Example.com/")
    assert tuple(reading.reader for reading in found) == READERS
    assert len(found) == len(READERS)
    for reading in found:
        assert (reading.scheme, reading.host, reading.port) == ("https", "example.com", 443)
        assert str(reading) == f"{reading.reader}: https://example.com:443"
    assert "secret" not in repr(found)
    with pytest.raises(KeyError):
        found["curl"]


@pytest.mark.parametrize("text", ["https://", "https://a b/", "//h", "", "https://h:99999/"])
def test_what_is_no_url_is_agreed_on_by_nobody(text: str) -> None:
    """There is nothing to agree on."""
    found = weburl.readings(text)
    assert not found.agree
    assert found.standard.failure
    assert found.disagreeing == ()


@given(st.one_of(url_texts, st.text()))
def test_any_text_is_read_and_the_standard_s_reading_is_the_record_s(text: str) -> None:
    """Nothing is raised, whatever the libraries raise; twice gives the same."""
    found = weburl.readings(text)
    assert found == weburl.readings(text)
    assert isinstance(found.summary, str)
    if not weburl.can_parse(text):
        assert found.standard.failure
        return
    record = weburl.parse(text)
    assert found.standard.scheme == record.scheme
    host = "" if record.host is None else ascii_lowercase(str(record.host))
    assert (found.standard.host or "") == host


def test_long_text_is_read_by_the_standard_alone() -> None:
    """How long the others would take is theirs to say; so there is no agreement."""
    short = "https://example.com/" + "a" * (MAX_LENGTH - 20)
    assert weburl.readings(short).agree
    found = weburl.readings(f"{short}a")
    assert not found.agree
    assert found.standard.host == "example.com"
    assert {reading.failure for reading in found if reading is not found.standard} == {
        "not asked: the text is too long"
    }
    assert str(MAX_LENGTH) in found.summary
    assert isinstance(weburl.readings("https://h/" + "é" * 1_000_000), Readings)


def test_nearly_all_real_links_are_agreed_on() -> None:
    """One in a hundred of the corpus, as canonical hrefs: what is stored and passed on."""
    links = corpus()[::100]
    hrefs = [weburl.canonicalize(link) for link in links if weburl.can_parse(link)]
    disputed = [
        href for href in hrefs if not weburl.readings(href).agree and len(href) < MAX_LENGTH
    ]
    assert len(hrefs) >= 10
    assert len(disputed) <= len(hrefs) // 100, disputed


def test_what_is_not_installed_is_not_asked() -> None:
    """In an interpreter that finds none of the other libraries."""
    program = (
        "import sys\n"
        "for name in ('urllib3', 'requests', 'httpx', 'yarl'): sys.modules[name] = None\n"
        "import weburl\n"
        "print(*(r.reader for r in weburl.readings('https://h/')), sep=',')"
    )
    printed = subprocess.run(
        [sys.executable, "-c", program], check=True, capture_output=True, text=True
    ).stdout
    assert printed.strip().split(",") == list(READERS[:4])


# Text with which readers were confused, and what a link consists of otherwise.
_PIECES = st.sampled_from(
    [
        *("https://", "http://", "//", "/", "?", "#", ":", ";", "@", "\\", "%", "%2F", "%40"),
        "%00",
        *("example", "com", "www.", ".", "..", "-", "--", "xn--", "_", "a" * 63, "1", "0x7f", "~"),
        *("localhost", "127", ":80", ":443", ":0", ":08", ":59999", ":60000", ":99999", "[::1]"),
        *("a=b&c", "(", "'", '"', "|", "^", "{", "<", " ", "\t", "\x7f", "\u00e9", "\u3002"),
        "\ud800",
    ]
)
_hostile = st.builds(
    "".join,
    st.tuples(st.sampled_from(["https://", "http://a.b", ""]), st.lists(_PIECES).map("".join)),
)
_labels = st.from_regex(r"[a-z0-9]{1,8}(-[a-z0-9]{1,8}){0,3}", fullmatch=True)
_rest = st.text("azAZ09!$&'()*+,-./:;=_~?", max_size=12) | st.sampled_from(["%41", "%2f%2E", "//"])
_plain = st.builds(
    lambda scheme, labels, last, port, path, fragment: (
        f"{scheme}://{''.join(f'{label}.' for label in labels)}{last}{port}{path}{fragment}"
    ),
    st.sampled_from(["http", "https"]),
    st.lists(_labels, max_size=4),
    st.from_regex("[a-z]{1,9}", fullmatch=True) | st.just("a" * 63),
    st.just("") | st.integers(1, 59_999).map(":{}".format),
    st.just("") | st.builds("{}{}".format, st.sampled_from("/?"), st.lists(_rest).map("".join)),
    st.just("") | st.lists(_rest).map(lambda rest: f"#{''.join(rest)}"),
)


def check_plain(text: str) -> bool:
    """Return whether a link is plain. Then each reader reads it as the others do."""
    if not is_plain_link(text):
        return False
    asked = (
        read_by_the_standard(text),
        read_by_the_standard_of_2020(text),
        read_by_rfc_3986(text),
        *read_by_libraries(text),
    )
    assert weburl.readings(text).readings == asked
    assert {(each.scheme, each.host, each.port, each.failure) for each in asked} == {
        (asked[0].scheme, asked[0].host, asked[0].port, None)
    }
    return True


@given(_plain)
def test_all_readers_read_a_plain_link_alike(text: str) -> None:
    """So that they need not be asked."""
    assert check_plain(text)


@given(_hostile | url_texts)
def test_what_readers_differ_on_is_not_a_plain_link(text: str) -> None:
    """Pieces that confused some of them, in any order."""
    check_plain(text)


def test_published_confusions_and_real_links_are_plain_or_not() -> None:
    """No confusion is, and most of the links that people keep are."""
    assert not any(is_plain_link(text) for text, *_ in DISAGREEMENTS)
    links = corpus()[::20]
    assert sum(map(check_plain, links)) > 2 * len(links) // 3


@pytest.mark.parametrize(
    "text",
    [
        *("https://a@b.c/", "https://h/a@b", "https://a\\b/", "https://h:0/", "https://h:080/"),
        *("https://h:60000/", "https://h:/", "https://1.2.3.4/", "https://h.1/", "https://[::1]/"),
        *("https://xn--bcher-kva.example/", "https://a--b.c/", "https://a_b.c/", "https://-a.b/"),
        *("https://a-.b/", "https://h./", "https://.h/", "https://a..b/", "https:///h", "https:h"),
        *(f"https://{'a' * 64}.b/", f"https://{'a.' * 127}b/", "https://H/", "HTTPS://h/"),
        *("https://h/%", "https://h/%4", "https://h/%zz", "https://h/a b", "https://h/|"),
        "https://h#a#",
        *("ftp://h/", "//h/", " https://h/", "https://h/\n", "https://h/\u00e9"),
        *("https://h\u3002c/", ""),
    ],
)
def test_other_links_are_not_plain(text: str) -> None:
    """Readers could differ, or refuse them."""
    assert not is_plain_link(text)
