"""How long an import takes beyond the bare interpreter, each time in a process of its own."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Sequence
from statistics import median

_BARE = ""


def import_times(modules: Sequence[str], rounds: int) -> dict[str, dict[str, float]]:
    """Return the ``median`` and ``minimum`` of milliseconds by module; bare is what "" names.

    Processor time from the start of the process on; the times of the modules are beyond that of
    the bare interpreter, minimum to minimum and median to median.
    """
    names = (_BARE, *modules)
    times: dict[str, list[float]] = {name: [] for name in names}
    for name in names:
        _milliseconds(name)  # compiles to byte code, and warms the disk's cache
    for _ in range(rounds):
        for name in names:
            times[name].append(_milliseconds(name))
    bare_median, bare_minimum = median(times[_BARE]), min(times[_BARE])
    return {
        name: {
            "median": round(median(of) - (bare_median if name else 0), 2),
            "minimum": round(min(of) - (bare_minimum if name else 0), 2),
        }
        for name, of in times.items()
    }


def _milliseconds(module: str) -> float:
    load = f"import {module}; " if module else ""
    result = subprocess.run(
        [sys.executable, "-P", "-c", f"{load}import time; print(time.process_time())"],
        check=True,
        capture_output=True,
        text=True,
    )
    return float(result.stdout) * 1000
