"""Tests of `checks.rows`: a column that was never made canonical is noticed."""

from __future__ import annotations

from typing import Any

import pytest
from django.core.checks import CheckMessage, run_checks
from django.db import connection, models
from django.test.utils import CaptureQueriesContext, isolate_apps

from django_whatwg_url.checks import rows
from django_whatwg_url.checks.rows import check_rows
from django_whatwg_url.fields import CanonicalURLField
from tests.django.hrefs import insert
from tests.django.partsapp.models import Plain
from tests.django.stored import column_field, store_text
from tests.django.testapp.models import Bookmark, Page
from tests.django.textapp.models import Note
from weburl import URLPolicy

pytestmark = pytest.mark.django_db

ID = "django_whatwg_url.W021"


def found() -> list[CheckMessage]:
    """Return what ``manage.py check --database default`` says of the rows."""
    return [message for message in run_checks(databases=["default"]) if message.id == ID]


def test_a_row_in_another_spelling_is_warned_about() -> None:
    """Before it gets a twin: it is not found by its URL, and the attribute hides that."""
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
    """A run cannot change them, so it is not advised; the lookup in the hint finds them."""
    good = model.objects.create(url="https://a.example/")
    row, other = (model.objects.create(url=f"https://{name}.example/") for name in "bc")
    store_text(row, "not a url")
    (message,) = found()
    label = f"{model._meta.label}.url"
    assert message.msg.startswith(
        f"1 of the 3 rows of {label} that were checked hold text that is not a URL, or too long a "
        f"URL (pk={row.pk}). They can be saved"
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


def test_no_database_is_asked_unless_it_is_named() -> None:
    """As ``manage.py check`` does by itself."""
    store_text(Plain.objects.create(url="https://b.example/"), "B")
    with CaptureQueriesContext(connection) as queries:
        assert run_checks() == [message for message in run_checks() if message.id != ID]
    assert not [query for query in queries if "partsapp_plain" in query["sql"]]


def test_two_statements_of_a_bounded_number_of_rows_are_run(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """However large the table is: the ends of it are looked at."""
    monkeypatch.setattr(rows, "_ROWS", 3)
    insert(Plain, [f"https://a.example/{number}" for number in range(10)])
    first, *middle, last = Plain.objects.order_by("pk")
    store_text(middle[4], "middle")
    field = column_field(Plain)
    with CaptureQueriesContext(connection) as queries:
        assert check_rows([field], ["default"]) == []
    selects = [query["sql"] for query in queries if "partsapp_plain" in query["sql"]]
    assert len(selects) == 2
    assert all("LIMIT 3" in sql and "ORDER BY" in sql and "WHERE" not in sql for sql in selects)
    for row in (first, last):
        store_text(row, "end")
    (message,) = check_rows([field], ["default"])
    assert message.msg.startswith("2 of the 6 rows")


def test_null_is_no_wrong_spelling() -> None:
    """Nothing is there to be found."""
    Page.objects.create(url=None)
    assert found() == []


def test_a_key_that_is_a_url_is_not_shown() -> None:
    """It may hold a password."""
    assert rows._example("https://u:secret@h/") == ""
    assert rows._example(5) == " (pk=5)"


def test_tables_that_are_not_there_or_not_managed_are_left_out() -> None:
    """Checks run before the first migration; and a view has no index on its key."""
    with isolate_apps("tests.django.testapp"):

        class Coming(models.Model):
            url = CanonicalURLField()

            class Meta:
                app_label = "testapp"

        class View(models.Model):
            url = CanonicalURLField()

            class Meta:
                app_label = "testapp"
                db_table = "partsapp_plain"
                managed = False

    store_text(Plain.objects.create(url="https://b.example/"), "B")
    fields: list[Any] = [column_field(Coming), column_field(View)]
    assert check_rows(fields, ["default"]) == []
    assert Plain.objects.count() == 1


REFUSED = "django_whatwg_url.W024"


def test_rows_that_the_field_would_refuse_today_are_counted_by_reason() -> None:
    """A scheme that is not allowed, or what a policy refuses; and no password is shown."""
    for text in ("https://a.example/", "javascript:alert(1)", "ftp://u:secret@h/", None):
        row = Bookmark.objects.create(url="https://b.example/" if text is None else text)
        store_text(row, text or "HTTPS://B.example")
    messages = [each for each in run_checks(databases=["default"]) if each.id in (ID, REFUSED)]
    assert [message.id for message in messages] == [ID, REFUSED]
    message = messages[1]
    first = Bookmark.objects.order_by("pk")[1]
    assert message.msg == (
        "2 of the 4 rows of testapp.Bookmark.url that were checked have URLs that the field would "
        f"refuse today: 2 scheme-not-allowed (pk={first.pk}). They can be saved as they are."
    )
    assert message.hint == (
        "To count them all, with examples, run: "
        "manage.py canonicalize_urls testapp.Bookmark.url --dry-run"
    )
    Bookmark.objects.filter(pk__gt=first.pk - 1).delete()
    assert not [each for each in run_checks(databases=["default"]) if each.id in (ID, REFUSED)]


@isolate_apps("tests.django.partsapp")
@pytest.mark.parametrize(
    ("policy", "count"),
    [
        (URLPolicy(refused_hosts=[".evil.example"]), 1),
        ("tests.django.test_policy_references.fixed", 1),
        ("tests.django.test_policy_references.missing", 0),
    ],
)
def test_the_policy_of_the_moment_counts(policy: Any, count: int) -> None:
    """A reference that leads nowhere is for another check."""
    for host in ("www.evil.example", "fixed.example", "a.example"):
        Plain.objects.create(url=f"https://{host}/")

    class Judged(models.Model):
        url = CanonicalURLField(policy=policy)

        class Meta:
            app_label = "partsapp"
            db_table = Plain._meta.db_table

    field = column_field(Judged)
    if isinstance(policy, str) and count:
        Plain.objects.filter(url__host="www.evil.example").delete()
    messages = check_rows([field], ["default"])
    assert [message.id for message in messages] == [REFUSED] * count
    assert all("1 host-refused" in message.msg for message in messages)


UNCHECKED = "django_whatwg_url.W026"


def _no_table() -> URLPolicy:
    """Read a table that no migration has created."""
    with connection.cursor() as cursor:
        cursor.execute("SELECT host FROM testapp_blocked")
    raise AssertionError


def _no_host_list() -> URLPolicy:
    raise LookupError("https://user:secret@lists.example/ is gone\nsecond line")


def _no_policy() -> Any:
    return None


@isolate_apps("tests.django.partsapp")
@pytest.mark.parametrize(
    ("policy", "message", "hint"),
    [
        (_no_table, "The policy '_no_table' raised ", "If the policy reads a table that `migrate`"),
        (f"{__name__}._no_table", f"The policy '{__name__}._no_table' raised ", "If the policy"),
        (_no_host_list, "The policy '_no_host_list' raised LookupError: https://", "A form with"),
        (_no_policy, "The policy '_no_policy' is a NoneType, not a weburl.URLPolicy.", "A form"),
    ],
)
def test_a_policy_that_fails_is_a_warning(policy: Any, message: str, hint: str) -> None:
    """A policy may read a table that the same ``migrate`` creates: an error would stop it."""
    Plain.objects.create(url="https://a.example/")
    store_text(Plain.objects.create(url="https://b.example/"), "B")

    class Judged(models.Model):
        url = CanonicalURLField(policy=policy)

        class Meta:
            app_label = "partsapp"
            db_table = Plain._meta.db_table

    wrong, failed = check_rows([column_field(Judged)], ["default"])
    assert (wrong.id, failed.id) == (ID, UNCHECKED)
    assert not failed.is_serious()
    assert failed.msg.startswith(
        f"The rows of partsapp.Judged.url were not checked against its policy. {message}"
    )
    assert failed.hint is not None
    assert failed.hint.startswith(hint)
    assert "secret" not in failed.msg
    assert "\n" not in failed.msg
    assert Plain.objects.count() == 2  # The transaction can be used.
