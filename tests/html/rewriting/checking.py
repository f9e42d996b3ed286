"""One rewriting, and what must be true of it whatever the page is."""

from __future__ import annotations

from collections.abc import Collection
from random import Random
from typing import Any, Final

import turbohtml

from weburl.html import (
    CannotRewrite,
    Change,
    LinkInPage,
    LinkKind,
    PageLimits,
    PageLink,
    Remove,
    page,
    rewrite_links,
)
from weburl.html.finding import Table, table_with
from weburl.html.rewriting.values import GRAMMARS
from weburl.html.tree import parse_html

URL: Final = "https://page.example/dir/p?q#f"
LIMITS: Final = PageLimits(links=None, resolved_length=None, implied_elements=200_000)
_HOSTILE: Final = (
    '" onload=x "', "' onload=x '", "><script>", "a b\tc\n", "&amp;&lt;&copy=1&#34;", "x,", ",,y",
    "`=/>", "é\u2028😀", "url='q'", "'q", "</script>", "-->", "]]>", "{{ x }}", "%22", "\r\nz",
    "/>", "a/", "</style>", ")", "\\", "--!>",
)  # fmt: skip
_C0_AND_SPACE: Final = "".join(map(chr, range(33)))


def check_rewriting(html: Any, random: Random, encoding: str | None, more: Collection[str]) -> str:
    """Change a page at random, read it again, and return in a word what happened."""
    options: dict[str, Any] = {"encoding": encoding, "limits": LIMITS, **dict.fromkeys(more, True)}
    same = rewrite_links(html, URL, lambda _: None, **options)
    assert same == html
    assert type(same) is type(html)
    old = page(html, URL, inert=True, **options).links
    if not old:
        return "no links"
    change = _Changes(random, is_ascii=isinstance(html, bytes))
    try:
        output = rewrite_links(html, URL, change, srcdoc=False, **options)
    except CannotRewrite:
        return "refused"
    assert type(output) is type(html)
    answers = change.in_order_of(old)
    new = page(output, URL, inert=True, **options).links
    _check_links(old, answers, new)
    before, after = (
        masked_tree(text, encoding, table_with(frozenset(more)), change.mode)
        for text in (html, output)
    )
    assert before == after
    return change.mode


class _Changes:
    """Answers for each link at random, in one of four modes."""

    def __init__(self, random: Random, *, is_ascii: bool) -> None:
        self._random = random
        self._is_ascii = is_ascii
        self.mode = random.choice(("urls", "hostile", "attributes", "removal"))
        self.asked: list[tuple[LinkInPage, str | Remove | None]] = []

    def __call__(self, link: LinkInPage) -> str | Change | Remove | None:
        number = len(self.asked)
        answer = self._answer(link, number)
        self.asked.append((link, answer))
        if self.mode == "attributes" and isinstance(answer, str) and link.element != "meta":
            return Change(answer, set={"data-n": f"{number}\"'<>&é", "title": f"t{number}"})
        return answer

    def _answer(self, link: LinkInPage, number: int) -> str | Remove | None:
        random = self._random
        if self.mode == "removal" and link.kind == "hyperlink" and random.random() < 0.5:
            return Remove.ATTRIBUTE
        if random.random() < 0.3:
            return None
        text = f"https://new.example/{number}/" if random.random() < 0.7 else f"{number}/"
        if self.mode == "hostile":
            if link.kind == "base":
                return None
            piece = random.choice(_HOSTILE)
            if self._is_ascii and not piece.isascii():
                piece = "x"
            text = random.choice((text + piece, piece + text))
            if link.kind == "refresh" and text[0] in "'\"":
                text = f"x{text}"
        return text

    def in_order_of(self, links: Collection[PageLink]) -> list[str | Remove | None]:
        """Return the answer about each of ``links``: those about `base` elements came first."""
        bases = iter([answer for link, answer in self.asked if link.kind == "base"])
        others = iter([entry for entry in self.asked if entry[0].kind != "base"])
        answers: list[str | Remove | None] = []
        last: LinkInPage | None = None
        for link in links:
            if link.kind == "base":
                answers.append(next(bases))
                continue
            if last is not None and _is_second_kind(last, link):
                answers.append(answers[-1])
                last = None
                continue
            last, answer = next(others)
            assert (last.element, last.attribute, last.input) == (
                link.element,
                link.attribute,
                link.input,
            )
            answers.append(answer)
        assert next(bases, None) is None
        assert next(others, None) is None
        return answers


