"""django-ninja: the model field in a ``ModelSchema``, and a renderer.

A field in a plain ``Schema`` needs nothing from here. Declare it as ``url: weburl.URLRecord``.
"""

from __future__ import annotations

import copy
import json
from collections.abc import Mapping
from typing import Annotated, Any, Final, cast

import ninja.orm.factory
import ninja.orm.fields
from django.core.exceptions import ValidationError
from django.db import models
from ninja.renderers import JSONRenderer
from ninja.responses import NinjaJSONEncoder
from pydantic import BeforeValidator, GetCoreSchemaHandler, GetJsonSchemaHandler
from pydantic import ValidationError as PydanticError
from pydantic_core import CoreSchema, InitErrorDetails, PydanticCustomError, core_schema

from django_whatwg_url.encoders import URLJSONEncoder
from django_whatwg_url.fields import CanonicalURLField, UnparsableURL
from django_whatwg_url.messages import without_credentials
from django_whatwg_url.storage.values import text_of
from weburl import URLRecord

__all__ = ["URLJSONRenderer", "register"]

_ninjas_own: Final = ninja.orm.fields.get_schema_field


def register() -> None:
    """Add support for the model field to django-ninja's ``ModelSchema`` and ``create_schema()``.

    Call it before they are used. The app does so if "ninja" is in INSTALLED_APPS. The field is a
    `URLRecord` in such a schema, or a `str` if it has ``as_text=True``. A value in a request must
    meet the rules of the model field. A response contains what the row has, even text that is not a
    URL.
    """
    # Wagtail's API imports it from the one module, and django-ninja uses that of the other.
    for module in (ninja.orm.fields, ninja.orm.factory):
        vars(module)["get_schema_field"] = _schema_field


class _Encoder(URLJSONEncoder, NinjaJSONEncoder):
    """django-ninja's encoder, which also writes URLs, hosts, origins and sites."""


class URLJSONRenderer(JSONRenderer):
    """A renderer for views without a response schema: ``NinjaAPI(renderer=URLJSONRenderer())``.

    It writes URLs, hosts, origins and sites as text, including the password of a URL.
    """

    encoder_class: type[json.JSONEncoder] = _Encoder


class _ModelFieldRules:
    """Checks values in requests by the rules of a model field. For Annotated."""

    def __init__(self, field: CanonicalURLField[Any, Any]) -> None:
        self.field = field

    def __get_pydantic_core_schema__(
        self, source: object, handler: GetCoreSchemaHandler
    ) -> CoreSchema:
        return core_schema.with_info_wrap_validator_function(
            self._validated,
            handler(source),
            serialization=core_schema.wrap_serializer_function_ser_schema(_written),
        )

    def __get_pydantic_json_schema__(
        self, schema: CoreSchema, handler: GetJsonSchemaHandler
    ) -> dict[str, Any]:
        json_schema = {**handler(schema), "format": "uri"}
        if self.field.max_length is not None:
            json_schema["maxLength"] = self.field.max_length
        return json_schema

    def _validated(
        self,
        value: object,
        handler: core_schema.ValidatorFunctionWrapHandler,
        info: core_schema.ValidationInfo[Any],
    ) -> object:
        if isinstance(info.context, Mapping) and "response_status" in info.context:
            # A row may be older than a rule that it breaks, and must still be readable.
            return value if isinstance(value, UnparsableURL) else handler(value)
        if not isinstance(value, (str, URLRecord)):
            return handler(value)
        if value == "" and self.field.blank and self.field.no_url == "":
            return value
        try:
            return self.field.clean(value, None)
        except ValidationError as error:
            raise _pydantic_error(error, value) from None


def _pydantic_error(error: ValidationError, value: object) -> PydanticError:
    # pydantic's own errors show the input, and so would show the password.
    shown = without_credentials(text_of(value))
    details: list[InitErrorDetails] = [
        {
            "type": PydanticCustomError(
                cast("Any", each.code or "invalid"), cast("Any", " ".join(each.messages))
            ),
            "input": shown,
        }
        for each in error.error_list
    ]
    return PydanticError.from_exception_data("URLRecord", details)


def _written(value: object, handler: core_schema.SerializerFunctionWrapHandler) -> object:
    return text_of(value) if isinstance(value, UnparsableURL) else handler(value)


def _schema_field(
    field: models.Field[Any, Any], *, depth: int = 0, optional: bool = False
) -> tuple[Any, Any]:
    """Return the type of a model field in a schema, and pydantic's information on it."""
    found = _url_field(field)
    if found is None or (field.is_relation and depth > 0):
        return cast("tuple[Any, Any]", _ninjas_own(field, depth=depth, optional=optional))
    asked = field
    if field is found:
        # Pydantic would call len() on the record.
        asked = copy.copy(field)
        vars(asked)["max_length"] = None
    type_of_ninja, info = _ninjas_own(asked, depth=depth, optional=optional)
    value_type: Any = str if found.as_text else URLRecord
    python_type: Any = Annotated[value_type, _ModelFieldRules(found)]
    if field.many_to_many or field.one_to_many:
        python_type = list[Annotated[python_type, BeforeValidator(_key)]]
    elif field is not found and not field.is_relation:
        python_type = list[python_type]
    takes_none = type(None) in getattr(type_of_ninja, "__args__", ())
    return (python_type | None if takes_none else python_type), info


def _url_field(field: models.Field[Any, Any]) -> CanonicalURLField[Any, Any] | None:
    """Return the URL field that ``field`` is, refers to, or has as its elements, or None."""
    found: object = field
    if field.is_relation:
        model = field.related_model
        found = model._meta.pk if isinstance(model, type) else None
    elif hasattr(field, "base_field"):
        found = field.base_field
    return found if isinstance(found, CanonicalURLField) else None


def _key(value: object) -> object:
    """Return the primary key of an object in a response. A request already contains the key."""
    return value.pk if isinstance(value, models.Model) else value
