"""Random runs over tables with random rows: their undo restores every value.

A second test changes the rows of another owner between the run and the undo.
"""

from __future__ import annotations

import random
from typing import Any

import pytest
from django.contrib.contenttypes.models import ContentType
from django.db import IntegrityError, connection, transaction

from django_whatwg_url.rows import undo as undoing
from tests.django.rows.running import newest, run, undo
from tests.django.rows.test_undo import everything
from tests.django.wayinapp.models import (
    Cited,
    Clicked,
    Label,
    Note,
    Old,
    Person,
    Place,
    Profile,
    Saved,
    Shelf,
    Visit,
)

pytestmark = pytest.mark.django_db

TEXTS = (
    "https://h/", "https://h:443/", "HTTPS://h", "https://h/./", "https://u:p@h/", "HTTPS://u:p@H",
    "https://exa mple/", "no url", "", "javascript:alert(1)", "FTP://a.example", "https://ä.example",
    "https://xn--4ca.example/", "https://h/" + "é" * 200, "/path",
)  # fmt: skip
FEW = range(40)
MANY = range(40, 1_290)


def fill(chosen: random.Random) -> None:
    """Store random rows of two owners, and random references to them."""
    owners = [Person.objects.create(name=name) for name in "ab"]
    labels = [Label.objects.create(name=name) for name in "xyz"]
    shelf = Shelf.objects.create()
    texts = [*TEXTS, *(f"{text}/{n}" for n in range(3) for text in TEXTS[:4])]
    olds = [
        Old.objects.create(url=text, original=chosen.choice(["", "", text]))
        for text in chosen.sample(texts, chosen.randint(2, 12))
    ]
    saved = [
        Saved.objects.create(
            owner=chosen.choice([*owners, None]),
            url=chosen.choice(TEXTS),
            group=chosen.choice("gh"),
        )
        for _ in range(chosen.randint(0, 10))
    ]
    content_type = ContentType.objects.get_for_model(Old)
    for row in olds:
        row.labels.set(chosen.sample(labels, chosen.randint(0, 3)))
        for _ in range(chosen.randint(0, 2)):
            Visit.objects.create(old=row)
            Note.objects.create(content_type=content_type, object_id=str(row.pk))
        if chosen.random() < 0.3:
            Profile.objects.create(old=row)
            Place.objects.create(shelf=shelf, old=row, number=chosen.randint(0, 9))
        if chosen.random() < 0.4:
            Old.objects.filter(pk=row.pk).update(twin=chosen.choice(olds))
        if chosen.random() < 0.3:
            Cited.objects.create(old=chosen.choice(olds))
    for each in saved:
        each.tags.set(chosen.sample(labels, chosen.randint(0, 2)))
        Clicked.objects.create(saved=chosen.choice([each, None]))


def random_run(chosen: random.Random) -> None:
    """Run with random choices over one of the two tables."""
    merging = ["report", "keep", "keep-oldest", "keep-newest", "keep-most-referenced"]
    options: dict[str, Any] = {
        "on_duplicate": chosen.choice(merging),
        "on_invalid": chosen.choice(["report", "delete"]),
        "on_too_long": chosen.choice(["report", "delete"]),
        "on_not_allowed": chosen.choice(["report", "delete"]),
        "on_empty": chosen.choice(["report", "delete"]),
        "batch_size": chosen.choice([1, 3, 100]),
    }
    if chosen.random() < 0.6:
        for name in ("on_invalid", "on_too_long", "on_not_allowed", "on_empty"):
            options[name] = chosen.choice([options[name], "null"])
        run("Old.url", **options)
    else:
        run("Saved.url", unique_with=chosen.choice([[], ["owner"], ["owner", "group"]]), **options)


def numbers() -> set[int]:
    """Return the numbers of the runs."""
    from django_whatwg_url.rows import journal

    return {each.pk for each in journal.runs("default")}


def _undone(seed: int, monkeypatch: pytest.MonkeyPatch) -> None:
    chosen = random.Random(seed)
    monkeypatch.setattr(undoing, "_BATCH_SIZE", chosen.choice([1, 2, 7, 500]))
    fill(chosen)
    before = everything()
    known = numbers()
    for _ in range(chosen.randint(1, 3)):
        random_run(chosen)
    made = numbers() - known
    if made:
        assert undo(*made).count(" 0 changed since, 0 refused") == len(made)
    connection.check_constraints()
    assert everything() == before


def _not_mixed(seed: int, monkeypatch: pytest.MonkeyPatch) -> None:
    chosen = random.Random(seed)
    monkeypatch.setattr(undoing, "_BATCH_SIZE", chosen.choice([1, 2, 7, 500]))
    fill(chosen)
    before = {row.pk: row.url for row in Old.objects.all()}
    known = numbers()
    random_run(chosen)
    stranger = Person.objects.create(name="stranger")
    free = [pk for pk in before if not Old.objects.filter(pk=pk).exists()]
    taken = {}
    for pk in chosen.sample(free, min(len(free), 2)):
        url = chosen.choice([f"https://stranger/{pk}", "HTTPS://H", before[pk]])
        try:
            with transaction.atomic():
                taken[pk] = Old.objects.create(pk=pk, url=url, original="of a stranger")
        except IntegrityError:
            continue
    mine = [Saved.objects.create(owner=stranger, url=text) for text in TEXTS[:2]]
    # These belong to a row that was deleted without them.
    notes = {*Note.objects.filter(object_id__in=[*taken])}
    if made := numbers() - known:
        undo(*made)
    connection.check_constraints()
    for pk, row in taken.items():
        now = Old.objects.get(pk=pk)
        assert (now.url, now.original, now.twin_id) == (row.url, "of a stranger", None)
        assert not Visit.objects.filter(old=pk).exists()
        assert not Profile.objects.filter(old=pk).exists()
        assert not Place.objects.filter(old=pk).exists()
        assert not now.labels.exists()
        assert not Old.objects.filter(twin=pk).exists()
    assert {*Note.objects.filter(object_id__in=[*taken])} == notes
    for each, text in zip(mine, TEXTS, strict=False):
        assert Saved.objects.get(pk=each.pk).url == text
    for pk in taken:
        Old.objects.filter(pk=pk).delete()
    Saved.objects.filter(owner=stranger).delete()
    if made:
        # A reference by value was changed with its URL in the first undo, so it counts as changed.
        assert undo(*made).count(" 0 refused") == len(made)
        assert not {*before} - {*Old.objects.values_list("pk", flat=True)}


@pytest.mark.parametrize("seed", FEW)
def test_a_run_over_random_rows_is_undone(seed: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """All tables are restored, after one run or several."""
    _undone(seed, monkeypatch)


@pytest.mark.parametrize("seed", FEW)
def test_an_undo_gives_nothing_to_a_stranger(seed: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """The stranger's rows have taken the keys, and have the same URLs."""
    _not_mixed(seed, monkeypatch)


@pytest.mark.nightly
@pytest.mark.parametrize("seed", MANY)
def test_a_run_over_more_random_rows_is_undone(seed: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """The same for 2,500 tables."""
    _undone(seed, monkeypatch)


@pytest.mark.nightly
@pytest.mark.parametrize("seed", MANY)
def test_an_undo_never_gives_anything_away(seed: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """The same for 2,500 tables."""
    _not_mixed(seed, monkeypatch)


def test_the_runs_have_numbers() -> None:
    """So the tests above undo the right runs."""
    Old.objects.create(url="https://h:443/")
    run("Old.url")
    assert newest() in numbers()
