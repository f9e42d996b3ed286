"""Tests of `django_whatwg_url.constraints`: what the database refuses, and ``full_clean()`` too."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import pytest
from django.apps import apps
from django.core.exceptions import ValidationError
from django.db import IntegrityError, OperationalError, connection, models, transaction
from django.db.migrations.operations import AddConstraint
from django.db.migrations.state import ProjectState
from django.db.migrations.writer import MigrationWriter
from django.db.models import Q

from django_whatwg_url.constraints import IsCanonicalURL, URLAllowedBy
from django_whatwg_url.fields import CanonicalURLField
from django_whatwg_url.functions import LooksCanonical
from tests.django.hrefs import insert, misleading_hrefs, wpt_hrefs
from tests.django.partsapp.models import Canonical, Official, Plain
from tests.django.servers import model_with, only_postgresql
from weburl import URLPolicy

# MariaDB says 4025, which Django takes for operational, as any error it does not know.
REFUSED = (IntegrityError, OperationalError)

NOT_CANONICAL = (
    "",
    "example.com",
    "/path",
    "HTTPS://example.com/",
    "Https://example.com/",
    "1a:b",
    "a b:c",
    "https ://example.com/",
    "http//example.com/",
    " https://example.com/",
    "https://example.com/ ",
    "https://example.com/a b",
    "https://example.com/\n",
    "https://example.com/\t",
    "\nhttps://example.com/",
    "https://example.com/?a b",
    "https://example.com/#a b",
    "https://example.com/\x7f",
    "https://EXAMPLE.com/",
    "https://user@eXample.com/",
    "https://example.com:80A/",
    "https://example.com",
    "https://example.com?q",
    "https://example.com#f",
    "https://",
    "https:///",
    "https:///path",
    "https://user@/",
    "https:/example.com/",
    "https:example.com/",
    "https:\\\\example.com\\",
    "wss:///",
    "ftp:x",
    "file:/path",
    "file:path",
    "file://HOST/",
    "file://",
    "mailto:me ",
    "mailto:me ?subject",
    "mailto:me #f",
    "mailto:me?a b",
    "mailto:me#a b",
    "foo:/a b",
    "foo://h/a b",
)
NOT_ASCII = ("https://example.com/é", "https://bücher.example/", "foo:\u2028", "mailto:\xa0")
CANONICAL_BUT_ODD = ("mailto:a b", "foo:a b c?d#e", "foo:", "a:?", "foo:a:/ b", "foo:A", "foo:/A/")


def raw_insert(model: type[models.Model], *values: tuple[str, str | None]) -> None:
    """Store a row past the ORM, in a savepoint."""
    columns = ", ".join(column for column, _value in values)
    table = connection.ops.quote_name(model._meta.db_table)
    marks = ", ".join(["%s"] * len(values))
    with transaction.atomic(), connection.cursor() as cursor:
        sql = f"INSERT INTO {table} ({columns}) VALUES ({marks})"
        cursor.execute(sql, [value for _column, value in values])


@pytest.mark.django_db
@pytest.mark.parametrize("text", NOT_CANONICAL)
def test_raw_sql_cannot_store_what_certainly_is_not_canonical(text: str) -> None:
    """The database refuses it, and the expression finds it in a table without the constraint."""
    with pytest.raises(REFUSED):
        raw_insert(Canonical, ("url", text))
    insert(Plain, [text])
    assert Plain.objects.filter(~LooksCanonical("url")).count() == 1


@pytest.mark.django_db
@pytest.mark.parametrize("text", NOT_ASCII)
def test_raw_sql_cannot_store_what_is_not_ascii(text: str) -> None:
    """On MariaDB, the column itself refuses it."""
    with pytest.raises((*REFUSED, Exception)) as caught:
        raw_insert(Canonical, ("url", text))
    assert isinstance(caught.value, REFUSED) or connection.vendor == "mysql"


@pytest.mark.django_db
@pytest.mark.skipif(connection.vendor != "sqlite", reason="only SQLite stores such things")
@pytest.mark.parametrize("value", [b"https://example.com/", "https://example.com/\0", 5])
def test_sqlite_cannot_store_anything_but_text_either(value: Any) -> None:
    """A blob, a NUL that GLOB would stop at, a number."""
    with pytest.raises(REFUSED):
        raw_insert(Canonical, ("url", value))


@pytest.mark.django_db
def test_every_url_of_web_platform_tests_is_let_through() -> None:
    """Canonical text is, however odd; and NULL."""
    hrefs = [*wpt_hrefs(), *misleading_hrefs(), *CANONICAL_BUT_ODD]
    insert(Canonical, hrefs)
    raw_insert(Canonical, ("url", None))
    assert Canonical.objects.filter(LooksCanonical("url")).count() == len(hrefs)
    for canonical in Canonical.objects.all()[:50]:
        canonical.full_clean()


@pytest.mark.django_db
@pytest.mark.parametrize(
    "url",
    [
        "https://example.com/a",
        "https://www.example.com/",
        "HTTPS://Bücher.example",
        "https://a.b.xn--bcher-kva.example/",
        None,
    ],
)
def test_a_url_with_the_right_scheme_and_host_is_stored(url: str | None) -> None:
    """Spelling does not matter."""
    official = Official(url=url)
    official.full_clean(exclude=["mirror"])
    official.save()
    assert Official.objects.filter(url=url).count() == 1


@pytest.mark.django_db
@pytest.mark.parametrize(
    "url",
    [
        "http://example.com/",
        "https://badexample.com/",
        "https://example.com.evil.example/",
        "mailto:me@example.com",
    ],
)
def test_another_scheme_or_host_is_refused(url: str) -> None:
    """So is a URL without one, by full_clean(), by save() and by the database itself."""
    official = Official(url=url)
    with pytest.raises(ValidationError) as caught:
        official.full_clean(exclude=["mirror"])
    (error,) = caught.value.error_dict["url"]
    assert (error.code, *error.messages) == ("url-not-allowed", "This URL cannot be used here.")
    with pytest.raises(REFUSED), transaction.atomic():
        official.save()
    with pytest.raises(REFUSED):
        raw_insert(Official, ("url", url))


@pytest.mark.django_db
def test_without_subdomains_a_host_is_itself_alone() -> None:
    """An address in any form is the same address."""
    for url in ("https://mirror.example/a", "http://127.1:8080/", None):
        Official(mirror=url).full_clean(exclude=["url"])
        Official.objects.create(mirror=url)
    for url in ("https://a.mirror.example/", "mailto:mirror.example", "file:///"):
        with pytest.raises(ValidationError) as caught:
            Official(mirror=url).full_clean(exclude=["url"])
        assert [error.code for error in caught.value.error_dict["mirror"]] == ["url-not-allowed"]
        with pytest.raises(REFUSED), transaction.atomic():
            Official.objects.create(mirror=url)


@pytest.mark.django_db
def test_a_field_that_is_not_cleaned_is_not_checked() -> None:
    """As Django has it for every constraint: a form without the field says nothing of it."""
    Official(url="http://example.com/").full_clean(exclude=["url", "mirror"])


@pytest.mark.django_db
def test_updates_are_refused_too() -> None:
    """They go past full_clean()."""
    Official.objects.create(url="https://example.com/")
    with pytest.raises(REFUSED), transaction.atomic():
        Official.objects.update(url="https://evil.example/")
    Canonical.objects.create(url=None)
    with pytest.raises(REFUSED), transaction.atomic():
        Canonical.objects.update(url=models.functions.Upper(models.Value("https://example.com/")))


@pytest.mark.parametrize(
    ("constraint", "written"),
    [
        (IsCanonicalURL("url", name="a"), "IsCanonicalURL('url', name='a')"),
        (
            IsCanonicalURL(
                "url", name="a", violation_error_code="odd", violation_error_message="%(name)s!"
            ),
            (
                "IsCanonicalURL('url', name='a', violation_error_code='odd', "
                "violation_error_message='%(name)s!')"
            ),
        ),
    ],
)
def test_migrations_write_a_constraint_by_its_arguments(constraint: Any, written: str) -> None:
    """The condition is the library's own affair; a clone is equal."""
    text, _imports = MigrationWriter.serialize(constraint)
    assert text == f"django_whatwg_url.constraints.{written}"
    assert constraint.clone() == constraint
    assert constraint.clone().deconstruct() == constraint.deconstruct()


