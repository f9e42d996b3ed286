"""Tests of `hosts.domains` with web-platform-tests, strict parsing and Unicode forms."""

from __future__ import annotations

import subprocess
import sys
from typing import Any
from urllib.parse import quote

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.strategies import domains
from tests.wpt import load_cases
from weburl import Domain, URLParseError, parse
from weburl.standard.hosts import uts46
from weburl.standard.hosts.domains import (
    domain_to_ascii,
    domain_to_unicode,
)
from weburl.standard.infra import unicode_data
from weburl.standard.infra.code_point_regexes import FORBIDDEN_DOMAIN_CODE_POINT
from weburl.standard.infra.strings import to_scalar_value_string

# U+3E8AC is unassigned in the Unicode 17 that the data were made with, and assigned in 18.
ASSIGNED_SINCE = {
    "\U0003e8ac\u3002\u0729\u3002\ucbd95": "xn--t92s.xn--znb.xn--5-y88f",
    "\U0003e8ac\u3002\u0729\u3002\u110d\u1173\u11ac5": "xn--t92s.xn--znb.xn--5-y88f",
}

NEEDS_ALL_OF_UNICODE = pytest.mark.skipif(
    not unicode_data.COMPLETE,
    reason="Without unicodedata2 some are declined: tests/pyodide/test_unicode.py says how many.",
)


def host_of(url: str) -> str | None:
    """Return the host of a URL as text, or None if it does not parse."""
    try:
        return str(parse(url).host)
    except URLParseError:
        return None


def differences(cases: list[dict[str, Any]]) -> list[tuple[str, str | None, str | None]]:
    """Return the input, the expected and the actual host of each case that differs.

    The input is in a URL as it is, and percent-encoded, so that delimiters of a URL stay in
    the host.
    """
    found = []
    for case in cases:
        input, expected = case["input"], case["output"]
        encoded = quote(to_scalar_value_string(input), safe="")
        hosts = [host_of(f"https://{encoded}/x")]
        if not set("/\\?#@:[]\t\n\r") & set(input):
            hosts.append(host_of(f"https://{input}/x"))
        found += [(input, expected, host) for host in hosts if host != expected]
    return found


def test_assorted_domains_of_web_platform_tests_are_parsed_as_expected() -> None:
    """The file toascii.json has 87 cases."""
    cases = load_cases("toascii.json")
    assert differences(cases) == []
    assert (len(cases), sum(case["output"] is None for case in cases)) == (87, 19)


@NEEDS_ALL_OF_UNICODE
def test_unicodes_own_domains_are_parsed_as_expected() -> None:
    """A URL cannot contain the empty text, and Unicode 18 allows two more domains."""
    cases = load_cases("IdnaTestV2.json")
    testable = [case for case in cases if case["input"] != ""]
    found = differences(testable)
    assert {input: actual for input, _, actual in found} == ASSIGNED_SINCE
    assert {expected for _, expected, _ in found} == {None}
    assert (len(cases), len(testable)) == (2671, 2670)
    assert sum(case["output"] is None for case in cases) == 1117


@NEEDS_ALL_OF_UNICODE
def test_strict_to_ascii_fails_just_where_unicodes_data_name_an_error() -> None:
    """The comments keep the errors that a lenient parser ignores: 2671 answers of the strict one.

    Four rows hold code points that are assigned since Unicode 18, by themselves or encoded.
    """
    cases = load_cases("IdnaTestV2.json")
    differ = [
        case["input"]
        for case in cases
        if ("comment" in case) != (domain_to_ascii(case["input"], True) is None)
    ]
    assigned_since = {*ASSIGNED_SINCE, *ASSIGNED_SINCE.values(), "xn--5cb172r175fug38a.xn--mlj"}
    assert set(differ) == assigned_since
    assert (len(cases), len(differ)) == (2671, 4)


def test_domains_that_unicode_removed_from_its_tests_still_fail() -> None:
    """There are 20 of them."""
    cases = load_cases("IdnaTestV2-removed.json")
    assert differences(cases) == []
    assert (len(cases), sum(case["output"] is None for case in cases)) == (20, 20)


