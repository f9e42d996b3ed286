"""The hostile shapes are as large as they claim, and growth is told from none."""

from __future__ import annotations

from itertools import pairwise

import pytest

import weburl
from benchmarks.growth import BRIEF_FUNCTIONS, growth, is_flat, measure, tasks
from benchmarks.operations import FLAT, SIZES
from benchmarks.shapes import SHAPES, Shape, utf8_size


def test_sizes_are_doubled_from_64_kib_to_4_mib() -> None:
    """Seven of them."""
    assert SIZES[0] == 64 << 10
    assert SIZES[-1] == 4 << 20
    assert all(later == 2 * size for size, later in pairwise(SIZES))


def test_there_are_enough_shapes_and_each_has_a_name_of_its_own() -> None:
    """Twelve were asked for."""
    assert len({shape.name for shape in SHAPES}) == len(SHAPES) >= 12


@pytest.mark.parametrize("shape", SHAPES, ids=lambda shape: shape.name)
@pytest.mark.parametrize("size", [1 << 10, 1 << 16])
def test_a_shape_has_the_size_it_claims(shape: Shape, size: int) -> None:
    """But for a last unit that did not fit."""
    assert size - 20 <= utf8_size(shape.url(size)) <= size
    assert size - 20 <= utf8_size(shape.middle(size)) <= size


@pytest.mark.parametrize("shape", SHAPES, ids=lambda shape: shape.name)
def test_a_shape_goes_through_every_function(shape: Shape) -> None:
    """Which refuse it with the documented error, or take it."""
    names = set()
    for name, run, make in tasks(shape):
        names.add(name)
        try:
            run(make(1 << 8))
        except weburl.URLParseError:
            assert "URL." in name or not weburl.can_parse(shape.url(1 << 8))
    assert {"canonicalize", "check", "is_valid_url_string", "join"} < names
    assert f"URL.{shape.setter} =" in names
    assert ("URLSearchParams" in names) == shape.is_query


def test_some_shapes_parse_and_some_are_queries() -> None:
    """A refusal at the first character would prove little."""
    assert sum(weburl.can_parse(shape.url(1 << 10)) for shape in SHAPES) > len(SHAPES) // 2
    assert sum(shape.is_query for shape in SHAPES) > 5
    names = {name for shape in SHAPES for name, *_ in tasks(shape)}
    assert names >= set(BRIEF_FUNCTIONS)


def test_growth_is_the_largest_factor_from_a_size_to_a_larger_one() -> None:
    """Falling costs of a call are none."""
    assert growth([8.0, 4.0, 2.0]) == 1
    assert growth([2.0, 1.0, 3.0, 2.0]) == 3
    assert growth([1.0, 2.0, 4.0]) > FLAT
    assert is_flat([8.0, 4.0, 5.0])
    assert not is_flat([2.0, 4.0])


def test_looking_for_one_character_may_wait_for_memory() -> None:
    """As long as it is quicker than any work on each byte; quadratic work soon is not."""
    assert is_flat([0.3, 0.9])
    assert not is_flat([0.3, 0.6, 1.2])


def test_a_measurement_names_shape_and_function_and_has_a_time_for_each_size() -> None:
    """Up to the size that takes too long."""
    said: list[str] = []
    shape = next(shape for shape in SHAPES if shape.name == "params")
    one, two = measure(said.append, [shape], ("canonicalize", "URLSearchParams"), give_up=0)
    assert (one["shape"], one["function"]) == ("params", "canonicalize")
    assert two["function"] == "URLSearchParams"
    assert len(one["ns_per_byte"]) == 1
    assert one["ns_per_byte"][0] > 0
    assert one["flat"]
    assert len(said) == 3
