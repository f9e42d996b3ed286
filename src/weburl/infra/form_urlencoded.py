"""§5: application/x-www-form-urlencoded, parsed and serialized.

Lists of names and values in and out; `search_params` makes an object of them.
"""

from __future__ import annotations

from collections.abc import Iterable

from weburl.infra.code_points import FORM_URLENCODED_PERCENT_ENCODE_SET
from weburl.infra.percent_encoding import (
    percent_decode,
    percent_decode_to_text,
    percent_encode_after_encoding,
)


def parse_form_urlencoded(input: str | bytes) -> list[tuple[str, str]]:
    """Return the names and values that ``input`` writes.

    ``input`` is bytes, as the body of a request has them, or text without surrogates, which
    stands for its UTF-8. Bytes that are not UTF-8 become U+FFFD.

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
    """Return ``pairs``, which hold no surrogates, as text.

    ``encoding`` is the name of an output encoding.

    Spec: #concept-urlencoded-serializer
    """
    return "&".join(
        [f"{_encode(name, encoding)}={_encode(value, encoding)}" for name, value in pairs]
    )


def _encode(text: str, encoding: str) -> str:
    if text.isalnum() and text.isascii():  # as most names and many values are
        return text
    return percent_encode_after_encoding(encoding, text, FORM_URLENCODED_PERCENT_ENCODE_SET)
