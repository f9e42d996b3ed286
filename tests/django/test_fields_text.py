"""Tests of `CanonicalURLField(as_text=True)`: text in Python, the same column in the database."""

from __future__ import annotations

import json
import pickle
from collections.abc import Callable
from typing import Any

import pytest
from django.contrib.admin import ModelAdmin, site
from django.core.exceptions import ValidationError
from django.db import IntegrityError, connection, models, transaction
from django.db.models.functions import Lower
from django.db.models.query_utils import DeferredAttribute
from django.forms import modelform_factory
from django.template import Context, Template
from django.test import RequestFactory
from django.test.utils import isolate_apps

from django_whatwg_url import forms
from django_whatwg_url.admin import URLAdminMixin
from django_whatwg_url.fields import CanonicalURLField, UnparsableURL
from django_whatwg_url.functions import URLHost
from tests.django.stored import column_field, store_text, stored_text, stored_texts
from tests.django.textapp.models import (
    Guarded,
    Link,
    Note,
    Site,
    Strict,
    Visit,
)
from weburl import parse

pytestmark = pytest.mark.django_db

SPELLING = " HTTPS:\\\\EXAMPLE.com:443/a/../é\n"
CANONICAL = "https://example.com/%C3%A9"
GOOD = "https://good.example/"


def full_clean() -> Link:
    """Validate a new instance."""
    link = Link(url=SPELLING)
    link.full_clean()
    return link


def save() -> Link:
    """Save a new instance."""
    link = Link(url=SPELLING)
    link.save()
    return link


def save_a_row_that_was_read() -> Link:
    """Assign to the attribute of a row, and save only that column."""
    Link.objects.create(url=GOOD)
    link = Link.objects.get()
    link.url = SPELLING
    link.save(update_fields=["url"])
    return link


def save_a_record() -> Link:
    """Assign a record."""
    link = Link(url=parse(SPELLING))
    assert str(link.url) == CANONICAL
    link.save()
    return link


def create() -> Link:
    """Create a row."""
    return Link.objects.create(url=SPELLING)


def get_or_create() -> Link:
    """Create a row that is not there yet."""
    return Link.objects.get_or_create(url=SPELLING)[0]


def get_or_create_again() -> Link:
    """Find a row that is there."""
    Link.objects.create(url=CANONICAL)
    link, is_new = Link.objects.get_or_create(url=SPELLING)
    assert not is_new
    return link


def update_or_create() -> Link:
    """Create a row with a default for the URL."""
    return Link.objects.update_or_create(title="new", defaults={"url": SPELLING})[0]


def update_or_create_again() -> Link:
    """Change the URL of a row that is there."""
    Link.objects.create(url=GOOD, title="old")
    link, is_new = Link.objects.update_or_create(title="old", defaults={"url": SPELLING})
    assert not is_new
    return link


def bulk_create() -> Link:
    """Create rows together."""
    return Link.objects.bulk_create([Link(url=SPELLING)])[0]


WAYS: list[Callable[[], Link]] = [
    full_clean,
    save,
    save_a_row_that_was_read,
    save_a_record,
    create,
    get_or_create,
    get_or_create_again,
    update_or_create,
    update_or_create_again,
    bulk_create,
]


@pytest.mark.parametrize("way", WAYS, ids=lambda way: way.__name__)
def test_the_attribute_is_canonical_text_afterwards(way: Callable[[], Link]) -> None:
    """It is a plain string, and so is what the row holds."""
    link = way()
    assert (link.url, type(link.url)) == (CANONICAL, str)
    assert vars(link)["url"] is link.url
    if link.pk is not None:
        assert stored_text(link) == CANONICAL
        assert Link.objects.get(url=SPELLING) == link


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


def test_text_works_as_text() -> None:
    """Code for the text of a URLField works unchanged."""
    Link.objects.create(url=SPELLING)
    link = Link.objects.get()
    assert isinstance(link.url, str)
    assert link.url.startswith("https://")
    assert "example" in link.url
    assert {link.url: 1}[CANONICAL] == 1
    assert sorted([link.url, "a"]) == ["a", CANONICAL]
    assert json.dumps({"url": link.url}) == f'{{"url": "{CANONICAL}"}}'
    assert pickle.loads(pickle.dumps(link)).url == CANONICAL
    shown = Template("{{ link.url }}{% if 'example' in link.url %}!{% endif %}")
    assert shown.render(Context({"link": link})) == CANONICAL + "!"


@pytest.mark.parametrize("bad", ["not a url", "https://example.com:99999/"])
def test_text_that_does_not_parse_stays_and_is_refused(bad: str) -> None:
    """Validation and every way of saving use the standard's name for the error."""
    link = Link(url=bad)
    code = "port-out-of-range" if "9" in bad else "missing-scheme-non-relative-URL"
    with pytest.raises(ValidationError) as cleaned:
        link.full_clean()
    assert [error.code for error in cleaned.value.error_dict["url"]] == [code]
    with pytest.raises(ValidationError) as saved, transaction.atomic():
        link.save()
    assert saved.value.code == code
    with pytest.raises(ValidationError), transaction.atomic():
        Link.objects.bulk_create([link])
    assert not Link.objects.filter(url=bad).exists()
    assert (link.url, type(link.url)) == (bad, str)
    assert not Link.objects.exists()


