"""Measures how long a compressed body is when it is unpacked, before the client unpacks it.

The bytes are unpacked in small pieces, counted and thrown away. A client may unpack all that it
receives at once, so this must happen first.
"""

from __future__ import annotations

import zlib
from collections.abc import Callable, Iterable, Iterator
from contextlib import suppress
from importlib import import_module
from typing import Any, Final

from weburl.fetching import errors

PIECE: Final = 65_536
"""How many bytes one step unpacks, at most."""

# A zstd block of 4 bytes may unpack to 128 KiB, and python-zstandard has no limit for its output.
_ZSTD_INPUT: Final = 64

MOST_CODINGS: Final = 3
"""How many codings may be applied to one body."""

MOST_MEMBERS: Final = 1_000
"""How many members of gzip, or frames of zstd, one coding of a body may have.

A member can be empty. Clients copy what follows each of them, so their time is quadratic.
"""


class Unacceptable(Exception):
    """The body is too long, damaged or cannot be measured. ``code``: one of those in `errors`."""

    def __init__(self, code: str) -> None:
        super().__init__(code)
        self.code: Final = code


class Measure:
    """Counts the bytes that a body with these codings unpacks to.

    ``encoding``: the value of Content-Encoding. ``most``: how many bytes are allowed, after each
    coding. Raises `Unacceptable` for a coding that cannot be measured.
    """

    def __init__(self, encoding: str, most: int) -> None:
        names = [name.strip() for name in encoding.lower().split(",")]
        codings = [name for name in names if name not in {"", "identity"}]
        if len(codings) > MOST_CODINGS or not _UNPACKERS.keys() >= set(codings):
            raise Unacceptable(errors.ENCODING_NOT_BOUNDED)
        # The last coding was applied last, so it is undone first.
        self._unpackers = [_UNPACKERS[name]() for name in reversed(codings)]
        self._counts = [0] * len(codings)
        self._most = most

    def add(self, data: bytes) -> None:
        """Count the next bytes of the body. Raises `Unacceptable`."""
        # Libraries copy what follows a member.
        starts = range(0, len(data), PIECE)
        pieces: Iterable[bytes] = (data[start : start + PIECE] for start in starts)
        for index in range(len(self._unpackers)):
            pieces = self._one_coding(pieces, index)
        for _ in pieces:
            pass

    def _one_coding(self, pieces: Iterable[bytes], index: int) -> Iterator[bytes]:
        for piece in pieces:
            for unpacked in self._unpackers[index].unpack(piece):
                self._counts[index] += len(unpacked)
                if self._counts[index] > self._most:
                    raise Unacceptable(errors.UNPACKED_TOO_LONG)
                yield unpacked


class _Unpacker:
    """Undoes one coding, and counts its members."""

    _members = 0

    def unpack(self, data: bytes) -> Iterator[bytes]:
        """Yield what ``data`` unpacks to, in pieces of bounded size."""
        raise NotImplementedError

    def _end_member(self) -> None:
        """Count one more. Raises `Unacceptable` if there are too many."""
        self._members += 1
        if self._members > MOST_MEMBERS:
            raise Unacceptable(errors.ENCODING_NOT_BOUNDED)


class _Gzip(_Unpacker):
    """gzip, which may have several members. All clients ignore what follows the last one."""

    def __init__(self) -> None:
        self._object = zlib.decompressobj(16 + zlib.MAX_WBITS)
        self._ended = False

    def unpack(self, data: bytes) -> Iterator[bytes]:
        while data and not self._ended:
            try:
                piece = self._object.decompress(data, PIECE)
            except zlib.error:
                if not self._members:
                    raise Unacceptable(errors.BODY_DAMAGED) from None
                self._ended = True
                return
            yield piece
            data = self._object.unconsumed_tail
            if self._object.eof:
                data = self._object.unused_data
                self._end_member()
                self._object = zlib.decompressobj(16 + zlib.MAX_WBITS)


