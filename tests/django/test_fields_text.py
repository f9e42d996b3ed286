"""Tests of `CanonicalURLField(as_text=True)`: text in Python, the same column in the database."""

from __future__ import annotations

from typing import Any

import pytest
from django.contrib.admin import ModelAdmin, site
from django.core.exceptions import ValidationError
from django.db import IntegrityError, connection, models, transaction
from django.db.models.functions import Lower
from django.db.models.query_utils import DeferredAttribute
from django.forms import modelform_factory
from django.test import RequestFactory

from django_whatwg_url import forms
from django_whatwg_url.admin import URLAdminMixin
from django_whatwg_url.fields import CanonicalURLField, UnparsableURL
from django_whatwg_url.functions import URLHost
from tests.django.servers import model_with
from tests.django.stored import column_field, store_text
from tests.django.textapp.models import Guarded, Link, Note, Strict
from weburl import parse

pytestmark = pytest.mark.django_db

SPELLING = " HTTPS:\\\\EXAMPLE.com:443/a/../é\n"
CANONICAL = "https://example.com/%C3%A9"
GOOD = "https://good.example/"


def test_the_attribute_is_the_text_as_assigned_before() -> None:
    """Django's own fields do the same."""
    link = Link(url=SPELLING)
    assert link.url == SPELLING
    link.url = "not a url"
    assert link.url == "not a url"


def test_the_attribute_is_as_plain_as_that_of_a_char_field() -> None:
    """Without __set__, Python uses the dictionary of the instance directly."""
    attribute = vars(Link)["url"]
    assert isinstance(attribute, DeferredAttribute)
    assert not hasattr(type(attribute), "__set__")
    assert type(attribute).__get__ is DeferredAttribute.__get__
    assert column_field(Note).get_db_converters(connection) == []


@pytest.mark.parametrize("text", [CANONICAL, "not a url", "HTTPS://Example.com"])
def test_rows_come_as_they_are(text: str) -> None:
    """Nothing is parsed: rows, values, expressions, foreign keys and raw queries."""
    link = Link.objects.create(url=GOOD)
    store_text(link, text)
    found = Link.objects.get()
    # A foreign key refers to it, and may save this text again.
    assert (found.url, type(found.url) is str) == (text, text != "not a url")
    assert list(Link.objects.values_list("url", flat=True)) == [text]
    assert list(Link.objects.values("url")) == [{"url": text}]
    assert [row.url for row in Link.objects.raw("SELECT * FROM textapp_link")] == [text]
    assert Link.objects.defer("url").get().url == text
    assert Link.objects.annotate(l=Lower("url")).get().l == text.lower()
    assert Link.objects.aggregate(most=models.Max("url")) == {"most": text}


def test_the_checks_ask_for_null_only_where_attributes_are_records() -> None:
    """W001 and E001 are about an empty string that cannot be stored."""
    model = model_with(
        text=CanonicalURLField(as_text=True, blank=True, default="", db_default=""),
        record=CanonicalURLField(blank=True, default=""),
        wrong=CanonicalURLField(as_text=True, default="not a url"),
    )
    found = [(message.id, message.obj.name) for message in model.check()]
    assert found == [
        ("django_whatwg_url.W001", "record"),
        ("django_whatwg_url.E001", "record"),
        ("django_whatwg_url.E001", "wrong"),
    ]


@pytest.mark.parametrize(
    ("url", "code"),
    [
        ("https://example.com/refused", "refused"),
        ("HTTPS://example.com/%72efused", None),
        ("ftp://example.com/", "scheme-not-allowed"),
    ],
)
def test_validators_of_other_people_get_text(url: str, code: str | None) -> None:
    """Subclasses of URLValidator and functions; ours work as ever."""
    link = Link(url=url)
    if code is None:
        link.full_clean()
        return
    with pytest.raises(ValidationError) as raised:
        link.full_clean()
    assert [error.code for error in raised.value.error_dict["url"]] == [code]
    form = modelform_factory(Link, fields=["url"])({"url": url})
    assert not form.is_valid()
    assert [error.code for error in form.errors.as_data()["url"]] == [code]


def test_strictness_is_checked_on_the_text_as_assigned() -> None:
    """The check runs before the text becomes canonical."""
    with pytest.raises(ValidationError) as raised:
        Strict(url="https://example.com\\a").full_clean()
    assert "invalid-reverse-solidus" in {e.code for e in raised.value.error_dict["url"]}
    strict = Strict(url="https://EXAMPLE.com")
    strict.full_clean()
    assert strict.url == "https://example.com/"


