"""Keeps the spelling of a URL in another column, for the option ``written="name"``.

`stored_spelling` has the rule. `keep_spelling` applies it to a row that is saved or validated, and
`managers` to updates.
"""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Any, Final

from django.core.exceptions import FieldDoesNotExist
from django.core.validators import MaxLengthValidator, ProhibitNullCharactersValidator

import weburl
from django_whatwg_url.column.attributes import written_text
from django_whatwg_url.column.values import (
    UnparsableURL,
    is_expression,
    scalar_values,
    to_url,
    written_of,
)
from weburl import URLParseError, URLRecord

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from django.db import models

# The parser removes these from both ends of its input.
_C0_CONTROLS_AND_SPACE: Final = "".join(map(chr, range(0x21)))
_no_null_characters: Final = ProhibitNullCharactersValidator()


def written_column(field: Any) -> Any:
    """Return the field that ``written`` names, or None if there is no such field."""
    if getattr(field, "written", None) is None:
        return None
    try:
        column: Any = field.model._meta.get_field(field.written)
    except FieldDoesNotExist:
        return None
    # A system check reports a field that has no column of its own.
    return column if column in field.model._meta.concrete_fields and column != field else None


def written_fields(model: type[models.Model]) -> Iterator[Any]:
    """Yield the URL fields of a model whose spelling is kept, including inherited fields."""
    for field in model._meta.concrete_fields:
        if written_column(field) is not None:
            yield field


def keep_spelling(field: Any, instance: models.Model) -> None:
    """Set the attribute of the column that ``written`` names to the spelling of the current URL.

    It is empty if the URL is an expression. Nothing is changed if the URL is deferred, or does not
    parse. Raises ValidationError if the text is too long for the column, or contains NUL.
    """
    column, data = written_column(field), vars(instance)
    if column is None or field.attname not in data:
        return
    value = data[field.attname]
    if is_expression(value):
        # The current spelling may belong to another URL.
        setattr(instance, column.attname, nothing_in(column))
        return
    url = to_url(value)
    if isinstance(url, UnparsableURL):
        return
    if url is None:
        setattr(instance, column.attname, nothing_in(column))
        return
    assigned = value if isinstance(value, str) else written_text(instance, field)
    text = None if assigned is None else written_of(assigned)
    current = partial(getattr, instance, column.attname)
    setattr(instance, column.attname, stored_spelling(column, text, url, current))


def stored_spelling(
    column: Any, text: str | None, url: URLRecord, current: Callable[[], str | None]
) -> str:
    """Return the text that the column must have for ``url``.

    It is ``text``, unless that is the canonical spelling. Then it is the current text of the
    column, if that is a spelling of the same URL, and the href otherwise. Raises ValidationError if
    the column cannot store it.

    Args:
        column: The field of the column.
        text: The spelling of the URL, or None if it is not known.
        url: The URL.
        current: Returns the current text of the column.
    """
    kept = None if text is None else scalar_values(trimmed(text))
    if kept is None or kept == url.href:
        now = current()
        kept = now if now and spells(now, url.href) else url.href
    if column.max_length is not None:
        MaxLengthValidator(column.max_length)(kept)
    _no_null_characters(kept)
    return kept


def nothing_in(column: Any) -> str | None:
    """Return the value of a column for a row without a URL."""
    return None if column.null else ""


def trimmed(text: str) -> str:
    """Return ``text`` without C0 controls and spaces at its ends, which the parser removes."""
    return text.strip(_C0_CONTROLS_AND_SPACE)


def spells(text: str, href: str) -> bool:
    """Return whether a person may have written ``text`` for the URL ``href``.

    The scheme may be missing from ``text``, as in "example.com". ``href``: a canonical URL.
    """
    if text == href:
        return True
    scheme = href.partition(":")[0]
    slashes = "" if text.startswith("//") else "//"
    return any(_canonical(it) == href for it in (text, f"{scheme}:{slashes}{text}"))


def _canonical(text: str) -> str | None:
    try:
        return weburl.canonicalize(text)
    except URLParseError:
        return None
