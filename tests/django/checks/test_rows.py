"""Tests of `checks.rows`, which find columns that were never made canonical."""

from __future__ import annotations

from typing import Any

import pytest
from django.core.checks import CheckMessage, run_checks
from django.db import connection
from django.test.utils import CaptureQueriesContext, isolate_apps

from django_whatwg_url.checks import rows
from django_whatwg_url.fields import CanonicalURLField
from tests.django.hrefs import insert
from tests.django.partsapp.models import Plain
from tests.django.servers import model_with
from tests.django.stored import column_field, store_text
from tests.django.testapp.models import Page
from tests.django.textapp.models import Note

pytestmark = pytest.mark.django_db

ID = "django_whatwg_url.W021"


def found() -> list[CheckMessage]:
    """Return the messages of ``manage.py check --database default`` about rows."""
    return [message for message in run_checks(databases=["default"]) if message.id == ID]


def test_a_row_in_another_spelling_is_warned_about() -> None:
    """A query for its URL does not find it, and the attribute hides its spelling."""
    Plain.objects.create(url="https://a.example/")
    row = Plain.objects.create(url="https://b.example/")
    assert found() == []
    store_text(row, "HTTPS://B.example:443")
    row.refresh_from_db()
    assert str(row.url) == "https://b.example/"
    assert not Plain.objects.filter(url=row.url).exists()
    (message,) = found()
    assert message.msg.startswith(
        f"1 of the 2 rows of partsapp.Plain.url that were checked are not canonical (pk={row.pk}). "
    )
    assert message.hint == (
        "To see what would change, run: manage.py canonicalize_urls partsapp.Plain.url --dry-run"
    )
    assert message.obj == column_field(Plain)


@pytest.mark.parametrize("model", [Page, Note])
def test_rows_that_are_not_urls_are_told_apart_from_rows_in_another_spelling(model: Any) -> None:
    """A run cannot change them, so the hint is a lookup that finds them."""
    good = model.objects.create(url="https://a.example/")
    row, other = (model.objects.create(url=f"https://{name}.example/") for name in "bc")
    store_text(row, "not a url")
    (message,) = found()
    label = f"{model._meta.label}.url"
    assert message.msg.startswith(
        f"1 of the 3 rows of {label} that were checked hold text that is not a URL, or a URL that "
        f"is too long (pk={row.pk}). They can be saved"
    )
    assert message.hint is not None
    assert message.hint.endswith(f"{model.__name__}.objects.filter(url__looks_canonical=False)")
    assert "--dry-run" not in message.hint
    assert list(model.objects.filter(url__looks_canonical=False)) == [row]
    assert set(model.objects.filter(url__looks_canonical=True)) == {good, other}
    store_text(other, "HTTPS://C.example")
    (message,) = found()
    assert message.hint is not None
    assert "--dry-run" in message.hint


def test_an_empty_string_is_warned_about_only_where_the_field_does_not_store_it() -> None:
    """With as_text and without NULL, it means that there is no URL."""
    Note.objects.create(url="")
    assert found() == []
    store_text(Page.objects.create(), "")
    (message,) = found()
    assert "testapp.Page.url" in message.msg


def test_no_database_is_queried_unless_it_is_named() -> None:
    """``manage.py check`` does not name one by default."""
    store_text(Plain.objects.create(url="https://b.example/"), "B")
    with CaptureQueriesContext(connection) as queries:
        assert run_checks() == [message for message in run_checks() if message.id != ID]
    assert not [query for query in queries if "partsapp_plain" in query["sql"]]


def test_two_statements_of_a_bounded_number_of_rows_are_run(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Only the ends of the table are read, however large it is."""
    monkeypatch.setattr(rows, "_ROWS", 3)
    insert(Plain, [f"https://a.example/{number}" for number in range(10)])
    first, *middle, last = Plain.objects.order_by("pk")
    store_text(middle[4], "middle")
    field = column_field(Plain)
    with CaptureQueriesContext(connection) as queries:
        assert [*rows._check_column(field, "default")] == []
    selects = [query["sql"] for query in queries if "partsapp_plain" in query["sql"]]
    assert len(selects) == 2
    assert all("LIMIT 3" in sql and "ORDER BY" in sql and "WHERE" not in sql for sql in selects)
    for row in (first, last):
        store_text(row, "end")
    (message,) = [*rows._check_column(field, "default")]
    assert message.msg.startswith("2 of the 6 rows")


def test_null_is_no_wrong_spelling() -> None:
    """NULL means that there is no URL."""
    Page.objects.create(url=None)
    assert found() == []


def test_a_key_that_is_a_url_is_not_shown() -> None:
    """It may contain a password."""
    assert rows._example("https://u:secret@h/") == ""
    assert rows._example(5) == " (pk=5)"


def test_tables_that_are_not_there_or_not_managed_are_left_out() -> None:
    """Checks run before the first migration, and a view has no index on its key."""
    coming = model_with("Coming", url=CanonicalURLField())
    unmanaged = model_with(
        "View", url=CanonicalURLField(), meta={"db_table": "partsapp_plain", "managed": False}
    )
    store_text(Plain.objects.create(url="https://b.example/"), "B")
    with isolate_apps("tests.django.testapp") as registry:
        for model in (coming, unmanaged):
            registry.register_model("testapp", model)  # type: ignore[union-attr]
        config = registry.get_app_config("testapp")  # type: ignore[union-attr]
        assert rows.check_stored_urls([config], ["default"]) == []
    assert Plain.objects.count() == 1
