"""The source of a page as text, its attributes, and edits of it."""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import lru_cache
from typing import Final, NamedTuple

import attrs

from weburl.html.attributes import ASCII_WHITESPACE
from weburl.html.encodings import UTF_8
from weburl.html.link import PageLink
from weburl.standard.infra.strings import ascii_lowercase

_CODECS: Final = {UTF_8: "utf-8", "utf-16le": "utf-16-le", "utf-16be": "utf-16-be"}
_BYTE_ORDER_MARKS: Final = {
    "utf-8": (b"\xef\xbb\xbf",),
    "latin-1": (b"\xef\xbb\xbf",),
    "utf-16-le": (b"\xff\xfe",),
    "utf-16-be": (b"\xfe\xff",),
}
# Numeric references to these mean other characters, or none.
_WITHOUT_REFERENCE: Final = re.compile("[\x80-\x9f\ud800-\udfff]")
_ATTRIBUTE: Final = re.compile(
    r"""(?P<name>=?[^\t\n\f\r />=]*+)
    (?>(?:[\t\n\f\r ]*+=[\t\n\f\r ]*+
      (?:"(?P<double>[^"]*+)"|'(?P<single>[^']*+)'|(?P<bare>[^\t\n\f\r >]++)|(?=>)))?)""",
    re.VERBOSE,
)
_ANY_ATTRIBUTE: Final = re.sub(r"\(\?P<\w+>", "(?:", _ATTRIBUTE.pattern)
_TAG_NAME: Final = re.compile(r"<[A-Za-z][^\t\n\f\r />]*+")
_BETWEEN: Final = re.compile(r"[\t\n\f\r /]*+")
_EQUALS_SIGN: Final = re.compile(r"[\t\n\f\r ]*+=")


class CannotRewrite(ValueError):
    """Raised if a link cannot be changed as asked, because another byte would have to change.

    ``reason``: why. ``link``: the link, or None if the whole page is the reason.
    """

    __module__ = "weburl.html"

    def __init__(self, reason: str, link: PageLink | None = None) -> None:
        super().__init__(*((reason,) if link is None else (reason, link)))
        self.reason: Final = reason
        self.link: Final = link

    def __str__(self) -> str:
        link = self.link
        if link is None:
            return self.reason
        place = f"<{link.element} {link.attribute}".rstrip() + ">"
        if link.line is not None:
            place = f"line {link.line}, column {link.column}, {place}"
        return f"{place}: {self.reason}"


class Source:
    """A page as text whose offsets can be spliced.

    Text is itself. Valid UTF-8 and UTF-16 are decoded, and encoded again in the end. Bytes in other
    encodings are read as if they were latin-1: their markup is ASCII in all of them except
    ISO-2022-JP. In this `is_view`, character references stand for characters that are not ASCII.
    """

    def __init__(self, html: str | bytes, encoding: str) -> None:
        self._prefix = self._suffix = b""
        self._codec: str | None = None
        self.is_view: bool = False
        if isinstance(html, str):
            self.text: str = html
            return
        if encoding == "iso-2022-jp":
            raise CannotRewrite("bytes in ISO-2022-JP cannot be edited: pass text")
        codec = _CODECS.get(encoding, "latin-1")
        for mark in _BYTE_ORDER_MARKS[codec]:
            if html.startswith(mark):
                self._prefix, html = mark, html[len(mark) :]
        if codec.startswith("utf-16") and len(html) % 2:
            html, self._suffix = html[:-1], html[-1:]
        self._errors = "surrogatepass" if codec.startswith("utf-16") else "strict"
        try:
            self.text = html.decode(codec, self._errors)
        except UnicodeDecodeError:
            codec = "latin-1"
            self.text = html.decode(codec)
        self._codec = codec
        self.is_view = codec == "latin-1"

    def with_edits(self, edits: Edits) -> str | bytes:
        """Return the page after the edits, of the type that was given."""
        text = edits.applied_to(self.text)
        if self._codec is None:
            return text
        return self._prefix + text.encode(self._codec, self._errors) + self._suffix

    def escaped(self, value: str, quote: str) -> str:
        """Return ``value`` as it is written between the ``quote``s of an attribute.

        Raises `CannotRewrite` if no reference stands for a character in it.
        """
        if not _NEEDS_ESCAPING(value):
            return value
        value = value.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;")
        value = value.replace(quote, "&quot;" if quote == '"' else "&#39;").replace("\r", "&#13;")
        if "\0" in value:
            raise CannotRewrite("HTML cannot contain U+0000")
        return self.in_ascii(value) if self.is_view else value

    def in_ascii(self, text: str) -> str:
        """Return ``text`` with character references for what is not ASCII."""
        if _WITHOUT_REFERENCE.search(text):
            raise CannotRewrite("no character reference stands for U+0080 to U+009F")
        return text.encode("ascii", "xmlcharrefreplace").decode()


_NEEDS_ESCAPING: Final = re.compile("[&<>\"'\r\0\x80-\U0010ffff]").search


