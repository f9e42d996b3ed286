"""The form fields. They accept what people type.

The cleaned value of `CanonicalURLField` is a `URLRecord`. `ExactURLField` and `HostField` return
the text as typed, and the other fields canonical text.

`FieldOfRows` keeps the URL of a row that the field now refuses. A policy or a list of hosts may
have changed since the row was saved, and people who edit another column cannot know what the URL
should be.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from contextlib import suppress
from copy import copy
from typing import TYPE_CHECKING, Any, ClassVar, Final

from django import forms
from django.core.exceptions import FieldDoesNotExist, ValidationError
from django.core.validators import MaxLengthValidator
from django.db import models
from django.forms.utils import ErrorList, flatatt
from django.utils.functional import Promise, cached_property
from django.utils.html import escape, format_html
from django.utils.safestring import mark_safe
from django.utils.translation import get_language_bidi
from django.utils.translation import gettext_lazy as _

import weburl
from django_whatwg_url.column.columns import DEFAULT_MAX_LENGTH
from django_whatwg_url.column.values import (
    SpelledText,
    StoredText,
    UnparsableURL,
    is_same,
    note_stored_value,
    text_of,
    to_url,
)
from django_whatwg_url.policies import PolicyOption
from django_whatwg_url.rules.hosts import named_host_operand
from django_whatwg_url.rules.messages import (
    FIELD_MESSAGES,
    LOOK_ALIKE,
    POLICY_ERROR_MESSAGES,
    REFERENCE_MESSAGES,
    SCHEME_BEFORE_USERNAME,
    SCHEME_NOT_ALLOWED,
    TYPED_TEXT_MESSAGES,
    parse_error,
    sentences,
    typed_error,
    url_error,
    use_catch_all,
)
from django_whatwg_url.rules.validators import (
    DEFAULT_SCHEMES,
    CanonicalMaxLengthValidator,
    ExactURLValidator,
    Strictness,
    URLPolicyValidator,
    URLReferenceValidator,
    URLStrictnessValidator,
    collect_errors,
    errors_of,
    normalized_schemes,
    reference_text,
    scheme_validator,
    schemes_beside,
)
from weburl import URLParseError, URLRecord, ValidationErrorType
from weburl.integrations.building_blocks import TypedKind, read_typed_text
from weburl.lookalikes import ProtectedNames

if TYPE_CHECKING:
    from django.forms.renderers import BaseRenderer
    from django.utils.functional import _StrOrPromise
    from django.utils.safestring import SafeString

    _Form = forms.Form
else:
    _Form = object

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

_NOTE: Final = _(
    # Translators: "reason" is one or more sentences.
    "This URL no longer follows the rules. %(reason)s You can save the form without changing it."
)
_URL_ATTRIBUTES: Final = {
    "dir": "ltr",
    "inputmode": "url",
    "autocapitalize": "none",
    "spellcheck": "false",
}

ADMIN_CLASS: Final = "vURLField"
"""The class that Django's admin gives to inputs for URLs."""

ADMIN_CSS: Final[dict[str, Sequence[str]]] = {"all": ["django_whatwg_url/admin.css"]}


def without_password(url: URLRecord) -> str:
    """Return the href, with "***" for the password."""
    return url.with_password("***").href if url.password else url.href


def described(
    attrs: dict[str, Any] | None, message: _StrOrPromise, url: SafeString
) -> tuple[dict[str, Any], SafeString]:
    """Return the attributes of an input and the HTML of a message that describes it.

    The message is isolated, because it may be in English on a page from right to left.

    Args:
        attrs: The attributes that the input has already.
        message: Text with the parameter ``url``.
        url: The HTML of a URL.
    """
    attrs = dict(attrs or {})
    note_id = f"{attrs['id']}_note" if "id" in attrs else ""
    if note_id:
        attrs["aria-describedby"] = f"{attrs.get('aria-describedby', '')} {note_id}".strip()
    text = mark_safe(escape(message) % {"url": url})  # noqa: S308  # escaped in the line itself
    return attrs, format_html("<bdi{}>{}</bdi>", flatatt({"id": note_id or False}), text)


class TypedBoundField(forms.BoundField):
    """A bound field whose errors are isolated on a page from right to left.

    This package has no messages in such a language, and quotes text from left to right.
    """

    @property
    def errors(self) -> ErrorList:
        """The errors of the field. In a language from right to left, they are HTML."""
        errors = super().errors
        if not errors or not get_language_bidi():
            return errors
        shown: ErrorList = copy(errors)  # It also has the id, unlike errors.copy().
        shown.data = [format_html("<bdi>{}</bdi>", text) for text in errors]
        return shown


