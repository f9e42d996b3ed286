"""Conditions on the pairs of a query in a URL without "%" and "#", without regular expressions.

Most URLs have neither. Then text is written in one way, a space as "+", and can be compared as it
is, in a fraction of the time. This is only for SQLite and PostgreSQL: MySQL and MariaDB may ignore
letter case here, and use the regular expressions for all rows.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from django_whatwg_url.parts.sql import POSITION, URL
from django_whatwg_url.parts.ways_of_writing import Within

if TYPE_CHECKING:
    from collections.abc import Sequence

    from django.db.models.sql.compiler import _AsSqlType

# Between two "&", so that every pair is. Without a query, there is one pair, which is empty.
_PAIRS: Final = {
    "sqlite": "('&'||substr({url},instr({url}||'?','?')+1)||'&')",
    "postgresql": "('&'||substr({url},strpos({url}||'?','?')+1)||'&')",
}
_IS_PLAIN: Final = {
    "sqlite": "(instr({url}, char(37)) = 0 AND instr({url}, '#') = 0)",
    "postgresql": "(strpos({url}, chr(37)) = 0 AND strpos({url}, '#') = 0)",
}


class PlainQuery:
    """The query of a URL that `is_plain`. ``url``: the SQL of the URL."""

    def __init__(self, url: _AsSqlType, vendor: str) -> None:
        sql, params = url
        pairs = _PAIRS[vendor]
        self._count: int = pairs.count(URL)
        self._params: tuple[str | int, ...] = tuple(params)
        self.is_plain: _AsSqlType = _IS_PLAIN[vendor].replace(URL, sql), tuple(params) * 2
        self._position: str = f"{POSITION[vendor]}({pairs.replace(URL, sql)}, %s)"

    @staticmethod
    def is_known(vendor: str) -> bool:
        """Return whether this is for a kind of database."""
        return vendor in _PAIRS

    def has(self, names: Sequence[str]) -> _AsSqlType:
        """Return the SQL that there is a param with one of ``names``."""
        found = []
        for name in names:
            text = written_plainly(name, Within.NAME)
            if text is not None:
                # Between two "&", there is no pair.
                found += [f"&{text}="] + ([f"&{text}&"] if text else [])
        return self._sql(" OR ".join(["{} > 0"] * len(found)) or "1 = 0", found)

    def begins(self, name: str, value: str, end: str, *, first: bool) -> _AsSqlType:
        """Return the SQL that ``value``, which is not empty, is the value of ``name`` or its start.

        ``end``: "&", or "" for the start. ``first``: whether it must be the first value.
        """
        text, start = written_plainly(name, Within.NAME), written_plainly(value, Within.VALUE)
        if text is None or start is None:
            return "1 = 0", ()
        pair = f"&{text}={start}{end}"
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
    """Return ``text`` as it is written without a percent sign, or None if it cannot be."""
    if any(char in within.value or not " " <= char <= "~" for char in text):
        return None
    return text.replace(" ", "+")
