"""The algorithms of `tests/algorithms.py`: their functions and their tests exist."""

from __future__ import annotations

import ast
import pkgutil
import re
import sys
from functools import cache
from pathlib import Path
from typing import Final

import pytest

from tests.algorithms import ALGORITHMS

ROOT: Final = Path(__file__).resolve().parents[1]
ROWS: Final = [(*row[:3], *row[3].split("::", 1)) for row in ALGORITHMS]


OLDER: Final = re.compile(r"RFC |Web addresses|HTML5 draft|URL 20")
"""Documents of `weburl.history`, which has the page `docs/history.md`."""


@cache
def functions_in(path: Path) -> frozenset[str]:
    """Return the names of the test functions in a file, those in classes behind "Class::"."""
    tree = ast.parse(path.read_text(encoding="utf-8"))
    named = [("", node) for node in tree.body]
    for node in tree.body:
        if isinstance(node, ast.ClassDef):
            named += [(f"{node.name}::", inner) for inner in node.body]
    return frozenset(
        prefix + node.name for prefix, node in named if isinstance(node, ast.FunctionDef)
    )


def test_the_algorithms_of_older_documents_are_in_history() -> None:
    """And there are as many rows as algorithms and functions of them."""
    older = [function for document, _, function, *_ in ROWS if OLDER.match(document)]
    assert len(older) >= 40
    assert [function for function in older if not function.startswith("weburl.history.")] == []
    assert len(ROWS) == 212


def test_no_algorithm_has_two_rows() -> None:
    """Of one document, with the same function."""
    assert len({row[:3] for row in ROWS}) == len(ROWS)


def is_compiled(found: object) -> bool:
    """Return whether a function, a method or a class is in a module that was compiled."""
    module = getattr(found, "__module__", None) or getattr(found, "__objclass__", found).__module__
    return not str(sys.modules[module].__file__).endswith(".py")


@pytest.mark.parametrize("function", sorted({row[2] for row in ROWS}))
def test_a_function_of_the_table_can_be_imported(function: str) -> None:
    """And is documented: a function, a method, a property, or a class that is called."""
    found = pkgutil.resolve_name(function)
    assert callable(found) or isinstance(found, property)
    # A dunder method says what it does, and mypyc drops the docstrings of functions.
    assert found.__doc__ or function.endswith("__") or is_compiled(found)


@pytest.mark.parametrize(
    ("path", "name"), sorted({(row[3], row[4]) for row in ROWS}), ids=lambda part: part
)
def test_a_test_of_the_table_exists(path: str, name: str) -> None:
    """As a function that pytest finds."""
    assert name.rpartition("::")[2].startswith("test_")
    assert name in functions_in(ROOT / path)


@pytest.mark.parametrize(("function", "path"), sorted({(row[2], row[3]) for row in ROWS}))
def test_the_file_of_a_test_speaks_of_the_function(function: str, path: str) -> None:
    """By its own name, so that a row cannot point to a test of something else altogether."""
    name = function.rpartition(".")[2]
    if not name.endswith("__"):  # An operator has a sign for its name.
        assert re.search(rf"\b{name}\b", (ROOT / path).read_text(encoding="utf-8"))
