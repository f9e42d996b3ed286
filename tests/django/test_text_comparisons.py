"""Tests of `django_whatwg_url.text_comparisons`: where the warning of `weburl` says that code is.

`tests/test_conventions.py` tests the warning itself.
"""

from __future__ import annotations

import subprocess
import sys
import unittest
import warnings
from pathlib import Path
from typing import Any

import pytest
from django.template import Context, Template

from tests.django.testapp.models import Bookmark
from weburl import ComparedWithTextWarning, parse

SECRET = "https://user:secret@example.com/"
ROOT = Path(__file__).parents[2]


def warned(function: Any) -> list[warnings.WarningMessage]:
    """Return the warnings that a call gives, without a repetition of one line."""
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("default")
        function()
    return caught


@pytest.mark.django_db
def test_comparing_the_url_of_a_row_with_text_warns() -> None:
    """Without showing the URL."""
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


def test_a_template_is_named_with_its_line() -> None:
    """Not the line of Django that compares."""
    template = Template("{% if 1 %}\n\n{% if url == text %}same{% endif %}{% endif %}")
    context = Context({"url": parse(SECRET), "text": SECRET})
    (warning,) = warned(lambda: template.render(context))
    assert (warning.filename, warning.lineno) == ("<unknown source>", 3)


def test_the_line_of_the_test_is_named_for_unittest() -> None:
    """Not a line of unittest, which compares."""

    def compare() -> None:
        with pytest.raises(AssertionError):
            unittest.TestCase().assertEqual(parse(SECRET), SECRET)  # noqa: PT009

    caught = warned(compare)
    assert {warning.filename for warning in caught} == {__file__}


CODE = """
import django
from django.conf import settings
settings.configure(INSTALLED_APPS=[{apps}])
django.setup()
import weburl
url = weburl.parse("https://a/")
url == "https://a/"
print(hasattr(url, "get_absolute_url"), "get_absolute_url" in dir(url))
"""


@pytest.mark.parametrize(("apps", "is_there"), [("'django_whatwg_url'", True), ("", False)])
def test_a_record_has_the_method_for_redirects_where_the_app_is_installed(
    apps: str, is_there: bool
) -> None:
    """The warning is given with and without the app."""
    done = subprocess.run(
        [sys.executable, "-c", CODE.format(apps=apps)],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=True,
    )
    assert "ComparedWithTextWarning" in done.stderr
    assert done.stdout.split() == [str(is_there)] * 2
