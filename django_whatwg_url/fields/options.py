"""The options of the URL fields, declared once, and the base class of the fields.

Signatures, `deconstruct` and the arguments of form fields are made from `OPTIONS`.
`CanonicalURLOptions` and the other classes declare the same options for type checkers.
"""

from __future__ import annotations

from inspect import Parameter, Signature
from typing import TYPE_CHECKING, Any, ClassVar, Final, NamedTuple

from django import forms
from django.apps import apps
from django.core import checks
from django.core.exceptions import ImproperlyConfigured, ValidationError
from django.db import models
from django.db.models.functions import Cast

from django_whatwg_url.column.columns import DEFAULT_MAX_LENGTH
from django_whatwg_url.column.values import (
    StoredText,
    is_expression,
    is_same,
    is_url_field,
    noted_value,
    stored_value,
    text_of,
)
from django_whatwg_url.policies import require_policy
from django_whatwg_url.query.expressions import with_literals_of
from django_whatwg_url.rules.messages import (
    are_inherited,
    located,
    presentable,
    use_catch_all,
)
from django_whatwg_url.rules.validators import DEFAULT_SCHEMES, schemes_beside
from weburl import URLRecord

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping
    from typing import TypeAlias, TypedDict

    from django.db.backends.base.base import BaseDatabaseWrapper
    from django.db.models.expressions import Combinable, Expression
    from django.utils.choices import _ChoicesInput
    from django.utils.functional import _StrOrPromise
    from typing_extensions import TypeVar

    from django_whatwg_url.policies import PolicyOption
    from django_whatwg_url.rules.validators import Strictness

    TextOfURL: TypeAlias = str | URLRecord | Combinable
    """What can be assigned to an attribute whose value is the text of a URL."""

    _SetT_contra = TypeVar("_SetT_contra", contravariant=True, default=TextOfURL)
    _GetT_co = TypeVar("_GetT_co", covariant=True, default=str)

    class CharFieldOptions(TypedDict, total=False):
        """The options of CharField that our fields pass to it."""

        name: str | None
        unique: bool
        blank: bool
        db_index: bool
        db_default: type[models.NOT_PROVIDED] | Expression | URLRecord | str | None
        editable: bool
        auto_created: bool
        serialize: bool
        unique_for_date: str | None
        unique_for_month: str | None
        unique_for_year: str | None
        choices: _ChoicesInput | None
        help_text: _StrOrPromise
        db_column: str | None
        db_comment: str | None
        db_tablespace: str | None
        validators: Iterable[Callable[[Any], None]]
        error_messages: Mapping[str, _StrOrPromise] | None
        db_collation: str | None

    class URLOptions(CharFieldOptions, total=False):
        """The options of every field for URLs."""

        primary_key: bool
        default: Any
        max_length: int | None
        schemes: Iterable[str] | None
        policy: PolicyOption | None
        check_unchanged: bool

    class ReferenceOptions(URLOptions, total=False):
        """The options of `URLReferenceField`."""

        allow_scheme_relative: bool

    class ExactURLOptions(URLOptions, total=False):
        """The options of `ExactURLField`."""

        strictness: Strictness

    class CanonicalURLOptions(ExactURLOptions, total=False):
        """The options of `CanonicalURLField`, without ``as_text``, on which its type depends."""

        written: str | None

    _GenericCharField = models.CharField
else:
    from typing import TypeVar

    _SetT_contra = TypeVar("_SetT_contra", contravariant=True)
    _GetT_co = TypeVar("_GetT_co", covariant=True)

    class _GenericCharField(models.CharField):
        """Django's field, which accepts type arguments only in the stubs."""

        def __class_getitem__(cls, types: Any) -> type:
            return cls


class Option(NamedTuple):
    """An option of a URL field. ``is_for_forms``: whether the form field also has it."""

    default: Any
    is_for_forms: bool = True


OPTIONS: Final = {
    "as_text": Option(default=False, is_for_forms=False),
    "max_length": Option(None),  # The default is `default_max_length`.
    "schemes": Option(DEFAULT_SCHEMES),
    "strictness": Option("browser"),
    "policy": Option(None),
    "check_unchanged": Option(default=False, is_for_forms=False),
    "written": Option(None, is_for_forms=False),
    "allow_scheme_relative": Option(default=False),
}
"""The options by name, in the order of signatures and migrations."""


OF_URLS: Final = ("max_length", "schemes", "policy", "check_unchanged")
"""The options of every field for URLs. Add a new option here and to `OPTIONS`."""


