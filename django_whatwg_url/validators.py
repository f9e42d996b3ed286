"""Validators of URLs: how strictly one must be written, and how long it may become.

They take text and records alike, so they also serve on other text fields and in forms.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import TYPE_CHECKING, Any, Final, Literal, TypeAlias

from django.core.exceptions import ValidationError
from django.core.validators import (
    BaseValidator,
    MaxLengthValidator,
    MinLengthValidator,
    URLValidator,
)
from django.utils.deconstruct import deconstructible
from django.utils.translation import gettext_lazy as _

import weburl
from django_whatwg_url.messages import (
    INVALID_URL_STRING,
    TOO_MANY_ERRORS,
    URL_ERROR_MESSAGES,
    url_error,
)
from django_whatwg_url.values import to_url
from weburl import Report, URLRecord, ValidationErrorType

if TYPE_CHECKING:
    from django.utils.functional import _StrOrPromise

Strictness: TypeAlias = Literal["browser", "valid"] | Iterable[ValidationErrorType | str]
"""``"browser"``: refuse only what a browser refuses. ``"valid"``: also anything that is not a
valid URL string. Names of validation errors: also text in which any of these errors occurs."""

# A person mends a handful of mistakes at a time.
MAX_MESSAGES: Final = 10

# These of Django's validators measure text, or accept nothing but text.
_VALIDATORS_OF_TEXT: Final = (MaxLengthValidator, MinLengthValidator, URLValidator)


def _normalized(strictness: Strictness) -> Literal["browser", "valid"] | tuple[str, ...]:
    if isinstance(strictness, str):
        if strictness == "browser":
            return "browser"
        if strictness == "valid":
            return "valid"
        raise ValueError(
            f"strictness is 'browser', 'valid' or names of validation errors, not {strictness!r}"
        )
    wanted = {str(name) for name in strictness}
    known = [str(type) for type in ValidationErrorType]
    if unknown := wanted.difference(known):
        raise ValueError(f"no validation error of the URL Standard is called {min(unknown)!r}")
    return tuple(name for name in known if name in wanted) or "browser"


@deconstructible
class URLStrictnessValidator:
    """Refuses a URL that is not written as strictly as asked for.

    ``strictness``: see `Strictness`. Called with text or a `URLRecord`, of which it sees the
    canonical href. Raises ValidationError with one error for each thing that is wrong, whose
    code is the standard's name for it, and ValueError for a strictness that does not exist.

    Spec: #validation-error, #valid-url-string
    """

    def __init__(self, strictness: Strictness = "browser") -> None:
        self.strictness = _normalized(strictness)

    def __call__(self, value: object) -> None:
        text = str(value)
        if errors := self.errors_in(weburl.check(text)):
            raise ValidationError(errors)

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, URLStrictnessValidator):
            return NotImplemented
        return self.strictness == other.strictness

    def __hash__(self) -> int:
        return hash(self.strictness)

    def errors_in(
        self, report: Report, messages: Mapping[str, _StrOrPromise] = URL_ERROR_MESSAGES
    ) -> list[ValidationError]:
        """Return what of ``report`` this strictness refuses, without repetition.

        The error that makes parsing fail is always among them.
        """
        text = report.input
        if self.strictness == "valid" and report.is_valid_url_string and report.failure is None:
            return []
        refused: dict[tuple[str, str], ValidationError] = {}
        for error in report.errors:
            if not (error.is_failure or self._refuses(error.type)):
                continue
            culprit = text[error.start : error.end]
            if error.is_failure or len(refused) < MAX_MESSAGES:
                refused.setdefault(
                    (error.type, culprit),
                    url_error(error.type, value=text, culprit=culprit, messages=messages),
                )
        if refused or self.strictness == "browser":
            return list(refused.values())
        if self.strictness == "valid":
            return [url_error(INVALID_URL_STRING, value=text, messages=messages)]
        if report.error_count > len(report.errors):
            # The report is bounded: what it left out could be what is to be refused.
            return [url_error(TOO_MANY_ERRORS, value=text, messages=messages)]
        return []

    def _refuses(self, type: ValidationErrorType) -> bool:
        return self.strictness == "valid" or (
            self.strictness != "browser" and type in self.strictness
        )


@deconstructible
class CanonicalMaxLengthValidator(BaseValidator):
    """Refuses a URL whose canonical form is longer than ``limit_value`` characters.

    Called with a `URLRecord` or with text, which counts as it is where it does not parse.
    """

    code = "max_length"
    message = _(
        "This URL may have at most %(limit_value)d characters, but has %(show_value)d. Each "
        "special character counts as several, since “é” is stored as “%%C3%%A9”."
    )

    def compare(self, a: int, b: int) -> bool:
        return a > b

    def clean(self, x: object) -> int:
        return len(str(to_url(x) or x))


def collect_errors(
    validators: Iterable[Callable[[Any], None]],
    record: URLRecord,
    written: str | None,
    messages: Mapping[str, _StrOrPromise],
) -> list[ValidationError]:
    """Run ``validators`` over a URL and return their errors, reworded by ``messages``.

    Each is called with the record, except that Django's validators of text get its href,
    and those of strictness get the text as it was ``written``, if that is known.
    """
    errors: list[ValidationError] = []
    for validator in validators:
        value: object = record
        if isinstance(validator, URLStrictnessValidator) and written is not None:
            value = written
        elif isinstance(validator, _VALIDATORS_OF_TEXT):
            value = record.href
        try:
            validator(value)
        except ValidationError as raised:
            for error in raised.error_list:
                if error.code is not None and error.code in messages:
                    error.message = messages[error.code]
                errors.append(error)
    return errors
