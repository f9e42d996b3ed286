"""Tests of the column itself: its type, collation and index, and altering it by migrations."""

# The names come from models.

from __future__ import annotations

from typing import Any

import pytest
from django.core.exceptions import ValidationError
from django.db import DataError, IntegrityError, connection, models, transaction
from django.db.models.fields import Field
from django.test.utils import isolate_apps

from django_whatwg_url.fields import CanonicalURLField
from tests.django.servers import mysql_index, needs_server, only_mysql, only_postgresql, table_with
from tests.django.stored import column_field
from tests.django.testapp.models import Bookmark, Site, Visit
from weburl import parse

COLLATIONS = {"postgresql": "C", "mysql": "ascii_nopad_bin", "sqlite": None}


def collation(table: str, column: str = "url") -> Any:
    """Return the collation of a column when it is not the database's default one."""
    with connection.cursor() as cursor:
        for info in connection.introspection.get_table_description(cursor, table):
            if info.name == column:
                return info.collation
    raise LookupError(column)


def alter(model: type[Any], new: Field[Any, Any]) -> type[Any]:
    """Change the model's column to the column of another field, and return the changed model."""
    new.set_attributes_from_name("url")
    new.model = model
    with connection.schema_editor() as editor:
        editor.alter_field(model, column_field(model), new, strict=True)
    with isolate_apps("tests.django.testapp"):
        return type(
            "Altered",
            (models.Model,),
            {
                "__module__": __name__,
                "url": new.clone(),
                "Meta": type("Meta", (), {"app_label": "testapp"}),
            },
        )


@pytest.mark.django_db
@pytest.mark.parametrize("table", ["testapp_bookmark", "testapp_page", "testapp_site"])
def test_the_columns_collation_is_binary(table: str) -> None:
    """Its name depends on the database. The default of SQLite is binary."""
    assert collation(table) == COLLATIONS[connection.vendor]


@pytest.mark.django_db
def test_a_foreign_key_to_a_url_has_the_same_collation() -> None:
    """Databases insist on it, or compare wrongly."""
    assert collation("testapp_visit", "bookmark_id") == COLLATIONS[connection.vendor]
    site = Site.objects.create(url="https://example.com/A")
    Site.objects.create(url="https://example.com/a")
    Visit.objects.create(site=site)
    assert Visit.objects.filter(site__url="https://example.com/a").count() == 0
    assert Visit.objects.filter(site__url="https://example.com/A").count() == 1


@only_mysql
@pytest.mark.django_db
def test_unique_is_a_true_index_on_mariadb() -> None:
    """A hash, which it would be for four bytes a character, could not serve a range."""
    index = mysql_index("testapp_bookmark", "url")
    assert (index["Index_type"], index["Sub_part"]) == ("BTREE", None)


@only_postgresql
@pytest.mark.django_db
def test_a_prefix_search_uses_the_unique_index_on_postgresql() -> None:
    """In the collation "C" a LIKE with a prefix is a range."""
    with connection.cursor() as cursor:
        cursor.execute("SET LOCAL enable_seqscan = off")
        cursor.execute(
            "EXPLAIN SELECT * FROM testapp_bookmark WHERE url LIKE 'https://example.com/%'"
        )
        plan = "\n".join(row[0] for row in cursor.fetchall())
    assert "Index Cond" in plan


@needs_server
@pytest.mark.django_db
def test_the_column_is_as_long_as_the_field_says() -> None:
    """A text of 2048 characters fits, and one more does not, also behind the ORM's back."""
    table = connection.ops.quote_name("testapp_page")
    sql = f"INSERT INTO {table} (url, source, title) VALUES (%s, 'a:b', '')"
    with connection.cursor() as cursor:
        cursor.execute(sql, ["https://example.com/".ljust(2048, "a")])
        with pytest.raises(DataError), transaction.atomic():
            cursor.execute(sql, ["https://example.com/".ljust(2049, "a")])


@pytest.mark.django_db
def test_the_longest_url_can_be_stored_and_found() -> None:
    """The column has a unique index, on every database."""
    url = "https://example.com/".ljust(2048, "a")
    bookmark = Bookmark.objects.create(url=url)
    assert Bookmark.objects.get(url=url) == bookmark
    with pytest.raises(IntegrityError), transaction.atomic():
        Bookmark.objects.create(url=url)
    Bookmark.objects.create(url=url[:-1] + "b")


