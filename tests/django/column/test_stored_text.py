"""Tests of rows that hold what their field refuses: their value is written back as it is."""

from __future__ import annotations

import copy
import pickle
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any, Final

import pytest
from asgiref.sync import async_to_sync
from django.core.exceptions import ValidationError
from django.db import connection, models, transaction
from django.forms import modelform_factory
from django.test.utils import CaptureQueriesContext

from django_whatwg_url.fields import UnparsableURL
from tests.django.siteapp import models as sites
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
    """Every way of saving works without a query, even after copying and pickling."""
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


TEXTS: Final[list[tuple[Any, str, str, str]]] = [
    (texts.Parent, "url", GOOD, "not a url"),
    (sites.TextFeed, "url", GOOD, "not a url"),
    (sites.Issuer, "url", GOOD, " https://a.example/"),
    (sites.MenuItem, "link", "/a", "//evil.example/"),
]
"""Models whose attribute is text, a name, what the field accepts, and what it refuses.

No foreign key refers to these fields: text that one may refer to shows where it is from.
"""


@pytest.mark.parametrize(("model", "name", "good", "bad"), TEXTS)
def test_text_that_does_not_show_where_it_is_from_is_looked_up(
    model: Any, name: str, good: str, bad: str
) -> None:
    """In the row, by `save()`, which would refuse it otherwise. A row with a URL costs no query."""
    row = model.objects.create(**{name: good})
    with CaptureQueriesContext(connection) as queries:
        row.save()
    assert len(queries) == 1
    store_text(row, bad, name)
    row = model.objects.get()
    with CaptureQueriesContext(connection) as queries:
        row.save()
    assert len(queries) == 2
    async_to_sync(row.asave)()
    copy.deepcopy(row).save(update_fields=[name])
    setattr(row, name, bad)
    row.save()
    assert stored_text(row, name) == bad
    for value, store in (
        (f"{bad} ", row.save),
        (f" {bad}", row.save),
        (bad, lambda: row.save(force_insert=True)),
        (bad, lambda: model(pk=row.pk, **{name: bad}).save()),
        (bad, lambda: model.objects.bulk_update([row], [name])),
    ):
        setattr(row, name, value)
        with refused():
            store()
    setattr(row, name, good)
    row.save()
    setattr(row, name, bad)
    with refused():
        row.save()
    assert stored_text(row, name) != bad


@BOTH
@pytest.mark.parametrize("bad", ["other", "not a url ", "http://x:y/"])
def test_other_text_is_refused(model: Any, bad: str) -> None:
    """The row may have text that does not parse, and it is not changed."""
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
    """The row may have a key or not, or be a copy of another row."""
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


@pytest.mark.parametrize("model", [Short, texts.Parent], ids=["records", "text"])
def test_a_url_that_is_too_long_in_canonical_form_stays(model: Any) -> None:
    """The row keeps its spelling, even in a form. Another URL is refused."""
    limit = model._meta.get_field("url").max_length
    text = "http://h/" + " " * (limit - 10) + "x"
    row = row_with(model, text)
    row.save()
    form = modelform_factory(model, fields=["url"])({"url": text}, instance=row)
    assert form.is_valid(), form.errors
    form.save()
    assert stored_text(row) == text
    with refused():
        model.objects.get().full_clean()
    row.url = f"{text}y"
    with refused():
        row.save()
    assert stored_text(row) == text


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
    """Other messages never show a password either."""
    row = row_with(Page)
    row.url = "https://u:secret@h:x/"
    with pytest.raises(ValidationError) as raised:
        row.save()
    assert f"testapp.Page.url of row {row.pk}" in str(raised.value)
    assert "secret" not in str(raised.value)
