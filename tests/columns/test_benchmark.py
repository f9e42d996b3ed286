"""Tests of those that `make bench-columns` measures: that they do what they are measured for."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from benchmarks.columns import beside_others, measuring, rows
from benchmarks.columns.contenders import Contender, Takes

ROWS = 400
LINKS = [f"https://www.n{number}.example.com/a/{number}?b=c" for number in range(ROWS)]
PEERS = [one for one in beside_others.peers() if one.is_installed]
INSTALLED = [one for one in measuring.contenders() if one.is_installed]


@pytest.fixture
def file(tmp_path: Path) -> Path:
    """Return a file of rows."""
    path = tmp_path / "rows.parquet"
    rows.write_rows(path, LINKS, ROWS, lambda _done: None)
    return path


def test_names_tell_contenders_apart() -> None:
    """A process is started by the name."""
    names = [one.name for one in measuring.contenders()]
    assert len(set(names)) == len(names)


def test_a_file_holds_the_rows(file: Path) -> None:
    """In their order."""
    (array,) = rows.batches(file)
    assert array.to_pylist() == rows.made_rows(LINKS, 0, ROWS)  # type: ignore[attr-defined]


@pytest.mark.parametrize(
    "contender",
    [one for one in INSTALLED if one.takes in {Takes.ARRAY, Takes.TEXTS}],
    ids=lambda one: one.name,
)
def test_all_rows_are_done_and_answers_compared(contender: Contender, file: Path) -> None:
    """Ours give the standard's answers, and others mostly, or they would not do the same."""
    took, work = measuring.measure(contender, file, 60)
    assert took["rows"] == ROWS
    assert took["seconds"] > 0
    differing = measuring.differing(contender, work, file, ROWS)
    if contender.expected is None:
        assert differing == {}
        return
    assert differing["checked"] == ROWS
    most = 0 if contender.who.startswith("weburl") else ROWS // 5
    assert differing["differ"] <= most


@pytest.mark.parametrize("peer", PEERS, ids=lambda one: one.name)
def test_peers_answer_mostly_as_we_do(peer: beside_others.Peer) -> None:
    """For plain links, or they would not do the same job."""
    answers = peer.answer(LINKS)
    assert answers == beside_others.ours(peer.job, private=peer.private).answer(LINKS)


def test_examples_are_of_other_answers() -> None:
    """Of those that are installed, which are most of them."""
    made = list(beside_others.examples())
    assert len(made) >= 3 * len({one.who for one in PEERS} & set(beside_others.EXAMPLES))
    assert [example for example in made if example[3] == example[4]] == []


def test_everyone_takes_turns() -> None:
    """Those asked for, beside ours of each job."""
    found = beside_others.measure(LINKS, ROWS, 2, "can_ada")
    assert len(found) == len(beside_others.JOBS) + len(
        [one for one in PEERS if "can_ada" in one.name]
    )
    assert all(taken.seconds > 0 for taken in found.values())
    own = [taken for name, taken in found.items() if name.endswith(beside_others.OURS)]
    assert [(taken.links, taken.rows) for taken in own] == [((0, ROWS), (0, ROWS))] * len(own)


@pytest.mark.parametrize("operation", ["host: Spark, url_host, local[2]"])
def test_one_is_measured_in_a_process_of_its_own(operation: str, file: Path) -> None:
    """With the memory and the processor time of all its processes."""
    (contender,) = (one for one in INSTALLED if one.name == operation)
    found = measuring.in_its_own_process(contender, file, 1, 100)
    assert "failed" not in found, found
    assert (found["rows"], found["differ"], found["checked"]) == (ROWS, 0, 100)
    assert found["core_seconds"] > 0
    if Path("/proc").is_dir():
        assert found["memory"] > 100


def test_one_that_fails_says_why(file: Path) -> None:
    """And the others are measured all the same."""
    (contender,) = (one for one in INSTALLED if one.name == "host: weburl.columns")
    found = measuring.in_its_own_process(contender, file.with_name("other"), 1, 100)
    assert "other" in found["failed"]


@pytest.mark.skipif(not Path("/proc").is_dir(), reason="needs /proc")
def test_processes_are_found_below_their_parents() -> None:
    """Those that they have started, too."""
    import subprocess
    import sys

    code = "import subprocess, sys; subprocess.run([sys.executable, '-c', 'input()'])"
    with subprocess.Popen([sys.executable, "-c", code], stdin=subprocess.PIPE) as process:
        found: list[int] = []
        while len(found) < 2:
            found = measuring.processes_below(os.getpid())
        assert process.pid in found
        process.communicate()
