"""§4.4: the basic URL parser, without a state override.

The standard's state machine reads one code point after the other. Here, the text is split first,
and then each piece is parsed from left to right, so errors come in the order of the state machine::

    https://ana:pw@example.com:8080/a/b?c=d#e    text, after it was prepared
    -----------------------------------          body
    ----- scheme
          ^ at, in `_parse_after_scheme`
            -----------------------              authority
            ------ userinfo
                   ---------------- host_and_port
                                   ^ end of the authority, where the path starts

``at`` is the offset in ``body`` where a function starts to read. `Errors.after` makes the offsets
of errors for a function that gets only a piece.

===============================  =================================================================
function                         the states that it fuses
===============================  =================================================================
`parse_url`                      no scheme state, and the end of each other state
`_parse_scheme`                  scheme start state, scheme state
`_parse_after_scheme`            scheme state after the ":", path or authority state, special
                                 relative or authority state, special authority slashes state
`_parse_relative`                relative state, relative slash state
`_parse_ignoring_slashes`        special authority ignore slashes state
`parse_authority`                authority state, host state
`parse_port`                     port state
`_parse_file`                    file state, file slash state
`_parse_file_host_and_path`      file host state
`_parse_path_start`              path start state
`_parse_path`, `path.parse_path` path state
`_parse_opaque_path`             opaque path state
`parse_query`, `parse_fragment`  query state, fragment state
===============================  =================================================================

`setters` has the same states with a state override.
"""

from __future__ import annotations

import re
from typing import Final, TypeAlias

from weburl.standard.hosts.parser import parse_host
from weburl.standard.hosts.values import Domain, EmptyHost, Host
from weburl.standard.infra.code_point_regexes import SCHEME_AND_COLON
from weburl.standard.infra.code_points import (
    C0_CONTROL_PERCENT_ENCODE_SET,
    FRAGMENT_PERCENT_ENCODE_SET,
    QUERY_PERCENT_ENCODE_SET,
    SPECIAL_QUERY_PERCENT_ENCODE_SET,
    USERINFO_PERCENT_ENCODE_SET,
)
from weburl.standard.infra.errors import (
    NO_ERRORS,
    TAB_OR_NEWLINE,
    TRIMMED,
    ErrorList,
    Errors,
    ValidationErrorType,
)
from weburl.standard.infra.percent_encoding import (
    percent_encode_after_encoding,
    utf8_percent_encode,
)
from weburl.standard.infra.schemes import DEFAULT_PORTS, ENCODING_KEEPING_SCHEMES, SPECIAL_SCHEMES
from weburl.standard.infra.strings import (
    C0_CONTROL_OR_SPACE,
    ascii_lowercase,
    join_surrogate_pairs,
    remove_tabs_and_newlines,
    strip_c0_control_or_space,
    to_scalar_value_string,
)
from weburl.standard.url.path import (
    is_normalized_windows_drive_letter,
    is_windows_drive_letter,
    parse_path,
    shorten_path,
    starts_with_a_windows_drive_letter,
)
from weburl.standard.url.value import RecordStorage, filled

# The start of a link: its scheme, and its authority if that is in printable ASCII. A space at the
# end of the text would be trimmed.
_LINK: Final = re.compile(r'(https?)://([ !-"$-.0->@-\[\]-~]++)(?:[#/?\\]|(?<! )\Z)')
# Up to the first colon outside brackets. Possessive, so it never backtracks.
_HOST: Final = re.compile(r"(?:[^:\[]++|\[[^\]]*+\]?+)*+")
_MAX_PORT_DIGITS: Final = 5
_MAX_PORT: Final = 0xFFFF
_MAX_SPECIAL_SCHEME_AND_COLON: Final = max(map(len, SPECIAL_SCHEMES)) + 1
# All records share one string for each special scheme.
_SPECIAL_SCHEME: Final = {scheme: scheme for scheme in SPECIAL_SCHEMES}

