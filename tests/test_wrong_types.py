"""Arguments of a wrong type raise TypeError, and never what the code inside happens to raise."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any, Final

import pytest

import weburl
from tests.test_conventions import CALLS as WITH_A_URL
from weburl import html, public_suffix
from weburl.fetching import FetchBounds
from weburl.fetching.httpx import PolicyTransport
from weburl.history import (
    decomposition,
    html5_urls,
    rfc3986,
    url_standard_2020,
    url_standard_2024,
    web_addresses,
)
from weburl.history.readings import history
from weburl.integrations.building_blocks import normalized_scheme, starts_with_host_and_port
from weburl.keys import KeyRules, ParamRule, params_from_clearurls, surt, url_key
from weburl.keys.patterns import linear_pattern
from weburl.redirect_uris import RedirectURIs
from weburl.text import defang, find_links, refang

POLICY: Final = weburl.URLPolicy.public_link()
LISTED: Final = public_suffix.packaged_list()
TEXT: Final = "https://example.com/"
# None of these is text, a policy, a list of texts, a pattern or a list of hosts.
NEVER: Final = [1, 1.5, b"https://a/", object(), [b"a"], [None], {1: 2}, (None,), int]
# What a function that takes text refuses as well.
NO_TEXT: Final = [None, *NEVER, [TEXT], (TEXT,)]

OLD: Final = url_standard_2020.parse(TEXT)
DOCUMENT: Final = html.Document(TEXT)


def _with(kind: Callable[..., object], name: str, value: object) -> object:
    return kind(**{name: value})


CALLS: Final[list[tuple[str, Callable[[Any], object], list[Any]]]] = [
    # A pattern is also made of a mapping.
    *((name, call, [*NEVER[:-3], *NEVER[-2:]]) for name, call in WITH_A_URL.items()),
    ("parse_host", weburl.parse_host, NO_TEXT),
    ("policy", lambda value: weburl.check_addresses(value, ["1.1.1.1"]), [*NO_TEXT, "public_link"]),
    (
        "addresses",
        lambda value: weburl.check_addresses(POLICY, value),
        [None, 1, "1.1.1.1", [None]],
    ),
    ("transport", PolicyTransport, [*NO_TEXT, "public_link"]),
    ("limits", lambda value: PolicyTransport(POLICY, limits=value), [1, "a", b"a", [1]]),
    ("intersection", lambda value: POLICY & value, [*NO_TEXT, "public_link"]),
    ("hosts", lambda value: weburl.URLPolicy(hosts=value), [1, b"a.b", "a.b", [b"a.b"], [None]]),
    ("patterns", lambda value: weburl.URLPolicy(patterns=value), [1, b"a", [b"a"], [None]]),
    ("host list", weburl.HostList, [None, 1, b"a.b", "a.b", [b"a.b"], [None]]),
    ("pattern list", weburl.URLPatternList, [None, 1, TEXT, [b"a"], [None], [{"pathname": "/a"}]]),
    ("pattern", weburl.URLPattern, [1, b"a", [TEXT], object()]),
    (
        "compared patterns",
        lambda value: weburl.URLPattern.compare_component("hostname", value, weburl.URLPattern({})),
        NO_TEXT,
    ),
    ("redirect URIs", RedirectURIs, [None, 1, b"a", TEXT, [b"a"], [None]]),
    ("key rules", lambda value: url_key(TEXT, value), [*NO_TEXT, "page"]),
    ("name of rules", KeyRules.named, NO_TEXT),
    ("rules from JSON", KeyRules.from_json, NO_TEXT),
    ("pattern of params", linear_pattern, [None, 1, b"a", ("a",)]),
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
    ("reference", lambda value: rfc3986.resolve(value, rfc3986.split(TEXT)), NO_TEXT),
    (
        "base of RFC 3986",
        lambda value: rfc3986.resolve(rfc3986.split("a"), value),
        [*NO_TEXT, TEXT],
    ),
    ("merged base", lambda value: rfc3986.merge(value, "a"), [*NO_TEXT, TEXT]),
    ("merged path", lambda value: rfc3986.merge(rfc3986.split(TEXT), value), NO_TEXT),
    ("dot segments", rfc3986.remove_dot_segments, NO_TEXT),
    ("path of a file", weburl.file_url_from_path, [None, 1, b"/a", object()]),
    ("origins", weburl.parse_origins, [None, 1, TEXT, [1]]),
    ("origin to describe", weburl.origin_problems, NO_TEXT),
    *(
        (f"{function.__module__}.{function.__name__}", function, NO_TEXT)
        for function in (
            *(weburl.default_port, normalized_scheme, starts_with_host_and_port),
            *(defang, refang, params_from_clearurls, rfc3986.parse, history),
            *(html5_urls.parse, html5_urls.resolve, html5_urls.is_valid_url),
            *(web_addresses.parse, web_addresses.resolve, decomposition.decompose),
            *(url_standard_2020.parse, url_standard_2020.is_valid_url_string),
            *(url_standard_2024.parse, url_standard_2024.is_valid_url_string),
        )
    ),
    *(
        (f"base of {function.__module__}.{function.__name__}", partial(function, "a"), NEVER)
        for function in (
            *(rfc3986.parse, history, url_standard_2020.parse, url_standard_2024.parse),
            *(url_standard_2020.is_valid_url_string, url_standard_2024.is_valid_url_string),
        )
    ),
    *(
        (f"{function.__module__}.{function.__name__}", function, NO_TEXT)
        for function in (
            *(html.document_base_url, html.fallback_base_url, html.EnvironmentSettings.of_window),
            html.extract_character_encoding_from_meta_element,
        )
    ),
    ("document", lambda value: html.set_url(value, TEXT), NO_TEXT),
    ("frozen base URL", lambda value: html.set_frozen_base_url(value, "x"), NO_TEXT),
    ("changed links", lambda value: html.respond_to_base_url_changes([value], DOCUMENT), NO_TEXT),
    ("changed document", lambda value: html.respond_to_base_url_changes((), value), NO_TEXT),
    ("environment", lambda value: html.parse_url("x", value), NO_TEXT),
    ("limits of a page", lambda value: html.page("", TEXT, limits=value), NEVER),
    ("srcdoc", lambda value: html.Document(TEXT, is_iframe_srcdoc=value), [None, "yes"]),
    ("encoding of a document", lambda value: html.Document(TEXT, encoding=value), NEVER),
]

# Of a `KeyRules` and of other classes: what is True or False, or an int.
OPTIONS: Final[list[tuple[str, Callable[[Any], object]]]] = [
    *((name, partial(_with, KeyRules, name)) for name in ("sort_params", "name", "version")),
    ("param rule", lambda value: ParamRule(["a"], ignore_case=value)),
    ("params", ParamRule),
    ("sites", lambda value: ParamRule(["a"], sites=value)),
    *((name, partial(_with, weburl.URLPolicy, name)) for name in ("max_length", "fragment")),
    *((name, partial(_with, weburl.URLPolicy, name)) for name in ("schemes", "ports", "networks")),
    ("http", lambda value: RedirectURIs([TEXT], allow_http=value)),
    ("apps", lambda value: RedirectURIs([TEXT], schemes=value)),
    ("bounds", lambda value: FetchBounds(seconds=value)),
    ("redirects", lambda value: FetchBounds(redirects=value)),
    ("redirect policy", lambda value: PolicyTransport(POLICY, redirect_policy=value)),
    ("limits of a page", lambda value: html.PageLimits(links=value)),
    ("max_length of render", lambda value: weburl.render(TEXT, max_length=value)),
    ("only", lambda value: weburl.render(TEXT, only=value)),
    ("omit_scheme", lambda value: weburl.render(TEXT, omit_scheme=value)),
    ("assume_scheme", lambda value: find_links(TEXT, assume_scheme=value)),
    ("schemes of links", lambda value: find_links(TEXT, schemes=[value])),
    ("profile", lambda value: surt(TEXT, profile=value)),
    ("prefer", lambda value: weburl.parse(TEXT).relative_to(TEXT, prefer=value)),
    ("schemes of origins", lambda value: weburl.parse_origins([TEXT], schemes=value)),
    ("attribute", lambda value: decomposition.get_attribute(TEXT, value)),
    ("attribute of 2020", lambda value: url_standard_2020.get_attribute(OLD, value)),
    ("setter of 2020", lambda value: url_standard_2020.set_attribute(OLD, value, "")),
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


class _Silent:
    """An object whose repr raises."""

    def __repr__(self) -> str:
        raise RuntimeError("no repr")


class _Endless:
    """An object whose repr is very long."""

    def __repr__(self) -> str:
        return "x" * 1_000_000


def _nested(depth: int) -> list[Any]:
    value: list[Any] = []
    for _ in range(depth):
        value = [value]
    return value


@pytest.mark.parametrize(
    "call",
    [each[1] for each in CALLS] + [each[1] for each in OPTIONS],
    ids=[each[0] for each in CALLS] + [each[0] for each in OPTIONS],
)
def test_a_message_never_depends_on_the_repr_of_a_value(call: Callable[[Any], object]) -> None:
    """Which may raise, or have megabytes; lists may be nested deeply, and numbers be long."""
    odd = [_nested(5_000), _Silent(), _Endless(), 10**5_000]
    for value in (*odd, *([each] for each in odd), {"a": odd[0]}, {_Silent(): 1}):
        assert len(_message(call, value)) < 3_000


@pytest.mark.parametrize("call", [each[1] for each in OPTIONS], ids=[each[0] for each in OPTIONS])
def test_a_message_about_an_option_is_short(call: Callable[[Any], object]) -> None:
    """However long the text is."""
    for value in ("\0%z" * 100_000, ["\0%z" * 100_000]):
        assert len(_message(call, value)) < 3_000


def _message(call: Callable[[Any], object], value: object) -> str:
    """Return what an error says, or "" without one. Any other kind of error fails the test."""
    try:
        call(value)
    except (TypeError, ValueError) as error:
        return f"{error}{error!r}"
    return ""


def test_a_long_text_is_shortened_in_a_message() -> None:
    """And a number with more digits than Python converts is not shown."""
    with pytest.raises(ValueError, match=r"'xxxx.*…x+'"):
        surt(TEXT, profile="x" * 1_000)  # type: ignore[arg-type]
    with pytest.raises(ValueError, match="a value of type int"):
        weburl.URLPolicy(ports=[10**5_000])
