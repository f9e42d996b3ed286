"""Hostile texts of any size: what a parser would take quadratic time for, if it did anywhere."""

from __future__ import annotations

from collections.abc import Callable
from itertools import cycle, islice
from typing import Final

from attrs import frozen


def utf8_size(text: str) -> int:
    """Return the size of a text in UTF-8, in bytes, where a lone surrogate takes three."""
    return len(text.encode("utf-8", "surrogatepass"))


@frozen
class Shape:
    """A unit that is repeated, what stands around it in a URL, and the setter that takes it.

    ``setter`` names an attribute of `weburl.URL`, which is set to the repeated unit alone.
    ``is_query`` is whether that is tried as a query, too.
    """

    name: str
    before: str
    unit: str | Callable[[int], str]
    after: str
    setter: str
    is_query: bool = False

    def middle(self, size: int) -> str:
        """Return the unit as often as it fits into ``size`` bytes; a function gets the bytes."""
        if callable(self.unit):
            return self.unit(size)
        return self.unit * (size // utf8_size(self.unit))

    def url(self, size: int) -> str:
        """Return the whole text, of ``size`` bytes or, by the length of a unit, less."""
        around = utf8_size(self.before) + utf8_size(self.after)
        return f"{self.before}{self.middle(size - around)}{self.after}"


def _ideographs(size: int) -> str:
    """Return all ideographs of the BMP's main block in turn, three bytes each."""
    return "".join(map(chr, islice(cycle(range(0x4E00, 0x9FA5)), size // 3)))


def _labels_and_one(size: int) -> str:
    """Return many short labels, and one as long as all of them."""
    return f"{'xn--e1a.' * (size // 16)}{'a' * (size - size // 16 * 8)}"


_SLASHES: Final = "http://h/"

SHAPES: Final = (
    Shape("at signs", "http://", "@", "h/", "username"),
    Shape("user names and passwords", "http://", "a:@", "h/", "password"),
    Shape("authorities after a password", "http://u:p@[h", "://", "/", "pathname"),
    Shape("colons before the host", "http://", ":", "@h/", "password"),
    Shape("colons in the host", "http://", ":", "/", "host"),
    Shape("opening brackets", "http://", "[", "/", "host"),
    Shape("pairs of brackets", "http://", "[]", "/", "hostname"),
    Shape("colons in an IPv6 address", "http://[", ":0", "]/", "host"),
    Shape("zeros in an IPv6 address", "http://[::", "0", "]/", "host"),
    Shape("dots in the host", "http://", ".", "/", "host"),
    Shape("short labels", "http://", "a.", "b/", "host"),
    Shape("a long label", "http://", "a", "/", "hostname"),
    Shape("percent-encoded bytes in the host", "http://", "%C3%A9", "/", "host"),
    Shape("zeros in an IPv4 address", "http://", "0", "1/", "host"),
    Shape("digits in an IPv4 address", "http://", "9", "/", "host"),
    Shape("hexadecimal digits in an IPv4 address", "http://0x", "f", "/", "host"),
    Shape("numbers in an IPv4 address", "http://", "1.", "1/", "host"),
    Shape("zeros in the port", "http://h:", "0", "80/", "port"),
    Shape("digits in the port", "http://h:", "9", "/", "port"),
    Shape("one letter beyond ASCII", "http://", "é", "/", "host"),
    Shape("different ideographs in a label", "http://", _ideographs, "/", "host"),
    Shape("labels beyond ASCII", "http://", "é.", "de/", "host"),
    Shape("a long label in Punycode", "http://xn--9ca", "a", "/", "host"),
    Shape("labels in Punycode", "http://", "xn--9ca.", "de/", "host"),
    Shape("letters that become eighteen", "http://", "\ufdfa", "/", "host"),
    Shape("marks to be put in order", "http://a", "\u0301\u0323", "/", "host"),
    Shape("letters and joiners", "http://", "\u0628\u200c", "\u0628/", "host"),
    Shape("marks between joiners", "http://\u0628", "\u064b\u064b\u064b\u200c", "\u0628/", "host"),
    Shape("Hebrew labels", "http://", "\u05d0.", "de/", "host"),
    Shape("ideographic full stops", "http://a", "\u3002", "b/", "host"),
    Shape("soft hyphens", "http://a", "\u00ad", "b/", "host"),
    Shape("letters before a colon", "", "a", ":b", "protocol"),
    Shape("slashes", "http:", "/", "h", "pathname"),
    Shape("backslashes", "http:", "\\", "h", "pathname"),
    Shape("empty segments", _SLASHES, "/", "", "pathname"),
    Shape("short segments", _SLASHES, "a/", "", "pathname"),
    Shape("parent segments", _SLASHES, "../", "", "pathname"),
    Shape("a way down and up", _SLASHES, "a/../", "", "pathname"),
    Shape(
        "a way down, then up",
        _SLASHES,
        lambda n: "a/" * (n // 5) + "../" * (n // 5),
        "",
        "pathname",
    ),
    Shape("single-dot segments", _SLASHES, "./", "", "pathname"),
    Shape("percent-encoded parent segments", _SLASHES, "%2e%2e/", "", "pathname"),
    Shape("drive letters", "file:///", "C|/../", "", "pathname"),
    Shape("percent signs", _SLASHES, "%", "", "pathname", is_query=True),
    Shape("percent-encoded bytes", _SLASHES, "%C3%A9", "", "pathname", is_query=True),
    Shape("letters beyond ASCII in the path", _SLASHES, "é", "", "pathname"),
    Shape("lone surrogates", _SLASHES, "\ud800", "", "pathname", is_query=True),
    Shape("a tab after each letter", _SLASHES, "a\t", "", "pathname"),
    Shape("tabs before the scheme", "", "\t", "http://h/", "href"),
    Shape("line ends in the host", "http://a", "\r\n", "b/", "host"),
    Shape(
        "spaces before and after",
        "",
        lambda n: " " * (n // 2) + "http://h" + " " * (n // 2 - 8),
        "",
        "href",
    ),
    Shape("spaces in an opaque path", "data:", " ", "#", "pathname"),
    Shape("NULs", _SLASHES, "\0", "", "hash"),
    Shape("question marks", _SLASHES, "?", "", "search", is_query=True),
    Shape("number signs", _SLASHES, "#", "", "hash"),
    Shape("a query of everything", f"{_SLASHES}?", "a b=é'&\"<", "", "search", is_query=True),
    Shape("params", f"{_SLASHES}?", "a=b&", "", "search", is_query=True),
    Shape("empty params", f"{_SLASHES}?", "&", "", "search", is_query=True),
    Shape("plus signs", f"{_SLASHES}?", "+", "", "search", is_query=True),
    Shape("letters from right to left, encoded", _SLASHES, "%D7%90", "", "pathname", is_query=True),
    Shape("words from right to left, encoded", _SLASHES, "a%D7%90/", "", "pathname", is_query=True),
    Shape("letters of ASCII, encoded", _SLASHES, "%41", "", "pathname", is_query=True),
    Shape("labels beyond ASCII before a long one", "http://", _labels_and_one, "/", "host"),
    Shape("blob URLs in each other", "", "blob:", "http://h/", "href"),
    Shape("tags of links", _SLASHES, "<a href=x>", "", "pathname"),
    Shape("at signs after slashes", _SLASHES, "//a:b@", "", "pathname"),
    Shape("spaces in the fragment", f"{_SLASHES}#", " `", "", "hash"),
)

TEXT_SHAPES: Final = (
    Shape("domains without a space", "", "a.com", "", "hash"),
    Shape("domains and spaces", "", "a.com ", "", "hash"),
    Shape("mail addresses", "", "a@b.com ", "", "hash"),
    Shape("letters and at signs", "", "a@", "", "hash"),
    Shape("dots and at signs", "", ".@", "", "hash"),
    Shape("schemes", "", "http://", "", "hash"),
    Shape("brackets in a path", f"{_SLASHES[:-1]}.com/", "(", "", "pathname"),
    Shape("semicolons", "a.com", ";", "", "hash"),
    Shape("escaped brackets", "a.com", "&lt;", "", "hash"),
)
"""What a search for links in text would take quadratic time for."""
