"""Text that is nearly a URL, built from pieces that the standard treats specially.

The strings are broken in the ways that people and attackers break URLs. Nothing here calls a
parser: the tests find out which strings are URLs.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from hypothesis import strategies as st
from hypothesis.strategies import DrawFn, SearchStrategy

from weburl.standard.infra.schemes import DEFAULT_PORTS, SPECIAL_SCHEMES

_SPECIAL_SCHEMES: Final = tuple(SPECIAL_SCHEMES)
_DEFAULT_PORTS: Final = sorted({str(port) for port in DEFAULT_PORTS.values()})
_OTHER_SCHEMES: Final = ("foo", "web+demo", "mailto", "javascript", "data", "blob", "a", "c", "C")
_CASED_SCHEMES: Final = ("HTTP", "hTtPs", "FILE", "Ws", "fTP", "Foo")
_BROKEN_SCHEMES: Final = (
    "", "1a", "-a", "h ttp", "ht\ttp", "h\u00e9", "http\u017f", "\u212a", "ht%74p", "a_b", "fil\ne"
)  # fmt: skip

# Characters that the parser removes before parsing, and similar ones that it keeps.
NOISE: Final = (
    "\t", "\n", "\r", "\r\n", " ", "\0", "\x01", "\x0b", "\x1f", "\x7f", "\x80", "\x9f", "\xa0",
    "\u00ad", "\u200b", "\u2028", "\u3000", "\ufeff",
)  # fmt: skip

# Code points outside ASCII, one of every kind that a set of the standard distinguishes.
EXOTIC: Final = (
    "\u00e9", "\u00df", "\u0130", "\u03c2", "\u212a", "\u2261", "\ud7ff", "\ue000", "\ufdcf",
    "\ufdd0", "\ufdef", "\ufdf0", "\ufffd", "\ufffe", "\uffff", "\U00010000", "\U0001f4a9",
    "\U0001fffe", "\U000e0001", "\U0010fffd", "\U0010ffff",
)  # fmt: skip
SURROGATES: Final = ("\ud800", "\udbff", "\udc00", "\udfff", "\ud83d\udca9", "\udca9\ud83d")
PERCENTS: Final = (
    "%", "%%", "%4", "%g1", "%zz", "%41", "%2e", "%2F", "%00", "%C3%A9", "%ff", "%\xb2"
)  # fmt: skip
_ASCII_PUNCTUATION: Final = tuple("!\"$&'()*+,-.;<=>[]^_`{|}~")
_DELIMITERS: Final = tuple("/\\:@?#")


def choice(*strategies: SearchStrategy[str]) -> SearchStrategy[str]:
    """Return a strategy that draws from one of ``strategies``, with equal probability.

    `one_of` flattens a nested union, so that a strategy with many branches crowds out the others.
    """
    return st.sampled_from(strategies).flatmap(lambda strategy: strategy)


def joined(
    pieces: Sequence[str] | SearchStrategy[str], *, min_size: int = 0, max_size: int = 6
) -> SearchStrategy[str]:
    """Return a strategy for strings of ``min_size`` to ``max_size`` pieces."""
    strategy = pieces if isinstance(pieces, SearchStrategy) else st.sampled_from(pieces)
    return st.lists(strategy, min_size=min_size, max_size=max_size).map("".join)


schemes: Final[SearchStrategy[str]] = choice(
    st.sampled_from(_SPECIAL_SCHEMES),
    st.sampled_from(_OTHER_SCHEMES),
    st.sampled_from((*_SPECIAL_SCHEMES, *_CASED_SCHEMES)),
    st.sampled_from(_BROKEN_SCHEMES),
)

_slashes: Final[SearchStrategy[str]] = choice(
    st.just("//"),
    st.just("//"),
    st.sampled_from(("", "/", "\\", "\\\\", "/\\", "\\/", "///", "//\\", "/\t/", "////\\")),
)

userinfos: Final[SearchStrategy[str]] = joined(
    ("u", "p", "user", ":", ":", "@", "@", "%40", "%3A", "|", "[", "]", " ", '"', ";", "^", "%",
     "\u00e9", "\U0001f4a9", "\ud800", "\t", "'", "=", "\\", "#"),
    max_size=5,
)  # fmt: skip

# --- hosts ------------------------------------------------------------------------------------

_ASCII_LABELS: Final = (
    "example", "EXAMPLE", "a", "com", "localhost", "LOCALHOST", "loc%61lhost", "-a", "a-", "ab--c",
    "a_b", "*", "xn--", "xn--a", "XN--fa-hia", "xn--fa-hia", "xn--nxasmq6b", "xn--8i7caa",
    "xn--a-ecp", "xn--0", "xn--ls8h", "xn--zca.xn--zca", "xn--xn---epa", "a" * 63, "a" * 64, "",
    "0a", "1", "%41", "%C3%A9", "%2e", "%00", "%zz", "%", "%25", "a b", "a\tb", "a<b", "a^b", "a|b",
    "c|", "C:", "!$&'()+,;=~", "{", "\x7f", "\x01",
)  # fmt: skip
_UNICODE_LABELS: Final = (
    "\u00e9", "e\u0301", "fa\u00df", "\u03c3\u03c2", "\u65e5\u672c", "\u2615", "\U0001f4a9",
    "\u05d0", "1\u05d0", "\u05d01", "\u05d0\u0661", "a\u05d0", "\u0661", "\u05d0-\u05d1",
    "\u0644\u200c\u0627", "a\u200cb", "a\u200db", "\u0915\u094d\u200d",
    "\u0915\u094d\u200c\u0937", "\u200d", "\u00ad", "a\u00adb", "\u200b", "\uff21\uff42",
    "\ufdfa", "\u0308", "\u0308a", "\U000e0100", "\U00010400", "\u212a", "\u017f", "\u0130",
    "\u2100", "\u2488", "\u33c2", "\uff0f", "\uff1a", "\uff05\uff14\uff11", "\uff3b", "\u2024",
    "\u0340", "\ufffd", "\ufffe", "\ud800", "\U0003e8ac", "\u0378", "\u1e9e", "xn--\u00e9",
    "xn--fa-hia\u00ad", "\uff58\uff4e--fa-hia", "\u2260", "\u226e", "\u1806", "\u3164",
)  # fmt: skip
_DOTS: Final = (".", ".", ".", ".", "\u3002", "\uff0e", "\uff61", "%2E", "..", "\u2024")

domains: Final[SearchStrategy[str]] = st.builds(
    lambda first, rest, end: first + "".join(rest) + end,
    st.sampled_from(_ASCII_LABELS + _UNICODE_LABELS),
    st.lists(
        st.builds(
            "".join,
            st.tuples(st.sampled_from(_DOTS), st.sampled_from(_ASCII_LABELS + _UNICODE_LABELS)),
        ),
        max_size=3,
    ),
    st.sampled_from(("", "", "", "", ".", "..", "\u3002")),
)

_IPV4_PARTS: Final = (
    "0", "1", "10", "255", "256", "300", "0377", "0400", "0xff", "0XFF", "0x100", "00", "000000007",
    "08", "09", "0x", "0X", "0xg", "0x0x1", "65535", "65536", "16777215", "16777216", "4294967295",
    "4294967296", "99999999999999999999", "0x00000000ffffffff", "0xfffffffff", "040000000000", "",
    "a", "-1", "+1", "1_0", "1e1", " 1", "%31", "%30x1", "\uff11", "\uff10x1", "\u0661", "\u2460",
    "\xb2", "\U0001d7cf", "1\u00ad", "\u00b9", "0b1", "0o7", "1,", "1\t", "%EF%BC%91",
    "%E2%91%A0",
)  # fmt: skip

ipv4_addresses: Final[SearchStrategy[str]] = choice(
    st.lists(st.integers(0, 300).map(str), min_size=4, max_size=4).map(".".join),
    st.builds(
        "".join,
        st.tuples(
            st.lists(st.sampled_from(_IPV4_PARTS), min_size=1, max_size=6).map(".".join),
            st.sampled_from(("", "", "", ".", "..", "\u3002")),
        ),
    ),
    st.lists(st.sampled_from(_IPV4_PARTS), min_size=1, max_size=5).map("\u3002".join),
)

_IPV6_PIECES: Final = (
    "0", "1", "a", "F", "10", "0a", "00", "000", "0000", "00000", "ffff", "FFFF", "1234", "12345",
    "g", "", "", "", " ", "%31", "%", "-1", "1.2.3.4", "255.255.255.255", "256.1.1.1", "01.2.3.4",
    "1.2.3", "1.2.3.", "1.2.3.4.5", "1.2.3.4.", ".2.3.4", "1..3.4", "0.0.0.1", "1.2.3.00",
    "1.2.3.a", "a.2.3.4", "0x1.2.3.4", "\uff11", "\u0661", "1%25eth0", "[", "]", "1.2.3.4444",
)  # fmt: skip
_WELL_FORMED_IPV6_PIECES: Final = ("0", "1", "a", "ffff", "10", "0", "00", "")


def _ipv6_texts(pieces: Sequence[str], max_size: int) -> SearchStrategy[str]:
    return st.lists(st.sampled_from(pieces), max_size=max_size).map(":".join)


ipv6_addresses: Final[SearchStrategy[str]] = st.builds(
    lambda before, between, after: before + between + after,
    choice(_ipv6_texts(_WELL_FORMED_IPV6_PIECES, 9), _ipv6_texts(_IPV6_PIECES, 4)),
    st.sampled_from(("", "", "::", "::", ":", ":::", "::1::")),
    choice(
        _ipv6_texts(_WELL_FORMED_IPV6_PIECES, 8),
        _ipv6_texts(_IPV6_PIECES, 3),
        st.sampled_from(("1.2.3.4", "1:1.2.3.4", "")),
    ),
)

bracketed_hosts: Final[SearchStrategy[str]] = st.builds(
    lambda address, brackets: brackets[0] + address + brackets[1],
    choice(ipv6_addresses, ipv6_addresses, st.sampled_from(("www.example.com", "v1.a", "%5D"))),
    st.sampled_from(
        (("[", "]"), ("[", "]"), ("[", "]"), ("[", ""), ("", "]"), ("[[", "]"), ("[", "]]"),
         ("[", "]a"), ("a[", "]"), ("%5B", "%5D"), ("[", "]:"), ("[", "]:["))
    ),
)  # fmt: skip

opaque_hosts: Final[SearchStrategy[str]] = joined(
    ("example", "EXAMPLE", ".", "-", "a", "!", "{", "}", '"', "`", "'", "\x01", "\x7f", "*", "^",
     "|", "<", "@", "[", "]", *PERCENTS, *EXOTIC),
    max_size=4,
)  # fmt: skip

hosts: Final[SearchStrategy[str]] = choice(
    st.sampled_from(("example.com", "example", "h", "localhost", "")),
    domains,
    domains,
    ipv4_addresses,
    ipv4_addresses,
    bracketed_hosts,
    bracketed_hosts,
    opaque_hosts,
)

ports: Final[SearchStrategy[str]] = choice(
    st.sampled_from(("0", *_DEFAULT_PORTS, "8080", "65535")),
    st.sampled_from(
        ("", "00080", "0", "65536", "000065535", "99999999999999999999", "8a", "a8", "+1", "-1",
         "8 0", "8\t0", " 80", "\uff18\uff10", "\u0668", "\xb2", "80:80", ":", "8%30", "1_0", "80]",
         "0x50")
    ),
)  # fmt: skip

authorities: Final[SearchStrategy[str]] = st.builds(
    lambda userinfo, host, port: userinfo + host + port,
    choice(st.just(""), st.just(""), st.just(""), userinfos, userinfos.map("{}@".format)),
    hosts,
    choice(st.just(""), st.just(""), ports.map(":{}".format)),
)

# --- paths, queries, fragments ----------------------------------------------------------------

_SEGMENTS: Final = (
    "", "", ".", "..", "%2e", "%2E", "%2e%2E", ".%2e", "%2E.", "...", ".%", "%2", "..%2f", "a", "b",
    "foo", "foo.html", "C:", "C|", "c|", "c:", "C:a", "C|a", "1:", "C::", "C%3A", "C%7C", "a b",
    "localhost", "\u00e9", "~", ".\t.", "C\t|", "\u2024\u2024", "a:b", "a@b", ";x=1", "^",
)  # fmt: skip
_SEPARATORS: Final = ("/", "/", "/", "/", "\\", "//", "/\\", "%2F")

paths: Final[SearchStrategy[str]] = st.builds(
    "".join,
    st.tuples(
        st.sampled_from(("/", "/", "", "\\")),
        st.lists(
            st.builds(
                "".join,
                st.tuples(st.sampled_from(_SEGMENTS), st.sampled_from(("", *_SEPARATORS))),
            ),
            max_size=5,
        ).map("".join),
        st.sampled_from(_SEGMENTS),
    ),
)

components: Final[SearchStrategy[str]] = joined(
    choice(
        st.sampled_from(("a", "b", "=", "&", "foo", "1", "+", *_ASCII_PUNCTUATION, *_DELIMITERS)),
        st.sampled_from((*PERCENTS, *EXOTIC, *SURROGATES, *NOISE)),
    ),
    max_size=4,
)
queries: Final[SearchStrategy[str]] = choice(st.just(""), st.just(""), components.map("?{}".format))
fragments: Final[SearchStrategy[str]] = choice(
    st.just(""), st.just(""), components.map("#{}".format)
)

# --- whole URLs -------------------------------------------------------------------------------

_absolute: Final[SearchStrategy[str]] = st.builds(
    lambda scheme, slashes, authority, path, query, fragment: (
        f"{scheme}:{slashes}{authority}{path}{query}{fragment}"
    ),
    schemes,
    _slashes,
    authorities,
    paths,
    queries,
    fragments,
)
_without_authority: Final[SearchStrategy[str]] = st.builds(
    lambda scheme, path, query, fragment: f"{scheme}:{path}{query}{fragment}",
    schemes,
    choice(paths, components),
    queries,
    fragments,
)
_file: Final[SearchStrategy[str]] = st.builds(
    lambda scheme, slashes, host, path, query, fragment: (
        f"{scheme}:{slashes}{host}{path}{query}{fragment}"
    ),
    st.sampled_from(("file", "file", "FILE")),
    _slashes,
    choice(st.sampled_from(("", "", "localhost", "C:", "c|", "h", "LOCALHOST.", "C|a")), hosts),
    paths,
    queries,
    fragments,
)
_relative: Final[SearchStrategy[str]] = st.builds(
    lambda slashes, authority, path, query, fragment: (
        f"{slashes}{authority}{path}{query}{fragment}"
    ),
    st.sampled_from(("", "", "", "/", "\\", "//", "\\\\", "/\\", "///")),
    choice(st.just(""), st.just(""), authorities),
    paths,
    queries,
    fragments,
)
_soup: Final[SearchStrategy[str]] = joined(
    choice(
        st.sampled_from((*_SPECIAL_SCHEMES, "foo", ":", "://", "//", "\\", "h.com", "C|", "[::1]")),
        st.sampled_from((*_DELIMITERS, *_ASCII_PUNCTUATION, *PERCENTS, *NOISE)),
        st.sampled_from((*_SEGMENTS, *EXOTIC, *SURROGATES)),
        st.text(max_size=3),
    ),
    max_size=8,
)  # fmt: skip


@st.composite
def with_noise(draw: DrawFn, texts: SearchStrategy[str]) -> str:
    """Draw a string in which up to three other pieces are inserted or replace a code point."""
    text = draw(texts)
    for _ in range(draw(st.integers(0, 3))):
        at = draw(st.integers(0, len(text)))
        piece = draw(
            choice(
                st.sampled_from(NOISE),
                st.sampled_from((*_DELIMITERS, *_ASCII_PUNCTUATION)),
                st.sampled_from((*PERCENTS, *EXOTIC, *SURROGATES)),
            )
        )
        text = text[:at] + piece + text[at + draw(st.integers(0, 1)) :]
    return text


_mostly_host: Final[SearchStrategy[str]] = st.builds(
    "".join,
    st.tuples(
        st.sampled_from(("https://", "http://", "ws://", "foo://", "file://")),
        hosts,
        st.sampled_from(("", "/", ":80/", "/a?b#c")),
    ),
)
clean_urls: Final[SearchStrategy[str]] = choice(
    _absolute, _mostly_host, _without_authority, _file, _relative, _relative
)
url_texts: Final[SearchStrategy[str]] = choice(
    _mostly_host, clean_urls, clean_urls, with_noise(clean_urls), _soup
)
"""Text that may be a URL. Most of it is broken somewhere."""
