"""A text with its base, as the rules about Chromium see it: where its host and its path stand."""

from __future__ import annotations

import re
from typing import Final
from unicodedata import normalize
from urllib.parse import unquote_to_bytes

import attrs

_LIKE_HTTP: Final = ("http", "https", "ws", "wss", "ftp")
_SCHEME: Final = re.compile("[a-zA-Z][a-zA-Z0-9+.-]*(?=:)")
_IGNORED: Final = re.compile("[\u00ad\u200b\u2060\ufeff\u180b-\u180d\ufe00-\ufe0f]")
_STRIPPED: Final = "".join(map(chr, range(0x21)))


def scheme_of(text: str) -> str | None:
    """Return the scheme that a text begins with, in lower case."""
    found = _SCHEME.match(text)
    return found[0].lower() if found else None


def mapped(text: str) -> str:
    """Return a text as a host is mapped, as far as ASCII comes out of it: one by one."""
    if text.isascii():
        return text
    text = _IGNORED.sub("", text)
    return "".join(normalize("NFKC", character) for character in text)


@attrs.frozen
class Text:
    """A text without what is stripped from it, and a base, None where it has no say.

    ``unassigned``: code points that Chromium's Unicode does not have.
    """

    input: str
    base: str | None
    unassigned: frozenset[int] = attrs.field(default=frozenset(), eq=False)

    @classmethod
    def of(cls, input: str, base: str | None, unassigned: frozenset[int] = frozenset()) -> Text:
        """Return a text that still holds tabs and line ends."""
        text = input.encode("utf-16", "surrogatepass").decode("utf-16", "replace")
        return cls(text.strip(_STRIPPED), base, unassigned)

    def without_line_ends(self) -> Text:
        """Return the text as parsers read it, with its base where that has a say."""
        text = re.sub("[\t\n\r]", "", self.input)
        scheme = scheme_of(text)
        has_say = self.base is not None and scheme in (None, scheme_of(self.base))
        return Text(text, self.base if has_say else None, self.unassigned)

    @property
    def prefix(self) -> str:
        """The scheme of the input with its colon, or ""."""
        found = _SCHEME.match(self.input)
        return f"{found[0]}:" if found else ""

    @property
    def rest(self) -> str:
        """What is behind the scheme of the input."""
        return self.input[len(self.prefix) :]

    @property
    def scheme(self) -> str:
        """The scheme of the input, or else of the base; "" without either."""
        return scheme_of(self.input) or (scheme_of(self.base) if self.base else None) or ""

    @property
    def is_like_http(self) -> bool:
        """Whether the standard reads the scheme as it reads http."""
        return self.scheme in _LIKE_HTTP

    @property
    def is_special(self) -> bool:
        """Whether the standard calls the scheme special."""
        return self.is_like_http or self.scheme == "file"

    @property
    def has_listed_base(self) -> bool:
        """Whether the input is resolved on a base of another scheme whose path is no opaque one."""
        base = self.base
        return not self.prefix and base is not None and base[len(self.scheme) + 1 :][:1] == "/"

    def changed(self, rest: str) -> Text:
        """Return the text with something else behind the scheme of the input."""
        return attrs.evolve(self, input=self.prefix + rest)

    def authority(self) -> tuple[int, int]:
        """Return where userinfo, host and port stand in ``rest``; (0, 0) without any."""
        rest = self.rest
        start = 2
        if self.is_like_http:
            start = len(rest) - len(rest.lstrip("/\\"))
            if start < 2 and (not self.prefix or self.base is not None):
                return 0, 0
            ends = r"[/\\?#]|\Z"
        elif self.scheme == "file":
            if len(rest) - len(rest.lstrip("/\\")) != 2:
                return 0, 0
            ends = r"[/\\]|\Z"
        elif rest.startswith("//"):
            ends = r"[/?#]|\Z"
        else:
            return 0, 0
        end = re.compile(ends).search(rest, start)
        assert end is not None
        return start, end.start()

    def host_span(self) -> tuple[int, int]:
        """Return where the host stands in ``rest``."""
        start, end = self.authority()
        if self.scheme != "file":
            start = max(start, self.rest.rfind("@", start, end) + 1)
            port = re.search(r":[^:\]]*\Z", self.rest[start:end])
            end = start + port.start() if port else end
        return start, end

    @property
    def host(self) -> str:
        """The host as it is written; "" without one."""
        start, end = self.host_span()
        return self.rest[start:end]

    @property
    def domain(self) -> str:
        """The host of a special scheme, percent-decoded; "" where that gives no text."""
        if not self.is_special:
            return ""
        try:
            return unquote_to_bytes(self.host).decode()
        except UnicodeDecodeError:
            return ""

    def with_host(self, host: str) -> Text:
        """Return the text with another host."""
        start, end = self.host_span()
        return self.changed(self.rest[:start] + host + self.rest[end:])

    def path_span(self) -> tuple[int, int]:
        """Return where the path stands in ``rest``."""
        _, start = self.authority()
        end = re.compile(r"[?#]|\Z").search(self.rest, start)
        assert end is not None
        return start, end.start()

    def with_path(self, path: str) -> Text:
        """Return the text with another path."""
        start, end = self.path_span()
        return self.changed(self.rest[:start] + path + self.rest[end:])

    @property
    def path(self) -> str:
        """The path as it is written."""
        start, end = self.path_span()
        return self.rest[start:end]

    @property
    def rest_before_end(self) -> str:
        """What is behind the scheme and before query and fragment."""
        return re.split("[?#]", self.rest, maxsplit=1)[0]
