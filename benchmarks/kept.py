"""What objects cost that a program keeps, while the garbage collector is on.

``python -m benchmarks.kept CONTENDER TEXTS`` keeps objects of the lines of a file, in a
process of its own, and prints the times. The collector walks over objects that can be in a cycle
again and again. So the more of them a crawler or an import keeps, the longer each of them takes.
"""

from __future__ import annotations

import gc
import json
import sys
from collections.abc import Callable, Sequence
from itertools import cycle, islice
from pathlib import Path
from time import process_time_ns
from typing import Any, Final

from benchmarks.memory import in_a_process, maker
from benchmarks.runner import succeeds

KEPT: Final = 200_000
"""How many objects are kept."""

_ROUNDS: Final = 3
_DROPPED: Final = 20_000


def kept_times(texts: Sequence[str], names: Sequence[str]) -> dict[str, dict[str, float | None]]:
    """Return the times of each contender, as `times_while_kept` does."""
    return in_a_process("benchmarks.kept", ["weburl.parse(s)", *names], texts)


def times_while_kept(
    make: Callable[[str], Any], texts: Sequence[str], count: int
) -> dict[str, float]:
    """Keep ``count`` objects, and return the shortest times of some rounds.

    ``keep`` is how many nanoseconds an object takes that is kept, ``collect`` how many milliseconds
    a whole collection takes then, and ``drop`` how many nanoseconds one more object takes that is
    not kept.
    """
    rounds = [_one_round(make, texts, count) for _ in range(_ROUNDS)]
    return {name: round(min(one[name] for one in rounds), 1) for name in rounds[0]}


def _one_round(make: Callable[[str], Any], texts: Sequence[str], count: int) -> dict[str, float]:
    to_keep = list(islice(cycle(texts), count))
    to_drop = to_keep[:_DROPPED]
    gc.collect()
    start = process_time_ns()
    kept = [make(text) for text in to_keep]
    keep = (process_time_ns() - start) / len(kept)
    start = process_time_ns()
    gc.collect()
    collect = (process_time_ns() - start) / 1e6
    start = process_time_ns()
    for text in to_drop:
        make(text)
    drop = (process_time_ns() - start) / len(to_drop)
    return {"keep": keep, "collect": collect, "drop": drop}


def main(name: str, path: str) -> None:
    """Print the times, as JSON."""
    make = maker(name)
    lines = Path(path).read_text(encoding="utf-8").split("\n")
    texts = [line for line in lines if succeeds(make, line)]
    print(json.dumps(times_while_kept(make, texts, KEPT)))


if __name__ == "__main__":
    main(*sys.argv[1:])
