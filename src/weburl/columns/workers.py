"""Workers that compute batches: threads, or processes that receive batches as bytes.

Callers decide what is computed. Answers are in the order of the batches.
"""

from __future__ import annotations

import pickle
import signal
import sys
from collections import deque
from collections.abc import Callable, Generator, Iterator
from concurrent.futures import Executor, Future, ProcessPoolExecutor, ThreadPoolExecutor
from contextlib import contextmanager
from functools import lru_cache, partial
from multiprocessing import get_context, parent_process
from os import _exit
from threading import Thread
from typing import NamedTuple, Protocol, TypeAlias, TypeVar

import pyarrow as pa

from weburl.columns.parts import Base
from weburl.standard.storage import COMPILED
from weburl.standard.url.record import URLRecord

_Result = TypeVar("_Result")

Batch: TypeAlias = tuple[pa.Array, Base]
"""Strings, and the base of each or of all."""


class Answer(NamedTuple):
    """The result for a batch, and its first row that failed if failures raise errors."""

    values: pa.Array
    failed: int | None = None


class Work(Protocol):
    """What workers do. It can be pickled for another process."""

    def worker(self) -> Callable[[pa.Array, Base], Answer]:
        """Return what computes a batch. Several threads may call it at a time."""


@contextmanager
def computing(
    work: Work, workers: int, *, is_compiled: bool
) -> Iterator[Callable[[Iterator[Batch]], Generator[Answer, None, None]]]:
    """Provide a function that computes batches and yields the answers in their order.

    ``is_compiled``: as for `threads_pay`.
    """
    if workers == 1:
        worker = work.worker()
        yield lambda batches: (worker(*batch) for batch in batches)
    elif threads_pay(is_compiled=is_compiled):
        worker = work.worker()
        with ThreadPoolExecutor(workers) as executor:
            yield lambda batches: in_order(
                executor, workers, (partial(worker, *batch) for batch in batches)
            )
    else:
        with processes(workers) as executor:
            own = pickle.dumps(work)
            yield lambda batches: (
                Answer(_read(data).column(0), failed)
                for data, failed in in_order(
                    executor, workers, (partial(_compute, own, *_sent(*batch)) for batch in batches)
                )
            )


@lru_cache(maxsize=1)
def _worker_for(work: bytes) -> Callable[[pa.Array, Base], Answer]:
    """Return this process's worker, which lives as long as jobs have the same work."""
    pickled: Work = pickle.loads(work)  # noqa: S301  # this program has pickled it
    return pickled.worker()


def _compute(work: bytes, data: bytes, base: URLRecord | None) -> tuple[bytes, int | None]:
    """Compute a batch that was sent to this process."""
    columns = _read(data).columns
    answer = _worker_for(work)(columns[0], columns[1] if len(columns) > 1 else base)
    return _written(answer.values), answer.failed


def _sent(array: pa.Array, base: Base) -> tuple[bytes, URLRecord | None]:
    if isinstance(base, pa.Array):
        return _written(array, base), None
    return _written(array), base


def threads_pay(*, is_compiled: bool) -> bool:
    """Return whether threads are faster than processes.

    ``is_compiled``: whether the compiled reader of buffers, if there is one, does most of the work.
    It releases the GIL: two threads took 0.11 s for the hrefs of a million rows, two processes
    0.67 s, one worker 0.16 s. Python code for each value or each host blocks other threads.
    """
    has_gil = getattr(sys, "_is_gil_enabled", lambda: True)()
    return not has_gil or (COMPILED and is_compiled)


def in_order(
    executor: Executor, workers: int, jobs: Iterator[Callable[[], _Result]]
) -> Generator[_Result, None, None]:
    """Yield the results of jobs in order. Only enough jobs wait to keep the workers busy."""
    waiting: deque[Future[_Result]] = deque()
    try:
        for job in jobs:
            waiting.append(executor.submit(job))
            if len(waiting) > 2 * workers:
                yield waiting.popleft().result()
        while waiting:
            yield waiting.popleft().result()
    finally:
        for future in waiting:
            future.cancel()


@contextmanager
def processes(workers: int) -> Iterator[ProcessPoolExecutor]:
    """Provide a pool of processes, which end with this one.

    Raises `concurrent.futures.process.BrokenProcessPool` if a process cannot start, as in a script
    that does not begin its work under ``if __name__ == "__main__":``.
    """
    # A fork of a process with threads, such as the threads of pyarrow, may deadlock.
    with ProcessPoolExecutor(workers, get_context("spawn"), initializer=_begin) as executor:
        # Nothing long is sent before the processes run. While Python starts a process, it writes to
        # a pipe that both processes hold open, and waits forever if the pipe is full and the new
        # process has ended. Before Python 3.11.5, the same was true of jobs.
        for started in [executor.submit(_nothing) for _ in range(workers)]:
            started.result()
        yield executor


def _nothing() -> None:
    """Do nothing: that this returns shows that the process runs."""


def _begin() -> None:
    # Ctrl-C reaches all processes of a terminal; only the parent handles it and ends the others.
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    Thread(target=_end_with_parent, daemon=True).start()


def _end_with_parent() -> None:
    """End this process when its parent is killed, because it would wait for work forever."""
    parent = parent_process()
    if parent is not None:
        parent.join()
        _exit(1)


# Not pickle: a pickled slice contains the whole array that it was cut from.
def _written(*arrays: pa.Array) -> bytes:
    """Return arrays of the same length as bytes."""
    batch = pa.RecordBatch.from_arrays([*arrays], [str(number) for number in range(len(arrays))])
    sink = pa.BufferOutputStream()
    with pa.ipc.new_stream(sink, batch.schema) as writer:
        writer.write_batch(batch)
    data: bytes = sink.getvalue().to_pybytes()
    return data


def _read(data: bytes) -> pa.RecordBatch:
    """Return the batch that `_written` turned into bytes."""
    return pa.ipc.open_stream(data).read_next_batch()
