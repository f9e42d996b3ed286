"""Tests of rows that hold anything: the admin's pages, lookups of their own values, deleting."""

from __future__ import annotations

import re
from html import unescape
from typing import Any

import pytest
from django.db import models
from django.test import Client

from django_whatwg_url.column.values import UnparsableURL, to_url
from tests.django.partsapp.models import Indexed, Plain
from tests.django.stored import store_text
from tests.django.testapp.models import Bookmark, Page

pytestmark = pytest.mark.django_db

BROKEN = [
    *("http://<img>/", "http://a b/", "http://[::1/", "http://", "://", ":", " ", "not a url"),
    *("1http://x/", "javascript :<b>", "http://a:99999999/", "https://user:secret@exa mple/"),
    *("HTTP://%zz/", "h\x7f:/", "HTTP://A", "x:/a b", "http://h/" + "x" * 1500, "%", "?", "#", "@"),
]
MODELS: list[type[models.Model]] = [Plain, Indexed, Bookmark, Page]


def rows_with(*texts: str | None) -> list[Any]:
    """Return a row of each model for each URL of ``texts``, next to another row."""
    found = []
    for model in MODELS:
        for number, text in enumerate(texts):
            row: Any = model._default_manager.create(url=f"https://broken{number}.example/")
            store_text(row, text)
            found.append(row)
        model._default_manager.create(url="https://other.example/")
    return found


@pytest.mark.parametrize("texts", [BROKEN[start::3] for start in range(3)])
def test_no_row_breaks_a_page_of_the_admin(admin_client: Client, texts: list[str]) -> None:
    """The lists with and without facets, every filter that they offer, and the pages of the row."""
    asked = set()
    for row in rows_with(*texts):
        base = f"/admin/{row._meta.app_label}/{row._meta.model_name}/"
        pages = [f"{base}{row.pk}/{page}/" for page in ("change", "history", "delete")]
        if base not in asked:
            response = admin_client.get(f"{base}?_facets=True")
            assert response.status_code == 200
            links = re.findall(r'href="(\?[^"]*\burl[^"]*)"', response.content.decode())
            pages += [base, *(base + unescape(link) for link in links)]
            asked.add(base)
        for page in pages:
            assert admin_client.get(page).status_code == 200, page


@pytest.mark.parametrize("text", ["http://<img>/", "http://a b/", "http://[::1/", "://"])
def test_a_filter_of_the_admin_finds_the_row_that_offers_its_value(
    admin_client: Client, text: str
) -> None:
    """It filters by the part in the database, or by the whole text."""
    rows_with(text)
    for path in ("partsapp/plain", "testapp/bookmark"):
        html = admin_client.get(f"/admin/{path}/?_facets=True").content.decode()
        counted = re.findall(
            r'href="(\?[^"]*url(?:__\w+)?=[^"]*)"[^>]*>(?:<bdi[^>]*>[^<]*</bdi>)?[^<]*\((\d+)\)',
            html,
        )
        assert len(counted) >= 2
        for link, count in counted:
            page = admin_client.get(f"/admin/{path}/{unescape(link)}")
            assert page.context["cl"].result_count == int(count), link


def test_the_facets_count_rows_without_a_url(admin_client: Client) -> None:
    """They are in no part's count."""
    Plain.objects.create(url=None)
    Plain.objects.create(url="https://a.example/")
    Plain.objects.create(url="https://b.example/")
    html = admin_client.get("/admin/partsapp/plain/?_facets=True").content.decode()
    assert "<bdi>a.example</bdi> (1)" in html and "<bdi>b.example</bdi> (1)" in html


@pytest.mark.parametrize(
    "text", ["http://\u00e9 b/", "a\0b", "\ud800", "\u202ehttp://a b/", "x" * 5000]
)
def test_a_value_that_no_row_can_hold_finds_nothing(text: str) -> None:
    """It was assigned, and the database would refuse it."""
    value = to_url(text)
    assert isinstance(value, UnparsableURL)
    Bookmark.objects.create(url="https://example.com/")
    assert not Bookmark.objects.filter(url=value).exists()
    assert Bookmark.objects.exclude(url__in=[value]).count() == 1
