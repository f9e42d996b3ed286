"""The form fields. They accept what people type.

The cleaned value of `CanonicalURLField` is a `URLRecord`. `ExactURLField` and `HostField` return
the text as typed, and the other fields canonical text.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from contextlib import suppress
from typing import TYPE_CHECKING, Any, ClassVar, Final

from django import forms
from django.core.exceptions import ValidationError
from django.utils.functional import Promise
from django.utils.html import format_html
from django.utils.translation import gettext_lazy as _

import weburl
from django_whatwg_url.column.columns import DEFAULT_MAX_LENGTH
from django_whatwg_url.column.values import (
    SpelledText,
    StoredText,
    UnparsableURL,
    text_of,
    to_url,
)
from django_whatwg_url.forms.bound_fields import (
    ADMIN_CLASS,
    ADMIN_CSS,
    FieldOfRows,
    TypedField,
    URLBoundField,
    described,
    without_password,
)
from django_whatwg_url.policies import PolicyOption
from django_whatwg_url.rules.hosts import named_host_operand
from django_whatwg_url.rules.messages import (
    POLICY_ERROR_MESSAGES,
    REFERENCE_MESSAGES,
    SCHEME_BEFORE_USERNAME,
    SCHEME_NOT_ALLOWED,
    TYPED_TEXT_MESSAGES,
    URL_ERROR_MESSAGES,
    parse_error,
    typed_error,
    url_error,
)
from django_whatwg_url.rules.validators import (
    DEFAULT_ALLOWED_SCHEMES,
    CanonicalMaxLengthValidator,
    ExactURLValidator,
    Strictness,
    URLPolicyValidator,
    URLReferenceValidator,
    URLSchemeValidator,
    URLStrictnessValidator,
    collect_errors,
    normalized_schemes,
    reference_text,
    schemes_beside,
)
from weburl import URLParseError, URLRecord, ValidationErrorType
from weburl.integrations.building_blocks import (
    TypedKind,
    read_typed_text,
)

if TYPE_CHECKING:
    from django.forms.renderers import BaseRenderer
    from django.utils.functional import _StrOrPromise
    from django.utils.safestring import SafeString

__all__ = [
    "CanonicalURLField",
    "CanonicalURLTextField",
    "ExactURLField",
    "ExactURLInput",
    "HostField",
    "URLReferenceField",
]


# Text longer than max_length plus this is refused before white space is removed, so that a megabyte
# costs nothing. White space that is copied along with a URL is shorter.
_SURROUNDING_WHITE_SPACE: Final = 1000

_PORT_ERRORS: Final = (ValidationErrorType.PORT_INVALID, ValidationErrorType.PORT_OUT_OF_RANGE)

# Text that is not a URL, whether or not a scheme is assumed.
_NEVER_A_URL: Final = (TypedKind.EMAIL_ADDRESS, TypedKind.JUNK)
# "example.com:99999/x" parses with the scheme "example.com". The port may be invalid here.
_HOST_AND_COLON: Final = re.compile(r"(?:localhost|[a-z0-9+-]*\.[a-z0-9.+-]*):", re.IGNORECASE)
# In "user:password@host", the parser reads the username as a scheme.
_USERNAME_AND_PASSWORD: Final = re.compile(
    r"(?!(?:mailto|sips?|xmpp|acct):)[a-z0-9.+-]+:[^\s/?#@:]+@[^\s/?#@:]+", re.IGNORECASE
)


class CanonicalURLField(FieldOfRows):
    """A form field. Its cleaned value is a `URLRecord`, or None if it was left empty.

    The code of a ValidationError is the standard's name for the error ("host-missing"), the
    policy's code, "scheme-not-allowed", "max_length" or "required".

    Args:
        strip: Whether to remove white space of any kind around the text, before its length is
            checked.
        max_length: The longest allowed text, or None for no limit. It applies to the text as typed,
            which is checked before it is parsed, and to the canonical form, which may be longer.
        assume_scheme: The scheme for text without one ("example.com", "localhost:8000"). With None,
            or with a scheme that is not allowed, such text is an error.
        single_labels: Whether text without a scheme may begin with a host without a dot, as in
            "wiki/page". By default, only "localhost" and an IP address in brackets may.
        allowed_schemes: An iterable of schemes. None allows every scheme, including
            ``javascript:``.
        strictness: See `django_whatwg_url.validators.Strictness`.
        policy: A `weburl.URLPolicy`, or a reference to one, see `policies.PolicyOption`. If
            ``allowed_schemes`` is not given, the schemes of a `URLPolicy` are used.
        **kwargs: Options of CharField. ``error_messages`` can replace the message for each code,
            and "invalid" all of them except "max_length" and "required".

    Raises:
        TypeError: An option has the wrong type.
        ValueError: A scheme or a strictness is not valid.
    """

    __module__ = "django_whatwg_url.forms"

    default_error_messages: ClassVar[dict[str, _StrOrPromise]] = {
        **POLICY_ERROR_MESSAGES,
        **URL_ERROR_MESSAGES,
        **TYPED_TEXT_MESSAGES,
    }
    # Whether validators of other packages are called with text. A subclass sets it.
    _as_text: ClassVar[bool] = False
    # Not URLInput, because browsers refuse to submit "example.com" from an <input type="url">.
    widget = forms.TextInput

    def __init__(
        self,
        *,
        strip: bool = True,
        max_length: int | None = DEFAULT_MAX_LENGTH,
        assume_scheme: str | None = "https",
        single_labels: bool = False,
        allowed_schemes: Iterable[str] | None = DEFAULT_ALLOWED_SCHEMES,
        strictness: Strictness = "browser",
        policy: PolicyOption | None = None,
        **kwargs: Any,
    ) -> None:
        self.policy = policy
        self.single_labels = single_labels
        self._scheme_validator = URLSchemeValidator(schemes_beside(policy, allowed_schemes))
        self._strictness_validator = URLStrictnessValidator(strictness)
        if assume_scheme is not None:
            (assume_scheme,) = normalized_schemes([assume_scheme])
            if not self._scheme_validator.allows(assume_scheme):
                assume_scheme = None
        self.assume_scheme = assume_scheme
        if assume_scheme is None and self.widget is forms.TextInput:
            kwargs["widget"] = kwargs.get("widget") or forms.URLInput
        # Do not pass max_length, because CharField would check the length of the text again.
        super().__init__(strip=strip, empty_value=None, **kwargs)
        self.max_length = max_length
        self.validators.insert(0, self._scheme_validator)
        if max_length is not None:
            self.validators.append(CanonicalMaxLengthValidator(max_length))
        if self.strictness != "browser":
            self.validators.append(self._strictness_validator)
        if policy is not None:
            self.validators.append(URLPolicyValidator(policy))

    def get_bound_field(self, form: forms.BaseForm, field_name: str) -> URLBoundField:
        bound = super().get_bound_field(form, field_name)
        if hasattr(self.widget, "to_store"):
            self.widget.to_store = self.to_store
        return bound

    @property
    def allowed_schemes(self) -> tuple[str, ...] | None:
        """The allowed schemes in lower case. None allows every scheme."""
        return self._scheme_validator.allowed_schemes

    @property
    def strictness(self) -> Strictness:
        """How strictly the URL must be written. Names of errors are sorted strings."""
        return self._strictness_validator.strictness

    if TYPE_CHECKING:

        def clean(self, value: object) -> URLRecord | None: ...

    def checked(self, value: object) -> URLRecord | None:
        record, written = self._read(value)
        self.validate(record)
        self.run_validators(record, written)
        return record

    def kept(self, value: object) -> URLRecord | UnparsableURL | str | None:
        return value  # type: ignore[return-value]  # of a row

    def to_python(self, value: object) -> URLRecord | None:  # type: ignore[override]
        record, _written = self._read(value)
        return record

    def to_store(self, value: object) -> URLRecord | None:
        """Return the URL that would be stored for ``value``, or None if it would be refused.

        A form with an error of the field stores nothing, although the field itself accepts it.
        """
        if self._bound is not None and self._bound.is_refused:
            return None
        with suppress(ValidationError):
            url = to_url(self.clean(value))
            return url if isinstance(url, URLRecord) else None
        return None

    def validate(self, value: object) -> None:
        if not isinstance(value, URLRecord):  # Django would compare it with all empty values.
            super().validate(value)

    def run_validators(self, value: URLRecord | str | None, written: str | None = None) -> None:
        """Run the validators. ``written``: the text from which ``value`` was parsed.

        ``value`` may also be text, because tools that generate values call this to check them.
        """
        if isinstance(value, str):
            value, written = self._read(value)
        if value is None:
            return
        messages = self.error_messages
        if errors := collect_errors(
            self.validators, value, written, messages, as_text=self._as_text
        ):
            raise ValidationError(errors)

    def prepare_value(self, value: object) -> object:
        return value.href if isinstance(value, URLRecord) else value

    def has_changed(self, initial: object, data: object) -> bool:
        """Return whether ``data`` is a different URL from ``initial``. Spelling does not matter."""
        return not self.disabled and self._identity(initial) != self._identity(data)

    def _read(self, value: object) -> tuple[URLRecord | None, str]:
        """Return the record and the text it was parsed from, including an assumed scheme."""
        if type(value) is not str and not _is_typed(value):
            url = (
                None
                if not isinstance(value, URLRecord) and value in self.empty_values
                else to_url(value)
            )
            if isinstance(url, UnparsableURL):
                raise self._parse_errors(url.error) from url.error
            return url, text_of(value)
        text = self._measured_text(value)
        if text == "":
            return None, ""
        try:
            record, written = self._parse(text)
        except URLParseError as error:
            raise self._parse_errors(error) from error
        return record, written

    def _measured_text(self, value: object) -> str:
        """Return the text, without white space around it if ``strip`` is set.

        Raises ValidationError if the text is too long.
        """
        text = value if type(value) is str else "" if value is None else text_of(value)
        if self.max_length is None:
            return text.strip() if self.strip else text
        if self.strip and len(text) <= self.max_length + _SURROUNDING_WHITE_SPACE:
            text = text.strip()
        self.measure(text, self.max_length)
        return text

    def _parse(self, text: str) -> tuple[URLRecord, str]:
        """Return the record of typed text, and the text with its scheme.

        Raises `URLParseError`, or ValidationError if the text has a more specific problem.
        """
        typed = read_typed_text(
            text, self.assume_scheme or "https", single_labels=self.single_labels
        )
        kind = typed.kind
        if typed.problem and (self.assume_scheme is not None or kind in _NEVER_A_URL):
            raise typed_error(typed, self.error_messages)
        if kind is TypedKind.HOST and self.assume_scheme is not None:
            # If the scheme "example.com" is named, "example.com:80" is a URL with that scheme.
            if ":" in text and self.allowed_schemes is not None:
                with suppress(URLParseError):
                    record = weburl.parse(text)
                    if record.scheme in self.allowed_schemes:
                        return record, text
            return weburl.parse(typed.text), typed.text
        written = typed.text if kind is TypedKind.URL else text
        record = weburl.parse(written)
        if self.assume_scheme is not None and not self._scheme_validator.allows(record.scheme):
            if _HOST_AND_COLON.match(written):
                self._refuse_port(f"{self.assume_scheme}://{written}")
            elif _USERNAME_AND_PASSWORD.match(written):
                code, detail = SCHEME_NOT_ALLOWED, SCHEME_BEFORE_USERNAME
                raise url_error(code, value=text, detail=detail, messages=self.error_messages)
        return record, written

    def _refuse_port(self, text: str) -> None:
        """Raise `URLParseError` if ``text`` is not a URL because of its port."""
        try:
            weburl.parse(text)
        except URLParseError as error:
            if error.type in _PORT_ERRORS:
                raise

    def _parse_errors(self, error: URLParseError) -> ValidationError:
        if self.strictness == "browser" or error.report is None:
            return parse_error(error, self.error_messages)
        errors = self._strictness_validator.errors_in(error.report, self.error_messages)
        return ValidationError(errors)

    def _identity(self, value: object) -> str:
        """Return the href of a value, or its text if it is not a URL, to compare it with others."""
        if not _is_typed(value):
            value = to_url(value)
        if isinstance(value, URLRecord):
            return value.href
        try:
            text = self._measured_text(value)
        except ValidationError:
            return text_of(value)
        if text == "" or isinstance(value, UnparsableURL):
            return text
        try:
            return self._parse(text)[0].href
        except (URLParseError, ValidationError):
            return text


class CanonicalURLTextField(CanonicalURLField):
    """A `CanonicalURLField` whose cleaned value is the canonical text of the URL.

    Model forms use it for a model field with ``as_text=True`` or ``written``.

    Args:
        empty_value: The cleaned value if the field was left empty: "" or None.
        keeps_spelling: Whether the cleaned value also keeps the typed text, for a model field with
            ``written``.
        **kwargs: Options of `CanonicalURLField`.
    """

    __module__ = "django_whatwg_url.forms"

    _as_text = True

    def __init__(
        self, *, empty_value: str | None = "", keeps_spelling: bool = False, **kwargs: Any
    ) -> None:
        super().__init__(**kwargs)
        self.empty_value = empty_value
        self.keeps_spelling = keeps_spelling

    if TYPE_CHECKING:

        def clean(self, value: object) -> str | None: ...  # type: ignore[override]

    def checked(self, value: object) -> str | None:  # type: ignore[override]
        return self._text(super().checked(value), value)

    def kept(self, value: object) -> str:
        url = to_url(value)
        return url.href if isinstance(url, URLRecord) else StoredText(text_of(value))

    def to_python(self, value: object) -> str | None:  # type: ignore[override]
        return self._text(super().to_python(value), value)

    def _text(self, record: URLRecord | None, value: object) -> str | None:
        if record is None:
            return self.empty_value
        if self.keeps_spelling and isinstance(value, str):
            return SpelledText(record.href, self._measured_text(value))
        return record.href


def _is_typed(value: object) -> bool:
    # No scheme is assumed for records and broken rows, which are initial values, or for numbers and
    # bytes, which programs pass. It would turn them into different URLs.
    return value is None or (
        isinstance(value, (str, Promise)) and not isinstance(value, UnparsableURL)
    )


class ExactURLInput(forms.TextInput):
    """A text input. Below it, it shows the URL that a browser makes of the text, if they differ."""

    __module__ = "django_whatwg_url.forms"

    def render(
        self,
        name: str,
        value: Any,
        attrs: dict[str, Any] | None = None,
        renderer: BaseRenderer | None = None,
    ) -> SafeString:
        url = to_url(value)
        if not isinstance(url, URLRecord) or url.href == text_of(value):
            return super().render(name, value, attrs, renderer)
        shown = format_html('<bdi dir="ltr">{}</bdi>', without_password(url))
        attrs, read = described(attrs, _("A browser reads this as: %(url)s"), shown)
        element = super().render(name, value, attrs, renderer)
        return format_html('<span class="url-in-a-browser">{}<br>{}</span>', element, read)

    @property
    def media(self) -> forms.Media:
        """The style for the admin, only in the admin."""
        return forms.Media(css=ADMIN_CSS if self.attrs.get("class") == ADMIN_CLASS else None)


class ExactURLField(FieldOfRows):
    """A form field for a URL that is kept as text. Its cleaned value is the text as typed.

    White space around the text is removed, and nothing else is changed. The widget shows the URL
    that a browser makes of the text, if it differs from the text.

    The code of a ValidationError is the standard's name for the error, the policy's code,
    "scheme-not-allowed", "max_length" or "required".

    Args:
        max_length: The longest allowed text in characters, or None for no limit.
        assume_scheme: The scheme to put before text without one. By default, such text is an error.
        allowed_schemes: An iterable of schemes. None allows every scheme, including
            ``javascript:``.
        strictness: See `django_whatwg_url.validators.Strictness`.
        policy: A `weburl.URLPolicy`, or a reference to one, see `policies.PolicyOption`. If
            ``allowed_schemes`` is not given, the schemes of a `URLPolicy` are used.
        **kwargs: Options of CharField. ``error_messages`` can replace the message for each code,
            and "invalid" all of them except "max_length" and "required".

    Raises:
        TypeError: An option has the wrong type.
        ValueError: A scheme or a strictness is not valid.
    """

    __module__ = "django_whatwg_url.forms"

    default_error_messages: ClassVar[dict[str, _StrOrPromise]] = {
        **POLICY_ERROR_MESSAGES,
        **URL_ERROR_MESSAGES,
    }
    # Not URLInput, because browsers remove spaces inside the text of an <input type="url">.
    widget = ExactURLInput

    def __init__(
        self,
        *,
        max_length: int | None = DEFAULT_MAX_LENGTH,
        assume_scheme: str | None = None,
        allowed_schemes: Iterable[str] | None = DEFAULT_ALLOWED_SCHEMES,
        strictness: Strictness = "browser",
        policy: PolicyOption | None = None,
        **kwargs: Any,
    ) -> None:
        super().__init__(max_length=max_length, **kwargs)
        rules = ExactURLValidator(schemes_beside(policy, allowed_schemes), strictness, policy)
        self.allowed_schemes: tuple[str, ...] | None = rules.allowed_schemes
        self.strictness = rules.strictness
        self.policy = policy
        if assume_scheme is not None:
            (assume_scheme,) = normalized_schemes([assume_scheme])
        self.assume_scheme = assume_scheme
        self.validators.append(rules)

    def to_python(self, value: Any) -> Any:
        text = super().to_python(value)
        if not text or self.assume_scheme is None or not _is_typed(value):
            return text
        if self.max_length is not None and len(text) > self.max_length:
            return text  # The validators refuse it.
        typed = read_typed_text(text, self.assume_scheme)
        if typed.problem:
            raise typed_error(typed, self.error_messages)
        return typed.text if typed.kind is TypedKind.HOST else text

    def run_validators(self, value: Any) -> None:
        if value in self.empty_values:
            return
        self.measure(value, self.max_length)
        super().run_validators(value)


class URLReferenceField(FieldOfRows):
    """A form field for a path on this site or a whole URL. Its cleaned value is canonical text.

    It accepts what `django_whatwg_url.fields.URLReferenceField` accepts. No scheme is assumed:
    ``example.com/a`` is refused.

    The code of a ValidationError is the standard's name for the error, the policy's code,
    "scheme-not-allowed", "max_length" or "required".

    Args:
        max_length: The longest allowed canonical text in characters, or None for no limit.
        allowed_schemes: The schemes of whole URLs. None allows every scheme, including
            ``javascript:``.
        policy: A `weburl.URLPolicy` for whole URLs, or a reference to one, see
            `policies.PolicyOption`. If ``allowed_schemes`` is not given, the schemes of a
            `URLPolicy` are used.
        allow_scheme_relative: Whether a reference may name a host, as ``//cdn.example/a`` does.
        **kwargs: Options of CharField. ``error_messages`` can replace the message for each code,
            and "invalid" all of them except "max_length" and "required".

    Raises:
        TypeError: An option has the wrong type.
        ValueError: A scheme is not valid.

    Spec: #relative-url-string
    """

    __module__ = "django_whatwg_url.forms"

    default_error_messages: ClassVar[dict[str, _StrOrPromise]] = {**REFERENCE_MESSAGES}

    def __init__(
        self,
        *,
        max_length: int | None = DEFAULT_MAX_LENGTH,
        allowed_schemes: Iterable[str] | None = DEFAULT_ALLOWED_SCHEMES,
        policy: PolicyOption | None = None,
        allow_scheme_relative: bool = False,
        **kwargs: Any,
    ) -> None:
        super().__init__(max_length=max_length, **kwargs)
        schemes = schemes_beside(policy, allowed_schemes)
        rules = URLReferenceValidator(schemes, policy, allow_scheme_relative)
        self.allowed_schemes: tuple[str, ...] | None = rules.allowed_schemes
        self.policy = policy
        self.allow_scheme_relative: bool = rules.allow_scheme_relative
        self.validators.append(rules)

    def to_python(self, value: Any) -> Any:
        text = super().to_python(value)
        if not text:
            return text
        if self.max_length is not None:
            self.measure(text, self.max_length + _SURROUNDING_WHITE_SPACE)
        canonical = reference_text(
            text, allow_scheme_relative=self.allow_scheme_relative, messages=self.error_messages
        )
        return canonical or self.empty_value


class HostField(TypedField):
    """A form field for a host that people search for.

    Its cleaned value is the text, for the lookups ``url__host`` and ``url__host__under``. Text that
    cannot be a host, such as a URL, is an error with the code "invalid". ".example.com" means
    the host and its subdomains, as in ``under``.

    Args:
        max_length: The longest allowed text in characters, or None for no limit.
        **kwargs: Options of CharField.
    """

    __module__ = "django_whatwg_url.forms"

    def __init__(self, *, max_length: int | None = DEFAULT_MAX_LENGTH, **kwargs: Any) -> None:
        super().__init__(max_length=max_length, **kwargs)

    def clean(self, value: Any) -> str:
        """Return the text, or raise ValidationError."""
        text: str = super().clean(value)
        if text not in self.empty_values:
            try:
                named_host_operand(text)
            except ValidationError as error:
                error.message = self.error_messages.get("invalid", error.message)
                raise
        return text
