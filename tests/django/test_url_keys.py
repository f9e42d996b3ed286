"""Tests of `django_whatwg_url.url_keys`: the key of a URL in a column beside it."""

# Pickles of our own.

from __future__ import annotations

from typing import Any

import pytest
from django.core.exceptions import ValidationError
from django.db import IntegrityError, connection, models, transaction
from django.db.models import F, Value
from django.db.models.functions import Cast, Concat
from django.test.utils import CaptureQueriesContext, isolate_apps
from hypothesis import given
from pytest_django import DjangoAssertNumQueries

from django_whatwg_url.column.values import to_url
from django_whatwg_url.fields import CanonicalURLField, RegistrableDomainField, URLKeyField
from django_whatwg_url.managers import URLQuerySet
from django_whatwg_url.url_keys import rules_named, url_key
from tests.django.keysapp.models import (
    Bookmark,
    Owner,
    Plain,
    ProxyBookmark,
    RatedBookmark,
    Single,
    Together,
)
from tests.django.servers import created, mysql_index, only_mysql, only_postgresql
from tests.django.stored import column_field, store_text, stored_text, stored_texts
from tests.django.test_following_fields import check_ids
from tests.strategies import url_texts
from weburl import parse
from weburl.keys import KeyRules
from weburl.keys import url_key as key_under

pytestmark = pytest.mark.django_db

PAGE = KeyRules.page()
OLD = "https://old.example/"
NEW = "HTTPS://New.Example/a?utm_source=mail&id=1"
SAME = "https://new.example/a?id=1&utm_medium=mail"
OTHER_RULES = KeyRules.browser()


def key_of(url: str) -> str:
    """Return the key of a URL under the default rules."""
    return key_under(url, PAGE)


def test_the_key_of_a_page_is_the_same_for_its_urls() -> None:
    """It is the key of `weburl.keys`."""
    assert url_key(NEW, PAGE) == url_key(parse(SAME), PAGE) == key_of(SAME)
    assert url_key(NEW, OTHER_RULES) != url_key(SAME, OTHER_RULES)


@pytest.mark.parametrize("nothing", [None, "", "bad", "/relative", to_url("bad"), 5, b"https://a"])
def test_a_value_that_is_not_a_url_has_no_key(nothing: object) -> None:
    """Nothing is raised."""
    assert url_key(nothing, PAGE) is None


def test_a_url_that_the_database_computes_keeps_a_key_that_stays_the_same() -> None:
    """Only the URL may be saved, and the attribute may have the new key."""
    row = Plain.objects.create(url=NEW, other=SAME)
    row.url = F("other")
    row.save(update_fields=["url"])
    assert stored_text(row, "url") == SAME
    assert stored_text(row, "url_key") == key_of(NEW)
    row.url = NEW
    row.save(update_fields=["url"])
    assert (stored_text(row, "url"), stored_text(row, "url_key")) == (NEW, key_of(NEW))


def test_rows_of_other_models_with_the_same_table_have_keys() -> None:
    """Proxies, and child models, also with `update()`."""
    ProxyBookmark.objects.create(url=NEW)
    child = RatedBookmark.objects.create(url=SAME, stars=3)
    assert set(stored_texts(Bookmark, "url_key")) == {key_of(NEW)}
    RatedBookmark.objects.update(url=OLD, stars=4)
    assert RatedBookmark.objects.get().stars == 4
    assert stored_texts(Bookmark, "url_key") == [key_of(NEW), key_of(OLD)]
    child.refresh_from_db()
    child.url = "https://third.example/"
    child.save(update_fields=["url", "stars"])
    assert stored_texts(Bookmark, "url_key")[1] == key_of("https://third.example/")


def test_a_url_in_canonical_form_has_a_key() -> None:
    """It is a record, or NULL."""
    row = Single.objects.create(url=NEW)
    assert row.url_key == stored_text(row, "url_key") == key_of(NEW)
    Single.objects.filter(pk=row.pk).update(url=parse(OLD))
    assert stored_text(row, "url_key") == key_of(OLD)
    Single.objects.filter(pk=row.pk).update(url=None)
    assert stored_text(row, "url_key") is None
    row.url = parse(SAME)
    Single.objects.bulk_update([row], ["url"])
    assert stored_text(row, "url_key") == key_of(SAME)
    Single.objects.create(url="mailto:a@example.com")
    Single.objects.create(url=None)
    Single.objects.create(url=None)
    assert Single.objects.filter(url_key=None).count() == 2


