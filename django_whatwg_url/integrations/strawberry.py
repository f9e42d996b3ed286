"""strawberry-django: the scalar ``URL``, and a filter for URL fields.

`register` registers both. The app calls it if "strawberry_django" is in INSTALLED_APPS.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from functools import partial
from typing import Any, Final

from django.core.exceptions import ValidationError
from django.db import NotSupportedError
from django.db.models import Lookup, Q, Transform
from django.db.models.constants import LOOKUP_SEP

from django_whatwg_url.column.values import text_of, to_url
from django_whatwg_url.fields import (
    CanonicalURLField,
    QueryParamField,
    RegistrableDomainField,
    URLKeyField,
)
from django_whatwg_url.functions import QueryParam, QueryParams
from django_whatwg_url.generated import URLPartField, URLPortField
from django_whatwg_url.lookups import base_url_operand
from django_whatwg_url.query.encoded import (
    PARAMS_LOOKUPS,
    EncodedExact,
    EncodedIn,
    EncodedIsNull,
)
from django_whatwg_url.query.operands import operand_forms
from django_whatwg_url.rules.hosts import named_host_operand
from weburl import URLRecord
from weburl.integrations.building_blocks import required

with required("strawberry-graphql-django"):
    import strawberry
    from graphql import GraphQLError
    from strawberry.schema.types.scalar import DEFAULT_SCALAR_REGISTRY
    from strawberry.utils.str_converters import to_camel_case
    from strawberry_django import BaseFilterLookup, filter_field
    from strawberry_django.fields.filter_types import type_filter_map
    from strawberry_django.fields.types import field_type_map

__all__ = ["URLFilterLookup", "URLQueryParamLookup", "register"]


@strawberry.input
class URLQueryParamLookup:
    """Compares the first value of a parameter of a URL, decoded.

    With only a name, the URL must have the parameter. A comparison with null is an error.
    """

    name: str
    exact: str | None = strawberry.UNSET
    in_list: list[str] | None = strawberry.UNSET


_PARAM_LOOKUPS: Final[dict[str, Any]] = {
    "exact": EncodedExact,
    "in_list": EncodedIn,
}


@strawberry.input
class URLFilterLookup(BaseFilterLookup[URLRecord]):
    """The lookups of a URL field. Text that cannot be looked up is an error, without its password.

    The code, such as "host-missing", is in the ``extensions`` of the error.
    """

    scheme: str | None = filter_field(description="The scheme")
    port: int | None = filter_field(description="The port, if it is not the default of the scheme")
    typed: str | None = filter_field(description="A URL as people type it")
    holds: str | None = filter_field(description="Text in the URL, in any spelling")

    @filter_field(description="The same URL, in any spelling")  # type: ignore[misc, untyped-decorator]
    def exact(self, value: URLRecord, prefix: str) -> Q:
        return _looked_up(prefix, "exact", value, CanonicalURLField().to_record)

    @filter_field(description="One of these URLs")  # type: ignore[misc, untyped-decorator]
    def in_list(self, value: list[URLRecord], prefix: str) -> Q:
        return Q(**{f"{prefix}in": [_checked(CanonicalURLField().to_record, url) for url in value]})

    @filter_field(description="URLs below this one")  # type: ignore[untyped-decorator]
    def under(self, value: URLRecord, prefix: str) -> Q:
        return _looked_up(prefix, "under", value, base_url_operand)

    @filter_field(description="URLs with the same origin")  # type: ignore[untyped-decorator]
    def same_origin(self, value: URLRecord, prefix: str) -> Q:
        return _looked_up(prefix, "same_origin", value, partial(operand_forms, "origin"))

    @filter_field(description="The host, in any spelling")  # type: ignore[untyped-decorator]
    def host(self, value: str, prefix: str) -> Q:
        return _looked_up(prefix, "host", value, partial(operand_forms, "host"))

    @filter_field(description="This host and its subdomains")  # type: ignore[untyped-decorator]
    def host_under(self, value: str, prefix: str) -> Q:
        return _looked_up(prefix, "host__under", value, named_host_operand)

    @filter_field(description="The path is at or below this one, on any host")  # type: ignore[untyped-decorator]
    def path_under(self, value: str, prefix: str) -> Q:
        return _looked_up(prefix, "path__under", value, partial(operand_forms, "path"))

    @filter_field(description="A parameter of the query")  # type: ignore[untyped-decorator]
    def query_param(self, value: URLQueryParamLookup, prefix: str) -> Q:
        lookups: list[tuple[type[Lookup[Any]], object]] = []
        for name, lookup in _PARAM_LOOKUPS.items():
            operand = getattr(value, name)
            if operand is None:
                # Ignoring null would find more rows for a variable without a value.
                raise GraphQLError(
                    f"{to_camel_case(name)} of a parameter cannot be null. Leave it out.",
                    extensions={"code": "null"},
                )
            if operand is not strawberry.UNSET:
                lookups.append((lookup, operand))
        return _exact(QueryParam, prefix, value.name, lookups=lookups or [(EncodedIsNull, False)])

    @filter_field(description="The query has a parameter with one of these names")  # type: ignore[untyped-decorator]
    def has_query_param(self, value: list[str], prefix: str) -> Q:
        return _exact(QueryParams, prefix, lookups=[(PARAMS_LOOKUPS["has_any"], value)])


def _looked_up(prefix: str, lookup: str, value: Any, check: Callable[[Any], object]) -> Q:
    _checked(check, value)
    return Q(**{f"{prefix}{lookup}": value})


def _exact(
    side: type[Transform],
    prefix: str,
    *arguments: object,
    lookups: Iterable[tuple[type[Lookup[Any]], object]],
) -> Q:
    """Return a condition that is true if all ``lookups`` on ``side`` of a URL are.

    Raises GraphQLError if the database cannot compare exactly.
    """
    try:
        left = side(prefix.removesuffix(LOOKUP_SEP), *arguments)
        return Q(*(lookup(left, operand) for lookup, operand in lookups))
    except NotSupportedError as error:
        raise GraphQLError(str(error), extensions={"code": "invalid"}) from error
    except ValidationError as error:
        raise _graphql_error(error) from error


def _checked(check: Callable[[Any], object], value: Any) -> Any:
    """Return ``value``, or raise GraphQLError if ``check`` raises ValidationError.

    GraphQL would show the message of a ValidationError without filling in its placeholders.
    """
    try:
        check(value)
    except ValidationError as error:
        raise _graphql_error(error) from error
    return value


def _graphql_error(error: ValidationError) -> GraphQLError:
    (first, *_) = error.error_list
    return GraphQLError(first.messages[0], extensions={"code": first.code})


# The scalar does not refuse any value, because GraphQL would repeat it in the error, with its
# password. The model refuses a bad value when it is looked up or saved.
_SCALAR: Final = strawberry.scalar(
    name="URL",
    description="A URL as in the URL Standard. Reads any spelling, and writes the canonical one.",
    specified_by_url="https://url.spec.whatwg.org/",
    serialize=text_of,
    parse_value=to_url,
)


def register() -> None:
    """Make `URLRecord` and URL fields declared as ``auto`` use the scalar ``URL``.

    Columns for parts, parameters, registrable domains and keys become strings, and ports become
    integers. Call it before the types are created. The app does so if "strawberry_django" is in
    INSTALLED_APPS.
    """
    DEFAULT_SCALAR_REGISTRY.setdefault(URLRecord, _SCALAR)
    types: dict[Any, Any] = {
        CanonicalURLField: URLRecord,
        QueryParamField: str,
        RegistrableDomainField: str,
        URLKeyField: str,
        URLPartField: str,
        URLPortField: int,
    }
    for field, kind in types.items():
        field_type_map.setdefault(field, kind)
    lookups: dict[Any, Any] = type_filter_map
    lookups.setdefault(URLRecord, URLFilterLookup)
