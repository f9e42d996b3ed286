"""A generated column that holds a part of a URL. It can be indexed on every database.

MariaDB does not support indexes on expressions. If the model has such a column, ``url__host`` reads
it and uses its index, on every database.
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

    The column is nullable by default.

    Args:
        url_field: The name of the URL field.
        part: "scheme", "username", "host", "hostname", "port", "path", "query", "fragment",
            "origin", or "reversed_host" (for an index that finds subdomains).
        db_persist: Whether the database stores the column. True by default, because PostgreSQL
            before version 18 stores every generated column. SQLite cannot add a stored column to a
            table that has rows.
        max_length: Of the part, 2048 by default. Every database except SQLite refuses a row whose
            part is longer.
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
        if part not in PART_EXPRESSIONS:
            raise ValueError(
                f"{part!r} is not a part of a URL; the parts are {', '.join(PART_EXPRESSIONS)}"
            )
        self.url_field = url_field
        self.part = part
        # Migrations contain only the name of the part, from which both of these follow.
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
        # The system checks compare this with the size that an index entry can have.
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

    def db_type(self, connection: BaseDatabaseWrapper) -> str | None:
        return self.output_field.db_type(connection) if self.output_field else None
