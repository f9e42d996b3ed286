"""Tests of the demo's importer: what becomes of each kind of line."""

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
    """Return the canonical URLs on the shelf, oldest first."""
    return [bookmark.url.href for bookmark in Bookmark.objects.order_by("pk")]


def test_a_link_is_stored_as_a_browser_reads_it() -> None:
    """Case, default port, dot segments and an IDN host all come out canonical."""
    report = import_links(["HTTP://Bücher.example:80/a/../b c?q=ü"])
    assert stored() == ["http://xn--bcher-kva.example/b%20c?q=%C3%BC"]
    assert (report.read, report.stored) == (1, 1)


def test_another_spelling_of_a_link_in_the_list_is_folded() -> None:
    """The first spelling is stored and the later ones counted, with an example of a change."""
    report = import_links(
        ["https://example.com/", "https://example.com/", "https://EXAMPLE.com:443/./", "http://x/"]
    )
    assert stored() == ["https://example.com/", "http://x/"]
    assert (report.stored, report.folded, report.already_stored) == (2, 2, 0)
    assert report.folded_examples == [
        Example(3, "https://EXAMPLE.com:443/./", "https://example.com/")
    ]


def test_a_second_import_stores_nothing() -> None:
    """What the first import stored or folded is already stored for the second."""
    lines = ["https://example.com/a", "https://example.com/b", "https://EXAMPLE.com/a", "//"]
    first = import_links(lines)
    second = import_links(lines)
    assert (first.stored, first.folded, first.already_stored) == (2, 1, 0)
    assert (second.stored, second.folded, second.already_stored) == (0, 0, 3)
    assert first.refused == second.refused
    assert Bookmark.objects.count() == 2


def test_a_link_added_by_hand_counts_as_already_stored() -> None:
    """The shelf is one: whoever put a link there."""
    Bookmark.objects.create(url=weburl.parse("https://example.com/"))
    report = import_links(["HTTPS://example.com"])
    assert (report.stored, report.already_stored) == (0, 1)


def test_a_refused_link_is_counted_by_the_name_of_its_error() -> None:
    """The standard's names for what does not parse, the form's own for what it does not want."""
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
    """A list of a million bad links must not be kept whole."""
    report = import_links(["https://"] * (importing.EXAMPLES_KEPT + 5))
    assert report.refused.total() == importing.EXAMPLES_KEPT + 5
    assert [example.line_number for example in report.refused_examples["host-missing"]] == [1, 2, 3]


def test_lines_of_nothing_but_spaces_count_as_blank() -> None:
    """They are read, and nothing was wrong with them."""
    report = import_links(["", "   ", "\t", "https://example.com/"])
    assert (report.read, report.blank, report.stored) == (4, 3, 1)
    assert not report.refused


def test_a_link_that_grows_too_long_by_percent_encoding_is_refused() -> None:
    """The length that counts is that of the canonical form: one ü becomes six characters."""
    report = import_links(["https://example.com/" + "ü" * 500])
    assert report.refused == {"max_length": 1}
    assert not Bookmark.objects.exists()


def test_a_missing_scheme_is_taken_for_https() -> None:
    """As in the address bar."""
    import_links(["example.com/reading list"])
    assert stored() == ["https://example.com/reading%20list"]


def test_every_line_is_counted_once_over_several_batches(monkeypatch: pytest.MonkeyPatch) -> None:
    """A duplicate is found in its own batch, in an earlier one, and on the shelf."""
    monkeypatch.setattr(importing, "BATCH_SIZE", 3)
    Bookmark.objects.create(url=weburl.parse("https://example.com/3"))
    lines = [f"https://example.com/{number % 7}" for number in range(20)] + ["", "http://"]
    report = import_links(lines)
    assert (report.stored, report.already_stored, report.folded) == (6, 3, 11)
    assert (report.blank, report.refused.total()) == (1, 1)
    assert report.read == len(lines)
    assert Bookmark.objects.count() == 7


def test_the_number_of_queries_goes_by_batches_not_by_lines() -> None:
    """One query for the newest bookmark; for a batch a savepoint's two, one look, one insert."""
    lines = [f"https://example.com/{number}" for number in range(100)]
    with CaptureQueriesContext(connection) as queries:
        import_links(lines)
    assert len(queries) == 5


@pytest.mark.parametrize(
    "line",
    ["\x00", "https://example.com/\x00", "\ud800", "https://\udcff/", "\u202e", "%", "["],
)
def test_junk_is_stored_or_refused_but_never_raises(line: str) -> None:
    """Whatever a text file may hold."""
    report = import_links([line])
    assert report.read == 1
    assert report.stored + report.blank + report.refused.total() == 1
