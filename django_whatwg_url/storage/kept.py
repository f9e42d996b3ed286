"""Rows that hold what their field would refuse: whether a value to save is what the row holds.

Such a row may come from another program, or from before the column was a URL field. Its other
columns must stay writable, so the value that it holds may be written again. A different one is
refused. This module decides nothing else.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from django.core.exceptions import ValidationError
from django.db.models import CharField
from django.db.models.functions import Cast

from django_whatwg_url.storage.attributes import RowText
from django_whatwg_url.storage.values import text_of, to_url
from weburl import URLRecord

if TYPE_CHECKING:
    from django.db.backends.base.base import BaseDatabaseWrapper


def text_kept(field: Any, value: object, connection: BaseDatabaseWrapper) -> str | None:
    """Return the text in the row of ``value`` if ``value`` is that text, or None.

    A URL that is too long counts as the text in the row if that is a spelling of it. The result is
    then the text as it is in the row. Call this only for a value that the field refuses, because it
    runs a query. A value that does not come from saving an instance has no row.
    """
    if type(value) is not RowText or value.row is None:
        return None
    rows = field.model._base_manager.using(connection.alias)  # noqa: SLF001
    try:
        row = rows.filter(pk=value.row)
        # As text, because converting it would drop the spelling.
        stored = row.values_list(Cast(field.attname, CharField()), flat=True).first()
    except ValidationError:
        return None  # The primary key is a URL that cannot be looked up.
    return stored if stored is not None and _is_same(text_of(value), stored) else None


def _is_same(text: str, stored: str) -> bool:
    if text == stored:
        return True
    url = to_url(text)
    return isinstance(url, URLRecord) and url == to_url(stored)
