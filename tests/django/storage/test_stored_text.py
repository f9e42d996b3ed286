"""Tests of rows that hold what their field refuses: their value is written back as it is."""

from __future__ import annotations

import copy
import pickle
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import pytest
from asgiref.sync import async_to_sync
from django.core.exceptions import ValidationError
from django.db import connection, models, transaction
from django.test.utils import CaptureQueriesContext

from django_whatwg_url.fields import UnparsableURL
from tests.django.stored import store_text, stored_text
from tests.django.testapp.models import Bookmark, Child, Page, Parent, Short
from tests.django.textapp import models as texts

pytestmark = pytest.mark.django_db

GOOD = "https://example.com/"
BOTH = pytest.mark.parametrize("model", [Bookmark, texts.Link])
"""A model with records, and one with text. Both have a title."""


def row_with(model: Any, text: str = "not a url") -> Any:
    """Return a row that was read, and whose column holds ``text``."""
    row = model.objects.create(url=GOOD)
    store_text(row, text)
    return model.objects.get(pk=row.pk)


@contextmanager
def refused() -> Iterator[None]:
    """Expect that a value is refused, and go on with the transaction of the test."""
    with pytest.raises(ValidationError), transaction.atomic():
        yield


@pytest.mark.parametrize("text", ["not a url", " http://x:y/ ", "https://u:secret@[/", "//h/p"])
def test_text_that_was_read_is_written_back_as_it_is(text: str) -> None:
    """By every way of saving, also after copying and pickling. It costs no query."""
    row = row_with(Bookmark, text)
    row.title = "archived"
    with CaptureQueriesContext(connection) as queries:
        row.full_clean(validate_unique=False, validate_constraints=False)
        row.save()
    assert len(queries) == 1
    assert (stored_text(row), Bookmark.objects.get().title) == (text, "archived")
    for other in (copy.deepcopy(row), pickle.loads(pickle.dumps(row)), Bookmark.objects.get()):
        assert str(other.url) == text
        other.save(update_fields=["url", "title"])
        async_to_sync(other.asave)()
        Bookmark.objects.update_or_create(pk=row.pk, defaults={"title": "changed"})
        Bookmark.objects.bulk_update([other], ["url"])
        Bookmark.objects.filter(url=other.url).update(url=other.url)
    assert stored_text(row) == text


def test_text_in_a_text_attribute_does_not_show_where_it_is_from() -> None:
    """Reading it runs no code of the field, so save only the other columns."""
    row = row_with(texts.Link)
    with refused():
        row.save()
    row.title = "changed"
    row.save(update_fields=["title"])
    texts.Link.objects.bulk_update([row], ["title"])
    assert (stored_text(row), texts.Link.objects.get().title) == ("not a url", "changed")


@BOTH
@pytest.mark.parametrize("bad", ["other", "not a url ", "http://x:y/"])
def test_other_text_is_refused(model: Any, bad: str) -> None:
    """Even if the row held text that does not parse, and the row stays as it was."""
    row = row_with(model)
    row.url = bad
    with pytest.raises(ValidationError) as raised:
        row.full_clean()
    assert raised.value.error_dict.keys() == {"url"}
    for store in (row.save, lambda: model.objects.bulk_update([row], ["url"])):
        with refused():
            store()
    with refused():
        model.objects.update(url=bad)
    assert stored_text(row) == "not a url"


@BOTH
def test_text_is_refused_in_a_new_row(model: Any) -> None:
    """With a key or without, and in a copy of a row that holds it."""
    row = row_with(model)
    with refused():
        model(url="not a url").save()
    with refused():
        model(pk=row.pk, url="not a url").save()
    row.pk = None
    with refused():
        row.save()
    with refused():
        model.objects.bulk_create([row])
    assert model.objects.count() == 1


@pytest.mark.parametrize(
    ("model", "limit"), [(Short, 30), (texts.Link, 200)], ids=["records", "text"]
)
def test_a_url_that_is_too_long_in_canonical_form_is_refused(model: Any, limit: int) -> None:
    """A record does not show that it comes from a row."""
    row = row_with(model, "http://h/" + " " * (limit - 10) + "x")
    with refused():
        row.save()
    assert len(stored_text(row)) == limit


def test_an_inherited_column_keeps_its_text() -> None:
    """The column of an inherited URL is in the table of the parent."""
    child = Child.objects.create(url=GOOD, mirror=GOOD)
    parent: models.Model = Parent.objects.get()
    store_text(parent, "bad")
    store_text(child, "worse", "mirror")
    loaded = Child.objects.get()
    loaded.save()
    assert (stored_text(parent), stored_text(child, "mirror")) == ("bad", "worse")
    loaded.mirror = "bad"
    with refused():
        loaded.save()
    assert isinstance(Child.objects.get().mirror, UnparsableURL)


def test_the_message_names_the_row_and_shows_no_password() -> None:
    """As ever."""
    row = row_with(Page)
    row.url = "https://u:secret@h:x/"
    with pytest.raises(ValidationError) as raised:
        row.save()
    assert f"testapp.Page.url of row {row.pk}" in str(raised.value)
    assert "secret" not in str(raised.value)
