"""Lines that are not rows of their format, such as a truncated one."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Final, NamedTuple

import pyarrow as pa

SCHEMA: Final = pa.schema([("row", pa.int64()), ("why", pa.string()), ("text", pa.string())])
"""The columns of the file of malformed lines."""

HINT: Final = "Use --malformed skip or keep to go on without such lines"
"""What a message says after the first malformed line."""


class Malformed(NamedTuple):
    """A malformed line: its number, as in `Rows.numbers`, what is wrong with it, and its bytes."""

    row: int
    why: str
    data: bytes


def numbers_without(numbers: range, malformed: Iterable[Malformed]) -> Sequence[int]:
    """Return the numbers of rows without those of malformed lines between them."""
    left_out = {line.row for line in malformed}
    return [number for number in numbers if number not in left_out] if left_out else numbers


def batch_of(lines: Iterable[Malformed]) -> pa.RecordBatch:
    r"""Return malformed lines as rows. Bytes that are not UTF-8 become escapes, such as "\xff"."""
    rows = [(line.row, line.why, line.data.decode(errors="backslashreplace")) for line in lines]
    columns = zip(*rows, strict=True) if rows else ((), (), ())
    arrays = [pa.array(values, field.type) for values, field in zip(columns, SCHEMA, strict=True)]
    return pa.RecordBatch.from_arrays(arrays, schema=SCHEMA)
