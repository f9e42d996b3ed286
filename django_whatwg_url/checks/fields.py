"""System checks of the model field: options that contradict each other, or that no URL can meet.

The field calls `check_field`. This module registers nothing with Django.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import TYPE_CHECKING, Any, Final, Protocol

import attrs
from django.apps import apps
from django.core import checks
from django.core.exceptions import FieldDoesNotExist
from django.db import connections, models, router
from django.utils.choices import flatten_choices

from django_whatwg_url.checks.collations import check_collation
from django_whatwg_url.storage.values import to_url
from weburl import URLRecord

if TYPE_CHECKING:
    from django.db.models.options import Options

# InnoDB's limit for the columns of an index together.
_MYSQL_INDEX_BYTES: Final = 3072
# PostgreSQL's limit for an entry of a B-tree. The entry has a header, and each text has a length.
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


class IndexedField(Protocol):
    """The attributes of a field that describe its column."""

    model: Any
    name: Any


class CheckedField(IndexedField, Protocol):
    """The same for a URL field, with its options."""

    blank: Any
    null: Any
    default: Any
    db_default: Any
    choices: Any
    as_text: Any
    allowed_schemes: Any
    db_collation: Any
    max_length: Any

    @property
    def no_url(self) -> str | None: ...


def check_field(
    field: CheckedField,
    found: list[checks.CheckMessage],
    databases: Sequence[str] | None,
) -> list[checks.CheckMessage]:
    """Return the messages about ``field``: those of CharField in ``found``, and those about URLs.

    ``databases``: the aliases of the databases to query. With None, no database is queried.
    """
    messages = check_indexes(field, found, databases)
    messages += [*_check_blank(field), *_check_defaults(field)]
    messages += check_collation(field, field.db_collation, databases)
    if not {"fields.E004", "fields.E005"} & {message.id for message in found}:
        # With one of these errors, the choices may not be pairs.
        messages += _check_choices(field)
    return messages


def check_indexes(
    field: IndexedField, found: list[checks.CheckMessage], databases: Sequence[str] | None
) -> list[checks.CheckMessage]:
    """Return ``found``, with our messages about the indexes of the column instead of Django's."""
    # Django's check ignores that MySQL's limit is in bytes and depends on the collation.
    messages = [message for message in found if message.id != "mysql.W003"]
    for alias in databases or ():
        if router.allow_migrate_model(alias, field.model):
            connection = connections[alias]
            if connection.vendor == "mysql":
                messages += _check_mysql_indexes(field, connection)
            elif connection.vendor == "postgresql":
                messages += _check_postgresql_indexes(field)
                messages += _check_operator_classes(field)
    return messages


def _check_blank(field: CheckedField) -> Iterator[checks.CheckMessage]:
    if field.blank and not field.null and not field.as_text:
        yield checks.Warning(
            "blank=True allows this field to be empty, but it can store an empty value only with "
            "null=True.",
            hint=(
                "An empty string is not a URL, so this field stores NULL for it. Write "
                f"{field.name} = {type(field).__name__}(…, null=True, blank=True), or remove "
                "blank=True."
            ),
            obj=field,
            id="django_whatwg_url.W001",
        )


def _check_defaults(field: CheckedField) -> Iterator[checks.CheckMessage]:
    for option in ("default", "db_default"):
        default = getattr(field, option)
        if not isinstance(default, (str, URLRecord)) or default == field.no_url:
            continue  # There is no value, or it is a callable or an expression.
        url = to_url(default)
        if isinstance(url, URLRecord):
            yield from _check_scheme(field, f"{option}={str(default)!r}", url)
            yield from _check_length(field, option, len(url.href))
        elif url is not None or not field.null:
            reason = "an empty string is not a URL" if url is None else url.error.reason
            yield checks.Error(
                f"{option}={default!r} cannot be stored: {reason}",
                hint="Set it to a URL, or remove it.",
                obj=field,
                id="django_whatwg_url.E001",
            )


def _check_length(field: CheckedField, option: str, length: int) -> Iterator[checks.CheckMessage]:
    if field.max_length is not None and length > field.max_length:
        yield checks.Error(
            f"{option} cannot be stored: its canonical form has {length} characters, but "
            f"max_length is {field.max_length}.",
            hint="Set a greater max_length, or use another URL.",
            obj=field,
            id="django_whatwg_url.E001",
        )


