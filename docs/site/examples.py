"""Finds an example of each public name in the documents, where all examples are run as tests."""

from __future__ import annotations

import ast
import doctest
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Final, NamedTuple, TypeAlias

LONGEST: Final = 16
"""An example of more lines than these says too much besides."""

_BLOCK: Final = re.compile(r"^```python\n(.*?)^```$", re.DOTALL | re.MULTILINE)


class Example(NamedTuple):
    """A block of Python on a page, which is named as in the site: "values"."""

    page: str
    text: str


class _Name(NamedTuple):
    """A public name, by the module it is imported from."""

    module: str
    name: str


Found: TypeAlias = dict[tuple[str, str], Example]
"""The examples of names, by the module of a name and the name."""


def found(pages: dict[Path, Path], promised: dict[str, list[str]]) -> Found:
    """Return the shortest example of each name that has any.

    ``pages``: the place of each page in the site, by its file. ``promised``: the names of modules.
    """
    public = {_Name(module, name) for module, names in promised.items() for name in names}
    shortest: Found = {}
    for path, place in pages.items():
        page = place.with_suffix("").as_posix()
        for text, used in _blocks(path.read_text(encoding="utf-8")):
            for name in used & public:
                known = shortest.get(name)
                if known is None or len(text) < len(known.text):
                    shortest[name] = Example(page, text)
    return shortest


def _blocks(page: str) -> Iterator[tuple[str, set[_Name]]]:
    """Yield the blocks of a page that are short enough, and the imported names that each uses."""
    imported: dict[str, _Name] = {}
    for block in _BLOCK.finditer(page):
        text = block[1].rstrip("\n")
        try:
            tree = ast.parse(_code(text))
        except (SyntaxError, ValueError):
            continue  # it shows an error, or output with no prompt before
        for node in ast.walk(tree):
            if isinstance(node, ast.ImportFrom) and node.module is not None:
                for alias in node.names:
                    imported[alias.asname or alias.name] = _Name(node.module, alias.name)
        if text.count("\n") < LONGEST:
            yield text, set(_used(tree, imported))


def _code(text: str) -> str:
    """Return a block's code: without prompts and outputs, if it has any."""
    if not text.startswith(">>> "):
        return text
    return "".join(example.source for example in doctest.DocTestParser().get_examples(text))


def _used(tree: ast.AST, imported: dict[str, _Name]) -> Iterator[_Name]:
    """Yield what is read of the names that were imported, and of ``weburl`` and its modules."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Name) and node.id in imported:
            yield imported[node.id]
        elif isinstance(node, ast.Attribute):
            module = ast.unparse(node.value)
            if module in imported:
                module = ".".join(imported[module])
            yield _Name(module, node.attr)
