"""`URLRecord.build`: a record from parts, each of which is data."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import lru_cache
from typing import Final

from weburl.standard.hosts.values import EmptyHost, Host
from weburl.standard.infra.code_point_regexes import SCHEME
from weburl.standard.infra.code_points import FRAGMENT_PERCENT_ENCODE_SET
from weburl.standard.infra.explanations import quoted
from weburl.standard.infra.percent_encoding import utf8_percent_encode
from weburl.standard.infra.schemes import SPECIAL_SCHEMES
from weburl.standard.infra.strings import ascii_lowercase, to_scalar_value_string
from weburl.standard.url import edits
from weburl.standard.url.edits import TEXT_LIKE, exact_text
from weburl.standard.url.params import QueryPairs
from weburl.standard.url.report import URLParseError
from weburl.standard.url.segments import encoded_segment
from weburl.standard.url.value import RecordStorage, filled, replaced

_FRAGMENT_OF_DATA: Final = FRAGMENT_PERCENT_ENCODE_SET.plus("%")


def build(
    scheme: str,
    username: str,
    password: str,
    host: str | Host | None,
    port: int | None,
    path: str | Sequence[str] | None,
    segments: Iterable[str],
    query: str | QueryPairs | None,
    fragment: str | None,
) -> RecordStorage:
    """Return the record of these parts, which are data. See `URLRecord.build`."""
    wanted = ascii_lowercase(exact_text(scheme, "scheme"))
    record = replaced(_start_of(wanted, host is not None))  # a copy, which becomes a `URLRecord`
    is_special = wanted in SPECIAL_SCHEMES
    if isinstance(segments, TEXT_LIKE):
        raise TypeError(f"the segments must be a sequence of texts, not {type(segments).__name__}")
    written = [encoded_segment(segment, "set the segments") for segment in segments]
    if path is not None and written:
        raise TypeError("give a path or segments, but not both")
    if isinstance(path, str) and host is None and not is_special and not path.startswith("/"):
        raise URLParseError(
            f"Cannot set the path to {quoted(path)}: without a host, it starts with a slash. For an"
            f" opaque path, parse the whole text.",
            path,
        )
    if host is None and is_special and wanted != "file":
        raise URLParseError(f"Cannot set no host: a {quoted(wanted)} URL needs one.", "")
    if written:
        record = replaced(record, path_text=f"/{'/'.join(written)}")
    if fragment is not None:
        record = replaced(record, fragment=_encoded_fragment(fragment))
    if host is not None:
        record = edits.with_hostname(record, host)
    if username != "":
        record = edits.with_username(record, username)
    if password != "":
        record = edits.with_password(record, password)
    if port is not None:
        record = edits.with_port(record, port)
    if path is not None:
        record = edits.with_path(record, path)
    return record if query is None else edits.with_query(record, query)


@lru_cache(maxsize=16)
def _start_of(scheme: str, has_host: bool) -> RecordStorage:
    """Return the record that `build` changes. Its host is empty until the wanted one is set."""
    if SCHEME.fullmatch(scheme) is None:
        raise URLParseError(
            f"Cannot set the scheme to {quoted(scheme)}: it is not a scheme.", scheme
        )
    is_special = scheme in SPECIAL_SCHEMES
    host = EmptyHost() if is_special or has_host else None
    path = "" if has_host and not is_special else "/"
    return filled(scheme, "", "", host, None, path, None, None)


def _encoded_fragment(fragment: str) -> str:
    text = to_scalar_value_string(exact_text(fragment, "fragment"))
    return utf8_percent_encode(text, _FRAGMENT_OF_DATA)
