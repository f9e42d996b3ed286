"""The model field for URLs that are compared as text, and its queries on a part of a URL.

`fields` re-exports the field. The form field is `forms.ExactURLField`, and the rules for the text
are in `validators.ExactURLValidator`. Which text has parts that SQL can read is in `parts.sure`.
"""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Any, ClassVar, Final, Literal, overload

from django.core import checks
from django.core.exceptions import ValidationError
from django.core.validators import MaxLengthValidator
from django.db import NotSupportedError, models
from django.utils.translation import gettext_lazy as _

from django_whatwg_url import forms
from django_whatwg_url.checks.collations import check_collation
from django_whatwg_url.columns import text_lookups
from django_whatwg_url.columns.attributes import row_of, row_text
from django_whatwg_url.columns.char_fields import _GenericCharField
from django_whatwg_url.columns.kept import text_kept
from django_whatwg_url.columns.literals import with_literals_of
from django_whatwg_url.columns.storage import DEFAULT_MAX_LENGTH, ExactColumn
from django_whatwg_url.columns.values import is_expression, text_of
from django_whatwg_url.functions import URL_TRANSFORMS, URLPart, URLReversedHost
from django_whatwg_url.messages import POLICY_ERROR_MESSAGES, URL_ERROR_MESSAGES, located
from django_whatwg_url.parts.patterns import Matches
from django_whatwg_url.parts.sql import URL
from django_whatwg_url.parts.sure import SURE_SQL
from django_whatwg_url.validators import (
    DEFAULT_ALLOWED_SCHEMES,
    ExactURLValidator,
    Strictness,
    exact_text,
    schemes_beside,
)
from weburl import URLPolicy, URLRecord

if TYPE_CHECKING:
    from collections.abc import Iterable
    from typing import Unpack

    from django.db.backends.base.base import BaseDatabaseWrapper
    from django.db.models.expressions import Combinable
    from django.db.models.sql.compiler import SQLCompiler, _AsSqlType
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


_ADMIN_WIDGET: Final = "django.contrib.admin.widgets.AdminTextInputWidget"


class ExactURLField(ExactColumn, _GenericCharField[_SetT_contra, _GetT_co]):
    """A URL that is stored and compared as the text that was given, byte for byte.

    The attribute is a `str`. ``https://example.com`` and ``https://example.com/`` are two values,
    although a browser reads both as the same URL. This is what OpenID Connect asks of issuers, and
    OAuth of redirect URIs.

    ``full_clean()`` and every way of saving raise ValidationError for text that is not a URL, with
    the standard's name of the error as the code. They also refuse characters that a parser would
    remove (spaces and control characters at the ends, tabs and newlines), NUL and lone surrogates,
    with the code "invalid-URL-unit". Lookups take any text.

    Args:
        max_length: In characters, 2048 by default. Saving a longer URL raises an error.
        allowed_schemes: ``full_clean()`` refuses all other schemes. None allows every scheme.
        strictness: What else ``full_clean()`` refuses. See `validators.Strictness`.
        policy: A `weburl.URLPolicy`. Its schemes are used if ``allowed_schemes`` is not given.
        **options: Options of CharField. The keys of ``error_messages`` are the codes of errors.

    Raises TypeError and ValueError for invalid options.

    Spec: #concept-url-parser
    """

    __module__ = "django_whatwg_url.fields"

    default_error_messages: ClassVar[dict[str, _StrOrPromise]] = {
        **POLICY_ERROR_MESSAGES,
        **URL_ERROR_MESSAGES,
    }
    description: _StrOrPromise | _Getter[_StrOrPromise] = _("URL as text")
    non_db_attrs: tuple[str, ...] = (
        *models.CharField.non_db_attrs,
        "allowed_schemes",
        "strictness",
        "policy",
    )

    if TYPE_CHECKING:
        # The mypy plugin reads these instead of CharField's.
        _pyi_private_set_type: str | URLRecord | Combinable  # type: ignore[assignment]
        _pyi_private_get_type: str
        _pyi_lookup_exact_type: str | URLRecord | None

    @overload
    def __init__(
        self: ExactURLField[str | URLRecord | Combinable, str],
        verbose_name: _StrOrPromise | None = None,
        *,
        null: Literal[False] = False,
        primary_key: bool = False,
        default: Any = ...,
        max_length: int | None = DEFAULT_MAX_LENGTH,
        allowed_schemes: Iterable[str] | None = DEFAULT_ALLOWED_SCHEMES,
        strictness: Strictness = "browser",
        policy: URLPolicy | None = None,
        **options: Unpack[CharFieldOptions],
    ) -> None: ...

    @overload
    def __init__(
        self: ExactURLField[str | URLRecord | Combinable | None, str | None],
        verbose_name: _StrOrPromise | None = None,
        *,
        null: bool,
        primary_key: bool = False,
        default: Any = ...,
        max_length: int | None = DEFAULT_MAX_LENGTH,
        allowed_schemes: Iterable[str] | None = DEFAULT_ALLOWED_SCHEMES,
        strictness: Strictness = "browser",
        policy: URLPolicy | None = None,
        **options: Unpack[CharFieldOptions],
    ) -> None: ...

    def __init__(
        self,
        verbose_name: _StrOrPromise | None = None,
        *,
        max_length: int | None = DEFAULT_MAX_LENGTH,
        allowed_schemes: Iterable[str] | None = DEFAULT_ALLOWED_SCHEMES,
        strictness: Strictness = "browser",
        policy: URLPolicy | None = None,
        **options: Any,
    ) -> None:
        super().__init__(verbose_name, max_length=max_length, **options)
        rules = ExactURLValidator(schemes_beside(policy, allowed_schemes), strictness, policy)
        self.allowed_schemes: tuple[str, ...] | None = rules.allowed_schemes
        self.strictness = rules.strictness
        self.policy = policy
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
        if self.strictness != "browser":
            kwargs["strictness"] = self.strictness
        if self.policy is not None:
            kwargs["policy"] = self.policy
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
                        hint="Set it to a URL that the field accepts, or remove it.",
                        obj=self,
                        id="django_whatwg_url.E031",
                    )
                )
        return messages

    # To the database. From the database, text comes as it is.

    def to_python(self, value: Any) -> str | None:
        return None if value is None else text_of(value)

    def get_prep_value(self, value: Any) -> Any:
        value = models.Field.get_prep_value(self, value)
        return value if is_expression(value) else self.to_python(value)

    def get_db_prep_save(self, value: Any, connection: BaseDatabaseWrapper) -> Any:
        if not isinstance(value, (str, URLRecord)) and hasattr(value, "as_sql"):
            return with_literals_of(self, value)
        text = self.get_prep_value(value)
        if text:
            try:
                exact_text(text, self.error_messages)
                if self.max_length is not None:
                    MaxLengthValidator(self.max_length)(text)
            except ValidationError as error:
                if text_kept(self, value, connection) == text:
                    return text  # The row holds it already, so its other columns can be saved.
                raise located(error, field=self, value=text, row=row_of(value)) from error
        return text

    # Validation and forms.

    def run_validators(self, value: Any) -> None:
        if value in self.empty_values:
            return
        text = text_of(value)
        exact_text(text, self.error_messages)
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
        form_class = kwargs.pop("form_class", None) or forms.ExactURLField
        if issubclass(form_class, forms.ExactURLField):
            own = {
                code: message
                for code, message in self.error_messages.items()
                if message is not self.default_error_messages.get(code)
                and code in {*self.default_error_messages, "max_length"}
            }
            kwargs = {
                "allowed_schemes": self.allowed_schemes,
                "strictness": self.strictness,
                "policy": self.policy,
                "error_messages": own,
                **kwargs,
            }
        widget = kwargs.get("widget")
        # The admin chooses widgets by class, and treats this field as a CharField.
        if isinstance(widget, type) and f"{widget.__module__}.{widget.__name__}" == _ADMIN_WIDGET:
            kwargs["widget"] = forms.ExactURLInput(attrs={"class": "vURLField"})
        return super().formfield(form_class=form_class, **kwargs)


