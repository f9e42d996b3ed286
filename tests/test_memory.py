"""Memory stays within twenty times the input: what took more, once, each with its function.

What cannot stay within that is named in `docs/trust.md` with its bound.
"""

from __future__ import annotations

import tracemalloc
from collections.abc import Callable

import pytest

import weburl
from weburl import URLParseError, parse

SIZE = 200_000
MOST = 20


def render(text: str) -> str:
    """Return a URL as it is shown."""
    return weburl.render(parse(text))


def refused(text: str) -> str:
    """Return the error of a text that does not parse."""
    with pytest.raises(URLParseError) as caught:
        parse(text)
    assert caught.value.type == "domain-to-ASCII"
    return str(caught.value)


CASES: dict[str, tuple[Callable[[str], object], str]] = {
    "letters from right to left, encoded": (render, "https://h/" + "%D7%90" * (SIZE // 6)),
    "words from right to left, encoded": (render, "https://h/" + "aa%D7%90/" * (SIZE // 9)),
    "encoded letters of ASCII": (render, "https://h/" + "%41" * (SIZE // 3)),
    "encoded bytes of no UTF-8": (render, "https://h/" + "%E9" * (SIZE // 3)),
    "a letter outside the BMP, and much else": (render, "https://h/%F0%A0%80%80" + "a" * SIZE),
    "labels": (render, "https://" + "ab." * (SIZE // 3) + "com"),
    "shown as HTML": (lambda text: weburl.render_html(parse(text)), "https://h/" + "'" * SIZE),
    "letters and slashes": (parse, "https://h/" + "\u00e9/" * (SIZE // 3)),
    "letters and tabs": (parse, "https://h/" + "ab\t" * (SIZE // 3)),
    "encoded bytes in a host": (parse, "https://" + "%61" * (SIZE // 3)),
    "percent signs in a host": (weburl.can_parse, "https://" + "%" * SIZE),
    "a Cyrillic label": (parse, "https://" + "\u0434" * (SIZE // 10)),
    "an encoded Cyrillic label": (parse, "https://" + "%D0%B4" * (SIZE // 10)),
    "letters that are mapped to spaces": (refused, "https://" + "\ufdfa" * (SIZE // 3)),
    "encoded letters that are mapped to spaces": (refused, "https://" + "%EF%B7%BA" * (SIZE // 9)),
    "controls": (parse, "https://h/" + "\0" * SIZE),
    "what an encoding lacks": (
        lambda text: parse(text, encoding="iso-2022-jp"),
        "https://h/?" + "\u05d0" * (SIZE // 2),
    ),
    "errors": (weburl.check, "https://h/" + "<a\t" * (SIZE // 3)),
    "an error that is shown": (lambda text: str(weburl.check(text)), "https://" + "a:" * SIZE),
}


@pytest.mark.parametrize("name", CASES)
def test_memory_is_at_most_twenty_times_the_input(name: str) -> None:
    """All of what is allocated at once, the result included."""
    run, text = CASES[name]
    try:  # What is loaded at first use does not count.
        run(text[:100])
        render("https://b\u00fccher.example/%D7%90")
    except URLParseError:
        pass
    tracemalloc.start()
    try:
        run(text)
        peak = tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()
    assert peak <= MOST * len(text.encode()), peak / len(text.encode())
