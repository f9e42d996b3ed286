"""Tests of `UniqueURLKey`, `duplicates` and `update_url_keys`."""

from __future__ import annotations

from io import StringIO
from typing import Any

import pytest
from django.core.checks import run_checks
from django.core.exceptions import ValidationError
from django.core.management import CommandError, call_command
from django.db import IntegrityError, models, transaction
from django.forms import modelform_factory

from django_whatwg_url.constraints import UniqueURLKey
from django_whatwg_url.duplicates import row_with_same_key, same_page_error
from tests.django.keysapp.models import Bookmark, Owner, Plain, Single
from tests.django.stored import store_text, stored_texts
from weburl.keys import KeyRules, url_key

pytestmark = pytest.mark.django_db

PAGE = KeyRules.page()
FIRST = "https://example.com/a?id=1&utm_source=mail"
SECOND = "http://www.example.com/a/?id=1"
OTHER = "https://example.com/b"
SECRET = "https://me:hunter2@example.com/a?id=1"


def key_of(url: str) -> str:
    """Return the key of a URL under the default rules."""
    return url_key(url, PAGE)


@pytest.fixture
def owners() -> tuple[Owner, Owner]:
    """Return two people who collect bookmarks."""
    return Owner.objects.create(name="Ada"), Owner.objects.create(name="Bob")


# The constraint.


def test_an_owner_has_a_page_once_and_another_owner_has_it_too(owners: tuple[Owner, Owner]) -> None:
    """The database keeps the rule, and full_clean() says which row is there."""
    ada, bob = owners
    row = Bookmark.objects.create(url=FIRST, owner=ada)
    Bookmark(url=SECOND, owner=bob).full_clean()
    Bookmark.objects.create(url=SECOND, owner=bob)
    Bookmark(url=OTHER, owner=ada).full_clean()
    with pytest.raises(ValidationError) as caught:
        Bookmark(url=SECOND, owner=ada).full_clean()
    (error,) = caught.value.error_dict["url"]
    assert error.messages == [f"You have this page already: {FIRST}"]
    assert error.code == "same-page"
    assert error.params is not None
    assert error.params["row"] == row
    with pytest.raises(IntegrityError), transaction.atomic():
        Bookmark.objects.create(url=SECOND, owner=ada)


def test_a_row_is_not_a_duplicate_of_itself(owners: tuple[Owner, Owner]) -> None:
    """It can be saved again, also with another URL of the page."""
    row = Bookmark.objects.create(url=FIRST, owner=owners[0])
    row.full_clean()
    row.url = SECOND
    row.full_clean()
    row.save()
    copy = Bookmark(pk=row.pk, url=SECOND, owner=owners[0])
    with pytest.raises(ValidationError) as caught:
        copy.full_clean()
    assert "url" in caught.value.message_dict


def test_rows_without_a_key_or_an_owner_are_never_duplicates(owners: tuple[Owner, Owner]) -> None:
    """In a constraint too, NULL is not equal to NULL."""
    for _ in range(2):
        for row in (Bookmark(url="bad", owner=owners[0]), Bookmark(url=FIRST)):
            row.full_clean(exclude=["owner"])
            row.save()
    assert Bookmark.objects.count() == 4


def test_no_message_shows_a_password(owners: tuple[Owner, Owner]) -> None:
    """The row that is there may have one."""
    row = Bookmark.objects.create(url=SECRET, owner=owners[0])
    with pytest.raises(ValidationError) as caught:
        Bookmark(url=SECOND, owner=owners[0]).full_clean()
    assert "hunter2" not in str(caught.value)
    assert "example.com/a?id=1" in str(caught.value)
    assert "hunter2" not in str(same_page_error(row, "url_key"))


def test_the_row_of_someone_else_is_shown_only_if_the_message_asks_for_it() -> None:
    """Without ``within``, its URL may belong to anyone, and may contain a token."""
    Plain.objects.create(url=FIRST)
    for message, expected in (
        (None, "Another entry already leads to this page, perhaps in another spelling."),
        ("See %(url)s.", f"See {FIRST}."),
    ):
        rule = UniqueURLKey("url_key", name="n", violation_error_message=message)
        with pytest.raises(ValidationError) as caught:
            rule.validate(Plain, Plain(url=SECOND))
        assert caught.value.message_dict == {"url": [expected]}
        rule.validate(Plain, Plain(url=SECOND), exclude={"url"})
        rule.validate(Plain, Plain(url=OTHER))
    own = UniqueURLKey("url_key", name="n", violation_error_code="twice")
    with pytest.raises(ValidationError) as caught:
        own.validate(Plain, Plain(url=SECOND))
    assert caught.value.error_dict["url"][0].code == "twice"


def test_a_plain_model_form_says_which_row_is_there(owners: tuple[Owner, Owner]) -> None:
    """The key is not in the form, and neither is the owner."""
    Bookmark.objects.create(url=FIRST, owner=owners[0])
    form_class = modelform_factory(Bookmark, fields=["url", "title"])
    form = form_class({"url": SECOND}, instance=Bookmark(owner=owners[0]))
    assert form.errors == {"url": [f"You have this page already: {FIRST}"]}
    form = form_class({"url": SECOND}, instance=Bookmark(owner=owners[1]))
    assert form.is_valid()
    assert form.save().url == SECOND
    form = form_class({"url": ""}, instance=Bookmark(owner=owners[0]))
    assert list(form.errors) == ["url"]
    form = modelform_factory(Bookmark, fields=["title"])({"title": "x"}, instance=Bookmark())
    assert form.is_valid()


