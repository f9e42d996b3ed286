"""The functions for Spark, for SQL and for DataFrames.

``register(spark)`` adds the SQL functions to a session. For DataFrames, the functions here take
columns or their names and return a column, like the functions of `pyspark.sql.functions`:
``df.select(url_host("link"))``. They are made of the table, and `_spark.pyi` has their types. No
other module imports PySpark.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import cache
from inspect import Parameter, Signature
from typing import TYPE_CHECKING, Any, Final, TypeAlias

from weburl.columns.sql import FUNCTIONS, PREFIX, SQLFunction, functions_by_name
from weburl.columns.table import FUNCTIONS as TABLE
from weburl.policies.host_list import HostList
from weburl.policies.policy import URLPolicy
from weburl.standard.support.releases import required

with required("pyspark>=4.1", "spark"):
    import pyarrow as pa
    from pyspark.sql import Column, SparkSession
    from pyspark.sql import functions as spark_functions
    from pyspark.sql.types import (
        ArrayType,
        BooleanType,
        DataType,
        IntegerType,
        LongType,
        MapType,
        StringType,
        StructField,
        StructType,
    )


if TYPE_CHECKING:
    from weburl.columns._spark import *  # noqa: F403

# A UDF of Spark, which is called with columns.
_UDF: TypeAlias = Callable[..., Column]

_TYPES: Final[dict[pa.DataType, DataType]] = {
    pa.string(): StringType(),
    pa.bool_(): BooleanType(),
    pa.int32(): IntegerType(),
    pa.int64(): LongType(),
}
_FUNCTIONS: Final = {function.name: function for function in FUNCTIONS}
_BY_NAME: Final = {sql.name: sql for row in TABLE for sql in row.sql if sql.by_name is not None}

__all__ = sorted([*_FUNCTIONS, *_BY_NAME, "register"])  # noqa: PLE0605  # they are text


def register(
    spark: SparkSession,
    *,
    prefix: str = PREFIX,
    host_lists: Mapping[str, HostList] | None = None,
    policies: Mapping[str, URLPolicy] | None = None,
) -> None:
    """Add the SQL functions to a session, as in ``SELECT url_host(link) FROM links``.

    They are temporary functions of the session and replace others with the same name.

    Args:
        spark: The session.
        prefix: What the names begin with instead of "url_": "weburl_" makes ``weburl_host``.
        host_lists: Lists of hosts by name, for ``url_in_host_list(link, 'name')`` and
            ``host_in_host_list(host, 'name')``. Spark sends them to its workers.
        policies: Policies by name, for ``url_allowed(link, 'name')`` and
            ``url_refusal(link, 'name')``.

    Raises:
        TypeError: ``host_lists`` does not have names and `weburl.HostList` values, or ``policies``
            names and `weburl.URLPolicy` values.
        ValueError: ``prefix`` has characters other than ASCII letters, digits and "_".
    """
    names = {function.named(prefix): function.name for function in FUNCTIONS}
    for name, own_name in names.items():
        spark.udf.register(name, _udf(own_name))
    for function in functions_by_name(host_lists=host_lists, policies=policies):
        spark.udf.register(function.named(prefix), _made(function))


# --- how they are made --------------------------------------------------------------------------


@cache  # Spark then sees that two calls are the same, and computes it once.
def _udf(name: str) -> _UDF:
    return _made(_FUNCTIONS[name])


def _for_data_frames(name: str, meaning: str, arguments: tuple[str, ...]) -> Callable[..., Column]:
    """Return the function of a name for DataFrames."""

    def function(*columns: Any) -> Column:  # noqa: ANN401
        if len(columns) != len(arguments):
            raise TypeError(f"{name}() takes {', '.join(arguments)}")
        if name not in _BY_NAME:
            return _udf(name)(*columns)
        column, value = columns
        values: dict[str, Any] = {str(_BY_NAME[name].by_name): {"": value}}
        found = {function.name: function for function in functions_by_name(**values)}
        return _made(found[name])(column, spark_functions.lit(""))

    made: Any = function
    made.__name__ = made.__qualname__ = name
    made.__doc__ = f"Return for each row: {meaning}."
    made.__signature__ = Signature(
        [Parameter(argument, Parameter.POSITIONAL_ONLY) for argument in arguments]
    )
    return function


for _row in TABLE:
    for _sql in _row.sql:
        globals()[_sql.name] = _for_data_frames(_sql.name, _sql.meaning, (_row.takes, *_sql.others))


def _made(function: SQLFunction) -> _UDF:
    """Return a UDF that takes Arrow arrays and returns one."""

    # Spark reads these annotations.
    def compute(*columns: pa.Array) -> pa.Array:
        return function.compute(*columns)

    compute.__name__ = function.name
    made: _UDF = spark_functions.arrow_udf(  # type: ignore[attr-defined]  # which it takes from elsewhere
        compute, _spark_type(function.result)
    )
    return made


def _spark_type(type: pa.DataType) -> DataType:
    """Return the Spark type for the Arrow type of an answer."""
    if pa.types.is_struct(type):
        return StructType([StructField(field.name, _spark_type(field.type)) for field in type])
    if pa.types.is_list(type):
        return ArrayType(_spark_type(type.value_type))
    if pa.types.is_map(type):
        return MapType(_spark_type(type.key_type), _spark_type(type.item_type))
    return _TYPES[type]
