"""Tests of the choices for duplicates, and for text that is not a URL."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any
from uuid import UUID

import pytest
from django.contrib.contenttypes.models import ContentType
from django.db import connection, models

from django_whatwg_url.rows.references import Reference
from django_whatwg_url.rows.table import Table
from tests.django.rows.running import outcomes, run, summary, undo
from tests.django.stored import stored_texts
from tests.django.wayinapp.models import (
    ByURL,
    Cited,
    Keyed,
    Label,
    Loose,
    Note,
    Old,
    Owned,
    Paired,
    Place,
    Profile,
    Shelf,
    Ticket,
    Used,
    Visit,
    Whole,
)

pytestmark = pytest.mark.django_db

SPELLINGS = ("https://h:443/", "https://h/", "https://h:443/.")
BAD = "https://u:secret@exa mple/"


@pytest.fixture
def three() -> list[Old]:
    """Return three rows with spellings of one URL. The second is canonical."""
    return [Old.objects.create(url=text) for text in SPELLINGS]


def last_of(rows: Sequence[Old]) -> Old:
    """Return the row to keep, as a project's own function does."""
    return rows[-1]


def none_of(_rows: Sequence[Old]) -> None:
    """Return None, to keep all rows."""


@pytest.mark.parametrize(
    ("policy", "kept"),
    [
        ("keep-oldest", 0),
        ("keep-newest", 2),
        (f"{__name__}.last_of", 2),
        ("keep-most-referenced", 1),
    ],
)
@pytest.mark.parametrize("size", [1, 1000])
def test_one_row_is_kept_and_all_that_points_at_the_others_moves(
    three: list[Old], policy: str, kept: int, size: int
) -> None:
    """References are foreign keys to the key or the URL, one-to-ones, many-to-manys and generic."""
    loser = three[0 if kept else 2]
    visits = [Visit.objects.create(old=row) for row in (*three, *[three[1]] * 6)]
    profile = Profile.objects.create(old=loser)
    labels = [Label.objects.create(name=name) for name in "ab"]
    three[0].labels.set(labels[:1])
    three[2].labels.set(labels)
    shelf = Shelf.objects.create()
    place = Place.objects.create(shelf=shelf, old=loser, number=7)
    content_type = ContentType.objects.get_for_model(Old)
    note = Note.objects.create(content_type=content_type, object_id=str(loser.pk))
    other = Note.objects.create(
        content_type=ContentType.objects.get_for_model(Label), object_id=str(loser.pk)
    )
    cited = Cited.objects.create(old=loser)
    count = len(run("Old.url", on_duplicate=policy, batch_size=size))
    assert count in {2, 3}
    (row,) = Old.objects.all()
    assert (row.pk, row.url) == (three[kept].pk, "https://h/")
    assert {visit.old_id for visit in Visit.objects.all()} == {row.pk}
    assert Visit.objects.count() == len(visits)
    for moved in (profile, place):
        moved.refresh_from_db()
        assert moved.old_id == row.pk
    assert place.number == 7
    assert list(row.labels.order_by("name")) == labels
    assert row.labels.through.objects.count() == 2
    note.refresh_from_db()
    other.refresh_from_db()
    assert (note.object_id, other.object_id) == (str(row.pk), str(loser.pk))
    cited.refresh_from_db()
    assert cited.old_id == "https://h/"
    connection.check_constraints()


def test_a_generic_reference_to_a_uuid_is_moved() -> None:
    """The database may store the key without hyphens, and Django stores the reference with them."""
    rows = [Keyed.objects.create(id=UUID(int=n), url=text) for n, text in enumerate(SPELLINGS)]
    content_type = ContentType.objects.get_for_model(Keyed)
    note = Note.objects.create(content_type=content_type, object_id=str(rows[1].pk))
    run("Keyed.url", unique_with=[], on_duplicate="keep-oldest")
    note.refresh_from_db()
    assert note.target == Keyed.objects.get() == rows[0]


def test_text_that_is_no_key_refers_to_no_row() -> None:
    """MariaDB would compare "2abc" with the number 2, and refuse to change "abc"."""
    rows = [Old.objects.create(url=text) for text in SPELLINGS]
    content_type = ContentType.objects.get_for_model(Old)
    texts = [f"{rows[1].pk}abc", "abc", "", f"0{rows[1].pk}"]
    for text in (*texts, str(rows[1].pk)):
        Note.objects.create(content_type=content_type, object_id=text)
    run("Old.url", on_duplicate="keep-oldest")
    assert Old.objects.get() == rows[0]
    notes = Note.objects.order_by("pk").values_list("object_id", flat=True)
    assert list(notes) == [*texts, str(rows[0].pk)]


