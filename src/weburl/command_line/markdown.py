"""Finds the links of Markdown: CommonMark with the tables of GitHub.

These are inline and reference links, images, autolinks, links in HTML, and addresses in text that
is not code. Every link has its line.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from typing import Final, NamedTuple

from weburl.standard.support.releases import required
from weburl.text import find_links

with required("markdown-it-py>=4", "markdown"):
    from markdown_it import MarkdownIt
    from markdown_it.common.utils import unescapeAll
    from markdown_it.rules_core import StateCore, text_join
    from markdown_it.rules_inline import StateInline
    from markdown_it.token import Token

_SPAN: Final = "span"
_BARE_URL: Final = "bare_url"
_SCHEME: Final = re.compile(r"https?\Z", re.ASCII | re.IGNORECASE)
# Signs of emphasis and punctuation at the end of an address are not a part of it, as on GitHub.
_AT_THE_END: Final = "?!.,:*_~'\""
# The rules whose tokens may begin or end on a line other than that of the text before them.
_NOTED_RULES: Final = ("newline", "escape", "backticks", "link", "image", "autolink", "html_inline")

_Rule = Callable[[StateInline, bool], bool]


class MarkdownLink(NamedTuple):
    """A link: its kind, its text as it is written, and its line, from 1."""

    kind: str
    input: str
    line: int


MOST_TOKENS: Final = 500_000
"""The most tokens of blocks in a document, and of text in one block. Each takes up to 600 bytes."""
HYPERLINK: Final = "hyperlink"
IMAGE: Final = "resource"
HTML: Final = "html"
"""The kind of a piece of HTML, whose text is the HTML itself."""


def links_of_markdown(text: str) -> Iterator[MarkdownLink]:
    """Yield the links in Markdown, and the pieces of HTML in it, in the order of the text.

    Raises `OverflowError` if the text, or the text of a block, has more than `MOST_TOKENS`.
    """
    line = 1
    parser = _parser()
    state = StateCore(text, parser, {})
    state.tokens = _Tokens()
    parser.core.process(state)
    blocks = state.tokens
    blocks.reverse()
    while blocks:
        token = blocks.pop()
        if token.map is not None:
            line = token.map[0] + 1
        if token.type == "html_block":
            yield MarkdownLink(HTML, token.content, line)
        elif token.type == "inline":
            # One block after the other, so that only one at a time has tokens of its text.
            token.children = _Tokens()
            parser.inline.parse(token.content, parser, state.env, token.children)
            state.tokens = [token]
            text_join(state)
            yield from _links_of_inline(token, line)


def _links_of_inline(block: Token, line: int) -> Iterator[MarkdownLink]:
    text: list[str] = []
    open_links = 0
    position = 0
    for token in block.children or ():
        if token.type == "text" and not open_links:
            text.append(token.content)
            continue
        yield from _links_of_text(text, line)
        text.clear()
        start, end = token.meta.get(_SPAN, (position, position))
        line += block.content.count("\n", position, start)
        position = start
        match token.type:
            case "link_open":
                yield MarkdownLink(HYPERLINK, str(token.attrs.get("href", "")), line)
                open_links += 1
            case "link_close":
                open_links -= 1
            case "image":
                yield MarkdownLink(IMAGE, str(token.attrs.get("src", "")), line)
            case "bare_url" if not open_links:
                yield MarkdownLink(HYPERLINK, token.content, line)
            case "html_inline":
                yield MarkdownLink(HTML, token.content, line)
                open_links += _opened_by(token.content)
        line += block.content.count("\n", position, end)
        position = end
    yield from _links_of_text(text, line)


def _links_of_text(text: Sequence[str], line: int) -> Iterator[MarkdownLink]:
    """Yield the addresses in text. Names of files, such as "setup.py", look like hosts."""
    for found in find_links("".join(text), any_host=True) if text else ():
        if found.has_scheme or found.url.scheme == "mailto" or found.text[:4].lower() == "www.":
            yield MarkdownLink(HYPERLINK, found.url.href, line)


def _opened_by(tag: str) -> int:
    """Return 1 for the tag that opens a link of HTML, -1 for one that closes it, else 0."""
    start = tag[:4].lower()
    if start.startswith("</a"):
        return -1
    return int(start.startswith(("<a ", "<a>", "<a\n", "<a\t")))


class _Tokens(list[Token]):
    """The tokens that may be in memory together."""

    def append(self, token: Token) -> None:
        """Append a token. Raises `OverflowError` if there are too many."""
        if len(self) == MOST_TOKENS:
            raise OverflowError(
                f"the Markdown has more than {MOST_TOKENS:,} beginnings and ends of blocks, or of"
                " emphasis, links and code in one block: cut it into parts"
            )
        super().append(token)


def _parser() -> MarkdownIt:
    parser = MarkdownIt("commonmark").enable(["table", "strikethrough"])
    parser.core.ruler.enableOnly(["normalize", "block"])
    # Links as they are written, of every scheme.
    parser.normalizeLink = lambda url: url  # type: ignore[method-assign]
    parser.validateLink = lambda url: url is not None  # type: ignore[method-assign]
    names = parser.inline.ruler.get_active_rules()
    rules = dict(zip(names, parser.inline.ruler.getRules(""), strict=True))
    for name in _NOTED_RULES:
        parser.inline.ruler.at(name, _noting_spans(rules[name]))
    parser.inline.ruler.after("text", _BARE_URL, _noting_spans(_BareURLs()))
    return parser


class _BareURLs:
    """A rule that finds a URL in text before emphasis is read, at the colon of its scheme."""

    def __init__(self) -> None:
        self._source: str | None = None
        self._ends: dict[int, int] = {}

    def __call__(self, state: StateInline, silent: bool) -> bool:
        """Read a URL whose colon is at the position of ``state``, and return whether it is one."""
        source, colon = state.src, state.pos
        if source[colon : colon + 3] != "://":
            return False
        scheme = _SCHEME.search(source, max(colon - len("https"), 0), colon)
        if scheme is None:
            return False
        if source is not self._source:  # Each block is searched once.
            links = find_links(source, any_host=True, emails=False, bare=False)
            self._source, self._ends = source, {link.start: link.end for link in links}
        end = self._ends.get(scheme.start(), -1)
        if not colon < end <= state.posMax or (
            not silent and not state.pending.endswith(scheme[0])
        ):
            return False
        text = source[scheme.start() : end].rstrip(_AT_THE_END)
        if not silent:
            state.pending = state.pending.removesuffix(scheme[0])
            state.push(_BARE_URL, "", 0).content = unescapeAll(text)
        state.pos = scheme.start() + len(text)
        return True


def _noting_spans(rule: _Rule) -> _Rule:
    """Return the rule as one that also notes where its tokens begin and end."""

    def noting(state: StateInline, silent: bool) -> bool:  # as the library calls it
        start, count = state.pos, len(state.tokens)
        done = rule(state, silent)
        made = [] if silent or not done else state.tokens[count:]
        if made:
            last = made[-1]
            if len(made) == 1:
                last.meta.setdefault(_SPAN, (start, state.pos))
            else:
                made[0].meta.setdefault(_SPAN, (start, start))
                last.meta.setdefault(_SPAN, (state.pos, state.pos))
        return done

    return noting
