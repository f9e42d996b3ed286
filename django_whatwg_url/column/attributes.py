"""The attributes of URL fields, which convert assigned values.

Values from the database are already converted by `CanonicalURLField.from_db_value`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Protocol

from django.db.models.query_utils import DeferredAttribute

from django_whatwg_url.column.values import (
    UnparsableURL,
    is_expression,
    to_url,
    url_of_text,
)
from weburl import URLRecord
from weburl.integrations.building_blocks import LazyAttribute

if TYPE_CHECKING:
    from django.db import models


class _URLField(Protocol):
    @property
    def attname(self) -> str: ...


class URLAttribute(LazyAttribute, DeferredAttribute):
    """The attribute of a URL field. It converts the assigned value to a record.

    Assigned text is parsed once, when the attribute is first read, because many new rows are saved
    without reading it. Expressions are not converted.
    """

    field: Any

    def __init__(self, field: _URLField) -> None:
        DeferredAttribute.__init__(self, field)  # type: ignore[arg-type]
        LazyAttribute.__init__(self, field.attname, url_of_text, URLRecord)

    def record(self, instance: models.Model) -> URLRecord | UnparsableURL | None:
        """Return the value of the attribute, which is a record, even with ``as_text``."""
        url: URLRecord | UnparsableURL | None = getattr(instance, self.field.attname)
        return url

    def load(self, instance: Any, owner: type[models.Model] | None) -> object:
        """Load a deferred value."""
        DeferredAttribute.__get__(self, instance, owner)
        return self.__get__(instance, owner)

    def assigned(self, instance: Any, value: object) -> object:  # noqa: ARG002
        """Return the value to store for a value that is neither a plain string nor a record."""
        return value if is_expression(value) else to_url(value)


class StrictURLAttribute(URLAttribute):
    """The attribute of a strict field. It also keeps the assigned text."""

    def __get__(self, instance: Any, owner: type[models.Model] | None = None) -> Any:
        if instance is not None:
            data = instance.__dict__
            value = data.get(self.field.attname)
            if type(value) is str:
                data[_spelling_key(self.field)] = value
        return super().__get__(instance, owner)

    def __set__(self, instance: Any, value: object) -> None:
        data = instance.__dict__
        data.pop(_spelling_key(self.field), None)
        if isinstance(value, str) and type(value) is not str:
            data[_spelling_key(self.field)] = value
        super().__set__(instance, value)


class URLTextAttribute(DeferredAttribute):
    """The attribute of a URL field with ``as_text=True``. The instance stores the text itself.

    It has no ``__set__``, so it is as fast as the attribute of a CharField.
    """

    field: Any

    def record(self, instance: models.Model) -> URLRecord | UnparsableURL | None:
        """Return the URL of ``instance`` as a record.

        It is None if there is no URL, and an `UnparsableURL` for text that does not parse.
        """
        return to_url(getattr(instance, self.field.attname))


def written_text(instance: models.Model, field: _URLField) -> str | None:
    """Return the text that was assigned to the attribute of a strict field, or None.

    It may be a `SpelledText`.
    """
    written: str | None = vars(instance).get(_spelling_key(field))
    return written


def _spelling_key(field: _URLField) -> str:
    return f"_{field.attname}_as_written"
