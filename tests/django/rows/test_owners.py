"""Tests of the definition of duplicates: nothing is merged without one."""

from __future__ import annotations

from typing import Any

import pytest
from django.core.management import CommandError
from django.db import models

from django_whatwg_url.operations import CanonicalizeURLs
from tests.django.rows.running import run, summary
from tests.django.rows.test_operation import migrate
from tests.django.stored import stored_texts
from tests.django.wayinapp.models import Owned, Paired, Person, Saved

SPELLINGS = ("https://shared.example/page", "https://SHARED.example/page")
MERGING = (
    "keep-oldest",
    "keep-newest",
    "keep-most-referenced",
    "tests.django.rows.test_choices.last_of",
)


@pytest.fixture
def rows(db: None) -> list[Saved]:
    """Return rows of two owners with the same URL, and another row of the second owner."""
    owners = [Person.objects.create(name=name) for name in ("https://u:secret@h/", "second")]
    both = [Saved.objects.create(owner=o, url=t) for o, t in zip(owners, SPELLINGS, strict=True)]
    return [*both, Saved.objects.create(owner=owners[1], url=SPELLINGS[0], group="u:secret@h")]


@pytest.mark.parametrize("policy", MERGING)
def test_the_command_refuses_to_merge_if_nothing_says_which_rows_are_the_same(
    rows: list[Saved], policy: str
) -> None:
    """The error names both ways to define duplicates, and nothing is changed."""
    before = stored_texts(Saved)
    with pytest.raises(CommandError, match=r"unique constraint.*--unique-with owner"):
        run("Saved.url", on_duplicate=policy)
    with pytest.raises(CommandError, match="Nothing says"):
        run("Saved.url", on_duplicate=policy, dry_run=True)
    assert stored_texts(Saved) == before


@pytest.mark.django_db(transaction=True)
def test_the_operation_refuses_it_too() -> None:
    """There is no plan with a constraint if the operation runs by itself."""
    owners = [Person.objects.create(name=name) for name in "ab"]
    for owner, text in zip(owners, SPELLINGS, strict=True):
        Saved.objects.create(owner=owner, url=text)
    with pytest.raises(ValueError, match=r'unique_with=\["owner"\] in a migration'):
        migrate(CanonicalizeURLs("saved", "url", on_duplicate="keep-oldest"))
    assert stored_texts(Saved) == list(SPELLINGS)
    migrate(CanonicalizeURLs("saved", "url", on_duplicate="keep-oldest", unique_with=["owner"]))
    assert stored_texts(Saved) == [SPELLINGS[0]] * 2


def test_rows_of_two_owners_are_two_rows(rows: list[Saved]) -> None:
    """Only the second row of one owner is merged, and the report names the owner."""
    lines = run("Saved.url", on_duplicate="keep-oldest", unique_with=["owner"])
    assert list(Saved.objects.order_by("pk")) == rows[:2]
    assert stored_texts(Saved) == [SPELLINGS[0]] * 2
    line = lines[rows[2].pk]
    assert line["outcome"] == "merged"
    assert line["collides_with"] == rows[1].pk
    assert line["collides_on"] == ["owner", "url"]
    assert line["unique_with"] == {"owner": rows[1].owner_id}


def test_a_dry_run_names_the_owner_without_secrets(rows: list[Saved]) -> None:
    """Any text may contain a password."""
    Saved.objects.create(owner=rows[1].owner, url=SPELLINGS[1], group="u:secret@h")
    options: dict[str, Any] = {"on_duplicate": "keep-oldest", "dry_run": True}
    names = ["owner", "group"]
    lines = run("Saved.url", unique_with=names, **options)
    (line,) = (line for line in lines.values() if line["outcome"] == "colliding")
    assert line["unique_with"] == {"owner": rows[1].owner_id, "group": "u:***@h"}
    text = summary("Saved.url", unique_with=names, **options)
    assert f"owner {rows[1].owner_id}, group u:***@h, url as in {rows[2].pk}" in text


def test_an_empty_list_means_only_the_url(rows: list[Saved]) -> None:
    """Owners do not matter then, so it must be explicit."""
    run("Saved.url", on_duplicate="keep-oldest", unique_with=[])
    assert [row.pk for row in Saved.objects.all()] == [rows[0].pk]


def test_rows_without_an_owner_stay(rows: list[Saved]) -> None:
    """NULL is not the same as NULL, as in a unique constraint."""
    Saved.objects.update(owner=None)
    run("Saved.url", on_duplicate="keep-oldest", unique_with=["owner"])
    assert stored_texts(Saved) == [SPELLINGS[0]] * 3


@pytest.mark.django_db
def test_constraints_and_named_fields_count_together() -> None:
    """A row must differ under each of them."""
    for active, owner in ((True, 1), (True, 2), (False, 2), (False, 3)):
        Owned.objects.create(url=f"https://h{'/.' * owner}", owner=owner, active=active)
    run("Owned.url", on_duplicate="keep-oldest", unique_with=["owner"])
    left = Owned.objects.order_by("pk").values_list("owner", "active")
    assert list(left) == [(1, True), (2, False), (3, False)] or list(left) == [
        (1, True),
        (3, False),
    ]
    Paired.objects.create(owner=1, url="https://h")
    Paired.objects.create(owner=2, url="https://h/")
    run("Paired.url", on_duplicate="keep-oldest", unique_with=[])
    assert Paired.objects.get().owner == 1


@pytest.mark.parametrize(
    "names", [["nobody"], ["tags"], "owner"], ids=["no field", "no column", "no list"]
)
def test_a_name_that_is_not_a_column_is_refused(rows: list[Saved], names: Any) -> None:
    """It is found before anything is changed."""
    before = stored_texts(Saved)
    with pytest.raises(CommandError, match="unique_with"):
        run("Saved.url", on_duplicate="keep-oldest", unique_with=names)
    assert stored_texts(Saved) == before


@pytest.mark.parametrize("names", [None, ["owner"]])
def test_a_constraint_that_the_table_does_not_have_yet_counts(
    rows: list[Saved], names: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Rows that are already equal are merged too, because no index has prevented them."""
    constraint = models.UniqueConstraint(fields=["owner", "url"], name="not_migrated")
    monkeypatch.setattr(Saved._meta, "constraints", [constraint])
    again = Saved.objects.create(owner=rows[0].owner, url=rows[0].url)
    run("Saved.url", on_duplicate="keep-newest", unique_with=names)
    assert [row.pk for row in Saved.objects.order_by("pk")] == [rows[2].pk, again.pk]
