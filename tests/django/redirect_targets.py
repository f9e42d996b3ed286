"""Targets of redirects for tests: known bypasses, and text put together out of dangerous pieces."""

from __future__ import annotations

import random
from collections.abc import Iterator
from typing import Final

OTHER_SITE: Final = (
    # Slashes and backslashes. OWASP's cheat sheet on unvalidated redirects; Django's
    # CVE-2014-3730, CVE-2015-0220, CVE-2015-2317, CVE-2017-7233.
    "//evil.example",
    "///evil.example",
    "////evil.example",
    "/////evil.example/..",
    "\\\\evil.example",
    "/\\evil.example",
    "\\/evil.example",
    "/\\/evil.example",
    "\\\\\\evil.example",
    "http:\\\\evil.example",
    "http:/\\evil.example",
    "https:///evil.example",
    "http:////evil.example",
    "//\\evil.example",
    "  //evil.example",
    "\t//evil.example",
    "\x08//evil.example",
    "\x00//evil.example",
    "\x1f//evil.example",
    # Tabs and line ends within, which browsers drop.
    "/\t/evil.example",
    "/\n/evil.example",
    "/\r\n/evil.example",
    "\\\t\\evil.example",
    "h\ttt\nps://evil.example",
    "//evil\t.example",
    # A scheme and too few slashes: a path to a page of that scheme, a site to any other.
    "http:evil.example",
    "https:evil.example",
    "HTTP:evil.example",
    "http:/evil.example",
    "https:/evil.example",
    "http:\\evil.example",
    "http:127.0.0.1",
    "http:?x",
    "https:#x",
    "http:",
    # What stands before "@", and what does not (CVE-2016-2512; Orange Tsai, Black Hat 2017).
    "https://example.com@evil.example/",
    "https://example.com:80@evil.example/",
    "https://example.com%2F@evil.example/",
    "https://example.com%40evil.example@evil.example",
    "//example.com@evil.example",
    "//@evil.example",
    "//user:@evil.example",
    "https://evil.example\\@example.com/",
    "https://evil.example/@example.com/",
    "https://evil.example?@example.com/",
    "https://evil.example#@example.com/",
    "https://evil.example;@example.com/..//@evil.example",
    "https://user:secret@example.com/",
    "https://user@example.com/",
    # Names that only look like one's own.
    "https://example.com.evil.example/",
    "https://evilexample.com/",
    "https://evil.example/example.com",
    "https://example.com./",
    "https://example.com../",
    "https://www.example.com/",
    "https://example.co/",
    "https://еxample.com/",  # Cyrillic
    "https://example.com\u2215.evil.example/",
    "https://example.com\uff0f.evil.example/",
    "https://example.com%E2%81%84.evil.example/",
    # Dots, digits and letters of other scripts; encoded hosts.
    "//evil\u3002example",
    "//evil\uff0eexample",
    "//evil\uff61example",
    "//evil%2eexample",
    "//%65vil.example",
    "//\uff45vil.example",
    "//\u24d4vil.example",
    "//ev\u00adil.example",
    "//0x7f.1",
    "//2130706433",
    "//017700000001",
    "//127.1",
    "//[::1]",
    "//[::ffff:127.0.0.1]",
    # Other ports.
    "https://example.com:8443/",
    "http://example.com:443/",
    "https://example.com:80/",
    "//example.com:8000",
    # No host at all, or one that the standard refuses and Chromium or others took.
    "//",
    "/\\",
    "https://",
    "https:///",
    "https://exa mple.com/",
    "https://example.com evil.example/",
    "https://example.com%20.evil.example/",
    "https://evil.example|.example.com/",
    "https://evil.example^example.com/",
    "https://[evil.example]/",
    "https://example.com:99999/",
    "https://example.com:port/",
    # Other schemes.
    "javascript:alert(1)",
    "JaVaScRiPt:alert(1)",
    "java\nscript:alert(1)",
    "\x01javascript:alert(1)",
    "javascript://example.com/%0aalert(1)",
    "javascript://example.com\\@/%0aalert(1)",
    "data:text/html,<script>alert(1)</script>",
    "vbscript:msgbox(1)",
    "blob:https://example.com/1b2c",
    "filesystem:https://example.com/x",
    "view-source:https://example.com/",
    "file:///etc/passwd",
    "file://example.com/x",
    "ftp://example.com/",
    "ws://example.com/",
    "mailto:x@example.com",
    "about:blank",
    "intent://example.com/#Intent;scheme=http;end",
    "example.com:80/x",
    "localhost:8000",
    # Nothing, and what is not seen.
    "",
    " ",
    "\t\n",
    "\x00",
    "\u00a0//evil.example",
    "\u2028//evil.example",
    "\u3000https://evil.example",
    "\ufeff//evil.example",
    "\u200b//evil.example",
    "\u202e//evil.example",
    "\ud800//evil.example",
    "/" * 3000,
)
"""Targets that no page of https://example.com/ and http://example.com/ may be sent to."""

