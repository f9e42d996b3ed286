"""Hypothesis strategies for text that is nearly a URL, and for URLs that are valid.

The text is that of `tests.pieces`; here are bases, values for setters, and text that is valid by
the standard's grammar. Nothing here calls the parser: what is a URL and what is not is for the
tests to find out.
"""

from __future__ import annotations

from typing import Final

from hypothesis import strategies as st
from hypothesis.strategies import DrawFn, SearchStrategy

from tests.pieces import (
    NOISE,
    SURROGATES,
    authorities,
    choice,
    clean_urls,
    components,
    domains,
    fragments,
    hosts,
    ipv4_addresses,
    ipv6_addresses,
    joined,
    paths,
    ports,
    queries,
    schemes,
    url_texts,
    userinfos,
    with_noise,
)
from weburl.standard.infra.unicode_data import category

__all__ = [
    "NOISE",
    "SETTERS",
    "SURROGATES",
    "base_texts",
    "bases_or_none",
    "domains",
    "hosts",
    "ipv4_addresses",
    "ipv6_addresses",
    "joined",
    "paths",
    "ports",
    "setter_calls",
    "setter_values",
    "url_texts",
    "valid_ipv6_addresses",
    "valid_url_texts",
]

_BASES: Final = (
    "http://base.example/a/b?q#f", "https://u:p@base.example:8080/a/b/c/?q", "ws://b/", "wss://b/d",
    "ftp://b/a", "file:///C:/a/b", "file:///C:", "file:///", "file://h/C:/a", "file:///a/b?q",
    "file://h/", "file:///c:/../x", "foo://h/a/b?q#f", "foo://h", "foo://", "foo:///p", "foo:/a/b",
    "foo:/.//p/q", "foo:/", "foo:opaque", "foo:", "mailto:x@y?z#f", "foo://u@h:1/",
    "foo://[::1]:9/x/",
)  # fmt: skip
base_texts: Final = choice(
    st.sampled_from(_BASES), st.sampled_from(_BASES), st.sampled_from(_BASES), clean_urls
)
"""Text for bases: most of it parses."""

bases_or_none: Final = st.one_of(st.none(), base_texts.map(str), base_texts.map(str))

# --- setters ----------------------------------------------------------------------------------

SETTERS: Final = (
    "protocol", "username", "password", "host", "hostname", "port", "pathname", "search", "hash",
    "href",
)  # fmt: skip


def _or_anything(values: SearchStrategy[str]) -> SearchStrategy[str]:
    return choice(values, values, with_noise(values), url_texts, st.just(""))


_VALUES: Final[dict[str, SearchStrategy[str]]] = {
    "protocol": st.builds(
        "".join, st.tuples(schemes, st.sampled_from(("", ":", "::", ":/", "/", "\t", " ")))
    ),
    "username": userinfos,
    "password": userinfos,
    "host": st.builds(
        "".join,
        st.tuples(authorities, st.sampled_from(("", "", "/", "/x", "\\", "?", "#", ":", ":8x"))),
    ),
    "hostname": st.builds(
        "".join, st.tuples(hosts, st.sampled_from(("", "", "/x", "\\", "?", "#", ":", ":80")))
    ),
    "port": st.builds("".join, st.tuples(ports, st.sampled_from(("", "", "x", "/", "\\", "?1")))),
    "pathname": paths,
    "search": choice(queries, components),
    "hash": choice(fragments, components),
    "href": clean_urls,
}

setter_calls: Final = st.sampled_from(SETTERS).flatmap(
    lambda name: st.tuples(st.just(name), _or_anything(_VALUES[name]))
)
"""Pairs of a setter's name and a value for it."""


def setter_values(name: str) -> SearchStrategy[str]:
    """Values for the setter ``name``."""
    return _or_anything(_VALUES[name])


# --- valid URL strings ------------------------------------------------------------------------

