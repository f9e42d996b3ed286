"""System checks of columns: indexes that a database does not support, and collations.

The fields call them. Nothing is registered with Django.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import TYPE_CHECKING, Any, Final

import attrs
from django.core import checks
from django.core.exceptions import FieldDoesNotExist
from django.db import DatabaseError, connections, models, router, transaction

if TYPE_CHECKING:
    from django.db.models.options import Options

# InnoDB's limit for all columns of an index.
_MYSQL_INDEX_BYTES: Final = 3072
# PostgreSQL's limit for a B-tree entry, which also contains a header and the length of each text.
_POSTGRESQL_INDEX_BYTES: Final = 2704
_POSTGRESQL_HEADER_BYTES: Final = 8
_POSTGRESQL_LENGTH_BYTES: Final = 4
# A column without a length is a number or a date.
_BYTES_OF_A_NUMBER: Final = 8
_MOST_BYTES_OF_A_CHARACTER: Final = 4
# PostgreSQL's other kinds of index have different limits, or no limit.
_B_TREE_SUFFIXES: Final = ("idx", "btree")
_ONE_BYTE_CHARACTER_SETS: Final = ("ascii_", "latin1_")


@attrs.frozen
class _Index:
    """The fields of an index, and the fields that are included in it."""

    columns: list[Any]
    included: list[Any]
    unique: bool


def check_indexes(
    field: Any, found: list[checks.CheckMessage], databases: Sequence[str] | None
) -> list[checks.CheckMessage]:
    """Return ``found``, with our messages about the indexes of the column instead of Django's."""
    # MySQL's limit is in bytes and depends on the collation, which Django's check ignores.
    messages = [message for message in found if message.id != "mysql.W003"]
    for alias in databases or ():
        if router.allow_migrate_model(alias, field.model):
            connection = connections[alias]
            if connection.vendor == "mysql":
                messages += _check_mysql_indexes(field, connection)
            elif connection.vendor == "postgresql":
                messages += _check_postgresql_indexes(field)
    return messages


def _check_mysql_indexes(field: Any, connection: Any) -> Iterator[checks.CheckMessage]:
    for index in _indexes_led_by(field):
        # These databases do not support included columns, so Django leaves them out.
        columns, is_maria = index.columns, connection.mysql_is_mariadb
        size = sum(map(_mysql_bytes, columns))
        if size <= _MYSQL_INDEX_BYTES:
            continue
        certain = sum(map(_least_mysql_bytes, columns)) > _MYSQL_INDEX_BYTES
        told = (
            f"The index on {_names(columns)} may be {size} bytes long, but "
            f"{connection.display_name} allows only {_MYSQL_INDEX_BYTES}."
        )
        advice = "Set a smaller max_length, or index fewer columns."
        if certain and not (is_maria and (index.unique or len(columns) == 1)):
            yield checks.Error(
                told,
                hint=f"The migration would fail. {advice}",
                obj=field,
                id="django_whatwg_url.E005",
            )
        else:
            yield checks.Warning(
                told,
                hint=(
                    "MySQL refuses such an index. MariaDB shortens it, or makes a unique index a "
                    f"hash, which does not work for ranges, prefixes and sorting. {advice}"
                ),
                obj=field,
                id="django_whatwg_url.W003",
            )


def _check_postgresql_indexes(field: Any) -> Iterator[checks.CheckMessage]:
    for index in _indexes_led_by(field):
        # Included columns are stored in the same entry, so they count too.
        columns = [*index.columns, *index.included]
        texts = list(filter(_is_ours, columns))
        sizes = [1 if _holds_ascii(column) else _MOST_BYTES_OF_A_CHARACTER for column in texts]
        overhead = _POSTGRESQL_HEADER_BYTES + _POSTGRESQL_LENGTH_BYTES * len(texts)
        room = _POSTGRESQL_INDEX_BYTES - overhead
        if any(column.max_length is None for column in texts) or room < sum(
            column.max_length * size for column, size in zip(texts, sizes, strict=True)
        ):
            yield checks.Warning(
                f"The index on {_names(columns)} has room for {room} bytes of URLs and domains, "
                "but the fields allow more: PostgreSQL may refuse a row.",
                hint=(
                    f"Set max_length to at most {room // sum(sizes)}, or index fewer columns. "
                    "Some long URLs may still fit, because PostgreSQL compresses repeated text."
                ),
                obj=field,
                id="django_whatwg_url.W003",
            )


