"""What is measured: the operations that libraries have in common, and the rows of the table.

Names and numbers only; how each library does an operation is in `contenders`.
"""

from __future__ import annotations

from collections.abc import Mapping
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
    CREDENTIALS = "credentials"
    PORTS = "ports"
    IPV4 = "IPv4"
    IPV6 = "IPv6"
    FILES = "file:"
    OTHER_SCHEMES = "other schemes"


ON_URLS: Final = (Operation.PARSE, Operation.HREF, Operation.COMPONENTS, Operation.CAN_PARSE)
ON_REFERENCES: Final = (Operation.JOIN, Operation.JOIN_HREF, Operation.JOIN_TEXTS)
"""With a base that was parsed before, the first two; with the base as text, the third."""


@frozen
class Row:
    """One way to do an operation with `weburl`, and its reach.

    The reach is the largest ratio to the fastest peer that is wanted, on each list of texts: for
    the compiled build on all of them, and for the interpreted build on some.
    """

    name: str
    operation: Operation
    code: str
    compiled: Mapping[Inputs, float]
    interpreted: Mapping[Inputs, float]

    def wanted(self, build: str, inputs: Inputs) -> float | None:
        """Return the reach; None where there is none."""
        return (self.compiled if build == "compiled" else self.interpreted).get(inputs)


def _reach(
    links: float, slow: float = 1.0, idn: float = 1.0, others: float = 1.0
) -> dict[Inputs, float]:
    return dict.fromkeys(Inputs, others) | {
        Inputs.LINKS: links,
        Inputs.SLOW: slow,
        Inputs.IDN: idn,
    }


def _on_links(links: float) -> dict[Inputs, float]:
    return {Inputs.LINKS: links}


ROWS: Final = (
    Row(
        "canonicalize",
        Operation.HREF,
        "canonicalize(s)",
        _reach(0.45, 0.4, 0.6),
        _on_links(1.3),
    ),
    Row("can_parse", Operation.CAN_PARSE, "can_parse(s)", _reach(0.6, 0.6, 0.7), _on_links(2.2)),
    Row(
        "parse + 8 components",
        Operation.COMPONENTS,
        "r = parse(s); r.scheme; r.username; r.password; r.host; r.port; r.path; r.query; "
        "r.fragment",
        _reach(0.75, 0.7, 0.7, 0.85),
        _on_links(2.4),
    ),
    Row(
        "parse",
        Operation.PARSE,
        "parse(s)",
        _reach(0.82, 0.7, 0.7),
        {Inputs.LINKS: 3.6, Inputs.SLOW: 4.0, Inputs.IDN: 5.0},
    ),
    Row("URL(s).href", Operation.HREF, "URL(s).href", _reach(0.8, 0.6, 0.7), _on_links(3.0)),
    Row("join", Operation.JOIN, "base.join(s)", _reach(0.7, 0.8), _on_links(3.6)),
    Row(
        "join, then href",
        Operation.JOIN_HREF,
        "base.join(s).href",
        _reach(0.8, 0.8),
        _on_links(3.6),
    ),
    Row(
        "parse(s, base text)",
        Operation.JOIN_TEXTS,
        "parse(s, base_text)",
        _reach(0.65, 0.8),
        _on_links(3.6),
    ),
    Row(
        "URLSearchParams, then str",
        Operation.PARAMS,
        "str(URLSearchParams(s))",
        _reach(0.9),
        _on_links(4.0),
    ),
)

PURE_PEER: Final = "pywhatwgurl"
"""The peer in pure Python, which slow inputs are held against."""

REACH_ON_SLOW: Final = {"compiled": 1 / 40, "interpreted": 1 / 6}
"""The largest ratio to `PURE_PEER` that is wanted on inputs that no shortcut fits."""

REACH_OF_IMPORT: Final = 1.2
"""The largest ratio of `import weburl` to `import attrs` that is wanted, in both builds."""

SIZES: Final = tuple(1 << power for power in range(16, 23))
"""The bytes of a hostile text: from 64 KiB to 4 MiB, doubled."""

FLAT: Final = 1.5
"""By what factor the time per byte may grow from one of them to a larger one."""

AS_QUICK_AS_MEMORY: Final = 1.0
"""Nanoseconds per byte: what is quicker depends on the processor's caches more than on us."""
