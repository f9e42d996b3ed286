"""Finds columns whose text is made from the URL: they are out of date once the URL is changed."""

from __future__ import annotations

from collections.abc import Collection, Iterator
from typing import Any, Final

from django.db import models

import weburl
from django_whatwg_url.canonicalizing.table import Table

_SAMPLE: Final = 1_000


def derived_columns(table: Table, field: Any, ours: Collection[str]) -> list[str]:
    """Return the names of text fields that contain the URL in most of the first 1,000 rows.

    A text also counts if it contains the URL, or its canonical form, without the scheme and without
    a slash at the end. Rows without a URL do not count.

    Args:
        table: The table.
        field: The field of the URL.
        ours: The names of fields to leave out.
    """
    others = [
        other
        for other in table.model._meta.local_concrete_fields
        if isinstance(other, models.CharField | models.TextField)
        and other.name not in ours
        and not other.is_relation
        and not getattr(other, "generated", False)
        # Our own companion columns follow the URL. `companions` is on a higher floor.
        and getattr(other, "from_field", None) != field.name
    ]
    columns: list[Any] = [other.column for other in others]
    page = next(table.pages([field.column, *columns], _SAMPLE), []) if others else []
    rows = [row for row in page if row[1]]
    found = [0] * len(others)
    for _key, url, *texts in rows:
        pieces = set(_pieces(url))
        for number, text in enumerate(texts):
            found[number] += isinstance(text, str) and any(piece in text for piece in pieces)
    return [
        other.name for other, number in zip(others, found, strict=True) if number * 2 > len(rows)
    ]


def _pieces(text: str) -> Iterator[str]:
    for spelling in (text, *([weburl.canonicalize(text)] if weburl.can_parse(text) else [])):
        yield spelling
        rest = spelling.partition("://")[2].rstrip("/")
        if rest:
            yield rest
