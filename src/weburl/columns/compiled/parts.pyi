from collections.abc import Callable
from typing import Final, TypeAlias

from weburl.standard.compiled.suffixes import SuffixTable

_Buffer: TypeAlias = bytes | bytearray | memoryview
Column: TypeAlias = tuple[_Buffer, _Buffer, _Buffer, int, int, bool]
Buffers: TypeAlias = tuple[bytearray, bytearray, bytearray | None, int]
General: TypeAlias = Callable[[int, str | None], tuple[str | int | None, ...] | None]

WHAT: Final[dict[str, int]]

def cut_column(
    wanted: list[int],
    column: Column,
    general: General,
    failures: dict[int, str] | None = None,
    of_hosts: bool = False,
    suffixes: SuffixTable | None = None,
    unchanged: int = 0,
) -> tuple[list[Buffers], bytearray]: ...
def unchanged_rows(column: Column) -> int: ...
