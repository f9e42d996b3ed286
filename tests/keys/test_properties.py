"""Properties of keys, for rules and URLs that are drawn."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any
from urllib.parse import quote_from_bytes

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.corpus import THOROUGH, corpus
from weburl import COMPILED, canonicalize, parse
from weburl.keys import RULE_NAMES, KeyRules, ParamRule, surt, url_key
from weburl.keys.rules import key_of_href, plan_by
from weburl.public_suffix import packaged_list
from weburl.standard.infra.percent_encoding import percent_decode


def _parses(url: str) -> bool:
    try:
        parse(url)
    except ValueError:
        return False
    return True


_PIECES = st.sampled_from(
    [
        *("a", "index.html", "INDEX.htm", "..", "%2e", "", ";jsessionid=1", "..;jsessionid=1"),
        *("(S(a))", "(S(a)b(c))", "%2F", "A", "x;sid=2;v", ";sid=1;si", "%69ndex.html"),
        *("%7E", "%%37e", "%eb%", "..%3Bsid=1", ";%73id=1", "%25"),
    ]
)
_PAIRS = st.sampled_from(
    [
        *("", "a", "a=", "=", "b=1", "utm_x=%FC", "%75tm_x", "si=1", "B", "\u00e9", "%", "b=0"),
        *("+=", "b=%7e", "%62=%eb", "c=%%37E", "d=%25%2d"),
    ]
)
_HOSTS = st.sampled_from(
    [
        "a.b",
        "www.a.b",
        "www.www.a.b.",
        "www.com.",
        "www.www.co.uk",
        "www..a.b",
        "WWW.",
        "[::1]",
        "1.2.3.4",
        "a.b..",
        "youtu.be",
        ".",
        "..",
    ]
)
_URLS = st.builds(
    "{}://{}{}{}/{}{}{}".format,
    st.sampled_from(["http", "https", "HTTP", "ftp", "odd"]),
    st.sampled_from(["", "me@", "me:pw@"]),
    _HOSTS,
    st.sampled_from(["", ":80", ":443", ":8080"]),
    st.lists(_PIECES, max_size=4).map("/".join),
    st.lists(_PAIRS, max_size=4).map("&".join).flatmap(lambda q: st.sampled_from(["", f"?{q}"])),
    st.sampled_from(["", "#", "#x", "#!/x", "#/x:~:text=a", "#:~:text=a", "#:~:!"]),
).filter(_parses)
_PARAMS = st.sampled_from(
    [
        (),
        ("a",),
        ("b", "", "\u00e9"),
        (ParamRule(("si",), prefixes=("utm_",), sites=("youtu.be",)),),
    ]
)
_FLAGS = (
    "drop_fragment",
    "keep_text_directives",
    "drop_credentials",
    "fold_https",
    "drop_trailing_dot",
    "fold_www",
    "fold_percent_encoding",
    "drop_session_ids",
    "lowercase_path",
    "fold_default_document",
    "fold_trailing_slash",
    "drop_empty_params",
    "sort_params",
    "drop_empty_query",
)
_RULES: st.SearchStrategy[Any] = st.builds(
    KeyRules,
    keep_fragments=st.sampled_from([(), ("!", "/"), (":",)]),
    keep_params=st.none() | _PARAMS,
    drop_params=_PARAMS,
    **{flag: st.booleans() for flag in _FLAGS},
)


@given(url=_URLS, rules=_RULES | st.sampled_from(RULE_NAMES).map(KeyRules.named))
def test_a_key_is_canonical_and_its_own_key(url: str, rules: KeyRules) -> None:
    """It is the same for text, record and canonical form, and an explanation ends with it."""
    key = url_key(url, rules)
    assert url_key(key, rules) == canonicalize(key) == key
    assert url_key(canonicalize(url), rules) == url_key(parse(url), rules) == key
    explained = rules.explain(url)
    assert explained.key == key
    assert "pw" not in f"{explained}{explained!r}"


@given(rules=_RULES | st.sampled_from(RULE_NAMES).map(KeyRules.named))
def test_rules_come_back_from_their_json(rules: KeyRules) -> None:
    """All options, with the names of params and the rules that name params."""
    assert KeyRules.from_json(rules.to_json()) == rules


def _by_steps(url: str, rules: KeyRules) -> str:
    """Return the key without what is tried before the steps."""
    return key_of_href(canonicalize(url), rules)


@given(url=_URLS, rules=_RULES | st.sampled_from(RULE_NAMES).map(KeyRules.named))
def test_a_quick_key_is_what_the_steps_make(url: str, rules: KeyRules) -> None:
    """For text as it is written, and for the canonical form."""
    key = _by_steps(url, rules)
    assert plan_by(rules).key_of(url) in (None, key)
    assert plan_by(rules).key_of(canonicalize(url)) in (None, key)


@pytest.mark.skipif(not COMPILED, reason="only compiled code has quick keys")
@pytest.mark.parametrize("name", RULE_NAMES)
def test_quick_keys_of_real_links(name: str) -> None:
    """They are what the steps make, and nearly all links have one."""
    rules = KeyRules.named(name)
    links = [link for link in corpus() if _parses(link)]
    quick = [plan_by(rules).key_of(link) for link in links]
    for link, key in zip(links, quick, strict=True):
        assert key in (None, _by_steps(link, rules)), link
    # "crawl" looks closer at names such as "index.html", and at every query.
    assert quick.count(None) < len(links) * (0.2 if name == "crawl" else 0.02)


@pytest.mark.parametrize(
    ("url", "key"),
    [
        ("https://a.b/", "https://a.b/"),
        ("https://a.b//", "https://a.b/"),
        ("http://www.a.b/c/?y=1&x=2#z", "https://a.b/c?x=2&y=1"),
        ("http://www.a.b:8080/c/", "http://a.b:8080/c"),
        ("https://www.www.a.b/", "https://a.b/"),
        ("https://www.www.b/", "https://www.b/"),
        ("https://a.b/?x=1&x=0", "https://a.b/?x=1&x=0"),
        ("https://a.b/?utm_source=1", "https://a.b/"),
        ("https://a.b/?utm=1&utm_x&z", "https://a.b/?utm=1&z"),
        ("https://a.b/?gclid", "https://a.b/"),
        ("https://a.b/?gclidx=%FC", "https://a.b/?gclidx=%FC"),
        ("https://a.b/?b=?x&a=/?b", "https://a.b/?a=/?b&b=?x"),
        ("https://a.b/?", "https://a.b/"),
        ("https://a.b/?#!/", "https://a.b/#!/"),
        ("https://a.b/c/#!/:~:text=x", "https://a.b/c#!/"),
        ("https://a.b/c/#x/:~:text=x", "https://a.b/c"),
        ("https://youtu.be/c/?si=1&t=2", "https://youtu.be/c?t=2"),
        ("https://youtu.bee/c/?t=2&si=1", "https://youtu.bee/c?si=1&t=2"),
        ("https://u:p@a.b./c", "https://a.b/c"),
        ("http://./", "https://./"),
        ("HTTPS://A.B/c", "https://a.b/c"),
        ("foo://www.a.b/c/?y&x#z", "foo://www.a.b/c/?y&x#z"),
    ],
)
def test_keys_of_a_page(url: str, key: str) -> None:
    """Each of these is near to where a quick key ends, and the steps begin."""
    assert url_key(url, KeyRules.page()) == key == _by_steps(url, KeyRules.page())


@given(url=_URLS)
def test_a_surt_is_the_same_for_every_spelling(url: str) -> None:
    """In both profiles."""
    assert surt(url) == surt(canonicalize(url))
    assert surt(url, profile="careful") == surt(parse(url), profile="careful")


def _hosts_at(suffix: str) -> list[str]:
    """Return hosts whose registrable domains are at a suffix, or that look so."""
    starts = ("", "www.", "www.www.", "www2.", "www.www2.", "a.", "www.a.", "a.www.", "www..")
    return [f"{start}{suffix}{dot}" for start in starts for dot in ("", ".")]


def test_no_key_is_for_two_registrable_domains() -> None:
    """Whatever the public suffix: by rules, and by SURT except as archives make it."""
    listed = packaged_list()
    suffixes = sorted(listed.rules)
    if not THOROUGH:
        suffixes = suffixes[:: len(suffixes) // 300]
    suffixes += sorted(name for name in listed.rules if name.startswith("www."))
    suffixes += [*sorted(listed.exceptions)[:30], "ck", "www.ck", "a.ck", "co.uk", "github.io"]
    assert len(suffixes) > 300
    makers: list[Callable[[str], str]] = [
        partial(url_key, rules=KeyRules(fold_www=True, drop_trailing_dot=True)),
        partial(url_key, rules=KeyRules.crawl()),
        partial(surt, profile="careful"),
    ]
    folded = [0, 0, 0]
    for suffix in suffixes:
        hosts = _hosts_at(suffix)
        domains = [
            (parse(f"https://{host}").registrable_domain or "").removesuffix(".") for host in hosts
        ]
        for number, key_of in enumerate(makers):
            found: dict[str, str] = {}
            for host, domain in zip(hosts, domains, strict=True):
                assert found.setdefault(key_of(f"https://{host}"), domain) == domain, host
            folded[number] += len(hosts) - len(found)
    # The dot goes, and "www." before a registrable domain.
    assert min(folded) > len(suffixes) * 9


@given(host=st.lists(st.sampled_from(["www", "www3", "", "a", "co", "uk", "ck", "github", "io"])))
def test_a_key_has_the_registrable_domain_of_its_url(host: list[str]) -> None:
    """For any labels, with the rules that change hosts most."""
    url = f"https://{'.'.join(host)}/"
    if _parses(url):
        record = parse(url)
        key = url_key(url, KeyRules(fold_www=True))
        assert parse(key).registrable_domain == record.registrable_domain
        careful = ".".join(surt(url, profile="careful").partition(")")[0].split(",")[::-1])
        if record.registrable_domain is not None:
            assert f".{careful}".endswith(f".{record.registrable_domain.removesuffix('.')}")


@given(path=st.binary(max_size=8), query=st.binary(max_size=8))
def test_equal_percent_encoding_has_one_key(path: bytes, query: bytes) -> None:
    """A byte may be "%7e", "%7E" or "~". The bytes that the key spells do not change."""
    rules = KeyRules(fold_percent_encoding=True)
    upper, lower = (
        f"https://a.b/x{''.join(map(code.format, path))}?{''.join(map(code.format, query))}"
        for code in ("%{:02X}", "%{:02x}")
    )
    plain = f"https://a.b/x{quote_from_bytes(path, safe='')}?{quote_from_bytes(query, safe='')}"
    key = url_key(upper, rules)
    assert url_key(lower, rules) == url_key(plain, rules) == key
    assert percent_decode(key.encode()) == b"https://a.b/x" + path + b"?" + query


@pytest.mark.nightly
@pytest.mark.parametrize(
    "url",
    [
        "https://a/?" + "utm_x=1&" * 1_000_000,
        "https://a/" + "/" * 1_000_000,
        "https://a/" + "index.html/" * 100_000,
        "https://a/" + ";sid=" * 200_000,
        "https://a/" + "(" * 1_000_000,
        "https://" + "www." * 250_000 + "a",
        "https://" + "a." * 500_000 + "a",
        "https://a/#" + ":~:" * 300_000,
    ],
    ids=["pairs", "slashes", "documents", "sessions", "parentheses", "www", "labels", "fragment"],
)
def test_a_megabyte_takes_linear_time(url: str) -> None:
    """For the rules with most steps, and the rules of a stranger."""
    pattern = ParamRule(patterns=("[a-z_]*x?[0-9]",), except_sites=("b.c",))
    for rules in (KeyRules.crawl(), KeyRules(drop_params=(pattern,), drop_session_ids=True)):
        key = url_key(url, rules)
        assert url_key(key, rules) == key
