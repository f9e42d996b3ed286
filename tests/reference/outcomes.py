"""How algorithms end and what they report: failure, and validation errors in order.

The names of all validation errors are listed here, so that a misspelt one cannot be recorded.
No algorithm lives here.
"""

from __future__ import annotations

from enum import Enum
from typing import Final, NamedTuple

# Pointer of an error that arose where no pointer into the URL's input exists.
NOWHERE: Final = -1

VALIDATION_ERROR_NAMES: Final = frozenset(
    {
        # IDNA
        "domain-to-ASCII",
        # Host parsing
        "domain-percent-encoded",
        "host-invalid-code-point",
        "IPv4-non-ASCII-input",
        "IPv4-empty-part",
        "IPv4-too-few-parts",
        "IPv4-too-many-parts",
        "IPv4-non-numeric-part",
        "IPv4-non-decimal-part",
        "IPv4-out-of-range-part",
        "IPv6-unclosed",
        "IPv6-invalid-compression",
        "IPv6-too-many-pieces",
        "IPv6-multiple-compression",
        "IPv6-invalid-code-point",
        "IPv6-too-few-pieces",
        "IPv6-piece-leading-zero",
        "IPv4-in-IPv6-too-many-pieces",
        "IPv4-in-IPv6-invalid-code-point",
        "IPv4-in-IPv6-out-of-range-part",
        "IPv4-in-IPv6-too-few-parts",
        # URL parsing
        "invalid-URL-unit",
        "special-scheme-missing-following-solidus",
        "missing-scheme-non-relative-URL",
        "invalid-reverse-solidus",
        "invalid-credentials",
        "host-missing",
        "port-out-of-range",
        "port-invalid",
        "file-invalid-Windows-drive-letter",
        "file-invalid-Windows-drive-letter-host",
    }
)


class Failure(Enum):
    """The type of the one value `FAILURE`, which the standard calls failure."""

    FAILURE = "failure"


FAILURE: Final = Failure.FAILURE


class ReferenceValidationError(NamedTuple):
    """A validation error as it was recorded.

    `pointer` is an offset into the cleaned input (scalar values, trimmed when no URL was given,
    without tabs and newlines), or `NOWHERE` for errors of the cleaning itself and of host
    parsing. `is_failure` says that this error ended the parsing with failure.

    Spec: #validation-error
    """

    name: str
    pointer: int
    is_failure: bool


class ErrorLog:
    """Appends validation errors, in order, to a list that the caller owns (or to none)."""

    def __init__(self, errors: list[ReferenceValidationError] | None) -> None:
        self._errors = [] if errors is None else errors

    def validation_error(
        self, name: str, *, pointer: int = NOWHERE, is_failure: bool = False
    ) -> None:
        """Record an error by the standard's name for it."""
        assert name in VALIDATION_ERROR_NAMES, name
        self._errors.append(ReferenceValidationError(name, pointer, is_failure))

    def failure(self, name: str) -> Failure:
        """Record an error of host parsing that is followed by "return failure"."""
        self.validation_error(name, is_failure=True)
        return FAILURE
