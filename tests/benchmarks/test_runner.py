"""Everybody gets the same texts and a turn in each round; the times are not looked at."""

from __future__ import annotations

import pytest

from benchmarks import runner
from benchmarks.conformance import failed_cases
from benchmarks.contenders import PEERS, SLOW_SAMPLE, WEBURL, Contender
from benchmarks.operations import ROWS, Inputs, Operation
from tests.wpt import SETTER_CASES, wpt_path

URLLIB = next(peer for peer in PEERS if peer.name == "urllib.parse")


def contender(name: str, code: str, *, slow: bool = False) -> Contender:
    """Return a library of one expression."""
    made = Contender(
        name, "", "Python", "parse = make_base = str", {Operation.HREF: code}, slow=slow
    )
    made.load()
    return made


def test_texts_are_those_that_all_contenders_parse() -> None:
    """One that raises for a text takes it from all; one that raises for too many is out.

    What the first one refuses is no text to anybody.
    """
    texts = [str(number) for number in range(100)]
    picky = contender("picky", "1 / 0 if s == '70' else s")
    useless = contender("useless", "1 / 0")
    strict = contender("strict", "s if len(s) == 2 else 1 / 0")
    common, able = runner.texts_in_common(
        texts, Operation.HREF, [strict, contender("any", "s"), picky, useless]
    )
    assert common == [text for text in texts[10:] if text != "70"]
    assert [one.name for one in able] == ["strict", "any", "picky"]


def test_a_slow_contender_is_asked_for_a_sample() -> None:
    """And what it refuses there is nobody's."""
    texts = [f"{number:03}" for number in range(SLOW_SAMPLE * 20)]
    slow = contender("slow", "1 / 0 if s == '016' else s", slow=True)
    common, able = runner.texts_in_common(texts, Operation.HREF, [slow])
    assert "016" not in common
    assert len(common) == len(texts) - 1
    assert able == [slow]


def test_everybody_has_a_turn_in_each_round_and_nobody_is_always_first() -> None:
    """The texts are copies: nothing they remember is left from the last pass."""
    seen: list[str] = []
    texts = ["abc", "def"]

    def racer(name: str) -> runner.Racer:
        def run(given: object) -> None:
            assert given == texts
            assert all(one is not other for one, other in zip(given, texts, strict=True))
            seen.append(name)

        return runner.Racer(name, run, lambda: seen.append(f"before {name}"), texts)

    times = runner.race([racer("a"), racer("b")], rounds=2)
    assert seen[:4] == ["before a", "a", "before b", "b"]
    assert seen[4:8] == ["before b", "b", "before a", "a"]
    assert seen.count("a") == seen.count("b") >= 2
    assert times["a"].keys() == {"median", "minimum", "texts"}
    assert times["b"]["texts"] == 2


def test_every_operation_is_measured_with_its_texts() -> None:
    """By all who can do it, and by each row of ours."""
    lists: dict[Inputs, dict[Operation | None, list[str]]] = {
        Inputs.LINKS: {
            None: ["http://a/", "http://b/"],
            Operation.JOIN: ["/c"],
            Operation.PARAMS: ["d=e"],
        },
        Inputs.IDN: {None: ["http://é/"]},
    }
    URLLIB.load()
    WEBURL.load()
    said: list[str] = []
    lists[Inputs.LINKS][None] = [*lists[Inputs.LINKS][None], *[f"not a URL {i}" for i in range(9)]]
    times = runner.measure(lists, [URLLIB], 1, said.append)
    assert set(times[Inputs.LINKS]) == set(Operation)
    assert Operation.PARAMS not in times[Inputs.IDN]
    for row in ROWS:
        assert times[Inputs.LINKS][row.operation][row.name]["median"] > 0
    assert times[Inputs.LINKS][Operation.PARSE]["urllib.parse"]["texts"] == 2
    assert "urllib.parse" not in times[Inputs.LINKS][Operation.CAN_PARSE]
    assert "the literal state machine" in times[Inputs.IDN][Operation.HREF]
    assert len(said) == len(times[Inputs.LINKS]) + len(times[Inputs.IDN])


def test_cases_of_web_platform_tests_are_counted() -> None:
    """We fail none; urllib, which follows another standard, many; each case counts once."""
    wpt_path("urltestdata.json")
    wpt_path("setters_tests.json")
    WEBURL.load()
    ours = failed_cases(WEBURL)
    assert ours is not None
    assert [kind["failed"] for kind in ours.values()] == [0, 0, 0]
    assert ours["urls"]["of"] + ours["references"]["of"] == 891
    assert ours["setters"]["of"] == sum(SETTER_CASES.values())
    URLLIB.load()
    theirs = failed_cases(URLLIB)
    assert theirs is not None
    assert "setters" not in theirs
    assert theirs["urls"]["failed"] > 100


def test_no_count_is_made_where_the_cases_are_absent(
    monkeypatch: pytest.MonkeyPatch, tmp_path: object
) -> None:
    """The table then says so."""
    monkeypatch.setenv("WPT_URL_RESOURCES", str(tmp_path))
    assert failed_cases(WEBURL) is None