class URLBoundField(TypedBoundField):
    """A bound field. Its help text also says if a new row could not have the URL."""

    field: FieldOfRows

    def __init__(self, form: Any, field: FieldOfRows, name: str) -> None:
        super().__init__(form, field, name)
        # Read it now, because `ModelForm` changes the instance when it validates.
        self.stored: Any = _stored_value(getattr(form, "instance", None), name)
        """The value that the row has and may keep, or None."""

    @property
    def is_refused(self) -> bool:
        """Whether the form was submitted and has an error of this field."""
        return bool(self.form.is_bound and self.errors)

    @cached_property
    def refusal(self) -> str:
        """Say why the field would refuse the URL of the row in a new row, or return ""."""
        value = self.value()
        if not value or self.is_refused or not is_same(value, self.stored):
            return ""
        try:
            self.field.checked(value)
        except ValidationError as error:
            return sentences(error.messages)
        return ""

    @property
    def help_text(self) -> _StrOrPromise:
        """The help text of the field, followed by a note if there is a `refusal`. It is HTML."""
        if not self.refusal:
            return self._help_text
        note = str(_NOTE) % {"reason": self.refusal}
        # Isolated, because it may be in English on a page from right to left.
        note = format_html('<bdi class="url-refused-today">{}</bdi>', note)
        if not self._help_text:
            return note
        return mark_safe(sentences([str(self._help_text), note]))  # noqa: S308  # as Django's templates show it

    @help_text.setter
    def help_text(self, text: _StrOrPromise) -> None:
        self._help_text = text


def _stored_value(instance: Any, name: str) -> Any:
    """Return the value that a form's row has in the column ``name`` and may keep, or None.

    The model field needs it too, when it validates the instance.
    """
    if not isinstance(instance, models.Model):
        return None
    try:
        return note_stored_value(instance._meta.get_field(name), instance)
    except FieldDoesNotExist:
        return None


class TypedField(forms.CharField):
    """The base of the form fields: a text input for URLs, hosts or patterns."""

    def widget_attrs(self, widget: forms.Widget) -> dict[str, Any]:
        # Leave out CharField's maxlength. A browser would truncate a pasted URL without a warning.
        attrs = super(forms.CharField, self).widget_attrs(widget)
        if not widget.is_hidden:
            attrs |= _URL_ATTRIBUTES
        attrs = {name: value for name, value in attrs.items() if name not in widget.attrs}
        if widget.attrs.get("class") == "vTextField":  # The admin's class for URLs is wider.
            attrs["class"] = ADMIN_CLASS
        return attrs

    def get_bound_field(self, form: forms.BaseForm, field_name: str) -> TypedBoundField:
        return TypedBoundField(form, self, field_name)

    def measure(self, text: str, limit: int | None) -> None:
        """Raise ValidationError if ``text`` is longer than ``limit``."""
        if limit is None or len(text) <= limit:
            return
        try:
            MaxLengthValidator(limit)(text)
        except ValidationError as error:
            error.message = self.error_messages.get("max_length", error.message)
            raise


