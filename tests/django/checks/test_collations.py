"""Tests of `check_collation`, which compares strings in the database."""

from __future__ import annotations

from typing import Any

import pytest
from django.db import connection

from django_whatwg_url.fields import CanonicalURLField
from tests.django.servers import model_with

pytestmark = pytest.mark.django_db

BLIND = {
    "sqlite": ["nocase", "NOCASE"],
    "postgresql": ["ignores_case"],
    "mysql": ["utf8mb4_general_ci", "utf8mb4_unicode_ci", "latin1_swedish_ci", "ascii_general_ci"],
}[connection.vendor]
EXACT = {
    "sqlite": ["binary", "rtrim"],
    "postgresql": ["POSIX", "C", "en-x-icu"],
    "mysql": ["utf8mb4_bin", "latin1_general_cs", "ascii_bin"],
}[connection.vendor]


def ids(collation: str, databases: Any = ("default",)) -> list[str | None]:
    """Return the ids of the messages about a field with this collation."""
    model = model_with(url=CanonicalURLField(db_collation=collation))
    return [message.id for message in model.check(databases=databases)]


@pytest.mark.parametrize("collation", BLIND)
def test_a_collation_that_ignores_letter_case_is_warned_about(collation: str) -> None:
    """Its name does not matter, because anyone can make a collation on PostgreSQL."""
    if connection.vendor == "postgresql":
        with connection.cursor() as cursor:
            cursor.execute(
                "CREATE COLLATION ignores_case "
                "(provider = icu, locale = 'und-u-ks-level2', deterministic = false)"
            )
    assert ids(collation) == ["django_whatwg_url.W005"]
    assert ids(collation, databases=None) == []


@pytest.mark.parametrize("collation", EXACT)
def test_other_collations_are_not(collation: str) -> None:
    """Accents and the order of words do not matter for URLs."""
    assert ids(collation) == []


def test_a_collation_that_is_not_there_is_left_to_the_database() -> None:
    """A migration may create it first, and the transaction is not aborted."""
    assert ids('no"such') == []
    with connection.cursor() as cursor:
        cursor.execute("SELECT 1")
