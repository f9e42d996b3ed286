"""The functions for Spark, for SQL and for DataFrames.

``register(spark)`` adds the SQL functions to a session. For DataFrames, the functions here take
columns or their names and return a column, like the functions of `pyspark.sql.functions`:
``df.select(url_host("link"))``. No other module imports PySpark.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import cache
from typing import Any, Final, TypeAlias

import pyarrow as pa

from weburl.columns.sql import FUNCTIONS, PREFIX, SQLFunction, functions_by_name
from weburl.columns.table import ByName
from weburl.policies.host_list import HostList
from weburl.policies.policy import URLPolicy
from weburl.standard.infra.releases import required

with required("pyspark", "spark"):
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


__all__ = [
    "host_canonicalize",
    "host_in_host_list",
    "host_is_ip",
    "host_public_suffix",
    "host_registrable_domain",
    "host_registrable_domain_without_private",
    "host_subdomain",
    "html_links",
    "html_links_or_error",
    "register",
    "url_allowed",
    "url_can_parse",
    "url_canonicalize",
    "url_canonicalize_or_error",
    "url_error",
    "url_file_extension",
    "url_file_name",
    "url_fragment",
    "url_host",
    "url_in_host_list",
    "url_key",
    "url_key_hash",
    "url_matches",
    "url_origin",
    "url_parse",
    "url_parse_or_error",
    "url_path",
    "url_path_depth",
    "url_path_segments",
    "url_port",
    "url_query",
    "url_refusal",
    "url_registrable_domain",
    "url_registrable_domain_without_private",
    "url_render",
    "url_resolve",
    "url_same_site",
    "url_scheme",
    "url_search_param",
    "url_search_params",
    "url_site",
    "url_site_without_private",
    "url_surt",
    "url_without_query_params",
]

_ColumnOrName: TypeAlias = "Column | str"
# A UDF of Spark, which is called with columns.
_UDF: TypeAlias = Callable[..., Column]

_TYPES: Final[dict[pa.DataType, DataType]] = {
    pa.string(): StringType(),
    pa.bool_(): BooleanType(),
    pa.int32(): IntegerType(),
    pa.int64(): LongType(),
}
_FUNCTIONS: Final = {function.name: function for function in FUNCTIONS}


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


# --- for DataFrames: a string is the name of a column, as everywhere in PySpark ------------------


def url_canonicalize(url: _ColumnOrName) -> Column:
    """Return the href of each URL, as `weburl.columns.canonicalize` does."""
    return _udf("url_canonicalize")(url)


def url_can_parse(url: _ColumnOrName) -> Column:
    """Return whether each text parses, as `weburl.columns.can_parse` does."""
    return _udf("url_can_parse")(url)


def url_error(url: _ColumnOrName) -> Column:
    """Return why each text does not parse, as `weburl.columns.check` does, or null."""
    return _udf("url_error")(url)


def url_parse(url: _ColumnOrName) -> Column:
    """Return a struct of the parts of each URL, with passwords, as `weburl.columns.parse` does."""
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
    """Return the origin of each URL as text, "null" for an opaque one."""
    return _udf("url_origin")(url)


def url_site(url: _ColumnOrName) -> Column:
    """Return the site of each URL as text: "https://example.co.uk"."""
    return _udf("url_site")(url)


def url_registrable_domain(url: _ColumnOrName) -> Column:
    """Return the registrable domain of each URL's host: "example.co.uk"."""
    return _udf("url_registrable_domain")(url)


def url_registrable_domain_without_private(url: _ColumnOrName) -> Column:
    """Return the registrable domain without the list's private domains, such as github.io."""
    return _udf("url_registrable_domain_without_private")(url)


def url_site_without_private(url: _ColumnOrName) -> Column:
    """Return the site of each URL without the list's private domains."""
    return _udf("url_site_without_private")(url)


def url_resolve(url: _ColumnOrName, base: _ColumnOrName) -> Column:
    """Return the href of each URL, joined to its base. ``lit("https://…")`` is one base for all."""
    return _udf("url_resolve")(url, base)


def url_search_param(url: _ColumnOrName, name: _ColumnOrName) -> Column:
    """Return the first value of a name in each query, decoded. ``lit("q")`` is one name for all."""
    return _udf("url_search_param")(url, name)


