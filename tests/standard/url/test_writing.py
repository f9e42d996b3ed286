"""The grammar of valid URL strings, against a second formulation and against the parser.

The second formulation is regular expressions, one for each production of the standard's section
on URL writing, put together from one another as the standard's sentences are. Only what a domain
is comes from the project, since no regular expression tells it.
"""

from __future__ import annotations

import re
from typing import Final

import pytest
from hypothesis import assume, example, given
from hypothesis import strategies as st

import weburl
from tests import strategies
from tests.reference.records import SPECIAL_SCHEMES
from tests.wpt import load_cases
from weburl import URLRecord, is_valid_url_string
from weburl.standard.hosts.domains import parse_domain_strictly
from weburl.standard.url import writing

# --- the second formulation -------------------------------------------------------------------

_NON_ASCII_URL_CODE_POINTS: Final = "\xa0-\ud7ff\ue000-\ufdcf\ufdf0-\ufffd" + "".join(
    f"{chr(plane << 16)}-{chr((plane << 16) + 0xFFFD)}" for plane in range(1, 17)
)


def _url_units_without(excluded: str) -> str:
    """Return a regex of a URL unit other than the excluded code points."""
    ascii_url_code_points = "".join(char for char in "!$&'()*+,-./:;=?@_~" if char not in excluded)
    code_points = f"A-Za-z0-9{re.escape(ascii_url_code_points)}{_NON_ASCII_URL_CODE_POINTS}"
    return f"(?:[{code_points}]|%[0-9A-Fa-f]{{2}})"


URL_UNITS: Final = f"{_url_units_without('')}*"
URL_QUERY_STRING: Final = URL_UNITS
URL_FRAGMENT_STRING: Final = URL_UNITS

# A dot segment is one of these too, so that the three alternatives of the standard are one.
URL_PATH_SEGMENT_STRING: Final = f"{_url_units_without('/?')}*"
PATH_ABSOLUTE_URL_STRING: Final = f"(?:/{URL_PATH_SEGMENT_STRING})+"
PATH_ABSOLUTE_NON_AUTHORITY_URL_STRING: Final = f"(?!//){PATH_ABSOLUTE_URL_STRING}"
URL_SCHEME_STRING: Final = "[A-Za-z][A-Za-z0-9+.-]*"
PATH_RELATIVE_URL_STRING: Final = f"(?!/){URL_PATH_SEGMENT_STRING}(?:/{URL_PATH_SEGMENT_STRING})*"
PATH_RELATIVE_SCHEME_LESS_URL_STRING: Final = f"(?!{URL_SCHEME_STRING}:){PATH_RELATIVE_URL_STRING}"
OPAQUE_PATH_URL_STRING: Final = f"(?!/){_url_units_without('?')}*"

VALID_IPV4_ADDRESS_STRING: Final = r"(?:{0}\.{0}\.{0}\.{0})".format(
    "(?:[0-9]|[1-9][0-9]|1[0-9][0-9]|2[0-4][0-9]|25[0-5])"
)
VALID_IPV6_PIECE_STRING: Final = "(?:[0-9A-Fa-f]|[1-9A-Fa-f][0-9A-Fa-f]{1,3})"


def _ipv6_pieces(length: int) -> str:
    """Return a valid IPv6-pieces string of an effective piece length, or "" for 0."""
    return ":".join([VALID_IPV6_PIECE_STRING] * length)


def _ipv6_pieces_and_ipv4(length: int) -> str:
    """Return a valid IPv6-pieces-and-IPv4 string of an effective piece length of 2 or more."""
    return ":".join([VALID_IPV6_PIECE_STRING] * (length - 2) + [VALID_IPV4_ADDRESS_STRING])


