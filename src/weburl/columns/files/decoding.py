"""Turns bytes in another encoding into UTF-8, which all readers of text expect."""

from __future__ import annotations

import codecs
import io
from typing import IO, Any, Final

import webencodings

from weburl.columns.files.errors import FileError

_BYTES_AT_A_TIME: Final = 1 << 16
_MARKS: Final = (
    (codecs.BOM_UTF8, "utf-8"),
    (codecs.BOM_UTF16_LE, "utf-16le"),
    (codecs.BOM_UTF16_BE, "utf-16be"),
)


def decoded(stream: IO[bytes], encoding: str, place: object) -> io.BufferedReader:
    r"""Return a stream with the text of another stream as UTF-8.

    A byte order mark has priority over ``encoding``, a name of the Encoding Standard. A byte that
    is not in the encoding stays as it is, so its line is not UTF-8. The same is true of a lone
    surrogate. Reading raises `FileError` if that is impossible.

    Spec: https://encoding.spec.whatwg.org/#decode
    """
    return io.BufferedReader(_Decoded(stream, encoding, place), _BYTES_AT_A_TIME)


class _Decoded(io.RawIOBase):
    def __init__(self, stream: IO[bytes], encoding: str, place: object) -> None:
        self._stream = stream
        self._encoding = encoding
        self._place = place
        self._decoder: Any = None
        self._mark = b""
        self._ready = memoryview(b"")
        self._at_end = False

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: Any) -> int:  # noqa: ANN401  # whatever has a buffer
        while not self._ready and not self._at_end:
            block = self._stream.read(_BYTES_AT_A_TIME)
            self._at_end = not block
            self._ready = memoryview(self._utf_8(block))
        size = min(len(buffer), len(self._ready))
        buffer[:size] = self._ready[:size]
        self._ready = self._ready[size:]
        return size

    def _utf_8(self, block: bytes) -> bytes:
        if self._decoder is None:
            self._decoder = self._decoder_for(block)
            block = block.removeprefix(self._mark)
        errors = self._decoder.errors
        try:
            text: str = self._decoder.decode(block, self._at_end)
        except UnicodeDecodeError:
            raise FileError(f"{self._place} is not {self._encoding}") from None
        return text.encode("utf-8", errors)

    def _decoder_for(self, block: bytes) -> Any:  # noqa: ANN401  # a decoder of any encoding
        found = (each for each in _MARKS if block.startswith(each[0]))
        self._mark, own = next(found, (b"", self._encoding))
        errors = "surrogatepass" if own.startswith("utf-16") else "surrogateescape"
        encoding = webencodings.lookup(own)
        assert encoding is not None
        return encoding.codec_info.incrementaldecoder(errors)
