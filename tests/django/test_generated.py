"""Tests of `django_whatwg_url.generated`: columns that the database fills with a part of a URL."""

from __future__ import annotations

import re
from typing import Any

import pytest
from django.apps import apps
from django.core.exceptions import ValidationError
from django.db import IntegrityError, OperationalError, connection, models
from django.db.migrations.state import ProjectState
from django.db.migrations.writer import MigrationWriter
from django.test.utils import isolate_apps

import weburl
from django_whatwg_url.constraints import URLAllowedBy
from django_whatwg_url.fields import CanonicalURLField
from django_whatwg_url.functions import URLHost, URLPath
from django_whatwg_url.generated import GeneratedURLPartField
from django_whatwg_url.query.fields import URLPartField, URLPortField
from tests.django.hrefs import PARTS, insert, misleading_hrefs, parts_of, wpt_hrefs
from tests.django.partsapp.models import Generated
from tests.django.servers import model_with


@pytest.mark.django_db
def test_the_columns_hold_the_parts_of_the_record_for_all_of_web_platform_tests() -> None:
    """The expressions return the same."""
    hrefs = sorted({*wpt_hrefs(), *misleading_hrefs()})
    insert(Generated, hrefs)
    rows = list(Generated.objects.values("url", *PARTS))
    assert len(rows) == len(hrefs)
    for row in rows:
        assert {part: row[part] for part in PARTS} == parts_of(row["url"])


@pytest.mark.django_db
def test_the_columns_follow_the_url_whoever_changes_it() -> None:
    """Update and bulk_update included, which call no code of a field."""
    row = Generated.objects.create(url="https://a.example/")
    row.refresh_from_db()
    assert (row.host, row.port, row.path) == ("a.example", None, "/")
    Generated.objects.update(url="https://b.example:81/x")
    row.refresh_from_db()
    assert (row.host, row.port, row.path) == ("b.example", 81, "/x")
    row.url = weburl.parse("https://c.example/")
    Generated.objects.bulk_update([row], ["url"])
    assert Generated.objects.get(host="c.example") == row
    Generated.objects.bulk_create([Generated(url="https://d.example/")])
    assert Generated.objects.filter(url__host="d.example").count() == 1


@pytest.mark.django_db
def test_the_columns_can_be_asked_for_by_name() -> None:
    """They have the lookups of the part, which accept any spelling and respect letter case."""
    insert(
        Generated,
        ["https://b.example/A", "https://b.example/a", "https://xn--bcher-kva.example/%C3%A9"],
    )
    objects = Generated.objects
    assert objects.filter(host="B.EXAMPLE").count() == 2
    assert objects.filter(host__in=["BÜCHER.example", "c.example"]).count() == 1
    assert objects.filter(host__under="example").count() == 3
    assert objects.filter(path="/a").count() == 1
    assert objects.filter(path__contains="é").count() == 1
    assert objects.filter(path__icontains="É".lower()).count() == 1
    assert objects.filter(host__icontains="é").count() == 0
    assert objects.filter(path__under="/é").count() == 1
    assert objects.filter(origin="https://B.example:443/x").count() == 2
    assert objects.exclude(port=80).count() == 3
    assert objects.order_by("path").first().path == "/%C3%A9"  # type: ignore[union-attr]


def sql_of(queryset: Any) -> str:
    """Return a query's text, with one kind of quotation marks."""
    return str(queryset.query).replace("`", '"')


@pytest.mark.django_db
def test_historical_models_find_the_column_as_well() -> None:
    """A migration that moves data is as fast as the application."""
    model: Any = ProjectState.from_apps(apps).apps.get_model("partsapp", "Generated")
    assert '"partsapp_generated"."host" = ' in sql_of(model.objects.filter(url__host="a.example"))


@pytest.mark.django_db
def test_the_column_is_found_through_relations_and_inheritance() -> None:
    """The query uses the alias of its table."""
    with isolate_apps("tests.django.testapp"):

        class Page(models.Model):
            url = CanonicalURLField()
            host = models.GeneratedField(
                expression=URLHost("url"), output_field=URLPartField("host"), db_persist=True
            )
            parent = models.ForeignKey("self", null=True, on_delete=models.CASCADE)

            class Meta:
                app_label = "testapp"

        class Article(Page):
            class Meta:
                app_label = "testapp"

        class Shortcut(Page):
            class Meta:
                app_label = "testapp"
                proxy = True

        by_relation = sql_of(Page._default_manager.filter(parent__url__host="a.example"))
        # Django 6.1 quotes an alias of its own making, 5.2 does not.
        assert re.search(r'(?:"?T2"?|"testapp_page")\."host" = ', by_relation)
        assert "substr" not in by_relation.split("WHERE")[1].split("AND")[0].lower()
        for model in (Article, Shortcut):
            assert '"testapp_page"."host" = ' in sql_of(
                model._default_manager.filter(url__host="a.example")
            )


