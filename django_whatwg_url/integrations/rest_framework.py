"""Django REST framework: serializer fields for URLs, their parts and relations, and a renderer.

`register` makes `ModelSerializer` use the URL field. The app calls it if "rest_framework" is in
INSTALLED_APPS.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from copy import copy
from functools import lru_cache
from typing import TYPE_CHECKING, Any, ClassVar, Final

from django.core.exceptions import FieldDoesNotExist
from django.core.exceptions import ValidationError as DjangoValidationError
from django.db import models, router

from django_whatwg_url import fields, forms
from django_whatwg_url.column.columns import DEFAULT_MAX_LENGTH
from django_whatwg_url.column.values import (
    StoredText,
    UnparsableURL,
    UnparsableURLError,
    is_same,
    stored_value,
    text_of,
    to_url,
)
from django_whatwg_url.duplicates import ANY_PAGE, OWN_PAGE, row_with_same_key, same_page_error
from django_whatwg_url.encoders import WRITTEN_AS_TEXT
from django_whatwg_url.policies import PolicyOption
from django_whatwg_url.rules.messages import are_inherited, parse_error, presentable
from django_whatwg_url.rules.validators import Strictness, collect_errors, depends_on_spelling
from weburl import URLRecord
from weburl.integrations.building_blocks import required

with required("djangorestframework>=3.16"):
    from rest_framework import fields as rest_fields
    from rest_framework import serializers
    from rest_framework.renderers import JSONRenderer
    from rest_framework.utils.encoders import JSONEncoder
    from rest_framework.utils.formatting import lazy_format

if TYPE_CHECKING:
    from django.utils.functional import _StrOrPromise

    _ReadOnlyField = serializers.ReadOnlyField
    _SlugRelatedField = serializers.SlugRelatedField[Any]
else:
    _ReadOnlyField = serializers.ReadOnlyField
    _SlugRelatedField = serializers.SlugRelatedField

__all__ = [
    "CanonicalURLField",
    "URLJSONRenderer",
    "URLPartField",
    "URLSlugRelatedField",
    "UniqueURLKeyValidator",
    "register",
]

_NOT_GIVEN: Final[Any] = object()
_FORM_MESSAGES: Final = forms.CanonicalURLField.default_error_messages


class CanonicalURLField(serializers.URLField):
    """A serializer field that parses text into a `URLRecord`, and represents a URL as text.

    The code of an error is the standard's name for the error ("host-missing"), the policy's code,
    "scheme-not-allowed", "max_length", or a code of DRF ("required", "null", "blank", or "invalid"
    for a value that is not text). If a row has text that is not a URL, it is represented unchanged.

    For a model field with ``as_text=True``, the value is canonical text instead of a record.

    In a `ModelSerializer`, the default of an option is the option of the model field. Otherwise, it
    is the default of the form field.

    Args:
        assume_scheme: The scheme for text without one, "https" by default. With None, such text is
            an error.
        schemes: As in the form field.
        strictness: As in the form field.
        policy: As in the form field.
        max_length: As in the form field.
        **kwargs: Options of DRF's ``CharField``, such as ``trim_whitespace``. With ``allow_blank``,
            ``""`` becomes None.

    Raises:
        TypeError: An option has the wrong type.
        ValueError: An option is not valid, or the default is not a URL.
    """

    # This is a subclass of DRF's `URLField`, because OPTIONS, the browsable API and schemas check
    # for that class. The checks of `URLField` do not run.
    default_error_messages: ClassVar[dict[str, _StrOrPromise]] = dict(_FORM_MESSAGES)

    def __init__(
        self,
        *,
        max_length: int | None = _NOT_GIVEN,
        assume_scheme: str | None = "https",
        schemes: Iterable[str] | None = _NOT_GIVEN,
        strictness: Strictness = _NOT_GIVEN,
        policy: PolicyOption | None = _NOT_GIVEN,
        **kwargs: Any,
    ) -> None:
        given = {
            "max_length": max_length,
            "schemes": schemes,
            "strictness": strictness,
            "policy": policy,
        }
        self._given: dict[str, Any] = {
            name: value for name, value in given.items() if value is not _NOT_GIVEN
        }
        self._assume_scheme = assume_scheme
        if assume_scheme is not None:
            # Browsers refuse to submit "example.com" from an <input type="url">.
            kwargs["style"] = {"input_type": "text", **kwargs.get("style", {})}
        super(serializers.URLField, self).__init__(**kwargs)
        self.max_length: int | None = self._given.get("max_length", DEFAULT_MAX_LENGTH)
        self._rules: forms.CanonicalURLField | None = None
        self._hide_password_of_default()
        if self._given.keys() - {"max_length"} or assume_scheme != "https":
            self.rules()  # This raises an error for invalid options.

    @property
    def _spectacular_annotation(self) -> dict[str, Any]:
        """Return the schema, in the attribute that drf-spectacular's `extend_schema_field` sets."""
        length = {} if self.max_length is None else {"maxLength": self.max_length}
        return {"field": {"type": "string", "format": "uri", **length}}

    def rules(self) -> forms.CanonicalURLField:
        """Return a form field with the rules of this field. It parses the text."""
        if self._rules is None:
            self._rules = self._make_rules()
        return self._rules

    def _make_rules(self) -> forms.CanonicalURLField:
        options: dict[str, Any] = {
            "strip": self.trim_whitespace,
            "assume_scheme": self._assume_scheme,
        }
        messages = self._own_messages()
        model_field = self._model_field()
        if model_field is not None:
            options |= model_field.form_options
            messages = {**model_field.own_error_messages, **messages}
            if model_field.as_text or model_field.written is not None:
                options["empty_value"] = model_field.no_url
                options["keeps_spelling"] = model_field.written is not None
        # Validators of the spelling need the original text, which only the form field has.
        own: list[Any] = [check for check in self.validators if depends_on_spelling(check)]
        if not (messages or own or self._given.keys() - {"max_length"}):
            return _shared_form_field(**(options | self._given))
        rules = _form_field(error_messages=messages, **(options | self._given))
        rules.validators += [check for check in own if check not in rules.validators]
        return rules

    def bind(self, field_name: str, parent: Any) -> None:
        super().bind(field_name, parent)
        self._rules = None
        model_field = self._model_field()
        if model_field is not None:
            self.max_length = self._given.get("max_length", model_field.max_length)

    def run_validation(self, data: Any = serializers.empty) -> Any:
        value = super().run_validation(data)
        if value != "":
            return value
        return self.rules().empty_value

    def to_internal_value(self, data: Any) -> URLRecord | str | None:  # type: ignore[override]
        if not isinstance(data, (str, URLRecord)):
            self.fail("invalid")
        try:
            return self.rules().clean(data)
        except DjangoValidationError as error:
            instance = getattr(self.parent, "instance", None)
            if isinstance(instance, models.Model):
                stored = stored_value(self._model_field(), instance)
                if stored is not None and is_same(data, stored):
                    return self.rules().kept(stored)
            raise serializers.ValidationError(rest_fields.get_error_detail(error)) from error

    def run_validators(self, value: Any) -> None:
        """Run the validators that are not among the rules, which ran when the text was parsed."""
        if isinstance(value, StoredText):
            return  # The row may keep this text, and validators expect a URL.
        rules = self.rules()
        errors: list[Any] = []
        validators: list[Any] = list(self.validators)
        for validator in validators:
            if _is_among(validator, rules.validators):
                continue
            try:
                if getattr(validator, "requires_context", False):
                    validator(value, self)
                    continue
                found = collect_errors(
                    [validator],
                    to_url(value),  # type: ignore[arg-type]  # None does not get here
                    None,
                    rules.error_messages,
                    as_text=isinstance(rules, forms.CanonicalURLTextField),
                )
            except serializers.ValidationError as error:
                if isinstance(error.detail, dict):
                    raise
                errors += error.detail
            else:
                errors += rest_fields.get_error_detail(DjangoValidationError(found))
        if errors:
            raise serializers.ValidationError(errors)

    def get_default(self) -> Any:
        url = _default_url(super().get_default())
        rules = self.rules()
        if not isinstance(rules, forms.CanonicalURLTextField):
            return url
        return rules.empty_value if url is None else url.href

    def to_representation(self, value: Any) -> str:
        return str(value) if type(value) is URLRecord else text_of(value)

    def _own_messages(self) -> dict[str, Any]:
        """Return the messages of this field that differ from the messages of the form field."""
        if type(self) is CanonicalURLField and are_inherited(self.error_messages, type(self)):
            return {}
        messages: dict[str, Any] = {
            code: message
            for code, message in self.error_messages.items()
            if message is not _FORM_MESSAGES.get(code, message)
        }
        limit: Any = self.error_messages["max_length"]
        if limit is not serializers.CharField.default_error_messages["max_length"]:
            # DRF's message contains {max_length}.
            messages["max_length"] = lazy_format(limit, max_length=self.max_length)
        invalid: Any = self.error_messages["invalid"]
        if invalid is not serializers.CharField.default_error_messages["invalid"]:
            messages["invalid"] = invalid
        return messages

    def _model_field(self) -> fields.CanonicalURLField[Any, Any] | None:
        """Return the model field of this field in a `ModelSerializer`, or None."""
        of_model: Any = self
        if isinstance(self.parent, serializers.ListField):
            of_model = self.parent
        serializer: Any = of_model.parent
        if not isinstance(serializer, serializers.ModelSerializer):
            return None
        try:
            model: Any = serializer.Meta.model
            model_field: Any = model._meta.get_field(of_model.source)
        except FieldDoesNotExist:
            return None
        if of_model is not self:
            model_field = getattr(model_field, "base_field", None)
        return model_field if isinstance(model_field, fields.CanonicalURLField) else None

    def _hide_password_of_default(self) -> None:
        if self.default is serializers.empty or callable(self.default):
            return
        url = _default_url(self.default)
        if isinstance(url, URLRecord) and url.includes_credentials:
            # Schemas show a default, but do not call a function.
            self.default: Any = lambda: url


