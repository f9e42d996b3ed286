"""Batches that are computed: here, or by several workers, always in their order."""

from __future__ import annotations

import signal
import sys
from collections import deque
from collections.abc import Callable, Iterator
from concurrent.futures import Executor, ProcessPoolExecutor, ThreadPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from contextlib import contextmanager
from functools import partial
from multiprocessing import get_context, parent_process
from os import _exit
from threading import Thread
from typing import TypeAlias

import pyarrow as pa

from weburl.column_files.adding import Added, Adding, packed, unpacked
from weburl.column_files.errors import STOPPED, FileError
from weburl.column_files.rows import Rows
from weburl.columns.running import in_order

Compute: TypeAlias = Callable[[Iterator[Rows]], Iterator[tuple[Rows, Added]]]
"""From batches to each of them with what is added to it."""


@contextmanager
def computing(adding: Adding, workers: int) -> Iterator[Compute]:
    """Give what computes batches. Workers are processes, or threads if Python has no GIL."""
    if workers == 1:
        yield lambda batches: ((rows, adding.compute(rows.urls, rows.bases)) for rows in batches)
    elif not getattr(sys, "_is_gil_enabled", lambda: True)():
        with ThreadPoolExecutor(workers) as executor:
            yield partial(_by_threads, executor, workers, adding)
    else:
        # A fork of a process in which threads run, as those of pyarrow do, may stop for good.
        with ProcessPoolExecutor(
            workers, get_context("spawn"), initializer=_start, initargs=(adding,)
        ) as executor:
            try:
                yield partial(_by_processes, executor, workers)
            except BrokenProcessPool:
                raise FileError(
                    "a worker was ended from outside, maybe for want of memory", STOPPED
                ) from None


def _by_threads(
    executor: Executor, workers: int, adding: Adding, batches: Iterator[Rows]
) -> Iterator[tuple[Rows, Added]]:
    waiting: deque[Rows] = deque()

    def jobs() -> Iterator[Callable[[], Added]]:
        for rows in batches:
            waiting.append(rows)
            yield partial(adding.compute, rows.urls, rows.bases)

    for added in in_order(executor, workers, jobs()):
        yield waiting.popleft(), added


def _by_processes(
    executor: Executor, workers: int, batches: Iterator[Rows]
) -> Iterator[tuple[Rows, Added]]:
    waiting: deque[Rows] = deque()

    def jobs() -> Iterator[Callable[[], bytes]]:
        for rows in batches:
            waiting.append(rows)
            columns = [rows.urls] if rows.bases is None else [rows.urls, rows.bases]
            names = [str(number) for number in range(len(columns))]
            yield partial(_compute, written(pa.RecordBatch.from_arrays(columns, names)))

    for answer in in_order(executor, workers, jobs()):
        yield waiting.popleft(), unpacked(_read(answer))


_adding: Adding


def _start(adding: Adding) -> None:
    """Get ready, in a process of its own."""
    global _adding  # noqa: PLW0603
    _adding = adding
    # Ctrl-C reaches all processes of a terminal; the first one ends the others.
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    Thread(target=_end_with_parent, daemon=True).start()


def _end_with_parent() -> None:
    """End this process when the first one was killed: it would wait for work for ever."""
    parent = parent_process()
    if parent is not None:
        parent.join()
        _exit(1)


def _compute(data: bytes) -> bytes:
    """Compute a batch that was sent to this process."""
    columns = _read(data).columns
    added = _adding.compute(columns[0], columns[1] if len(columns) > 1 else None)
    return written(packed(added))


# Pickled, a slice brings the whole array that it was cut from.
def written(batch: pa.RecordBatch) -> bytes:
    """Return a batch as bytes."""
    sink = pa.BufferOutputStream()
    with pa.ipc.new_stream(sink, batch.schema) as writer:
        writer.write_batch(batch)
    data: bytes = sink.getvalue().to_pybytes()
    return data


def _read(data: bytes) -> pa.RecordBatch:
    return pa.ipc.open_stream(data).read_next_batch()
