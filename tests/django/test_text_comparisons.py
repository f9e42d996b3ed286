"""Tests of `django_whatwg_url.text_comparisons`: comparing a URL with text warns in development."""

from __future__ import annotations

import subprocess
import sys
import unittest
import warnings
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from django.template import Context, Template

from django_whatwg_url.text_comparisons import URLComparedWithTextWarning, warn_of_text_comparisons
from tests.django.testapp.models import Bookmark
from weburl import URLRecord, parse

SECRET = "https://user:secret@example.com/"
ROOT = Path(__file__).parents[2]


@pytest.fixture(autouse=True)
def _warn_here() -> Iterator[None]:
    warn_of_text_comparisons()
    yield
    warn_of_text_comparisons(enabled=False)


def warned(function: Any) -> list[warnings.WarningMessage]:
    """Return the warnings that a call gives, without a repetition of one line."""
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("default")
        function()
    return caught


@pytest.mark.django_db
def test_comparing_the_url_of_a_row_with_text_warns() -> None:
    """On either side, by both operators, and by ``in``; without showing the URL."""
    Bookmark.objects.create(url=SECRET)
    url: Any = Bookmark.objects.get().url
    cases = [
        lambda: url == SECRET,
        lambda: url == SECRET,
        lambda: url != SECRET,
        lambda: url in [1, SECRET],
        lambda: url in (1, SECRET),
        lambda: SECRET in [1, url],
    ]
    for case in cases:
        (warning,) = warned(case)
        assert warning.category is URLComparedWithTextWarning
        assert warning.filename == __file__
        assert warning.lineno == case.__code__.co_firstlineno
        assert "secret" not in str(warning.message)


def test_a_line_warns_once() -> None:
    """Whatever it compares."""

    def compare() -> None:
        for path in "abc":
            assert parse(f"https://{path}/") != path

    assert len(warned(compare)) == 1


def test_what_is_right_does_not_warn() -> None:
    """Comparing records, and what Django does to every value."""
    url: Any = parse(SECRET)
    assert not warned(lambda: url == parse(SECRET))
    assert not warned(lambda: url in [1, parse(SECRET)])
    assert not warned(lambda: url == None)  # noqa: E711
    assert not warned(lambda: url in ("", None, [], (), {}))
    assert not warned(lambda: str(url) == SECRET)
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


def test_the_warning_can_be_an_error() -> None:
    """It is raised where the comparison is."""
    with warnings.catch_warnings():
        warnings.simplefilter("error", URLComparedWithTextWarning)
        with pytest.raises(URLComparedWithTextWarning):
            assert parse(SECRET) != SECRET


def test_a_watcher_sees_the_record_and_the_text() -> None:
    """The public hook of `weburl`; None takes it away."""
    seen: list[object] = []
    url: Any = parse("https://a/")
    URLRecord.watch_text_comparisons(lambda record, text: seen.append((record, text)))
    assert url != "x"
    assert "y" != url  # noqa: SIM300
    assert url != b"z"
    assert url == parse("https://a/")
    URLRecord.watch_text_comparisons(None)
    assert url != "w"
    assert seen == [(url, "x"), (url, "y")]


CODE = """
import sys
{first}
import django
from django.conf import settings
settings.configure(DEBUG={debug}, INSTALLED_APPS=["django_whatwg_url"])
django.setup()
import weburl
weburl.parse("https://a/") == "https://a/"
"""


@pytest.mark.parametrize(
    ("first", "debug", "warns"),
    [
        ("", False, False),
        ("", True, True),
        ("import pytest", False, True),
        ("sys.argv = ['manage.py', 'test']", False, True),
    ],
)
def test_only_development_and_tests_warn(first: str, debug: bool, warns: bool) -> None:
    """Production installs nothing."""
    done = subprocess.run(
        [sys.executable, "-c", CODE.format(first=first, debug=debug)],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=True,
    )
    assert ("URLComparedWithTextWarning" in done.stderr) is warns
