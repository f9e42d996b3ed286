"""§1.3: percent-encoded bytes, in both directions.

Works on text and bytes. The parser chooses the percent-encode set of each component.
"""

from __future__ import annotations

import re
from functools import cache
from typing import Final

from weburl.standard.infra.code_points import (
    FORM_URLENCODED_PERCENT_ENCODE_SET,
    PERCENT_ENCODED,
    PercentEncodeSet,
)

_HEX_DIGITS: Final = b"0123456789ABCDEFabcdef"


@cache
def _byte_of() -> dict[bytes, bytes]:
    """Return the byte that two hexadecimal digits encode, in each spelling."""
    pairs = [bytes((first, second)) for first in _HEX_DIGITS for second in _HEX_DIGITS]
    return {pair: bytes((int(pair, 16),)) for pair in pairs}


# Bytes or code points. The pieces of a longer text would take many times its memory.
_AT_A_TIME: Final = 1 << 14
# Where nearly all of the text is percent-encoded, runs take a tenth of the time.
_RUN: Final = re.compile(b"(?:%[0-9A-Fa-f][0-9A-Fa-f])++")


def percent_decode(data: bytes) -> bytes:
    """Return ``data`` with every percent-encoded byte replaced by the byte that it encodes.

    Spec: #percent-decode
    """
    if b"%" not in data:
        return data
    if len(data) <= _AT_A_TIME:
        return _decode(data)
    decoded: list[bytes] = []
    start = 0
    while start < len(data):
        end = start + _AT_A_TIME
        # Do not cut a percent-encoded byte in two.
        if data[end - 2 : end - 1] == b"%" and data[end - 1 : end + 1] in _byte_of():
            end -= 2
        elif data[end - 1 : end] == b"%" and data[end : end + 2] in _byte_of():
            end -= 1
        piece = data[start:end]
        is_dense = 10 * piece.count(b"%") > 3 * len(piece)
        decoded.append(_RUN.sub(_decode_run, piece) if is_dense else _decode(piece))
        start = end
    return b"".join(decoded)


def _decode(data: bytes) -> bytes:
    byte_of = _byte_of()
    first, *others = data.split(b"%")
    pieces = [first]
    for piece in others:
        byte = byte_of.get(piece[:2])
        if byte is None:
            pieces.append(b"%")
            pieces.append(piece)
        else:
            pieces.append(byte)
            pieces.append(piece[2:])
    return b"".join(pieces)


def _decode_run(run: re.Match[bytes]) -> bytes:
    return bytes.fromhex(run[0].replace(b"%", b"").decode("ascii"))


def percent_decode_to_text(text: str) -> str:
    """Percent-decode ``text`` and return the result as UTF-8, without handling a BOM.

    Bytes that are not UTF-8 become U+FFFD. Raises nothing.

    Spec: #string-percent-decode
    """
    if "%" not in text:
        return text
    return percent_decode(text.encode()).decode("utf-8", "replace")


def utf8_percent_encode(text: str, percent_encode_set: PercentEncodeSet) -> str:
    """Return ``text`` with the code points in the set as percent-encoded UTF-8 bytes.

    ``text`` must not contain surrogates. "%" itself is kept unless it is in the set.

    Spec: #string-utf-8-percent-encode
    """
    encode = percent_encode_set.pattern.sub
    if len(text) <= _AT_A_TIME:
        return encode(_encode_run, text)
    starts = range(0, len(text), _AT_A_TIME)
    return "".join([encode(_encode_run, text[at : at + _AT_A_TIME]) for at in starts])


# The encoding of a code point does not depend on the set, so all sets share this table.
_OF_ONE_CODE_POINT: Final = {chr(byte): PERCENT_ENCODED[byte] for byte in range(0x80)}


def _encode_run(run: re.Match[str]) -> str:
    text = run[0]
    if text in _OF_ONE_CODE_POINT:  # most runs are one code point
        return _OF_ONE_CODE_POINT[text]
    return "".join([PERCENT_ENCODED[byte] for byte in text.encode()])


def percent_encode_after_encoding(
    encoding: str, text: str, percent_encode_set: PercentEncodeSet
) -> str:
    """Return ``text`` encoded with ``encoding``, its bytes percent-encoded with the set.

    ``encoding``: the name of an output encoding, from `encodings.get_output_encoding`. A code point
    that it cannot encode becomes ``%26%23`` + its number + ``%3B``. With the form-urlencoded set a
    space becomes "+".

    Spec: #string-percent-encode-after-encoding
    """
    space_as_plus = percent_encode_set is FORM_URLENCODED_PERCENT_ENCODE_SET
    if encoding == "utf-8":
        output = utf8_percent_encode(text, percent_encode_set)
        return output.replace("%20", "+") if space_as_plus and "%20" in output else output

    # Loading the tables of legacy encodings takes time, and most callers use UTF-8.
    from weburl.standard.infra.encodings import encode_or_fail

    encoded = list(percent_encode_set.encoded)
    if space_as_plus:
        encoded[0x20] = "+"
    written: list[str] = []
    pieces: list[str] = []
    for data, unencodable in encode_or_fail(text, encoding):
        pieces.extend([encoded[byte] for byte in data])
        if unencodable is not None:
            pieces.append(f"%26%23{unencodable}%3B")
        if len(pieces) > _AT_A_TIME:
            written.append("".join(pieces))
            pieces.clear()
    return "".join([*written, *pieces])