def test_bulk_update_gives_each_row_its_own_key() -> None:
    """There are several batches and other columns, and the key may be named."""
    rows = [Plain.objects.create(url=f"https://n{n}.example/") for n in range(5)]
    for row in rows:
        row.url = f"https://m{row.pk}.example/?utm_source=x"
    rows[2].url = "bad"
    Plain.objects.bulk_update(rows, ["url", "other"], batch_size=2)
    expected = [url_key(row.url, PAGE) for row in rows]
    assert expected[2] is None
    assert stored_texts(Plain, "url_key") == expected
    Plain.objects.update(url_key=None)
    Plain.objects.bulk_update(rows, ["url", "url_key"])
    assert stored_texts(Plain, "url_key") == expected


def test_update_with_an_expression_leaves_no_wrong_key() -> None:
    """NULL where only the database knows the URL."""
    first = Plain.objects.create(url=OLD)
    second = Plain.objects.create(url=SAME)
    text = models.URLField()
    Plain.objects.filter(pk=first.pk).update(url=Cast(F("url"), models.CharField(max_length=4)))
    assert stored_texts(Plain, "url_key") == [None, key_of(SAME)]
    Plain.objects.filter(pk=first.pk).update(url=NEW)
    Plain.objects.filter(pk=second.pk).update(
        url=Concat(F("url"), Value("&b=2"), output_field=text)
    )
    assert stored_texts(Plain, "url_key") == [key_of(NEW), None]
    assert Plain.objects.get(pk=second.pk).url_key == key_of(f"{SAME}&b=2")
    Plain.objects.update(other="untouched")
    assert stored_texts(Plain, "url_key") == [key_of(NEW), None]


def test_a_given_key_is_stored_as_it_is_given() -> None:
    """`update()` with both columns, for code that knows better."""
    row = Plain.objects.create(url=OLD)
    Plain.objects.update(url=NEW, url_key="mine")
    assert stored_text(row, "url_key") == "mine"


def test_the_attribute_is_the_key_of_the_url_that_the_row_has_now() -> None:
    """It changes with the URL, before the row is saved."""
    row = Plain(url=NEW)
    assert row.url_key == key_of(NEW)
    row.url = OLD
    assert row.url_key == key_of(OLD)
    row.url = "bad"
    assert row.url_key is None
    assert Plain(7, OLD).url_key == key_of(OLD)


def test_a_deferred_url_leaves_the_key_of_the_row(
    django_assert_num_queries: DjangoAssertNumQueries,
) -> None:
    """It is read from the row, and a save does not change it."""
    Plain.objects.create(url=NEW)
    row = Plain.objects.only("url_key").get()
    with django_assert_num_queries(0):
        assert row.url_key == key_of(NEW)
    row = Plain.objects.only("other").get()
    with django_assert_num_queries(1):
        assert row.url_key == key_of(NEW)
    row = Plain.objects.defer("url").get()
    row.save()
    assert stored_texts(Plain, "url_key") == [key_of(NEW)]


def test_a_save_that_the_constraint_refuses_leaves_url_and_key() -> None:
    """One statement writes both, so neither is written without the other."""
    owner = Owner.objects.create(name="a")
    Bookmark.objects.create(url=NEW, owner=owner)
    row = Bookmark.objects.create(url=OLD, owner=owner)
    row.url = SAME
    for names in (["url"], None):
        with pytest.raises(IntegrityError), transaction.atomic():
            row.save(update_fields=names)
    with pytest.raises(IntegrityError), transaction.atomic():
        Bookmark.objects.filter(pk=row.pk).update(url=SAME)
    assert (stored_text(row), stored_text(row, "url_key")) == (OLD, key_of(OLD))


LONG = f"https://example.com/{'a' * 2900}"


