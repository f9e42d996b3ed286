"""The app uses what Django documents: no private name, and nothing set on what is not ours.

`CONTRIBUTING.md` has the rule. A touch that has no documented way is a function in
`django_internals.py`, with a test that takes the name away. There is none now.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path
from typing import Final

import pytest

APP: Final = Path(__file__).parents[2] / "django_whatwg_url"
GUIDE: Final = APP.parent / "CONTRIBUTING.md"
INTERNALS: Final = "django_internals.py"
FILES: Final = sorted(path for path in APP.rglob("*.py") if path.name != INTERNALS)

DOCUMENTED: Final = {
    *("_meta", "_base_manager", "_default_manager", "_state", "_post_clean"),
    "_replace",  # of named tuples
}
"""Names with an underscore that the documentation of Django or Python has."""

INTERNAL: Final = {
    *("klass_info", "default_cols", "related_klass_infos", "get_placeholder"),
    *("get_placeholder_sql", "class_prepared", "all_models", "lazy_model_operation", "f_locals"),
    *("names_digest", "split_identifier", "serializer_factory", "flatten_choices"),
    *("add_lazy_relation", "do_pending_operations", "annotation_select_mask", "save_form_data"),
}
"""Names without one that it does not have."""

UNDOCUMENTED: Final = {
    "Col": "functions.py, fields/canonical.py, query/expressions.py, query/lookups.py",
    "DeferredAttribute": "beside/base.py, column/attributes.py",
    "MigrationLoader": "checks/migrations.py",
    "db_default_sql": "rows/database_rules.py",
    "deletion": "rows/database_rules.py",
}
"""Names that Django's reference lacks and that are used anyway, with the files.

`CONTRIBUTING.md` says why. Each Django version that the project supports is tested with them.
"""


def tree_of(path: Path) -> ast.Module:
    """Return the code of a file, without what only type checkers read."""
    tree = ast.parse(path.read_text(encoding="utf-8"))

    class Typed(ast.NodeTransformer):
        def visit_If(self, node: ast.If) -> ast.AST | list[ast.stmt]:
            if isinstance(node.test, ast.Name) and node.test.id == "TYPE_CHECKING":
                return node.orelse
            return self.generic_visit(node)

    found: ast.Module = Typed().visit(tree)
    return found


def own_names() -> set[str]:
    """Return the private names that the app itself gives."""
    found: set[str] = set()
    for path in FILES:
        for node in ast.walk(tree_of(path)):
            match node:
                case ast.FunctionDef(name=name) | ast.ClassDef(name=name):
                    found.add(name)
                case ast.Name(id=name, ctx=ast.Store()):
                    found.add(name)
                case ast.Attribute(value=ast.Name(id="self"), attr=name, ctx=ast.Store()):
                    found.add(name)
                case ast.alias(asname=str(name)):
                    found.add(name)
    return found


OWN: Final = own_names()


def is_foreign(module: str | None) -> bool:
    """Return whether a module is not ours."""
    return (module or "").partition(".")[0] not in ("", "django_whatwg_url", "weburl")


def private_names(tree: ast.Module) -> Iterator[str]:
    """Yield the names that are read or imported and that no documentation has."""
    for node in ast.walk(tree):
        match node:
            case ast.Attribute(attr=name) | ast.FunctionDef(name=name):
                names = [name]
            case ast.ImportFrom(module=module, names=aliases) if is_foreign(module):
                names = [alias.name for alias in aliases]
            case ast.Call(func=ast.Name(id="getattr" | "hasattr" | "setattr"), args=[_, named, *_]):
                names = [
                    each.value
                    for each in ast.walk(named)
                    if isinstance(each, ast.Constant) and isinstance(each.value, str)
                    if not isinstance(named, ast.JoinedStr)  # Names that are made.
                ]
            case _:
                continue
        for name in names:
            is_private = name.startswith("_") and not name.startswith("__")
            if name in INTERNAL or (is_private and name not in OWN | DOCUMENTED):
                yield name


def root_of(node: ast.expr) -> str:
    """Return the name with which a dotted path begins, or "" for another expression."""
    while isinstance(node, ast.Attribute):
        node = node.value
    return node.id if isinstance(node, ast.Name) else ""


def changes(tree: ast.Module) -> Iterator[str]:
    """Yield the statements that set an attribute of something that is imported from elsewhere.

    Also those that set any name of an object by its ``vars()``, except in a descriptor.
    """
    foreign = {
        (alias.asname or alias.name).partition(".")[0]
        for node in ast.walk(tree)
        if (isinstance(node, ast.ImportFrom) and is_foreign(node.module))
        or (isinstance(node, ast.Import) and is_foreign(node.names[0].name))
        for alias in node.names
    }
    descriptors = {
        inner
        for node in ast.walk(tree)
        if isinstance(node, ast.FunctionDef) and node.name in ("__get__", "__set__")
        for inner in ast.walk(node)
    }
    for node in ast.walk(tree):
        match node:
            case ast.Attribute(value=changed, ctx=ast.Store()) if root_of(changed) in foreign:
                yield ast.unparse(node)
            case ast.Call(func=ast.Name(id="setattr"), args=[changed, *_]) if (
                root_of(changed) in foreign
            ):
                yield ast.unparse(node)
            case ast.Subscript(value=ast.Call(func=ast.Name(id="vars")), ctx=ast.Store()) if (
                node not in descriptors
            ):
                yield ast.unparse(node)


@pytest.mark.parametrize("path", FILES, ids=lambda path: str(path.relative_to(APP)))
def test_the_app_uses_documented_names(path: Path) -> None:
    """It changes nothing that belongs to others."""
    tree = tree_of(path)
    assert list(private_names(tree)) == []
    assert list(changes(tree)) == []


@pytest.mark.parametrize("name", UNDOCUMENTED)
def test_the_list_of_undocumented_names_is_complete(name: str) -> None:
    """They are in no other file, and the guide for contributors has each of them."""
    used = []
    for path in FILES:
        for node in ast.walk(tree_of(path)):
            match node:
                case ast.ImportFrom(module=module, names=aliases) if is_foreign(module):
                    names = [alias.name for alias in aliases]
                case ast.Attribute(attr=attribute):
                    names = [attribute]
                case _:
                    continue
            if name in names and (path_name := path.relative_to(APP).as_posix()) not in used:
                used.append(path_name)
    assert ", ".join(sorted(used)) == ", ".join(sorted(UNDOCUMENTED[name].split(", ")))
    assert f"`{name}`" in GUIDE.read_text(encoding="utf-8")


def test_there_are_no_internals() -> None:
    """A function there needs a test of its own, which takes the name away."""
    assert not (APP / INTERNALS).exists()


@pytest.mark.parametrize(
    "code",
    [
        "from django.db.models.query_utils import _private",
        "from django.db.models.signals import class_prepared",
        "frame.f_locals",
        "def save_form_data(self, instance, data): ...",
        "query._annotations",
        'getattr(field, "_get_default")',
        'getattr(expression, "output_field" if is_query else "_output_field_or_none", None)',
        "from django.db.backends.utils import names_digest",
        "from django.db import models\nmodels.Field.check = None",
        "from rest_framework import serializers\nsetattr(serializers, 'x', 1)",
        "vars(field)['pre_save'] = None",
    ],
)
def test_the_test_finds_what_it_looks_for(code: str) -> None:
    """Each of these has been in the app."""
    tree = ast.parse(code)
    assert [*private_names(tree), *changes(tree)]
