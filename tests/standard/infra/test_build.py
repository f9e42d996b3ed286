"""Tests of `infra.build`, and of the fast path, which gives the same results in both builds."""

from __future__ import annotations

import os
import subprocess
import sys

import pytest
from hypothesis import given
from hypothesis import strategies as st

import weburl
from tests.strategies import url_texts
from tests.wpt import load_cases
from weburl import COMPILED
from weburl.standard.infra.errors import Failure
from weburl.standard.url import fast_path, fast_path_regex
from weburl.standard.url.api import parse_generally as parse_url
from weburl.standard.url.record import URLRecord

# Texts that are canonical, or nearly, which is where two bodies could part.
_PIECES = st.sampled_from(
    [
        *("https://", "http://", "ftp://", "HTTPS://", " Http://", "https:/", "EXAMPLE.com"),
        *("example.com", "a-b.c", "xn--a"),
        *("a--b", "-", ".", "..", "1.2", "0x1", "a1", "_", "x.com", "co.uk.", ":", ":1", ":80"),
        *(":443", ":0", ":65535", ":12345", ":8080", "/", "//", "/.", "/..", "/%2e", "/%2E", "/%"),
        *("/%20", ".a", "a.b", "%2e", "%", "?", "??", "#", "##", "?a=b&c", "'", '"', "<", "`", "{"),
        *("|", "^", "\\", "@", "user@", " ", "\t", "\n", "\x00", "\x7f", "\x80", "\u00e9"),
        "\ud800",
        *("[::1]", "[", "]", "~", "!", "$", "+", "(", "=", ";", ","),
    ]
)
near_canonical = st.builds(
    "".join,
    st.tuples(
        st.sampled_from(["https://", "http://", "\x00 HttpS://", "https:", ""]),
        st.sampled_from(["example.com", "EXAMPLE.Com", "a.b-c.d", "x", "h_1.io", ""]),
        st.lists(_PIECES, max_size=6).map("".join),
    ),
)


def test_the_build_is_the_one_that_was_asked_for() -> None:
    """WEBURL_EXPECTED_BUILD, which CI sets, is "compiled" or "interpreted"."""
    expected = os.environ.get("WEBURL_EXPECTED_BUILD")
    if expected is None:
        pytest.skip("WEBURL_EXPECTED_BUILD names no build")
    assert expected == ("compiled" if COMPILED else "interpreted")
    assert fast_path.parse_quickly.__module__.startswith("weburl.standard.compiled") is COMPILED


SECOND = """
import warnings
with warnings.catch_warnings(record=True) as found:
    warnings.simplefilter("always")
    import weburl, weburl.standard.url.fast_path
assert weburl.parse("HTTP://EXAMPLE.com/../a b").href == "http://example.com/a%20b"
assert weburl.URL("/x", "http://a/").href == "http://a/x"
assert [(each.category, str(each.message)[:44]) for each in found] == [
    (RuntimeWarning, "weburl is slower here, because its compiled ")
] * (not weburl.COMPILED) * COMPILED_IN_THE_FIRST
print("done")
"""

BOTH = f"""
import sys
import weburl
if sys.version_info >= (3, 13):
    import _interpreters as interpreters
    second = interpreters.create("legacy")
else:
    import _xxsubinterpreters as interpreters
    second = interpreters.create(isolated=False)
code = {SECOND!r}.replace("COMPILED_IN_THE_FIRST", str(weburl.COMPILED))
problem = interpreters.run_string(second, code)
assert problem is None, problem
interpreters.destroy(second)
"""


def test_a_second_interpreter_of_a_process_can_use_the_package() -> None:
    """Only one interpreter can load compiled modules, so the import once failed in others."""
    result = subprocess.run(
        [sys.executable, "-c", BOTH],
        env={**os.environ, "PYTHONPATH": os.pathsep.join(filter(None, sys.path))},
        capture_output=True,
        timeout=600,
        check=False,
        text=True,
    )
    assert (result.returncode, result.stdout) == (0, "done\n"), result.stderr


def parsed(text: str) -> URLRecord | None:
    """Return what the parser makes of ``text`` without a fast path, or None."""
    try:
        return parse_url(text, None, "utf-8")
    except Failure:
        return None


def check_fast_path(text: str) -> bool:
    """Compare the fast path with the parser. Return whether the text is canonical."""
    expected = parsed(text)
    is_canonical = fast_path_regex.is_canonical_link(text) is not None
    taken = fast_path_regex.parse_quickly(text)
    assert taken is None or taken == expected
    if is_canonical:
        assert taken is not None
        assert taken.href == text
        assert type(taken.host) is weburl.Domain
    record = fast_path.parse_quickly(text)
    assert record is None or record == expected
    href = fast_path.canonical_href(text)
    assert not is_canonical or (record is not None and href is not None)
    if href is not None:
        assert type(href) is str
        assert expected is not None
        assert href == expected.href
    for is_parsable in (fast_path.is_parsable, fast_path_regex.is_parsable):
        assert is_parsable(text) in (None, expected is not None)
    return is_canonical


@given(near_canonical | url_texts | st.text())
def test_the_fast_path_takes_only_what_is_its_own_href(text: str) -> None:
    """Both builds give what the parser gives."""
    check_fast_path(text)


def test_the_fast_path_takes_what_it_is_for() -> None:
    """Otherwise, the test above would also pass if it declined everything."""
    for text in (
        "https://example.com/",
        "http://example.com/a/b.c?d=e#f",
        "https://www.example.co.uk:8080//a/?#",
        "https://a_b-c.d/%41",
        "http://x.com/%D0%9F?%2e/../#/..",
    ):
        assert check_fast_path(text), text
    taken = [
        check_fast_path(case["input"].replace("\n", "")) for case in load_cases("urltestdata.json")
    ]
    assert len(taken) >= 800
    assert sum(taken) >= 20
