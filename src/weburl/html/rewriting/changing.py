"""Asks about each link of a page, and writes the answers into its source."""

from __future__ import annotations

import re
import sys
from bisect import bisect_right
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from enum import Enum
from functools import cached_property
from types import MappingProxyType
from typing import TYPE_CHECKING, AnyStr, Final, TypeAlias, Unpack, cast

import attrs

from weburl.html.attributes import ASCII_WHITESPACE
from weburl.html.documents import document_base_url
from weburl.html.encodings import UTF_8
from weburl.html.link import LinkInPage, LinkKind, PageLink, kinds_named
from weburl.html.pages import LinkPlace, PageOptions, Reading, read
from weburl.html.rewriting.places import Places
from weburl.html.rewriting.source import (
    CannotRewrite,
    Edits,
    Source,
    attribute_of_tag,
    contains,
)
from weburl.html.rewriting.values import (
    GRAMMARS,
    Replacement,
    after,
    escaped_in_css,
    escaped_in_json,
    not_empty,
    offsets_in_attribute,
    offsets_in_text,
)
from weburl.html.tree import HTML, SVG, Element, HyperlinkTexts, Tree, parse_html
from weburl.standard.infra.strings import ascii_lowercase
from weburl.standard.url.record import AnyURL, HasARecord, URLRecord

if TYPE_CHECKING:
    from weburl.html.finding import Rule

_SRCDOC_DEPTH: Final = 4
_NAME: Final = re.compile("[a-z][a-z0-9:_.-]*")
# Attributes that decide what an element is, or whether its links count.
_DECIDING: Final = frozenset(
    ("as", "charset", "command", "commandfor", "content", "encoding", "event", "for", "form",
     "http-equiv", "language", "nomodule", "shadowrootmode", "srcdoc", "type")
)  # fmt: skip
_DECIDING_ON: Final = {
    "base": frozenset({"target"}),
    "link": frozenset({"rel"}),
    "meta": frozenset({"name", "property"}),
}
_KEYWORDS: Final = frozenset({"class", "rel"})
_VOID: Final = frozenset(
    ("area", "base", "embed", "frame", "img", "input", "link", "meta", "source", "track")
)


class Remove(Enum):
    """How a link is removed."""

    __module__ = "weburl.html"

    ATTRIBUTE = "attribute"
    """Remove the URL, and the attribute if it has no other. A script is removed as a whole."""
    TAGS = "tags"
    """Remove the tags of an `a`, and keep what is inside."""
    ELEMENT = "element"
    """Remove the element with what is inside."""


@attrs.frozen
class Change:
    """What to change on an element with a link.

    Args:
        url: The new URL, a `Remove`, or None to keep the URL.
        add: Attributes by name that are merged: keywords of ``rel`` and ``class`` that are missing
            are added, and any other attribute only if the element has none.
        set: Attributes by name that are set, whether or not the element has them.
        unset: The names of attributes to remove.
    """

    __module__ = "weburl.html"

    url: AnyURL | Remove | None = None
    add: Mapping[str, str] = MappingProxyType({})
    set: Mapping[str, str] = MappingProxyType({})
    unset: Iterable[str] = attrs.field(default=())

    @unset.validator
    def _check_unset(self, _attribute: object, value: Iterable[str]) -> None:
        if isinstance(value, str):
            raise TypeError("unset is an iterable of names of attributes, not one string")


Answer: TypeAlias = AnyURL | Remove | Change | None
"""What a function that changes links returns."""


def rewrite_links(
    page: AnyStr,
    base: AnyURL,
    change: Callable[[LinkInPage], Answer],
    *,
    kinds: Iterable[LinkKind | str] | None = None,
    srcdoc: bool = True,
    **options: Unpack[PageOptions],
) -> AnyStr:
    """Return ``page`` with the links that ``change`` returns, and everything else as it was.

    ``change`` is called with each link, also with inert ones, because another edit may make
    browsers use them. It returns:

    - None to leave the link as it is
    - text, which is written as it is
    - a URL that the link must mean
    - a `Remove`, which says how the link is removed
    - a `Change` of the URL and of other attributes

    `base` elements come first. If the base URL changes, links that ``change`` leaves are written in
    full, so that they still mean the same. A link that an attribute of two kinds makes, such as
    ``<link rel="next stylesheet">``, is one call. Takes linear time.

    Args:
        page: The page, as text or bytes.
        base: Its address, as text or a record.
        change: What to do with each link.
        kinds: The kinds of links to change, or None for all.
        srcdoc: Whether to change the links of pages in ``srcdoc`` attributes, four deep.
        options: Those of `page`, except ``inert`` and ``texts``.

    Returns:
        The page, of the same type and in the same encoding.

    Raises:
        CannotRewrite: A link cannot be changed without changing anything else, or bytes would no
            longer be read in the same encoding.
        TypeError: ``change`` returns something else.
        ValueError: A `Change` names an attribute that is a link or that decides what a link is.

    The other errors are the same as for `page`.

    Spec divergence (HTML describes no edits of a source): the offsets of the parser are used.

    Spec: https://html.spec.whatwg.org/#attributes-3
    """
    output = _Rewriting(
        page,
        base,
        change,
        kinds_named(kinds),
        _SRCDOC_DEPTH if srcdoc else 0,
        options,
    ).result()
    return cast("AnyStr", output)


