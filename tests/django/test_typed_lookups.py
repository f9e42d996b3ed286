"""``typed`` and ``holds``: text that people typed, in queries, in the admin and in views."""

from __future__ import annotations

import pytest
from django.core.exceptions import FieldError
from django.db.models import F
from django.http import Http404
from django.shortcuts import get_object_or_404
from django.test import Client, RequestFactory
from django.views.generic import DetailView

from tests.django.explained import indexes_on, indexes_used
from tests.django.stored import store_text
from tests.django.testapp.models import Bookmark, Page, Site, Visit
from weburl import URL, parse

pytestmark = pytest.mark.django_db

URLS = [
    "https://b\u00fccher.example/neu",
    "http://example.com/",
    "https://example.com/",
    "https://example.com:8080/100%25_",
    "mailto:a@b",
]
# What a lookup must not choke on.
NO_URLS = [
    "",
    "   ",
    "https://",
    "a b",
    "https://exa mple.com",
    "/x",
    "\x00",
    "\ud800",
    "%",
    "x" * 9999,
]


@pytest.fixture
def rows() -> list[Bookmark]:
    """Rows with a URL each."""
    return [Bookmark.objects.create(url=url) for url in URLS]


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("https://B\u00dcCHER.example/neu", [0]),
        ("B\u00fccher.example/neu", [0]),
        ("xn--bcher-kva.example/neu", [0]),
        ("example.com", [1, 2]),
        ("HTTP:EXAMPLE.com:80", [1]),
        ("example.com:8080/100%25_", [3]),
        ("mailto:a@b", [4]),
        (parse("https://example.com"), [2]),
        (URL("https://example.com"), [2]),
        ("example", []),
        *((text, []) for text in (*NO_URLS, "x" * 9999)),
        (None, []),
    ],
)
def test_typed_text_finds_the_rows_of_its_url(
    rows: list[Bookmark], text: object, found: list[int]
) -> None:
    """In any spelling; none for what is no URL, and all others are excluded."""
    expected = [rows[number] for number in found]
    assert list(Bookmark.objects.filter(url__typed=text).order_by("pk")) == expected
    others = [row for row in rows if row not in expected]
    assert list(Bookmark.objects.exclude(url__typed=text).order_by("pk")) == others


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("B\u00fccher", [0]),
        ("b\u00fccher.example", [0]),
        ("EXAMPLE", [0, 1, 2, 3]),
        ("https://example.com:443", [2, 3]),
        ("100%25_", [3]),
        ("100%25-", []),
        ("", []),
        ("nowhere", []),
        ("\x00", []),
        ("\ud800", []),
    ],
)
def test_a_piece_of_typed_text_finds_the_rows_that_hold_it(
    rows: list[Bookmark], text: str, found: list[int]
) -> None:
    """Spelling and letter case do not matter."""
    expected = [rows[number] for number in found]
    assert list(Bookmark.objects.filter(url__holds=text).order_by("pk")) == expected


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("s3cret", []),
        ("s3", []),
        ("\u00fc", []),
        (":", [0, 1, 2]),  # after the scheme
        ("ada", []),
        ("ada:s3cret@secret.example", [0, 1]),  # as the URL without them
        ("https://ada:other@secret.example/", [0, 1]),
        ("https://secret.example/a", [0]),
        ("secret.example", [0, 1]),
        ("z@y", [0]),
        ("tail", []),
    ],
)
def test_a_piece_of_a_password_finds_nothing(text: str, found: list[int]) -> None:
    """Nor does a username, even in a URL inside another and in text that is not a URL."""
    rows = [
        Page.objects.create(url="https://ada:s3cret\u00fc@secret.example/a?z@y"),
        Page.objects.create(url="https://xxx.example/https://ada:s3cret@secret.example/"),
        Page.objects.create(url="https://c.example/"),
    ]
    store_text(rows[2], "https://ada:s3cret@tail@c x/")
    expected = [rows[number] for number in found]
    assert list(Page.objects.filter(url__holds=text).order_by("pk")) == expected
    others = [row for row in rows if row not in expected]
    assert list(Page.objects.exclude(url__holds=text).order_by("pk")) == others


def test_a_null_url_is_typed_by_nobody() -> None:
    """NULL does not match other comparisons either."""
    Page.objects.create(url=None)
    assert not Page.objects.filter(url__typed="").exists()
    assert not Page.objects.filter(url__holds="a").exists()


def test_an_expression_is_not_typed() -> None:
    """Python cannot see what it will be."""
    for lookup in ("typed", "holds"):
        with pytest.raises(TypeError, match="not an expression"):
            Page.objects.filter(**{f"url__{lookup}": F("source")})


