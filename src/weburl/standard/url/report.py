"""Validation errors as callers see them: explained, and with offsets into the caller's text.

`api.check` returns a `Report`, and a `URLParseError` has one.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any, Final

import attrs

from weburl.standard.infra.credentials import masked, masking
from weburl.standard.infra.errors import (
    TAB_OR_NEWLINE,
    ErrorList,
    RecordedError,
    ValidationErrorType,
)
from weburl.standard.infra.explanations import explain, printable
from weburl.standard.infra.masked import Masked
from weburl.standard.infra.one_value import FrozenValue
from weburl.standard.infra.strings import (
    find_tab_or_newline,
    remove_tabs_and_newlines,
    trimmed_span,
)

if TYPE_CHECKING:
    from collections.abc import Callable

    from weburl.standard.url.record import URLRecord

_SPEC: Final = "https://url.spec.whatwg.org/#"
# The standard's anchors are the names in lowercase, except for this one, which was taken.
_LONG_ANCHORS: Final = {
    ValidationErrorType.DOMAIN_TO_ASCII: "validation-error-domain-to-ascii",
}
_CONTEXT: Final = 36  # code points shown on either side of a culprit
_EXPLAINED: Final = frozenset({"reason", "input", "type", "report"})
_FAILURES: Final = (None, *ValidationErrorType)  # by number; -1 is none of these
_ARGS: Final[Any] = BaseException.args
_SURROGATE_PAIR: Final = re.compile(r"[\ud800-\udbff][\udc00-\udfff]")
# What preparation drops inside an input: tabs and newlines, and the second code point of a
# surrogate pair that was written as two.
_DROPPED: Final = re.compile(r"[\t\n\r]+|(?<=[\ud800-\udbff])[\udc00-\udfff]")


@attrs.frozen
class ValidationError(FrozenValue):
    """One thing that is wrong with a URL.

    Args:
        type: the standard's name for the error.
        start: where it begins in the text that the caller passed, as an offset in code points.
        end: where it ends. It is the same as ``start`` if something is missing there.
        is_failure: whether the text does not parse because of this error.
        message: what is wrong, a sentence in English.
        hint: how to fix it, or "".

    Spec: #validation-error
    """

    __module__ = "weburl"

    type: ValidationErrorType
    start: int
    end: int
    is_failure: bool
    message: str
    hint: str = ""

    @property
    def spec_url(self) -> str:
        """The address of the error's definition in the standard."""
        return _SPEC + _LONG_ANCHORS.get(self.type, self.type.value.lower())

    def __str__(self) -> str:
        return self.message


@attrs.frozen
class Report(FrozenValue):
    """Everything that `check` found out about its input.

    Args:
        input: the text that the offsets refer to. This is the text passed as the URL, or the base
            if ``is_about_base``.
        record: the URL, or None if the text does not parse.
        errors: the validation errors, in the order of the standard's parser: the first
            1,000, and the failure if there is one.
        error_count: how many errors there are in all.
        is_valid_url_string: whether the text is a valid URL string: written as the standard
            requires.
        is_about_base: whether the report is about the base, because that did not parse.
    """

    __module__ = "weburl"

    input: str = attrs.field(repr=lambda text: repr(masked(text)))
    record: URLRecord | None
    errors: tuple[ValidationError, ...]
    error_count: int
    is_valid_url_string: bool
    is_about_base: bool = False

    @property
    def input_without_credentials(self) -> str:
        """The input, with "***" for what may be a username or a password."""
        return masked(self.input)

    def culprit(self, error: ValidationError) -> str:
        """Return the text at the place of one of the errors, without credentials.

        It is "" if something is missing there. Tabs and newlines in it are kept.
        """
        return masking(self.input).culprit(error.start, error.end)

    @property
    def failure(self) -> ValidationError | None:
        """The error because of which the text does not parse, or None."""
        last = self.errors[-1] if self.errors else None
        return last if last is not None and last.is_failure else None

    def __str__(self) -> str:
        """Every error with its message, the place in the text, and the hint."""
        text = masking(self.input)
        lines: list[str] = []
        for error in self.errors:
            lines.append(f"{error.type.value}: {error.message}")
            lines.extend(f"    {line}" for line in caret_lines(text, error))
            if error.hint:
                lines.append(f"  {error.hint}")
        if self.error_count > len(self.errors):
            lines.append(f"… and {self.error_count - len(self.errors)} more")
        return "\n".join(lines)


