"""Fifty thousand canonical hrefs and five hundred operands, the same ones each time.

Hypothesis looks for one bad URL; a table of many is for databases, whose indexes and plans are
others when there is much to look through.
"""

from __future__ import annotations

from random import Random
from typing import Final

import weburl

_SCHEMES: Final = ("https", "https", "http", "ws", "wss", "ftp", "file", "foo", "a+b-c.1", "blob")
_USERINFO: Final = (
    "admin:12345secret", "x:0", "u", "u:", ":p", "user%40:8080", "a:65535", "a:1/", "u:[::1]",
    "u:p@q", "@", "1:2:3", "é:ü", "u;x=1:443", "%2F:%3F", "A", "a%20b:80",
)  # fmt: skip
_LABELS: Final = (
    "a", "b", "example", "com", "www", "EXAMPLE", "xn--bcher-kva", "bücher", "1", "0x7f", "a-b",
    "a_b", "co", "uk", "x1", "ab", "aa",
)  # fmt: skip
_HOSTS: Final = (
    "127.0.0.1", "10.1", "[::1]", "[2001:db8::ffff:1]", "", "localhost", "example.com.", "a..b",
    "256", "[1:2:3:4:5:6:7:8]", "EXAMPLE.com", "h'q", "a*b", "a!b", "{a}",
)  # fmt: skip
_PORTS: Final = ("", "", "", ":", ":80", ":443", ":0", ":1", ":8080", ":65535", ":00021", ":99")
_PIECES: Final = (
    "a", "b", "A", "docs", "%41", "%2F", "%00", "é", "~", "'", '"', "@", ":", "://", "//", "/",
    "/", "/", ".", "..", "/./", "/.", ";", "=", "&", "+", " ", "  ", "%20", "[", "]", "|", "^",
    "\\", "_", "%", "%25", "*", "8080", ":80", "@b:1", "C:", "x" * 40, "$", "`", "{", "}", "-",
    "\U0001f4a9", "<", ">", "!", "(", ")", ",",
)  # fmt: skip


def hrefs(count: int, seed: int = 0) -> list[str]:
    """Return ``count`` distinct canonical hrefs of at most 2048 characters."""
    random = Random(seed)
    found: dict[str, None] = {}
    while len(found) < count:
        text = _url(random)
        if weburl.can_parse(text):
            href = weburl.canonicalize(text)
            if len(href) <= 2048:
                found[href] = None
    return list(found)


def _url(random: Random) -> str:
    scheme = random.choice(_SCHEMES)
    rest = _text(random, 6) if random.random() < 0.9 else "/.//" + _text(random, 3)
    query = "?" + _text(random, 4) if random.random() < 0.4 else ""
    fragment = "#" + _text(random, 4) if random.random() < 0.3 else ""
    if random.random() < 0.15:
        return f"{scheme}:{rest}{query}{fragment}"
    userinfo = f"{random.choice(_USERINFO)}@" if random.random() < 0.4 else ""
    if random.random() < 0.7:
        host = ".".join(random.choices(_LABELS, k=random.randint(1, 4)))
    else:
        host = random.choice(_HOSTS)
    slash = "/" if random.random() < 0.9 else ""
    return f"{scheme}://{userinfo}{host}{random.choice(_PORTS)}{slash}{rest}{query}{fragment}"


def _text(random: Random, pieces: int) -> str:
    return "".join(random.choices(_PIECES, k=random.randint(0, pieces)))


HOSTILE: Final = (
    "", " ", "  ", "a ", " a", "a  ", "a%20", "%", "%%", "_", "\\", "\\\\", "'", "''", '"', "`",
    "--",
    "'; DROP TABLE x; --", "' OR '1'='1", "%s", "%(a)s", "{url}", "{0}", "$1", ":1", "?", "??",
    "/*", "*/", "#", "\0", "a\0b", "\t", "\n", "a\n", "\r\n", "\x7f", "\x80", "\xa0", "\u3000",
    "\ud800", "a\udfffb", "\u202e", "\u200d", "\ufeff", "\ufffd", "\U0010ffff", "\u0130", "\u0131",
    "\u017f", "\u212a", "ß", "ẞ", "É", "é", "e\u0301", "日本", "１２７.1", "a" * 2047, "a" * 2049,
    "/" * 100, "%41", "%2f", "%2F", "%zz", "[", "]", "[]", "[a", "*", "a*", "[a-z]", "^", "$", "^$",
    ".", "..", "/.", "/..", "/./", "//", "///", "/.//", "\\\\h\\", "//h", "http:",
    "http://", "HTTP",
    "null", "NULL", "None", "0", "00", "-0", "1e3", "0x7f", "127.1", "2130706433", "::1", "[::1]",
    "[0:0::1]", "localhost", "LOCALHOST", "example.com", "EXAMPLE.com", "example.com.", ".example",
    "www.example.com", "com", "bücher.example", "a.b", "a..b", "user:secret@h", "@", "a@b", ":",
    ":80",
    "80:", "a:b", "a:b:c", "https://example.com", "https://EXAMPLE.com:443/x?y#z", "blob:https://a/1",
    "blob:null/1", "mailto:a", "data:,", "file:///", "//example.com/", "12345secret", "admin",
    "true", "\x1b[0m", "<b>", "&amp;", "+", "a+b", "a&b=c", "C:", "C|", "/C|/", "()", "(?i)a",
    "a{2}",
    "[[:alpha:]]", "\\d", "\\", "a\\", "\\%", "\\_", "%5C", "x" * 40, "docs", "/docs", "/docs/",
)  # fmt: skip
"""What people and attackers ask for."""


def operands(count: int, texts: list[str], seed: int = 1) -> list[str]:
    """Return ``count`` distinct operands: `HOSTILE`, and parts of ``texts`` spelled otherwise."""
    random = Random(seed)
    found = dict.fromkeys(HOSTILE)
    while len(found) < count:
        record = weburl.parse(random.choice(texts))
        part = random.choice(
            (
                record.path_text,
                str(record.host or ""),
                record.username,
                record.query or "",
                record.fragment or "",
                record.origin,
                record.href,
                str(record.port or ""),
            )
        )
        found[random.choice((str, str, str.upper, str.title, str.strip, _shorter))(part)] = None
    return list(found)[:count]


def _shorter(text: str) -> str:
    return text[: len(text) // 2]
