"""Rounds of measurements, all contenders in turn in each, so that a slow minute slows all of them.

What is timed is the processor time of this process, which other processes disturb least. The
garbage collector stays on, since whoever makes cycles should pay for them; what was there before
is frozen, so that nobody pays for the lists of texts. Each pass gets copies of its texts: nothing
that a text remembers, as its hash or its UTF-8 form, is left from the pass before.
"""

from __future__ import annotations

import gc
from collections.abc import Callable, Iterable, Sequence
from statistics import median
from time import process_time_ns
from typing import Any

from attrs import frozen

from benchmarks.contenders import ORACLE, SLOW_SAMPLE, WEBURL, Contender, loop
from benchmarks.inputs import list_for
from benchmarks.operations import ON_URLS, ROWS, Inputs, Operation

MIN_SHARE = 0.9
"""A peer that parses less than this share of a list is left out there."""

_ENOUGH = 20_000  # texts that all rounds of a row go through; short lists get more rounds


@frozen
class Racer:
    """What takes part in the rounds of one operation."""

    name: str
    run: Callable[[Sequence[str]], None]
    before: Callable[[], None]
    texts: Sequence[str]

    def time(self) -> float:
        """Return the nanoseconds a text takes, in one pass."""
        texts = [text[:1] + text[1:] for text in self.texts]
        self.before()
        gc.collect()
        start = process_time_ns()
        self.run(texts)
        return (process_time_ns() - start) / len(texts)


def measure(
    lists: dict[Inputs, dict[Operation | None, list[str]]],
    peers: Sequence[Contender],
    rounds: int,
    say: Callable[[str], None],
) -> dict[str, Any]:
    """Return what each operation takes on each list, by list, operation and contender.

    A contender's value has ``median`` and ``minimum`` in nanoseconds a text, and how many
    ``texts``; what `weburl` does goes by the names of its rows. All contenders of an operation get
    the same texts, those that all of them parse; a slow one gets a sample of them.
    """
    ORACLE.load()
    gc.collect()
    gc.freeze()
    result: dict[str, Any] = {}
    for inputs, texts_by_operation in lists.items():
        result[inputs] = {}
        common: dict[Operation, tuple[list[str], list[Contender]]] = {}
        for operation in Operation:
            if list_for(operation) not in texts_by_operation:
                continue
            # What parses does not depend on what is asked of the URL then.
            kind = Operation.HREF if operation in ON_URLS else operation
            if kind not in common:
                common[kind] = texts_in_common(
                    texts_by_operation[list_for(operation)], kind, [WEBURL, ORACLE, *peers]
                )
            texts, able = common[kind]
            racers = list(_racers(operation, texts, able))
            times = race(racers, rounds)
            result[inputs][operation] = times
            say(
                f"{inputs}, {operation}: {len(texts)} texts; "
                + ", ".join(f"{name} {time['median']:.0f}" for name, time in times.items())
            )
    gc.unfreeze()
    return result


def texts_in_common(
    texts: list[str], operation: Operation, contenders: Sequence[Contender]
) -> tuple[list[str], list[Contender]]:
    """Return the texts that all contenders parse, and those contenders who parse most texts.

    The first contender says what can be parsed; it has to be `weburl`, since a peer that takes
    anything would let the others be left out.
    """
    able: list[Contender] = []
    for contender in contenders:
        if operation not in contender.code:
            continue
        sample = texts[::SLOW_SAMPLE] if contender.slow else texts
        run = contender.function(operation)
        parsed = [text for text in sample if succeeds(run, text)]
        if able and len(parsed) < MIN_SHARE * len(sample):
            continue
        able.append(contender)
        dropped = set(sample).difference(parsed)
        texts = [text for text in texts if text not in dropped]
    return texts, able


def succeeds(run: Callable[[str], Any], text: str) -> bool:
    """Return whether a function returns for a text rather than raise an error."""
    try:
        run(text)
    except Exception:  # noqa: BLE001 -- peers raise what they like
        return False
    return True


def _racers(operation: Operation, texts: list[str], able: Sequence[Contender]) -> Iterable[Racer]:
    for contender in able:
        if contender is WEBURL:
            for row in ROWS:
                if row.operation is operation:
                    run = loop(row.code, WEBURL.namespace)
                    yield Racer(row.name, run, WEBURL.empty_caches, texts)
        elif operation in contender.code:
            sample = texts[::SLOW_SAMPLE] if contender.slow else texts
            yield Racer(contender.name, contender.loop(operation), contender.empty_caches, sample)


def race(racers: Sequence[Racer], rounds: int) -> dict[str, dict[str, float]]:
    """Return each racer's ``median`` and ``minimum`` of nanoseconds a text, and its ``texts``."""
    times: dict[str, list[float]] = {racer.name: [] for racer in racers}
    shortest = min((len(racer.texts) for racer in racers), default=1)
    for number in range(rounds * min(3, max(1, _ENOUGH // (rounds * shortest)))):
        # Nobody always comes after the same one.
        turn = number % len(racers)
        for racer in (*racers[turn:], *racers[:turn]):
            times[racer.name].append(racer.time())
    return {
        racer.name: {
            "median": round(median(times[racer.name]), 1),
            "minimum": round(min(times[racer.name]), 1),
            "texts": len(racer.texts),
        }
        for racer in racers
    }