@pytest.mark.django_db
def test_messages_and_codes_can_be_replaced() -> None:
    """The message has the parameter of Django's."""
    model = model_with(
        url=CanonicalURLField(),
        meta={
            "constraints": (
                URLAllowedBy(
                    "url",
                    URLPolicy(schemes=["https"]),
                    name="guarded",
                    violation_error_code="insecure",
                    violation_error_message="%(name)s: use https.",
                ),
            )
        },
    )
    with pytest.raises(ValidationError) as caught:
        model(url="http://example.com").validate_constraints()
    (error,) = caught.value.error_dict["url"]
    assert (error.code, error.messages) == ("insecure", ["guarded: use https."])


@contextmanager
def with_constraint(
    constraint: models.CheckConstraint, kind: type[AddConstraint] = AddConstraint
) -> Iterator[None]:
    """Add a constraint to a table as a migration does, and remove it in the end."""
    operation = kind("plain", constraint)
    before = ProjectState.from_apps(apps)
    after = before.clone()
    operation.state_forwards("partsapp", after)
    with connection.schema_editor() as editor:
        operation.database_forwards("partsapp", editor, before, after)
    try:
        yield
    finally:
        with connection.schema_editor() as editor:
            operation.database_backwards("partsapp", editor, after, before)


@pytest.mark.django_db(transaction=True)
def test_djangos_own_check_takes_parts() -> None:
    """A URL without a port is none with that port, and NULL passes as ever."""
    with with_constraint(models.CheckConstraint(condition=~Q(url__port=8080), name="not_8080")):
        Plain.objects.create(url="https://example.com/")
        Plain.objects.create(url="mailto:me")
        Plain.objects.create(url=None)
        with pytest.raises(REFUSED), transaction.atomic():
            Plain.objects.create(url="https://example.com:8080/")
    Plain.objects.create(url="https://example.com:8080/")


