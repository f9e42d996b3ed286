"""Tests of `weburl.URLPolicy`: the rules, and policies as values."""

from __future__ import annotations

import copy
import json
import pickle
import re
from typing import Any

import attrs
import pytest
from hypothesis import given
from hypothesis import strategies as st

import weburl
from tests.strategies import url_texts
from weburl import HostList, PolicyViolation, URLParseError, URLPolicy, URLPolicyError
from weburl.policies.addresses import ADDRESS_CLASSES
from weburl.policies.names import classes_of_name
from weburl.policies.policy import READY_POLICIES
from weburl.policies.violations import CODES

NETWORKS = ("0.0.0.0/0", "10.0.0.0/8", "10.1.0.0/16", "127.0.0.0/8", "::/0", "fd00::/8", "::1/128")


def codes(policy: URLPolicy, text: str, **options: Any) -> list[str]:
    """Return the codes of what a policy has against a URL."""
    return [violation.code for violation in policy.check(weburl.parse(text), **options)]


@pytest.mark.parametrize(
    ("rules", "bad", "code", "good"),
    [
        ({"schemes": ["HTTPS"]}, "http://h/", "scheme-not-allowed", "https://h/"),
        ({"ports": [443, 80]}, "https://h:8080/", "port-not-allowed", "https://h:80/"),
        ({"ports": [443]}, "http://h/", "port-not-allowed", "https://h/"),
        ({"ports": [443]}, "foo://h/", "port-not-allowed", "foo:x"),
        ({"credentials": False}, "https://u@h/", "credentials-not-allowed", "https://@h/"),
        ({"credentials": False}, "https://:p@h/", "credentials-not-allowed", "https://h/@"),
        ({"fragments": False}, "https://h/#", "fragment-not-allowed", "https://h/%23"),
        ({"max_length": 10}, "https://hh/", "too-long", "https://h/"),
        ({"hosts": ["h"]}, "https://i/", "host-not-allowed", "https://h/"),
        ({"hosts": ["h"]}, "mailto:h", "no-host", "foo://h"),
        ({"registrable_domains": ["a.com"]}, "file:///a.com", "no-host", "ftp://a.com"),
        ({"refused_hosts": ["h"]}, "https://h./", "host-refused", "https://i/"),
        ({"ip_hosts": False}, "https://1/", "ip-host", "https://a1/"),
        ({"ip_hosts": False}, "foo://1.1.1.1", "ip-host", "foo://a"),
        ({"ip_hosts": False}, "foo://a%20b", "host-not-understood", "foo:a b"),
        ({"ip_hosts": False}, "https://127.0.0.1../", "ip-host", "https://a../"),
        ({"address_classes": ["global"]}, "http://10.1/", "address-not-allowed", "http://8.8.8.8"),
        ({"address_classes": ["private"]}, "http://8.8.8.8", "address-not-allowed", "http://10.1"),
        ({"address_classes": ["global"]}, "data:,", "no-host", "http://intranet/"),
        ({"address_classes": ["global"]}, "http://a.localhost", "address-not-allowed", "http://a"),
        ({"address_classes": ["loopback"]}, "http://metadata", "address-not-allowed", "ws://[::1]"),
        ({"networks": ["10.0.0.0/8"]}, "http://11.0.0.1", "host-not-allowed", "http://10.9.9.9"),
        ({"networks": ["10.0.0.1"]}, "http://10.0.0.2", "host-not-allowed", "http://10.0.0.1"),
        ({"networks": ["10.0.0.0/8"]}, "http://[::ffff:a00:1]", "host-not-allowed", "http://a"),
        ({"networks": ["fd00::/8"]}, "http://10.0.0.1", "host-not-allowed", "http://[fd00::1]"),
        ({"networks": ["10.0.0.0/8"]}, "data:,", "no-host", "http://intranet/"),
        ({"networks": []}, "http://10.0.0.1", "host-not-allowed", "http://intranet/"),
        ({"single_labels": False}, "http://a.", "single-label", "http://a.b"),
        ({"special_use_names": False}, "http://a.local.", "special-use-name", "http://local.a"),
        ({"special_use_names": False}, "foo://a.ONION", "special-use-name", "foo://onion.a"),
        ({"public_suffixes": False}, "http://co.uk", "public-suffix", "http://a.co.uk"),
        ({"unknown_suffixes": False}, "http://a.svc", "unknown-suffix", "http://a.com"),
        (
            {"unresolvable_names": False},
            f"http://{'a' * 64}.com",
            "unresolvable-name",
            f"http://{'a' * 63}.com",
        ),
        ({"unresolvable_names": False}, "http://a..com", "unresolvable-name", "http://a.com."),
        ({"unresolvable_names": False}, "http://a.com..", "unresolvable-name", "http://1.1.1.1"),
        ({"unresolvable_names": False}, "http://.a.com", "unresolvable-name", "mailto:a..b"),
        (
            {"unresolvable_names": False},
            f"foo://{'ab.' * 84}com",
            "unresolvable-name",
            f"foo://{'a.' * 125}com",
        ),
        ({"leading_hyphens": False}, "ssh://-oProxyCommand=x", "leading-hyphen", "ssh://a-b"),
        ({"leading_hyphens": False}, "ssh://%2Dl@h", "leading-hyphen", "ssh://l-@h:22/-x"),
        ({"leading_hyphens": False}, "https://-a.com/", "leading-hyphen", "mailto:-a@b.com"),
        ({"not_like": ["a.com"]}, "http://á.com", "look-alike", "http://b.a.com"),
        ({"not_like": ["bc.com"]}, "foo://bc.com.evil.example", "look-alike", "mailto:x"),
        ({"not_like": ["bc.com"]}, "foo://a%20b", "host-not-understood", "foo://evil.example"),
    ],
)
def test_a_rule_refuses_what_breaks_it(
    rules: dict[str, Any], bad: str, code: str, good: str
) -> None:
    """With its own code and nothing else; and without the rule everything is allowed."""
    policy = URLPolicy(**rules)
    assert codes(policy, good) == []
    assert policy.allows(weburl.parse(good))
    assert codes(policy, bad) == [code]
    assert not policy.allows(weburl.parse(bad))
    assert URLPolicy().allows(weburl.parse(bad))


