"""Text without a scheme, and what is put before it."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

import weburl
from tests import strategies
from weburl import URLParseError, ValidationErrorType
from weburl.standard.infra.assuming import with_assumed_scheme


@pytest.mark.parametrize(
    ("text", "whole"),
    [
        ("example.com/a?q", "https://example.com/a?q"),
        (" \x00example.com", "https://example.com"),
        ("//example.com", "https://example.com"),
        ("localhost:8000/a", "https://localhost:8000/a"),
        ("example.com:80", "https://example.com:80"),
        ("10.0.0.1", "https://10.0.0.1"),
        ("[::1]:80", "https://[::1]:80"),
        ("user:pass@example.com", "user:pass@example.com"),
        ("mailto:a@example.com", "mailto:a@example.com"),
        ("ftp://example.com", "ftp://example.com"),
        ("https:example.com", "https:example.com"),
    ],
)
def test_a_scheme_is_put_before_text_without_one(text: str, whole: str) -> None:
    """It is also put before a host with a port, which is a URL without it."""
    assert with_assumed_scheme(text, "https") == whole


@pytest.mark.parametrize("text", ["/a", "?q", "#f", "../a", ".", r"\\h", "https//h", "ftp//h"])
def test_other_text_stays(text: str) -> None:
    """Text that is relative on purpose is not a host, nor is a scheme without its colon."""
    assert with_assumed_scheme(text, "ftp") == text


@given(strategies.url_texts | st.text("ht:/.1 a\t\n-"))
def test_text_has_a_scheme_if_the_parser_finds_one(text: str) -> None:
    """Except a host with a port. Other text is as it was, or has the scheme before it."""
    assumed = with_assumed_scheme(text, "https")
    try:
        scheme = weburl.parse(text).scheme
    except URLParseError as error:
        if error.type is not ValidationErrorType.MISSING_SCHEME_NON_RELATIVE_URL:
            assert assumed == text
        assert assumed == text or assumed.startswith("https:")
    else:
        assert assumed == text or "." in scheme or scheme == "localhost"
