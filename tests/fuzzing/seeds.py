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


def seeds(target: str) -> Iterator[bytes]:
    """Yield inputs for a target; fewer where the files of web-platform-tests are absent."""
    own = {"html": _PAGES, "file_urls": _PATHS, "idn": _HOSTS}.get(target, ())
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
