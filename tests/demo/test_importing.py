"""Tests of the demo's importer, with each kind of line."""

from __future__ import annotations

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

import weburl
from bookmarks import importing
from bookmarks.importing import Example, import_links
from bookmarks.models import Bookmark

pytestmark = pytest.mark.django_db


def stored() -> list[str]:
    """Return the stored canonical URLs, oldest first."""
    return [bookmark.url.href for bookmark in Bookmark.objects.order_by("pk")]


def test_another_spelling_of_a_link_in_the_list_is_folded() -> None:
    """The first spelling is stored. Later ones are counted, and an example shows the change."""
    report = import_links(
        ["https://example.com/", "https://example.com/", "https://EXAMPLE.com:443/./", "http://x/"]
    )
    assert stored() == ["https://example.com/", "http://x/"]
    assert (report.stored, report.folded, report.already_stored) == (2, 2, 0)
    assert report.folded_examples == [
        Example(3, "https://EXAMPLE.com:443/./", "https://example.com/")
    ]


def test_a_second_import_stores_nothing() -> None:
    """Links that the first import stored or folded count as already stored."""
    lines = ["https://example.com/a", "https://example.com/b", "https://EXAMPLE.com/a", "//"]
    first = import_links(lines)
    second = import_links(lines)
    assert (first.stored, first.folded, first.already_stored) == (2, 1, 0)
    assert (second.stored, second.folded, second.already_stored) == (0, 0, 3)
    assert first.refused == second.refused
    assert Bookmark.objects.count() == 2


def test_a_refused_link_is_counted_by_the_name_of_its_error() -> None:
    """The name is from the standard if the link does not parse, and otherwise from the form."""
    report = import_links(
        [
            "https://",
            "https://example.com:99999/",
            "https://exa mple.com/",
            "javascript:alert(1)",
            "mailto:alice@example.com",
            "https://example.com/" + "a" * 2048,
        ]
    )
    assert report.refused == {
        "host-missing": 1,
        "port-out-of-range": 1,
        "domain-to-ASCII": 1,
        "scheme-not-allowed": 2,
        "max_length": 1,
    }
    assert not Bookmark.objects.exists()
    examples = report.refused_examples["scheme-not-allowed"]
    assert [(line, text) for line, text, _ in examples] == [
        (4, "javascript:alert(1)"),
        (5, "mailto:alice@example.com"),
    ]
    assert all(outcome for _, _, outcome in examples)


def test_a_reason_keeps_its_first_examples_only() -> None:
    """A million bad links must not all be kept in memory."""
    report = import_links(["https://"] * (importing.EXAMPLES_KEPT + 5))
    assert report.refused.total() == importing.EXAMPLES_KEPT + 5
    assert [example.line_number for example in report.refused_examples["host-missing"]] == [1, 2, 3]


def test_lines_of_nothing_but_spaces_count_as_blank() -> None:
    """They count as read, and not as refused."""
    report = import_links(["", "   ", "\t", "https://example.com/"])
    assert (report.read, report.blank, report.stored) == (4, 3, 1)
    assert not report.refused


def test_a_missing_scheme_is_taken_for_https() -> None:
    """The address bar of a browser assumes https too."""
    import_links(["example.com/reading list"])
    assert stored() == ["https://example.com/reading%20list"]


def test_every_line_is_counted_once_over_several_batches(monkeypatch: pytest.MonkeyPatch) -> None:
    """Duplicates are found in the same batch, in an earlier one, and among the stored bookmarks."""
    monkeypatch.setattr(importing, "BATCH_SIZE", 3)
    Bookmark.objects.create(url=weburl.parse("https://example.com/3"))
    lines = [f"https://example.com/{number % 7}" for number in range(20)] + ["", "http://"]
    report = import_links(lines)
    assert (report.stored, report.already_stored, report.folded) == (6, 3, 11)
    assert (report.blank, report.refused.total()) == (1, 1)
    assert report.read == len(lines)
    assert Bookmark.objects.count() == 7


def test_the_number_of_queries_depends_on_batches_not_on_lines() -> None:
    """One query reads the newest bookmark. A batch takes a savepoint, a lookup and an insert."""
    lines = [f"https://example.com/{number}" for number in range(100)]
    with CaptureQueriesContext(connection) as queries:
        import_links(lines)
    assert len(queries) == 5


@pytest.mark.parametrize(
    "line",
    ["\x00", "https://example.com/\x00", "\ud800", "https://\udcff/", "\u202e", "%", "["],
)
def test_junk_is_stored_or_refused_but_never_raises(line: str) -> None:
    """The lines have control characters, surrogates and broken syntax."""
    report = import_links([line])
    assert report.read == 1
    assert report.stored + report.blank + report.refused.total() == 1
