"""Arguments of a wrong type raise TypeError, and never what the code inside happens to raise."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final

import pytest

import weburl
from weburl import html, public_suffix
from weburl.fetching.httpx import PolicyTransport
from weburl.history import base_urls, rfc3986
from weburl.keys import KeyRules, surt, url_key
from weburl.keys.patterns import linear_pattern
from weburl.redirect_uris import RedirectURIs

POLICY: Final = weburl.URLPolicy.public_link()
LISTED: Final = public_suffix.packaged_list()
TEXT: Final = "https://example.com/"
# None of these is text, a policy, a list of texts, a pattern or a list of hosts.
NEVER: Final = [1, 1.5, b"https://a/", object(), [b"a"], [None], {1: 2}, (None,), int]
# What a function that takes text refuses as well.
NO_TEXT: Final = [None, *NEVER, [TEXT], (TEXT,)]

CALLS: Final[list[tuple[str, Callable[[Any], object], list[Any]]]] = [
    ("parse", weburl.parse, NO_TEXT),
    ("canonicalize", weburl.canonicalize, NO_TEXT),
    ("check", weburl.check, NO_TEXT),
    ("parse_host", weburl.parse_host, NO_TEXT),
    ("render", weburl.render, NO_TEXT),
    ("readings", weburl.readings, NO_TEXT),
    ("policy", lambda value: weburl.check_addresses(value, ["1.1.1.1"]), [*NO_TEXT, "public_link"]),
    (
        "addresses",
        lambda value: weburl.check_addresses(POLICY, value),
        [None, 1, "1.1.1.1", [None]],
    ),
    ("transport", PolicyTransport, [*NO_TEXT, "public_link"]),
    ("limits", lambda value: PolicyTransport(POLICY, limits=value), [1, "a", b"a", [1]]),
    ("allows", POLICY.allows, NO_TEXT),
    ("intersection", lambda value: POLICY & value, [*NO_TEXT, "public_link"]),
    ("hosts", lambda value: weburl.URLPolicy(hosts=value), [1, b"a.b", "a.b", [b"a.b"], [None]]),
    ("patterns", lambda value: weburl.URLPolicy(patterns=value), [1, b"a", [b"a"], [None]]),
    ("host list", weburl.HostList, [None, 1, b"a.b", "a.b", [b"a.b"], [None]]),
    ("pattern list", weburl.URLPatternList, [None, 1, [b"a"], [None]]),
    ("pattern", weburl.URLPattern, [1, b"a", [TEXT], object()]),
    (
        "compared patterns",
        lambda value: weburl.URLPattern.compare_component("hostname", value, weburl.URLPattern({})),
        NO_TEXT,
    ),
    ("redirect URIs", RedirectURIs, [None, 1, b"a", TEXT, [b"a"], [None]]),
    ("url_key", lambda value: url_key(value, KeyRules.page()), NO_TEXT),
    ("key rules", lambda value: url_key(TEXT, value), [*NO_TEXT, "page"]),
    ("name of rules", KeyRules.named, NO_TEXT),
    ("rules from JSON", KeyRules.from_json, NO_TEXT),
    ("pattern of params", linear_pattern, [None, 1, b"a", ("a",)]),
    ("surt", surt, NO_TEXT),
    ("public suffix", LISTED.public_suffix, NO_TEXT),
    ("registrable domain", LISTED.registrable_domain, NO_TEXT),
    ("public suffix list", public_suffix.parse_list, NO_TEXT),
    ("IPv6 address", weburl.IPv6Address.from_ipaddress, [*NO_TEXT, "::1"]),
    ("HTML", lambda value: list(html.links(value, TEXT)), [None, 1, object(), [TEXT]]),
    (
        "content security policy",
        lambda value: list(html.links("<a href=x>", TEXT, content_security_policy=value)),
        [[b"a"], [None], (b"a",)],
    ),
    ("RFC 3986", rfc3986.split, NO_TEXT),
    ("XML Base", lambda value: base_urls.element_base_uri(value, ["a"]), [None, 1, b"a"]),
]


@pytest.mark.parametrize(
    ("call", "values"), [each[1:] for each in CALLS], ids=[c[0] for c in CALLS]
)
def test_a_wrong_type_is_a_type_error(call: Callable[[Any], object], values: list[Any]) -> None:
    """With a message; whatever the value is."""
    for value in values:
        with pytest.raises(TypeError) as caught:
            call(value)
        assert str(caught.value), value


def test_deep_nesting_is_a_value_error() -> None:
    """Of JSON, of 5,000 levels; and nested text is read in linear time, or refused."""
    for text in ("[" * 5_000, '{"from":' * 5_000, "[" * 5_000 + "]" * 5_000):
        with pytest.raises(ValueError, match=r"JSON|object"):
            KeyRules.from_json(text)
    with pytest.raises(weburl.URLPatternError):
        weburl.URLPattern("https://a/" + "{" * 5_000)
    assert weburl.parse("https://a/?" + "(" * 5_000).query == "(" * 5_000
