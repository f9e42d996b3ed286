"""What an object takes that a program keeps: bytes, and time of the garbage collector.

Each is measured in a process of its own. The numbers are in ``extra_info`` of the JSON file:
``bytes`` that the process grows by for each object, ``read``, the same after eight parts of each
were read, and ``collect``, the milliseconds of a collection while `KEPT` objects are kept.
"""

from __future__ import annotations

import gc
import multiprocessing
import os
import resource
import subprocess
import sys
from collections.abc import Sequence
from concurrent.futures import ProcessPoolExecutor
from itertools import cycle, islice
from pathlib import Path
from time import process_time_ns
from typing import Any, Final

import pytest

from benchmarks import contenders
from benchmarks.bench_urls import PEERS_CODE, ROWS
from benchmarks.contenders import PEERS

KEPT: Final = 200_000
_ROUNDS: Final = 3
_STATM: Final = Path("/proc/self/statm")

_PARTS: Final = PEERS_CODE["components"]
_PARTS_OF_RECORD: Final = next(row.code for row in ROWS if row.peers == "components")

MADE: Final = {
    "weburl.parse(s)": ("weburl", "parse(s)", _PARTS_OF_RECORD),
    # The attributes of the web's URL, as those of this peer.
    "weburl.URL(s)": ("weburl", "URL(s)", _PARTS["can_ada"]),
    **{peer.name: (peer.name, "parse(s)", _PARTS[peer.name]) for peer in PEERS if not peer.slow},
}
"""What is kept, who makes it, and the code that makes it and reads its parts."""


def resident_bytes() -> int:
    """Return the size of this process, or 0 where the system does not tell."""
    if not _STATM.is_file():
        return 0
    return int(_STATM.read_text(encoding="ascii").split()[1]) * os.sysconf("SC_PAGE_SIZE")


def measured(
    name: str, code: str, parts: str, texts: Sequence[str], count: int
) -> dict[str, float]:
    """Return the ``bytes`` of an object, and after it was ``read``; and the time to ``collect``."""
    contender = contenders.BY_NAME[name]
    contender.load()
    make = contender.loop(code, keep=True)
    read = contender.loop(parts.replace("parse(s)", "s", 1))
    wanted = dict(zip(texts, contender.that_succeed(code, texts), strict=True))
    given = list(islice(cycle([text for text, parses in wanted.items() if parses]), count))
    read(make(given[:1000]))
    gc.collect()
    before = resident_bytes()
    # Each from a text of its own, which is freed unless the object keeps it.
    kept = make(f"{text} "[:-1] for text in given)
    grown = resident_bytes() - before
    times = []
    for _ in range(_ROUNDS):
        start = process_time_ns()
        gc.collect()
        times.append((process_time_ns() - start) / 1e6)
    read(kept)
    grown_by_reading = resident_bytes() - before
    return {
        "bytes": round(grown / len(kept)),
        "read": round(grown_by_reading / len(kept)),
        "collect": round(min(times), 1),
    }


@pytest.mark.parametrize("what", MADE)
def bench_kept(what: str, links: list[str], limit: int | None, benchmark: Any) -> None:
    """Keep many objects."""
    name, code, parts = MADE[what]
    if not contenders.BY_NAME[name].load():
        pytest.skip(f"{name} is not installed")
    benchmark.group = "kept objects"
    with ProcessPoolExecutor(1, multiprocessing.get_context("spawn")) as pool:
        found = benchmark.pedantic(
            lambda: pool.submit(measured, name, code, parts, links, limit or KEPT).result(),
            rounds=1,
        )
    benchmark.extra_info.update(what=what, **found)


@pytest.mark.parametrize(
    "module", ["", "weburl", "attrs", *(p.setup.split()[1].strip(";") for p in PEERS)]
)
def bench_import(module: str, benchmark: Any) -> None:
    """Start Python, and import a module; the first one imports nothing."""
    code = f"import {module}" if module else ""
    program = [sys.executable, "-P", "-c", code]
    if subprocess.run(program, check=False, stderr=subprocess.DEVNULL).returncode:
        pytest.skip(f"{module} is not installed")
    benchmark.group = "import"
    benchmark._timer = _children_time
    benchmark.extra_info.update(module=module)
    benchmark.pedantic(lambda: subprocess.run(program, check=True), rounds=5)


def _children_time() -> float:
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime
