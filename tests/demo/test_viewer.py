"""Tests of the viewer in the demo, which also shows what the bookmarks' field would store."""

from __future__ import annotations

import json
import re
from html import unescape

import pytest
from django.test import Client

from weburl.viewer.responding import HEADERS


def page(client: Client, **query: str) -> str:
    """Return the text of the viewer's page, without markup."""
    response = client.get("/viewer/", query)
    assert response.status_code == 200
    return unescape(re.sub(r"<[^>]+>", " ", response.content.decode()))


def test_the_bookmarks_field_says_what_it_would_store(client: Client) -> None:
    """The field assumes https, and refuses some schemes."""
    assert "https://example.com/a" in page(client, url="example.com/a")
    assert "The field refuses it:" in page(client, url="javascript:alert(1)")
    text = page(client, url="https://h.example/a", base="https://b.example/")
    assert "by the bookmarks' field" in text


def test_it_has_its_own_headers_and_links_to_the_bookmarks(client: Client) -> None:
    """Its headers replace those that Django would set."""
    response = client.get("/viewer/")
    for name, value in HEADERS:
        assert response[name] == value
    assert '<a href="/">Bookmarks</a>' in response.content.decode()
    assert client.get("/viewer").status_code == 301


@pytest.mark.django_db
def test_the_bookmarks_link_to_it(client: Client) -> None:
    """The link is in their header."""
    assert 'href="/viewer/"' in client.get("/").content.decode()


def test_its_other_pages_and_files_are_there(client: Client) -> None:
    """Their addresses begin with the viewer's address."""
    assert client.get("/viewer/list").status_code == 200
    assert client.get("/viewer/static/viewer.js")["Content-Type"].startswith("text/javascript")
    assert client.get("/viewer/static/../settings.py").status_code == 404
    assert client.delete("/viewer/").status_code == 405


def test_a_form_and_a_script_are_answered() -> None:
    """They need no CSRF token, because nothing changes. Scripts of other sites are refused."""
    client = Client(enforce_csrf_checks=True)
    response = client.generic(
        "POST", "/viewer/", b"url=a+b&base=https://h/", "application/x-www-form-urlencoded"
    )
    assert (response.status_code, response["Location"]) == (303, "?url=a+b&base=https%3A%2F%2Fh%2F")
    body = json.dumps({"url": "https://h/?\ud800"})
    response = client.generic("POST", "/viewer/report.json", body, "application/json")
    assert response.json()["report"]["attributes"]["search"] == "?%EF%BF%BD"
    response = client.generic(
        "POST",
        "/viewer/report.json",
        body,
        "application/json",
        headers={"Sec-Fetch-Site": "cross-site"},
    )
    assert response.status_code == 403


def test_ten_megabytes_are_answered() -> None:
    """Django itself would refuse to read so much."""
    body = json.dumps({"url": "https://h/" + "a" * 10_000_000})
    response = Client().generic("POST", "/viewer/report.json", body, "application/json")
    assert response.status_code == 200
    assert len(response.json()["report"]["attributes"]["href"]) == 10_000_010
