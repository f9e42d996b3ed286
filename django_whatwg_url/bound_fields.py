"""URLs that a row holds and its field refuses now: a form keeps them, and says so beside them.

A policy or a list of hosts may have changed since the row was saved. People who edit another column
cannot know what the URL should be now.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, ClassVar, Final

from django import forms
from django.core.exceptions import FieldDoesNotExist, ValidationError
from django.db import models
from django.utils.functional import cached_property
from django.utils.html import format_html
from django.utils.safestring import mark_safe
from django.utils.translation import gettext_lazy as _

from django_whatwg_url.storage.kept import is_kept, may_keep
from django_whatwg_url.storage.values import text_of, to_url

if TYPE_CHECKING:
    from django.utils.functional import _StrOrPromise

_NOTE: Final = _("You can keep this URL, although it would be refused today: %(reason)s")


class URLBoundField(forms.BoundField):
    """The field of a form, whose help text also says if a new row could not have its URL."""

    field: FieldOfRows

    @property
    def row(self) -> tuple[Any, models.Model] | None:
        """The field of the model and the row that the form edits, or None."""
        instance = getattr(self.form, "instance", None)
        if not isinstance(instance, models.Model):
            return None
        try:
            return instance._meta.get_field(self.name), instance
        except FieldDoesNotExist:
            return None

    @cached_property
    def refusal(self) -> str:
        """Why the field would refuse the URL of the row if it were new, or ""."""
        row, value = self.row, self.value()
        if row is None or not value or (self.form.is_bound and self.errors):
            return ""
        field, instance = row
        if not may_keep(field, instance):
            return ""
        if to_url(value) != to_url(field.value_from_object(instance)):
            return ""
        try:
            self.field.checked(value)
        except ValidationError as error:
            return " ".join(error.messages)
        return ""

    @property
    def help_text(self) -> _StrOrPromise:
        """The help text of the field, and what `refusal` says. It is HTML."""
        if not self.refusal:
            return self._help_text
        note = str(_NOTE) % {"reason": self.refusal}
        own = mark_safe(self._help_text)  # noqa: S308  # as Django's templates show it
        return format_html('{}<span class="url-refused-today">{}</span>', own, note)

    @help_text.setter
    def help_text(self, text: _StrOrPromise) -> None:
        self._help_text = text


class FieldOfRows(forms.CharField):
    """The base of form fields that keep a refused URL which the row of a `ModelForm` holds."""

    bound_field: ClassVar[type[URLBoundField]] = URLBoundField
    _bound: URLBoundField | None = None  # each form has its own copies of its fields

    def get_bound_field(self, form: forms.BaseForm, field_name: str) -> URLBoundField:
        self._bound = self.bound_field(form, self, field_name)
        return self._bound

    def clean(self, value: Any) -> Any:
        try:
            return self.checked(value)
        except ValidationError:
            row = self._bound and self._bound.row
            if not row or not is_kept(*row, value):
                raise
        return self.kept(value)

    def checked(self, value: Any) -> Any:
        """Return the cleaned value. Raises ValidationError for what a new row cannot have."""
        return super().clean(value)

    def kept(self, value: Any) -> Any:
        """Return the cleaned value for the URL that the row holds."""
        return text_of(value)
