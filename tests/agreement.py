"""What `weburl` and the literal machine of `tests.reference` make of the same text, compared.

Each function returns a list of sentences, empty where the two agree, so that a test can say all
that differs over thousands of inputs at once. Nothing here decides which of the two is right.
"""

from __future__ import annotations

from typing import Final

import weburl
from tests.reference.api import ReferenceURL
from tests.reference.machine import basic_url_parse
from tests.reference.outcomes import FAILURE, NOWHERE, ReferenceValidationError
from tests.reference.records import ReferenceRecord
from weburl import URL, Domain, Report, URLParseError, URLRecord

Components = tuple[
    str, str, str, str | None, int | None, tuple[str, ...] | str, str | None, str | None
]

MAX_ERRORS: Final = 1000
"""How many errors a report holds at the most, the failure aside."""

# Errors of which the machine's pointer is the very code point they are about.
_AT_THE_POINTER: Final = frozenset(
    {"invalid-URL-unit", "invalid-reverse-solidus", "invalid-credentials", "port-invalid"}
)
_C0_CONTROL_OR_SPACE: Final = frozenset(map(chr, range(0x21)))


def components(record: URLRecord) -> Components:
    """Return what `ReferenceRecord.components` returns, of a record of `weburl`."""
    return (
        record.scheme,
        record.username,
        record.password,
        None if record.host is None else str(record.host),
        record.port,
        record.path,
        record.query,
        record.fragment,
    )


def prepared_offsets(text: str) -> list[int]:
    """Return where in ``text`` each code point of the prepared input stands, and its end.

    A surrogate pair counts as the one code point that it becomes.
    """
    start, end = 0, len(text)
    while start < end and text[start] in _C0_CONTROL_OR_SPACE:
        start += 1
    while end > start and text[end - 1] in _C0_CONTROL_OR_SPACE:
        end -= 1
    offsets = []
    at = start
    while at < end:
        is_pair = "\ud800" <= text[at] <= "\udbff" and "\udc00" <= text[at + 1 : at + 2] <= "\udfff"
        if text[at] not in "\t\n\r":
            offsets.append(at)
        at += 2 if is_pair else 1
    return [*offsets, end]


def parse_disagreements(
    input: str, base: str | None = None, *, encoding: str = "utf-8"
) -> list[str]:
    """Say how parsing ``input``, and ``base`` before it, ends and is reported differently."""
    reference_base: ReferenceRecord | None = None
    if base is not None:
        found = parse_disagreements(base)
        if found:
            return found
        parsed = basic_url_parse(base)
        if parsed is FAILURE:
            return _of_a_base_that_fails(input, base)
        reference_base = parsed

    expected_errors: list[ReferenceValidationError] = []
    expected = basic_url_parse(input, reference_base, encoding=encoding, errors=expected_errors)
    report = weburl.check(input, base, encoding=encoding)
    where = f"{input!r} on {base!r} in {encoding}"
    wrong: list[str] = []

    if expected is FAILURE:
        if report.record is not None:
            wrong.append(f"{where} should fail, and is {report.record!r}")
    elif report.record is None:
        wrong.append(f"{where} should be {expected!r}, and fails")
    elif components(report.record) != expected.components():
        wrong.append(
            f"{where} should be {expected.components()}, and is {components(report.record)}"
        )
    wrong += _error_disagreements(where, report, expected_errors)
    wrong += _disagreements_without_reporting(where, input, base, encoding, report)
    return wrong


def _of_a_base_that_fails(input: str, base: str) -> list[str]:
    wrong = []
    if weburl.can_parse(input, base):
        wrong.append(f"{input!r} parses on the base {base!r}, which does not")
    if weburl.is_valid_url_string(input, base):
        wrong.append(f"{input!r} is valid on the base {base!r}, which does not parse")
    if weburl.check(input, base).record is not None:
        wrong.append(f"{input!r} has a record on the base {base!r}, which does not parse")
    return wrong


