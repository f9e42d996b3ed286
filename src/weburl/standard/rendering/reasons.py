"""Why a label may be taken for another: values, without the tables of Unicode."""

from __future__ import annotations

from enum import Enum
from typing import Final

import attrs

from weburl.standard.infra.one_value import FrozenValue


class Reason(Enum):
    """Why people may take a label for another. ``sentence`` says it in English.

    `DEVIATION` and `JOINER` are information, and all others are warnings: a label with a
    warning is never shown in Unicode.
    """

    __module__ = "weburl.lookalikes"

    MIXED_SCRIPTS = "mixed-scripts"
    READS_AS_LATIN = "reads-as-latin"
    FOREIGN_LETTER = "foreign-letter"
    INVISIBLE = "invisible"
    MIXED_DIGITS = "mixed-digits"
    MISPLACED_MARK = "misplaced-mark"
    LIKE_A_DELIMITER = "like-a-delimiter"
    MISPLACED_KANA = "misplaced-kana"
    UNUSUAL = "unusual"
    UNDECODABLE = "undecodable"
    DEVIATION = "deviation"
    JOINER = "joiner"

    @property
    def is_warning(self) -> bool:
        """Whether people may be misled."""
        return self not in (Reason.DEVIATION, Reason.JOINER)

    @property
    def sentence(self) -> str:
        """What is unusual about the label, as a sentence in English."""
        return _SENTENCES[self]


_SENTENCES: Final = {
    Reason.MIXED_SCRIPTS: "It mixes letters of different scripts.",
    Reason.READS_AS_LATIN: "All of its letters look like letters of the Latin alphabet.",
    Reason.FOREIGN_LETTER: "It contains a letter of another country’s alphabet that looks like a "
    "common letter.",
    Reason.INVISIBLE: "It contains a character that cannot be seen.",
    Reason.MIXED_DIGITS: "It mixes digits of different scripts.",
    Reason.MISPLACED_MARK: "It contains an accent or another mark in an unusual place.",
    Reason.LIKE_A_DELIMITER: "It contains a character that looks like a dot, a slash or other "
    "punctuation.",
    Reason.MISPLACED_KANA: "It contains a Japanese character in place of one that looks the same.",
    Reason.UNUSUAL: "It contains a character that names seldom contain.",
    Reason.UNDECODABLE: "It is encoded, and has no valid decoded form.",
    Reason.DEVIATION: "It contains a letter that older software replaces with others.",
    Reason.JOINER: "It contains an invisible joiner that its spelling needs.",
}


@attrs.frozen
class Suspicion(FrozenValue):
    """One reason why people may take a label of a host for another.

    ``reason``: a `Reason`. ``label``: the label in ASCII, as in the URL. ``characters``: the
    characters concerned, each once, or "" if that is the whole label. ``reads_as``: what the label
    looks like in ASCII, or "" if it does not look like ASCII.
    """

    __module__ = "weburl.lookalikes"

    reason: Reason
    label: str
    characters: str = ""
    reads_as: str = ""
