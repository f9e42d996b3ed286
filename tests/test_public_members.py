"""Each public member is promised, documented, and in a test or an example.

Without this, a new method or property would pass every other test.
"""

from __future__ import annotations

import ast
import json
import re
from functools import cache
from pathlib import Path
from types import GetSetDescriptorType
from typing import Final

import pytest

import check_versions
import promises

ROOT: Final = Path(__file__).resolve().parents[1]
MEMBERS: Final = [
    (path, kind, name)
    for path, kind in promises.public_classes().items()
    for name in promises.members_of(kind)
]


@cache
def used_names() -> frozenset[str]:
    """Return the names of attributes, arguments and texts in the tests and in the documents."""
    found: set[str] = set()
    for path in sorted((ROOT / "tests").rglob("*.py")):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.FunctionDef):
                found.add(node.name)  # an override
            elif isinstance(node, ast.Attribute):
                found.add(node.attr)
            elif isinstance(node, ast.keyword):
                found.add(node.arg or "")
            elif isinstance(node, ast.Constant) and isinstance(node.value, str):
                found.update(re.findall(r"\w+", node.value) if len(node.value) < 200 else ())
    for path in [ROOT / "README.md", *sorted((ROOT / "docs").rglob("*.md"))]:
        found.update(re.findall(r"\w+", path.read_text(encoding="utf-8")))
    return frozenset(found)


def inherited(kind: type, name: str) -> bool:
    """Return whether a base class of a framework has the member, too."""
    return any(
        name in vars(base)
        for base in kind.__mro__
        if base.__module__.partition(".")[0] not in ("weburl", "django_whatwg_url")
    )


def is_described(kind: type, name: str) -> bool:
    """Return whether the reference says something about a member."""
    member = next((vars(base)[name] for base in kind.__mro__ if name in vars(base)), None)
    if isinstance(member, (staticmethod, classmethod)):
        member = member.__func__
    if isinstance(member, kind):
        return True  # A member of an enum is described with its class.
    if callable(member) or isinstance(member, property | GetSetDescriptorType):
        return bool(getattr(member, "__doc__", None))
    # An attribute is described in the docstring of its class, or in a string after it.
    sources = [base for base in kind.__mro__ if base.__module__.split(".")[0] != "builtins"]
    return any(name in (base.__doc__ or "") for base in sources) or _is_followed_by_a_string(name)


@cache
def _described_attributes() -> frozenset[str]:
    found: set[str] = set()
    for directory in (ROOT / "src" / "weburl", ROOT / "django_whatwg_url"):
        for path in sorted(directory.rglob("*.py")):
            for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
                if not isinstance(node, ast.ClassDef):
                    continue
                for one, after in zip(node.body, node.body[1:], strict=False):
                    if (
                        isinstance(one, ast.AnnAssign)
                        and isinstance(one.target, ast.Name)
                        and isinstance(after, ast.Expr)
                    ):
                        found.add(one.target.id)
    return frozenset(found)


def _is_followed_by_a_string(name: str) -> bool:
    return name in _described_attributes()


@pytest.mark.parametrize(
    ("path", "kind", "name"), MEMBERS, ids=[f"{path}.{name}" for path, _, name in MEMBERS]
)
def test_a_public_member_is_promised_described_and_used(path: str, kind: type, name: str) -> None:
    """`make promises` writes the promise."""
    file = promises.DIRECTORY / f"{check_versions.version_of_the_source()}.json"
    kept = json.loads(file.read_text(encoding="utf-8"))["members"]
    assert name in kept[path], f"{path}.{name} is new: run make promises"
    if not inherited(kind, name):
        assert is_described(kind, name), f"{path}.{name} has no docstring"
        assert name in used_names(), f"{path}.{name} is in no test and no example"
