"""Tests of `django_whatwg_url.messages`: what people are told."""

from __future__ import annotations

import copy
import pickle

import pytest
from django.core.exceptions import ValidationError
from django.utils.functional import Promise
from django.utils.translation import override
from hypothesis import given

import weburl
from django_whatwg_url.forms import CanonicalURLField
from django_whatwg_url.rules.messages import (
    CULPRIT_LENGTH,
    TYPED_TEXT_MESSAGES,
    URL_ERROR_MESSAGES,
    parse_error,
    presentable,
    url_error,
)
from tests.strategies import url_texts
from weburl import URLParseError, ValidationErrorType

OWN_CODES = {"scheme-not-allowed", "invalid-URL-string", "too-many-errors"}


def failure(text: str) -> ValidationError:
    """Return the ValidationError for text that does not parse."""
    with pytest.raises(URLParseError) as caught:
        weburl.parse(text)
    return parse_error(caught.value)


def test_every_validation_error_of_the_standard_has_a_message() -> None:
    """All 31 names, and three codes of our own."""
    names = {str(type) for type in ValidationErrorType}
    assert len(names) == 31
    assert set(URL_ERROR_MESSAGES) == names | OWN_CODES


@pytest.mark.parametrize("code", sorted({**URL_ERROR_MESSAGES, **TYPED_TEXT_MESSAGES}))
def test_a_message_is_a_lazily_translated_sentence(code: str) -> None:
    """It is translated when shown, ends as a sentence does, and says more than "invalid"."""
    message = {**URL_ERROR_MESSAGES, **TYPED_TEXT_MESSAGES}[code]
    assert isinstance(message, Promise)
    text = url_error(code, value="value", culprit="culprit", allowed="“https:”").messages[0]
    assert text[0].isupper() or text[0] == "“"
    assert text.endswith(".")
    assert "%" not in text.replace("%%", "")
    assert "nter a valid URL" not in text


def test_messages_tell_the_errors_apart() -> None:
    """No two errors share a message."""
    assert len({str(message) for message in URL_ERROR_MESSAGES.values()}) == 34
    both = [*URL_ERROR_MESSAGES.values(), *TYPED_TEXT_MESSAGES.values()]
    assert len(set(map(str, both))) == 34 + len(TYPED_TEXT_MESSAGES)


def test_the_whole_text_is_a_parameter_of_the_error() -> None:
    """Replaced messages may quote it as %(value)s."""
    error = failure("https://")
    assert error.params is not None
    assert error.params["value"] == "https://"


def test_an_error_without_a_place_or_a_name_still_has_a_message() -> None:
    """Parsing never makes one, but a record's with_… methods do."""
    with pytest.raises(URLParseError) as caught:
        weburl.parse("mailto:a").with_host("example.com")
    error = parse_error(caught.value)
    assert error.messages == [caught.value.reason]


def test_a_culprit_is_shortened_in_the_middle() -> None:
    """A message is readable for every text."""
    shown = presentable("a" * 500 + "b" * 500)
    assert shown == "a" * (CULPRIT_LENGTH // 2) + "…" + "b" * (CULPRIT_LENGTH // 2)


def test_what_cannot_be_seen_is_named() -> None:
    """Nothing hides in a message, and nothing turns its writing direction."""
    assert presentable("a\0b\u202ec\ud800d e") == "aU+0000bU+202EcU+D800d e"


def test_an_empty_part_of_an_address_is_shown_by_its_dots() -> None:
    """The whole text is not quoted."""
    (message,) = failure("http://1.2..3").messages
    assert "“..” cannot be part of one" in message


def test_blank_letters_are_named() -> None:
    """Python holds Hangul fillers and the empty Braille cell for printable."""
    assert presentable("\u3164\u2800") == "U+3164U+2800"


@given(url_texts)
def test_an_error_says_what_the_report_says(text: str) -> None:
    """The code is known without the report, and what the message quotes is of the same place."""
    report = weburl.check(text)
    if report.failure is None:
        return
    error = failure(text)
    assert error.params is not None
    assert error.code == report.failure.type
    assert error.params["value"] == report.input_without_credentials
    culprit = report.culprit(report.failure) or report.input_without_credentials
    if report.failure.type is not ValidationErrorType.MISSING_SCHEME_NON_RELATIVE_URL:
        assert error.params["culprit"] == presentable(culprit)
    assert error.messages[0]


@pytest.mark.parametrize(
    "text", ["https://exa mple.com/", "https://example.com:8x/", "https://[::1/", "https://", "/a"]
)
def test_a_field_refuses_text_without_a_report(text: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """A report takes longer than all the rest, so only a message makes one."""
    expected = failure(text).code
    reported: list[str] = []
    check = weburl.check

    def counted(input: str, *args: object, **options: str) -> object:
        reported.append(input)
        return check(input, *args, **options)  # type: ignore[arg-type]  # as `_explain` passes them

    monkeypatch.setattr("weburl.standard.url.api.check", counted)
    with pytest.raises(ValidationError) as caught:
        CanonicalURLField().clean(text)
    (error,) = caught.value.error_list
    assert error.code == expected
    assert reported == []
    assert error.messages[0]
    assert len(reported) <= 1


@pytest.mark.parametrize("text", ["https://exa mple.com/", "https://a:8x/", "ftp://a/", "wiki"])
def test_an_error_is_shown_in_the_language_of_its_reader(text: str) -> None:
    """So are lists and quotations. The error can be copied and pickled before."""
    with override("de"), pytest.raises(ValidationError) as caught:
        CanonicalURLField().clean(text)
    errors = [caught.value, copy.deepcopy(caught.value), pickle.loads(pickle.dumps(caught.value))]
    with override("de"):
        german = caught.value.messages
    for language in ("fr", "de", "en"):
        with override(language):
            told = {tuple(error.messages) for error in errors}
            assert len(told) == 1
            assert (told == {tuple(german)}) is (language == "de")


@pytest.mark.parametrize(
    "text", ["https://user:s3cret@exa mple.com/", "https://user:s3cret@a:8x/", "ftp://u:s3cret@a/"]
)
def test_no_credentials_are_in_the_parameters(text: str) -> None:
    """Programs print them."""
    with pytest.raises(ValidationError) as caught:
        CanonicalURLField().clean(text)
    for error in caught.value.error_list:
        assert "s3cret" not in f"{error!r}{error.params}{error.messages}{error.args}"
