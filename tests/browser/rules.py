"""Where Chromium leaves the standard: each way a rule, which foretells what Chromium gives.

A rule may change the text that is read, refuse it, or change what was read; in between it is our
parser that reads. So a rule says what Chromium does, and of everything that no rule touches the
test says that Chromium does what we do. Nothing here knows an input.
"""

from __future__ import annotations

from functools import lru_cache
from typing import Final

import attrs

from tests.browser.file_rules import (
    DriveLetter,
    HostOfFile,
    LocalhostOfFile,
    OriginOfFile,
    PathOfTwoSlashesOfFile,
    SlashesOfFile,
)
from tests.browser.host_rules import (
    IPv6Decoded,
    LowByteInHost,
    MappedPercentInHost,
    MappedSpaceInHost,
    NewerUnicode,
    NumbersInIPv6,
    SignBeforeComposition,
    SpaceInHost,
    StarInHost,
)
from tests.browser.path_rules import (
    Apostrophe,
    BackslashOnBase,
    DotsBeforeBackslash,
    LineEndsInData,
    PathOfTwoSlashes,
    PipeInPath,
    SpaceBehindOpaquePath,
)
from tests.browser.readings import Case, Outcome, Reading, ours
from tests.browser.rule import Rule
from tests.browser.scheme_rules import OwnOpaqueScheme, OwnStandardScheme
from tests.browser.texts import Text


class OriginOfBlob(Rule):
    """A `blob:` URL has the origin of any URL inside that has one, not only of http and https."""

    name = "origin-of-blob"
    example = Case("blob:ftp://example.com/")

    def writes(self, text: Text, reading: Reading) -> Reading:
        if reading.protocol != "blob:":
            return reading
        inside = foretold(Case(reading.pathname), text.unassigned)
        has_origin = inside is not None and inside.protocol != "blob:"
        return attrs.evolve(reading, origin=inside.origin if inside and has_origin else "null")


RULES: Final[tuple[Rule, ...]] = (
    OriginOfFile(), OriginOfBlob(), OwnStandardScheme(), OwnOpaqueScheme(), LineEndsInData(),
    PathOfTwoSlashes(), PathOfTwoSlashesOfFile(), MappedPercentInHost(), IPv6Decoded(),
    NumbersInIPv6(),
    StarInHost(), MappedSpaceInHost(), SpaceInHost(), SlashesOfFile(), HostOfFile(),
    LocalhostOfFile(), DriveLetter(), BackslashOnBase(), DotsBeforeBackslash(),
    SignBeforeComposition(), NewerUnicode(), LowByteInHost(), PipeInPath(), Apostrophe(),
    SpaceBehindOpaquePath(),
)  # fmt: skip
"""All of them, in the order in which they read; they write from the last to the first."""


def foretold(case: Case, unassigned: frozenset[int], rules: tuple[Rule, ...] = RULES) -> Outcome:
    """Return what Chromium gives by the rules, of which ``rules`` may be some.

    ``unassigned``: code points that its Unicode does not have.
    """
    return _applied(case, unassigned, rules)[0]


def _applied(
    case: Case, unassigned: frozenset[int], rules: tuple[Rule, ...]
) -> tuple[Outcome, list[Rule]]:
    """Return what is foretold, and the rules that had a say in it."""
    base = None
    acting: list[Rule] = []
    if case.base is not None:
        base_reading, acting = _applied_to_base(case.base, unassigned, rules)
        if base_reading is None:
            return None, acting
        base, acting = base_reading.href, acting.copy()
    text = Text.of(case.input, base, unassigned)
    for rule in rules:
        taken = rule.takes(text.input)
        if taken is not text.input and taken != text.input:
            acting.append(rule)
            text = attrs.evolve(text, input=taken)
    written = text = text.without_line_ends()
    for rule in rules:
        read = rule.reads(text)
        if read is not text and read != text:
            acting.append(rule)
            text = read
    reading = ours(Case(text.input, text.base))
    if reading is None:
        return None, acting
    refusing = [rule for rule in rules if rule.refuses(text, reading)]
    if refusing:
        return None, acting + refusing
    for rule in reversed(rules):
        given = rule.writes(written, reading)
        if given is not reading and given != reading:
            acting.append(rule)
            reading = given
    return reading, acting


@lru_cache(maxsize=4096)
def _applied_to_base(
    base: str, unassigned: frozenset[int], rules: tuple[Rule, ...]
) -> tuple[Outcome, list[Rule]]:
    return _applied(Case(base), unassigned, rules)


def explaining(case: Case, theirs: Outcome, unassigned: frozenset[int]) -> list[Rule] | None:
    """Return the rules without which ``theirs`` would not be foretold; None if it is not.

    They are none where Chromium agrees with us, and is foretold to.
    """
    outcome, acting = _applied(case, unassigned, RULES)
    if outcome != theirs:
        return None
    if theirs == ours(case):
        return []
    return [
        rule
        for rule in dict.fromkeys(acting)
        if foretold(case, unassigned, tuple(other for other in RULES if other is not rule))
        != theirs
    ]
