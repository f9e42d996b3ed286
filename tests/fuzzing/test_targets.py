"""The fuzzers' targets hold on all of their seeds, and there is a target for each that is named."""

from __future__ import annotations

import pytest

from tests.corpus import THOROUGH
from tests.fuzzing.seeds import seeds
from tests.fuzzing.targets import FIELD, TARGETS, fields

# Inputs on which a fuzzer found something once.
FOUND: dict[str, tuple[bytes, ...]] = {
    "check": (b"#", b"a@b/", b"http:@www.example.com"),
    "keys": (b"http://./",),
    # A mail address that begins with a host.
    "text_links": (b"https://examp@le.e.com/aaa?q@le.com/ac/examp@le.com",),
}


@pytest.mark.parametrize("name", TARGETS)
def test_a_target_holds_on_its_seeds(name: str) -> None:
    """On one in seven of them, and on all in `.ci/nightly`."""
    inputs = list(seeds(name))
    for data in [b"", *inputs[:: 1 if THOROUGH else 7], *FOUND.get(name, ())]:
        TARGETS[name](data)


def test_an_input_has_as_many_fields_as_a_target_asks_for() -> None:
    """What is not UTF-8 comes as lone surrogates, so that there are some."""
    assert fields(b"", 2) == ["", ""]
    assert fields(f"a{FIELD}b{FIELD}c".encode(), 2) == ["a", f"b{FIELD}c"]
    assert fields(b"\xff", 1) == ["\udcff"]


def test_every_target_has_something_to_start_from() -> None:
    """Also without the data of web-platform-tests, where it has seeds of its own."""
    assert len(TARGETS) == 14
    assert all(TARGETS[name].__doc__ for name in TARGETS)
    assert len(list(seeds("html"))) >= 6
