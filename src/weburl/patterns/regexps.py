"""The regular expressions of JavaScript with its "v" flag, read into the tree of `nodes`.

What JavaScript refuses is refused here, with the place and the reason. So is what Python could only
match in another way: references to groups, properties of strings, and the rarer Unicode properties.

Spec: https://tc39.es/ecma262/#sec-patterns
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

from weburl.patterns.errors import URLPatternError
from weburl.patterns.nodes import (
    ALL,
    EMPTY,
    Alternatives,
    Assertion,
    CannotRepeatError,
    Group,
    Look,
    Node,
    OneOf,
    Sequence,
    Text,
    repeated,
)
from weburl.standard.infra.explanations import quoted

MAX_REPETITIONS: Final = 1000
"""The highest number in a quantifier such as "{2,5}"."""
MAX_DEPTH: Final = 50
"""How deep groups and classes may be nested."""

_SYNTAX_CHARACTERS: Final = "^$\\.*+?()[]{}|/"
_CLASS_PUNCTUATORS: Final = "&-!#%,:;<=>@`~"
_DOUBLE_PUNCTUATORS: Final = frozenset(char * 2 for char in "&!#$%*+,.:;<=>?@^`~")
_CONTROLS: Final = {"t": 0x09, "n": 0x0A, "v": 0x0B, "f": 0x0C, "r": 0x0D}
_QUANTIFIER: Final = re.compile(r"(?:([*+?])|\{([0-9]+)(?:(,)([0-9]*))?\})(\??)")
_LOOK: Final = re.compile(r"\?(<?)([=!])")
_NAMED: Final = re.compile(r"\?<([A-Za-z_$][A-Za-z0-9_$]*)>")
_MODIFIERS: Final = re.compile(r"\?([ims]*)(?:(-)([ims]*))?:")
_HEX: Final = re.compile(r"x([0-9A-Fa-f]{2})|u([0-9A-Fa-f]{4})|u\{0*([0-9A-Fa-f]{1,6})\}")
_LOW_SURROGATE: Final = re.compile(r"\\u([Dd][C-Fc-f][0-9A-Fa-f]{2})")
_PROPERTY: Final = re.compile(r"\{(?:(?:gc|General_Category)=)?([A-Za-z0-9_]+)\}")

_DIGITS: Final = frozenset("0123456789")
_LOWER: Final = frozenset("abcdefghijklmnopqrstuvwxyz")
_UPPER: Final = frozenset("ABCDEFGHIJKLMNOPQRSTUVWXYZ")
_LETTERS: Final = _LOWER | _UPPER
_WORD: Final = _LETTERS | _DIGITS | {"_"}
_SPACE: Final = frozenset("\t\n\v\f\r ")
_CLASSES: Final = {"d": _DIGITS, "w": _WORD, "s": _SPACE}
_NOT_LINE_ENDS: Final = ALL - frozenset("\n\r")
# The two code points that are equal to an ASCII letter where case is ignored.
_FOLDED_TO_ASCII: Final = {0x17F: "s", 0x212A: "k"}

_CATEGORY_NAMES: Final = {
    "Letter": "L", "Cased_Letter": "LC", "Uppercase_Letter": "Lu", "Lowercase_Letter": "Ll",
    "Mark": "M", "Number": "N", "Decimal_Number": "Nd", "digit": "Nd", "Punctuation": "P",
    "punct": "P", "Connector_Punctuation": "Pc", "Dash_Punctuation": "Pd", "Symbol": "S",
    "Math_Symbol": "Sm", "Currency_Symbol": "Sc", "Separator": "Z", "Space_Separator": "Zs",
    "Other": "C", "Control": "Cc",
}  # fmt: skip
_CATEGORIES: Final = frozenset({
    "L", "LC", "Lu", "Ll", "Lt", "Lm", "Lo", "M", "Mn", "Mc", "Me", "N", "Nd", "Nl", "No", "P",
    "Pc", "Pd", "Ps", "Pe", "Pi", "Pf", "Po", "S", "Sm", "Sc", "Sk", "So", "Z", "Zs", "Zl", "Zp",
    "C", "Cc", "Cf", "Cs", "Co", "Cn",
})  # fmt: skip
_BINARY_PROPERTIES: Final = {
    **dict.fromkeys(("ASCII", "Any", "Assigned"), ALL),
    **dict.fromkeys(("Alphabetic", "Alpha", "ID_Start", "IDS", "XID_Start", "XIDS"), _LETTERS),
    **dict.fromkeys(("ID_Continue", "IDC", "XID_Continue", "XIDC"), _WORD),
    **dict.fromkeys(("Lowercase", "Lower"), _LOWER),
    **dict.fromkeys(("Uppercase", "Upper"), _UPPER),
    **dict.fromkeys(
        ("ASCII_Hex_Digit", "AHex", "Hex_Digit", "Hex"), frozenset("0123456789abcdefABCDEF")
    ),
    **dict.fromkeys(("White_Space", "space"), _SPACE),
}


def parse_a_regexp(
    pattern: str, start: int, end: int, group_numbers: Iterator[int], *, ignore_case: bool
) -> tuple[Node, frozenset[str]]:
    """Return the tree of the regular expression from ``start`` to ``end`` of a pattern.

    Also returns the names of the groups in it, which take numbers from ``group_numbers``. Raises
    `URLPatternError`, with the place in the pattern, for what JavaScript refuses and for what is
    not supported here.
    """
    parser = _Parser(pattern, start, end, group_numbers, ignore_case=ignore_case)
    node = parser.disjunction()
    if parser.at < end:
        raise parser.error("A ')' closes no group.", parser.at, parser.at + 1)
    return node, frozenset(parser.names)


class _Parser:
    def __init__(
        self,
        pattern: str,
        start: int,
        end: int,
        group_numbers: Iterator[int],
        *,
        ignore_case: bool,
    ) -> None:
        self.pattern = pattern
        self.text = pattern[:end]
        self.at = start
        self.end = end
        self.group_numbers = group_numbers
        self.ignore_case = ignore_case
        self.depth = 0
        self.names: set[str] = set()

    def error(self, reason: str, start: int, end: int, expected: str = "") -> URLPatternError:
        """Return the error of the regular expression at a place in the pattern."""
        return URLPatternError(reason, self.pattern, start=start, end=end, expected=expected)

    def takes(self, text: str) -> bool:
        """Advance past ``text`` if it is next, and return whether it was."""
        if not self.text.startswith(text, self.at):
            return False
        self.at += len(text)
        return True

    def enter(self) -> None:
        """Count one more group or class around what follows."""
        self.depth += 1
        if self.depth > MAX_DEPTH:
            raise self.error(f"Groups are nested more than {MAX_DEPTH} deep.", self.at, self.at + 1)

    def disjunction(self) -> Node:
        """Return alternatives, up to a ")" or the end.

        Spec: #prod-Disjunction
        """
        options = [self.alternative()]
        while self.takes("|"):
            options.append(self.alternative())
        return options[0] if len(options) == 1 else Alternatives(tuple(options))

    def alternative(self) -> Node:
        """Return one alternative.

        Spec: #prod-Alternative
        """
        items: list[Node] = []
        while self.at < self.end and self.text[self.at] not in "|)":
            items.append(self.term())
        return items[0] if len(items) == 1 else Sequence(tuple(items)) if items else EMPTY

    def term(self) -> Node:
        """Return an atom or an assertion with its quantifier.

        Spec: #prod-Term
        """
        start = self.at
        names_before = len(self.names)
        atom = self.atom()
        quantifier = _QUANTIFIER.match(self.text, self.at)
        if quantifier is None:
            return atom
        if isinstance(atom, Assertion | Look):
            raise self.error("There is nothing to repeat here.", self.at, quantifier.end())
        if len(self.names) > names_before:
            raise self.error(
                "A named group inside a regular expression cannot be repeated here.",
                start,
                quantifier.end(),
            )
        self.at = quantifier.end()
        least, most = self.bounds(quantifier)
        try:
            return repeated(atom, least, most, is_greedy=not quantifier[5])
        except CannotRepeatError:
            raise self.error(
                "What can match nothing is repeated, which is not supported.", start, self.at
            ) from None

    def bounds(self, quantifier: re.Match[str]) -> tuple[int, int | None]:
        """Return how often a quantifier repeats: at least, and at most or None."""
        sign, low, comma, high = quantifier.group(1, 2, 3, 4)
        if sign is not None:
            return int(sign == "+"), 1 if sign == "?" else None
        numbers = [low, high or low]
        if any(len(number.lstrip("0")) > len(str(MAX_REPETITIONS)) for number in numbers) or any(
            int(number) > MAX_REPETITIONS for number in numbers
        ):
            raise self.error(
                f"A regular expression can repeat at most {MAX_REPETITIONS} times here.",
                quantifier.start(),
                quantifier.end(),
            )
        if comma is None:
            return int(low), int(low)
        if high and int(high) < int(low):
            raise self.error(
                "The numbers of a quantifier are in the wrong order.",
                quantifier.start(),
                quantifier.end(),
            )
        return int(low), int(high) if high else None

    def atom(self) -> Node:
        """Return an atom or an assertion.

        Spec: #prod-Atom
        """
        code_point = self.text[self.at]
        if code_point == "\\":
            return self.escape()
        if code_point == "(":
            return self.group()
        if code_point == "[":
            return OneOf(self.character_class())
        if code_point in "*+?{}]":
            raise self.error(
                f"{quoted(code_point)} is not allowed in a regular expression.",
                self.at,
                self.at + 1,
                "something to repeat before it, or a backslash",
            )
        self.at += 1
        if code_point == ".":
            return OneOf(_NOT_LINE_ENDS)
        if code_point in "^$":
            return Assertion("start" if code_point == "^" else "end")
        return self.character(ord(code_point))

    def character(self, number: int) -> Node:
        """Return the node of one code point."""
        members = self.members({number})
        return Text(*members) if len(members) == 1 else OneOf(members)

    def members(self, numbers: set[int]) -> frozenset[str]:
        """Return the ASCII among code points, in both cases if the case is ignored."""
        found = {chr(number) for number in numbers if number < 0x80}
        if self.ignore_case:
            found.update(_FOLDED_TO_ASCII[number] for number in numbers & _FOLDED_TO_ASCII.keys())
        return self.in_both_cases(frozenset(found))

    def in_both_cases(self, members: frozenset[str]) -> frozenset[str]:
        """Return a set with the other case of its letters, if the case is ignored."""
        if not self.ignore_case:
            return members
        return members.union(*((char.lower(), char.upper()) for char in members))

    def group(self) -> Node:
        """Return a group, from its "(" to its ")"."""
        start = self.at
        self.enter()
        self.at += 1
        look = _LOOK.match(self.text, self.at)
        named = _NAMED.match(self.text, self.at)
        modifiers = _MODIFIERS.match(self.text, self.at)
        ignored_case = self.ignore_case
        number = -1
        if look is not None:
            self.at = look.end()
        elif named is not None:
            self.at = named.end()
            if named[1] in self.names:
                raise self.error(
                    f"There are two groups with the name {quoted(named[1])}.", start, self.at
                )
            self.names.add(named[1])
            number = next(self.group_numbers)
        elif modifiers is not None:
            self.at = modifiers.end()
            self.set_modifiers(modifiers)
        else:
            raise self.error("JavaScript has no such group.", start, start + 2, "'(?:'")
        node = self.disjunction()
        if not self.takes(")"):
            raise self.error("A parenthesis is not closed.", start, start + 1, "a ')'")
        self.depth -= 1
        self.ignore_case = ignored_case
        if look is not None:
            return Look(node, is_behind=bool(look[1]), is_negative=look[2] == "!")
        return node if named is None else Group(number, node)

    def set_modifiers(self, modifiers: re.Match[str]) -> None:
        """Ignore the case or not, from here to the end of a group such as "(?i:"."""
        on, minus, off = modifiers.group(1, 2, 3)
        letters = on + (off or "")
        if len(set(letters)) < len(letters) or (minus and not letters):
            raise self.error(
                "A modifier is given twice, or none is.", modifiers.start(), modifiers.end()
            )
        # A component contains no line ends, so "m" and "s" change nothing.
        if "i" in letters:
            self.ignore_case = "i" in on

    def escape(self) -> Node:
        """Return what a backslash and the code points after it mean outside of classes."""
        start = self.at
        letter = self.text[start + 1]
        if letter in "bB":
            self.at += 2
            return Assertion("boundary" if letter == "b" else "no-boundary")
        if letter == "k" or letter in "123456789":
            raise self.error("A reference to a group is not supported.", start, start + 2)
        members = self.class_escape()
        if members is not None:
            return OneOf(members)
        return self.character(self.character_escape(_SYNTAX_CHARACTERS))

    def class_escape(self) -> frozenset[str] | None:
        r"""Return the set of an escape such as "\d", or None if another escape is next."""
        letter = self.text[self.at + 1]
        if letter.lower() in _CLASSES:
            self.at += 2
            members = _CLASSES[letter.lower()]
        elif letter in "pP":
            found = _PROPERTY.match(self.text, self.at + 2)
            if found is None or (members_found := _property(found[1])) is None:
                end = self.at + 2 if found is None else found.end()
                raise self.error("This Unicode property is not supported.", self.at, end)
            self.at = found.end()
            members = self.in_both_cases(members_found)
        else:
            return None
        return ALL - members if letter.isupper() else members

    def character_escape(self, punctuation: str) -> int:
        """Return the code point that an escape means; ``punctuation``: what it may leave as it is.

        Spec: #prod-CharacterEscape
        """
        start = self.at
        letter = self.text[start + 1]
        self.at += 2
        if letter in _CONTROLS:
            return _CONTROLS[letter]
        if letter in punctuation:
            return ord(letter)
        if letter == "0" and not self.text[self.at : self.at + 1].isdigit():
            return 0
        if letter == "c" and self.text[self.at : self.at + 1] in _LETTERS:
            self.at += 1
            return ord(self.text[self.at - 1]) % 32
        found = _HEX.match(self.text, start + 1)
        if found is None or int(found[found.lastindex or 0], 16) > 0x10FFFF:
            raise self.error(
                f"{quoted(self.text[start : self.at])} is not an escape of JavaScript.",
                start,
                self.at,
            )
        self.at = found.end()
        number = int(found[found.lastindex or 0], 16)
        low = _LOW_SURROGATE.match(self.text, self.at)
        if found[2] is not None and 0xD800 <= number < 0xDC00 and low is not None:
            self.at = low.end()
            number = 0x10000 + ((number - 0xD800) << 10) + int(low[1], 16) - 0xDC00
        return number

    def character_class(self) -> frozenset[str]:
        """Return the set of a class, from its "[" to its "]".

        Spec: #prod-CharacterClass
        """
        start = self.at
        self.enter()
        self.at += 1
        is_negated = self.takes("^")
        members = frozenset[str]()
        operator: str | None = None
        is_first = True
        while not self.takes("]"):
            if self.at >= self.end:
                raise self.error("A class is not closed.", start, start + 1, "a ']'")
            found = self.text[self.at : self.at + 2]
            if found in ("--", "&&") and not is_first and operator in (None, found):
                operator = found
                self.at += 2
                if found == "&&" and self.text.startswith("&", self.at):
                    raise self.error(
                        "'&' is not allowed in a class.", self.at, self.at + 1, "a backslash"
                    )
                operand, _ = self.class_operand()
                members = members - operand if operator == "--" else members & operand
                continue
            if operator is not None and operator != "union":
                raise self.error(
                    f"Expected {quoted(operator)} or the end of the class.", self.at, self.at + 1
                )
            operand, single = self.class_operand()
            if single is not None and self.is_range():
                operand = self.range_from(single)
                operator = "union"
            elif not is_first:
                operator = "union"
            members |= operand
            is_first = False
        self.depth -= 1
        return ALL - members if is_negated else members

    def is_range(self) -> bool:
        """Return whether the next character is a "-" that is not an operator."""
        return self.text.startswith("-", self.at) and not self.text.startswith("--", self.at)

    def range_from(self, low: int) -> frozenset[str]:
        """Return the set of a range whose "-" is next."""
        start = self.at
        self.at += 1
        _, high = self.class_operand()
        if high is None or high < low:
            raise self.error(
                "A range has no end, or its ends are in the wrong order.", start, self.at
            )
        numbers = set(range(low, min(high, 0x7F) + 1))
        return self.members(numbers | {odd for odd in _FOLDED_TO_ASCII if low <= odd <= high})

    def class_operand(self) -> tuple[frozenset[str], int | None]:
        """Return one member of a class as a set, and its number if it is one code point."""
        if self.at >= self.end:
            raise self.error("A class is not closed.", self.at, self.at, "a ']'")
        code_point = self.text[self.at]
        if code_point == "[":
            return self.character_class(), None
        if code_point == "\\":
            if self.text.startswith("q{", self.at + 1):
                raise self.error("Strings in a class are not supported.", self.at, self.at + 3)
            if (members := self.class_escape()) is not None:
                return members, None
            if self.text[self.at + 1] == "b":
                self.at += 2
                number = 0x08
            else:
                number = self.character_escape(_SYNTAX_CHARACTERS + _CLASS_PUNCTUATORS)
            return self.members({number}), number
        two = self.text[self.at : self.at + 2]
        if code_point in "()]{}/-|" or two in _DOUBLE_PUNCTUATORS:
            raise self.error(
                f"{quoted(two if two in _DOUBLE_PUNCTUATORS else code_point)} is not allowed in a"
                " class.",
                self.at,
                self.at + 1,
                "a backslash before it",
            )
        self.at += 1
        return self.members({ord(code_point)}), ord(code_point)


def _property(name: str) -> frozenset[str] | None:
    """Return the ASCII that has a Unicode property, or None if the name is not supported."""
    if name in _BINARY_PROPERTIES:
        return _BINARY_PROPERTIES[name]
    short = _CATEGORY_NAMES.get(name, name)
    if short not in _CATEGORIES:
        return None
    from weburl.standard.infra.unicode_data import category  # It has big tables.

    wanted = ("Lu", "Ll", "Lt") if short == "LC" else (short,)
    return frozenset(char for char in ALL if category(char).startswith(wanted))
