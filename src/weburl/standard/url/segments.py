"""Edits of a path by its segments, where a segment is data.

A segment is encoded whole, "%" too. So it never becomes two segments, and decoding gives it again.
`setters` reads text as the standard's setters do. Nothing is parsed here.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import Final, TypeVar

from weburl.standard.infra.code_points import (
    DOUBLE_DOT_SEGMENTS,
    PATH_PERCENT_ENCODE_SET,
    SINGLE_DOT_SEGMENTS,
)
from weburl.standard.infra.credentials import masked_before_at_sign
from weburl.standard.infra.explanations import quoted
from weburl.standard.infra.percent_encoding import percent_decode_to_text, utf8_percent_encode
from weburl.standard.infra.strings import exact, to_scalar_value_string
from weburl.standard.url.report import URLParseError
from weburl.standard.url.value import RecordStorage, redacted, trusted_relative

# A "|" after a letter would be a Windows drive letter in a file URL.
_SEGMENT_PERCENT_ENCODE_SET: Final = PATH_PERCENT_ENCODE_SET.plus("/\\%|")
_PLAIN: Final = re.compile("[A-Za-z0-9_~-][A-Za-z0-9._~-]*+")  # as most segments are
_DOT_SEGMENTS: Final = SINGLE_DOT_SEGMENTS | DOUBLE_DOT_SEGMENTS

_Record = TypeVar("_Record", bound=RecordStorage)


def encoded_segment(segment: str, doing: str = "add a segment to the path") -> str:
    """Return ``segment``, which is data, as it is written in a path.

    ``doing``: what cannot be done if the segment is refused, for the message. Raises
    `URLParseError` for a dot segment in any spelling, and TypeError if ``segment`` is not text.
    """
    if type(segment) is str and _PLAIN.fullmatch(segment) is not None:
        return segment
    if not isinstance(segment, str):
        raise TypeError(f"a path segment cannot be of the type {type(segment).__name__}")
    text = to_scalar_value_string(exact(segment))
    if text in _DOT_SEGMENTS:
        # "%2e" could be encoded, but a program that decodes twice would resolve it.
        reason = f"Cannot {doing}: {quoted(text)} is a dot segment, not a name."
        raise URLParseError(reason, text)
    return utf8_percent_encode(text, _SEGMENT_PERCENT_ENCODE_SET)


def joinpath(record: _Record, segments: Iterable[str]) -> _Record:
    """Return ``record`` with ``segments`` after its path. See `URLRecord.joinpath`."""
    path = record.path_text
    _require_segments(record, "add a segment to the path")
    ends_with_slash = path.endswith("/")
    pieces = [path]
    for segment in segments:
        encoded = encoded_segment(segment)
        pieces.append(encoded if ends_with_slash else f"/{encoded}")
        ends_with_slash = not encoded
    return trusted_relative(record, "".join(pieces), None, None)


def segments_of_path(path: str) -> list[str]:
    """Return the segments of a serialized path, decoded; none for an opaque path."""
    if not path.startswith("/"):
        return []
    return [percent_decode_to_text(segment) for segment in path[1:].split("/")]


def depth_of_path(path: str) -> int:
    """Return the number of segments of a serialized path, without an empty one at the end."""
    return path.count("/") - path.endswith("/") if path.startswith("/") else 0


def name_of_path(path: str) -> str:
    """Return the last segment of a serialized path, decoded."""
    return percent_decode_to_text(path.rpartition("/")[2]) if path.startswith("/") else ""


def parent_of(record: _Record) -> _Record:
    """Return the URL without the last segment of its path. See `URLRecord.parent`."""
    path = record.path_text
    if path.startswith("/"):
        path = path.rpartition("/")[0] or "/"
    return trusted_relative(record, path, None, None)


def with_name(record: _Record, name: str) -> _Record:
    """Return ``record`` with another last segment. See `URLRecord.with_name`."""
    _require_segments(record, "set the name")
    encoded = encoded_segment(name, "set the name")
    return trusted_relative(record, f"{record.path_text.rpartition('/')[0]}/{encoded}", None, None)


def with_suffix(record: _Record, suffix: str) -> _Record:
    """Return ``record`` with another suffix of its name. See `URLRecord.with_suffix`."""
    _require_segments(record, "set the suffix")
    if not isinstance(suffix, str):
        raise TypeError(f"a suffix cannot be of the type {type(suffix).__name__}")
    text = to_scalar_value_string(exact(suffix))
    if text and (len(text) == 1 or not text.startswith(".")):
        shown = masked_before_at_sign(text)
        reason = (
            f"Cannot set the suffix to {quoted(shown)}: it must be '.' and more text, or empty."
        )
        raise URLParseError(reason, shown)
    before, _, last = record.path_text.rpartition("/")
    if not last:
        raise URLParseError(
            "Cannot set the suffix: the path ends with a slash, so it has no name.", ""
        )
    # The text before the suffix is kept. A dot may be written as "%2E".
    name = percent_decode_to_text(last)
    kept = _without_suffix(last) if suffix_of_name(name) else last
    added = utf8_percent_encode(text, _SEGMENT_PERCENT_ENCODE_SET)
    if kept + added in _DOT_SEGMENTS:  # as of "..a" without a suffix
        raise URLParseError("Cannot set the suffix: a dot segment would be left, not a name.", "")
    return trusted_relative(record, f"{before}/{kept}{added}", None, None)


def suffix_of_name(name: str) -> str:
    """Return the end of a name from its last dot on. See `URLRecord.suffix`."""
    at = name.rfind(".")
    return name[at:] if 0 < at < len(name) - 1 else ""


def _without_suffix(written: str) -> str:
    """Return an encoded name without its suffix, which it has."""
    return written[: max(written.rfind("."), written.rfind("%2E"), written.rfind("%2e"))]


def _require_segments(record: RecordStorage, doing: str) -> None:
    if record.has_opaque_path:
        shown = redacted(record)
        raise URLParseError(f"Cannot {doing}: {quoted(shown)} has an opaque path.", shown)
