"""A generated column for a part of a URL, which can be indexed on every database.

MariaDB does not support indexes on expressions. If the model has such a column for the host,
``url__host`` reads it and uses its index.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

from django.core import checks
from django.core.exceptions import FieldDoesNotExist
from django.db import models

from django_whatwg_url.column.values import is_url_field
from django_whatwg_url.functions import part_expression
from django_whatwg_url.query.fields import URLPartField, URLPortField, part_field

if TYPE_CHECKING:
    from django.db.backends.base.base import BaseDatabaseWrapper

__all__ = ["GeneratedURLPartField", "URLPartField", "URLPortField"]


class GeneratedURLPartField(models.GeneratedField):
    """A column that the database fills with one part of the URL in another column.

    The column is nullable by default.

    Args:
        url_field: The name of the URL field.
        part: "scheme", "username", "host", "hostname", "port", "path", "query", "fragment",
            "origin", or "reversed_host" (for an index that finds subdomains).
        db_persist: Whether the database stores the column. True by default, because PostgreSQL
            before version 18 stores every generated column. SQLite cannot add a stored column to a
            table that has rows.
        max_length: The length of the column in characters. 2048 by default. Every database except
            SQLite refuses a row whose part is longer.
        **options: Options of GeneratedField, such as ``db_index=True``.

    Raises:
        ValueError: ``part`` is not one of these parts.
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
        expression = part_expression(part)
        self.url_field = url_field
        self.part = part
        # Migrations contain only the name of the part, which determines both of these.
        options.pop("expression", None)
        options.pop("output_field", None)
        length: dict[str, Any] = {} if max_length is None else {"max_length": max_length}
        output_field = part_field(part, **length)
        super().__init__(
            expression=expression(url_field),
            output_field=output_field,
            db_persist=db_persist,
            **{"null": True, **options},
        )
        # The system checks compare this with the size limit of index entries.
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

    def check(self, **kwargs: Any) -> list[checks.CheckMessage]:
        subject = f"{self.model._meta.object_name}.{self.name}"
        found = [*check_url_field(self, subject, self.model, self.url_field)]
        return [*super().check(**kwargs), *found]

    def db_type(self, connection: BaseDatabaseWrapper) -> str | None:
        return self.output_field.db_type(connection) if self.output_field else None


def check_url_field(
    obj: object, subject: str, model: type[models.Model], name: str
) -> Iterator[checks.CheckMessage]:
    """Yield a message if ``name`` is not the name of a URL field.

    Args:
        obj: The object that refers to the field.
        subject: The beginning of the message, such as "URLIndex 'by_host'".
        model: The model of the field.
        name: The name of the field.
    """
    field = _column(model, name)
    if field is not None and is_url_field(field):
        return
    if isinstance(field, (models.CharField, models.TextField)):
        yield checks.Warning(
            f"{subject} refers to {name!r}, which is not a CanonicalURLField. The result is wrong "
            "for text that is not canonical.",
            hint=f"Make {name!r} a CanonicalURLField.",
            obj=obj,
            id="django_whatwg_url.W006",
        )
    else:
        what = (
            "but there is no such column in this table"
            if field is None
            else "which is not a text column"
        )
        yield checks.Error(
            f"{subject} refers to {name!r}, {what}.",
            hint="Use the name of a CanonicalURLField in the same table.",
            obj=obj,
            id="django_whatwg_url.E006",
        )


def _column(model: type[models.Model], name: str) -> Any:
    """Return the field of a column in the model's own table, or None.

    For a foreign key, it is the field that the key refers to, because the column has its values.
    """
    try:
        field: Any = model._meta.get_field(name)
    except FieldDoesNotExist:
        return None
    if field not in model._meta.local_concrete_fields:
        return None
    while field.remote_field:
        field = field.target_field
    return field
