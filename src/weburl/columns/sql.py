"""The SQL functions for engines: one table of names, arguments, types and implementations.

Each engine's own module registers this table and adds nothing to it. Text is plain text here, not a
dictionary, because engines declare one type for a function. Nothing here depends on an engine.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from functools import partial
from typing import Any, Final

import attrs

from weburl.standard.support.releases import required

with required("pyarrow>=18", "columns"):
    import pyarrow as pa

from weburl.columns.arrow import (
    Column,
    like,
    overflow,
    read_column,
    require_same_length,
)
from weburl.columns.functions import FUNCTIONS_BY_NAME
from weburl.columns.kernels import links_type, require_host_list, result_type
from weburl.columns.options import SQL_LINK_FIELDS, ByName, Errors, names_and_prefixes
from weburl.columns.pairs import texts_of_rows
from weburl.columns.parts import part_type
from weburl.columns.table import FUNCTIONS as TABLE
from weburl.columns.table import PREFIX, Function, SQLName
from weburl.policies.host_list import HostList
from weburl.policies.policy import URLPolicy, require_policy
from weburl.standard.infra.credentials import masked, masked_value
from weburl.standard.infra.strings import require_text, shortened

_OTHER_PREFIXES: Final = ("host_", "html_")


@attrs.frozen
class SQLFunction:
    """A function for SQL engines."""

    name: str
    """Its name: "url_host"."""
    arguments: tuple[str, ...]
    """The names of its arguments, all of which are text. A "body" can also be bytes."""
    result: pa.DataType
    """The Arrow type of its answers: string, bool, int32, or a struct, list or map of these."""
    meaning: str
    """What it returns, in a few words."""
    function: Callable[..., Column]
    """The function of `weburl.columns` that it calls, whose text may be of another type."""

    def compute(self, *columns: object) -> Column:
        """Return the answers for columns of text: one column of equal length for each argument.

        A row with null in an argument is null. So is a row that does not parse, except for
        ``url_can_parse``, ``url_error`` and the functions whose names end with ``_or_error``. If
        the first column is chunked, so is the result.

        Raises:
            TypeError: A column is missing or is not text.
            ValueError: The columns have different lengths.
            OverflowError: An array would have more than 2 GB of text.
        """
        if len(columns) != len(self.arguments):
            raise TypeError(f"{self.name} takes {len(self.arguments)} columns, not {len(columns)}")
        answers = self.function(*columns)
        if answers.type == self.result:
            return answers
        try:
            return answers.cast(self.result)
        except pa.ArrowInvalid:  # text that needs 64-bit offsets
            raise overflow() from None

    def named(self, prefix: str) -> str:
        """Return its name with another prefix: "weburl_host" for "url_host".

        The functions for hosts and for pages get it in front of their own: "weburl_host_is_ip".

        Raises ValueError for a prefix with characters other than ASCII letters, digits and "_".
        """
        if not (prefix.isascii() and f"{prefix}x".isidentifier()):
            raise ValueError(
                "a prefix may have only ASCII letters, digits and underscores, not"
                f" {masked_value(prefix)}"
            )
        if prefix == PREFIX and self.name.startswith(_OTHER_PREFIXES):
            return self.name
        return prefix + self.name.removeprefix(PREFIX)


def _by_names(
    of_name: Callable[[Column, str], Column], type: pa.DataType, urls: object, names: object
) -> Column:
    """Return, for each row, what a function makes of it with the name in the other column.

    Raises the errors of the function for a name that it does not have, in whatever row it is.
    """
    column, of_rows = read_column(urls, "the first column"), read_column(names, "the names")
    require_same_length(column, of_rows, "names")
    wanted = list(texts_of_rows(of_rows))
    different = {name for name in wanted if name is not None}
    if len(different) == 1 and None not in wanted:
        return of_name(column, different.pop())
    answers = {name: of_name(column, name).to_pylist() for name in different}
    values = [None if name is None else answers[name][row] for row, name in enumerate(wanted)]
    return like(column, [pa.array(values, type)], type)


def functions_by_name(
    *,
    host_lists: Mapping[str, HostList] | None = None,
    policies: Mapping[str, URLPolicy] | None = None,
) -> tuple[SQLFunction, ...]:
    """Return the functions whose second argument is the name of one of these values.

    ``host_lists``: for `in_host_list`. ``policies``: for `allowed` and `refusal`. Without lists or
    without policies, their functions are left out.

    Raises TypeError if a name is not text, or a value is not a `HostList` or a `URLPolicy`.
    """
    values: dict[ByName | None, dict[str, Any]] = {}
    if host_lists is not None:
        values["host_lists"] = _checked(host_lists, "list", require_host_list)
    if policies is not None:
        values["policies"] = _checked(policies, "policy", require_policy)
    return tuple(
        _sql_function(row, sql, partial(_by_names, _Named(row.name, own), _TYPES[row.answer]))
        for row in TABLE
        for sql in row.sql
        if (own := values.get(sql.by_name)) is not None
    )


def _checked(
    values: Mapping[str, object], what: str, require: Callable[[object], object]
) -> dict[str, Any]:
    if not isinstance(values, Mapping):
        raise TypeError(f"pass each {what} by its name, in a dict, not {type(values).__name__}")
    return {
        require_text(name, f"a name of a {what}"): require(value) for name, value in values.items()
    }


@attrs.frozen
class _Named:
    """Computes a column with the value of a name. It can be sent to other processes."""

    function: str
    values: dict[str, Any] = attrs.field(hash=False)

    def __call__(self, column: Column, name: str) -> Column:
        if name not in self.values:
            known = ", ".join(map(repr, sorted(self.values)))
            what = "list of hosts" if self.function.endswith("in_host_list") else "policy"
            # If the arguments are mixed up, it is a URL.
            shown = repr(shortened(masked(name)))
            raise ValueError(f"there is no {what} named {shown}; there are {known}")
        return FUNCTIONS_BY_NAME[self.function](column, self.values[name])


def _plain(type: pa.DataType) -> pa.DataType:
    """Return a type with plain text in place of dictionaries."""
    if pa.types.is_struct(type):
        return pa.struct([(field.name, _plain(field.type)) for field in type])
    return type.value_type if pa.types.is_dictionary(type) else type


_TYPES: Final = {
    row.answer: links_type(SQL_LINK_FIELDS)
    if row.of_pages
    else _plain(result_type(row.answer, pa.string()))
    for row in TABLE
}


def _sql_function(row: Function, sql: SQLName, function: Callable[..., Column]) -> SQLFunction:
    result = _TYPES[row.answer]
    options: dict[str, Any] = {}
    if sql.part is not None:
        result = _plain(part_type(sql.part, result))
        options["part"] = sql.part
    if not sql.private:
        options["private"] = False
    if sql.or_error:
        result = pa.struct([("value", result), ("error", pa.string())])
        options["errors"] = "name"
    return SQLFunction(
        sql.name,
        (row.takes, *sql.others),
        result,
        sql.meaning,
        partial(function, **options) if options else function,
    )


def _without(column: Column, text: str) -> Column:
    names, prefixes = names_and_prefixes(text)
    return FUNCTIONS_BY_NAME["without_query_params"](column, *names, prefixes=prefixes)


def _links(bodies: Column, addresses: Column, *, errors: Errors = "null") -> Column:
    from weburl.columns import html  # only links need the extra

    return html.links(bodies, addresses, fields=SQL_LINK_FIELDS, errors=errors)


def _sql_functions() -> Iterator[SQLFunction]:
    for row in TABLE:
        function: Callable[..., Column]
        if row.of_pages:
            function = _links
        elif row.name == "without_query_params":
            function = partial(_by_names, _without, pa.string())
        else:
            function = FUNCTIONS_BY_NAME[row.name]
        if row.name in ("key", "key_hash"):
            function = partial(_by_names, function, _TYPES[row.answer])
        for sql in row.sql:
            if sql.by_name is None:
                yield _sql_function(row, sql, function)


FUNCTIONS: Final = tuple(_sql_functions())
"""All functions except the ones of `functions_by_name`, in the order of the table."""

__all__ = ["FUNCTIONS", "PREFIX", "SQLFunction", "functions_by_name"]
