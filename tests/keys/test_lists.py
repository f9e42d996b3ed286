"""Tests of `weburl.keys.lists`: small lists of our own, in the formats of others."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

import pytest

from weburl.keys import (
    KeyRules,
    ParamList,
    linear_pattern,
    params_from_adblock,
    params_from_brave,
    params_from_clearurls,
    url_key,
)


def _key(found: ParamList, url: str) -> str:
    return url_key(url, KeyRules(drop_params=found.rules))


def test_a_catalog_of_clearurls_becomes_rules() -> None:
    """Providers of one domain, of a name with any suffix, and of every URL."""
    start = r"^https?:\/\/(?:[a-z0-9-]+\.)*?"
    catalog: dict[str, Any] = {
        "providers": {
            "all": {
                "urlPattern": ".*",
                "rules": ["trk", "from_[a-z]+"],
                "exceptions": [start + r"bank\.example\/login", start + r"pay(?:\.[a-z]{2,}){1,}"],
            },
            "one": {"urlPattern": start + r"shop\.example", "rules": ["ref"], "rawRules": ["/x"]},
            "any": {"urlPattern": start + r"news(?:\.[a-z]{2,}){1,}", "rules": ["src"]},
            "path": {"urlPattern": start + r"a\.example\/b", "rules": ["c"]},
            "odd": {"urlPattern": ".*", "rules": ["d"], "exceptions": ["login"]},
            "slow": {"urlPattern": ".*", "rules": ["(a+)+b"]},
            "none": {"urlPattern": ".*", "referralMarketing": ["tag"]},
        }
    }
    found = params_from_clearurls(json.dumps(catalog))
    assert _key(found, "https://a.b/?TRK=1&from_x=2&id=3&tag=4") == "https://a.b/?id=3&tag=4"
    for host in ("bank.example", "www.pay.co.uk"):
        assert _key(found, f"https://{host}/?trk=1") == f"https://{host}/?trk=1"
    assert _key(found, "https://x.shop.example/?ref=1&src=2") == "https://x.shop.example/?src=2"
    assert _key(found, "https://news.co.uk/?ref=1&src=2") == "https://news.co.uk/?ref=1"
    assert _key(found, "https://a.example/b?c&d&aab") == "https://a.example/b?c&d&aab"
    assert [each.partition(":")[0] for each in found.left_out] == [
        "'one'",
        "'path'",
        "'odd'",
        "'(a+)+b'",
    ]


def test_a_list_of_brave_becomes_rules() -> None:
    """What excludes a part of a site is left out, and so is what includes one."""
    entries = [
        {"include": ["*://*/*"], "exclude": ["*://*.bank.example/*"], "params": ["trk"]},
        {"include": ["*://www.shop.example/*", "*://a.b/c/*"], "exclude": [], "params": ["ref"]},
        {"include": ["*://x.y/*"], "exclude": ["*://x.y/z*"], "params": ["q"]},
    ]
    found = params_from_brave(json.dumps(entries))
    assert _key(found, "https://a.b/c/?trk&ref&q") == "https://a.b/c/?ref&q"
    assert _key(found, "https://bank.example/?trk") == "https://bank.example/?trk"
    assert _key(found, "https://shop.example/?ref&q") == "https://shop.example/?q"
    assert _key(found, "https://x.y/?q") == "https://x.y/?q"
    assert len(found.rules) == len(found.left_out) == 2


@pytest.mark.parametrize(
    ("filters", "url", "key"),
    [
        ("$removeparam=a", "https://b.c/?a&d", "https://b.c/?d"),
        ("*$queryprune=a", "https://b.c/?a&d", "https://b.c/?d"),
        ("$removeparam=a", "https://b.c/?A", "https://b.c/?A"),
        ("||b.c^$removeparam=a", "https://x.b.c/?a&d", "https://x.b.c/?d"),
        ("||b.c^$removeparam=a", "https://xb.c/?a", "https://xb.c/?a"),
        ("$removeparam=/^u_[a-z]+=/", "https://b.c/?u_x=1&u_&d", "https://b.c/?u_&d"),
        ("$removeparam=/^u_[a-z]+=/i", "https://b.c/?U_X=1&d", "https://b.c/?d"),
        ("$removeparam=a\n@@||b.c^$removeparam=a", "https://b.c/?a", "https://b.c/?a"),
        ("$removeparam=a\n@@||b.c/x/*$removeparam=a", "https://b.c/?a", "https://b.c/?a"),
        ("$removeparam=a\n@@||b.c^$removeparam", "https://b.c/?a", "https://b.c/?a"),
        ("$removeparam=a\n@@||b.c^$removeparam=e", "https://b.c/?a&d", "https://b.c/?a&d"),
        ("$removeparam=/^a=/\n@@||b.c^$removeparam=a", "https://b.c/?a=1", "https://b.c/?a=1"),
    ],
)
def test_filters_that_remove_params_become_rules(filters: str, url: str, key: str) -> None:
    """By name or regex, for all sites or one, with exceptions."""
    found = params_from_adblock(f"! removeparam in a comment\n||ads.example^\n{filters}\r\n")
    assert found.left_out == ()
    assert _key(found, url) == key


@pytest.mark.parametrize(
    "line",
    [
        "$removeparam",
        "$removeparam=~a",
        "$removeparam=a,domain=b.c",
        "$xhr,removeparam=a",
        "||b.c/d$removeparam=a",
        "||b.*^$removeparam=a",
        "$removeparam=/a/",
        "$removeparam=/^a=1=/",
        "$removeparam=/^(a+)+=/",
        "$removeparam=/^a=/x",
        "@@/b/$removeparam=a",
    ],
)
def test_a_filter_that_does_not_fit_is_left_out(line: str) -> None:
    """With its text and a reason."""
    found = params_from_adblock(line)
    assert found.rules == ()
    assert len(found.left_out) == 1
    assert found.left_out[0].startswith(f"{line!r}: ")


@pytest.mark.parametrize("read", [params_from_clearurls, params_from_brave])
@pytest.mark.parametrize(
    "text",
    [
        *("", "{", "1", "null", '{"providers": 1}', '{"providers": {"a": 1}}', "[1]"),
        *('[{"params": "a"}]', '{"providers": {"a": {"rules": [1]}}}', "[" * 1_000_000),
    ],
    ids=lambda text: text[:20] if isinstance(text, str) else None,
)
def test_what_is_not_a_list_is_refused(read: Callable[[str], ParamList], text: str) -> None:
    """With ValueError, whatever the JSON is."""
    with pytest.raises(ValueError, match=r"."):
        read(text)


@pytest.mark.parametrize("read", [params_from_clearurls, params_from_brave, params_from_adblock])
def test_a_list_is_text(read: Callable[[Any], ParamList]) -> None:
    """Bytes raise TypeError."""
    with pytest.raises(TypeError):
        read(b"[]")


@pytest.mark.parametrize(
    "pattern",
    [
        *("(a+)+", "(a|a)*", "(?:a*)*b", "a*a*b", "a+.*b", ".*.*", "(a)(b)", r"(a)\1", "(?=a)b"),
        *("(?i)a", "a{1,99}b{1,99}", "a?b?c?d?e", "[a", "a**", "a*+", "a{1000}", "(a", "a)", "\\"),
        *(
            "(?P<n>a)",
            "(?<=a)b",
            "(a*|b)c*",
            "(a|b*)c*",
            "a" * 201,
            "\u00e9",
            "a\nb",
            "(?#x)a",
            "x(?:a|b)*c",
        ),
    ],
)
def test_a_pattern_that_may_take_long_is_refused(pattern: str) -> None:
    """Nested and adjacent repetitions, references, lookarounds, flags and what is not a regex."""
    with pytest.raises(ValueError, match="pattern"):
        linear_pattern(pattern)


@pytest.mark.parametrize(
    "pattern", ["a*b", ".*b", "[ab]+c", "a?b?c?d*e", "x(?:a|b)c*", "(?:a*|b)c", "a*|a*b|a*c"]
)
def test_a_pattern_that_is_taken_is_linear(pattern: str) -> None:
    """A megabyte that fails at its end takes milliseconds."""
    compiled = linear_pattern(pattern)
    assert compiled.fullmatch("a" * 1_000_000 + "!") is None


def test_hostile_patterns_in_lists() -> None:
    """Those that could take long are left out of all lists, and the others are linear."""
    hostile = ["(a+)+", "(a|a)*b", "a*a*b", "(?:a*)*b"]
    providers = {"x": {"urlPattern": ".*", "rules": [*hostile, "a*b", "[a-z]*1"]}}
    catalog = params_from_clearurls(json.dumps({"providers": providers}))
    filters = params_from_adblock(
        "\n".join(f"$removeparam=/^{each}=/" for each in [*hostile, "a*b"])
    )
    brave = params_from_brave(json.dumps([{"include": ["*://*/*"], "params": hostile}]))
    assert [len(each.left_out) for each in (catalog, filters, brave)] == [4, 4, 0]
    assert [rule.patterns for rule in catalog.rules] == [("a*b", "[a-z]*1")]
    assert [rule.patterns for rule in filters.rules] == [("a*b",)]
    for found in (catalog, filters, brave):  # the names of Brave's lists are not patterns
        long = "https://b.example/?" + "a" * 1_000_000
        assert _key(found, long) == long
    assert _key(brave, "https://b.example/?(a%2B)%2B&aa") == "https://b.example/?aa"


def test_a_long_list_takes_linear_time() -> None:
    """Many filters with many exceptions, and a provider with many of both."""
    lines = [f"$removeparam=/^a{at}[0-9]+=/\n$removeparam=b{at}" for at in range(5_000)]
    lines += [
        f"@@||a{at}.example^$removeparam\n||c{at}.example^$removeparam=d" for at in range(5_000)
    ]
    lines += ["||" + "a." * 500_000 + "b^$removeparam=a", "@@||" + "a." * 500_000 + "b$removeparam"]
    found = params_from_adblock("\n".join(lines))
    assert len(found.rules) == 5_001
    assert len(found.left_out) == 2
    assert _key(found, "https://a1.example/?b1") == "https://a1.example/?b1"
    assert _key(found, "https://c1.example/?b1&a12&d&e") == "https://c1.example/?e"


def test_a_filter_for_a_site_with_an_exception_is_left_out() -> None:
    """For the site, for a part of it, and for what it is in; other sites keep theirs."""
    for site in ("b.c.example", "c.example", "a.b.c.example"):
        found = params_from_adblock(f"||b.c.example^$removeparam=a\n@@||{site}^$removeparam=x")
        assert (found.rules, len(found.left_out)) == ((), 1)
    found = params_from_adblock("||b.c.example^$removeparam=a\n@@||d.c.example^$removeparam=x")
    assert (len(found.rules), found.left_out) == (1, ())


@pytest.mark.parametrize("provider", ["1", '{"rules": 1}', '{"rules": ["a"], "exceptions": [1]}'])
def test_a_wrong_provider_is_named_shortly_and_without_a_password(provider: str) -> None:
    """Its name may be any text."""
    name = "https://u:secret@example.com/" + "a" * 100_000
    with pytest.raises(ValueError, match=r"the provider 'https://\*\*\*") as caught:
        params_from_clearurls(f'{{"providers": {{"{name}": {provider}}}}}')
    assert "secret" not in str(caught.value)
    assert len(str(caught.value)) < 200


def test_what_is_left_out_is_said_without_a_password() -> None:
    """Someone may show it, as any message."""
    for found in (
        params_from_adblock("https://u:secret@example.com/$removeparam=a"),
        params_from_clearurls('{"providers": {"//u:secret@h": {"rules": ["a"]}}}'),
    ):
        assert len(found.left_out) == 1
        assert "secret" not in repr(found)
