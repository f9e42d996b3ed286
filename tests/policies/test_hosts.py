"""Tests of `weburl.policies.hosts`: which hosts a rule means."""

from __future__ import annotations

import re
from typing import Any

import pytest

import weburl
from weburl import HostList, URLPolicy
from weburl.public_suffix import parse_list, using_list


def allows(policy: URLPolicy, *texts: str) -> list[bool]:
    """Return for each text whether the policy allows its URL."""
    return [policy.allows(weburl.parse(text)) for text in texts]


def test_a_name_means_that_host_alone() -> None:
    """In any spelling of the rule and of the URL, but with the dot at the end it is another."""
    policy = URLPolicy(hosts=["EXAMPLE.com", "Bücher.example", "0x7f.1", "[0::1]"])
    assert policy.hosts == ("127.0.0.1", "[::1]", "example.com", "xn--bcher-kva.example")
    assert all(
        allows(policy, "http://ex%61mple.com/", "ftp://EXAMPLE.com:1/", "http://BÜCHER.example/")
    )
    assert all(allows(policy, "http://127.1/", "http://[::1]:80/", "foo://example.com/"))
    assert not any(
        allows(
            policy,
            "http://example.com./",
            "http://example.com../",
            "http://127.0.0.1../",
            "http://www.example.com/",
            "http://example.com.evil.example/",
            "http://[::ffff:127.0.0.2]/",
            "foo://ex%61mple.com/",
            "mailto:x@example.com",
            "file:///example.com",
        )
    )


_SPELLINGS = ("1.2.3.4", "[::ffff:1.2.3.4]", "[::1.2.3.4]")


@pytest.mark.parametrize("rule", _SPELLINGS)
@pytest.mark.parametrize("host", _SPELLINGS)
def test_the_spellings_of_an_ipv4_address_are_one_address(rule: str, host: str) -> None:
    """Plain, mapped and compatible: in rules and in URLs, in lists of both kinds."""
    for hosts in ([rule], HostList([rule])):
        assert URLPolicy(hosts=hosts).allows(f"http://{host}/")
        assert not URLPolicy(hosts=hosts).allows("http://[64:ff9b::1.2.3.4]/")
        assert not URLPolicy(refused_hosts=hosts).allows(f"http://{host}/")
        assert not URLPolicy(refused_hosts=hosts).allows("http://[64:ff9b::1.2.3.4]/")
    assert host in HostList([rule])
    assert "[::1]" in HostList(["[::1]"])
    assert "0.0.0.1" not in HostList(["[::1]"])


def test_a_star_means_what_lies_below() -> None:
    """At any depth, and not the name itself."""
    policy = URLPolicy(hosts=["*.example.com"])
    assert all(allows(policy, "http://a.example.com/", "http://a.b.example.com/"))
    assert not any(
        allows(
            policy,
            "http://example.com/",
            "http://.example.com/",
            "http://badexample.com/",
            "http://a.example.com./",
            "http://a.example.com.evil.example/",
        )
    )


def test_a_registrable_domain_means_itself_and_what_lies_below_but_for_others_sites() -> None:
    """By the list in use."""
    policy = URLPolicy(registrable_domains=["example.co.uk"])
    assert all(allows(policy, "http://example.co.uk/", "http://a.b.example.co.uk/"))
    assert not any(allows(policy, "http://co.uk/", "http://other.co.uk/", "http://1.2.3.4/"))
    with using_list(parse_list("uk\nexample.co.uk")):
        assert not any(allows(policy, "http://a.example.co.uk/", "http://example.co.uk/"))


def test_hosts_and_registrable_domains_together_mean_either() -> None:
    """A host that one of the lists names is allowed."""
    policy = URLPolicy(hosts=["a.example"], registrable_domains=["example.com"])
    assert all(allows(policy, "http://a.example/", "http://x.example.com/"))
    assert not any(allows(policy, "http://b.example/"))


def test_what_is_refused_is_refused_in_every_disguise() -> None:
    """With dots at its ends; an address also where it is within another."""
    policy = URLPolicy(refused_hosts=["evil.example", "*.bad.example", "10.0.0.1"])
    assert not any(
        allows(
            policy,
            "http://evil.example/",
            "http://EVIL.example./",
            "http://evil.example../",
            "http://.evil.example/",
            "http://a.bad.example/",
            "http://a.bad.example./",
            "http://10.1/",
            "http://10.0.0.1../",
            "http://[::ffff:10.0.0.1]/",
            "http://[64:ff9b::10.0.0.1]/",
            "foo://evil.example/",
            "foo://EVIL%2Eexample/",
            "foo://10.0.0.1/",
        )
    )
    assert all(allows(policy, "http://bad.example/", "http://10.0.0.2/", "mailto:x@y"))
    dotted = URLPolicy(refused_hosts=["evil.example."])
    assert not any(allows(dotted, "http://evil.example/", "http://evil.example./"))


BELOW = ("https://evil.example/", "https://www.evil.example/", "https://a.b.EVIL.example./")


@pytest.mark.parametrize(
    "rule",
    [".evil.example", ".EVIL.example", ".evil.example.", ".ev%69l.example", ".\uff45vil.example"],
)
def test_a_dot_at_the_start_means_the_host_and_all_below(rule: str) -> None:
    """As in Django's ALLOWED_HOSTS, in whatever spelling."""
    refusing = URLPolicy(refused_hosts=[rule])
    assert not any(allows(refusing, *BELOW))
    assert all(allows(refusing, "https://evil.example.org/", "https://notevil.example/"))
    allowing = URLPolicy(hosts=[".evil.example"])
    assert all(allows(allowing, *BELOW[:2]))
    assert not any(allows(allowing, "https://notevil.example/", "https://example/"))


