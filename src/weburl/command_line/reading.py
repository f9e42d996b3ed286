"""Reads URLs from arguments, files and standard input, many at a time.

Input is UTF-8. Any other byte becomes a lone surrogate, and `has_other_bytes` finds it. What a pipe
has is passed on at once, so that a slow writer's lines do not wait for one another.
"""

from __future__ import annotations

import io
import re
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from typing import BinaryIO, Final, NamedTuple

from weburl.command_line.arguments import cannot_read
from weburl.command_line.statuses import CommandError
from weburl.standard.infra.credentials import masked
from weburl.standard.infra.explanations import printable

LONGEST: Final = 64 * 1024 * 1024
"""The most bytes of a line. A longer one is reported, and is not kept in memory."""
STANDARD_INPUT: Final = "-"
_CHUNK: Final = 64 * 1024
_BYTE_ORDER_MARK: Final = "\ufeff"
_OTHER_BYTES: Final = re.compile("[\udc80-\udcff]")


class Batch(NamedTuple):
    """URLs that were read together.

    ``where``: what precedes a number in a message, or "" for arguments. ``first``: the number
    of the first text, from 1. ``after_too_long``: whether the line before the first was too long.
    ``is_utf_8``: whether no text has bytes that are not UTF-8.
    """

    where: str
    first: int
    texts: list[str]
    after_too_long: bool = False
    is_utf_8: bool = True


class Source:
    """The URLs of a command."""

    def __init__(self, urls: list[str], files: list[str], *, null: bool = False) -> None:
        """Raise `CommandError` if there are URLs both in the arguments and in files."""
        if urls and files:
            raise CommandError("pass URLs or --file, not both")
        self._urls = urls
        self._files = files or [STANDARD_INPUT]
        self._end = b"\0" if null else b"\n"

    def batches(self) -> Iterator[Batch]:
        """Yield the URLs. Raises `CommandError` if a file cannot be read."""
        if self._urls:
            yield Batch("", 1, self._urls, is_utf_8=not any(map(has_other_bytes, self._urls)))
            return
        for name in self._files:
            with opened(name) as stream:
                yield from self._batches(stream, name)

    def _batches(self, stream: BinaryIO, name: str) -> Iterator[Batch]:
        end = self._end.decode()
        unit = "line" if end == "\n" else "item"
        where = f"{unit} " if name == STANDARD_INPUT else f"{printable(masked(name))}:"
        number = 1
        for block, too_long in self._blocks(stream, name):
            number += too_long
            whole, is_utf_8 = _decoded(block or b"")
            texts = [] if block is None else whole.split(end)
            if end == "\n" and block is not None and b"\r" in block:
                texts = [text.rstrip("\r") for text in texts]
            if number == 1 and texts:
                texts[0] = texts[0].removeprefix(_BYTE_ORDER_MARK)
            yield Batch(where, number, texts, too_long, is_utf_8)
            number += len(texts)

    def _blocks(self, stream: BinaryIO, name: str) -> Iterator[tuple[bytes | None, bool]]:
        """Yield whole lines without the last end, and whether one before them was too long.

        None in place of lines means that there are none.
        """
        pending: list[bytes] = []
        size = 0
        while data := self._read(stream, name):
            head, found, tail = data.rpartition(self._end)
            if found:
                if size and size + len(head.partition(self._end)[0]) > LONGEST:
                    _, more, head = head.partition(self._end)
                    yield (head if more else None), True
                else:
                    yield b"".join([*pending, head]), False
                pending, size = [], 0
            size += len(tail)
            if size > LONGEST:
                pending = []
            elif tail:
                pending.append(tail)
        if size > LONGEST:
            yield None, True
        elif pending:
            yield b"".join(pending), False

    def _read(self, stream: BinaryIO, name: str) -> bytes:
        try:
            return stream.read1(_CHUNK) if isinstance(stream, _HAS_READ1) else stream.read(_CHUNK)
        except OSError as error:  # such as a folder
            raise cannot_read(name, error) from None


def has_other_bytes(text: str) -> bool:
    """Return whether ``text`` was read from bytes that are not UTF-8."""
    return _OTHER_BYTES.search(text) is not None


def _decoded(data: bytes) -> tuple[str, bool]:
    """Return the text of bytes, and whether they are UTF-8."""
    try:
        return data.decode(), True
    except UnicodeDecodeError:
        return data.decode("utf-8", "surrogateescape"), False


_HAS_READ1: Final = (io.BufferedReader, io.BytesIO)


@contextmanager
def opened(name: str) -> Iterator[BinaryIO]:
    """Open a file, or standard input for "-". Raises `CommandError` if that is not possible."""
    if name == STANDARD_INPUT:
        yield _standard_input()
        return
    try:
        file = open(name, "rb")  # noqa: PTH123, SIM115  # as the user wrote it; closed below
    except (OSError, ValueError) as error:  # ValueError for a NUL
        reason = error if isinstance(error, OSError) else OSError(0, "it is not the name of a file")
        raise cannot_read(name, reason) from None
    with file:
        yield file


def _standard_input() -> BinaryIO:
    """Return the bytes of standard input, which may be any iterable of text in a test."""
    if sys.stdin is None:  # a program can run without one
        return io.BytesIO()
    buffer: BinaryIO | None = getattr(sys.stdin, "buffer", None)
    if buffer is not None:
        return buffer
    return io.BytesIO("".join(sys.stdin).encode("utf-8", "surrogatepass"))
