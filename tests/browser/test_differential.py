"""The browser's own `URL` beside ours: where they differ, a rule foretells what Chromium gives.

Chromium's answers are foretold for every input, those that both read alike too. WEBURL_BROWSER_SEED
makes up other inputs, WEBURL_BROWSER_INPUTS says how many.
"""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Callable, Iterator
from typing import Any, Final

import pytest
from playwright.sync_api import Browser, Page

import weburl
from tests.browser.asking import Call, after_params, after_setters, parsed, unassigned
from tests.browser.inputs import (
    from_web_platform_tests,
    made_up,
    params_chains,
    setter_chains,
)
from tests.browser.readings import Case, ours
from tests.browser.rules import RULES, explaining, foretold
from tests.browser.setter_rules import SETTER_RULES, State, foretold_after, is_open
from tests.browser.table import CHROMIUM, PAGE, with_number
from tests.corpus import corpus
from tests.wpt import SETTER_CASES

SEED: Final = int(os.environ.get("WEBURL_BROWSER_SEED", "0"))
COUNT: Final = int(os.environ.get("WEBURL_BROWSER_INPUTS", "50000"))
_SHOWN: Final = 20

COUNTED: Final[dict[str, Counter[str]]] = {}
"""What the tests count, for the last of them to compare with the documents."""


@pytest.fixture(scope="module")
def unknown(browser: Browser) -> Iterator[frozenset[int]]:
    """Give the code points that Chromium's Unicode does not have."""
    page = browser.new_page()
    yield unassigned(page)
    page.close()


def differing(page: Page, cases: list[Case], unknown: frozenset[int]) -> Counter[str]:
    """Return how many cases each rule explains; fail where Chromium is not foretold."""
    counts: Counter[str] = Counter()
    wrong: list[str] = []
    for case, theirs in zip(cases, parsed(page, cases), strict=True):
        rules = explaining(case, theirs, unknown)
        if rules is None:
            wrong.append(
                f"{tuple(case)!a}\n  ours {ours(case)}\n  theirs {theirs}\n"
                f"  foretold {foretold(case, unknown)}"
            )
            continue
        counts["differ"] += theirs != ours(case)
        counts["origin-of-file alone"] += [rule.name for rule in rules] == ["origin-of-file"]
        counts.update(rule.name for rule in rules)
    report = "\n".join(wrong[:_SHOWN])
    assert not wrong, f"{len(wrong)} of {len(cases)} that no rule foretells:\n{report}"
    counts["inputs"] = len(cases)
    return counts


def test_every_input_of_web_platform_tests_is_read_as_the_rules_say(
    page: Page, unknown: frozenset[int], record_property: Any
) -> None:
    """All inputs of its files, on their bases."""
    counts = differing(page, from_web_platform_tests(), unknown)
    assert counts["inputs"] >= 3670
    COUNTED["inputs"] = counts
    record_property("rules", dict(counts))


@pytest.mark.nightly
def test_made_up_inputs_are_read_as_the_rules_say(
    page: Page, unknown: frozenset[int], record_property: Any
) -> None:
    """With and without bases; with the given seed each rule has its share."""
    counts = differing(page, list(made_up(COUNT, SEED)), unknown)
    COUNTED["inputs"] = COUNTED.get("inputs", Counter()) + counts
    record_property("rules", dict(counts))
    if COUNT >= 50_000:
        assert [rule.name for rule in RULES if not counts[rule.name]] == []


@pytest.mark.nightly
def test_real_links_are_read_alike(page: Page) -> None:
    """The corpus needs no rule."""
    cases = [Case(link) for link in corpus()]
    assert len(cases) > 40_000
    read = zip(cases, parsed(page, cases), strict=True)
    assert [case.input for case, theirs in read if theirs != ours(case)] == []


