"""The public functions.

They try the fast path, call the parser, and raise the public `URLParseError` for its private
`Failure`. Nothing is parsed here.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from weburl.infra.errors import ErrorList, Failure
from weburl.infra.strings import exact, require_text
from weburl.parsing.fast_path import (
    canonical_href,
    is_parsable,
    join_quickly,
    parse_quickly,
    with_fast_path,
)
from weburl.parsing.parser import parse_url
from weburl.records.record import URLRecord

if TYPE_CHECKING:
    from weburl.validation.report import Report, URLParseError

_UTF_8: Final = "utf-8"


@with_fast_path
def parse(input: str, base: str | URLRecord | None = None, *, encoding: str = _UTF_8) -> URLRecord:
    """Parse ``input`` as a browser does, and return its record.

    Args:
        input: text of any length, with any characters.
        base: the URL to which a relative ``input`` is joined: text, a record, or None.
        encoding: a label of the Encoding Standard, for the encoding of the document that the URL
            comes from. It matters only for the query of an ftp, http, https or file URL.

    Raises:
        URLParseError: ``input`` or ``base`` does not parse.
        TypeError: ``input`` is not text, or ``base`` is not text, a record or None.
        LookupError: the encoding is unknown.

    Spec: #concept-url-parser
    """
    # Nearly all calls end here, so this makes as few calls as possible.
    if encoding == _UTF_8:
        record = parse_quickly(input) if base is None else join_quickly(base, input)
        if record is None and type(base) is str and (parsed := parse_quickly(base)) is not None:
            base, record = parsed, join_quickly(parsed, input)
        if record is not None:
            return record
        if type(input) is str and (base is None or type(base) is URLRecord):
            try:
                return parse_url(input, base, _UTF_8, None)
            except Failure:
                raise _parse_error(check(input, base)) from None
    output_encoding = _output_encoding(encoding)
    require_text(input, "a URL")
    try:
        base_record = _parse_base(base)
    except Failure:
        raise _parse_error(_report_on_base(base)) from None
    try:
        return _parse(input, base_record, output_encoding)
    except Failure:
        raise _parse_error(check(input, base_record, encoding=encoding)) from None


def can_parse(input: str, base: str | URLRecord | None = None) -> bool:
    """Return whether `parse` returns a record for ``input`` and ``base``.

    Raises TypeError if ``input`` is not text.

    Spec: #dom-url-canparse
    """
    if base is None and type(input) is str and is_parsable(input):
        return True
    require_text(input, "a URL")
    try:
        if base is not None:
            _parse(input, _parse_base(base), _UTF_8)
        elif canonical_href(input) is None:
            parse_url(input, None, _UTF_8, None)
    except Failure:
        return False
    return True


def canonicalize(input: str, base: str | URLRecord | None = None) -> str:
    """Return the href of the URL in ``input``. All spellings of a URL have the same href.

    Raises the same errors as `parse`.

    Spec: #concept-url-serializer
    """
    if base is None and (href := canonical_href(input)) is not None:
        return href
    if base is None and type(input) is str:  # `parse` would try the fast path again
        try:
            return parse_url(input, None, _UTF_8, None).href
        except Failure:
            raise _parse_error(check(input)) from None
    return parse(input, base).href


def check(input: str, base: str | URLRecord | None = None, *, encoding: str = _UTF_8) -> Report:
    """Return a report of everything that is wrong with ``input``, even if it parses.

    The arguments are those of `parse`. If ``base`` does not parse, the report is about ``base``.

    Raises:
        TypeError: ``input`` is not text, or ``base`` is not text, a record or None.
        LookupError: the encoding is unknown.

    Spec: #validation-error
    """
    from weburl.validation.report import MAX_ERRORS, Report, place_errors  # loaded when needed
    from weburl.validation.writing import is_valid_url_string as is_valid

    output_encoding = _output_encoding(encoding)
    require_text(input, "a URL")
    input = exact(input)
    try:
        base_record = _parse_base(base)
    except Failure:
        return _report_on_base(base)
    errors = ErrorList(MAX_ERRORS)
    record: URLRecord | None
    try:
        record = parse_url(input, base_record, output_encoding, errors)
    except Failure:
        record = None
    return Report(
        input,
        record,
        place_errors(input, errors, trimmed=True),
        errors.count,
        is_valid(input, base_record),
    )


def is_valid_url_string(input: str, base: str | URLRecord | None = None) -> bool:
    """Return whether ``input`` is a valid URL string: written as the standard requires.

    With a ``base``, ``input`` may be relative. Returns False if the base does not parse.
    Raises TypeError if ``input`` is not text.

    Spec: #valid-url-string
    """
    from weburl.validation.writing import is_valid_url_string as is_valid

    require_text(input, "a URL")
    try:
        base_record = _parse_base(base)
    except Failure:
        return False
    return is_valid(input, base_record)


def _parse_base(base: object) -> URLRecord | None:
    """Return the record of a base, or raise `Failure`."""
    if base is None or isinstance(base, URLRecord):
        return base
    if not isinstance(base, str):
        raise TypeError(f"a base must be text, a URLRecord or None, not {type(base).__name__}")
    return _parse(base, None, _UTF_8)


def _parse(input: str, base: URLRecord | None, encoding: str) -> URLRecord:
    """Return the record of ``input``, or raise `Failure`."""
    # Plain ASCII is the same in every encoding, except that ISO-2022-JP uses control characters.
    if encoding == _UTF_8 or (input.isascii() and input.isprintable()):
        record = parse_quickly(input) if base is None else join_quickly(base, input)
        if record is not None:
            return record
    return parse_url(input, base, encoding, None)


def _report_on_base(base: object) -> Report:
    import attrs

    assert isinstance(base, str)
    return attrs.evolve(check(base), is_about_base=True)


def _parse_error(report: Report) -> URLParseError:
    from weburl.validation.report import URLParseError

    failure = report.failure
    assert failure is not None
    reason = f"In the base URL: {failure.message}" if report.is_about_base else failure.message
    return URLParseError(reason, report.input, failure.type, report)


def _output_encoding(label: str) -> str:
    if label == _UTF_8:
        return label
    # The tables of legacy encodings are loaded only for a label other than "utf-8".
    from weburl.infra.encodings import get_output_encoding

    return get_output_encoding(label)