def url_key(url: _ColumnOrName, rules: _ColumnOrName) -> Column:
    """Return the key of each URL by the ready rules of a name, ``lit("page")``, or by JSON."""
    return _udf("url_key")(url, rules)


def url_without_query_params(url: _ColumnOrName, names: _ColumnOrName) -> Column:
    """Return each URL without the params of these names: ``lit("ref,utm_*")`` for all."""
    return _udf("url_without_query_params")(url, names)


def url_key_hash(url: _ColumnOrName, rules: _ColumnOrName) -> Column:
    """Return a number for the key of each URL, as `weburl.columns.key_hash` does."""
    return _udf("url_key_hash")(url, rules)


def url_surt(url: _ColumnOrName) -> Column:
    """Return the key of each URL in the index of web archives."""
    return _udf("url_surt")(url)


def url_search_params(url: _ColumnOrName) -> Column:
    """Return all params of each URL: a map from each name to the array of its values."""
    return _udf("url_search_params")(url)


def url_path_segments(url: _ColumnOrName) -> Column:
    """Return the segments of each URL's path as an array, decoded."""
    return _udf("url_path_segments")(url)


def url_path_depth(url: _ColumnOrName) -> Column:
    """Return how many segments each URL's path has."""
    return _udf("url_path_depth")(url)


def url_file_name(url: _ColumnOrName) -> Column:
    """Return the last segment of each URL's path, decoded."""
    return _udf("url_file_name")(url)


def url_file_extension(url: _ColumnOrName) -> Column:
    """Return the end of each URL's file name from its last dot on: ".gz"."""
    return _udf("url_file_extension")(url)


def url_matches(url: _ColumnOrName, pattern: _ColumnOrName) -> Column:
    """Return whether each URL matches its pattern. ``lit("https://*/a")`` is one for all."""
    return _udf("url_matches")(url, pattern)


def url_same_site(url: _ColumnOrName, other: _ColumnOrName) -> Column:
    """Return whether two URLs have the same scheme and registrable domain."""
    return _udf("url_same_site")(url, other)


def url_render(url: _ColumnOrName) -> Column:
    """Return each URL as text for people to read, without username and password."""
    return _udf("url_render")(url)


def url_canonicalize_or_error(url: _ColumnOrName) -> Column:
    """Return structs of ``value``, the href, and ``error``, why there is none."""
    return _udf("url_canonicalize_or_error")(url)


def url_parse_or_error(url: _ColumnOrName) -> Column:
    """Return structs of ``value``, the parts, and ``error``, why there are none."""
    return _udf("url_parse_or_error")(url)


def host_canonicalize(host: _ColumnOrName) -> Column:
    """Return each bare host as it is in a URL."""
    return _udf("host_canonicalize")(host)


def host_is_ip(host: _ColumnOrName) -> Column:
    """Return whether each bare host is an IP address."""
    return _udf("host_is_ip")(host)


def host_registrable_domain(host: _ColumnOrName) -> Column:
    """Return the registrable domain of each bare host: "example.co.uk"."""
    return _udf("host_registrable_domain")(host)


def host_registrable_domain_without_private(host: _ColumnOrName) -> Column:
    """Return the registrable domain of each bare host without the list's private domains."""
    return _udf("host_registrable_domain_without_private")(host)


def host_public_suffix(host: _ColumnOrName) -> Column:
    """Return the public suffix of each bare host: "co.uk"."""
    return _udf("host_public_suffix")(host)


def host_subdomain(host: _ColumnOrName) -> Column:
    """Return the part before the registrable domain of each bare host: "www"."""
    return _udf("host_subdomain")(host)


def html_links(body: _ColumnOrName, address: _ColumnOrName) -> Column:
    """Return the links of each page of HTML, text or bytes, as an array of structs."""
    return _udf("html_links")(body, address)


def html_links_or_error(body: _ColumnOrName, address: _ColumnOrName) -> Column:
    """Return structs of ``value``, the links, and ``error``, why there are none."""
    return _udf("html_links_or_error")(body, address)


