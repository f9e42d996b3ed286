"""An index on a part of a URL column, for ``Meta.indexes``."""

from __future__ import annotations

from hashlib import md5
from typing import TYPE_CHECKING, Any

from django.core.exceptions import FieldDoesNotExist
from django.db import models

from django_whatwg_url.functions import part_expression

if TYPE_CHECKING:
    from collections.abc import Sequence

    from django.db.models import Q

__all__ = ["URLIndex"]


class URLIndex(models.Index):
    """An index on one part of a URL, for databases that support indexes on expressions.

    These are SQLite, PostgreSQL and MySQL. On MariaDB, Django skips the index, and a system check
    warns. `GeneratedURLPartField` works on all four.

    Args:
        url_field: The name of the URL field.
        part: "scheme", "username", "host", "hostname", "port", "path", "query", "fragment",
            "origin", or "reversed_host" (for ``url__host__under``).
        name: The name of the index. By default, it is made from the names of the table, the field
            and the part.
        condition: As in Django's Index. It requires a name.
        include: As in Django's Index. It requires a name.
        db_tablespace: As in Django's Index.

    Raises:
        ValueError: ``part`` is not one of these parts, or a required name is missing.
    """

    def __init__(
        self,
        url_field: str,
        *,
        part: str,
        name: str | None = None,
        condition: Q | None = None,
        include: Sequence[str] | None = None,
        db_tablespace: str | None = None,
    ) -> None:
        expression = part_expression(part)
        if name is None and (condition or include):
            raise ValueError("An index must be named to use condition or include.")
        self.url_field = url_field
        self.part = part
        super().__init__(
            expression(url_field),
            name=name or "later",  # Django requires one. set_name_with_model() replaces it.
            condition=condition,
            include=None if include is None else list(include),
            db_tablespace=db_tablespace,
        )
        self.name: str = name or ""

    def deconstruct(self) -> tuple[str, Sequence[Any], dict[str, Any]]:
        path, _expressions, kwargs = super().deconstruct()
        return path, (self.url_field,), {"part": self.part, **kwargs}

    def set_name_with_model(self, model: type[models.Model]) -> None:
        """Set a name of at most 30 characters, made from the table, the field and the part."""
        options: Any = model._meta
        table = options.db_table.rpartition('"."')[2].strip('"')
        try:
            column: str = options.get_field(self.url_field).column
        except FieldDoesNotExist:
            column = self.url_field  # A system check reports the missing field.
        named = f"{table}{column}{self.part}{self.suffix}".encode()
        digest = md5(named, usedforsecurity=False).hexdigest()[:6]  # As in Django's names.
        self.name = f"{table[:8]}_{column[:4]}_{self.part[:5]}_{digest}_{self.suffix}"
        if self.name[0] == "_" or self.name[0].isdigit():
            self.name = f"D{self.name[1:]}"
