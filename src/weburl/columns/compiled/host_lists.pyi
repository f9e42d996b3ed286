from array import array

def listed_rows(
    names: bytes,
    ends: array[int],
    kinds: bytes,
    starts: array[int],
    shift: int,
    longest: int,
    data: bytes | bytearray | memoryview,
    offsets: bytes | bytearray | memoryview,
    validity: bytes | bytearray | memoryview,
    start: int,
    length: int,
    wide: bool,
) -> tuple[bytearray, bytearray]: ...
