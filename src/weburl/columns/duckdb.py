"""The functions for SQL in DuckDB: `register` gives them to a connection.

Each is a Python UDF on Arrow: DuckDB passes some thousand rows at a time, as arrays. This file is
the only one to import DuckDB.
"""

from __future__ import annotations

from collections.abc import Callable
from inspect import Parameter, Signature
from threading import Lock
from typing import Final

import pyarrow as pa

from weburl.columns.arrow import Column
from weburl.columns.sql import FUNCTIONS, PREFIX, SQLFunction

try:
    from duckdb import DuckDBPyConnection
except ModuleNotFoundError as _error:
    if _error.name != "duckdb":
        raise
    raise ImportError("weburl.columns.duckdb needs duckdb: pip install duckdb") from None

__all__ = ["register"]

# Looking and giving must be one step: threads may register with cursors of one connection.
_REGISTERING: Final = Lock()
_TYPES: Final = {pa.string(): "VARCHAR", pa.bool_(): "BOOLEAN", pa.int32(): "INTEGER"}


def register(connection: DuckDBPyConnection, *, prefix: str = PREFIX) -> None:
    """Give a connection the functions for SQL: ``SELECT url_host(link) FROM links``.

    ``connection``: also the module ``duckdb``, for its default connection. All cursors of the
    connection have them too; they are not stored in the database. ``prefix``: what the names begin
    with, in the place of "url_": "weburl_" makes ``weburl_host``.

    To register again does nothing. Raises ValueError if other functions have some of these names,
    as those of DuckDB's extension urlpattern do, or if ``prefix`` has other characters than ASCII
    letters, digits and "_". Then nothing is registered.
    """
    wanted = {
        function.named(prefix).lower(): (["VARCHAR"] * len(function.arguments), type_of(function))
        for function in FUNCTIONS
    }
    with _REGISTERING:
        there = {
            name: (parameters, result)
            for name, parameters, result in connection.execute(
                # DuckDB quotes the names of some fields.
                "SELECT lower(function_name), parameter_types, replace(return_type, '\"', '')"
                " FROM duckdb_functions() WHERE list_contains(?, lower(function_name))",
                [list(wanted)],
            ).fetchall()
        }
        if there == wanted:
            return
        if there:
            raise ValueError(
                f"this database has other functions named {', '.join(sorted(there))}:"
                " choose another prefix, as in register(connection, prefix='weburl_')"
            )
        for function in FUNCTIONS:
            connection.create_function(  # type: ignore[call-overload]  # whose types know no names
                function.named(prefix),
                _COMPUTE[function.name],
                ["VARCHAR"] * len(function.arguments),
                type_of(function),
                type="arrow",
                null_handling="special",  # what does not parse is null, which the default forbids
            )


def type_of(function: SQLFunction) -> str:
    """Return the type of a function's answers, as DuckDB writes it."""
    if not pa.types.is_struct(function.result):
        return _TYPES[function.result]
    fields = (f"{field.name} {_TYPES[field.type]}" for field in function.result)
    return f"STRUCT({', '.join(fields)})"


def _with_arguments(function: SQLFunction) -> Callable[..., Column]:
    """Return what computes, with as many arguments as SQL has: DuckDB counts them."""

    def compute(*columns: pa.ChunkedArray) -> Column:
        return function.compute(*columns)

    arguments = [Parameter(name, Parameter.POSITIONAL_ONLY) for name in function.arguments]
    compute.__signature__ = Signature(arguments)  # type: ignore[attr-defined]
    return compute


# Never freed: another connection to the same database may call them after the one that they were
# given to is closed, and DuckDB would then crash.
_COMPUTE: Final = {function.name: _with_arguments(function) for function in FUNCTIONS}
