"""Rules about userinfo, paths and queries."""

from __future__ import annotations

import re
from typing import Final

import attrs

from tests.browser.readings import Case, Reading
from tests.browser.rule import Rule
from tests.browser.texts import Text

_DOTS: Final = re.compile(r"(?<=/)((?:\.|%2[eE]){1,2})\\")
_LINE_ENDS: Final = {"\t": "%09", "\n": "%0A", "\r": "%0D"}


class PipeInPath(Rule):
    """`|` in a path is percent-encoded."""

    name = "pipe-in-path"
    example = Case("https://example.com/a|b")

    def writes(self, text: Text, reading: Reading) -> Reading:
        if reading.has_opaque_path or "|" not in reading.pathname:
            return reading
        return reading.having(pathname=reading.pathname.replace("|", "%7C"))


class Apostrophe(Rule):
    """`'` is percent-encoded in usernames and passwords, and in queries of all schemes."""

    name = "apostrophe"
    example = Case("https://o'neil@example.com/")

    def writes(self, text: Text, reading: Reading) -> Reading:
        parts = {
            name: getattr(reading, name).replace("'", "%27")
            for name in ("username", "password", "search")
            if "'" in getattr(reading, name)
        }
        return reading.having(**parts) if parts else reading


class LineEndsInData(Rule):
    """Tabs and line ends stay in a `data:` URL, percent-encoded."""

    name = "tabs-in-data"
    example = Case("data:,a\tb")

    def takes(self, text: str) -> str:
        if text[:5].lower() != "data:":
            return text
        # In a host they are refused, as a space is.
        host = re.match("(data:)(//[^/?#]*)", text, re.IGNORECASE)
        if host:
            refused = re.sub("[\t\n\r]", " ", host[2])
            text = host[1] + refused + text[host.end() :]
        return re.sub("[\t\n\r]", lambda found: _LINE_ENDS[found[0]], text)


class SpaceBehindOpaquePath(Rule):
    """A space at the end of an opaque path, before `?` or `#`, stays a space."""

    name = "space-after-opaque-path"
    example = Case("mailto:a ?b")

    def writes(self, text: Text, reading: Reading) -> Reading:
        if not reading.has_opaque_path or not reading.pathname.endswith("%20"):
            return reading
        written = text if text.prefix else Text(text.base or "", None)
        if not written.rest_before_end.endswith(" "):
            return reading
        return reading.having(pathname=reading.pathname.removesuffix("%20") + " ")


class BackslashOnBase(Rule):
    """A backslash in a relative reference is a slash, whatever the scheme of the base."""

    name = "backslash-on-base"
    example = Case("a\\b", "foo://h/")

    def reads(self, text: Text) -> Text:
        if text.is_special or not text.has_listed_base:
            return text
        opening = text.input[:2]
        if opening != "//" and len(opening) == 2 and set(opening) <= set("/\\"):
            # Chromium takes it for a host, and then reads it as a path, all for itself.
            own = f"{text.scheme}:/{text.input.removeprefix('/')}"
            return attrs.evolve(text, input=own, base=None)
        return text.with_path(text.path.replace("\\", "/")) if opening != "//" else text


class DotsBeforeBackslash(Rule):
    """A backslash after `.` or `..` is a slash, whatever the scheme."""

    name = "dots-before-backslash"
    example = Case("foo:/a/..\\b")

    def reads(self, text: Text) -> Text:
        if text.is_special:
            return text
        path = text.path
        if not path.startswith("/"):
            return text
        while (changed := _DOTS.sub(r"\1/", path)) != path:
            path = changed
        return text.with_path(path)


class PathOfTwoSlashes(Rule):
    """`/.` is left out before a path of two slashes if the path comes from a base."""

    name = "path-of-two-slashes"
    example = Case("#b", "foo:/.//a")

    def writes(self, text: Text, reading: Reading) -> Reading:
        if not text.has_listed_base or reading.has_authority:
            return reading
        if text.input[:1] not in {"?", "#"}:
            return reading
        href = re.sub(r"^([^:]*:)/\.(?=//)", r"\1", reading.href)
        return attrs.evolve(reading, href=href)