@NEEDS_ALL_OF_UNICODE
def test_domains_of_web_platform_tests_have_a_unicode_form_that_parses_to_them() -> None:
    """ASCII domains without such a form are shown as they are."""
    outputs = {
        case["output"]
        for name in ("IdnaTestV2.json", "toascii.json")
        for case in load_cases(name)
        if case["output"]
    }
    assert len(outputs) == 1035
    shown_as_they_are = 0
    for output in outputs:
        host = parse(f"https://{output}/").host
        if not isinstance(host, Domain):
            continue
        unicode_domain = host.to_unicode()
        shown_as_they_are += unicode_domain == output
        assert host_of(f"https://{quote(unicode_domain, safe='')}/") == output
    assert 0 < shown_as_they_are < len(outputs)


# --- strict ----------------------------------------------------------------------------------


@given(domains)
def test_the_fast_way_for_ascii_domains_is_that_of_uts_46(text: str) -> None:
    """`uts46` gives the same answers as the fast path for ASCII."""
    for domain in (text, text.encode("ascii", "ignore").decode()):
        scalar_values = to_scalar_value_string(domain)
        for be_strict in (False, True):
            expected = uts46.to_ascii(scalar_values, be_strict)
            assert domain_to_ascii(scalar_values, be_strict) == expected


@given(st.text(st.sampled_from("aA0-._~ \x7fxn-"), max_size=12))
def test_the_fast_way_for_ascii_domains_knows_every_rule(text: str) -> None:
    """The texts have hyphens, dots and signs in any order."""
    for be_strict in (False, True):
        assert domain_to_ascii(text, be_strict) == uts46.to_ascii(text, be_strict)


# --- the parser's domains --------------------------------------------------------------------


# --- to Unicode ------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("domain", "expected"),
    [
        ("example.com", "example.com"),
        ("xn--fa-hia.de", "fa\u00df.de"),
        ("xn--53h.example.", "\u2615.example."),
        ("a..xn--9ca", "a..\u00e9"),
        ("xn--a", "xn--a"),
        ("xn--9ca.xn--a", "xn--9ca.xn--a"),
        ("xn--8i7caa", "xn--8i7caa"),
        ("1.xn--4db", "1.xn--4db"),
        ("a_b.xn--9ca", "a_b.\u00e9"),
        ("-.xn--9ca", "-.\u00e9"),
        (f"xn--9ca.{'a' * 300}", f"\u00e9.{'a' * 300}"),
        ("axn--9ca", "axn--9ca"),
    ],
)
def test_a_domain_is_shown_in_unicode_where_all_of_it_is_valid(domain: str, expected: str) -> None:
    """If one label is invalid, no label is shown in Unicode."""
    assert domain_to_unicode(domain) == Domain(domain).to_unicode() == expected


def test_ascii_domains_without_an_a_label_load_no_tables() -> None:
    """The module for UTS #46 is imported when a host needs it."""
    program = (
        "import sys, weburl; weburl.check('https://EXAMPLE.com/'); "
        "assert 'idna' not in sys.modules; weburl.parse('https://xn--a/'); "
        "assert 'idna' not in sys.modules; weburl.parse('https://\\u00e9/'); "
        "assert 'idna' in sys.modules"
    )
    subprocess.run([sys.executable, "-c", program], check=True)


@pytest.mark.parametrize("be_strict", [False, True])
def test_what_is_refused_before_it_is_mapped_is_refused_afterwards_too(be_strict: bool) -> None:
    """Each code point is tried alone, and before a mark that it may compose with."""
    refused = 0
    for code_point in (*range(0x80, 0xD800), *range(0xE000, 0x110000)):
        for domain in (chr(code_point), f"{chr(code_point)}\u0338"):
            if uts46.holds_what_stays_forbidden(domain):
                refused += 1
                result = uts46.to_ascii(domain, be_strict)
                assert not result or FORBIDDEN_DOMAIN_CODE_POINT.search(result), domain
    assert refused > 100
    for taken in ("\u226e", "<\u0338", "\ufe64\u0338", "b\u00fccher"):
        assert not uts46.holds_what_stays_forbidden(taken)
