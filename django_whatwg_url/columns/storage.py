"""The type of a column for ASCII text that is compared by code point, on each database.

The fields decide what is stored, and `checks` says what a database cannot do. `ASCIIColumn` gives a
field such a column.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from django.db.backends.base.base import BaseDatabaseWrapper


# Of a URL, and of what is a piece of one, in its canonical form.
DEFAULT_MAX_LENGTH: Final = 2048


def ascii_type(column_type: str, connection: BaseDatabaseWrapper) -> str:
    """Return the type of an ASCII column; ``column_type`` is that of Django's CharField."""
    if connection.vendor == "mysql":
        # As a part of the type: Django repeats the type, but not the collation, when it
        # makes a column nullable, and MySQL would then fall back to the table's.
        return f"{column_type} CHARACTER SET ascii COLLATE {mysql_collation(connection)}"
    if connection.vendor == "postgresql":
        # The same type, by the name for which Django makes no second index, "…_like". In the
        # collation "C" the first serves LIKE too, and one index is half the work.
        return column_type.replace("varchar", "character varying", 1)
    return column_type


def mysql_collation(connection: BaseDatabaseWrapper) -> str:
    """Return the collation of an ASCII column on MariaDB or MySQL."""
    # The other one takes "a" and "a " for equal, and MySQL has no other one.
    is_mariadb: bool = connection.mysql_is_mariadb  # type: ignore[attr-defined]
    return "ascii_nopad_bin" if is_mariadb else "ascii_bin"


def ascii_collation(connection: BaseDatabaseWrapper) -> str | None:
    """Return the collation of an ASCII column, None where it is the default or in the type."""
    return "C" if connection.vendor == "postgresql" else None


class ASCIIColumn:
    """What a `CharField` inherits from first, for an ASCII column, or one of ``db_collation``."""

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
