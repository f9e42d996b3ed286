"""Paths: segments, dot segments, shortening, Windows drive letters.

A path is stored as text, "/a/b". It is split into segments only to return them, and to resolve dot
segments.
"""

from __future__ import annotations

from typing import Final

from weburl.standard.infra.code_points import (
    ASCII_ALPHA,
    DOUBLE_DOT_SEGMENTS,
    PATH_PERCENT_ENCODE_SET,
    SINGLE_DOT_SEGMENTS,
)
from weburl.standard.infra.percent_encoding import utf8_percent_encode

_AFTER_A_DRIVE_LETTER: Final = frozenset(("", "/", "\\", "?", "#"))
_DOT_SEGMENTS: Final = SINGLE_DOT_SEGMENTS | DOUBLE_DOT_SEGMENTS


def is_windows_drive_letter(text: str) -> bool:
    """Return whether ``text`` is an ASCII letter and ":" or "|".

    Spec: #windows-drive-letter
    """
    return len(text) == 2 and text[0] in ASCII_ALPHA and text[1] in ":|"


def is_normalized_windows_drive_letter(text: str) -> bool:
    """Return whether ``text`` is an ASCII letter and ":".

    Spec: #normalized-windows-drive-letter
    """
    return len(text) == 2 and text[0] in ASCII_ALPHA and text[1] == ":"


def starts_with_a_windows_drive_letter(text: str, at: int) -> bool:
    """Return whether ``text`` from ``at`` on starts with a Windows drive letter.

    Spec: #start-with-a-windows-drive-letter
    """
    return (
        is_windows_drive_letter(text[at : at + 2])
        and text[at + 2 : at + 3] in _AFTER_A_DRIVE_LETTER
    )


def shorten_path(path: str, scheme: str) -> str:
    """Return ``path`` without its last segment, if any. A file URL keeps its drive letter.

    Spec: #shorten-a-urls-path
    """
    if scheme == "file" and is_normalized_windows_drive_letter(path[1:]):
        return path
    return path.rpartition("/")[0]


def parse_path(text: str, before: str, scheme: str, is_special: bool) -> str:
    """Return ``before``, a slash and the segments in ``text``, with dot segments resolved.

    All of ``text`` is path, so "?" and "#" are percent-encoded.

    Args:
        text: what follows the slash; may be empty.
        before: the path that this one continues: "" or "/a/b".
        scheme: lowercase, without ":".
        is_special: whether the scheme is special, so that backslashes separate segments too.

    Spec: #path-state
    """
    encoded = utf8_percent_encode(text, PATH_PERCENT_ENCODE_SET)
    if is_special:
        encoded = encoded.replace("\\", "/")
    if scheme == "file":
        return _resolve_dot_segments_of_file(encoded.split("/"), before)
    path = f"{before}/{encoded}"
    # A dot segment starts with a dot, plain or percent-encoded. Most paths have no dot segment.
    return resolve_dot_segments(path) if "/." in path or "/%2" in path else path


def resolve_dot_segments(path: str) -> str:
    """Return ``path``, which starts with a slash, with dot segments resolved.

    It is percent-encoded, has no backslashes, and is not of a file URL.
    """
    # Most dot segments are these. Each pass halves a run of them, so the time is not quadratic.
    while "/./" in path:
        path = path.replace("/./", "/")
    if "/." not in path and "/%2e" not in path and "/%2E" not in path:
        return path
    first, *segments = path.split("/")  # the first item is "", from before the first slash
    resolved = [first]
    for segment in segments:
        if segment not in _DOT_SEGMENTS:
            resolved.append(segment)
        elif segment in DOUBLE_DOT_SEGMENTS and len(resolved) > 1:
            resolved.pop()
    if segments[-1] in _DOT_SEGMENTS:
        resolved.append("")
    return "/".join(resolved)


def _resolve_dot_segments_of_file(segments: list[str], before: str) -> str:
    path = before.split("/")
    last = len(segments) - 1
    for index, segment in enumerate(segments):
        if segment in DOUBLE_DOT_SEGMENTS:
            is_only_a_drive_letter = len(path) == 2 and is_normalized_windows_drive_letter(path[1])
            if len(path) > 1 and not is_only_a_drive_letter:
                path.pop()
            if index == last:
                path.append("")
        elif segment in SINGLE_DOT_SEGMENTS:
            if index == last:
                path.append("")
        elif len(path) == 1 and is_windows_drive_letter(segment):
            path.append(f"{segment[0]}:")
        else:
            path.append(segment)
    return "/".join(path)
