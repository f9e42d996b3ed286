"""How many bytes an object takes that is kept, all in.

``python -m benchmarks.memory CONTENDER TEXTS`` makes objects of all lines of a file in a
process of its own and prints what each takes. The resident set's growth is what the system gives,
whoever asked for it, C++ too; what Python's own allocators gave is exact and for `weburl` alone.
"""

from __future__ import annotations

import gc
import json
import os
import subprocess
import sys
import tempfile
import tracemalloc
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any, Final

from benchmarks.contenders import PEERS, WEBURL
from benchmarks.operations import Operation
from benchmarks.runner import succeeds

KEPT: Final = {
    "weburl.parse(s)": "parse",
    "weburl.parse(s), its href read": "read",
    "weburl.URL(s)": "URL",
}
"""What `weburl` can keep."""

_STATM: Final = Path("/proc/self/statm")
_SLOT: Final = 8  # in the list that keeps the object


def kept_bytes(texts: Sequence[str]) -> dict[str, dict[str, float | None]]:
    """Return the bytes an object takes, by what is kept.

    ``resident`` is the growth of the process, None where the system does not tell it.
    ``allocated`` is what Python's allocators gave, for `weburl` alone, with the texts gone
    afterwards: what an object keeps of its text is its own. ``with_texts`` is the same with the
    texts kept by somebody else, so that what is shared with them costs nothing.
    """
    names = [*KEPT, *(peer.name for peer in PEERS if peer.load())]
    return in_a_process("benchmarks.memory", names, texts)


def in_a_process(
    module: str, names: Sequence[str], texts: Sequence[str]
) -> dict[str, dict[str, float | None]]:
    """Return what a module measures of each contender, in a process for each of them."""
    with tempfile.TemporaryDirectory() as directory:
        path = Path(directory, "texts")
        path.write_text("\n".join(texts), encoding="utf-8")
        return {name: _measured_by(module, name, path) for name in names}


def _measured_by(module: str, name: str, path: Path) -> dict[str, float | None]:
    result = subprocess.run(
        [sys.executable, "-m", module, name, str(path)],
        check=True,
        capture_output=True,
        text=True,
    )
    measured: dict[str, float | None] = json.loads(result.stdout)
    return measured


def maker(name: str) -> Callable[[str], Any]:
    """Return what makes an object of a text."""
    if name not in KEPT:
        peer = next(peer for peer in PEERS if peer.name == name)
        peer.load()
        return peer.function(Operation.PARSE)
    WEBURL.load()
    parse: Callable[[str], Any] = WEBURL.namespace["parse"]

    def read(text: str) -> Any:
        record = parse(text)
        _ = record.href
        return record

    return read if KEPT[name] == "read" else WEBURL.namespace[KEPT[name]]


def resident_bytes() -> int | None:
    """Return the size of this process's resident set, or None where the system does not tell."""
    if not _STATM.is_file():
        return None
    return int(_STATM.read_text(encoding="ascii").split()[1]) * os.sysconf("SC_PAGE_SIZE")


def bytes_each(
    make: Callable[[str], Any], texts: Sequence[str], measure: Callable[[], int]
) -> float:
    """Return by how much ``measure`` grows for each text that ``make`` makes an object of."""
    made: list[Any] = [None] * len(texts)
    gc.collect()
    before = measure()
    for index, text in enumerate(texts):
        made[index] = make(text)
    gc.collect()
    return round((measure() - before) / len(texts), 1)


def allocated_bytes(make: Callable[[str], Any], texts: Sequence[str]) -> dict[str, float]:
    """Return the bytes that Python's allocators gave for an object, both ways."""
    tracemalloc.start()
    try:
        return {
            "allocated": bytes_each(lambda text: make(text[:1] + text[1:]), texts, _traced),
            "with_texts": bytes_each(make, texts, _traced),
        }
    finally:
        tracemalloc.stop()


def _traced() -> int:
    return tracemalloc.get_traced_memory()[0]


def main(name: str, path: str) -> None:
    """Print the bytes an object takes, as JSON."""
    make = maker(name)
    lines = Path(path).read_text(encoding="utf-8").split("\n")
    texts = [line for line in lines if succeeds(make, line)]
    measured: dict[str, float | None] = {"resident": None}
    if resident_bytes() is not None:
        measured["resident"] = bytes_each(make, texts, lambda: resident_bytes() or 0)
    if name in KEPT:
        measured |= allocated_bytes(make, texts)
    print(json.dumps(measured))


if __name__ == "__main__":
    main(*sys.argv[1:])
