from typing import Final

from weburl.columns.compiled.parts import Buffers, Column
from weburl.standard.compiled.suffixes import SuffixTable

WHAT: Final[dict[str, int]]

def registrable_column(table: SuffixTable, wanted: int, column: Column) -> Buffers: ...
