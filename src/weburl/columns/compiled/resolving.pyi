from weburl.columns.compiled.parts import Buffers, Column, General

def resolve_column(
    column: Column, bases: Column, general: General, failures: dict[int, str] | None = None
) -> Buffers: ...
