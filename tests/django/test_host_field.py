"""Tests of `django_whatwg_url.forms.HostField`."""

from __future__ import annotations

import pytest
from django import forms
from django.core.exceptions import ValidationError

from django_whatwg_url.forms import HostField
from tests.django.partsapp.models import Plain

URLS = ("https://example.com/", "https://www.example.com/", "https://1.2.3.4/", "https://b.de/")


class Search(forms.Form):
    """A search for a host."""

    host = HostField(required=False)


@pytest.mark.django_db
@pytest.mark.parametrize(
    ("typed", "count"),
    [
        (" Example.COM ", 2),
        (".example.com", 2),
        ("www.example.com", 1),
        ("%65xample.com", 2),
        ("1.2.3.4", 1),
        ("0x1020304", 1),
        ("bücher.example", 0),
    ],
)
def test_what_is_accepted_can_be_looked_up(typed: str, count: int) -> None:
    """Spelling does not matter."""
    Plain.objects.bulk_create(Plain(url=url) for url in URLS)
    form = Search({"host": typed})
    assert form.is_valid(), form.errors
    host = form.cleaned_data["host"]
    assert Plain.objects.filter(url__host__under=host).count() == count


@pytest.mark.parametrize(
    "typed",
    ["exa mple", "https://example.com", "a/b", "*.example.com", "a:80", "\x00", "a" * 10_000_000],
    ids=lambda text: text[:20],
)
def test_what_is_no_host_is_a_form_error(typed: str) -> None:
    """It is never an error of the server."""
    form = Search({"host": typed})
    assert not form.is_valid()
    assert "host" in form.errors


def test_an_empty_search_is_allowed_if_the_field_is_not_required() -> None:
    """Every form field does the same."""
    assert Search({}).is_valid()
    with pytest.raises(ValidationError):
        HostField().clean("")


def test_the_error_of_a_lookup_says_which_and_what() -> None:
    """For those who forgot to check."""
    with pytest.raises(ValidationError, match=r"a host, but got “exa mple”.*HostField"):
        Plain.objects.filter(url__host__under="exa mple")
