"""Tests of rows that cannot be deleted or changed, because something refers to them."""

from __future__ import annotations

import json
from collections.abc import Iterator
from io import StringIO
from typing import Any

import pytest
from django.core.management import call_command
from django.db import connection

from tests.django.rows.running import undo
from tests.django.stored import stored_texts
from tests.django.wayinapp.models import ByURL, Loose, Old, PointsAtURL

# SQLite checks these foreign keys when the transaction ends, and PostgreSQL does so by default.
pytestmark = pytest.mark.django_db(transaction=True)

BAD = "https://exa mple.com/"
TEXTS = [BAD, "HTTPS://example.com/", "no URL", "https://example.org/"]


@pytest.fixture(params=[(Old, BAD), (ByURL, BAD), (ByURL, "HTTPS://example.com/")])
def referred(request: pytest.FixtureRequest) -> Iterator[Any]:
    """Return a row to which a table without a model refers."""
    model, text = request.param
    (row,) = (row for row in [model.objects.create(url=url) for url in TEXTS] if row.url == text)
    key = row._meta.pk
    deferred = "" if connection.vendor == "mysql" else " DEFERRABLE INITIALLY DEFERRED"
    with connection.cursor() as cursor:
        cursor.execute(
            f"CREATE TABLE stranger (ref {key.rel_db_type(connection)}, "
            f"FOREIGN KEY (ref) REFERENCES {row._meta.db_table} ({key.column}){deferred})"
        )
        cursor.execute("INSERT INTO stranger VALUES (%s)", [row.pk])
    yield row
    with connection.cursor() as cursor:
        cursor.execute("DROP TABLE stranger")


def run(*columns: str, **options: Any) -> dict[str, dict[str, Any]]:
    """Run the command on columns of the tests' app, and return the report's lines by the text."""
    out = StringIO()
    labels = [f"wayinapp.{column}" for column in columns]
    call_command("canonicalize_urls", *labels, report="-", stdout=out, stderr=StringIO(), **options)
    return {line["text"]: line for line in map(json.loads, out.getvalue().splitlines())}


@pytest.mark.parametrize("size", [1, 2, 1000])
def test_a_row_that_an_unknown_table_refers_to_stays(referred: Any, size: int) -> None:
    """It is reported. The other rows and the next column are handled."""
    Loose.objects.create(url="HTTPS://H/")
    model = type(referred)
    before = stored_texts(model)
    lines = run(f"{model.__name__}.url", "Loose.url", on_invalid="delete", batch_size=size)
    line = lines.pop(referred.url)
    if referred.url == BAD:
        assert line["done"] == "reported"
        assert line["reason"].endswith("It cannot be deleted (IntegrityError).")
    else:
        assert (line["outcome"], line["canonical"]) == (
            "refused",
            referred.url.replace("HTTPS", "https"),
        )
    found = {text: line.get("done", line["outcome"]) for text, line in lines.items()}
    expected = {BAD: "deleted", "no URL": "deleted", TEXTS[1]: "changed", "HTTPS://H/": "changed"}
    assert found == {text: done for text, done in expected.items() if text != referred.url}
    assert referred.url in stored_texts(model)
    assert len(stored_texts(model)) == (3 if referred.url == BAD else 2)
    assert stored_texts(Loose) == ["https://h/"]
    undo()
    assert (stored_texts(model), stored_texts(Loose)) == (before, ["HTTPS://H/"])


def test_a_row_that_a_model_refers_to_by_its_url_stays() -> None:
    """Django would delete what refers to it too, but only the row can be recorded."""
    for url in TEXTS:
        ByURL.objects.create(url=url)
    PointsAtURL.objects.create(by_id=BAD)
    lines = run("ByURL.url", "Loose.url", on_invalid="delete")
    assert lines[BAD]["done"] == "reported"
    assert lines["no URL"]["done"] == "deleted"
    assert stored_texts(ByURL) == [BAD, "https://example.com/", "https://example.org/"]
