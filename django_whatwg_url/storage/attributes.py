"""How a URL gets from a row into an attribute, and what the attribute does with new values.

The attribute keeps text as it is until it is read. So a query does not convert the columns that
fill attributes, but converts all others. Otherwise, this module knows nothing about databases.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Protocol
from weakref import ref

from django.db import models
from django.db.models.expressions import Col
from django.db.models.query_utils import DeferredAttribute

import weburl
from django_whatwg_url.storage.values import (
    UnparsableURL,
    is_expression,
    text_of,
    to_url,
    url_of_text,
)
from weburl import URLParseError, URLRecord
from weburl.integrations.building_blocks import LazyAttribute

if TYPE_CHECKING:
    from collections.abc import Iterator

    from django.db.backends.base.base import BaseDatabaseWrapper
    from django.db.models.sql.compiler import SQLCompiler, _AsSqlType


class _ModelField(Protocol):
    @property
    def model(self) -> Any: ...


class _URLField(_ModelField, Protocol):
    @property
    def attname(self) -> str: ...
    @property
    def max_length(self) -> int | None: ...
    @property
    def is_strict(self) -> bool: ...

    checked: tuple[str | None, str | None]


class URLAttribute(LazyAttribute, DeferredAttribute):
    """The attribute of a URL field. It returns a record, whatever was assigned.

    Text is parsed once, when the attribute is first read, because most rows are loaded without
    reading it. Expressions stay as they are until they are saved.
    """

    field: Any

    def __init__(self, field: _URLField) -> None:
        DeferredAttribute.__init__(self, field)  # type: ignore[arg-type]
        LazyAttribute.__init__(self, field.attname, url_of_text)

    def record(self, instance: models.Model) -> URLRecord | UnparsableURL | None:
        """Return what the attribute of ``instance`` returns. With ``as_text`` it returns text."""
        url: URLRecord | UnparsableURL | None = getattr(instance, self.field.attname)
        return url

    def load(self, instance: Any, owner: type[models.Model] | None) -> object:
        """Load a deferred value."""
        DeferredAttribute.__get__(self, instance, owner)
        return self.__get__(instance, owner)

    def assigned(self, instance: Any, value: object) -> object:  # noqa: ARG002
        """Return what to keep of a value that is not a plain string."""
        return value if is_expression(value) else to_url(value)


class StrictURLAttribute(URLAttribute):
    """The attribute of a strict field. It also keeps the text that was assigned."""

    def __get__(self, instance: Any, owner: type[models.Model] | None = None) -> Any:
        if instance is not None:
            data = instance.__dict__
            value = data.get(self.field.attname)
            if type(value) is str:
                data[_spelling_key(self.field)] = value
        return super().__get__(instance, owner)

    def assigned(self, instance: Any, value: object) -> object:
        if not is_expression(value):
            instance.__dict__.pop(_spelling_key(self.field), None)
            if isinstance(value, str):
                instance.__dict__[_spelling_key(self.field)] = text_of(value)
        return super().assigned(instance, value)


class RowText(str):
    """Text on its way to a column, with the primary key of its row for a possible error message."""

    __slots__ = ("row",)

    row: object


def stored_value(field: _URLField, instance: models.Model, add: bool) -> object:  # noqa: ARG001
    """Return the value of an attribute to store. Text is returned as `RowText`, with its row.

    Text that has never been read stays text: with ten thousand rows, unneeded records would keep
    the garbage collector busy. A URL that is too long is returned as text too, because the field
    needs its row to know whether to refuse it. Django may call this twice. The arguments are those
    of `Field.pre_save`.
    """
    value = instance.__dict__.get(field.attname)
    if type(value) is str and value:
        # This runs for every row of bulk_create(), so the field need not check the text again.
        given, checked = field.checked
        if value is given:
            return checked
        try:
            text = weburl.canonicalize(value)
        except URLParseError:
            return row_text(value, field, instance)
        if field.max_length is None or len(text) <= field.max_length:
            field.checked = (value, text)
            return text
        return row_text(value, field, instance)
    if type(value) is not str:
        value = getattr(instance, field.attname)
    if isinstance(value, URLRecord):
        if field.max_length is None or len(value.href) <= field.max_length:
            return value
    elif not isinstance(value, str):
        return value
    return row_text(text_of(value), field, instance)


def row_text(text: str, field: _ModelField, instance: models.Model) -> RowText:
    """Return text on its way to the column of ``field`` in the row of ``instance``."""
    of_row = RowText(text)
    # Not instance.pk: the column may be in the table of a parent.
    of_row.row = getattr(instance, field.model._meta.pk.attname)
    return of_row


def row_of(value: object) -> object:
    """Return the primary key that `stored_value` gave to text, or None."""
    return value.row if type(value) is RowText else None


def written_text(instance: models.Model, field: _URLField) -> str | None:
    """Return the text that was assigned to the attribute of a strict field, or None."""
    written: str | None = vars(instance).get(_spelling_key(field))
    return written


def _spelling_key(field: _URLField) -> str:
    return f"_{field.attname}_as_written"


class URLColumn(Col):
    """The column of a URL field in a query. Each query has its own.

    If the column fills an attribute, its text is not converted here, because the attribute converts
    it. Django does not tell a column where its values go, but the compiler knows, and it visits
    each selected column.
    """

    _compiler: ref[SQLCompiler] | None = None

    def select_format(self, compiler: SQLCompiler, sql: str, params: Any) -> _AsSqlType:
        self._compiler = ref(compiler)
        return super().select_format(compiler, sql, params)

    def get_db_converters(self, connection: BaseDatabaseWrapper) -> list[Any]:
        compiler = None if self._compiler is None else self._compiler()
        if compiler is not None and self._only_fills_attributes(compiler):
            return []
        converters: list[Any] = super().get_db_converters(connection)
        return converters

    def _only_fills_attributes(self, compiler: SQLCompiler) -> bool:
        # Only with `default_cols` do the columns of `klass_info` all belong to models.
        if not compiler.query.default_cols:
            return False
        select = compiler.select
        fills = False
        for info in _models_read(compiler.klass_info):
            if any(select[position][0] is self for position in info["select_fields"]):
                if _sees_values(info["model"]):
                    return False
                fills = True
        return fills

    def __getstate__(self) -> dict[str, Any]:
        # Querysets are pickled with their columns, but a compiler belongs to a single run.
        state: Any = super().__getstate__()
        state.pop("_compiler", None)
        return dict(state)


def _models_read(info: dict[str, Any] | None) -> Iterator[dict[str, Any]]:
    """Yield the compiler's information on each model in a row, including select_related()."""
    if info is not None:
        yield info
        for related in info.get("related_klass_infos", ()):
            yield from _models_read(related)


def _sees_values(model: type[models.Model]) -> bool:
    # Django documents overriding from_db() to keep the loaded values for a later comparison.
    return model.from_db.__func__ is not models.Model.from_db.__func__  # type: ignore[attr-defined]
