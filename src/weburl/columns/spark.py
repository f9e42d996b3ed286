"""The functions for SQL in Spark: `register` gives them to a session, and each works on columns.

``register(spark)`` is for SQL. For DataFrames there is a function of each name that takes columns
or their names and gives a column, as those of `pyspark.sql.functions` do:
``df.select(url_host("link"))``. This file is the only one to import PySpark.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from typing import Any, Final, TypeAlias

import pyarrow as pa

from weburl.columns.sql import FUNCTIONS, PREFIX, SQLFunction

try:
    from pyspark.sql import Column, SparkSession
    from pyspark.sql import functions as spark_functions
    from pyspark.sql.types import (
        BooleanType,
        DataType,
        IntegerType,
        StringType,
        StructField,
        StructType,
    )
except ModuleNotFoundError as _error:
    if (_error.name or "").partition(".")[0] != "pyspark":
        raise
    raise ImportError("weburl.columns.spark needs PySpark: pip install pyspark") from None

__all__ = [
    "register",
    "url_can_parse",
    "url_canonicalize",
    "url_error",
    "url_fragment",
    "url_host",
    "url_origin",
    "url_parse",
    "url_path",
    "url_port",
    "url_query",
    "url_registrable_domain",
    "url_resolve",
    "url_scheme",
    "url_search_param",
    "url_site",
]

_ColumnOrName: TypeAlias = "Column | str"
# What makes a UDF of a function gives something to call with columns.
_UDF: TypeAlias = Callable[..., Column]

_TYPES: Final[dict[pa.DataType, DataType]] = {
    pa.string(): StringType(),
    pa.bool_(): BooleanType(),
    pa.int32(): IntegerType(),
}
_FUNCTIONS: Final = {function.name: function for function in FUNCTIONS}


def register(spark: SparkSession, *, prefix: str = PREFIX) -> None:
    """Give a session the functions for SQL: ``SELECT url_host(link) FROM links``.

    ``prefix``: what the names begin with, in the place of "url_": "weburl_" makes ``weburl_host``.
    They are temporary functions of the session, and replace others of the same name. Raises
    ValueError if ``prefix`` has other characters than ASCII letters, digits and "_".
    """
    names = {function.named(prefix): function.name for function in FUNCTIONS}
    for name, own_name in names.items():
        spark.udf.register(name, _udf(own_name))


# --- for DataFrames: a string is the name of a column, as everywhere in PySpark ------------------


def url_canonicalize(url: _ColumnOrName) -> Column:
    """Return the href of each URL, as `weburl.columns.canonicalize` does."""
    return _udf("url_canonicalize")(url)


def url_can_parse(url: _ColumnOrName) -> Column:
    """Return whether each text parses, as `weburl.columns.can_parse` does."""
    return _udf("url_can_parse")(url)


def url_error(url: _ColumnOrName) -> Column:
    """Return why each text does not parse, as `weburl.columns.check` does; null if it does."""
    return _udf("url_error")(url)


def url_parse(url: _ColumnOrName) -> Column:
    """Return a struct of the parts of each URL, as `weburl.columns.parse` does: passwords too."""
    return _udf("url_parse")(url)


def url_scheme(url: _ColumnOrName) -> Column:
    """Return the scheme of each URL, without the colon."""
    return _udf("url_scheme")(url)


def url_host(url: _ColumnOrName) -> Column:
    """Return the host of each URL, without the port."""
    return _udf("url_host")(url)


def url_port(url: _ColumnOrName) -> Column:
    """Return the port of each URL as a number; null for the scheme's default port."""
    return _udf("url_port")(url)


def url_path(url: _ColumnOrName) -> Column:
    """Return the path of each URL."""
    return _udf("url_path")(url)


def url_query(url: _ColumnOrName) -> Column:
    """Return the query of each URL, without the question mark."""
    return _udf("url_query")(url)


def url_fragment(url: _ColumnOrName) -> Column:
    """Return the fragment of each URL, without the number sign."""
    return _udf("url_fragment")(url)


def url_origin(url: _ColumnOrName) -> Column:
    """Return the origin of each URL as text; "null" for an opaque one."""
    return _udf("url_origin")(url)


def url_site(url: _ColumnOrName) -> Column:
    """Return the site of each URL as text: "https://example.co.uk"."""
    return _udf("url_site")(url)


def url_registrable_domain(url: _ColumnOrName) -> Column:
    """Return the registrable domain of each URL's host: "example.co.uk"."""
    return _udf("url_registrable_domain")(url)


def url_resolve(url: _ColumnOrName, base: _ColumnOrName) -> Column:
    """Return the href of each URL, joined to its base; for one base, ``lit("https://…")``."""
    return _udf("url_resolve")(url, base)


def url_search_param(url: _ColumnOrName, name: _ColumnOrName) -> Column:
    """Return the first value of a name in each query, decoded; for one name, ``lit("q")``."""
    return _udf("url_search_param")(url, name)


# --- how they are made --------------------------------------------------------------------------


@cache  # so that Spark knows two calls for the same one, and computes it once
def _udf(name: str) -> _UDF:
    function = _FUNCTIONS[name]
    # Since Spark 4.1.
    return _on_arrow(function) if hasattr(spark_functions, "arrow_udf") else _on_pandas(function)


def _on_arrow(function: SQLFunction) -> _UDF:
    """Return a UDF that gets arrays of Arrow and returns one."""

    # Spark reads the types.
    def compute(*columns: pa.Array) -> pa.Array:
        return function.compute(*columns)

    compute.__name__ = function.name
    made: _UDF = spark_functions.arrow_udf(  # type: ignore[attr-defined]  # which it takes from elsewhere
        compute, _spark_type(function.result)
    )
    return made


def _on_pandas(function: SQLFunction) -> _UDF:
    """Return a UDF that gets Series of pandas, or single rows where a struct is made.

    In a pandas UDF a struct is a DataFrame, in which no row can be null.
    """
    result = _spark_type(function.result)
    # Spark would read types, and knows those of pandas alone: a lambda has none.
    if isinstance(result, StructType):
        of_row = lambda *texts: _of_row(function, texts)  # noqa: E731
        of_row.__name__ = function.name
        return spark_functions.udf(of_row, result)
    of_series = lambda *columns: _of_series(function, columns)  # noqa: E731
    of_series.__name__ = function.name
    made: _UDF = spark_functions.pandas_udf(of_series, result)  # type: ignore[attr-defined]
    return made


def _of_row(function: SQLFunction, texts: tuple[object, ...]) -> Any:  # noqa: ANN401
    """Return the answer for one row."""
    return function.compute(*(pa.array([text], pa.string()) for text in texts))[0].as_py()


def _of_series(function: SQLFunction, columns: tuple[object, ...]) -> Any:  # noqa: ANN401
    """Return a Series of the answers for Series."""
    import pandas as pd

    arrays = [pa.array(column, from_pandas=True) for column in columns]
    # Otherwise pandas makes numbers with gaps of ports, and of text what its version likes.
    return pd.Series(function.compute(*arrays).to_pylist(), dtype=object)


def _spark_type(type: pa.DataType) -> DataType:
    """Return the type of Spark for an Arrow type of an answer."""
    if pa.types.is_struct(type):
        return StructType([StructField(field.name, _spark_type(field.type)) for field in type])
    return _TYPES[type]
