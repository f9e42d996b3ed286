"""Each cell of the table is what its data promises."""

from __future__ import annotations

import os
from collections.abc import Iterator
from importlib import import_module
from typing import Any

import pytest
from django.db import connection

from tests.django.crossings import page
from tests.django.crossings.rows import NAMES_OF_ROWS, Row, in_part, is_possible, made, on_servers
from tests.django.crossings.steps import PLACES, outcomes
from tests.django.crossings.table import ALL_KINDS, But, cells, problems, promises

for _module in ("saving", "queries", "forms", "admin", "serializing", "packages"):
    import_module(f"tests.django.crossings.places.{_module}")

ON_SERVER = connection.vendor != "sqlite"
WHOLE = bool(os.environ.get("WEBURL_THOROUGH")) and not ON_SERVER
ROWS = [
    name
    for name in filter(is_possible, NAMES_OF_ROWS)
    if WHOLE or (on_servers if ON_SERVER else in_part)(name)
]
WITH_PACKAGES = os.environ.get("WEBURL_TEST_WITH") == "integrations"
HERE = [found for found in PLACES.values() if WITH_PACKAGES or not found.needs]


@pytest.fixture(scope="module")
def rows(django_db_setup: None, django_db_blocker: Any) -> Iterator[dict[str, Row]]:
    """Make all tables once."""
    with django_db_blocker.unblock(), made(ROWS) as rows:
        yield rows


@pytest.fixture(scope="module")
def used() -> set[But]:
    """Collect what the cells needed."""
    return set()


@pytest.fixture(scope="module")
def theirs() -> dict[tuple[str, str], dict[str, str]]:
    """Keep the outcomes of Django's fields, which several of our fields are compared with."""
    return {}


@pytest.mark.django_db
@pytest.mark.filterwarnings("ignore:The default scheme will be changed")  # of Django's URLField
@pytest.mark.parametrize("name", ROWS)
def test_a_row_does_in_each_place_what_is_promised(
    name: str,
    rows: dict[str, Row],
    theirs: dict[tuple[str, str], dict[str, str]],
    used: set[But],
) -> None:
    """One transaction has all places of a row, each in a savepoint."""
    wrong = []
    for found in HERE:
        row = rows[name]
        key = (found.name, row.reference.model.__name__)
        if key not in theirs:
            theirs[key] = outcomes(found, row.reference)
        ours = outcomes(found, row.ours)
        wrong += [
            f"{found.name} | {problem}"
            for problem in problems(
                cells()[found.name], name, connection.vendor, ours, theirs[key], used
            )
        ]
    assert not wrong, f"{name}, {len(wrong)} steps:\n" + "\n".join(wrong)


def test_each_place_and_kind_has_a_cell() -> None:
    """A place that the data does not have, or a kind that it forgets, has no promise."""
    assert PLACES.keys() == cells().keys()
    for place in cells().values():
        assert place.same | place.without == ALL_KINDS, place.place
        assert not place.same & place.without, place.place


def test_each_promise_is_made_somewhere() -> None:
    """A sentence that no cell refers to is a mistake, and so is a pattern without a row."""
    said = [but for place in cells().values() for but in place.but]
    assert {but.promise for but in said} == promises().keys()
    for but in said:
        for pattern in but.rows:
            named = But((pattern.removeprefix("!"),), {}, but.promise)
            assert any(map(named.covers, NAMES_OF_ROWS)), pattern


def test_each_difference_is_needed(used: set[But]) -> None:
    """Where all rows and places have run, each difference has been found."""
    if not (WHOLE or ON_SERVER):
        pytest.skip("only `make test-crossings` runs all rows")
    here = {found.name for found in HERE}
    for place in cells().values():
        for but in place.but:
            # A server has only some of the rows, but all that are about this database.
            if place.place in here and (connection.vendor in but.on or (WHOLE and not but.on)):
                assert but in used, (place.place, but)


def test_the_page_has_what_the_data_says() -> None:
    """WEBURL_WRITE_TABLES=1 writes it."""
    if os.environ.get("WEBURL_WRITE_TABLES"):
        page.PAGE.write_text(page.written(), encoding="utf-8")
    assert page.PAGE.read_text(encoding="utf-8") == page.written(), (
        "WEBURL_WRITE_TABLES=1 writes it"
    )
