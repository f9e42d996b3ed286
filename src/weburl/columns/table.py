"""The functions of columns, each once. All engines, SQL, the stubs and the page follow this table.

A new function is a row here, its names in `sql_names.txt`, its kernel in `kernels`, and its test.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable
from importlib.resources import files
from typing import Final, Literal, cast

import attrs

from weburl.columns import kernels
from weburl.columns.kernels import Kernel
from weburl.columns.options import Answer, ByName, Part

PREFIX: Final = "url_"
"""What the names of all functions for URLs begin with."""

_NAMED_VALUES: Final[dict[tuple[str, ...], ByName]] = {
    ("list",): "host_lists",
    ("policy",): "policies",
}


@attrs.frozen
class SQLName:
    """A name of a function in SQL, what it returns in a few words, and its other arguments."""

    function: str
    name: str
    meaning: str
    others: tuple[str, ...] = ()

    @property
    def part(self) -> Part | None:
        """The part of the URL that it returns, if it returns one."""
        name = self.name.removeprefix(PREFIX)
        return cast("Part", name) if self.function == "part" else None

    @property
    def or_error(self) -> bool:
        """Whether it returns a struct with the name of the failure."""
        return self.name.endswith("_or_error")

    @property
    def private(self) -> bool:
        """Whether the list's section of private domains counts."""
        return not self.name.endswith("_without_private")

    @property
    def by_name(self) -> ByName | None:
        """Which values it looks up by a name, if an engine is given some."""
        return _NAMED_VALUES.get(self.others)


@attrs.frozen
class Function:
    """A function of `weburl.columns`.

    ``base``: whether it takes a base. ``column``: the argument that can also be a column.
    ``has_errors``: whether it takes ``errors``. ``in_python``: whether Python runs for each value
    in the compiled build too, so that several workers are processes. ``of_hosts``: whether it takes
    bare hosts. ``of_pages``: whether it takes HTML, so that it is in `weburl.columns.html`.
    """

    name: str
    answer: Answer
    base: Literal["optional", "required"] | None = attrs.field(default=None, kw_only=True)
    column: str | None = attrs.field(default=None, kw_only=True)
    has_errors: bool = attrs.field(default=True, kw_only=True)
    in_python: bool = attrs.field(default=False, kw_only=True)
    of_hosts: bool = attrs.field(default=False, kw_only=True)
    of_pages: bool = attrs.field(default=False, kw_only=True)

    @property
    def kernel(self) -> Callable[..., Kernel] | None:
        """Makes its kernel of its arguments; None if it is written by itself."""
        made: Callable[..., Kernel] | None = vars(kernels).get(self.name)
        return made

    @property
    def sql(self) -> tuple[SQLName, ...]:
        """Its names in SQL."""
        return tuple(sql for sql in SQL_NAMES if sql.function == self.name)

    @property
    def takes(self) -> str:
        """The kind of its first argument."""
        return "host" if self.of_hosts else "body" if self.of_pages else "url"

    @property
    def takes_suffixes(self) -> bool:
        """Whether it takes the options for public suffixes."""
        kernel = self.kernel
        return kernel is not None and "suffixes" in inspect.signature(kernel).parameters


FUNCTIONS: Final = (
    Function("canonicalize", "text", base="optional"),
    Function("can_parse", "bool", base="optional", has_errors=False),
    Function("check", "name", base="optional", has_errors=False),
    Function("parse", "parts", base="optional"),
    Function("part", "part"),
    Function("host", "text"),
    Function("resolve", "text", base="required"),
    Function("render", "text", in_python=True),
    Function("origin", "text"),
    Function("site", "text"),
    Function("registrable_domain", "text"),
    Function("search_param", "text", column="name"),
    Function("search_params", "params", in_python=True),
    Function("path_segments", "segments"),
    Function("same_site", "bool", column="other"),
    Function("matches", "bool", column="pattern", in_python=True),
    Function("in_host_list", "bool"),
    Function("allowed", "bool", has_errors=False),
    Function("refusal", "reason", has_errors=False),
    Function("key", "text"),
    Function("key_hash", "int64", in_python=True),
    Function("surt", "text"),
    Function("path_depth", "int32"),
    Function("file_name", "text"),
    Function("file_extension", "text"),
    Function("without_query_params", "text", in_python=True),
    Function("canonical_host", "text", of_hosts=True),
    Function("is_ip", "bool", of_hosts=True),
    Function("host_in_host_list", "bool", of_hosts=True),
    Function("registrable_domain_of_host", "text", of_hosts=True),
    Function("public_suffix", "text", of_hosts=True),
    Function("subdomain", "text", of_hosts=True),
    Function("links", "links", column="addresses", of_pages=True),
    Function("lookalikes", "text", in_python=True),
)
"""Every function."""

_TABLE: Final = files(__package__).joinpath("sql_names.txt").read_text("utf-8")
_ROWS: Final = [row.split(" | ") for row in _TABLE.splitlines() if not row.startswith("#")]

SQL_NAMES: Final = tuple(
    SQLName(function, name, meaning, tuple(others)) for function, name, *others, meaning in _ROWS
)
"""Every name in SQL, those of a function together."""

BY_NAME: Final = {function.name: function for function in FUNCTIONS}
