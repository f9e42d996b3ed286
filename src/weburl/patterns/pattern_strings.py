"""Pattern strings: from the text of one component to a list of parts, and back to the normal form.

Spec: https://urlpattern.spec.whatwg.org/#parsing
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Final, Literal, TypeAlias

import attrs

from weburl.patterns.errors import URLPatternError
from weburl.patterns.tokenizer import Token, TokenType, is_valid_name_code_point, token_at
from weburl.standard.infra.explanations import quoted

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


EncodingCallback: TypeAlias = Callable[[str], str]
"""Encodes fixed text as a URL has it, or raises ValueError.

Spec: #encoding-callback
"""


def parse_a_pattern_string(
    text: str, options: Options, encode: EncodingCallback
) -> tuple[Part, ...]:
    """Return the parts of a pattern string. Raises `URLPatternError` if it is not one.

    Spec: #parse-a-pattern-string
    """
    return _PatternParser(text, options, encode).parse()


class _PatternParser:
    """The state of a parser, with the standard's names.

    Spec: #pattern-parser
    """

    def __init__(self, text: str, options: Options, encode: EncodingCallback) -> None:
        self.text = text
        self.options = options
        self.encode = encode
        self.segment_wildcard_regexp = options.segment_wildcard_regexp
        self.token = token_at(text, 0)
        self.part_list: list[Part] = []
        self.names: set[str] = set()
        self.pending_fixed_value: list[str] = []
        self.pending_start = 0
        self.next_numeric_name = 0

    def parse(self) -> tuple[Part, ...]:
        """Return the parts."""
        while True:
            start = self.token.start
            char = self.try_to_consume("char")
            name = self.try_to_consume("name")
            regexp_or_wildcard = self.try_to_consume_a_regexp_or_wildcard(name)
            if name is not None or regexp_or_wildcard is not None:
                prefix = "" if char is None else char.value
                if prefix and prefix != self.options.prefix:
                    self.append_to_pending(prefix, start)
                    prefix = ""
                self.maybe_add_a_part_from_the_pending_fixed_value()
                modifier = self.try_to_consume_a_modifier()
                self.add_a_part(start, prefix, name, regexp_or_wildcard, "", modifier)
                continue
            fixed = char or self.try_to_consume("escaped-char")
            if fixed is not None:
                self.append_to_pending(fixed.value, start)
            elif self.try_to_consume("open") is not None:
                self.parse_group(start)
            else:
                self.maybe_add_a_part_from_the_pending_fixed_value()
                if self.token.type != "end":
                    raise self.unexpected("the end of the pattern, text or a group")
                return tuple(self.part_list)

    def parse_group(self, start: int) -> None:
        """Parse what follows "{", with its "}" and modifier, and add its part."""
        prefix = self.consume_text()
        name = self.try_to_consume("name")
        regexp_or_wildcard = self.try_to_consume_a_regexp_or_wildcard(name)
        suffix = self.consume_text()
        if self.try_to_consume("close") is None:
            raise self.unexpected("a '}' for the '{'")
        modifier = self.try_to_consume_a_modifier()
        self.add_a_part(start, prefix, name, regexp_or_wildcard, suffix, modifier)

    def try_to_consume(self, type: TokenType) -> Token | None:
        """Return the current token and advance if it has this type, or else return None.

        Spec: #try-to-consume-a-token
        """
        token = self.token
        if token.type != type:
            return None
        self.token = token_at(self.text, token.end)
        return token

    def try_to_consume_a_modifier(self) -> Token | None:
        """Return a "?", "+" or "*" if it is next, or None.

        Spec: #try-to-consume-a-modifier-token
        """
        return self.try_to_consume("other-modifier") or self.try_to_consume("asterisk")

    def try_to_consume_a_regexp_or_wildcard(self, name: Token | None) -> Token | None:
        """Return the next token if it is a regular expression or, without a name before it, a "*".

        Spec: #try-to-consume-a-regexp-or-wildcard-token
        """
        token = self.try_to_consume("regexp")
        return self.try_to_consume("asterisk") if name is None and token is None else token

    def consume_text(self) -> str:
        """Return the text up to the next token that is not text. It may be empty.

        Spec: #consume-text
        """
        values: list[str] = []
        while True:
            token = self.try_to_consume("char") or self.try_to_consume("escaped-char")
            if token is None:
                return "".join(values)
            values.append(token.value)

    def append_to_pending(self, text: str, start: int) -> None:
        """Add to the pending fixed value; ``start``: where this text starts in the pattern."""
        if not self.pending_fixed_value:
            self.pending_start = start
        self.pending_fixed_value.append(text)

    def maybe_add_a_part_from_the_pending_fixed_value(self) -> None:
        """Add a part of the fixed text before a group, if there is any.

        Spec: #maybe-add-a-part-from-the-pending-fixed-value
        """
        value = "".join(self.pending_fixed_value)
        if value:
            self.pending_fixed_value.clear()
            encoded = self.encoded(value, self.pending_start)
            self.part_list.append(Part("fixed-text", encoded, "none"))

    def add_a_part(
        self,
        start: int,
        prefix: str,
        name_token: Token | None,
        regexp_or_wildcard: Token | None,
        suffix: str,
        modifier_token: Token | None,
    ) -> None:
        """Add the part of a group that starts at ``start`` in the pattern.

        Spec: #add-a-part
        """
        modifier: Modifier = "none"
        if modifier_token is not None:
            modifier = MODIFIER_OF_TEXT[modifier_token.value]
        has_no_group = name_token is None and regexp_or_wildcard is None
        if has_no_group and modifier == "none":
            self.append_to_pending(prefix, start)
            return
        self.maybe_add_a_part_from_the_pending_fixed_value()
        if has_no_group:
            if prefix:
                self.part_list.append(Part("fixed-text", self.encoded(prefix, start), modifier))
            return
        type, value = self.type_and_value(regexp_or_wildcard)
        name = self.name_of_group(name_token)
        self.part_list.append(
            Part(
                type,
                value,
                modifier,
                name,
                self.encoded(prefix, start),
                self.encoded(suffix, start),
                0 if regexp_or_wildcard is None else regexp_or_wildcard.start + 1,
            )
        )

    def type_and_value(self, token: Token | None) -> tuple[PartType, str]:
        """Return the type of a group, and its regular expression if it needs one."""
        if token is None or token.value == self.segment_wildcard_regexp:
            return "segment-wildcard", ""
        if token.type == "asterisk" or token.value == FULL_WILDCARD_REGEXP:
            return "full-wildcard", ""
        return "regexp", token.value

    def name_of_group(self, token: Token | None) -> str:
        """Return the name of a group, or the next number. Raises if the name was there before."""
        if token is None:
            self.next_numeric_name += 1
            return str(self.next_numeric_name - 1)
        name = token.value
        if name in self.names:
            raise URLPatternError(
                f"There are two groups with the name {quoted(name)}.",
                self.text,
                start=token.start,
                end=token.end,
                expected="another name",
            )
        self.names.add(name)
        return name

    def encoded(self, text: str, start: int) -> str:
        """Return fixed text as a URL has it; ``start``: where it starts in the pattern."""
        try:
            return self.encode(text)
        except ValueError as error:
            reason = error.reason if isinstance(error, URLPatternError) else str(error)
            raise URLPatternError(reason, self.text, start=start, end=self.token.start) from None

    def unexpected(self, expected: str) -> URLPatternError:
        """Return the error of a token that cannot be where it is."""
        token = self.token
        reason = (
            "The pattern ends too early."
            if token.type == "end"
            else f"{quoted(self.text[token.start : token.end])} is not allowed here."
        )
        return URLPatternError(
            reason, self.text, start=token.start, end=token.end, expected=expected
        )


_ESCAPED_IN_PATTERNS: Final = str.maketrans({char: f"\\{char}" for char in "+*?:{}()\\"})


def escape_a_pattern_string(text: str) -> str:
    """Return ``text`` with the code points escaped that mean something in a pattern.

    Spec: #escape-a-pattern-string
    """
    return text.translate(_ESCAPED_IN_PATTERNS)


def generate_a_pattern_string(parts: tuple[Part, ...], options: Options) -> str:
    """Return the pattern string of a list of parts.

    Spec: #generate-a-pattern-string
    """
    last = len(parts) - 1
    return "".join(
        _text_of_part(
            part,
            parts[index - 1] if index > 0 else None,
            parts[index + 1] if index < last else None,
            options,
        )
        for index, part in enumerate(parts)
    )


def _text_of_part(part: Part, previous: Part | None, next: Part | None, options: Options) -> str:
    if part.type == "fixed-text":
        text = escape_a_pattern_string(part.value)
        if part.modifier == "none":
            return text
        return f"{{{text}}}{TEXT_OF_MODIFIER[part.modifier]}"
    needs_grouping = _needs_grouping(part, previous, next, options)
    text = (
        escape_a_pattern_string(part.prefix)
        + _text_of_group(part, previous, needs_grouping, options)
        + escape_a_pattern_string(part.suffix)
    )
    if needs_grouping:
        text = f"{{{text}}}"
    return text + TEXT_OF_MODIFIER[part.modifier]


def _needs_grouping(part: Part, previous: Part | None, next: Part | None, options: Options) -> bool:
    """Return whether a group needs "{" and "}" around it."""
    if part.suffix or (part.prefix and part.prefix != options.prefix):
        return True
    if (
        _has_custom_name(part)
        and part.type == "segment-wildcard"
        and part.modifier == "none"
        and next is not None
        and not next.prefix
        and not next.suffix
    ):
        if next.type == "fixed-text":
            if _starts_like_a_name(next.value):
                return True
        elif not _has_custom_name(next):
            return True
    return (
        not part.prefix
        and previous is not None
        and previous.type == "fixed-text"
        and previous.value[-1:] == options.prefix
        and bool(options.prefix)
    )


def _text_of_group(
    part: Part, previous: Part | None, needs_grouping: bool, options: Options
) -> str:
    """Return the name and the regular expression or the wildcard of a group."""
    custom_name = _has_custom_name(part)
    name = f":{part.name}" if custom_name else ""
    if part.type == "regexp":
        return f"{name}({part.value})"
    if part.type == "segment-wildcard":
        if not custom_name:
            return f"({options.segment_wildcard_regexp})"
        # A backslash keeps the suffix from being read as more of the name.
        return f"{name}\\" if _starts_like_a_name(part.suffix) else name
    is_asterisk = not custom_name and (
        previous is None
        or previous.type == "fixed-text"
        or previous.modifier != "none"
        or needs_grouping
        or bool(part.prefix)
    )
    return "*" if is_asterisk else f"{name}({FULL_WILDCARD_REGEXP})"


def _has_custom_name(part: Part) -> bool:
    """Return whether the name of a group was written, rather than counted."""
    return part.name[0] not in "0123456789"


def _starts_like_a_name(text: str) -> bool:
    return text != "" and is_valid_name_code_point(text[0], first=False)
