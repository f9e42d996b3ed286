"""Paths: segments, dot segments, shortening, Windows drive letters.

Works on the text of a path, already split off, and on lists of segments.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from weburl.code_points import (
    DOUBLE_DOT_SEGMENTS,
    NORMALIZED_WINDOWS_DRIVE_LETTER,
    NOT_A_URL_UNIT,
    PATH_PERCENT_ENCODE_SET,
    SINGLE_DOT_SEGMENTS,
    STARTS_WITH_A_WINDOWS_DRIVE_LETTER,
    WINDOWS_DRIVE_LETTER,
)
from weburl.errors import ValidationErrorType
from weburl.percent_encoding import utf8_percent_encode


def is_windows_drive_letter(text: str) -> bool:
    """Return whether ``text`` is an ASCII letter and ":" or "|".

    Spec: #windows-drive-letter
    """
    return len(text) == 2 and WINDOWS_DRIVE_LETTER.match(text) is not None


def is_normalized_windows_drive_letter(text: str) -> bool:
    """Return whether ``text`` is an ASCII letter and ":".

    Spec: #normalized-windows-drive-letter
    """
    return len(text) == 2 and NORMALIZED_WINDOWS_DRIVE_LETTER.match(text) is not None


def starts_with_a_windows_drive_letter(text: str, at: int) -> bool:
    """Return whether ``text`` from ``at`` on starts with a Windows drive letter.

    Spec: #start-with-a-windows-drive-letter
    """
    return STARTS_WITH_A_WINDOWS_DRIVE_LETTER.match(text, at) is not None


def shorten_path(path: list[str], scheme: str) -> None:
    """Remove the last segment, if any, but not a file URL's drive letter.

    Spec: #shorten-a-urls-path
    """
    if scheme == "file" and len(path) == 1 and is_normalized_windows_drive_letter(path[0]):
        return
    if path:
        path.pop()


def parse_path(text: str, before: Sequence[str], scheme: str, is_special: bool) -> tuple[str, ...]:
    """Return the segments of ``before`` and then those of ``text``, dot segments resolved.

    ``text`` starts behind the slash that begins it. Every code point of it is the path's:
    "?" and "#" are percent-encoded.

    Spec: #path-state
    """
    encoded = utf8_percent_encode(text, PATH_PERCENT_ENCODE_SET)
    if is_special:
        encoded = encoded.replace("\\", "/")
    segments = encoded.split("/")
    if scheme != "file" and "." not in text and "%2" not in text:
        return (*before, *segments)

    path = list(before)
    last = len(segments) - 1
    for index, segment in enumerate(segments):
        if segment in DOUBLE_DOT_SEGMENTS:
            shorten_path(path, scheme)
            if index == last:
                path.append("")
        elif segment in SINGLE_DOT_SEGMENTS:
            if index == last:
                path.append("")
        elif not path and scheme == "file" and is_windows_drive_letter(segment):
            path.append(f"{segment[0]}:")
        else:
            path.append(segment)
    return tuple(path)


def url_unit_errors(
    text: str, start: int, *, backslash_separates: bool = False
) -> Iterable[tuple[ValidationErrorType, int, int]]:
    """Yield an error for each code point of ``text`` that is no URL unit.

    ``start`` says where ``text`` stands in the prepared input. Where a backslash is a
    separator the error is about that.

    Spec: #url-units
    """
    for found in NOT_A_URL_UNIT.finditer(text):
        is_separator = backslash_separates and found[0] == "\\"
        yield (
            ValidationErrorType.INVALID_REVERSE_SOLIDUS
            if is_separator
            else ValidationErrorType.INVALID_URL_UNIT,
            start + found.start(),
            start + found.end(),
        )
