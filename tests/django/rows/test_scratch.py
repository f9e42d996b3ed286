"""Tests of the lists on disk: the first row with each URL."""

from __future__ import annotations

from contextlib import closing
from random import Random

import pytest

from django_whatwg_url.rows import scratch
from django_whatwg_url.rows.scratch import Scratch, digest


@pytest.mark.parametrize("seen_bits", [3, 12, 25], ids=lambda bits: f"{bits} bits")
@pytest.mark.parametrize("recent", [1, 50, 100_000], ids=lambda rows: f"{rows} in memory")
def test_the_first_row_of_each_digest_is_kept(
    recent: int, seen_bits: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """However many are in memory, and however often a bit is that of another digest."""
    monkeypatch.setattr(scratch, "_RECENT", recent)
    monkeypatch.setattr(scratch, "_SEEN_BITS", seen_bits)
    random = Random(3)
    first: dict[bytes, int] = {}
    with closing(Scratch()) as lists:
        for start in range(0, 3000, 100):
            pairs = [(digest(random.randrange(2000)), start + n) for n in range(100)]
            for key, pk in pairs:
                first.setdefault(key, pk)
            assert lists.first_owners(pairs) == {key: first[key] for key, _pk in pairs}


def test_keys_that_were_remembered_are_seen() -> None:
    """There may be more than a statement takes."""
    with closing(Scratch()) as lists:
        lists.remember(range(0, 5000, 2))
        assert lists.seen(range(5000)) == set(range(0, 5000, 2))


def test_the_lists_are_written_in_one_transaction(monkeypatch: pytest.MonkeyPatch) -> None:
    """A commit takes time for each page in the cache, so one for each row would be quadratic."""
    monkeypatch.setattr(scratch, "_RECENT", 1)
    with closing(Scratch()) as lists:
        lists.first_owners([(digest(1), 1)])
        lists.wait([(0, digest(1), "https://example.com/", 2, 1)])
        lists.remember([1])
        assert lists._database.in_transaction
        assert list(lists.groups()) == [(0, "https://example.com/", [1, 2])]
