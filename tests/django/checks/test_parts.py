"""Tests of `check_parts`, which reports indexes and constraints that a database would leave out."""

from __future__ import annotations

from typing import Any

import pytest
from django.core.checks import CheckMessage
from django.db import connection, models
from django.db.models.functions import Lower

from django_whatwg_url.fields import CanonicalURLField
from django_whatwg_url.functions import URLHost, URLPath, URLPort
from django_whatwg_url.generated import GeneratedURLPartField
from django_whatwg_url.indexes import URLIndex
from tests.django.partsapp.models import Generated, Indexed
from tests.django.servers import model_with

pytestmark = pytest.mark.django_db


@pytest.fixture
def without_expression_indexes(monkeypatch: pytest.MonkeyPatch) -> None:
    """Pretend that the database has no indexes on expressions, like MariaDB."""
    monkeypatch.setattr(connection.features, "supports_expression_indexes", False)


def messages(model: type[models.Model], field: str = "url") -> list[CheckMessage]:
    """Return the messages about a field, including checks of the database."""
    found: Any = model._meta.get_field(field)
    return [
        message
        for message in found.check(databases=["default"])
        if str(message.id).startswith("django_whatwg_url.")
    ]


@pytest.mark.usefixtures("without_expression_indexes")
def test_an_index_that_will_not_be_made_is_reported_with_a_recipe() -> None:
    """This includes Django's own indexes that contain a part."""
    found = messages(Indexed)
    assert len(found) == 11
    assert {message.id for message in found} == {"django_whatwg_url.W011"}
    assert found[0].msg == (
        f"{connection.display_name} does not support indexes on expressions, so it will not create "
        f"{Indexed._meta.indexes[0].name!r}."
    )
    assert found[0].hint == (
        "Add scheme = GeneratedURLPartField('url', part='scheme', db_index=True). Queries will use "
        "the column."
    )
    assert "host_and_year" in found[-1].msg


def test_nothing_is_reported_where_the_database_has_such_indexes() -> None:
    """Without a database, nothing is reported either."""
    if connection.features.supports_expression_indexes:
        assert messages(Indexed) == []
    url: Any = Indexed._meta.get_field("url")
    assert url.check() == []
    assert messages(Generated) == []


@pytest.mark.usefixtures("without_expression_indexes")
def test_a_generated_column_with_an_index_makes_up_for_it() -> None:
    """The index may come from an option, an index or a constraint, but there must be one."""
    model = model_with(
        "Both",
        url=CanonicalURLField(),
        host=GeneratedURLPartField("url", part="host", db_index=True),
        path=GeneratedURLPartField("url", part="path"),
        query=GeneratedURLPartField("url", part="query"),
        port=GeneratedURLPartField("url", part="port"),
        meta={
            "indexes": (
                URLIndex("url", part="host"),
                URLIndex("url", part="path"),
                URLIndex("url", part="query"),
                URLIndex("url", part="port", name="by_port"),
                models.Index(URLHost("url"), URLPort("url").desc(), name="by_both"),
                models.Index(Lower("url"), name="by_lower"),
                models.Index(fields=["-path", "host"], name="by_path"),
            ),
            "constraints": (models.UniqueConstraint(fields=["query"], name="one_query"),),
        },
    )
    found = messages(model)
    assert [("by_port" in m.msg, "by_both" in m.msg) for m in found] == [
        (True, False),
        (False, True),
    ]
    assert found[1].hint is not None
    assert "part='host'" not in found[1].hint


@pytest.mark.usefixtures("without_expression_indexes")
def test_a_unique_constraint_that_will_not_be_kept_is_reported() -> None:
    """The message names the columns that the constraint needs."""
    model = model_with(
        url=CanonicalURLField(),
        meta={
            "constraints": (models.UniqueConstraint(URLHost("url"), URLPath("url"), name="once"),)
        },
    )
    (message,) = messages(model)
    assert message.id == "django_whatwg_url.W012"
    assert "'once'" in message.msg
    assert message.hint == (
        "Add host = GeneratedURLPartField('url', part='host') and path = "
        "GeneratedURLPartField('url', part='path'), and use these columns in the constraint's "
        "fields."
    )


def test_a_column_that_queries_pass_by_is_reported() -> None:
    """On every database, the type of the column compares differently from the URL."""
    model = model_with(
        url=CanonicalURLField(),
        mirror=CanonicalURLField(),
        way=models.GeneratedField(
            expression=URLPath("url"),
            output_field=models.CharField(max_length=100),
            db_persist=True,
        ),
    )
    (message,) = messages(model)
    assert messages(model, "mirror") == []
    assert message.id == "django_whatwg_url.W010"
    assert message.msg.startswith("Queries on url__path do not use this column")
    assert message.hint == "Write way = GeneratedURLPartField('url', part='path')."


@pytest.mark.usefixtures("without_expression_indexes")
def test_a_model_that_another_database_holds_is_not_checked(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Django's own checks do the same."""
    monkeypatch.setattr("django.db.router.allow_migrate_model", lambda *_: False)
    assert messages(Indexed) == []
