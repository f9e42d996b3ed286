"""The pages of the API reference: one for each public module, with an entry for each public name.

They contain directives of autodoc, which takes signatures and docstrings from the code.
"""

from __future__ import annotations

import importlib
import inspect
import textwrap
from collections.abc import Iterator
from enum import Enum
from pathlib import Path
from typing import Final

from docs.site import examples, pages, promised

DIRECTORY: Final = "reference"

# The heading for each module: that of the first prefix that matches.
_GROUPS: Final = {
    "weburl.integrations.": "weburl with other libraries",
    "weburl.history.": "Older rules",
    "weburl": "weburl, without Django",
    "django_whatwg_url.integrations.": "Django with other libraries",
    "django_whatwg_url": "Django",
}
_ORDER: Final = [
    "weburl, without Django",
    "Django",
    "Django with other libraries",
    "weburl with other libraries",
    "Older rules",
]


def write(root: Path, target: Path) -> None:
    """Write the pages into ``target``, the sources of the site; ``root`` is the checkout."""
    directory = target / DIRECTORY
    directory.mkdir()
    modules = promised.names(root)
    shown = examples.found(pages.documents(root), modules)
    for module, names in modules.items():
        page = "\n".join(_page(module, names, shown, modules))
        (directory / f"{module}.rst").write_text(page, encoding="utf-8")
    (directory / "index.rst").write_text("\n".join(_index(modules)), encoding="utf-8")


def _heading(text: str, line: str) -> list[str]:
    return [text, line * len(text), ""]


def _index(modules: dict[str, list[str]]) -> Iterator[str]:
    """Yield the lines of the first page."""
    yield from _heading("API reference", "=")
    yield "Every public name, by the module to import it from. :doc:`/stability` explains what is"
    yield "promised. The :ref:`genindex` lists all names alphabetically."
    yield ""
    for group in _ORDER:
        yield from _heading(group, "-")
        yield from (".. toctree::", "   :maxdepth: 1", "")
        yield from (f"   {module}" for module in modules if _group(module) == group)
        yield ""


def _group(module: str) -> str:
    return next(group for prefix, group in _GROUPS.items() if module.startswith(prefix))


def _page(
    module: str,
    names: list[str],
    shown: examples.Found,
    modules: dict[str, list[str]],
) -> Iterator[str]:
    """Yield the lines of a module's page."""
    yield from _heading(module, "=")
    yield f".. automodule:: {module}"
    yield "   :no-members:"
    yield ""
    if len(names) > 1:
        yield ".. names-of-module::"
        yield ""
        yield from (f"   {module}.{name}" for name in names)
        yield ""
    for name in names:
        yield from _entry(module, name, modules)
        example = shown.get((module, name))
        if example is not None:
            yield f"   Example, from :doc:`/{example.page}`:"
            yield ""
            yield "   .. code-block:: python"
            yield ""
            yield textwrap.indent(example.text, " " * 6)
            yield ""


def _entry(module: str, name: str, modules: dict[str, list[str]]) -> Iterator[str]:
    """Yield the directive of a name; more lines can follow."""
    value = getattr(importlib.import_module(module), name)
    home = getattr(value, "__module__", None)
    if isinstance(value, type):
        kind = "exception" if issubclass(value, BaseException) else "class"
    else:
        kind = "function" if inspect.isroutine(value) else "data"
    if kind != "data" and home != module and name in modules.get(str(home), ()):
        yield f".. py:{kind}:: {name}"
        yield f"   :module: {module}"
        yield ""
        yield f"   The same as :py:obj:`{home}.{name}`."
    elif kind == "class" and module != "weburl" and name in modules["weburl"]:
        # Not as a class: the name in an annotation means the class of `weburl`.
        yield f".. py:data:: {name}"
        yield f"   :module: {module}"
        yield ""
        yield f"   For annotations. To a type checker it is :py:obj:`weburl.{name}`."
    else:
        yield f".. auto{kind}:: {module}.{name}"
        if isinstance(value, type):
            yield "   :members:"
            if issubclass(value, Enum):
                yield "   :undoc-members:"
    yield ""