class _Rewriting:
    """The work on one page."""

    def __init__(
        self,
        page: str | bytes,
        base: AnyURL,
        change: Callable[[LinkInPage], Answer],
        kinds: frozenset[LinkKind] | None,
        srcdoc_depth: int,
        options: PageOptions,
        new_about_base_url: URLRecord | None = None,
    ) -> None:
        self._page = page
        self._base = base
        self._change = change
        self._kinds = kinds
        self._srcdoc_depth = srcdoc_depth
        self._options = options
        self._new_about_base_url = new_about_base_url
        self._reading = read(page, base, kinds, True, **options)
        self._links: list[LinkInPage] = self._reading.links  # type: ignore[assignment]
        self._now: Sequence[PageLink | None] = self._links
        self._new_document = self._reading.document
        self._urls: dict[int, AnyURL | Remove] = {}
        self._changes: dict[int, Change] = {}
        self._first_of: dict[int, int] = {}
        self._rules: dict[tuple[str, str, LinkKind], Rule] = {}
        self._keep_structure = True
        self._gone: list[tuple[int, int]] = []

    def result(self) -> str | bytes:
        """Return the page after the changes."""
        bases = [n for n, link in enumerate(self._links) if link.kind is LinkKind.BASE]
        for number in bases:
            self._take(number, self._change(self._links[number]))
        if self._new_about_base_url is not None or any(n in self._urls for n in bases):
            self._read_with_other_base(bases)
        self._ask_about_others()
        wanted = self._with_another_meaning()
        srcdocs = self._new_srcdocs() if self._srcdoc_depth else []
        if not (self._urls or self._changes or wanted or srcdocs):
            return self._page
        self._remove_hidden()
        output = self._written(wanted, srcdocs, keep_structure=False)
        if self._gone and not self._has_same_rest(output):
            output = self._written(wanted, srcdocs, keep_structure=True)
        self._require_same_encoding(output)
        return output

    @cached_property
    def _source(self) -> Source:
        return Source(self._page, self._reading.trees[0].encoding)

    @cached_property
    def _places(self) -> Places:
        return Places(
            self._source,
            self._reading.trees,
            scripting=self._options.get("scripting", False),
            context=self._options.get("context"),
        )

    # Asking -------------------------------------------------------------------------------------

    def _ask_about_others(self) -> None:
        links, change, base = self._links, self._change, LinkKind.BASE
        for number, link in enumerate(links):
            if link.kind is base or number in self._first_of:
                continue
            if link.element == "link" and self._is_also_the_next(number):
                self._first_of[number + 1] = number
                answer = change(links[number + 1] if link.inert else link)
            else:
                answer = change(link)
            if answer is not None:
                self._take(number, answer)

    def _take(self, number: int, answer: Answer) -> None:
        if isinstance(answer, Change):
            self._changes[number] = answer
            answer = answer.url
        if isinstance(answer, str | URLRecord | Remove | HasARecord):
            self._urls[number] = answer
        elif answer is not None:
            raise TypeError(
                "a link can become text, a URL, a Remove, a Change or None, not"
                f" {type(answer).__name__}"
            )

    def _is_also_the_next(self, number: int) -> bool:
        """Return whether the next link is the same URL as another kind."""
        if number + 1 == len(self._links):
            return False
        link, following = self._links[number], self._links[number + 1]
        return (
            link.place.element is following.place.element
            and link.attribute == following.attribute
            and link.kind is not following.kind
        )

    # What the answers mean for other links ------------------------------------------------------

    def _read_again(self, page: str | bytes) -> Reading:
        options = self._options.copy()
        if self._new_about_base_url is not None:
            options["about_base_url"] = self._new_about_base_url
        return read(page, self._base, self._kinds, **options)

    def _read_with_other_base(self, bases: list[int]) -> None:
        """Read the page with only the changes of its `base` elements and of what is around it."""
        edits = Edits(self._source)
        for number in bases:
            if number in self._urls:
                self._write_whole(edits, number, self._links[number], {})
        again = self._read_again(self._source.with_edits(edits))
        self._new_document = again.document
        rest = iter(again.links)
        gone = {number for number in bases if self._is_removed(number)}
        self._now = [None if n in gone else next(rest) for n in range(len(self._links))]

    def _with_another_meaning(self) -> dict[int, str]:
        """Return what links that are left must become to keep their meaning."""
        if self._now is self._links:
            return {}
        return {
            number: old.record.href
            for number, (old, new) in enumerate(zip(self._links, self._now, strict=True))
            if self._first_of.get(number, number) not in self._urls
            and old.kind is not LinkKind.BASE
            and old.record is not None
            and new is not None
            and new.record != old.record
        }

    def _is_removed(self, number: int) -> bool:
        return isinstance(self._urls.get(self._first_of.get(number, number)), Remove)

    def _remove_hidden(self) -> None:
        """Remove the links that browsers would use only because another one is removed.

        That is ``xlink:href`` beside ``href``, and a second refresh. Duplicates are removed with
        their attribute, and a second `base` has been asked about.
        """
        removed = [self._links[n] for n in self._urls if self._is_removed(n)]
        elements = {id(link.place.element) for link in removed if link.attribute == "href"}
        has_refresh = any(link.kind is LinkKind.REFRESH for link in removed)
        for number, link in enumerate(self._links) if elements or has_refresh else ():
            if link.inert and number not in self._urls:
                is_beside = link.attribute == "xlink:href" and id(link.place.element) in elements
                if is_beside or (has_refresh and link.kind is LinkKind.REFRESH):
                    self._urls[number] = Remove.ATTRIBUTE

    def _has_same_rest(self, output: str | bytes) -> bool:
        """Return whether the page without some tags has the same other elements and links."""
        old, new = self._reading, self._read_again(output)
        gone = [
            (link.kind, link.element, link.attribute)
            for number, link in enumerate(self._links)
            if not self._is_removed(number)
            and not self._is_gone(link.place.element, link.place.tree)
        ]
        if gone != [(link.kind, link.element, link.attribute) for link in new.links]:
            return False
        before = [e.name for e in old.trees[0].elements() if not self._is_gone(e, 0)]
        if before != [element.name for element in new.trees[0].elements()]:
            return False
        texts = iter(_link_texts(old.trees[0]))
        return all(any(text == other for other in texts) for text in _link_texts(new.trees[0]))

    def _is_gone(self, element: Element, tree: int) -> bool:
        at = self._places.start(element, tree)
        if at is None:
            return False
        index = bisect_right(self._gone, (at, sys.maxsize)) - 1
        return index >= 0 and at < self._gone[index][1]

    def _require_same_encoding(self, output: str | bytes) -> None:
        if isinstance(output, str) or self._options.get("encoding") is not None:
            return
        encoding = self._reading.trees[0].encoding
        if encoding == UTF_8 and not self._source.is_view:
            return  # it is valid UTF-8, as before
        if parse_html(output, None, scripting=False).encoding != encoding:
            # The bytes that made the page no UTF-8 are gone, or its `meta` is too late now.
            raise CannotRewrite(f"the page would no longer be read as {encoding}: pass encoding=")

    # Writing ------------------------------------------------------------------------------------

    def _written(
        self, wanted: dict[int, str], srcdocs: list[tuple[LinkPlace, str]], *, keep_structure: bool
    ) -> str | bytes:
        edits = Edits(self._source)
        self._gone = []
        self._keep_structure = keep_structure
        values: dict[tuple[int, str], list[int]] = {}
        for number in sorted({*self._urls, *wanted}):
            link = self._links[number]
            if self._rule(link).split is None:
                self._write_whole(edits, number, link, wanted)
            else:
                values.setdefault((id(link.place.element), link.attribute), []).append(number)
        for numbers in values.values():
            link = self._links[numbers[0]]
            with _naming(link):
                self._write_parts(edits, link, numbers, wanted)
        for number, change in self._changes.items():
            with _naming(self._links[number]):
                self._write_attributes(edits, self._links[number], change)
        for place, new in srcdocs:
            start = self._places.start_of_tag(place, "srcdoc")
            edits.set_value(attribute_of_tag(self._source.text, start, "srcdoc"), new)
        self._gone.sort()
        return self._source.with_edits(edits)

    def _rule(self, link: LinkInPage) -> Rule:
        key = link.element, link.attribute, link.kind
        rule = self._rules.get(key)
        if rule is None:
            rules = self._reading.table.of(link.place.element)
            rule = next(r for r in rules if (r.attribute, r.kind) == key[1:])
            self._rules[key] = rule
        return rule

    def _new(self, number: int, wanted: dict[int, str]) -> str | Remove | None:
        """Return what a link becomes, or None if it already is that."""
        answer = self._urls.get(number)
        if answer is None:
            return wanted[number]
        if isinstance(answer, Remove):
            return answer
        if isinstance(answer, str):
            return None if answer == self._links[number].input else answer
        record = answer if isinstance(answer, URLRecord) else answer.record
        link = self._links[number]
        # A `base` element already has its answer in the page that was read again.
        now = link if link.kind is LinkKind.BASE else self._now[number]
        return None if now is not None and now.record == record else record.href

    def _write_whole(
        self, edits: Edits, number: int, link: LinkInPage, wanted: dict[int, str]
    ) -> None:
        """Write a link that is the whole value of its attribute."""
        new = self._new(number, wanted)
        if new is None:
            return
        with _naming(link):
            if isinstance(new, Remove):
                self._remove(edits, link, new)
                return
            if not self._rule(link).may_be_empty:
                not_empty(new)
            start = self._places.start_of_tag(link.place, link.attribute)
            edits.set_value(attribute_of_tag(self._source.text, start, link.attribute), new)

    def _write_parts(
        self, edits: Edits, link: LinkInPage, numbers: list[int], wanted: dict[int, str]
    ) -> None:
        """Write links that are parts of one value."""
        element, attribute = link.place.element, link.attribute
        split = self._rule(link).split
        assert split is not None
        grammar = GRAMMARS[split]
        value = element.attribute(attribute) if attribute else element.text
        assert value is not None
        parts = grammar.parts(value)
        replacements: list[Replacement] = []
        removed: list[int] = []
        for number in numbers:
            new, index = self._new(number, wanted), self._links[number].index
            if isinstance(new, Remove):
                removed.append(index)
            elif new is not None:
                replacements.append(grammar.written(new, value, parts[index]))
        if not (replacements or removed):
            return
        replacements = sorted(replacements + grammar.cuts(parts, frozenset(removed)))
        if not attribute:
            self._write_text(edits, link.place, value, replacements)
            return
        if len(removed) == len(parts) and not grammar.can_be_empty:
            how = self._urls[numbers[0]]
            self._remove(edits, link, how if isinstance(how, Remove) else Remove.ATTRIBUTE)
            return
        start_of_tag = self._places.start_of_tag(link.place, attribute)
        own = attribute_of_tag(self._source.text, start_of_tag, attribute)
        first = own.start
        raw = self._source.text[first : own.end]
        origin = offsets_in_attribute(raw, value) if own.quote in ('"', "'") else None
        if origin is None:
            edits.set_value(own, after(value, replacements))
            return
        for start, end, text in replacements:
            new = self._source.escaped(text, own.quote)
            edits.replace(first + origin(start), first + origin(end), new)

    def _write_text(
        self,
        edits: Edits,
        place: LinkPlace,
        value: str,
        replacements: list[Replacement],
    ) -> None:
        """Write links in the text of a `script` or `style` element."""
        element, start = place.element, self._places.end(place)
        end_tag = self._places.end_tag(place)
        end = len(self._source.text) if end_tag is None else end_tag[0]
        if element.name == "style" and element.namespace == SVG:
            # Its text may have references and more than one node.
            raw = self._source.text[start:end]
            if raw.replace("\r\n", "\n") != value:
                raise CannotRewrite("the text of a style in SVG has references or elements")
        if self._source.is_view and not value.isascii():
            # Offsets in bytes are not those in the text. Only strings and names are not ASCII.
            escaped = escaped_in_json if element.name == "script" else escaped_in_css
            edits.replace(start, end, escaped(after(value, replacements)))
            return
        origin = offsets_in_text(self._source.text[start:end], value)
        escape = escaped_in_css if self._source.is_view else str
        for first, last, text in replacements:
            edits.replace(start + origin(first), start + origin(last), escape(text))

    def _remove(self, edits: Edits, link: LinkInPage, how: Remove) -> None:
        element = link.place.element
        tag = self._places.tag(link.place, link.attribute)
        is_script = element.name == "script"
        can_change = not self._keep_structure and element.name not in ("body", "html")
        if element.namespace != HTML:
            if is_script:
                raise CannotRewrite("a script in SVG cannot be removed")
        elif is_script or (can_change and how is not Remove.ATTRIBUTE):
            # Without `src`, a script would run the text inside it.
            end = self._places.end(link.place)
            end_tag = self._places.end_tag(link.place)
            if how is Remove.TAGS and element.name == "a" and end_tag:
                edits.replace(tag.start, end, "")
                edits.replace(*end_tag, "")
                self._gone.append((tag.start, end))
                return
            if is_script or how is Remove.ELEMENT:
                if element.name not in _VOID:
                    end = end_tag[1] if end_tag else 0
                if end:
                    edits.replace(tag.start, end, "")
                    self._gone.append((tag.start, end))
                    return
                if is_script:
                    raise CannotRewrite("a script without an end cannot be removed")
        own = tag.named(link.attribute)
        if element.name in ("audio", "video") and element.has_child("source"):
            # Without `src`, browsers would use the `source` elements.
            edits.set_value(own[0], "")
        else:
            edits.remove_attributes(own)

    def _write_attributes(self, edits: Edits, link: LinkInPage, change: Change) -> None:
        element = link.place.element
        wanted: dict[str, str | None] = {}
        for name, text in change.add.items():
            old = element.attribute(name)
            if old is None:
                wanted[name] = text
            elif name in _KEYWORDS:
                wanted[name] = _with_keywords(old, text)
        wanted |= {ascii_lowercase(name): text for name, text in change.set.items()}
        wanted |= {ascii_lowercase(name): None for name in change.unset}
        deciding = _DECIDING | _DECIDING_ON.get(element.name, frozenset())
        deciding |= {rule.attribute for rule in self._reading.table.of(element)}
        tag = self._places.tag(link.place, link.attribute)
        own = tag.named(link.attribute)
        # After "=" without a value, it would become the value.
        at = own[0].until if own and own[0].quote != "=" else tag.after_name
        for name, new in wanted.items():
            if name in deciding or not _NAME.fullmatch(name):
                raise ValueError(f"the attribute {name!r} of {element.name} cannot be changed")
            there = tag.named(name)
            if new is None:
                edits.remove_attributes(there)
            elif not there:
                edits.add_attribute(at, name, new)
            elif element.attribute(name) != new:
                edits.set_value(there[0], new)

    def _new_srcdocs(self) -> list[tuple[LinkPlace, str]]:
        """Return the ``srcdoc`` attributes that change, with their new values."""
        page = self._page
        if not contains(page, "srcdoc"):
            return []
        options = self._options.copy()
        options.pop("encoding", None)
        options.pop("content_security_policy", None)
        options.pop("context", None)
        options["about_base_url"] = document_base_url(self._reading.document)
        new_base = document_base_url(self._new_document)
        found: list[tuple[LinkPlace, str]] = []
        for element in self._reading.trees[0].elements({"iframe": ("srcdoc",)}):
            srcdoc = element.attribute("srcdoc")
            if element.namespace == HTML and srcdoc:
                inner = _Rewriting(
                    srcdoc,
                    "about:srcdoc",
                    self._change,
                    self._kinds,
                    self._srcdoc_depth - 1,
                    options,
                    None if new_base == options["about_base_url"] else new_base,
                )
                new = inner.result()
                if isinstance(new, str) and new != srcdoc:
                    found.append((LinkPlace(element, 0, new_base), new))
        return found


@contextmanager
def _naming(link: PageLink) -> Iterator[None]:
    """Give a `CannotRewrite` the link that is its reason."""
    try:
        yield
    except CannotRewrite as problem:
        raise CannotRewrite(problem.reason, problem.link or link) from None


def _link_texts(tree: Tree) -> list[str | None]:
    shown = HyperlinkTexts(tree)
    return [shown.of(element) for element in tree.elements({"a": ("href",)})]


def _with_keywords(old: str, added: str) -> str:
    """Return keywords with those that are missing."""
    there = set(ascii_lowercase(old).split())
    missing = [word for word in added.split() if ascii_lowercase(word) not in there]
    return " ".join((old.rstrip(ASCII_WHITESPACE), *missing)).lstrip(" ") if missing else old
