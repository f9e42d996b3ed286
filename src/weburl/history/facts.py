"""The tables of the URL Standards of 2020 and 2024: schemes, code points, dot segments.

Only facts that are copied from those documents. Today's tables in `infra` may change;
these may not, so no module of this room reads today's. What differed in 2024 has a name of its own.
"""

from __future__ import annotations

import re
from typing import Final

from weburl.standard.infra.code_points import PercentEncodeSet, character_class

# §4.2: the special schemes and their default ports.
SPECIAL_SCHEMES: Final[dict[str, int | None]] = {
    "file": None,
    "ftp": 21,
    "http": 80,
    "https": 443,
    "ws": 80,
    "wss": 443,
}
# §4.2: the text before the first ":" of an absolute URL.
SCHEME_AND_COLON: Final = re.compile("([A-Za-z][A-Za-z0-9+.-]*):")
# §4.7: the schemes whose origin is a scheme, a host and a port.
TUPLE_ORIGIN_SCHEMES: Final = frozenset(("ftp", "http", "https", "ws", "wss"))
# §4.7: the schemes of a URL inside a blob URL that give the blob URL an origin.
BLOB_ORIGIN_SCHEMES_2024: Final = frozenset(("http", "https"))

_C0_CONTROLS: Final = frozenset(map(chr, range(0x20)))

# §1.3. The document has no set for queries: its query state lists the bytes.
C0_CONTROL_SET: Final = PercentEncodeSet(_C0_CONTROLS)
FRAGMENT_SET: Final = C0_CONTROL_SET.plus(' "<>`')
PATH_SET: Final = FRAGMENT_SET.plus("#?{}")
USERINFO_SET: Final = PATH_SET.plus("/:;=@[\\]^|")
QUERY_SET: Final = C0_CONTROL_SET.plus(' "#<>')
SPECIAL_QUERY_SET: Final = QUERY_SET.plus("'")

# §3.1. An opaque host may contain "%", which is otherwise forbidden.
_FORBIDDEN_2020: Final = frozenset("\0\t\n\r #/:?@[\\]")
FORBIDDEN_IN_OPAQUE_HOST_2020: Final = re.compile(f"[{character_class(_FORBIDDEN_2020)}]")
FORBIDDEN_IN_DOMAIN_2020: Final = re.compile(f"[{character_class(_FORBIDDEN_2020 | {'%'})}]")
_FORBIDDEN_2024: Final = _FORBIDDEN_2020 | frozenset("<>^|")
FORBIDDEN_IN_OPAQUE_HOST_2024: Final = re.compile(f"[{character_class(_FORBIDDEN_2024)}]")
FORBIDDEN_IN_DOMAIN_2024: Final = re.compile(
    f"[{character_class(_FORBIDDEN_2024 | _C0_CONTROLS | {'%', chr(0x7F)})}]"
)

# §4.2.
DRIVE_LETTER: Final = re.compile("[A-Za-z][:|]")
NORMALIZED_DRIVE_LETTER: Final = re.compile("[A-Za-z]:")
STARTS_WITH_A_DRIVE_LETTER: Final = re.compile(r"[A-Za-z][:|](?=[/\\?#]|\Z)")
SINGLE_DOT_SEGMENTS: Final = frozenset((".", "%2e", "%2E"))
DOUBLE_DOT_SEGMENTS: Final = frozenset(
    ("..", ".%2e", ".%2E", "%2e.", "%2E.", "%2e%2e", "%2e%2E", "%2E%2e", "%2E%2E")
)

# §4.3. Noncharacters and surrogates are not URL code points.
_URL_CODE_POINTS: Final = (
    "A-Za-z0-9!$&'()*+,./:;=?@_~\\-"
    "\\xa0-\\ud7ff\\ue000-\\ufdcf\\ufdf0-\\ufffd"
    + "".join(f"\\U{plane:04x}0000-\\U{plane:04x}fffd" for plane in range(1, 17))
)
NOT_A_URL_UNIT: Final = re.compile(f"[^{_URL_CODE_POINTS}%]|%(?![0-9A-Fa-f]{{2}})")