def test_agreement_is_asked_of_the_text_as_it_was_written() -> None:
    """The record is the same, but others would read another host."""
    policy = URLPolicy(require_agreement=True)
    text = "http://127.0.0.1\\@1.1.1.1/"
    assert codes(policy, text) == []
    assert codes(policy, text, written=text) == ["readers-disagree"]
    (violation,) = policy.check(weburl.parse(text), written=text)
    assert "urllib.parse: http://1.1.1.1:80" in violation.message
    with pytest.raises(URLPolicyError, match=r"Programs do not agree"):
        policy.parse(text)
    assert policy.parse("/x", "https://example.com/").href == "https://example.com/x"


@pytest.mark.parametrize(
    "text", ["hallo", "1", "127.1", "localhost", "127.0.0.1:8000", "redis:6379", "[::1]"]
)
def test_what_a_form_makes_of_a_slip_is_refused_by_name(text: str) -> None:
    """A public link is none of these, and may well hold letters and blanks."""
    policy = URLPolicy.public_link()
    assert set(codes(policy, f"https://{text}/")) <= {
        "single-label",
        "address-not-allowed",
        "special-use-name",
        "port-not-allowed",
    }
    assert codes(policy, f"https://{text}/")
    assert codes(policy, "https://bücher.example/ä b") == []


@pytest.mark.parametrize(
    "policy", [URLPolicy.public_link(), URLPolicy.webhook(), URLPolicy.image()]
)
def test_a_host_of_the_ready_policies_can_be_found(policy: URLPolicy) -> None:
    """What no resolver finds is not on the public Internet, and HTTP clients may raise for it."""
    assert codes(policy, "https://co.uk/") == ["public-suffix"]
    assert "unresolvable-name" in codes(policy, f"https://{'a' * 64}.com/")
    assert codes(policy, f"https://{'a' * 63}.com/") == []


