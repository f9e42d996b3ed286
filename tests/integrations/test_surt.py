"""Compares our SURTs with PyPI's `surt` package, run as a program and never read: it is AGPL."""

from __future__ import annotations

import json
import subprocess
import sys

import pytest

from tests.corpus import corpus
from weburl import URLParseError, parse
from weburl.keys import surt

pytest.importorskip("surt")

# Where the keys differ, and why. All else must be equal.
DIFFERENT = {
    "https://a.example/b\\c": "a backslash separates segments in a browser",
    "https://fa\u00df.de/": "the package maps \u00df to ss, by IDNA 2003",
    "http://0x7f000001/?b": "the package leaves hexadecimal addresses as they are written",
    "https://a.example/..": "the package keeps dots that nothing is left for",
    "https://a.example/%2e%2e/a": "the same, written with percent-encoding",
}
EQUAL = [
    "http://www1.Example.com:80/A/?Q=1&b&a=2&a",
    "https://example.com/a;jsessionid=0123456789abcdef0123456789abcdef?x",
    "https://example.com/?x=1&PHPSESSID=0123456789ABCDEF0123456789ABCDEF",
    "https://example.com/?cfid=1&cftoken=2&b&cfid=1&cftoken=2",
    "https://example.com/(0123456789abcdef01234567)/y/x.aspx",
    "http://127.0.0.1:8080/%2525/%25%34%31/%zz?c%23d%3f",
    "http://[2001:db8::1]/",
    "http://2130706433/?&b=+ %20",
]


def theirs(urls: list[str]) -> list[str]:
    """Return the keys of the package, which runs in its own process."""
    code = (
        "import json, sys, surt\n"
        "json.dump([surt.surt(url) for url in json.load(sys.stdin)], sys.stdout)"
    )
    done = subprocess.run(
        [sys.executable, "-c", code],
        input=json.dumps(urls),
        capture_output=True,
        text=True,
        check=True,
    )
    answers: list[str] = json.loads(done.stdout)
    return answers


def test_the_known_differences_are_all_there_are() -> None:
    """All differences are deliberate, because we read URLs as a browser does."""
    urls = [*DIFFERENT, *EQUAL]
    different = {url for url, key in zip(urls, theirs(urls), strict=True) if surt(url) != key}
    assert different == set(DIFFERENT)


def test_links_of_the_corpus_have_the_same_keys() -> None:
    """Links that parse and have no backslash give the same bytes."""
    links: list[str] = []
    for link in corpus():
        try:
            record = parse(link)
        except URLParseError:
            continue
        if record.scheme in ("http", "https") and "\\" not in link and link.isprintable():
            links.append(link)
    assert len(links) > 40_000
    pairs = list(zip(map(surt, links), theirs(links), links, strict=True))
    assert [pair for pair in pairs if pair[0] != pair[1]] == []
