"""Fields for the parts of a URL: the types of expressions and of generated columns.

These fields are read-only, so they do not convert values. Their lookups are in `lookups`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from django.core.exceptions import ValidationError

from django_whatwg_url.column.columns import DEFAULT_MAX_LENGTH, ASCIIColumn, with_one_index
from django_whatwg_url.column.values import text_of
from django_whatwg_url.query.generics import Characters, Integers
from django_whatwg_url.query.lookups import PORT_LOOKUPS, TEXT_PART_LOOKUPS, SearchedColumn
from django_whatwg_url.query.operands import TEXT_PARTS, forms_in_lookup
from django_whatwg_url.query.under import UNDER
from django_whatwg_url.rules.messages import presentable_part

if TYPE_CHECKING:
    from django.db.backends.base.base import BaseDatabaseWrapper

_LARGEST_NUMBER: Final = 2**31 - 1


class URLPartField(ASCIIColumn, SearchedColumn, Characters):
    """A part of a URL as text, in the canonical spelling. Its collation is binary.

    ``part``: one of `django_whatwg_url.query.operands.TEXT_PARTS`. Any other value raises
    ValueError. ``max_length``: 2048 by default, because no part is longer than the whole URL.
    """

    __module__ = "django_whatwg_url.generated"

    def __init__(self, part: str, **options: Any) -> None:
        if part not in TEXT_PARTS:
            raise ValueError(
                f"{part!r} is not a part of a URL; the parts are {', '.join(TEXT_PARTS)}"
            )
        self.part = part
        options.setdefault("max_length", DEFAULT_MAX_LENGTH)
        super().__init__(**options)

    def deconstruct(self) -> tuple[str, str, list[Any], dict[str, Any]]:
        name, path, _args, kwargs = super().deconstruct()
        if self.max_length == DEFAULT_MAX_LENGTH:
            del kwargs["max_length"]
        return name, path, [self.part], kwargs

    def db_type(self, connection: BaseDatabaseWrapper) -> str | None:
        return with_one_index(super().db_type(connection), connection)

    def get_prep_value(self, value: object) -> str | None:
        if value is None:
            return None
        forms = forms_in_lookup(self.part, value)
        return forms[0] if forms else text_of(value)

    def get_lookup(self, lookup_name: str) -> Any:
        if lookup_name == "under":
            return UNDER.get(self.part)
        return super().get_lookup(lookup_name)


class URLPortField(Integers):
    """The port of a URL, from 0 to 65535. NULL means no port, or the scheme's default port.

    Operands are clamped to the range of an integer column.
    """

    __module__ = "django_whatwg_url.generated"

    def get_internal_type(self) -> str:
        return "IntegerField"

    def get_prep_value(self, value: Any) -> Any:
        try:
            number = super().get_prep_value(value)
        except (TypeError, ValueError, OverflowError) as error:
            params = {"value": presentable_part(text_of(value))}
            message = self.error_messages["invalid"]
            raise ValidationError(message, code="invalid", params=params) from error
        if isinstance(number, int):
            return max(-_LARGEST_NUMBER, min(number, _LARGEST_NUMBER))
        return number


for _lookup in TEXT_PART_LOOKUPS:
    URLPartField.register_lookup(_lookup)
for _lookup in PORT_LOOKUPS:
    URLPortField.register_lookup(_lookup)

PORT: Final = "port"


def part_field(part: str, **options: Any) -> URLPartField | URLPortField:
    """Return the field for ``part``. Raises ValueError if there is no such part."""
    return URLPortField(**options) if part == PORT else URLPartField(part, **options)
