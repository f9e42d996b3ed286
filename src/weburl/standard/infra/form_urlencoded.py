"""§5: application/x-www-form-urlencoded, parsed and serialized.

Works on lists of names and values. `search_params` makes an object of them.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

from weburl.standard.infra.code_points import FORM_URLENCODED_PERCENT_ENCODE_SET
from weburl.standard.infra.percent_encoding import (
    percent_decode,
    percent_decode_to_text,
    percent_encode_after_encoding,
)

_ENCODED_ASCII: Final = dict(enumerate(FORM_URLENCODED_PERCENT_ENCODE_SET.encoded[:0x80]))
_ENCODED_ASCII[0x20] = "+"


def parse_form_urlencoded(input: str | bytes) -> list[tuple[str, str]]:
    """Parse ``input`` and return its names and values.

    ``input``: bytes, such as the body of a request, or text without surrogates, which is read as
    UTF-8. Bytes that are not UTF-8 become U+FFFD.

    Spec: #concept-urlencoded-parser
    """
    if not isinstance(input, str):
        return _parse_bytes(input)
    text = input
    pairs: list[tuple[str, str]] = []
    has_percent_sign = "%" in text
    for sequence in text.replace("+", " ").split("&"):
        if sequence:
            name, _, value = sequence.partition("=")
            if has_percent_sign:
                name, value = percent_decode_to_text(name), percent_decode_to_text(value)
            pairs.append((name, value))
    return pairs


def pairs_of(text: object) -> list[tuple[str, str]] | None:
    """Return the pairs of a query with or without "?"; None unless it is plain ASCII text.

    Spec: #dom-urlsearchparams-urlsearchparams
    """
    if type(text) is str and text.isascii():
        return parse_form_urlencoded(text[1:] if text[:1] == "?" else text)
    return None


def _parse_bytes(data: bytes) -> list[tuple[str, str]]:
    pairs: list[tuple[str, str]] = []
    for sequence in data.replace(b"+", b" ").split(b"&"):
        if sequence:
            name, _, value = sequence.partition(b"=")
            pairs.append((_decode(name), _decode(value)))
    return pairs


def _decode(data: bytes) -> str:
    # A byte order mark is kept: the standard decodes without looking for one.
    return percent_decode(data).decode("utf-8", "replace")


def serialize_form_urlencoded(pairs: Iterable[tuple[str, str]], encoding: str = "utf-8") -> str:
    """Serialize names and values.

    Args: ``pairs``: strings without surrogates. ``encoding``: the name of an output encoding.

    Returns: ASCII text.

    Spec: #concept-urlencoded-serializer
    """
    return "&".join(
        [f"{_encode(name, encoding)}={_encode(value, encoding)}" for name, value in pairs]
    )


def _encode(text: str, encoding: str) -> str:
    if text.isascii():
        if text.isalnum():  # most names and many values are
            return text
        if encoding == "utf-8":  # takes half as long as a regex
            return text.translate(_ENCODED_ASCII)
    return percent_encode_after_encoding(encoding, text, FORM_URLENCODED_PERCENT_ENCODE_SET)
