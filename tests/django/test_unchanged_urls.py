"""URLs that a row holds and that its field refuses now: they do not stop what changes the rest."""

from __future__ import annotations

from contextlib import suppress
from typing import Any

import pytest
from django import forms as django_forms
from django.core.exceptions import ValidationError
from django.db import connection
from django.forms import modelform_factory
from django.test.utils import CaptureQueriesContext

from django_whatwg_url import fields, forms
from tests.django.servers import model_with
from tests.django.siteapp.models import Issuer, MenuItem
from tests.django.stored import store_text, stored_text
from tests.django.testapp.models import Bookmark, Page
from weburl import URLPolicy

pytestmark = pytest.mark.django_db
SCRIPT = "javascript:alert(1)"


def held(text: str = SCRIPT) -> Bookmark:
    """Return a bookmark whose row holds a URL that its field refuses."""
    bookmark = Bookmark.objects.create(url="https://example.com/", title="old")
    store_text(bookmark, text)
    return Bookmark.objects.get(pk=bookmark.pk)


def form_of(instance: Any, data: dict[str, str] | None = None, **options: Any) -> Any:
    """Return a form for the title and the URL of a bookmark."""
    form_class = modelform_factory(Bookmark, fields=["url", "title"])
    return form_class(data, instance=instance, **options)


@pytest.mark.parametrize("text", [SCRIPT, "no url", "HTTPS://exa mple.com"])
def test_the_rest_of_the_row_can_be_edited(text: str) -> None:
    """Whether the scheme or the text itself is refused."""
    bookmark = held(text)
    form = form_of(bookmark, {"url": text, "title": "new"})
    assert form.is_valid(), form.errors
    form.save()
    assert (stored_text(bookmark), Bookmark.objects.get().title) == (text, "new")
    again = Bookmark.objects.get()
    again.save()
    assert stored_text(again) == text


def test_another_url_is_checked() -> None:
    """It may be refused for the same reason, or be the URL of another row."""
    bookmark, other = held(), held("ftp://example.com/")
    for text in ("javascript:alert(2)", str(other.url)):
        assert form_of(bookmark, {"url": text, "title": "new"}).errors.keys() == {"url"}
        bookmark.url = text
        with pytest.raises(ValidationError):
            bookmark.full_clean()
    assert form_of(None, {"url": SCRIPT, "title": "new"}).errors.keys() == {"url"}
    with pytest.raises(ValidationError):
        Bookmark(pk=bookmark.pk, url=SCRIPT, title="a row to add").full_clean()


def test_what_the_form_says_is_not_enough() -> None:
    """A page may fill `initial` from its address, and a form may be validated twice."""
    bookmark = held("https://example.com/")
    form = form_of(bookmark, {"url": SCRIPT, "title": "new"}, initial={"url": SCRIPT})
    assert form.errors.keys() == {"url"}

    class Plain(django_forms.ModelForm):  # type: ignore[type-arg]
        url = django_forms.CharField()

        class Meta:
            model = Bookmark
            fields = ("url", "title")

    plain = Plain({"url": SCRIPT, "title": "new"}, instance=bookmark)
    for _ in range(2):
        plain.full_clean()
        assert plain.errors.keys() == {"url"}
    with pytest.raises(ValidationError):
        bookmark.full_clean()


def test_a_form_field_of_another_kind_does_not_keep_it() -> None:
    """It does not know the row, and what it has cleaned may come from anywhere."""
    issuer = Issuer.objects.create(url="https://example.com", home="https://example.com")
    store_text(issuer, "no url", "url")
    rows: list[Any] = [held("no url"), held(), Issuer.objects.get()]
    for row in rows:
        text = stored_text(row)
        form_class: Any = modelform_factory(
            type(row), fields=["url"], field_classes={"url": django_forms.CharField}
        )
        assert form_class({"url": text}, instance=row).errors.keys() == {"url"}


