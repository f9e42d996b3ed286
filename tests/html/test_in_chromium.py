"""Pages made up at random, in a real Chromium and by `links`: one says what the other does.

What the browser requests, follows, submits to and pings is what counts, by its kind and in its
window; what is inert it leaves alone; and the base URL is the same. Citations, other pages named by
`link`, and speculation rules leave no trace in a frame: `test_counting` has those.
"""

from __future__ import annotations

import os
import random
import re
from collections.abc import Mapping
from typing import Final

import pytest

from tests.html import chromium
from weburl.html import LinkKind, PageLink, document_base_url, page

# "M" stands for a URL that the browser asks for at once where it counts, "U" for one that it may.
PIECES: Final = """\
<img src=M>
<img srcset='U 1x, U 2x'>
<img srcset='M'>
<img>
<picture><source srcset=M><img></picture>
<picture><source src=U><img src=M></picture>
<p><source srcset=U src=U></p>
<div><track src=U default></div>
<audio src=M preload=auto></audio>
<audio src=M preload=auto><source src=U></audio>
<audio preload=auto><source src=M></audio>
<video preload=auto><source src=M></video>
<video preload=auto src=M poster=M></video>
<video src><source src=U></video>
<video preload=auto><source srcset=U src=M></video>
<video src=U><track default kind=subtitles src=U></video>
<script src=M></script>
<script type=module src=M></script>
<script type=' Text/JavaScript ' src=M></script>
<script type=text/plain src=U></script>
<script type=importmap src=U></script>
<script type=speculationrules src=U></script>
<script nomodule src=U></script>
<script for=x event=y src=U></script>
<script for=window event=onload src=M></script>
<script type src=M></script>
<script language=vbscript src=U></script>
<script language=JavaScript1.2 src=M></script>
<script type=text/jscript src=M></script>
<script type='text/javascript;x' src=U></script>
<link rel=stylesheet href=M>
<link rel='next stylesheet' href=M>
<link href=U>
<link rel='alternate stylesheet' title=x href=U>
<link rel=nofollow href=U>
<link rel='' href=U>
<link itemprop=x href=U>
<link rel=canonical href=U>
<link rel=preload as=image imagesrcset='M'>
<link rel=preload as=image href=M>
<link rel=preload as=script imagesrcset=U>
<link rel=preload imagesrcset=U>
<link rel=stylesheet as=image imagesrcset=U>
<link rel=modulepreload href=M>
<iframe src=M></iframe>
<iframe srcdoc='<p>' src=U></iframe>
<iframe src></iframe>
<embed src=M>
<object data=M></object>
<input type=image src=M>
<input src=U>
<table background=M><td background=M>x</table>
<svg><image href=M></image></svg>
<svg><image xlink:href=M></image></svg>
<svg><image href=M xlink:href=U></image></svg>
<svg><script href=M></script></svg>
<svg><script type=x href=U></script></svg>
<svg><script nomodule href=M></script></svg>
<template><img src=U></template>
<noscript><img src=U></noscript>
<p><template shadowrootmode=open><img src=M></template>
<svg><base href='/svg/'></svg>
<q cite=U></q>
<a href=U ping=U></a>
<a ping=U></a>
<form action=U></form>
<p background=U src=U href=U>
""".splitlines()
# One of them is clicked in a page. Chromium pings, too, where the hyperlink is no URL; HTML does
# not.
ACTIVATED: Final = """\
<a @ href=M ping='M M'>x</a>
<a @ href=M ping='ftp://h/U data:,U'>x</a>
<a @ href=M target=A>x</a>
<area @ href=M ping=M>
<a @ ping=U>x</a>
<svg><a @ href=M><text>x</text></a></svg>
<svg><a @ xlink:href=M><text>x</text></a></svg>
<form action=M><button @>x</button></form>
<form action=M target=A method=post><button @>x</button></form>
<form action=U target=A><button @ formaction=M>x</button></form>
<form action=U target=A><button @ formaction=M formtarget=B>x</button></form>
<form action=U><input type=submit @ formaction=M formtarget=B></form>
<form action=U><input type=image @ formaction=M></form>
<form action=U id=f target=B></form><form target=A><button form=f @ formaction=M>x</button></form>
<form action=U><button type=bogus @ formaction=M>x</button></form>
<form action=U><button type=button @ formaction=U>x</button></form>
<form action=U><button type=reset @ formaction=U>x</button></form>
<form action=U><button command=close commandfor=f @ formaction=U>x</button></form>
<form action=U><button type=submit command=close commandfor=f @ formaction=M>x</button></form>
""".splitlines()
# The first valid one counts, and in Chromium the soonest: so they get later and later.
REFRESHES: Final = [
    "#;url=M", "#;M", "x", "#;url=javascript:U", "#;  URL = 'M'", "; U", "#,url='M' x",
]  # fmt: skip
POLICIES: Final = [
    "base-uri 'none'", "base-uri 'self'", "base-uri *", "base-uri http:", "base-uri https:",
    "base-uri localhost:*", "base-uri localhost:*/b/", "base-uri http://localhost:*/b",
    "base-uri *.localhost:*", "default-src * 'unsafe-inline'; BASE-URI", "base-uri 'none' 'self'",
    "img-src *",
    "base-uri ws:", "base-uri localhost:1",
]  # fmt: skip
# None is no URL: there Chromium leaves the standard, and resolves nothing relative any more.
BASES: Final = [
    "/b/",
    "/b/c/?q#f",
    "x/",
    "//127.0.0.1:PORT/e/",
    "data:,x",
    "javascript:x",
    "",
    "http://localhost:PORT/b",
]
REPORT: Final = """<script>
navigator.sendBeacon(location.origin + "/.report", JSON.stringify({page: PAGE,
  base: document.baseURI, hrefs: [...document.querySelectorAll("a[href], area[href]")]
    .map(a => a.href.baseVal === undefined ? a.href : null)}));
</script>"""
END: Final = """<iframe name=A></iframe><iframe name=B></iframe><iframe name=T></iframe>
<script>
addEventListener("load", () => setTimeout(() => {
  const clicked = document.querySelector("[data-clicked]");
  if (clicked) clicked.dispatchEvent(new MouseEvent("click", {bubbles: true, cancelable: true}));
}, 200));
</script>"""

