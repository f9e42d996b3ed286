"""Software that only ``migrate`` upgrades: columns beside a URL, and squashed migrations."""

from __future__ import annotations

from typing import Any

import pytest
from django.core.management import call_command
from django.db import connection, models
from django.db.migrations.writer import OperationWriter

from django_whatwg_url.fields import (
    CanonicalURLField,
    QueryParamField,
    RegistrableDomainField,
    URLKeyField,
)
from django_whatwg_url.operations import (
    CanonicalizeURLs,
    UnsolvedRowsError,
    UpdateQueryParams,
    UpdateRegistrableDomains,
    UpdateURLKeys,
)
from tests.django.migrating.histories import LABEL, History
from tests.django.rows.running import newest
from tests.django.stored import stored_texts

pytestmark = pytest.mark.django_db(transaction=True)

URL: dict[str, Any] = {"url": models.URLField(max_length=200)}
BESIDE: dict[str, Any] = {
    "url_key": URLKeyField("url"),
    "site": RegistrableDomainField("url"),
    "item": QueryParamField("url", "id", max_length=20),
}
UPDATES = (
    UpdateURLKeys("page", "url_key", batch_size=2),
    UpdateRegistrableDomains("Page", "site"),
    UpdateQueryParams("page", "item", elidable=True),
)
TEXTS = ("http://www.example.com/?id=1", "https://example.org/?id=2", "no url")


@pytest.fixture
def pages(history: History) -> History:
    """Return a history with rows that have a URL, and nothing beside it."""
    history.make(URL)
    history.migrate()
    for text in TEXTS:
        history.model()._default_manager.create(url=text)
    return history


@pytest.mark.parametrize("atomic", [True, False])
def test_columns_beside_a_url_are_filled_by_migrate(pages: History, atomic: bool) -> None:
    """All three kinds, in rows that were there before; backwards, nothing is to be done."""
    pages.make({**URL, **BESIDE})
    pages.write(UPDATES, atomic=atomic)
    pages.migrate()
    model = pages.model()
    assert stored_texts(model, "url_key") == [
        "https://example.com/?id=1",
        "https://example.org/?id=2",
        None,
    ]
    assert stored_texts(model, "site") == ["example.com", "example.org", None]
    assert stored_texts(model, "item") == ["1", "2", None]
    pages.migrate(2)
    assert stored_texts(model, "item") == ["1", "2", None]


def test_values_that_a_constraint_does_not_allow_end_the_migration(pages: History) -> None:
    """It names the rows, not their URLs."""
    pages.model()._default_manager.create(url="https://example.com/?id=1")
    pages.make({**URL, "url_key": URLKeyField("url", unique=True)})
    pages.write([UpdateURLKeys("page", "url_key")])
    with pytest.raises(UnsolvedRowsError, match="does not allow the new value of 1 rows") as raised:
        pages.migrate()
    assert "example.com" not in str(raised.value)
    pages.model(1)._default_manager.filter(url="https://example.com/?id=1").delete()
    pages.migrate()


def test_a_column_of_another_kind_is_an_error(pages: History) -> None:
    """The error is raised when the operation runs."""
    pages.make({**URL, **BESIDE})
    pages.write([UpdateURLKeys("page", "site")])
    with pytest.raises(ValueError, match=r"Page\.site is not a URLKeyField"):
        pages.migrate()


@pytest.mark.parametrize("operation", UPDATES)
def test_operations_are_written_as_they_were_made(operation: Any) -> None:
    """Options that differ from the defaults are written."""
    name, args, kwargs = operation.deconstruct()
    again = type(operation)(*args, **kwargs)
    assert again.deconstruct() == (name, args, kwargs)
    text, imports = OperationWriter(operation, indentation=0).serialize()
    assert "import django_whatwg_url.operations" in imports
    assert text.startswith(f"django_whatwg_url.operations.{name}(")
    assert again.elidable == operation.elidable
    assert "update_page_" in operation.migration_name_fragment
    assert operation.describe().startswith("Update ")


@pytest.mark.parametrize(
    ("args", "columns", "described"),
    [
        (("Page", "url"), [("page", "url")], "page.url"),
        (("page", ["url", "link"]), [("page", "url"), ("page", "link")], "page.url, page.link"),
        (
            (["Page.url", "other.link"],),
            [("page", "url"), ("other", "link")],
            "page.url, other.link",
        ),
    ],
)
def test_one_operation_is_about_several_columns(args: Any, columns: Any, described: str) -> None:
    """They belong to one model or to several."""
    operation = CanonicalizeURLs(*args)
    assert operation.columns == columns
    assert operation.describe() == f"Canonicalize the URLs in {described}"
    assert CanonicalizeURLs(*operation.deconstruct()[1]).columns == columns


@pytest.mark.parametrize(
    "args", [("page",), (["page"],), ([],), (["page.url"], "url"), ("page", [])]
)
def test_what_is_no_column_is_refused(args: Any) -> None:
    """The error is raised when the migration is loaded."""
    with pytest.raises(ValueError, match="are no columns"):
        CanonicalizeURLs(*args)


def test_several_columns_are_one_run_of_migrate(
    history: History, caplog: pytest.LogCaptureFixture
) -> None:
    """They have one line, one number and one undo."""
    two: dict[str, Any] = {**URL, "link": models.URLField(max_length=200)}
    history.make(two)
    history.migrate()
    history.model()._default_manager.create(url="HTTPS://a", link="HTTPS://b")
    history.write([CanonicalizeURLs("page", ["url", "link"])], atomic=False)
    call_command("migrate", LABEL, verbosity=0, skip_checks=True, interactive=False)
    (line,) = caplog.messages
    assert "historyapp.Page.url, historyapp.Page.link: 2 rows read, 2 changed" in line
    assert f"This is run {newest()}." in line
    model = history.model()
    assert stored_texts(model) + stored_texts(model, "link") == ["https://a/", "https://b/"]


@pytest.mark.parametrize("elidable", [True, False])
def test_squashmigrations_keeps_what_may_not_be_left_out(history: History, elidable: bool) -> None:
    """The squashed migration has the same effect on a table with rows."""
    history.make({"url": models.URLField(max_length=200, null=True)})
    history.migrate()
    for text in TEXTS:
        history.model()._default_manager.create(url=text)
    history.write([CanonicalizeURLs("page", "url", on_invalid="null", elidable=elidable)])
    history.make({"url": CanonicalURLField(max_length=200, null=True)})
    call_command("squashmigrations", LABEL, "0002", "0003", interactive=False, verbosity=0)
    (squashed,) = history.directory.glob("0002_squashed*.py")
    assert ("CanonicalizeURLs(" in squashed.read_text()) is not elidable
    call_command("migrate", LABEL, verbosity=0, skip_checks=True, interactive=False)
    with connection.cursor() as cursor:
        cursor.execute("SELECT url FROM historyapp_page ORDER BY id")
        left = [url for (url,) in cursor.fetchall()]
    assert left == [*TEXTS[:2], "no url" if elidable else None]
