"""The form field: text as people type it, in; a `URLRecord`, or the reason why not, out."""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import TYPE_CHECKING, Any, ClassVar, Final

from django import forms
from django.core.exceptions import ValidationError
from django.core.validators import MaxLengthValidator

import weburl
from django_whatwg_url.messages import (
    SCHEME_NOT_ALLOWED,
    URL_ERROR_MESSAGES,
    parse_error,
    url_error,
)
from django_whatwg_url.validators import (
    CanonicalMaxLengthValidator,
    Strictness,
    URLStrictnessValidator,
    collect_errors,
)
from django_whatwg_url.values import UnparsableURL, canonical
from weburl import URLParseError, URLRecord, ValidationErrorType

if TYPE_CHECKING:
    from django.utils.functional import _StrOrPromise

__all__ = ["CanonicalURLField"]

DEFAULT_MAX_LENGTH: Final = 2048

# What the parser strips from both ends: a scheme may be missing behind it.
_C0_CONTROLS_AND_SPACE: Final = "".join(map(chr, range(0x21)))

# Text that is relative on purpose: no host is missing its scheme here.
_RELATIVE: Final = re.compile(r"[/\\?#]|\.\.?(?:[/\\?#]|\Z)")

# "example.com:8080/x" parses, with the scheme "example.com": nobody means that.
_HOST_AND_PORT: Final = re.compile(
    r"(?:localhost|[a-z0-9+-]*\.[a-z0-9.+-]*):[0-9]{1,5}(?:[/\\?#]|\Z)", re.ASCII | re.IGNORECASE
)


