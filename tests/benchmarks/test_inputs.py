"""The texts are what the table says they are."""

from __future__ import annotations

import pytest

import weburl
from benchmarks.inputs import (
    FALLBACK,
    domains,
    make_inputs,
    make_slow,
    query_of,
    reference,
    thin_out,
    unique_links,
)
from benchmarks.operations import Inputs


def test_lists_hold_each_text_once_and_no_more_than_asked_for() -> None:
    """Of every operation."""
    made = make_inputs(unique_links(FALLBACK), limit=50)
    assert set(made) == set(Inputs)
    for lists in made.values():
        for texts in lists.values():
            assert 0 < len(texts) == len(set(texts)) <= 50


def test_lists_are_the_same_each_time() -> None:
    """Runs can be compared."""
    links = unique_links(FALLBACK)
    assert make_inputs(links, 20) == make_inputs(links, 20)


@pytest.mark.parametrize(
    ("link", "slow"),
    [
        ("http://user@example.com/a/b?c#d", "http://USER@example.com/%20a/b?c#d"),
        ("https://example.com", "https://example.com/"),
        ("https://example.com?q", "https://example.com/%20?q"),
        ("mailto:a@b", "mailto:a@b"),
    ],
)
def test_a_slow_link_is_no_canonical_url_and_is_read_as_the_same_with_a_space(
    link: str, slow: str
) -> None:
    """The work is a parser's; the outcome shows that it was done."""
    text = make_slow(link)
    assert weburl.canonicalize(text) == slow != text


def test_references_are_relative_and_of_four_kinds() -> None:
    """None has a scheme, so each needs its base."""
    link = "https://example.com/a/b?c#d"
    made = [reference(link, i) for i in range(4)]
    assert made == ["./a/b?c#d", "/a/b?c#d", "../a/b?c#d", "?/a/b?c#d"]
    assert not any(map(weburl.can_parse, made))
    assert reference("https://example.com", 0) == "?example.com"


def test_a_query_is_that_of_the_link() -> None:
    """Without its question mark."""
    assert query_of("http://h/a?b=c?d#e?f") == "b=c?d"
    assert query_of("http://h/#a?b") == ""


def test_domains_are_valid_in_many_scripts_and_three_spellings() -> None:
    """At least nineteen of twenty of them; the rest break a rule on directions."""
    made = domains(400)
    assert len(made) == len(set(made)) == 400
    canonical = [
        weburl.parse(f"http://{host}").host for host in made if weburl.can_parse(f"http://{host}")
    ]
    assert len(canonical) >= 380
    in_ascii = [host for host in made if host.isascii()]
    assert 80 < len(in_ascii) < 200
    assert all("xn--" in host for host in in_ascii)
    assert any("\u3002" in host for host in made)


def test_a_list_is_thinned_out_evenly() -> None:
    """From all over it, its first one included."""
    assert thin_out(list("abcdef"), 3) == ["a", "c", "e"]
    assert thin_out(list("ab"), 3) == ["a", "b"]
    assert thin_out(list("ab"), None) == ["a", "b"]
