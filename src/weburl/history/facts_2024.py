"""The tables of the URL Standard of 2024 that differ from those in `facts_2020`.

Only facts that are copied from that document. It may not change with today's tables.
"""

from __future__ import annotations

import re
from typing import Final

from weburl.standard.infra.code_points import character_class

_FORBIDDEN_IN_HOST: Final = frozenset("\0\t\n\r #/:<>?@[\\]^|")
_FORBIDDEN_IN_DOMAIN: Final = _FORBIDDEN_IN_HOST | {*map(chr, range(0x20)), "%", "\x7f"}

# §3.1.
FORBIDDEN_IN_OPAQUE_HOST: Final = re.compile(f"[{character_class(_FORBIDDEN_IN_HOST)}]")
FORBIDDEN_IN_DOMAIN: Final = re.compile(f"[{character_class(_FORBIDDEN_IN_DOMAIN)}]")

# §4.7: the schemes of a URL inside a blob URL that give the blob URL an origin.
BLOB_ORIGIN_SCHEMES: Final = frozenset(("http", "https"))
