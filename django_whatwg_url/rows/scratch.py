"""Stores data between batches in a temporary file, so that memory does not grow."""

from __future__ import annotations

import sqlite3
import tempfile
from collections.abc import Iterable, Iterator, Sequence
from functools import cached_property
from hashlib import blake2b
from itertools import groupby
from operator import itemgetter
from typing import Any

_TABLES = """
CREATE TABLE owner (digest BLOB PRIMARY KEY, pk) WITHOUT ROWID;
CREATE TABLE waiting (rule INTEGER, digest BLOB, href TEXT, pk, other);
CREATE TABLE written (pk PRIMARY KEY) WITHOUT ROWID;
"""
_CACHE_KIB = 64_000  # Random digests would otherwise read a page of the file for each.


def temporary_database(tables: str) -> sqlite3.Connection:
    """Return a database in a private temporary file. ``tables``: SQL that creates its tables."""
    try:
        tempfile.gettempdir()
        name = ""
    except FileNotFoundError:  # There is no writable directory, as in some containers.
        name = ":memory:"
    database = sqlite3.connect(name, isolation_level=None)
    database.executescript(
        "PRAGMA journal_mode = OFF; PRAGMA synchronous = OFF; "
        f"PRAGMA cache_size = -{_CACHE_KIB}; {tables}"
    )
    return database


def digest(*values: object) -> bytes:
    """Return a short digest of values, as a key for a table."""
    return blake2b(repr(values).encode("utf-8", "surrogatepass"), digest_size=16).digest()


class Scratch:
    """Lists on disk: the first row with each URL, and rows that wait to be merged."""

    @cached_property
    def _database(self) -> sqlite3.Connection:
        # It is opened only when it is needed, so a run that never starts has nothing to close.
        return temporary_database(_TABLES)

    def close(self) -> None:
        """Close and delete the file."""
        if "_database" in vars(self):
            self._database.close()

    def first_owners(self, pairs: Sequence[tuple[bytes, Any]]) -> dict[bytes, Any]:
        """Store pairs of a digest and a key, and return the first key for each digest."""
        execute = self._database.execute
        # In the order of the index, neighbours are on the same page. The sort is stable, so the
        # first of several pairs with the same digest is stored.
        pairs = sorted(pairs, key=itemgetter(0))
        execute("BEGIN")
        self._database.executemany("INSERT OR IGNORE INTO owner VALUES (?, ?)", pairs)
        execute("COMMIT")
        owners: dict[bytes, Any] = {}
        digests = [digest for digest, _pk in pairs]
        for start in range(0, len(digests), 900):
            some = digests[start : start + 900]
            marks = ", ".join("?" * len(some))
            owners |= execute(f"SELECT digest, pk FROM owner WHERE digest IN ({marks})", some)
        return owners

    def wait(self, rows: Iterable[tuple[int, bytes, str, Any, Any]]) -> None:
        """Store rows that collide: the number of the rule, a digest, the href, and both keys."""
        self._database.executemany("INSERT INTO waiting VALUES (?, ?, ?, ?, ?)", rows)

    def waiting(self) -> int:
        """Return how many rows wait."""
        return int(self._database.execute("SELECT COUNT(*) FROM waiting").fetchone()[0])

    def groups(self) -> Iterator[tuple[int, str, list[Any]]]:
        """Yield the number of a rule, an href and the keys of its rows, for each duplicate URL."""
        rows = self._database.execute(
            "SELECT rule, digest, href, pk, other FROM waiting ORDER BY rule, digest"
        )
        for (rule, _digest), members in groupby(rows, key=lambda row: (row[0], row[1])):
            listed = list(members)
            keys = dict.fromkeys([row[4] for row in listed] + [row[3] for row in listed])
            yield rule, listed[0][2], list(keys)

    def seen(self, keys: Sequence[Any]) -> set[Any]:
        """Return which of ``keys`` were stored by `remember`. Their rows moved to a later page."""
        found: set[Any] = set()
        for start in range(0, len(keys), 900):
            some = keys[start : start + 900]
            marks = ", ".join("?" * len(some))
            sql = f"SELECT pk FROM written WHERE pk IN ({marks})"
            found.update(row[0] for row in self._database.execute(sql, some))
        return found

    def remember(self, keys: Iterable[Any]) -> None:
        """Store the new keys of rows whose key is the URL itself."""
        self._database.executemany("INSERT OR IGNORE INTO written VALUES (?)", [(k,) for k in keys])
