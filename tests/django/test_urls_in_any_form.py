"""What takes a URL takes text, a record and a `weburl.URL`, as `docs/conventions.md` says.

`tests/test_conventions.py` does the same for `weburl`.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final

import pytest
from django.test import RequestFactory

import weburl
from django_whatwg_url import forms, validators
from django_whatwg_url.beside import registrable_domain
from django_whatwg_url.redirects import safe_redirect_url
from django_whatwg_url.references import resolve_reference
from django_whatwg_url.url_keys import url_key
from tests.django.testapp.models import Bookmark
from weburl.keys import KeyRules

TEXT: Final = "https://testserver/a"
RECORD: Final = weburl.parse(TEXT)
FORMS: Final = [TEXT, RECORD, weburl.URL(TEXT)]


@pytest.mark.parametrize("url", FORMS, ids=["text", "record", "URL"])
@pytest.mark.parametrize(
    "call",
    [
        lambda url: safe_redirect_url(RequestFactory().get("/", secure=True), url),
        lambda url: resolve_reference(url, "https://other.example/"),
        lambda url: resolve_reference("/a", url),
        lambda url: forms.CanonicalURLField().clean(url),
        lambda url: weburl.parse(url_key(url, KeyRules.browser()) or ""),
        lambda url: None if validators.URLPolicyValidator(weburl.URLPolicy())(url) else RECORD,
        lambda url: RECORD if registrable_domain(url) is None else None,
    ],
)
def test_functions_give_the_same(call: Callable[[Any], Any], url: Any) -> None:
    """The results are equal, whatever their type."""
    assert call(url) == RECORD


@pytest.mark.django_db
@pytest.mark.parametrize("url", FORMS, ids=["text", "record", "URL"])
def test_fields_and_lookups_find_the_same(url: Any) -> None:
    """A row that is stored, and found."""
    Bookmark.objects.create(url=url)
    assert Bookmark.objects.get().url == RECORD
    for condition in (
        {"url": url},
        {"url__in": [url]},
        {"url__under": url},
        {"url__origin": url},
    ):
        assert Bookmark.objects.filter(**condition).count() == 1
