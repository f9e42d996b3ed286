"""drf-spectacular: the OpenAPI schemas of the fields in `rest_framework`.

Importing this module registers them. The app imports it if "drf_spectacular" is in INSTALLED_APPS.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from weburl.integrations.building_blocks import required

with required("drf-spectacular"):
    from drf_spectacular.extensions import OpenApiSerializerFieldExtension


if TYPE_CHECKING:
    from drf_spectacular.openapi import AutoSchema
    from drf_spectacular.utils import Direction

__all__ = ["CanonicalURLFieldExtension", "URLPartFieldExtension"]

_FIELDS = "django_whatwg_url.integrations.rest_framework"


class CanonicalURLFieldExtension(OpenApiSerializerFieldExtension):  # type: ignore[no-untyped-call]
    """Describes the field as a string with ``format: uri`` and ``maxLength``."""

    target_class: str | type[object] | None = f"{_FIELDS}.CanonicalURLField"
    match_subclasses = True

    def map_serializer_field(self, auto_schema: AutoSchema, direction: Direction) -> dict[str, Any]:  # noqa: ARG002
        limit = self.target.max_length
        length = {} if limit is None else {"maxLength": limit}
        return {"type": "string", "format": "uri", **length}


class URLPartFieldExtension(OpenApiSerializerFieldExtension):  # type: ignore[no-untyped-call]
    """Describes the field as a string, or as an integer for the port."""

    target_class: str | type[object] | None = f"{_FIELDS}.URLPartField"
    match_subclasses = True

    def map_serializer_field(self, auto_schema: AutoSchema, direction: Direction) -> dict[str, Any]:  # noqa: ARG002
        if self.target.source_attrs[-1] == "port":
            return {"type": "integer", "minimum": 0, "maximum": 65535}
        return {"type": "string"}