VALID_IPV6_ADDRESS_STRING: Final = "(?:{})".format(
    "|".join(
        [
            _ipv6_pieces(8),
            _ipv6_pieces_and_ipv4(8),
            *(
                f"{_ipv6_pieces(before)}::{following}"
                for before in range(8)
                for after in range(8 - before)
                for following in (
                    _ipv6_pieces(after),
                    *([_ipv6_pieces_and_ipv4(after)] if after >= 2 else []),
                )
            ),
        ]
    )
)
# Whether it is a valid domain is asked of the group once the whole string has matched: no valid
# domain holds a code point that ends a host.
VALID_HOST_STRING: Final = (
    rf"(?:\[{VALID_IPV6_ADDRESS_STRING}\]|{VALID_IPV4_ADDRESS_STRING}(?![^:/?#])"
    r"|(?P<domain>[^:/?#\[\]\\@]+))"
)
VALID_OPAQUE_HOST_STRING: Final = (
    rf"(?:\[{VALID_IPV6_ADDRESS_STRING}\]|{_url_units_without('/:?@')}+)"
)
URL_PORT_STRING: Final = (
    "(?:|0*(?:[0-9]{1,4}|[1-5][0-9]{4}|6[0-4][0-9]{3}|65[0-4][0-9]{2}|655[0-2][0-9]|6553[0-5]))"
)
OPAQUE_HOST_AND_PORT_STRING: Final = f"(?:|{VALID_OPAQUE_HOST_STRING}(?::{URL_PORT_STRING})?)"

SCHEME_RELATIVE_SPECIAL_URL_STRING: Final = (
    f"//{VALID_HOST_STRING}(?::{URL_PORT_STRING})?(?:{PATH_ABSOLUTE_URL_STRING})?"
)
SCHEME_RELATIVE_URL_STRING: Final = (
    f"//{OPAQUE_HOST_AND_PORT_STRING}(?:{PATH_ABSOLUTE_URL_STRING})?"
)
SCHEME_RELATIVE_FILE_URL_STRING: Final = (
    f"//(?:{VALID_HOST_STRING}(?:{PATH_ABSOLUTE_URL_STRING})?|{PATH_ABSOLUTE_URL_STRING})?"
)


def _complete(*alternatives: str) -> re.Pattern[str]:
    """Return a regex of the alternatives, with an optional query and fragment."""
    return re.compile(
        rf"(?:{'|'.join(alternatives)})(?:\?{URL_QUERY_STRING})?(?:#{URL_FRAGMENT_STRING})?"
    )


# From the oracle's table: this grammar, too, must not share our mistakes.
_SPECIAL: Final = "|".join(map(re.escape, SPECIAL_SCHEMES))
_SPECIAL_BUT_FILE: Final = "|".join(re.escape(name) for name in SPECIAL_SCHEMES if name != "file")

ABSOLUTE_URL_WITH_FRAGMENT_STRINGS: Final = (
    _complete(f"(?ai:{_SPECIAL_BUT_FILE}):{SCHEME_RELATIVE_SPECIAL_URL_STRING}"),
    _complete(
        *(
            f"(?!(?ai:{_SPECIAL}):){URL_SCHEME_STRING}:{rest}"
            for rest in (
                SCHEME_RELATIVE_URL_STRING,
                PATH_ABSOLUTE_NON_AUTHORITY_URL_STRING,
                OPAQUE_PATH_URL_STRING,
            )
        )
    ),
    _complete(f"(?ai:file):{SCHEME_RELATIVE_FILE_URL_STRING}"),
)
_RELATIVE_PATHS: Final = (
    PATH_ABSOLUTE_NON_AUTHORITY_URL_STRING,
    PATH_RELATIVE_SCHEME_LESS_URL_STRING,
)
RELATIVE_URL_WITH_FRAGMENT_STRING: Final = {
    "special": _complete(*_RELATIVE_PATHS, SCHEME_RELATIVE_SPECIAL_URL_STRING),
    "file": _complete(*_RELATIVE_PATHS, SCHEME_RELATIVE_FILE_URL_STRING),
    "other": _complete(*_RELATIVE_PATHS, SCHEME_RELATIVE_URL_STRING),
    "opaque": re.compile(f"#{URL_FRAGMENT_STRING}"),
}


def _is_valid_domain(text: str) -> bool:
    """Return whether ``text`` is a valid domain, by the standard's four steps."""
    domain = parse_domain_strictly(text)
    if domain is None:
        return False
    return re.search(r"(?:\A|\.)(?:[0-9]+|0[Xx][0-9A-Fa-f]*)\.?\Z", domain) is None


