"""What the methods of `URLRecord` need from modules above it.

A setter of the standard ignores parts of a value that it does not understand. Here such a value
raises an error, because the caller should know.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import Final, cast

from weburl.api import parse
from weburl.hosts.values import is_host
from weburl.infra.credentials import masked_before_at_sign
from weburl.infra.errors import ErrorList
from weburl.infra.strings import exact
from weburl.interface.search_params import URLSearchParams
from weburl.origins.of_url import serialize_origin
from weburl.parsing import setters
from weburl.parsing.setters import Outcome, Refusal
from weburl.records.record import URLRecord
from weburl.validation.explanations import quoted
from weburl.validation.report import MAX_ERRORS, Report, URLParseError, place_errors

_TEXT_SETTERS: Final[dict[str, Callable[[URLRecord, str], Outcome]]] = {
    "scheme": setters.set_scheme,
    "username": setters.set_username,
    "password": setters.set_password,
    "path": setters.set_path,
    "query": setters.set_query,
    "fragment": setters.set_fragment,
}
_REPORTING_SETTERS: Final[dict[str, Callable[[URLRecord, str, ErrorList | None], Outcome]]] = {
    "host": setters.set_host,
    "hostname": setters.set_hostname,
    "port": setters.set_port,
}
# Sequences, but not of path segments.
_SECRET: Final = ("username", "password")
_TEXT_LIKE: Final = (str, bytes, bytearray, memoryview)


class _Operations:
    def join(self, base: URLRecord, input: str) -> URLRecord:
        return parse(input, base)

    def origin(self, record: URLRecord) -> str:
        return serialize_origin(record)

    def with_component(self, record: URLRecord, component: str, value: object) -> URLRecord:
        if component == "query" and value is not None and not isinstance(value, str):
            # As on the web: no names and values, no query.
            value = str(URLSearchParams(cast("Iterable[tuple[str, str]]", value))) or None
        if component in ("query", "fragment") and value is None:
            setter = setters.set_query if component == "query" else setters.set_fragment
            return setter(record, None).record
        if (
            component == "path"
            and isinstance(value, Sequence)
            and not isinstance(value, _TEXT_LIKE)
        ):
            segments = tuple(_text(segment, "path segment") for segment in value)
            outcome = setters.set_path_segments(record, segments)
            return _accepted(outcome, component, "/".join(segments), None)
        text = _text(value, component)
        if component in _REPORTING_SETTERS:
            errors = ErrorList(MAX_ERRORS)
            outcome = _REPORTING_SETTERS[component](record, text, errors)
            return _accepted(outcome, component, text, errors)
        outcome = _TEXT_SETTERS[component](record, text)
        if outcome.refusal is None and component == "scheme":
            outcome = _stable(outcome)
        return _accepted(outcome, component, text, None)


def _text(value: object, component: str) -> str:
    """Return ``value`` as the text of a setter; raise TypeError where it is not of its type."""
    if isinstance(value, str):
        return exact(value)
    if component in ("host", "hostname") and is_host(value):
        return str(value)
    if component == "port" and (value is None or type(value) is int):
        return "" if value is None else str(value)
    raise TypeError(f"a {component} cannot be of the type {type(value).__name__}")


def _stable(outcome: Outcome) -> Outcome:
    """Refuse a record that would read differently once it is written.

    The standard's protocol setter can make "file://localhost/" and "file://h/C|/", which the
    parser reads as "file:///" and "file://h/C:/".
    """
    record = outcome.record
    if record.scheme != "file" or parse(record.href) == record:
        return outcome
    return Outcome(record, Refusal(f"{quoted(record.href)} would be parsed as another URL"))


def _accepted(outcome: Outcome, component: str, text: str, errors: ErrorList | None) -> URLRecord:
    """Return the new record, or raise the reason why not all of ``text`` was taken."""
    record, refusal = outcome
    if refusal is None:
        return record
    # Errors go to logs.
    shown = "*" * len(text) if component in _SECRET else masked_before_at_sign(text)
    what = f"Cannot set the {component} to {quoted(shown)}"
    if refusal.type is None or errors is None:
        raise URLParseError(f"{what}: {refusal.reason}.", shown)
    placed = place_errors(text, errors, trimmed=False, shown=shown)
    report = Report(shown, None, placed, errors.count, is_valid_url_string=False)
    why = f". {placed[-1].message}" if refusal.reason is None else f": {refusal.reason}."
    raise URLParseError(what + why, shown, refusal.type, report)


OPERATIONS: Final = _Operations()