_URL_UNITS: Final = (
    "a", "Z", "0", "~", "!", "$", "&", "'", "(", ")", "*", "+", ",", "-", ".", ":", ";", "=", "@",
    "_", "%41", "%ff", "%00", "\xa0", "\u00e9", "\ufdcf", "\ufdf0", "\ufffd", "\U0001f4a9",
    "\U0010fffd",
)  # fmt: skip
_valid_segments: Final = choice(
    joined(_URL_UNITS, max_size=4), st.sampled_from((".", "..", "%2E", "C:", ""))
)
_valid_path: Final = st.lists(_valid_segments, max_size=4).map("/".join)
_valid_components: Final = joined((*_URL_UNITS, "/", "?"), max_size=4)
_valid_ipv4: Final = st.lists(st.integers(0, 255).map(str), min_size=4, max_size=4).map(".".join)
_valid_pieces: Final = st.sampled_from(("0", "1", "ffff", "aB", "1000"))


@st.composite
def valid_ipv6_addresses(draw: DrawFn) -> str:
    """Draw a valid IPv6-address string, without brackets."""
    ipv4 = draw(st.one_of(st.none(), _valid_ipv4))
    is_compressed = draw(st.booleans())
    size = draw(st.integers(0, 7)) if is_compressed else 8
    size -= 2 * (ipv4 is not None and size >= 2)
    pieces = draw(st.lists(_valid_pieces, min_size=size, max_size=size))
    split = draw(st.integers(0, size)) if is_compressed else 0
    behind = pieces[split:] + ([ipv4] if ipv4 is not None and (size or not is_compressed) else [])
    if not is_compressed:
        return ":".join(behind)
    return f"{':'.join(pieces[:split])}::{':'.join(behind)}"


_valid_hosts: Final = choice(
    st.sampled_from(
        ("example.com", "EXAMPLE", "\u00e9.example", "xn--fa-hia", "a-b.c", "\u05d0", "1.a")
    ),
    _valid_ipv4,
    valid_ipv6_addresses().map("[{}]".format),
)
_valid_opaque_hosts: Final = choice(
    joined([unit for unit in _URL_UNITS if unit not in ":@"], min_size=1, max_size=4),
    valid_ipv6_addresses().map("[{}]".format),
)
_valid_ports: Final = choice(
    st.just(""),
    st.just(":"),
    st.integers(0, 65535).map(":{}".format),
    st.integers(0, 65535).map(":{:07}".format),
)
_valid_queries: Final = choice(st.just(""), _valid_components.map("?{}".format))
_valid_fragments: Final = choice(st.just(""), _valid_components.map("#{}".format))


def _concatenated(*parts: SearchStrategy[str]) -> SearchStrategy[str]:
    return st.tuples(*parts).map("".join)


_optional_path: Final = choice(st.just(""), _valid_path.map("/{}".format))
_rest: Final = _concatenated(_optional_path, _valid_queries, _valid_fragments)
valid_url_texts: Final = choice(
    _concatenated(
        st.sampled_from(("http://", "HTTPS://", "ws://", "wss://", "ftp://")),
        _valid_hosts,
        _valid_ports,
        _rest,
    ),
    _concatenated(st.just("file://"), choice(st.just(""), _valid_hosts), _rest),
    _concatenated(
        st.sampled_from(("foo://", "a+b-c.1://")), _valid_opaque_hosts, _valid_ports, _rest
    ),
    _concatenated(st.sampled_from(("foo://", "foo:/a/", "foo:", "C:")), _rest),
    _concatenated(st.just("foo:"), _valid_components, _valid_fragments),
    _concatenated(st.just("//"), _valid_hosts, _valid_ports, _rest),
    _concatenated(st.sampled_from(("", "a", "/")), _rest),
)  # fmt: skip
"""Text of which most is a valid URL string, some of it with a base alone."""


def is_printable(text: str) -> bool:
    """Return what `str.isprintable` does, by our version of Unicode, not that of this Python."""
    return all(char == " " or category(char)[0] not in "CZ" for char in text)