def test_typed_text_is_found_by_the_index_on_the_column() -> None:
    """As a URL is."""
    Bookmark.objects.bulk_create(
        Bookmark(url=f"https://example.com/{number}") for number in range(2000)
    )
    for condition in (
        {"url__typed": "example.com/1999"},
        {"url__from_text": "https://example.com/1999"},
    ):
        used = indexes_used(Bookmark.objects.filter(**condition))
        assert used & indexes_on("testapp_bookmark", "url")


@pytest.mark.parametrize(
    "text", ["https://B\u00fccher.example/neu", "b\u00fccher.example/neu", "B\u00fccher"]
)
def test_the_admin_and_its_autocomplete_find_what_people_type(
    admin_client: Client, rows: list[Bookmark], text: str
) -> None:
    """``search_fields`` contains ``holds`` and ``typed``."""
    assert len(rows) == len(URLS)
    response = admin_client.get("/admin/testapp/bookmark/", {"q": text})
    assert "1 bookmark" in response.content.decode()
    found = admin_client.get(
        "/admin/autocomplete/",
        {"term": text, "app_label": "testapp", "model_name": "visit", "field_name": "bookmark"},
    ).json()["results"]
    assert [row["text"] for row in found] == ["https://xn--bcher-kva.example/neu"]


@pytest.mark.parametrize("text", NO_URLS)
def test_the_admin_searches_for_any_text(admin_client: Client, text: str) -> None:
    """Nothing found is no error."""
    response = admin_client.get("/admin/testapp/bookmark/", {"q": text.encode("utf-8", "replace")})
    assert response.status_code == 200


def test_a_view_finds_its_row_by_what_people_type(rows: list[Bookmark]) -> None:
    """It responds with "not found" to text that is not a URL."""
    view: DetailView[Bookmark] = DetailView(model=Bookmark, slug_field="url__typed")
    view.setup(RequestFactory().get("/"), slug="HTTPS:Example.com")
    assert view.get_object() == rows[2]
    view.setup(RequestFactory().get("/"), slug="no url")
    with pytest.raises(Http404):
        view.get_object()
    with pytest.raises(Http404):
        get_object_or_404(Bookmark, url__typed="no url")


def test_from_text_finds_the_url_and_guesses_nothing(rows: list[Bookmark]) -> None:
    """It takes one text or several, in any spelling, and ignores other text."""
    assert Bookmark.objects.get(url__from_text="HTTPS:EXAMPLE.com:443") == rows[2]
    assert Bookmark.objects.get(url__from_text=parse("mailto:a@b")) == rows[4]
    assert not Bookmark.objects.filter(url__from_text="example.com").exists()
    texts = [*NO_URLS, None, "HTTP://example.com", "example.com", rows[0].url]
    assert set(Bookmark.objects.filter(url__from_text__in=texts)) == {rows[0], rows[1]}
    assert set(Bookmark.objects.exclude(url__from_text__in=texts)) == {*rows[2:]}
    site = Site.objects.create(url="https://a.example")
    Visit.objects.create(site=site, bookmark=rows[1])
    assert Visit.objects.filter(bookmark__url__from_text="http:example.com").count() == 1


@pytest.mark.parametrize("junk", [*NO_URLS, None, 5, b"x"])
def test_junk_from_strangers_is_in_no_row(rows: list[Bookmark], junk: object) -> None:
    """It raises nothing, and ``exclude()`` keeps every row, those without a URL too."""
    empty = Page.objects.create(url=None)
    for lookup, operand in (("from_text", junk), ("from_text__in", [junk])):
        assert not Bookmark.objects.filter(**{f"url__{lookup}": operand}).exists()
        assert Bookmark.objects.exclude(**{f"url__{lookup}": operand}).count() == len(rows)
        assert Page.objects.exclude(**{f"url__{lookup}": operand}).get() == empty
    with pytest.raises(Bookmark.DoesNotExist):
        Bookmark.objects.get(url__from_text=junk)


def test_from_text_has_two_lookups_and_takes_no_expression() -> None:
    """The rest is an error of the programmer."""
    with pytest.raises(TypeError, match="takes text"):
        Bookmark.objects.filter(url__from_text=F("url"))
    with pytest.raises(TypeError, match="takes a list"):
        list(Bookmark.objects.filter(url__from_text__in="https://a/"))
    for lookup in ("contains", "host"):
        with pytest.raises(FieldError):
            Bookmark.objects.filter(**{f"url__from_text__{lookup}": "x"})
