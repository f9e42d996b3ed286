"""`weburl.parsing.fast_path_links`: links are read as by the general parser, or declined."""

from __future__ import annotations

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from tests.parsing.test_fast_path_regex import references
from weburl.infra.errors import Failure
from weburl.parsing.fast_path_links import canonical_href, is_parsable, parse_quickly
from weburl.parsing.parser import parse_url

HOSTS = st.sampled_from(
    [
        *("h", "EXAMPLE.com", "a_b-c.d", "1.2.3.4", "255.255.255.255", "0.0.0.0", "1.2.3.04"),
        *("256.1.1.1", "1.2.3", "[::1]", "[1:2:3:4:5:6:7:8]", "[::1.2.3.4]", "[0:0::1]", "[:]"),
        *("[::G]", "h.", "a..b", "xn--a", "a--b", "u@h", "u:p@h", "h1", "1", "", "h%41", "h\\i"),
    ]
)
PORTS = st.sampled_from(["", ":", ":80", ":443", ":8", ":080", ":65535", ":65536", ":99999", ":x"])


def check_link(text: str) -> bool:
    """Hold all answers for a text to the parser's; return whether the regexes take it."""
    try:
        expected = parse_url(text, None, "utf-8", None)
    except Failure:
        assert parse_quickly(text) is None
        assert canonical_href(text) is None
        assert not is_parsable(text)
        return False
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
def test_links_are_read_as_the_parser_reads_them(
    scheme: str, host: str, port: str, rest: str
) -> None:
    """Or declined."""
    check_link(f"{scheme}{host}{port}{rest}")


@pytest.mark.parametrize(
    "text",
    [
        "HTTPS://EXAMPLE.COM",
        " http://h/a b/./c/../d?'x'#`y` \n",
        "https://h:65535?",
        "http://h:443/\\a",
        "http://127.0.0.1:8000/",
        "https://[2001:DB8::1]/".lower(),
    ],
)
def test_what_only_has_to_be_encoded_is_taken(text: str) -> None:
    """Letters, spaces, dot segments, ports, addresses."""
    assert check_link(text)


@pytest.mark.parametrize(
    "text",
    [
        "https://h:443/",
        "http://h:080/",
        "http://h:65536/",
        "http://1.2.3.256/",
        "http://1.2.3/",
        "http://[1::2::3]/",
        "http://u@h/",
        "http://h/\u00e9",
        "http://h/\ud800",
        "http://h/a\tb",
        "http://h./",
        "ftp://h/a",
        "http:/h/",
    ],
)
def test_what_the_parser_must_decide_is_declined(text: str) -> None:
    """Default ports, other ways to write an address, credentials, what is not ASCII, tabs."""
    assert not check_link(text)