def test_other_rules_mean_what_they_meant() -> None:
    """One host, or only those below."""
    exact = URLPolicy(refused_hosts=["evil.example"])
    assert allows(exact, *BELOW[:2]) == [False, True]
    below = URLPolicy(refused_hosts=["*.evil.example"])
    assert allows(below, *BELOW[:2]) == [True, False]


def test_registrable_domains_are_refused_with_all_below() -> None:
    """In every disguise, and together with others."""
    policy = URLPolicy(refused_registrable_domains=["evil.example", "b\u00fccher.de"])
    assert policy.refused_registrable_domains == ("evil.example", "xn--bcher-kva.de")
    assert not any(allows(policy, *BELOW, "foo://x.EVIL%2Eexample", "https://a.xn--bcher-kva.de"))
    assert all(allows(policy, "https://example/", "https://notevil.example/", "mailto:x@y"))
    both = policy & URLPolicy(refused_registrable_domains=["bad.example"], refused_hosts=["c.d"])
    assert not any(allows(both, *BELOW, "https://x.bad.example/", "https://c.d"))
    path, _, given = policy.deconstruct()
    assert path == "weburl.URLPolicy"
    assert URLPolicy(**given) == policy


@pytest.mark.parametrize("name", ["registrable_domains", "refused_registrable_domains"])
@pytest.mark.parametrize(
    ("rule", "reason"),
    [
        ("www.example.com", "of 'www.example.com' is 'example.com'"),
        ("co.uk", "no one can register 'co.uk'"),
        ("github.io", "no one can register"),
        ("localhost", "no one can register"),
        (".example.com", "write 'example.com'"),
        ("*.example.com", "write 'example.com'"),
        ("0x7f.1", "'127.0.0.1' is an address"),
        ("[::1]", "is an address"),
    ],
)
def test_a_domain_that_is_that_of_no_host_is_no_rule(name: str, rule: str, reason: str) -> None:
    """It could match no URL, and a rule that refuses would refuse nothing."""
    with pytest.raises(ValueError, match=f"^{name}: .*{re.escape(reason)}"):
        URLPolicy(**{name: [rule]})  # type: ignore[arg-type]


@pytest.mark.parametrize(
    "rule",
    [
        *("", "*", "*.", ".", "..", "a b", "https://example.com", "example.com/", "a:80"),
        "*.*.com",
        *("a*b", "a.*.com", "..example.com", "*..example.com", "::1", "user@example.com", "a?b"),
    ],
)
def test_what_is_no_host_is_no_rule(rule: str) -> None:
    """The error names the argument."""
    for name in ("hosts", "refused_hosts", "registrable_domains", "refused_registrable_domains"):
        with pytest.raises(ValueError, match=name):
            URLPolicy(**{name: [rule]})  # type: ignore[arg-type]


def test_a_long_rule_is_quoted_in_part() -> None:
    """An error is for reading."""
    with pytest.raises(ValueError, match="not a host") as caught:
        URLPolicy(hosts=["a b" * 100_000])
    assert len(str(caught.value)) < 400


@pytest.mark.parametrize(
    "name",
    ["hosts", "refused_hosts", "registrable_domains", "refused_registrable_domains", "schemes"],
)
def test_one_string_is_no_list(name: str) -> None:
    """Its letters would be taken for hosts."""
    arguments: Any = {name: "example.com"}
    with pytest.raises(TypeError, match=name):
        URLPolicy(**arguments)


def test_nothing_lies_below_an_address_and_none_is_registrable() -> None:
    """They have no labels."""
    for arguments in (
        {"hosts": ["*.127.0.0.1"]},
        {"refused_hosts": [".0x7f.1"]},
        {"registrable_domains": ["127.0.0.1"]},
    ):
        with pytest.raises(ValueError, match="address"):
            URLPolicy(**arguments)  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("host", "suffix", "known"),
    [
        ("co.uk", True, True),
        ("com", True, True),
        ("example.co.uk", False, True),
        ("github.io", True, True),
        ("x.github.io", False, True),
        ("www.ck", False, True),
        ("foo.ck", True, True),
        ("x.foo.ck", False, True),
        ("x.nosuchsuffix", False, False),
        ("nosuchsuffix", False, True),
        ("nosuchsuffix.", False, True),
        ("co.uk.", True, True),
        ("x.nosuchsuffix.", False, False),
        ("a..com", False, False),
        ("x.example", False, True),
        ("x.test", False, False),
    ],
)
def test_suffixes_come_from_the_public_suffix_list(host: str, suffix: bool, known: bool) -> None:
    """Names for documents aside; an empty label can be registered nowhere.

    A name without a dot that the list does not have is left to `single_labels`.
    """
    record = weburl.parse(f"https://{host}/")
    assert URLPolicy(public_suffixes=False).allows(record) is not suffix
    assert URLPolicy(unknown_suffixes=False).allows(record) is known


def test_a_rule_that_is_no_domain_shows_no_password() -> None:
    """In none of the branches."""
    for rule in ("*.u:S3cr3t@h", ".u:S3cr3t@h.example", "u:S3cr3t@h", "u:S3cr3t@h.example:1"):
        for name in (
            "hosts",
            "registrable_domains",
            "refused_hosts",
            "refused_registrable_domains",
        ):
            arguments: Any = {name: [rule]}
            with pytest.raises(ValueError, match=name) as caught:
                URLPolicy(**arguments)
            assert "S3cr3t" not in str(caught.value)
