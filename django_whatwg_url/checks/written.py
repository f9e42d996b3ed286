"""System checks of ``written``: whether the column that it names can keep how a URL was written.

The URL field calls `check_written`. This module registers nothing with Django.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from django.core import checks
from django.core.exceptions import FieldDoesNotExist
from django.db import models


def check_written(field: Any) -> Iterator[checks.CheckMessage]:
    """Yield the messages about the column that ``field`` names in ``written``, if it names one."""
    name: str | None = field.written
    if name is None:
        return
    try:
        column: Any = field.model._meta.get_field(name)
    except FieldDoesNotExist:
        column = None
    reason = _unsuitable(field, column)
    if reason is not None:
        yield checks.Error(
            f"written={name!r} {reason}.",
            hint="Name a CharField or TextField of the same table that is declared after the URL.",
            obj=field,
            id="django_whatwg_url.E030",
        )
        return
    if column.max_length is not None and (
        field.max_length is None or column.max_length < field.max_length
    ):
        yield checks.Warning(
            f"'{field.name}' allows longer URLs than '{name}' can keep, so saving a URL may raise "
            "an error.",
            hint=f"Set max_length of '{name}' to at least that of '{field.name}'.",
            obj=field,
            id="django_whatwg_url.W030",
        )
    if column.editable:
        yield checks.Warning(
            f"'{name}' is shown in forms, but it is filled from '{field.name}'.",
            hint=f"Set editable=False on '{name}'.",
            obj=field,
            id="django_whatwg_url.W031",
        )


def _unsuitable(field: Any, column: Any) -> str | None:
    """Return why a column cannot keep the spelling, or None."""
    if column is None or column not in field.model._meta.concrete_fields:
        return "is not a column of this model"
    if column == field:
        return "is the URL itself"
    if column.model is not field.model:
        return "is in another table"
    if column.creation_counter < field.creation_counter:
        return f"comes before {field.name!r}, so it is saved before the URL is read"
    # These fields would change the text, or refuse it.
    is_text = isinstance(column, (models.CharField, models.TextField))
    if not is_text or getattr(column, "holds_ascii", False) or column.choices or column.unique:
        return "is not a plain text column"
    others = (other for other in field.model._meta.concrete_fields if other is not field)
    if any(getattr(other, "written", None) == field.written for other in others):
        return "is named by another URL field as well"
    return None
