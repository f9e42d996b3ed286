"""Tests of the warning for code that compares a URL with text, where Django is in between.

`tests/test_conventions.py` tests the warning itself.
"""

from __future__ import annotations

import unittest
import warnings
from typing import Any

import pytest
from django.template import Context, Template

from tests.django.testapp.models import Bookmark
from weburl import ComparedWithTextWarning, parse

SECRET = "https://user:secret@example.com/"


def warned(function: Any) -> list[warnings.WarningMessage]:
    """Return the warnings that a call gives, without a repetition of one line."""
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("default")
        function()
    return caught


@pytest.mark.django_db
def test_comparing_the_url_of_a_row_with_text_warns() -> None:
    """The warning does not show the URL."""
    Bookmark.objects.create(url=SECRET)
    url: Any = Bookmark.objects.get().url
    for compare in (lambda: url == SECRET, lambda: url.host in ["example.com", "b"]):
        (warning,) = warned(compare)
        assert warning.category is ComparedWithTextWarning
        assert (warning.filename, warning.lineno) == (__file__, compare.__code__.co_firstlineno)
        assert "secret" not in str(warning.message)


def test_what_django_does_to_every_value_does_not_warn() -> None:
    """It looks whether a value is empty."""
    url: Any = parse(SECRET)
    assert not warned(lambda: url in ("", None, [], (), {}))
    assert not warned(Bookmark(url=SECRET).clean_fields)


def test_the_line_that_renders_is_named_for_a_template() -> None:
    """It is not the line in Django that compares."""
    template = Template("{% if url == text %}same{% endif %}")
    context = Context({"url": parse(SECRET), "text": SECRET})
    render = lambda: template.render(context)  # noqa: E731  # one line
    (warning,) = warned(render)
    assert (warning.filename, warning.lineno) == (__file__, render.__code__.co_firstlineno)


def test_the_line_of_the_test_is_named_for_unittest() -> None:
    """It is not the line in unittest that compares."""

    def compare() -> None:
        with pytest.raises(AssertionError):
            unittest.TestCase().assertEqual(parse(SECRET), SECRET)  # noqa: PT009

    caught = warned(compare)
    assert {warning.filename for warning in caught} == {__file__}
