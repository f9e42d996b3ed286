"""Whether memory stays flat in long runs: ``python -m benchmarks.leaks --operations N [names…]``.

Every public function is called again and again, with texts that are new each time: valid, invalid
and hostile ones, some of them long. What is in use after a tenth of the calls is compared with what
is in use at the end. If something grows, its name is printed with the types and the lines that made
the new objects, and the exit status is 1.

Garbage is collected before memory is counted, and caches that have a bound are emptied. How much
they held is a figure of its own. A cache without a bound counts as a leak.
"""

from __future__ import annotations

import argparse
import ctypes
import functools
import gc
import re
import sys
import tracemalloc
import warnings
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from functools import cache
from time import perf_counter, process_time
from typing import Any, Final

from attrs import frozen

from benchmarks.bench_kept import resident_bytes
from benchmarks.complexity import Task, tasks
from benchmarks.shapes import SHAPES, TEXT_SHAPES, Shape
from benchmarks.values import value_tasks
from weburl import COMPILED
from weburl.standard.hosts import uts46

MOST_BLOCKS: Final = 50
MOST_BLOCKS_EACH: Final = 1 / 1000
"""A task grows if it has more new blocks than this, and this for each operation."""

MOST_BYTES: Final = 1 << 17
MOST_BYTES_EACH: Final = 1 / 4
"""The same for bytes in large blocks."""

MOST_RESIDENT: Final = 16 << 20
"""A task grows, too, if the process is so many bytes larger in the end, whatever they are for."""

_AT_A_TIME: Final = 100  # operations between two looks at the clock
_SIZE: Final = 90  # bytes of a hostile text
_LONG: Final = 6000
_EACH_HOSTILE: Final = 8  # one text of so many is hostile, all others are ordinary
_EACH_LONG: Final = 2000  # one of so many is hostile and long
_TRACED: Final = 2000  # operations whose allocations are traced if a task grows
_SECONDS_TRACED: Final = 10


@frozen
class Reading:
    """What a process has in use.

    ``blocks``: how many objects and tables of up to 512 bytes. ``large``: bytes in larger blocks,
    or 0 where the C library does not tell. ``resident``: bytes of the process, or 0.
    """

    blocks: int
    large: int
    resident: int

    @classmethod
    def now(cls) -> Reading:
        """Return what is in use, after all garbage is collected."""
        gc.collect()
        # In this order: making the other two numbers needs blocks.
        large, resident = _large_bytes(), resident_bytes()
        return cls(sys.getallocatedblocks(), large, resident)


@frozen
class Result:
    """What was measured of a task.

    ``operations`` counts those between the two readings. ``cached`` is how many blocks the caches
    with a bound held at each reading.
    """

    task: str
    operations: int
    seconds: float
    before: Reading
    after: Reading
    cached: tuple[int, int]

    @property
    def blocks(self) -> int:
        """How many more small blocks are in use in the end."""
        return self.after.blocks - self.before.blocks

    @property
    def large(self) -> int:
        """How many more bytes are in use in large blocks."""
        return self.after.large - self.before.large

    @property
    def resident(self) -> int:
        """By how many bytes the process has grown."""
        return self.after.resident - self.before.resident

    @property
    def grows(self) -> bool:
        """Whether this is more than chance."""
        return (
            self.blocks > MOST_BLOCKS + MOST_BLOCKS_EACH * self.operations
            or self.large > MOST_BYTES + MOST_BYTES_EACH * self.operations
            or self.resident > MOST_RESIDENT
        )

    def line(self) -> str:
        """Return the row of the table."""
        return (
            f"{self.task[:38]:38}{self.operations:>12,}{self.seconds:>8.1f} s{self.blocks:>+8}"
            f"{self.large:>+10}{self.resident / 1024:>+10,.0f}"
            f"{self.resident / max(self.operations, 1):>+9.3f}"
            f"{self.cached[0]:>9,}{self.cached[1]:>9,}{'  GROWS' if self.grows else ''}"
        )


HEADING: Final = (
    f"{'task':38}{'operations':>12}{'time':>10}{'blocks':>8}{'large':>10}{'RSS, KB':>10}"
    f"{'B each':>9}{'cached blocks':>18}"
)