class FieldOfRows(TypedField):
    """The base of form fields that keep a refused URL if the row of a `ModelForm` has it."""

    _bound: URLBoundField | None = None  # Safe here, because each form copies its fields.

    def __init__(self, **options: Any) -> None:
        super().__init__(**options)
        use_catch_all(self.error_messages, self.default_error_messages)

    def get_bound_field(self, form: forms.BaseForm, field_name: str) -> URLBoundField:
        self._bound = URLBoundField(form, self, field_name)
        return self._bound

    def clean(self, value: Any) -> Any:
        try:
            return self.checked(value)
        except ValidationError:
            stored = None if self._bound is None else self._bound.stored
            if stored is None or not is_same(value, stored):
                raise
        return self.kept(stored)

    def run_validators(self, value: Any) -> None:
        if value in self.empty_values:
            return
        if errors := errors_of(self.validators, value, self.error_messages):
            raise ValidationError(errors)

    def checked(self, value: Any) -> Any:
        """Return the cleaned value. Raises ValidationError if a new row cannot have it."""
        return super().clean(value)

    def kept(self, value: Any) -> Any:
        """Return the cleaned value for ``value``, the URL that the row has."""
        return StoredText(text_of(value))


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
        schemes: An iterable of schemes. None allows every scheme, including
            ``javascript:``.
        strictness: See `django_whatwg_url.validators.Strictness`.
        policy: A `weburl.URLPolicy`, or a reference to one, see `policies.PolicyOption`.
            If ``schemes`` is not given, its schemes are used.
        **kwargs: Options of CharField. ``error_messages`` can replace the message for each code,
            and "invalid" all of them except "max_length" and "required".

    Raises:
        TypeError: An option has the wrong type.
        ValueError: A scheme or a strictness is not valid.
    """

    __module__ = "django_whatwg_url.forms"

    default_error_messages: ClassVar[dict[str, _StrOrPromise]] = {
        **FIELD_MESSAGES,
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
        schemes: Iterable[str] | None = DEFAULT_SCHEMES,
        strictness: Strictness = "browser",
        policy: PolicyOption | None = None,
        **kwargs: Any,
    ) -> None:
        self.policy = policy
        self.single_labels = single_labels
        self._scheme_validator = scheme_validator(schemes_beside(policy, schemes), policy)
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
    def schemes(self) -> tuple[str, ...] | None:
        """The allowed schemes in lower case. None allows every scheme."""
        return self._scheme_validator.schemes

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
            if ":" in text and self.schemes is not None:
                with suppress(URLParseError):
                    record = weburl.parse(text)
                    if record.scheme in self.schemes:
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

    Codes and exceptions are those of `CanonicalURLField`.

    Args:
        max_length: The longest allowed text in characters, or None for no limit.
        assume_scheme: The scheme to put before text without one. By default, such text is an error.

    The other arguments are those of `CanonicalURLField`.
    """

    __module__ = "django_whatwg_url.forms"

    default_error_messages: ClassVar[dict[str, _StrOrPromise]] = FIELD_MESSAGES
    # Not URLInput, because browsers remove spaces inside the text of an <input type="url">.
    widget = ExactURLInput

    def __init__(
        self,
        *,
        max_length: int | None = DEFAULT_MAX_LENGTH,
        assume_scheme: str | None = None,
        schemes: Iterable[str] | None = DEFAULT_SCHEMES,
        strictness: Strictness = "browser",
        policy: PolicyOption | None = None,
        **kwargs: Any,
    ) -> None:
        super().__init__(max_length=max_length, **kwargs)
        rules = ExactURLValidator(schemes_beside(policy, schemes), strictness, policy)
        self.schemes: tuple[str, ...] | None = rules.schemes
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

    Codes and exceptions are those of `CanonicalURLField`.

    Args:
        max_length: The longest allowed canonical text in characters, or None for no limit.
        allow_scheme_relative: Whether a reference may name a host, as ``//cdn.example/a`` does.

    The other arguments are those of `CanonicalURLField`, without ``strictness``. Schemes and policy
    are for whole URLs.

    Spec: #relative-url-string
    """

    __module__ = "django_whatwg_url.forms"

    default_error_messages: ClassVar[dict[str, _StrOrPromise]] = {**REFERENCE_MESSAGES}

    def __init__(
        self,
        *,
        max_length: int | None = DEFAULT_MAX_LENGTH,
        schemes: Iterable[str] | None = DEFAULT_SCHEMES,
        policy: PolicyOption | None = None,
        allow_scheme_relative: bool = False,
        **kwargs: Any,
    ) -> None:
        super().__init__(max_length=max_length, **kwargs)
        schemes = schemes_beside(policy, schemes)
        rules = URLReferenceValidator(schemes, policy, allow_scheme_relative)
        self.schemes: tuple[str, ...] | None = rules.schemes
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

    def has_changed(self, initial: object, data: object) -> bool:
        """Return whether ``data`` is another reference. Text that the row has may be refused."""
        return text_of(initial) != text_of(data) and super().has_changed(initial, data)


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


class LookalikeFormMixin(_Form):
    """Asks once whether people mean a host that looks like one of your names.

    The first time, such a URL is an error, and the form has one more field: a checkbox with the
    label "I mean this address". Once it is ticked, the URL is accepted. The name of the checkbox is
    the name of the URL field with "_meant" at the end. In a template that writes each field by
    itself, write it too.

    ``not_like``: the names, by the name of the URL field. They are as in
    `weburl.lookalikes.ProtectedNames`.
    """

    __module__ = "django_whatwg_url.forms"

    not_like: ClassVar[Mapping[str, ProtectedNames | Iterable[str]]] = {}

    def clean(self) -> dict[str, Any] | None:
        """Return the cleaned data, with an error for each look-alike that was not confirmed."""
        cleaned: dict[str, Any] | None = super().clean()
        for name, names in self.not_like.items():
            self._ask(name, names if isinstance(names, ProtectedNames) else ProtectedNames(names))
        return cleaned

    def _ask(self, name: str, names: ProtectedNames) -> None:
        url = to_url(self.cleaned_data.get(name))
        host = url.host if isinstance(url, URLRecord) else None
        found = None if host is None else names.looks_like(host)
        if found is None:
            return
        box = f"{name}_meant"
        is_meant = self.data.get(self.add_prefix(box)) == str(host)
        # The value is the host, so a tick does not count for another one.
        widget = forms.CheckboxInput(attrs={"value": str(host)}, check_test=lambda _value: is_meant)
        self.fields[box] = forms.BooleanField(
            label=_("I mean this address"), required=False, widget=widget
        )
        if not is_meant:
            params = {"culprit": str(host), "allowed": found.name}
            message = POLICY_ERROR_MESSAGES[LOOK_ALIKE]
            self.add_error(name, ValidationError(message, code=LOOK_ALIKE, params=params))
