"""Tests of what is counted beside other libraries, and of the tables."""

from __future__ import annotations

import pytest

from benchmarks.columns.beside_others import (
    CANONICAL,
    EXAMPLES,
    JOBS,
    OURS,
    Taken,
    differing,
    other_urls,
    ours,
    peers,
    render,
)


def test_an_answer_that_is_not_ours_is_counted() -> None:
    """A null, too, on either side."""
    assert differing(["a", None, "b", None], ["a", None, None, "b"]) == 2


def test_another_spelling_of_a_url_is_not_another_url() -> None:
    """Unless a browser would fetch something else, or nothing."""
    right: list[str | None] = ["https://a.example/b"] * 3 + [None] * 2
    answers = [
        "HTTPS://A.example/./b",
        "https://a.example/",
        None,
        "http://[",
        "https://c.example/",
    ]
    assert differing(answers, right) == 5
    assert other_urls(answers, right) == 3


def test_names_tell_peers_apart() -> None:
    """And each does a job that ours does."""
    names = [one.name for one in peers()]
    assert len(set(names)) == len(names)
    assert {one.job for one in peers()} == set(JOBS)


def test_everyone_has_three_examples() -> None:
    """For jobs that they do. `tests/columns` looks at the answers."""
    jobs = {(one.who, one.job) for one in peers()}
    # All that is known to differ is what the other libraries are asked about, too.
    assert {who for who, _ in jobs} - {"w3lib, url_query_parameter"} == set(EXAMPLES)
    for who, made in EXAMPLES.items():
        assert len(set(made)) == 3
        assert {(who, job) for job, _ in made} <= jobs


def test_the_tables() -> None:
    """Ratios are to ours; only canonical URLs can be other URLs."""
    pages = {job: 0 if job == CANONICAL else None for job in JOBS}
    found = {
        ours(job).name: Taken(0.5, (0, 10), (0, 1_000), pages[job]) for job in JOBS
    } | {
        f"{CANONICAL}: other": Taken(2.0, (3, 10), (400, 1_000), 25),
        "host: other": Taken(0.25, (1, 10), (2, 1_000), None),
    }  # fmt: skip
    lines = render(found, 1_000).splitlines()
    assert lines.count(f"| {OURS} | 2,000 | 1.00 | 0 of 10 | 0 of 1,000 |") == len(JOBS) - 1
    assert "| other | 4,000 | 0.50 | 1 of 10 | 2 of 1,000 |" in lines
    assert "| other | 500 | 4.00 | 3 of 10 | 400 of 1,000 | 25 |" in lines
    assert [line for line in lines if line.startswith("#")] == [
        "### Host", "### Registrable domain", "### Canonical URL", '### Search param "id"',
    ]  # fmt: skip


def test_a_job_without_a_time_is_an_error() -> None:
    """Rather than a table without the row that all are compared with."""
    with pytest.raises(KeyError):
        render({"host: other": Taken(1, (0, 1), (0, 1), None)}, 1)