@pytest.mark.django_db(transaction=True)
def test_a_check_for_a_part_refuses_what_lacks_it() -> None:
    """Unknown would be let through by a database; false is not."""
    with with_constraint(models.CheckConstraint(condition=Q(url__host="a.example"), name="a_host")):
        Plain.objects.create(url="https://A.example/")
        Plain.objects.create(url=None)
        with pytest.raises(REFUSED), transaction.atomic():
            Plain.objects.create(url="mailto:me@a.example")


@pytest.mark.django_db(transaction=True)
def test_a_constraint_can_be_added_and_removed() -> None:
    """Rows that break it are in the way; they are found with the expression first."""
    insert(Plain, ["HTTPS://example.com"])
    constraint = IsCanonicalURL("url", name="added_later")
    with pytest.raises(REFUSED), with_constraint(constraint):
        pass
    assert Plain.objects.exclude(LooksCanonical("url")).delete()[0] == 1
    with with_constraint(constraint), pytest.raises(REFUSED):
        raw_insert(Plain, ("url", "HTTPS://example.com"))
    raw_insert(Plain, ("url", "HTTPS://example.com"))


@only_postgresql
@pytest.mark.django_db(transaction=True)
def test_a_constraint_can_be_added_before_it_is_validated() -> None:
    """New rows are checked at once, and the others without keeping anyone from the table."""
    from django.contrib.postgres.operations import AddConstraintNotValid, ValidateConstraint

    state, validate = ProjectState.from_apps(apps), ValidateConstraint("plain", "added_live")
    insert(Plain, ["HTTPS://example.com"])
    with with_constraint(IsCanonicalURL("url", name="added_live"), AddConstraintNotValid):
        with pytest.raises(REFUSED):
            raw_insert(Plain, ("url", "HTTPS://example.com"))
        with pytest.raises(REFUSED), connection.schema_editor() as editor:
            validate.database_forwards("partsapp", editor, state, state)
        Plain.objects.exclude(LooksCanonical("url")).delete()
        with connection.schema_editor() as editor:
            validate.database_forwards("partsapp", editor, state, state)
