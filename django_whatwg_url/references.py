"""The model field for a path on this site or a whole URL, as menus and redirects store it.

`fields` re-exports the field. The form field is `forms.URLReferenceField`, and the rules for the
text are in `validators.URLReferenceValidator`.
"""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Any, ClassVar, Final, Literal, overload

from django.conf import settings
from django.core import checks
from django.core.exceptions import ImproperlyConfigured, ValidationError
from django.core.validators import MaxLengthValidator
from django.db import models
from django.forms import TextInput
from django.http import HttpRequest
from django.utils.translation import gettext_lazy as _

import weburl
from django_whatwg_url import forms
from django_whatwg_url.checks.collations import check_collation
from django_whatwg_url.columns.attributes import row_of, row_text
from django_whatwg_url.columns.char_fields import _GenericCharField
from django_whatwg_url.columns.kept import text_kept
from django_whatwg_url.columns.literals import with_literals_of
from django_whatwg_url.columns.storage import DEFAULT_MAX_LENGTH, ASCIIColumn
from django_whatwg_url.columns.text_lookups import TEXT_LOOKUPS
from django_whatwg_url.columns.values import is_expression, text_of
from django_whatwg_url.messages import REFERENCE_MESSAGES, located
from django_whatwg_url.redirects import request_url
from django_whatwg_url.validators import (
    DEFAULT_ALLOWED_SCHEMES,
    URLReferenceValidator,
    reference_text,
    schemes_beside,
)
from weburl import URLPolicy, URLRecord

if TYPE_CHECKING:
    from collections.abc import Iterable
    from typing import Unpack

    from django.db.backends.base.base import BaseDatabaseWrapper
    from django.db.models.expressions import Combinable
    from django.forms import Field as FormField
    from django.utils.functional import _Getter, _StrOrPromise
    from typing_extensions import TypeVar

    from django_whatwg_url.columns.char_fields import CharFieldOptions

    _SetT_contra = TypeVar("_SetT_contra", contravariant=True, default=str | URLRecord | Combinable)
    _GetT_co = TypeVar("_GetT_co", covariant=True, default=str)
else:
    from typing import TypeVar

    _SetT_contra = TypeVar("_SetT_contra", contravariant=True)
    _GetT_co = TypeVar("_GetT_co", covariant=True)


__all__ = ["named_base", "resolve_reference"]

_ADMIN_WIDGET: Final = "django.contrib.admin.widgets.AdminTextInputWidget"


