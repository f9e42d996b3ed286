"""pandas: ``series.weburl.host()`` and the other methods.

Importing this module registers the accessor ``weburl`` through pandas' own API. The methods are
the same as in `weburl.columns.methods`. Results keep the index, the name, and the dtype of text.
"""

from __future__ import annotations

from typing import Any

from weburl.columns.arrow import Column
from weburl.columns.methods import Methods, OfColumn
from weburl.standard.infra.strings import to_scalar_value_string
from weburl.standard.support.releases import required
from weburl.standard.url.record import URLRecord

with required("pandas>=2.2"):
    import pandas as pd
    import pyarrow as pa

__all__ = ["SeriesAccessor"]


@pd.api.extensions.register_series_accessor("weburl")
class SeriesAccessor(Methods[pd.Series, pd.DataFrame]):
    """``series.weburl``: methods that return a Series with the same index.

    `parse` returns a DataFrame. The Series must be text, with the dtype ``object``, ``str``,
    ``string``, ``category`` or an Arrow dtype. None, NaN and NA are null. Any other object among
    strings fails like bytes that are not UTF-8, so that its error is "not-UTF-8".

    - Text has the dtype of the Series.
    - `can_parse` returns ``boolean``, and a port is ``Int32``, which are pandas' dtypes with NA.
      For a Series with an Arrow dtype, they are Arrow dtypes, too.
    - With ``errors="name"``, the result is a Series of Arrow structs, which ``.struct.explode()``
      turns into a DataFrame. `parse` then has the additional column ``error``.

    A Series of bases is aligned by its index, as in pandas' own methods. A row without a base is
    null. If the alignment is ambiguous, pandas raises ValueError.

    ``errors="raise"`` raises `weburl.URLParseError`. A Series that is not text raises TypeError.
    """

    def __init__(self, series: pd.Series) -> None:
        self._series = series

    def _column(self, function: OfColumn, *base: str | URLRecord | pd.Series | None) -> pd.Series:
        return self._like(self._answers(function, base), self._series.name)

    def _parts(self, function: OfColumn, *base: str | URLRecord | pd.Series | None) -> pd.DataFrame:
        answers = self._answers(function, base)
        columns = dict(zip(answers.type.names, answers.flatten(), strict=True))
        if "error" in columns:
            parts = columns.pop("value")
            columns = dict(zip(parts.type.names, parts.flatten(), strict=True)) | columns
        return pd.DataFrame(
            {name: self._like(values, name) for name, values in columns.items()},
            index=self._series.index,
        )

    def _answers(
        self, function: OfColumn, base: tuple[str | URLRecord | pd.Series | None, ...]
    ) -> Column:
        """Return the result of a function for the Series, and for the base if one is passed."""
        urls = _arrow(self._series, "the URLs")
        return function(urls, *[self._aligned(one) for one in base])

    def _aligned(self, base: Any) -> Any:  # noqa: ANN401  # a Series becomes Arrow, others are kept
        """Return a Series of bases as Arrow in the order of the URLs' index, or one base as is."""
        if not isinstance(base, pd.Series):
            return base
        if not base.index.equals(self._series.index):
            base = base.reindex(self._series.index)
        return _arrow(base, "the bases")

    def _like(self, answers: Column, name: Any) -> pd.Series:  # noqa: ANN401  # any hashable name
        """Return answers as a Series with the index of the URLs, and the dtype of their text."""
        return pd.Series(_values(answers, self._series.dtype), name=name).set_axis(
            self._series.index
        )


# --- from pandas to Arrow, and back ---------------------------------------------------------------


def _arrow(series: pd.Series, what: str) -> Column:
    """Return a Series of text as Arrow, with null for missing values; ``what`` is for errors."""
    if series.dtype == object:
        return _of_objects(series.array, what)
    if pd.api.types.is_float_dtype(series.dtype) and series.isna().all():
        return pa.nulls(len(series), pa.large_string())  # what pandas makes of a column of nothing
    is_text = isinstance(series.dtype, pd.StringDtype)
    try:
        return pa.array(series.array, pa.large_string() if is_text else None, from_pandas=True)
    except (UnicodeEncodeError, pa.ArrowException):
        return _of_objects(series.astype(object).array, what)


def _of_objects(values: Any, what: str) -> Column:  # noqa: ANN401  # an array of pandas
    """Return objects as Arrow: as bytes if the first one is, and otherwise as text."""
    first = next((value for value in values if isinstance(value, (str, bytes))), None)
    type = pa.large_binary() if isinstance(first, bytes) else pa.large_string()
    if first is None and not pd.isna(values).all():
        raise TypeError(f"{what} must be a Series of text, not of other objects")
    try:
        return pa.array(values, type, from_pandas=True)
    except (UnicodeEncodeError, pa.ArrowException):
        missing = pd.isna(values)
        made = [None if no else _as_bytes(value) for value, no in zip(values, missing, strict=True)]
        return pa.array(made, pa.large_binary())


def _as_bytes(value: object) -> bytes:
    """Return a value as bytes, which are not UTF-8 for one that is not text."""
    if isinstance(value, bytes):
        return value
    # Arrow's text is UTF-8, so replace lone surrogates by U+FFFD, as the parser does.
    return to_scalar_value_string(value).encode() if isinstance(value, str) else b"\xff"


def _values(answers: Column, dtype: Any) -> Any:  # noqa: ANN401  # types of pandas
    """Return answers as values for a Series, where ``dtype`` is the dtype of the URLs."""
    type = answers.type
    if pa.types.is_struct(type):
        plain = pa.struct([(field.name, _plain(field.type)) for field in type])
        return pd.ArrowDtype(plain).__from_arrow__(answers.cast(plain))
    if pa.types.is_list(type) or pa.types.is_map(type):
        return pd.ArrowDtype(type).__from_arrow__(answers)
    if isinstance(dtype, pd.ArrowDtype):
        if pa.types.is_dictionary(type) and not pa.types.is_dictionary(dtype.pyarrow_dtype):
            answers = answers.cast(_plain(type))
        return pd.ArrowDtype(answers.type).__from_arrow__(answers)
    if pa.types.is_boolean(type):
        return pd.BooleanDtype().__from_arrow__(answers)
    if pa.types.is_int32(type):
        return pd.Int32Dtype().__from_arrow__(answers)
    if pa.types.is_int64(type):
        return pd.Int64Dtype().__from_arrow__(answers)
    if isinstance(dtype, pd.CategoricalDtype):
        encoded = answers.dictionary_encode()
        categories = _values(encoded.dictionary, dtype.categories.dtype)
        codes = encoded.indices.fill_null(-1).to_numpy()
        return pd.Categorical.from_codes(codes, categories).remove_unused_categories()
    if isinstance(dtype, pd.StringDtype):
        return dtype.__from_arrow__(answers.cast(_plain(type)))
    return pd.Series(answers.to_pylist(), dtype=object)


def _plain(type: pa.DataType) -> pa.DataType:
    """Return the value type of a dictionary, or any other type unchanged."""
    return type.value_type if pa.types.is_dictionary(type) else type