def test_every_violation_has_a_sentence_and_a_part() -> None:
    """In the order of a URL's parts; no password is shown."""
    policy = URLPolicy.webhook().narrowed(
        hosts=["a.com"], fragments=False, refused_hosts=["1.1.1.1"]
    )
    found = policy.check(weburl.parse("ftp://user:secret@10.0.0.1:70000"[:-1] + "/#x"))
    assert [violation.part for violation in found] == [
        "scheme",
        "credentials",
        "host",
        "host",
        "host",
        "port",
        "fragment",
    ]
    for violation in found:
        assert violation.message.endswith(".")
        assert str(violation) == violation.message
        assert "secret" not in repr(violation) + violation.message
    assert found[4].message == (
        "The host '10.0.0.1' is an address of a kind that is not allowed (private), only: global."
    )


def test_every_code_has_a_sentence_of_its_own() -> None:
    """The codes are a promise: they are stored and translated."""
    assert CODES == (
        "scheme-not-allowed",
        "too-long",
        "credentials-not-allowed",
        "leading-hyphen",
        "fragment-not-allowed",
        "no-host",
        "host-not-understood",
        "host-not-allowed",
        "host-refused",
        "ip-host",
        "address-not-allowed",
        "single-label",
        "special-use-name",
        "public-suffix",
        "unknown-suffix",
        "unresolvable-name",
        "look-alike",
        "port-not-allowed",
        "readers-disagree",
        "no-address",
        "no-pattern-matches",
    )
    assert len({PolicyViolation(code).message for code in CODES}) == len(CODES)


def test_a_long_host_is_quoted_in_part() -> None:
    """A sentence is for reading."""
    record = weburl.parse("https://" + "a" * 1_000_000)
    for violation in URLPolicy.webhook().narrowed(hosts=["x.com"]).check(record):
        assert len(violation.message) < 400


def test_parse_gives_a_record_or_the_reason() -> None:
    """An error of the policy is not one of the parser."""
    policy = URLPolicy.public_link()
    assert policy.parse("HTTPS://Example.com").href == "https://example.com/"
    with pytest.raises(URLPolicyError, match="no dot") as caught:
        policy.parse("https://hallo/")
    assert [violation.code for violation in caught.value.violations] == ["single-label"]
    assert pickle.loads(pickle.dumps(caught.value)).violations == caught.value.violations
    with pytest.raises(URLParseError):
        policy.parse("https://")


# --- policies as values ------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("arguments", "error"),
    [
        ({"schemes": ["https:"]}, ValueError),
        ({"schemes": [5]}, TypeError),
        ({"schemes": ["ſ"]}, ValueError),
        ({"ports": [65536]}, ValueError),
        ({"ports": ["80"]}, TypeError),
        ({"ports": [True]}, TypeError),
        ({"hosts": [5]}, TypeError),
        ({"hosts": [b"a.example"]}, TypeError),
        ({"registrable_domains": [None]}, TypeError),
        ({"patterns": [None]}, TypeError),
        ({"address_classes": [None]}, TypeError),
        ({"max_length": 0}, ValueError),
        ({"max_length": "5"}, TypeError),
        ({"credentials": None}, TypeError),
        ({"address_classes": ["public"]}, ValueError),
        ({"address_classes": "global"}, TypeError),
        ({"and_also": [URLPolicy()]}, TypeError),
        ({"and_also": (URLPolicy(ports=[1]),)}, ValueError),
        ({"scheme": ["https"]}, TypeError),
    ],
)
def test_arguments_that_make_no_sense_are_refused(
    arguments: dict[str, Any], error: type[Exception]
) -> None:
    """When the policy is made, not when it is asked."""
    with pytest.raises(error):
        URLPolicy(**arguments)


