"""All the SQL: pages by key, rows under lock, and statements that write many rows.

Values are the values of the database, without the conversions of fields. So text is never changed,
whatever field the column has. No statement appears in Django's query log, because URLs may contain
passwords.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import Any, Final

from django.db import connections, models, transaction
from django.db.models import Q

# CASE compares a row with each key, so the time of a statement is quadratic in this number.
_ROWS_OF_A_CASE: Final = 200
_CHARACTERS_OF_A_STATEMENT: Final = 1_000_000
_TEXT_TYPES: Final = ("varchar", "character varying", "char", "text")
_KEY_TYPES: Final = (int, str, bytes)

Key = Any
Record = tuple[Any, ...]


def key_of(value: Any) -> Key:
    """Return a key as a value that can be compared, stored, and used in another query."""
    return value if isinstance(value, _KEY_TYPES) else str(value)


def key_fields(model: Any) -> list[Any]:
    """Return the fields of the primary key of a model. There may be several."""
    return [*(getattr(model._meta, "pk_fields", None) or [model._meta.pk])]


class Table:
    """A table, and the column that identifies its rows: the primary key, or a foreign key.

    If the primary key has several columns, it is the first of them.
    """

    def __init__(self, model: type[models.Model], alias: str, key: Any = None) -> None:
        self.model = model
        self.alias = alias
        self.connection: Any = connections[alias]
        self.vendor: str = self.connection.vendor
        self._key_field: Any = key_fields(model)[0] if key is None else key
        self.name: str = self._quoted(model._meta.db_table)
        self.key: str = self._quoted(self._key_field.column)

    def _quoted(self, name: str | None) -> str:
        quoted: str = self.connection.ops.quote_name(name)
        return quoted

    @contextmanager
    def _cursor(self) -> Iterator[Any]:
        # With DEBUG, connection.cursor() would log and keep every value.
        self.connection.ensure_connection()
        self.connection.validate_no_broken_transaction()
        with self.connection.wrap_database_errors:
            raw = self.connection.create_cursor()
        with self.connection.make_cursor(raw) as cursor:
            yield cursor

    def fetch(self, sql: str, params: Sequence[Any] | None = None) -> list[Record]:
        """Return all rows of a query whose first column is a key."""
        with self._cursor() as cursor:
            cursor.execute(sql, params)
            return [(key_of(row[0]), *row[1:]) for row in cursor.fetchall()]

    def execute(self, sql: str, params: Sequence[Any] | None = None) -> int:
        """Run a statement and return how many rows it changed."""
        with self._cursor() as cursor:
            cursor.execute(sql, params)
            return int(cursor.rowcount)

    @contextmanager
    def transaction(self) -> Iterator[None]:
        """Open a transaction that may write, or a savepoint within one."""
        with transaction.atomic(using=self.alias):
            if self.vendor == "sqlite":
                # On SQLite, take the write lock first. A transaction that has already read may
                # never get it.
                self.execute(f"UPDATE {self.name} SET {self.key} = {self.key} WHERE 1 = 0")
            yield

    def check_constraints(self) -> None:
        """Check deferred constraints now, if the database supports that."""
        if self.vendor == "postgresql":
            self.connection.check_constraints()

    # Reading.

    def unique_columns(self) -> set[frozenset[str]]:
        """Return the columns of each unique index, including the primary key."""
        with self._cursor() as cursor:
            found = self.connection.introspection.get_constraints(cursor, self.model._meta.db_table)
        return {
            frozenset(index["columns"])
            for index in found.values()
            if index["unique"] or index["primary_key"]
        }

    def pages(self, columns: Sequence[str], size: int) -> Iterator[list[Record]]:
        """Yield pages of ``size`` rows, in the order of their keys: the key, then ``columns``."""
        sql = f"SELECT {self._names(columns)} FROM {self.name}"
        order = f" ORDER BY {self.key} LIMIT {size}"
        page = self.fetch(sql + order)
        while page:
            yield page
            if len(page) < size:
                return
            page = self.fetch(f"{sql} WHERE {self.key} > %s{order}", [page[-1][0]])

    def rows(
        self,
        keys: Iterable[Key],
        columns: Sequence[str],
        *,
        lock: bool = False,
        refuse_references: bool = False,
    ) -> dict[Key, Record]:
        """Return rows by their keys, with only ``columns``.

        ``lock``: whether to lock them until the transaction ends. ``refuse_references``: whether
        other transactions that add references to these rows must wait until then.
        """
        found: dict[Key, Record] = {}
        suffix = self._lock(refuse_references=refuse_references) if lock else ""
        sql = f"SELECT {self._names(columns)} FROM {self.name} WHERE "
        for some in self._chunks(sorted(set(keys), key=lambda key: (str(type(key)), key))):
            where, params = self._is_one_of(self._key_field, some)
            order = f" ORDER BY {self.key}" if lock else ""
            found |= {row[0]: row[1:] for row in self.fetch(sql + where + order + suffix, params)}
        return found

    def matching(
        self, columns: Sequence[str], fields: Mapping[Any, Iterable[Any]]
    ) -> Iterator[Record]:
        """Yield the rows in which every field of ``fields`` has one of the given values."""
        (first, values), *others = fields.items()
        sql = f"SELECT {self._names(columns)} FROM {self.name} WHERE "
        for some in self._chunks(sorted(set(values)), len(others) + 1):
            wheres, params = [], []
            for field, wanted in ((first, some), *others):
                chosen = list(set(wanted))
                if field is not first and len(chosen) > self._most(len(others) + 1):
                    continue  # The caller compares the rows too, so it may get more of them.
                where, more = self._is_one_of(field, chosen)
                wheres.append(where)
                params += more
            yield from self.fetch(sql + " AND ".join(wheres), params)

    def exact_rows(self, columns: Sequence[str], keys: Sequence[Key]) -> dict[str, dict[str, Any]]:
        """Return rows by ``str()`` of their keys, each with ``columns`` as `exact` returns them."""
        found: dict[str, dict[str, Any]] = {}
        for some in self._chunks(keys):
            where, params = self._is_one_of(self._key_field, some)
            found |= {str(key): row for key, row in self._exact(columns, where, params)}
        return found

    def exact(self, columns: Sequence[str], values: Mapping[str, Any]) -> list[dict[str, Any]]:
        """Return the rows in which each column of ``values`` has this value.

        The values of ``columns`` are in a form that can be stored again without any change,
        whatever the type of the column is.
        """
        return [row for _key, row in self._exact(columns, *self._equal(values))]

    def _exact(
        self, columns: Sequence[str], where: str, params: Sequence[Any]
    ) -> Iterator[tuple[Key, dict[str, Any]]]:
        # SQLite's driver does not convert the value of an expression to the type of a column.
        exactly = {"postgresql": "{}::text", "sqlite": "+{}"}.get(self.vendor, "{}")
        names = ", ".join([self.key, *(exactly.format(self._quoted(each)) for each in columns)])
        for row in self.fetch(f"SELECT {names} FROM {self.name} WHERE {where}", params):
            yield row[0], dict(zip(columns, row[1:], strict=True))

    def satisfying(self, condition: Q, keys: Iterable[Key]) -> set[Key]:
        """Return which of ``keys`` have a row that meets the condition of a constraint."""
        rows: Any = models.QuerySet(self.model).using(self.alias).filter(condition)
        compiler = rows.order_by().values("pk").query.get_compiler(using=self.alias)
        inner, inner_params = compiler.as_sql()
        found: set[Key] = set()
        for some in self._chunks(list(keys)):
            where, params = self._is_one_of(self._key_field, some)
            sql = f"SELECT {self.key} FROM {self.name} WHERE {where} AND {self.key} IN ({inner})"
            found |= {row[0] for row in self.fetch(sql, [*params, *inner_params])}
        return found

    # Writing.

    def write(
        self,
        fields: Sequence[Any],
        rows: Sequence[Record],
        where: str = "",
        where_params: Sequence[Any] = (),
    ) -> int:
        """Write ``fields`` in rows, and return how many rows there were.

        ``rows``: each with its key, then the values of the fields. ``where``: an additional
        condition, in SQL.
        """
        if not rows:
            return 0
        and_where = f" AND {where}" if where else ""
        if self.vendor == "postgresql":
            return self._write_unnested(fields, rows, and_where, where_params)
        if self.vendor == "sqlite":
            sets = ", ".join(f"{self._quoted(field.column)} = %s" for field in fields)
            sql = f"UPDATE {self.name} SET {sets} WHERE {self.key} = %s{and_where}"
            with self._cursor() as cursor:
                cursor.executemany(sql, [(*row[1:], row[0], *where_params) for row in rows])
                return int(cursor.rowcount)
        return sum(
            self._write_cases(
                fields, rows[start : start + _ROWS_OF_A_CASE], and_where, where_params
            )
            for start in range(0, len(rows), _ROWS_OF_A_CASE)
        )

    def _write_unnested(
        self, fields: Sequence[Any], rows: Sequence[Record], where: str, params: Sequence[Any]
    ) -> int:
        columns = [self._key_field, *fields]
        names = [f"v{number}" for number in range(len(columns))]
        arrays = ", ".join(f"%s::{self._type(column)}[]" for column in columns)
        sets = ", ".join(
            f"{self._quoted(field.column)} = v.{name}"
            for field, name in zip(fields, names[1:], strict=True)
        )
        sql = (
            f"UPDATE {self.name} SET {sets} FROM unnest({arrays}) AS v({', '.join(names)}) "
            f"WHERE {self.name}.{self.key} = v.v0{where}"
        )
        lists = [list(values) for values in zip(*rows, strict=True)]
        return self.execute(sql, [*lists, *params])

    def _write_cases(
        self, fields: Sequence[Any], rows: Sequence[Record], where: str, params: Sequence[Any]
    ) -> int:
        whens = " ".join(["WHEN %s THEN %s"] * len(rows))
        sets, values = [], []
        for number, field in enumerate(fields, start=1):
            column = self._quoted(field.column)
            sets.append(f"{column} = CASE {self.key} {whens} ELSE {column} END")
            for row in rows:
                values += [row[0], row[number]]
        chosen, keys = self._is_one_of(self._key_field, [row[0] for row in rows])
        sql = f"UPDATE {self.name} SET {', '.join(sets)} WHERE {chosen}{where}"
        return self.execute(sql, [*values, *keys, *params])

    def update_where(self, values: Mapping[str, Any], where: Mapping[str, Any]) -> int:
        """Write ``values`` where each column of ``where`` has this value. Return the row count."""
        sets = ", ".join(f"{self._quoted(column)} = %s" for column in values)
        wheres, params = self._equal(where)
        sql = f"UPDATE {self.name} SET {sets} WHERE {wheres}"
        return self.execute(sql, [*values.values(), *params])

    def insert_rows(self, columns: Sequence[str], rows: Sequence[Sequence[Any]]) -> None:
        """Insert rows with values for ``columns``."""
        names = ", ".join(map(self._quoted, columns))
        marks = f"({', '.join(['%s'] * len(columns))})"
        most, some, size = self._most(len(columns)), list[Sequence[Any]](), 0
        for number, row in enumerate(rows, start=1):
            some.append(row)
            size += sum(len(value) for value in row if isinstance(value, str | bytes))
            if len(some) == most or size > _CHARACTERS_OF_A_STATEMENT or number == len(rows):
                sql = f"INSERT INTO {self.name} ({names}) VALUES {', '.join([marks] * len(some))}"
                self.execute(sql, [value for row in some for value in row])
                some, size = [], 0

    def delete(self, keys: Iterable[Key]) -> int:
        """Delete rows of only this table by their keys, and return how many there were."""
        deleted = 0
        for some in self._chunks(list(keys)):
            where, params = self._is_one_of(self._key_field, some)
            deleted += self.execute(f"DELETE FROM {self.name} WHERE {where}", params)
        return deleted

    # Pieces of SQL.

    def _equal(self, values: Mapping[str, Any]) -> tuple[str, list[Any]]:
        wheres = [
            f"{self._quoted(column)} {'IS NULL' if value is None else '= %s'}"
            for column, value in values.items()
        ]
        return " AND ".join(wheres), [value for value in values.values() if value is not None]

    def _names(self, columns: Sequence[str]) -> str:
        return ", ".join([self.key, *map(self._quoted, columns)])

    def _lock(self, *, refuse_references: bool = False) -> str:
        features = self.connection.features
        if not features.has_select_for_update:
            return ""
        if refuse_references or not features.has_select_for_no_key_update:
            return " FOR UPDATE"
        # Unlike FOR UPDATE, this lets other transactions add references to these rows.
        return " FOR NO KEY UPDATE"

    def _is_one_of(self, field: Any, values: Sequence[Any]) -> tuple[str, list[Any]]:
        column = self._quoted(field.column)
        if self.vendor == "postgresql":
            return f"{column} = ANY(%s::{self._type(field)}[])", [list(values)]
        return f"{column} IN ({', '.join(['%s'] * len(values))})", list(values)

    def _type(self, field: Any) -> str:
        """Return the name of a column's type without its length, so that casts do not truncate."""
        kind: str = field.rel_db_type(self.connection) or field.db_type(self.connection)
        return "text" if kind.startswith(_TEXT_TYPES) else kind

    def _most(self, share: int = 1) -> int:
        return (self.connection.features.max_query_params or 20_000) // share

    def _chunks(self, values: Sequence[Any], share: int = 1) -> Iterator[list[Any]]:
        """Yield lists of values, each as long as a statement allows, divided by ``share``."""
        size = self._most(share)
        for start in range(0, len(values), size):
            yield list(values[start : start + size])