OWN_SITE: Final = (
    ("/", "https://example.com/"),
    ("/next?a=b#c", "https://example.com/next?a=b#c"),
    ("next", "https://example.com/a/next"),
    ("./next", "https://example.com/a/next"),
    ("../../../x", "https://example.com/x"),
    ("?page=2", "https://example.com/a/b?page=2"),
    ("#top", "https://example.com/a/b?q#top"),
    ("/ä b", "https://example.com/%C3%A4%20b"),
    ("/a|b{c}", "https://example.com/a|b%7Bc%7D"),
    ("/next\r\nSet-Cookie: a=b", "https://example.com/nextSet-Cookie:%20a=b"),
    ("/\u202e", "https://example.com/%E2%80%AE"),
    ("/a\x00b", "https://example.com/a%00b"),
    ("/?next=//evil.example", "https://example.com/?next=//evil.example"),
    ("/a//evil.example", "https://example.com/a//evil.example"),
    ("1a:b/../c", "https://example.com/a/c"),
    ("/http://evil.example", "https://example.com/http://evil.example"),
    ("/@evil.example", "https://example.com/@evil.example"),
    ("\\next", "https://example.com/next"),
    ("//example.com\\@evil.example", "https://example.com/@evil.example"),
    # One's own host in other spellings, which Django's check refuses.
    ("https://example.com/x", "https://example.com/x"),
    ("HTTPS://EXAMPLE.COM/x", "https://example.com/x"),
    ("https://example.com:443/x", "https://example.com/x"),
    ("https://example.com:/x", "https://example.com/x"),
    ("https://example.com:0443/x", "https://example.com/x"),
    ("//example.com/x", "https://example.com/x"),
    ("//EXAMPLE.com/x", "https://example.com/x"),
    ("https://example\u3002com/x", "https://example.com/x"),
    ("https://ex%61mple.com/x", "https://example.com/x"),
    ("https://\uff45xample.com/x", "https://example.com/x"),
    ("https://@example.com/x", "https://example.com/x"),
    ("https://:@example.com/x", "https://example.com/x"),
    ("https:///example.com/x", "https://example.com/x"),
    ("https:\\\\example.com\\x", "https://example.com/x"),
    (" https://example.com/x ", "https://example.com/x"),
)
"""Targets on the page https://example.com/a/b?q, and where they lead."""

_PIECES: Final = (
    "http", "https", "HTTP", "hTTps", "ftp", "javascript", "data", "blob", "file", "ws", "h", "//",
    "//", "/", "\\", "///", "\\/", "/\\", ":", "://", "://", ":/", ":\\", "@", "?", "#", "%2F",
    "%5C", "%40", "%00", "%09", "%2e", "example.com", "example.com", "EXAMPLE.com", "evil.example",
    "example.com.evil.example", "evil.example.com", "exam%70le.com", "example\u3002com",
    "\uff45xample.com", "example.com.", "127.0.0.1", "0x7f.1", "2130706433", "[::1]",
    "[::ffff:7f00:1]", "localhost", ":80", ":443", ":8000", ":", ":0", ":99999", "\t", "\n", "\r",
    " ", "\0", "\x01", "\x1f", "\x7f", "\x85", "\xa0", "\u2028", "\u3000", "\ufeff", "\u00ad",
    "\u200b", "\u202e", "\ud800", "|", "^", "`", "{", "}", "<", ">", '"', "'", "[", "]", "*", "!",
    ";", "&", "=", "+", ",", "~", "a", "b/c", "..", ".", "../", "./x", "next", "path",
    "?next=//evil.example", "#//evil", "user", "user:pass", "@evil.example", "@example.com", "1a",
    "alert(1)", "é", "ä b",
)  # fmt: skip
_OPENINGS: Final = (
    "", "", "/", "//", "//", "\\\\", "/\\", "///", "http://", "https://", "https://", "HTTPS:\\\\",
    "http:", "https:", "http:/", "https:///", " https://", "https://user@",
)  # fmt: skip


def generated(count: int, seed: int = 1) -> Iterator[str]:
    """Yield ``count`` texts, the same for the same seed."""
    chance = random.Random(seed)
    for _ in range(count):
        pieces = chance.choices(_PIECES, k=chance.randint(0, 6))
        yield chance.choice(_OPENINGS) + "".join(pieces)