class URLReferenceField(ASCIIColumn, _GenericCharField[_SetT_contra, _GetT_co]):
    """A path on this site or a whole URL, stored as canonical text.

    The attribute is a `str`: ``/about?x#y``, ``?page=2``, ``#top`` or ``https://example.com/``. The
    form of the text is that of `validators.reference_text`, so two spellings of a reference are
    equal. `resolve_reference` makes a whole URL of it.

    ``full_clean()`` and every way of saving raise ValidationError for other text, with the
    standard's name of the error as the code. This includes references that name a host of their own
    in any spelling (``//evil.example``), and references such as ``a/b`` or ``example.com``, which
    mean another URL in each folder.

    Args:
        max_length: Of the canonical text, in characters, 2048 by default. Saving a longer one
            raises an error.
        allowed_schemes: ``full_clean()`` refuses whole URLs with another scheme. None allows every
            scheme.
        policy: A `weburl.URLPolicy` for whole URLs, used by ``full_clean()``. Its schemes are used
            if ``allowed_schemes`` is not given.
        allow_scheme_relative: Whether a reference may name a host, as ``//cdn.example/a`` does.
        **options: Options of CharField. The keys of ``error_messages`` are the codes of errors.

    Raises TypeError and ValueError for invalid options.

    Spec: #relative-url-string
    """

    __module__ = "django_whatwg_url.fields"

    default_error_messages: ClassVar[dict[str, _StrOrPromise]] = {**REFERENCE_MESSAGES}
    description: _StrOrPromise | _Getter[_StrOrPromise] = _("URL as text")
    non_db_attrs: tuple[str, ...] = (
        *models.CharField.non_db_attrs,
        "allowed_schemes",
        "policy",
        "allow_scheme_relative",
    )

    if TYPE_CHECKING:
        # The mypy plugin reads these instead of CharField's.
        _pyi_private_set_type: str | URLRecord | Combinable  # type: ignore[assignment]
        _pyi_private_get_type: str
        _pyi_lookup_exact_type: str | URLRecord | None

    @overload
    def __init__(
        self: URLReferenceField[str | URLRecord | Combinable, str],
        verbose_name: _StrOrPromise | None = None,
        *,
        null: Literal[False] = False,
        primary_key: bool = False,
        default: Any = ...,
        max_length: int | None = DEFAULT_MAX_LENGTH,
        allowed_schemes: Iterable[str] | None = DEFAULT_ALLOWED_SCHEMES,
        policy: URLPolicy | None = None,
        allow_scheme_relative: bool = False,
        **options: Unpack[CharFieldOptions],
    ) -> None: ...

    @overload
    def __init__(
        self: URLReferenceField[str | URLRecord | Combinable | None, str | None],
        verbose_name: _StrOrPromise | None = None,
        *,
        null: bool,
        primary_key: bool = False,
        default: Any = ...,
        max_length: int | None = DEFAULT_MAX_LENGTH,
        allowed_schemes: Iterable[str] | None = DEFAULT_ALLOWED_SCHEMES,
        policy: URLPolicy | None = None,
        allow_scheme_relative: bool = False,
        **options: Unpack[CharFieldOptions],
    ) -> None: ...

    def __init__(
        self,
        verbose_name: _StrOrPromise | None = None,
        *,
        max_length: int | None = DEFAULT_MAX_LENGTH,
        allowed_schemes: Iterable[str] | None = DEFAULT_ALLOWED_SCHEMES,
        policy: URLPolicy | None = None,
        allow_scheme_relative: bool = False,
        **options: Any,
    ) -> None:
        super().__init__(verbose_name, max_length=max_length, **options)
        rules = URLReferenceValidator(
            schemes_beside(policy, allowed_schemes), policy, allow_scheme_relative
        )
        self.allowed_schemes: tuple[str, ...] | None = rules.allowed_schemes
        self.policy = policy
        self.allow_scheme_relative: bool = rules.allow_scheme_relative
        self.validators.append(rules)

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
        if self.allowed_schemes != schemes_beside(self.policy, DEFAULT_ALLOWED_SCHEMES):
            kwargs["allowed_schemes"] = self.allowed_schemes
        if self.policy is not None:
            kwargs["policy"] = self.policy
        if self.allow_scheme_relative:
            kwargs["allow_scheme_relative"] = True
        return name, path, list(args), kwargs

    def check(self, **kwargs: Any) -> list[checks.CheckMessage]:
        messages = super().check(**kwargs)
        messages += check_collation(self, self.db_collation, kwargs.get("databases"))
        for option in ("default", "db_default"):
            default = getattr(self, option)
            try:
                if isinstance(default, (str, URLRecord)) and default != "":
                    self.run_validators(text_of(default))
            except ValidationError as error:
                messages.append(
                    checks.Error(
                        f"{option}={text_of(default)!r} is refused: {' '.join(error.messages)}",
                        hint="Set it to a path or URL that the field accepts, or remove it.",
                        obj=self,
                        id="django_whatwg_url.E032",
                    )
                )
        return messages

    # To the database. From the database, text comes as it is.

    def to_python(self, value: Any) -> str | None:
        if value is None:
            return None
        text = text_of(value)
        try:
            return self._canonical(text)
        except ValidationError:
            return text  # The validators say what is wrong with it.

    def get_prep_value(self, value: Any) -> Any:
        value = models.Field.get_prep_value(self, value)
        return value if is_expression(value) else self.to_python(value)

    def get_db_prep_save(self, value: Any, connection: BaseDatabaseWrapper) -> Any:
        if not isinstance(value, (str, URLRecord)) and hasattr(value, "as_sql"):
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

    def _canonical(self, text: str) -> str:
        return reference_text(
            text, allow_scheme_relative=self.allow_scheme_relative, messages=self.error_messages
        )

    # Validation and forms.

    def run_validators(self, value: Any) -> None:
        if value in self.empty_values:
            return
        text = self._canonical(text_of(value))
        errors: list[ValidationError] = []
        for validator in self.validators:
            try:
                validator(text)
            except ValidationError as raised:
                for error in raised.error_list:
                    if error.code is not None and error.code in self.error_messages:
                        error.message = self.error_messages[error.code]
                    errors.append(error)
        if errors:
            raise ValidationError(errors)

    def formfield(self, **kwargs: Any) -> FormField | None:
        form_class = kwargs.pop("form_class", None) or forms.URLReferenceField
        if issubclass(form_class, forms.URLReferenceField):
            own = {
                code: message
                for code, message in self.error_messages.items()
                if message is not self.default_error_messages.get(code)
                and code in {*self.default_error_messages, "max_length"}
            }
            kwargs = {
                "allowed_schemes": self.allowed_schemes,
                "policy": self.policy,
                "allow_scheme_relative": self.allow_scheme_relative,
                "error_messages": own,
                **kwargs,
            }
        widget = kwargs.get("widget")
        # The admin chooses widgets by class, and treats this field as a CharField.
        if isinstance(widget, type) and f"{widget.__module__}.{widget.__name__}" == _ADMIN_WIDGET:
            kwargs["widget"] = TextInput(attrs={"class": "vURLField"})
        return super().formfield(form_class=form_class, **kwargs)


