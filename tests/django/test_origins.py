"""Tests of the validators of origins, patterns and redirect URIs."""

from __future__ import annotations

from typing import Any

import pytest
from django import forms
from django.core.exceptions import ValidationError
from django.db.migrations.writer import MigrationWriter

from django_whatwg_url.rules.messages import ORIGIN_MESSAGES, REDIRECT_URI_MESSAGES
from django_whatwg_url.validators import (
    OriginValidator,
    RedirectURIValidator,
    URLPatternValidator,
    validate_origin,
    validate_origins,
    validate_url_pattern,
)
from weburl import origin_problems
from weburl.redirect_uris import PROBLEM_CODES

SPELLINGS = [
    "HTTPS://Example.com:443/",
    " https://example.com ",
    "https:example.com",
]
REFUSED = [
    ("https://example.com/a", "path"),
    ("https://example.com?a", "query"),
    ("https://example.com#", "fragment"),
    ("https://u:s3cret@example.com", "credentials"),
    ("https://*.example.com", "wildcard"),
    ("*", "wildcard"),
    ("null", "null"),
    ("example.com", "no-scheme"),
    ("https://a b", "not-a-url"),
    ("ws://example.com", "scheme-not-allowed"),
]


class Allowed(forms.Form):
    """Fields as the page on origins has them."""

    origin = forms.CharField(max_length=300, validators=[validate_origin])
    origins = forms.CharField(widget=forms.Textarea, validators=[validate_origins])


@pytest.mark.parametrize("text", SPELLINGS)
def test_the_message_about_another_spelling_says_what_to_write(text: str) -> None:
    """A column of text would keep the other spelling, which never equals what a browser sends."""
    validate_origin("https://example.com")
    with pytest.raises(ValidationError, match=r"Write “https://example[.]com”"):
        validate_origin(text)


@pytest.mark.parametrize(("text", "code"), REFUSED)
def test_what_is_not_an_origin_is_an_error(text: str, code: str) -> None:
    """With the code of the problem, which a project can give words of its own."""
    with pytest.raises(ValidationError) as caught:
        validate_origin(text)
    assert caught.value.code == code
    assert "%(" not in str(caught.value) and "s3cret" not in str(caught.value)
    own = forms.CharField(validators=[validate_origin], error_messages={code: "No: %(culprit)s"})
    with pytest.raises(ValidationError, match="No: "):
        own.clean(text)


def test_a_list_has_an_error_for_each_entry() -> None:
    """Entries are separated by white space, and the messages name them."""
    form = Allowed(
        {"origin": "https://a.example", "origins": "https://a.example\n http://b.example"}
    )
    assert form.is_valid(), form.errors
    form = Allowed(
        {"origin": "null", "origins": "https://a.example https://u:s3cret@b.example null"}
    )
    found = [error.code for error in form.errors.as_data()["origins"]]
    assert found == ["credentials", "null"]
    assert "https://***:***@b.example: " in str(form.errors["origins"][0])
    assert "s3cret" not in str(form.errors)
    with pytest.raises(TypeError):
        OriginValidator("https")
    OriginValidator(None)("chrome-extension://abc")


def test_validators_are_written_in_migrations() -> None:
    """With their arguments. Equal validators make no new migration."""
    validators: list[Any] = [
        RedirectURIValidator(schemes=["cursor"]),
        OriginValidator(None),
        validate_origin,
        validate_origins,
        validate_url_pattern,
    ]
    for validator in validators:
        path, args, options = validator.deconstruct()
        assert path.startswith("django_whatwg_url.validators.")
        assert type(validator)(*args, **options) == validator
        assert MigrationWriter.serialize(validator)[0]


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("https://example.com/{", "In the pathname"),
        ("/users/:id", r"needs a base URL.* full pattern such as “\*://\*:\*/users/:id”"),
        ("https://example.com/(", r"Expected a “\)” for this “\(”"),
        (r"https://example.com/(\d+)", "regular expression"),
        ("https://example.com/:a/:a", "pathname"),
        ("http://192.168.*/", "hostname"),
    ],
)
def test_what_is_not_a_pattern_is_an_error_with_the_reason(text: str, reason: str) -> None:
    """The code is always the same."""
    validate_url_pattern("https://*.example.com/users/:id")
    URLPatternValidator(regexp_groups=True)(r"https://example.com/(\d+)")
    with pytest.raises(ValidationError, match=reason) as caught:
        validate_url_pattern(text)
    assert caught.value.code == "invalid-pattern"


def test_every_problem_has_a_message() -> None:
    """This includes redirect URIs."""
    assert set(REDIRECT_URI_MESSAGES) == set(PROBLEM_CODES)
    assert {code for _, code in REFUSED} < set(ORIGIN_MESSAGES)


@pytest.mark.parametrize(
    ("text", "code", "words"),
    [
        ("http://app.example/", "not-encrypted", "“http:”"),
        ("myapp:/", "scheme-without-dot", "“myapp:” cannot be used here. Begin with “https:”."),
        ("http://localhost/", "localhost", "“localhost”"),
        ("https://APP.example/?s3cret", "not-canonical", "Write “https://app.example/”."),
        ("https://*.example.com/", "wildcard", "“*”"),
        (f"https://a.example/{'a' * 9000}", "too-long", "9018"),
        ("https://u:s3cret@app.example/", "credentials", "password"),
        ("x", "not-a-url", "Begin the URL with"),
    ],
)
def test_the_validator_says_what_to_change(text: str, code: str, words: str) -> None:
    """The message is in the language of the user, without secrets."""
    with pytest.raises(ValidationError) as caught:
        RedirectURIValidator()(text)
    assert caught.value.code == code
    assert words in caught.value.messages[0].replace(",", "")
    assert "s3cret" not in f"{caught.value}{caught.value.params}"


@pytest.mark.parametrize("text", ["*", "https://*.example.com"])
def test_an_origin_with_an_asterisk_is_one_too_many(text: str) -> None:
    """The message says what to write."""
    with pytest.raises(ValidationError, match="does not mean all origins here"):
        validate_origin(text)


def test_the_first_of_several_problems_is_named() -> None:
    """The order is that of `weburl.origin_problems`, without problems of spelling."""
    text = "HTTPS://user@Example.com:443/path?q#f"
    found = [problem.code for problem in origin_problems(text) if not problem.is_spelling]
    assert found == ["credentials", "path", "query", "fragment"]
    with pytest.raises(ValidationError) as caught:
        validate_origin(text)
    assert caught.value.code == "credentials"
