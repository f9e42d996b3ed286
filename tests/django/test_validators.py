"""Tests of `django_whatwg_url.validators`."""

# What a migration is written as has to be run.

from __future__ import annotations

import pytest
from django.core.exceptions import ValidationError
from django.db.migrations.writer import MigrationWriter

import weburl
from django_whatwg_url.rules.validators import (
    MAX_MESSAGES,
    CanonicalMaxLengthValidator,
    Strictness,
    URLSchemeValidator,
    URLStrictnessValidator,
)
from weburl import ValidationErrorType, parse


def codes(strictness: Strictness, value: object) -> list[str]:
    """Return the codes of what a strictness has against a value."""
    try:
        URLStrictnessValidator(strictness)(value)
    except ValidationError as error:
        return [str(one.code) for one in error.error_list]
    return []


SLOPPY = "https://user:password@example.com\\a b|c"


def test_the_default_refuses_only_what_a_browser_refuses() -> None:
    """Slips that browsers mend are not errors."""
    assert codes("browser", SLOPPY) == []
    assert codes("browser", "https://") == ["host-missing"]


def test_valid_refuses_every_slip_each_with_its_own_error() -> None:
    """Several errors are several messages, in the order of the text."""
    assert codes("valid", SLOPPY) == [
        "invalid-credentials",
        "invalid-reverse-solidus",
        "invalid-URL-unit",
        "invalid-URL-unit",
    ]


def test_valid_accepts_a_valid_url_string() -> None:
    """Nothing is wrong with what the standard lets people write."""
    assert codes("valid", "https://example.com/a%20b?q=é#top") == []


def test_chosen_errors_are_refused_and_others_are_not() -> None:
    """Names and members of the enumeration mean the same."""
    assert codes(["invalid-reverse-solidus"], SLOPPY) == ["invalid-reverse-solidus"]
    assert codes([ValidationErrorType.INVALID_CREDENTIALS], SLOPPY) == ["invalid-credentials"]
    assert codes({"IPv6-unclosed"}, SLOPPY) == []


def test_what_does_not_parse_is_always_refused() -> None:
    """Even when its error is not among the chosen ones."""
    assert codes(["invalid-credentials"], "https://u@:80") == [
        "invalid-credentials",
        "host-missing",
    ]
    assert codes(["IPv6-unclosed"], "https://u@:80") == ["host-missing"]


def test_an_error_is_told_once_for_each_culprit() -> None:
    """Three spaces are one thing to mend."""
    assert codes("valid", "https://example.com/a b c d|e") == ["invalid-URL-unit"] * 2


def test_no_more_than_a_handful_of_errors_is_told() -> None:
    """A person mends the first ones first."""
    text = "https://example.com/" + "".join(' "<>[]^`{|}')
    assert len(weburl.check(text).errors) == 11
    assert codes("valid", text) == ["invalid-URL-unit"] * MAX_MESSAGES


def test_padding_cannot_hide_an_error_behind_the_limit_of_the_report() -> None:
    """A report lists a bounded number of errors; what it left out is not taken for harmless."""
    text = "https:" + "/" * 1500 + "user@example.com/"
    assert weburl.check(text).error_count > len(weburl.check(text).errors)
    assert codes(["invalid-credentials"], text) == ["too-many-errors"]
    assert codes("browser", text) == []


def test_text_that_only_the_grammar_refuses_has_an_error_of_its_own() -> None:
    """Parser and grammar may disagree, where the standard does."""
    report = weburl.check("https://example.com/")
    report = type(report)(
        input=report.input,
        record=report.record,
        errors=(),
        error_count=0,
        is_valid_url_string=False,
    )
    errors = URLStrictnessValidator("valid").errors_in(report)
    assert [error.code for error in errors] == ["invalid-URL-string"]
    assert URLStrictnessValidator(["host-missing"]).errors_in(report) == []


def test_a_record_is_judged_by_its_href() -> None:
    """The validator serves on records as on text."""
    assert codes("valid", parse("HTTPS:\\\\user@EXAMPLE.com")) == ["invalid-credentials"]


