"""What goes through both parsers: web-platform-tests, and made-up texts, calls and params."""

from __future__ import annotations

import random
from collections.abc import Iterator
from typing import Final

from tests.browser.asking import Call
from tests.browser.readings import Case
from tests.django.redirect_targets import OTHER_SITE, OWN_SITE, generated
from tests.pieces import EXOTIC, PERCENTS
from tests.standard.compiled.equality import BASES, PIECES, mutated
from tests.strategies import NOISE
from tests.wpt import ATTRIBUTES, SETTER_CASES, load, load_cases

_MORE_BASES: Final = (
    *BASES, "file:///a/b?q", "file://localhost/C:/x", "foo:///a/b", "foo:/.//a", "data:,x y ?z",
    "chrome-extension://abc/d/e", "steam://run/1", "blob:https://example.com/1", "http://a*b/c|d",
)  # fmt: skip
_SCHEMES: Final = (
    "http:", "https:", "https:", "HTTPS:", "ws:", "wss:", "ftp:", "file:", "file:", "foo:", "a.b:",
    "data:", "javascript:", "mailto:", "blob:https:", "blob:ftp:", "chrome-extension:", "chrome:",
    "steam:", "android:", "", "", "", "1:", "ht tp:", "c:",
)  # fmt: skip
_SLASHES: Final = ("//", "//", "//", "", "/", "///", "////", "\\\\", "/\\", "\\/", "\\")
_USERINFO: Final = ("", "", "", "", "u@", "u:p@", "o'n:'@", ":@", "@", "a|b@", "a@b@", "é:ü@")
_HOSTS: Final = (
    "example.com", "EXAMPLE.com", "localhost", "LocalHost", "127.0.0.1", "0x7f.1", "1.2.3", "[::1]",
    "[::%31]", "%5B::1]", "[1::2", "a*b.example", "*", "a b.example", "a%20b", "a\u3000b",
    "é.example", "é b", "xn--bcher-kva.example", "xn--a", "xn--a b", "a\u00adb", "\u2260",
    "<\u0338", "\uff0541", "a..b", ".", "C:", "c|", "h:80", "h:", "h:0", "h:99999", "h:8x",
    "\u05d0", "\u05d0 b", "a\u0120b", "\U0003e8ac", "faß.de", "a^b", "a_b", "%zz",
    "\u0644\u0627", "a%2541", "{}`", "",
)  # fmt: skip
_SEGMENTS: Final = (
    "a", "b c", "|", "c|", "C:", "C|", "..", ".", "%2e", "%2E%2e", "..\\b", "\\", "'", "", "", "é",
    "\ud800", "x'y|z", "^`{}", "%7C", "~", "a\tb", "localhost", "*", "[", "\u3000",
)  # fmt: skip
_ENDS: Final = (
    "", "", "", "?q", "?'|^`", "#f", "#'|^`{}", "?", "#", " ", "  ?q", " #f", "?a\tb#c\nd", "?é#é",
    "?\\#\\", "#a#b", "?\ud83d", "?a=b&c=d+e&%20",
)  # fmt: skip


def from_web_platform_tests() -> list[Case]:
    """Return every input of web-platform-tests, on its base, or as the host of https."""
    cases = [
        Case(case["input"], case.get("base"))
        for name in ("urltestdata.json", "urltestdata-javascript-only.json")
        for case in load_cases(name)
    ]
    for name in ("toascii.json", "IdnaTestV2.json", "IdnaTestV2-removed.json"):
        cases += [Case(f"https://{case['input']}/x") for case in load_cases(name)]
    return cases


def made_up(count: int, seed: int) -> Iterator[Case]:
    """Yield so many cases: mutated ones, ones put together, and targets of redirects."""
    chance = random.Random(seed)
    known = [*dict.fromkeys(case["input"] for case in load_cases("urltestdata.json"))]
    known += [*BASES, *OTHER_SITE, *(target for target, _ in OWN_SITE)]
    mutants = mutated(count, seed, known)
    targets = generated(count, seed)
    for number in range(count):
        if number % 20 == 0:
            text = next(targets)
        else:
            text = next(mutants) if number % 2 else _put_together(chance)
        if "filesystem" in text.lower():
            continue  # A scheme that Chromium alone has, of URLs inside URLs.
        yield Case(text, chance.choice(_MORE_BASES) if chance.random() < 0.45 else None)


