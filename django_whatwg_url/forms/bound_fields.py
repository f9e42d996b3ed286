"""The base classes of the form fields. They keep the URL of a row if the field now refuses it.

A policy or a list of hosts may have changed since the row was saved. People who edit another column
cannot know what the URL should be.
"""

from __future__ import annotations

from collections.abc import Sequence
from copy import copy
from typing import TYPE_CHECKING, Any, Final

from django import forms
from django.core.exceptions import FieldDoesNotExist, ValidationError
from django.core.validators import MaxLengthValidator
from django.db import models
from django.forms.utils import ErrorList, flatatt
from django.utils.functional import cached_property
from django.utils.html import escape, format_html
from django.utils.safestring import mark_safe
from django.utils.translation import get_language_bidi
from django.utils.translation import gettext_lazy as _

from django_whatwg_url.column.values import StoredText, is_same, note_stored_value, text_of
from django_whatwg_url.rules.messages import sentences, use_catch_all

if TYPE_CHECKING:
    from django.utils.functional import _StrOrPromise
    from django.utils.safestring import SafeString

    from weburl import URLRecord

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

    def __init__(self, *args: Any, **options: Any) -> None:
        super().__init__(*args, **options)
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
        # Unlike Django's, it keeps the message of a validator, which may be more exact than the
        # default one.
        if value in self.empty_values:
            return
        errors: list[ValidationError] = []
        for validator in self.validators:
            try:
                validator(value)
            except ValidationError as raised:
                errors += raised.error_list
        for error in errors:
            message = self.error_messages.get(error.code or "")
            if message and message is not self.default_error_messages.get(error.code or ""):
                error.message = message
        if errors:
            raise ValidationError(errors)

    def checked(self, value: Any) -> Any:
        """Return the cleaned value. Raises ValidationError if a new row cannot have it."""
        return super().clean(value)

    def kept(self, value: Any) -> Any:
        """Return the cleaned value for ``value``, the URL that the row has."""
        return StoredText(text_of(value))
