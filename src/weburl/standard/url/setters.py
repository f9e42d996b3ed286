"""The state overrides of §4.4, as functions from a record and text to a new record.

Each starts in one state of the parser. `set_scheme` is the scheme start state, `set_host` and
`set_hostname` are the host state, `set_port` is the port state, `set_path` is the path start state,
and `set_query` and `set_fragment` are the query state and the fragment state. Username and password
have no state.

Those that can refuse part of the text return an `Outcome`: the new record, which may have changed
in part or not at all, and the reason. The setters of `URL` use only the record. The methods of
`URLRecord` raise the reason as an error, because the caller should know: see `edits`.
"""

from __future__ import annotations

import re
from typing import Final, Generic, NamedTuple, TypeVar

from weburl.standard.hosts.parser import parse_host
from weburl.standard.hosts.values import Domain, EmptyHost, Host
from weburl.standard.infra.code_point_regexes import SCHEME_AND_COLON
from weburl.standard.infra.code_points import (
    DOUBLE_DOT_SEGMENTS,
    PATH_PERCENT_ENCODE_SET,
    SINGLE_DOT_SEGMENTS,
    USERINFO_PERCENT_ENCODE_SET,
)
from weburl.standard.infra.credentials import masking_before_at_sign
from weburl.standard.infra.errors import NO_ERRORS, Errors, Failure, ValidationErrorType
from weburl.standard.infra.explanations import quoted
from weburl.standard.infra.percent_encoding import utf8_percent_encode
from weburl.standard.infra.schemes import DEFAULT_PORTS, SPECIAL_SCHEMES
from weburl.standard.infra.strings import (
    ascii_lowercase,
    remove_tabs_and_newlines,
    to_scalar_value_string,
)
from weburl.standard.url.parser import (
    parse_fragment,
    parse_port,
    parse_query,
    split_host_and_port,
)
from weburl.standard.url.path import is_windows_drive_letter, parse_path
from weburl.standard.url.value import RecordStorage, replaced, serialize_path

_HOST_END: Final = re.compile(r"[/?#]")
_SPECIAL_HOST_END: Final = re.compile(r"[/?#\\]")
_DIGITS: Final = re.compile("[0-9]*")

_Record = TypeVar("_Record", bound=RecordStorage)


class Refusal(NamedTuple):
    """The reason why a setter refused part of its text.

    Args:
        reason: the end of a sentence, or None if the message of the validation error is enough.
        type: the standard's name for the error, or None if the standard has no name for it.
    """

    reason: str | None
    type: ValidationErrorType | None = None


class Outcome(NamedTuple, Generic[_Record]):
    """The record after a setter, and why part of the text was refused, if so."""

    record: _Record
    refusal: Refusal | None = None


def set_scheme(record: _Record, value: str) -> Outcome[_Record]:
    """Set the scheme to ``value``, up to a colon if it has one.

    Spec: #dom-url-protocol
    """
    text = _prepare(value)
    found = SCHEME_AND_COLON.match(f"{text}:")
    if found is None:
        return Outcome(record, Refusal("it is not a scheme"))
    scheme = ascii_lowercase(found[1])
    if scheme == record.scheme:
        return Outcome(record, _trailing(text, found.end()))
    if record.is_special != (scheme in SPECIAL_SCHEMES):
        return Outcome(
            record,
            Refusal(
                f"only one of {quoted(record.scheme)} and {quoted(scheme)} is a special scheme"
            ),
        )
    if scheme == "file" and (record.includes_credentials or record.port is not None):
        return Outcome(record, Refusal("a file URL cannot have credentials or a port"))
    if record.scheme == "file" and isinstance(record.host, EmptyHost):
        return Outcome(record, Refusal(f"the URL has no host, but {quoted(scheme)} needs one"))
    port = None if record.port == DEFAULT_PORTS.get(scheme) else record.port
    return Outcome(replaced(record, scheme=scheme, port=port), _trailing(text, found.end()))


def set_username(record: _Record, value: str) -> Outcome[_Record]:
    """Set the username to ``value``.

    Spec: #set-the-username
    """
    return _set_userinfo(record, "username", value)


def set_password(record: _Record, value: str) -> Outcome[_Record]:
    """Set the password to ``value``.

    Spec: #set-the-password
    """
    return _set_userinfo(record, "password", value)


def _set_userinfo(record: _Record, part: str, value: str) -> Outcome[_Record]:
    if record.cannot_have_a_username_password_or_port:
        return _unless_empty(record, value, part)
    text = utf8_percent_encode(to_scalar_value_string(value), USERINFO_PERCENT_ENCODE_SET)
    return Outcome(replaced(record, **{part: text}))


def set_host(record: _Record, value: str, errors: Errors = NO_ERRORS) -> Outcome[_Record]:
    """Set the host, and the port if ``value`` has one. The port may fail where the host does not.

    Spec: #dom-url-host
    """
    return _set_host(record, value, errors, takes_port=True)


def set_hostname(record: _Record, value: str, errors: Errors = NO_ERRORS) -> Outcome[_Record]:
    """Set the host, and keep the port.

    Spec: #dom-url-hostname
    """
    return _set_host(record, value, errors, takes_port=False)


