"""Column types for text that is compared by code point, on each database.

`column.checks` reports what a database does not support.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, ClassVar, Final

if TYPE_CHECKING:
    from django.db.backends.base.base import BaseDatabaseWrapper


# For the canonical form of a URL, or for a part of it.
DEFAULT_MAX_LENGTH: Final = 2048


def with_one_index(column_type: str | None, connection: BaseDatabaseWrapper) -> str | None:
    """Return the type of a column for which Django makes one index on PostgreSQL.

    With the collation "C", this index also serves LIKE. For a ``varchar``, Django makes a second
    index of the same size. ``character varying`` is another name of the type.
    """
    if column_type is None or connection.vendor != "postgresql":
        return column_type
    return column_type.replace("varchar", "character varying", 1)


class ASCIIColumn:
    """A mixin for a `CharField` with an ASCII column. ``db_collation`` replaces its collation.

    A field must inherit from it before `CharField`.
    """

    db_collation: str | None
    holds_ascii = True
    # With "ascii_bin", "a" equals "a ". Only MariaDB has a collation without this padding.
    mariadb_type: ClassVar[str] = "CHARACTER SET ascii COLLATE ascii_nopad_bin"
    mysql_type: ClassVar[str] = "CHARACTER SET ascii COLLATE ascii_bin"

    def get_internal_type(self) -> str:
        return "CharField"

    def db_type(self, connection: BaseDatabaseWrapper) -> str | None:
        column_type: str | None = super().db_type(connection)  # type: ignore[misc]  # CharField's
        if column_type is None or self.db_collation or connection.vendor != "mysql":
            return column_type
        # The type includes the collation. When Django makes a column nullable, it repeats only the
        # type, and MySQL would use the collation of the table.
        is_mariadb: bool = connection.mysql_is_mariadb  # type: ignore[attr-defined]
        return f"{column_type} {self.mariadb_type if is_mariadb else self.mysql_type}"

    def db_parameters(self, connection: BaseDatabaseWrapper) -> dict[str, str | None]:
        parameters: dict[str, str | None]
        parameters = super().db_parameters(connection)  # type: ignore[misc]  # CharField's
        default = "C" if connection.vendor == "postgresql" else None
        return parameters | {"collation": self.db_collation or default}


class ExactColumn(ASCIIColumn):
    """A mixin for a `CharField` with any characters, which is compared byte for byte."""

    holds_ascii = False
    mariadb_type: ClassVar[str] = "CHARACTER SET utf8mb4 COLLATE utf8mb4_nopad_bin"
    mysql_type: ClassVar[str] = "CHARACTER SET utf8mb4 COLLATE utf8mb4_0900_bin"
