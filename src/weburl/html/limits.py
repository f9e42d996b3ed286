"""Limits for a page, and an estimate of how many elements the parser makes from its tags.

A page may be hostile: a few bytes can mean long URLs, or hundreds of elements. The limits cover
everything that can grow faster than the page. All other work is linear in its length.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any, Final

import attrs

from weburl.standard.infra.credentials import masked_value

# Spec: https://html.spec.whatwg.org/#formatting
_FORMATTING: Final = frozenset(
    ("a", "b", "big", "code", "em", "font", "i", "nobr", "s", "small", "strike", "strong", "tt",
     "u")
)  # fmt: skip
# A second one of these closes the first.
_ONE_AT_A_TIME: Final = frozenset(("a", "nobr"))
# Spec: https://html.spec.whatwg.org/#push-onto-the-list-of-active-formatting-elements
_ALIKE_AT_MOST: Final = 3
# How many elements the parser keeps open at a time.
_OPEN_AT_MOST: Final = 512
_MERGED: Final = frozenset(("html", "body"))
_MERGED_OR_FORMATTING: Final = re.compile(
    f"<(/?)({'|'.join((*_MERGED, *sorted(_FORMATTING)))})(?![0-9a-z])(>?)",
    re.ASCII | re.IGNORECASE,
)
_TAG: Final = re.compile(r"<(/?)([A-Za-z][0-9A-Za-z]*+)([^<>]*+)(>?)")
# Attributes so simple that the end of the tag is certain.
_PLAIN_ATTRIBUTES: Final = re.compile(
    r"""(?:[\t\n\f\r ]++[A-Za-z:-]++(?:=(?:"[^"'<>]*+"|'[^"'<>]*+'|[^"'<>=`\t\n\f\r /]++))?+)*+
    [\t\n\f\r ]*+/?+""",
    re.VERBOSE,
)
_BETWEEN_ATTRIBUTES: Final = re.compile(r"[\t\n\f\r /\"']++")


class PageLimitError(ValueError):
    """Raised if a page exceeds a limit.

    ``limit``: the name of the limit, an attribute of `PageLimits`. ``allowed``: its value.
    """

    __module__ = "weburl.html"

    def __init__(self, limit: str, allowed: int) -> None:
        super().__init__(limit, allowed)
        self.limit: Final = limit
        self.allowed: Final = allowed

    def __str__(self) -> str:
        return (
            f"The page has {_WHAT[self.limit]} than {self.allowed}: pass"
            f" limits=PageLimits({self.limit}=…) to read it anyway."
        )


_WHAT: Final = {
    "links": "more links",
    "resolved_length": "links whose URLs together are longer",
    "implied_elements": "tags that imply more elements",
}


def _check_bound(_: object, attribute: attrs.Attribute[Any], value: int | None) -> None:
    if value is not None and type(value) is not int:
        raise TypeError(f"{attribute.name} must be an integer or None, not {masked_value(value)}")
    if value is not None and value < 0:
        raise ValueError(f"{attribute.name} must not be negative, but is {value}")


@attrs.frozen(kw_only=True)
class PageLimits:
    """Limits for a page; if it exceeds one, `PageLimitError` is raised. None means no limit.

    Args:
        links: The number of links.
        resolved_length: The total number of code points of all different URLs. A long `base` URL
            can make them long in a short page.
        implied_elements: The number of elements that the parser makes without a tag. It does so as
            browsers do: when a block closes formatting elements, they are opened again afterwards.
            Each takes a hundred bytes of memory.

    Raises:
        TypeError: A value is neither an integer nor None.
        ValueError: A value is below 0.
    """

    __module__ = "weburl.html"

    links: int | None = attrs.field(default=250_000, validator=_check_bound)
    resolved_length: int | None = attrs.field(default=50_000_000, validator=_check_bound)
    implied_elements: int | None = attrs.field(default=1_000_000, validator=_check_bound)

    def require(self, limit: str, amount: int) -> None:
        """Raise `PageLimitError` if ``amount`` is more than ``limit`` allows."""
        allowed: int | None = getattr(self, limit)
        if allowed is not None and amount > allowed:
            raise PageLimitError(limit, allowed)

    def require_few_implied_elements(self, html: str | bytes) -> None:
        """Raise `PageLimitError` if the tags of ``html`` may imply too many elements.

        They are counted before parsing, in linear time. The count may be too high: a tag that
        closes nothing counts as if it closed everything that is open. The attributes of repeated
        `html` and `body` tags count too, because the parser merges them.
        """
        if self.implied_elements is None:
            return
        # In UTF-16, each letter of a tag has a NUL before or after it.
        text = html if isinstance(html, str) else html.replace(b"\0", b"").decode("latin-1")
        tags = text.count("<")
        if tags * (min(tags, _OPEN_AT_MOST) + len(text)) <= self.implied_elements:
            return
        if _most_implied_elements(text) <= self.implied_elements:
            return
        for implied in _implied_elements(text):
            self.require("implied_elements", implied)


UNLIMITED: Final = PageLimits(links=None, resolved_length=None, implied_elements=None)


def _most_implied_elements(text: str) -> int:
    """Return a number that `_implied_elements` does not exceed, in much less time.

    A tag implies at most as many elements as are open: here, every formatting element that was not
    closed by its name, and of those without attributes at most three with a name. An `html` or
    `body` tag implies at most the attributes of those before it, or of the page if one is unclear.
    """
    most = open_count = last = merged = 0
    is_unclear = False
    opened = dict.fromkeys(_FORMATTING, 0)
    without_attributes = dict.fromkeys(_FORMATTING, 0)  # at least so many of them
    for tag in _MERGED_OR_FORMATTING.finditer(text):
        # Most pages close each formatting element before the next one.
        if open_count:
            most += text.count("<", last, tag.end()) * min(open_count, _OPEN_AT_MOST)
        last = tag.end()
        slash, name = tag[1], tag[2].lower()
        before = opened.get(name)
        if before is None:
            most += len(text) if is_unclear else merged
            whole = _TAG.match(text, tag.start())
            if whole is not None and whole[4] and _PLAIN_ATTRIBUTES.fullmatch(whole[3]):
                merged += _attribute_count(text, *whole.span(3))
            else:
                is_unclear = True
            continue
        if slash:
            after = max(before - 1, 0)
            without_attributes[name] = max(without_attributes[name] - 1, 0)
        elif name in _ONE_AT_A_TIME:
            after = 1
        elif not tag[3]:
            after = before + 1
        elif without_attributes[name] < _ALIKE_AT_MOST:
            after = before + 1
            without_attributes[name] += 1
        else:
            after = before
        opened[name] = after
        open_count += after - before
    if open_count:
        most += text.count("<", last) * min(open_count, _OPEN_AT_MOST)
    return most


def _implied_elements(text: str) -> Iterator[int]:
    """Yield how many elements the tags of a page may imply up to each tag."""
    implied = open_count = 0
    opened: dict[str, dict[str, int]] = {name: {} for name in _FORMATTING}
    merged, unclear_from = 0, None
    for tag in _TAG.finditer(text):
        slash, name, attributes, end = tag.groups()
        name = name.lower()
        is_plain = end and _PLAIN_ATTRIBUTES.fullmatch(attributes) is not None
        alike = opened.get(name)
        if name in _MERGED:
            if unclear_from is not None:
                merged += _attribute_count(text, unclear_from, tag.start())
            implied += merged
            unclear_from = None if is_plain else tag.start(3)
            if is_plain:
                merged += _attribute_count(text, tag.start(3), tag.end(3))
        elif slash or alike is None:
            implied += min(open_count, _OPEN_AT_MOST)
            if alike:
                last, count = alike.popitem()
                open_count -= 1
                if count > 1:
                    alike[last] = count - 1
        else:
            if name in _ONE_AT_A_TIME:
                open_count -= sum(alike.values())
                alike.clear()
            key = attributes if is_plain else f">{tag.start()}"
            count = alike.pop(key, 0)
            open_count += count < _ALIKE_AT_MOST
            alike[key] = min(count + 1, _ALIKE_AT_MOST)
        yield implied


def _attribute_count(text: str, start: int, end: int) -> int:
    """Return an upper bound for the number of attributes between two offsets."""
    return sum(1 for _ in _BETWEEN_ATTRIBUTES.finditer(text, start, end))
