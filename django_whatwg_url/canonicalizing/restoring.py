"""Restores the spellings that were kept in a column, unless the URL has been changed since then."""

from __future__ import annotations

from typing import Any

from django.db import models

from django_whatwg_url.canonicalizing.choices import AfterChange, Options
from django_whatwg_url.canonicalizing.reading import reader
from django_whatwg_url.canonicalizing.references import references_to
from django_whatwg_url.canonicalizing.run import text_column
from django_whatwg_url.canonicalizing.table import Table
from django_whatwg_url.canonicalizing.writing import Change, Writer


def restore_originals(
    model: type[models.Model],
    name: str,
    original: str,
    alias: str,
    options: Options,
    after_change: AfterChange | None = None,
) -> int:
    """Restore kept spellings, empty the column that kept them, and return how many there were.

    A row whose URL is no longer the URL of the kept spelling stays as it is. ``after_change``:
    called with the rows of each batch whose URL was written, in its transaction.
    """
    model, field = text_column(model, name)
    _model, kept = text_column(model, original)
    table = Table(model, alias)
    read = reader(options, None)
    empty = None if kept.null else ""
    references: list[Any] = references_to(model, alias, model._meta.apps)
    writer = Writer(table, field, kept, references)
    restored = 0
    for page in table.pages([field.column, kept.column], options.batch_size):
        keys = [pk for pk, _text, spelling in page if spelling]
        if not keys:
            continue
        with table.transaction():
            rows = table.rows(keys, [field.column, kept.column], lock=True)
            changes = [
                Change(pk, text, spelling, empty)
                for pk, (text, spelling) in rows.items()
                if spelling and (text is None or read(spelling).href == text)
            ]
            refused = {change.pk for change, _error in writer.write(changes)}
            written = [change for change in changes if change.pk not in refused]
            restored += len(written)
            if after_change is not None and written:
                now = [each.new if field.primary_key else each.pk for each in written]
                after_change([*models.QuerySet(model).using(alias).filter(pk__in=now)])
    return restored
