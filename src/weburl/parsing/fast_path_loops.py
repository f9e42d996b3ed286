"""The compiled body of `fast_path`: loops over code points, which say where each part ends."""

from __future__ import annotations

from typing import Final

from mypy_extensions import i64

from weburl.infra.code_points import (
    FRAGMENT_PERCENT_ENCODE_SET,
    PATH_PERCENT_ENCODE_SET,
    SPECIAL_QUERY_PERCENT_ENCODE_SET,
)
from weburl.infra.loops import IN_ANY_CASE, IN_LOWER_CASE, NO_END, plain_domain_end, run_end
from weburl.infra.strings import ascii_lowercase
from weburl.records.record import URLRecord
from weburl.records.trusted import trusted_plain_record

_PATH: Final = PATH_PERCENT_ENCODE_SET.kept
_QUERY: Final = SPECIAL_QUERY_PERCENT_ENCODE_SET.kept
_FRAGMENT: Final = FRAGMENT_PERCENT_ENCODE_SET.kept
_MAX_PORT_DIGITS: Final = 4  # which are never more than 65535


def is_canonical(text: str) -> bool:
    """Return True if ``text`` is its own href; False where the parser has to tell."""
    return _scan(text)[0] >= 0


def is_parsable(text: str) -> bool:
    """Return True if ``text`` parses; False where the parser has to tell.

    Nothing that stands behind the host of a special URL, and behind its port, makes it fail.
    """
    host_start = _host_start(text)
    if host_start < 0:
        host_start = _host_start_in_any_case(text)
    if host_start < 0:
        return False
    host_end = plain_domain_end(text, host_start, IN_ANY_CASE)
    return 0 <= host_end < len(text) and text[host_end] in "/?#\\"


def parse_canonical(text: str) -> URLRecord | None:
    """Return the record of ``text``, which is its own href; None where the parser has to tell."""
    host_start, host_end, path_start, path_end, query_end = _scan(text)
    if host_start < 0:
        return None
    return trusted_plain_record(
        "https" if host_start == 8 else "http",
        text[host_start:host_end],
        None if path_start == host_end else int(text[host_end + 1 : path_start]),
        text[path_start:path_end],
        None if query_end == path_end else text[path_end + 1 : query_end],
        None if query_end == len(text) else text[query_end + 1 :],
    )


def _scan(text: str) -> tuple[i64, i64, i64, i64, i64]:
    """Return where a canonical URL's host starts and ends, its path does, and its query ends.

    The first of them is `NO_END` where the parser has to tell.
    """
    host_start = _host_start(text)
    if host_start < 0:
        return NO_END, 0, 0, 0, 0
    host_end = plain_domain_end(text, host_start, IN_LOWER_CASE)
    path_start = _path_start(text, host_end)
    if path_start < 0:
        return NO_END, 0, 0, 0, 0
    path_end = _path_end(text, path_start)
    if path_end < 0:
        return NO_END, 0, 0, 0, 0
    query_end = _part_end(text, path_end, 0x3F, _QUERY)
    if _part_end(text, query_end, 0x23, _FRAGMENT) != len(text):
        return NO_END, 0, 0, 0, 0
    return host_start, host_end, path_start, path_end, query_end


def _host_start(text: str) -> i64:
    """Return where the host starts behind "http://" or "https://", or `NO_END`."""
    if text.startswith("https://"):
        return 8
    return 7 if text.startswith("http://") else NO_END


def _host_start_in_any_case(text: str) -> i64:
    """Return where the host starts behind what is trimmed and the scheme, or `NO_END`."""
    end: i64 = len(text)
    at: i64 = 0
    while at < end and ord(text[at]) <= 0x20:
        at += 1
    scheme, _, _ = ascii_lowercase(text[at : at + 8]).partition("://")
    return at + len(scheme) + 3 if scheme in ("https", "http") else NO_END


def _path_start(text: str, at: i64) -> i64:
    """Return where the path starts behind a host, and a canonical port, at ``at``; or `NO_END`."""
    if at < 0:
        return NO_END
    end: i64 = len(text)
    if at < end and ord(text[at]) == 0x3A:
        start = at + 1
        at = start
        while at < end and 0x30 <= ord(text[at]) <= 0x39:
            at += 1
        if at == start or at - start > _MAX_PORT_DIGITS or ord(text[start]) == 0x30:
            return NO_END
        if text[start:at] in ("80", "443"):
            return NO_END
    return at if at < end and ord(text[at]) == 0x2F else NO_END


def _path_end(text: str, at: i64) -> i64:
    """Return where the path ends that starts at ``at``; `NO_END` if it may have dot segments."""
    end: i64 = len(text)
    is_segment_start = False
    while at < end:
        code_point: i64 = ord(text[at])
        if code_point >= 0x80 or code_point == 0x5C:
            break
        is_kept: i64 = _PATH[code_point]
        if is_kept == 0:
            break
        if code_point == 0x2F:
            is_segment_start = True
        elif is_segment_start:
            if code_point == 0x2E:
                return NO_END
            if code_point == 0x25 and at + 1 < end and ord(text[at + 1]) == 0x32:
                return NO_END
            is_segment_start = False
        at += 1
    return at


def _part_end(text: str, at: i64, mark: i64, kept: bytes) -> i64:
    """Return where the part ends that ``mark`` starts at ``at``; ``at`` if none does."""
    if at == len(text) or ord(text[at]) != mark:
        return at
    return run_end(text, at + 1, kept)
