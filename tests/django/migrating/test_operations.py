"""Tests of changes to a URL that a generated column reads."""

from __future__ import annotations

from typing import Any

import pytest
from django.db import NotSupportedError, connection, migrations

from django_whatwg_url.constraints import IsCanonicalURL
from django_whatwg_url.fields import CanonicalURLField
from django_whatwg_url.generated import GeneratedURLPartField
from django_whatwg_url.indexes import URLIndex
from tests.django.migrating.histories import History, indexed_columns
from tests.django.servers import only_postgresql

pytestmark = pytest.mark.django_db(transaction=True)

# SQLite cannot add a stored column to a table with rows.
ADDABLE: dict[str, Any] = {"db_persist": False} if connection.vendor == "sqlite" else {}


def host(name: str = "url", part: str = "host") -> Any:
    """Return a column with a part of a URL."""
    return GeneratedURLPartField(name, part=part, db_index=True, **ADDABLE)


@only_postgresql
def test_postgresql_refuses_a_change_of_the_type(history: History) -> None:
    """So the column must be removed first."""
    history.make({"url": CanonicalURLField(), "host": host()})
    history.make({"url": CanonicalURLField(max_length=3000), "host": host()})
    with pytest.raises(NotSupportedError, match="used by a generated column"):
        history.migrate()


def test_the_column_is_removed_and_added_again_around_a_change(history: History) -> None:
    """It has its values and its indexes then, forwards and backwards."""
    history.make({"url": CanonicalURLField(), "host": host()})
    history.write(
        [
            migrations.RemoveField("page", "host"),
            migrations.AlterField("page", "url", CanonicalURLField(max_length=3000)),
            migrations.RenameField("page", "url", "link"),
            migrations.AddField("page", "host", host("link")),
        ]
    )
    history.migrate(1)
    model = history.model(1)
    model._default_manager.create(url="https://a.example/")
    indexes = indexed_columns(model)
    for number, name in ((2, "link"), (1, "url"), (2, "link")):
        history.migrate(number)
        model = history.model(number)
        assert model._default_manager.get(**{f"{name}__host": "A.example"}).host == "a.example"
        assert indexed_columns(model) == indexes


def test_indexes_and_constraints_are_removed_and_added_again_around_a_new_name(
    history: History,
) -> None:
    """They name the URL, too."""
    history.make(
        {"url": CanonicalURLField()},
        indexes=[URLIndex("url", part="path", name="by_path")],
        constraints=[IsCanonicalURL("url", name="is_canonical")],
    )
    history.write(
        [
            migrations.RemoveIndex("page", "by_path"),
            migrations.RemoveConstraint("page", "is_canonical"),
            migrations.RenameField("page", "url", "link"),
            migrations.AddIndex("page", URLIndex("link", part="path", name="by_path")),
            migrations.AddConstraint("page", IsCanonicalURL("link", name="is_canonical")),
        ]
    )
    history.migrate(1)
    history.model(1)._default_manager.create(url="https://a.example/b")
    for number, name in ((2, "link"), (1, "url")):
        history.migrate(number)
        rows = history.model(number)._default_manager
        assert rows.filter(**{f"{name}__path": "/b"}).count() == 1


def test_what_a_part_is_cannot_be_altered(history: History) -> None:
    """Django says so before anything is changed."""
    history.make({"url": CanonicalURLField(), "host": host()})
    history.make({"url": CanonicalURLField(), "host": host(part="origin")})
    with pytest.raises(ValueError, match="must be removed and re-added"):
        history.migrate()
    history.migrate(1)


def test_a_part_is_removed_and_added_as_another(history: History) -> None:
    """This works on a table with rows."""
    history.make({"url": CanonicalURLField(), "host": host()})
    history.make({"url": CanonicalURLField()})
    history.make({"url": CanonicalURLField(), "host": host(part="origin")})
    history.migrate(1)
    history.model(1)._default_manager.create(url="https://a.example/")
    history.migrate()
    assert history.model()._default_manager.get().host == "https://a.example"
    history.migrate(1)
    assert history.model(1)._default_manager.get().host == "a.example"
