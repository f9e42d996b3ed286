"""The tables of the journal of `canonicalize_urls` where a test cannot create them."""

from __future__ import annotations

import pytest
from django.db import connection
from pytest_django import DjangoDbBlocker

from django_whatwg_url.canonicalizing import journal


@pytest.fixture(scope="session", autouse=True)
def _journal(request: pytest.FixtureRequest, django_db_blocker: DjangoDbBlocker) -> None:
    """Create them on MariaDB, which commits the rows of a test that creates a table."""
    if connection.vendor == "mysql":
        request.getfixturevalue("django_db_setup")
        with django_db_blocker.unblock():
            journal.create("default")
