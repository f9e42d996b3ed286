"""Stores data between batches in a temporary file, so that memory does not grow."""

from __future__ import annotations

import sqlite3
import tempfile
from collections.abc import Iterable, Iterator, Sequence
from functools import cached_property
from hashlib import blake2b
from itertools import groupby
from typing import Any

_TABLES = """
CREATE TABLE owner (digest BLOB PRIMARY KEY, pk) WITHOUT ROWID;
CREATE TABLE waiting (rule INTEGER, digest BLOB, href TEXT, pk, other);
CREATE TABLE written (pk PRIMARY KEY) WITHOUT ROWID;
"""
_RECENT = 50_000
_SEEN_BITS = 25  # 4 MB
_CACHE_KIB = 64_000  # Random digests would otherwise read a page of the file for each.


def digest(*values: object) -> bytes:
    """Return a short digest of values, as a key for a table."""
    return blake2b(repr(values).encode("utf-8", "surrogatepass"), digest_size=16).digest()


class Scratch:
    """Lists on disk: the first row with each URL, and rows that wait to be merged.

    ``_recent``: the first rows that are not on disk yet. ``_seen``: a bit for each digest, so that
    most new ones are not looked up.
    """

    def __init__(self) -> None:
        self._recent: dict[bytes, Any] = {}
        self._seen = bytearray(1 << (_SEEN_BITS - 3))

    @cached_property
    def _database(self) -> sqlite3.Connection:
        # It is opened only when it is needed, so a run that never starts has nothing to close.
        try:
            tempfile.gettempdir()
            name = ""  # a private temporary file
        except FileNotFoundError:  # There is no writable directory, as in some containers.
            name = ":memory:"
        database = sqlite3.connect(name, isolation_level=None)
        # The transaction is never committed, because a commit goes through all pages in the cache
        # that are not on disk yet.
        database.executescript(
            "PRAGMA journal_mode = OFF; PRAGMA synchronous = OFF; "
            f"PRAGMA cache_size = -{_CACHE_KIB}; BEGIN; {_TABLES}"
        )
        return database

    def close(self) -> None:
        """Close and delete the file."""
        if "_database" in vars(self):
            self._database.close()

    def first_owners(self, pairs: Iterable[tuple[bytes, Any]]) -> dict[bytes, Any]:
        """Store pairs of a digest and a key, and return the first key for each digest."""
        recent, seen = self._recent, self._seen
        owners: dict[bytes, Any] = {}
        perhaps_stored: dict[bytes, Any] = {}
        for key, pk in pairs:
            if key in recent:
                owners[key] = recent[key]
                continue
            number = int.from_bytes(key[:4]) >> (32 - _SEEN_BITS)
            place, bit = number >> 3, 1 << (number & 7)
            if seen[place] & bit:
                perhaps_stored.setdefault(key, pk)
            else:
                seen[place] |= bit
                owners[key] = recent[key] = pk
        stored = dict(self._select("SELECT digest, pk FROM owner WHERE digest", perhaps_stored))
        for key, pk in perhaps_stored.items():
            owners[key] = stored[key] if key in stored else recent.setdefault(key, pk)
        if len(recent) >= _RECENT:
            self._store_recent()
        return owners

    def _store_recent(self) -> None:
        # In the order of the index, so that neighbours are on the same page. Few rows at a time
        # would read and write a page for each.
        self._database.executemany("INSERT INTO owner VALUES (?, ?)", sorted(self._recent.items()))
        self._recent.clear()

    def _select(self, sql: str, values: Iterable[Any]) -> Iterator[tuple[Any, ...]]:
        """Yield rows for values of the column at the end of ``sql``."""
        listed = list(values)
        for start in range(0, len(listed), 900):
            some = listed[start : start + 900]
            yield from self._database.execute(f"{sql} IN ({', '.join('?' * len(some))})", some)

    def wait(self, rows: Iterable[tuple[int, bytes, str, Any, Any]]) -> None:
        """Store rows that collide: the number of the rule, a digest, the href, and both keys."""
        self._database.executemany("INSERT INTO waiting VALUES (?, ?, ?, ?, ?)", rows)

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
        return {pk for (pk,) in self._select("SELECT pk FROM written WHERE pk", keys)}

    def remember(self, keys: Iterable[Any]) -> None:
        """Store the new keys of rows whose key is the URL itself."""
        self._database.executemany("INSERT OR IGNORE INTO written VALUES (?)", [(k,) for k in keys])