class CanonicalURLField(forms.CharField):
    """A field whose cleaned value is a `URLRecord`, or None when it was left empty.

    ``strip``: drop white space of any kind around the text.
    ``max_length``: for the text as typed, checked before it is parsed, and for the canonical
    form, which may be longer; None for no limit.
    ``assume_scheme``: the scheme of text that has none ("example.com", "localhost:8000"); None,
    or a scheme that is not allowed, makes such text an error.
    ``allowed_schemes``: None allows every scheme. The default keeps ``javascript:`` out.
    ``strictness``: see `django_whatwg_url.validators.Strictness`.

    A ValidationError's code is the standard's name of what is wrong ("host-missing"),
    "scheme-not-allowed", "max_length" or "required"; ``error_messages`` replaces the message of
    any of them. Raises TypeError and ValueError for options that make no sense.
    """

    default_error_messages: ClassVar[dict[str, _StrOrPromise]] = URL_ERROR_MESSAGES
    widget = forms.URLInput

    def __init__(
        self,
        *,
        strip: bool = True,
        max_length: int | None = DEFAULT_MAX_LENGTH,
        assume_scheme: str | None = "https",
        allowed_schemes: Iterable[str] | None = ("http", "https"),
        strictness: Strictness = "browser",
        **kwargs: Any,
    ) -> None:
        if isinstance(allowed_schemes, str):
            raise TypeError("allowed_schemes is an iterable of schemes, not one string")
        self.allowed_schemes = (
            None if allowed_schemes is None else tuple(map(str.lower, allowed_schemes))
        )
        self.assume_scheme = assume_scheme if self._allows(assume_scheme) else None
        self._strictness_validator = URLStrictnessValidator(strictness)
        if self.assume_scheme is not None:
            # Browsers refuse to submit "example.com" from an <input type="url">.
            kwargs["widget"] = kwargs.get("widget") or forms.TextInput
        super().__init__(strip=strip, max_length=max_length, empty_value=None, **kwargs)
        self.validators = [
            CanonicalMaxLengthValidator(validator.limit_value)
            if isinstance(validator, MaxLengthValidator) and validator.limit_value == max_length
            else validator
            for validator in self.validators
        ]
        if self.strictness != "browser":
            self.validators.append(self._strictness_validator)

    @property
    def strictness(self) -> Strictness:
        """How strictly a URL must be written, in normal form."""
        return self._strictness_validator.strictness

    def _allows(self, scheme: str | None) -> bool:
        return self.allowed_schemes is None or scheme in self.allowed_schemes

    def clean(self, value: object) -> URLRecord | None:
        record, written = self._read(value)
        self.validate(record)
        self.run_validators(record, written)
        return record

    def to_python(self, value: object) -> URLRecord | None:  # type: ignore[override]
        record, _written = self._read(value)
        return record

    def run_validators(self, value: URLRecord | None, written: str | None = None) -> None:
        """Run the validators; ``written`` is the text that ``value`` was parsed from."""
        if value is None:
            return
        if errors := collect_errors(self.validators, value, written, self.error_messages):
            raise ValidationError(errors)

    def prepare_value(self, value: object) -> object:
        return value.href if isinstance(value, URLRecord) else value

    def has_changed(self, initial: object, data: object) -> bool:
        """Return whether ``data`` is another URL than ``initial``, not another spelling."""
        return not self.disabled and self._identity(initial) != self._identity(data)

    def widget_attrs(self, widget: forms.Widget) -> dict[str, Any]:
        attrs = super().widget_attrs(widget)
        if not widget.is_hidden:
            attrs |= {"inputmode": "url", "autocapitalize": "none", "spellcheck": "false"}
        return {name: value for name, value in attrs.items() if name not in widget.attrs}

    def _text(self, value: object) -> str:
        text = "" if value is None else str(value)
        return text.strip() if self.strip else text

    def _read(self, value: object) -> tuple[URLRecord | None, str]:
        """Return the record and the text it was parsed from, with its scheme if one is assumed."""
        text = self._text(value)
        if text == "":
            return None, ""
        if self.max_length is not None:
            self._check_length(text, self.max_length)
        try:
            record, text = self._parse(text)
        except URLParseError as error:
            raise self._parse_errors(error) from error
        if not self._allows(record.scheme):
            raise url_error(
                SCHEME_NOT_ALLOWED,
                value=text,
                culprit=f"{record.scheme}:",
                messages=self.error_messages,
                allowed=", ".join(f"“{scheme}:”" for scheme in self.allowed_schemes or ()),
            )
        return record, text

    def _check_length(self, text: str, max_length: int) -> None:
        try:
            MaxLengthValidator(max_length)(text)
        except ValidationError as error:
            error.message = self.error_messages.get("max_length", error.message)
            raise

    def _parse(self, text: str) -> tuple[URLRecord, str]:
        try:
            record = weburl.parse(text)
        except URLParseError as error:
            if error.type != ValidationErrorType.MISSING_SCHEME_NON_RELATIVE_URL:
                raise
            with_scheme = self._with_assumed_scheme(text)
            if with_scheme is None:
                raise
        else:
            if self._allows(record.scheme) or self.assume_scheme is None:
                return record, text
            if not _HOST_AND_PORT.match(text.lstrip(_C0_CONTROLS_AND_SPACE)):
                return record, text
            with_scheme = f"{self.assume_scheme}://{text.lstrip(_C0_CONTROLS_AND_SPACE)}"
        return weburl.parse(with_scheme), with_scheme

    def _with_assumed_scheme(self, text: str) -> str | None:
        text = text.lstrip(_C0_CONTROLS_AND_SPACE)
        if self.assume_scheme is None:
            return None
        if text.startswith("//"):
            return f"{self.assume_scheme}:{text}"
        if _RELATIVE.match(text) or self._misses_only_its_colon(text):
            return None
        return f"{self.assume_scheme}://{text}"

    def _misses_only_its_colon(self, text: str) -> bool:
        schemes = self.allowed_schemes or ("http", "https")
        return text.lower().startswith(tuple(f"{scheme}//" for scheme in schemes))

    def _parse_errors(self, error: URLParseError) -> ValidationError:
        if self.strictness == "browser" or error.report is None:
            return parse_error(error, self.error_messages)
        return ValidationError(
            list(self._strictness_validator.errors_in(error.report, self.error_messages))
        )

    def _identity(self, value: object) -> URLRecord | str:
        """Return what tells one value from another: the URL it is, or else its text."""
        if isinstance(value, URLRecord):
            return canonical(value)
        text = self._text(value)
        if text == "" or isinstance(value, UnparsableURL):
            return text
        if self.max_length is not None and len(text) > self.max_length:
            return text
        try:
            return self._parse(text)[0]
        except URLParseError:
            return text
