"""Writes the stubs of `weburl.columns` from its table: ``python -m tests.columns.stubs``."""

from __future__ import annotations

import inspect
from inspect import Parameter, Signature
from pathlib import Path
from typing import Final

import weburl.columns
from weburl.columns import functions, methods
from weburl.columns.sql import FUNCTIONS as IN_SQL
from weburl.columns.table import FUNCTIONS

FOLDER: Final = Path(weburl.columns.__file__).parent
_WRITTEN: Final = "# Written by `python -m tests.columns.stubs` from the table in table.py.\n"
_COMMON: Final = """
from collections.abc import Iterable

from weburl.columns.options import Errors as Errors
from weburl.columns.options import Progress as Progress
from weburl.columns.options import Part as Part
from weburl.keys import KeyRules, SURTProfile
from weburl.lookalikes import ProtectedNames
from weburl.patterns.pattern import URLPattern
from weburl.policies.host_list import HostList
from weburl.policies.policy import URLPolicy
from weburl.public_suffix import PublicSuffixList
from weburl.standard.rendering.text import Only
from weburl.standard.url.record import URLRecord
"""
_OF_FUNCTIONS: Final = """
from weburl.columns.arrow import ArrowArrayExportable as ArrowArrayExportable
from weburl.columns.arrow import ArrowColumn as ArrowColumn
from weburl.columns.arrow import ArrowStreamExportable as ArrowStreamExportable
from weburl.columns.arrow import Column as Column
from weburl.columns.functions import Base as Base
from weburl.columns.ports import OtherPortsWarning as OtherPortsWarning
from weburl.columns.running import BareHostsWarning as BareHostsWarning

"""
_OF_METHODS: Final = """
from abc import ABC
from typing import Generic, TypeVar

_Own = TypeVar("_Own")
_Parts = TypeVar("_Parts")

class MethodsOfTable(ABC, Generic[_Own, _Parts]):
"""
_OF_SPARK: Final = """
from pyspark.sql import Column

from weburl.policies.host_list import HostList
from weburl.policies.policy import URLPolicy

"""
_VALUES: Final = {"host_lists": "HostList", "policies": "URLPolicy"}


def _text(name: str, signature: Signature, indent: str = "") -> str:
    """Return the declaration of a function in a stub."""
    parameters: list[str] = []
    is_keyword = False
    for each in signature.parameters.values():
        star = "*" if each.kind is Parameter.VAR_POSITIONAL else ""
        if each.kind is Parameter.VAR_POSITIONAL:
            is_keyword = True
        elif each.kind is Parameter.KEYWORD_ONLY and not is_keyword:
            parameters.append("*")
            is_keyword = True
        type_ = "" if each.annotation is Parameter.empty else f": {each.annotation}"
        default = "" if each.default is Parameter.empty else f" = {_default(each.default)}"
        parameters.append(f"{star}{each.name}{type_}{default}")
    return f"{indent}def {name}({', '.join(parameters)}) -> {signature.return_annotation}: ...\n"


def _default(value: object) -> str:
    if isinstance(value, tuple) and value:
        return "..."
    return f'"{value}"' if isinstance(value, str) else repr(value)


def stubs() -> dict[str, str]:
    """Return the text of each stub by the name of its file."""
    names = f"[{', '.join(map(_default, functions.PUBLIC))}]"
    named = sorted(functions.FUNCTIONS_BY_NAME.items())
    own = "".join(_text(name, inspect.signature(function)) for name, function in named)
    of_methods = [
        _text(row.name, methods.signature_of(row), "    ") for row in FUNCTIONS if not row.of_pages
    ]
    in_spark = {function.name: len(function.arguments) * ["Column | str"] for function in IN_SQL}
    for row in FUNCTIONS:
        for sql in row.sql:
            if sql.by_name is not None:
                in_spark[sql.name] = ["Column | str", _VALUES[sql.by_name]]
    of_spark = []
    for name, types in sorted(in_spark.items()):
        arguments = ", ".join(f"_{at}: {each}" for at, each in enumerate(types))
        of_spark.append(f"def {name}({arguments}, /) -> Column: ...\n")
    return {
        "__init__.pyi": f"{_WRITTEN}{_COMMON}{_OF_FUNCTIONS}__all__ = {names}\n\n{own}",
        "_methods.pyi": f"{_WRITTEN}{_COMMON}{_OF_METHODS}{''.join(of_methods)}",
        "_spark.pyi": f"{_WRITTEN}{_OF_SPARK}{''.join(of_spark)}",
    }


def main() -> None:
    """Write the stubs."""
    for name, text in stubs().items():
        (FOLDER / name).write_text(text, encoding="utf-8")


if __name__ == "__main__":
    main()
