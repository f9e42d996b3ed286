"""The model field for a URL pattern, as rules and routes that people edit store it.

`fields` re-exports the field. The form field is `forms.URLPatternField`, and the rules for the text
are in `validators.URLPatternValidator`.
"""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Any, Literal, overload

from django.core import checks
from django.core.exceptions import ValidationError
from django.core.validators import MaxLengthValidator
from django.db import models
from django.utils.translation import gettext_lazy as _

from django_whatwg_url import forms
from django_whatwg_url.checks.collations import check_collation
from django_whatwg_url.columns.attributes import row_of, row_text
from django_whatwg_url.columns.char_fields import _GenericCharField
from django_whatwg_url.columns.kept import text_kept
from django_whatwg_url.columns.literals import with_literals_of
from django_whatwg_url.columns.storage import DEFAULT_MAX_LENGTH, ExactColumn
from django_whatwg_url.columns.values import is_expression
from django_whatwg_url.messages import located
from django_whatwg_url.validators import URLPatternValidator, pattern_text
from weburl import URLPattern

if TYPE_CHECKING:
    from typing import Unpack

    from django.db.backends.base.base import BaseDatabaseWrapper
    from django.db.models.expressions import Combinable
    from django.forms import Field as FormField
    from django.utils.functional import _Getter, _StrOrPromise
    from typing_extensions import TypeVar

    from django_whatwg_url.columns.char_fields import CharFieldOptions

    _SetT_contra = TypeVar(
        "_SetT_contra", contravariant=True, default=str | URLPattern | Combinable
    )
    _GetT_co = TypeVar("_GetT_co", covariant=True, default=str)
else:
    from typing import TypeVar

    _SetT_contra = TypeVar("_SetT_contra", contravariant=True)
    _GetT_co = TypeVar("_GetT_co", covariant=True)


class URLPatternField(ExactColumn, _GenericCharField[_SetT_contra, _GetT_co]):
    """A URL pattern, such as ``https://*.example.com/users/:id``, stored as canonical text.

    The attribute is a `str`. ``URLPattern(row.pattern)`` makes the value, and
    ``filter(url__matches=row.pattern)`` finds the rows of another model that match.

    ``full_clean()`` and every way of saving raise ValidationError for text that is not a pattern,
    with the code "invalid-pattern" and the reason in the message.

    Args:
        max_length: Of the canonical text, in characters, 2048 by default. Saving a longer one
            raises an error.
        regexp_groups: Whether a pattern may have groups with regular expressions. Without them, a
            match takes time linear in the URL, and ``url__matches`` accepts the pattern.
        **options: Options of CharField. The keys of ``error_messages`` are the codes of errors.

    Raises TypeError and ValueError for invalid options.

    Spec: https://urlpattern.spec.whatwg.org/
    """

    __module__ = "django_whatwg_url.fields"

    description: _StrOrPromise | _Getter[_StrOrPromise] = _("URL pattern")
    non_db_attrs: tuple[str, ...] = (*models.CharField.non_db_attrs, "regexp_groups")

    if TYPE_CHECKING:
        # The mypy plugin reads these instead of CharField's.
        _pyi_private_set_type: str | URLPattern | Combinable  # type: ignore[assignment]
        _pyi_private_get_type: str
        _pyi_lookup_exact_type: str | URLPattern | None

    @overload
    def __init__(
        self: URLPatternField[str | URLPattern | Combinable, str],
        verbose_name: _StrOrPromise | None = None,
        *,
        null: Literal[False] = False,
        primary_key: bool = False,
        default: Any = ...,
        max_length: int | None = DEFAULT_MAX_LENGTH,
        regexp_groups: bool = False,
        **options: Unpack[CharFieldOptions],
    ) -> None: ...

    @overload
    def __init__(
        self: URLPatternField[str | URLPattern | Combinable | None, str | None],
        verbose_name: _StrOrPromise | None = None,
        *,
        null: bool,
        primary_key: bool = False,
        default: Any = ...,
        max_length: int | None = DEFAULT_MAX_LENGTH,
        regexp_groups: bool = False,
        **options: Unpack[CharFieldOptions],
    ) -> None: ...

    def __init__(
        self,
        verbose_name: _StrOrPromise | None = None,
        *,
        max_length: int | None = DEFAULT_MAX_LENGTH,
        regexp_groups: bool = False,
        **options: Any,
    ) -> None:
        super().__init__(verbose_name, max_length=max_length, **options)
        self.regexp_groups = regexp_groups
        self.validators.append(URLPatternValidator(regexp_groups))

    def contribute_to_class(
        self, cls: type[models.Model], name: str, private_only: bool = False
    ) -> None:
        super().contribute_to_class(cls, name, private_only)
        # On the instance, as in `CanonicalURLField`.
        vars(self)["pre_save"] = partial(_text_to_store, self)

    def deconstruct(self) -> tuple[str, str, list[Any], dict[str, Any]]:
        name, path, args, kwargs = super().deconstruct()
        if self.max_length == DEFAULT_MAX_LENGTH:
            kwargs.pop("max_length", None)
        elif self.max_length is None:
            kwargs["max_length"] = None
        if self.regexp_groups:
            kwargs["regexp_groups"] = True
        return name, path, list(args), kwargs

    def check(self, **kwargs: Any) -> list[checks.CheckMessage]:
        messages = super().check(**kwargs)
        return messages + check_collation(self, self.db_collation, kwargs.get("databases"))

    # To the database. From the database, text comes as it is.

    def to_python(self, value: Any) -> str | None:
        if value is None:
            return None
        try:
            return self._canonical(value)
        except ValidationError:
            if not isinstance(value, str):
                raise
            return value  # The validators say what is wrong with it.

    def get_prep_value(self, value: Any) -> Any:
        value = models.Field.get_prep_value(self, value)
        return value if is_expression(value) else self.to_python(value)

    def get_db_prep_save(self, value: Any, connection: BaseDatabaseWrapper) -> Any:
        if not isinstance(value, (str, URLPattern)) and hasattr(value, "as_sql"):
            return with_literals_of(self, value)
        text = self.get_prep_value(value)
        if text:
            try:
                self._canonical(text)
                if self.max_length is not None:
                    MaxLengthValidator(self.max_length)(text)
            except ValidationError as error:
                if text_kept(self, value, connection) == text:
                    return text  # The row holds it already, so its other columns can be saved.
                raise located(error, field=self, value=text, row=row_of(value)) from error
        return text

    def _canonical(self, value: object) -> str:
        return pattern_text(value, regexp_groups=self.regexp_groups)

    # Forms.

    def formfield(self, **kwargs: Any) -> FormField | None:
        form_class = kwargs.pop("form_class", None) or forms.URLPatternField
        if issubclass(form_class, forms.URLPatternField):
            kwargs = {"regexp_groups": self.regexp_groups, **kwargs}
        return super().formfield(form_class=form_class, **kwargs)


def _text_to_store(field: Any, instance: models.Model, add: bool) -> object:  # noqa: ARG001
    """Make the attribute of ``instance`` text, and return it with the key of its row.

    The arguments are those of `Field.pre_save`.
    """
    value: object = getattr(instance, field.attname)
    if not isinstance(value, (str, URLPattern)):
        return value
    text = field.to_python(value)
    setattr(instance, field.attname, text)
    return row_text(text, field, instance)
