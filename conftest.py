"""The examples in the documents are run as tests, the Django ones on the test database.

What needs packages of its own runs where WEBURL_TEST_WITH names it (`make test-integrations`).
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from doctest import ELLIPSIS
from pathlib import Path
from typing import Any

import pytest
from django.db import connection, models
from sybil import Sybil
from sybil.parsers.markdown import PythonCodeBlockParser, SkipParser

from tests.with_others import NEEDS_AS, WITH_OTHERS


def pytest_ignore_collect(collection_path: Path, config: pytest.Config) -> bool | None:
    """Leave out the tests and documents that need packages of their own, where none asks for it."""
    parts = collection_path.relative_to(config.rootpath).parts
    elsewhere = set(WITH_OTHERS) - {os.environ.get("WEBURL_TEST_WITH")}
    if len(parts) < 2 or parts[0] not in {"tests", "docs"}:
        return None
    return True if NEEDS_AS.get(parts[1], parts[1]) in elsewhere else None


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
    patterns=["README.md", "docs/*.md", "docs/*/*.md"],
    setup=set_up,
    fixtures=["documents_database"],
).pytest()
