"""Tests of foreign keys to a URL: Django handles them, and the column holds canonical text."""

from __future__ import annotations

from typing import Any

import pytest
from django.core.exceptions import ValidationError
from django.db import transaction
from django.db.models import F
from django.forms import modelform_factory

from tests.django.stored import stored_texts
from tests.django.testapp.models import Bookmark, Site, Visit
from weburl import parse

pytestmark = pytest.mark.django_db

A = parse("https://example.com/")
B = parse("https://b.example/")
SPELLING = "HTTPS:\\\\EXAMPLE.com:443"


@pytest.fixture
def site() -> Site:
    """Return a row whose key is a URL."""
    return Site.objects.create(url=A)


def test_the_key_is_as_assigned_until_the_row_is_read_again(site: Site) -> None:
    """Other foreign keys do the same. The column is canonical immediately."""
    visit = Visit(site_id=SPELLING)
    visit.save()
    (made,) = Visit.objects.bulk_create([Visit(site_id=SPELLING)])
    assert {str(visit.site_id), str(made.site_id)} == {SPELLING}
    assert set(stored_texts(Visit, "site")) == {A.href}
    visit = Visit.objects.get(pk=visit.pk)
    assert (visit.site_id, visit.site) == (A, site)
    Site.objects.create(url=B)
    visit.site_id = B
    Visit.objects.bulk_update([visit], ["site"])
    assert stored_texts(Visit, "site", pk=visit.pk) == [B.href]


def test_rows_are_found_by_a_key_in_any_spelling(site: Site) -> None:
    """The key may be an instance, text or a record."""
    visit = Visit.objects.create(site=site)
    Visit.objects.create(site=Site.objects.create(url=B))
    keys: list[Any] = [site, SPELLING, A, A.href]
    for key in keys:
        assert Visit.objects.get(site=key) == visit
        assert Visit.objects.get(site__in=[key]) == visit
        assert Visit.objects.exclude(site=key).get().site_id == B
    for text in keys[1:]:
        assert Visit.objects.get(site_id=text) == visit
        assert Visit.objects.get_or_create(site_id=text) == (visit, False)
        assert Site.objects.in_bulk([text]) == {A: site}
        assert Visit.objects.filter(site_id=text).update(site_id="HTTPS://EXAMPLE.COM") == 1


def test_a_key_to_a_column_that_is_not_the_primary_one(site: Site) -> None:
    """It has to_field, and the value may be an expression."""
    bookmark = Bookmark.objects.create(url=A)
    visit = Visit.objects.create(site=site, bookmark_id=SPELLING)
    assert visit.bookmark == bookmark
    expression: Any = F("site_id")
    visit.bookmark_id = expression
    visit.save()
    visit.refresh_from_db()
    assert visit.bookmark_id == A


def test_text_that_is_not_a_url_is_refused_where_it_is_stored(site: Site) -> None:
    """The error is the same as for a URL field, without a password."""
    bad: Any = "https://me:secret@exa mple.com"
    visit = Visit(site_id=bad)
    for store in (visit.full_clean, visit.save, lambda: Visit.objects.bulk_create([visit])):
        with pytest.raises(ValidationError) as caught, transaction.atomic():
            store()
        assert "secret" not in str(caught.value)
    assert not Visit.objects.filter(site_id=bad).exists()
    assert Visit.objects.count() == 0


def test_forms_take_a_key_in_any_spelling(site: Site) -> None:
    """A select finds the row."""
    form_class = modelform_factory(Visit, fields=["site"])
    form = form_class({"site": SPELLING})
    assert form.is_valid(), form.errors
    assert form.save().site_id == A
