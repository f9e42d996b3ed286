"""Finds results that are repeated, in bounded memory.

Each result is kept as a hash. When there are `IN_MEMORY` of them, they are moved to a temporary
database of SQLite, and the next ones are kept in memory again. The hash has 128 bits and a salt of
this
process: that two of a billion results share one has a probability below 1 in 10^20. The file has no
name and holds no text.
"""

from __future__ import annotations

import os
from hashlib import blake2b
from typing import TYPE_CHECKING, Final

from weburl.command_line.statuses import STOPPED, CommandError

if TYPE_CHECKING:
    import sqlite3

IN_MEMORY: Final = 1_000_000
"""How many hashes are kept in memory. They take about 100 MB."""
_CACHE_IN_KIBIBYTES: Final = 64 * 1024


class Seen:
    """The results that were there before."""

    def __init__(self, in_memory: int = IN_MEMORY) -> None:
        self._in_memory = in_memory
        self._salt = os.urandom(blake2b.SALT_SIZE)
        self._recent: set[bytes] = set()
        self._database: sqlite3.Connection | None = None

    def __del__(self) -> None:
        # Python 3.13 warns of a connection that was not closed.
        if self._database is not None:
            self._database.close()

    def is_new(self, text: str) -> bool:
        """Return whether ``text`` was not there before, and remember it.

        Raises `CommandError` if there is not enough room for the temporary file.
        """
        data = text.encode("utf-8", "surrogatepass")
        found = blake2b(data, digest_size=16, salt=self._salt).digest()
        if found in self._recent:
            return False
        if self._database is not None and self._is_in(self._database, found):
            return False
        self._recent.add(found)
        if len(self._recent) >= self._in_memory:
            self._move_to_disk()
        return True

    @staticmethod
    def _is_in(database: sqlite3.Connection, found: bytes) -> bool:
        import sqlite3

        try:
            rows = database.execute("SELECT 1 FROM seen WHERE hash = ?", (found,))
            return rows.fetchone() is not None
        except sqlite3.Error as error:
            raise _no_room(error) from None

    def _move_to_disk(self) -> None:
        import sqlite3  # loaded only for very many results

        try:
            if self._database is None:
                self._database = _temporary_database()
            # In order, they are written to the same pages of the file.
            rows = ((found,) for found in sorted(self._recent))
            self._database.execute("BEGIN")
            self._database.executemany("INSERT INTO seen VALUES (?)", rows)
            self._database.execute("COMMIT")
        except sqlite3.Error as error:
            raise _no_room(error) from None
        self._recent.clear()


def _temporary_database() -> sqlite3.Connection:
    import sqlite3

    # The empty name is a temporary file that has no name in any folder.
    database = sqlite3.connect("", isolation_level=None)
    for command in (
        f"PRAGMA cache_size = -{_CACHE_IN_KIBIBYTES}",
        "PRAGMA journal_mode = OFF",
        "PRAGMA synchronous = OFF",
        "CREATE TABLE seen (hash BLOB PRIMARY KEY) WITHOUT ROWID",
    ):
        database.execute(command)
    return database


def _no_room(error: Exception) -> CommandError:
    return CommandError(f"cannot remember more results for --unique: {error}", STOPPED)