class _Mallinfo(ctypes.Structure):
    _fields_ = [
        (name, ctypes.c_size_t)
        for name in ("arena", "ordblks", "smblks", "hblks", "hblkhd", "usmblks", "fsmblks",
                     "uordblks", "fordblks", "keepcost")
    ]  # fmt: skip


@cache
def _mallinfo() -> Callable[[], Any] | None:
    """Return glibc's function that says how much of its memory is in use, or None."""
    try:
        function = ctypes.CDLL(None).mallinfo2
    except (AttributeError, OSError, TypeError):
        return None
    function.restype = _Mallinfo
    return function


def _large_bytes() -> int:
    # Arrow has an allocator of its own.
    arrow = int(sys.modules["pyarrow"].total_allocated_bytes()) if "pyarrow" in sys.modules else 0
    mallinfo = _mallinfo()
    if mallinfo is None:
        return arrow
    info = mallinfo()
    return int(info.uordblks + info.hblkhd) + arrow


_frozen_caches: Final[list[Any]] = []


def set_aside() -> None:
    """Let the garbage collector pass over all that is loaded, which makes a measurement quick."""
    _ = "".encode("utf-32-le")  # Python loads a codec at first use, and few texts need this one.
    gc.unfreeze()
    gc.collect()
    _frozen_caches[:] = _bounded_caches()
    gc.freeze()


def _bounded_caches() -> list[Any]:
    kind = functools._lru_cache_wrapper
    caches = (found for found in gc.get_objects() if type(found) is kind)
    return [found for found in caches if found.cache_parameters()["maxsize"] is not None]


def empty_bounded_caches() -> None:
    """Empty every cache with a bound: of ours, of Django and of the standard library."""
    for found in (*_frozen_caches, *_bounded_caches()):
        found.cache_clear()
    re.purge()
    with warnings.catch_warnings(action="ignore"):
        sys._clear_type_cache()  # Python keeps names of attributes in it, up to 4096
    uts46._kinds.clear()
    uts46._mapped_to.clear()


URLS: Final[tuple[Callable[[int], str], ...]] = (
    lambda n: f"https://www.example.com/a/b{n}.c?d=e&f=g#h",
    lambda n: f"HTTPS://User:Pass{n}@EXAMPLE.com:443/../a/./%7eb?c#{n}",
    lambda n: f"https://a{n}.b{n % 7}.example.co.uk/",
    lambda n: f"https://bücher{n}.example/é{n}?ü#ß",
    lambda n: f"https://{chr(0x4E00 + n % 20000)}{n}.{chr(0x3B1 + n % 24)}.example/",
    lambda n: f"https://xn--bcher-kva.example/{n}",
    lambda n: f"https://xn--{n}/",
    lambda n: f"https://א{n % 10}ב.example/%D7%90{n}",
    lambda n: f"http://[2001:db8::{n % 65536:x}]:{n % 65536}/",
    lambda n: f"http://[::1:{n}]/",
    lambda n: f"http://{n % 256}.{n // 256 % 256}.1/",
    lambda n: f"http://0x{n:x}/",
    lambda n: f"http://1.2.3.4.{n}/",
    lambda n: f"https://example.com:{n}/",
    lambda n: f"https://exa mple{n}.com/",
    lambda n: f"https://user:secret{n}@h%00{n}/a",
    lambda n: f"//example.com/{n}",
    lambda n: f"../a/{n}?b",
    lambda n: f"?{n}",
    lambda n: f"#{n}",
    lambda n: f"mailto:a{n}@example.com",
    lambda n: f"data:text/plain,{n}  #x",
    lambda n: f"blob:https://example.com/{n}",
    lambda n: f"file:///C|/a/{n}/../b",
    lambda n: f"urn:isbn:{n}",
    lambda n: f"scheme{n}://Host{n}/",
    lambda n: f"javascript:alert({n})",
    lambda n: f"\t https://example.com/\n{n}\ud800 ",
    lambda n: f"https://example.com/?utm_source={n}&id={n}&a=%26&b={n}&a=1",
    lambda n: f"https://app.example/cb?{n}",
    lambda n: f"https://10.0.{n % 256}.1/hook",
    lambda n: f"http://localhost:8000/{n}",
    lambda n: f"https://testserver/{n}",
    lambda n: f"/a/{n}",
    lambda n: f"https://*.example/:name{n}/*?",
    lambda n: f"https://a{n}.example",
    lambda n: f"https://a.corp/{n}",
    lambda _: "",
)  # fmt: skip
"""Whole URLs, and text in their place. Each text has a number that no other one has."""