def url_in_host_list(url: _ColumnOrName, hosts: HostList) -> Column:
    """Return whether the host of each URL is in a list of hosts."""
    return _of_value("url_in_host_list", url, "host_lists", hosts)


def host_in_host_list(host: _ColumnOrName, hosts: HostList) -> Column:
    """Return whether each bare host is in a list of hosts."""
    return _of_value("host_in_host_list", host, "host_lists", hosts)


def url_allowed(url: _ColumnOrName, policy: URLPolicy) -> Column:
    """Return whether a policy allows each URL; false if it does not parse."""
    return _of_value("url_allowed", url, "policies", policy)


def url_refusal(url: _ColumnOrName, policy: URLPolicy) -> Column:
    """Return why a policy does not allow each URL, as `weburl.columns.refusal` does."""
    return _of_value("url_refusal", url, "policies", policy)


# --- how they are made --------------------------------------------------------------------------


@cache  # Spark then sees that two calls are the same, and computes it once.
def _udf(name: str) -> _UDF:
    return _made(_FUNCTIONS[name])


def _of_value(
    name: str, column: _ColumnOrName, by_name: ByName, value: HostList | URLPolicy
) -> Column:
    values: dict[str, Any] = {by_name: {"": value}}
    found = {function.name: function for function in functions_by_name(**values)}
    return _made(found[name])(column, spark_functions.lit(""))


def _made(function: SQLFunction) -> _UDF:
    # Spark has Arrow UDFs since 4.1.
    return _on_arrow(function) if hasattr(spark_functions, "arrow_udf") else _on_pandas(function)


def _on_arrow(function: SQLFunction) -> _UDF:
    """Return a UDF that takes Arrow arrays and returns one."""

    # Spark reads these annotations.
    def compute(*columns: pa.Array) -> pa.Array:
        return function.compute(*columns)

    compute.__name__ = function.name
    made: _UDF = spark_functions.arrow_udf(  # type: ignore[attr-defined]  # which it takes from elsewhere
        compute, _spark_type(function.result)
    )
    return made


def _on_pandas(function: SQLFunction) -> _UDF:
    """Return a UDF that takes pandas Series, or single rows if the result is not a scalar.

    In a pandas UDF a struct is a DataFrame, in which no row can be null.
    """
    result = _spark_type(function.result)
    # Spark would read annotations and accepts only annotations of pandas. A lambda has none.
    if isinstance(result, (StructType, ArrayType, MapType)):
        of_row = lambda *texts: _of_row(function, texts)  # noqa: E731
        of_row.__name__ = function.name
        return spark_functions.udf(of_row, result)
    of_series = lambda *columns: _of_series(function, columns)  # noqa: E731
    of_series.__name__ = function.name
    made: _UDF = spark_functions.pandas_udf(of_series, result)  # type: ignore[attr-defined]
    return made


def _of_row(function: SQLFunction, values: tuple[object, ...]) -> Any:  # noqa: ANN401
    """Return the answer for one row."""
    # Spark gives bytes as a bytearray.
    texts = [bytes(value) if isinstance(value, bytearray) else value for value in values]
    arrays = (pa.array([text], None if isinstance(text, bytes) else pa.string()) for text in texts)
    answer = function.compute(*arrays)[0].as_py()
    is_map = pa.types.is_map(function.result)
    return dict(answer) if is_map and answer is not None else answer


def _of_series(function: SQLFunction, columns: tuple[object, ...]) -> Any:  # noqa: ANN401
    """Return a Series of the answers for Series."""
    import pandas as pd

    arrays = [pa.array(column, from_pandas=True) for column in columns]
    # Otherwise pandas turns ports with nulls into floats, and the dtype of text varies by version.
    return pd.Series(function.compute(*arrays).to_pylist(), dtype=object)


def _spark_type(type: pa.DataType) -> DataType:
    """Return the Spark type for the Arrow type of an answer."""
    if pa.types.is_struct(type):
        return StructType([StructField(field.name, _spark_type(field.type)) for field in type])
    if pa.types.is_list(type):
        return ArrayType(_spark_type(type.value_type))
    if pa.types.is_map(type):
        return MapType(_spark_type(type.key_type), _spark_type(type.item_type))
    return _TYPES[type]
