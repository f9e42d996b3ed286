"""The model field for origins, which `fields` re-exports. `forms` has the form field."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from django.core.exceptions import ValidationError
from django.db import models

from django_whatwg_url import forms
from django_whatwg_url.fields.options import text_of_row
from django_whatwg_url.forms.fields import ORIGIN_MAX_LENGTH
from django_whatwg_url.forms.messages import located
from django_whatwg_url.forms.validators import DEFAULT_ALLOWED_SCHEMES, OriginValidator
from django_whatwg_url.storage.values import StoredText, is_expression

if TYPE_CHECKING:
    from collections.abc import Iterable

    from django.forms import Field as FormField

    _CharField = models.CharField[str, str]
else:
    _CharField = models.CharField


class OriginField(_CharField):
    """A column for an origin. Its value is text, as a browser sends it: "https://example.com".

    Saving and querying change another spelling ("HTTPS://Example.com:443/") to this one. Text that
    is not an origin raises ValidationError, in validation, when it is saved, and as an operand of
    ``exact`` and ``in``.

    Args:
        schemes: The allowed schemes. None allows all that an origin can have, such as
            ``chrome-extension``.
        **options: Options of CharField. ``max_length`` is 300 by default.

    Raises:
        TypeError: An option has the wrong type.
        ValueError: A scheme is not valid.
    """

    __module__ = "django_whatwg_url.fields"

    def __init__(
        self,
        *args: Any,
        schemes: Iterable[str] | None = DEFAULT_ALLOWED_SCHEMES,
        **options: Any,
    ) -> None:
        options.setdefault("max_length", ORIGIN_MAX_LENGTH)
        super().__init__(*args, **options)
        self._rules = OriginValidator(schemes)
        # `to_python` refuses the same text, but Django REST framework only runs the validators.
        self.validators.append(self._rules)

    @property
    def schemes(self) -> tuple[str, ...] | None:
        """The allowed schemes, in lowercase and sorted, or None."""
        return self._rules.schemes

    def deconstruct(self) -> Any:
        """Return what migrations write."""
        name, path, args, options = super().deconstruct()
        if self.schemes != DEFAULT_ALLOWED_SCHEMES:
            options["schemes"] = self.schemes
        return name, path, args, options

    def to_python(self, value: Any) -> Any:
        """Return the origin as a browser sends it, or raise ValidationError."""
        text = super().to_python(value)
        if isinstance(value, StoredText):
            return text  # from `pre_save`
        return text if text in self.empty_values else self._rules.canonical(text)

    def pre_save(self, model_instance: models.Model, add: bool) -> Any:  # Django's
        """Return the origin as a browser sends it, and set it on the instance.

        Raises ValidationError. Text that is not an origin is written back if the row holds it.
        """
        value = super().pre_save(model_instance, add)
        if is_expression(value):
            return value
        try:
            value = self.to_python(value)
        except ValidationError as error:
            kept = None if add else text_of_row(self, model_instance, value)
            if kept is not None:
                return kept
            raise located(error, field=self, value=value, row=model_instance.pk) from error
        setattr(model_instance, self.attname, value)
        return value

    def formfield(self, *args: Any, **kwargs: Any) -> FormField | None:
        """Return a `forms.OriginField`, unless the field has choices."""
        if self.choices is not None:
            return super().formfield(*args, **kwargs)
        defaults = {"form_class": forms.OriginField, "schemes": self.schemes}
        return super().formfield(*args, **{**defaults, **kwargs})
