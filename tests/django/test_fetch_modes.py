"""Tests of the fetch modes of Django 6.1: what a deferred URL, key or part does under each."""

from __future__ import annotations

from typing import Any

import django
import pytest
from django.db import models

if django.VERSION < (6, 1):
    pytest.skip("Django 6.1 is the first with fetch modes", allow_module_level=True)

from django.core.exceptions import FieldFetchBlocked

from django_whatwg_url.fields import UnparsableURL
from tests.django.keysapp.models import Single
from tests.django.partsapp.models import Generated
from tests.django.siteapp.models import Feed
from tests.django.stored import store_text, stored_text
from tests.django.testapp.models import Bookmark
from tests.django.textapp.models import Link

pytestmark = pytest.mark.django_db

RAISE: Any = models.FETCH_RAISE
PEERS: Any = models.FETCH_PEERS
MODELS: Any = [Bookmark, Generated, Link, Single, Feed]


def made(model: Any, number: int = 3) -> list[Any]:
    """Make rows, and return them."""
    return [model.objects.create(url=f"HTTPS://H{at}/a b?q#f") for at in range(number)]


def deferred(model: Any, mode: Any) -> list[Any]:
    """Return all rows with nothing but their keys."""
    return [*model.objects.fetch_mode(mode).only("pk").order_by("pk")]


@pytest.mark.parametrize("model", MODELS)
def test_a_deferred_field_is_blocked(model: Any) -> None:
    """Each of them: the URL, its key, its spelling, its parts."""
    made(model, 1)
    (row,) = deferred(model, RAISE)
    for field in model._meta.concrete_fields:
        if not field.primary_key:
            with pytest.raises(FieldFetchBlocked, match=field.attname):
                getattr(row, field.attname)


@pytest.mark.parametrize("model", MODELS)
def test_peers_are_fetched_with_one_query(model: Any, django_assert_num_queries: Any) -> None:
    """With the values that each row has by itself."""
    expected = made(model)
    for field in model._meta.concrete_fields:
        rows = deferred(model, PEERS)
        with django_assert_num_queries(0 if field.primary_key else 1):
            found = [getattr(row, field.attname) for row in rows]
        for row in expected:
            row.refresh_from_db()
        assert found == [getattr(row, field.attname) for row in expected]
        assert len(set(map(type, found))) == 1


def test_text_of_peers_that_is_not_a_url_can_be_read() -> None:
    """So can text in another spelling, as in a row that is loaded whole."""
    rows = made(Bookmark)
    store_text(rows[0], "no url")
    store_text(rows[1], "HTTPS://EXAMPLE.com")
    found = [row.url for row in deferred(Bookmark, PEERS)]
    assert isinstance(found[0], UnparsableURL)
    assert str(found[0]) == "no url"
    assert str(found[1]) == "https://example.com/"


@pytest.mark.parametrize("mode", [RAISE, PEERS])
@pytest.mark.parametrize("model", [Bookmark, Link])
def test_saving_another_field_fetches_nothing(
    model: Any, mode: Any, django_assert_num_queries: Any
) -> None:
    """The URL and what belongs to it stay as they are in the row."""
    (row,) = made(model, 1)
    before = stored_text(row)
    (row,) = deferred(model, mode)
    row.title = "new"
    row.save()
    assert stored_text(row) == before
    assert model.objects.get().title == "new"


def test_a_url_is_assigned_where_everything_is_deferred() -> None:
    """Its key, its spelling and its parts belong to the new URL, without a fetch."""
    for model in (Single, Feed, Generated, Link):
        made(model, 1)
        (row,) = deferred(model, RAISE)
        row.url = "HTTP://New.example/b c"
        row.save()
        saved = model.objects.get()
        assert str(saved.url) == "http://new.example/b%20c"
    assert Single.objects.get().url_key == "https://new.example/b%20c"
    assert Feed.objects.get().url_written == "HTTP://New.example/b c"
    assert Generated.objects.get().path == "/b%20c"
    assert (Link.objects.get().host, Link.objects.get().site) == ("new.example", "new.example")