def _check_choices(field: CheckedField) -> Iterator[checks.CheckMessage]:
    choices: Any = field.choices
    pairs: Iterable[tuple[Any, Any]] = flatten_choices(choices)
    for key, _label in pairs:
        if key in (None, ""):
            continue
        url = to_url(key)
        expected = url.href if isinstance(url, URLRecord) else None
        if key != expected:
            yield checks.Error(
                f"'choices' contains {str(key)!r}, which is not a URL in canonical form.",
                hint=f"Write {expected!r}." if expected else "Write a URL.",
                obj=field,
                id="django_whatwg_url.E002",
            )
        elif isinstance(url, URLRecord):
            yield from _check_scheme(field, f"choice {key!r}", url)


def _check_scheme(
    field: CheckedField, subject: str, url: URLRecord
) -> Iterator[checks.CheckMessage]:
    if field.allowed_schemes is not None and url.scheme not in field.allowed_schemes:
        yield checks.Warning(
            f"The scheme of {subject} is not in allowed_schemes, so full_clean() and forms refuse "
            "it.",
            hint=f"Add {url.scheme!r} to allowed_schemes, or use another URL.",
            obj=field,
            id="django_whatwg_url.W002",
        )


def _check_mysql_indexes(field: IndexedField, connection: Any) -> Iterator[checks.CheckMessage]:
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


def _check_postgresql_indexes(field: IndexedField) -> Iterator[checks.CheckMessage]:
    for index in _indexes_led_by(field):
        # Included columns are stored in the same entry, so they count.
        columns = [*index.columns, *index.included]
        texts = list(filter(_holds_ascii, columns))
        lengths = [column.max_length for column in texts]
        overhead = _POSTGRESQL_HEADER_BYTES + _POSTGRESQL_LENGTH_BYTES * len(texts)
        room = _POSTGRESQL_INDEX_BYTES - overhead
        if None in lengths or sum(lengths) > room:
            yield checks.Warning(
                f"The index on {_names(columns)} has room for {room} characters of URLs and "
                "domains, but the fields allow more: PostgreSQL may refuse a row.",
                hint=(
                    f"Set max_length to at most {room // len(texts)}, or index fewer columns. "
                    "Some long URLs may still fit, because PostgreSQL compresses repeated text."
                ),
                obj=field,
                id="django_whatwg_url.W003",
            )


def _check_operator_classes(field: IndexedField) -> Iterator[checks.CheckMessage]:
    if apps.is_installed("django.contrib.postgres"):
        return
    for index in (*field.model._meta.indexes, *field.model._meta.constraints):
        expressions = [
            part for whole in getattr(index, "expressions", ()) for part in _parts(whole)
        ]
        # Compare by name, because importing the class requires a PostgreSQL driver.
        if any(_is_operator_class(part) for part in expressions) and any(
            isinstance(part, models.F) and getattr(part, "name", None) == field.name
            for part in expressions
        ):
            yield checks.Error(
                f"'{index.name}' uses an operator class, which needs 'django.contrib.postgres' "
                "in INSTALLED_APPS. Without it, the SQL of the index is a syntax error.",
                hint="Add 'django.contrib.postgres' to INSTALLED_APPS.",
                obj=field,
                id="django_whatwg_url.E003",
            )


def _parts(expression: Any) -> Iterator[Any]:
    """Yield an expression of an index and all expressions inside it."""
    if isinstance(expression, tuple):
        expression = expression[0]  # An exclusion constraint has pairs with an operator.
    yield from expression.flatten() if hasattr(expression, "flatten") else (expression,)


def _is_operator_class(expression: object) -> bool:
    kind = type(expression)
    return (kind.__module__, kind.__name__) == ("django.contrib.postgres.indexes", "OpClass")


def _indexes_led_by(field: Any) -> Iterator[_Index]:
    """Yield each index in which ``field`` is the first ASCII column, so each is reported once."""
    for index in _indexes_of(field.model._meta):
        if next(filter(_holds_ascii, [*index.columns, *index.included]), None) is field:
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
    unique: Iterable[Any] = filter(_is_unique_constraint, options.constraints)
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


def _is_unique_constraint(constraint: models.BaseConstraint) -> bool:
    return isinstance(constraint, models.UniqueConstraint)


def _referred_to(column: Any) -> Any:
    """Return the field that defines the type of a foreign key's column, or ``column`` itself."""
    while column.remote_field:
        column = column.target_field
    return column


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
