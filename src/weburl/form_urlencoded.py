"""§5: application/x-www-form-urlencoded, parsed and serialized.

Lists of names and values in and out; `search_params` makes an object of them.
"""

from __future__ import annotations

from collections.abc import Iterable

from weburl.code_points import FORM_URLENCODED_PERCENT_ENCODE_SET
from weburl.percent_encoding import percent_decode_to_text, percent_encode_after_encoding


def parse_form_urlencoded(text: str) -> list[tuple[str, str]]:
    """Return the names and values that ``text``, which holds no surrogates, writes.

    Spec: #concept-urlencoded-string-parser
    """
    pairs: list[tuple[str, str]] = []
    for sequence in text.split("&"):
        if sequence:
            name, _, value = sequence.replace("+", " ").partition("=")
            pairs.append((percent_decode_to_text(name), percent_decode_to_text(value)))
    return pairs


def serialize_form_urlencoded(pairs: Iterable[tuple[str, str]], encoding: str = "utf-8") -> str:
    """Return ``pairs``, which hold no surrogates, as text.

    ``encoding`` is the name of an output encoding.

    Spec: #concept-urlencoded-serializer
    """

    def encode(text: str) -> str:
        return percent_encode_after_encoding(encoding, text, FORM_URLENCODED_PERCENT_ENCODE_SET)

    return "&".join([f"{encode(name)}={encode(value)}" for name, value in pairs])
