"""Splits a stream of bytes into lines, some megabytes at a time, with a limit for each line."""

from __future__ import annotations

from collections.abc import Iterator
from typing import IO, Final, NamedTuple

from weburl.columns.files.errors import FileError

BLOCK: Final = 1 << 22
"""How many bytes are read at a time."""
MOST_BYTES: Final = 1 << 26
"""How many bytes a line may have: 64 MiB."""

BYTE_ORDER_MARK: Final = b"\xef\xbb\xbf"


class Lines(NamedTuple):
    """Lines without their ends, and the number of the first of them, counted from 1."""

    first: int
    lines: list[bytes]


def lines_of(stream: IO[bytes], place: object) -> Iterator[Lines]:
    """Yield all lines. They end with LF or CR LF. A byte order mark at the start is dropped.

    ``place`` names the stream in errors. Raises `FileError` for a line that is too long.
    """
    number = 1
    begun: list[bytes] = []
    length = 0
    while block := stream.read(BLOCK):
        is_last = len(block) < BLOCK
        if number == 1 and not begun:
            block = block.removeprefix(BYTE_ORDER_MARK)
        head, end, rest = block.rpartition(b"\n")
        if rest and is_last:
            # The end of the stream: a last line without LF belongs to the lines before it.
            head, end, rest = block, b"\n", b""
        if not end:
            begun.append(block)
            length += len(block)
        else:
            lines = [line.removesuffix(b"\r") for line in b"".join([*begun, head]).split(b"\n")]
            if len(lines[0]) > MOST_BYTES:  # No other line spans blocks.
                raise too_long(place, number)
            yield Lines(number, lines)
            number += len(lines)
            begun, length = [rest], len(rest)
        if length > MOST_BYTES:
            raise too_long(place, number)
    if last := b"".join(begun):
        yield Lines(number, [last.removesuffix(b"\r")])


def too_long(place: object, number: int) -> FileError:
    """Return the error for a line that is too long."""
    return FileError(f"{place}, line {number}: longer than {MOST_BYTES >> 20} MiB")
