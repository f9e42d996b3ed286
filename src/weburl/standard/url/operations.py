"""The methods of `URLRecord` that change a part, and `build`.

They need the parser, and the parser makes records. So a method imports its function when it is
called. In a compiled build, that is only so for values that `compiled.editing` leaves to it.

The standard's setters ignore the parts of a value that they do not understand. These functions
raise an error instead, because the caller should know.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import lru_cache
from typing import Final

from weburl.standard.hosts.values import EmptyHost, Host, is_host
from weburl.standard.infra import query_pairs
from weburl.standard.infra.code_point_regexes import SCHEME
from weburl.standard.infra.code_points import FRAGMENT_PERCENT_ENCODE_SET
from weburl.standard.infra.credentials import masked_before_at_sign
from weburl.standard.infra.errors import ErrorList
from weburl.standard.infra.explanations import quoted
from weburl.standard.infra.guesses import host_of_type
from weburl.standard.infra.percent_encoding import utf8_percent_encode
from weburl.standard.infra.schemes import SPECIAL_SCHEMES
from weburl.standard.infra.strings import ascii_lowercase, exact, to_scalar_value_string
from weburl.standard.url import setters
from weburl.standard.url.api import parse
from weburl.standard.url.fast_path import serialize_form_urlencoded
from weburl.standard.url.origin import OpaqueOrigin
from weburl.standard.url.origin_of import origin_of
from weburl.standard.url.params import (
    QueryPairs,
    QueryValue,
    names_and_values,
    pairs_from,
    param_name,
    param_value,
    param_values,
)
from weburl.standard.url.record import URLRecord
from weburl.standard.url.report import MAX_ERRORS, Report, URLParseError, place_errors
from weburl.standard.url.segments import encoded_segment
from weburl.standard.url.setters import Outcome, Refusal
from weburl.standard.url.trusted import replaced, trusted_record, trusted_relative

_FRAGMENT_OF_DATA: Final = FRAGMENT_PERCENT_ENCODE_SET.plus("%")

# These types are sequences too, but not sequences of path segments.
_TEXT_LIKE: Final = (str, bytes, bytearray, memoryview)


def with_component(record: URLRecord, component: str, value: object) -> URLRecord:
    """Return ``record`` with another component, which is text or what stands for text.

    ``component``: as in the name of the method of `URLRecord`. Raises `URLParseError` if the
    standard's setter refuses part of the text, and TypeError for a value of another type.
    """
    text = _component_text(component, value)
    errors = ErrorList(MAX_ERRORS)
    match component:
        case "host":
            outcome = setters.set_host(record, text, errors)
        case "hostname":
            outcome = setters.set_hostname(record, text, errors)
        case "port":
            outcome = setters.set_port(record, text, errors)
        case "scheme":
            outcome = _stable(setters.set_scheme(record, text))
        case "username":
            outcome = setters.set_username(record, text)
        case _:
            outcome = setters.set_password(record, text)
    return _accepted(outcome, component, text, errors)


def _component_text(component: str, value: object) -> str:
    if component in ("host", "hostname"):
        if is_host(value):
            return str(value)
        if not isinstance(value, str):
            raise TypeError(f"a {component} cannot be of the type {host_of_type(value)}")
    if component == "port" and value is None:
        return ""
    if component == "port" and type(value) is int:  # not a bool, which is an int too
        return str(value)
    return _text(value, component)


def with_path(record: URLRecord, path: str | Sequence[str]) -> URLRecord:
    """Return ``record`` with another path. See `URLRecord.with_path`."""
    if isinstance(path, Sequence) and not isinstance(path, _TEXT_LIKE):
        segments = tuple(_text(segment, "path segment") for segment in path)
        return _accepted(setters.set_path_segments(record, segments), "path", "/".join(segments))
    text = _text(path, "path")
    return _accepted(setters.set_path(record, text), "path", text)


def with_query(record: URLRecord, query: str | QueryPairs | None) -> URLRecord:
    """Return ``record`` with another query. See `URLRecord.with_query`."""
    if query is not None and not isinstance(query, str):
        # As on the web, an empty list of names and values removes the query.
        query = serialize_form_urlencoded(pairs_from(query)) or None
    if query is None:
        return setters.set_query(record, None).record
    text = exact(query)
    return _accepted(setters.set_query(record, text), "query", text)


def without_query_params(
    record: URLRecord, *names: str, prefixes: str | Iterable[str] = ()
) -> URLRecord:
    """Return ``record`` without some params. See `URLRecord.without_query_params`."""
    unwanted = frozenset(map(param_name, names))
    starts = tuple(map(param_name, (prefixes,) if isinstance(prefixes, str) else prefixes))
    if "" in starts:
        raise ValueError("an empty prefix would remove every param: use with_query(None)")
    if not record.query:
        return record

    def is_unwanted(pair: str) -> bool:
        name = query_pairs.name_in(pair)
        return name in unwanted or name.startswith(starts)

    return _with_query_text(record, query_pairs.without_pairs(record.query, is_unwanted))


def keep_query_params(record: URLRecord, *names: str) -> URLRecord:
    """Return ``record`` with only some params. See `URLRecord.keep_query_params`."""
    wanted = frozenset(map(param_name, names))
    if not record.query:
        return record
    left = query_pairs.without_pairs(
        record.query, lambda pair: query_pairs.name_in(pair) not in wanted
    )
    return _with_query_text(record, left)


def with_query_param(record: URLRecord, name: str, value: QueryValue) -> URLRecord:
    """Return ``record`` with one param of that name. See `URLRecord.with_query_param`."""
    name = param_name(name)
    if isinstance(value, list | tuple):
        values = {name: param_values(value, name)}
        return _with_query_text(record, query_pairs.with_values(record.query, values))
    text = param_value(value, name)
    return _with_query_text(record, query_pairs.with_pair(record.query, name, text))


def add_query_param(record: URLRecord, name: str, value: QueryValue) -> URLRecord:
    """Return ``record`` with another param at the end. See `URLRecord.add_query_param`."""
    name = param_name(name)
    values = param_values(value, name)
    if not values:
        return record
    return _with_query_text(record, query_pairs.with_added_pair(record.query, name, *values))


def sort_query_params(record: URLRecord) -> URLRecord:
    """Return ``record`` with its params sorted. See `URLRecord.sort_query_params`."""
    return _with_query_text(record, record.query and query_pairs.sorted_pairs(record.query))


def _with_query_text(record: URLRecord, query: str | None) -> URLRecord:
    """Return ``record`` with this query, which is made of pieces of its own and of a form."""
    if query == record.query:
        return record
    return trusted_relative(record, record.path_text, query, record.fragment)


def with_fragment(record: URLRecord, fragment: str | None) -> URLRecord:
    """Return ``record`` with another fragment. See `URLRecord.with_fragment`."""
    if fragment is None:
        return setters.set_fragment(record, None).record
    text = _text(fragment, "fragment")
    return _accepted(setters.set_fragment(record, text), "fragment", text)


def update_query(record: URLRecord, query: str | QueryPairs) -> URLRecord:
    """Return ``record`` with some parameters replaced. See `URLRecord.update_query`."""
    values: dict[str, list[str]] = {}
    for name, texts in names_and_values(query):
        values.setdefault(name, []).extend(texts)
    return _with_query_text(record, query_pairs.with_values(record.query, values))


def without_credentials(record: URLRecord) -> URLRecord:
    """Return ``record`` without a username and a password."""
    return replaced(record, username="", password="")


def origin_url(record: URLRecord) -> URLRecord:
    """Return the URL of the root of the origin. See `URLRecord.origin_url`."""
    origin = origin_of(record)
    if isinstance(origin, OpaqueOrigin):
        shown = record.redacted()
        raise URLParseError(f"The origin of {quoted(shown)} is opaque, so it has no URL.", shown)
    return trusted_record(origin.scheme, "", "", origin.host, origin.port, "/", None, None)


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
) -> URLRecord:
    """Return the record of these parts, which are data. See `URLRecord.build`."""
    wanted = ascii_lowercase(_text(scheme, "scheme"))
    record = _start_of(wanted, host is not None)
    is_special = wanted in SPECIAL_SCHEMES
    if isinstance(segments, _TEXT_LIKE):
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
        record = record.with_hostname(host)
    if username != "":
        record = record.with_username(username)
    if password != "":
        record = record.with_password(password)
    if port is not None:
        record = record.with_port(port)
    if path is not None:
        record = record.with_path(path)
    return record if query is None else record.with_query(query)


@lru_cache(maxsize=16)
def _start_of(scheme: str, has_host: bool) -> URLRecord:
    """Return the record that `build` changes. Its host is empty until the wanted one is set."""
    if SCHEME.fullmatch(scheme) is None:
        raise URLParseError(
            f"Cannot set the scheme to {quoted(scheme)}: it is not a scheme.", scheme
        )
    is_special = scheme in SPECIAL_SCHEMES
    host = EmptyHost() if is_special or has_host else None
    path = "" if has_host and not is_special else "/"
    return trusted_record(scheme, "", "", host, None, path, None, None)


def _encoded_fragment(fragment: str) -> str:
    text = to_scalar_value_string(_text(fragment, "fragment"))
    return utf8_percent_encode(text, _FRAGMENT_OF_DATA)


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
    record, refusal = outcome
    if refusal is not None or record.scheme != "file" or parse(record.href) == record:
        return outcome
    return Outcome(record, Refusal(f"{quoted(record.href)} would be parsed as another URL"))


def _accepted(
    outcome: Outcome, component: str, text: str, errors: ErrorList | None = None
) -> URLRecord:
    """Return the new record, or raise `URLParseError` if the setter refused part of ``text``."""
    record, refusal = outcome
    if refusal is None:
        return record
    from weburl.standard.infra.assuming import is_ipv6_address  # only errors need it

    # The message may be logged, so it shows no credentials.
    is_secret = component in ("username", "password")
    shown = "*" * len(text) if is_secret else masked_before_at_sign(text)
    what = f"Cannot set the {component} to {quoted(shown)}"
    if component in ("host", "hostname") and is_ipv6_address(text):
        raise URLParseError(
            f"{what}: an IPv6 address needs brackets: '[{text}]'.", shown, refusal.type
        )
    if refusal.type is None or errors is None:
        raise URLParseError(f"{what}: {refusal.reason}.", shown)
    placed = place_errors(text, errors, trimmed=False, shown=shown)
    report = Report(shown, None, placed, errors.count, is_valid_url_string=False)
    why = f". {placed[-1].message}" if refusal.reason is None else f": {refusal.reason}."
    raise URLParseError(what + why, shown, refusal.type, report)
