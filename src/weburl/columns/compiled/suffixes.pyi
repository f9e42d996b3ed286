from typing import Final

from weburl.columns.compiled.parts import Buffers
from weburl.standard.compiled.suffixes import SuffixTable

WHAT: Final[dict[str, int]]

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