class FieldWithOptions(_GenericCharField[_SetT_contra, _GetT_co]):
    """The base of the URL fields. Each option is an attribute of the same name.

    A subclass names its options in ``own_options``.
    """

    own_options: ClassVar[tuple[str, ...]] = ("max_length",)
    default_max_length: ClassVar[int] = DEFAULT_MAX_LENGTH
    has_column: bool = False
    """False for the elements of an array."""
    non_db_attrs: tuple[str, ...] = models.CharField.non_db_attrs
    __signature__: Signature | None

    def __init_subclass__(cls, **kwargs: Any) -> None:
        super().__init_subclass__(**kwargs)
        if "own_options" not in vars(cls):
            if "__init__" in vars(cls):
                cls.__signature__ = None  # Use the signature of its `__init__`.
            return
        own = [name for name in OPTIONS if name in cls.own_options]
        # Of these options, only max_length affects the column.
        cls.non_db_attrs = (
            *models.CharField.non_db_attrs,
            *(name for name in own if name != "max_length"),
        )
        cls.__signature__ = Signature(  # For `inspect`.
            [
                Parameter("verbose_name", Parameter.POSITIONAL_OR_KEYWORD, default=None),
                *(
                    Parameter(name, Parameter.KEYWORD_ONLY, default=cls.default_of(name))
                    for name in own
                ),
                Parameter("options", Parameter.VAR_KEYWORD),
            ]
        )

    def __init__(self, *args: Any, **options: Any) -> None:
        own = {
            name: options.pop(name, self.default_of(name))
            for name in OPTIONS
            if name in self.own_options
        }
        options["max_length"] = own["max_length"]
        super().__init__(*args, **options)
        if "invalid" in (options.get("error_messages") or ()):
            use_catch_all(self.error_messages, self.default_error_messages)
        if "schemes" in own:
            own["schemes"] = schemes_beside(own["policy"], own["schemes"])
        self.take_options(own)

    @classmethod
    def default_of(cls, option: str) -> Any:
        """Return the default of an option."""
        return cls.default_max_length if option == "max_length" else OPTIONS[option].default

    def take_options(self, own: dict[str, Any]) -> None:
        """Set the attributes for our options. Subclasses add validators for them."""
        if not isinstance(own.get("check_unchanged", False), bool):
            raise TypeError(
                f"check_unchanged must be True or False, not {own['check_unchanged']!r}"
            )
        for name, value in own.items():
            setattr(self, name, value)

    def contribute_to_class(
        self, cls: type[models.Model], name: str, private_only: bool = False
    ) -> None:
        # `update_or_create()` writes each column whose class overrides `pre_save`, even if its
        # defaults do not name it. So only the field has the method.
        if type(self).pre_save is models.Field.pre_save:
            own: Any = self
            own.pre_save = self.value_to_save
        self.has_column = True
        super().contribute_to_class(cls, name, private_only)

    def value_to_save(self, model_instance: models.Model, add: bool) -> Any:
        """Return the value to save, and set the attribute to it. Django calls it as ``pre_save()``.

        A subclass that overrides ``pre_save()`` calls this instead of ``super().pre_save()``.
        """
        raise NotImplementedError

    def check(self, **kwargs: Any) -> list[checks.CheckMessage]:
        messages = super().check(**kwargs)
        try:
            require_policy(getattr(self, "policy", None))
        except ImproperlyConfigured as error:
            messages.append(checks.Error(str(error), obj=self, id="django_whatwg_url.E009"))
        if not apps.is_installed("django_whatwg_url"):
            messages.append(
                checks.Warning(
                    "'django_whatwg_url' is not in INSTALLED_APPS.",
                    hint=(
                        "Add it. Without it, url__holds and url__query_params fail on SQLite, a "
                        "save of only the URL does not update the columns beside it, and the "
                        "checks of models, migrations and rows do not run."
                    ),
                    obj=self,
                    id="django_whatwg_url.W037",
                )
            )
        return messages

    def deconstruct(self) -> tuple[str, str, list[Any], dict[str, Any]]:
        name, path, args, kwargs = super().deconstruct()
        for option in OPTIONS:
            if option not in self.own_options:
                continue
            if self._has_default(option):
                kwargs.pop(option, None)
            else:
                kwargs[option] = getattr(self, option)
        return name, path, list(args), kwargs

    def _has_default(self, option: str) -> bool:
        default = self.default_of(option)
        if option == "schemes":
            default = schemes_beside(getattr(self, "policy"), default)  # noqa: B009  # of some
        return bool(getattr(self, option) == default)

    @property
    def no_url(self) -> str | None:
        """The value of the column without a URL: None where it allows NULL, and for records."""
        return "" if self.empty_strings_allowed and not self.null else None

    def refusal(
        self, error: ValidationError, value: object, instance: models.Model | None = None
    ) -> ValidationError:
        """Return the error for saving a value, which also names the field and the row."""
        # instance.pk may be the key of a child, and the column in the table of its parent.
        row = None if instance is None else getattr(instance, self.model._meta.pk.attname)
        return located(error, field=self, value=value, row=row)

    def clean(self, value: Any, model_instance: models.Model | None) -> Any:
        try:
            return self.cleaned(value, model_instance)
        except ValidationError:
            if not self.keeps(value, model_instance):
                raise
        return value

    def cleaned(self, value: Any, instance: models.Model | None) -> Any:
        """Return the value of a new row. Raises ValidationError if it is refused."""
        return super().clean(value, instance)

    def stored_text(self, value: Any) -> str | None:
        """Return the text to store. Raises ValidationError if the field refuses it."""
        raise NotImplementedError

    @property
    def is_referred_to(self) -> bool:
        """Whether foreign keys hold the values of this field."""
        return self.primary_key or any(
            isinstance(relation, models.ManyToOneRel) and relation.field_name == self.name
            for relation in self.model._meta.get_fields(include_hidden=True)
        )

    def get_db_converters(self, connection: BaseDatabaseWrapper) -> list[Any]:  # noqa: ARG002
        # A converter takes time for every row, even if it does nothing.
        return [self._text_of_key] if self.has_column and self.is_referred_to else []

    def _text_of_key(self, value: Any, expression: object, connection: object) -> Any:  # noqa: ARG002
        """Mark the text of a row if the field refuses it, so that foreign keys can store it."""
        try:
            self.stored_text(value)
        except ValidationError:
            return StoredText(value)
        return value

    def get_db_prep_save(
        self,
        value: Any,
        connection: BaseDatabaseWrapper,  # noqa: ARG002  # Django's
    ) -> Any:
        if is_expression(value):
            return with_literals_of(self, value)
        if isinstance(value, StoredText) and not value:
            return ""  # It may be in a column of records, which has no empty value.
        try:
            return self.stored_text(value)
        except ValidationError as error:
            if not self.has_column:
                raise  # This is an array element, and the array field adds its position.
            if isinstance(value, StoredText):
                return text_of(value)
            raise self.refusal(error, value) from error

    def stays(
        self, error: ValidationError, value: object, instance: models.Model, *, add: bool
    ) -> StoredText:
        """Return the text of a refused value if the row already has it, or raise the error.

        This reads the row, unless ``value`` is known to come from it.
        """
        if not add and isinstance(value, StoredText):
            return value
        for text in self._texts_of_row(instance) if not add else ():
            if text is None:
                continue
            if text_of(value) == text or (is_url_field(self) and is_same(value, text)):
                return StoredText(text)
        raise self.refusal(error, value, instance) from error

    def _texts_of_row(self, instance: models.Model) -> Iterable[str | None]:
        state = instance._state  # noqa: SLF001
        if state.adding:
            return []
        # instance.pk may be the key of a child, and the column in the table of its parent.
        key = self.model._meta.pk.attname
        rows: Any = self.model._base_manager.using(state.db)  # noqa: SLF001
        rows = rows.filter(**{key: getattr(instance, key)})
        # Read it as text, because a record does not have its original text.
        texts: Iterable[str | None] = rows.values_list(
            Cast(self.name, models.TextField()), flat=True
        )
        return texts

    @property
    def own_error_messages(self) -> dict[str, _StrOrPromise]:
        """The messages that differ from the defaults, in the form that a form field accepts."""
        messages: dict[str, _StrOrPromise] = self.error_messages
        if "max_length" not in messages and are_inherited(messages, type(self)):
            return {}
        default = self.default_error_messages
        return {
            code: message
            for code, message in messages.items()
            if message is not default.get(code) and code in {*default, "max_length", "invalid"}
        }

    def keeps(self, value: object, instance: models.Model | None) -> bool:
        """Return whether the row of ``instance`` may keep a refused value, without a query.

        It may if the value was read from a row, or if a form has not changed it.
        """
        if value is None or instance is None or stored_value(self, instance) is None:
            return False
        return isinstance(value, StoredText) or is_same(value, noted_value(self, instance))

    @property
    def form_options(self) -> dict[str, Any]:
        """The options for the form field, by name."""
        return {
            name: getattr(self, name)
            for name, option in OPTIONS.items()
            if name in self.own_options and option.is_for_forms
        }


class ChoiceField(forms.TypedChoiceField):
    """The form field for ``choices``. Its error never shows a password."""

    def clean(self, value: Any) -> Any:
        try:
            return super().clean(value)
        except ValidationError as error:
            if error.code == "invalid_choice":
                error.params = {"value": presentable(text_of(value))}
            raise


def is_admin_widget(widget: object) -> bool:
    """Return whether the admin has chosen a widget for a field that it takes for a CharField."""
    # By name, because importing the admin's widgets takes time that others need not spend.
    name = "django.contrib.admin.widgets.AdminTextInputWidget"
    return isinstance(widget, type) and f"{widget.__module__}.{widget.__name__}" == name