# A plain tuple, because a named one takes five times as long to make.
Authority: TypeAlias = tuple[str, str, Host | None, int | None]  # username, password, host, port
# The authority, the path, and the query of the base if the URL keeps it.
_Hierarchy: TypeAlias = tuple[Authority, str, str | None]

_NO_AUTHORITY: Final[Authority] = ("", "", None, None)
_EMPTY_AUTHORITY: Final[Authority] = ("", "", EmptyHost(), None)
_LOCALHOST: Final = Domain("localhost")


def parse_url(
    input: str, base: RecordStorage | None, encoding: str, errors: Errors = NO_ERRORS
) -> RecordStorage:
    """Parse ``input`` and return its record. Raises `Failure`.

    Args:
        input: any text.
        base: the base URL, or None.
        encoding: the name of an output encoding, for the query.
        errors: where validation errors are recorded. The record does not depend on it.

    Spec: #concept-basic-url-parser
    """
    text = _prepare(input, errors)
    before_fragment, hash_mark, fragment_text = text.partition("#")
    body, question_mark, query_text = before_fragment.partition("?")

    scheme = _parse_scheme(body)
    if scheme:
        at = len(scheme) + 1
        # Otherwise, the scheme state leads to the opaque path state.
        if scheme in SPECIAL_SCHEMES or body.startswith("/", at):
            hierarchy = _parse_after_scheme(body, at, scheme, base, errors)
        else:
            hierarchy = (_NO_AUTHORITY, _parse_opaque_path(body, at, errors), None)
    elif base is None or (base.has_opaque_path and not text.startswith("#")):
        missing_scheme = ValidationErrorType.MISSING_SCHEME_NON_RELATIVE_URL
        raise errors.failure(missing_scheme, 0, len(text))
    else:
        scheme = base.scheme
        hierarchy = _parse_relative(body, 0, base, errors)

    (username, password, host, port), path, query = hierarchy
    at = len(body) + 1
    if question_mark:
        is_special = scheme in SPECIAL_SCHEMES
        keeps_encoding = scheme in ENCODING_KEEPING_SCHEMES
        query = parse_query(
            query_text, is_special, encoding if keeps_encoding else "utf-8", errors, at
        )
        at += len(query_text) + 1
    fragment = parse_fragment(fragment_text, errors, at) if hash_mark else None
    return filled(scheme, username, password, host, port, path, query, fragment)


def require_parsable(input: str) -> None:
    """Raise `Failure` if ``input`` does not parse without a base.

    Only the authority of a link can fail, so nothing after it is read.
    """
    link = _LINK.match(input)
    if link is None:
        parse_url(input, None, "utf-8")
    else:
        parse_authority(link[2], link[1])


def _parse_scheme(text: str) -> str:
    """Return the scheme at the start of ``text``, in lowercase, or "" if it has no scheme.

    Spec: #scheme-start-state
    """
    if ":" not in text:
        return ""
    # Most schemes are special, and those are short, so a few characters are enough.
    before_colon, colon, _ = text[:_MAX_SPECIAL_SCHEME_AND_COLON].partition(":")
    scheme = _SPECIAL_SCHEME.get(ascii_lowercase(before_colon))
    if colon and scheme is not None:
        return scheme
    found = SCHEME_AND_COLON.match(text)
    return "" if found is None else ascii_lowercase(found[1])


def _prepare(input: str, errors: Errors) -> str:
    """Return ``input`` as scalar values, trimmed, without tabs and newlines."""
    text = input if type(input) is str and input.isascii() else to_scalar_value_string(input)
    if isinstance(errors, ErrorList) and "\ufffd" in text:
        written = remove_tabs_and_newlines(strip_c0_control_or_space(join_surrogate_pairs(input)))
        errors.with_surrogates = written
    trimmed = text.strip(C0_CONTROL_OR_SPACE)
    if len(trimmed) < len(text):
        errors.add(ValidationErrorType.INVALID_URL_UNIT, TRIMMED, TRIMMED)
    if not ("\t" in trimmed or "\n" in trimmed or "\r" in trimmed):
        return trimmed
    errors.add(ValidationErrorType.INVALID_URL_UNIT, TAB_OR_NEWLINE, TAB_OR_NEWLINE)
    return remove_tabs_and_newlines(trimmed)