names = st.sampled_from(["a.com", "b.a.com", "*.a.com", "*.b.a.com", "co.uk", "1.1.1.1", "x"])
lists_of_hosts = st.none() | st.lists(names, max_size=3)
policies = st.builds(
    URLPolicy,
    schemes=st.none() | st.lists(st.sampled_from(["http", "https", "foo"]), max_size=2),
    hosts=lists_of_hosts,
    registrable_domains=st.none() | st.lists(st.sampled_from(["a.com", "a.co.uk"]), max_size=2),
    refused_hosts=st.lists(names, max_size=2),
    ports=st.none() | st.lists(st.sampled_from([80, 443, 1]), max_size=2),
    credentials=st.booleans(),
    fragments=st.booleans(),
    max_length=st.none() | st.integers(1, 40),
    ip_hosts=st.booleans(),
    address_classes=st.none() | st.lists(st.sampled_from(ADDRESS_CLASSES), max_size=3),
    networks=st.none() | st.lists(st.sampled_from(NETWORKS), max_size=3),
    single_labels=st.booleans(),
    special_use_names=st.booleans(),
    public_suffixes=st.booleans(),
    unknown_suffixes=st.booleans(),
    unresolvable_names=st.booleans(),
    leading_hyphens=st.booleans(),
    not_like=st.lists(st.sampled_from(["a.com", "á.com", "x.com"]), max_size=2),
)
urls = st.builds(
    "{}://{}{}{}/{}".format,
    st.sampled_from(["http", "https", "foo"]),
    st.sampled_from(["", "", "u@"]),
    st.sampled_from(
        ["a.com", "á.com", "b.a.com", "c.b.a.com", "x", "1.1.1.1", "10.0.0.1", "co.uk", "y.svc"]
    ),
    st.sampled_from(["", ":1", ":80"]),
    st.sampled_from(["", "#", "p" * 30]),
)


@given(policies, policies, urls)
def test_both_allow_what_each_allows(first: URLPolicy, second: URLPolicy, text: str) -> None:
    """And nothing else; `allows` says what `check` says."""
    record = weburl.parse(text)
    both = first & second
    assert both.allows(record) is (first.allows(record) and second.allows(record))
    assert both.allows(record) is (both.check(record) == ())


@given(policies, policies, policies)
def test_combining_is_an_algebra(first: URLPolicy, second: URLPolicy, third: URLPolicy) -> None:
    """The order does not matter, nor does saying it twice; no rule at all changes nothing."""
    assert first & second == second & first
    assert hash(first & second) == hash(second & first)
    assert (first & second) & third == first & (second & third)
    assert first & first == first
    assert first & URLPolicy() == first


@given(policies, policies)
def test_a_policy_is_a_value_that_its_repr_gives(first: URLPolicy, second: URLPolicy) -> None:
    """It can be copied, pickled, and written as code, in a migration too."""
    policy = first & second
    assert eval(repr(policy), {"URLPolicy": URLPolicy}) == policy
    assert pickle.loads(pickle.dumps(policy)) == policy == copy.deepcopy(policy)
    path, args, kwargs = policy.deconstruct()
    assert (path, args) == ("weburl.URLPolicy", ())
    assert URLPolicy(**kwargs) == policy
    with pytest.raises(attrs.exceptions.FrozenInstanceError):
        policy.ports = None  # type: ignore[misc]


def test_a_policy_is_printed_with_the_rules_it_has() -> None:
    """And no others."""
    assert repr(URLPolicy()) == "URLPolicy()"
    assert repr(URLPolicy(schemes=["https"], ports=(443,), ip_hosts=False)) == (
        "URLPolicy(schemes=('https',), ports=(443,), ip_hosts=False)"
    )


def test_a_policy_is_narrowed_or_has_rules_replaced() -> None:
    """The first never allows more."""
    webhook = URLPolicy.webhook()
    assert webhook.narrowed(ports=[443, 80]).ports == (443,)
    assert webhook.narrowed(ports=[80]).ports == ()
    assert webhook.replaced(ports=[80]).ports == (80,)
    assert webhook.narrowed(ip_hosts=True) == webhook
    with pytest.raises(TypeError):
        webhook & 5  # type: ignore[operator]


def test_one_s_own_sites_are_named() -> None:
    """At least one."""
    policy = URLPolicy.own_sites("example.com", "*.example.com")
    for text, expected in (
        ("https://example.com/", True),
        ("http://a.example.com/", True),
        ("https://example.com:8080/", False),
        ("https://u@example.com/", False),
        ("https://example.org/", False),
        ("ftp://example.com/", False),
    ):
        assert policy.allows(weburl.parse(text)) is expected
    with pytest.raises(ValueError, match="at least one"):
        URLPolicy.own_sites()