PARTS: Final[tuple[Callable[[int], str], ...]] = (
    lambda n: f"a{n}",
    lambda n: f"http{'s' * (n % 2)}",
    lambda n: f"{n % 65536}",
    lambda n: f"example{n}.com:80",
    lambda n: f"é{n}.example",
    lambda n: f"[::{n % 65536:x}]",
    lambda n: f"[::{n}",
    lambda n: f"a b{n}<>^|%",
    lambda n: f"a={n}&b=%C3%A9{n}&a=+{n}",
    lambda n: f"/a/../b{n}/%2e%2E/c",
    lambda n: f"/:name{n}/(\\d+)*?",
    lambda n: f"See https://example.com/{n}, <b>www.example{n}.org</b> and a{n}@example.com.",
    lambda n: f'<base href="/x{n}/"><a href="y{n}">t</a><img srcset="a{n} 1x, b 2x"><form>',
    lambda n: f"||example{n}.com^$removeparam=x{n}\n",
    lambda n: f"// ===BEGIN ICANN DOMAINS===\ncom\nco{n}.uk\n*.ck\n!www.ck\n",
    lambda n: f'[{{"include": ["*://a{n}.example/*"], "params": ["b{n}"]}}]',
    lambda n: f'{{"providers": {{"p{n}": {{"urlPattern": "^https://a{n}", "rules": ["b{n}"]}}}}}}',
    lambda n: f"https://example.com/{n}",
    lambda n: f"[ab]+{n}(c|d)?",
    lambda n: f"\0\ud800{n}\U0010ffff",
    lambda _: "",
)  # fmt: skip
"""Parts of URLs, and what else a function takes: pages, plain text, rules."""


def _of_shapes(task: Task, size: int) -> list[str]:
    shapes: tuple[Shape, ...] = (*SHAPES, *TEXT_SHAPES)
    return [shape.url(size) if task.takes_url else shape.middle(size) for shape in shapes]


class _Runner:
    """Runs a task on one text after another."""

    def __init__(self, task: Task) -> None:
        from django.core.exceptions import ValidationError

        self._run: Final = task.run
        self._expected: Final = (ValueError, ValidationError)
        self._ordinary: Final = URLS if task.takes_url else PARTS
        self._hostile: Final = _of_shapes(task, _SIZE)
        self._long: Final = _of_shapes(task, _LONG)
        self.done = 0

    def run_each_kind(self) -> None:
        """Run every kind of text, so that everything is loaded that is loaded at first use."""
        ordinary = [make(1 << 20) for make in self._ordinary]
        for text in (*ordinary, *self._hostile, self._long[0]):
            with suppress(*self._expected):
                self._run(text)

    def run(self, count: int) -> None:
        """Run so many operations more."""
        run, making, expected = self._run, self._ordinary, self._expected
        for n in range(self.done, self.done + count):
            text = making[n % len(making)](n) if n % _EACH_HOSTILE else self._hostile_text(n)
            try:  # noqa: SIM105  # takes less time than `suppress`
                run(text)
            except expected:
                pass
        self.done += count

    def _hostile_text(self, n: int) -> str:
        if n % _EACH_LONG:
            texts, at = self._hostile, n // _EACH_HOSTILE
        else:
            texts, at = self._long, n // _EACH_LONG
        return f"{texts[at % len(texts)]}{n}"

    def run_until(self, count: int, seconds: float) -> float:
        """Run until so many are done, or for so many seconds. Returns the seconds taken."""
        start = process_time()
        while self.done < count:
            self.run(min(_AT_A_TIME, count - self.done))
            if process_time() - start > seconds:
                break
        return process_time() - start


