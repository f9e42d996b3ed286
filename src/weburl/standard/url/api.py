"""The public functions.

They try the fast path, call the parser, and raise the public `URLParseError` for its private
`Failure`. Nothing is parsed here.
"""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING, Final

from weburl.standard.infra.strings import exact
from weburl.standard.url.fast_path import (
    canonical_href,
    is_parsable,
    join_quickly,
    parse_quickly,
    with_fast_answer,
    with_fast_path,
)
from weburl.standard.url.record import AnyURL, URLRecord, frozen, text_or_record, use_parser

if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import TypeAlias

    from weburl.standard.infra.errors import Failure, ValidationErrorType
    from weburl.standard.url.report import Report, URLParseError
    from weburl.standard.url.value import RecordStorage

    _Parse: TypeAlias = Callable[..., RecordStorage]
    _Require: TypeAlias = Callable[[str], None]

_UTF_8: Final = "utf-8"


@cache  # An import statement takes longer, even if the module is already loaded.
def _general() -> tuple[_Parse, type[Failure], _Require]:
    """Return the general parser, its exception, and the function that only looks for a failure.

    They are loaded for the first text that the fast path declines.
    """
    from weburl.standard.infra.errors import Failure
    from weburl.standard.url.parser import parse_url, require_parsable

    return parse_url, Failure, require_parsable


@cache
def _unread_error() -> Callable[..., URLParseError]:
    from weburl.standard.url.report import unread_error

    return unread_error


def _error_of(
    input: str,
    base: URLRecord | str | None,
    failure: ValidationErrorType | int,
    encoding: str = _UTF_8,
) -> URLParseError:
    """Return the error of text that does not parse. See `report.unread_error`."""
    return _unread_error()(check, input, base, failure, encoding)


@with_fast_path(_error_of)
def parse(input: AnyURL, base: AnyURL | None = None, *, encoding: str = _UTF_8) -> URLRecord:
    """Parse ``input`` as a browser does, and return its record.

    Args:
        input: text of any length, with any characters; or a record or a `URL`, whose record is
            returned.
        base: the URL to which a relative ``input`` is joined, or None.
        encoding: a label of the Encoding Standard, for the encoding of the document that the URL
            comes from. It matters only for the query of an ftp, http, https or file URL.

    Raises:
        URLParseError: ``input`` or ``base`` does not parse.
        TypeError: ``input`` or ``base`` is of another type.
        ValueError: the encoding is unknown.

    Spec: #concept-url-parser
    """
    if encoding == _UTF_8:
        record = parse_quickly(input) if base is None else join_quickly(base, input)
        if record is not None:  # as in nearly all calls
            return record
    return _parse_declined(input, base, encoding)


def _parse_declined(input: AnyURL, base: AnyURL | None = None, encoding: str = _UTF_8) -> URLRecord:
    """Return what `parse` does, for what the fast path declined."""
    output_encoding = _output_encoding(encoding)
    given = text_or_record(input, "a URL")
    base_record = base if base is None or type(base) is URLRecord else _record_of_base(base)
    if isinstance(given, URLRecord):
        return given
    # Plain ASCII is the same in every encoding, except that ISO-2022-JP uses control characters.
    if (encoding != _UTF_8 or base_record is not base) and (
        output_encoding == _UTF_8 or (given.isascii() and given.isprintable())
    ):
        record = parse_quickly(given) if base_record is None else join_quickly(base_record, given)
        if record is not None:
            return record
    parse_url, failure, _ = _general()
    try:
        return frozen(parse_url(given, base_record, output_encoding))
    except failure as found:
        raise _error_of(exact(given), base_record, found.type, encoding) from None


def _record_of_base(base: AnyURL) -> URLRecord:
    given = text_or_record(base, "a base")
    if isinstance(given, URLRecord):
        return given
    if (record := parse_quickly(given)) is not None:
        return record
    _, failure, _ = _general()
    try:
        return parse_generally(given, None, _UTF_8)
    except failure as found:
        raise _error_of("", exact(given), found.type) from None


