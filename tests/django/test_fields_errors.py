"""Errors of storing and querying: they name the field, the row and the value, and no password."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from django.core.exceptions import ValidationError
from django.db import transaction

from django_whatwg_url.fields import CanonicalURLField
from tests.django.testapp.models import Bookmark, Page, Short

pytestmark = pytest.mark.django_db

BAD = "https://user:secret@example.com:99999/"


def refused(way: Callable[[], Any]) -> str:
    """Return the one message of the ValidationError that ``way`` raises."""
    with pytest.raises(ValidationError) as caught, transaction.atomic():
        way()
    (message,) = caught.value.messages
    assert caught.value.code in ("port-out-of-range", "max_length")
    assert "secret" not in repr(caught.value)
    return message


def saved(bookmark: Bookmark) -> str:
    """Return the message of saving a bookmark with a bad URL."""
    bookmark.url = BAD
    return refused(bookmark.save)


def test_saving_a_row_names_it() -> None:
    """With its primary key, the field and what was to be stored."""
    bookmark = Bookmark.objects.create(url="https://example.com/")
    message = saved(bookmark)
    assert message.startswith(f"testapp.Bookmark.url of row {bookmark.pk}: The port")
    assert "“https://***:***@example.com:99999/”" in message


def test_text_that_was_looked_at_is_named_too() -> None:
    """The attribute is no text then."""
    bookmark = Bookmark(pk=7, url=BAD)
    assert bookmark.url.startswith("https")  # type: ignore[attr-defined]
    assert "of row 7: " in refused(bookmark.save)


def test_a_new_row_has_no_name_yet() -> None:
    """The field and the value say which one it is."""
    message = saved(Bookmark())
    assert message.startswith("testapp.Bookmark.url: The port")


def test_many_rows_that_are_stored_together_name_the_bad_one() -> None:
    """The message has its key or its value."""
    rows = [Bookmark(pk=1, url="https://a/"), Bookmark(pk=2, url=BAD)]
    assert "of row 2: " in refused(lambda: Bookmark.objects.bulk_create(rows))


@pytest.mark.parametrize(
    "way",
    [
        lambda: Bookmark.objects.update(url=BAD),
        lambda: Page.objects.filter(source=BAD).exists(),
        lambda: Bookmark.objects.get_or_create(url=BAD),
        lambda: Page.objects.exclude(source__in=["https://a/", BAD]).count(),
    ],
)
def test_a_query_names_the_field_and_the_value(way: Callable[[], Any]) -> None:
    """The message names no row. For an operand of a lookup, it has advice for programmers."""
    message = refused(way)
    expected = "Expected a URL for testapp."
    assert message.startswith(
        ("testapp.Bookmark.url: The port", f"{expected}Page.source", f"{expected}Bookmark.url")
    )
    assert "Begin" not in message
    assert "example.com:99999" in message


def test_a_url_that_is_too_long_is_named_as_well() -> None:
    """As the others are; the value is shortened."""
    message = refused(Short(pk=3, url="https://example.com/" + "x" * 500).save)
    assert message.startswith("testapp.Short.url of row 3: ")
    assert len(message) < 250


def test_validation_of_a_model_says_what_is_wrong_and_no_more() -> None:
    """``full_clean()`` has the field's name beside it."""
    with pytest.raises(ValidationError) as caught:
        Bookmark(url=BAD).full_clean()
    (message,) = caught.value.message_dict["url"]
    assert message.startswith("The port")


def test_a_field_without_a_model_says_what_is_wrong_and_no_more() -> None:
    """The field of the elements of an array has no model."""
    with pytest.raises(ValidationError, match=r"^\['The port"):
        CanonicalURLField().get_prep_value(BAD)
