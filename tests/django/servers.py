"""What tests on one database and not on another need: marks, and tables made for a test."""

# The tables belong to the tests' app.

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import pytest
from django.db import connection, models
from django.db.models.fields import Field
from django.test.utils import isolate_apps

only_mysql = pytest.mark.skipif(
    connection.vendor != "mysql",
    reason="needs MariaDB or MySQL: set WEBURL_TEST_DATABASE to mysql://…",
)
only_postgresql = pytest.mark.skipif(
    connection.vendor != "postgresql",
    reason="needs PostgreSQL: set WEBURL_TEST_DATABASE to postgres://…",
)
needs_server = pytest.mark.skipif(
    connection.vendor == "sqlite",
    reason="needs a database server: set WEBURL_TEST_DATABASE to one",
)


@contextmanager
def created(*classes: type[models.Model]) -> Iterator[None]:
    """Give models their tables, and take them away in the end."""
    with connection.schema_editor() as editor:
        for model in classes:
            editor.create_model(model)
    try:
        yield
    finally:
        with connection.schema_editor() as editor:
            for model in reversed(classes):
                editor.delete_model(model)


def model_with(
    name: str = "Made", /, *, meta: dict[str, Any] | None = None, **fields: object
) -> Any:
    """Return a model of the tests' app that is in no registry."""
    with isolate_apps("tests.django.testapp"):
        options = type("Meta", (), {"app_label": "testapp", **(meta or {})})
        return type(name, (models.Model,), {"__module__": __name__, "Meta": options, **fields})


@contextmanager
def table_with(field: Field[Any, Any]) -> Iterator[type[Any]]:
    """Make a table with one column, and drop it in the end."""
    model = model_with("Altered", url=field)
    with created(model):
        yield model


def mysql_index(table: str, column: str) -> dict[str, Any]:
    """Return what MySQL or MariaDB says of the one index of a column."""
    with connection.cursor() as cursor:
        cursor.execute(
            f"SHOW INDEX FROM {connection.ops.quote_name(table)} WHERE Column_name = %s", [column]
        )
        names = [description[0] for description in cursor.description]
        (index,) = [dict(zip(names, row, strict=True)) for row in cursor.fetchall()]
    return index