class URLParseError(ValueError):
    """Raised for text that does not parse, and for a value that a URL cannot have.

    ``str()`` returns the reason and, if the error has a place, two lines that show it.

    Args:
        reason: what is wrong, one sentence.
        input: the text with the error.
        type: the standard's name for the error, or None if the standard has no name for it:
            `URLRecord.with_scheme` and similar methods raise errors where the standard's setters do
            nothing.
        report: the full `Report`, or None.
    """

    __module__ = "weburl"

    def __init__(
        self,
        reason: str,
        input: str,
        type: ValidationErrorType | None = None,
        report: Report | None = None,
    ) -> None:
        super().__init__(reason)  # only what is safe to log becomes `args`
        self.reason: Final = reason
        self.input: Final = input
        self.type: Final = type
        self.report: Final = report

    if not TYPE_CHECKING:

        def __getattr__(self, name: str) -> Any:  # noqa: ANN401
            """Explain an error of `unread_error` when the first of its attributes is read."""
            if name in _EXPLAINED and "_unread" in self.__dict__:
                self._explain()
                return self.__dict__[name]
            return super().__getattribute__(name)  # raises AttributeError

        def _explain(self) -> None:
            unread = self.__dict__.get("_unread")
            if unread is None:
                return
            check, input, base, encoding = unread
            report = check(input, base, encoding=encoding)
            failure = report.failure
            reason = failure.message
            if report.is_about_base:
                reason = f"In the base URL: {reason}"
            self.__init__(reason, report.input, failure.type, report)
            self.__dict__.pop("_unread", None)

        @property
        def args(self) -> tuple[Any, ...]:
            """The reason, as the only item of a tuple."""
            self._explain()
            return _ARGS.__get__(self)

        @args.setter
        def args(self, args: tuple[Any, ...]) -> None:
            self._explain()
            _ARGS.__set__(self, args)

    @property
    def input_without_password(self) -> str:
        """The input, with "***" for what may be a username or a password."""
        return masked(self.input)

    def __str__(self) -> str:
        failure = None if self.report is None else self.report.failure
        if failure is None or not self.input:
            return self.reason
        return "\n  ".join([self.reason, *caret_lines(masking(self.input), failure)])

    def __reduce__(self) -> tuple[Any, ...]:
        return type(self), (self.reason, self.input, self.type, self.report), self.__dict__

    def __repr__(self) -> str:
        return f"URLParseError({self.reason!r}, {self.input_without_password!r})"


def unread_error(
    check: Callable[..., Report],
    input: str,
    base: URLRecord | str | None,
    failure: ValidationErrorType | int,
    encoding: str,
) -> URLParseError:
    """Return the error of text that does not parse, whose attributes are made when they are read.

    Explaining an error takes twenty times as long as finding it, and most programs only need to
    know that there is one.

    Args:
        check: `api.check`, which explains it.
        input: the text.
        base: its base, which may be the part that does not parse, or None.
        failure: the type of the failure, or its number in the compiled parser.
        encoding: the name of the encoding of the query.
    """
    error = URLParseError.__new__(URLParseError)
    type = failure if isinstance(failure, str) else _FAILURES[max(failure, 0)]
    if type is not None:
        error.__dict__["type"] = type
    error.__dict__["_unread"] = check, input, base, encoding
    return error


def errors_as_json(report: Report) -> list[dict[str, Any]]:
    """Return the errors of a report as values for `json.dumps`."""
    return [
        {
            "type": error.type.value,
            "start": error.start,
            "end": error.end,
            "is_failure": error.is_failure,
            "message": error.message,
            "hint": error.hint,
            "spec_url": error.spec_url,
        }
        for error in report.errors
    ]


