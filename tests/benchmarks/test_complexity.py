"""Growth is told from none, and the table names what is steep."""

from __future__ import annotations

import gc

import pytest

from tests.benchmarks.complexity import SIZES, Result, Task, measure, products, table, tasks
from tests.benchmarks.shapes import SHAPES


def test_there_are_sixty_shapes_and_products_of_two() -> None:
    """From 4 kB to 4 MB; the products are the same each time."""
    assert len(SHAPES) >= 60
    assert (SIZES[0], SIZES[-1]) == (4 << 10, 4 << 20)
    chosen = products(50)
    assert len({shape.name for shape in chosen}) == 50
    assert chosen[0].name == products(1)[0].name
    assert 3000 < len(chosen[0].url(4096)) <= 4096


@pytest.mark.parametrize(("power", "steep"), [(1.0, False), (1.1, False), (2.0, True)])
def test_the_exponent_is_told_from_the_times(power: float, steep: bool) -> None:
    """Times that are too short to tell do not count."""
    seconds = (0.0001, *(0.005 * 4 ** (power * at) for at in range(4)))
    result = Result("task", "shape", seconds, 25.0)
    assert result.exponent == pytest.approx(power)
    (line,) = list(table([result]))[2:]
    assert line.count("(!)") == steep + 1
    assert Result("task", "shape", (0.0001, 0.01), 1.0).exponent == 0


def test_every_function_runs_on_a_shape() -> None:
    """On a small one; there are sixty functions and more."""
    found = list(tasks())
    # Each measurement collects garbage, and would look through all that earlier tests left.
    gc.collect()
    gc.freeze()
    assert len({task.name for task in found}) == len(found) >= 55
    for task in found:
        result = measure(task, SHAPES[0], 0.0, 4096)
        assert len(result.seconds) == 1


def test_memory_is_counted_by_the_bytes_of_the_text() -> None:
    """Ten times the text is about ten."""
    result = measure(Task("ten", lambda text: text * 10), SHAPES[0], 1.0, 1 << 14)
    assert 10 <= result.memory < 11
    assert len(result.seconds) == 2
