"""A report of everything that the viewer shows about a URL, as plain values for JSON."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final, TypeAlias

import attrs

from weburl.lookalikes import suspicions_as_json
from weburl.origins.sites import obtain_a_site
from weburl.patterns.errors import URLPatternError, without_credentials
from weburl.patterns.init import components_of_record
from weburl.patterns.matchers import Backtracking
from weburl.patterns.pattern import URLPattern, components_of
from weburl.policies.readers import MAX_LENGTH, readings
from weburl.standard.hosts.values import Domain, Host
from weburl.standard.interface.url import URL
from weburl.standard.rendering.text import render
from weburl.standard.url.api import check, parse
from weburl.standard.url.origin_of import origin_of
from weburl.standard.url.record import URLRecord
from weburl.standard.url.report import Report, URLParseError, errors_as_json
from weburl.viewer.spans import spans

ATTRIBUTES: Final = (
    "href",
    "origin",
    "protocol",
    "username",
    "password",
    "host",
    "hostname",
    "port",
    "pathname",
    "search",
    "searchParams",
    "hash",
)
"""The attributes of the web's `URL`, under the names that browsers use."""

WIDTHS: Final = (20, 40, 80)
"""The maximum lengths, in code points, with which the URL is rendered."""

ISOLATES: Final = str.maketrans("", "", "\u2066\u2067\u2068\u2069")
"""A table for str.translate() that removes bidirectional isolates."""

MAX_PATTERN: Final = 2_000
"""The largest number of code points of a pattern that is read."""

MAX_PRODUCT: Final = 10_000_000
"""The largest product of the lengths of a pattern and a URL: a match can take as many steps."""

_TOO_LONG: Final = f"The pattern is longer than {MAX_PATTERN:,} characters."
_TOO_LONG_TOGETHER: Final = "The pattern and the URL are too long to be matched here."
_UNBOUNDED: Final = (
    "This regular expression is not run here, because it could take too long: it has "
    "“^”, “$”, “\\b”, “\\B” or a lookaround."
)


@attrs.frozen
class Stored:
    """The value that a field would store: its ``text``, or None with the error ``messages``."""

    __module__ = "weburl.viewer"

    text: str | None
    messages: tuple[str, ...] = ()


Field: TypeAlias = Callable[[str], Stored]
"""Returns what a form field, such as Django's, would store for typed text."""


def report(
    url: str, base: str | None = None, field: Field | None = None, pattern: str | None = None
) -> dict[str, Any]:
    """Return everything about ``url`` as JSON values.

    Args:
        url: The text of the URL.
        base: The text of its base URL, or None.
        field: A function that returns what would be stored. For a URL with a base, it gets the
            joined URL. Without it, the canonical text would be stored.
        pattern: A URL pattern to match the URL against, relative to ``base``, or None.

    Raises:
        TypeError: ``url``, ``base`` or ``pattern`` is not text.
    """
    found = check(url, base)
    record = found.record
    base_record = None if base is None or found.is_about_base else parse(base)
    return {
        "input": url,
        "base": base,
        "parts": [
            {"part": span.part, "start": span.start, "end": span.end}
            for span in spans(url, base_record)
        ],
        "validation": validation(found),
        "attributes": None
        if record is None
        else dict(zip(ATTRIBUTES, attributes(record), strict=True)),
        "query": None if record is None else record.query,
        "search_params": [] if record is None else [list(pair) for pair in record.query_pairs],
        "identity": None if record is None else _identity(record),
        "stored": _stored(url, base, record, field),
        "rendered": []
        if record is None
        else [{"max_length": width, "text": render(record, max_length=width)} for width in WIDTHS],
        "readings": _readings(url if base is None or record is None else record.href),
        "pattern": None if pattern is None else matching(pattern, base, record),
    }


def attributes(record: URLRecord) -> tuple[str, ...]:
    """Return the `ATTRIBUTES` of ``record``, as a browser's getters return them.

    Spec: #url-class
    """
    url = URL(record.href)
    names = (name if name != "searchParams" else "search_params" for name in ATTRIBUTES)
    return tuple(str(getattr(url, name)) for name in names)


def attributes_of(url: str, base: str | None = None) -> tuple[str, ...] | None:
    """Return the `ATTRIBUTES` of ``url`` relative to ``base``, or None if it does not parse."""
    try:
        return attributes(parse(url, base))
    except URLParseError:
        return None


