"""`weburl` and the literal state machine agree: records, and validation errors in their order.

Over web-platform-tests, a corpus of real links, and text that Hypothesis puts together. What is
compared, and how, is in `tests.agreement`.
"""

from __future__ import annotations

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

import weburl
from tests import strategies
from tests.agreement import (
    may_be_written_as_another_url,
    parse_disagreements,
    prepared_offsets,
    setter_disagreements,
)
from tests.corpus import THOROUGH, corpus
from tests.wpt import load, load_cases
from weburl import URL

# A base of each kind that the state machine tells apart.
BASES = (
    "http://base.example/a/b?q#f",
    "https://u:p@base.example:8080/a/b/c/?q",
    "file:///C:/a/b?q",
    "file://host/a",
    "foo://h/a/b?q#f",
    "foo:/.//p/q",
    "foo:opaque?q#f",
)


@pytest.mark.parametrize(
    ("name", "count"), [("urltestdata.json", 891), ("urltestdata-javascript-only.json", 1)]
)
def test_they_agree_on_every_url_of_web_platform_tests(name: str, count: int) -> None:
    """Each input on its own base."""
    cases = load_cases(name)
    wrong = [parse_disagreements(case["input"], case["base"]) for case in cases]
    assert [found for found in wrong if found] == []
    assert len(cases) == count


def test_they_agree_on_every_url_of_web_platform_tests_on_every_kind_of_base() -> None:
    """Inputs were written for one base; most of them meet other branches on another."""
    inputs = {case["input"] for case in load_cases("urltestdata.json")}
    wrong = [parse_disagreements(input, base) for input in inputs for base in BASES]
    assert [found for found in wrong if found] == []
    assert len(inputs) == 814


@pytest.mark.parametrize(
    ("name", "count"),
    [("IdnaTestV2.json", 2671), ("IdnaTestV2-removed.json", 20), ("toascii.json", 87)],
)
def test_they_agree_on_unicodes_own_domains_as_hosts(name: str, count: int) -> None:
    """As a domain, and as an opaque host, where the same text is something else entirely."""
    domains = [case["input"] for case in load_cases(name)]
    wrong = [
        parse_disagreements(f"{start}{domain}{end}")
        for domain in domains
        for start, end in (("https://", "/"), ("foo://", ":8#"))
    ]
    assert [found for found in wrong if found] == []
    assert len(domains) == count


def test_they_agree_on_queries_in_legacy_encodings() -> None:
    """The schemes whose queries take the encoding, and those whose do not."""
    outputs = [
        (case["input"], encoding)
        for case in load_cases("percent-encoding.json")
        for encoding in case["output"]
    ]
    wrong = [
        parse_disagreements(f"{start}?{text}#{text}", base, encoding=encoding)
        for text, encoding in outputs
        for start in ("https://h/", "wss://h/", "foo:", "file:", "")
        for base in (None, "ftp://b/", "foo://b/")
    ]
    assert [found for found in wrong if found] == []
    assert len(outputs) == 16


def test_they_agree_on_real_links() -> None:
    """One in thirty of the corpus, and all of it in `.ci/nightly`."""
    links = corpus()
    chosen = links if THOROUGH else links[::30]
    wrong = [parse_disagreements(link) for link in chosen]
    assert [found for found in wrong if found] == []
    assert len(chosen) >= 100


@given(strategies.url_texts, strategies.bases_or_none)
def test_they_agree_on_text_that_is_nearly_a_url(text: str, base: str | None) -> None:
    """Pieces of URLs, broken in every way that is known to matter, on all kinds of base."""
    assert parse_disagreements(text, base) == []


@given(strategies.valid_url_texts, strategies.bases_or_none)
def test_they_agree_on_text_that_is_valid(text: str, base: str | None) -> None:
    """What is not broken at all must come through whole, with no error."""
    assert parse_disagreements(text, base) == []


@given(st.text(), st.sampled_from((None, *BASES)))
def test_they_agree_on_any_text(text: str, base: str | None) -> None:
    """Hypothesis' own idea of text, code points of all kinds."""
    assert parse_disagreements(text, base) == []


