"""The model field whose column has canonical text, and whose attribute is a `URLRecord` or text.

It passes URLs between Python, Django and the databases. Conversions are in `column.values`, and
messages in `rules.messages`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, ClassVar, Literal, TypeVar, overload

from django.core import checks
from django.core.exceptions import ValidationError
from django.db import models
from django.db.models.expressions import Col
from django.utils.functional import cached_property

import weburl
from django_whatwg_url import forms
from django_whatwg_url.beside.written import keep_spelling
from django_whatwg_url.column.attributes import (
    StrictURLAttribute,
    URLAttribute,
    URLTextAttribute,
    written_text,
)
from django_whatwg_url.column.columns import ASCIIColumn
from django_whatwg_url.column.values import (
    StoredText,
    StoredUnparsableURL,
    UnparsableURL,
    canonical,
    is_expression,
    text_of,
    to_url,
    url_of_row,
    url_of_text,
)
from django_whatwg_url.fields.checks import check_field, check_parts, check_written
from django_whatwg_url.fields.options import (
    OF_URLS,
    ChoiceField,
    FieldWithOptions,
    _GetT_co,
    _SetT_contra,
    is_admin_widget,
)
from django_whatwg_url.functions import URL_TRANSFORMS, LooksCanonical, QueryParams
from django_whatwg_url.lookups import URL_LOOKUPS
from django_whatwg_url.query.expressions import is_computed_text
from django_whatwg_url.query.lookups import (
    COMPARISONS,
    TEXT_LOOKUPS,
    SearchedColumn,
    findable_text,
)
from django_whatwg_url.rules.messages import (
    FIELD_MESSAGES,
    operand_error,
    parse_error,
    presentable,
)
from django_whatwg_url.rules.validators import (
    CanonicalMaxLengthValidator,
    URLPolicyValidator,
    URLStrictnessValidator,
    collect_errors,
    depends_on_spelling,
    scheme_validator,
)
from weburl import URLParseError, URLRecord

if TYPE_CHECKING:
    from typing import Unpack

    from django.db.backends.base.base import BaseDatabaseWrapper
    from django.db.models.expressions import Combinable, Expression
    from django.forms import Field as FormField
    from django.utils.choices import _Choice
    from django.utils.functional import _Getter, _StrOrPromise

    from django_whatwg_url.fields.options import CanonicalURLOptions
    from django_whatwg_url.policies import PolicyOption

_T = TypeVar("_T")


class CanonicalURLField(ASCIIColumn, SearchedColumn, FieldWithOptions[_SetT_contra, _GetT_co]):
    """A URL, stored in its canonical form: all spellings of a URL are stored as the same text.

    Text that is assigned to the attribute becomes a `URLRecord`. None and ``""`` become None, and
    text that does not parse becomes an `UnparsableURL`. ``full_clean()`` and every way of saving
    raise ValidationError for it, with the standard's name for the error as the code. The only
    exception is an `UnparsableURL` that was read from a row, which is written back unchanged.

    With ``as_text=True``, the attribute is a `str`, as with Django's URLField. It is the text as
    assigned, and becomes canonical when the instance is validated or saved. The column is the same.

    The collation is binary, so ``unique=True`` treats ``/A`` and ``/a`` as different.

    Args:
        as_text: Whether the attribute is text. With ``null=False``, it may then be "".
        max_length: The longest canonical form, 2048 characters by default. Saving a longer URL
            raises an error.
        schemes: ``full_clean()`` refuses all other schemes. None allows every scheme.
        strictness: What else ``full_clean()`` refuses. See `validators.Strictness`.
        policy: A `weburl.URLPolicy`, or a reference to one, see `policies.PolicyOption`.
            If ``schemes`` is not given, its schemes are used.
        check_unchanged: Whether forms also refuse a URL that the row already has.
        written: The name of a CharField or TextField of the same model. It gets the text as it was
            assigned or typed. See the documentation for what updates it.
        **options: Options of CharField. The keys of ``error_messages`` are the codes of errors.

    Raises TypeError and ValueError for invalid options.

    Spec: #concept-url-serializer
    """

    __module__ = "django_whatwg_url.fields"

    default_error_messages: ClassVar[dict[str, _StrOrPromise]] = FIELD_MESSAGES
    description: _StrOrPromise | _Getter[_StrOrPromise] = models.URLField.description
    descriptor_class: type[URLAttribute | URLTextAttribute] = URLAttribute
    empty_strings_allowed: bool = False
    holds_urls = True
    converts_operands = True
    own_options: ClassVar[tuple[str, ...]] = (*OF_URLS, "as_text", "strictness", "written")

    if TYPE_CHECKING:
        # The mypy plugin uses these instead of CharField's attributes.
        _pyi_private_set_type: URLRecord | str | Combinable  # type: ignore[assignment]
        _pyi_private_get_type: URLRecord  # type: ignore[assignment]
        _pyi_lookup_exact_type: URLRecord | str | None

        @overload
        def __init__(
            self: CanonicalURLField[URLRecord | str | Combinable, URLRecord],
            verbose_name: _StrOrPromise | None = None,
            *,
            as_text: Literal[False] = False,
            null: Literal[False] = False,
            **options: Unpack[CanonicalURLOptions],
        ) -> None: ...

        @overload
        def __init__(
            self: CanonicalURLField[URLRecord | str | Combinable | None, URLRecord | None],
            verbose_name: _StrOrPromise | None = None,
            *,
            as_text: Literal[False] = False,
            null: bool,
            **options: Unpack[CanonicalURLOptions],
        ) -> None: ...

        @overload
        def __init__(
            self: CanonicalURLField[URLRecord | str | Combinable, str],
            verbose_name: _StrOrPromise | None = None,
            *,
            as_text: Literal[True],
            null: Literal[False] = False,
            **options: Unpack[CanonicalURLOptions],
        ) -> None: ...

        @overload
        def __init__(
            self: CanonicalURLField[URLRecord | str | Combinable | None, str | None],
            verbose_name: _StrOrPromise | None = None,
            *,
            as_text: Literal[True],
            null: bool,
            **options: Unpack[CanonicalURLOptions],
        ) -> None: ...

        def __init__(self, *args: Any, **options: Any) -> None: ...

        schemes: tuple[str, ...] | None
        as_text: bool
        check_unchanged: bool
        policy: PolicyOption | None
        strictness: Literal["browser", "valid"] | tuple[str, ...]
        written: str | None

    def take_options(self, own: dict[str, Any]) -> None:
        if own["as_text"]:
            self.descriptor_class = URLTextAttribute
            self.empty_strings_allowed = True
        if own["max_length"] is not None:
            # Replace the validator that CharField has just added.
            self.validators[-1] = CanonicalMaxLengthValidator(own["max_length"])
        allows_all = own["schemes"] is None
        schemes = scheme_validator(own["schemes"], own["policy"])
        strictness = URLStrictnessValidator(own["strictness"])
        own |= {"schemes": schemes.schemes, "strictness": strictness.strictness}
        super().take_options(own)
        if not allows_all:
            self.validators.insert(0, schemes)
        if self.strictness != "browser":
            self.validators.append(strictness)
        if self.policy is not None:
            self.validators.append(URLPolicyValidator(self.policy))

    def contribute_to_class(
        self, cls: type[models.Model], name: str, private_only: bool = False
    ) -> None:
        if self.is_strict and self.descriptor_class is URLAttribute:
            self.descriptor_class = StrictURLAttribute
        super().contribute_to_class(cls, name, private_only)

    def check(self, **kwargs: Any) -> list[checks.CheckMessage]:
        databases = kwargs.get("databases")
        messages = check_field(self, super().check(**kwargs), databases)
        return [*messages, *check_parts(self, databases), *check_written(self)]

    def deconstruct(self) -> tuple[str, str, list[Any], dict[str, Any]]:
        name, path, args, kwargs = super().deconstruct()
        for option in ("default", "db_default"):
            if isinstance(kwargs.get(option), URLRecord):
                kwargs[option] = kwargs[option].href
        return name, path, args, kwargs

    @property
    def flatchoices(self) -> list[_Choice]:
        """The choices without groups, with values of the attribute as keys."""
        choices = super().flatchoices
        return choices if self.as_text else [(to_url(key), label) for key, label in choices]

    # To and from the database.

    def from_db_value(
        self,
        value: str | None,
        expression: Expression,
        connection: BaseDatabaseWrapper,  # noqa: ARG002
    ) -> URLRecord | UnparsableURL | str | None:
        """Return the URL of a column, whose text may not be canonical, or the text of a function.

        The value of an expression that chooses one of its arguments, such as ``Max``, is also a
        URL.
        """
        if self.as_text:
            return value  # An array or an aggregate calls this for its elements.
        # A fast path for the value of a column, which is converted for every row.
        if type(expression) is Col and type(value) is str and value:
            try:
                return weburl.parse(value)
            except URLParseError as error:
                return StoredUnparsableURL(value, error)
        if not isinstance(expression, Col) and is_computed_text(expression):
            return value
        return url_of_row(value)

    def get_db_converters(self, connection: BaseDatabaseWrapper) -> list[Any]:
        return super().get_db_converters(connection) if self.as_text else [self.from_db_value]

    def get_prep_value(self, value: object) -> str | None:
        if self.primary_key and not self.as_text and not isinstance(value, StoredText):
            # A generic foreign key compares it with `Model.pk`.
            try:
                return None if value is None else self.to_record(value)  # type: ignore[return-value]
            except ValidationError as error:
                return self._operand(error, value)
        # A fast path for text that parses, which is the most common operand.
        if type(value) is str and value:
            try:
                return weburl.canonicalize(value)
            except URLParseError:
                pass
        try:
            return self._canonical_text(value)
        except ValidationError as error:
            if not self.has_column:
                raise  # This is an array element, and the array field adds its position.
            return self._operand(error, value)

    def _operand(self, error: ValidationError, value: object) -> str:
        """Return text that is not a URL, if a row may hold it, or raise the error.

        It keeps its class, because a lookup on a foreign key prepares its operand twice.
        """
        if isinstance(value, (UnparsableURL, StoredText)):
            return value
        if self.as_text or self.is_referred_to:
            return StoredText(text_of(value))  # It may come from a row, whose text has no mark.
        advice = "For other text, use from_text, or typed for what people type: they find no rows."
        raise operand_error(error, value, f"a URL for {self}", advice) from error

    def get_db_prep_value(
        self, value: object, connection: BaseDatabaseWrapper, prepared: bool = False
    ) -> object:
        if prepared and type(value) is str and self.has_column:
            return value
        text = super().get_db_prep_value(value, connection, prepared)
        if isinstance(text, URLRecord):
            text = canonical(text).href
        elif isinstance(text, (UnparsableURL, StoredText)):
            text = findable_text(text_of(text), connection, is_ascii=not self.db_collation)
        # An array element has no column of its own, and PostgreSQL would truncate it.
        return text if self.has_column else self._measured(text)

    def stored_text(self, value: object) -> str | None:
        return self._measured(self._canonical_text(value))

    def value_to_save(self, model_instance: models.Model, add: bool) -> object:
        """Return the URL to store. With ``as_text``, the attribute also becomes canonical.

        Raises ValidationError, with the row in its message. Text that the field refuses is written
        back if the row already has it.
        """
        if self.written is not None:
            self.keep_written(model_instance, add=add)
        # The record stays on the instance, where the columns beside the URL find it.
        value = getattr(model_instance, self.attname)
        if value is None and not (add or self.null) and "" in self._texts_of_row(model_instance):
            return StoredText("")
        if value is None or (type(value) is not str and is_expression(value)):
            return value
        try:
            url = self.to_record(value)
            if url is not None:
                self._measured(url.href)
        except ValidationError as error:
            return self.stays(error, value, model_instance, add=add)
        stored: URLRecord | str | None = self.no_url if url is None else url
        if self.as_text:
            setattr(model_instance, self.attname, stored if url is None else url.href)
        elif isinstance(value, URLRecord) and url is not value:
            setattr(model_instance, self.attname, url)  # `file://localhost/`, see `canonical`
        return stored

    def _canonical_text(self, value: object) -> str | None:
        if isinstance(value, URLRecord):
            return canonical(value).href
        if value and isinstance(value, str):
            # Only the text is needed, so do not make a record.
            try:
                return weburl.canonicalize(text_of(value))
            except URLParseError as error:
                raise parse_error(error, self.error_messages) from error
        url = self.to_record(value)
        if url is None:
            return None if value is None else self.no_url
        return url.href

    def _measured(self, text: _T) -> _T:
        """Return ``text``, or raise ValidationError if it is too long, which SQLite ignores."""
        if self.max_length is not None and isinstance(text, str) and len(text) > self.max_length:
            CanonicalMaxLengthValidator(self.max_length)(text)
        return text

    def keep_written(self, instance: models.Model, *, add: bool) -> None:
        """Set the attribute that ``written`` names, before a row is saved.

        The attribute stays as it is if its column cannot hold the text, but the row has the URL
        already.
        """
        try:
            keep_spelling(self, instance)
        except ValidationError as error:
            self.stays(error, getattr(instance, self.attname), instance, add=add)

    # Validation.

    def to_python(self, value: object) -> URLRecord | str | None:
        """Return the value of the attribute. Text that does not parse is returned as `StoredText`.

        Django calls this for the text of a fixture, which is stored unchanged.
        """
        url = url_of_row(text_of(value)) if isinstance(value, str) else to_url(value)
        if url is None:
            return None if value is None else self.no_url
        return url.href if self.as_text and isinstance(url, URLRecord) else url

    def to_record(self, value: object) -> URLRecord | None:
        """Return a value as a record, or None for None and "", with ``as_text`` as well.

        Raises ValidationError for text that does not parse.
        """
        url: URLRecord | UnparsableURL | None
        if type(value) is str:
            url = url_of_text(value)
        else:
            url = canonical(value) if isinstance(value, URLRecord) else to_url(value)
        if isinstance(url, UnparsableURL):
            raise parse_error(url.error, self.error_messages) from url.error
        return url

    @cached_property
    def is_strict(self) -> bool:
        """Whether the assigned text is needed in addition to the record.

        A validator may check how the URL is written, or another column may keep the text.
        """
        return self.written is not None or any(map(depends_on_spelling, self.validators))

    def cleaned(self, value: object, instance: models.Model | None) -> object:
        if isinstance(value, URLRecord) and value.scheme != "file":
            record: URLRecord | None = value
        elif is_expression(value):
            return value  # The database evaluates it.
        else:
            record = self.to_record(value)
        cleaned: object = record
        if self.as_text:
            cleaned = self._canonical_text(value if record is None else record)
        self.validate(cleaned, instance)
        if record is None:
            return cleaned
        written: str | None = None
        if isinstance(value, str):
            written = text_of(value)
        elif self.is_strict and instance is not None:
            assigned = written_text(instance, self)
            if assigned is not None and value is getattr(instance, self.attname):
                written = text_of(assigned)
        self.run_validators(record, written)
        if self.written is not None and instance is not None:
            keep_spelling(self, instance)
        return cleaned

    def validate(self, value: object, model_instance: models.Model | None) -> None:
        if self.editable and self.choices is not None and value not in (None, ""):
            # Django would compare a record with the text of the choices.
            if any(value == key for key, _label in self.flatchoices):
                return
            raise ValidationError(
                self.error_messages["invalid_choice"],
                code="invalid_choice",
                params={"value": presentable(text_of(value))},
            )
        if not isinstance(value, URLRecord):
            super().validate(value, model_instance)

    def run_validators(self, value: object, written: str | None = None) -> None:
        """Run the validators. ``written``: the text from which ``value`` was parsed.

        ``value`` may also be text, because an array field does not convert its elements.
        """
        record = value if isinstance(value, URLRecord) else self.to_record(value)
        if record is None:
            return
        if written is None and isinstance(value, str):
            written = text_of(value)
        messages = self.error_messages
        if errors := collect_errors(
            self.validators, record, written, messages, as_text=self.as_text
        ):
            raise ValidationError(errors)

    # Forms.

    def formfield(self, **kwargs: Any) -> FormField | None:
        # A record does not have the typed text, so with ``written`` the cleaned value is text.
        gives_text = self.as_text or self.written is not None
        default = forms.CanonicalURLTextField if gives_text else forms.CanonicalURLField
        form_class = kwargs.pop("form_class", None) or default
        if issubclass(form_class, forms.CanonicalURLField):
            kwargs = {**self.form_options, "error_messages": self.own_error_messages, **kwargs}
        if issubclass(form_class, forms.CanonicalURLTextField):
            kwargs.setdefault("empty_value", self.no_url)
            kwargs.setdefault("keeps_spelling", self.written is not None)
        if is_admin_widget(kwargs.get("widget")):
            from django_whatwg_url.forms.widgets import AdminCanonicalURLWidget

            kwargs["widget"] = AdminCanonicalURLWidget
        kwargs.setdefault("choices_form_class", ChoiceField)
        # Skip CharField.formfield(), which sets an empty value that this field cannot have.
        return super(models.CharField, self).formfield(form_class=form_class, **kwargs)


for _lookup in (
    *COMPARISONS,
    *TEXT_LOOKUPS,
    *URL_LOOKUPS,
    *URL_TRANSFORMS,
    QueryParams,
    LooksCanonical,
):
    CanonicalURLField.register_lookup(_lookup)