@given(url_texts)
def test_any_url_is_judged(text: str) -> None:
    """Nothing is raised, and what is allowed has no violation, whatever it is made of."""
    try:
        record = weburl.parse(text, "http://base.example/")
    except URLParseError:
        return
    for policy in (URLPolicy.public_link(), URLPolicy.webhook(), URLPolicy.image()):
        assert policy.allows(record, written=text) is (policy.check(record, written=text) == ())
    assert URLPolicy().allows(record)


A_MILLION_HOSTS = {
    "a label": "a" * 1_000_000,
    "labels": "a." * 500_000,
    "dots": "." * 1_000_000,
    "dots behind an address": "127.0.0.1" + "." * 1_000_000,
    "a long name in a private network": "a." * 500_000 + "local",
    "an opaque host": "%41" * 333_333,
    "unknown suffixes": "xn--a." * 160_000 + "zz",
}


@pytest.mark.parametrize("host", A_MILLION_HOSTS.values(), ids=A_MILLION_HOSTS.keys())
def test_a_megabyte_of_host_is_judged(host: str) -> None:
    """By every rule, and with messages that stay short; in linear time, by which this test ends."""
    policy = URLPolicy(
        hosts=["*.example.com"],
        registrable_domains=["example.com"],
        refused_hosts=["a.example", "*.b.example"],
        ip_hosts=False,
        address_classes=["global"],
        single_labels=False,
        special_use_names=False,
        public_suffixes=False,
        unknown_suffixes=False,
        unresolvable_names=False,
        not_like=["example.com"],
        require_agreement=True,
    )
    for scheme in ("https", "foo"):
        try:
            record = weburl.parse(f"{scheme}://{host}/")
        except URLParseError:
            assert scheme == "https"
            continue
        found = policy.check(record)
        assert "host-not-allowed" in [violation.code for violation in found]
        assert all(len(violation.message) < 500 for violation in found)


def test_a_server_may_fetch_from_its_own_network() -> None:
    """Names may have no dot, ports are free; the metadata service is never meant."""
    policy = URLPolicy.internal(
        networks=["10.1.0.0/16", "169.254.0.0/16"], names=["wiki", "*.svc.cluster.local"]
    )
    assert codes(policy, "http://wiki:8080/") == []
    assert codes(policy, "https://a.svc.cluster.local/") == []
    assert codes(policy, "https://example.com/") == ["host-not-allowed"]
    assert codes(policy, "https://u@wiki/") == ["credentials-not-allowed"]
    assert codes(policy, "ftp://wiki/") == ["scheme-not-allowed"]
    assert weburl.check_addresses(policy, ["10.1.2.3", "10.1.2.4"]) == ()
    for addresses in (["10.2.0.1"], ["10.1.2.3", "8.8.8.8"], ["::1"], ["::ffff:10.1.2.3"], []):
        assert weburl.check_addresses(policy, addresses)
    found = weburl.check_addresses(policy, ["169.254.169.254"])
    assert [each.code for each in found] == ["address-not-allowed"]
    anything = URLPolicy.internal(networks=["10.1.0.0/16"])
    assert codes(anything, "http://10.1.0.1/") == []
    with pytest.raises(ValueError, match="at least one network"):
        URLPolicy.internal(networks=[])


def test_networks_of_two_policies_have_addresses_in_common() -> None:
    """The narrower of two that overlap, in either order."""
    first = URLPolicy(networks=["10.0.0.0/8", "fd00::/8", "192.168.0.0/16"])
    second = URLPolicy(networks=["10.1.0.0/16", "fc00::/7", "172.16.0.0/12"])
    assert first & second == second & first == URLPolicy(networks=["10.1.0.0/16", "fd00::/8"])
    assert first & URLPolicy() == first
    assert URLPolicy(networks=["10.0.0.0/8"]) & URLPolicy(networks=["fd00::/8"]) == URLPolicy(
        networks=[]
    )


@pytest.mark.parametrize("networks", ["10.0.0.0/8", [10], ["10.0.0.1/8"], ["x" * 1000], ["::/129"]])
def test_what_is_not_a_network_is_refused(networks: Any) -> None:
    """Also one with bits after its length, which would be a mistake."""
    with pytest.raises((TypeError, ValueError)):
        URLPolicy(networks=networks)


