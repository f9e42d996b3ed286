"""Tests of URLs written in text: Unicode's own, and that they are found again."""

from __future__ import annotations

import re
from urllib.parse import unquote_to_bytes

import pytest
from hypothesis import given
from hypothesis import strategies as st

import weburl
from tests.text.unicode_data import NEEDS_DATA, all_lines
from weburl.testing import urls
from weburl.text import find_links, format_link


def fully_escaped(structure: str) -> str:
    """Return the URL whose parts a comment of the formatting test names.

    Its letters are mathematical: S scheme, H host, P a segment, Q a name, V a value, F the
    fragment, D a directive.
    """
    url = ""
    for item in filter(None, re.split(r" ?(?=[𝑺𝑯𝑷𝑸𝑽𝑭𝑫]=)", structure)):
        kind, value = item[0], item[2:]
        if kind in "𝑺𝑯":
            url += value
        else:
            separator = "&" if "?" in url else "?"
            start = {"𝑷": "/", "𝑸": separator, "𝑽": "=", "𝑭": "#", "𝑫": ":~:"}[kind]
            url += start + _escaped(value, {"𝑷": "/?#", "𝑭": "", "𝑫": ""}.get(kind, "#&="))
    return url


def _escaped(value: str, delimiters: str) -> str:
    value = re.sub("%(?=[0-9A-Fa-f]{2})", "%25", value)
    return "".join(
        char
        if " " < char < "\x7f" and char not in delimiters
        else "".join(f"%{byte:02X}" for byte in char.encode())
        for char in value
    )


@NEEDS_DATA
def test_every_pair_of_unicodes_test_passes() -> None:
    """55 pairs, each of which is found again."""
    text = all_lines("LinkFormattingTest.txt")
    pairs = [
        (fully_escaped(line[3:-1]), text[number + 2])
        for number, line in enumerate(text)
        if line.startswith("# {𝑺=")
    ]
    assert len(pairs) == 55
    for url, minimal in pairs:
        assert format_link(weburl.parse(url), as_uts58=True) == minimal
        assert [link.text for link in find_links(f"({minimal}).", as_uts58=True)] == [minimal]
    # One has a quotation mark, and one the comma of Chinese for lists.
    assert sum(format_link(weburl.parse(url)) != minimal for url, minimal in pairs) == 2


@pytest.mark.parametrize(
    ("url", "text"),
    [
        ("https://example.com/", "https://example.com"),
        ("https://me:secret@example.com:8080/a", "https://example.com:8080/a"),
        ("https://xn--bcher-kva.example/", "https://bücher.example"),
        ("https://example.com/%FC%E4", "https://example.com/%FC%E4"),
        ("https://example.com/%41%2f", "https://example.com/%41%2f"),
        ("https://example.com/a%E2%80%AEb", "https://example.com/a%E2%80%AEb"),
        ("https://example.com/?", "https://example.com?#"),
        ("https://example.com/?#a", "https://example.com?#a"),
        ("https://example.com/a,https://b.com", "https://example.com/a%2Chttps://b.com"),
        (
            "https://example.com/%22%EF%BC%8C%E2%80%A6a",
            "https://example.com/%22%EF%BC%8C%E2%80%A6a",
        ),
        ("https://example.com/#x:~:", "https://example.com#x:~:"),
        ("https://example.com/a?b?", "https://example.com/a?b%3F"),
        ("https://example.com.", "https://example.com./"),
        ("https://example.com.:8080", "https://example.com.:8080/"),
        ("mailto:me@example.com", "mailto:me@example.com"),
    ],
)
def test_a_url_is_written_with_as_few_escapes_as_possible(url: str, text: str) -> None:
    """Those that stay are other bytes, cannot be seen, or would end the link."""
    assert format_link(weburl.parse(url)) == text


def _in_bytes(record: weburl.URLRecord) -> bytes:
    return unquote_to_bytes(record.href)


@pytest.mark.parametrize("end", ["", "?q", "#f", ":8080", ":8080/?q", "/a", "/a."])
def test_a_host_with_a_dot_at_its_end_is_found_again(end: str) -> None:
    """The fuzzer found that the link ended before the dot, or before the port."""
    url = weburl.parse(f"https://example.com.{end}")
    text = format_link(url)
    (found,) = find_links(f"See {text} there")
    assert found.text == text
    assert found.url == weburl.parse(text)


@given(
    urls(schemes=["http", "https"]),
    st.sampled_from(["", " ", "“", "(", "see ", "看 ", "<"]),
    st.sampled_from(["", " ", "”", ")", ".", "!", ", then", "。", ">"]),
)
def test_what_is_written_is_found_again_in_any_text(
    record: weburl.URLRecord, before: str, after: str
) -> None:
    """All of it, and it is the same URL without credentials, with other escapes at most."""
    record = record.with_hostname("www.example.com").with_username("").with_password("")
    text = format_link(record)
    if record.query == "" and record.fragment is None:
        record = record.with_fragment("")
    assert _in_bytes(weburl.parse(text)) == _in_bytes(record)
    links = list(find_links(before + text + after))
    assert [link.text for link in links] == [text]
    assert format_link(links[0].url) == text


def test_text_is_parsed_first() -> None:
    """As everywhere."""
    assert format_link("HTTPS://example.com/%41") == format_link(
        weburl.parse("https://example.com/%41")
    )