def _text_to_store(field: Any, instance: models.Model, add: bool) -> object:  # noqa: ARG001
    """Make the attribute of ``instance`` text, and return it with the key of its row.

    The arguments are those of `Field.pre_save`.
    """
    value: object = getattr(instance, field.attname)
    if not isinstance(value, (str, URLRecord)):
        return value
    text = field.to_python(value)
    setattr(instance, field.attname, text)
    return row_text(text, field, instance)


def named_base(name: str = "default") -> URLRecord:
    """Return the URL of this name in the setting ``URL_REFERENCE_BASES``.

    Use it as the base of `resolve_reference` where there is no request, as in mails and feeds. The
    setting is a dictionary of names and whole URLs: ``{"default": "https://www.example.com/"}``.

    Raises `django.core.exceptions.ImproperlyConfigured` if there is no such name, or if its value
    is not a URL that can be a base.

    Spec: #concept-base-url
    """
    bases = getattr(settings, "URL_REFERENCE_BASES", {})
    try:
        base = weburl.parse(bases[name])
    except KeyError:
        known = ", ".join(map(repr, bases)) or "none"
        reason = f"URL_REFERENCE_BASES has no base called {name!r}. It has: {known}."
        raise ImproperlyConfigured(reason) from None
    except weburl.URLParseError as error:
        reason = f"URL_REFERENCE_BASES[{name!r}] is not a URL: {error.reason}"
        raise ImproperlyConfigured(reason) from None
    if isinstance(base.path, str):
        raise ImproperlyConfigured(f"URL_REFERENCE_BASES[{name!r}] cannot be a base: {base!r}")
    return base


def resolve_reference(reference: str, base: HttpRequest | URLRecord | str) -> URLRecord:
    """Return the URL that ``reference`` means on the page ``base``, which may be a request.

    Without a request, `named_base` gives a base from the settings.

    Raises `weburl.URLParseError` if there is no such URL, and
    `django.core.exceptions.DisallowedHost` if the host of a request is not in ``ALLOWED_HOSTS``.

    Spec: #concept-url-parser
    """
    page = request_url(base) if isinstance(base, HttpRequest) else base
    return weburl.parse(reference, page)


for _lookup in TEXT_LOOKUPS:
    URLReferenceField.register_lookup(_lookup)
