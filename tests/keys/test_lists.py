"""Tests of `weburl.keys.lists`: small lists of our own, in the format of ClearURLs."""

from __future__ import annotations

import json
from typing import Any

import pytest

from weburl.keys import (
    KeyRules,
    ParamList,
    linear_pattern,
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


def test_exceptions_of_every_shape_are_read_or_named() -> None:
    """Some domains, a scheme that is not http, params that no rule names, and a path."""
    start = r"^https?:\/\/(?:[a-z0-9-]+\.)*?"
    exceptions = [
        start + r"(?:a\.example|b\.example)",
        start + r"c\.(?:example|test)[^?]*\?.*?&?ref_?=.",
        r"^https?:\/\/[^/]+/[^/]+\/-\/refs\/switch[^?]*\?.*?&?ref_?=.",
        r"^https?:\/\/git(lab)?\.[^/]*\/[^?]+\?.*?&?ref_?=[^/?&]*",
        r"^wss?:\/\/(?:[a-z0-9-]+\.)*?d\.example",
        r"^https?:\/\/([a-z0-9-\.])*(chat|drive)\.e\.example\/x",
        r"^https?:\/\/(?:docs|accounts)\.f(?:\.[a-z]{2,}){1,}",
        r"^https?:\/\/like.g\.example\/api",
        r"^https?:\/\/news\.h\.example.*\?hl=.",
    ]
    provider = {
        "urlPattern": ".*",
        "rules": ["(?:%3F)?utm(?:_[a-z_]*)?", "(?:%3F)?fbclid"],
        "exceptions": exceptions,
        "redirections": [start + r"a\.example\/r\?u=([^&]+)"],
    }
    complete = {"urlPattern": start + r"ads\.(?:example|test)", "completeProvider": True}
    catalog = {"providers": {"all": provider, "ads": complete}}
    found = params_from_clearurls(json.dumps(catalog))
    assert _key(found, "https://x.example/?utm_source=1&utm=2&FBCLID=3&id=4") == (
        "https://x.example/?id=4"
    )
    for host in ("x.a.example", "b.example", "c.test", "drive.e.example", "docs.f.co.uk"):
        assert _key(found, f"https://{host}/?utm=1") == f"https://{host}/?utm=1"
    assert [each.rpartition("': ")[2] for each in found.left_out] == [
        "redirections lead to other URLs",
        "the exception is for parameters that no rule names",
        "the exception is for parameters that no rule names",
        "the exception is not for http and https",
        "completeProvider refuses whole URLs",
    ]
    provider["rules"] = ["ref"]
    found = params_from_clearurls(json.dumps({"providers": {"all": provider}}))
    assert (found.rules, len(found.left_out)) == ((), 2)


@pytest.mark.parametrize(
    "text",
    [
        *("", "{", "1", "null", '{"providers": 1}', '{"providers": {"a": 1}}', "[1]"),
        *('{"providers": {"a": {"rules": [1]}}}', "[" * 1_000_000),
    ],
    ids=lambda text: text[:20] if isinstance(text, str) else None,
)
def test_what_is_not_a_list_is_refused(text: str) -> None:
    """With ValueError, whatever the JSON is."""
    with pytest.raises(ValueError, match=r"."):
        params_from_clearurls(text)


@pytest.mark.parametrize(
    "pattern",
    [
        *("(a+)+", "(a|a)*", "(?:a*)*b", "a*a*b", "a+.*b", ".*.*", "(?:a*)(b*)", r"(a)\1"),
        "(?=a)b",
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
            "(a|b)" * 7,
            "(a)?" * 50,
        ),
    ],
)
def test_a_pattern_that_may_take_long_is_refused(pattern: str) -> None:
    """Nested and adjacent repetitions, references, lookarounds, flags and what is not a regex."""
    with pytest.raises(ValueError, match="pattern"):
        linear_pattern(pattern)


@pytest.mark.parametrize(
    "pattern",
    [
        "a*b",
        ".*b",
        "[ab]+c",
        "a?b?c?d*e",
        "x(?:a|b)c*",
        "(?:a*|b)c",
        "a*|a*b|a*c",
        "(?:%3F)?b(?:_a*)?",
    ],
)
def test_a_pattern_that_is_taken_is_linear(pattern: str) -> None:
    """A megabyte that fails at its end takes milliseconds."""
    compiled = linear_pattern(pattern)
    assert compiled.fullmatch("a" * 1_000_000 + "!") is None


def test_hostile_patterns_in_lists() -> None:
    """Those that could take long are left out, and the others are linear."""
    hostile = ["(a+)+", "(a|a)*b", "a*a*b", "(?:a*)*b"]
    providers = {"x": {"urlPattern": ".*", "rules": [*hostile, "a*b", "[a-z]*1"]}}
    catalog = params_from_clearurls(json.dumps({"providers": providers}))
    assert len(catalog.left_out) == 4
    assert [rule.patterns for rule in catalog.rules] == [("a*b", "[a-z]*1")]
    long = "https://b.example/?" + "a" * 1_000_000
    assert _key(catalog, long) == long


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
    found = params_from_clearurls('{"providers": {"//u:secret@h": {"rules": ["a"]}}}')
    assert len(found.left_out) == 1
    assert "secret" not in repr(found)
