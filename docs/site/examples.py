"""Finds an example of each public name in the documents, or in a file of more examples.

All of them are run as tests.
"""

from __future__ import annotations

import ast
import builtins
import doctest
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Final, NamedTuple, TypeAlias

from docs.site.pages import documents

MORE: Final = (Path("tests", "examples.md"), Path("tests", "integrations", "examples.md"))
"""Examples of names that no page shows, within the checkout. They are not pages of the site."""

LONGEST: Final = 16
"""Longer examples, in lines, show too many other things."""

_BLOCK: Final = re.compile(r"^```python\n(.*?)^```$", re.DOTALL | re.MULTILINE)


class Example(NamedTuple):
    """A block of Python on a page, which is named as in the site: "values", or "" for no page."""

    page: str
    text: str


class _Name(NamedTuple):
    """A public name and the module to import it from."""

    module: str
    name: str


class _Block(NamedTuple):
    """A block of a page, the imported names in it, and whether it works on its own."""

    text: str
    used: set[_Name]
    is_whole: bool


Found: TypeAlias = dict[tuple[str, str], Example]
"""The examples of names, by the module of a name and the name."""


def sources(root: Path) -> dict[Path, Path]:
    """Return the place of each file with examples in the site, by its path.

    ``root``: the checkout. The place of the files of more examples is the empty path.
    """
    more = [root / path for path in MORE]
    return {**documents(root), **{path: Path() for path in more if path.is_file()}}


def found(pages: dict[Path, Path], promised: dict[str, list[str]]) -> Found:
    """Return the shortest example of each name.

    One that works on its own is preferred, then one that shows no error.

    ``pages``: the place of each page in the site, by its file. ``promised``: the names of modules.
    """
    public = {_Name(module, name) for module, names in promised.items() for name in names}
    ranks: dict[_Name, tuple[bool, bool, int]] = {}
    best: Found = {}
    for path, place in pages.items():
        page = place.with_suffix("").as_posix() if place.name else ""
        for block in _blocks(path.read_text(encoding="utf-8")):
            rank = (not block.is_whole, "\nTraceback (" in block.text, len(block.text))
            for name in block.used & public:
                if name not in ranks or rank < ranks[name]:
                    ranks[name], best[name] = rank, Example(page, block.text)
    return best


def _blocks(page: str) -> Iterator[_Block]:
    """Yield the blocks of a page that are short enough."""
    imported: dict[str, _Name] = {}
    bound: set[str] = set(dir(builtins))
    for block in _BLOCK.finditer(page):
        text = block[1].rstrip("\n")
        try:
            tree = ast.parse(_code(text))
        except (SyntaxError, ValueError):
            continue  # it shows an error, or output without a prompt
        for node in ast.walk(tree):
            if isinstance(node, ast.ImportFrom) and node.module is not None:
                for alias in node.names:
                    imported[alias.asname or alias.name] = _Name(node.module, alias.name)
            if isinstance(node, ast.ImportFrom | ast.Import):
                bound |= {alias.asname or alias.name.partition(".")[0] for alias in node.names}
        if text.count("\n") < LONGEST:
            yield _Block(text, set(_used(tree, imported)), _read(tree) <= bound)


def _code(text: str) -> str:
    """Return a block's code: without prompts and outputs, if it has any."""
    if not text.startswith(">>> "):
        return text
    return "".join(example.source for example in doctest.DocTestParser().get_examples(text))


def _read(tree: ast.AST) -> set[str]:
    """Return the names that code reads but does not assign."""
    read: set[str] = set()
    made: set[str] = set()
    for node in ast.walk(tree):
        if isinstance(node, ast.Name):
            (read if isinstance(node.ctx, ast.Load) else made).add(node.id)
        elif isinstance(node, ast.arg):
            made.add(node.arg)
        elif isinstance(node, ast.FunctionDef | ast.ClassDef | ast.ExceptHandler) and node.name:
            made.add(node.name)
    return read - made


def _used(tree: ast.AST, imported: dict[str, _Name]) -> Iterator[_Name]:
    """Yield the names that code uses: imported ones, and those of ``weburl`` and its modules."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Name) and node.id in imported:
            yield imported[node.id]
        elif isinstance(node, ast.Attribute):
            module = ast.unparse(node.value)
            if module in imported:
                module = ".".join(imported[module])
            yield _Name(module, node.attr)
