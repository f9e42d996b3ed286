from collections.abc import Callable
from typing import TypeAlias

from weburl.columns.compiled.parts import Buffers
from weburl.keys.compiled.plans import KeyPlan

_Buffer: TypeAlias = bytes | bytearray | memoryview

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
