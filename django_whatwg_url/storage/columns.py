"""Column types for text that is compared by code point, on each database.

`storage.checks` reports what a database does not support.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from django.db.backends.base.base import BaseDatabaseWrapper


# For the canonical form of a URL, or for a part of it.
DEFAULT_MAX_LENGTH: Final = 2048


def ascii_type(column_type: str, connection: BaseDatabaseWrapper) -> str:
    """Return the type of an ASCII column. ``column_type``: the type of Django's CharField."""
    if connection.vendor == "mysql":
        # The type includes the collation. When Django makes a column nullable, it repeats only the
        # type, and MySQL would use the collation of the table.
        return f"{column_type} CHARACTER SET ascii COLLATE {mysql_collation(connection)}"
    return column_type


def mysql_collation(connection: BaseDatabaseWrapper) -> str:
    """Return the collation of an ASCII column on MariaDB or MySQL."""
    # With "ascii_bin", "a" equals "a ". Only MariaDB has a collation without this padding.
    is_mariadb: bool = connection.mysql_is_mariadb  # type: ignore[attr-defined]
    return "ascii_nopad_bin" if is_mariadb else "ascii_bin"


def ascii_collation(connection: BaseDatabaseWrapper) -> str | None:
    """Return the collation of an ASCII column, or None if the type or the default includes it."""
    return "C" if connection.vendor == "postgresql" else None


class ASCIIColumn:
    """A mixin for a `CharField` with an ASCII column. ``db_collation`` replaces its collation.

    A field must inherit from it before `CharField`.
    """

    db_collation: str | None
    holds_ascii = True

    def get_internal_type(self) -> str:
        return "CharField"

    def db_type(self, connection: BaseDatabaseWrapper) -> str | None:
        column_type: str | None = super().db_type(connection)  # type: ignore[misc]  # CharField's
        if column_type is None or self.db_collation:
            return column_type
        return ascii_type(column_type, connection)

    def db_parameters(self, connection: BaseDatabaseWrapper) -> dict[str, str | None]:
        parameters: dict[str, str | None]
        parameters = super().db_parameters(connection)  # type: ignore[misc]  # CharField's
        return parameters | {"collation": self.db_collation or ascii_collation(connection)}


class ExactColumn(ASCIIColumn):
    """A mixin for a `CharField` with text in any characters, which is compared byte for byte."""

    holds_ascii = False

    def db_type(self, connection: BaseDatabaseWrapper) -> str | None:
        if connection.vendor != "mysql" or self.db_collation:
            return super().db_type(connection)
        # Skip ASCIIColumn, and call CharField.
        column_type: str | None = super(ASCIIColumn, self).db_type(connection)  # type: ignore[misc]
        if column_type is None:
            return None
        is_mariadb: bool = connection.mysql_is_mariadb  # type: ignore[attr-defined]
        # Only with these collations is "a" not equal to "a ".
        collation = "utf8mb4_nopad_bin" if is_mariadb else "utf8mb4_0900_bin"
        return f"{column_type} CHARACTER SET utf8mb4 COLLATE {collation}"
