"""Threads that take turns very often, so that what two of them share shows its faults."""

from __future__ import annotations

import sys
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor


def run_in_threads(work: Callable[[int], object], calls: int, threads: int) -> None:
    """Call ``work`` with each number below ``calls``, in so many threads. Raises its errors."""
    interval = sys.getswitchinterval()
    sys.setswitchinterval(1e-6)
    try:
        with ThreadPoolExecutor(threads) as executor:
            list(executor.map(work, range(calls)))
    finally:
        sys.setswitchinterval(interval)
