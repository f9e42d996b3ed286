"""The standard's validation errors by name, the list that collects them, and "return failure".

Nothing here formats text. `url.report` makes the reports that callers get, and `explanations`
say what each error means.
"""

from __future__ import annotations

from enum import StrEnum
from typing import Final, NamedTuple, Never

from weburl.standard.infra.credentials import masked_value


class Names(StrEnum):
    """An enumeration of names. An unknown name raises a ValueError that lists the known ones."""

    @classmethod
    def _missing_(cls, value: object) -> Never:
        raise ValueError(f"there is no {cls.__name__} {masked_value(value)}, only {', '.join(cls)}")


class ValidationErrorType(Names):
    """The names of the standard's validation errors, verbatim, in the order of its table.

    Spec: #validation-error
    """

    __module__ = "weburl"

    DOMAIN_TO_ASCII = "domain-to-ASCII"
    DOMAIN_PERCENT_ENCODED = "domain-percent-encoded"
    HOST_INVALID_CODE_POINT = "host-invalid-code-point"
    IPV4_NON_ASCII_INPUT = "IPv4-non-ASCII-input"
    IPV4_EMPTY_PART = "IPv4-empty-part"
    IPV4_TOO_FEW_PARTS = "IPv4-too-few-parts"
    IPV4_TOO_MANY_PARTS = "IPv4-too-many-parts"
    IPV4_NON_NUMERIC_PART = "IPv4-non-numeric-part"
    IPV4_NON_DECIMAL_PART = "IPv4-non-decimal-part"
    IPV4_OUT_OF_RANGE_PART = "IPv4-out-of-range-part"
    IPV6_UNCLOSED = "IPv6-unclosed"
    IPV6_INVALID_COMPRESSION = "IPv6-invalid-compression"
    IPV6_TOO_MANY_PIECES = "IPv6-too-many-pieces"
    IPV6_MULTIPLE_COMPRESSION = "IPv6-multiple-compression"
    IPV6_INVALID_CODE_POINT = "IPv6-invalid-code-point"
    IPV6_TOO_FEW_PIECES = "IPv6-too-few-pieces"
    IPV6_PIECE_LEADING_ZERO = "IPv6-piece-leading-zero"
    IPV4_IN_IPV6_TOO_MANY_PIECES = "IPv4-in-IPv6-too-many-pieces"
    IPV4_IN_IPV6_INVALID_CODE_POINT = "IPv4-in-IPv6-invalid-code-point"
    IPV4_IN_IPV6_OUT_OF_RANGE_PART = "IPv4-in-IPv6-out-of-range-part"
    IPV4_IN_IPV6_TOO_FEW_PARTS = "IPv4-in-IPv6-too-few-parts"
    INVALID_URL_UNIT = "invalid-URL-unit"
    SPECIAL_SCHEME_MISSING_FOLLOWING_SOLIDUS = "special-scheme-missing-following-solidus"
    MISSING_SCHEME_NON_RELATIVE_URL = "missing-scheme-non-relative-URL"
    INVALID_REVERSE_SOLIDUS = "invalid-reverse-solidus"
    INVALID_CREDENTIALS = "invalid-credentials"
    HOST_MISSING = "host-missing"
    PORT_OUT_OF_RANGE = "port-out-of-range"
    PORT_INVALID = "port-invalid"
    FILE_INVALID_WINDOWS_DRIVE_LETTER = "file-invalid-Windows-drive-letter"
    FILE_INVALID_WINDOWS_DRIVE_LETTER_HOST = "file-invalid-Windows-drive-letter-host"


MAX_ERRORS: Final = 1000
"""The most validation errors that a report contains, not counting the failure."""

TRIMMED: Final = -1
"""Instead of offsets: the C0 controls and spaces at both ends, which preparation removes."""

TAB_OR_NEWLINE: Final = -2
"""Instead of offsets: the first tab or newline inside, which preparation removes too."""


class RecordedError(NamedTuple):
    """A validation error as the parser sees it: offsets are into the prepared input.

    Code points that preparation removes have no offset there. Their errors have `TRIMMED` or
    `TAB_OR_NEWLINE` instead.
    """

    type: ValidationErrorType
    start: int
    end: int
    is_failure: bool


