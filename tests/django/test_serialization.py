"""Tests of dumpdata and loaddata, and of URLs among other values."""

from __future__ import annotations

import json

import pytest
from django.core import serializers
from django.db.models.functions import JSONObject

from tests.django.stored import stored_texts
from tests.django.testapp.models import Bookmark, Page

pytestmark = pytest.mark.django_db


def row(url: str | None) -> str:
    """Return a dump of one page."""
    fields = {"url": url, "source": "https://example.com/", "published": None, "title": ""}
    return json.dumps([{"model": "testapp.page", "pk": 1, "fields": fields}])


def test_loading_canonicalizes() -> None:
    """Fixtures written by hand may use any spelling."""
    for loaded in serializers.deserialize("json", row("HTTPS:EXAMPLE.com/é")):
        loaded.save()
    assert stored_texts(Page) == ["https://example.com/%C3%A9"]


def test_loading_an_empty_string_gives_none() -> None:
    """As XML writes a missing text, and older dumps may."""
    for loaded in serializers.deserialize("json", row("")):
        loaded.save()
    assert stored_texts(Page) == [None]


def test_the_database_makes_json_of_text() -> None:
    """JSONObject() needs no encoder."""
    Bookmark.objects.create(url="https:example.com")
    made = Bookmark.objects.annotate(made=JSONObject(link="url")).get().made
    assert made == {"link": "https://example.com/"}
