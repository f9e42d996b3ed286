"""The parts of a parsed pattern, and the options that a component is parsed with."""

from __future__ import annotations

from typing import Final, Literal, TypeAlias

import attrs

PartType: TypeAlias = Literal["fixed-text", "regexp", "segment-wildcard", "full-wildcard"]
Modifier: TypeAlias = Literal["none", "optional", "zero-or-more", "one-or-more"]

MODIFIER_OF_TEXT: Final[dict[str, Modifier]] = {
    "?": "optional",
    "*": "zero-or-more",
    "+": "one-or-more",
}
TEXT_OF_MODIFIER: Final[dict[Modifier, str]] = {
    "none": "",
    **{modifier: text for text, modifier in MODIFIER_OF_TEXT.items()},
}
"""Spec: #convert-a-modifier-to-a-string"""

FULL_WILDCARD_REGEXP: Final = ".*"
"""Spec: #full-wildcard-regexp-value"""


@attrs.frozen
class Part:
    """One piece of a pattern: fixed text, or a group with text before and after it.

    Spec: #part
    """

    type: PartType
    value: str
    """The fixed text, or the regular expression of a "regexp" part."""
    modifier: Modifier
    name: str = ""
    prefix: str = ""
    suffix: str = ""
    value_index: int = 0
    """Where the regular expression starts in the pattern string, for errors."""


@attrs.frozen
class Options:
    """Options for reading the pattern of a component.

    Spec: #options
    """

    delimiter: str = ""
    prefix: str = ""
    ignore_case: bool = False

    @property
    def segment_wildcard_regexp(self) -> str:
        """The regular expression that means the same as a segment wildcard.

        Spec: #generate-a-segment-wildcard-regexp
        """
        return f"[^{escape_a_regexp_string(self.delimiter)}]+?"


DEFAULT_OPTIONS: Final = Options()
HOSTNAME_OPTIONS: Final = Options(delimiter=".")
PATHNAME_OPTIONS: Final = Options(delimiter="/", prefix="/")

_ESCAPED_IN_REGEXPS: Final = str.maketrans({char: f"\\{char}" for char in ".+*?^${}()[]|/\\"})


def escape_a_regexp_string(text: str) -> str:
    """Return ``text`` with the code points escaped that mean something in a regular expression.

    Spec: #escape-a-regexp-string
    """
    return text.translate(_ESCAPED_IN_REGEXPS)
