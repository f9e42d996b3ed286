"""Reader of plain text with a URL on each line, as a column "url"."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

import pyarrow as pa

from weburl.columns.files.arguments import OnMalformed
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

    def __init__(self, source: Source, wanted: Wanted, on_malformed: OnMalformed = "stop") -> None:
        wanted.fields(self.schema, source.place)
        self._goes_on = on_malformed != "stop"
        self._source = source
        self.total: int | None = source.size

    def __iter__(self) -> Iterator[Rows]:
        last = 0
        for first, lines in lines_of(self._source.stream, self._source.place):
            yield self._rows(lines, first)
            last = first + len(lines) - 1
        if cut_off := self._source.cut_off(last + 1, goes_on=self._goes_on):
            yield self._rows([], last + 1)._replace(malformed=cut_off)

    def _rows(self, lines: list[bytes], first: int) -> Rows:
        urls = pa.array([line or None for line in lines], pa.binary())
        texts = [line.decode(errors="backslashreplace") if line else None for line in lines]
        kept = pa.RecordBatch.from_arrays([pa.array(texts, pa.string())], schema=self.schema)
        return Rows(kept, urls, None, range(first, first + len(lines)))

    def position(self) -> int:
        return self._source.position()
