"""The two owners of docs/migrating.md: migrations that merge rows."""

from __future__ import annotations

from typing import Any

import pytest
from django.apps import apps
from django.core.checks import CheckMessage
from django.core.management import call_command
from django.db import DataError, IntegrityError, models

from django_whatwg_url.checks import rows
from django_whatwg_url.fields import CanonicalURLField
from django_whatwg_url.operations import CanonicalizeURLs, UnsolvedRowsError
from tests.django.migrating.histories import LABEL, History
from tests.django.rows.running import newest
from tests.django.rows.running import undo as undo_runs
from tests.django.stored import stored_texts

pytestmark = pytest.mark.django_db(transaction=True)

ROWS = [
    (1, "https://shared.example/page"),
    (2, "https://SHARED.example/page"),
    (2, "https://shared.example:443/page"),
]
HREF = "https://shared.example/page"
OLD: dict[str, Any] = {
    "owner": models.IntegerField(),
    "url": models.URLField(max_length=200),
}
NEW: dict[str, Any] = {"owner": models.IntegerField(), "url": CanonicalURLField(max_length=200)}
CONSTRAINT = models.UniqueConstraint(fields=["owner", "url"], name="one_for_an_owner")
KEEP = CanonicalizeURLs("page", "url", on_duplicate="keep-oldest", unique_with=["owner"])
REPORT = CanonicalizeURLs("page", "url", unique_with=["owner"])


@pytest.fixture
def pages(history: History) -> History:
    """Return a history with the rows of two owners, before any step."""
    history.make(OLD)
    history.migrate()
    for owner, url in ROWS:
        history.model()._default_manager.create(owner=owner, url=url)
    return history


def owners(history: History) -> list[tuple[int, str]]:
    """Return the rows that are left."""
    model = history.model(1)
    numbers = model._default_manager.order_by("pk").values_list("owner", flat=True)
    return list(zip(numbers, stored_texts(model), strict=True))


def migrate() -> None:
    """Run ``manage.py migrate``."""
    call_command("migrate", LABEL, verbosity=0, skip_checks=True, interactive=False)


def test_without_anything_that_says_so_it_is_refused(pages: History) -> None:
    """Both ways to say it are named, and nothing is changed."""
    merging = CanonicalizeURLs("page", "url", on_duplicate="keep-oldest")
    pages.make(NEW, first=[merging], atomic=False, constraints=[CONSTRAINT])
    with pytest.raises(ValueError, match=r"unique constraint.*unique_with=\[\"owner\"\]"):
        migrate()
    assert owners(pages) == ROWS


def test_the_fields_can_be_named(pages: History) -> None:
    """For three deploys, where the constraint comes later."""
    operation = CanonicalizeURLs("page", "url", on_duplicate="keep-newest", unique_with=["owner"])
    pages.write([operation], atomic=False)
    migrate()
    assert owners(pages) == [(1, HREF), (2, HREF)]


def test_a_run_without_a_policy_names_the_rows_that_the_constraint_would_refuse(
    pages: History,
) -> None:
    """The error is raised before a row is changed, instead of an IntegrityError later."""
    pages.make(NEW, first=[REPORT], constraints=[CONSTRAINT])
    with pytest.raises(UnsolvedRowsError, match="owner 2, url as in") as raised:
        migrate()
    assert not isinstance(raised.value, IntegrityError)


def undo(history: History, *numbers: int) -> None:
    """Undo runs with the models as they are in the first migration."""
    apps.register_model(LABEL, history.model(1))
    try:
        assert " 0 changed since, 0 refused" in undo_runs(*numbers)
    finally:
        del apps.all_models[LABEL]["page"]
        apps.clear_cache()


def test_all_at_once_can_be_undone(pages: History) -> None:
    """Migrate back, then undo the run."""
    pages.make(NEW, first=[KEEP], atomic=False, constraints=[CONSTRAINT])
    migrate()
    pages.migrate(1)
    undo(pages)
    assert owners(pages) == ROWS


def test_a_column_that_cannot_be_null_comes_back_after_the_undo(pages: History) -> None:
    """Null is allowed in a migration of its own, so the undo can run before it is forbidden."""
    row = (3, "no url")
    pages.model()._default_manager.create(owner=row[0], url=row[1])
    pages.make({**OLD, "url": models.URLField(max_length=200, null=True)})
    keep = CanonicalizeURLs(
        "page", "url", on_duplicate="keep-oldest", on_invalid="null", unique_with=["owner"]
    )
    canonical = {**NEW, "url": CanonicalURLField(max_length=200, null=True)}
    pages.make(canonical, first=[keep], atomic=False, constraints=[CONSTRAINT])
    migrate()
    assert owners(pages) == [(1, HREF), (2, HREF), (3, None)]
    pages.migrate(2)
    with pytest.raises((IntegrityError, DataError)):  # DataError on MariaDB
        pages.migrate(1)
    undo(pages)
    pages.migrate(1)
    assert owners(pages) == [*ROWS, row]


def test_three_deploys_and_back(history: History) -> None:
    """There are owners and bad rows, and each step is undone."""
    null: Any = {"null": True, "blank": True}
    nullable = {**OLD, "url": models.URLField(max_length=200, **null)}
    canonical = {**NEW, "url": CanonicalURLField(max_length=200, **null)}
    options: dict[str, Any] = {"on_duplicate": "keep-oldest", "on_invalid": "null"}
    run = CanonicalizeURLs("page", "url", unique_with=["owner"], **options)
    history.make(nullable)
    history.make(canonical, first=[run], atomic=False)
    history.make(canonical, first=[run], atomic=False, constraints=[CONSTRAINT])
    history.migrate(1)
    rows = [*ROWS, (1, "no url"), (3, "HTTPS://Ä.example/ü")]
    for owner, url in rows:
        history.model(1)._default_manager.create(owner=owner, url=url)
    history.migrate(2)
    after_two = [(1, HREF), (2, HREF), (1, None), (3, "https://xn--4ca.example/%C3%BC")]
    assert owners(history) == after_two
    first = newest()
    # What a process of the old code has stored meanwhile.
    history.model(1)._default_manager.create(owner=2, url=ROWS[1][1])
    history.migrate(3)
    assert owners(history) == after_two
    last = newest()
    assert last > first
    history.migrate(2)
    history.migrate(1)
    undo(history, last)
    assert owners(history) == [*after_two, (2, ROWS[1][1])]
    undo(history, first)
    assert owners(history) == [*rows, (2, ROWS[1][1])]


def test_the_check_of_rows_is_silent_before_the_migration_that_cures_it(
    pages: History, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It is silent only for that column."""
    pages.make(NEW, first=[KEEP], atomic=False, constraints=[CONSTRAINT])
    field = pages.model()._meta.get_field("url")
    warning = CheckMessage(30, "rows", obj=field, id="django_whatwg_url.W021")
    monkeypatch.setattr(rows, "_fields_of", lambda *_arguments: [field])
    monkeypatch.setattr(rows, "_check_column", lambda *_arguments: [warning])
    assert rows.check_stored_urls([], ["default"]) == []
    pages.write([])
    migrate()
    assert rows.check_stored_urls([], ["default"]) == [warning]
