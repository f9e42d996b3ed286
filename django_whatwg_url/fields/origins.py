"""The model field for origins. The form field is `forms.OriginField`."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, ClassVar

from django.db import models

from django_whatwg_url import forms
from django_whatwg_url.column.values import StoredText, is_expression, text_of
from django_whatwg_url.fields.text import TextField
from django_whatwg_url.forms.fields import ORIGIN_MAX_LENGTH
from django_whatwg_url.rules.validators import OriginValidator
from weburl import TupleOrigin

if TYPE_CHECKING:
    from typing import Unpack

    from django.forms import Field as FormField
    from django.utils.functional import _StrOrPromise

    from django_whatwg_url.fields.options import OriginOptions

    _TextField = TextField[str, str]
else:
    _TextField = TextField


class OriginField(_TextField):
    """A column for an origin. Its value is the text that a browser sends: "https://example.com".

    Saving and querying convert another spelling ("HTTPS://Example.com:443/") to this one. Text that
    is not an origin raises ValidationError in validation, when it is saved, and as an operand of
    ``exact`` and ``in``.

    Args:
        schemes: The allowed schemes. None allows every scheme that an origin can have, such as
            ``chrome-extension``.
        check_unchanged: Whether forms also refuse an origin that the row already has.
        **options: Options of CharField. ``max_length`` is 300 by default.

    Raises:
        TypeError: An option has the wrong type.
        ValueError: A scheme is not valid.
    """

    __module__ = "django_whatwg_url.fields"

    own_options: ClassVar[tuple[str, ...]] = ("max_length", "schemes", "check_unchanged")
    default_max_length: ClassVar[int] = ORIGIN_MAX_LENGTH
    value_types: ClassVar[tuple[type, ...]] = (str, TupleOrigin)
    form_class: ClassVar[type[FormField]] = forms.OriginField

    if TYPE_CHECKING:

        def __init__(
            self, verbose_name: _StrOrPromise | None = None, **options: Unpack[OriginOptions]
        ) -> None: ...

        schemes: tuple[str, ...] | None

    def take_options(self, own: dict[str, Any]) -> None:
        self._rules = OriginValidator(own["schemes"])
        super().take_options(own | {"schemes": self._rules.schemes})
        self.validators.append(self._rules)

    def canonical_text(self, value: Any) -> str:
        return self._rules.canonical(text_of(value))

    def get_prep_value(self, value: Any) -> Any:
        value = models.Field.get_prep_value(self, value)
        if value in (None, "") or is_expression(value):
            return value
        return text_of(value) if isinstance(value, StoredText) else self.canonical_text(value)