def _is_second_kind(asked: LinkInPage, link: PageLink) -> bool:
    return (
        link.element == "link"
        and (asked.line, asked.column, asked.attribute) == (link.line, link.column, link.attribute)
        and asked.place.element.attribute("rel") is not None
        and link.kind in ("relation", "resource")
        and link.attribute == "href"
        and asked.kind in ("relation", "resource")
    )


def _check_links(
    old: Collection[PageLink],
    answers: Collection[str | Remove | None],
    new: Collection[PageLink],
) -> None:
    """Check that exactly the changed links changed, and that the others mean the same."""
    kept = [
        (link, answer)
        for link, answer in zip(old, answers, strict=True)
        if not isinstance(answer, Remove)
    ]
    hidden = {
        (link.line, link.column)
        for link, answer in zip(old, answers, strict=True)
        if isinstance(answer, Remove) and link.attribute == "href"
    }
    kept = [
        (link, answer)
        for link, answer in kept
        if not (
            link.inert
            and answer is None
            and link.attribute == "xlink:href"
            and (link.line, link.column) in hidden
        )
    ]
    has_other_base = any(answer is not None for link, answer in kept if link.kind == "base")
    assert len(kept) == len(new)
    for (link, answer), now in zip(kept, new, strict=True):
        assert (link.kind, link.element, link.attribute) == (now.kind, now.element, now.attribute)
        if answer is not None:
            assert now.input == _as_read_again(link, answer)
        elif not has_other_base:
            assert (now.input, now.record) == (link.input, link.record)
        elif link.record is not None:
            assert now.record == link.record


def _as_read_again(link: PageLink, text: str) -> str:
    if link.kind == "refresh":
        return text.strip(_C0_AND_SPACE)
    if link.attribute not in ("srcset", "imagesrcset", "data-srcset", "ping"):
        return text
    text = text.strip(_C0_AND_SPACE).replace(" ", "%20").replace("\f", "%0C")
    text = "".join(char for char in text if char not in "\t\n\r")
    if link.attribute == "ping":
        return text
    inner = text.strip(",")
    first = len(text) - len(text.lstrip(","))
    return "%2C" * first + inner + "%2C" * (len(text) - first - len(inner))


def masked_tree(
    html: str | bytes, encoding: str | None, table: Table, mode: str = ""
) -> list[object]:
    """Return the tree of a page as a list, without the URLs of its links."""
    waiting: list[Any] = [parse_html(html, encoding, scripting=False)._document]
    found: list[object] = []
    while waiting:
        node = waiting.pop()
        children = list(getattr(node, "children", ()))
        if isinstance(node, turbohtml.Element):
            found += node.tag, node.namespace.value, _masked_attributes(node, table, mode)
            found.append(len(children))
            type = (node.attr("type") or "").strip().lower()
            if node.tag == "script" and type == "speculationrules":
                continue
            if node.tag == "style" and any(rule.attribute == "style" for rule in table.others):
                continue
        elif isinstance(node, turbohtml.Text):
            found.append(node.data)
        elif isinstance(node, turbohtml.Comment):
            found.append(None if node.data.startswith("[if") else node.data)
        else:
            found.append(type_name(node))
        waiting += reversed(children)
    return found


def type_name(node: object) -> str:
    """Return the name of a node's type."""
    return type(node).__name__


def _masked_attributes(node: turbohtml.Element, table: Table, mode: str) -> list[object]:
    rules = table.rules.get(node.namespace.value, {}).get(node.tag, table.others)
    by_name = {rule.attribute: rule for rule in rules}
    found: list[object] = []
    for name in sorted(node.attrs):
        value = node.attr(name) or ""
        if mode == "attributes" and name in ("data-n", "title"):
            continue
        if mode == "removal" and node.tag in ("a", "area") and name in ("href", "xlink:href"):
            continue
        rule = by_name.get(name)
        if rule is not None and (rule.split is None or rule.kind == LinkKind.RELATION):
            value = "*"
        elif rule is not None and rule.split is not None:
            for start, end, *_ in reversed(GRAMMARS[rule.split].parts(value)):
                quoted = rule.kind == "refresh" or rule.attribute == "style"
                value = value[:start].rstrip(" '\"=urlURL" if quoted else "") + "*" + value[end:]
            if rule.kind == "refresh":
                value = value.partition("*")[0].strip(" ;,\n")
        found.append((name, value))
    return found
