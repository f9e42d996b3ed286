"""Many URLs asked of the browser's own `URL` at once."""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence
from itertools import chain, starmap
from typing import Any, Final, TypeAlias

from playwright.sync_api import Page

from tests.browser.readings import Case, Outcome, Reading
from tests.wpt import GETTERS

_BATCH: Final = 2000
# Lone surrogates go to and fro as escapes of JSON: texts could not hold them on the way.
_ASK: Final = """text => {
  const getters = %s, of = url => getters.map(name => url[name]);
  return JSON.stringify(JSON.parse(text).map(asked => {
    try { return (%s)(asked, of); } catch (error) {
      if (!(error instanceof TypeError)) throw error;
      return null;
    }
  }));
}"""
_PARSE: Final = "([input, base], of) => of(base === null ? new URL(input) : new URL(input, base))"
_SET: Final = """([href, calls], of) => {
  const url = new URL(href);
  return calls.map(([name, value]) => { try { url[name] = value; } catch {} return of(url); });
}"""
_CHANGE_PARAMS: Final = """([href, calls]) => {
  const url = new URL(href), params = url.searchParams;
  return calls.map(([name, ...values]) => {
    const given = params[name](...values);
    return [given === undefined ? null : given, url.href, [...params], params.size];
  });
}"""
_UNASSIGNED: Final = r"""() => {
  const isUnassigned = /^\p{Cn}$/u, ranges = [];
  let start = -1;
  for (let c = 0; c <= 0x110000; c++) {
    const is = c < 0x110000 && isUnassigned.test(String.fromCodePoint(c));
    if (is && start < 0) start = c;
    if (!is && start >= 0) { ranges.push([start, c]); start = -1; }
  }
  return ranges;
}"""

Call: TypeAlias = tuple[str, ...]
"""The name of a setter or a method, and what it is given."""


def asked(page: Page, script: str, questions: Iterable[Any]) -> list[Any]:
    """Return what a function of JavaScript gives for each question; None where it has no URL."""
    whole = _ASK % (json.dumps(GETTERS), script)
    found: list[Any] = []
    listed = list(questions)
    for start in range(0, len(listed), _BATCH):
        batch = json.dumps(listed[start : start + _BATCH])
        found += json.loads(page.evaluate(whole, batch))
    return found


def parsed(page: Page, cases: Sequence[Case]) -> list[Outcome]:
    """Return how the browser reads each case."""
    answers = asked(page, _PARSE, cases)
    return [None if answer is None else Reading(*answer) for answer in answers]


def after_setters(page: Page, chains: Sequence[tuple[str, Sequence[Call]]]) -> list[list[Reading]]:
    """Return how the browser reads each URL after each of the setters that are called on it.

    A chain whose URL it does not take has no readings.
    """
    answers = asked(page, _SET, chains)
    return [[Reading(*reading) for reading in answer or ()] for answer in answers]


def after_params(page: Page, chains: Sequence[tuple[str, Sequence[Call]]]) -> list[list[Any]]:
    """Return what each method of searchParams gives, and then the href, the pairs and the size."""
    return asked(page, _CHANGE_PARAMS, chains)


def unassigned(page: Page) -> frozenset[int]:
    """Return the code points that the browser's Unicode does not have."""
    return frozenset(chain.from_iterable(starmap(range, page.evaluate(_UNASSIGNED))))
