"""Whatever text the older rules are given, they take time in proportion, and raise one exception.

A step of quadratic time would keep these tests busy for hours.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests import strategies
from weburl.history import (
    decomposition,
    html5_urls,
    idna2003,
    rfc3986,
    rfc3987,
    url_standard_2020,
    url_standard_2024,
    web_addresses,
)
from weburl.history.errors import LegacyURLError
from weburl.history.readings import history

BASE = "http://h/a?b"

FUNCTIONS: dict[str, Callable[[str], object]] = {
    "rfc3986.parse": lambda text: rfc3986.parse(text, BASE),
    "rfc3987": rfc3987.parse_iri_reference,
    "idna2003": lambda text: idna2003.domain_to_ascii(text.encode("utf-8", "replace").decode()),
    "web_addresses.parse": web_addresses.parse,
    "web_addresses.resolve": lambda text: web_addresses.resolve(text, BASE),
    "web_addresses.is_absolute": web_addresses.is_absolute_web_address,
    "html5_urls.parse": html5_urls.parse,
    "html5_urls.resolve": lambda text: html5_urls.resolve(text, BASE, encoding="iso-2022-jp"),
    "html5_urls.is_valid": lambda text: html5_urls.is_valid_url(text, encoding="latin1"),
    "html5_urls.is_hierarchical": html5_urls.is_hierarchical_url,
    "decompose": decomposition.decompose,
    "decomposition.set_attribute": lambda text: [
        decomposition.set_attribute(BASE, attribute, text) for attribute in decomposition.ATTRIBUTES
    ],
    "2020.parse": lambda text: url_standard_2020.parse(text, BASE, encoding="iso-2022-jp"),
    "2020.origin": lambda text: url_standard_2020.parse(text).origin,
    "2020.set_attribute": lambda text: [
        url_standard_2020.set_attribute(url_standard_2020.parse(BASE), attribute, text)
        for attribute in url_standard_2020._ATTRIBUTES
    ],
    "2020.is_valid": url_standard_2020.is_valid_url_string,
    "2024.is_valid": url_standard_2024.is_valid_url_string,
    "2024.parse": lambda text: url_standard_2024.parse(text, BASE, encoding="iso-2022-jp"),
    "2024.origin": lambda text: url_standard_2024.parse(text).origin,
    "2024.set_attribute": lambda text: [
        url_standard_2024.set_attribute(url_standard_2024.parse(BASE), attribute, text)
        for attribute in url_standard_2020._ATTRIBUTES
    ],
    "web_addresses.is_valid": web_addresses.is_valid_web_address,
    "2020 as base": lambda text: url_standard_2020.parse("../a", text),
}


def reason_of(function: Callable[[str], object], text: str) -> str:
    """Return why a function refused a text, or a word for that it did not."""
    try:
        function(text)
    except LegacyURLError as error:
        return str(error)
    return "accepted"


PREFIXES = ("", "http://", "http://h/", "file:", "foo:", "blob:", "http://h?", "http://h#")
SHAPES = (
    "a", "@", ":", "/", "\\", "?", "#", "[", "]", "%", ".", "/..", "../", "C|/", "0", "0.", "^",
    " ", "\t", "\0", "\xe9", "\xad", "\u3042", "xn--", "a.", "\xe9.", "\u0301\u0323",
    "\u200c\u0915", "\u05d0", "\ud800", "\ud83d\udca9", "blob:", "\u2126", "%C3%A9",
)  # fmt: skip


@pytest.mark.nightly
@pytest.mark.parametrize("shape", SHAPES, ids=ascii)
def test_long_text_of_every_shape_takes_linear_time(shape: str) -> None:
    """Some thousand code points behind every prefix, in every function."""
    for prefix in PREFIXES:
        text = prefix + shape * (6_000 // len(shape))
        for function in FUNCTIONS.values():
            assert len(reason_of(function, text)) < 200


@pytest.mark.nightly
def test_a_megabyte_is_read_by_all_generations() -> None:
    """Where a quadratic step is easily made: "@", dot segments, and slashes of file URLs."""
    for text in ("http://" + "@" * 1_000_000, "../" * 350_000, "file:" + "/" * 1_000_000):
        assert len(history(text, BASE)) == 6


@pytest.mark.parametrize("name", FUNCTIONS)
@given(text=st.one_of(strategies.url_texts, st.text(max_size=20)))
def test_no_other_exception_comes_out(name: str, text: str) -> None:
    """Lone surrogates and controls included."""
    assert reason_of(FUNCTIONS[name], text)


@given(strategies.url_texts, strategies.url_texts)
def test_nothing_else_comes_out_with_any_base(text: str, base: str) -> None:
    """A base is text from outside too."""
    for parse in (
        rfc3986.parse,
        web_addresses.resolve,
        html5_urls.resolve,
        url_standard_2020.parse,
        url_standard_2024.parse,
    ):
        assert reason_of(partial(parse, base=base), text)