TOKEN: Final = re.compile("[MU][0-9]+x[0-9]+")
AT_ONCE: Final = frozenset((LinkKind.RESOURCE, LinkKind.FRAME, LinkKind.REFRESH))
FOLLOWED: Final = frozenset((LinkKind.HYPERLINK, LinkKind.SUBMISSION, LinkKind.PING))
LOADED: Final = frozenset(("audio", "embed", "empty", "image", "object", "ran", "script", "style",
                           "track", "video"))  # fmt: skip


def made_up(number: int, port: int) -> str:
    """Return a page; the same for the same number."""
    chosen = random.Random(number)
    head = ["<!doctype html>"]
    for _ in range(chosen.choice((0, 0, 1, 2))):
        policy = chosen.choice(POLICIES)
        head.append(f'<meta http-equiv=Content-Security-Policy content="{policy}">')
    for _ in range(chosen.choice((0, 1, 1, 2))):
        href, target = chosen.choice(BASES), chosen.choice(("", "", " target=T"))
        head.append(f'<base href="{href}"{target}>')
    head[1:] = chosen.sample(head[1:], len(head) - 1)
    body = chosen.sample(PIECES, 9)
    if chosen.random() < 0.25:
        head += [
            f'<meta http-equiv=refresh content="{content.replace("#", str(at))}">'
            for at, content in enumerate(chosen.sample(REFRESHES, 3))
        ]
        head.append(REPORT)  # The page may be gone before its end.
    else:
        clicked = chosen.choice(ACTIVATED).replace("@", "data-clicked")
        body.insert(chosen.randrange(len(body)), clicked)
        body.append(REPORT)
    count = 0

    def token(found: re.Match[str]) -> str:
        nonlocal count
        count += 1
        return f"{chosen.choice(('', '../', '/r/', './'))}{found[0]}{number}x{count}"

    text = re.sub(r"(?<=[ ='])[MU](?=[ >',\"])", token, "\n".join(head + body))
    text = re.sub(r"(?<=[;])[MU](?=\")|(?<=javascript:)U|(?<=[/,])U(?=['\" ])", token, text)
    return (text + END).replace("PORT", str(port)).replace("PAGE", str(number))