def test_only_references_to_the_model_follow_a_key_that_is_a_url() -> None:
    """Other models may have the same text as a key."""
    row = ByURL.objects.create(url="HTTPS://h.example")
    kinds = [ContentType.objects.get_for_model(model) for model in (ByURL, Old)]
    for kind in kinds:
        Note.objects.create(content_type=kind, object_id=row.pk)
    run("ByURL.url")
    notes = Note.objects.order_by("pk").values_list("object_id", flat=True)
    assert list(notes) == ["https://h.example/", "HTTPS://h.example"]


@pytest.mark.parametrize(
    ("target", "held_in", "key", "held"),
    [
        (Old, models.CharField(), 7, "7"),
        (Keyed, models.TextField(), UUID(int=7).hex, str(UUID(int=7))),
        (Whole, models.CharField(), 7, "7"),
        (ByURL, models.CharField(), "HTTPS:h", "HTTPS:h"),
        (Old, models.IntegerField(), 7, 7),
        (Keyed, models.PositiveIntegerField(), UUID(int=7).hex, None),
        (Old, models.UUIDField(), 7, None),
        (Keyed, models.UUIDField(), UUID(int=7).hex, UUID(int=7).hex),
    ],
)
def test_a_generic_relation_holds_a_key_in_its_own_form(
    target: Any, held_in: Any, key: Any, held: Any
) -> None:
    """The value is None if the column cannot contain such a key. Databases refuse to compare it."""
    table = Table(Note, "default")
    reference = Reference("", table, held_in, target._meta.pk, content_types=(held_in, (1,)))
    assert reference.held(key) == held
    assert Reference("", table, held_in, target._meta.pk).held(key) == key


@pytest.mark.parametrize("choice", ["keep-oldest", "keep-most-referenced"])
def test_a_reference_that_the_row_to_keep_cannot_take_is_not_lost(choice: str) -> None:
    """It refers to a column that is NULL in the row to keep."""
    rows = [Ticket.objects.create(url=text) for text in SPELLINGS]
    Ticket.objects.filter(pk=rows[2].pk).update(code="a")
    rows.append(Ticket.objects.create(url=SPELLINGS[0], code="b"))
    used = Used.objects.create(ticket_id="a")
    found = run("Ticket.url", unique_with=[], on_duplicate=choice)
    used.refresh_from_db()
    assert used.ticket == rows[2]
    if choice == "keep-oldest":
        assert set(Ticket.objects.all()) == {rows[0], rows[2]}
        assert "whose code is NULL" in found[rows[2].pk]["reason"]
    else:
        assert Ticket.objects.get() == rows[2]


@pytest.mark.parametrize("size", [1, 1000])
@pytest.mark.parametrize("choice", ["keep-oldest", "keep-newest", "keep-most-referenced"])
def test_rows_that_are_referred_to_through_two_columns_keep_both(choice: str, size: int) -> None:
    """Each reference moves to the value of its own column in the row that is kept."""
    rows = [
        Ticket.objects.create(url=text, code=f"c{number}", seat=f"s{9 - number}")
        for number, text in enumerate(SPELLINGS)
    ]
    by_code = [Used.objects.create(ticket=row) for row in rows]
    by_seat = [Used.objects.create(seated=row) for row in (rows[1], *rows)]
    run("Ticket.url", unique_with=[], on_duplicate=choice, batch_size=size)
    kept = rows[{"keep-oldest": 0, "keep-newest": len(rows) - 1}.get(choice, 1)]
    assert Ticket.objects.get() == kept
    for used in (*by_code, *by_seat):
        used.refresh_from_db()
    assert {(used.ticket_id, used.seated_id) for used in by_code} == {(kept.code, None)}
    assert {(used.ticket_id, used.seated_id) for used in by_seat} == {(None, kept.seat)}


def test_the_summary_adds_up_to_the_rows(three: list[Old]) -> None:
    """A row that was canonical before it was merged into another is counted once."""
    text = summary("Old.url", on_duplicate="keep-newest")
    assert "3 rows" in text
    assert "1  changed" in text
    assert "2  merged" in text
    assert "unchanged" not in text


def test_what_cannot_move_keeps_its_row(three: list[Old]) -> None:
    """Both rows have a one-to-one. Neither is lost, and the report names it."""
    others = [
        Old.objects.create(url=f"https://h:443/{n}/{end}") for n in range(4) for end in (".", "..")
    ]
    profiles = [Profile.objects.create(old=row) for row in (three[0], three[1])]
    lines = run("Old.url", on_duplicate="keep-oldest")
    assert Profile.objects.count() == len(profiles)
    assert lines[three[1].pk]["outcome"] == "colliding"
    assert "Profile.old" in lines[three[1].pk]["reason"]
    assert lines[three[2].pk]["outcome"] == "merged"
    stored = {row.pk: row.url for row in Old.objects.all()}
    assert stored[three[1].pk] == "https://h/"
    assert stored[three[0].pk] == "https://h:443/"
    assert len(others) == 8