def _error_disagreements(
    where: str, report: Report, expected: list[ReferenceValidationError]
) -> list[str]:
    wrong: list[str] = []
    if report.error_count != len(expected):
        wrong.append(f"{where} has {report.error_count} errors and should have {len(expected)}")
    if len(expected) > MAX_ERRORS:
        kept = expected[:MAX_ERRORS]
        expected = [*kept, expected[-1]] if expected[-1].is_failure else kept
    got = [(error.type.value, error.is_failure) for error in report.errors]
    if got != [(error.name, error.is_failure) for error in expected]:
        names = [(error.name, error.is_failure) for error in expected]
        return [*wrong, f"{where} has the errors {got} and should have {names}"]

    offsets = prepared_offsets(report.input)
    for error, (name, pointer, _) in zip(report.errors, expected, strict=True):
        if not 0 <= error.start <= error.end <= len(report.input):
            wrong.append(f"{where}: {name} is at {error.start}:{error.end}")
        elif name in _AT_THE_POINTER and pointer != NOWHERE and error.start != offsets[pointer]:
            wrong.append(
                f"{where}: {name} is at {error.start}, and should be at {offsets[pointer]}"
            )
        if not error.message:
            wrong.append(f"{where}: {name} has no message")
    return wrong


def _disagreements_without_reporting(
    where: str, input: str, base: str | None, encoding: str, report: Report
) -> list[str]:
    wrong: list[str] = []
    record: URLRecord | None
    try:
        record = weburl.parse(input, base, encoding=encoding)
    except URLParseError as error:
        record = None
        if report.failure is None or error.type is not report.failure.type:
            wrong.append(f"{where} raises {error.type}, and the report says {report.failure}")
    if record != report.record:
        wrong.append(f"{where} is {record!r}, and with a report {report.record!r}")
    if encoding == "utf-8":
        if weburl.can_parse(input, base) is (record is None):
            wrong.append(f"{where}: can_parse is {record is None}")
        if weburl.is_valid_url_string(input, base) is not report.is_valid_url_string:
            wrong.append(f"{where}: the report says {report.is_valid_url_string} of its validity")
    if record is not None:
        again = weburl.parse(record.href)
        if again != record or again.href != record.href or components(again) != components(record):
            wrong.append(f"{where} is {record!r}, which parses as {again!r}")
        if not record.href.isascii():
            wrong.append(f"{where} is {record!r}, which is not ASCII")
    return wrong


def may_be_written_as_another_url(record: URLRecord) -> bool:
    """Tell whether a setter of the standard made a record that its own href does not give.

    Only the scheme's setter does, and only on its way to "file": the host "localhost" stays, and
    so does a Windows drive letter written with "|".
    """
    if record.scheme != "file" or isinstance(record.path, str):
        return False
    first = record.path[0]
    return record.host == Domain("localhost") or (
        len(first) == 2 and first[0].isascii() and first[0].isalpha() and first[1] == "|"
    )


def setter_disagreements(href: str, calls: list[tuple[str, str]]) -> list[str]:
    """Say how the setters, called one after another on a URL, end differently.

    ``href`` must parse.
    """
    url, reference = URL(href), ReferenceURL(href)
    done = [repr(href)]
    for name, value in calls:
        done.append(f"{name}={value!r}")
        where = ", ".join(done)
        raised = [_set(target, name, value) for target in (url, reference)]
        if raised[0] is not raised[1]:
            return [f"{where}: raising is {raised[0]} and should be {raised[1]}"]
        made, expected = components(url.record), reference.record.components()
        if made != expected:
            return [f"{where}: should be {expected}, and is {made}"]
        for getter in (
            "href", "origin", "protocol", "username", "password", "host", "hostname", "port",
            "pathname", "search", "hash",
        ):  # fmt: skip
            got, wanted = getattr(url, getter), getattr(reference, getter)
            if got != wanted:
                return [f"{where}: {getter} is {got!r} and should be {wanted!r}"]
        if weburl.parse(url.href) != url.record and not may_be_written_as_another_url(url.record):
            return [f"{where}: {url.record!r} parses as {weburl.parse(url.href)!r}"]
    return []


def _set(target: URL | ReferenceURL, name: str, value: str) -> bool:
    try:
        setattr(target, name, value)
    except ValueError:
        return True
    return False


def web_attributes(record: URLRecord) -> dict[str, str]:
    """Return what the web's getters say of a record, worked out from its components."""
    host = "" if record.host is None else str(record.host)
    port = "" if record.port is None else str(record.port)
    return {
        "href": record.href,
        "origin": record.origin,
        "protocol": f"{record.scheme}:",
        "username": record.username,
        "password": record.password,
        "host": f"{host}:{port}" if port else host,
        "hostname": host,
        "port": port,
        "pathname": record.path_text,
        "search": f"?{record.query}" if record.query else "",
        "hash": f"#{record.fragment}" if record.fragment else "",
    }
