"""Patterns for the names of parameters, from people and from lists of strangers.

A pattern is a regex of a small subset, which `re` always matches in linear time. Everything else is
refused.
"""

from __future__ import annotations

import re
from functools import lru_cache
from typing import Final

from weburl.standard.infra.credentials import masked_value
from weburl.standard.infra.strings import require_text

MAX_LENGTH: Final = 200
"""The highest number of characters in a pattern."""
_MOST_OPTIONAL: Final = 3  # each can double the time
_MOST_ALTERNATIVES: Final = 64

# An atom: a set of characters, an escaped character, or one that stands for itself.
_ATOM: Final = re.compile(
    r"\[\^?(?:[A-Za-z0-9_.%~!$&'()*+,;=:@/-]|\\[dwDW\]\[\\^.-])+\]"
    r"|\\[dwDW]|\\[^A-Za-z0-9]|[A-Za-z0-9_%~!&',;=:@/<> -]|\."
)
_REPEATED: Final = re.compile(r"[*+]\??|\{([0-9]{1,2})(,([0-9]{0,2}))?\}\??")


@lru_cache(maxsize=4096)
def linear_pattern(text: str, *, ignore_case: bool = False) -> re.Pattern[str]:
    r"""Return the compiled pattern of ``text``, to be used with ``fullmatch``.

    A pattern consists of characters, ``.``, ``\d``, ``\w`` and sets such as ``[a-z]``, all of
    ASCII. At most one of them in each alternative is repeated without an upper bound, and up to
    three are optional. ``|`` separates alternatives, at the top or in groups that are not
    repeated, as in ``utm_(?:source|medium)``. Written out, there are at most 64. A ``^`` at the
    start and a ``$`` at the end change nothing.

    Raises ValueError for any other pattern, and if it is longer than `MAX_LENGTH` characters.
    Raises TypeError for a value that is not text.
    """
    if (
        len(require_text(text, "a pattern")) > MAX_LENGTH
        or not text.isascii()
        or not text.isprintable()
    ):
        raise ValueError(f"a pattern has 1 to {MAX_LENGTH} printable characters of ASCII")
    body = text.removeprefix("^")
    if body.endswith("$") and not body.endswith("\\$"):
        body = body[:-1]
    alternatives = [body]
    while any(map(_GROUP.search, alternatives)):
        alternatives = [one for each in alternatives for one in _alternatives(each)]
        if len(alternatives) > _MOST_ALTERNATIVES:
            raise ValueError(f"the pattern {masked_value(text)} has too many alternatives")
    for alternative in alternatives:
        for one in alternative.split("|"):
            _check_linear(one, text)
    flags = re.ASCII | re.IGNORECASE if ignore_case else re.ASCII
    try:
        return re.compile(body, flags)
    except re.error as error:
        raise ValueError(
            f"the pattern {masked_value(text)} is not a regular expression: {error}"
        ) from None


_GROUP: Final = re.compile(r"(?<!\\)\((?:\?:)?([^()\\]*)\)(\??)(?![*+?{])")


def _alternatives(body: str) -> list[str]:
    """Return the alternatives of a pattern, with its first group, if it has one, written out."""
    group = _GROUP.search(body)
    if group is None:
        return [body]
    before, after = body[: group.start()], body[group.end() :]
    if "|" in before or "|" in after:
        # Which alternative the group is in: the others are kept as they are.
        first, _, head = before.rpartition("|")
        tail, _, last = after.partition("|")
        others = [*(first.split("|") if first else ()), *(last.split("|") if last else ())]
        return [*others, *(head + each + tail for each in group[1].split("|"))]
    inner = group[1].split("|") + ([""] if group[2] else [])
    return [before + each + after for each in inner]


def _check_linear(alternative: str, pattern: str) -> None:
    """Raise ValueError unless ``alternative`` is matched in linear time."""
    at = unbounded = optional = 0
    while at < len(alternative):
        atom = _ATOM.match(alternative, at)
        if atom is None:
            raise ValueError(
                f"the pattern {masked_value(pattern)} is not in the supported subset of regex"
            )
        at = atom.end()
        if alternative.startswith("?", at):
            optional += 1
            at += 1
        elif (repeated := _REPEATED.match(alternative, at)) is not None:
            at = repeated.end()
            if repeated[1] is None or (repeated[2] is not None and repeated[3] == ""):
                unbounded += 1
            elif repeated[2] is not None:
                unbounded += 1  # up to 99 times: as good as without a bound
    if unbounded > 1 or optional > _MOST_OPTIONAL:
        raise ValueError(f"the pattern {masked_value(pattern)} could take more than linear time")