@pytest.mark.nightly
def test_setters_do_as_the_rules_say(
    page: Page, unknown: frozenset[int], record_property: Any
) -> None:
    """Those of web-platform-tests, and chains of five on one URL."""
    chains = setter_chains(4000, SEED)
    starts = parsed(page, [Case(href) for href, _ in chains])
    counts: Counter[str] = Counter()
    wrong: list[str] = []
    for (_, calls), start, after in zip(chains, starts, after_setters(page, chains), strict=True):
        state = start
        for call, theirs in zip(calls, after, strict=False):
            assert state is not None
            counts["calls"] += 1
            if is_open(state, call, unknown):
                counts["open"] += 1
            else:
                found, names = foretold_after(State(state, call[0], call[1], unknown))
                counts.update(names)
                if found != theirs:
                    wrong.append(f"{state.href} {call}\n  theirs {theirs}\n  foretold {found}")
            state = theirs
    report = "\n".join(wrong[:_SHOWN])
    assert not wrong, f"{len(wrong)} of {counts['calls']} that no rule foretells:\n{report}"
    assert counts["calls"] >= 4000 * 4 + sum(SETTER_CASES.values())
    assert counts["open"] < counts["calls"] * 0.15
    record_property("rules", dict(counts))


@pytest.mark.nightly
def test_the_document_says_what_was_counted(browser: Browser) -> None:
    """With the inputs of seed 0 and the Chromium that they name.

    With others there are other numbers. WEBURL_WRITE_TABLES=1 writes them.
    """
    if (SEED, COUNT) != (0, 50_000) or COUNTED.get("inputs", Counter())["inputs"] < 53_000:
        pytest.skip("the numbers are of 50,000 inputs of seed 0, after all of web-platform-tests")
    page = PAGE.read_text(encoding="utf-8")
    if not browser.version.startswith(f"{CHROMIUM}."):
        pytest.skip(f"the numbers are of Chromium {CHROMIUM}, and this is {browser.version}")
    written = page
    for key in ("inputs", "differ", "origin-of-file alone"):
        written = with_number(written, key, COUNTED["inputs"][key])
    if os.environ.get("WEBURL_WRITE_TABLES"):
        PAGE.write_text(written, encoding="utf-8")
    assert written == page, (
        "WEBURL_WRITE_TABLES=1 make test-browser ARGS=tests/browser/test_differential.py"
    )


def our_params(href: str, calls: list[Call]) -> list[list[Any]]:
    """Return what `asking.after_params` does, of our URL."""
    url = weburl.URL(href)
    params = url.search_params
    found = []
    ours_of: dict[str, Callable[..., Any]] = {
        "append": params.append, "delete": params.delete, "get": params.get,
        "getAll": params.get_all, "has": params.has, "set": params.set, "sort": params.sort,
        "toString": params.__str__,
    }  # fmt: skip
    for name, *values in calls:
        given = ours_of[name](*values)
        found.append([given, url.href, [list(pair) for pair in params], params.size])
    return found


@pytest.mark.nightly
def test_params_are_the_same(page: Page) -> None:
    """Every method of URLSearchParams, in chains of six: nothing needs a rule."""
    chains = params_chains(3000, SEED)
    for (href, calls), theirs in zip(chains, after_params(page, chains), strict=True):
        assert our_params(href, calls) == theirs, (href, calls)


@pytest.mark.parametrize("rule", RULES, ids=lambda rule: rule.name)
def test_the_example_of_a_rule_is_one(page: Page, unknown: frozenset[int], rule: Any) -> None:
    """What ours gives for it, Chromium does not, and this rule says why."""
    (theirs,) = parsed(page, [rule.example])
    assert theirs != ours(rule.example)
    explained = explaining(rule.example, theirs, unknown)
    assert explained is not None
    assert rule in explained


@pytest.mark.parametrize("rule", SETTER_RULES, ids=lambda rule: rule.name)
def test_the_example_of_a_setter_rule_is_one(
    page: Page, unknown: frozenset[int], rule: Any
) -> None:
    """What the rules of parsing alone foretell, Chromium does not give."""
    href, name, value = rule.example
    (before,) = parsed(page, [Case(href)])
    ((theirs,),) = after_setters(page, [(href, [(name, value)])])
    assert before is not None
    found, names = foretold_after(State(before, name, value, unknown))
    assert found == theirs
    assert rule.name in names
