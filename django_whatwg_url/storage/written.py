"""The column beside a URL that keeps how the URL was written, for ``written="name"``.

The rule is in `spelling_to_keep`. The rest applies it when Django saves or validates a row: it
gives both fields a `pre_save` that sets the attribute of the other column, and writes that column
afterwards if Django has saved only the URL.
"""

from __future__ import annotations

import re
from functools import partial
from typing import TYPE_CHECKING, Any, Final

from django.core.exceptions import FieldDoesNotExist
from django.core.validators import MaxLengthValidator, ProhibitNullCharactersValidator
from django.db.models.signals import class_prepared, post_save

from django_whatwg_url.storage.attributes import written_text
from django_whatwg_url.storage.saving import note_expressions, was_expression
from django_whatwg_url.storage.spellings import spelling_of, spells, trimmed, written_of
from django_whatwg_url.storage.values import UnparsableURL, is_expression, to_url
from weburl import URLRecord

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from django.db import models

_WATCHER: Final = "django_whatwg_url.written"
_LONE_SURROGATE: Final = re.compile("[\ud800-\udfff]")
_no_null_characters: Final = ProhibitNullCharactersValidator()


def spelling_to_keep(text: str | None, href: str, current: Callable[[], str | None]) -> str:
    """Return what the column must hold for the URL ``href``.

    It is ``text``, unless that is the canonical spelling. Then it is the current text of the
    column, if that is a spelling of the same URL, and ``href`` otherwise.

    Args:
        text: How the URL was written, or None if that is not known.
        href: The canonical URL.
        current: Returns the current text of the column.
    """
    text = None if text is None else _LONE_SURROGATE.sub("\ufffd", trimmed(text))
    if text is not None and text != href:
        return text
    kept = current()
    return kept if kept and spells(kept, href) else href


def written_column(field: Any) -> Any:
    """Return the field that ``written`` names, or None if there is no such field."""
    if field.written is None:
        return None
    try:
        column: Any = field.model._meta.get_field(field.written)
    except FieldDoesNotExist:
        return None
    # A check reports other fields. Nothing is stored in them.
    return column if column in field.model._meta.concrete_fields and column != field else None


def written_fields(model: type[models.Model]) -> Iterator[Any]:
    """Yield the URL fields of a model whose spelling is kept, including inherited ones."""
    for field in model._meta.concrete_fields:
        if getattr(field, "written", None) is not None and written_column(field) is not None:
            yield field


def keep_spelling(field: Any, instance: models.Model) -> None:
    """Set the attribute of the column that ``written`` names to what it must hold.

    Nothing happens if the URL is deferred, is an expression, or does not parse. Raises
    ValidationError if the text is too long for the column, or contains a NUL character.
    """
    column, data = written_column(field), vars(instance)
    if column is None or field.attname not in data:
        return
    value = data[field.attname]
    if is_expression(value):
        return
    url = to_url(value)
    if isinstance(url, UnparsableURL):
        return
    if url is None:
        setattr(instance, column.attname, nothing_in(column))
        return
    if isinstance(value, str):
        text: str | None = written_of(value)
    else:
        text = written_text(instance, field) or spelling_of(value)
    current = partial(getattr, instance, column.attname)
    setattr(instance, column.attname, stored_spelling(column, text, url, current))


def stored_spelling(
    column: Any, text: str | None, url: URLRecord, current: Callable[[], str | None]
) -> str:
    """Return `spelling_to_keep`. Raises ValidationError if ``column`` cannot store it."""
    kept = spelling_to_keep(text, url.href, current)
    if column.max_length is not None:
        MaxLengthValidator(column.max_length)(kept)
    _no_null_characters(kept)
    return kept


def nothing_in(column: Any) -> str | None:
    """Return what a column holds if there is no URL."""
    return None if column.null else ""


def watch_written_columns() -> None:
    """Keep the columns current in all models that are loaded from now on."""
    class_prepared.connect(_watch, dispatch_uid=_WATCHER)


def _watch(sender: type[models.Model], **_kwargs: object) -> None:
    fields = list(written_fields(sender))
    if not fields:
        return
    for field in fields:
        for saved in (field, written_column(field)):
            if saved.model is sender:
                # On the instance, as in `CanonicalURLField.contribute_to_class`.
                vars(saved)["pre_save"] = partial(_saved_value, field, saved.pre_save)
    # Connect each class: proxies and child models send signals of their own.
    note_expressions(sender)
    post_save.connect(_keep_after_saving, sender=sender, dispatch_uid=_WATCHER)


def _saved_value(field: Any, pre_save: Any, instance: models.Model, add: bool) -> object:
    field.keep_written(instance)
    return pre_save(instance, add)


def _keep_after_saving(
    sender: type[models.Model],
    instance: models.Model,
    raw: bool,
    using: str,
    update_fields: frozenset[str] | None,
    **_kwargs: object,
) -> None:
    if raw:
        return  # Fixtures are loaded without changes.
    for field in written_fields(sender):
        if update_fields is None or not update_fields.isdisjoint({field.name, field.attname}):
            _keep(field, instance, using, update_fields)


def _keep(
    field: Any, instance: models.Model, using: str, update_fields: frozenset[str] | None
) -> None:
    """Store the spelling of a row that has just been saved, if the save did not store it.

    A save does not store it if it saves only the URL, or if the database computes the URL.
    """
    column = written_column(field)
    rows = type(instance)._base_manager.using(using).filter(pk=instance.pk)  # noqa: SLF001
    values = vars(instance)
    is_known = field.attname in values and not is_expression(values[field.attname])
    if is_known and not was_expression(instance, field.attname):
        if update_fields is None or not update_fields.isdisjoint({column.name, column.attname}):
            return
        kept = getattr(instance, column.attname)
    else:
        # The URL was an expression. Django 6 drops its value if UPDATE cannot return it.
        stored, current = rows.values_list(field.attname, column.attname).get()
        url = to_url(stored)
        if isinstance(url, UnparsableURL):
            return
        kept = (
            nothing_in(column)
            if url is None
            else stored_spelling(column, None, url, lambda: current)
        )
        setattr(instance, column.attname, kept)
    rows.update(**{column.attname: kept})
