"""Tests of `columns.kept`: rows kept bad can be saved, and nothing else that is bad."""

from __future__ import annotations

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


def kept_bad(model: Any, text: str = "not a url") -> Any:
    """Return a row that was read, and whose column holds ``text``."""
    row = model.objects.create(url=GOOD)
    store_text(row, text)
    return model.objects.get(pk=row.pk)


@contextmanager
def refused() -> Iterator[None]:
    """Expect that a value is refused, and go on with the transaction of the test."""
    with pytest.raises(ValidationError), transaction.atomic():
        yield


@BOTH
@pytest.mark.parametrize("text", ["not a url", " http://x:y/ ", "https://u:secret@[/", "//h/p"])
def test_a_bad_value_that_was_read_is_written_back_as_it_is(model: Any, text: str) -> None:
    """A full save changes the other columns, whether the attribute has been read or not."""
    row = kept_bad(model, text)
    row.title = "archived"
    row.save()
    assert stored_text(row) == text
    row = model.objects.get(title="archived")
    assert str(row.url) == text
    row.title = "again"
    row.save()
    assert (stored_text(row), model.objects.get().title) == (text, "again")


@BOTH
def test_a_bad_value_that_was_read_can_be_saved_in_other_ways(model: Any) -> None:
    """By name, asynchronously, by update_or_create(), and if another column is NULL."""
    row = kept_bad(model)
    row.save(update_fields=["url", "title"])
    async_to_sync(row.asave)()
    model.objects.update_or_create(pk=row.pk, defaults={"title": "changed"})
    assert (stored_text(row), model.objects.get().title) == ("not a url", "changed")


@BOTH
def test_full_clean_refuses_a_bad_value_that_the_row_does_not_hold(model: Any) -> None:
    """One that was read may stay."""
    row = kept_bad(model)
    row.full_clean()
    row.url = "not a url either"
    with pytest.raises(ValidationError) as raised:
        row.full_clean()
    assert [error.code for error in raised.value.error_dict["url"]] == [
        "missing-scheme-non-relative-URL"
    ]
    row.full_clean(exclude=["url"])


@BOTH
@pytest.mark.parametrize("bad", ["other", "not a url ", "http://x:y/"])
def test_a_changed_bad_value_is_refused(model: Any, bad: str) -> None:
    """Even if the row held another bad value, and the row stays as it was."""
    row = kept_bad(model)
    row.url = bad
    with refused():
        row.save()
    assert stored_text(row) == "not a url"


@BOTH
def test_a_new_bad_value_is_refused(model: Any) -> None:
    """In a new row, with a key or without, and in a copy of a row that was kept bad."""
    row = kept_bad(model)
    with refused():
        model(url="not a url").save()
    with refused():
        model(pk=row.pk + 1, url="not a url").save()
    row.pk = None
    with refused():
        row.save()
    with refused():
        model.objects.bulk_create([model(url="not a url")])
    assert model.objects.count() == 1


@BOTH
def test_a_value_that_changed_in_the_row_meanwhile_is_not_overwritten_with_a_bad_one(
    model: Any,
) -> None:
    """Someone has fixed the row since it was read."""
    row = kept_bad(model)
    store_text(row, GOOD)
    with refused():
        row.save()
    assert stored_text(row) == GOOD


@BOTH
def test_update_and_bulk_update_refuse_a_bad_value(model: Any) -> None:
    """They do not know the row, so they refuse it even if the row holds it."""
    row = kept_bad(model)
    with refused():
        model.objects.update(url="not a url")
    with refused():
        model.objects.bulk_update([row], ["url"])
    row.title = "changed"
    model.objects.bulk_update([row], ["title"])
    assert (stored_text(row), model.objects.get().title) == ("not a url", "changed")


@BOTH
def test_only_a_refused_value_costs_a_query(model: Any) -> None:
    """A save of a good row runs the same statements as ever."""
    good = model.objects.create(url=GOOD)
    with CaptureQueriesContext(connection) as of_good:
        good.save()
    store_text(good, "not a url")
    bad = model.objects.get()
    with CaptureQueriesContext(connection) as of_bad:
        bad.save()
    assert len(of_bad) == len(of_good) + 1


@pytest.mark.parametrize(
    ("model", "limit"), [(Short, 30), (texts.Link, 200)], ids=["records", "text"]
)
def test_a_url_that_is_too_long_in_canonical_form_is_written_back_as_it_is(
    model: Any, limit: int
) -> None:
    """Before it was a URL field, the column took text whose canonical form is longer."""
    text = "http://h/" + " " * (limit - 10) + "x"
    row = kept_bad(model, text)
    row.save()
    assert stored_text(row) == text
    row = model.objects.get()
    assert row.url
    row.save()
    assert stored_text(row) == text
    row.url = text + "y"
    with refused():
        row.save()


def test_the_row_of_a_parent_is_found() -> None:
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


def test_the_other_url_of_a_row_is_not_mistaken_for_it() -> None:
    """Each column is compared with itself."""
    page = Page.objects.create(url=GOOD, source=GOOD)
    store_text(page, "bad")
    loaded = Page.objects.get()
    loaded.source, loaded.url = "bad", GOOD
    with refused():
        loaded.save()
    assert isinstance(Page.objects.get().url, UnparsableURL)


def test_the_message_shows_no_password() -> None:
    """As ever."""
    row = kept_bad(Bookmark)
    row.url = "https://u:secret@h:x/"
    with pytest.raises(ValidationError) as raised:
        row.save()
    assert "secret" not in str(raised.value)