@pytest.mark.parametrize(
    "constraint",
    [
        UniqueURLKey("url_key", name="a"),
        UniqueURLKey("url_key", within=["owner"], name="b", violation_error_message="No."),
        UniqueURLKey("url_key", within=["owner"], name="b", violation_error_code="twice"),
    ],
)
def test_the_constraint_survives_deconstruction(constraint: UniqueURLKey) -> None:
    """A migration names the import path that people use."""
    path, args, kwargs = constraint.deconstruct()
    assert path == "django_whatwg_url.constraints.UniqueURLKey"
    assert args == ("url_key",)
    assert "fields" not in kwargs
    clone = constraint.clone()
    assert clone == constraint
    assert clone.deconstruct() == constraint.deconstruct()
    assert tuple(clone.fields) == (*constraint.within, "url_key")


def test_within_is_several_names() -> None:
    """A single name would be taken for its letters."""
    with pytest.raises(TypeError, match="not a string"):
        UniqueURLKey("url_key", within="owner", name="a")


def test_the_row_with_the_same_page_is_found_without_any_constraint() -> None:
    """The first of them; for a view that only warns."""
    first = Plain.objects.create(url=FIRST, other="a")
    second = Plain.objects.create(url=SECOND, other="b")
    assert row_with_same_key(Plain(url=SECOND), "url_key") == first
    assert row_with_same_key(first, "url_key") == second
    assert row_with_same_key(Plain(url=SECOND, other="b"), "url_key", ["other"]) == second
    assert row_with_same_key(Plain(url=SECOND, other="c"), "url_key", ["other"]) is None
    assert row_with_same_key(Plain(url="bad"), "url_key") is None
    assert row_with_same_key(Plain(url=models.F("other")), "url_key") is None
    assert row_with_same_key(Plain(url=OTHER), "url_key") is None


# The command `update_url_keys`.


def update(*labels: str, **options: Any) -> list[str]:
    """Run the command and return the lines it prints."""
    out = StringIO()
    call_command("update_url_keys", *labels, stdout=out, **options)
    return out.getvalue().splitlines()


@pytest.mark.parametrize("size", [1, 2, 3, 1000])
def test_keys_that_differ_are_stored(size: int) -> None:
    """They differ after raw SQL, for bad text and in a new column. A second run finds none."""
    rows = [Plain.objects.create(url=f"https://n{n}.example/") for n in range(5)]
    for row, url in zip(rows, (FIRST, SECOND, "bad", OTHER, OTHER), strict=True):
        store_text(row, url)
    store_text(rows[4], None, "url_key")
    assert update("keysapp.Plain", batch_size=size, dry_run=True) == [
        "keysapp.Plain.url_key: 5 rows read, 5 values would be stored"
    ]
    assert update("keysapp.Plain", batch_size=size) == [
        "keysapp.Plain.url_key: 5 rows read, 5 values stored",
    ]
    keys = [key_of(FIRST), key_of(SECOND), None, key_of(OTHER), key_of(OTHER)]
    assert stored_texts(Plain, "url_key") == keys
    assert stored_texts(Plain) == [FIRST, SECOND, "bad", OTHER, OTHER]
    assert update("keysapp.Plain", batch_size=size)[0].endswith("5 rows read, 0 values stored")


def test_a_key_that_only_one_row_may_have_is_refused_to_the_second() -> None:
    """No row is removed; each other row gets its key, and the run fails and says which rows."""
    rows = [Single.objects.create(url=f"https://n{n}.example/") for n in range(4)]
    old = stored_texts(Single, "url_key")
    for row, url in zip(rows[:3], (FIRST, SECOND, OTHER), strict=True):
        store_text(row, url)
    with pytest.raises(CommandError) as caught:
        update("keysapp.Single")
    assert "1 rows keep their old value" in str(caught.value)
    assert f"Primary keys: {rows[1].pk}." in str(caught.value)
    keys = [key_of(FIRST), old[1], key_of(OTHER), old[3]]
    assert stored_texts(Single, "url_key") == keys
    assert Single.objects.count() == 4


def test_rows_that_exchange_their_keys_get_them() -> None:
    """A row waits until another one has lost the key."""
    rows = [Single.objects.create(url=url) for url in (FIRST, OTHER, "https://c.example/")]
    for row, url in zip(rows, (OTHER, "https://c.example/", "https://d.example/"), strict=True):
        store_text(row, url)
    for size in (1, 1000):
        update("keysapp.Single", batch_size=size)
    assert stored_texts(Single, "url_key") == [
        key_of(OTHER), "https://c.example/", "https://d.example/",
    ]  # fmt: skip


# The system check.


def checked() -> list[str]:
    """Return the messages of the check of stored keys."""
    found = run_checks(tags=["database"], databases=["default"])
    return [message.msg for message in found if message.id == "django_whatwg_url.W022"]


def test_the_check_of_the_database_notices_keys_under_other_rules(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """The warning disappears when the command has run."""
    Plain.objects.bulk_create(Plain(url=f"https://www.n{n}.example/") for n in range(250))
    Plain.objects.create(url="bad")
    assert checked() == []
    field: Any = Plain._meta.get_field("url_key")
    monkeypatch.setattr(field, "rules", KeyRules.browser())
    (message,) = checked()
    assert message.startswith("199 of the 200 rows of keysapp.Plain.url_key")
    update("keysapp.Plain", verbosity=0)
    assert checked() == []
