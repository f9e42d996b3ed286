"""Companion columns of this package are updated by a run of the command, and by its undo."""

from __future__ import annotations

from io import StringIO
from typing import Any

import pytest
from django.apps import apps
from django.core.management import call_command
from django.db import connection
from django.db.migrations.state import ProjectState

from django_whatwg_url.operations import CanonicalizeURLs
from tests.django.keysapp.models import Bookmark, Plain, Single
from tests.django.rows.running import undo
from tests.django.siteapp.models import Link
from tests.django.stored import store_text, stored_texts

# ASCII, because the column is ASCII on MariaDB.
LONG = f"https://example.com/{' ' * 1000}x"

pytestmark = pytest.mark.django_db


def run(column: str, **options: Any) -> tuple[str, str]:
    """Run the command, and return what it writes to standard output and to standard error."""
    out, err = StringIO(), StringIO()
    call_command("canonicalize_urls", column, stdout=out, stderr=err, **options)
    return out.getvalue(), err.getvalue()


def test_a_key_follows_a_url_that_is_cleared_and_its_undo() -> None:
    """The URL is too long in canonical form, but it has a key."""
    row = Single.objects.create(url="https://example.com/")
    store_text(row, LONG)
    call_command("update_url_keys", "keysapp.Single", verbosity=0)
    (before,) = stored_texts(Single, "url_key")
    assert before is not None
    run("keysapp.Single.url", on_too_long="null")
    assert (stored_texts(Single), stored_texts(Single, "url_key")) == ([None], [None])
    undo()
    assert (stored_texts(Single), stored_texts(Single, "url_key")) == ([LONG], [before])


def test_a_text_that_gets_a_scheme_gets_a_key() -> None:
    """Without one, it was not a URL."""
    Plain.objects.create(url="example.com/a/")
    assert stored_texts(Plain, "url_key") == [None]
    out, err = run("keysapp.Plain.url", assume_scheme="https")
    assert "1  changed" in out
    assert err == ""
    assert stored_texts(Plain, "url_key") == ["https://example.com/a"]


def test_a_key_that_another_row_has_is_said() -> None:
    """The row becomes canonical and keeps its old key, because a constraint forbids the new one."""
    Single.objects.create(url="https://example.com/")
    row = Single.objects.create(url=None)
    store_text(row, "http://www.example.com")
    _out, err = run("keysapp.Single.url")
    assert err == (
        "Warning: 1 row keeps its old value of url_key, because a constraint does not allow a "
        "second row with the new one.\n"
    )
    assert stored_texts(Single) == ["https://example.com/", "http://www.example.com/"]
    assert stored_texts(Single, "url_key") == ["https://example.com/", None]


def test_no_column_of_this_package_is_said_to_be_out_of_date() -> None:
    """They contain the URL in most rows, and are updated with it."""
    for number in range(3):
        Bookmark.objects.create(url=f"HTTPS://example.com/{number}")
    assert run("keysapp.Bookmark.url")[1] == ""


def test_a_registrable_domain_follows_too() -> None:
    """Another program wrote the text."""
    row = Link.objects.create(url="https://a.example/")
    store_text(row, "HTTPS://www.example.org")
    run("siteapp.Link.url")
    assert stored_texts(Link, "site") == ["example.org"]


@pytest.mark.django_db(transaction=True)
def test_a_migration_updates_them_too() -> None:
    """It uses historical models."""
    Plain.objects.create(url="example.com/a/")
    state = ProjectState.from_apps(apps)
    operation = CanonicalizeURLs("plain", "url", assume_scheme="https")
    with connection.schema_editor() as editor:
        operation.database_forwards("keysapp", editor, state, state)
    assert stored_texts(Plain, "url_key") == ["https://example.com/a"]
