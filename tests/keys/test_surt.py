"""Tests of `weburl.keys.surt`: the keys of web archives."""

from __future__ import annotations

import pytest

from weburl import URLParseError, parse
from weburl.keys import surt

ID = "0123456789ABCDEF0123456789abcdef"


@pytest.mark.parametrize(
    ("url", "archive", "careful"),
    [
        ("http://www.Example.com/", "com,example)/", "com,example)/"),
        ("https://www2.example.com/A/?", "com,example)/a", "com,example)/A"),
        ("http://www.com/a", "com)/a", "com,www)/a"),
        ("http://www2.co.uk./", "uk,co)/", "uk,co,www2)/"),
        ("http://www.shop.co.uk/", "uk,co,shop)/", "uk,co,shop)/"),
        ("http://www.www.ck/", "ck,www)/", "ck,www)/"),
        ("http://www..a.b/", "b,a)/", "b,a,,www)/"),
        ("http://www/", "www)/", "www)/"),
        ("http://wwww.example.com./", "com,example,wwww)/", "com,example,wwww)/"),
        ("http://me:pw@example.com:8080/#x", "com,example:8080)/", "com,example:8080)/"),
        ("http://example.com:443/", "com,example:443)/", "com,example:443)/"),
        ("http://example.com/a//b", "com,example)/a/b", "com,example)/a//b"),
        ("http://e.com/a%2Fb%3Fc", "com,e)/a/b?c", "com,e)/a%2Fb%3Fc"),
        ("http://e.com/%2525/%zz", "com,e)/%25/%25zz", "com,e)/%2525/%zz"),
        ("http://e.com/?B=1&a=2&a", "com,e)/?a&a=2&b=1", "com,e)/?B=1&a&a=2"),
        (f"http://e.com/?xsid={ID}&x", "com,e)/?xx", f"com,e)/?x&xsid={ID}"),
        (f"http://e.com/?a&sid={ID}", "com,e)/?&a", "com,e)/?a"),
        (f"http://e.com/?PHPSESSID={ID}", "com,e)/", "com,e)/"),
        ("http://e.com/?cfid=1&cftoken=2&a", "com,e)/?a", "com,e)/?a&cfid=1&cftoken=2"),
        ("http://e.com/(S(abcdefghijklmnopqrstuvwx))/b.aspx", "com,e)/b.aspx", "com,e)/b.aspx"),
        ("http://127.0.0.1/a", "1,0,0,127)/a", "127.0.0.1)/a"),
        ("http://[::1]/a", "::1)/a", "[::1])/a"),
        (
            "http://bücher.example/é",
            "example,xn--bcher-kva)/%c3%a9",
            "example,xn--bcher-kva)/%C3%A9",
        ),
        ("mailto:A@b.c#x", "mailto:A@b.c", "mailto:A@b.c"),
    ],
)
def test_each_profile_gives_its_key(url: str, archive: str, careful: str) -> None:
    """The careful one keeps apart what the archive's mistakes make equal."""
    assert surt(url) == surt(parse(url), profile="archive") == archive
    assert surt(url, profile="careful") == careful


def test_wrong_arguments_are_refused() -> None:
    """Another profile, and text that is not a URL."""
    with pytest.raises(ValueError, match="'archive' or 'careful'"):
        surt("https://a/", profile="other")  # type: ignore[arg-type]
    with pytest.raises(URLParseError):
        surt("https://a b/")


@pytest.mark.nightly
@pytest.mark.parametrize(
    "url",
    [
        "https://a/?" + "b=1&" * 1_000_000,
        "https://a/?" + "cfid=" * 200_000,
        "https://a/?" + "sid=" * 250_000,
        "https://a/" + "%25" * 300_000,
        "https://a" + "/(" * 500_000,
    ],
    ids=["pairs", "cfid", "sid", "percent", "parentheses"],
)
def test_a_megabyte_takes_linear_time(url: str) -> None:
    """Of whatever shape."""
    assert surt(url).startswith("a)/")
    assert surt(url, profile="careful").startswith("a)/")
