"""The setters of `URLRecord`: one function for each method, with the same name.

They need the parser, and the parser needs `records`. So they are not in `records`, and a method
imports this module when it is called.

The standard's setters ignore the parts of a value that they do not understand. These functions
raise an error instead, because the caller should know.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Final

from weburl.api import parse
from weburl.hosts.values import Host, is_host
from weburl.infra import query_pairs
from weburl.infra.credentials import masked_before_at_sign
from weburl.infra.errors import ErrorList
from weburl.infra.strings import exact, require_text, to_scalar_value_string
from weburl.interface.search_params import URLSearchParams
from weburl.parsing import setters
from weburl.parsing.setters import Outcome, Refusal
from weburl.records.record import URLRecord
from weburl.records.trusted import replaced
from weburl.validation.explanations import quoted
from weburl.validation.report import MAX_ERRORS, Report, URLParseError, place_errors

# These types are sequences too, but not sequences of path segments.
_TEXT_LIKE: Final = (str, bytes, bytearray, memoryview)


def with_scheme(record: URLRecord, scheme: str) -> URLRecord:
    """Return ``record`` with another scheme. See `URLRecord.with_scheme`."""
    text = _text(scheme, "scheme")
    outcome = setters.set_scheme(record, text)
    if outcome.refusal is None:
        outcome = _stable(outcome)
    return _accepted(outcome, "scheme", text)


def with_username(record: URLRecord, username: str) -> URLRecord:
    """Return ``record`` with another username. See `URLRecord.with_username`."""
    text = _text(username, "username")
    return _accepted(setters.set_username(record, text), "username", text)


def with_password(record: URLRecord, password: str) -> URLRecord:
    """Return ``record`` with another password. See `URLRecord.with_password`."""
    text = _text(password, "password")
    return _accepted(setters.set_password(record, text), "password", text)


def with_host(record: URLRecord, host: str | Host) -> URLRecord:
    """Return ``record`` with another host and, if given, port. See `URLRecord.with_host`."""
    text = str(host) if is_host(host) else _text(host, "host")
    errors = ErrorList(MAX_ERRORS)
    return _accepted(setters.set_host(record, text, errors), "host", text, errors)


def with_hostname(record: URLRecord, hostname: str | Host) -> URLRecord:
    """Return ``record`` with another host. See `URLRecord.with_hostname`."""
    text = str(hostname) if is_host(hostname) else _text(hostname, "hostname")
    errors = ErrorList(MAX_ERRORS)
    return _accepted(setters.set_hostname(record, text, errors), "hostname", text, errors)


def with_port(record: URLRecord, port: int | str | None) -> URLRecord:
    """Return ``record`` with another port. See `URLRecord.with_port`."""
    if port is None:
        text = ""
    elif type(port) is int:  # not a bool, which is an int too
        text = str(port)
    else:
        text = _text(port, "port")
    errors = ErrorList(MAX_ERRORS)
    return _accepted(setters.set_port(record, text, errors), "port", text, errors)


def with_path(record: URLRecord, path: str | Sequence[str]) -> URLRecord:
    """Return ``record`` with another path. See `URLRecord.with_path`."""
    if isinstance(path, Sequence) and not isinstance(path, _TEXT_LIKE):
        segments = tuple(_text(segment, "path segment") for segment in path)
        return _accepted(setters.set_path_segments(record, segments), "path", "/".join(segments))
    text = _text(path, "path")
    return _accepted(setters.set_path(record, text), "path", text)


def with_query(
    record: URLRecord, query: str | Mapping[str, str] | Iterable[tuple[str, str]] | None
) -> URLRecord:
    """Return ``record`` with another query. See `URLRecord.with_query`."""
    if query is not None and not isinstance(query, str):
        # As on the web, an empty list of names and values removes the query.
        query = str(URLSearchParams(query)) or None
    if query is None:
        return setters.set_query(record, None).record
    text = exact(query)
    return _accepted(setters.set_query(record, text), "query", text)


def without_query_params(
    record: URLRecord, *names: str, prefixes: str | Iterable[str] = ()
) -> URLRecord:
    """Return ``record`` without some params. See `URLRecord.without_query_params`."""
    unwanted = frozenset(map(_param_text, names))
    starts = tuple(map(_param_text, (prefixes,) if isinstance(prefixes, str) else prefixes))
    if "" in starts:
        raise ValueError("an empty prefix would remove every param: use with_query(None)")
    if not record.query:
        return record

    def is_unwanted(pair: str) -> bool:
        name = query_pairs.name_in(pair)
        return name in unwanted or name.startswith(starts)

    return _with_query_text(record, query_pairs.without_pairs(record.query, is_unwanted))


def with_query_param(record: URLRecord, name: str, value: str) -> URLRecord:
    """Return ``record`` with one param of that name. See `URLRecord.with_query_param`."""
    name, value = _param_text(name), _param_text(value)
    return _with_query_text(record, query_pairs.with_pair(record.query, name, value))


def add_query_param(record: URLRecord, name: str, value: str) -> URLRecord:
    """Return ``record`` with another param at the end. See `URLRecord.add_query_param`."""
    name, value = _param_text(name), _param_text(value)
    return _with_query_text(record, query_pairs.with_added_pair(record.query, name, value))


def sort_query_params(record: URLRecord) -> URLRecord:
    """Return ``record`` with its params sorted. See `URLRecord.sort_query_params`."""
    return _with_query_text(record, record.query and query_pairs.sorted_pairs(record.query))


def _with_query_text(record: URLRecord, query: str | None) -> URLRecord:
    """Return ``record`` with this query, which is made of pieces of its own and of a form."""
    return record if query == record.query else replaced(record, query=query)


def _param_text(value: object) -> str:
    """Return a name or a value of a param, without lone surrogates, or raise TypeError."""
    return to_scalar_value_string(require_text(value, "a name or a value"))


def with_fragment(record: URLRecord, fragment: str | None) -> URLRecord:
    """Return ``record`` with another fragment. See `URLRecord.with_fragment`."""
    if fragment is None:
        return setters.set_fragment(record, None).record
    text = _text(fragment, "fragment")
    return _accepted(setters.set_fragment(record, text), "fragment", text)


def _text(value: object, component: str) -> str:
    """Return ``value`` as an exact str, or raise TypeError."""
    if not isinstance(value, str):
        raise TypeError(f"a {component} cannot be of the type {type(value).__name__}")
    return exact(value)


def _stable(outcome: Outcome) -> Outcome:
    """Refuse a record whose href would be parsed as another record.

    The standard's protocol setter can make "file://localhost/" and "file://h/C|/", which are
    parsed as "file:///" and "file://h/C:/".
    """
    record = outcome.record
    if record.scheme != "file" or parse(record.href) == record:
        return outcome
    return Outcome(record, Refusal(f"{quoted(record.href)} would be parsed as another URL"))


def _accepted(
    outcome: Outcome, component: str, text: str, errors: ErrorList | None = None
) -> URLRecord:
    """Return the new record, or raise `URLParseError` if the setter refused part of ``text``."""
    record, refusal = outcome
    if refusal is None:
        return record
    # The message may be logged, so it shows no credentials.
    is_secret = component in ("username", "password")
    shown = "*" * len(text) if is_secret else masked_before_at_sign(text)
    what = f"Cannot set the {component} to {quoted(shown)}"
    if refusal.type is None or errors is None:
        raise URLParseError(f"{what}: {refusal.reason}.", shown)
    placed = place_errors(text, errors, trimmed=False, shown=shown)
    report = Report(shown, None, placed, errors.count, is_valid_url_string=False)
    why = f". {placed[-1].message}" if refusal.reason is None else f": {refusal.reason}."
    raise URLParseError(what + why, shown, refusal.type, report)