def _form_field(*, keeps_spelling: bool | None = None, **options: Any) -> forms.CanonicalURLField:
    """Return a form field. It returns records if ``keeps_spelling`` is None, and otherwise text."""
    if keeps_spelling is None:
        return forms.CanonicalURLField(required=False, **options)
    options["keeps_spelling"] = keeps_spelling
    return forms.CanonicalURLTextField(required=False, **options)


# `ModelSerializer` makes new fields for each request, and most have only the rules of their model
# field. Making a form field takes longer than parsing a URL with it.
_shared_form_field: Final = lru_cache(maxsize=256)(_form_field)


def _is_among(validator: Any, others: list[Any]) -> bool:
    # First avoid ==, for which Django's validators translate their messages.
    kind = type(validator)
    for other in others:
        if type(other) is kind and _state(other) == _state(validator):
            return True
    return validator in others


def _state(validator: Any) -> Any:
    return getattr(validator, "__dict__", None) or validator


def _default_url(default: object) -> URLRecord | None:
    url = to_url(default)
    if isinstance(url, UnparsableURL):
        raise ValueError(f"the default {url!r} is not a URL") from url.error  # noqa: TRY004
    return url


class _URLTextField(serializers.CharField):
    """The text of a model field, whose validators refuse what the field refuses."""

    def run_validation(self, data: Any = serializers.empty) -> Any:
        value = super().run_validation(data)
        return None if value == "" and self.allow_null else value


