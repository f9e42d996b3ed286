from collections.abc import Mapping

from weburl.compiled.columns import Buffers

class SuffixTable:
    def __init__(self, kinds: Mapping[str, int]) -> None: ...

def registrable_column(
    table: SuffixTable,
    sites: bool,
    data: bytes | bytearray | memoryview,
    offsets: bytes | bytearray | memoryview,
    validity: bytes | bytearray | memoryview,
    start: int,
    length: int,
    wide: bool,
) -> Buffers: ...
