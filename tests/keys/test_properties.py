"""Properties of keys, for rules and URLs that are drawn."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from weburl import canonicalize, parse
from weburl.keys import READY, KeyRules, ParamRule, surt, url_key


def _parses(url: str) -> bool:
    try:
        parse(url)
    except ValueError:
        return False
    return True


_PIECES = st.sampled_from(
    [
        *("a", "index.html", "INDEX.htm", "..", "%2e", "", ";jsessionid=1", "..;jsessionid=1"),
        *("(S(a))", "(S(a)b(c))", "%2F", "A", "x;sid=2;v", ";sid=1;si"),
    ]
)
_PAIRS = st.sampled_from(
    ["", "a", "a=", "=", "b=1", "utm_x=%FC", "%75tm_x", "si=1", "B", "\u00e9", "%", "b=0", "+="]
)
_HOSTS = st.sampled_from(
    ["a.b", "www.a.b", "www.www.a.b.", "www.com.", "WWW.", "[::1]", "1.2.3.4", "a.b..", "youtu.be"]
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


@given(url=_URLS, rules=_RULES | st.sampled_from(READY).map(KeyRules.named))
def test_a_key_is_canonical_and_its_own_key(url: str, rules: KeyRules) -> None:
    """It is the same for text, record and canonical form, and an explanation ends with it."""
    key = url_key(url, rules)
    assert url_key(key, rules) == canonicalize(key) == key
    assert url_key(canonicalize(url), rules) == url_key(parse(url), rules) == key
    explained = rules.explain(url)
    assert explained.key == key
    assert "pw" not in f"{explained}{explained!r}"


@given(url=_URLS)
def test_a_surt_is_the_same_for_every_spelling(url: str) -> None:
    """In both profiles."""
    assert surt(url) == surt(canonicalize(url))
    assert surt(url, profile="careful") == surt(parse(url), profile="careful")


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
