"""The fast path without compiled code, for relative references.

A regex matches nearly all of them, with dot segments and spaces. Another one matches those with
backslashes, and with other things to percent-encode.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from functools import cache

from weburl.standard.infra.strings import strip_c0_control_or_space
from weburl.standard.url.fast_path_links import (
    ANYTHING,
    compiled_when_called,
    encode_anything,
    encode_spaces,
    parse_quickly,
    with_spaces,
)
from weburl.standard.url.fast_path_regex import SCHEMES
from weburl.standard.url.path import resolve_dot_segments
from weburl.standard.url.record import URLRecord
from weburl.standard.url.trusted import trusted_relative

# Neither regex is compiled when this is imported, because not every program needs it.


def _reference_regex() -> str:
    """Return the regex of a relative reference in which only spaces have to be percent-encoded.

    It starts neither a scheme nor a host. It has no space at its ends, where the parser removes it.
    Its groups are a path from the root; or else the dot segments at the start of a path, and the
    rest of that path; then query and fragment.
    """
    path, query, fragment = with_spaces()
    # Most references end after the path, so that is tried first.
    return (
        rf"(?! |//|[^:/?#]*+:)(?:(/{path})|((?:\.\.?/)*+)({path}))"
        rf"(?:\Z|(?:\?({query})|)(?:#({fragment})|))(?<! )"
    )


_reference = compiled_when_called(globals(), "_reference", _reference_regex)


@cache
def _other_reference() -> Callable[[str], object]:
    """Return what matches any other relative reference that starts neither a scheme nor a host."""
    return re.compile(rf"(?![/\\]{{2}}|[^:/?#\\]*+:){ANYTHING}").match


def join_quickly(base: object, text: object) -> URLRecord | None:
    """Return the record of ``text`` relative to the record ``base``, or None as `parse_quickly`.

    Spec: #relative-state
    """
    if type(base) is not URLRecord or type(text) is not str:
        return None
    found = _reference(text)
    if found is None:
        if text.startswith("http"):  # as most URLs with a scheme of their own
            record = parse_quickly(text)
            if record is not None:
                return record
        return _join_other(base, text)
    if base.scheme not in SCHEMES:
        return None
    root, dots, path, query, fragment = found.groups()
    if root:
        path = root
    elif path or dots:
        if len(dots) < 3:  # no "../"
            before = base.path_text.rpartition("/")[0]
        else:
            # One split: removing segments one by one would copy a long path as often.
            before = base.path_text.rsplit("/", 1 + dots.count("../"))[0]
        path = f"{before}/{path}"
    else:
        path = base.path_text
        if query is None:
            query = base.query
    if " " in text:
        path, query, fragment = encode_spaces(path, query, fragment)
    if "/." in path or "/%2" in path:
        path = resolve_dot_segments(path)
    return trusted_relative(base, path, query, fragment)


def _join_other(base: URLRecord, text: str) -> URLRecord | None:
    if base.scheme not in SCHEMES:
        return parse_quickly(text)  # a URL with a scheme of its own does not depend on the base
    stripped = strip_c0_control_or_space(text)
    if len(stripped) < len(text):
        return join_quickly(base, stripped)
    if text.startswith("//"):
        return parse_quickly(f"{base.scheme}:{text}")
    if not _other_reference()(text):
        return parse_quickly(text)
    path, query, fragment = encode_anything(text)
    if path:
        if path[0] != "/":
            path = f"{base.path_text.rpartition('/')[0]}/{path}"
        path = resolve_dot_segments(path)
    else:
        path = base.path_text
        if query is None:
            query = base.query
    return trusted_relative(base, path, query, fragment)
