"""Finds out why a policy refuses the URLs of a batch, by the same rules as `URLPolicy.check`.

Most rules look only at what many URLs have in common: the scheme, the host and the port. So one URL
of each such kind is checked, and all others of the kind get its answer. The other rules look at
each URL.
"""

from __future__ import annotations

from functools import lru_cache
from typing import Final

import attrs
import pyarrow as pa
import pyarrow.compute as pc

from weburl.columns.arrow import texts_of
from weburl.columns.parts import HOSTS_KEPT, OfHosts, cut
from weburl.columns.rows import FAILURES, Failures
from weburl.policies.policy import URLPolicy
from weburl.policies.violations import CODES
from weburl.standard.url.api import parse

REASONS: Final = (*FAILURES, *CODES)
"""The names of all reasons: why a URL does not parse, and the codes of violations."""
_NUMBER_OF: Final = {name: number for number, name in enumerate(REASONS)}


@attrs.frozen
class _Kind:
    """The properties of a URL that rules about kinds of URLs read, and the href of one such URL."""

    facts: tuple[object, ...]
    href: str | None = attrs.field(eq=False)


def looks_at_each(policy: URLPolicy) -> bool:
    """Return whether a policy has rules that look at each URL, in Python."""
    return (
        policy.patterns is not None
        or policy.require_agreement
        or any(each.patterns is not None for each in policy.and_also)
    )


def refusals(policy: URLPolicy) -> OfHosts:
    """Return a function from an array of strings to the numbers of reasons, null if allowed.

    It records the failures of strings that do not parse.
    """
    of_each = looks_at_each(policy)
    # The order is the same as in `URLPolicy.check`: the length, what kinds have, what each URL has.
    of_kinds = attrs.evolve(policy, max_length=None)
    if of_each:
        of_kinds = attrs.evolve(of_kinds, patterns=None, require_agreement=False, and_also=())
    facts = ["scheme", "host", "port"]
    facts += [] if policy.credentials and policy.leading_hyphens else ["username", "password"]
    facts += [] if policy.fragments else ["fragment"]

    @lru_cache(HOSTS_KEPT)
    def of_kind(kind: _Kind) -> int | None:
        return None if kind.href is None else _first(of_kinds, kind.href)

    def of_array(array: pa.Array, failures: Failures) -> pa.Array:
        (hrefs, *made), _ = cut(array, None, ["href", *facts], failures)
        columns = [_fact_in(column, fact) for column, fact in zip(made, facts, strict=True)]
        numbers, rows = _kinds_of(columns)
        kinds = zip(*(column.take(rows).to_pylist() for column in columns), strict=True)
        own = zip(kinds, hrefs.take(rows).to_pylist(), strict=True)
        answers = pa.array([of_kind(_Kind(*each)) for each in own], pa.int8()).take(numbers)
        if policy.max_length is not None:
            is_long = pc.greater(pc.utf8_length(hrefs), policy.max_length).fill_null(False)
            answers = pc.if_else(is_long, pa.scalar(_NUMBER_OF["too-long"], pa.int8()), answers)
        if of_each:
            allowed = pc.and_(hrefs.is_valid(), answers.is_null())
            texts = texts_of(array.filter(allowed), [])
            found = [None if text is None else _first(policy, text) for text in texts]
            answers = pc.replace_with_mask(answers, allowed, pa.array(found, pa.int8()))
        if failures:
            names = [failures.get(row) for row in range(len(array))]
            bad = [None if name is None else _NUMBER_OF[name] for name in names]
            answers = pc.coalesce(pa.array(bad, pa.int8()), answers)
        return answers

    return of_array


def _first(policy: URLPolicy, text: str) -> int | None:
    """Return the number of the first violation of a policy by the URL in a string, or None."""
    violations = policy.check(parse(text), written=text)
    return _NUMBER_OF[violations[0].code] if violations else None


def _kinds_of(columns: list[pa.Array]) -> tuple[pa.Array, pa.Array]:
    """Return the number of each row's kind, and the first row of each kind."""
    numbers = pa.repeat(pa.scalar(0, pa.int64()), len(columns[0]))
    for column in columns:
        encoded = column.dictionary_encode(null_encoding="encode")
        # A batch has at most 65,536 rows, so all kinds have their numbers in 64 bits.
        own = encoded.indices.cast(pa.int64())
        numbers = pc.add(pc.multiply(numbers, len(encoded.dictionary)), own)
    kinds = numbers.unique()
    return pc.index_in(numbers, value_set=kinds), pc.index_in(kinds, value_set=numbers)


def _fact_in(column: pa.Array, fact: str) -> pa.Array:
    """Return what a rule sees of a part: of credentials and a fragment, whether they are there."""
    if fact == "fragment":
        return column.is_valid()
    return pc.not_equal(column, "") if fact in ("username", "password") else column