class _ExactURLField(_URLTextField, serializers.URLField):
    """The text of an `ExactURLField`. OPTIONS and schemas check for DRF's class."""

    def __init__(self, **kwargs: Any) -> None:
        super(serializers.URLField, self).__init__(**kwargs)  # Its checks do not run.


class _URLReferenceField(_URLTextField):
    """The text of a `URLReferenceField`."""

    @property
    def _spectacular_annotation(self) -> dict[str, Any]:
        length = {} if self.max_length is None else {"maxLength": self.max_length}
        return {"field": {"type": "string", "format": "uri-reference", **length}}


class URLPartField(_ReadOnlyField):
    """A part of a URL, read-only: ``host = URLPartField(source="url.host")``.

    The value is text, or a number for "url.port". It is null if there is no URL or no such part, or
    if the text in the row is not a URL. "url.path" is text, too. Attributes of a host also work:
    "url.host.registrable_domain".
    """

    def __init__(self, **kwargs: Any) -> None:
        super().__init__(**{"allow_null": True, **kwargs})

    @property
    def _spectacular_annotation(self) -> dict[str, Any]:
        is_port = self.source_attrs[-1] == "port"
        port = {"type": "integer", "minimum": 0, "maximum": 65535}
        return {"field": port if is_port else {"type": "string"}}

    def get_attribute(self, instance: Any) -> Any:
        value = instance
        try:
            for attribute in self.source_attrs:
                if value is None:
                    return None
                if isinstance(value, URLRecord) and attribute == "path":
                    attribute = "path_text"  # noqa: PLW2901
                value = rest_fields.get_attribute(value, [attribute])
        except UnparsableURLError:
            return None
        return value

    def to_representation(self, value: Any) -> Any:
        return value if isinstance(value, int) else text_of(value)


