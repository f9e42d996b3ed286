"""Computes batches in this thread or by several workers, always in order."""

from __future__ import annotations

import pickle
from collections import deque
from collections.abc import Callable, Iterator
from concurrent.futures import Executor, ThreadPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from contextlib import contextmanager
from functools import lru_cache, partial
from typing import TYPE_CHECKING, TypeAlias, TypeVar

from weburl.columns.files.adding import Added, Adding, packed, unpacked
from weburl.columns.files.errors import STOPPED, FileError
from weburl.columns.files.rows import Rows
from weburl.columns.workers import (
    in_order,
    processes,
    read,
    threads_pay,
    written,
    written_arrays,
)

if TYPE_CHECKING:
    from weburl.columns.files.links import AddingLinks

Compute: TypeAlias = Callable[[Iterator[Rows]], Iterator[tuple[Rows, Added]]]
"""Takes batches, and yields each of them with what is added to it."""

_Answer = TypeVar("_Answer")


@contextmanager
def computing(adding: Adding | AddingLinks, workers: int) -> Iterator[Compute]:
    """Provide a function that computes batches with so many workers, in threads or processes."""
    if workers == 1:
        yield lambda batches: ((rows, adding.compute(rows.urls, rows.bases)) for rows in batches)
    elif threads_pay(is_compiled=adding.is_compiled):
        with ThreadPoolExecutor(workers) as executor:
            yield partial(
                _by,
                executor,
                workers,
                lambda rows: partial(adding.compute, rows.urls, rows.bases),
            )
    else:
        own = pickle.dumps(adding)
        try:
            with processes(workers) as executor:
                yield lambda batches: (
                    (rows, unpacked(read(answer)))
                    for rows, answer in _by(executor, workers, partial(_sent, own), batches)
                )
        except BrokenProcessPool:
            raise FileError(
                "a worker process was killed, perhaps because memory ran out", STOPPED
            ) from None


def _by(
    executor: Executor,
    workers: int,
    job_for: Callable[[Rows], Callable[[], _Answer]],
    batches: Iterator[Rows],
) -> Iterator[tuple[Rows, _Answer]]:
    """Yield batches with the results of their jobs."""
    waiting: deque[Rows] = deque()

    def jobs() -> Iterator[Callable[[], _Answer]]:
        for rows in batches:
            waiting.append(rows)
            yield job_for(rows)

    for answer in in_order(executor, workers, jobs()):
        yield waiting.popleft(), answer


def _sent(adding: bytes, rows: Rows) -> Callable[[], bytes]:
    return partial(_compute, adding, written_arrays(rows.urls, rows.bases))


@lru_cache(maxsize=1)
def _adding_of(pickled: bytes) -> Adding | AddingLinks:
    adding: Adding | AddingLinks = pickle.loads(pickled)  # noqa: S301  # this program has pickled it
    return adding


def _compute(adding: bytes, data: bytes) -> bytes:
    """Compute a batch that was sent to this process."""
    columns = read(data).columns
    added = _adding_of(adding).compute(columns[0], columns[1] if len(columns) > 1 else None)
    return written(packed(added))