def test_a_url_that_is_too_long_is_refused() -> None:
    """The canonical form counts, on SQLite too."""
    link = Link(url="https://example.com/" + "é" * 40)
    with pytest.raises(ValidationError) as raised, transaction.atomic():
        link.save()
    assert raised.value.code == "max_length"
    with pytest.raises(ValidationError), transaction.atomic():
        Link.objects.bulk_create([Link(url="https://example.com/" + "é" * 40)])


def test_an_empty_string_is_kept_where_null_is_not_allowed() -> None:
    """Django's URLField does the same. With null=True, NULL is stored, as for records."""
    note = Note()
    assert (note.url, note.mirror) == ("", None)
    note.full_clean()
    note.save()
    assert (stored_text(note), stored_text(note, "mirror")) == ("", None)
    note = Note.objects.create(url="", mirror="")
    assert (note.url, note.mirror) == ("", None)
    assert (stored_text(note), stored_text(note, "mirror")) == ("", None)
    assert Note.objects.filter(url="").count() == 2
    assert Note.objects.filter(mirror=None).count() == 2
    note.url = GOOD
    note.save()
    assert Note.objects.filter(url="").update(url=GOOD) == 1
    assert Note.objects.update(url="") == 2
    assert stored_texts(Note) == ["", ""]


def test_the_checks_ask_for_null_only_where_attributes_are_records() -> None:
    """W001 and E001 are about an empty string that cannot be stored."""
    with isolate_apps("tests.django.textapp"):

        class Empty(models.Model):
            text = CanonicalURLField(as_text=True, blank=True, default="", db_default="")
            record = CanonicalURLField(blank=True, default="")
            wrong = CanonicalURLField(as_text=True, default="not a url")

            class Meta:
                app_label = "textapp"

        found = [(message.id, message.obj.name) for message in Empty.check()]
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


def test_choices_are_text() -> None:
    """They are found by the text of the attribute."""
    strict = Strict.objects.create(url=GOOD)
    assert strict.get_chosen_display() == "The first"
    strict.chosen = "HTTPS://ONE.example"
    strict.full_clean()
    assert strict.chosen == "https://one.example/"
    form = modelform_factory(Strict, fields=["chosen"])(instance=strict)
    assert '<option value="https://one.example/" selected>' in str(form)


def test_the_form_field_cleans_to_text() -> None:
    """It has the rules of the model field, and another spelling is not a change."""
    form_class = modelform_factory(Note, fields=["url", "mirror"])
    field = form_class.base_fields["url"]
    assert type(field) is forms.CanonicalURLTextField
    form = form_class({"url": "Example.com", "mirror": ""})
    assert form.is_valid()
    assert form.cleaned_data == {"url": "https://example.com/", "mirror": None}
    note = form.save()
    assert (stored_text(note), stored_text(note, "mirror")) == ("https://example.com/", None)
    again = form_class({"url": "EXAMPLE.com", "mirror": ""}, instance=note)
    assert not again.has_changed()
    empty = form_class({"url": "", "mirror": ""}, instance=note)
    assert empty.is_valid()
    assert empty.cleaned_data["url"] == ""
    empty.save()
    assert stored_text(note) == ""


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
        "url__same_origin": "https://bücher.example:8080",
        "url__typed": "https://BÜCHER.example:8080/a/b?q#f",
        "url__holds": "bücher",
        "url__contains": "/a/b",
        "url__in": ["https://BÜCHER.example:8080/a/b?q#f"],
        "host": "BÜCHER.example",
    }.items():
        assert Link.objects.filter(**{lookup: value}).get() == link, lookup
    assert Link.objects.annotate(h=URLHost("url")).get().h == link.host


def test_unique_and_other_constraints_are_validated() -> None:
    """Spelling does not matter."""
    Link.objects.create(url=CANONICAL)
    with pytest.raises(ValidationError) as raised:
        Link(url=SPELLING).full_clean()
    assert [error.code for error in raised.value.error_dict["url"]] == ["unique"]
    with pytest.raises(IntegrityError), transaction.atomic():
        Link.objects.create(url=SPELLING)
    guarded = Guarded(url=SPELLING)
    guarded.full_clean()
    guarded.save()
    assert stored_text(guarded) == CANONICAL
    with pytest.raises(IntegrityError), transaction.atomic():
        store_text(guarded, "HTTPS://EXAMPLE.com")


def test_a_foreign_key_is_stored_as_canonical_text() -> None:
    """Another spelling is the same row."""
    Site.objects.create(url=SPELLING)
    link = Link.objects.create(url=SPELLING)
    visit: Any = Visit(site_id=SPELLING, link_id=SPELLING)
    visit.full_clean()
    visit.save()
    found: Any = Visit.objects.select_related("link").get()
    assert (found.site_id, type(found.site_id)) == (CANONICAL, str)
    assert found.link == link
    keys: dict[str, Any] = {"site": SPELLING, "link": SPELLING}
    assert Visit.objects.filter(**keys).count() == 1
    values: list[Any] = list(Visit.objects.values_list("site", "link_id"))
    assert values == [(CANONICAL, CANONICAL)]
    found.link_id = "https:EXAMPLE.com/é"
    assert found.link == link
    found.site_id = "not a url"
    with pytest.raises(ValidationError), transaction.atomic():
        found.save()


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
