"""A column type for SQLAlchemy 2: canonical text in the table, a `URLRecord` in Python.

The column is the same as the column of a `CanonicalURLField` in Django, so that both can use one
table.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

import weburl
from weburl import URL, URLParseError, URLRecord
from weburl.integrations.building_blocks import UnparsableURL
from weburl.standard.infra.credentials import masked_value
from weburl.standard.support.releases import required

with required("sqlalchemy>=2"):
    from sqlalchemy import String, TypeDecorator
    from sqlalchemy.dialects.mysql import VARCHAR
    from sqlalchemy.exc import DontWrapMixin
    from sqlalchemy.sql import operators

if TYPE_CHECKING:
    from sqlalchemy.engine import Dialect
    from sqlalchemy.sql.operators import OperatorType
    from sqlalchemy.types import TypeEngine

__all__ = ["CanonicalURL", "URLColumnError", "UnparsableURL"]

DEFAULT_LENGTH: Final = 2048

# In these operations the other side is a whole URL. In all others it is a piece of text.
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
    """Raised for a value that cannot be stored in or compared with a URL column.

    It shows no password. SQLAlchemy would wrap other errors and show all parameters of a statement.
    """


class CanonicalURL(TypeDecorator[URLRecord]):
    """The type of a URL column. All spellings of a URL are stored as the same text.

    It accepts records, `weburl.URL` and text. It returns records, or an `UnparsableURL` if another
    program wrote text that is not a URL. Values that are compared with the column are made
    canonical, too, except for the arguments of ``like()`` and ``startswith()``. Other types, text
    that does not parse, and text that is too long raise `URLColumnError`.

    ``length`` is the maximum length of the canonical text, 2048 by default, or None for no limit.
    It is checked on every database.

    The column contains ASCII and is compared by code point on PostgreSQL, MariaDB, MySQL and
    SQLite. Other databases get their usual text column.

    Spec: #concept-url-serializer
    """

    impl: type[String] = String
    cache_ok: bool | None = True

    def __init__(self, length: int | None = DEFAULT_LENGTH) -> None:
        if length is not None and (type(length) is not int or length < 1):
            raise ValueError(
                f"length must be a positive integer or None, not {masked_value(length)}"
            )
        super().__init__(length)
        self.length: int | None = length

    def __repr__(self) -> str:
        # Alembic writes this into migrations.
        return "CanonicalURL()" if self.length == DEFAULT_LENGTH else f"CanonicalURL({self.length})"

    @property
    def python_type(self) -> type[URLRecord]:
        """`URLRecord`."""
        return URLRecord

    def load_dialect_impl(self, dialect: Dialect) -> TypeEngine[Any]:
        if dialect.name == "postgresql":
            return dialect.type_descriptor(String(self.length, collation="C"))
        if dialect.name in ("mysql", "mariadb"):
            # ascii_bin treats "a" and "a " as equal, but MySQL has no other such collation.
            is_mariadb = getattr(dialect, "is_mariadb", False)
            collation = "ascii_nopad_bin" if is_mariadb else "ascii_bin"
            return dialect.type_descriptor(
                VARCHAR(self.length, charset="ascii", collation=collation)
            )
        return dialect.type_descriptor(String(self.length))

    def coerce_compared_value(self, op: OperatorType | None, value: object) -> TypeEngine[Any]:
        if op not in _COMPARISONS:
            return _Pattern()
        # Check now, because SQLAlchemy would show a value that it cannot write as a literal.
        _to_url(value)
        # A URL that is too long for the column matches no row, which is not an error.
        return _Operand(None)

    def process_bind_param(self, value: object, dialect: Dialect) -> str | None:  # noqa: ARG002
        record = _to_url(value)
        if record is None:
            return None
        text = record.href
        if self.length is not None and len(text) > self.length:
            raise URLColumnError(
                f"the URL has {len(text)} characters in canonical form, but the column allows only"
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
            # As in Django's field, such a row can still be read.
            return UnparsableURL(value, error)  # type: ignore[return-value]

    def compare_values(self, x: object, y: object) -> bool:
        """Return whether two values are stored as the same text, so that no update is needed."""
        try:
            return _to_url(x) == _to_url(y)
        except URLColumnError:
            return x == y


class _Operand(CanonicalURL):
    """The other side of a comparison, which may have any length."""

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
            # MariaDB would raise an error, and other databases would find nothing.
            raise URLColumnError(
                "a piece of a canonical URL must be ASCII: write other characters as in the href"
            )
        return value


class _Hidden(str):
    """Text for a column whose repr shows no password, because SQLAlchemy logs parameters."""

    __slots__ = ()

    def __repr__(self) -> str:
        return repr(weburl.parse(str(self))).removeprefix("URLRecord(").removesuffix(")")


def _to_url(value: object) -> URLRecord | None:
    """Return the record of a value. Raises `URLColumnError` if it is not a URL."""
    if value is None:
        return None
    if isinstance(value, URL | URLRecord):
        # A setter can make a "file:" record that the parser would write differently.
        value = value.href
    if not isinstance(value, str):
        raise URLColumnError(
            f"a URL column accepts text, a URLRecord or None, not {type(value).__name__}"
        )
    try:
        return weburl.parse(str.__str__(value))
    except URLParseError as error:
        raise URLColumnError(str(error)) from error
