"""Tests of switching between text and records: migrations without SQL, on a table with rows."""

from __future__ import annotations

from io import StringIO
from typing import Any

import pytest
from django.core.management import call_command
from django.db import connection, models
from django.test.utils import CaptureQueriesContext

from django_whatwg_url.fields import CanonicalURLField, RegistrableDomainField
from django_whatwg_url.generated import GeneratedURLPartField
from tests.django.migrating.histories import LABEL, History
from weburl import parse

pytestmark = pytest.mark.django_db(transaction=True)

HREF = "https://example.com/%C3%A9"
TABLE = f"{LABEL}_page"


def fields(**options: Any) -> dict[str, Any]:
    """Return a URL with these options, and columns that depend on it."""
    return {
        "url": CanonicalURLField(unique=True, **options),
        "host": GeneratedURLPartField("url", part="host", db_index=True),
        "site": RegistrableDomainField("url"),
    }


def test_switching_is_a_migration_without_sql(history: History) -> None:
    """In both directions, the rows do not change, only the attribute does."""
    history.make(fields(as_text=True))
    assert len(history.make(fields())) == 1
    assert "as_text=True" in (history.directory / "0001.py").read_text()
    history.migrate(1)
    text = history.model(1)._default_manager.create(url="HTTPS://EXAMPLE.com/é")
    assert (text.url, type(text.url)) == (HREF, str)
    out = StringIO()
    call_command("sqlmigrate", LABEL, "0002", stdout=out, no_color=True)
    statements = [line for line in out.getvalue().splitlines() if not line.startswith("--")]
    assert set(statements) <= {"BEGIN;", "COMMIT;", ""}
    for number in (2, 1, 2):
        with CaptureQueriesContext(connection) as queries:
            history.migrate(number)
        assert not [query for query in queries if TABLE in query["sql"]]
    row = history.model()._default_manager.get(url__host="EXAMPLE.com")
    assert row.url == parse(HREF)
    assert (row.host, row.site) == ("example.com", "example.com")


def test_a_url_field_becomes_text_with_the_column_of_a_record(history: History) -> None:
    """The statements are the same, and the way back works."""
    was: dict[str, Any] = {"url": models.URLField(max_length=2048, blank=True)}
    history.make(was)
    history.make({"url": CanonicalURLField(as_text=True, blank=True)})
    history.migrate(1)
    rows = history.model(1)._default_manager
    rows.create(url=HREF)
    rows.create(url="")
    history.migrate()
    found = list(history.model()._default_manager.order_by("pk").values_list("url", flat=True))
    assert found == [HREF, ""]
    assert history.model()._default_manager.filter(url__under="https://EXAMPLE.com/").count() == 1
    history.migrate(1)
    assert sorted(rows.values_list("url", flat=True)) == ["", HREF]


def test_a_text_field_with_an_empty_string_can_be_added_without_a_default(
    history: History,
) -> None:
    """As Django adds a CharField with blank=True: the rows that are there get ""."""
    history.make({})
    history.make({"url": CanonicalURLField(as_text=True, blank=True)})
    history.migrate(1)
    history.model(1)._default_manager.create()
    history.migrate()
    assert history.model()._default_manager.get().url == ""