class URLSlugRelatedField(_SlugRelatedField):
    """DRF's ``SlugRelatedField`` for a ``slug_field`` that is a URL. Any spelling finds the row.

    For text that is not a URL, the code is the standard's name for the error. Messages never show a
    password.
    """

    def to_internal_value(self, data: Any) -> Any:
        if not isinstance(data, (str, URLRecord)):
            self.fail("invalid")
        url = to_url(data)
        if isinstance(url, UnparsableURL):
            error = parse_error(url.error)
            raise serializers.ValidationError(rest_fields.get_error_detail(error)) from url.error
        try:
            rows: Any = self.get_queryset()
            return rows.get(**{self.slug_field: url})
        except models.ObjectDoesNotExist:
            shown = presentable(text_of(data))
            self.fail("does_not_exist", slug_name=self.slug_field, value=shown)

    def to_representation(self, obj: Any) -> Any:
        value = super().to_representation(obj)
        return None if value is None else text_of(value)


class UniqueURLKeyValidator:
    """Refuses a URL if another row has the same page. For ``Meta.validators`` of a serializer.

    The error belongs to the field of the URL, with the code "same-page". No constraint is needed.

    Args:
        key_field: The name of the `URLKeyField` of the model.
        within: The names of fields whose values must be equal too, such as ``["owner"]``. The
            serializer must have them, for example ``HiddenField(default=CurrentUserDefault())``.
        message: The message. "%(url)s" in it becomes the URL of the existing row, without a
            password. The default message contains it only with ``within``.
    """

    requires_context = True

    def __init__(
        self,
        key_field: str,
        *,
        within: Iterable[str] = (),
        message: _StrOrPromise | None = None,
    ) -> None:
        self.key_field = key_field
        self.within: tuple[str, ...] = tuple(within)
        self.message: _StrOrPromise = message or (OWN_PAGE if self.within else ANY_PAGE)

    def __call__(
        self, attrs: Mapping[str, Any], serializer: serializers.ModelSerializer[Any]
    ) -> None:
        """Raise ValidationError if there is such a row. ``attrs``: the validated values."""
        model: Any = serializer.Meta.model
        source: str = model._meta.get_field(self.key_field).from_field
        changed = [name for name in (source, *self.within) if name in attrs]
        if not changed:
            return
        candidate = model() if serializer.instance is None else copy(serializer.instance)
        for name in changed:
            setattr(candidate, name, attrs[name])
        using = router.db_for_write(model, instance=candidate)
        row = row_with_same_key(candidate, self.key_field, self.within, using=using)
        if row is not None:
            error = same_page_error(row, self.key_field, self.message)
            name = next((n for n, f in serializer.fields.items() if f.source == source), source)
            raise serializers.ValidationError({name: rest_fields.get_error_detail(error)})


class _Encoder(JSONEncoder):
    def default(self, obj: Any) -> Any:
        return str(obj) if isinstance(obj, WRITTEN_AS_TEXT) else super().default(obj)


class URLJSONRenderer(JSONRenderer):
    """DRF's JSON renderer. It also writes URLs, hosts, origins and sites, as their ``str()``.

    Add it to the setting DEFAULT_RENDERER_CLASSES or to a view's ``renderer_classes``. The output
    includes the password of a URL that has one.
    """

    encoder_class: ClassVar[type[JSONEncoder]] = _Encoder


def register() -> None:
    """Make `ModelSerializer` use `CanonicalURLField` and the like for our model fields.

    The app calls this if "rest_framework" is in INSTALLED_APPS. A serializer class that sets a
    different field in its own ``serializer_field_mapping`` keeps it.
    """
    mapping = serializers.ModelSerializer.serializer_field_mapping
    mapping.setdefault(fields.CanonicalURLField, CanonicalURLField)
    mapping.setdefault(fields.ExactURLField, _ExactURLField)
    mapping.setdefault(fields.URLReferenceField, _URLReferenceField)