def test_a_long_key_is_stored_with_a_digest() -> None:
    """It is never refused, fits into the column, and is equal only for equal keys."""
    first = Plain.objects.create(url=f"{LONG}b?utm_source=x")
    Plain.objects.create(url=f"{LONG}b?utm_source=y")
    Plain.objects.create(url=f"{LONG}c")
    Together(url=LONG).full_clean()
    keys = stored_texts(Plain, "url_key")
    assert [len(key) for key in keys] == [2048] * 3
    assert keys[0] == keys[1] != keys[2]
    assert keys[0].startswith("https://example.com/aaa")
    assert "\x7f" in keys[0]
    assert Plain.objects.filter(url_key=first.url_key).count() == 2
    assert Plain.objects.filter(url_key=key_of(f"{LONG}b")).count() == 2
    assert Plain.objects.filter(url_key__same_as=f"{LONG}b").count() == 2
    assert Plain.objects.filter(url_key__startswith="https://example.com/a").count() == 3


def test_a_key_may_fill_its_column() -> None:
    """One more character, and there is a digest; the two are never equal."""
    fits = "https://example.com/".ljust(100, "a")
    keys = [Together(url=fits).url_key, Together(url=f"{fits}a").url_key]
    assert keys[0] == fits
    assert [len(key or "") for key in keys] == [100, 100]
    assert keys[0] != keys[1]
    Together.objects.create(url="https://example.com/" + "a" * 1_000_000)
    assert len(stored_texts(Together, "url_key")[0]) == 100


@given(url_texts)
def test_a_stored_key_can_be_looked_up(text: str) -> None:
    """It is ASCII, and the operand of a lookup is not changed."""
    field = column_field(Plain, "url_key")
    key = Plain(url=text).url_key
    assert field.get_prep_value(key) == key
    assert key is None or key.isascii()


@pytest.mark.parametrize(
    "typed",
    [NEW, SAME, parse(SAME), "new.example/a?id=1", "//NEW.example/a?id=1", f" {SAME} "],
    ids=str,
)
def test_a_page_is_found_by_any_of_its_urls(typed: object) -> None:
    """The URL may be written as people type it, and be in a related row."""
    owner = Owner.objects.create(name="a")
    row = Bookmark.objects.create(url=NEW, owner=owner)
    Bookmark.objects.create(url=OLD, owner=owner)
    assert Bookmark.objects.get(url_key__same_as=typed) == row
    assert Bookmark.objects.exclude(url_key__same_as=typed).get().url == OLD
    assert Owner.objects.get(bookmark__url_key__same_as=typed) == owner


@pytest.mark.parametrize("typed", ["", None, "bad text", "/a", "\x00", "\ud800"])
def test_text_that_is_not_a_url_finds_no_page(typed: str | None) -> None:
    """It does not find rows without a key either."""
    Plain.objects.create(url="bad")
    Plain.objects.create(url=OLD)
    assert not Plain.objects.filter(url_key__same_as=typed).exists()
    with pytest.raises(TypeError, match="same_as takes text"):
        Plain.objects.filter(url_key__same_as=F("url"))


@pytest.mark.parametrize("text", ["é", "a\x00b", "\ud800", "x" * 5000])
def test_any_text_can_be_compared_with_a_key(text: str) -> None:
    """The text may contain characters that an ASCII column cannot store."""
    Plain.objects.create(url=NEW)
    assert not Plain.objects.filter(url_key=text).exists()
    assert not Plain.objects.filter(url_key__in=[text]).exists()
    assert not Plain.objects.filter(url_key__contains=text.replace("\ud800", "é")).exists()


def test_full_clean_knows_the_key_before_the_row_is_saved() -> None:
    """unique=True, unique_together and UniqueConstraint find the row that is there."""
    Single.objects.create(url=NEW)
    with pytest.raises(ValidationError) as caught:
        Single(url=SAME).full_clean()
    assert caught.value.message_dict == {
        "url_key": ["Another entry already leads to this page, perhaps in another spelling."]
    }
    Together.objects.create(url=NEW, group=1, shelf=2)
    for values in ({"group": 1, "shelf": 9}, {"group": 9, "shelf": 2}):
        with pytest.raises(ValidationError) as caught:
            Together(url=SAME, **values).full_clean()
        assert [error.code for error in caught.value.error_dict["__all__"]] == ["unique_together"]
    Together(url=SAME, group=9, shelf=9).full_clean()
    with pytest.raises(IntegrityError), transaction.atomic():
        Together.objects.create(url=SAME, group=1, shelf=9)


def test_the_models_pass_their_checks() -> None:
    """A key of the default length fits into a unique index of each database."""
    for model in (Bookmark, Plain, Single, Together, RatedBookmark):
        assert model.check(databases={"default"}) == []