def test_a_form_says_it_beside_the_field() -> None:
    """Once it is shown, and when it comes back because of another field; not beside an error."""
    bookmark = held()
    note = "This URL no longer follows the rules. URLs that begin with"
    assert note in str(form_of(bookmark))
    assert note in str(form_of(bookmark, {"url": SCRIPT, "title": ""}))
    assert note not in str(form_of(bookmark, {"url": "ftp://a", "title": "new"}))
    assert note not in str(form_of(bookmark, initial={"url": "ftp://a"}))
    assert note not in str(form_of(None, initial={"url": SCRIPT}))
    assert note not in str(form_of(held("https://example.com/")))


def test_the_note_is_escaped_and_shows_no_password() -> None:
    """The help text of the field is HTML, as in Django."""
    bookmark = held("https://user:hunter2@<b>")
    form = form_of(bookmark)
    form.fields["url"].help_text = "<i>Help</i>"
    shown = str(form["url"].help_text)
    assert shown.startswith("<i>Help</i> <bdi")
    assert "<b>" not in shown and "hunter2" not in shown


@pytest.mark.parametrize("text", [SCRIPT, "no url", "https://example.com/"])
def test_nothing_costs_a_query(text: str) -> None:
    """Showing and validating a form runs no query, and neither does validating an instance."""
    page = Page.objects.create(url="https://example.com/")
    store_text(page, text)
    page = Page.objects.get()
    form_class: Any = modelform_factory(Page, fields=["url"])
    with CaptureQueriesContext(connection) as queries:
        str(form_class(instance=page))
        assert form_class({"url": text}, instance=page).is_valid()
        with suppress(ValidationError):
            page.full_clean()
    assert not queries.captured_queries


def test_a_declared_field_with_rules_of_its_own_keeps_it_too() -> None:
    """A form may be stricter than its model."""

    class Strict(django_forms.ModelForm):  # type: ignore[type-arg]
        url = forms.CanonicalURLField(policy=URLPolicy(hosts=["example.com"]))

        class Meta:
            model = Bookmark
            fields = ("url", "title")

    bookmark = held("https://other.example/")
    assert Strict({"url": "https://other.example", "title": "new"}, instance=bookmark).is_valid()
    assert not Strict({"url": "https://other.example", "title": "new"}).is_valid()
    assert not Strict({"url": "https://third.example", "title": "n"}, instance=bookmark).is_valid()


def test_fields_of_text_do_the_same() -> None:
    """A field with `as_text`, one for exact URLs, and one for references."""
    issuer = Issuer.objects.create(url="https://example.com", home="https://example.com")
    store_text(issuer, SCRIPT, "url")
    item = MenuItem.objects.create(link="/a", image="/a")
    store_text(item, "//evil.example", "link")
    page = Page.objects.create(url="https://example.com", source="https://example.com")
    store_text(page, SCRIPT, "source")
    for model, name, text in (
        (Issuer, "url", SCRIPT),
        (MenuItem, "link", "//evil.example"),
        (Page, "source", SCRIPT),
    ):
        row = model.objects.get()
        form_class: Any = modelform_factory(model, fields=[name])
        assert "no longer follows the rules" in str(form_class(instance=row))
        form = form_class({name: text}, instance=row)
        assert form.is_valid(), form.errors
        form.save()
        assert stored_text(row, name) == text
        assert form_class({name: "ftp://a.example/"}, instance=row).errors.keys() == {name}


@pytest.mark.parametrize(
    "kind", [fields.CanonicalURLField, fields.ExactURLField, fields.URLReferenceField]
)
def test_a_field_may_ask_for_it(kind: Any) -> None:
    """`check_unchanged=True` is for URLs that must not stay."""
    model = model_with(url=kind(check_unchanged=True))
    asked: Any = model._meta.get_field("url")
    assert asked.check_unchanged
    assert asked.deconstruct()[3] == {"check_unchanged": True}
    assert "check_unchanged" not in kind().deconstruct()[3]
    row = model(pk=1, url=SCRIPT)
    row._state.adding = False
    with CaptureQueriesContext(connection) as queries, pytest.raises(ValidationError):
        row.clean_fields()
    assert not queries.captured_queries
    with pytest.raises(TypeError, match="check_unchanged must be True or False"):
        kind(check_unchanged="no")
