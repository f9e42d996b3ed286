"""Tests of `columns.attributes`: who is parsed when, counted in calls of the parser."""

# Pickles of our own.

from __future__ import annotations

import copy
import pickle
from collections.abc import Callable
from typing import Any

import pytest
from asgiref.sync import async_to_sync
from django.db.models import Count, F, Max, QuerySet
from django.forms.models import model_to_dict
from pytest_django import DjangoAssertNumQueries

import weburl
from tests.django.stored import column_field, store_text
from tests.django.testapp.models import Bookmark, Child, Page, Parent, Site, Strict, Visit
from weburl import URLRecord, parse

pytestmark = pytest.mark.django_db

HREFS = [f"https://example.com/{number}" for number in range(5)]
RECORDS = [parse(href) for href in HREFS]


@pytest.fixture
def parsed(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """Return a list that each text is appended to when it is parsed."""
    texts: list[str] = []

    def counting(function: Callable[[str], Any]) -> Callable[[str], Any]:
        def call(text: str) -> Any:
            texts.append(text)
            return function(text)

        return call

    for name in ("parse", "canonicalize"):
        monkeypatch.setattr(weburl, name, counting(getattr(weburl, name)))
    return texts


@pytest.fixture
def rows() -> QuerySet[Bookmark]:
    """Return rows with the URLs of `HREFS`, in this order."""
    Bookmark.objects.bulk_create([Bookmark(url=record) for record in RECORDS])
    return Bookmark.objects.order_by("url")


async def asynchronously(rows: QuerySet[Bookmark]) -> list[Bookmark]:
    """Iterate in an event loop."""
    return [row async for row in rows]


READS: dict[str, Callable[[QuerySet[Bookmark]], list[Bookmark]]] = {
    "all": list,
    "iterator": lambda rows: list(rows.iterator(chunk_size=2)),
    "get": lambda rows: [rows.get(url=record) for record in RECORDS],
    "only": lambda rows: list(rows.only("url")),
    "in_bulk": lambda rows: sorted(rows.order_by().in_bulk().values(), key=lambda row: row.pk),
    "annotate": lambda rows: list(rows.annotate(visits=Count("visit"))),
    "union": lambda rows: list(
        rows.order_by().filter(url__lt=RECORDS[2]).union(rows.order_by()).order_by("url")
    ),
    "distinct": lambda rows: list(rows.distinct().order_by("url", "title")),
    "extra": lambda rows: list(rows.extra(select={"one": "1"})),
    "async": async_to_sync(asynchronously),
}


@pytest.mark.parametrize("read", READS.values(), ids=READS)
def test_a_row_that_is_read_has_a_record(
    read: Callable[[QuerySet[Bookmark]], list[Bookmark]],
    rows: QuerySet[Bookmark],
    parsed: list[str],
) -> None:
    """Its text is parsed once, however the row is read."""
    found = read(rows)
    assert sorted(parsed) == HREFS
    assert [vars(row)["url"] for row in found] == [row.url for row in found] == RECORDS
    assert sorted(parsed) == HREFS


def test_a_deferred_url_is_parsed_when_it_is_loaded(
    rows: QuerySet[Bookmark], parsed: list[str], django_assert_num_queries: DjangoAssertNumQueries
) -> None:
    """There is one query, and the text is parsed once."""
    found = list(rows.defer("url"))
    with django_assert_num_queries(1):
        assert found[0].url == RECORDS[0]
        assert found[0].url == RECORDS[0]
    assert parsed == HREFS[:1]


def test_a_deleted_url_is_loaded_again(django_assert_num_queries: DjangoAssertNumQueries) -> None:
    """Django documents ``del`` as a way to reload one field."""
    row: Any = Bookmark.objects.create(url=RECORDS[0])
    Bookmark.objects.update(url=RECORDS[1])
    del row.url
    assert row.get_deferred_fields() == {"url"}
    with django_assert_num_queries(1):
        assert row.url == RECORDS[1]
    del row.url
    with pytest.raises(AttributeError):
        del row.url
    strict: Any = Strict.objects.create(valid=RECORDS[0])
    del strict.valid
    assert strict.valid == RECORDS[0]


def test_related_rows_have_records() -> None:
    """They are loaded by select_related(), inherited, or referred to by foreign keys."""
    site = Site.objects.create(url=RECORDS[0])
    Visit.objects.create(site=site, bookmark=Bookmark.objects.create(url=RECORDS[1]))
    visit = Visit.objects.select_related("site", "bookmark").get()
    assert (visit.site.url, visit.site_id) == (RECORDS[0], RECORDS[0])
    assert visit.bookmark is not None
    assert (visit.bookmark.url, visit.bookmark_id) == (RECORDS[1], RECORDS[1])
    Child.objects.create(url=RECORDS[0], mirror=RECORDS[1])
    child = Child.objects.get()
    parent = Parent.objects.select_related("child").get()
    assert (child.url, child.mirror) == (parent.url, parent.child.mirror) == tuple(RECORDS[:2])


def test_values_and_annotations_are_records(rows: QuerySet[Bookmark]) -> None:
    """They come from the table, from an expression that chooses a URL, or from raw SQL."""
    assert list(rows.values_list("url", flat=True)) == RECORDS
    assert list(rows.values("url")) == [{"url": record} for record in RECORDS]
    assert [row["url"] for row in rows.values()] == RECORDS
    assert [row[1] for row in rows.values_list()] == RECORDS
    assert [row.url for row in rows.values_list("url", named=True)] == RECORDS
    assert [row.high for row in rows.annotate(high=Max("url")).order_by("pk")] == RECORDS
    assert [vars(row)["again"] for row in rows.annotate(again=F("url"))] == RECORDS
    raw = Bookmark.objects.raw("SELECT id, title, url, url AS again FROM testapp_bookmark")
    assert sorted(vars(row)["url"] for row in raw) == RECORDS


def test_refresh_from_db_parses_once(parsed: list[str]) -> None:
    """For all fields and for one."""
    page = Page.objects.create(url=RECORDS[0])
    store_text(page, HREFS[1])
    parsed.clear()
    page.refresh_from_db(fields=["url"])
    assert page.url == RECORDS[1]
    assert parsed == [HREFS[1]]


def test_records_survive_copying_and_pickling(rows: QuerySet[Bookmark], parsed: list[str]) -> None:
    """Querysets can be pickled after they have run."""
    bookmark = rows[0]
    annotated = rows.annotate(again=F("url"))
    assert len(annotated) == 5
    values = rows.values("url")
    assert len(values) == 5
    parsed.clear()
    twins = [
        copy.copy(bookmark),
        copy.deepcopy(bookmark),
        pickle.loads(pickle.dumps(bookmark)),
        pickle.loads(pickle.dumps(rows.all()))[0],
        pickle.loads(pickle.dumps(annotated))[0],
    ]
    assert parsed == HREFS  # `rows.all()` runs
    assert [twin.url for twin in twins] == [RECORDS[0]] * 5
    assert pickle.loads(pickle.dumps(values))[0] == {"url": RECORDS[0]}
    again: QuerySet[Any] = Bookmark.objects.all()
    again.query = pickle.loads(pickle.dumps(values.query))
    assert list(again) == list(values)


def test_everything_that_reads_a_field_reads_a_record(rows: QuerySet[Bookmark]) -> None:
    """Fields, forms, and the instance's own dictionary."""
    assert column_field(Bookmark).value_from_object(rows[0]) == RECORDS[0]
    assert rows[0].serializable_value("url") == RECORDS[0]
    assert model_to_dict(rows[0])["url"] == RECORDS[0]
    bookmark = rows[0]
    assert Bookmark(url=vars(bookmark)["url"]).url == bookmark.url
    assert vars(bookmark)["url"] is bookmark.url
    bookmark.clean_fields()
    assert bookmark.url == RECORDS[0]


@pytest.mark.parametrize("url", [HREFS[0], RECORDS[0]], ids=["text", "record"])
def test_storing_a_row_parses_its_text_no_more_than_it_must(url: Any, parsed: list[str]) -> None:
    """A record is never parsed again, whatever the way of saving."""
    once = [HREFS[0]] if isinstance(url, str) else []

    def cost(action: Callable[[], object]) -> list[str]:
        parsed.clear()
        action()
        return parsed[:]

    assert cost(Bookmark(url=url).save) == once
    Bookmark.objects.all().delete()
    assert cost(lambda: Bookmark.objects.bulk_create([Bookmark(url=url)])) == once
    assert cost(lambda: Bookmark.objects.update(url=url)) == once
    bookmark = Bookmark.objects.get()
    bookmark.url = url
    assert cost(bookmark.save) == once
    bookmark.url = url
    assert cost(lambda: Bookmark.objects.bulk_update([bookmark], ["url"])) == once
    bookmark.url = url
    assert cost(bookmark.full_clean) == once
    assert cost(bookmark.save) == []
    Bookmark.objects.all().delete()
    assert cost(lambda: Bookmark.objects.create(url=url)) == once
    # The row that is found is read.
    assert cost(lambda: Bookmark.objects.get_or_create(url=url)) == once + HREFS[:1]
    Bookmark.objects.all().delete()
    # The row that is not found, and the one that is made.
    assert cost(lambda: Bookmark.objects.get_or_create(url=url)) == once * 2


def test_saving_what_was_read_parses_it_once(rows: QuerySet[Bookmark], parsed: list[str]) -> None:
    """Whether somebody asked for it before or not: the row might not have been canonical."""
    bookmark = rows[0]
    bookmark.save()
    assert parsed == HREFS[:1]
    bookmark = rows[0]
    assert isinstance(bookmark.url, URLRecord)
    bookmark.save()
    assert parsed == HREFS[:1] * 2
    bookmark.save(update_fields=["title"])
    assert parsed == HREFS[:1] * 2
