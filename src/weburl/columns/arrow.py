"""Arrow columns: reading them, the types of their text, and joining their arrays.

This is the first module of the room to import pyarrow, so it reports what to install if pyarrow is
missing. Nothing here depends on what a URL is.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final, Protocol, TypeAlias, TypeGuard

from weburl.standard.support.releases import required

with required("pyarrow>=18", "columns"):
    import pyarrow as pa
    import pyarrow.compute as pc


class ArrowArrayExportable(Protocol):
    """An object with one Arrow array, such as a `pyarrow.Array`."""

    __module__: str = "weburl.columns"

    def __arrow_c_array__(self, requested_schema: object | None = None) -> tuple[object, object]:
        """Return capsules of the schema and of the array."""


class ArrowStreamExportable(Protocol):
    """An object with a stream of Arrow arrays: a Polars Series, a DuckDB relation."""

    __module__: str = "weburl.columns"

    def __arrow_c_stream__(self, requested_schema: object | None = None) -> object:
        """Return a capsule of the stream."""


ArrowColumn: TypeAlias = ArrowArrayExportable | ArrowStreamExportable
"""What the functions accept: anything with the Arrow PyCapsule interface."""

Column: TypeAlias = "pa.Array | pa.ChunkedArray"
"""What the functions return."""

_LARGE: Final = (pa.large_string(), pa.large_binary(), pa.string_view(), pa.binary_view())
_VIEWS: Final = (pa.string_view(), pa.binary_view())
_BINARY: Final = {pa.binary(): pa.string(), pa.large_binary(): pa.large_string()}
_TEXT: Final = (pa.string(), pa.large_string(), pa.null(), *_VIEWS, *_BINARY)
# The largest 32-bit offset.
_MOST_BYTES: Final = (1 << 31) - 1


def read_column(values: object, what: str) -> Column:
    """Return ``values`` as a pyarrow.Array or ChunkedArray; ``what`` names it in errors.

    For a table with one column, returns that column. Raises TypeError if it is not text.
    """
    if hasattr(values, "__arrow_c_array__"):
        column = values if isinstance(values, pa.Array) else pa.array(values)
    elif hasattr(values, "__arrow_c_stream__"):
        column = values if isinstance(values, pa.ChunkedArray) else pa.chunked_array(values)
    elif hasattr(values, "__arrow_array__"):  # pandas' own arrays
        column = pa.array(values)
    else:
        raise TypeError(
            f"{what} must be an Arrow column, not {type(values).__name__}:"
            " pyarrow.array(...) makes one from a list"
        )
    # A table and a column of structs have the same type here.
    if pa.types.is_struct(column.type) and column.type.num_fields == 1 and _is_table(values):
        column = column.flatten()[0]
    if pa.types.is_run_end_encoded(column.type) and column.type.value_type in _TEXT:
        column = pc.run_end_decode(column)  # It does not support dictionaries.
    kind = column.type.value_type if pa.types.is_dictionary(column.type) else column.type
    if kind not in _TEXT:
        raise TypeError(f"{what} must be a text column, not a column of Arrow type {column.type}")
    return column


def _is_table(values: object) -> bool:
    """Return whether a value has columns. Each library marks its tables in its own way."""
    return hasattr(values, "columns") or hasattr(values, "schema")


def is_column(values: object) -> TypeGuard[ArrowColumn]:
    """Return whether ``values`` has the Arrow PyCapsule interface."""
    return hasattr(values, "__arrow_c_array__") or hasattr(values, "__arrow_c_stream__")


def column_of_one(text: str) -> pa.Array:
    """Return a column with one row."""
    return pa.array([text], pa.large_string())


def require_same_length(urls: Column, others: Column, what: str, than: str = "URLs") -> None:
    """Raise ValueError if there are not as many ``others`` as URLs; ``what`` names them."""
    if len(urls) != len(others):
        raise ValueError(f"there are {len(urls)} {than}, but {len(others)} {what}")


def chunks_of(column: Column) -> list[pa.Array]:
    """Return the arrays of a column."""
    return list(column.chunks) if isinstance(column, pa.ChunkedArray) else [column]


def like(column: Column, chunks: Sequence[pa.Array], type: pa.DataType) -> Column:
    """Return arrays as a column that is chunked if ``column`` is, and otherwise one array."""
    if isinstance(column, pa.ChunkedArray):
        return pa.chunked_array(chunks, type)
    return chunks[0]


def text_type(type: pa.DataType) -> pa.DataType:
    """Return the text type of a result for a column of ``type`` or a dictionary of it.

    It has 32-bit or 64-bit offsets. It is never a view type, because pyarrow 18 to 23 exports short
    views in a way that makes Polars crash.
    """
    if pa.types.is_dictionary(type):
        type = type.value_type
    return pa.large_string() if type in _LARGE else pa.string()


def plain_text(array: pa.Array) -> pa.Array:
    """Return an array of text with offsets. If the array has bytes, they may not be UTF-8."""
    if pa.types.is_dictionary(array.type):
        # Arrow cannot take() from an array of views.
        values = plain_text(array.dictionary)
        array = pa.DictionaryArray.from_arrays(array.indices, values).dictionary_decode()
    if array.type in _VIEWS:
        wide = pa.large_string() if array.type == pa.string_view() else pa.large_binary()
        array = array.cast(wide)
    if array.type in _BINARY:
        return array.view(_BINARY[array.type])
    return array.cast(pa.string()) if array.type == pa.null() else array


def texts_of(array: pa.Array, not_text: list[int]) -> list[str | None]:
    """Return the strings of an array, with None for null and for rows that are not UTF-8.

    The rows that are not UTF-8 are appended to ``not_text``.
    """
    try:
        texts: list[str | None] = array.to_pylist()
    except UnicodeDecodeError:
        texts = []
        for row, data in enumerate(array.view(_binary_type(array.type)).to_pylist()):
            try:
                texts.append(None if data is None else data.decode())
            except UnicodeDecodeError:
                not_text.append(row)
                texts.append(None)
    return texts


def bytes_of_row(array: pa.Array, row: int) -> bytes:
    """Return the bytes of a row, which must not be null."""
    data: bytes = array.view(_binary_type(array.type))[row].as_py()
    return data


def _binary_type(type: pa.DataType) -> pa.DataType:
    return pa.binary() if type == pa.string() else pa.large_binary()


def joined(arrays: Sequence[pa.Array], type: pa.DataType) -> pa.Array:
    """Return arrays of one type as one array.

    Raises OverflowError if they have more text than 32-bit offsets can address.
    """
    if len(arrays) == 1:
        return arrays[0]
    if not arrays:
        return pa.array([], type)
    # The size in memory includes offsets and validity. Only the text counts, but that is slower.
    if (
        type == pa.string()
        and sum(array.nbytes for array in arrays) > _MOST_BYTES
        and sum(map(_size_of_text, arrays)) > _MOST_BYTES
    ):
        raise overflow()
    try:
        return pa.concat_arrays(arrays)
    except pa.ArrowInvalid as error:
        if "offset overflow" not in str(error):
            raise
        raise overflow() from None


def _size_of_text(array: pa.Array) -> int:
    lengths = pc.binary_length(array).cast(pa.int64())
    size: int = pc.sum(lengths, min_count=0).as_py()
    return size


def overflow() -> OverflowError:
    """Return the error for more text than one array can hold."""
    return OverflowError(
        "the result has more than 2 GB of text in one array: cast the column to large_string,"
        " or pass it in chunks"
    )


def with_index(values: pa.Array, indices: pa.Array) -> pa.Array:
    """Return the values at the indices. Text becomes a dictionary without repeated values."""
    if not pa.types.is_string(values.type) and not pa.types.is_large_string(values.type):
        return values.take(indices)
    encoded = values.dictionary_encode()
    own = encoded.indices.take(indices).cast(indices.type)
    return pa.DictionaryArray.from_arrays(own, encoded.dictionary)


def exact_dictionary(array: pa.Array) -> pa.Array:
    """Return an array whose dictionary has only values that some row uses.

    The values are in the order of their first rows. So the first value that fails to parse belongs
    to the first row that fails.
    """
    used = pc.unique(array.indices).drop_null()
    in_order = pc.all(pc.less(used[:-1], used[1:])).as_py() is not False
    if in_order and len(used) == len(array.dictionary):
        return array
    # Arrow cannot take() from an array of views.
    values = plain_text(array.dictionary).take(used)
    indices = pc.index_in(array.indices, used).cast(array.indices.type)
    return pa.DictionaryArray.from_arrays(indices, values)
