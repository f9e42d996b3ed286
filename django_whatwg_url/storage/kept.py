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
    from django.db.models import Model


def text_kept(field: Any, value: object, connection: BaseDatabaseWrapper) -> str | None:
    """Return the text in the row of ``value`` if ``value`` is that text, or None.

    A URL that is too long counts as the text in the row if that is a spelling of it. The result is
    then the text as it is in the row. Call this only for a value that the field refuses, because it
    runs a query. A value that does not come from saving an instance has no row.
    """
    if type(value) is not RowText or value.row is None:
        return None
    stored = _stored_text(field, value.row, connection.alias)
    return stored if stored is not None and _is_same(text_of(value), stored) else None


def is_kept(field: Any, instance: Model | None, value: object) -> bool:
    """Return whether the row of ``instance`` holds the URL ``value``, so that it may stay there.

    What counts is the row in the database, not what the instance held before. So call this, as it
    runs a query, only for a value that the field refuses. It returns False for a field with
    ``check_unchanged=True``, and for a field that is not one for URLs.
    """
    if instance is None or not may_keep(field, instance):
        return False
    text = "" if value is None else text_of(value)
    alias = instance._state.db  # noqa: SLF001
    stored = _stored_text(field, instance.pk, alias) if text else None
    return stored is not None and _is_same(text, stored)


def may_keep(field: Any, instance: Model) -> bool:
    """Return whether a field keeps the URL of a row, and the instance has one."""
    return not (getattr(field, "check_unchanged", True) or instance._state.adding)  # noqa: SLF001


def _stored_text(field: Any, key: object, alias: str | None) -> str | None:
    rows = field.model._base_manager.using(alias)  # noqa: SLF001
    try:
        # As text, because converting it would drop the spelling.
        text: str | None = (
            rows.filter(pk=key).values_list(Cast(field.attname, CharField()), flat=True).first()
        )
    except ValidationError:
        return None  # The primary key is a URL that cannot be looked up.
    return text


def _is_same(text: str, stored: str) -> bool:
    if text == stored:
        return True
    url = to_url(text)
    return isinstance(url, URLRecord) and url == to_url(stored)
