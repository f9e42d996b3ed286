"""Measures one contender: what it takes of the clock and of the processor, and how much memory.

Each is measured in a process of its own, which `in_its_own_process` starts and watches. It is
given as many rows as it can do in some seconds; an engine, all of its file.
"""

from __future__ import annotations

import gc
import json
import os
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import suppress
from functools import partial
from itertools import islice
from pathlib import Path
from typing import Any, Final, Self

from benchmarks.columns import rows
from benchmarks.columns.contenders import Contender, Takes, peers, weburls
from benchmarks.columns.spark import engines

_PROC: Final = Path("/proc")
_PAUSE: Final = 0.02  # seconds between looks at the memory
_COLUMN_BATCHES: Final = 16
_WARM: Final = 256  # rows
_TICKS: Final = os.sysconf("SC_CLK_TCK") if hasattr(os, "sysconf") else 100


def contenders() -> list[Contender]:
    """Return everyone, installed or not."""
    return [*weburls(), *peers(), *engines()]


# --- in a process of its own --------------------------------------------------------------------


def measure(contender: Contender, path: Path, seconds: float) -> tuple[dict[str, float], Any]:
    """Return what a contender took, and the work it does.

    ``rows``: how many it did. ``seconds``: by the clock. ``core_seconds``: of all processors, all
    its processes together.
    """
    work = contender.make()
    if contender.takes is Takes.FILE:
        work.run(path)  # The first run starts what there is to start.
        gc.collect()
        return _timed(partial(work.run, path)) | {"rows": _count(path)}, work
    for given in islice(_given(contender, path), 1):
        work(given[:_WARM])
    gc.collect()
    gc.freeze()
    took = {"rows": 0, "seconds": 0.0, "core_seconds": 0.0}
    for given in _given(contender, path):
        for key, value in _timed(partial(work, given)).items():
            took[key] += value
        took["rows"] += len(given)
        if took["seconds"] > seconds:
            break
    return took, work


def _timed(action: Callable[[], object]) -> dict[str, float]:
    used, started = core_seconds(), time.perf_counter()
    action()
    seconds = time.perf_counter() - started
    return {"seconds": seconds, "core_seconds": core_seconds() - used}


def _count(path: Path) -> int:
    from pyarrow import parquet

    with parquet.ParquetFile(path) as file:
        return int(file.metadata.num_rows)


def _given(contender: Contender, path: Path) -> Iterator[Any]:
    """Yield what a contender takes. Making it of the file is not charged to it."""
    arrays: Iterator[Any] = rows.batches(path)
    match contender.takes:
        case Takes.TEXTS:
            yield from (array.to_pylist() for array in arrays)
        case Takes.COLUMN:
            import pyarrow as pa

            yield pa.chunked_array(list(islice(arrays, _COLUMN_BATCHES)))
        case _:
            yield from arrays


def differing(contender: Contender, work: Any, path: Path, count: int) -> dict[str, int]:
    """Return how many answers of the first rows are not the standard's: ``differ``, ``checked``."""
    if contender.expected is None:
        return {}
    if contender.takes is Takes.FILE:
        texts, answers = work.answers(path, count)
    else:
        given = next(_given(contender, path))[:count]
        texts = given if contender.takes is Takes.TEXTS else given.to_pylist()
        answers = contender.as_answers(work(given))
    expected = contender.expected(texts)
    pairs = zip(answers, expected, strict=True)
    return {"differ": sum(1 for own, right in pairs if own != right), "checked": len(texts)}


def core_seconds() -> float:
    """Return the processor time of this process and of those below it, dead or alive."""
    times = os.times()
    used = time.process_time() + times.children_user + times.children_system
    for pid in processes_below(os.getpid()):
        # Its own, and that of the dead ones that it had started: user and system.
        used += sum(map(int, _stat(pid)[11:15])) / _TICKS
    return used


def processes_below(pid: int) -> list[int]:
    """Return the processes that a process has started, and those that they have started.

    None where the system has no ``/proc``.
    """
    found = [pid]
    for one in found:
        for path in _PROC.glob(f"{one}/task/*/children"):
            with suppress(OSError):
                found += map(int, path.read_text(encoding="ascii").split())
    return found[1:]


def _stat(pid: int) -> list[str]:
    """Return the fields of a process after its name, from its state on; none if it has ended."""
    try:
        text = (_PROC / str(pid) / "stat").read_text(encoding="utf-8", errors="replace")
    except OSError:
        return []
    return text.rpartition(")")[2].split()


# --- from outside -------------------------------------------------------------------------------


def in_its_own_process(
    contender: Contender, path: Path, seconds: float, checked: int
) -> dict[str, Any]:
    """Return what `measure` and `differing` give, and ``memory``: the most that it had, in MiB.

    ``failed`` in place of all that, if it fails: the last line that it wrote.
    """
    command = [
        sys.executable, "-m", "benchmarks.columns", "one", contender.name,
        "--file", str(path), "--seconds", str(seconds), "--checked", str(checked),
    ]  # fmt: skip
    found: dict[str, Any] = {}
    with subprocess.Popen(
        command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    ) as process:
        errors: list[str] = []
        drain = threading.Thread(target=lambda: errors.extend(process.stderr or ()))
        drain.start()
        with _Watch(process.pid) as watch:
            first = process.stdout.readline() if process.stdout else ""
        for line in (first, *(process.stdout or ())):
            if line.startswith("{"):
                found |= json.loads(line)
        drain.join()
    if process.returncode != 0:
        return {"failed": (errors or ["no reason given"])[-1].strip()}
    return found | {"memory": watch.most}


class _Watch:
    """Looks at the resident memory of a process and of those below it, until it is left."""

    def __init__(self, pid: int) -> None:
        self.most: float | None = None
        """The most that it saw, in MiB; None where the system does not tell."""
        self._pid = pid
        self._done = threading.Event()
        self._thread = threading.Thread(target=self._look)

    def __enter__(self) -> Self:
        self._thread.start()
        return self

    def __exit__(self, *_exception: object) -> None:
        self._done.set()
        self._thread.join()

    def _look(self) -> None:
        page = os.sysconf("SC_PAGE_SIZE") / (1 << 20) if _PROC.is_dir() else 0
        while page and not self._done.wait(_PAUSE):
            pids = (self._pid, *processes_below(self._pid))
            # The 22nd field after the name is the resident set, in pages.
            sizes = [int(fields[21]) for fields in map(_stat, pids) if fields]
            self.most = max(self.most or 0, round(sum(sizes) * page))
