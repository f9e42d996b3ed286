"""A column type for SQLAlchemy 2: canonical text in the table, a `URLRecord` in Python.

The column is the same as that of Django's `CanonicalURLField`, so that both can use one table.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from sqlalchemy import String, TypeDecorator
from sqlalchemy.dialects.mysql import VARCHAR
from sqlalchemy.exc import DontWrapMixin
from sqlalchemy.sql import operators

import weburl
from weburl import URL, URLParseError, URLRecord
from weburl.fields import UnparsableURL

if TYPE_CHECKING:
    from sqlalchemy.engine import Dialect
    from sqlalchemy.sql.operators import OperatorType
    from sqlalchemy.types import TypeEngine

__all__ = ["CanonicalURL", "URLColumnError", "UnparsableURL"]

DEFAULT_LENGTH: Final = 2048

# Of these the other side is a whole URL, of all others a piece of text.
_COMPARISONS: Final = frozenset(
    (
        operators.eq,
        operators.ne,
        operators.lt,
        operators.le,
        operators.gt,
        operators.ge,
        operators.in_op,
        operators.not_in_op,
        operators.between_op,
        operators.not_between_op,
        operators.is_,
        operators.is_not,
        operators.is_distinct_from,
        operators.is_not_distinct_from,
    )
)


class URLColumnError(DontWrapMixin, ValueError):
    """Raised for a value that a URL column cannot hold or be compared with. It shows no password.

    SQLAlchemy would wrap other errors, and show all parameters of the statement.
    """


class CanonicalURL(TypeDecorator[URLRecord]):
    """The type of a column of URLs. All spellings of a URL are stored as the same text.

    Takes records, `weburl.URL` and text, and gives records, or an `UnparsableURL` if another
    program wrote text that is no URL. What is compared with the column is made canonical, too;
    patterns of ``like()`` and what ``startswith()`` takes stay as they are. ``length``: of the
    canonical text, 2048 by default, which is checked on every database; None for no limit. Other
    values, text that does not parse, and text that is too long raise `URLColumnError`.

    The column holds ASCII and is compared by code point on PostgreSQL, MariaDB, MySQL and SQLite.
    Other databases get their usual text column.

    Spec: #concept-url-serializer
    """

    impl: type[String] = String
    cache_ok: bool | None = True

    def __init__(self, length: int | None = DEFAULT_LENGTH) -> None:
        if length is not None and (type(length) is not int or length < 1):
            raise ValueError(f"length must be a positive integer or None, not {length!r}")
        super().__init__(length)
        self.length: int | None = length

    def __repr__(self) -> str:
        # What Alembic writes into migrations.
        return "CanonicalURL()" if self.length == DEFAULT_LENGTH else f"CanonicalURL({self.length})"

    @property
    def python_type(self) -> type[URLRecord]:
        """`URLRecord`."""
        return URLRecord

    def load_dialect_impl(self, dialect: Dialect) -> TypeEngine[Any]:
        if dialect.name == "postgresql":
            return dialect.type_descriptor(String(self.length, collation="C"))
        if dialect.name in ("mysql", "mariadb"):
            # The other one takes "a" and "a " for equal, and MySQL has no other one.
            is_mariadb = getattr(dialect, "is_mariadb", False)
            collation = "ascii_nopad_bin" if is_mariadb else "ascii_bin"
            return dialect.type_descriptor(
                VARCHAR(self.length, charset="ascii", collation=collation)
            )
        return dialect.type_descriptor(String(self.length))

    def coerce_compared_value(self, op: OperatorType | None, value: object) -> TypeEngine[Any]:
        if op not in _COMPARISONS:
            return _Pattern()
        # Now, since SQLAlchemy shows what cannot be written into the SQL as a literal.
        _to_url(value)
        # A URL that is too long for the column is equal to none in it, which is no error.
        return _Operand(None)

    def process_bind_param(self, value: object, dialect: Dialect) -> str | None:  # noqa: ARG002
        record = _to_url(value)
        if record is None:
            return None
        text = record.href
        if self.length is not None and len(text) > self.length:
            raise URLColumnError(
                f"the URL has {len(text)} characters in canonical form, and the column takes"
                f" {self.length}"
            )
        return _Hidden(text) if "@" in text else text

    def process_literal_param(self, value: object, dialect: Dialect) -> str:
        text = self.process_bind_param(value, dialect)
        assert text is not None  # SQLAlchemy itself writes NULL.
        return text

    def process_result_value(
        self,
        value: str | None,
        dialect: Dialect,  # noqa: ARG002
    ) -> URLRecord | None:
        if value is None:
            return None
        try:
            return weburl.parse(value)
        except URLParseError as error:
            # As with Django's field: such a row stays readable.
            return UnparsableURL(value, error)  # type: ignore[return-value]

    def compare_values(self, x: object, y: object) -> bool:
        """Return whether two values are stored as the same text, so that nothing is to update."""
        try:
            return _to_url(x) == _to_url(y)
        except URLColumnError:
            return x == y


class _Operand(CanonicalURL):
    """The other side of a comparison, which may be of any length."""

    cache_ok = True


class _Pattern(TypeDecorator[str]):
    """Text that is a piece of a URL or a pattern for one."""

    impl = String
    cache_ok = True

    def process_bind_param(self, value: object, dialect: Dialect) -> str | None:  # noqa: ARG002
        if value is None:
            return None
        if isinstance(value, URL | URLRecord):
            value = value.href
        if not isinstance(value, str) or not value.isascii():
            # MariaDB would raise an error, and the others would find nothing.
            raise URLColumnError(
                "a piece of a canonical URL is ASCII text: write other characters as in the href"
            )
        return value


class _Hidden(str):
    """Text on its way to a column, which shows no password where SQLAlchemy shows parameters."""

    __slots__ = ()

    def __repr__(self) -> str:
        return repr(weburl.parse(str(self))).removeprefix("URLRecord(").removesuffix(")")


def _to_url(value: object) -> URLRecord | None:
    """Return the record of a value. Raises `URLColumnError` for one that is no URL."""
    if value is None:
        return None
    if isinstance(value, URL | URLRecord):
        # A setter can make a record of "file:" that the parser would write in another way.
        value = value.href
    if not isinstance(value, str):
        raise URLColumnError(
            f"a URL column takes text, a URLRecord or None, not {type(value).__name__}"
        )
    try:
        return weburl.parse(str.__str__(value))
    except URLParseError as error:
        raise URLColumnError(str(error)) from error
