"""Tests of validating models: full_clean(), strictness, uniqueness, constraints, choices."""

# Models for a moment; pickles of our own.

from __future__ import annotations

import copy
import datetime as dt
import pickle
from typing import Any

import pytest
from django.core.exceptions import ValidationError
from django.core.validators import (
    MaxLengthValidator,
    MinLengthValidator,
    RegexValidator,
    URLValidator,
)
from django.db import models
from django.db.models import Value

from django_whatwg_url.fields import CanonicalURLField
from django_whatwg_url.validators import URLStrictnessValidator
from tests.django.servers import model_with
from tests.django.stored import store_text
from tests.django.testapp.models import (
    Bookmark,
    Constrained,
    Page,
    Short,
    Strict,
)
from weburl import parse

TODAY = dt.date(2026, 7, 2)


def errors_of(instance: models.Model) -> dict[str, list[tuple[str | None, str]]]:
    """Return the code and the message of each error that full_clean() finds, by field."""
    try:
        instance.full_clean()
    except ValidationError as caught:
        return {
            field: [(error.code, error.messages[0]) for error in errors]
            for field, errors in caught.error_dict.items()
        }
    return {}


def codes_of(instance: models.Model) -> dict[str, list[str | None]]:
    """Return the codes of the errors that full_clean() finds, by field."""
    return {field: [code for code, _ in errors] for field, errors in errors_of(instance).items()}


@pytest.mark.django_db
def test_text_of_other_software_is_refused_in_another_row() -> None:
    """It may stay where it is, and is told what is wrong like fresh input elsewhere."""
    page = Page.objects.create()
    store_text(page, "https://[::1")
    page = Page.objects.get()
    assert "url" not in codes_of(page)
    assert codes_of(Page(url=page.url))["url"] == ["IPv6-unclosed"]


def test_messages_can_be_replaced_one_by_one() -> None:
    """The key is the name of the error, and the parameters are the same."""
    field = CanonicalURLField(
        error_messages={"host-missing": "No host in %(value)s!", "max_length": "Too long."},
        max_length=25,
    )
    with pytest.raises(ValidationError) as caught:
        field.clean("https://", None)
    assert caught.value.messages == ["No host in https://!"]
    with pytest.raises(ValidationError) as caught:
        field.clean("https://example.com/" + "a" * 9, None)
    assert caught.value.messages == ["Too long."]
    with pytest.raises(ValidationError) as caught:
        field.clean("https://a:b/", None)
    assert caught.value.code == "port-invalid" and "“b”" in caught.value.messages[0]


def test_an_empty_url_is_refused_where_one_is_required() -> None:
    """The codes are Django's. It is accepted where a URL is optional."""
    assert codes_of(Bookmark(url="")) == {"url": ["null"]}
    assert codes_of(Short()) == {"url": ["null"]}
    with pytest.raises(ValidationError) as caught:
        CanonicalURLField(null=True).clean("", None)
    assert caught.value.code == "blank"
    Page(url="", source="https://example.com").clean_fields(exclude=["published"])


def test_the_length_that_counts_is_the_canonical_one() -> None:
    """The message speaks of it."""
    assert errors_of(Short(url="https://example.com/1234567890")) == {}
    ((code, message),) = errors_of(Short(url="https://example.com/éé"))["url"]
    assert code == "max_length"
    assert "30" in message and "32" in message and "stored as six" in message
    assert errors_of(Short(url="https://example.com/" + "./" * 50)) == {}


def test_schemes_can_be_chosen() -> None:
    """Some others, or any, with a message of one's own."""
    message = {"scheme-not-allowed": "Not %(culprit)s"}
    field = CanonicalURLField(schemes=iter(["FTP", "https"]), error_messages=message)
    assert field.schemes == ("ftp", "https")
    assert field.clean("ftp://example.com", None) == parse("ftp://example.com/")
    with pytest.raises(ValidationError) as caught:
        field.clean("http://example.com", None)
    assert caught.value.messages == ["Not http:"]
    assert CanonicalURLField(schemes=None).clean("a:b", None) == parse("a:b")
    seen: list[object] = []
    with pytest.raises(ValidationError) as caught:
        CanonicalURLField(validators=[seen.append], strictness="valid").clean("mailto:a b", None)
    assert caught.value.error_list[0].code == "scheme-not-allowed"
    assert len(caught.value.error_list) == 1 and seen == []
    with pytest.raises(TypeError):
        CanonicalURLField(schemes="https")


@pytest.mark.django_db
def test_saving_does_not_ask_for_schemes() -> None:
    """Only full_clean() runs validators. update() and lookups do not check schemes either."""
    bookmark = Bookmark.objects.create(url="ftp://example.com")
    Bookmark.objects.update(url="mailto:a@b.example")
    assert Bookmark.objects.get(url="mailto:a@b.example") == bookmark
    bookmark.refresh_from_db()
    assert codes_of(bookmark) == {"url": ["scheme-not-allowed"]}


