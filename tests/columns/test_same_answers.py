"""A column gives what its texts give one by one, in either build of the parser."""

from __future__ import annotations

from inspect import isfunction
from operator import attrgetter

import pyarrow as pa
import pytest
from hypothesis import given
from hypothesis import strategies as st

import weburl
import weburl.keys
from tests import strategies
from tests.columns.scalars import TWINS, compared, differences, differences_with_bases
from tests.corpus import THOROUGH, corpus
from tests.standard.compiled.equality import BASES, mutated
from tests.wpt import load_cases
from weburl import columns

# Some of the texts happen to be hosts.
pytestmark = pytest.mark.filterwarnings("ignore::weburl.columns.BareHostsWarning")

# Arrow has no lone surrogates.
texts = strategies.url_texts.map(lambda text: text.encode("utf-8", "replace").decode())
SPECIAL = (
    "",
    " ",
    "\0",
    "https://h",
    "HTTPS://U:P@EXAMPLE.com:0443/a/../b?#",
    "https://u@h",
    "https://:p@h",
    "https://@h",
    "http://h:80/",
    "foo:/..//p",
    "foo:/.//p",
    "foo://h:1?q=%00&q=2",
    "foo:o p a q u e  #f",
    "blob:https://h:8/id",
    "blob:foo:bar",
    "blob:HTTPS://u:p@Example.co.uk:81/",
    "BLOB:https://x",
    "file:///C|/",
    "file://localhost/a",
    "file://h/a?#",
    "\thttps:\n//h\r/",
    "https://b\u00fccher.example/\u00e9?\u00e9#\u00e9",
    "https://%41.github.io/",
    "https://1.2/",
    "https://[::1]:8080/",
    "https://h.:1/",
    "https://a.b.co.uk/?a=1&q=a+b%20c&q=3",
    "https://1.2.3.256/",
    "https://h:65536/",
    "//h",
    "javascript:alert(1)",
    "mailto:you@example.com?q=1",
    "x" * 70_000,
    "https://" + "a" * 3000 + "/" + "\u00e9" * 3000,
)


def test_every_function_has_a_twin_for_one_url() -> None:
    """A new one is added to the tables in `tests/columns/scalars.py`, and is then compared here."""
    functions = {name for name in columns.__all__ if isfunction(getattr(columns, name))}
    assert len(functions) >= 12
    assert functions == set(TWINS)
    assert functions <= compared()
    for twin in TWINS.values():
        room, _, name = twin.partition(".")
        if room in ("keys", "lookalikes"):
            assert name.partition(".")[0] in getattr(weburl, room).__all__
        else:
            assert room in weburl.__all__
        assert attrgetter(twin)(weburl) is not None


def test_every_url_of_web_platform_tests() -> None:
    """Without a base, all functions."""
    inputs = [case["input"] for case in load_cases("urltestdata.json")]
    inputs = [text for text in inputs if not _has_surrogates(text)]
    assert differences(inputs) == []
    assert len(inputs) > 850


def test_every_url_of_web_platform_tests_on_its_base() -> None:
    """With a column of bases, and with one base for all."""
    cases = [
        (case["input"], case["base"])
        for case in load_cases("urltestdata.json")
        if not _has_surrogates(case["input"])
    ]
    assert differences_with_bases([text for text, _ in cases], [base for _, base in cases]) == []
    inputs = [text for text, _ in cases]
    for base in BASES:
        got = columns.resolve(pa.array(inputs), base).to_pylist()
        assert got == [_href(text, base) for text in inputs]
    assert len(cases) > 850


def _has_surrogates(text: str) -> bool:
    return any(0xD800 <= ord(char) < 0xE000 for char in text)


def _href(text: str, base: str) -> str | None:
    try:
        return weburl.canonicalize(text, base)
    except weburl.URLParseError:
        return None


def test_every_domain_of_web_platform_tests() -> None:
    """The hosts alone: canonical, or the name of the failure."""
    inputs = [
        f"https://{case['input']}/"
        for name in ("IdnaTestV2.json", "toascii.json")
        for case in load_cases(name)
        if not _has_surrogates(case["input"])
    ]
    hosts = columns.host(pa.array(inputs)).to_pylist()
    assert hosts == [
        str(weburl.parse(text).host) if weburl.can_parse(text) else None for text in inputs
    ]
    assert len(inputs) > 2000


def test_what_is_special() -> None:
    """Each thing that the functions have to tell apart, and null between them."""
    assert differences([text for special in SPECIAL for text in (special, None)]) == []


def test_real_links() -> None:
    """Some of the corpus, and all of it in `.ci/nightly`."""
    chosen = corpus() if THOROUGH else corpus()[::20]
    chosen = [link for link in chosen if not _has_surrogates(link)]
    assert differences(chosen) == []
    assert len(chosen) >= 100


def test_mutated_links() -> None:
    """Links with something changed here and there, which the compiled parser often declines."""
    changed = [text for text in mutated(4000, 18) if not _has_surrogates(text)]
    assert differences(changed) == []
    assert len(changed) > 3000


@given(st.lists(st.none() | texts))
def test_texts_that_are_nearly_urls(urls: list[str | None]) -> None:
    """Pieces of URLs, broken in every way that is known to matter, and null."""
    assert differences(urls) == []


@given(st.lists(st.tuples(st.none() | texts, st.none() | st.sampled_from(BASES) | texts)))
def test_texts_on_bases(pairs: list[tuple[str | None, str | None]]) -> None:
    """Each with its own base, which may be null or no URL."""
    assert differences_with_bases([url for url, _ in pairs], [base for _, base in pairs]) == []


@given(st.lists(st.none() | st.text(st.characters(exclude_categories=["Cs"]))))
def test_any_text(urls: list[str | None]) -> None:
    """Hypothesis' own idea of text."""
    assert differences(urls) == []
