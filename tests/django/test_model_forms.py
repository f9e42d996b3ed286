"""Tests of forms that are made from models."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, ClassVar

import pytest
from django import forms as django_forms
from django.db import models
from django.forms.models import modelform_factory

from django_whatwg_url import forms
from django_whatwg_url.fields import CanonicalURLField
from tests.django.testapp.models import (
    Bookmark,
    Chosen,
    Defaulted,
    Short,
    Strict,
)
from weburl import parse

if TYPE_CHECKING:
    _BookmarkModelForm = django_forms.ModelForm[Bookmark]
else:
    _BookmarkModelForm = django_forms.ModelForm

pytestmark = pytest.mark.django_db


def form_for(
    model: type[models.Model], data: dict[str, str] | None = None, **options: Any
) -> django_forms.ModelForm[Any]:
    """Return a form with all URL fields of a model."""
    fields = [field.name for field in model._meta.fields if isinstance(field, CanonicalURLField)]
    return modelform_factory(model, fields=fields)(data, **options)


def codes(form: django_forms.ModelForm[Any]) -> dict[str, list[str]]:
    """Return the codes of a form's errors by field."""
    return {
        field: [error["code"] for error in errors]
        for field, errors in form.errors.get_json_data().items()
    }


def test_a_url_field_has_a_url_form_field() -> None:
    """It has the length, label and help text of the model field."""
    field = Short._meta.get_field("url").formfield()
    assert type(field) is forms.CanonicalURLField
    assert (field.max_length, field.required, field.label) == (30, True, "Url")


def test_strictness_is_passed_on_with_the_models_messages() -> None:
    """The form judges what was typed."""
    form = form_for(Strict, {"valid": "example.com\\a", "anonymous": "https://user@example.com"})
    assert codes(form) == {
        "valid": ["invalid-reverse-solidus"],
        "anonymous": ["invalid-credentials"],
    }
    assert form.errors["anonymous"] == ["No passwords, please."]
    assert form_for(Strict, {"valid": "example.com/a"}).is_valid()


class OtherSchemesForm(_BookmarkModelForm):
    """Allows fewer schemes than the model, and one more."""

    url = forms.CanonicalURLField(schemes=["https", "ftp"])

    class Meta:
        model = Bookmark
        fields = ("url",)


def test_a_form_allows_the_models_schemes() -> None:
    """It may allow fewer. The model would refuse others."""
    assert codes(form_for(Bookmark, {"url": "ftp://example.com"})) == {
        "url": ["scheme-not-allowed"]
    }
    for url in ("http://example.com", "ftp://example.com"):
        assert codes(OtherSchemesForm({"url": url})) == {"url": ["scheme-not-allowed"]}
    assert OtherSchemesForm({"url": "https://example.com"}).is_valid()
    field = CanonicalURLField(schemes=["ftp"]).formfield()
    assert isinstance(field, forms.CanonicalURLField)
    assert (field.schemes, field.assume_scheme) == (("ftp",), None)


def test_defaults_are_shown_and_kept() -> None:
    """As text; a callable's result with a hidden twin, as Django does."""
    form = form_for(Defaulted)
    html = str(form)
    assert 'value="http://record.example/"' in html
    assert 'value="HTTPS://Callable.Example"' in html
    data = {
        "text": "http://text.example",
        "record": "http://record.example",
        "called": "https://callable.example",
        "initial-called": "HTTPS://Callable.Example",
        "in_database": "http://database.example",
    }
    assert form_for(Defaulted, data).changed_data == ["in_database"]
    assert form_for(Defaulted, data).save().in_database == parse("http://database.example/")


def test_the_error_for_a_wrong_choice_shows_no_password() -> None:
    """It shows the rest of the URL."""
    other = form_for(Chosen, {"url": "https://ada:secret@three.example/"})
    assert codes(other) == {"url": ["invalid_choice"]}
    assert "three.example" in str(other.errors) and "secret" not in str(other.errors)


def test_another_form_field_can_be_asked_for() -> None:
    """It gets only what every form field takes."""
    field = Bookmark._meta.get_field("url").formfield(form_class=django_forms.SlugField)
    assert type(field) is django_forms.SlugField
    field = Bookmark._meta.get_field("url").formfield(schemes=["ftp"], strictness="valid")
    assert isinstance(field, forms.CanonicalURLField)
    assert (field.schemes, field.strictness) == (("ftp",), "valid")


class PoliteField(forms.CanonicalURLField):
    """A form field with messages of its own."""

    default_error_messages: ClassVar[dict[str, Any]] = {
        "host-missing": "Please say where.",
        "invalid-credentials": "Please leave out the password.",
    }


def test_a_form_fields_own_messages_give_way_only_to_the_models_own() -> None:
    """The model passes on what was set on it, not what everybody has."""
    field = Strict._meta.get_field("anonymous").formfield(form_class=PoliteField)
    assert isinstance(field, PoliteField)
    assert field.error_messages["host-missing"] == "Please say where."
    assert field.error_messages["invalid-credentials"] == "No passwords, please."
