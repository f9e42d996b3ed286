from collections.abc import Callable, Collection
from typing import TypeAlias

from weburl.standard.compiled.columns import Buffers
from weburl.standard.compiled.suffixes import SuffixTable

_Buffer: TypeAlias = bytes | bytearray | memoryview

class KeyPlan:
    def __init__(
        self,
        options: Collection[str],
        fragments: bytes,
        unsure: bytes,
        names: list[tuple[bytes, int]],
        suffixes: Callable[[], SuffixTable],
    ) -> None: ...
    def key_of(self, text: object, /) -> str | None: ...

def key_column(
    plan: KeyPlan,
    data: _Buffer,
    offsets: _Buffer,
    validity: _Buffer,
    start: int,
    length: int,
    wide: bool,
    general: Callable[[int, str | None], tuple[str | None] | None],
    failures: dict[int, str] | None = None,
) -> Buffers: ...
