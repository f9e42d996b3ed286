"""Time is linear in the text, for every pattern that the automaton runs: steps are counted."""

from __future__ import annotations

import pytest

from weburl import URLPattern
from weburl.patterns.automaton import Automaton

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


def test_sets_are_forgotten_when_there_are_many() -> None:
    """The answers stay the same, and memory is bounded."""
    pattern = URLPattern(pathname="/(" + "(?:a|b)*a" + "(?:a|b)" * 12 + ")")
    text = "".join("ab"[number * number * 7 % 11 % 2] for number in range(20_000))
    for end in ("a" + "b" * 12, "b" * 13):
        assert pattern.test({"pathname": f"/{text}{end}"}) is end.startswith("a")


def test_a_hundred_thousand_pieces_are_matched() -> None:
    """A long pattern of wildcards, with the text that it matches."""
    pattern = URLPattern(pathname="/a" * 1000 + "/:x" + "/b*c" * 300)
    assert pattern.test("https://h" + "/a" * 1000 + "/x" + "/bc" * 300)
    assert not pattern.test("https://h" + "/a" * 1000 + "/x" + "/bc" * 299)
