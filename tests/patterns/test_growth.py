"""Time is linear in the text, for every pattern that the automaton runs: steps are counted."""

from __future__ import annotations

from random import Random

import pytest

from tests.threads import run_in_threads
from weburl import URLPattern
from weburl.patterns import automaton
from weburl.patterns.automaton import Automaton, _LeadingToMatch

LONG = 100_000
PATTERNS = (
    "/*/*/*/*/*/x", "*a*a*a*a*a*b", "/:a*", "/:a+/x", "{/:a}*{/:b}*{/:c}*x", "/{a/}*{b}?*x",
    "{*/}*x", "/:a-:b-:c-:d-x", "{:a.}*{:b.}*x", "{a}*{a}*{a}*b", "/((?:a+)+)b", "/((?:a|aa)+)x",
    "/(a*a*a*a*a*)b", "/((?:a?){20}a{20})b", "/([a-z]+[0-9]*[a-z]+)!",
)  # fmt: skip
TEXTS = ("/", "a", "a/", "//a", "-", "a-", "a.", "ab", "/a/b")


@pytest.mark.parametrize("pattern", PATTERNS)
def test_work_does_not_grow_with_the_text(pattern: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """What is not one look-up for each code point happens as often for twice the text."""
    made = URLPattern(pathname=pattern)
    counted: list[str] = []
    before = Automaton.before

    def count(self: Automaton, mask: int, code_point: str) -> object:
        counted.append(code_point)
        return before(self, mask, code_point)

    monkeypatch.setattr(Automaton, "before", count)
    for text in TEXTS:
        counts: list[int] = []
        for length in (LONG, 2 * LONG):
            counted.clear()
            long = ("/" + text * length)[:length]
            assert made.test({"pathname": long}) is (made.exec({"pathname": long}) is not None)
            counts.append(len(counted))
        assert counts[1] <= counts[0] + 500


# The automaton reads a text from its end, so only this one needs a set for each twelve letters.
MANY_SETS = "/((?:a|b){12}a(?:a|b)*)"


def _letters(seed: int, length: int) -> str:
    return "".join(Random(seed).choices("ab", k=length))


def test_sets_are_forgotten_when_there_are_many(monkeypatch: pytest.MonkeyPatch) -> None:
    """The answers stay the same, and memory is bounded."""
    most = 0
    set_of = Automaton._set_of

    def counted(self: Automaton, mask: int) -> object:
        nonlocal most
        found = set_of(self, mask)
        most = max(most, len(self._sets))
        return found

    monkeypatch.setattr(Automaton, "_set_of", counted)
    pattern = URLPattern(pathname=MANY_SETS)
    for start in ("b" * 12 + "a", "a" * 12 + "b"):
        text = start + _letters(1, 20_000)
        assert pattern.test({"pathname": f"/{text}"}) is start.endswith("a")
    assert most == automaton._MAX_SETS


def test_a_set_may_be_stored_while_all_are_forgotten(monkeypatch: pytest.MonkeyPatch) -> None:
    """As by another thread: this raised RuntimeError."""
    stored: list[int] = []

    class Interrupted(_LeadingToMatch):
        def clear(self) -> None:
            super().clear()
            stored.append(self.mask)
            self.automaton._sets[-len(stored)] = self

    monkeypatch.setattr(automaton, "_LeadingToMatch", Interrupted)
    text = _letters(2, 2000)
    assert URLPattern(pathname=MANY_SETS).test({"pathname": f"/{text}"}) is (text[12] == "a")
    assert len(stored) >= automaton._MAX_SETS


@pytest.mark.nightly
def test_threads_may_share_a_pattern_that_forgets_its_sets() -> None:
    """All of them get the right answers."""
    pattern = URLPattern(pathname=MANY_SETS)

    def work(number: int) -> None:
        for at in range(10):
            text = _letters(number * 100 + at, 400)
            assert pattern.test({"pathname": f"/{text}"}) is (text[12] == "a")

    run_in_threads(work, 8, threads=4)


def test_a_hundred_thousand_pieces_are_matched() -> None:
    """A long pattern of wildcards, with the text that it matches."""
    pattern = URLPattern(pathname="/a" * 1000 + "/:x" + "/b*c" * 300)
    assert pattern.test("https://h" + "/a" * 1000 + "/x" + "/bc" * 300)
    assert not pattern.test("https://h" + "/a" * 1000 + "/x" + "/bc" * 299)
