"""The adapters do what the table says they do."""

from __future__ import annotations

from types import ModuleType

import pytest

from benchmarks.contenders import (
    BASE,
    PEERS,
    WEBURL,
    Contender,
    loop,
    switch_off_weburl_caches,
)
from benchmarks.operations import ROWS, Operation

# What all of them agree on, those too that follow another standard.
URLS = (
    "http://example.com/",
    "https://user:secret@example.com:8080/a/b?c=d&e=f#g",
    "https://www.example.org/a%20b/index.html?q=1",
)
REFERENCES = ("/x/y", "z?q=1", "../up#f", "?only=query#g")
QUERIES = ("a=b&c=d", "q=a+b", "x=%C3%A9")

OPERATIONS = [
    pytest.param(peer, operation, id=f"{peer.name}-{operation}")
    for peer in PEERS
    for operation in peer.code
]


def load(contender: Contender) -> None:
    """Skip the running test where the library is not installed."""
    if not contender.load():
        pytest.skip(f"{contender.name} is not installed: it is in the dependency group `bench`")


def texts(operation: Operation) -> tuple[str, ...]:
    """Return plain texts for an operation."""
    if operation is Operation.PARAMS:
        return QUERIES
    if operation in {Operation.JOIN, Operation.JOIN_HREF, Operation.JOIN_TEXTS}:
        return REFERENCES
    return URLS


@pytest.mark.parametrize(("peer", "operation"), OPERATIONS)
def test_a_peer_says_of_plain_texts_what_weburl_says(peer: Contender, operation: Operation) -> None:
    """Where the value is text or a truth; elsewhere it is there."""
    load(peer)
    WEBURL.load()
    for text in texts(operation):
        value = peer.function(operation)(text)
        if operation in {
            Operation.HREF,
            Operation.CAN_PARSE,
            Operation.JOIN_HREF,
            Operation.PARAMS,
        }:
            assert value == WEBURL.function(operation)(text)
        elif operation is Operation.COMPONENTS:
            assert (value or "").removeprefix("#") in text  # the fragment, the last one
        else:
            assert str(value)


@pytest.mark.parametrize("peer", PEERS, ids=lambda peer: peer.name)
def test_a_peer_can_be_asked_for_the_href_of_what_it_parses(peer: Contender) -> None:
    """So every peer takes part in the conformance counts, and has a version to name."""
    load(peer)
    assert {Operation.PARSE, Operation.HREF, Operation.COMPONENTS} <= peer.code.keys()
    assert peer.version()
    peer.empty_caches()


@pytest.mark.parametrize("row", ROWS, ids=lambda row: row.name)
def test_each_row_of_weburl_runs_over_its_texts(row: object) -> None:
    """As a loop, which has no value, and as nothing else than what it times."""
    WEBURL.load()
    for one in ROWS:
        if one is row:
            loop(one.code, WEBURL.namespace)(texts(one.operation))


def test_a_loop_raises_what_its_code_raises() -> None:
    """A contender cannot pass by without doing its work."""
    WEBURL.load()
    with pytest.raises(ValueError, match="host"):
        WEBURL.loop(Operation.PARSE)(["http://"])


def test_a_base_is_parsed_before_and_at_hand_as_text() -> None:
    """For `join`, and for parsing with two texts."""
    WEBURL.load()
    assert WEBURL.namespace["base"].href == WEBURL.namespace["base_text"] == BASE
    assert WEBURL.function(Operation.JOIN_HREF)(
        "/x", WEBURL.namespace["make_base"]("http://h")
    ) == ("http://h/x")


def test_what_a_module_of_weburl_remembers_is_switched_off() -> None:
    """By the name under which a module knows it; what it does stays the same."""
    from functools import cache

    calls = []

    @cache
    def remember(value: int) -> int:
        calls.append(value)
        return value

    module = ModuleType("weburl.invented")
    module.remember = remember  # type: ignore[attr-defined]
    module.loaded = loaded = cache(lambda: calls)  # type: ignore[attr-defined]
    assert switch_off_weburl_caches({"weburl.invented": module}) == ["weburl.invented.remember"]
    assert module.loaded is loaded
    assert [module.remember(1), module.remember(1)] == [1, 1]
    assert calls == [1, 1]
