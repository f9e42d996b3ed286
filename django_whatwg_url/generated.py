"""A generated column that holds a part of a URL. It can be indexed on every database.

MariaDB has no indexes on expressions. If the model has such a column, ``url__host`` reads it and
uses its index, on every database.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from django.db import models

from django_whatwg_url.checks.references import check_url_field
from django_whatwg_url.functions import PART_EXPRESSIONS
from django_whatwg_url.parts.fields import URLPartField, URLPortField, part_field

if TYPE_CHECKING:
    from django.core.checks import CheckMessage
    from django.db.backends.base.base import BaseDatabaseWrapper

__all__ = ["GeneratedURLPartField", "URLPartField", "URLPortField"]


class GeneratedURLPartField(models.GeneratedField):
    """A column that the database fills with one part of the URL in another column.

    ``url_field``: the name of the URL field. ``part``: one of "scheme", "username", "host",
    "hostname", "port", "path", "query", "fragment", "origin", and "reversed_host" (for an index
    that finds subdomains); ValueError for any other. ``db_persist``: True by default, because
    PostgreSQL stores every generated column. ``max_length``: 2048 by default; all databases except
    SQLite refuse a row whose part is longer. Other options, such as ``db_index=True``, are those of
    GeneratedField. The column is nullable by default.
    """

    def __init__(
        self,
        url_field: str,
        part: str,
        *,
        db_persist: bool = True,
        max_length: int | None = None,
        **options: Any,
    ) -> None:
        if part not in PART_EXPRESSIONS:
            raise ValueError(
                f"{part!r} is not a part of a URL; the parts are {', '.join(PART_EXPRESSIONS)}"
            )
        self.url_field = url_field
        self.part = part
        # What migrations know of the expression and of the column's type is the part's name.
        options.pop("expression", None)
        options.pop("output_field", None)
        length: dict[str, Any] = {} if max_length is None else {"max_length": max_length}
        output_field = part_field(part, **length)
        super().__init__(
            expression=PART_EXPRESSIONS[part](url_field),
            output_field=output_field,
            db_persist=db_persist,
            **{"null": True, **options},
        )
        # For checks of what an index can hold.
        self.max_length: int | None = output_field.max_length
        self.holds_ascii: bool = getattr(output_field, "holds_ascii", False)
        self._options: dict[str, Any] = {} if db_persist else {"db_persist": False}
        self._options |= length

    def deconstruct(self) -> tuple[str, str, list[Any], dict[str, Any]]:
        name, path, _args, kwargs = super().deconstruct()
        del kwargs["expression"], kwargs["output_field"]
        del kwargs["db_persist"]
        kwargs.pop("max_length", None)
        if not kwargs.pop("null", False):
            kwargs["null"] = False
        return name, path, [self.url_field], {"part": self.part, **kwargs, **self._options}

    def check(self, **kwargs: Any) -> list[CheckMessage]:
        subject = f"{self.model._meta.object_name}.{self.name}"
        found = [*check_url_field(self, subject, self.model, self.url_field)]
        return [*super().check(**kwargs), *found]

    def get_db_prep_save(self, value: object, connection: BaseDatabaseWrapper) -> object:
        # Nothing is ever saved here. But SQLite adds a stored column only by making the table
        # anew, and Django does that for a column with a default: this is where it asks for one.
        if connection.vendor == "sqlite" and self._options.get("db_persist", True):
            return ""
        return super().get_db_prep_save(value, connection)

    def db_type(self, connection: BaseDatabaseWrapper) -> str | None:
        return self.output_field.db_type(connection) if self.output_field else None
