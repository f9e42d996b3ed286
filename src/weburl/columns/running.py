"""Computes a whole column: in batches, once for each value of a dictionary, by several workers.

`kernels` computes a batch. This module finds the base of each row, handles failures as requested,
and joins the batches to a column.
"""

from __future__ import annotations

import warnings
from collections.abc import Callable, Iterator
from contextlib import closing
from functools import partial
from itertools import islice
from typing import Any, Final, NamedTuple, cast

import attrs
import pyarrow as pa
import pyarrow.compute as pc

from weburl.columns.arrow import (
    Column,
    bytes_of_row,
    chunks_of,
    exact_dictionary,
    joined,
    like,
    plain_text,
    read_column,
    require_same_length,
    text_type,
    texts_of,
    with_index,
)
from weburl.columns.judging import looks_at_each
from weburl.columns.kernels import (
    NAME_TYPE,
    Kernel,
    final_type,
    names_of,
    result_type,
)
from weburl.columns.options import (
    Errors,
    Progress,
    require_errors,
    require_workers,
)
from weburl.columns.parts import Base, part_type
from weburl.columns.rows import Failures, is_bare_host
from weburl.columns.table import BY_NAME
from weburl.columns.workers import Answer, computing, threads_pay
from weburl.policies.policy import URLPolicy
from weburl.standard.url.api import parse
from weburl.standard.url.host_texts import parse_host
from weburl.standard.url.record import URLRecord
from weburl.standard.url.report import URLParseError

BATCH: Final = 1 << 16
"""How many rows are computed at a time."""

# How many rows are looked at before `BareHostsWarning` is given.
_ROWS_LOOKED_AT: Final = 1000


class BareHostsWarning(UserWarning):
    """All rows are hosts such as "example.com", and a function for URLs was called."""

    __module__ = "weburl.columns"


@attrs.frozen
class Task:
    """One computation. It can be pickled for another process."""

    operation: str
    arguments: tuple[Any, ...]
    options: dict[str, Any]
    errors: Errors

    def __attrs_post_init__(self) -> None:
        require_errors(self.errors)

    @property
    def is_compiled(self) -> bool:
        """Whether the compiled reader of buffers, if there is one, does most of the work."""
        policies = (each for each in self.arguments if isinstance(each, URLPolicy))
        return not (
            BY_NAME[self.operation].in_python
            or (self.operation == "surt" and "careful" in self.arguments)
            or any(map(looks_at_each, policies))
        )

    def worker(self) -> Callable[[pa.Array, Base], Answer]:
        """Return what computes batches with one kernel, whose cache lives from batch to batch.

        Several threads may call it at a time: the only state of a kernel is an `lru_cache`.
        """
        kernel = BY_NAME[self.operation].kernel
        assert kernel is not None
        return partial(self._answer, kernel(*self.arguments, **self.options))

    def _answer(self, kernel: Kernel, array: pa.Array, base: Base) -> Answer:
        failures: Failures = {}
        values = kernel(array, base, failures)
        match self.errors:
            case "null":
                return Answer(values)
            case "raise":
                return Answer(values, min(failures, default=None))
            case "name":
                names = names_of(failures, len(array))
                missing = array.is_null()
                if isinstance(base, pa.Array):
                    missing = pc.or_(missing, base.is_null())
                fields = list(with_names(values.type))
                return Answer(
                    pa.StructArray.from_arrays([values, names], fields=fields, mask=missing)
                )

    def type_of_batch(self, plain: pa.DataType) -> pa.DataType:
        """Return the type of the answers for text of the type ``plain``."""
        answer = BY_NAME[self.operation].answer
        if answer == "part":
            made = part_type(self.arguments[0], plain)
        else:
            made = result_type(answer, plain)
        return with_names(made) if self.errors == "name" else made


def with_names(type: pa.DataType) -> pa.DataType:
    """Return the type of structs of a value and the name of its failure."""
    return pa.struct([("value", type), ("error", NAME_TYPE)])


