"""`weburl.history.decomposition`: the draft's three tables, row by row."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests import strategies
from weburl.history.decomposition import (
    ATTRIBUTES,
    Attribute,
    decompose,
    get_attribute,
    set_attribute,
)
from weburl.history.html5_urls import is_absolute_url


@pytest.mark.parametrize(
    ("url", "attributes"),
    [
        # The draft's two tables.
        ("http://example.com/", ("http:", "example.com", "example.com", "", "/", "", "")),
        ("http://example.com/?", ("http:", "example.com", "example.com", "", "/", "?", "")),
        ("http://example.com/?test", ("http:", "example.com", "example.com", "", "/", "?test", "")),
        ("http://example.com/?test#",
         ("http:", "example.com", "example.com", "", "/", "?test", "")),
        ("http://example.com/carrot#question%3f",
         ("http:", "example.com", "example.com", "", "/carrot", "", "#question%3f")),
        ("https://www.example.com:4443?",
         ("https:", "www.example.com:4443", "www.example.com", "4443", "/", "?", "")),
        # Absolute for all; authority-based for three, hierarchical for two.
        ("http://u:p@h:80/", ("http:", "h", "h", "80", "/", "", "")),
        ("http://h:/a#", ("http:", "h", "h", "", "/a", "", "")),
        ("foo:/a?b", ("foo:", "", "", "", "/a", "?b", "")),
        ("mailto:a?b#c", ("mailto:", "", "", "", "", "", "#c")),
        ("//h/a", ("", "", "", "", "", "", "")),
        ("http://a_b/", ("", "", "", "", "", "", "")),
        ("a", ("", "", "", "", "", "", "")),
    ],
)  # fmt: skip
def test_the_attributes_of_a_url(url: str, attributes: tuple[str, ...]) -> None:
    """All seven of each, together and one by one."""
    assert tuple(decompose(url).values()) == attributes
    assert tuple(get_attribute(url, name) for name in ATTRIBUTES) == attributes


@pytest.mark.parametrize(
    ("attribute", "url", "value", "output"),
    [
        ("protocol", "http://h/", "https", "https://h/"),
        ("protocol", "http://h/", "https:::", "https://h/"),
        ("protocol", "http://h/", ":", "http://h/"),
        ("protocol", "http://h/", "a b", "a%20b://h/"),
        ("protocol", "mailto:a", "foo", "foo:a"),
        ("host", "http://u@h:8/a", "i", "http://u@i/a"),
        ("host", "http://h:80/a", "i:81", "http://i:81/a"),
        ("host", "http://h/", "[::1]:8", "http://[::1]:8/"),
        ("host", "http://h/", "[::1]", "http://[::1]/"),
        ("host", "http://h/", "\u00e9:x", "http://%C3%A9%3Ax/"),
        ("host", "http://h/", "", "http://h/"),
        ("host", "foo:/a", "i", "foo:/a"),
        ("hostname", "http://h:8/", "//i", "http://i:8/"),
        ("hostname", "http://h:8/", "i:9", "http://i%3A9:8/"),
        ("hostname", "http://h/", "//", "http://h/"),
        ("hostname", "foo:/a", "i", "foo:/a"),
        ("port", "http://h/", "8080", "http://h:8080/"),
        ("port", "http://h:8/", "0090x1", "http://h:90/"),
        ("port", "http://h:8/", "x", "http://h:0/"),
        ("port", "http://h:8/", "", "http://h:0/"),
        ("port", "http://h:8/", "65535", "http://h:65535/"),
        ("port", "http://h:8/", "65536", "http://h:8/"),
        ("port", "http://h:8/", "9" * 10_000, "http://h:8/"),
        ("port", "http://h:8/", "\u0663", "http://h:0/"),
        ("port", "foo:/a", "8", "foo:/a"),
        ("pathname", "http://h/a?b", "c d", "http://h/c%20d?b"),
        ("pathname", "http://h", "/c?#%zz%20", "http://h/c%3F%23%25zz%20"),
        ("pathname", "mailto:a", "b", "mailto:a"),
        ("search", "http://h/?a#b", "??c", "http://h/??c#b"),
        ("search", "http://h/", "", "http://h/?"),
        ("search", "http://h/", "\u00e9#", "http://h/?%C3%A9%23"),
        ("search", "mailto:a", "b", "mailto:a"),
        ("hash", "mailto:a", "##b", "mailto:a#%23b"),
        ("hash", "http://h/#a", "", "http://h/#"),
        ("hash", "http://h/", "\ud800", "http://h/#%EF%BF%BD"),
        ("hash", "/a", "b", "/a"),
    ],
)
def test_setters(attribute: Attribute, url: str, value: str, output: str) -> None:
    """Preprocessor, escaping, condition, and the component with the character before it."""
    assert set_attribute(url, attribute, value) == output


@given(strategies.url_texts)
def test_a_url_is_put_together_of_what_its_attributes_give(text: str) -> None:
    """Setting an attribute to what it gives leaves it giving that."""
    if not is_absolute_url(text):
        assert set(decompose(text).values()) == {""}
        return
    for attribute, value in decompose(text).items():
        output = set_attribute(text, attribute, value)
        if value and "%" not in value and value.isascii() and is_absolute_url(output):
            given_back = get_attribute(output, attribute)
            # What cannot stand there was escaped.
            assert given_back == value or "%" in given_back


@given(st.sampled_from(ATTRIBUTES), strategies.url_texts, st.text(max_size=5))
def test_what_is_set_never_ends_its_component(attribute: Attribute, url: str, value: str) -> None:
    """The other attributes stay as they were, as long as the URL is absolute still."""
    output = set_attribute(url, attribute, value)
    if attribute in ("protocol", "host", "hostname", "port") or not is_absolute_url(output):
        return
    before, after = decompose(url), decompose(output)
    assert {name for name in ATTRIBUTES if before[name] != after[name]} <= {attribute}


def test_there_are_seven_attributes() -> None:
    """And no other name is one."""
    assert len(ATTRIBUTES) == 7
    with pytest.raises(ValueError, match="no attribute 'href', only protocol"):
        get_attribute("http://h/", "href")  # type: ignore[arg-type]
    with pytest.raises(ValueError, match="no attribute 'username', only protocol"):
        set_attribute("http://h/", "username", "")  # type: ignore[arg-type]
    with pytest.raises(TypeError, match="must be text, not int"):
        set_attribute("http://h/", "port", 80)  # type: ignore[arg-type]