class Expected:
    """A page, and what `links` says of it."""

    def __init__(self, source: str, number: int, port: int) -> None:
        self.source: Final = source
        found = page(source, f"http://localhost:{port}/d/page{number}", scripting=True, inert=True)
        self.base: Final = document_base_url(found.document).href
        self.hrefs: Final = {
            link.input if link.record is None else link.record.href
            for link in found.links
            if link.element in ("a", "area") and link.attribute == "href"
        }
        self.by_token: Final[dict[str, list[PageLink]]] = {}
        for link in found.links:
            for token in TOKEN.findall(link.input):
                self.by_token.setdefault(token, []).append(link)
        clicked = clicked_links(source, found.links)
        self._due: Final = {
            token: listed[0].element == "script"
            for token, listed in self.by_token.items()
            if token[0] == "M"
            and any(
                link.kind in AT_ONCE or (link in clicked and link.kind in FOLLOWED)
                for link in listed
                if not link.inert
            )
        }

    def missing(self, destinations: Mapping[str, set[str]]) -> list[str]:
        """Return the tokens that a browser must ask for, or run, and has not."""
        return [
            token
            for token, is_script in self._due.items()
            if not ("ran" in destinations.get(token, ()) if is_script else destinations.get(token))
        ]


def asked(seen: chromium.Seen) -> dict[str, set[str]]:
    """Return the destinations that each token was asked for as."""
    destinations: dict[str, set[str]] = {}
    for request in tuple(seen.requests):
        for token in TOKEN.findall(request.path):
            destinations.setdefault(token, set()).add(request.destination)
    return destinations


@pytest.mark.skipif(chromium.BROWSER is None, reason="no Chromium here: put one on the PATH")
def test_a_browser_does_what_links_says() -> None:
    """A page each, with a dozen attributes, a click or a refresh, policies and base elements."""
    count = int(os.environ.get("CHROMIUM_PAGES", "60"))
    with chromium.session() as session:
        pages = [
            Expected(made_up(number, session.port), number, session.port) for number in range(count)
        ]
        seen = session.show(
            [each.source for each in pages],
            lambda number, seen: number in seen.reports and not pages[number].missing(asked(seen)),
        )
    destinations = asked(seen)
    windows = {token: name for path, name in seen.arrivals for token in TOKEN.findall(path)}
    compared = 0
    problems: list[str] = []
    for number, shown_page in enumerate(pages):
        source = shown_page.source
        report = seen.reports[number]
        if report["base"] != shown_page.base:
            problems.append(f"the base is {report['base']}, not {shown_page.base}: {source}")
        shown = {href for href in report["hrefs"] if href is not None}
        problems += [f"{href} is no hyperlink: {source}" for href in shown - shown_page.hrefs]
        problems += [
            f"{token} was not asked for: {source}" for token in shown_page.missing(destinations)
        ]
        for token, listed in shown_page.by_token.items():
            asked_for = destinations.pop(token, set())
            counting = [link for link in listed if not link.inert]
            compared += bool(asked_for)
            may = frozenset().union(*map(allowed, counting))
            if listed[0].element == "script" and not counting:
                may = frozenset(("script",))  # Asked for by looking ahead, and not run.
            if not asked_for <= may:
                problems.append(f"{token} was asked for as {asked_for}, not {may}: {source}")
            for link in counting:
                window = windows.get(token) if link.kind in FOLLOWED else None
                if window not in (None, link.target or f"own{number}"):
                    problems.append(f"{token} was opened in {window}, not {link.target}: {source}")
    problems += [f"{token} is not listed" for token in destinations]
    assert problems == []
    assert compared > 3 * count


def allowed(link: PageLink) -> frozenset[str]:
    """Return the destinations that requests for a link of this kind can have."""
    if link.kind is LinkKind.RESOURCE:
        return LOADED
    if link.kind is LinkKind.PING:
        return frozenset(("ping",))
    is_followed = link.kind in (
        LinkKind.HYPERLINK, LinkKind.SUBMISSION, LinkKind.REFRESH, LinkKind.FRAME
    )  # fmt: skip
    return frozenset(("iframe",)) if is_followed else frozenset()


def clicked_links(source: str, found: tuple[PageLink, ...]) -> set[PageLink]:
    """Return the links of the element that is clicked, and of its form if it has no own address."""
    at = source.find("data-clicked")
    if at < 0:
        return set()
    line = source.count("\n", 0, at) + 1
    column = source.rfind("<", 0, at) - source.rfind("\n", 0, at)
    own = {link for link in found if (link.line, link.column) == (line, column)}
    if own or source[at - 1 : at + 13].endswith("data-clicked>") is False:
        return own
    forms = [link for link in found if link.element == "form" and link.line == line]
    return set(forms[-1:])
