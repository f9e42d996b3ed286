"""`weburl.standard.url.fast_path_regex` reads links as the parser does, or declines them."""

from __future__ import annotations

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from weburl.standard.infra.errors import Failure
from weburl.standard.storage import COMPILED
from weburl.standard.url.api import can_parse, canonicalize, parse
from weburl.standard.url.api import parse_generally as parse_url
from weburl.standard.url.fast_path_regex import (
    canonical_href,
    is_parsable,
    join_quickly,
    parse_quickly,
)

pytestmark = pytest.mark.skipif(COMPILED, reason="a compiled build has no use for the regexes")

HOSTS = st.sampled_from(
    [
        *("h", "EXAMPLE.com", "a_b-c.d", "1.2.3.4", "255.255.255.255", "0.0.0.0", "1.2.3.04"),
        *("256.1.1.1", "1.2.3", "[::1]", "[1:2:3:4:5:6:7:8]", "[::1.2.3.4]", "[0:0::1]", "[:]"),
        *("[::G]", "[::1", "1.2.3.256", "1.2.3.4.5.", "1.2.3.256a", "h h", "h%2Fi", "h%2", "h<"),
        *("h<\u0338", "h>%CC%B8", "h<%", "h^\u0338"),
        *("h.", "a..b", "xn--a", "a--b", "u@h", "u:p@h", "h1", "1", "", "h%41", "h\\i"),
    ]
)
PIECES = st.sampled_from(
    [
        *("/", "//", ".", "..", "../", "./", "?", "#", ":", "%", "%2e", "%2E", "%41", "\\", "|"),
        "@",
        *("a", "b.c", "C|", "C:", "http:", "https://h/", "&=", " ", "\t", "\u00e9", "'", '"', "{"),
        *("", "1", "\x00", "\ud800", "[::0]", "u@h"),
    ]
)
references = st.lists(PIECES, max_size=8).map("".join)
PORTS = st.sampled_from(["", ":", ":80", ":443", ":8", ":080", ":65535", ":65536", ":99999", ":x"])


def check_link(text: str) -> bool:
    """Compare all answers with the parser's, and return whether the regexes take ``text``."""
    try:
        expected = parse_url(text, None, "utf-8")
    except Failure:
        assert parse_quickly(text) is None
        assert canonical_href(text) is None
        assert not is_parsable(text)
        return False
    assert is_parsable(text) is not False
    record, href = parse_quickly(text), canonical_href(text)
    assert (record is None) == (href is None)
    if record is None:
        return False
    assert record.__getstate__() == expected.__getstate__()
    assert type(record.host) is type(expected.host)
    assert href == expected.href
    return True


CREDENTIALS = st.sampled_from(
    ["", "u@", "u:p@", ":p@", "u:@", ":@", "@", "a%41:!$&'()*+,-._~@", "a b@", "a:b:c@", "u@v@"]
)
ADDRESSES = st.lists(
    st.sampled_from(["0", "0", "1", "a", "ff", "ffff", "01", "", "10000", "G", "F"]), max_size=9
).map(lambda pieces: f"[{':'.join(pieces)}]")
OPAQUE_HOSTS = st.text("aZ0.%~!'\\|^ :@[]/", max_size=4)
SCHEMES = st.sampled_from(
    [
        "http",
        "https",
        "HTTPS",
        " https",
        "hTTp",
        "ftp",
        "ws",
        "wss",
        "file",
        "foo",
        "git+ssh",
        "urn",
        "a",
        "1a",
        "Foo",
        "htt",
    ]
)
SLASHES = st.sampled_from(["//", "//", "//", "", "/", "///", "////", "/\t/", "\t//", "\\\\"])
OTHER_PORTS = st.one_of(PORTS, st.sampled_from([":21", ":60000", ":0", ":00"]))
RESTS = st.one_of(
    st.just(""),
    references.map("/{}".format),
    references,
    st.sampled_from(["/C:/x", "/C|/x", "/c|", "//x", "/a//b", " ", "/?'", "#`", "/../x", "/a\\b"]),
)


