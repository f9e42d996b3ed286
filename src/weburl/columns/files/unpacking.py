"""Unpacks a compressed file, up to where its data ends early or is corrupt.

What came before is kept, in whole lines: the end of a line may be missing without a sign.
"""

from __future__ import annotations

import io
import os
from typing import IO, Any, Final

import pyarrow as pa

from weburl.columns.files.lines import MOST_BYTES

_BYTES_AT_A_TIME: Final = 1 << 16
CUT_OFF: Final = "the compressed data ends early or is corrupt"
"""What is wrong with the line in which the data ends."""


class Unpacked(io.RawIOBase):
    """The bytes of a compressed file. ``is_cut_off``: whether they end where they should not."""

    def __init__(self, raw: IO[bytes], compression: str) -> None:
        self._raw = raw
        self._compression = compression
        self._stream: Any = self._opened()
        self._given = 0
        self.is_cut_off: bool = False

    def _opened(self) -> Any:  # noqa: ANN401  # pyarrow's own, without types
        # Of its own, because Arrow closes the file with the stream.
        own = os.fdopen(os.dup(self._raw.fileno()), "rb")
        return pa.CompressedInputStream(pa.PythonFile(own, "r"), self._compression)

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: Any) -> int:  # noqa: ANN401  # whatever has a buffer
        data = b"" if self.is_cut_off else self._read(min(len(buffer), _BYTES_AT_A_TIME))
        buffer[: len(data)] = data
        self._given += len(data)
        return len(data)

    def _read(self, size: int) -> bytes:
        try:
            data: bytes = self._stream.read(size)
        except OSError as error:
            # An error of the disk has a number. A pipe cannot be read again.
            if error.errno is not None or not self._raw.seekable():
                raise
            rest = self._rest(size)
            self.is_cut_off = bool(self._given or rest)
            if not self.is_cut_off:  # It is not compressed in this way at all.
                raise
            return rest
        return data

    def _rest(self, size: int) -> bytes:
        """Return what comes before the error: Arrow drops what it has read before it."""
        self._raw.seek(0)
        self._stream = self._opened()
        for start in range(0, self._given, _BYTES_AT_A_TIME):
            self._stream.read(min(_BYTES_AT_A_TIME, self._given - start))
        found = bytearray()
        try:
            while len(found) < size:
                found += self._stream.read(1)
        except OSError as error:
            if error.errno is not None:
                raise
        return bytes(found)


class WholeLines(io.RawIOBase):
    """The whole lines of a stream that may be cut off. ``rest``: the line in which it was."""

    def __init__(self, stream: IO[bytes], unpacked: Unpacked) -> None:
        self._stream = stream
        self._unpacked = unpacked
        self._ready = memoryview(b"")
        self._waiting: list[bytes] = []
        self._length = 0
        self.rest: bytes | None = None

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: Any) -> int:  # noqa: ANN401  # whatever has a buffer
        while not self._ready and (block := self._stream.read(_BYTES_AT_A_TIME)):
            self._ready = memoryview(self._whole(block))
        if not self._ready and self.rest is None:
            self._ready = memoryview(self._at_end())
        size = min(len(buffer), len(self._ready))
        buffer[:size] = self._ready[:size]
        self._ready = self._ready[size:]
        return size

    def _whole(self, block: bytes) -> bytes:
        """Return the lines that end in a block. A line that is too long need not be whole."""
        head, end, tail = block.rpartition(b"\n")
        self._waiting.append(head + end)
        if end or self._length > MOST_BYTES:
            lines = b"".join(self._waiting)
            self._waiting, self._length = [], 0
        else:
            lines = b""
        self._waiting.append(tail)
        self._length += len(tail)
        return lines

    def _at_end(self) -> bytes:
        last = b"".join(self._waiting)
        self._waiting = []
        if self._unpacked.is_cut_off:
            self.rest = last
            return b""
        return last
