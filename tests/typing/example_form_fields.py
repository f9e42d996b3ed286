"""What type checkers make of form fields, validators and values. Checked, never run."""

from __future__ import annotations

from typing import assert_type

from django import forms as django_forms

from django_whatwg_url import forms
from django_whatwg_url.column.values import UnparsableURL, to_url
from django_whatwg_url.validators import Strictness, URLStrictnessValidator
from weburl import URLParseError, URLPolicy, URLRecord, ValidationErrorType


class LinkForm(django_forms.Form):
    """A form with a field of every option."""

    url = forms.CanonicalURLField(
        label="Link",
        required=False,
        max_length=None,
        assume_scheme=None,
        schemes=("https",),
        strictness=[ValidationErrorType.INVALID_CREDENTIALS, "host-missing"],
        policy=URLPolicy.public_link(),
        error_messages={"host-missing": "Where?"},
    )
    issuer = forms.ExactURLField(max_length=100, strictness="valid", schemes=None)


def cleaning(field: forms.CanonicalURLField) -> None:
    """Clean to a record or None."""
    assert_type(field.clean("https://example.com"), URLRecord | None)
    assert_type(field.to_python("https://example.com"), URLRecord | None)
    assert_type(field.assume_scheme, str | None)


def cleaning_text(field: forms.CanonicalURLTextField) -> None:
    """Clean to text or None."""
    assert_type(field.clean("https://example.com"), str | None)
    assert_type(field.to_python("https://example.com"), str | None)
    forms.CanonicalURLTextField(required=False, empty_value=None, max_length=100)


def converting(value: object) -> None:
    """Anything becomes one of three."""
    url = to_url(value)
    assert_type(url, URLRecord | UnparsableURL | None)
    if isinstance(url, UnparsableURL):
        assert_type(url.error, URLParseError)
        url.upper()


def strictness(names: set[str], any_text: str) -> None:
    """Strictness is a word or names, and not any text."""
    accepted: list[Strictness] = ["browser", "valid", names, [ValidationErrorType.HOST_MISSING]]
    URLStrictnessValidator(accepted[0])
    URLStrictnessValidator(["host-missing"])
    URLStrictnessValidator((ValidationErrorType.HOST_MISSING,))
    URLStrictnessValidator(5)  # type: ignore[arg-type]
    URLStrictnessValidator("strict")  # type: ignore[arg-type]
    URLStrictnessValidator(any_text)  # type: ignore[arg-type]
