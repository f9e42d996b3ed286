"""The examples in the documents are run as tests, the Django ones on the test database."""

from __future__ import annotations

from collections.abc import Iterator
from doctest import ELLIPSIS
from typing import Any

import pytest
from django.db import connection, models
from sybil import Sybil
from sybil.parsers.markdown import PythonCodeBlockParser, SkipParser


def make_table(model: type[models.Model]) -> None:
    """Give a model that a document defines its table: documents do not show migrations."""
    with connection.schema_editor() as schema_editor:
        schema_editor.create_model(model)


def set_up(namespace: dict[str, Any]) -> None:
    """Let a document define models: they belong to the tests' app."""
    namespace["__name__"] = "tests.django.testapp.models"
    namespace["make_table"] = make_table


@pytest.fixture(scope="session")
def documents_database(django_db_setup: None, django_db_blocker: Any) -> Iterator[None]:
    """Open the test database to the documents, whose examples build on one another."""
    with django_db_blocker.unblock():
        yield


pytest_collect_file = Sybil(
    parsers=[
        PythonCodeBlockParser(doctest_optionflags=ELLIPSIS),
        SkipParser(),
    ],
    patterns=["README.md", "docs/*.md"],
    setup=set_up,
    fixtures=["documents_database"],
).pytest()
