from collections.abc import Callable
from typing import TypeAlias

from weburl.columns.compiled.parts import Buffers

_Buffer: TypeAlias = bytes | bytearray | memoryview

def resolve_column(
    data: _Buffer,
    offsets: _Buffer,
    validity: _Buffer,
    start: int,
    length: int,
    wide: bool,
    bases: tuple[_Buffer, _Buffer, _Buffer, int, int, bool],
    general: Callable[[int, str | None], tuple[str | None] | None],
    failures: dict[int, str] | None = None,
) -> Buffers: ...
