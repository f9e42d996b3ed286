"""The model field for a URL pattern, as rules and routes that people edit store it.

The form field is `forms.URLPatternField`, and the rules for the text are in
`validators.URLPatternValidator`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, ClassVar, Literal, overload

from django.utils.translation import gettext_lazy as _

from django_whatwg_url import forms
from django_whatwg_url.column.columns import ExactColumn
from django_whatwg_url.fields.options import _GetT_co, _SetT_contra
from django_whatwg_url.fields.text import TextField
from django_whatwg_url.rules.validators import URLPatternValidator, pattern_text
from weburl import URLPattern

if TYPE_CHECKING:
    from typing import Unpack

    from django.core.exceptions import ValidationError
    from django.db.models.expressions import Combinable
    from django.forms import Field as FormField
    from django.utils.functional import _Getter, _StrOrPromise

    from django_whatwg_url.fields.options import PatternOptions


class URLPatternField(ExactColumn, TextField[_SetT_contra, _GetT_co]):
    """A URL pattern, such as ``https://*.example.com/users/:id``, stored as canonical text.

    The attribute is a `str`. ``URLPattern(row.pattern)`` makes the value, and
    ``filter(url__matches=row.pattern)`` finds the rows of another model that match.

    ``full_clean()`` and every way of saving raise ValidationError for text that is not a pattern,
    with the code "invalid-pattern" and the reason in the message.

    Args:
        max_length: The longest canonical text in characters, 2048 by default. Saving a longer
            pattern raises an error.
        regexp_groups: Whether a pattern may have groups with regular expressions. Without them, a
            match takes time linear in the length of the URL, and ``url__matches`` accepts the
            pattern.
        check_unchanged: Whether forms also refuse a pattern that the row already has.
        **options: Options of CharField. The keys of ``error_messages`` are the codes of errors.

    Raises TypeError and ValueError for invalid options.

    Spec: https://urlpattern.spec.whatwg.org/
    """

    __module__ = "django_whatwg_url.fields"

    description: _StrOrPromise | _Getter[_StrOrPromise] = _("URL pattern")
    own_options: ClassVar[tuple[str, ...]] = ("max_length", "check_unchanged", "regexp_groups")
    value_types: ClassVar[tuple[type, ...]] = (str, URLPattern)
    form_class: ClassVar[type[FormField]] = forms.URLPatternField

    if TYPE_CHECKING:
        # The mypy plugin uses these instead of CharField's attributes.
        _pyi_private_set_type: str | URLPattern | Combinable  # type: ignore[assignment]
        _pyi_private_get_type: str
        _pyi_lookup_exact_type: str | URLPattern | None

        @overload
        def __init__(
            self: URLPatternField[str | URLPattern | Combinable, str],
            verbose_name: _StrOrPromise | None = None,
            *,
            null: Literal[False] = False,
            **options: Unpack[PatternOptions],
        ) -> None: ...

        @overload
        def __init__(
            self: URLPatternField[str | URLPattern | Combinable | None, str | None],
            verbose_name: _StrOrPromise | None = None,
            *,
            null: bool,
            **options: Unpack[PatternOptions],
        ) -> None: ...

        def __init__(self, *args: Any, **options: Any) -> None: ...

        regexp_groups: bool

    def take_options(self, own: dict[str, Any]) -> None:
        super().take_options(own)
        self.validators.append(URLPatternValidator(self.regexp_groups))

    def canonical_text(self, value: Any) -> str:
        return pattern_text(value, regexp_groups=self.regexp_groups)

    def refused_text(self, value: Any, error: ValidationError) -> str:
        if not isinstance(value, str):
            raise error
        return value
