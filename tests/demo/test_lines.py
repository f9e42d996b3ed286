"""Tests of the pages that show which lines of an import were folded or refused."""

from __future__ import annotations

import re
from html import unescape

import pytest
from django.test import Client

from bookmarks.importing import import_links
from bookmarks.models import ImportedLine

pytestmark = pytest.mark.django_db

LINES = (
    "https://example.com/",
    "HTTPS://EXAMPLE.com:443/a/..",
    "https://exa mple.com/",
    "javascript:alert(1)",
    "https://alice:s3cret@exa mple.com/<script>",
    "",
)


def text(client: Client, address: str) -> str:
    """Return the text of a page, without markup."""
    response = client.get(address)
    assert response.status_code == 200
    html = response.content.decode()
    assert "<script" not in html
    without_markup = re.sub(r"(?s)<style>.*?</style>|<[^>]+>", " ", html)
    return " ".join(unescape(without_markup).split())


def test_the_first_page_shows_what_was_folded_and_refused(client: Client) -> None:
    """With the numbers, and the first line of each kind."""
    import_links(LINES)
    shown = text(client, "/")
    assert "1 duplicate folded HTTPS://EXAMPLE.com:443/a/.. → https:// example.com /" in shown
    assert "3 lines refused https://exa mple.com/" in shown
    assert "duplicate" not in text(client, "/?q=example")


def test_all_of_them_are_on_pages_of_their_own(client: Client) -> None:
    """In the order of the list, with the reason, and without passwords."""
    import_links(LINES)
    assert "1 folded" in text(client, "/folded/")
    shown = text(client, "/refused/")
    places = [shown.index(part) for part in ("exa mple.com", "javascript:", "***@exa mple.com")]
    assert places == sorted(places)
    assert "s3cret" not in shown
    assert client.get("/other/").status_code == 404
    assert client.post("/folded/").status_code == 405


def test_a_second_import_of_the_same_list_shows_each_line_once() -> None:
    """Its links are already stored, and what was folded before is still shown."""
    import_links(LINES)
    lines = ImportedLine.objects.order_by("number").values_list("number", "text")
    before = list(lines)
    import_links(LINES)
    assert list(lines.all()) == before
    assert [number for number, _ in before] == [2, 3, 4, 5]


def test_lines_of_many_batches_are_written_as_they_come(monkeypatch: pytest.MonkeyPatch) -> None:
    """A million bad lines must not all be kept in memory."""
    monkeypatch.setattr("bookmarks.importing.BATCH_SIZE", 3)
    report = import_links(["https://"] * 10 + ["https://h/" + "a" * 3000])
    assert ImportedLine.objects.count() == 11
    assert report.lines == []
    assert max(len(line.text) for line in ImportedLine.objects.all()) == 300