def place_errors(
    original: str, errors: ErrorList, *, trimmed: bool, shown: Masked | None = None
) -> tuple[ValidationError, ...]:
    """Return the recorded errors with messages and offsets.

    The offsets are those in ``original``, or in the text of ``shown`` if that is passed.

    Args:
        original: the text that the caller passed.
        errors: the errors, with offsets into the prepared input.
        trimmed: whether preparing the input trimmed it.
        shown: ``original`` without credentials, which takes its place in the report. None if it
            is a whole URL, which is masked here.
    """
    wanted: set[int] = set()
    for error in errors.recorded:
        if error.start >= 0:
            wanted.update((error.start, max(error.end - 1, error.start)))
    kept = trimmed_span(original) if trimmed else (0, len(original))
    hidden = masking(original) if shown is None else shown
    placed = offsets_before_preparation(original, wanted, kept[0])
    answer: list[ValidationError] = []
    for error in errors.recorded:
        if error.start < 0:
            start, end = _dropped_span(error, original, kept)
            culprit = hidden.culprit(start, end)
        else:
            start = min(placed[error.start], kept[1])
            end = start
            if error.end > error.start:
                end = min(_code_point_end(original, placed[error.end - 1]), kept[1])
            culprit = remove_tabs_and_newlines(hidden.culprit(start, end))
        message, hint = explain(error.type, culprit, is_failure=error.is_failure)
        if shown is not None:
            start, end = shown.place(start, end)
        answer.append(ValidationError(error.type, start, end, error.is_failure, message, hint))
    return tuple(answer)


def _dropped_span(error: RecordedError, original: str, kept: tuple[int, int]) -> tuple[int, int]:
    """Return the place of what preparing removed. ``kept`` is the span that trimming kept."""
    start, end = kept
    if error.start == TAB_OR_NEWLINE:
        at = find_tab_or_newline(original, start)
        return at, at + 1
    return (0, start) if start else (end, len(original))


def _code_point_end(text: str, at: int) -> int:
    """Return where the code point at ``at`` ends: after both halves of a surrogate pair."""
    return at + 2 if _SURROGATE_PAIR.match(text, at) else at + 1


def offsets_before_preparation(original: str, wanted: set[int], start: int) -> dict[int, int]:
    """Map offsets in a prepared input back to offsets in the text it was made from.

    Args: ``original``: the caller's text. ``wanted``: offsets in code points, from 0 to the length
    of the prepared input, which `to_scalar_value_string`, trimming and `remove_tabs_and_newlines`
    made. ``start``: where the trimmed text begins in ``original``.

    Returns: the offset in ``original`` for each wanted one. Takes one pass over the text, however
    many offsets are wanted.
    """
    dropped = _DROPPED.finditer(original, start)
    drop = next(dropped, None)
    shift = start
    answer: dict[int, int] = {}
    for offset in sorted(wanted):
        while drop is not None and drop.start() <= offset + shift:
            shift += drop.end() - drop.start()
            drop = next(dropped, None)
        answer[offset] = offset + shift
    return answer


def caret_lines(masked: Masked, error: ValidationError) -> list[str]:
    """Return two lines: the masked text around an error, and carets under the culprit."""
    text = masked.text
    start, end = masked.place(error.start, error.end)
    end = min(end, start + 2 * _CONTEXT)
    left = max(0, start - _CONTEXT)
    right = min(len(text), end + _CONTEXT)
    before = ("\u2026" if left else "") + printable(text[left:start])
    culprit = printable(text[start:end])
    after = printable(text[end:right]) + ("\u2026" if right < len(text) else "")
    carets = "^" * max(_columns(culprit), 1)
    return [before + culprit + after, " " * _columns(before) + carets]


def _columns(text: str) -> int:
    """Return how many columns of a terminal ``text`` takes."""
    if text.isascii():
        return len(text)  # `printable` left no controls in it
    from weburl.standard.infra.unicode_data import category, east_asian_width  # big tables

    return sum(
        0 if category(char) in ("Mn", "Me") else 2 if east_asian_width(char) in "WF" else 1
        for char in text
    )
