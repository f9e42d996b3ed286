"""The lookups of `django.contrib.postgres` on columns whose operands are otherwise URLs.

``url__search``, ``url__trigram_similar`` and their like look for text. Nothing of that app is
imported here: it registers its lookups with `CharField`, and a field is asked for them by name.
"""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING, Any, Final

from django.db import models

from django_whatwg_url.columns.text_lookups import TextOperandMixin, percent_encode_operand
from django_whatwg_url.columns.values import text_of

if TYPE_CHECKING:
    _CharField = models.CharField[str, str]
else:
    _CharField = models.CharField

_POSTGRESQL: Final = "django.contrib.postgres.lookups"


class SearchedColumn:
    """What a `CharField` inherits from, whose operands are no text of any kind."""

    def get_lookup(self, lookup_name: str) -> Any:
        found = super().get_lookup(lookup_name)  # type: ignore[misc]  # CharField's
        return _taking_text(found) if _is_of_postgresql(found) else found

    def get_transform(self, lookup_name: str) -> Any:
        found = super().get_transform(lookup_name)  # type: ignore[misc]  # CharField's
        return _giving_text(found) if _is_of_postgresql(found) else found


class _EncodedText(_CharField):
    """What a function such as UNACCENT makes of a column: text, and its operands are text too."""

    def get_prep_value(self, value: object) -> str | None:
        return None if value is None else percent_encode_operand(text_of(value))


def _is_of_postgresql(found: Any) -> bool:
    return found is not None and found.__module__ == _POSTGRESQL


@cache
def _taking_text(lookup: type[Any]) -> type[Any]:
    # What prepares an operand is else the field, and takes it for a URL.
    return type(lookup.__name__, (TextOperandMixin, lookup), {"prepare_rhs": False})


@cache
def _giving_text(transform: type[Any]) -> type[Any]:
    return type(transform.__name__, (transform,), {"output_field": _EncodedText()})
