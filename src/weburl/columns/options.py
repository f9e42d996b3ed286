"""The names and the options of functions of columns. Nothing here imports pyarrow."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final, Literal, TypeAlias, get_args

from weburl.standard.infra.credentials import masked_value

Part: TypeAlias = Literal[
    "scheme", "username", "password", "host", "host_kind", "port", "path", "query", "fragment"
]
"""The names of the parts of a URL, as in the struct that `parse` returns."""

PARTS: Final[tuple[Part, ...]] = get_args(Part)
"""The names of the parts, in the order of `parse`."""

LinkField: TypeAlias = Literal[
    "href",
    "kind",
    "element",
    "attribute",
    "input",
    "text",
    "rel",
    "target",
    "line",
    "column",
    "error",
]
"""The names of what a link of a page has."""

LINK_FIELDS: Final[tuple[LinkField, ...]] = get_args(LinkField)
"""The names of all fields of links."""
DEFAULT_LINK_FIELDS: Final = LINK_FIELDS[:5]
"""The fields of links if no others are named."""
SQL_LINK_FIELDS: Final = LINK_FIELDS[:7]
"""The fields of links in SQL, where no others can be named."""

Answer: TypeAlias = Literal[
    "text",
    "part",
    "bool",
    "int32",
    "int64",
    "name",
    "reason",
    "parts",
    "segments",
    "params",
    "links",
]
"""The types of answers. A "part" is text or, for some, another type. A "name" is of a failure, and
a "reason" is of a failure or a violation."""

ByName: TypeAlias = Literal["host_lists", "policies"]
"""The values that engines are given by name: lists of hosts, and policies."""

Errors: TypeAlias = Literal["null", "raise", "name"]
"""What happens to rows that do not parse."""

Progress: TypeAlias = Callable[[int, int], object]
"""Called with the number of rows done and the number of all rows."""

TYPES_AND_DEFAULTS: Final[dict[str, tuple[str, Any]]] = {
    "private": ("bool", True),
    "suffixes": ("PublicSuffixList | None", None),
    "errors": ("Errors", "null"),
    "workers": ("int | None", None),
    "progress": ("Progress | None", None),
}
"""The options after the arguments of a function, each with its type and its default."""


def require_errors(errors: object) -> None:
    """Raise ValueError for an unknown value of ``errors``."""
    if errors not in get_args(Errors):
        raise ValueError(f"errors must be 'null', 'raise' or 'name', not {masked_value(errors)}")


def require_workers(workers: object) -> None:
    """Raise ValueError if ``workers`` is neither None nor a number from 1."""
    if workers is not None and (type(workers) is not int or workers < 1):
        raise ValueError(f"workers must be a number from 1, not {masked_value(workers)}")


def names_and_prefixes(text: str) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """Return the names of parameters in ``text``, and the prefixes: "ref,utm_*" has one of each.

    Raises ValueError for an empty name or prefix.
    """
    names = [name.strip(" ") for name in text.split(",")]
    if not all(names):
        raise ValueError("the names of parameters are separated by commas, such as 'ref,utm_*'")
    prefixes = tuple(name[:-1] for name in names if name.endswith("*"))
    if "" in prefixes:
        raise ValueError("an empty prefix would remove every parameter")
    return tuple(name for name in names if not name.endswith("*")), prefixes
