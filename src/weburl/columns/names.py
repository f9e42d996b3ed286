"""The names of parts, of fields of links and of types of answers. Nothing here imports pyarrow."""

from __future__ import annotations

from typing import Final, Literal, TypeAlias, get_args

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