def test_a_list_in_a_message_has_only_whole_items() -> None:
    """All classes of addresses, and as many of a hundred hosts as people read."""
    (first, *_rest) = URLPolicy.internal(networks=["127.0.0.0/8"]).check(
        weburl.parse("http://169.254.169.254/")
    )
    assert first.allowed == (
        "global, private, loopback, link-local, carrier-grade, multicast, documentation, "
        "unspecified, reserved"
    )
    hosts = [f"host{number}.example" for number in range(100, 200)]
    (found,) = URLPolicy(hosts=hosts).check(weburl.parse("https://other.example/"))
    *named, last = found.allowed.split(", ")
    assert (named, last) == (hosts[: len(named)], "…")
    assert 150 < len(found.allowed) <= 205
    long = "a" * 60 + "." + "b" * 60 + ".example"
    (found,) = URLPolicy(hosts=[long]).check(weburl.parse("https://other.example/"))
    assert len(found.allowed) < len(long)


@pytest.mark.parametrize("name", READY_POLICIES)
def test_single_labels_are_switched_on_alone(name: str) -> None:
    """Nothing else refuses a name without a dot, and the rules for other names stay."""
    policy = getattr(URLPolicy, name)().replaced(single_labels=True)
    for url in ("https://gotify/", "https://gotify./a"):
        assert policy.check(url) == ()
    for url in (
        "https://x.nosuchsuffix/",
        "https://co.uk/",
        "https://a.local/",
        "https://1.1.1.1/",
    ):
        assert policy.allows(url) is getattr(URLPolicy, name)().allows(url)


@pytest.mark.parametrize(
    "url",
    [
        "http://gotify/",
        "http://nas:8096/web",
        "http://localhost:8000/",
        "https://app/",
        "http://192.168.1.2/",
        "http://10.0.0.1:81/",
        "http://[fd00::1]/",
        "http://100.101.102.103/",
        "http://printer.local/",
        "https://cloud.home.arpa/",
        "https://example.com/",
        "http://127.0.0.1:8080/",
    ],
)
def test_people_who_host_themselves_reach_their_own_network(url: str) -> None:
    """By an address, by a name with a dot and without one, and on any port."""
    assert URLPolicy.self_hosted().check(url) == ()


@pytest.mark.parametrize(
    ("url", "code"),
    [
        ("http://169.254.169.254/latest/meta-data/", "address-not-allowed"),
        ("http://0xa9fea9fe/", "address-not-allowed"),
        ("http://[::ffff:169.254.169.254]/", "address-not-allowed"),
        ("http://[64:ff9b::a9fe:a9fe]/", "address-not-allowed"),
        ("http://[fd00:ec2::254]/", "address-not-allowed"),
        ("http://100.100.100.200/", "address-not-allowed"),
        ("http://168.63.129.16/", "address-not-allowed"),
        ("http://metadata/", "address-not-allowed"),
        ("http://metadata.google.internal./", "address-not-allowed"),
        ("http://169.254.1.1/", "address-not-allowed"),
        ("http://[fe80::1]/", "address-not-allowed"),
        ("http://0.0.0.0/", "address-not-allowed"),
        ("http://224.0.0.1/", "address-not-allowed"),
        ("http://a@nas/", "credentials-not-allowed"),
        ("ftp://nas/", "scheme-not-allowed"),
        ("javascript:alert(1)", "scheme-not-allowed"),
    ],
)
def test_people_who_host_themselves_never_reach_metadata(url: str, code: str) -> None:
    """In any spelling; nor link-local addresses, nor what a page must not link to."""
    assert code in [each.code for each in URLPolicy.self_hosted().check(url)]


def test_addresses_of_a_name_are_checked_for_people_who_host_themselves() -> None:
    """A name may lead to the own network, and never to metadata."""
    policy = URLPolicy.self_hosted()
    assert weburl.check_addresses(policy, ["192.168.0.7", "127.0.0.1"]) == ()
    assert weburl.check_addresses(policy, ["192.168.0.7", "169.254.169.254"])