def _set_host(record: _Record, value: str, errors: Errors, *, takes_port: bool) -> Outcome[_Record]:
    if record.has_opaque_path:
        return Outcome(record, Refusal("a URL with an opaque path cannot have a host"))
    text = _prepare(value)
    if record.scheme == "file":
        return _set_file_host(record, text, errors)
    found = (_SPECIAL_HOST_END if record.is_special else _HOST_END).search(text)
    end = len(text) if found is None else found.start()
    host_text, colon, _ = split_host_and_port(text[:end])
    if not host_text:
        if colon or record.is_special:
            errors.failure(ValidationErrorType.HOST_MISSING, 0, 1)
            reason = "this URL needs a host"
            return Outcome(record, Refusal(reason, ValidationErrorType.HOST_MISSING))
        if record.includes_credentials or record.port is not None:
            return Outcome(record, Refusal("a URL with credentials or a port needs a host"))
    if colon and not takes_port:
        return Outcome(record, Refusal("a hostname cannot have a port"))
    host = _try_host(host_text, not record.is_special, errors)
    if isinstance(host, Refusal):
        return Outcome(record, host)
    record = replaced(record, host=host)
    if not colon:
        return Outcome(record, _trailing(text, end))
    return _set_port(record, text, len(host_text) + 1, errors)


def _set_file_host(record: _Record, text: str, errors: Errors) -> Outcome[_Record]:
    found = _SPECIAL_HOST_END.search(text)
    end = len(text) if found is None else found.start()
    host: Host | Refusal = EmptyHost()
    if end:
        host = _try_host(text[:end], False, errors)
        if isinstance(host, Refusal):
            return Outcome(record, host)
        if host == Domain("localhost"):
            host = EmptyHost()
    return Outcome(replaced(record, host=host), _trailing(text, end))


def _try_host(text: str, is_opaque: bool, errors: Errors) -> Host | Refusal:
    try:
        return parse_host(text, is_opaque, errors)
    except Failure as caught:
        return Refusal(None, caught.type)


def set_port(record: _Record, value: str, errors: Errors = NO_ERRORS) -> Outcome[_Record]:
    """Set the port to the digits that ``value`` starts with, or to None if it is empty.

    Spec: #dom-url-port
    """
    if record.cannot_have_a_username_password_or_port:
        return _unless_empty(record, value, "port")
    if not value:
        return Outcome(replaced(record, port=None))
    return _set_port(record, _prepare(value), 0, errors)


def _set_port(record: _Record, text: str, at: int, errors: Errors) -> Outcome[_Record]:
    found = _DIGITS.match(text, at)
    digits = "" if found is None else found[0]
    if not digits:
        return Outcome(record, Refusal("a port must be a number from 0 to 65535"))
    try:
        port = parse_port(digits, record.scheme, errors.after(at))
    except Failure as caught:
        return Outcome(record, Refusal(None, caught.type))
    return Outcome(replaced(record, port=port), _trailing(text, at + len(digits)))


def set_path(record: _Record, value: str) -> Outcome[_Record]:
    """Set the path to ``value``, in which "?" and "#" are percent-encoded.

    Spec: #dom-url-pathname
    """
    if record.has_opaque_path:
        return Outcome(record, Refusal("an opaque path cannot be changed"))
    text = _prepare(value)
    is_special = record.scheme in SPECIAL_SCHEMES
    if text or is_special or record.host is None:
        starts_with_slash = text.startswith(("/", "\\") if is_special else "/")
        after_slash = text[1:] if starts_with_slash else text
        path = parse_path(after_slash, "", record.scheme, is_special)
    else:
        path = ""
    return Outcome(replaced(record, path_text=path))


def set_path_segments(record: _Record, segments: tuple[str, ...]) -> Outcome[_Record]:
    """Set the path to ``segments``. A slash inside a segment is percent-encoded."""
    if record.has_opaque_path:
        return Outcome(record, Refusal("an opaque path cannot be changed"))
    if not segments and (record.is_special or record.host is None):
        return Outcome(record, Refusal("the path of this URL must have at least one segment"))
    encoded: list[str] = []
    for segment in segments:
        text = utf8_percent_encode(to_scalar_value_string(segment), PATH_PERCENT_ENCODE_SET)
        text = text.replace("/", "%2F")
        if record.is_special:
            text = text.replace("\\", "%5C")
        if record.scheme == "file" and not encoded and is_windows_drive_letter(text):
            text = text.replace("|", "%7C")
        if text in SINGLE_DOT_SEGMENTS or text in DOUBLE_DOT_SEGMENTS:
            return Outcome(record, Refusal(f"{quoted(segment)} is a dot segment, not a name"))
        encoded.append(text)
    return Outcome(replaced(record, path_text=serialize_path(tuple(encoded))))


def set_query(record: _Record, value: str | None) -> _Record:
    """Set the query to ``value``, without its "?", or to None.

    Spec: #dom-url-search
    """
    if value is None:
        return replaced(record, query=None)
    query = parse_query(_prepare(value), record.is_special, "utf-8")
    return replaced(record, query=query)


def set_fragment(record: _Record, value: str | None) -> _Record:
    """Set the fragment to ``value``, without its "#", or to None.

    Spec: #dom-url-hash
    """
    if value is None:
        return replaced(record, fragment=None)
    return replaced(record, fragment=parse_fragment(_prepare(value)))


def _unless_empty(record: _Record, value: str, part: str) -> Outcome[_Record]:
    """Return the record as it is, with no refusal if the text would only remove the part."""
    reason = f"a URL without a host, or a file URL, cannot have a {part}"
    return Outcome(record, Refusal(reason) if value else None)


def _prepare(value: str) -> str:
    return remove_tabs_and_newlines(to_scalar_value_string(value))


def _trailing(text: str, end: int) -> Refusal | None:
    """Return the reason to refuse the text after ``end``, or None if there is none."""
    rest = masking_before_at_sign(text).culprit(end, len(text))
    return Refusal(f"{quoted(rest)} does not belong there") if rest else None
