"""Growth is told from none, and the table names what is steep."""

from __future__ import annotations

import ast
import gc
from contextlib import suppress
from importlib import import_module
from inspect import isfunction
from pathlib import Path

import pytest
from django.core.exceptions import ValidationError

from benchmarks import complexity
from benchmarks.complexity import SIZES, Result, Task, measure, products, table, tasks
from benchmarks.shapes import SHAPES


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


@pytest.mark.nightly
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


ORDINARY = (
    "https://www.example.com/a/b.c?d=e&f#g", "/a/b", "a", "a=b&c", "example.com", "80", "https",
    "file:///a", "[]", '{"providers": {}}', "192.0.2.1", "https://example.com",
    "https://app.example/cb", "?a", "mailto:a@b.example", ".b", "http://user@host:8080/a", "C:/a", "https://a.corp/",
)  # fmt: skip


def test_every_function_takes_something() -> None:
    """A measurement ignores what is refused, so a mistake in a task would look very fast."""
    refuses = []
    for task in tasks():
        for text in ORDINARY:
            with suppress(ValueError, ValidationError):
                task.run(text)
                break
        else:
            refuses.append(task.name)
    assert refuses == []


# Public functions of which another one is measured, or that take no text from outside.
NOT_MEASURED = {
    "weburl": {
        "check_addresses", "default_port", "obtain_a_site", "same_origin",
    },
    "weburl.integrations.building_blocks": {"is_visible"},
    "weburl.public_suffix": {
        "current_list", "read_list", "use_list", "using_list",
    },
    "django_whatwg_url.linkify": {"checked_links"},
    "django_whatwg_url.redirects": {"request_url"},
}  # fmt: skip


@pytest.mark.parametrize("room", [
    "weburl", "weburl.columns", "weburl.integrations.building_blocks", "weburl.keys",
    "weburl.public_suffix", "weburl.redirect_uris", "weburl.text", "django_whatwg_url.linkify",
    "django_whatwg_url.redirects",
])  # fmt: skip
def test_every_public_function_is_measured(room: str) -> None:
    """By its name, or it has a reason not to be."""
    tree = ast.parse(Path(complexity.__file__).read_text("utf-8"))
    named = {node.attr for node in ast.walk(tree) if isinstance(node, ast.Attribute)}
    named |= {node.id for node in ast.walk(tree) if isinstance(node, ast.Name)}
    constants = (node.value for node in ast.walk(tree) if isinstance(node, ast.Constant))
    named |= {value for value in constants if isinstance(value, str)}
    pytest.importorskip("pyarrow" if room == "weburl.columns" else "weburl")
    module = import_module(room)
    functions = {name for name in module.__all__ if isfunction(getattr(module, name))}
    assert functions - named == NOT_MEASURED.get(room, set())


def test_memory_is_counted_by_the_bytes_of_the_text() -> None:
    """Ten times the text is about ten."""
    result = measure(Task("ten", lambda text: text * 10), SHAPES[0], 1.0, 1 << 14)
    assert 10 <= result.memory < 11
    assert len(result.seconds) == 2
