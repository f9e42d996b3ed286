"""Joins JavaScript modules into one script, for a page that is opened as a file.

Browsers do not load modules from files. Each module becomes a function that returns its exports.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Final

_IMPORT: Final = re.compile(r"^import (\{[^}]*\}) from \"\./(\w+)\.js\";$", re.MULTILINE)
_EXPORT: Final = re.compile(r"^export (?=(?:const|function) (\w+))", re.MULTILINE)


def joined(modules: Mapping[str, str]) -> str:
    """Return one script made of ``modules``: their texts by name, each after those that it imports.

    Imports must have the form ``import { a } from "./name.js";``. Exports must be functions or
    constants. Raises ValueError for any other import or export.
    """
    return '"use strict";\n' + "\n".join(_module(*module) for module in modules.items())


def _module(name: str, text: str) -> str:
    exported = ", ".join(_EXPORT.findall(text))
    text = _EXPORT.sub("", _IMPORT.sub(r"const \1 = \2_module;", text))
    if left := re.search(r"^(?:import|export)\b.*", text, re.MULTILINE):
        raise ValueError(f"{name}.js: this is not joined: {left[0]}")
    return f"const {name}_module = (() => {{\n{text}\nreturn {{ {exported} }};\n}})();\n"
