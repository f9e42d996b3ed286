"""`weburl.standard.url.fast_path_links` reads links as the parser does, or declines them."""

from __future__ import annotations

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from tests.standard.url.test_fast_path_references import references
from weburl.standard.infra.errors import Failure
from weburl.standard.url.api import can_parse, canonicalize, parse
from weburl.standard.url.api import parse_generally as parse_url
from weburl.standard.url.fast_path_regex import canonical_href, is_parsable, parse_quickly

HOSTS = st.sampled_from(
    [
        *("h", "EXAMPLE.com", "a_b-c.d", "1.2.3.4", "255.255.255.255", "0.0.0.0", "1.2.3.04"),
        *("256.1.1.1", "1.2.3", "[::1]", "[1:2:3:4:5:6:7:8]", "[::1.2.3.4]", "[0:0::1]", "[:]"),
        *("[::G]", "[::1", "1.2.3.256", "1.2.3.4.5.", "1.2.3.256a", "h h", "h%2Fi", "h%2", "h<"),
        *("h<\u0338", "h>%CC%B8", "h<%", "h^\u0338"),
        *("h.", "a..b", "xn--a", "a--b", "u@h", "u:p@h", "h1", "1", "", "h%41", "h\\i"),
    ]
)
PORTS = st.sampled_from(["", ":", ":80", ":443", ":8", ":080", ":65535", ":65536", ":99999", ":x"])


def check_link(text: str) -> bool:
    """Compare all answers with the parser's, and return whether the regexes take ``text``."""
    try:
        expected = parse_url(text, None, "utf-8", None)
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


@given(
    st.sampled_from(["http://", "HTTPS://", " https://", "hTTp:/", "http:///", "ftp://"]),
    HOSTS,
    PORTS,
    st.one_of(st.just(""), references.map("/{}".format), references),
)
@example("http://", "h", ":443", "")
@example("https://", "h", ":80", "/./a/..")
@example("http://", "1.2.3.4", "", "5/")
@example("http://", "h", "", "/?#")
def test_links_are_declined_or_read_as_the_parser_reads_them(
    scheme: str, host: str, port: str, rest: str
) -> None:
    """The records and hrefs are the same, with hosts and ports of all kinds."""
    check_link(f"{scheme}{host}{port}{rest}")


CREDENTIALS = st.sampled_from(
    ["", "u@", "u:p@", ":p@", "u:@", ":@", "@", "a%41:!$&'()*+,-._~@", "a b@", "a:b:c@", "u@v@"]
)
ADDRESSES = st.lists(
    st.sampled_from(["0", "0", "1", "a", "ff", "ffff", "01", "", "10000", "G", "F"]), max_size=9
).map(lambda pieces: f"[{':'.join(pieces)}]")
OPAQUE_HOSTS = st.text("aZ0.%~!'\\|^ :@[]/", max_size=4)
SCHEMES = st.sampled_from(
    ["http", "https", "ftp", "ws", "wss", "file", "foo", "git+ssh", "urn", "a", "1a", "Foo", "htt"]
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
def test_other_urls_are_declined_or_read_as_the_parser_reads_them(
    scheme: str, slashes: str, credentials: str, host: str, port: str, rest: str
) -> None:
    """These URLs have credentials, addresses, and schemes other than http and https."""
    check_link(f"{scheme}:{slashes}{credentials}{host}{port}{rest}")


@pytest.mark.parametrize(
    "text",
    [
        "http://u@h/",
        "https://user:p%40ss!@example.com:8443/a?b#c",
        "http://:p@h/",
        "http://u:p@[2001:db8::1]:8080/",
        "ftp://h/a",
        "wss://h:80/",
        "file:///",
        "file:///C:/x",
        "file://server/share",
        "foo://h",
        "git+ssh://git@h:22/a/b",
        "redis://%41:6379/0?q#f",
        "foo:/a/b",
        "urn:isbn:1",
        "mailto:a@b?subject=c",
    ],
)
def test_urls_of_other_kinds_are_declined(text: str) -> None:
    """Links rarely have credentials or other schemes, so only `can_parse` has a regex for them."""
    assert not check_link(text)
    assert can_parse(text)
    assert canonicalize(text) == text


@pytest.mark.parametrize(
    "text",
    [
        "http://h:60000/",
        "https://1.2.3.4/?q",
        "https://[1:2:3:4:5:6:7:8]/",
        "http://[::]/",
    ],
)
def test_canonical_links_with_addresses_are_taken(text: str) -> None:
    """Links with large ports are taken too."""
    assert check_link(text)
    assert canonical_href(text) is text
    assert can_parse(text)


@pytest.mark.parametrize(
    "text",
    [
        "HTTPS://EXAMPLE.COM",
        " http://h/a b/./c/../d?'x'#`y` \n",
        "https://h:65535?",
        "http://h:443/\\a",
        "http://127.0.0.1:8000/",
        "https://[2001:DB8::1]/",
        "http://[1:2:3::5:6:7:8]/",
        "http://[::]:60000?",
        "http://h/\u00e9?\u00e9#\u00e9 ",
        "http://h/{a}%2e/%2E%2e/./././b\\..\\c\x00",
        "http://h#a'b\"?",
        "http://\u00e9/",
        " HTTPS://B\u00dcCHER.example:8080/\u00e9/../?\u00fc",
        "http://xn--bcher-kva\u3002\u4f8b\u3048",
        "http://a\u00adb--c_d./x y",
        "http://\u05d0.\u0628\u0661/#",
        "http://1.2.3/",
        "http://\uff11.2.3.4/",
        "http://[::1.2.3.4]:8/",
    ],
)
def test_links_that_are_not_canonical_are_taken(text: str) -> None:
    """They have uppercase letters, spaces, dot segments, or domains that are not plain ASCII."""
    assert check_link(text)


@pytest.mark.parametrize(
    "text",
    [
        "https://h:443/",
        "http://h:080/",
        "http://h:65536/",
        "http://1.2.3.256/",
        "http://[1::2::3]/",
        "http://u:@h/",
        "http://@h/",
        "file://localhost/",
        "file:///C|/",
        "foo:a ?b",
        "http://xn--a.\u00e9/",
        "http://a\u00adb\u3002\ufdd0/",
        "http://\u00e9\ud800/",
        "http://h/\ud800",
        "http://h/a b?\udc00",
        "http://[1:2:3:4::5:6:7:8]/",
        "http://[::1::]/",
        "http://[:::]/",
        "http://[1:2:3:4:5:6:7]/",
        "http://[12345::]/",
        "http://h/a\tb",
        "ftp://h:21/a",
        "ftp://[A::F]/",
        "ftp://[a::f::]/",
        "http:/h/",
    ],
)
def test_what_the_parser_must_decide_is_declined(text: str) -> None:
    """Examples are default ports, empty passwords, surrogates, tabs, and hosts that fail."""
    assert not check_link(text)


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
