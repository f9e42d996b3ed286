"""Finds parameters in URLs that have no "%" and no "#", without regular expressions.

Most URLs are like this. There is only one way to write a string in them, with "+" for a space, and
comparing it takes a fraction of the time. This is only for SQLite and PostgreSQL. On MySQL and
MariaDB, these comparisons may ignore letter case, so the regular expressions run for all rows.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from django_whatwg_url.query.sql import POSITION, URL
from django_whatwg_url.query.ways_of_writing import Within

if TYPE_CHECKING:
    from collections.abc import Sequence

    from django.db.models.sql.compiler import _AsSqlType

# The query with a "&" at both ends, so that every pair is between two. Without a query, "&&".
_PAIRS: Final = {
    "sqlite": "('&'||substr({url},instr({url}||'?','?')+1)||'&')",
    "postgresql": "('&'||substr({url},strpos({url}||'?','?')+1)||'&')",
}
_IS_PLAIN: Final = {
    "sqlite": "(instr({url}, char(37)) = 0 AND instr({url}, '#') = 0)",
    "postgresql": "(strpos({url}, chr(37)) = 0 AND strpos({url}, '#') = 0)",
}


class PlainQuery:
    """The query of a URL for which `is_plain` is true. ``url``: the SQL of the URL."""

    def __init__(self, url: _AsSqlType, vendor: str) -> None:
        sql, params = url
        pairs = _PAIRS[vendor]
        self._count: int = pairs.count(URL)
        self._params: tuple[str | int, ...] = tuple(params)
        self.is_plain: _AsSqlType = _IS_PLAIN[vendor].replace(URL, sql), tuple(params) * 2
        self._position: str = f"{POSITION[vendor]}({pairs.replace(URL, sql)}, %s)"

    @staticmethod
    def is_known(vendor: str) -> bool:
        """Return whether `PlainQuery` has SQL for a kind of database."""
        return vendor in _PAIRS

    def has(self, names: Sequence[str]) -> _AsSqlType:
        """Return SQL that is true if there is a parameter with one of ``names``."""
        found = []
        for name in names:
            text = written_plainly(name, Within.NAME)
            if text is not None:
                # "&&" contains no pair, so it does not mean a pair with an empty name.
                found += [f"&{text}="] + ([f"&{text}&"] if text else [])
        return self._sql(" OR ".join(["{} > 0"] * len(found)) or "1 = 0", found)

    def has_value(self, name: str, value: str, *, first: bool) -> _AsSqlType:
        """Return SQL that is true if a value of ``name`` is ``value``, which is not empty.

        ``first``: whether to compare only the first value of ``name``.
        """
        text, encoded = written_plainly(name, Within.NAME), written_plainly(value, Within.VALUE)
        if text is None or encoded is None:
            return "1 = 0", ()
        pair = f"&{text}={encoded}&"
        if not first:
            return self._sql("{} > 0", [pair])
        conditions, found = "{} > 0 AND {} = {}", [pair, pair, f"&{text}="]
        if text:
            conditions += " AND {} NOT BETWEEN 1 AND {}"
            found += [f"&{text}&", pair]
        return self._sql(conditions, found)

    def _sql(self, conditions: str, found: Sequence[str]) -> _AsSqlType:
        params = [param for text in found for param in (*self._params * self._count, text)]
        return f"({conditions.replace('{}', self._position)})", tuple(params)


def written_plainly(text: str, within: Within) -> str | None:
    """Return how ``text`` is written without a percent sign, or None if it needs one."""
    if any(char in within.value or not " " <= char <= "~" for char in text):
        return None
    return text.replace(" ", "+")
