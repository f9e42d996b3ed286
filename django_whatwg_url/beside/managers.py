"""A queryset that updates the columns computed from a URL where Django does not call `pre_save`.

These are the columns of `beside`, and the column that the option ``written`` of a URL field
names. When a row is saved, `pre_save` fills them. `URLQuerySet` does the same in `update()` and in
the bulk methods, and `write_after_saving` does it after a save that wrote only the URL.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator
from typing import Any, TypeVar

import attrs
from django.db import models
from django.db.models import Case, F, Q, Value, When
from django.db.models.functions import Cast

from django_whatwg_url.beside.base import Companion
from django_whatwg_url.beside.written import (
    nothing_in,
    stored_spelling,
    written_column,
    written_fields,
)
from django_whatwg_url.column.values import UnparsableURL, is_expression, to_url, written_of

_ModelT = TypeVar("_ModelT", bound=models.Model)


class URLQuerySet(models.QuerySet[_ModelT]):
    """A queryset for models with columns that follow a URL.

    These are `RegistrableDomainField`, `URLKeyField`, `QueryParamField`, and the column that
    ``written`` of a `CanonicalURLField` names. If ``update()``, ``bulk_update()`` or
    ``bulk_create(update_conflicts=True)`` writes the URL, it writes these columns in the same
    statement. A value that you pass for such a column is not changed. If the URL is an expression,
    ``update()`` sets domains, keys and parameters to NULL.

    Use it with ``objects = URLQuerySet.as_manager()``, or with
    ``objects = YourManager.from_queryset(URLQuerySet)()``. A system check reports models that need
    it.
    """

    __module__ = "django_whatwg_url.managers"

    def update(self, **kwargs: Any) -> int:
        for follower in followers_of(self.model):
            if follower.source in kwargs and follower.column.name not in kwargs:
                # Put it first, because MySQL and MariaDB assign from left to right, and an
                # expression may need the old URL.
                value = follower.updated(kwargs[follower.source])
                kwargs = {follower.column.name: value, **kwargs}
        return super().update(**kwargs)

    update.alters_data = True  # type: ignore[attr-defined]

    def bulk_update(
        self, objs: Iterable[Any], fields: Iterable[str], batch_size: int | None = None
    ) -> int:
        objs, names = tuple(objs), list(fields)
        for follower in _unnamed(self.model, names):
            for instance in objs:
                # Django reads it later, and all columns can be computed from the same record.
                getattr(instance, follower.source)
                follower.follow(instance)
            names.append(follower.column.name)
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
            followers = _unnamed(self.model, update_fields)
            update_fields = [*update_fields, *(each.column.name for each in followers)]
        return super().bulk_create(
            objs, batch_size, ignore_conflicts, update_conflicts, update_fields, unique_fields
        )

    bulk_create.alters_data = True  # type: ignore[attr-defined]


@attrs.frozen
class Follower:
    """A column that is computed from a URL. ``source``: the name of the field with the URL."""

    source: str
    column: Any

    def follow(self, instance: models.Model) -> None:
        """Set the attribute of the column to the value for the URL of ``instance``."""
        self.column.follow(instance)

    def updated(self, value: object) -> object:
        """Return what `update()` must set the column to if it sets the URL to ``value``."""
        if isinstance(value, Value):
            value = value.value
        # The database cannot compute the new value, and the old value may be wrong.
        return None if is_expression(value) else self.column.computed_from(value)

    def computed(self, url: object, current: object) -> object:  # noqa: ARG002  # overridden
        """Return the value that the column must have for ``url``. ``current``: its value now."""
        return self.column.computed_from(url)


@attrs.frozen
class _Spelling(Follower):
    """The column that ``written`` of ``field`` names."""

    field: Any

    def follow(self, instance: models.Model) -> None:
        self.field.keep_written(instance, add=False)

    def updated(self, value: object) -> object:
        if isinstance(value, Value):
            value = value.value
        if is_expression(value):
            # The database computes the URL, so its text is the spelling too.
            return Cast(value, self.column)  # type: ignore[arg-type]
        url = self.field.to_record(value)
        if url is None:
            return nothing_in(self.column)
        text = written_of(value) if isinstance(value, str) else None
        written = stored_spelling(self.column, text, url, lambda: None)
        if written != url.href:
            return written
        # Rows that already have this URL keep their spelling, if they have one.
        has_spelling = Q(**{f"{self.column.name}__gt": ""})
        same = When(Q(**{self.field.name: url}) & has_spelling, then=F(self.column.name))
        return Case(same, default=Value(written), output_field=self.column)

    def computed(self, url: object, current: object) -> object:
        record = to_url(url)
        if isinstance(record, UnparsableURL):
            return current
        if record is None:
            return nothing_in(self.column)
        text = current if isinstance(current, str) else None
        return stored_spelling(self.column, None, record, lambda: text)


def followers_of(model: type[models.Model]) -> Iterator[Follower]:
    """Yield the columns of a model that are computed from a URL, including inherited columns."""
    for field in model._meta.concrete_fields:
        if isinstance(field, Companion):
            yield Follower(field.from_field, field)
    for field in written_fields(model):
        yield _Spelling(field.name, written_column(field), field)


def _unnamed(model: type[models.Model], names: Collection[str]) -> list[Follower]:
    """Return the followers of the URLs in ``names``, except followers that ``names`` contains."""
    return [
        follower
        for follower in followers_of(model)
        if follower.source in names and follower.column.name not in names
    ]


def write_after_saving(
    sender: type[models.Model],
    instance: models.Model,
    raw: bool,
    using: str,
    update_fields: frozenset[str] | None,
    **_kwargs: object,
) -> None:
    """Write the columns that a save could not write. This is a receiver of ``post_save``.

    A save does not write them if ``update_fields`` names only the URL, and cannot compute them if
    the URL is an expression. Fixtures are loaded without changes.
    """
    if raw:
        return
    values = vars(instance)
    changed: dict[str, Any] = {}
    # The model's own manager might filter out the row.
    rows: Any = models.QuerySet(sender).using(using).filter(pk=instance.pk)
    for each in followers_of(sender) if update_fields is None else _unnamed(sender, update_fields):
        name, attname = each.column.name, each.column.attname
        if update_fields is None and values.get(attname):
            continue  # The save has stored it.
        # Django 6.1 replaces an expression with the value that the database returns, or defers it.
        if is_expression(values.get(each.source, F(each.source))):
            url, current = rows.values_list(each.source, name).get()
            setattr(instance, attname, each.computed(url, current))
        else:
            each.follow(instance)
        if update_fields is not None or values.get(attname):
            changed[name] = values.get(attname)
    if changed:
        rows.update(**changed)