def test_an_unknown_strictness_is_refused_at_once() -> None:
    """A typing error would otherwise switch a check off."""
    with pytest.raises(ValueError, match="'strict'"):
        URLStrictnessValidator("strict")  # type: ignore[arg-type]
    with pytest.raises(ValueError, match="'host-is-missing'"):
        URLStrictnessValidator(["host-missing", "host-is-missing"])


def test_validators_are_equal_when_they_refuse_the_same() -> None:
    """The order and the kind of the iterable do not matter, nor does repetition."""
    names = ["port-invalid", "host-missing", "port-invalid"]
    assert URLStrictnessValidator(names) == URLStrictnessValidator(set(names))
    assert len({URLStrictnessValidator(names), URLStrictnessValidator(iter(names))}) == 1  # type: ignore[arg-type]
    assert URLStrictnessValidator(names) != URLStrictnessValidator("valid")
    assert URLStrictnessValidator([]) == URLStrictnessValidator()
    other: object = "browser"
    assert URLStrictnessValidator() != other


@pytest.mark.parametrize(
    "validator",
    [
        URLStrictnessValidator("valid"),
        URLStrictnessValidator({"host-missing", ValidationErrorType.INVALID_CREDENTIALS}),
        URLStrictnessValidator(iter(["host-missing"])),  # type: ignore[arg-type]
        URLSchemeValidator(),
        URLSchemeValidator({"MAILTO", "https", "ftp"}),
        URLSchemeValidator(iter(["https"])),
        URLSchemeValidator(None),
        CanonicalMaxLengthValidator(9, message="Long."),
    ],
)
def test_migrations_can_write_a_validator(validator: object) -> None:
    """Its serialized form is an expression that makes an equal one, the same in every process."""
    expression, imports = MigrationWriter.serialize(validator)
    scope: dict[str, object] = {}
    exec("\n".join(imports), scope)
    twin = eval(expression, scope)
    assert twin == validator
    assert MigrationWriter.serialize(twin)[0] == expression
    assert "set(" not in expression and "ValidationErrorType" not in expression


def test_schemes_are_told_of_text_and_records() -> None:
    """Text that does not parse has none, and nothing is refused for an empty value."""
    validator = URLSchemeValidator(["https"])
    for allowed in ("HTTPS:example.com", parse("https://example.com/"), "", None):
        validator(allowed)
    for refused, code in [
        ("http://example.com", "scheme-not-allowed"),
        (parse("a:b"), "scheme-not-allowed"),
        ("example.com", "missing-scheme-non-relative-URL"),
    ]:
        with pytest.raises(ValidationError) as caught:
            validator(refused)
        assert caught.value.code == code
    URLSchemeValidator(None)("a:b")


def test_scheme_validators_are_equal_when_they_allow_the_same() -> None:
    """The order, repetition and letter case do not matter."""
    validator = URLSchemeValidator(iter(["HTTPS", "http", "https"]))
    assert validator == URLSchemeValidator() != URLSchemeValidator(["https"])
    assert len({validator, URLSchemeValidator()}) == 1
    other: object = ("http", "https")
    assert validator != other


def test_the_length_of_text_is_that_of_its_canonical_form_too() -> None:
    """Where it has one."""
    validator = CanonicalMaxLengthValidator(23)
    validator("https://example.com/a/../abc")
    for text in ("https://example.com/é", "no URL, but long enough"[:23] + "!"):
        with pytest.raises(ValidationError):
            validator(text)
    assert validator == CanonicalMaxLengthValidator(23) != CanonicalMaxLengthValidator(24)


def test_the_length_is_that_of_the_canonical_form() -> None:
    """One é takes six characters, and the message says so."""
    validator = CanonicalMaxLengthValidator(23)
    validator(parse("https://example.com/abc"))
    with pytest.raises(ValidationError) as caught:
        validator(parse("https://example.com/é"))
    assert caught.value.code == "max_length"
    (message,) = caught.value.messages
    assert "23" in message and "26" in message and "“é” is stored as six" in message


def test_the_same_sentence_is_said_once() -> None:
    """Two backslashes where slashes should be are two errors with one message."""
    with pytest.raises(ValidationError) as caught:
        URLStrictnessValidator("valid")("http:\\\\u@h")
    assert len(set(caught.value.messages)) == len(caught.value.messages)