def run(
    task: Task,
    urls: object,
    base: object = None,
    *,
    workers: int | None = None,
    progress: Progress | None = None,
) -> Column:
    """Return the answers for a column, as a column of the same kind.

    Args:
        task: What to compute.
        urls: The column of URLs.
        base: A column of the same length, a URL as text or record, or None.
        workers: How many workers compute at a time. None for as many threads as pyarrow uses,
            if threads are faster than one worker.
        progress: Called after each batch, or None.

    The errors are the same as for `weburl.columns.canonicalize`.
    """
    require_workers(workers)
    column = read_column(urls, "the URLs")
    bases = _read_base(base, column)
    in_all = len(column)
    chunks = list(_chunks(column, bases))

    def tell(done: int) -> None:
        if progress is not None:
            progress(done, in_all)

    worker = task.worker()  # Wrong arguments raise here, before the work.
    if in_all < BATCH or workers == 1:
        made = [
            _answered(task, chunk, (worker(*batch) for batch in chunk.batches()), tell)
            for chunk in chunks
        ]
    else:
        made = _by_workers(task, chunks, workers, tell, 1 + in_all // BATCH)
    if (
        bases is None
        and task.errors == "null"
        and all(array.null_count == len(array) for array in made)
    ):
        _warn_of_bare_hosts(task, chunks)
    of_batch = task.type_of_batch(text_type(column.type))
    whole = final_type(of_batch, column.type, by_value=not isinstance(bases, pa.Array))
    made = [array if array.type == whole else array.cast(whole) for array in made]
    return like(column, made, whole)


def _by_workers(
    task: Task,
    chunks: list[_Chunk],
    workers: int | None,
    tell: Callable[[int], None],
    batches: int,
) -> list[pa.Array]:
    """Return the answers for each array, which several workers compute."""
    is_compiled = task.is_compiled
    if workers is None:
        workers = pa.cpu_count() if threads_pay(is_compiled=is_compiled) else 1
    with computing(task, min(workers, batches), is_compiled=is_compiled) as compute:
        # Chain the batches of all chunks, so that workers do not wait for the end of a chunk.
        chained = (batch for chunk in chunks for batch in chunk.batches())
        # After an error, closing this first cancels the batches that wait.
        with closing(compute(chained)) as answers:
            return [_answered(task, chunk, answers, tell) for chunk in chunks]


class _Chunk(NamedTuple):
    """One array of a column: its strings, or the values and the indices of its dictionary."""

    texts: pa.Array
    indices: pa.Array | None
    base: Base
    before: int
    """How many rows of the column come before it."""

    def batches(self) -> Iterator[tuple[pa.Array, Base]]:
        """Yield the strings of each batch with their base."""
        for start in range(0, len(self.texts), BATCH):
            yield plain_text(self.texts.slice(start, BATCH)), _slice(self.base, start, BATCH)


def _chunks(column: Column, bases: Base) -> Iterator[_Chunk]:
    done = 0
    for chunk in chunks_of(column):
        base = _slice(bases, done, len(chunk))
        if pa.types.is_dictionary(chunk.type) and not isinstance(base, pa.Array):
            exact = exact_dictionary(chunk)
            yield _Chunk(exact.dictionary, exact.indices, base, done)
        else:
            yield _Chunk(chunk, None, base, done)
        done += len(chunk)


def _answered(
    task: Task, chunk: _Chunk, answers: Iterator[Answer], tell: Callable[[int], None]
) -> pa.Array:
    """Return the answers for one array, whose batches are the next in ``answers``."""
    texts, indices, base, before = chunk
    arrays: list[pa.Array] = []
    at = 0
    for answer in islice(answers, -(-len(texts) // BATCH)):
        if answer.failed is not None:
            row = at + answer.failed
            error = _error(task, texts, row, base)
            error.add_note(
                f"This is row {_first(indices, row) + before} of the column, counted from 0."
            )
            raise error
        arrays.append(answer.values)
        at += len(answer.values)
        tell(before + (at if indices is None else at * len(indices) // len(texts)))
    if arrays and all(array.type == texts.type and _is_within(array, texts) for array in arrays):
        values = texts  # No row has changed.
    else:
        values = joined(arrays, task.type_of_batch(text_type(texts.type)))
    if indices is None:
        return values
    if not len(texts) and len(indices):
        tell(before + len(indices))
    return with_index(values, indices)


def _is_within(array: pa.Array, texts: pa.Array) -> bool:
    """Return whether the answers for a batch are the batch itself."""
    if array.type not in (pa.string(), pa.large_string()):
        return False
    own, whole = array.buffers()[1], texts.buffers()[1]
    return own is not None and whole is not None and own.address == whole.address


def _first(indices: pa.Array, value: int) -> int:
    """Return the first row with a value of the dictionary, or ``value`` without a dictionary."""
    return value if indices is None else cast("int", indices.index(value).as_py())


def _read_base(base: object, urls: Column) -> Base:
    if base is None or isinstance(base, URLRecord):
        return base
    if isinstance(base, str):
        return parse(base)
    column = read_column(base, "the base")
    require_same_length(urls, column, "bases")
    return joined([plain_text(chunk) for chunk in chunks_of(column)], text_type(column.type))


def _slice(base: Base, start: int, length: int) -> Base:
    return base.slice(start, length) if isinstance(base, pa.Array) else base


def _error(task: Task, texts: pa.Array, row: int, base: Base) -> URLParseError:
    """Return the error that parsing the text of a row by itself raises."""
    own: list[pa.Array] = [plain_text(texts.slice(row, 1))]
    if isinstance(base, pa.Array):
        own.append(base.slice(row, 1))
    read: list[Any] = []
    for array in own:
        try:
            read.append(array[0].as_py())
        except UnicodeDecodeError:
            shown = bytes_of_row(array, 0).decode(errors="replace")
            return URLParseError("The text is not UTF-8.", shown)
    try:
        if BY_NAME[task.operation].of_hosts:
            parse_host(read[0])
        else:
            parse(read[0], read[1] if len(read) > 1 else cast("URLRecord | None", base))
    except URLParseError as error:
        return error
    raise AssertionError("a row that failed in its batch parses by itself")


# --- a column of hosts where URLs are expected ----------------------------------------------------


def _warn_of_bare_hosts(task: Task, chunks: list[_Chunk]) -> None:
    """Give a warning if the first rows that are not null are all hosts without a scheme."""
    if BY_NAME[task.operation].of_hosts:
        return
    texts: list[str | None] = []
    batches = (array for chunk in chunks for array, _ in chunk.batches())
    while len(texts) < _ROWS_LOOKED_AT and (array := next(batches, None)) is not None:
        texts += texts_of(array.drop_null().slice(0, _ROWS_LOOKED_AT - len(texts)), [])
    if texts and all(text is not None and is_bare_host(text) for text in texts):
        warnings.warn(
            "no row parses, because none has a scheme. If the texts are hosts, use a function for"
            " hosts: weburl.columns.registrable_domain_of_host, or host_registrable_domain in SQL",
            BareHostsWarning,
            stacklevel=5,
        )
