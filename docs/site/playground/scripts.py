"""Joins modules of JavaScript into one script, as a page that is opened as a file needs it.

Browsers load no module from a file. Each module becomes a function that returns what it exports.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Final

_IMPORT: Final = re.compile(r"^import (\{[^}]*\}) from \"\./(\w+)\.js\";$", re.MULTILINE)
_EXPORT: Final = re.compile(r"^export (?=(?:const|function) (\w+))", re.MULTILINE)


def joined(modules: Mapping[str, str]) -> str:
    """Return one script of ``modules``, their texts by name, each behind those that it imports.

    They import by ``import { a } from "./name.js";`` and export functions and constants. Raises
    ValueError for another way.
    """
    return '"use strict";\n' + "\n".join(_module(*module) for module in modules.items())


def _module(name: str, text: str) -> str:
    exported = ", ".join(_EXPORT.findall(text))
    text = _EXPORT.sub("", _IMPORT.sub(r"const \1 = \2_module;", text))
    if left := re.search(r"^(?:import|export)\b.*", text, re.MULTILINE):
        raise ValueError(f"{name}.js: this is not joined: {left[0]}")
    return f"const {name}_module = (() => {{\n{text}\nreturn {{ {exported} }};\n}})();\n"
