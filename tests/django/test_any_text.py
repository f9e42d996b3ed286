"""Properties that hold for any text: nothing raises but ValidationError, and clean URLs stay."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from django.core.exceptions import ValidationError
from django.db import connection
from django.utils.safestring import SafeString
from hypothesis import given
from hypothesis import strategies as st

import weburl
from django_whatwg_url.column.values import UnparsableURL, to_url
from django_whatwg_url.fields import CanonicalURLField
from django_whatwg_url.forms import CanonicalURLField as FormField
from django_whatwg_url.query.operands import percent_encode_operand
from django_whatwg_url.rules.messages import TYPED_TEXT_MESSAGES, URL_ERROR_MESSAGES
from django_whatwg_url.templatetags import whatwg_url
from django_whatwg_url.validators import URLStrictnessValidator
from tests.strategies import url_texts
from weburl import URLRecord, ValidationErrorType

texts = st.one_of(url_texts, st.text(), st.just("example.com:") | st.just("//"))
CODES = {*URL_ERROR_MESSAGES, *TYPED_TEXT_MESSAGES, "required", "max_length", "single-label"}
names = st.sets(st.sampled_from(sorted(ValidationErrorType)))


def attempt(function: Callable[..., object], *arguments: object) -> tuple[object, bool]:
    """Return what a function returns, and whether it raised ValidationError instead.

    Every error must have a known code, and a message that can be shown.
    """
    try:
        return function(*arguments), False
    except ValidationError as error:
        told = [(one.code, one.messages[0]) for one in error.error_list]
    assert all(code in CODES and message for code, message in told)
    return None, True


@given(texts, names, st.booleans())
def test_a_form_field_cleans_or_says_why_not(text: str, strict: set[str], any_scheme: bool) -> None:
    """The cleaned value cleans to itself, and is not a change."""
    field = FormField(strictness=strict, schemes=None if any_scheme else ("http", "https"))
    record, refused = attempt(field.clean, text)
    if refused:
        return
    assert isinstance(record, URLRecord)
    assert FormField(schemes=None, assume_scheme=None).clean(record.href) == record
    assert not field.has_changed(record, text)


@given(texts)
def test_a_model_field_prepares_canonical_text_or_says_why_not(text: str) -> None:
    """The column gets ASCII that parses to itself, NULL for "", or nothing at all."""
    field = CanonicalURLField(null=True)
    stored, refused = attempt(field.get_db_prep_save, text, connection)
    if refused:
        return
    if text == "":
        assert stored is None
        return
    assert isinstance(stored, str)
    assert stored.isascii()
    assert weburl.canonicalize(stored) == stored
    assert percent_encode_operand(stored) == stored
    assert field.get_prep_value(to_url(text)) == stored


@given(texts)
def test_the_attribute_holds_a_record_none_or_the_text(text: str) -> None:
    """All fields agree about it."""
    value = to_url(text)
    if isinstance(value, UnparsableURL):
        assert value == text
        with pytest.raises(ValidationError):
            CanonicalURLField().clean(value, None)
    else:
        assert CanonicalURLField().to_python(text) == value


@given(texts)
def test_the_strictest_field_accepts_exactly_valid_url_strings(text: str) -> None:
    """The grammar of the standard defines them."""
    _, refused = attempt(URLStrictnessValidator("valid"), text)
    assert refused is not weburl.is_valid_url_string(text)


@given(texts, texts)
def test_filters_always_give_text(text: str, other: str) -> None:
    """Templates render whatever people store."""
    for name, function in whatwg_url.register.filters.items():
        takes_text = {"url_param", "url_set_param", "url_without_param", "url_join", "with_rel"}
        arguments = (other,) if name in takes_text else ()
        gives_html = {"url_display_html", "url_json_script", "url_linkify"}
        gives_html |= {"absolute_links", "with_rel"}
        expected = SafeString if name in gives_html else str
        assert type(function(text, *arguments)) is expected
