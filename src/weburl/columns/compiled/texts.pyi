from typing import Final

from weburl.columns.compiled.parts import Buffers, Column

WHAT: Final[dict[str, int]]

def text_column(what: int, column: Column, name: bytes = b"") -> Buffers: ...
def segment_column(column: Column) -> tuple[bytearray, bytearray, bytearray, int]: ...
