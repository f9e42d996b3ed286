from collections.abc import Callable, Sequence
from typing import Final, TypeAlias

from weburl.standard.compiled.suffixes import SuffixTable

_Buffer: TypeAlias = bytes | bytearray | memoryview
_Parts: TypeAlias = tuple[str | int | None, ...]
Buffers: TypeAlias = tuple[bytearray, bytearray, bytearray | None, int]

WHAT: Final[dict[str, int]]

def cut_column(
    wanted: Sequence[int],
    data: _Buffer,
    offsets: _Buffer,
    validity: _Buffer,
    start: int,
    length: int,
    wide: bool,
    general: Callable[[int, str | None], _Parts | None],
    of_hosts: bool = False,
    failures: dict[int, str] | None = None,
    suffixes: SuffixTable | None = None,
    unchanged: int = 0,
) -> tuple[list[Buffers], bytearray, int]: ...
def unchanged_rows(
    data: _Buffer, offsets: _Buffer, validity: _Buffer, start: int, length: int, wide: bool
) -> int: ...
def parsable_rows(
    data: _Buffer,
    offsets: _Buffer,
    validity: _Buffer,
    start: int,
    length: int,
    wide: bool,
    general: Callable[[int, str | None], bool],
    failures: dict[int, str] | None = None,
) -> tuple[bytearray, bytearray | None, int]: ...
