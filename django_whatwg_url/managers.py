"""A queryset that keeps the columns of ``written`` current where Django calls no field.

Its methods add the column to what `QuerySet.update()` and the bulk methods write. The rule for what
the column holds is in `columns.written`.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from typing import Any, TypeVar

from django.db import models
from django.db.models import Case, F, Q, Value, When
from django.db.models.functions import Cast

from django_whatwg_url.storage.spellings import spelling_of
from django_whatwg_url.storage.values import is_expression, text_of
from django_whatwg_url.storage.written import (
    nothing_in,
    stored_spelling,
    written_column,
    written_fields,
)

__all__ = ["WrittenURLQuerySet"]

_ModelT = TypeVar("_ModelT", bound=models.Model)


class WrittenURLQuerySet(models.QuerySet[_ModelT]):
    """A queryset for models with ``CanonicalURLField(written=…)``.

    Its ``update()``, ``bulk_update()`` and ``bulk_create()`` also write how a URL is written, if
    they write the URL. A value that you pass for the other column is not changed. Use it with
    ``objects = WrittenURLQuerySet.as_manager()``.
    """

    def update(self, **kwargs: Any) -> int:
        for field in written_fields(self.model):
            column = written_column(field)
            if field.name in kwargs and column.name not in kwargs:
                # First, because MySQL and MariaDB assign from left to right, and the expression
                # compares the URL that the row had.
                kwargs = {column.name: _updated(field, column, kwargs[field.name]), **kwargs}
        return super().update(**kwargs)

    update.alters_data = True  # type: ignore[attr-defined]

    def bulk_update(
        self, objs: Iterable[Any], fields: Iterable[str], batch_size: int | None = None
    ) -> int:
        objs, names = tuple(objs), list(fields)
        for field in written_fields(self.model):
            column = written_column(field)
            if field.name in names and column.name not in names:
                for instance in objs:
                    field.keep_written(instance)
                names.append(column.name)
        return super().bulk_update(objs, names, batch_size)

    bulk_update.alters_data = True  # type: ignore[attr-defined]

    def bulk_create(
        self,
        objs: Iterable[Any],
        batch_size: int | None = None,
        ignore_conflicts: bool = False,
        update_conflicts: bool = False,
        update_fields: Collection[str] | None = None,
        unique_fields: Collection[str] | None = None,
    ) -> list[Any]:
        if update_fields:
            update_fields = [*update_fields, *_columns_beside(self.model, update_fields)]
        return super().bulk_create(
            objs, batch_size, ignore_conflicts, update_conflicts, update_fields, unique_fields
        )

    bulk_create.alters_data = True  # type: ignore[attr-defined]


def _columns_beside(model: type[models.Model], names: Collection[str]) -> Sequence[str]:
    """Return the names of the columns that keep how the URLs in ``names`` are written."""
    columns = [written_column(field).name for field in written_fields(model) if field.name in names]
    return [name for name in columns if name not in names]


def _updated(field: Any, column: Any, value: object) -> object:
    """Return what ``column`` gets when ``update()`` sets the URL to ``value``."""
    if isinstance(value, Value):
        value = value.value
    if is_expression(value):
        # The database computes the text of the URL, and it is stored as it is.
        return Cast(value, column)  # type: ignore[arg-type]
    url = field.to_python(value)
    if url is None:
        return nothing_in(column)
    text = text_of(value) if isinstance(value, str) else spelling_of(value)  # type: ignore[arg-type]
    written = stored_spelling(column, text, url, lambda: None)
    if written != url.href:
        return written
    # Rows that have this URL already keep their spelling, if they have one.
    has_spelling = Q(**{f"{column.name}__gt": ""})
    same = When(Q(**{field.name: url}) & has_spelling, then=F(column.name))
    return Case(same, default=Value(written), output_field=column)
