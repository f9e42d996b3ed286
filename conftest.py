"""The examples in the documents are run as tests, the Django ones on the test database.

Some need other packages. They run if WEBURL_TEST_WITH names them, as in `make test-integrations`.
"""

from __future__ import annotations

import gc
import os
import sys
from collections.abc import Generator, Iterator
from doctest import ELLIPSIS
from importlib import import_module
from pathlib import Path
from types import ModuleType
from typing import Any, Final

import pytest
from django.apps import apps
from django.db import connection, models
from hypothesis import given
from hypothesis.strategies import none
from sybil import Sybil
from sybil.parsers.markdown import PythonCodeBlockParser, SkipParser

from tests.with_others import NEEDS_AS, WITH_OTHERS

# These need no engine, only the compiled build.
_COMPILED: Final = ("tests", "columns", "compiled")


def pytest_ignore_collect(collection_path: Path, config: pytest.Config) -> bool | None:
    """Leave out the tests and documents that need packages of their own, where none asks for it."""
    parts = collection_path.relative_to(config.rootpath).parts
    elsewhere = set(WITH_OTHERS) - {os.environ.get("WEBURL_TEST_WITH")}
    if len(parts) < 2 or parts[0] not in {"tests", "docs"} or parts[:3] == _COMPILED[: len(parts)]:
        return None
    return True if NEEDS_AS.get(parts[1], parts[1]) in elsewhere else None


@pytest.hookimpl(wrapper=True)
def pytest_collection() -> Generator[None, object, object]:
    """Keep the garbage collector away from the thousands of tests that are collected.

    They live until the end. Unless they are frozen, each `gc.collect()` of a test walks through
    all of them, which takes half a second.

    Hypothesis warns of a generator of random numbers that nothing refers to, as far as the
    collector shows. From Python 3.14 on, that holds for its own one once its namespace is frozen,
    so an empty test brings it to life before.
    """
    given(none())(lambda _: None)()
    gc.disable()
    try:
        return (yield)
    finally:
        gc.enable()
        gc.freeze()


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Leave the tests marked ``nightly`` to `.ci/nightly`, unless ``-m`` names the marker."""
    if "nightly" in config.option.markexpr:
        return
    chosen = [item for item in items if not item.get_closest_marker("nightly")]
    if len(chosen) < len(items):
        left_out = [item for item in items if item.get_closest_marker("nightly")]
        config.hook.pytest_deselected(items=left_out)
        items[:] = chosen


@pytest.hookimpl(optionalhook=True)  # of pytest-xdist, which may be missing
def pytest_xdist_auto_num_workers() -> int:
    """Return how many processes `make test` uses: one for each core, and no others on one core."""
    cores = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count()
    return cores if cores and cores > 1 else 0


_made: Final[list[type[models.Model]]] = []


def make_table(model: type[models.Model]) -> None:
    """Give a model that a document defines its table: documents do not show migrations."""
    with connection.schema_editor() as schema_editor:
        schema_editor.create_model(model)
    _made.append(model)


_pretended: Final[list[str]] = []


def pretend(**modules: dict[str, Any]) -> None:
    """Make the files that a document shows modules: each ``a__b`` is ``a.b``, with these names."""
    for name, names in modules.items():
        _pretended.append(name.replace("__", "."))
        module = sys.modules[_pretended[-1]] = ModuleType(_pretended[-1])
        vars(module).update(names)


def set_up(namespace: dict[str, Any]) -> None:
    """Let a document define models: they belong to the tests' app."""
    namespace["__name__"] = "tests.django.testapp.models"
    namespace["make_table"] = make_table
    namespace["pretend"] = pretend


def tear_down(namespace: dict[str, Any]) -> None:
    """Forget the models of a document and drop their tables.

    Tests after it find only the models of the tests' app, and other documents may use their names.
    """
    while _made:
        with connection.schema_editor() as schema_editor:
            schema_editor.delete_model(_made.pop())
    while _pretended:
        del sys.modules[_pretended.pop()]
    own = import_module("tests.django.testapp.models")
    registered = apps.all_models["testapp"]
    for name, model in [*registered.items()]:
        if model.__module__ == own.__name__ and not hasattr(own, model.__name__):
            del registered[name]
    apps.clear_cache()


@pytest.fixture(scope="session")
def documents_database(django_db_setup: None, django_db_blocker: Any) -> Iterator[None]:
    """Open the test database to the documents, whose examples build on one another.

    If no test that was collected uses the database, pytest-django makes no tables.
    """
    with django_db_blocker.unblock():
        there = connection.introspection.table_names()
        with connection.schema_editor() as schema_editor:
            for model in apps.get_app_config("django_whatwg_url").get_models():
                if model._meta.db_table not in there:
                    schema_editor.create_model(model)
        yield


pytest_collect_file = Sybil(
    parsers=[
        PythonCodeBlockParser(doctest_optionflags=ELLIPSIS),
        SkipParser(),
    ],
    patterns=[
        "README.md",
        "docs/*.md",
        "docs/*/*.md",
        "tests/examples.md",
        "tests/columns/engines.md",
        "tests/integrations/examples.md",
    ],
    setup=set_up,
    teardown=tear_down,
    fixtures=["documents_database"],
).pytest()
