"""What is measured: the operations that libraries have in common, and the rows of the table.

Names and numbers only; how each library does an operation is in `contenders`.
"""

from __future__ import annotations

from enum import StrEnum
from typing import Final

from attrs import frozen

BUILDS: Final = ("compiled", "interpreted")
"""Of `weburl`, from the same sources."""


class Operation(StrEnum):
    """What every library is asked to do with one text."""

    PARSE = "parse"
    HREF = "parse + href"
    COMPONENTS = "parse + 8 components"
    CAN_PARSE = "can_parse"
    JOIN = "join"
    JOIN_HREF = "join + href"
    JOIN_TEXTS = "parse with base"
    PARAMS = "params in + out"


class Inputs(StrEnum):
    """The lists of texts; each text is in its list once."""

    LINKS = "links"
    SLOW = "slow"
    IDN = "idn"


ON_URLS: Final = (Operation.PARSE, Operation.HREF, Operation.COMPONENTS, Operation.CAN_PARSE)
ON_REFERENCES: Final = (Operation.JOIN, Operation.JOIN_HREF, Operation.JOIN_TEXTS)
"""With a base that was parsed before, the first two; with the base as text, the third."""


@frozen
class Row:
    """One way to do an operation with `weburl`, and its reach.

    The reach is the largest ratio to the fastest peer that is wanted, for the compiled and for
    the interpreted build.
    """

    name: str
    operation: Operation
    code: str
    compiled: float
    interpreted: float


ROWS: Final = (
    Row("canonicalize", Operation.HREF, "canonicalize(s)", 0.5, 1.1),
    Row("can_parse", Operation.CAN_PARSE, "can_parse(s)", 0.8, 2.2),
    Row(
        "parse + 8 components",
        Operation.COMPONENTS,
        "r = parse(s); r.scheme; r.username; r.password; r.host; r.port; r.path; r.query; "
        "r.fragment",
        0.8,
        1.8,
    ),
    Row("parse", Operation.PARSE, "parse(s)", 1.5, 3.6),
    Row("URL(s).href", Operation.HREF, "URL(s).href", 1.0, 3.0),
    Row("join", Operation.JOIN, "base.join(s)", 1.0, 3.0),
    Row("join, then href", Operation.JOIN_HREF, "base.join(s).href", 1.0, 3.0),
    Row("parse(s, base text)", Operation.JOIN_TEXTS, "parse(s, base_text)", 1.0, 3.0),
    Row("URLSearchParams, then str", Operation.PARAMS, "str(URLSearchParams(s))", 1.0, 4.0),
)

PURE_PEER: Final = "pywhatwgurl"
"""The peer in pure Python, which slow inputs are held against."""

REACH_ON_SLOW: Final = {"compiled": 1 / 40, "interpreted": 1 / 6}
"""The largest ratio to `PURE_PEER` that is wanted on inputs that no shortcut fits."""

REACH_OF_IMPORT: Final = 1.4
"""The largest ratio of `import weburl` to `import attrs` that is wanted, in both builds."""

SIZES: Final = tuple(1 << power for power in range(16, 23))
"""The bytes of a hostile text: from 64 KiB to 4 MiB, doubled."""

FLAT: Final = 1.5
"""By what factor the time per byte may grow from one of them to a larger one."""

AS_QUICK_AS_MEMORY: Final = 1.0
"""Nanoseconds per byte: what is quicker depends on the processor's caches more than on us."""
