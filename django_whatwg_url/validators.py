"""Validators for URLs: schemes, strictness of writing, length, and policies.

They take text and records, so they also work on other text fields and in forms.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from collections.abc import Set as AbstractSet
from typing import TYPE_CHECKING, Any, Final, Literal, TypeAlias

import attrs
from django.core.exceptions import ValidationError
from django.core.validators import (
    BaseValidator,
    MaxLengthValidator,
    MinLengthValidator,
    URLValidator,
)
from django.utils.deconstruct import deconstructible
from django.utils.translation import ngettext_lazy

import weburl
from django_whatwg_url.columns.values import UnparsableURL, text_of, to_url
from django_whatwg_url.messages import (
    INVALID_URL_STRING,
    POLICY_ERROR_MESSAGES,
    SCHEME_NOT_ALLOWED,
    TOO_MANY_ERRORS,
    URL_ERROR_MESSAGES,
    alternatives,
    parse_error,
    url_error,
)
from weburl import PolicyViolation, Report, URLPolicy, URLRecord, ValidationErrorType
from weburl.fields import normalized_scheme

if TYPE_CHECKING:
    from django.utils.functional import _StrOrPromise

__all__ = [
    "CanonicalMaxLengthValidator",
    "Strictness",
    "URLPolicyValidator",
    "URLSchemeValidator",
    "URLStrictnessValidator",
]

# Not an iterable of text: any text is one, also a misspelt "browser".
Strictness: TypeAlias = (
    Literal["browser", "valid"]
    | tuple[str, ...]
    | AbstractSet[str]
    | list[str]
    | list[ValidationErrorType]
    | list[ValidationErrorType | str]
)
"""``"browser"``: refuse only what a browser refuses. ``"valid"``: also anything that is not a
valid URL string. Names of validation errors: also text in which any of these errors occurs."""

DEFAULT_ALLOWED_SCHEMES: Final = ("http", "https")

# Of these the violation lists what would be allowed, with commas between.
_LISTS: Final = frozenset({SCHEME_NOT_ALLOWED, "host-not-allowed", "port-not-allowed"})

# A person mends a handful of mistakes at a time.
MAX_MESSAGES: Final = 10

# These of Django's validators measure text, or accept nothing but text.
_VALIDATORS_OF_TEXT: Final = (MaxLengthValidator, MinLengthValidator, URLValidator)


def normalized_schemes(allowed_schemes: Iterable[str]) -> tuple[str, ...]:
    """Return schemes in lower case, sorted and without repetition, so that equal sets are equal.

    Raises TypeError for a string, because its letters would be taken for schemes. Raises ValueError
    if a value is no scheme ("https:"), or if there are none.

    Spec: #url-scheme-string
    """
    if isinstance(allowed_schemes, str):
        raise TypeError("allowed_schemes must be an iterable of schemes, not a string")
    schemes: set[str] = set()
    for text in allowed_schemes:
        scheme = normalized_scheme(text)
        if scheme is None:
            raise ValueError(f"{text!r} is not a scheme; a scheme looks like 'https'")
        schemes.add(scheme)
    if not schemes:
        raise ValueError("allowed_schemes must not be empty")
    return tuple(sorted(schemes))


@attrs.frozen
class URLSchemeValidator:
    """Refuses a URL if its scheme is not in ``allowed_schemes``, and text that does not parse.

    Called with text or a `URLRecord`. Raises ValidationError with the code "scheme-not-allowed";
    for text that does not parse, the code is the standard's name of the error. ``allowed_schemes``:
    None allows all schemes; invalid ones raise TypeError and ValueError.
    """

    allowed_schemes: tuple[str, ...] | None = attrs.field(
        default=DEFAULT_ALLOWED_SCHEMES, converter=attrs.converters.optional(normalized_schemes)
    )

    def __call__(self, value: object) -> None:
        url = to_url(value)
        if isinstance(url, UnparsableURL):
            raise parse_error(url.error)
        if url is not None and not self.allows(url.scheme):
            raise url_error(
                SCHEME_NOT_ALLOWED,
                value=text_of(value),
                culprit=f"{url.scheme}:",
                allowed=alternatives(f"{scheme}:" for scheme in self.allowed_schemes or ()),
            )

    def deconstruct(self) -> tuple[str, tuple[()], dict[str, object]]:
        """Return what migrations write: the import path and the arguments."""
        return _import_path(self), (), {"allowed_schemes": self.allowed_schemes}

    def allows(self, scheme: str) -> bool:
        """Return whether a URL may have this scheme. ``scheme``: in lower case."""
        return self.allowed_schemes is None or scheme in self.allowed_schemes


def _import_path(validator: object) -> str:
    return f"{type(validator).__module__}.{type(validator).__qualname__}"


def _normalized(strictness: Strictness) -> Literal["browser", "valid"] | tuple[str, ...]:
    if isinstance(strictness, str):
        if strictness == "browser":
            return "browser"
        if strictness == "valid":
            return "valid"
        raise ValueError(
            f"strictness must be 'browser', 'valid' or names of errors, not {strictness!r}"
        )
    wanted = {str(name) for name in strictness}
    known = [str(type) for type in ValidationErrorType]
    if unknown := wanted.difference(known):
        raise ValueError(f"the URL Standard has no validation error named {min(unknown)!r}")
    return tuple(name for name in known if name in wanted) or "browser"


@attrs.frozen
class URLStrictnessValidator:
    """Refuses a URL that is not written strictly enough.

    ``strictness``: see `Strictness`. Called with text or a `URLRecord`; of a record it checks the
    canonical href. Raises ValidationError with one error for each thing that is wrong; its code is
    the standard's name of the error. Raises ValueError for an unknown strictness.

    Spec: #validation-error, #valid-url-string
    """

    strictness: Literal["browser", "valid"] | tuple[str, ...] = attrs.field(
        default="browser", converter=_normalized
    )

    def __call__(self, value: object) -> None:
        text = text_of(value)
        if errors := self.errors_in(weburl.check(text)):
            raise ValidationError(errors)

    def deconstruct(self) -> tuple[str, tuple[()], dict[str, object]]:
        """Return what migrations write: the import path and the arguments."""
        return _import_path(self), (), {"strictness": self.strictness}

    def errors_in(
        self, report: Report, messages: Mapping[str, _StrOrPromise] = URL_ERROR_MESSAGES
    ) -> list[ValidationError]:
        """Return the errors of ``report`` that this strictness refuses, without repetition.

        If the text does not parse, the error that says why is always one of them.
        """
        text = report.input_without_credentials
        if self.strictness == "valid" and report.is_valid_url_string and report.failure is None:
            return []
        refused: dict[tuple[str, ...], ValidationError] = {}  # by what a person reads
        for error in report.errors:
            if not (error.is_failure or self._refuses(error.type)):
                continue
            culprit = text[error.start : error.end]
            if error.is_failure or len(refused) < MAX_MESSAGES:
                said = url_error(error.type, value=text, culprit=culprit, messages=messages)
                refused.setdefault((error.type, *said.messages), said)
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


@attrs.frozen
class URLPolicyValidator:
    """Refuses a URL that ``policy`` does not allow, and text that does not parse.

    Called with text or a `URLRecord`. A policy that requires agreement checks the text. Raises
    ValidationError with one error for each violation, with the violation's code. For text that does
    not parse, the code is the standard's name of the error. Raises TypeError if ``policy`` is not a
    policy.
    """

    policy: URLPolicy = attrs.field(validator=attrs.validators.instance_of(URLPolicy))

    def __call__(self, value: object) -> None:
        url = to_url(value)
        if isinstance(url, UnparsableURL):
            raise parse_error(url.error)
        if url is None:
            return
        written = text_of(value) if isinstance(value, str) else None
        errors = [
            url_error(
                violation.code,
                value=text_of(value),
                culprit=_culprit(violation),
                messages=POLICY_ERROR_MESSAGES,
                allowed=_allowed(violation),
            )
            for violation in self.policy.check(url, written=written)
        ]
        if errors:
            raise ValidationError(errors)

    def deconstruct(self) -> tuple[str, tuple[()], dict[str, object]]:
        """Return what migrations write: the import path and the arguments."""
        return _import_path(self), (), {"policy": self.policy}


def _culprit(violation: PolicyViolation) -> str:
    is_scheme = violation.code == SCHEME_NOT_ALLOWED
    return f"{violation.culprit}:" if is_scheme else violation.culprit or "?"


def _allowed(violation: PolicyViolation) -> str | int:
    """Return what is allowed, as the message shows it: a length, or a list by the language."""
    if violation.code == "too-long":
        return int(violation.allowed)
    if violation.code not in _LISTS:
        return violation.allowed
    listed = [] if violation.allowed == "none" else violation.allowed.split(", ")
    if len(listed) > 1:
        # A long list is cut in its middle, and what stands around the cut names nothing.
        listed = ["…" if "…" in item else item for item in listed]
    colon = ":" if violation.code == SCHEME_NOT_ALLOWED else ""
    return alternatives(f"{item}{colon}" for item in listed)


def schemes_beside(
    policy: URLPolicy | None, allowed_schemes: Iterable[str] | None
) -> Iterable[str] | None:
    """Return which schemes a field allows: its policy's, unless other ones are named.

    Raises TypeError if ``policy`` is not a policy.
    """
    if policy is not None and not isinstance(policy, URLPolicy):
        raise TypeError(f"policy must be a weburl.URLPolicy, not {policy!r}")
    if policy is None or policy.schemes is None or allowed_schemes is not DEFAULT_ALLOWED_SCHEMES:
        return allowed_schemes
    return policy.schemes


def asks_how_it_is_written(validator: object) -> bool:
    """Return whether ``validator`` judges text, and not only the URL that it writes."""
    return isinstance(validator, URLStrictnessValidator) or (
        isinstance(validator, URLPolicyValidator) and validator.policy.require_agreement
    )


@deconstructible
class CanonicalMaxLengthValidator(BaseValidator):
    """Refuses a URL whose canonical form is longer than ``limit_value`` characters.

    Called with a `URLRecord` or with text. If the text does not parse, its own length counts.
    """

    code = "max_length"
    message: _StrOrPromise = ngettext_lazy(
        # Without a percent sign: for the elements of an array Django formats a message twice.
        "This URL may have at most %(limit_value)d character, but has %(show_value)d. Each "
        "special character counts as several: one “é” is stored as six.",
        "This URL may have at most %(limit_value)d characters, but has %(show_value)d. Each "
        "special character counts as several: one “é” is stored as six.",
        "limit_value",
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
    and those that ask for it get the text as it was ``written``, if that is known. A scheme that
    is not allowed ends the run: those that follow may count on a host, say.
    """
    errors: list[ValidationError] = []
    for validator in validators:
        value: object = record
        if asks_how_it_is_written(validator) and written is not None:
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
            if isinstance(validator, URLSchemeValidator):
                break
    return errors
