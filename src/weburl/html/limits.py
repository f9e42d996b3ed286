"""Limits for a page.

A page may be hostile: a few bytes can mean long URLs, or hundreds of elements. The limits cover
everything that can grow faster than the page. All other work is linear in its length.
"""

from __future__ import annotations

import re
from typing import Any, Final

import attrs

from weburl.html.implied_elements import implied_elements, most_implied_elements
from weburl.standard.infra.credentials import masked_value

# What follows is not ASCII, up to the sequence that ends it.
# Spec: https://encoding.spec.whatwg.org/#iso-2022-jp-decoder
_NOT_ASCII_IN_ISO_2022_JP: Final = re.compile(rb"\x1b(?:\$[@B]|\(I).*?(?=\x1b\([BJ]|\Z)", re.DOTALL)


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

    def require_few_implied_elements(
        self, html: str | bytes, *, context: str | None = None
    ) -> None:
        """Raise `PageLimitError` if the tags of ``html`` may imply too many elements.

        They are counted before parsing, in linear time. The count may be too high: a tag that
        closes nothing counts as if it closed everything that is open. The attributes of repeated
        `html` and `body` tags count too, because the parser merges them.

        ``context``: the name of the element around a fragment.
        """
        if self.implied_elements is None:
            return
        is_foreign = context is not None and context.startswith(("math", "svg"))
        for text in (html,) if isinstance(html, str) else _possible_texts(html):
            if most_implied_elements(text) > self.implied_elements:
                for implied in implied_elements(text, is_foreign=is_foreign):
                    self.require("implied_elements", implied)


UNLIMITED: Final = PageLimits(links=None, resolved_length=None, implied_elements=None)


def _possible_texts(html: bytes) -> list[str]:
    """Return texts of which one has the same tags as a page that is not decoded yet."""
    texts = [html.decode("latin-1")]
    if b"\0" in html:
        texts += html.decode("utf-16-le", "replace"), html.decode("utf-16-be", "replace")
    if b"\x1b" in html:
        texts.append(_NOT_ASCII_IN_ISO_2022_JP.sub(b"", html).decode("latin-1"))
    return texts