def test_the_form_field_cleans_to_text() -> None:
    """It has the rules of the model field, and another spelling is not a change."""
    form_class = modelform_factory(Note, fields=["url", "mirror"])
    field = form_class.base_fields["url"]
    assert type(field) is forms.CanonicalURLTextField
    for typed, cleaned in (("Example.com", "https://example.com/"), ("", "")):
        form = form_class({"url": typed, "mirror": ""})
        assert form.is_valid()
        assert form.cleaned_data == {"url": cleaned, "mirror": None}


def test_a_form_field_for_text_has_the_same_errors_and_shows_the_same() -> None:
    """It differs from the other in its cleaned value."""
    for bad, code in (("http://x:y/", "port-invalid"), ("", "required")):
        with pytest.raises(ValidationError) as raised:
            forms.CanonicalURLTextField().clean(bad)
        assert raised.value.error_list[0].code == code
    field = forms.CanonicalURLTextField(required=False)
    assert field.clean("") == ""
    assert field.to_python("Example.com") == "https://example.com/"
    assert field.to_store("Example.com") == parse("https://example.com/")
    assert forms.CanonicalURLTextField(required=False, empty_value=None).clean(" ") is None


def test_lookups_by_part_and_generated_parts_work() -> None:
    """The column is the same."""
    link = Link.objects.create(url="https://Bücher.example:8080/a/b?q#f")
    link.refresh_from_db()
    assert link.host == "xn--bcher-kva.example"
    assert link.site == "xn--bcher-kva.example"
    for lookup, value in {
        "url__host": "bücher.example",
        "url__port": 8080,
        "url__host__under": "example",
        "url__under": "https://bücher.example:8080/a/",
        "url__origin": "https://bücher.example:8080",
        "url__typed": "https://BÜCHER.example:8080/a/b?q#f",
        "url__holds": "bücher",
        "url__contains": "/a/b",
        "url__in": ["https://BÜCHER.example:8080/a/b?q#f"],
        "host": "BÜCHER.example",
    }.items():
        assert Link.objects.filter(**{lookup: value}).get() == link, lookup
    assert Link.objects.annotate(h=URLHost("url")).get().h == link.host


def test_a_constraint_gets_canonical_text() -> None:
    """It is validated, and the database compares it."""
    guarded = Guarded(url=SPELLING)
    guarded.full_clean()
    guarded.save()
    with pytest.raises(IntegrityError), transaction.atomic():
        store_text(guarded, "HTTPS://EXAMPLE.com")


def test_the_record_is_one_call_away() -> None:
    """The attribute of the model returns it, for every kind of value."""
    attribute: Any = Link.url
    assert attribute.record(Link(url=SPELLING)) == parse(CANONICAL)
    assert attribute.record(Link(url="")) is None
    assert isinstance(attribute.record(Link(url="not a url")), UnparsableURL)


def test_the_option_is_in_migrations_but_not_in_the_database() -> None:
    """A field with it and one without differ in nothing that the schema has."""
    text, record = CanonicalURLField(as_text=True), CanonicalURLField()
    assert text.deconstruct()[3] == {"as_text": True}
    assert record.deconstruct()[3] == {}
    assert text.clone().as_text
    assert text.db_parameters(connection) == record.db_parameters(connection)
    assert "as_text" in CanonicalURLField.non_db_attrs


def test_the_admin_shows_a_link_and_an_input() -> None:
    """It works as for records. Bad text is shown without a password."""

    class LinkAdmin(URLAdminMixin, ModelAdmin):  # type: ignore[type-arg]
        list_display = ("title", "url")

    link = Link.objects.create(url="https://u:p@example.com/é")
    admin = LinkAdmin(Link, site)
    request = RequestFactory().get("/")
    shown = admin.get_list_display(request)[1]
    assert str(shown(link)) == (
        '<a href="https://example.com/%C3%A9" rel="noopener noreferrer" dir="ltr">'
        "https://example.com/é</a>"
    )
    form_field: Any = admin.formfield_for_dbfield(column_field(Link), request)
    assert type(form_field) is forms.CanonicalURLTextField
    assert type(form_field.widget).__name__ == "AdminCanonicalURLWidget"
    widget: Any = form_field.widget
    assert "Will be stored as:" in widget.render("url", "HTTPS://EXAMPLE.com")
    link.url = "https://u:secret@h:x/"
    assert "secret" not in str(shown(link))
