from collections.abc import Callable
from typing import Final, TypeAlias

from weburl.columns.compiled.parts import Buffers

_Buffer: TypeAlias = bytes | bytearray | memoryview

WHAT: Final[dict[str, int]]

def text_column(
    what: int,
    data: _Buffer,
    offsets: _Buffer,
    validity: _Buffer,
    start: int,
    length: int,
    wide: bool,
    general: Callable[[str], object] | None = None,
    name: bytes = b"",
) -> Buffers: ...
def segment_column(
    data: _Buffer,
    offsets: _Buffer,
    validity: _Buffer,
    start: int,
    length: int,
    wide: bool,
) -> tuple[bytearray, bytearray, bytearray, int]: ...
