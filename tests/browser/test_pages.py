"""Pages as a browser resolves them and as `weburl.html` does: encodings, `base`, `srcset`, forms.

`tests/html/test_in_chromium.py` shows which links count; here it is what each of them resolves to.
"""

from __future__ import annotations

import random
from typing import Any, Final

from playwright.sync_api import Page, Route

from weburl.html import document_base_url
from weburl.html import page as parsed_page

ENCODINGS: Final = (
    "utf-8", "windows-1252", "iso-8859-2", "koi8-r", "windows-1251", "shift_jis", "euc-jp",
    "iso-2022-jp", "gbk", "gb18030", "big5", "euc-kr", "iso-8859-7", "windows-1255", "macintosh",
)  # fmt: skip
_BASES: Final = (
    "", "<base href='/b/'>", "<base href='c/é?q'>", "<base href='//other.example/d/e'>",
    "<base target=x><base href='?q'><base href='/not/'>", "<base href='http:../f/'>",
    "<base href='data:,x'>", "<base href=' \n/g/ '>",
)  # fmt: skip
_PIECES: Final = (
    "a", "/", "../", "?", "?", "#", "é", "я", "漢字", "ñ", "€", "あ", "한", "א", "&amp;", "&#233;",
    "&#x1f600;",
    "%", "%41", " ", "\t", "\\", ":", "//h/", "b=c", "<", "+", "ß", "&copy", "~",
)  # fmt: skip
_READ: Final = """() => {
  const of = (selector, name) => [...document.querySelectorAll(selector)].map(e => e[name]);
  return {
    base: document.baseURI, encoding: document.characterSet,
    a: of('a', 'href'), area: of('area', 'href'), form: of('form', 'action'),
    button: of('button', 'formAction'), img: of('img.src', 'src'), set: of('img.set', 'currentSrc'),
    link: of('link', 'href'), script: of('script', 'src'), iframe: of('iframe', 'src'),
    q: of('q', 'cite'), object: of('object', 'data'), input: of('input', 'src'),
  };
}"""


def made_up(chance: random.Random) -> tuple[str, bytes]:
    """Return a page's encoding and its bytes."""
    encoding = chance.choice(ENCODINGS)

    def url() -> str:
        return "".join(chance.choices(_PIECES, k=chance.randrange(1, 7))).replace("'", "")

    def action() -> str:
        # A blank one is the page's own URL, and so it is to Chromium's `action` of blanks.
        return url().strip() or "f"

    def candidate() -> str:
        text = url().translate({ord(c): None for c in " \t,"}).strip(",") or "x"
        return f"s/{text}z"

    body = "".join(
        f"<a href='{url()}'>x</a><area href='{url()}'><form action='{action()}'>"
        f"<button formaction='{action()}'></button></form><img class=src src='{url()}'>"
        f"<img class=set srcset='{candidate()} 1x'><link rel=next href='{url()}'>"
        f"<script type=x src='{url()}'></script><q cite='{url()}'></q>"
        f"<input type=image src='{url()}'>"
        for _ in range(3)
    )
    html = f"<!doctype html><meta charset={encoding}>{chance.choice(_BASES)}{body}"
    codec = {"macintosh": "mac_roman"}.get(encoding, encoding)
    return encoding, html.encode(codec, "xmlcharrefreplace")


def resolved(body: bytes, url: str) -> dict[str, Any]:
    """Return what `weburl.html` resolves the same attributes to."""
    found = parsed_page(body, url, scripting=True)
    said: dict[str, Any] = {"base": document_base_url(found.document).href}
    for link in found.links:
        if link.element == "base":
            continue
        name = "set" if link.attribute == "srcset" else link.element
        href = link.record.href if link.record is not None else None
        said.setdefault(name, []).append(href)
    return said


def test_a_browser_resolves_what_weburl_html_does(page: Page) -> None:
    """Random pages, in many encodings, each on a base; queries are in the page's encoding."""
    chance = random.Random(17)
    url = "http://example.com/dir/page?x"
    bodies: list[bytes] = []

    def answer(route: Route) -> None:
        if route.request.is_navigation_request() and route.request.url == url:
            route.fulfill(content_type="text/html", body=bodies[-1])
        else:
            route.fulfill(content_type="text/plain", body="")

    page.route("**/*", answer)
    compared = not_ascii = 0
    for _ in range(150):
        encoding, body = made_up(chance)
        bodies.append(body)
        page.goto(url, wait_until="load")
        theirs, ours = page.evaluate(_READ), resolved(body, url)
        assert theirs.pop("encoding").lower() == encoding
        assert theirs.pop("base") == ours.pop("base"), body
        for name, hrefs in ours.items():
            assert len(hrefs) == len(theirs[name]), (name, body)
            for our, their in zip(hrefs, theirs[name], strict=True):
                if our is not None:
                    assert our == their, (name, encoding, body)
                    compared += 1
                    not_ascii += encoding != "utf-8" and "?" in our and "%" in our.partition("?")[2]
    assert compared > 3000
    assert not_ascii > 300


def test_chromium_reads_a_base_in_utf_8(page: Page) -> None:
    """Where it leaves the standard, which takes the page's encoding for the base element, too."""
    body = "<!doctype html><meta charset=koi8-r><base href='/b?я'><a href='#c'></a>"
    url = "http://example.com/"
    page.route(
        "**/*", lambda route: route.fulfill(body=body.encode("koi8-r"), content_type="text/html")
    )
    page.goto(url)
    assert page.evaluate("document.baseURI") == "http://example.com/b?%D1%8F"
    found = parsed_page(body.encode("koi8-r"), url)
    assert document_base_url(found.document).href == "http://example.com/b?%D1"
