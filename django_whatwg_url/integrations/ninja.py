"""django-ninja: the rules of a model field in a schema, and a renderer.

Declare a URL in a schema as ``url: weburl.URLRecord``, also in a ``ModelSchema``.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any, cast

from django.core.exceptions import ValidationError
from django.db import models

from django_whatwg_url.column.values import SpelledText, text_of
from django_whatwg_url.encoders import URLJSONEncoder
from django_whatwg_url.fields import (
    CanonicalURLField,
    ExactURLField,
    UnparsableURL,
    URLReferenceField,
)
from django_whatwg_url.rules.messages import without_credentials
from weburl import URLRecord
from weburl.integrations.building_blocks import required

with required("django-ninja>=1.4"):
    from ninja.renderers import JSONRenderer
    from ninja.responses import NinjaJSONEncoder

with required("pydantic>=2.11"):
    from pydantic import GetCoreSchemaHandler, GetJsonSchemaHandler
    from pydantic import ValidationError as PydanticError
    from pydantic_core import CoreSchema, InitErrorDetails, PydanticCustomError, core_schema

__all__ = ["ModelFieldRules", "URLJSONRenderer"]


class _Encoder(URLJSONEncoder, NinjaJSONEncoder):
    """django-ninja's encoder. It also writes URLs, hosts, origins and sites."""


class URLJSONRenderer(JSONRenderer):
    """A renderer for views without a response schema: ``NinjaAPI(renderer=URLJSONRenderer())``.

    It writes URLs, hosts, origins and sites as text, including the password of a URL.
    """

    encoder_class: type[json.JSONEncoder] = _Encoder


class ModelFieldRules:
    """The rules of a model field, for a field of a schema.

    ``url: Annotated[URLRecord, ModelFieldRules(Link, "url")]`` checks the value in a request as the
    model does. A response contains the value in the row, even if it is not a URL. For a model field
    whose attribute is text, write ``Annotated[str, …]``. It works in a ``Schema`` and in a
    ``ModelSchema``.

    Args:
        model: The class of the model.
        name: The name of its field, which must be a URL field.

    Raises:
        TypeError: The field has another class.
    """

    def __init__(self, model: type[models.Model], name: str) -> None:
        field = model._meta.get_field(name)
        if not isinstance(field, (CanonicalURLField, ExactURLField, URLReferenceField)):
            raise TypeError(f"{name!r} is not a URL field, but a {type(field).__name__}")
        self.field: Any = field

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
        is_reference = isinstance(self.field, URLReferenceField)
        json_schema = {**handler(schema), "format": "uri-reference" if is_reference else "uri"}
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
            # A response must work for rows that are older than a rule they break.
            return value if isinstance(value, UnparsableURL) else handler(value)
        if not isinstance(value, (str, URLRecord)):
            return handler(value)
        empty = self.field.no_url
        if value == "" and self.field.blank and (empty == "" or self.field.null):
            return empty
        try:
            cleaned = self.field.clean(value, None)
        except ValidationError as error:
            raise _pydantic_error(error, value) from None
        if getattr(self.field, "written", None) is not None and cleaned and isinstance(value, str):
            return SpelledText(str(cleaned), value)
        return cleaned


def _pydantic_error(error: ValidationError, value: object) -> PydanticError:
    # pydantic's own errors would show the input with its password.
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