def _put_together(chance: random.Random) -> str:
    text = chance.choice(_SCHEMES) + chance.choice(_SLASHES)
    if chance.random() < 0.7:
        text += chance.choice(_USERINFO) + chance.choice(_HOSTS)
        text += "/" if chance.random() < 0.9 else ""
    text += chance.choice("///\\").join(chance.choices(_SEGMENTS, k=chance.randrange(5)))
    text += chance.choice(_ENDS)
    for _ in range(chance.choice((0, 0, 0, 0, 1, 2))):
        at = chance.randrange(len(text) + 1)
        piece = chance.choice(chance.choice((PIECES, NOISE, PERCENTS, EXOTIC)))
        text = text[:at] + piece + text[at:]
    return text


def setter_chains(count: int, seed: int) -> list[tuple[str, list[Call]]]:
    """Return the calls of setters of web-platform-tests, each alone, and so many chains of five."""
    data = load("setters_tests.json")
    chains: list[tuple[str, list[Call]]] = [
        (case["href"], [(name, case["new_value"])]) for name in SETTER_CASES for case in data[name]
    ]
    chance = random.Random(seed)
    hrefs, values = [href for href, _ in chains], [calls[0][1] for _, calls in chains]
    known = [*dict.fromkeys(values)]
    for _ in range(count):
        href = chance.choice((*hrefs, *_MORE_BASES))
        names = chance.choices(ATTRIBUTES, (1, 2, 2, 2, 3, 3, 2, 4, 2, 2), k=5)
        chains.append((href, [(name, _value(name, known, chance)) for name in names]))
    return chains


def _value(name: str, known: list[str], chance: random.Random) -> str:
    kind = chance.randrange(4)
    if kind == 0:
        return chance.choice(known)
    if name == "protocol":
        return chance.choice(_SCHEMES)
    if name == "href":
        return _put_together(chance)
    if name in {"host", "hostname"}:
        return chance.choice(_HOSTS) + chance.choice(
            ("", "", ":8080", ":80", "/x", "?x", "#", "\\")
        )
    if name == "port":
        return chance.choice(
            ("", "80", "443", "8080", "0", "65536", "8x", "x", " 8", "8\t1", "\uff11")
        )
    ends = chance.choice(_ENDS) if kind < 3 else chance.choice(PIECES)
    return "/".join(chance.choices(_SEGMENTS, k=chance.randrange(4))) + ends


def params_chains(count: int, seed: int) -> list[tuple[str, list[Call]]]:
    """Return so many chains of calls on searchParams."""
    chance = random.Random(seed)
    texts = ("a", "b", "", "a b", "é", "+", "%41", "%zz", "&", "=", "'", "|", "\ud800", "\0",
             "\U0001f600", "\ufb00", "a\tb", "~", "*", "#", "\r\n")  # fmt: skip
    arguments = {"append": 2, "delete": 1, "get": 1, "getAll": 1, "has": 1, "set": 2, "sort": 0,
                 "toString": 0}  # fmt: skip
    chains: list[tuple[str, list[Call]]] = []
    for _ in range(count):
        pairs = [
            f"{chance.choice(texts)}={chance.choice(texts)}" for _ in range(chance.randrange(5))
        ]
        start = chance.choice(
            ("https://h/", "https://h/#f", "https://h/?", "file:///C:/", "ws://h/a")
        )
        href = start.replace("#", "?" + "&".join(pairs) + "#") if pairs else start
        calls: list[Call] = []
        for _ in range(6):
            name = chance.choice(list(arguments))
            more = name in {"delete", "has"} and chance.random() < 0.4
            calls.append((name, *(chance.choice(texts) for _ in range(arguments[name] + more))))
        chains.append((href, calls))
    return chains