def _parse_after_scheme(
    body: str, at: int, scheme: str, base: RecordStorage | None, errors: Errors
) -> _Hierarchy:
    """Parse ``body`` from ``at``, which is after the colon of ``scheme``.

    Either ``scheme`` is special, or a slash follows it.

    Spec: #scheme-state
    """
    if scheme not in SPECIAL_SCHEMES:
        # The path or authority state.
        if body.startswith("//", at):
            return _parse_authority_and_path(body, at + 2, scheme, errors)
        return (_NO_AUTHORITY, _parse_path(body, at + 1, "", scheme, errors), None)
    # The special authority slashes state, or the special relative or authority state if the base
    # has the same scheme.
    has_slashes = body.startswith("//", at)
    if not has_slashes:
        missing_slashes = ValidationErrorType.SPECIAL_SCHEME_MISSING_FOLLOWING_SOLIDUS
        errors.add(missing_slashes, 0, at)
    if scheme == "file":
        return _parse_file(body, at, base, errors)
    if has_slashes:
        return _parse_ignoring_slashes(body, at + 2, scheme, errors)
    if base is not None and base.scheme == scheme:
        return _parse_relative(body, at, base, errors)
    return _parse_ignoring_slashes(body, at, scheme, errors)


def _parse_relative(body: str, at: int, base: RecordStorage, errors: Errors) -> _Hierarchy:
    """Parse ``body`` from ``at`` as a URL relative to ``base``, of any kind.

    Spec: #relative-state
    """
    scheme = base.scheme
    if scheme == "file":
        return _parse_file(body, at, base, errors)
    slashes = "/\\" if base.is_special else "/"
    authority = (base.username, base.password, base.host, base.port)
    if at == len(body):
        return authority, base.path_text, base.query
    if body[at] not in slashes:
        before = shorten_path(base.path_text, scheme)
        return authority, _parse_path(body, at, before, scheme, errors), None
    # The relative slash state.
    _report_backslash(body, at, errors)
    at += 1
    if not body.startswith(tuple(slashes), at):
        return authority, _parse_path(body, at, "", scheme, errors), None
    _report_backslash(body, at, errors)
    at += 1
    if base.is_special:
        return _parse_ignoring_slashes(body, at, scheme, errors)
    return _parse_authority_and_path(body, at, scheme, errors)


def _parse_ignoring_slashes(body: str, at: int, scheme: str, errors: Errors) -> _Hierarchy:
    """Skip slashes and backslashes from ``at``, then parse an authority and a path.

    Spec: #special-authority-ignore-slashes-state
    """
    first = at
    while body.startswith(("/", "\\"), at):
        at += 1
    for slash in range(first, at):
        extra_slash = ValidationErrorType.SPECIAL_SCHEME_MISSING_FOLLOWING_SOLIDUS
        errors.add(extra_slash, slash, slash + 1)
    return _parse_authority_and_path(body, at, scheme, errors)


def _parse_authority_and_path(body: str, at: int, scheme: str, errors: Errors) -> _Hierarchy:
    end = _find_slash(body, at, is_special=scheme in SPECIAL_SCHEMES)
    authority = parse_authority(body[at:end], scheme, errors.after(at))
    return authority, _parse_path_start(body, end, scheme, errors), None


