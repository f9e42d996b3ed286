"""The scripts that letters, marks and digits are used with: Script_Extensions of Unicode 18.

A table (`scripts.txt`) instead of a library, because it is small, and because there are no wheels
of libraries with this data for some interpreters. It has only the scripts of living languages that
everyone may use in names, and is right only for code points that `spoofing` looks up: a range may
cover others. A test compares it with the regex package, and prints the new table if they differ.
"""

from __future__ import annotations

from bisect import bisect_right
from importlib.resources import files
from typing import Final

_TABLE: Final = files(__package__).joinpath("scripts.txt").read_text("utf-8")
_ROWS: Final = [row.split() for row in _TABLE.splitlines() if not row.startswith("#")]
_STARTS: Final = [int(row[0].partition("-")[0], 16) for row in _ROWS]
_ENDS: Final = [int(row[0].rpartition("-")[2], 16) for row in _ROWS]
_NAMES: Final = [frozenset(row[1:]) for row in _ROWS]
SCRIPTS: Final = frozenset[str]().union(*_NAMES)
"""The names of all scripts in the table, such as "Latin"."""

_NO_SCRIPT: Final[frozenset[str]] = frozenset()


def scripts_of(char: str) -> frozenset[str]:
    """Return the scripts that ``char`` is used with, without those that only scholars use.

    ``char`` must be a letter, a mark or a decimal digit beyond ASCII in its own normal form.
    """
    at = bisect_right(_STARTS, ord(char)) - 1
    return _NAMES[at] if at >= 0 and ord(char) <= _ENDS[at] else _NO_SCRIPT