class Failure(Exception):
    """The standard's "return failure", with the name of its cause.

    It is not raised outside this package: the public functions turn it into a `URLParseError`.
    """

    # Without a constructor in Python, which would take a tenth of the time of a parse that fails.
    @property
    def type(self) -> ValidationErrorType:
        """The name of the cause, its only argument."""
        cause: ValidationErrorType = self.args[0]
        return cause


class Errors:
    """Drops validation errors that no caller asked for. `ErrorList` keeps them.

    A function that reads text counts from the start of that text. Whoever cuts the text passes
    ``errors.after(at)``, so only this module tracks offsets in the whole input.
    """

    __slots__ = ()
    kept: KeptErrors | None = None
    """The same errors if they are kept, or None."""

    def after(self, start: int) -> Errors:  # noqa: ARG002
        """Return the same errors for the text from ``start`` on."""
        return self

    def add(self, type: ValidationErrorType, start: int, end: int) -> None:
        """Record one error that does not end the parse."""

    def failure(self, type: ValidationErrorType, start: int, end: int) -> Failure:  # noqa: ARG002
        """Record the error that ends the parse. Return it to be raised."""
        return Failure(type)

    def add_url_units(self, text: str, at: int, *, backslash_separates: bool = False) -> None:
        """Record each code point of ``text``, which starts at ``at``, that is not a URL unit.

        Finding them takes a while. ``backslash_separates``: whether a backslash counts as a slash.
        """


NO_ERRORS: Final = Errors()


class KeptErrors(Errors):
    """The errors of an `ErrorList` for the text from an offset on."""

    __slots__ = ("_all", "_start")

    def __init__(self, errors: ErrorList, start: int) -> None:
        self._all = errors
        self._start = start

    def after(self, start: int) -> Errors:
        return KeptErrors(self._all, self._start + start)

    def add(self, type: ValidationErrorType, start: int, end: int) -> None:
        found = self._all
        found.count += 1
        if found.count <= found.limit:
            shift = self._start
            found.recorded.append(RecordedError(type, shift + start, shift + end, False))

    def failure(self, type: ValidationErrorType, start: int, end: int) -> Failure:
        # It is recorded even when the list is full.
        found, shift = self._all, self._start
        found.count += 1
        found.recorded.append(RecordedError(type, shift + start, shift + end, True))
        return Failure(type)

    def add_url_units(self, text: str, at: int, *, backslash_separates: bool = False) -> None:
        # Its patterns take a while to compile.
        from weburl.standard.infra.url_units import NOT_A_URL_UNIT, count_url_unit_errors

        text = self.as_written(text, at)
        for found in NOT_A_URL_UNIT.finditer(text):
            is_separator = backslash_separates and found[0] == "\\"
            type = (
                ValidationErrorType.INVALID_REVERSE_SOLIDUS
                if is_separator
                else ValidationErrorType.INVALID_URL_UNIT
            )
            self.add(type, at + found.start(), at + found.end())
            if self._all.count >= self._all.limit:
                self._all.count += count_url_unit_errors(text, found.end())
                return

    @property
    def kept(self) -> KeptErrors:  # type: ignore[override]  # None in the base class
        return self

    def as_written(self, text: str, at: int = 0) -> str:
        """Return ``text``, which starts at ``at``, with its surrogates."""
        whole, start = self._all.with_surrogates, self._start + at
        return text if whole is None else whole[start : start + len(text)]


class ErrorList(KeptErrors):
    """Collects validation errors in the order in which the standard's parser meets them.

    Keeps the first ``limit`` errors and always the failure, but counts all of them, because ten
    megabytes of spaces are ten million errors. ``with_surrogates``: the prepared input as it was
    before its lone surrogates became U+FFFD, or None if it had none.
    """

    __slots__ = ("count", "limit", "recorded", "with_surrogates")

    def __init__(self, limit: int = MAX_ERRORS) -> None:
        super().__init__(self, 0)
        self.recorded: list[RecordedError] = []
        self.count: int = 0
        self.with_surrogates: str | None = None
        self.limit: int = limit