def test_a_subclass_may_allow_other_schemes() -> None:
    """It may have its own default, or its own validate()."""

    class MailField(CanonicalURLField[Any, Any]):
        def __init__(self, *args: Any, **options: Any) -> None:
            options.setdefault("schemes", ["mailto"])
            super().__init__(*args, **options)

    model = model_with(url=MailField())
    assert codes_of(model(url="mailto:a@b.example")) == {}
    assert codes_of(model(url="https://b.example")) == {"url": ["scheme-not-allowed"]}
    assert MailField().clone().schemes == ("mailto",)


def test_validators_get_the_record() -> None:
    """Yours can ask for its parts; those of Django that measure text get its href."""
    seen: list[Any] = []
    field = CanonicalURLField(
        schemes=None,
        validators=[
            seen.append,
            MinLengthValidator(5),
            MaxLengthValidator(30),
            RegexValidator("^https:"),
            URLValidator(),
        ],
    )
    record = field.clean("HTTPS:EXAMPLE.com", None)
    assert record == parse("https://example.com/") and seen == [record]
    for text, code in [
        ("a:b", "min_length"),
        ("https://example.com/" + "a" * 20, "max_length"),
        ("http://example.com", "invalid"),
        ("https://exa_mple.com", "invalid"),
    ]:
        with pytest.raises(ValidationError) as caught:
            field.clean(text, None)
        assert code in {error.code for error in caught.value.error_list}


def test_strictness_judges_the_text_as_it_was_assigned() -> None:
    """The record does not have this text."""
    assert codes_of(Strict(valid="https://example.com/a b\\c")) == {
        "valid": ["invalid-URL-unit", "invalid-reverse-solidus"]
    }
    assert codes_of(Strict(valid="https://example.com/a%20b/c")) == {}
    assert codes_of(Strict(valid="https://example.com", anonymous="https://u@example.com\\ ")) == {
        "anonymous": ["invalid-credentials", "invalid-reverse-solidus"]
    }


def test_what_was_written_is_forgotten_when_something_else_is_assigned() -> None:
    """Only the last assignment counts."""
    strict = Strict(valid="https:example.com")
    assert codes_of(strict) == {"valid": ["special-scheme-missing-following-solidus"]}
    strict.valid = "https://example.com"
    assert codes_of(strict) == {}
    strict.valid = "https:example.com"
    strict.valid = parse("https://example.com")
    assert codes_of(strict) == {}
    strict.valid = "https:example.com"
    strict.anonymous = None
    assert codes_of(strict)["valid"] == ["special-scheme-missing-following-solidus"]


def test_what_was_written_is_kept_until_it_is_mended() -> None:
    """full_clean() says the same every time, on copies as well."""
    strict = Strict(valid="https:example.com")
    for twin in (strict, strict, copy.deepcopy(strict), pickle.loads(pickle.dumps(strict))):
        assert codes_of(twin) == {"valid": ["special-scheme-missing-following-solidus"]}


@pytest.mark.django_db
def test_saving_does_not_ask_for_strictness() -> None:
    """Only full_clean() runs validators, and the column is canonical anyway."""
    strict = Strict.objects.create(valid="https:example.com")
    assert codes_of(Strict.objects.get()) == {}
    strict.refresh_from_db()
    assert codes_of(strict) == {}


def test_nothing_is_remembered_without_strictness() -> None:
    """An instance holds a record and nothing else."""
    page = Page(url="https:example.com")
    assert not any("written" in key for key in vars(page))


def test_a_strictness_validator_does_the_same_as_the_option() -> None:
    """It too gets the text as written."""
    field = CanonicalURLField(validators=[URLStrictnessValidator("valid")])
    assert field.is_strict
    with pytest.raises(ValidationError) as caught:
        field.clean("https:example.com", None)
    assert caught.value.error_list[0].code == "special-scheme-missing-following-solidus"


@pytest.mark.django_db
def test_a_url_can_be_unique_for_a_date() -> None:
    """Spelling does not matter."""
    Constrained.objects.create(url="https://example.com", day=TODAY)
    again = Constrained(url="HTTPS:example.com", mirror="http://m", day=TODAY)
    assert codes_of(again) == {"url": ["unique_for_date"]}
    again.day += dt.timedelta(days=1)
    assert codes_of(again) == {}


@pytest.mark.django_db
def test_constraints_are_validated_with_canonical_values() -> None:
    """They may be on fields, on an expression, or have a condition."""
    Constrained.objects.create(url="https://example.com", mirror="https://m.example/A", day=TODAY)
    tomorrow = TODAY + dt.timedelta(days=1)
    pair = Constrained(url="https:example.com", mirror="https:m.example/A", day=tomorrow)
    assert len(codes_of(pair)["__all__"]) == 2
    lower = Constrained(url="https:example.com/2", mirror="https://m.example/a", day=tomorrow)
    assert len(codes_of(lower)["__all__"]) == 1
    check = Constrained(url="HTTP://example.com", day=tomorrow)
    assert len(codes_of(check)["__all__"]) == 1
    assert codes_of(Constrained(url="HTTPS:example.com", mirror="http://m", day=tomorrow)) == {}
    literal = Constrained(url=Value("https://example.com/3"), mirror=None, day=tomorrow)
    literal.validate_constraints()
