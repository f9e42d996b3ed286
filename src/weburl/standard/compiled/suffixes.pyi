from collections.abc import Mapping
from typing import Final

from weburl.standard.compiled.columns import Buffers

WHAT: Final[dict[str, int]]

class SuffixTable:
    def __init__(self, kinds: Mapping[str, int]) -> None: ...

def registrable_column(
    table: SuffixTable,
    wanted: int,
    data: bytes | bytearray | memoryview,
    offsets: bytes | bytearray | memoryview,
    validity: bytes | bytearray | memoryview,
    start: int,
    length: int,
    wide: bool,
) -> Buffers: ...
