"""Lines that are not rows of their format, such as a truncated one."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final, NamedTuple

import pyarrow as pa

SCHEMA: Final = pa.schema([("row", pa.int64()), ("why", pa.string()), ("text", pa.string())])
"""The columns of the file of malformed lines."""

HINT: Final = "Use --malformed skip or keep to go on without such lines"
"""What a message says after the first malformed line."""


class Malformed(NamedTuple):
    """A malformed line: its number, what is wrong with it, and its bytes.

    ``row`` is the number of a line of JSON, counted from 1, or of a row of CSV, where the header
    is row 1.
    """

    row: int
    why: str
    data: bytes


def batch_of(lines: Iterable[Malformed]) -> pa.RecordBatch:
    r"""Return malformed lines as rows. Bytes that are not UTF-8 become escapes, such as "\xff"."""
    rows = [(line.row, line.why, line.data.decode(errors="backslashreplace")) for line in lines]
    columns = zip(*rows, strict=True) if rows else ((), (), ())
    arrays = [pa.array(values, field.type) for values, field in zip(columns, SCHEMA, strict=True)]
    return pa.RecordBatch.from_arrays(arrays, schema=SCHEMA)
