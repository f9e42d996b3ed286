"""Finds rows with the same key in a table of any size.

Digests of the keys are stored in a temporary file, so memory does not grow with the table.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Any, Final

import attrs
from django.db import models

from django_whatwg_url.beside.url_keys import url_key
from django_whatwg_url.canonicalizing.report import masked
from django_whatwg_url.canonicalizing.scratch import digest, temporary_database
from django_whatwg_url.canonicalizing.table import Table
from weburl import canonicalize
from weburl.keys import KeyRules

BATCH_SIZE: Final = 5000

_TABLE: Final = "CREATE TABLE found (digest BLOB, spelling BLOB, pk);"
_GROUPS: Final = """
SELECT digest, COUNT(*), COUNT(DISTINCT spelling) FROM found
GROUP BY digest HAVING COUNT(*) > 1 ORDER BY 2 DESC, MIN(rowid)
"""


@attrs.frozen
class Example:
    """A row of a group. ``url``: its URL, with "*" for each code point of a password."""

    pk: Any
    url: str


@attrs.frozen
class Group:
    """Rows whose URLs are the same page.

    ``key``: their key, without a password. ``rows``: how many there are. ``urls``: how many
    different canonical URLs they have. ``examples``: the first rows.
    """

    key: str
    rows: int
    urls: int
    examples: tuple[Example, ...]


@attrs.frozen
class Counts:
    """The result of a search.

    ``rows``: how many were read. ``not_urls``: how many of them have no URL. ``groups``: how many
    pages are in more than one row. ``surplus``: how many rows would be left over if each of these
    pages had one row.
    """

    rows: int
    not_urls: int
    groups: int
    surplus: int


class DuplicateSearch:
    """Reads the URLs of a table once, and then returns the groups with the most rows first.

    Args:
        model: The model with the column.
        field: The field with the URLs, of the same table.
        rules: The rules that decide which URLs are the same page.
        within: Fields of the same table. Only rows with equal values in them are duplicates, and
            rows with NULL in one of them never are.
        database: The alias of the database.
        batch_size: How many rows to read at a time.

    Close it when it is no longer needed. Raises ValueError if the primary key has several columns.
    """

    def __init__(
        self,
        model: type[models.Model],
        field: Any,
        rules: KeyRules,
        *,
        within: Sequence[Any] = (),
        database: str,
        batch_size: int = BATCH_SIZE,
    ) -> None:
        if getattr(model._meta.pk, "column", None) is None:
            raise ValueError(f"{model._meta.label} has a primary key of several columns.")
        self.table: Table = Table(model, database)
        self._field = field
        self._rules = rules
        self._within = within
        self._batch_size = batch_size
        self._scratch = temporary_database(_TABLE)

    def close(self) -> None:
        """Delete the temporary file."""
        self._scratch.close()

    def read(self, progress: Callable[[int], object] = lambda _rows: None) -> Counts:
        """Read all rows and count them. ``progress``: called with the number of rows of a batch."""
        rows = without = 0
        columns = [self._field.column, *(field.column for field in self._within)]
        for page in self.table.pages(columns, self._batch_size):
            found = []
            for pk, text, *others in page:
                key = self._key_of(text)
                without += key is None
                if key is not None and None not in others:
                    found.append((digest(key, *others), digest(canonicalize(text)), pk))
            self._scratch.execute("BEGIN")
            self._scratch.executemany("INSERT INTO found VALUES (?, ?, ?)", found)
            self._scratch.execute("COMMIT")
            rows += len(page)
            progress(len(page))
        self._scratch.execute("CREATE INDEX by_digest ON found (digest)")
        groups, members = self._scratch.execute(
            "SELECT COUNT(*), COALESCE(SUM(members), 0) FROM (SELECT COUNT(*) AS members "
            "FROM found GROUP BY digest HAVING COUNT(*) > 1)"
        ).fetchone()
        return Counts(rows, without, groups, members - groups)

    def groups(self, limit: int | None = None, examples: int = 3) -> Iterator[Group]:
        """Yield the groups with the most rows first.

        Args:
            limit: How many to yield, or None for all.
            examples: How many rows to include in each, at least 1.
        """
        # In SQLite, LIMIT -1 means no limit.
        found = self._scratch.execute(f"{_GROUPS} LIMIT ?", (-1 if limit is None else limit,))
        for key, rows, urls in found:
            keys = self._scratch.execute(
                "SELECT pk FROM found WHERE digest = ? ORDER BY rowid LIMIT ?", (key, examples)
            )
            texts = self.table.rows([pk for (pk,) in keys], [self._field.column])
            shown = tuple(Example(pk, masked(text)) for pk, (text,) in sorted(texts.items()))
            first = next((text for (text,) in texts.values()), "")
            yield Group(masked(self._key_of(first) or ""), rows, urls, shown)

    def _key_of(self, text: object) -> str | None:
        return url_key(text, self._rules, max_length=None)
