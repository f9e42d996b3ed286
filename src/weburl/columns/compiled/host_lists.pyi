from array import array

from weburl.columns.compiled.parts import Column

def listed_rows(
    names: bytes,
    ends: array[int],
    kinds: bytes,
    starts: array[int],
    shift: int,
    longest: int,
    column: Column,
) -> tuple[bytearray, bytearray]: ...
