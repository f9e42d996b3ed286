"""Reader of plain text with a URL on each line, as a column "url"."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

import pyarrow as pa

from weburl.columns.files.lines import lines_of
from weburl.columns.files.places import Source
from weburl.columns.files.rows import Rows, Wanted

COLUMN: Final = "url"
"""The name of a text file's column."""


class TextReader:
    r"""A file with a URL on each line; an empty line is null.

    Bytes that are not UTF-8 do not parse. They are kept as escapes, such as "\xff".
    """

    unit = "B"
    in_lists = False
    schema: pa.Schema = pa.schema([(COLUMN, pa.string())])
    url_type: pa.DataType = pa.binary()
    base_type: pa.DataType | None = None

    def __init__(self, source: Source, wanted: Wanted) -> None:
        wanted.fields(self.schema, source.place)
        self._source = source
        self.total: int | None = source.size

    def __iter__(self) -> Iterator[Rows]:
        for _, lines in lines_of(self._source.stream, self._source.place):
            urls = pa.array([line or None for line in lines], pa.binary())
            texts = [line.decode(errors="backslashreplace") if line else None for line in lines]
            yield Rows(
                pa.RecordBatch.from_arrays([pa.array(texts, pa.string())], schema=self.schema),
                urls,
                None,
            )

    def position(self) -> int:
        return self._source.position()
