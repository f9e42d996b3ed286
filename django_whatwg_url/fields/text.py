"""The base of the fields whose attribute is text: exact URLs and references."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, ClassVar

from django import forms
from django.core import checks
from django.core.exceptions import ValidationError
from django.core.validators import MaxLengthValidator
from django.db import models

from django_whatwg_url.column.checks import check_collation, check_indexes
from django_whatwg_url.column.values import StoredText, is_expression, text_of
from django_whatwg_url.fields.options import (
    ChoiceField,
    FieldWithOptions,
    _GetT_co,
    _SetT_contra,
    is_admin_widget,
)
from django_whatwg_url.query.lookups import TEXT_LOOKUPS, findable_text
from django_whatwg_url.rules.messages import presentable
from django_whatwg_url.rules.validators import errors_of
from weburl import URLRecord

if TYPE_CHECKING:
    from django.db.backends.base.base import BaseDatabaseWrapper
    from django.forms import Field as FormField

    from django_whatwg_url.fields.options import TextOfURL


class URLTextField(FieldWithOptions[_SetT_contra, _GetT_co]):
    """A column of text that is refused when it is saved, and not only by ``full_clean()``."""

    refused_default: ClassVar[tuple[str, str]]
    """The id and the hint of the check for a default that the field refuses."""

    form_class: ClassVar[type[forms.Field]]
    form_widget: ClassVar[type[forms.TextInput]] = forms.TextInput
    """The widget in the admin, which would choose one by the class of the field."""

    if TYPE_CHECKING:
        # The mypy plugin uses these instead of CharField's attributes.
        _pyi_private_set_type: TextOfURL  # type: ignore[assignment]
        _pyi_private_get_type: str
        _pyi_lookup_exact_type: str | URLRecord | None

    def canonical_text(self, value: Any) -> str:
        """Return a value as it is stored, or raise ValidationError if it is never stored."""
        raise NotImplementedError

    def check(self, **kwargs: Any) -> list[checks.CheckMessage]:
        messages = super().check(**kwargs)
        messages = check_indexes(self, messages, kwargs.get("databases"))
        messages += check_collation(self, self.db_collation, kwargs.get("databases"))
        for option in ("default", "db_default"):
            default = getattr(self, option)
            try:
                if isinstance(default, (str, URLRecord)) and default != "":
                    self.run_validators(text_of(default))
            except ValidationError as error:
                number, hint = self.refused_default
                reason = f"{option}={text_of(default)!r} is refused: {' '.join(error.messages)}"
                messages.append(checks.Error(reason, hint=hint, obj=self, id=number))
        return messages

    # To the database. Text from the database is not converted.

    def to_python(self, value: Any) -> str | None:
        """Return a value as it is stored. Text that is refused is returned as `StoredText`.

        Django calls this for the text of a fixture, which is stored unchanged.
        """
        if value is None or value == "":
            return value  # type: ignore[no-any-return]
        try:
            return self.canonical_text(value)
        except ValidationError:
            return StoredText(text_of(value))

    def get_prep_value(self, value: Any) -> Any:
        value = models.Field.get_prep_value(self, value)
        if value is None or is_expression(value):
            return value
        return text_of(self.to_python(value))

    def get_db_prep_value(
        self, value: Any, connection: BaseDatabaseWrapper, prepared: bool = False
    ) -> Any:
        text = super().get_db_prep_value(value, connection, prepared)
        if not isinstance(text, str):
            return text
        if not self.has_column:
            return self.stored_text(text)  # An array saves its elements as it looks them up.
        # An operand may be any text.
        is_ascii = getattr(self, "holds_ascii", False) and not self.db_collation
        return findable_text(text, connection, is_ascii=is_ascii)

    def value_to_save(self, model_instance: models.Model, add: bool) -> Any:
        """Set the attribute to the text to store, and return it.

        Raises ValidationError, with the row in its message. Text that the field refuses is written
        back if the row already has it.
        """
        value: object = getattr(model_instance, self.attname)
        if value is None or is_expression(value):
            return value
        try:
            text = self.stored_text(value)
        except ValidationError as error:
            return self.stays(error, value, model_instance, add=add)
        setattr(model_instance, self.attname, text)
        return text

    def stored_text(self, value: Any) -> str | None:
        value = models.Field.get_prep_value(self, value)
        if value is None:
            return None
        if value == "":
            return self.no_url
        text = self.canonical_text(value)
        if self.max_length is not None:
            MaxLengthValidator(self.max_length)(text)
        return text

    def validate(self, value: Any, model_instance: models.Model | None) -> None:
        try:
            super().validate(value, model_instance)
        except ValidationError as error:
            if error.code == "invalid_choice":
                error.params = {"value": presentable(text_of(value))}
            raise

    def run_validators(self, value: Any) -> None:
        if value in self.empty_values:
            return
        text = self.canonical_text(value)
        if errors := errors_of(self.validators, text, self.error_messages):
            raise ValidationError(errors)

    def formfield(self, **kwargs: Any) -> FormField | None:
        form_class = kwargs.pop("form_class", None) or self.form_class
        if issubclass(form_class, self.form_class):
            kwargs = {**self.form_options, "error_messages": self.own_error_messages, **kwargs}
        if is_admin_widget(kwargs.get("widget")):
            kwargs["widget"] = self.form_widget(attrs={"class": "vURLField"})
        kwargs.setdefault("choices_form_class", ChoiceField)
        return super().formfield(form_class=form_class, **kwargs)


# The operands are not percent-encoded, unless the column is ASCII.
for _lookup in TEXT_LOOKUPS:
    URLTextField.register_lookup(_lookup)
