from collections.abc import Callable
from typing import Any

WHAT: dict[str, int]

def text_column(
    what: int,
    data: memoryview,
    offsets: memoryview,
    validity: memoryview,
    start: int,
    length: int,
    wide: bool,
    general: Callable[[str], Any],
) -> tuple[bytearray, bytearray, bytearray | None, int]: ...
def segment_column(
    data: memoryview, offsets: memoryview, validity: memoryview, start: int, length: int, wide: bool
) -> tuple[bytearray, bytearray, bytearray, bytearray, int]: ...