class _Deflate(_Unpacker):
    """deflate with or without zlib's header, as clients accept both."""

    def __init__(self) -> None:
        self._object = zlib.decompressobj()
        self._is_first = True

    def unpack(self, data: bytes) -> Iterator[bytes]:
        while data and not self._object.eof:
            yield self._step(data)
            data = self._object.unconsumed_tail

    def _step(self, data: bytes) -> bytes:
        is_first, self._is_first = self._is_first, False
        try:
            return self._object.decompress(data, PIECE)
        except zlib.error:
            if not is_first:
                raise Unacceptable(errors.BODY_DAMAGED) from None
        self._object = zlib.decompressobj(-zlib.MAX_WBITS)
        return self._step(data)


class _Brotli(_Unpacker):
    """br, with a library that can limit its output."""

    def __init__(self) -> None:
        library = _first_of("brotlicffi", "brotli")
        self._object = library.Decompressor()
        self._step = getattr(self._object, "decompress", None) or self._object.process
        self._error: type[Exception] = library.error
        try:
            self._step(b"", output_buffer_limit=PIECE)
        except TypeError:
            raise Unacceptable(errors.ENCODING_NOT_BOUNDED) from None

    def unpack(self, data: bytes) -> Iterator[bytes]:
        try:
            yield self._step(data, output_buffer_limit=PIECE)
            # It may hold output back although it accepts more input.
            while piece := self._step(b"", output_buffer_limit=PIECE):
                yield piece
        except self._error:
            raise Unacceptable(errors.BODY_DAMAGED) from None


class _Zstd(_Unpacker):
    """zstd with the standard library of Python 3.14, or the package backports.zstd."""

    def __init__(self, library: Any) -> None:  # noqa: ANN401  # either module
        self._library = library
        self._object = library.ZstdDecompressor()

    def unpack(self, data: bytes) -> Iterator[bytes]:
        try:
            while data:
                if self._object.eof:
                    self._end_member()
                    self._object = self._library.ZstdDecompressor()
                yield self._object.decompress(data, PIECE)
                while not self._object.eof and not self._object.needs_input:
                    yield self._object.decompress(b"", PIECE)
                data = self._object.unused_data if self._object.eof else b""
        except self._library.ZstdError:
            raise Unacceptable(errors.BODY_DAMAGED) from None


class _Zstandard(_Unpacker):
    """zstd with the package zstandard, which gets its input in small pieces."""

    def __init__(self, library: Any) -> None:  # noqa: ANN401  # a module
        self._library = library
        self._object = library.ZstdDecompressor().decompressobj()

    def unpack(self, data: bytes) -> Iterator[bytes]:
        try:
            for start in range(0, len(data), _ZSTD_INPUT):
                piece = data[start : start + _ZSTD_INPUT]
                while piece:
                    if self._object.eof:
                        self._end_member()
                        self._object = self._library.ZstdDecompressor().decompressobj()
                    yield self._object.decompress(piece)
                    piece = self._object.unused_data if self._object.eof else b""
        except self._library.ZstdError:
            raise Unacceptable(errors.BODY_DAMAGED) from None


def _first_of(*modules: str) -> Any:  # noqa: ANN401  # a module
    """Return the first module that is installed. Raises `Unacceptable` if there is none."""
    for name in modules:
        with suppress(ImportError):
            return import_module(name)
    raise Unacceptable(errors.ENCODING_NOT_BOUNDED)


def _zstd() -> _Unpacker:
    library = _first_of("compression.zstd", "backports.zstd", "zstandard")
    return (_Zstandard if library.__name__ == "zstandard" else _Zstd)(library)


_UNPACKERS: Final[dict[str, Callable[[], _Unpacker]]] = {
    "gzip": _Gzip,
    "x-gzip": _Gzip,
    "deflate": _Deflate,
    "br": _Brotli,
    "zstd": _zstd,
}
