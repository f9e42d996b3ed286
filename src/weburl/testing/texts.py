"""Strategies for text: URLs in any spelling, text that is not a URL, and harmful text."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

from hypothesis import strategies as st
from hypothesis.errors import InvalidArgument
from hypothesis.strategies import DrawFn, SearchStrategy

from weburl.standard.url.api import can_parse
from weburl.standard.url.record import URLRecord
from weburl.testing.spelling import other_spelling, spellings
from weburl.testing.values import Hosts, urls

_LONGEST: Final = 10_000

# Each of these fails to parse, with any path, query and fragment after it.
_FAILING: Final = (
    "", "a", "/a", "//a", "example.com", "://a", "1a://a", "https:", "http://", "ws:///", "ftp:",
    "https://:80", "https://u@", "https://u:p@:1", "http://a b", "http://a<b", "http://a^b",
    "http://%00", "http://%zz%", "http://[", "http://[::1", "http://[1:2]", "http://[::1::]",
    "http://[1:2:3:4:5:6:7:8:9]", "http://[12345::]", "http://[::1.2.3]", "http://[::256.1.1.1]",
    "http://[1:2:3:4:5:6:7:1.2.3.4]", "http://[::1.2.3.x]", "http://[fe80::1%25eth0]", "http://a]",
    "http://[:1]", "http://1.2.3.4.5", "http://256.256.256.256", "http://4294967296", "http://1.x1.0x",
    "http://0x1ffffffff", "http://a:65536", "http://a:80x", "http://a:-1", "http://a:8 0x",
    "http://xn--\u00e9", "http://\u00ad", "http://a\ufffd", "http://1\u05d0",
    "http://a\u05d0", "http://\uff05\uff14\uff11x", "http://\ud800", "file://%00", "file://a b",
    "file://[", "foo://a b", "foo://a^b", "foo://[1]", "foo://a:x", "foo://u@", "foo://:80",
)  # fmt: skip
_RESTS: Final = ("", "/", "/a", "/?q", "/#f", "/a/../b?c=d#e", "/\u00e9", "/ ")

_INVISIBLE: Final = (
    "\u202e", "\u202a", "\u202d", "\u2066", "\u2067", "\u2069", "\u200e", "\u200f", "\u061c",
    "\u200b", "\u200c", "\u200d", "\u2060", "\ufeff", "\u00ad", "\u180e", "\U000e0061", "\ufe0f",
    "\0", "\x7f", "\x85", "\u2028",
)  # fmt: skip
_LOOKALIKES: Final = (
    "\u0430", "\u0435", "\u043e", "\u0440", "\u0441", "\u0443", "\u0455", "\u03bf", "\u0131",
    "\u0261", "\u2044", "\u2215", "\u29f8", "\uff0f", "\uff0e", "\u3002", "\ua789", "\uff1a",
    "\uff20", "\uff1f", "\uff03", "\u212a", "\u017f", "\u30ce", "\u4e36", "\u0338", "\u0301" * 9,
)  # fmt: skip
_PERCENT_SIGNS: Final = ("%", "%%", "%4", "%zz", "%2e", "%2F", "%00", "%C3%A9", "%ff", "%25")
_SURROGATES: Final = ("\ud800", "\udbff", "\udc00", "\udfff", "\ud83d\udca9", "\udca9\ud83d")
_ORDINARY: Final = (
    "https://", "example", ".", "com", "/", "a", "@", ":", "?", "#", "paypal", "xn--", "%", "\\",
)  # fmt: skip


def url_texts(
    *,
    schemes: Iterable[str] | None = None,
    hosts: Hosts = None,
    credentials: bool = True,
    max_length: int | None = None,
) -> SearchStrategy[str]:
    """Return a strategy for strings that parse, in many spellings.

    The options are the same as for `urls`. ``max_length`` limits the string and its href.
    """
    records = urls(schemes=schemes, hosts=hosts, credentials=credentials, max_length=max_length)
    return _texts(records, max_length)


def spelling_pairs(
    *,
    schemes: Iterable[str] | None = None,
    hosts: Hosts = None,
    credentials: bool = True,
    max_length: int | None = None,
) -> SearchStrategy[tuple[str, str]]:
    """Return a strategy for pairs of different strings that parse to the same record.

    The options are the same as for `urls`. ``max_length`` limits the href. A string may be longer.
    """
    records = urls(schemes=schemes, hosts=hosts, credentials=credentials, max_length=max_length)
    return _pairs(records)


def invalid_url_texts() -> SearchStrategy[str]:
    """Return a strategy for strings that do not parse without a base."""
    return _invalid()


def hostile_texts(*, max_length: int = _LONGEST) -> SearchStrategy[str]:
    """Return a strategy for strings of any kind, including harmful ones.

    They include text that is nearly a URL, bidi marks and invisible characters, similar letters of
    several scripts, fullwidth delimiters, NUL and control characters, lone surrogates, percent
    signs, and pieces repeated thousands of times. Some of the strings parse. ``max_length`` is in
    code points, 10,000 by default. Raises InvalidArgument if it is negative.
    """
    if max_length < 0:
        raise InvalidArgument(f"max_length must not be negative: {max_length}")
    return _hostile(max_length)


@st.composite
def _texts(draw: DrawFn, records: SearchStrategy[URLRecord], max_length: int | None) -> str:
    record = draw(records)
    text = draw(spellings(record))
    return record.href if max_length is not None and len(text) > max_length else text


@st.composite
def _pairs(draw: DrawFn, records: SearchStrategy[URLRecord]) -> tuple[str, str]:
    record = draw(records)
    one, other = draw(spellings(record)), draw(spellings(record))
    return one, other if one != other else other_spelling(record, one)


def _with_rest(failing: str, rest: str) -> str:
    # Without a host after "//", the parser would find one in the path.
    return failing + rest if "//" in failing and not failing.endswith("/") else failing


def _is_no_url(text: str) -> bool:
    return not can_parse(text)


_HARMFUL: Final = st.sampled_from(
    (*_ORDINARY, *_INVISIBLE, *_LOOKALIKES, *_SURROGATES, *_PERCENT_SIGNS, " ", "\t", "<", "[", "|")
)


@st.composite
def _nearly_urls(draw: DrawFn) -> str:
    """Draw a URL with other text in up to three places, most of them near its host."""
    text = draw(_texts(urls(), None))
    for _ in range(draw(st.integers(1, 3))):
        at = draw(st.one_of(st.integers(0, min(len(text), 16)), st.integers(0, len(text))))
        text = text[:at] + draw(_HARMFUL) + text[at + draw(st.integers(0, 1)) :]
    return text


_INVALID_TEXTS: Final = st.one_of(
    st.builds(_with_rest, st.sampled_from(_FAILING), st.sampled_from(_RESTS)),
    _nearly_urls().filter(_is_no_url),
    st.text(max_size=20).filter(_is_no_url),
)
_HOSTILE_TEXTS: Final = st.one_of(
    _nearly_urls(),
    st.text(max_size=20),
    st.lists(_HARMFUL, max_size=8).map("".join),
    st.lists(st.sampled_from((*_LOOKALIKES, *_INVISIBLE)), max_size=3).map(
        lambda found: f"https://ex{''.join(found)}ample.com/"
    ),
    # A few lengths are enough, because all of them are long.
    st.builds(
        lambda before, piece, times: before + piece * times,
        st.sampled_from(("", "https://", "https://a/", "https://a?", "mailto:", "a:")),
        _HARMFUL,
        st.sampled_from((64, 256, 2048, 5000)),
    ),
)


@st.composite
def _invalid(draw: DrawFn) -> str:
    return draw(_INVALID_TEXTS)


@st.composite
def _hostile(draw: DrawFn, max_length: int) -> str:
    return draw(_HOSTILE_TEXTS)[:max_length]