def test_a_policy_as_json() -> None:
    """The names are the arguments, and a ready policy can be the start."""
    text = """{
        "from": "public_link", "refused_hosts": [".evil.example"], "ports": [443],
        "patterns": ["https://*/*", {"pathname": "/a"}]
    }"""
    wanted = URLPolicy.public_link().replaced(
        refused_hosts=[".evil.example"],
        ports=[443],
        patterns=["https://*/*", {"pathname": "/a"}],
    )
    assert URLPolicy.from_json(text) == wanted
    assert URLPolicy.from_json('{"schemes": ["https"]}') == URLPolicy(schemes=["https"])
    many = [f"h{number}.example" for number in range(2000)]
    policy = URLPolicy.from_json(f'{{"refused_hosts": {json.dumps(many)}}}')
    assert policy == URLPolicy(refused_hosts=HostList(many))


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "not JSON"),
        ("[]", "not a JSON object"),
        ("[" * 100_000, "too many brackets"),
        ('{"scheme": ["https"]}', "no option 'scheme': it is one of schemes, hosts"),
        ('{"ports": [80], "ports": [443]}', "twice"),
        ('{"from": "links"}', "no ready policy 'links': they are public_link, webhook"),
        ('{"from": ["public_link"]}', "no ready policy"),
        ('{"from": null}', "no ready policy None"),
        ("{}", "no rules, so every URL would be allowed"),
        ('{"credentials": true}', "no rules"),
        ('{"and_also": []}', "no option 'and_also'"),
        ('{"schemes": ["not a scheme"]}', "not a scheme"),
    ],
)
def test_json_that_is_not_a_policy(text: str, message: str) -> None:
    """The message says what is wrong."""
    with pytest.raises(ValueError, match=re.escape(message)):
        URLPolicy.from_json(text)
    with pytest.raises(TypeError):
        URLPolicy.from_json(None)  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ('{"schemes": "https"}', "schemes must be an iterable of schemes, not one string"),
        ('{"ports": 80}', "ports must be an iterable of ports, not int"),
        ('{"refused_hosts": null}', "refused_hosts must be an iterable of hosts, not NoneType"),
        ('{"credentials": 0}', "credentials must be True or False, not int"),
    ],
)
def test_a_rule_of_the_wrong_type_is_named(text: str, message: str) -> None:
    """The message has the name of the argument and its type."""
    with pytest.raises(TypeError) as refused:
        URLPolicy.from_json(text)
    assert str(refused.value) == message


def test_each_violation_is_about_its_part() -> None:
    """The part of each code, as the reference of the rules lists them."""
    parts = {
        "url": ("too-long", "readers-disagree", "no-pattern-matches"),
        "scheme": ("scheme-not-allowed",),
        "credentials": ("credentials-not-allowed",),
        "port": ("port-not-allowed",),
        "fragment": ("fragment-not-allowed",),
    }
    by_code = {code: part for part, codes in parts.items() for code in codes}
    assert by_code.keys() < set(CODES)
    for code in CODES:
        assert weburl.PolicyViolation(code).part == by_code.get(code, "host"), code


@pytest.mark.parametrize(
    ("name", "classes"),
    [
        *((name, {"loopback"}) for name in ("localhost", "ip6-localhost", "ip6-loopback")),
        *((name, {"loopback"}) for name in ("localhost4", "localhost6", "localdomain")),
        *((name, {"loopback"}) for name in ("localdomain4", "localdomain6", "loopback")),
        *((name, {"metadata"}) for name in ("instance-data", "instance-data.ec2.internal")),
        *((name, {"metadata"}) for name in ("kubernetes.default", "kubernetes.default.svc")),
        *((name, {"metadata"}) for name in ("metadata", "metadata.azure.com", "metadata.goog")),
        *((name, {"metadata"}) for name in ("metadata.google.internal", "metadata.packet.net")),
        ("metadata.platformequinix.com", {"metadata"}),
        ("metadata.tencentyun.com", {"metadata"}),
        ("a.metadata.goog", {"metadata"}),
        ("metadata.example", set()),
    ],
)
def test_a_listed_name_has_its_class(name: str, classes: set[str]) -> None:
    """With and without dots at its ends."""
    for text in (name, f"{name}."):
        assert classes_of_name(text) == classes
