"""Polars: ``pl.col("url").weburl.host()`` and the other methods, on expressions and on Series.

Importing this module registers the namespace ``weburl`` through Polars' own API. The methods are
the same as in `weburl.columns.methods`. They compute each row independently, and the type of their
results is known before a query runs. So they work in lazy frames, in groups and in the streaming
engine.
"""

from __future__ import annotations

from functools import partial
from typing import Final

from weburl.columns.arrow import Column
from weburl.columns.methods import Methods, OfColumn
from weburl.standard.support.releases import required
from weburl.standard.url.record import URLRecord
from weburl.standard.url.report import URLParseError

with required("polars>=1.37"):
    import polars as pl
    import pyarrow as pa

__all__ = ["ExprNamespace", "SeriesNamespace"]

# The field of a struct that has the bases. No column of URLs has this name.
_BASE: Final = "base of the URLs, for weburl"
_ONE_NULL: Final = pa.nulls(1)


@pl.api.register_expr_namespace("weburl")
class ExprNamespace(Methods[pl.Expr, pl.Expr]):
    """``pl.col("url").weburl``: methods that return expressions.

    Type checkers do not know namespaces; for them, write ``ExprNamespace(pl.col("url")).host()``.

    A query raises Polars' ComputeError if ``errors="raise"`` finds a row that does not parse, and
    TypeError for a column that is not text.
    """

    def __init__(self, expr: pl.Expr) -> None:
        self._expr = expr

    def _column(self, function: OfColumn, *base: str | URLRecord | pl.Expr | None) -> pl.Expr:
        # The result for a null row gives the type, and wrong options raise errors now.
        match base:
            case () | (None | str() | URLRecord(),):
                expr = self._expr
                dtype = _dtype(function(_ONE_NULL, *base))
                of_series = partial(_of_urls, function, dtype, base)
            case (pl.Expr() as bases,):
                # A struct gives both the same length and keeps the name of the column of URLs.
                expr = pl.struct(self._expr, bases.alias(_BASE))
                dtype = _dtype(function(_ONE_NULL, _ONE_NULL))
                of_series = partial(_of_structs, function, dtype)
            case _:
                kind = type(base[0]).__name__
                raise TypeError(f"expected text, a URLRecord or an expression, not {kind}")
        return expr.map_batches(of_series, return_dtype=dtype, is_elementwise=True)

    def _parts(self, function: OfColumn, *base: str | URLRecord | pl.Expr | None) -> pl.Expr:
        return self._column(function, *base)


@pl.api.register_series_namespace("weburl")
class SeriesNamespace(Methods[pl.Series, pl.Series]):
    """``series.weburl``: methods that return Series with the same name.

    ``errors="raise"`` raises `weburl.URLParseError`. A Series that is not text raises TypeError,
    and a Series of bases of another length ValueError.
    """

    def __init__(self, series: pl.Series) -> None:
        self._series = series

    def _column(self, function: OfColumn, *base: str | URLRecord | pl.Series | None) -> pl.Series:
        null_bases = [_ONE_NULL if isinstance(one, pl.Series) else one for one in base]
        dtype = _dtype(function(_ONE_NULL, *null_bases))
        bases = [_arrow(one) if isinstance(one, pl.Series) else one for one in base]
        return _series(self._series.name, function(_arrow(self._series), *bases), dtype)

    def _parts(self, function: OfColumn, *base: str | URLRecord | pl.Series | None) -> pl.Series:
        return self._column(function, *base)


# --- in a query: functions that can be pickled, because Polars pickles a query that it sends ------


def _of_urls(
    function: OfColumn, dtype: pl.DataType, base: tuple[object, ...], urls: pl.Series
) -> pl.Series:
    """Return the answers for a Series of URLs. ``base``: the second argument, if there is one."""
    try:
        return _series(urls.name, function(_arrow(urls), *base), dtype)
    except URLParseError as error:
        # Polars copies only the message. The row is left out: it is relative to this batch.
        raise pl.exceptions.ComputeError(str(error)) from None


def _of_structs(function: OfColumn, dtype: pl.DataType, urls: pl.Series) -> pl.Series:
    """Return the answers for a Series of structs, each of a URL and its base."""
    several = urls.struct.unnest().get_columns()
    if len(several) != 2:
        count = len(several) - 1
        raise pl.exceptions.ComputeError(
            f"with another expression, there must be one column of URLs, not {count}"
        )
    column, bases = several
    return _of_urls(function, dtype, (_arrow(bases),), column)


# --- from Polars to Arrow, and back ---------------------------------------------------------------


def _arrow(series: pl.Series) -> Column:
    """Return a Series as Arrow."""
    # Not through the PyCapsule interface, in which older versions of Polars lack Categorical.
    return series.to_arrow()


def _dtype(one_null: Column) -> pl.DataType:
    """Return the Polars type of answers: String for text, Enum for a set of names."""
    if pa.types.is_struct(one_null.type):
        fields = zip(one_null.type, one_null.flatten(), strict=True)
        return pl.Struct([pl.Field(field.name, _dtype(values)) for field, values in fields])
    if pa.types.is_map(one_null.type):
        # Polars 2 has a type for maps, which it cannot explode yet.
        kinds = {"key": one_null.type.key_type, "value": one_null.type.item_type}
        return pl.List(pl.Struct({name: _dtype(pa.nulls(1, kind)) for name, kind in kinds.items()}))
    if pa.types.is_dictionary(one_null.type):
        return pl.Enum(one_null.dictionary.to_pylist())
    return pl.Series(one_null).dtype


def _series(name: str, answers: Column, dtype: pl.DataType) -> pl.Series:
    return pl.Series(name, answers).cast(dtype)