def _matches(pattern: re.Pattern[str], text: str) -> bool:
    found = pattern.fullmatch(text)
    if found is None:
        return False
    domain = found.groupdict().get("domain")
    return domain is None or _is_valid_domain(domain)


def matches_the_grammar(text: str, base: URLRecord | None) -> bool:
    """Return whether ``text`` is a valid URL string by the second formulation."""
    if any(_matches(pattern, text) for pattern in ABSOLUTE_URL_WITH_FRAGMENT_STRINGS):
        return True
    if base is None:
        return False
    kind = "file" if base.scheme == "file" else "special" if base.is_special else "other"
    kind = "opaque" if base.has_opaque_path else kind
    return _matches(RELATIVE_URL_WITH_FRAGMENT_STRING[kind], text)


def _record(base: str | None) -> URLRecord | None:
    assume(base is None or weburl.can_parse(base))
    return None if base is None else weburl.parse(base)


def _has_surrogates(text: str) -> bool:
    return re.search("[\ud800-\udfff]", text) is not None


# --- the grammar against the second formulation -----------------------------------------------


@given(strategies.url_texts, strategies.bases_or_none)
def test_the_two_formulations_agree_on_text_that_is_nearly_a_url(
    text: str, base: str | None
) -> None:
    """Most texts are invalid for a single reason."""
    record = _record(base)
    assert is_valid_url_string(text, record) is matches_the_grammar(text, record)


@given(strategies.valid_url_texts, strategies.bases_or_none)
@example("https://255.255.255.255:65535//?/?#/?#", None)
@example("foo://:80", None)
@example("foo:////x", None)
@example("foo:a//x", None)
@example("file:////x", None)
@example("file://h:80/", None)
@example("//", "file:///")
@example("//", "foo:/")
@example("//", "http://h/")
@example("//[::]x", "http://h/")
@example("//[::]:x", "http://h/")
@example("//[1::1::1]", "http://h/")
@example("a:b", "http://h/")
@example("./a:b", "http://h/")
@example("?#", "foo:x")
@example("#?", "foo:x")
def test_the_two_formulations_agree_on_text_that_is_mostly_valid(
    text: str, base: str | None
) -> None:
    """Texts are made of valid pieces, with all kinds of bases."""
    record = _record(base)
    assert is_valid_url_string(text, record) is matches_the_grammar(text, record)


@given(
    strategies.hosts, st.sampled_from(("https", "FILE", "foo")), st.sampled_from(("", ":8", "/"))
)
def test_the_two_formulations_agree_on_hosts(host: str, scheme: str, rest: str) -> None:
    """Only the host can make the text invalid."""
    text = f"{scheme}://{host}{rest}"
    assert is_valid_url_string(text) is matches_the_grammar(text, None)


@given(st.one_of(strategies.ipv6_addresses, strategies.valid_ipv6_addresses()))
@example("1:2:3:4:5:6:7::")
@example("::2:3:4:5:6:7:8")
@example("1::2:3:4:5:6:7:8")
@example("1:2:3:4:5:6:1.2.3.4")
@example("::1.2.3.4")
@example("1.2.3.4::1.2.3.4")
@example("1.2.3.4")
@example("1::1")
@example("1:" * 30)
def test_the_two_formulations_agree_on_ipv6_addresses(address: str) -> None:
    """Pieces, compression and IPv4 are in any number and order."""
    expected = re.fullmatch(VALID_IPV6_ADDRESS_STRING, address) is not None
    assert writing.is_valid_ipv6_address_string(address) is expected


@given(strategies.ipv4_addresses)
def test_the_two_formulations_agree_on_ipv4_addresses(address: str) -> None:
    """Numbers may be too large, not decimal, or longer than needed."""
    expected = re.fullmatch(VALID_IPV4_ADDRESS_STRING, address) is not None
    assert writing.is_valid_ipv4_address_string(address) is expected