@pytest.mark.django_db(transaction=True)
def test_a_text_column_can_become_a_url_column_and_back() -> None:
    """Its text is kept; what was not canonical is read as its record all the same."""
    with table_with(models.CharField(max_length=2048)) as text:
        text.objects.create(url="HTTPS://EXAMPLE.com")
        url = alter(text, CanonicalURLField())
        assert collation("testapp_altered") == COLLATIONS[connection.vendor]
        assert url.objects.get().url == parse("https://example.com/")
        url.objects.get().save()
        back = alter(url, models.CharField(max_length=2048))
        assert collation("testapp_altered") is None
        assert back.objects.get().url == "https://example.com/"


@pytest.mark.django_db(transaction=True)
@pytest.mark.parametrize("null", [True, False])
def test_the_collation_survives_a_change_of_null(null: bool) -> None:
    """Django repeats a column's type then, but not its collation."""
    with table_with(CanonicalURLField(null=null)) as model:
        changed = alter(model, CanonicalURLField(null=not null, default="a:b"))
        assert collation("testapp_altered") == COLLATIONS[connection.vendor]
        changed.objects.create(url="https://example.com")
        again = alter(changed, CanonicalURLField(null=null, default="a:b"))
        assert collation("testapp_altered") == COLLATIONS[connection.vendor]
        assert again.objects.get(url="HTTPS:example.com").url == parse("https://example.com/")


@pytest.mark.django_db(transaction=True)
def test_a_column_can_be_made_longer_unique_and_renamed() -> None:
    """It keeps its collation."""
    with table_with(CanonicalURLField(max_length=50)) as model:
        longer = alter(model, CanonicalURLField(max_length=500))
        unique = alter(longer, CanonicalURLField(max_length=500, unique=True))
        unique.objects.create(url="https://example.com/A")
        unique.objects.create(url="https://example.com/a")
        with pytest.raises(IntegrityError), transaction.atomic():
            unique.objects.create(url="HTTPS://example.com/a")
        renamed = CanonicalURLField(max_length=500, unique=True, db_column="link")
        renamed.set_attributes_from_name("url")
        renamed.model = unique
        with connection.schema_editor() as editor:
            editor.alter_field(unique, column_field(unique), renamed)
        assert collation("testapp_altered", "link") == COLLATIONS[connection.vendor]
        with connection.schema_editor() as editor:
            editor.alter_field(unique, renamed, column_field(unique))


@pytest.mark.django_db(transaction=True)
def test_a_column_can_be_added_with_a_default() -> None:
    """Existing rows get its canonical text."""
    with table_with(models.CharField(max_length=10)) as model:
        model.objects.create(url="row")
        fields: dict[str, CanonicalURLField[Any, Any]] = {
            "added": CanonicalURLField(default="HTTPS://EXAMPLE.com"),
            "in_database": CanonicalURLField(db_default="HTTPS://EXAMPLE.com"),
            "optional": CanonicalURLField(null=True),
        }
        for name, field in fields.items():
            field.set_attributes_from_name(name)
            field.model = model
            with connection.schema_editor() as editor:
                editor.add_field(model, field)
            field.contribute_to_class(model, name)
        with connection.cursor() as cursor:
            cursor.execute("SELECT added, in_database, optional FROM testapp_altered")
            assert cursor.fetchall() in (
                [("https://example.com/", "https://example.com/", None)],
                (("https://example.com/", "https://example.com/", None),),
            )
        assert collation("testapp_altered", "added") == COLLATIONS[connection.vendor]


@needs_server
@pytest.mark.django_db(transaction=True)
def test_an_explicit_collation_wins() -> None:
    """The option replaces the collation of the field."""
    wanted = {"postgresql": "POSIX", "mysql": "utf8mb4_bin"}[connection.vendor]
    with table_with(CanonicalURLField(max_length=200, db_collation=wanted)):
        assert collation("testapp_altered") == wanted


def test_the_declared_type_is_that_of_a_text_column() -> None:
    """With nothing that only one Django version would understand."""
    field = CanonicalURLField()
    field.set_attributes_from_name("url")
    declared = field.db_parameters(connection)
    assert {
        "sqlite": ("varchar(2048)", None),
        "postgresql": ("varchar(2048)", "C"),
        "mysql": ("varchar(2048) CHARACTER SET ascii COLLATE ascii_nopad_bin", None),
    }[connection.vendor] == (declared["type"], declared["collation"])
    assert field.get_internal_type() == "CharField"


@pytest.mark.skipif(connection.vendor != "sqlite", reason="SQLite checks no lengths itself")
@pytest.mark.django_db
def test_sqlite_refuses_what_the_servers_would() -> None:
    """A project tested on SQLite does not fail on PostgreSQL."""
    with pytest.raises(ValidationError), transaction.atomic():
        Bookmark.objects.create(url="https://example.com/".ljust(2049, "a"))
