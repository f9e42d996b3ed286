from weburl.columns.compiled.parts import Buffers, Column, General
from weburl.keys.compiled.plans import KeyPlan

def key_column(
    plan: KeyPlan, column: Column, general: General, failures: dict[int, str] | None = None
) -> Buffers: ...
def surt_column(column: Column, general: General) -> Buffers: ...
