"""Makes a pattern string of a list of parts: the normal form of a component's pattern.

Spec: https://urlpattern.spec.whatwg.org/#converting-part-lists-to-pattern-strings
"""

from __future__ import annotations

from typing import Final

from weburl.patterns.parts import FULL_WILDCARD_REGEXP, TEXT_OF_MODIFIER, Options, Part
from weburl.patterns.tokenizer import is_valid_name_code_point

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
