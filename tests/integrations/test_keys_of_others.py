"""The table of docs/keys.md, with rules that give the results of other libraries."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

import pytest

from weburl import canonicalize
from weburl.keys import TRACKING_PARAMS, KeyRules, url_key

CLEAN: Final = KeyRules(drop_params=[each.rule for each in TRACKING_PARAMS], sort_params=True)
SORTED: Final = KeyRules(drop_fragment=True, sort_params=True, drop_empty_query=True)
URLS: Final = (
    "https://example.com/a?utm_source=x&b=1&a=2",
    "http://www.example.com/a/?b=2&a=1#top",
    "https://example.com/index.html",
    "https://example.com/a%2Fb?q=%FC",
    "https://example.com/?flag&q=a+b",
    "https://example.com/a/../b",
    "https://example.com/?b=2&a=2&a=1",
)


def _key(rules: KeyRules) -> Callable[[str], str]:
    return lambda url: url_key(url, rules)


def _without_scheme(url: str) -> str:
    """Return the key of "crawl" as ural writes it, without the scheme and the root's slash."""
    text = url_key(url, KeyRules.crawl()).partition("://")[2]
    return text.replace("/?", "?").removesuffix("/")


# Module, function, ours, and the URLs for which they differ: with theirs and ours.
FUNCTIONS: Final[list[tuple[str, str, Callable[[str], str], dict[str, tuple[str, str]]]]] = [
    (
        "w3lib.url",
        "canonicalize_url",
        _key(SORTED),
        {
            "https://example.com/?flag&q=a+b": (
                "https://example.com/?flag=&q=a+b",
                "https://example.com/?flag&q=a+b",
            ),
            "https://example.com/?b=2&a=2&a=1": (
                "https://example.com/?a=1&a=2&b=2",
                "https://example.com/?a=2&a=1&b=2",
            ),
            "https://example.com:443/%7Ea%c3%a9": (
                "https://example.com:443/~a%C3%A9",
                "https://example.com/%7Ea%c3%a9",
            ),
        },
    ),
    (
        "courlan",
        "clean_url",
        _key(CLEAN),
        {
            "https://example.com/a%2Fb?q=%FC": (
                "https://example.com/a%2Fb?q=%EF%BF%BD",
                "https://example.com/a%2Fb?q=%FC",
            ),
            "https://example.com/?flag&q=a+b": (
                "https://example.com/?q=a+b",
                "https://example.com/?flag&q=a+b",
            ),
            "https://example.com/a/../b": (
                "https://example.com/a/../b",
                "https://example.com/b",
            ),
        },
    ),
    (
        "turbohtml.extract",
        "clean_url",
        _key(CLEAN),
        {
            "https://example.com/?b=2&a=2&a=1": (
                "https://example.com/?a=1&a=2&b=2",
                "https://example.com/?a=2&a=1&b=2",
            ),
        },
    ),
    (
        "ural",
        "normalize_url",
        _without_scheme,
        {
            "https://example.com/a%2Fb?q=%FC": (
                "example.com/a/b?q=\ufffd",
                "example.com/a%2Fb?q=%FC",
            ),
            "https://example.com/?b=2&a=2&a=1": (
                "example.com?a=1&a=2&b=2",
                "example.com?a=2&a=1&b=2",
            ),
        },
    ),
    ("url_normalize", "url_normalize", canonicalize, {}),
]


@pytest.mark.parametrize(("module", "name", "ours", "differs"), FUNCTIONS)
def test_rules_give_the_same_as_another_library(
    module: str,
    name: str,
    ours: Callable[[str], str],
    differs: dict[str, tuple[str, str]],
) -> None:
    """Only the named URLs differ, as the table says."""
    theirs = getattr(pytest.importorskip(module), name)
    for url in {*URLS, *differs}:
        assert (theirs(url), ours(url)) == differs.get(url, (ours(url), ours(url)))
