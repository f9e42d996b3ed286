"""Reads the tables of `docs/coming-from/`, and runs their calls.

A row is "their call | our call | what differs". The first Python block of a page says what the
names in the cells stand for. It is read here as assignments: a name is made anew for each URL, and
only where a cell uses it, with the URL of the test for `text`.

The third cell may have examples: "`text` gives `their result`, here `our result`", without a text
for the page's own. Without an example, both calls give the same for the page's own text.

The index also has a grid, "you want | call | call | call | our call". Each of its calls is a row.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Any, Final, NamedTuple

PAGES: Final = Path(__file__).resolve().parents[2] / "docs" / "coming-from"
HEADING: Final = re.compile(r"^\| [^|]+ \| [^|]+ \| what differs \|\n\|[-|]+\|\n", re.MULTILINE)
GRID: Final = re.compile(r"^\| you want \|.+\|\n\|[-|]+\|\n((?:\|.+\|\n)+)", re.MULTILINE)
EXAMPLE: Final = re.compile(r"(?:`([^`]+)` )?gives `([^`]+)`, here `([^`]+)`")


class Example(NamedTuple):
    """A text, or None for the page's own, and the results of both calls as Python writes them."""

    text: str | None
    theirs: str
    ours: str


class Row(NamedTuple):
    """A row of a table, with two expressions and what it says about the difference."""

    page: str
    theirs: str
    ours: str
    differs: str

    @property
    def examples(self) -> list[Example]:
        """The examples in the third cell."""
        return [Example(text or None, *rest) for text, *rest in EXAMPLE.findall(self.differs)]


class Raised(NamedTuple):
    """The result of a call that raised an error."""

    error: type[Exception]


class Expression:
    """The Python code in a cell or of a name on the page, and the names in it."""

    def __init__(self, code: str) -> None:
        """Read the code."""
        tree = ast.parse(code, mode="eval")
        self.code = compile(tree, code, "eval")
        # In this order: a set's would be another in each run.
        found = (node.id for node in ast.walk(tree) if isinstance(node, ast.Name))
        self.names = list(dict.fromkeys(found))


class Names:
    """What the names in the cells of a page stand for."""

    def __init__(self, page: str) -> None:
        """Read the first Python block of a page. Imports are made now, assignments later."""
        text = (PAGES / f"{page}.md").read_text(encoding="utf-8")
        block = re.search(r"```python\n(.*?)```", text, re.DOTALL)
        assert block, page
        self._imported: dict[str, Any] = {}
        self._assigned: dict[str, Expression] = {}
        for statement in ast.parse(block[1]).body:
            if isinstance(statement, ast.Assign):
                [target] = statement.targets
                assert isinstance(target, ast.Name)
                self._assigned[target.id] = Expression(ast.unparse(statement.value))
            else:
                exec(compile(ast.Module([statement], []), page, "exec"), self._imported)

    def outcome(self, code: str, text: str | None = None) -> Any:
        """Return what a cell gives for a URL, in the form that is compared, or what it raised."""
        expression = Expression(code)
        names = {} if text is None else {"text": text}
        try:
            self._make(expression, names)
            return plain(eval(expression.code, {**self._imported, **names}))
        except Exception as error:  # noqa: BLE001  # They raise what they like.
            return Raised(type(error))

    def _make(self, expression: Expression, names: dict[str, Any]) -> None:
        """Add the value of each name in the expression, and of the names that it needs."""
        for name in expression.names:
            if name in self._assigned and name not in names:
                assigned = self._assigned[name]
                self._make(assigned, names)
                names[name] = eval(assigned.code, {**self._imported, **names})


@cache
def names(page: str) -> Names:
    """Return the names that the first Python block of a page defines."""
    return Names(page)


def differ(one: Any, other: Any) -> bool:
    """Return whether two outcomes differ. All errors count as equal."""
    return type(one) is not type(other) or (one != other and not isinstance(one, Raised))


def shown(outcome: Any) -> str:
    """Return an outcome as a page writes it."""
    return outcome.error.__name__ if isinstance(outcome, Raised) else repr(outcome)


def plain(value: Any) -> Any:
    """Return a value as it is compared: a URL and a host as text, a tuple as a list."""
    if value is None or isinstance(value, bool | int | bytes):
        return value
    if isinstance(value, str):
        return str(value)  # not a subclass of it
    if hasattr(value, "geturl"):
        return value.geturl()
    if isinstance(value, list | tuple):
        return [plain(item) for item in value]
    if isinstance(value, dict):
        return {plain(key): plain(item) for key, item in value.items()}
    return str(value)


def _rows(page: Path) -> Iterator[Row]:
    text = page.read_text(encoding="utf-8")
    for grid in GRID.finditer(text):
        for line in grid[1].splitlines():
            *others, ours = [cell.strip() for cell in line.split("|")][2:-1]
            for theirs in filter(None, others):
                yield Row(page.stem, theirs.strip("`"), ours.strip("`"), "")
    for heading in HEADING.finditer(text):
        for line in text[heading.end() :].splitlines():
            if not line.startswith("|"):
                break
            cells = [cell.strip().replace("\\|", "|") for cell in re.split(r"(?<!\\)\|", line)]
            theirs, ours, differs = cells[1:-1]
            assert (theirs[0], theirs[-1], ours[0], ours[-1]) == ("`",) * 4, line
            yield Row(page.stem, theirs[1:-1], ours[1:-1], differs)


TABLES: Final = [row for page in sorted(PAGES.glob("*.md")) for row in _rows(page)]
"""All rows of all pages."""