def parse_authority(text: str, scheme: str, errors: Errors = NO_ERRORS) -> Authority:
    """Parse ``text`` as credentials, host and port. Raises `Failure`.

    Args:
        text: the authority, without slashes.
        scheme: lowercase, without ":".
        errors: where validation errors are recorded.

    Spec: #authority-state
    """
    is_special = scheme in SPECIAL_SCHEMES
    username, password, host_and_port = "", "", text
    has_at_sign = "@" in text
    if has_at_sign:
        userinfo, _, host_and_port = text.rpartition("@")
        # The first ":" sets the standard's passwordTokenSeenFlag.
        username, _, password = userinfo.partition(":")
        at = text.find("@")
        while at >= 0:
            errors.add(ValidationErrorType.INVALID_CREDENTIALS, at, at + 1)
            at = text.find("@", at + 1)
        username = utf8_percent_encode(username, USERINFO_PERCENT_ENCODE_SET)
        password = utf8_percent_encode(password, USERINFO_PERCENT_ENCODE_SET)
    start = len(text) - len(host_and_port)
    host_text, colon, port_text = split_host_and_port(host_and_port)
    if not host_text and (is_special or has_at_sign or colon):
        if not host_and_port and has_at_sign:
            start -= 1  # The error points at the "@", because nothing follows it.
        end = start + max(len(host_and_port), 1)
        raise errors.failure(ValidationErrorType.HOST_MISSING, start, end)
    host = parse_host(host_text, not is_special, errors.after(start))
    port = None
    if port_text:
        port = parse_port(port_text, scheme, errors.after(start + len(host_text) + 1))
    return username, password, host, port


def split_host_and_port(text: str) -> tuple[str, str, str]:
    """Split ``text`` at the first colon outside brackets, as `str.partition` does.

    Spec: #host-state
    """
    if "[" not in text:
        return text.partition(":")
    found = _HOST.match(text)
    end = 0 if found is None else found.end()
    return text[:end], text[end : end + 1], text[end + 1 :]


def parse_port(text: str, scheme: str, errors: Errors = NO_ERRORS) -> int | None:
    """Return the port in ``text``, or None for the default port of ``scheme``. Raises `Failure`.

    ``text`` is not empty.

    Spec: #port-state
    """
    if not (text.isascii() and text.isdigit()):
        at = next(at for at, digit in enumerate(text) if digit not in "0123456789")
        raise errors.failure(ValidationErrorType.PORT_INVALID, at, at + 1)
    significant = text.lstrip("0")
    # A long number is not converted, because `int` takes quadratic time.
    port = int(significant or "0") if len(significant) <= _MAX_PORT_DIGITS else _MAX_PORT + 1
    if port > _MAX_PORT:
        raise errors.failure(ValidationErrorType.PORT_OUT_OF_RANGE, 0, len(text))
    return None if port == DEFAULT_PORTS.get(scheme) else port


def _parse_file(body: str, at: int, base: RecordStorage | None, errors: Errors) -> _Hierarchy:
    """Parse ``body`` from ``at``: what follows "file:", or a URL relative to a file URL.

    Spec: #file-state
    """
    if base is not None and base.scheme != "file":
        base = None
    if body.startswith(("/", "\\"), at):
        # The file slash state.
        _report_backslash(body, at, errors)
        at += 1
        if body.startswith(("/", "\\"), at):
            _report_backslash(body, at, errors)
            return _parse_file_host_and_path(body, at + 1, errors)
        before = ""
        authority = _EMPTY_AUTHORITY
        if base is not None:
            authority = ("", "", base.host, None)
            drive = base.path_text.split("/", 2)[1]
            if is_normalized_windows_drive_letter(drive) and not starts_with_a_windows_drive_letter(
                body, at
            ):
                before = f"/{drive}"
        return authority, _parse_path(body, at, before, "file", errors), None
    if base is None:
        return _EMPTY_AUTHORITY, _parse_path(body, at, "", "file", errors), None
    authority = ("", "", base.host, None)
    if at == len(body):
        return authority, base.path_text, base.query
    before = shorten_path(base.path_text, "file")
    if starts_with_a_windows_drive_letter(body, at):
        errors.add(ValidationErrorType.FILE_INVALID_WINDOWS_DRIVE_LETTER, at, at + 2)
        before = ""
    return authority, _parse_path(body, at, before, "file", errors), None