def test_a_place_that_both_have_is_not_lost(three: list[Old]) -> None:
    """A through model may have more columns than the link."""
    shelf = Shelf.objects.create()
    for row in three[:2]:
        Place.objects.create(shelf=shelf, old=row, number=row.pk)
    lines = run("Old.url", on_duplicate="keep-newest")
    assert Place.objects.count() == 2
    assert [line["outcome"] for line in lines.values()].count("colliding") >= 1


def test_a_row_never_points_at_itself_afterwards(three: list[Old]) -> None:
    """Otherwise trees and chains would get loops."""
    Old.objects.filter(pk=three[0].pk).update(twin=three[2])
    lines = run("Old.url", on_duplicate="keep-oldest")
    assert lines[three[2].pk]["outcome"] == "colliding"
    assert Old.objects.get(pk=three[0].pk).twin_id == three[2].pk


def test_a_row_that_is_half_of_another_is_not_merged_away() -> None:
    """A child by multi-table inheritance consists of more than this row."""
    child = Whole.objects.create(url="https://h")
    plain = Loose.objects.create(url="https://h/")
    lines = run("Loose.url", unique_with=[], on_duplicate="keep-newest")
    assert lines[child.pk]["outcome"] == "colliding"
    assert Loose.objects.count() == 2
    assert outcomes("Loose.url", unique_with=[], on_duplicate="keep-oldest") == {
        child.pk: "changed",
        plain.pk: "merged",
    }


def test_a_policy_may_leave_rows_as_they_are(three: list[Old]) -> None:
    """The function returns None."""
    lines = run("Old.url", on_duplicate=f"{__name__}.none_of")
    assert [line["outcome"] for line in lines.values()] == ["colliding"] * 2
    assert Old.objects.count() == 3


def test_a_dry_run_merges_nothing(three: list[Old]) -> None:
    """It reports what would be merged."""
    lines = run("Old.url", on_duplicate="keep-oldest", dry_run=True)
    assert [line["done"] for line in lines.values()] == ["to be merged"] * 2
    assert Old.objects.count() == 3


def test_rows_of_a_column_that_is_not_unique_yet_are_merged_too() -> None:
    """This includes rows whose text was already equal."""
    for text in ("https://h/", "https://h/", "https://h", "https://i"):
        Loose.objects.create(url=text)
    run("Loose.url", unique_with=[], on_duplicate="keep-oldest", batch_size=2)
    assert stored_texts(Loose) == ["https://h/", "https://i/"]


def test_rows_of_several_owners_are_not_merged() -> None:
    """The constraint defines duplicates."""
    for owner, text in ((1, "https://h/"), (2, "https://h"), (1, "https://h")):
        Paired.objects.create(owner=owner, url=text)
    run("Paired.url", on_duplicate="keep-newest")
    assert [(row.owner, row.url) for row in Paired.objects.order_by("pk")] == [
        (2, "https://h/"),
        (1, "https://h/"),
    ]
    Owned.objects.create(url="https://h", active=False)
    Owned.objects.create(url="https://h/", active=True)
    run("Owned.url", on_duplicate="keep-newest")
    assert Owned.objects.count() == 2


def test_bad_text_can_become_null() -> None:
    """So can an empty string."""
    for text in (BAD, "", "https://h/"):
        Old.objects.create(url=text)
    run("Old.url", on_invalid="null", on_empty="null")
    assert stored_texts(Old) == [None, None, "https://h/"]


@pytest.mark.parametrize("choice", ["delete", "null"])
def test_empty_text_can_be_removed(choice: str) -> None:
    """The choices are the same as for other text that is not a URL."""
    row = Old.objects.create(url="")
    assert run("Old.url", on_empty=choice)[row.pk]["outcome"] == "empty"
    assert stored_texts(Old) == ([] if choice == "delete" else [None])
    undo()
    assert stored_texts(Old) == [""]


def test_rows_of_bad_text_can_be_deleted() -> None:
    """Rows that refer to them are deleted too, as Django does."""
    bad = Old.objects.create(url=BAD)
    Visit.objects.create(old=bad)
    run("Old.url", on_invalid="delete")
    assert not Old.objects.exists()
    assert not Visit.objects.exists()


def test_text_to_which_a_foreign_key_refers_stays() -> None:
    """NULL would leave the key without a row."""
    kept, other = Old.objects.create(url=BAD), Old.objects.create(url="no url")
    Cited.objects.create(old=kept)
    for dry_run in (True, False):
        lines = run("Old.url", on_invalid="null", dry_run=dry_run)
        assert lines[kept.pk]["done"] == "reported"
        assert lines[kept.pk]["reason"].endswith("wayinapp.Cited.old refers to it.")
    assert stored_texts(Old) == [BAD, None]
    connection.check_constraints()
    assert other.pk in lines


def test_too_long_is_another_matter_than_bad() -> None:
    """Each has its own choice."""
    Old.objects.create(url="https://h/" + "é" * 400)
    bad = Old.objects.create(url=BAD)
    run("Old.url", on_too_long="delete")
    assert [row.pk for row in Old.objects.all()] == [bad.pk]
