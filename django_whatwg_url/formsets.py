"""Formsets that refuse two rows with URLs of the same page, before the database does."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from django.core.exceptions import ValidationError
from django.forms.models import BaseInlineFormSet, BaseModelFormSet

from django_whatwg_url.column.values import is_expression
from django_whatwg_url.constraints import UniqueURLKey

if TYPE_CHECKING:
    from collections.abc import Iterator
    from typing import TypeAlias

    from django.forms import ModelForm

    _ModelFormSet: TypeAlias = BaseModelFormSet[Any, Any]
    _InlineFormSet: TypeAlias = BaseInlineFormSet[Any, Any, Any]
else:
    _ModelFormSet, _InlineFormSet = BaseModelFormSet, BaseInlineFormSet

__all__ = ["UniqueURLFormSet", "UniqueURLInlineFormSet"]


class _UniqueURLs(_ModelFormSet):
    """Compares the keys of the forms with each other. Each form compares its own with the rows."""

    def validate_unique(self) -> None:
        super().validate_unique()
        model: Any = self.model
        # All rows have the same parent, which may not have a key yet.
        parent = getattr(self, "fk", None)
        for constraint in model._meta.constraints:
            if isinstance(constraint, UniqueURLKey):
                names = (*constraint.within, constraint.key_field)
                fields = [field for field in map(model._meta.get_field, names) if field != parent]
                self._refuse_same_pages(constraint, fields)

    def _refuse_same_pages(self, constraint: UniqueURLKey, fields: list[Any]) -> None:
        names, key = [field.attname for field in fields], fields[-1]
        seen: set[tuple[object, ...]] = set()
        for form in self._forms_to_save():
            values = tuple(getattr(form.instance, name) for name in names)
            if any(value is None or is_expression(value) for value in values):
                continue
            if values in seen:
                message = self.get_unique_error_message((key.from_field,))
                error = ValidationError(message, code=constraint.violation_error_code)
                form.add_error(key.from_field if key.from_field in form.fields else None, error)
            seen.add(values)

    def _forms_to_save(self) -> Iterator[ModelForm[Any]]:
        for form in self.forms:
            is_blank = form.empty_permitted and not form.has_changed()
            if form.is_valid() and not is_blank and form not in self.deleted_forms:
                yield form


class UniqueURLFormSet(_UniqueURLs):
    """A model formset in which two forms cannot have URLs of the same page.

    It uses the `UniqueURLKey` constraints of the model, with their ``within``. The second form gets
    an error with the code "same-page". Pass it to ``modelformset_factory`` as ``formset=``.
    """


class UniqueURLInlineFormSet(_UniqueURLs, _InlineFormSet):
    """A `UniqueURLFormSet` for rows of a parent. Set ``formset`` of an admin inline to it."""
