"""The SQL functions for DuckDB: `register` adds them to a connection.

Each is a Python UDF on Arrow: DuckDB passes some thousand rows at a time, as arrays. No other
module imports DuckDB.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from contextlib import suppress
from inspect import Parameter, Signature
from threading import Lock
from typing import Any, Final, TypeAlias

from weburl.columns.arrow import Column
from weburl.columns.options import ByName
from weburl.columns.sql import FUNCTIONS, PREFIX, SQLFunction, functions_by_name
from weburl.policies.host_list import HostList
from weburl.policies.policy import URLPolicy
from weburl.standard.support.releases import required

with required("duckdb>=1.2", "duckdb"):
    import numpy as np  # noqa: F401  # DuckDB needs it for functions of Python
    import pyarrow as pa
    from duckdb import DuckDBPyConnection, InvalidInputException


__all__ = ["register"]

_Computed: TypeAlias = tuple[SQLFunction, Callable[..., Column]]
"""A function, and what DuckDB calls for it."""

# Checking and registering must be one step: threads may use cursors of the same connection.
_REGISTERING: Final = Lock()
_TYPES: Final = {
    pa.string(): "VARCHAR",
    pa.bool_(): "BOOLEAN",
    pa.int32(): "INTEGER",
    pa.int64(): "BIGINT",
}


def register(
    connection: DuckDBPyConnection,
    *,
    prefix: str = PREFIX,
    host_lists: Mapping[str, HostList] | None = None,
    policies: Mapping[str, URLPolicy] | None = None,
) -> None:
    """Add the SQL functions to a connection, as in ``SELECT url_host(link) FROM links``.

    All cursors of the connection get them, too. They are not stored in the database. Registering
    again does nothing. After an error, nothing is registered.

    Args:
        connection: The connection, or the module ``duckdb`` for its default connection.
        prefix: What the names begin with instead of "url_": "weburl_" makes ``weburl_host``.
        host_lists: Lists of hosts by name, for ``url_in_host_list(link, 'name')`` and
            ``host_in_host_list(host, 'name')``. They replace other lists of the same connection.
        policies: Policies by name, for ``url_allowed(link, 'name')`` and
            ``url_refusal(link, 'name')``. Others replace them in the same way.

    Lists and policies are kept in memory until the program ends, because DuckDB may still call
    their functions. Registering equal ones again, on any connection, needs no more memory.

    Raises:
        TypeError: ``host_lists`` does not have names and `weburl.HostList` values, or ``policies``
            names and `weburl.URLPolicy` values.
        ValueError: Other functions have some of these names, as DuckDB's extension
            urlpattern does, or ``prefix`` has characters other than ASCII letters, digits and "_".
    """
    by_name = (*_kept("host_lists", host_lists), *_kept("policies", policies))
    own = _signatures(FUNCTIONS, prefix)
    replaced = _signatures((function for function, _ in by_name), prefix)
    with _REGISTERING:
        there = _signatures_in(connection, [*own, *replaced])
        has_own = own.items() <= there.items()
        others = {
            name
            for name, signature in there.items()
            if (name in own and not has_own) or replaced.get(name, signature) != signature
        }
        if others:
            raise ValueError(
                f"this database has other functions named {', '.join(sorted(others))}:"
                " choose another prefix, as in register(connection, prefix='weburl_')"
            )
        for function, compute in by_name:
            name = function.named(prefix)
            with suppress(InvalidInputException):  # There is none yet.
                connection.remove_function(name)
            _create(connection, name, function, compute)
        if not has_own:
            for function in FUNCTIONS:
                _create(connection, function.named(prefix), function, _COMPUTE[function.name])


_Signatures: TypeAlias = dict[str, tuple[list[str], str]]
"""For the names of functions in lowercase, the types of the arguments and of the result."""


def _signatures(functions: Iterable[SQLFunction], prefix: str) -> _Signatures:
    return {
        function.named(prefix).lower(): (
            _parameters(function) or ["ANY"],
            type_name(function.result),
        )
        for function in functions
    }


def _signatures_in(connection: DuckDBPyConnection, names: list[str]) -> _Signatures:
    """Return what there is in the database of functions with these names."""
    found = connection.execute(
        # DuckDB quotes the names of some fields.
        "SELECT lower(function_name), parameter_types, replace(return_type, '\"', '')"
        " FROM duckdb_functions() WHERE list_contains(?, lower(function_name))",
        [names],
    )
    return {name: (parameters, result) for name, parameters, result in found.fetchall()}


def _kept(
    by_name: ByName, values: Mapping[str, HostList] | Mapping[str, URLPolicy] | None
) -> tuple[_Computed, ...]:
    """Return the functions whose second argument is the name of a value, and what computes them.

    Equal values get the same functions, so that programs may register them for each connection.
    """
    if values is None:
        return ()
    wanted: dict[str, Any] = {by_name: values}
    made = tuple((each, _with_arguments(each)) for each in functions_by_name(**wanted))
    return _COMPUTE_BY_NAME.setdefault((by_name, frozenset(values.items())), made)


def _create(
    connection: DuckDBPyConnection,
    name: str,
    function: SQLFunction,
    compute: Callable[..., Column],
) -> None:
    connection.create_function(  # type: ignore[call-overload]  # types given as names
        name,
        compute,
        _parameters(function),
        type_name(function.result),
        type="arrow",
        null_handling="special",  # The default forbids the null for a failure.
    )


def _parameters(function: SQLFunction) -> list[str] | None:
    """Return the types of a function's arguments, or None for any number of any type.

    That is the only way to take text or bytes. The function looks at what it gets.
    """
    return None if "body" in function.arguments else ["VARCHAR"] * len(function.arguments)


def type_name(type: pa.DataType) -> str:
    """Return a type as DuckDB writes it."""
    if pa.types.is_struct(type):
        return f"STRUCT({', '.join(f'{field.name} {type_name(field.type)}' for field in type)})"
    if pa.types.is_list(type):
        return f"{type_name(type.value_type)}[]"
    if pa.types.is_map(type):
        return f"MAP({type_name(type.key_type)}, {type_name(type.item_type)})"
    return _TYPES[type]


def _with_arguments(function: SQLFunction) -> Callable[..., Column]:
    """Return a callable with as many parameters as the SQL function, because DuckDB counts them."""

    def compute(*columns: pa.ChunkedArray) -> Column:
        return function.compute(*columns)

    if _parameters(function) is None:
        return compute
    arguments = [Parameter(name, Parameter.POSITIONAL_ONLY) for name in function.arguments]
    compute.__signature__ = Signature(arguments)  # type: ignore[attr-defined]
    return compute


# Never freed: another connection to the same database may call them after the first one is closed,
# and DuckDB would then crash.
_COMPUTE: Final = {function.name: _with_arguments(function) for function in FUNCTIONS}
_COMPUTE_BY_NAME: Final[
    dict[tuple[ByName, frozenset[tuple[str, object]]], tuple[_Computed, ...]]
] = {}
