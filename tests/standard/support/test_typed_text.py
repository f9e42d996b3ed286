"""Tests of how a scheme is put before text without one."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

import weburl
from tests import strategies
from weburl import URLParseError, ValidationErrorType
from weburl.standard.support.typed_text import TypedKind, TypedProblem, read_typed_text


@pytest.mark.parametrize(
    ("text", "whole"),
    [
        ("example.com/a?q", "https://example.com/a?q"),
        (" \x00example.com", "https://example.com"),
        ("\u200b\u3000example.com \u202c", "https://example.com"),
        ("\ufeffhttps://example.com\u200b", "https://example.com"),
        ("https://example.com\u200b", "https://example.com\u200b"),
        ("wiki/a", "https://wiki/a"),
        ("wiki.", "https://wiki."),
        ("//example.com", "https://example.com"),
        ("///example.com/a", "https://example.com/a"),
        ("localhost:8000/a", "https://localhost:8000/a"),
        ("example.com:80", "https://example.com:80"),
        ("10.0.0.1", "https://10.0.0.1"),
        ("[::1]:80", "https://[::1]:80"),
        ("user:pass@example.com", "user:pass@example.com"),
        ("mailto:a@example.com", "mailto:a@example.com"),
        ("ftp://example.com", "ftp://example.com"),
        ("https:example.com", "https:example.com"),
        ("https://a.com/https://b.com", "https://a.com/https://b.com"),
        ("https://a.com/?q=see https://b.com", "https://a.com/?q=see https://b.com"),
        ("me@example.com:80/a", "https://me@example.com:80/a"),
    ],
)
def test_a_scheme_is_put_before_text_without_one(text: str, whole: str) -> None:
    """A host with a port gets one too, although it parses without it."""
    assert read_typed_text(text, single_labels=True).text == whole


@pytest.mark.parametrize(
    ("text", "kind", "problem"),
    [
        ("/a", TypedKind.PATH, None),
        ("?q", TypedKind.PATH, None),
        ("..", TypedKind.PATH, None),
        ("://h", TypedKind.PATH, None),
        ("", TypedKind.PATH, None),
        ("wiki", TypedKind.WORD, TypedProblem.SINGLE_LABEL),
        ("1", TypedKind.WORD, TypedProblem.SINGLE_LABEL),
        ("me@example.com", TypedKind.EMAIL_ADDRESS, TypedProblem.EMAIL_ADDRESS),
        ("192.168.1", TypedKind.NUMBER, TypedProblem.NUMBER),
        ("3.99/kg", TypedKind.NUMBER, TypedProblem.NUMBER),
        ("0x7f.1:80", TypedKind.NUMBER, TypedProblem.NUMBER),
        ("\uff13.\uff19\uff19", TypedKind.NUMBER, TypedProblem.NUMBER),
        ("01.02.03.04", TypedKind.NUMBER, TypedProblem.NUMBER),
        ("a..b", TypedKind.JUNK, TypedProblem.MISPLACED_DOT),
        ("a\u3002\u3002b", TypedKind.JUNK, TypedProblem.MISPLACED_DOT),
        ("example.com.", TypedKind.JUNK, TypedProblem.MISPLACED_DOT),
        ("\u201cexample.com\u201d", TypedKind.JUNK, TypedProblem.QUOTATION_MARKS),
        ("(https://a)", TypedKind.JUNK, TypedProblem.BRACKETS),
        ("http://https://a.com", TypedKind.JUNK, TypedProblem.TWO_SCHEMES),
        ("https:https://a.com", TypedKind.JUNK, TypedProblem.TWO_SCHEMES),
        ("https://a.com/ https://b.com/x", TypedKind.JUNK, TypedProblem.TWO_URLS),
        ("see https://a.com for details", TypedKind.JUNK, TypedProblem.OTHER_TEXT),
        ("See: https://a.com", TypedKind.JUNK, TypedProblem.OTHER_TEXT),
        ("[Text](https://a.com/)", TypedKind.JUNK, TypedProblem.OTHER_TEXT),
        ("git@github.com:a/b.git", TypedKind.JUNK, TypedProblem.GIT_ADDRESS),
        ("git@host:2222/x", TypedKind.JUNK, TypedProblem.GIT_ADDRESS),
        ("me@host.example:a/b", TypedKind.JUNK, TypedProblem.GIT_ADDRESS),
        ("C:\\Users\\x", TypedKind.JUNK, TypedProblem.FILE_PATH),
        ("C:/Users/x", TypedKind.JUNK, TypedProblem.FILE_PATH),
        ("https://2001:db8::1/", TypedKind.JUNK, TypedProblem.IPV6_WITHOUT_BRACKETS),
        ("https://[192.0.2.1]/", TypedKind.JUNK, TypedProblem.IPV4_IN_BRACKETS),
        ("* https://a", TypedKind.JUNK, TypedProblem.SIGNS_BEFORE_URL),
        ("a.com\r\nhttp://b", TypedKind.JUNK, TypedProblem.TWO_URLS),
        ("2001:db8::1/a", TypedKind.JUNK, TypedProblem.IPV6_WITHOUT_BRACKETS),
        ("ftp//h", TypedKind.JUNK, TypedProblem.MISSING_COLON),
        ("https ://h", TypedKind.JUNK, TypedProblem.WRONG_COLON),
        ("http.//h", TypedKind.JUNK, TypedProblem.WRONG_COLON),
        ("https;/example.com", TypedKind.JUNK, TypedProblem.WRONG_COLON),
        ("HTTPS\uff1aexample.com", TypedKind.JUNK, TypedProblem.WRONG_COLON),
    ],
)
def test_other_text_is_not_a_host(text: str, kind: TypedKind, problem: TypedProblem | None) -> None:
    """The text is not changed, and the reason shows no credentials."""
    typed = read_typed_text(text, "ftp")
    assert (typed.kind, typed.problem, typed.text) == (kind, problem, text)
    assert typed.reason.endswith(".") is bool(problem)
    assert bool(typed.code) is bool(problem)


@given(strategies.url_texts | st.text("ht:/.1 a\t\n-"))
def test_text_has_a_scheme_if_the_parser_finds_one(text: str) -> None:
    """Exceptions are hosts with a port, IPv6 addresses and two URLs. Other text gets a scheme."""
    typed = read_typed_text(text, single_labels=True)
    try:
        scheme = weburl.parse(text).scheme
    except URLParseError as error:
        if error.type is not ValidationErrorType.MISSING_SCHEME_NON_RELATIVE_URL:
            assert typed.text == text
        assert typed.text == text or typed.text.startswith("https:") or typed.kind is TypedKind.URL
    else:
        assert typed.text == text or "." in scheme or scheme == "localhost"


@given(st.text() | strategies.url_texts)
def test_any_text_is_something(text: str) -> None:
    """Text that is to be parsed has no problem, and other text has one."""
    typed = read_typed_text(text)
    assert (typed.problem is None) == (
        typed.kind in (TypedKind.URL, TypedKind.HOST, TypedKind.PATH)
    )