def _indexes_led_by(field: Any) -> Iterator[_Index]:
    """Yield each index whose first column of ours is ``field``, so that each is reported once."""
    for index in _indexes_of(field.model._meta):
        columns = [*index.columns, *index.included]
        # Django's own checks report another kind of length.
        has_lengths = all(isinstance(each.max_length, int | None) for each in columns)
        if has_lengths and next(filter(_is_ours, columns), None) is field:
            yield index


def _indexes_of(options: Options[Any]) -> Iterator[_Index]:
    """Yield each index of a model that consists of columns."""
    fields: Iterable[Any] = options.local_concrete_fields
    indexed: list[tuple[Sequence[str], Sequence[str], bool]] = [
        ((field.name,), (), field.unique) for field in fields if field.unique or field.db_index
    ]
    indexed += [(names, (), True) for names in options.unique_together]
    indexed += [
        ([name for name, _order in index.fields_orders], index.include, False)
        for index in options.indexes
        if index.suffix in _B_TREE_SUFFIXES
    ]
    unique: list[Any] = [
        each for each in options.constraints if isinstance(each, models.UniqueConstraint)
    ]
    indexed += [(constraint.fields, constraint.include, True) for constraint in unique]
    for names, included, is_unique in indexed:
        try:
            columns, others = (
                [_referred_to(options.get_field(name)) for name in some]
                for some in (names, included)
            )
        except FieldDoesNotExist:
            continue  # Django's own checks report the missing field.
        yield _Index(columns, others, is_unique)


def _referred_to(column: Any) -> Any:
    """Return the field that a foreign key refers to, which defines its type, or ``column``."""
    while column.remote_field:
        column = column.target_field
    return column


def _is_ours(column: object) -> bool:
    return hasattr(column, "holds_ascii")


def _holds_ascii(column: object) -> bool:
    return getattr(column, "holds_ascii", False)


def _mysql_bytes(column: Any) -> int:
    if column.max_length is None:
        return _BYTES_OF_A_NUMBER
    collation = getattr(column, "db_collation", None) or (
        "ascii_bin" if _holds_ascii(column) else ""
    )
    one_byte = collation.startswith(_ONE_BYTE_CHARACTER_SETS)
    return int(column.max_length) * (1 if one_byte else _MOST_BYTES_OF_A_CHARACTER)


def _least_mysql_bytes(column: Any) -> int:
    # MariaDB has a type for UUIDs, and numbers and dates have various sizes. Assume the smallest.
    is_number = column.max_length is None or isinstance(column, models.UUIDField)
    return 1 if is_number else _mysql_bytes(column)


def _names(columns: Iterable[Any]) -> str:
    return ", ".join(f"'{column.name}'" for column in columns)


def check_collation(
    field: Any, collation: str | None, databases: Iterable[str] | None
) -> list[checks.CheckMessage]:
    """Yield a warning for each database in which the collation ignores letter case.

    The database itself compares two strings. A collation that does not exist is skipped, because a
    migration may create it. ``databases``: the aliases of the databases to query. With None, no
    database is queried.
    """
    if not collation:
        return []
    return [
        checks.Warning(
            f"The collation {collation!r} of {connections[alias].display_name} ignores letter "
            "case, so https://example.com/A and https://example.com/a are the same URL to it.",
            hint=(
                "Remove db_collation. Every database then compares the column by code point. For "
                "searches that ignore letter case, use iexact, icontains or holds."
            ),
            obj=field,
            id="django_whatwg_url.W005",
        )
        for alias in databases or ()
        if router.allow_migrate_model(alias, field.model) and _ignores_case(collation, alias)
    ]


def _ignores_case(collation: str, alias: str) -> bool:
    connection = connections[alias]
    quoted = connection.ops.quote_name(collation)
    small, large = "'a'", "'A'"
    if connection.vendor == "mysql":
        # A literal has the character set of the connection, which may not fit the collation.
        names = _character_sets(collation)
        small, large = (f"CONVERT({text} USING {names})" for text in (small, large))
    try:
        # Use a separate transaction, so that a failure of this statement has no other effect.
        with transaction.atomic(alias), connection.cursor() as cursor:
            cursor.execute(f"SELECT {small} = {large} COLLATE {quoted}")
            return bool(cursor.fetchone()[0])
    except DatabaseError:
        return False


def _character_sets(collation: str) -> str:
    """Return the character set of a collation of MariaDB or MySQL, from the start of its name."""
    name = collation.partition("_")[0]
    # Some of MariaDB's collations are for every character set, such as uca1400_ai_ci.
    return "utf8mb4" if name.startswith("uca") or not name.isidentifier() else name