@given(
    SCHEMES,
    SLASHES,
    CREDENTIALS,
    st.one_of(HOSTS, ADDRESSES, OPAQUE_HOSTS, st.just("localhost")),
    OTHER_PORTS,
    RESTS,
)
@example("http", "//", "", "h", ":443", "")
@example("https", "//", "", "h", ":80", "/./a/..")
@example("http", "//", "", "1.2.3.4", "", "5/")
@example("http", "//", "", "h", "", "/?#")
@example("file", "//", "", "", "", "/C|/x")
@example("file", "//", "", "localhost", "", "/")
@example("file", "//", "u@", "h", "", "/")
@example("foo", "//", "", "", "", "/p")
@example("foo", "//", "u@", "", "", "/p")
@example("foo", "//", "", "a:b", "", "")
@example("foo", "//", "", "u\\@x", "", "")
@example("foo", "", "", "x", "", " ?q")
@example("foo", "/\t/", "", "[", "", "")
@example("wss", "//", "", "h", ":443", "/")
@example("http", "//", "", "[1:2:3::4:5:6:7]", "", "/")
@example("http", "//", "", "[1::2:0:0:0:3]", "", "/")
@example("http", "//", "", "[0:0:1::2]", "", "/")
@example("http", "//", "", "[1:2:3:4:5:6:7::]", "", "/")
def test_urls_are_declined_or_read_as_the_parser_reads_them(
    scheme: str, slashes: str, credentials: str, host: str, port: str, rest: str
) -> None:
    """They have credentials, hosts and ports of all kinds, and any scheme."""
    check_link(f"{scheme}:{slashes}{credentials}{host}{port}{rest}")


@pytest.mark.parametrize(
    "text",
    [
        *("http://h/", "https://h/a.b?c%27#d'", "https://a_b-c.d:8080/%41?#", "http://h:9999/"),
        *("https://h/?", "https://h/#"),
    ],
)
def test_canonical_links_are_taken(text: str) -> None:
    """They only have to be split. A link does not depend on a base."""
    assert check_link(text)
    assert join_quickly(parse("https://base/"), text) == parse(text)


@pytest.mark.parametrize(
    "text",
    [
        *("http://h", "HTTPS://EXAMPLE.COM:/\\", " http://h/a b\t", "http://h:59999?", "http://h#"),
        *("http://1.2.3.4/", "https://a_b-c.d:080/"),
    ],
)
def test_most_text_that_parses_is_certain(text: str) -> None:
    """Nothing after the host and the port of a link can make it fail."""
    check_link(text)
    assert is_parsable(text) is True


@pytest.mark.parametrize(
    "text",
    [
        *("h", " 1:", "\u212a:", "a b:", "http:", "https:/\\/?", "HTTP://#"),
        *("http://1.2.3.256", "http://1.2.3.4.5/", "http://[::G]", "http://[::1", "http://[::1/"),
        *("http://h h", "http://h<i", "http://h>/", "http://h]:80", "http://h%2Fi/@", "http://%0g"),
        *("http://h:x", "http://h:8x/", "http://h:\u0661", "http://h:065536", "http://a:b/c@d"),
    ],
)
def test_common_failures_are_certain(text: str) -> None:
    """`can_parse` takes ten times as long if the parser must decide."""
    check_link(text)
    assert is_parsable(text) is False


@pytest.mark.parametrize(
    "text",
    [
        *("ht\ntp:h", "http:\t//h", "http://h ", "http://h \x00", "http://h\t", "http://h:8\t0"),
        *("http://1.2.3.256@h", "http://1.2.3.04", "http://[\t::1]"),
        *("http://h h@i", "http://a:b@c"),
        *("http://h<\u0338", "http://h<%CC%B8", "http://%3E\u0338", "http://%3C%CC%B8/"),
    ],
)
def test_text_that_looks_like_a_failure_is_parsed(text: str) -> None:
    """Tabs and spaces are removed, "@" ends credentials, and marks combine with "<" and ">"."""
    assert can_parse(text)
    check_link(text)


@pytest.mark.parametrize("host", ["[::0]", "[0::]", "[0::1]", "[1::0]", "[1:0::2]", "[1::0:2]"])
@pytest.mark.parametrize("start", ["http://", "http://u@", "ftp://"])
def test_a_zero_beside_two_colons_is_left_out(start: str, host: str) -> None:
    """`canonicalize` once returned such an address unchanged."""
    text = f"{start}{host}/"
    check_link(text)
    assert canonicalize(text) == parse(text).href != text


@pytest.mark.parametrize("scheme", ["http", "https"])
@pytest.mark.parametrize("host", ["example.com", "127.0.0.1", "[::1]"])
def test_all_records_share_the_text_of_their_scheme(scheme: str, host: str) -> None:
    """Records of links that are not canonical share it too. A copy for each would take 64 bytes."""
    record = parse(f"{scheme}://{host}/a")
    for text in (f"{scheme}://{host}/b", f"{scheme.upper()}://{host}/ c"):
        assert parse(text).scheme is record.scheme
