"""The effect of each code point on a link in text: the properties of UTS #58.

They are computed from other properties of Unicode, which the regex package has. Only the pairs of
brackets are a table, because no library has them. Code that depends on what a link is belongs
elsewhere.
"""

from __future__ import annotations

from enum import Enum
from functools import lru_cache
from typing import Final

try:
    import regex
except ImportError as _error:
    raise ImportError(
        "Links in text need the package regex, which is not installed or cannot be loaded. "
        "To compile it: pip install 'weburl[rendering]'",
        name=_error.name,
        path=_error.path,
    ) from _error

UNICODE_VERSION: Final = "18.0.0"
"""The version of Unicode that the tables of this room agree with, which the tests check."""

_BRACKETS: Final = (
    "()<>[]{}༺༻༼༽᚛᚜⁅⁆⁽⁾₍₎⌈⌉⌊⌋❨❩❪❫❬❭❮❯❰❱❲❳❴❵⟅⟆⟦⟧⟨⟩⟪⟫⟬⟭⟮⟯⦃⦄⦅⦆⦇⦈⦉⦊⦋⦌⦍⦐⦏⦎⦑⦒⦓⦔⦕⦖⦗⦘⧘⧙⧚⧛⧼⧽⸢⸣⸤⸥⸦⸧⸨⸩"
    "⹕⹖⹗⹘⹙⹚⹛⹜\u2e62\u2e63〈〉《》「」『』【】〔〕〖〗〘〙〚〛﹙﹚﹛﹜﹝﹞（）［］｛｝｟｠｢｣"
)

OPENING: Final = dict(zip(_BRACKETS[1::2], _BRACKETS[::2], strict=True))
"""For each closing bracket, its opening bracket.

Spec: https://www.unicode.org/reports/tr58/#property-data (Link_Bracket)
"""

_OPENING_BRACKETS: Final = frozenset(OPENING.values())

# White space, code points that are not characters, and deprecated ones.
_HARD: Final = regex.compile(
    r"[\p{White_Space}\p{Noncharacter_Code_Point}\p{Cc}\p{Cs}\p{Co}\p{Cn}\p{Deprecated}]"
)
_SOFT: Final = regex.compile(r"[\p{Terminal_Punctuation}\p{Line_Break=Quotation}]")
# A reader cannot see these, or they change the order of what a reader sees. Joiners and variation
# selectors are parts of words and of emoji.
_HIDDEN: Final = regex.compile(
    r"[\p{Bidi_Control}\p{Default_Ignorable_Code_Point}--[\u200c\u200d\p{Variation_Selector}]]",
    regex.VERSION1,
)

# These end a link in prose: what a browser always percent-encodes, ellipses, and the punctuation of
# scripts that are written without spaces.
_WIDE: Final = r"[\p{East_Asian_Width=W}\p{East_Asian_Width=F}\p{East_Asian_Width=H}]"
_ENDS_IN_PROSE: Final = rf"[\"<>\u2025\u2026[{_SOFT.pattern}&&{_WIDE}]]"
_ends_in_prose: Final = regex.compile(_ENDS_IN_PROSE, regex.VERSION1)

NOT_PLAIN: Final = regex.compile(
    f"{_ENDS_IN_PROSE}|[/?#=&{regex.escape(_BRACKETS)}]|:~:"
    f"|(?:(?!:~:)[{_SOFT.pattern}--{_ENDS_IN_PROSE}--[?]])++"
    f"|{_HARD.pattern}|{_HIDDEN.pattern}",
    regex.VERSION1,
)
"""Finds what may not simply belong to a link: a delimiter, a bracket, the delimiter ":~:", a run of
soft code points without "?", or one code point that is in no link, or in none in prose."""

_A_RUN_ENDS: Final = r"\s\"<>\u00ab\u00bb\u201c-\u201f"
_BEFORE_A_SCHEME: Final = ",(?=(?i:https?://|mailto:))"
ENDS_RUN_IN_HOST: Final = regex.compile(f"[{_A_RUN_ENDS}]|{_BEFORE_A_SCHEME}")
"""Finds where a run of text that begins with a scheme ends, if its host may still continue."""
ENDS_RUN: Final = regex.compile(
    rf"[{_A_RUN_ENDS}\u2025\u2026[[{_SOFT.pattern}{regex.escape(_BRACKETS)}]&&{_WIDE}]]"
    f"|{_BEFORE_A_SCHEME}",
    regex.VERSION1,
)
"""The same after the host."""

CLOSING_QUOTES: Final = {
    **{sign: rf"\{sign}++(?![A-Za-z0-9/])" for sign in "'`*_~"},
    "\u201c": "[\u201c\u201d]",
    "\u201d": "\u201d",
    "\u201e": "[\u201c\u201d]",
    "\u2018": r"\u2019(?!\w)",
    "\u201a": r"[\u2018\u2019](?!\w)",
    "\u00ab": "\u00bb",
    "\u00bb": "\u00ab",
    "\u2039": "\u203a",
    "\u203a": "\u2039",
}
"""For each quotation mark or sign of emphasis before a link, a regex of what closes it."""


class Term(Enum):
    """The effect of a code point on a link: the values of Link_Term.

    Spec: https://www.unicode.org/reports/tr58/#property-data (Link_Term)
    """

    INCLUDE = "Include"
    HARD = "Hard"
    SOFT = "Soft"
    OPEN = "Open"
    CLOSE = "Close"


def term_of(code_point: str) -> Term:
    """Return the Link_Term of ``code_point``, text of length 1."""
    if code_point in OPENING:
        return Term.CLOSE
    if code_point in _OPENING_BRACKETS:
        return Term.OPEN
    if _HARD.match(code_point):
        return Term.HARD
    return Term.SOFT if _SOFT.match(code_point) else Term.INCLUDE


@lru_cache(maxsize=1 << 12)
def effect_of(code_point: str) -> Term:
    """Return what ``code_point`` does to a link in prose.

    It is the Link_Term, or HARD if the code point is hidden, see `is_hidden`, or ends every link in
    prose, such as a quotation mark or a full-width comma.
    """
    if is_hidden(code_point) or _ends_in_prose.match(code_point):
        return Term.HARD
    return term_of(code_point)


def effect_by_uts58(code_point: str) -> Term:
    """Return the Link_Term of ``code_point``, or HARD if it is hidden: see `is_hidden`."""
    return Term.HARD if is_hidden(code_point) else term_of(code_point)


def is_hidden(code_point: str) -> bool:
    """Return whether ``code_point`` cannot be seen, or reorders the text around it.

    UTS #58 lets such code points into links. `find_links` does not, because a browser might not go
    where the text seems to lead.
    """
    return _HIDDEN.match(code_point) is not None


_EMAIL: Final = regex.compile(r"[\p{XID_Continue}!#$%&'*+\-./=?^_`{|}~]", regex.VERSION1)


def is_email(code_point: str) -> bool:
    """Return the Link_Email of ``code_point``: whether a mail address may have it before "@".

    Spec: https://www.unicode.org/reports/tr58/#property-data (Link_Email)
    """
    return _EMAIL.match(code_point) is not None
