"""The lookups of `django.contrib.postgres` on columns whose operands are otherwise URLs.

``url__search``, ``url__trigram_similar`` and similar lookups search for text. This module imports
nothing from that app, because the app registers its lookups with `CharField` by name.
"""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING, Any, Final

from django.db import models

from django_whatwg_url.parts.encoded_pieces import percent_encode_operand
from django_whatwg_url.parts.text_lookups import TextOperandMixin
from django_whatwg_url.storage.values import text_of

if TYPE_CHECKING:
    _CharField = models.CharField[str, str]
else:
    _CharField = models.CharField

_POSTGRESQL: Final = "django.contrib.postgres.lookups"


class SearchedColumn:
    """A base class for a `CharField` whose operands are URLs, or other text of a special form."""

    def get_lookup(self, lookup_name: str) -> Any:
        found = super().get_lookup(lookup_name)  # type: ignore[misc]  # CharField's
        return _taking_text(found) if _is_of_postgresql(found) else found

    def get_transform(self, lookup_name: str) -> Any:
        found = super().get_transform(lookup_name)  # type: ignore[misc]  # CharField's
        return _giving_text(found) if _is_of_postgresql(found) else found


class _EncodedText(_CharField):
    """The type of a function such as UNACCENT on a column. Its values and operands are any text."""

    def get_prep_value(self, value: object) -> str | None:
        return None if value is None else percent_encode_operand(text_of(value))


def _is_of_postgresql(found: Any) -> bool:
    return found is not None and found.__module__ == _POSTGRESQL


@cache
def _taking_text(lookup: type[Any]) -> type[Any]:
    # Otherwise the field prepares the operand, and treats it as a URL.
    return type(lookup.__name__, (TextOperandMixin, lookup), {"prepare_rhs": False})


@cache
def _giving_text(transform: type[Any]) -> type[Any]:
    return type(transform.__name__, (transform,), {"output_field": _EncodedText()})