def contains(page: str | bytes, word: str) -> bool:
    """Return whether a page may contain a word of ASCII in lower case, in any case."""
    if isinstance(page, str):
        return word in page.lower()
    # In UTF-16, each letter has a NUL before or after it.
    return word.encode() in page.replace(b"\0", b"").lower()


class Attribute(NamedTuple):
    """An attribute in the source, from ``at`` to ``until``.

    ``start``, ``end``: where its value is, without quotes. ``quote``: its quotes, "" for a value
    without quotes, or "=" if it has no value.
    """

    name: str
    at: int
    start: int
    end: int
    until: int
    quote: str


def attributes_of_tag(text: str, tag: int) -> tuple[int, list[Attribute]]:
    """Return the end of the name of the tag at an offset, and its attributes with duplicates.

    Spec: https://html.spec.whatwg.org/#before-attribute-name-state
    """
    name = _TAG_NAME.match(text, tag)
    assert name is not None
    after_name = at = name.end()
    found: list[Attribute] = []
    while True:
        at = _BETWEEN.match(text, at).end()  # type: ignore[union-attr]  # it matches nothing, too
        if at >= len(text) or text[at] == ">":
            return after_name, found
        match = _ATTRIBUTE.match(text, at)
        assert match is not None
        last, until = match.lastgroup, match.end()
        if last == "name":
            start = end = match.end(1)
            quote = "="
        else:
            start, end = match.span(last or 0)
            quote = "" if last == "bare" else text[end]
        found.append(Attribute(ascii_lowercase(match[1]), at, start, end, until, quote))
        at = until


def attribute_of_tag(text: str, tag: int, name: str) -> Attribute:
    """Return the first attribute with this name of the tag at an offset, which has one."""
    found = _pattern_of(name).match(text, tag)
    assert found is not None
    start, end = found.span("name")
    for group, quote in (("double", '"'), ("single", "'"), ("bare", "")):
        if found[group] is not None:
            return Attribute(name, start, *found.span(group), found.end(), quote)
    return Attribute(name, start, end, end, found.end(), "=")


@lru_cache(maxsize=128)
def _pattern_of(name: str) -> re.Pattern[str]:
    """Return a pattern for a tag up to the end of its first attribute with this name."""
    this = rf"(?ai:{re.escape(name)})(?=[\t\n\f\r />=])"
    return re.compile(
        rf"""{_TAG_NAME.pattern}
        (?>(?:[\t\n\f\r /]*+(?!{this}|>){_ANY_ATTRIBUTE})*)
        [\t\n\f\r /]*+(?={this}){_ATTRIBUTE.pattern}""",
        re.VERBOSE,
    )


@attrs.define(eq=False)
class Edits:
    """Replacements of parts of a source. One inside what another removes is dropped."""

    source: Source
    _found: dict[tuple[int, int], str] = attrs.field(factory=dict)

    def replace(self, start: int, end: int, text: str) -> None:
        """Replace what is between two offsets."""
        self._found[start, end] = text

    def applied_to(self, text: str) -> str:
        """Return ``text`` after the edits."""
        pieces: list[str] = []
        at = 0
        for (start, end), new in sorted(self._found.items()):
            if start >= at:
                pieces += text[at:start], new
                at = end
        pieces.append(text[at:])
        return "".join(pieces)

    def set_value(self, attribute: Attribute, value: str) -> None:
        """Give an attribute another value."""
        quote = attribute.quote
        if quote in ('"', "'"):
            new = self.source.escaped(value, quote)
            self._found[attribute.start, attribute.end] = new
            return
        text = self.source.text
        if quote == "=":
            before = text[attribute.at : attribute.at + len(attribute.name)] + "="
        else:
            before = text[attribute.at : attribute.start]
        self._found[attribute.at, attribute.until] = (
            f'{before}"{self.source.escaped(value, chr(34))}"'
        )

    def add_attribute(self, at: int, name: str, value: str) -> None:
        """Insert an attribute after the name of a tag, or after the value of another attribute."""
        new = f' {name}="{self.source.escaped(value, chr(34))}"'
        self._found[at, at] = self._found.get((at, at), "") + new

    def remove_attributes(self, attributes: Sequence[Attribute]) -> None:
        """Remove attributes so that what is beside them keeps its meaning."""
        text = self.source.text
        for _, at, _, _, until, _ in attributes:
            new = ""
            start = at
            if _EQUALS_SIGN.match(text, until):
                # The name of the next attribute begins with "=", which may not follow a name.
                new = " / "
            elif text[at - 1] == "/" or text[until] == "/":
                new = " "  # neither "/>" nor an unquoted value with "/"
            elif text[at - 1] not in ASCII_WHITESPACE:
                new = " "
            elif text[until] == ">" or text[until] in ASCII_WHITESPACE:
                while text[start - 1] in ASCII_WHITESPACE:
                    start -= 1
            self._found[start, until] = new
