"""The edits of a record that raise what a setter refuses: one function for each method ``with_…``.

`build` makes a record by such edits. `setters` has the standard's algorithms, and `URLRecord` the
methods and what they say to people.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import lru_cache
from typing import TYPE_CHECKING, Final, TypeVar

from weburl.standard.hosts.values import EmptyHost, Host, exact_if_text, is_host
from weburl.standard.infra.code_point_regexes import SCHEME
from weburl.standard.infra.code_points import FRAGMENT_PERCENT_ENCODE_SET
from weburl.standard.infra.credentials import masking_all, masking_before_at_sign
from weburl.standard.infra.errors import ErrorList, Failure
from weburl.standard.infra.explanations import quoted
from weburl.standard.infra.guesses import host_of_type
from weburl.standard.infra.percent_encoding import utf8_percent_encode
from weburl.standard.infra.schemes import SPECIAL_SCHEMES
from weburl.standard.infra.strings import ascii_lowercase, exact, to_scalar_value_string
from weburl.standard.url.forms import serialize_form_urlencoded
from weburl.standard.url.parser import parse_url
from weburl.standard.url.report import Report, URLParseError, place_errors
from weburl.standard.url.segments import encoded_segment
from weburl.standard.url.setters import (
    Outcome,
    Refusal,
    set_fragment,
    set_host,
    set_hostname,
    set_password,
    set_path,
    set_path_segments,
    set_port,
    set_query,
    set_scheme,
    set_username,
)
from weburl.standard.url.value import STATE, RecordStorage, filled, replaced

if TYPE_CHECKING:
    from weburl.standard.url.params import QueryPairs

# These types are sequences too, but not sequences of path segments.
TEXT_LIKE: Final = (str, bytes, bytearray, memoryview)

_FRAGMENT_OF_DATA: Final = FRAGMENT_PERCENT_ENCODE_SET.plus("%")

_NO_LIST: Final = ErrorList()  # of setters that record no errors

_Record = TypeVar("_Record", bound=RecordStorage)


def with_scheme(record: _Record, scheme: str) -> _Record:
    """Return ``record`` with another scheme. See `URLRecord.with_scheme`."""
    text = exact_text(scheme, "scheme")
    return accepted(stable(set_scheme(record, text)), "scheme", text)


def with_username(record: _Record, username: str) -> _Record:
    """Return ``record`` with another username. See `URLRecord.with_username`."""
    text = exact_text(username, "username")
    return accepted(set_username(record, text), "username", text)


def with_password(record: _Record, password: str) -> _Record:
    """Return ``record`` with another password. See `URLRecord.with_password`."""
    text = exact_text(password, "password")
    return accepted(set_password(record, text), "password", text)


def with_host(record: _Record, host: str | Host) -> _Record:
    """Return ``record`` with another host. See `URLRecord.with_host`."""
    text, errors = host_text(host, "host"), ErrorList()
    return accepted(set_host(record, text, errors), "host", text, errors)


def with_hostname(record: _Record, hostname: str | Host) -> _Record:
    """Return ``record`` with another hostname. See `URLRecord.with_hostname`."""
    text, errors = host_text(hostname, "hostname"), ErrorList()
    return accepted(set_hostname(record, text, errors), "hostname", text, errors)


def with_port(record: _Record, port: int | str | None) -> _Record:
    """Return ``record`` with another port. See `URLRecord.with_port`."""
    text, errors = port_text(port), ErrorList()
    return accepted(set_port(record, text, errors), "port", text, errors)


def with_path(record: _Record, path: str | Sequence[str]) -> _Record:
    """Return ``record`` with another path. See `URLRecord.with_path`."""
    if isinstance(path, Sequence) and not isinstance(path, TEXT_LIKE):
        segments = tuple(exact_text(segment, "path segment") for segment in path)
        return accepted(set_path_segments(record, segments), "path", "/".join(segments))
    text = exact_text(path, "path")
    return accepted(set_path(record, text), "path", text)


def with_query(record: _Record, query: str | QueryPairs | None) -> _Record:
    """Return ``record`` with another query. See `URLRecord.with_query`."""
    if query is not None and not isinstance(query, str):
        from weburl.standard.url.params import pairs_from

        # As on the web, an empty list of names and values removes the query.
        query = serialize_form_urlencoded(pairs_from(query)) or None
    return set_query(record, None if query is None else exact_if_text(query))


def with_fragment(record: _Record, fragment: str | None) -> _Record:
    """Return ``record`` with another fragment. See `URLRecord.with_fragment`."""
    return set_fragment(record, None if fragment is None else exact_text(fragment, "fragment"))


# --- what callers give, and what they get back ---------------------------------------------------


def exact_text(value: object, part: str) -> str:
    """Return ``value`` as an exact str, or raise TypeError."""
    if not isinstance(value, str):
        raise TypeError(f"a {part} cannot be of the type {type(value).__name__}")
    return exact(value)


def host_text(value: object, part: str) -> str:
    """Return a host, or the text of one, as an exact str, or raise TypeError."""
    if is_host(value):
        return str(value)
    if not isinstance(value, str):
        raise TypeError(f"a {part} cannot be of the type {host_of_type(value)}")
    return exact(value)


def port_text(value: object) -> str:
    """Return a port, or the text of one, as an exact str, or raise TypeError."""
    if value is None:
        return ""
    if type(value) is int:  # not a bool, which is an int too
        return str(value)
    return exact_text(value, "port")


def stable(outcome: Outcome[_Record]) -> Outcome[_Record]:
    """Refuse a record whose href would be parsed as another record.

    The standard's protocol setter can make "file://localhost/" and "file://h/C|/", which are
    parsed as "file:///" and "file://h/C:/".
    """
    record, refusal = outcome
    if refusal is not None or record.scheme != "file" or _is_read_back(record):
        return outcome
    return Outcome(record, Refusal(f"{quoted(record.href)} would be parsed as another URL"))


def accepted(
    outcome: Outcome[_Record], part: str, text: str, errors: ErrorList = _NO_LIST
) -> _Record:
    """Return the new record, or raise `URLParseError` if the setter refused part of ``text``."""
    record, refusal = outcome
    if refusal is None:
        return record
    from weburl.standard.hosts.ipv6 import is_ipv6_address

    # The message may be logged, so it shows no credentials.
    is_secret = part in ("username", "password")
    masked = masking_all(text) if is_secret else masking_before_at_sign(text)
    shown = masked.text
    what = f"Cannot set the {part} to {quoted(shown)}"
    if part in ("host", "hostname") and is_ipv6_address(text):
        raise URLParseError(
            f"{what}: an IPv6 address needs brackets: '[{text}]'.", shown, refusal.type
        )
    if refusal.type is None:
        raise URLParseError(f"{what}: {refusal.reason}.", shown)
    placed = place_errors(text, errors, trimmed=False, shown=masked)
    report = Report(shown, None, placed, errors.count, is_valid_url_string=False)
    why = f". {placed[-1].message}" if refusal.reason is None else f": {refusal.reason}."
    raise URLParseError(what + why, shown, refusal.type, report)


def _is_read_back(record: RecordStorage) -> bool:
    """Return whether parsing the href of ``record`` gives its parts again."""
    try:
        read = parse_url(record.href, None, "utf-8")
    except Failure:
        return False
    return all(getattr(read, name) == getattr(record, name) for name in STATE)


# --- a record from parts, each of which is data ---------------------------------------------------


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
        text = to_scalar_value_string(exact_text(fragment, "fragment"))
        record = replaced(record, fragment=utf8_percent_encode(text, _FRAGMENT_OF_DATA))
    if host is not None:
        record = with_hostname(record, host)
    if username != "":
        record = with_username(record, username)
    if password != "":
        record = with_password(record, password)
    if port is not None:
        record = with_port(record, port)
    if path is not None:
        record = with_path(record, path)
    return record if query is None else with_query(record, query)


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
