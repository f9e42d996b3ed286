"""Tests of `django_whatwg_url.checks`: options that contradict each other, or name no URL."""

from __future__ import annotations

from typing import Any

import pytest
from django.db import connection, models
from django.test.utils import isolate_apps

from django_whatwg_url.fields import CanonicalURLField
from weburl import parse


def check_ids(**options: Any) -> list[str | None]:
    """Return the ids of what the system checks say of a field with these options."""
    with isolate_apps("tests.django.testapp"):

        class Checked(models.Model):
            url = CanonicalURLField(**options)

            class Meta:
                app_label = "testapp"

        return [message.id for message in Checked.check(databases={"default"})]


@pytest.mark.parametrize(
    "options",
    [
        {},
        {"null": True, "blank": True},
        {"null": True},
        {"unique": True},
        {"primary_key": True},
        {"default": "HTTP://Example.com", "db_default": "https://example.com"},
        {"default": parse("https://example.com/")},
        {"null": True, "default": None},
        {"null": True, "default": ""},
        {"choices": [("https://example.com/", "One"), ("Group", [("http://b/", "Two")])]},
        {"null": True, "blank": True, "choices": [("", "None"), ("http://b/", "Two")]},
        {"strictness": "valid"},
        {"default": "mailto:a@b.example", "allowed_schemes": ["mailto"]},
        {"default": parse("a:b"), "choices": [("a:b", "One")], "allowed_schemes": None},
    ],
)
def test_sensible_options_pass_the_checks(options: dict[str, Any]) -> None:
    """Nothing is said about them, mysql.W003 included."""
    assert check_ids(**options) == []


def test_blank_without_null_is_warned_about() -> None:
    """An empty form field could be submitted but not saved."""
    assert check_ids(blank=True) == ["django_whatwg_url.W001"]


@pytest.mark.parametrize(
    "options", [{"default": "bad"}, {"default": ""}, {"db_default": "https://"}, {"db_default": ""}]
)
def test_a_default_that_is_no_url_is_an_error(options: dict[str, Any]) -> None:
    """It could never be saved."""
    assert check_ids(**options) == ["django_whatwg_url.E001"]


@pytest.mark.parametrize(
    "options",
    [
        {"default": "javascript:x"},
        {"default": parse("ftp://example.com/")},
        {"db_default": "ftp://example.com"},
        {"default": "http://example.com", "allowed_schemes": ["https"]},
        {"choices": [("https://example.com/", "One"), ("ftp://example.com/", "Two")]},
    ],
)
def test_a_value_of_a_scheme_that_is_not_allowed_is_warned_about(options: dict[str, Any]) -> None:
    """It can be stored, but full_clean() and forms would refuse it."""
    assert check_ids(**options) == ["django_whatwg_url.W002"]


@pytest.mark.parametrize("key", ["HTTPS://example.com", "https://example.com", "bad"])
def test_choices_are_written_in_canonical_form(key: str) -> None:
    """Forms compare them as text."""
    assert check_ids(choices=[("https://example.com/", "One"), (key, "Two")]) == [
        "django_whatwg_url.E002"
    ]


def test_choices_that_are_no_pairs_are_left_to_djangos_own_check() -> None:
    """One error is enough."""
    assert check_ids(choices=["https://example.com/"]) == ["fields.E005"]


def test_the_hint_says_how_to_write_a_choice() -> None:
    """So that it can be pasted."""
    with isolate_apps("tests.django.testapp"):

        class Checked(models.Model):
            url = CanonicalURLField(choices=[("https:example.com", "One")])

            class Meta:
                app_label = "testapp"

        (error,) = Checked.check(databases={"default"})
        assert error.hint == "Write 'https://example.com/'."


@pytest.mark.skipif(connection.vendor != "mysql", reason="MySQL's and MariaDB's own warning")
def test_a_warning_of_mysql_that_is_founded_is_not_silenced() -> None:
    """Another collation may take four bytes for a character."""
    assert check_ids(unique=True, db_collation="utf8mb4_bin") == ["mysql.W003"]
    assert check_ids(unique=True, max_length=4000) == ["mysql.W003"]
