"""Offsets in prepared text are converted to offsets in the caller's text."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from tests.strategies import NOISE, SURROGATES, joined
from weburl.standard.infra.strings import (
    remove_tabs_and_newlines,
    strip_c0_control_or_space,
    to_scalar_value_string,
    trimmed_span,
)
from weburl.standard.url.report import offsets_before_preparation

noisy_texts = joined((*NOISE, *SURROGATES, "a", "\u00e9", "\U0001f4a9"), max_size=8)


@given(noisy_texts, st.booleans())
def test_an_offset_before_preparation_points_at_the_same_code_point(
    text: str, trimmed: bool
) -> None:
    """All offsets of a prepared text, including its end, are converted together."""
    scalar = to_scalar_value_string(text)
    kept = strip_c0_control_or_space(scalar) if trimmed else scalar
    prepared = remove_tabs_and_newlines(kept)
    start = trimmed_span(text)[0] if trimmed else 0
    offsets = offsets_before_preparation(text, set(range(len(prepared) + 1)), start)
    places = [offsets[offset] for offset in range(len(prepared) + 1)]
    assert places == sorted(set(places))
    for char, at in zip(prepared, places, strict=False):
        assert char in (text[at], to_scalar_value_string(text[at : at + 2])[:1])
        assert to_scalar_value_string(text[at]) == char or char > "\uffff"


def test_offsets_skip_what_was_trimmed_removed_and_joined() -> None:
    """The text has two spaces, a tab, and a pair of surrogates that became one code point."""
    text = "  a\tb\ud83d\udca9c "
    assert offsets_before_preparation(text, {0, 1, 2, 3, 4}, trimmed_span(text)[0]) == {
        0: 2,
        1: 4,
        2: 5,
        3: 7,
        4: 8,
    }
    assert offsets_before_preparation(text, {0, 3}, 0) == {0: 0, 3: 4}
    assert offsets_before_preparation(text, set(), trimmed_span(text)[0]) == {}
