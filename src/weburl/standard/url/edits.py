"""The edits of a record that raise what a setter refuses: one function for each method ``with_…``.

`setters` has the standard's algorithms, and `URLRecord` the methods and what they say to people.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Final, TypeVar

from weburl.standard.hosts.values import Host, exact_if_text, is_host
from weburl.standard.infra.credentials import masking_all, masking_before_at_sign
from weburl.standard.infra.errors import ErrorList, Failure
from weburl.standard.infra.explanations import quoted
from weburl.standard.infra.guesses import host_of_type
from weburl.standard.infra.strings import exact
from weburl.standard.url.forms import serialize_form_urlencoded
from weburl.standard.url.parser import parse_url
from weburl.standard.url.report import Report, URLParseError, place_errors
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
from weburl.standard.url.value import STATE, RecordStorage

if TYPE_CHECKING:
    from weburl.standard.url.params import QueryPairs

# These types are sequences too, but not sequences of path segments.
TEXT_LIKE: Final = (str, bytes, bytearray, memoryview)

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
    outcome: Outcome[_Record], part: str, text: str, errors: ErrorList | None = None
) -> _Record:
    """Return the new record, or raise `URLParseError` if the setter refused part of ``text``."""
    record, refusal = outcome
    if refusal is None:
        return record
    from weburl.standard.infra.assuming import is_ipv6_address  # only errors need it

    # The message may be logged, so it shows no credentials.
    is_secret = part in ("username", "password")
    masked = masking_all(text) if is_secret else masking_before_at_sign(text)
    shown = masked.text
    what = f"Cannot set the {part} to {quoted(shown)}"
    if part in ("host", "hostname") and is_ipv6_address(text):
        raise URLParseError(
            f"{what}: an IPv6 address needs brackets: '[{text}]'.", shown, refusal.type
        )
    if refusal.type is None or errors is None:
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