def record_of(url: AnyURL, what: str = "a URL") -> URLRecord:
    """Return the record of a URL as callers give it.

    ``what``: what the message of a TypeError calls it, with an article. Raises `URLParseError` for
    text that does not parse.
    """
    if isinstance(url, URLRecord):  # in nearly all calls
        return url
    given = text_or_record(url, what)
    return parse(given) if isinstance(given, str) else given


@with_fast_answer
def can_parse(input: AnyURL, base: AnyURL | None = None) -> bool:
    """Return whether `parse` returns a record for ``input`` and ``base``.

    Raises TypeError for other types.

    Spec: #dom-url-canparse
    """
    if base is None and type(input) is str and (answer := is_parsable(input)) is not None:
        return answer
    given = text_or_record(input, "a URL")
    if base is None and type(given) is str:
        # The parser would also read what follows the authority.
        _, failure, require_parsable = _general()
        try:
            require_parsable(given)
        except failure:
            return False
        return True
    try:
        parse(given, base)
    except ValueError:
        return False
    return True


def canonicalize(input: AnyURL, base: AnyURL | None = None) -> str:
    """Return the href of the URL in ``input``. All spellings of a URL have the same href.

    Raises the same errors as `parse`.

    Spec: #concept-url-serializer
    """
    if base is None and (href := canonical_href(input)) is not None:
        return href
    return parse(input, base).href


def check(input: AnyURL, base: AnyURL | None = None, *, encoding: str = _UTF_8) -> Report:
    """Return a report of everything that is wrong with ``input``, even if it parses.

    The arguments are the same as for `parse`. The report on a record is about its href. If ``base``
    does not parse, the report is about ``base``.

    Raises:
        TypeError: ``input`` or ``base`` is of another type.
        ValueError: the encoding is unknown.

    Spec: #validation-error
    """
    from weburl.standard.infra.errors import ErrorList  # loaded when needed
    from weburl.standard.url.report import Report, place_errors
    from weburl.standard.url.writing import is_plain_link
    from weburl.standard.url.writing import is_valid_url_string as is_valid

    output_encoding = _output_encoding(encoding)
    text = text_of(input)
    if base is None and is_plain_link(text):
        return Report(text, parse(text), (), 0, is_valid_url_string=True)
    try:
        base_record = None if base is None else _record_of_base(base)
    except ValueError:
        import attrs

        assert isinstance(base, str)
        return attrs.evolve(check(base), is_about_base=True)
    parse_url, failure, _ = _general()
    errors = ErrorList()
    record: URLRecord | None
    try:
        record = frozen(parse_url(text, base_record, output_encoding, errors))
    except failure:
        record = None
    return Report(
        text,
        record,
        place_errors(text, errors, trimmed=True),
        errors.count,
        is_valid(text, base_record),
    )


def is_valid_url_string(input: AnyURL, base: AnyURL | None = None) -> bool:
    """Return whether ``input`` is a valid URL string: written as the standard requires.

    With a ``base``, ``input`` may be relative. Returns False if the base does not parse. The text
    of a record is its href. Raises TypeError for other types.

    Spec: #valid-url-string
    """
    from weburl.standard.url.writing import is_valid_url_string as is_valid

    text = text_of(input)
    try:
        base_record = None if base is None else _record_of_base(base)
    except ValueError:
        return False
    return is_valid(text, base_record)


def text_of(url: AnyURL, what: str = "a URL") -> str:
    """Return the text of a URL as callers give it. The text of a record is its href.

    ``what``: as in `record_of`.
    """
    given = text_or_record(url, what)
    return exact(given) if isinstance(given, str) else given.href


def parse_generally(input: str, base: URLRecord | None, encoding: str) -> URLRecord:
    """Return what the general parser makes of ``input``, or raise `Failure`. No fast path is tried.

    See `parser.parse_url`.
    """
    parse_url, _, _ = _general()
    return frozen(parse_url(input, base, encoding))


def _output_encoding(label: str) -> str:
    if label == _UTF_8:
        return label
    # The tables of legacy encodings are loaded only for a label other than "utf-8".
    from weburl.standard.infra.encodings import get_output_encoding

    return get_output_encoding(label)


use_parser(_parse_declined, join_quickly)
