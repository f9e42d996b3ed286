"""The URLs that speculation rules list."""

from __future__ import annotations

import json

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from tests.html import literal
from weburl.html.speculation_rules import speculation_rules_urls

JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(),
    lambda inner: (
        st.lists(inner)
        | st.dictionaries(
            st.sampled_from(
                ("prefetch", "prerender", "urls", "where", "source", "relative_to", "x")
            ),
            inner,
        )
    ),
)


def test_the_urls_of_both_actions_are_listed_in_order() -> None:
    """As they were written, for what to do first; rules that match hyperlinks list none."""
    rules = {
        "prerender": [{"source": "list", "urls": ["c"], "eagerness": "moderate"}],
        "prefetch": [
            {"urls": ["a", " b "], "relative_to": "document", "requires": []},
            {"where": {"href_matches": "/*"}},
            {"source": "list", "urls": ["b2"], "relative_to": "ruleset"},
        ],
        "future": [{"urls": ["no"]}],
    }
    assert speculation_rules_urls(json.dumps(rules)) == ["a", " b ", "b2", "c"]


@pytest.mark.parametrize(
    "text",
    [
        "",
        "{",
        "[]",
        "null",
        '{"prefetch": {"urls": ["a"]}}',
        '{"prefetch": [{"urls": ["a"]}], "x": NaN}',
        "[" * 100_000,
        '{"prefetch":' * 100_000,
        "9" * 1_000_000,
    ],
)
def test_text_that_is_no_set_of_rules_lists_nothing(text: str) -> None:
    """However deep or long."""
    assert speculation_rules_urls(text) == []


RULES: st.SearchStrategy[object] = st.fixed_dictionaries(
    {},
    optional={
        "urls": st.lists(st.text("ab") | st.just(1), max_size=2) | st.just("a"),
        "source": st.sampled_from(["list", "document", None]),
        "where": st.just({}),
        "relative_to": st.sampled_from(["document", "ruleset", "moon"]),
        "eagerness": st.just("moderate"),
        "x": st.just(1),
    },
)
SETS: st.SearchStrategy[object] = st.fixed_dictionaries(
    {"prefetch": st.lists(RULES | st.just("a"), max_size=3)},
    optional={
        "prerender": st.lists(RULES, max_size=2) | st.just({}),
        "tag": st.text("a \x7f~\n", max_size=2) | st.none() | st.booleans(),
        "future": st.just([]),
    },
)


@given(SETS | JSON)
def test_rules_are_read_as_the_literal_steps_read_them(rules: object) -> None:
    """No browser shows in a frame what it has in mind to load."""
    assert speculation_rules_urls(json.dumps(rules)) == literal.speculation_rules_urls(rules)


@given(st.one_of(st.text(), JSON.map(json.dumps)))
@example('{"prefetch": [{"urls": ["\\ud800"]}]}')
def test_no_text_makes_an_exception(text: str) -> None:
    """What comes out is texts."""
    assert all(isinstance(url, str) for url in speculation_rules_urls(text))


def test_long_numbers_do_not_matter() -> None:
    """Neither in a rule set nor in a rule's unread members."""
    text = f'{{"x": {"9" * 10_000}, "prefetch": [{{"urls": ["a"], "tag": -1e{"9" * 10_000}}}]}}'
    assert speculation_rules_urls(text) == ["a"]