@only_mysql
def test_the_indexes_are_true_ones_on_mariadb() -> None:
    """They contain the whole key instead of a hash, and may contain an owner."""
    for table in ("keysapp_plain", "keysapp_single"):
        index = mysql_index(table, "url_key")
        assert (index["Index_type"], index["Sub_part"]) == ("BTREE", None)
    with connection.cursor() as cursor:
        cursor.execute("SHOW INDEX FROM keysapp_bookmark WHERE Column_name = 'url_key'")
        types = [row[10] for row in cursor.fetchall()]
    assert types == ["BTREE", "BTREE"]


@only_postgresql
def test_the_index_is_used_on_postgresql() -> None:
    """For the page that a person typed."""
    with connection.cursor() as cursor:
        cursor.execute("SET LOCAL enable_seqscan = off")
    assert "Index" in Plain.objects.filter(url_key__same_as="new.example/a").explain()


@pytest.mark.parametrize(
    "name", ["", "pages", "page@999", "a.b.c", "tests.django.test_url_keys.OLD"]
)
def test_unknown_rules_are_reported_and_not_guessed(name: str) -> None:
    """A migration can be loaded all the same."""
    with pytest.raises(ValueError, match=r"rules|version"):
        rules_named(name)
    field = URLKeyField("url", rules=name)
    assert field.deconstruct()[3]["rules"] == name
    assert check_ids(CanonicalURLField(), field) == ["django_whatwg_url.E008"]


def test_rules_are_rules_or_a_name() -> None:
    """Other values are refused at once."""
    with pytest.raises(TypeError, match="not list"):
        URLKeyField("url", rules=["utm_source"])  # type: ignore[arg-type]


@pytest.mark.parametrize(
    "url",
    [
        models.URLField(),
        models.CharField(max_length=9),
        models.TextField(),
        CanonicalURLField(max_length=3000),
    ],
    ids=lambda field: type(field).__name__,
)
def test_a_key_may_be_beside_any_text(url: models.Field[Any, Any]) -> None:
    """The text may have any length."""
    assert check_ids(url, URLKeyField("url", unique=True)) == []


def test_the_checks_know_what_a_key_cannot_be_of() -> None:
    """Another type, another name, another companion, and too little room."""
    wrong = ["django_whatwg_url.E007"]
    assert check_ids(models.IntegerField(), URLKeyField("url")) == wrong
    assert check_ids(models.URLField(), URLKeyField("link")) == wrong
    assert wrong[0] in check_ids(RegistrableDomainField("url"), URLKeyField("url"))
    short = URLKeyField("url", max_length=99)
    assert check_ids(models.URLField(), short) == ["django_whatwg_url.E008"]
    with isolate_apps("tests.django.keysapp"):

        class Child(Plain):
            mine = URLKeyField("url")

            class Meta:
                app_label = "keysapp"

        assert [message.id for message in column_field(Child, "mine").check()] == wrong


@pytest.mark.django_db(transaction=True)
def test_two_keys_may_be_of_one_url() -> None:
    """They have different rules, and an UPDATE writes both."""
    with isolate_apps("tests.django.keysapp"):

        class Both(models.Model):
            url = models.URLField()
            page = URLKeyField("url")
            exact = URLKeyField("url", rules="browser")

            objects: models.Manager[Any] = URLQuerySet.as_manager()

            class Meta:
                app_label = "keysapp"

    with created(Both):
        row = Both.objects.create(url=OLD)
        with CaptureQueriesContext(connection) as queries:
            Both.objects.update(url=NEW)
        assert len(queries) == 1
        row.refresh_from_db()
        keys = (key_of(NEW), key_under(NEW, OTHER_RULES))
        assert (row.page, row.exact) == keys
        assert (stored_text(row, "page"), stored_text(row, "exact")) == keys


def test_text_that_another_program_stored_has_the_key_of_its_url() -> None:
    """The row has the old key, and the attribute the right one."""
    row = Plain.objects.create(url=OLD)
    store_text(row, NEW)
    assert Plain.objects.get().url_key == key_of(NEW)
    assert stored_text(row, "url_key") == key_of(OLD)
    Plain.objects.get().save(update_fields=["url_key"])
    assert stored_text(row, "url_key") == key_of(NEW)
