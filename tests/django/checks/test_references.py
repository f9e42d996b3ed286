"""Tests of `check_url_field` and `checks.models`: names must be names of URL fields."""

from __future__ import annotations

from typing import Any

import pytest
from django.core.checks import run_checks
from django.db import models
from django.test.utils import isolate_apps

from django_whatwg_url.checks.models import check_names
from django_whatwg_url.constraints import IsCanonicalURL
from django_whatwg_url.fields import CanonicalURLField
from django_whatwg_url.generated import GeneratedURLPartField
from django_whatwg_url.indexes import URLIndex

MISSING, OTHER = "django_whatwg_url.E006", "django_whatwg_url.W006"


def told(name: str) -> list[tuple[str | None, str]]:
    """Return the messages about a column, an index and a constraint on a field."""
    with isolate_apps("tests.django.testapp") as apps:

        class Address(models.Model):
            href = CanonicalURLField(primary_key=True)

            class Meta:
                app_label = "testapp"

        class Page(Address):
            url = CanonicalURLField()
            text = models.CharField(max_length=99)
            number = models.IntegerField()
            other = models.ForeignKey(Address, models.CASCADE, related_name="+")
            host = GeneratedURLPartField(name, part="host")

            class Meta:
                app_label = "testapp"
                indexes = (URLIndex(name, part="host"),)
                constraints = (IsCanonicalURL(name, name="is_a"),)

        registry: Any = apps
        host: Any = Page._meta.get_field("host")
        found = [*host.check(), *check_names([registry.get_app_config("testapp")])]
        return [(message.id, message.msg) for message in found]


@pytest.mark.parametrize("name", ["url", "other"])
def test_a_url_of_the_same_table_is_right(name: str) -> None:
    """A foreign key to a URL also contains its text."""
    assert told(name) == []


@pytest.mark.parametrize(
    ("name", "why"),
    [
        ("nothing", "there is no such column in this table"),
        ("href", "there is no such column in this table"),
        ("number", "which is not a text column"),
    ],
)
def test_a_field_that_is_missing_or_no_text_is_an_error(name: str, why: str) -> None:
    """So is a field of the parent's table. The model can still be imported."""
    found = told(name)
    assert [id for id, _ in found] == [MISSING] * 3
    column, index, constraint = (text for _, text in found)
    assert column.startswith(f"Page.host refers to {name!r}, ")
    assert index.startswith("URLIndex 'testapp_")
    assert constraint.startswith("IsCanonicalURL 'is_a' refers to")
    assert all(why in text for _, text in found)


def test_other_text_is_warned_about() -> None:
    """It may be canonical, but nothing enforces it."""
    assert [id for id, _ in told("text")] == [OTHER] * 3


@pytest.mark.django_db
def test_django_runs_the_checks() -> None:
    """They find nothing in the test models."""
    ids = {message.id for message in run_checks(databases=["default"])}
    assert ids.isdisjoint({MISSING, OTHER, "django_whatwg_url.W021"})