@pytest.mark.django_db
def test_a_column_of_another_type_is_left_alone() -> None:
    """It may ignore letter case, and the index of it would be of no use anyway."""
    model = model_with(
        url=CanonicalURLField(),
        mirror=CanonicalURLField(),
        path=models.GeneratedField(
            expression=URLPath("url"),
            output_field=models.CharField(max_length=100),
            db_persist=True,
        ),
        host=GeneratedURLPartField("mirror", part="host"),
    )
    condition = sql_of(model._default_manager.filter(url__path="/", url__host="a")).split("WHERE")[
        1
    ]
    assert '"path"' not in condition
    assert '"host"' not in condition
    assert '"host"' in sql_of(model._default_manager.filter(mirror__host="a")).split("WHERE")[1]


@pytest.mark.django_db(transaction=True)
def test_a_column_that_is_computed_when_it_is_read_works_too() -> None:
    """Where the database has such; PostgreSQL 15 stores every one."""
    if not connection.features.supports_virtual_generated_columns:
        pytest.skip("this database stores all generated columns")
    model = model_with(
        url=CanonicalURLField(null=True),
        host=GeneratedURLPartField("url", part="host", db_persist=False, db_index=True),
    )
    with connection.schema_editor() as editor:
        editor.create_model(model)
    try:
        insert(model, ["https://a.example/"])
        model._default_manager.create(url=None)
        assert model._default_manager.get(url__host="A.example").host == "a.example"
        assert model._default_manager.get(host=None).url is None
    finally:
        with connection.schema_editor() as editor:
            editor.delete_model(model)


@pytest.mark.parametrize(
    ("field", "written"),
    [
        (GeneratedURLPartField("url", part="host"), "'url', part='host'"),
        (GeneratedURLPartField("url", "port"), "'url', part='port'"),
        (
            GeneratedURLPartField("url", part="host", db_index=True, max_length=253, null=False),
            "'url', db_index=True, max_length=253, null=False, part='host'",
        ),
        (
            GeneratedURLPartField("url", part="path", db_persist=False, verbose_name="way"),
            "'url', db_persist=False, part='path', verbose_name='way'",
        ),
    ],
)
def test_migrations_write_a_column_by_its_part(field: GeneratedURLPartField, written: str) -> None:
    """Expression and type are the library's own affair; a clone is equal."""
    text, _imports = MigrationWriter.serialize(field)
    assert text == f"django_whatwg_url.generated.GeneratedURLPartField({written})"
    assert field.clone().deconstruct() == field.deconstruct()
    assert field.clone().expression == field.expression  # type: ignore[attr-defined]


def test_the_type_of_a_column_is_that_of_the_part() -> None:
    """An integer for the port, text with a binary collation for all others."""
    port, host = (GeneratedURLPartField("url", part=part) for part in ("port", "host"))
    assert isinstance(port.output_field, URLPortField)
    assert isinstance(host.output_field, URLPartField)
    declared = host.db_parameters(connection)
    assert (declared["type"], declared["collation"]) == {
        "sqlite": ("varchar(2048)", None),
        "postgresql": ("character varying(2048)", "C"),
        "mysql": ("varchar(2048) CHARACTER SET ascii COLLATE ascii_nopad_bin", None),
    }[connection.vendor]
    assert "char" not in str(port.db_type(connection))
    assert host.db_type(connection) == declared["type"]
    assert (host.max_length, port.max_length) == (2048, None)
    with pytest.raises(ValueError, match="'password' is not a part of a URL"):
        GeneratedURLPartField("url", part="password")


@pytest.mark.django_db(transaction=True)
def test_constraints_take_a_generated_column_and_the_parts_beside_it() -> None:
    """Both for full_clean(), which has but the URL to go by, and for the database."""
    model = model_with(
        url=CanonicalURLField(),
        host=GeneratedURLPartField("url", part="host"),
        meta={
            "constraints": (
                models.UniqueConstraint(fields=["host"], name="one_homepage_a_host"),
                URLAllowedBy("url", weburl.URLPolicy(schemes=["https"]), name="is_https"),
            )
        },
    )
    with connection.schema_editor() as editor:
        editor.create_model(model)
    try:
        first = model(url="https://a.example/")
        first.full_clean()
        first.save()
        first.full_clean()
        model(url="https://b.example/").full_clean()
        for url, field, code in [
            ("https://A.example:81/x", "host", "unique"),
            ("http://b.example/", "url", "url-not-allowed"),
        ]:
            with pytest.raises(ValidationError) as caught:
                model(url=url).full_clean()
            assert [error.code for error in caught.value.error_dict[field]] == [code]
            with pytest.raises((IntegrityError, OperationalError)):
                model(url=url).save()
    finally:
        with connection.schema_editor() as editor:
            editor.delete_model(model)