def _parse_file_host_and_path(body: str, at: int, errors: Errors) -> _Hierarchy:
    """Parse ``body`` from ``at``, which is after the two slashes of a file URL.

    Spec: #file-host-state
    """
    end = _find_slash(body, at, is_special=True)
    text = body[at:end]
    if is_windows_drive_letter(text):
        # The path starts with the drive letter, which is not reported again.
        errors.add(ValidationErrorType.FILE_INVALID_WINDOWS_DRIVE_LETTER_HOST, at, end)
        errors.add_url_units(body[end:], end, backslash_separates=True)
        return _EMPTY_AUTHORITY, _parse_path(body, at, "", "file", NO_ERRORS), None
    authority = _EMPTY_AUTHORITY
    if text:
        host = parse_host(text, False, errors.after(at))
        if host != _LOCALHOST:
            authority = ("", "", host, None)
    return authority, _parse_path_start(body, end, "file", errors), None


def _parse_path_start(body: str, at: int, scheme: str, errors: Errors) -> str:
    """Parse the path after an authority, with its first slash.

    Spec: #path-start-state
    """
    if scheme not in SPECIAL_SCHEMES:
        return _parse_path(body, at + 1, "", scheme, errors) if at < len(body) else ""
    if at < len(body):
        _report_backslash(body, at, errors)
    return _parse_path(body, at + 1, "", scheme, errors)


def _parse_path(body: str, at: int, before: str, scheme: str, errors: Errors) -> str:
    """Parse the path in ``body`` from ``at``, after its first slash, as the rest of ``before``."""
    is_special = scheme in SPECIAL_SCHEMES
    text = body[at:]
    errors.add_url_units(text, at, backslash_separates=is_special)
    return parse_path(text, before, scheme, is_special)


def _parse_opaque_path(body: str, at: int, errors: Errors) -> str:
    """Parse the opaque path in ``body`` from ``at``.

    Spec: #cannot-be-a-base-url-path-state
    """
    text = body[at:]
    errors.add_url_units(text, at)
    path = utf8_percent_encode(text, C0_CONTROL_PERCENT_ENCODE_SET)
    # A trailing space here is before a query or a fragment: at the end of the input it is trimmed.
    return f"{path[:-1]}%20" if path.endswith(" ") else path


def parse_query(
    text: str, is_special: bool, encoding: str, errors: Errors = NO_ERRORS, at: int = 0
) -> str:
    """Return the query in ``text``, percent-encoded. Neither has the "?".

    Args:
        text: the query as written.
        is_special: whether the scheme is special, so that "'" is percent-encoded too.
        encoding: the name of an output encoding.
        errors: where validation errors are recorded.
        at: where the query begins in the text that the errors refer to.

    Spec: #query-state
    """
    errors.add_url_units(text, at)
    encode_set = SPECIAL_QUERY_PERCENT_ENCODE_SET if is_special else QUERY_PERCENT_ENCODE_SET
    return percent_encode_after_encoding(encoding, text, encode_set)


def parse_fragment(text: str, errors: Errors = NO_ERRORS, at: int = 0) -> str:
    """Return the fragment in ``text``, percent-encoded. Neither has the "#".

    Spec: #fragment-state
    """
    errors.add_url_units(text, at)
    return utf8_percent_encode(text, FRAGMENT_PERCENT_ENCODE_SET)


def _find_slash(body: str, at: int, *, is_special: bool) -> int:
    """Return the index of the first separator from ``at``, or the length of ``body``.

    The separator is a slash, or also a backslash if the scheme is special.
    """
    slash = body.find("/", at)
    end = len(body) if slash < 0 else slash
    backslash = body.find("\\", at, end) if is_special else -1
    return end if backslash < 0 else backslash


def _report_backslash(body: str, at: int, errors: Errors) -> None:
    if body[at] == "\\":
        errors.add(ValidationErrorType.INVALID_REVERSE_SOLIDUS, at, at + 1)