def _text_to_store(field: Any, instance: models.Model, add: bool) -> object:  # noqa: ARG001
    """Make the attribute of ``instance`` text, and return it with the key of its row.

    The arguments are those of `Field.pre_save`.
    """
    value: object = getattr(instance, field.attname)
    if not isinstance(value, (str, URLRecord)):
        return value
    text = text_of(value)
    setattr(instance, field.attname, text)
    return row_text(text, field, instance)


# Queries.


class _ReadPart(URLPart):
    """A part of a URL in any spelling. NULL for text whose parts only a parser can read."""

    def as_sql(
        self, compiler: SQLCompiler, connection: BaseDatabaseWrapper, *_args: Any, **_extra: Any
    ) -> _AsSqlType:
        sql, params = super().as_sql(compiler, connection)
        if self.part == "path":
            sql = f"COALESCE(NULLIF({sql}, ''), '/')"
        condition, condition_params = self._is_sure(compiler, connection)
        return f"CASE WHEN {condition} THEN {sql} END", (*condition_params, *params)

    def presence_sql(
        self, compiler: SQLCompiler, connection: BaseDatabaseWrapper
    ) -> _AsSqlType | None:
        sql, params = self._is_sure(compiler, connection)
        present = super().presence_sql(compiler, connection)
        if present is None:
            return sql, params
        return f"({sql} AND {present[0]})", (*params, *present[1])

    def reversed_host(self) -> URLPart:
        """Return the expression that ``under`` compares for a host."""
        return _READ_REVERSED_HOST(*self.get_source_expressions())

    def _is_sure(
        self, compiler: SQLCompiler, connection: BaseDatabaseWrapper
    ) -> tuple[str, tuple[Any, ...]]:
        text = SURE_SQL.get(connection.vendor)
        if text is None:
            raise NotSupportedError(
                f"Lookups on a part of an ExactURLField support SQLite, PostgreSQL, MariaDB and "
                f"MySQL, but not {connection.display_name}."
            )
        (source,) = self.get_source_expressions()
        sql, params = compiler.compile(source)
        if params and connection.vendor == "postgresql":
            sql = f"({sql})::text"  # PostgreSQL cannot infer the type of a parameter.
        return text.replace(URL, sql), tuple(params) * text.count(URL)


def _read(expression: type[URLPart]) -> type[URLPart]:
    """Return the expression for a part of text that may not be canonical."""
    return type(f"_Read{expression.__name__}", (_ReadPart, expression), {"__module__": __name__})


_READ_REVERSED_HOST: Final = _read(URLReversedHost)


class _AsTypedMixin(text_lookups.TextOperandMixin):
    """A text lookup whose operand is not percent-encoded, because the column is not."""

    def prepare_text(self, text: str) -> str:
        return text


# Only those that ignore letter case: Django relies on the collation on MariaDB and MySQL.
for _lookup in (
    text_lookups.IContains,
    text_lookups.IStartsWith,
    text_lookups.IEndsWith,
    text_lookups.IRegex,
    text_lookups.IExact,
):
    ExactURLField.register_lookup(type(_lookup.__name__, (_AsTypedMixin, _lookup), {}))
ExactURLField.register_lookup(Matches)
for _transform in URL_TRANSFORMS:
    ExactURLField.register_lookup(_read(_transform))
