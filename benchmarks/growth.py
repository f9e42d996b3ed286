"""Whether time grows with the length alone: ``python -m benchmarks.growth``.

Each hostile shape is doubled from 64 KiB to 4 MiB and put through the public functions. Time per
byte must stay flat; what does not is marked. ``--shapes WORD…`` picks shapes by their names.
"""

from __future__ import annotations

import argparse
import ctypes
import gc
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from time import process_time_ns
from typing import Any, Final

import weburl
from benchmarks.operations import AS_QUICK_AS_MEMORY, FLAT, SIZES
from benchmarks.shapes import SHAPES, Shape, utf8_size
from weburl import URLParseError

BRIEF_FUNCTIONS: Final = ("canonicalize", "check", "URLSearchParams")
BRIEF_GIVE_UP: Final = 1_000_000_000
"""For a run that has other things to do, too: arguments of `measure`."""

_REPEAT_BELOW: Final = 50_000_000  # nanoseconds
_REPEAT_ONCE_BELOW: Final = 500_000_000

_M_TRIM_THRESHOLD: Final = -1
_M_MMAP_MAX: Final = -4

_BASE: Final = weburl.parse("http://user@host:8080/a/b?c#d")


def _set(attribute: str) -> Callable[[str], None]:
    def run(text: str) -> None:
        url = weburl.URL(_BASE.href)
        setattr(url, attribute, text)
        _ = url.href

    return run


def tasks(shape: Shape) -> Iterator[tuple[str, Callable[[str], Any], Callable[[int], str]]]:
    """Yield the name of each function that a shape goes through, the function, and the text."""
    yield "canonicalize", weburl.canonicalize, shape.url
    yield "check", weburl.check, shape.url
    yield "is_valid_url_string", weburl.is_valid_url_string, shape.url
    yield "join", lambda text: _BASE.join(text).href, shape.url
    yield f"URL.{shape.setter} =", _set(shape.setter), shape.middle
    if shape.is_query:
        yield "URLSearchParams", lambda text: str(weburl.URLSearchParams(text)), shape.middle


def nanoseconds_per_byte(run: Callable[[str], Any], text: str) -> float:
    """Return how long a function takes with a text, at best, by the bytes of the text."""
    best = float("inf")
    total = calls = 0
    # The first call asks the system for memory, which a second one of the same size does not.
    while total < _REPEAT_BELOW or (calls == 1 and total < _REPEAT_ONCE_BELOW):
        gc.collect()
        start = process_time_ns()
        with suppress(URLParseError):
            run(text)
        taken = process_time_ns() - start
        best = min(best, taken)
        calls += 1
        total += max(taken, _REPEAT_BELOW // 5)
    return best / utf8_size(text)


def keep_freed_memory() -> None:
    """Let the C library keep what is freed, where it can be told to: it is glibc's `mallopt`.

    Otherwise blocks of some size go back to the system, which hands them out again page by page,
    zeroed: ten nanoseconds a byte and more, and for large texts alone.
    """
    with suppress(AttributeError, OSError, TypeError):
        mallopt = ctypes.CDLL(None).mallopt
        mallopt(_M_MMAP_MAX, 0)
        mallopt(_M_TRIM_THRESHOLD, 1 << 30)


def growth(times: Sequence[float]) -> float:
    """Return by what factor the time per byte grows at most from one size to a larger one."""
    return max(later / min(times[: i + 1]) for i, later in enumerate(times))


def is_flat(times: Sequence[float]) -> bool:
    """Return whether time per byte does not grow, or is that of reading memory all along."""
    return growth(times) <= FLAT or max(times) < AS_QUICK_AS_MEMORY


def measure(
    say: Callable[[str], None],
    shapes: Sequence[Shape] = SHAPES,
    functions: Sequence[str] | None = None,
    give_up: int = 60_000_000_000,
) -> list[dict[str, Any]]:
    """Return the nanoseconds per byte of each shape and function, by size, and how they grow.

    ``functions`` are those of `tasks` that are wanted, if not all. Where one takes longer than
    ``give_up`` nanoseconds, larger texts are not tried.
    """
    keep_freed_memory()
    say(f"{'ns per byte at KiB':54}" + "".join(f"{size >> 10:>8}" for size in SIZES))
    result = []
    for shape in shapes:
        for function, run, make in tasks(shape):
            if functions is not None and function not in functions:
                continue
            times: list[float] = []
            for size in SIZES:
                times.append(round(nanoseconds_per_byte(run, make(size)), 3))
                if times[-1] * size > give_up:
                    break
            grows = round(growth(times), 2)
            say(
                f"{shape.name[:32]:33}{function:21}"
                + "".join(f"{time:8.2f}" for time in times)
                + ("" if is_flat(times) else f"  grows {grows:.2f} times")
            )
            result.append(
                {
                    "shape": shape.name,
                    "function": function,
                    "ns_per_byte": times,
                    "grows": grows,
                    "flat": is_flat(times),
                }
            )
    return result


def main() -> None:
    """Print the time per byte of each shape and function."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--shapes", nargs="+", default=[""], help="parts of the shapes' names")
    words = parser.parse_args().shapes
    shapes = [shape for shape in SHAPES if any(word in shape.name for word in words)]
    measure(print, shapes)


if __name__ == "__main__":
    main()
