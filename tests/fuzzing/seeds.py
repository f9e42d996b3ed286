"""What fuzzers start from: the cases of web-platform-tests and of our own, read when they run."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Final

from tests.fuzzing.targets import FIELD
from tests.wpt import wpt_file

_PAGES: Final = (
    '<!doctype html><base href="/docs/"><a href=" x#y ">x</a><img src=a srcset="b 2x, c 3x">',
    "<p><b a=1><b a=2><p><b a=3><table><a href=x><tr><td><a href=y></table>",
    "<template shadowrootmode=open><a href=x></template><svg><a xlink:href=y><image href=z>",
    '<meta http-equiv=refresh content="0; url=x"><meta charset=koi8-r><a href="?\u044f">',
    '<script type=speculationrules>{"prefetch":[{"urls":["a","b"]}]}</script>',
    "<form action><button formaction=x><input type=image src=y><iframe src=//[ srcdoc=z>",
)
_PATHS: Final = (
    "/a b/c%?#d", "C:\\a\\b", "\\\\server\\share\\a", "\\\\?\\C:\\a", "/\udcff", "/a/../b",
    "C:/a|b", "//./x", "///C:/a", "//server/share", "/c%7C/x", "/%2F/x", "\\\\.\\pipe\\x",
    "/con", "/a/",
)  # fmt: skip
_HOSTS: Final = (
    "b\u00fccher.example", "xn--bcher-kva.example", "\u05d0\u05d1.\u05d2", "fa\u00df.de",
    "\u0628\u200c\u0628", "\u0915\u094d\u200d", "\ufdfa", "0x7f.1", "1.2.3.4.5", "[::1.2.3.4]",
    "a\u3002b", "xn--a-0", "\u00ad", "\u2260", "a..b", "\u1e9e.\u0130",
)  # fmt: skip
_KEYS: Final = (
    "http://www.example.com:80/a/index.html/?utm_source=b&a=%41+c&a#!/d\x1e\x01\x02\x03",
    "https://u:p@WWW.www.example.com./;jsessionid=1/(S(a))/?b&=&a=&#:~:text=x\x1e111111111\x1eb&u",
    "https://youtu.be/?si=1&t=2&sid=00000000000000000000000000000000&c\x1e\x1esi&t",
    "http://1.2.3.4/%2F%3f/..//A/?cfid=1&cftoken=2&Q=%26#x",
)

_MESSAGES: Final = (
    "See https://ja.wikipedia.org/wiki/\u6771\u4eac, (example.com/a_(b)) or me@example.com.",
    "\u201cexample.com/\u00e9?a=b#c\u201d <b>www.example.com</b> http://user:pw@h.example/",
    "http://a.com:b@c.com ftp://a.com mailto:a@b.de \u6771\u4eac.jp/\u3002a.com\uff0eb",
    "<a href=x>a.com</a> <pre>b.com</pre> c.com/&amp;d <textarea>e.com",
    f"a.com\u202eb.com a\u00adb.com{FIELD}https://example.com/%E6%9D%B1(%29.?a=%26#%23",
)

_PATTERNS: Final = (
    "https://*.example/:a/{b:c}?\x1e", "/:a(\\d+)*?q=*#:h\x1ehttps://u:p@h/a/b", "data\\:*\x1e",
    "{*.}?h.example:8{080}?/(a|b)+/(?:x)\x1e", "([[a-z]--b]{2,3}?(?=c)(?<n>\\p{L}))\x1ehttps://h",
    "http{s}?://[\\:\\:1]/**?{/:x-}+\x1e",
)  # fmt: skip


def seeds(target: str) -> Iterator[bytes]:
    """Yield inputs for a target; fewer where the files of web-platform-tests are absent."""
    own = {
        "html": _PAGES,
        "file_urls": _PATHS,
        "idn": _HOSTS,
        "keys": _KEYS,
        "text_links": _MESSAGES,
        "patterns": _PATTERNS,
    }.get(target, ())
    texts = [*own, *_from_web_platform_tests(target)]
    yield from (text.encode("utf-8", "surrogatepass") for text in texts)


def _cases(name: str) -> list[dict[str, str | None]]:
    path = wpt_file(name)
    if not path.is_file():
        return []
    loaded = json.loads(path.read_text(encoding="utf-8"))
    return [case for case in loaded if isinstance(case, dict)]


def _from_web_platform_tests(target: str) -> Iterator[str]:
    if target == "setters":
        path = wpt_file("setters_tests.json")
        cases = json.loads(path.read_text(encoding="utf-8")) if path.is_file() else {}
        for at, (name, found) in enumerate(cases.items()):
            if name != "comment":
                yield from (
                    f"{case['href']}{FIELD}{chr(0x100 + at)}{case['new_value']}" for case in found
                )
        return
    if target == "idn":
        for name in ("toascii.json", "IdnaTestV2.json"):
            yield from (str(case["input"]) for case in _cases(name))
        return
    for case in _cases("urltestdata.json"):
        text, base = str(case["input"]), case.get("base")
        if target == "html":
            yield f'<base href="{base or ""}"><a href="{text}">'
        elif target == "params":
            yield text.partition("?")[2] or text
        else:
            yield text if base is None else f"{text}{FIELD}{base}"