@pytest.mark.parametrize(
    ("text", "is_host", "is_opaque_host"),
    [
        ("example.com", True, True),
        ("b\u00fccher.example", True, True),
        ("127.0.0.1", True, True),
        ("[::1]", True, True),
        ("[1::1::1]", False, False),
        ("[::1", False, False),
        ("::1", False, False),
        ("", False, False),
        ("127.1", False, True),
        ("a_b", False, True),
        ("%41", False, True),
        ("a%", False, False),
        ("a b", False, False),
        ("a<b", False, False),
        ("a..b", False, True),
    ],
)
def test_a_host_string_is_valid_by_itself(text: str, is_host: bool, is_opaque_host: bool) -> None:
    """It is tried as the host of a special scheme, and as an opaque host."""
    assert writing.is_valid_host_string(text) is is_host
    assert writing.is_valid_opaque_host_string(text) is is_opaque_host
    if not text.startswith("["):
        is_domain = writing.is_valid_domain(text)
        assert is_host is (is_domain or writing.is_valid_ipv4_address_string(text))


def test_every_number_is_a_port_just_when_it_has_16_bits() -> None:
    """The numbers are near powers of ten and the limit, and may have leading zeros."""
    numbers = {n for power in range(8) for n in range(max(10**power - 11, 0), 10**power + 11)}
    numbers.update(range(65500, 65600))
    for number in numbers:
        for text in (str(number), f"{number:012}"):
            assert writing.is_url_port_string(text) is (number <= 65535)
            assert (re.fullmatch(URL_PORT_STRING, text) is not None) is (number <= 65535)
    assert writing.is_url_port_string("")
    for text in ("+1", "-1", " 1", "1 ", "1_0", "\u0661", "\uff11", "\xb2", "1\n", "0x1"):
        assert not writing.is_url_port_string(text)


def test_every_code_point_is_a_url_unit_just_as_the_second_formulation_says() -> None:
    """All code points are tried, including surrogates."""
    unit = re.compile(_url_units_without(""))
    wrong = [
        code_point
        for code_point in range(0x110000)
        if writing.is_url_units(chr(code_point)) is (unit.fullmatch(chr(code_point)) is None)
    ]
    assert wrong == []


def test_the_two_formulations_agree_on_web_platform_tests() -> None:
    """Each input is tried with its own base."""
    cases = load_cases("urltestdata.json")
    valid = 0
    for case in cases:
        base = None if case["base"] is None else weburl.parse(case["base"])
        is_valid = is_valid_url_string(case["input"], base)
        assert is_valid is matches_the_grammar(case["input"], base), case
        valid += is_valid
    assert (len(cases), valid) == (891, 355)


# --- the grammar against the parser -----------------------------------------------------------


@given(
    st.one_of(strategies.url_texts.map(str), strategies.valid_url_texts.map(str)),
    strategies.bases_or_none,
)
def test_a_valid_url_string_is_what_the_parser_takes_without_errors(
    text: str, base: str | None
) -> None:
    """The standard defines the two separately. Lone surrogates are left out."""
    assume(not _has_surrogates(text))
    report = weburl.check(text, _record(base))
    parses_without_errors = report.record is not None and report.error_count == 0
    assert is_valid_url_string(text, base) is parses_without_errors


@given(strategies.hosts, st.sampled_from(("https", "file", "foo")))
def test_a_host_is_valid_just_when_it_gives_no_error(host: str, scheme: str) -> None:
    """Domains, addresses and opaque hosts are tried in schemes that read them differently."""
    assume(not _has_surrogates(host))
    report = weburl.check(f"{scheme}://{host}/")
    assert report.is_valid_url_string is (report.record is not None and not report.errors)


def test_a_surrogate_pair_is_the_code_point_that_it_stands_for() -> None:
    """It is two code points of a `str`, but one of a URL."""
    for text in ("https://h/{}", "https://h/?{}", "https://h/#{}", "foo:{}", "foo://{}/", "{}"):
        pair, one = text.format("\ud83d\udca9"), text.format("\U0001f4a9")
        for base in (None, "https://h/", "foo:x"):
            assert is_valid_url_string(pair, base) is is_valid_url_string(one, base)
            assert weburl.check(pair, base).error_count == weburl.check(one, base).error_count
    noncharacter = "https://h/\ud83f\udffe"
    assert not is_valid_url_string(noncharacter)
