"""Tests of `weburl.readings`: who reads what, and whether they agree."""

from __future__ import annotations

import subprocess
import sys
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

import weburl
from tests.corpus import corpus
from tests.readers.confusion_cases import AGREEMENTS, DISAGREEMENTS
from tests.strategies import url_texts
from weburl import Readings
from weburl.readers.agreement import MAX_LENGTH
from weburl.standard.infra.strings import ascii_lowercase

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


@pytest.mark.parametrize("value", [None, 5, b"https://example.com/"])
def test_only_text_is_read(value: Any) -> None:
    """As with `parse`."""
    with pytest.raises(TypeError, match="text"):
        weburl.readings(value)


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