def validation(found: Report) -> dict[str, Any]:
    """Return the validation errors of a report, as `python -m weburl check --json` writes them."""
    return {
        "is_valid_url_string": found.is_valid_url_string,
        "is_about_base": found.is_about_base,
        "parses": found.record is not None,
        "error_count": found.error_count,
        "errors": errors_as_json(found),
    }


def _identity(record: URLRecord) -> dict[str, Any]:
    origin = origin_of(record)
    return {
        "origin": str(origin),
        "site": str(obtain_a_site(origin)),
        "host": None if record.host is None else _host(record.host, record),
    }


def _host(host: Host, record: URLRecord) -> dict[str, Any]:
    shown = render(record, only="host").translate(ISOLATES)
    found = {"kind": type(host).__name__, "ascii": str(host), "shown": shown}
    if not isinstance(host, Domain):
        return found
    suffix, registrable = host.public_suffix, host.registrable_domain
    in_unicode = host.to_unicode()
    return found | {
        "unicode": in_unicode,
        "may_be_shown_in_unicode": shown == in_unicode,
        "suspicions": suspicions_as_json(host),
        "public_suffix": None if suffix is None else str(suffix),
        "registrable_domain": None if registrable is None else str(registrable),
    }


def _stored(
    url: str, base: str | None, record: URLRecord | None, field: Field | None
) -> dict[str, Any]:
    canonical = None if record is None else record.href
    if field is None:
        found = Stored(canonical)
    elif base is None:
        found = field(url)
    else:
        found = Stored(None) if canonical is None else field(canonical)
    return {
        "text": found.text,
        "length": None if found.text is None else len(found.text),
        "messages": list(found.messages),
        "by_field": field is not None,
    }


def _readings(text: str) -> dict[str, Any]:
    found = readings(text)
    differing = {reading.reader for reading in found.disagreeing}
    return {
        "text": text,
        "max_length": MAX_LENGTH,
        "readings": [
            {
                "reader": reading.reader,
                "failure": reading.failure,
                "scheme": reading.scheme,
                "host": reading.host,
                "port": reading.port,
                "differs": reading.reader in differing,
            }
            for reading in found
        ],
    }


def matching(text: str, base: str | None, record: URLRecord | None) -> dict[str, Any]:
    """Return whether ``record`` matches the pattern ``text``.

    Args:
        text: The pattern, relative to ``base``.
        base: The text of the base URL, or None.
        record: The URL, or None if it does not parse.

    If nothing was matched, "matches" in the result is None, and "components" is empty. "error" says
    why, unless there is no URL.
    """
    found: dict[str, Any] = {
        "text": text,
        "error": None,
        "pattern": None,
        "matches": None,
        "components": [],
    }
    if len(text) > MAX_PATTERN:
        return found | {"error": _error(_TOO_LONG)}
    try:
        pattern = URLPattern(text, base)
    except URLPatternError as error:
        return found | {"error": _error_of(error)}
    found["pattern"] = str(pattern)
    if not takes_linear_time(pattern):
        return found | {"error": _error(_UNBOUNDED)}
    if record is None:
        return found
    if len(text) * len(record.href) > MAX_PRODUCT:
        return found | {"error": _error(_TOO_LONG_TOGETHER)}
    values = components_of_record(record)
    components = []
    for name, component in components_of(pattern).items():
        groups = component.groups(values[name])
        components.append(
            {
                "name": name,
                "pattern": component.pattern_string,
                "input": values[name],
                "matches": groups is not None,
                "groups": [list(group) for group in groups or ()],
            }
        )
    matches = all(each["matches"] for each in components)
    return found | {"matches": matches, "components": components}


def takes_linear_time(pattern: URLPattern) -> bool:
    """Return whether every match takes time linear in the URL: no backtracking engine is used."""
    components = components_of(pattern).values()
    return not any(isinstance(component.matcher, Backtracking) for component in components)


def _error(message: str) -> dict[str, Any]:
    return _error_of(URLPatternError(message, ""))


def _error_of(error: URLPatternError) -> dict[str, Any]:
    shown = without_credentials(error)
    place: tuple[int | None, int | None] = (None, None)
    if error.start is not None:
        place = shown.place(error.start, error.start if error.end is None else error.end)
    return {
        "message": error.reason,
        "expected": error.expected,
        "component": error.component,
        "input": shown.text,
        "start": place[0],
        "end": place[1],
    }
