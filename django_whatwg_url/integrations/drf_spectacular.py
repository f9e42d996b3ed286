"""drf-spectacular: what the fields of `rest_framework` are in an OpenAPI schema.

Importing this module is enough: drf-spectacular finds the classes. The app does it if
"drf_spectacular" is in INSTALLED_APPS.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from drf_spectacular.extensions import OpenApiSerializerFieldExtension

if TYPE_CHECKING:
    from drf_spectacular.openapi import AutoSchema
    from drf_spectacular.utils import Direction

__all__ = ["CanonicalURLFieldExtension", "URLPartFieldExtension"]

_FIELDS = "django_whatwg_url.integrations.rest_framework"


class CanonicalURLFieldExtension(OpenApiSerializerFieldExtension):  # type: ignore[no-untyped-call]
    """A string with ``format: uri`` and its length."""

    target_class: str | type[object] | None = f"{_FIELDS}.CanonicalURLField"
    match_subclasses = True

    def map_serializer_field(self, auto_schema: AutoSchema, direction: Direction) -> dict[str, Any]:  # noqa: ARG002
        limit = self.target.max_length
        length = {} if limit is None else {"maxLength": limit}
        return {"type": "string", "format": "uri", **length}


class URLPartFieldExtension(OpenApiSerializerFieldExtension):  # type: ignore[no-untyped-call]
    """A string; the port is a number."""

    target_class: str | type[object] | None = f"{_FIELDS}.URLPartField"
    match_subclasses = True

    def map_serializer_field(self, auto_schema: AutoSchema, direction: Direction) -> dict[str, Any]:  # noqa: ARG002
        if self.target.source_attrs[-1] == "port":
            return {"type": "integer", "minimum": 0, "maximum": 65535}
        return {"type": "string"}