@given(strategies.hosts, st.sampled_from(("https", "file", "foo")))
def test_they_agree_on_hosts(host: str, scheme: str) -> None:
    """Nothing but a host, so that nothing else is the cause of failure."""
    assert parse_disagreements(f"{scheme}://{host}/") == []


@given(
    strategies.url_texts,
    st.sampled_from(("utf-8", "windows-1252", "shift_jis", "iso-2022-jp", "gb18030", "utf-16le")),
)
def test_they_agree_in_any_encoding(text: str, encoding: str) -> None:
    """Only the query of some schemes depends on it."""
    assert parse_disagreements(text, "https://base.example/a?b", encoding=encoding) == []


# --- setters ----------------------------------------------------------------------------------


def test_they_agree_on_every_setter_of_web_platform_tests() -> None:
    """And on every value of a setter on the URL of every other case of that setter."""
    data = load("setters_tests.json")
    count = 0
    wrong: list[list[str]] = []
    for name, cases in data.items():
        if name == "comment":
            continue
        hrefs = sorted({case["href"] for case in cases})
        values = sorted({case["new_value"] for case in cases})
        count += len(cases)
        wrong += [setter_disagreements(href, [(name, value)]) for href in hrefs for value in values]
    assert [found for found in wrong if found] == []
    assert count == 278


@given(strategies.base_texts, strategies.setter_calls)
def test_they_agree_on_setters(href: str, call: tuple[str, str]) -> None:
    """Record, getters, and whether `href` raises; and the new href parses to the new record."""
    assume(weburl.can_parse(href))
    assert setter_disagreements(href, [call]) == []


@given(strategies.base_texts, st.lists(strategies.setter_calls, min_size=2, max_size=6))
def test_they_agree_on_setters_called_one_after_another(
    href: str, calls: list[tuple[str, str]]
) -> None:
    """Some states, such as a path without a host, are reached by no text but by setters."""
    assume(weburl.can_parse(href))
    assert setter_disagreements(href, calls) == []


@pytest.mark.parametrize(
    ("text", "href", "again"),
    [
        ("http://localhost/", "file://localhost/", "file:///"),
        ("http://h/C|/x", "file://h/C|/x", "file://h/C:/x"),
    ],
    ids=["localhost becomes the host", "a bar stays in the drive letter"],
)
def test_a_file_url_made_by_its_scheme_alone_is_the_exception(
    text: str, href: str, again: str
) -> None:
    """The standard's own: the href, parsed again, has the empty host, or a colon."""
    url = URL(text)
    url.protocol = "file"
    assert url.href == href
    assert weburl.parse(url.href).href == again
    assert may_be_written_as_another_url(url.record)
    assert setter_disagreements(text, [("protocol", "file")]) == []


@given(strategies.base_texts, st.lists(strategies.setter_calls, max_size=4))
def test_these_are_the_only_records_that_their_hrefs_do_not_give(
    href: str, calls: list[tuple[str, str]]
) -> None:
    """A record that a setter made is what its href parses to, whatever came before."""
    url = URL.parse(href)
    assume(url is not None)
    assert url is not None
    for name, value in calls:
        if name != "href" or weburl.can_parse(value):
            setattr(url, name, value)
    is_stable = weburl.parse(url.href) == url.record
    assert is_stable is not may_be_written_as_another_url(url.record)


# --- what compares them -----------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "offsets"),
    [
        ("", [0]),
        ("ab", [0, 1, 2]),
        (" a\tb\n ", [1, 3, 4]),
        ("\ud83d\udca9b\ud83d", [0, 2, 3, 4]),
        ("\udca9\ud83d", [0, 1, 2]),
        ("\ud83d\t\udca9", [0, 2, 3]),
        (" \n\t", [3]),
    ],
)
def test_offsets_of_prepared_text_are_worked_out_one_by_one(text: str, offsets: list[int]) -> None:
    """The comparison's own idea of what preparing an input leaves, shown on a few texts."""
    assert prepared_offsets(text) == offsets