def measure(task: Task, operations: int, seconds: float = float("inf")) -> Result:
    """Run a task so often, or for so many seconds, and return by how much memory grew.

    If it grew, as much is run again, and only what grows again counts: Python enlarges tables of
    its own now and then, and loads modules at first use.
    """
    runner = _Runner(task)
    with _quiet_warnings():
        runner.run_each_kind()
        runner.run_until(operations // 10, seconds / 10)
        earlier = counted()
        result = _measured(runner, task.name, earlier, operations, seconds)
        if result.grows:
            earlier = result.cached[1], result.after
            more = runner.done + result.operations
            result = _measured(runner, task.name, earlier, more, seconds)
    return result


def _measured(
    runner: _Runner, name: str, earlier: tuple[int, Reading], until: int, seconds: float
) -> Result:
    first, before = earlier
    done = runner.done
    taken = runner.run_until(until, seconds)
    last, after = counted()
    return Result(name, runner.done - done, taken, before, after, (first, last))


def counted() -> tuple[int, Reading]:
    """Return the blocks in caches with a bound, and what is in use without them."""
    full = Reading.now()
    empty_bounded_caches()
    reading = Reading.now()
    return full.blocks - reading.blocks, reading


def _types() -> Counter[str]:
    """Return how many objects there are of each type that may contain other objects."""
    kinds = map(type, gc.get_objects())
    return Counter(f"{kind.__module__}.{kind.__qualname__}" for kind in kinds)


class _quiet_warnings(warnings.catch_warnings):  # noqa: N801  # as the one in the library
    """Let warnings be given once for each place, as outside of tests, but show none."""

    def __enter__(self) -> None:
        super().__enter__()
        warnings.simplefilter("default")
        warnings.showwarning = lambda *_args, **_kwargs: None


def what_grows(task: Task) -> Iterator[str]:
    """Run a task that grows a little longer, and yield which types and lines have more objects."""
    runner = _Runner(task)
    runner.run_each_kind()
    empty_bounded_caches()
    gc.collect()
    tracemalloc.start()
    try:
        types, before = _types(), tracemalloc.take_snapshot()
        runner.run_until(runner.done + _TRACED, _SECONDS_TRACED)
        empty_bounded_caches()
        gc.collect()
        later, after = _types(), tracemalloc.take_snapshot()
    finally:
        tracemalloc.stop()
    later.subtract(types)
    new = {name: count for name, count in later.most_common(8) if count > 0}
    yield f"    new objects: {new}"
    own = [tracemalloc.Filter(False, tracemalloc.__file__), tracemalloc.Filter(False, __file__)]
    compared = after.filter_traces(own).compare_to(before.filter_traces(own), "lineno")
    for statistic in compared[:6]:
        yield f"    {statistic}"


def all_tasks() -> Iterator[Task]:
    """Yield the functions that `benchmarks.complexity` measures, and what is done with values."""
    yield from tasks()
    yield from value_tasks()


def _chosen(names: Sequence[str]) -> Iterator[Task]:
    """Yield the tasks with one of these names, or with a part of one that no task has."""
    found = list(all_tasks())
    whole = {task.name for task in found}
    for task in found:
        if any(task.name == name if name in whole else name in task.name for name in names or [""]):
            yield task


def main(arguments: Sequence[str] | None = None) -> int:
    """Run every task, and print the table."""
    parser = argparse.ArgumentParser(
        prog="python -m benchmarks.leaks", description="Run public functions, and count memory."
    )
    parser.add_argument("names", nargs="*", help="names of tasks, or parts of their names")
    parser.add_argument("--operations", type=int, default=100_000, help="of each task")
    parser.add_argument(
        "--seconds", type=float, default=float("inf"), help="of processor time for each task"
    )
    options = parser.parse_args(arguments)
    chosen = list(_chosen(options.names))
    if not chosen:
        parser.error("no task has such a name")
    print(f"Python {sys.version.split()[0]}, {'compiled' if COMPILED else 'interpreted'} build")
    print(HEADING, flush=True)
    start = perf_counter()
    set_aside()
    results = []
    for task in chosen:
        with suppress(KeyboardInterrupt):
            result = measure(task, options.operations, options.seconds)
            results.append(result)
            print(result.line(), flush=True)
            if result.grows:
                print(*what_grows(task), sep="\n", flush=True)
            continue
        break
    growing = [result.task for result in results if result.grows]
    done = sum(result.operations for result in results)
    print(
        f"{done:,} operations of {len(results)} tasks in {perf_counter() - start:,.0f} s: "
        + (f"memory grows in {', '.join(growing)}" if growing else "memory is flat")
    )
    return 1 if growing else 0


if __name__ == "__main__":
    sys.exit(main())
