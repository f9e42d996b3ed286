"""`URLPattern` against the steps of the standard as written, in `tests.patterns.oracle`."""

from __future__ import annotations

import random
from typing import Final

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.patterns import oracle
from tests.patterns.test_wpt import COMPONENTS, MATCHING
from tests.strategies import url_texts
from tests.wpt import load_cases
from weburl import URLPattern, URLPatternError

_PIECES: Final = (
    "a", "b", "ab", "/", "/", "//", ".", "-", "?", "#", "@", "[", "]", "%20", " ", "\u00e9", "\\",
    "\\:", "\\.", "\\/", ":", ":a", ":b", ":id", ":x1", ":\u00e9", "*", "*", "**", "{", "}", "{}",
    "+", "(", ")", "(.*)", "([^\\/]+?)", "{a}?", "{a}*", "{b/}+", "{/:c}?", "{-:d}*", "{:e.}+",
    "{/:f/}*", "{x:g}+", "{:h}?", "{*/}?", "/:i*", "/:j+", "/:k?", "443", "8080", "://",
)  # fmt: skip
_STARTS: Final = (
    "", "", "https://", "http{s}?://", "*://", "data\\:", "https://*.example", "https://[\\:\\:1]",
    "https://u:p@example.com", "https://a.b:80", "/", "?", "#", ":protocol://", "foo://h",
)  # fmt: skip
_TEXTS: Final = ("a", "b", "ab", "/", "/", "-", ".", "x", "a/", "b/", "//", "A", "\u00e9", "%20")
_BASES: Final = (
    None,
    None,
    "https://example.com/a/b?c#d",
    "data:x",
    "http://u:p@h:81/",
    "nonsense",
)

patterns = st.builds(
    "{}{}".format,
    st.sampled_from(_STARTS),
    st.lists(st.sampled_from(_PIECES), max_size=8).map("".join),
)
paths = st.lists(st.sampled_from(_TEXTS), max_size=8).map("".join)
inits = st.dictionaries(st.sampled_from(COMPONENTS), patterns, max_size=3)


def require_agreement(
    pattern: str | dict[str, str],
    base: str | None,
    inputs: list[str | dict[str, str]],
    *,
    ignore_case: bool,
) -> bool:
    """Require that both make the same of a pattern; return whether there is one."""
    try:
        expected = oracle.create(pattern, base, ignore_case=ignore_case)
    except oracle.PatternTypeError:
        with pytest.raises(URLPatternError):
            URLPattern(pattern, base, ignore_case=ignore_case)
        return False
    except oracle.HasRegexpError:
        return False
    made = URLPattern(pattern, base, ignore_case=ignore_case)
    assert {name: getattr(made, name) for name in COMPONENTS} == {
        name: component.pattern_string for name, component in expected.items()
    }
    assert not made.has_regexp_groups
    for input in inputs:
        result = made.exec(input)
        found = result and {
            name: (getattr(result, name).input, dict(getattr(result, name).groups))
            for name in COMPONENTS
        }
        assert found == oracle.match(expected, input)
        assert made.test(input) is (result is not None)
    return True


@given(patterns, st.sampled_from(_BASES), st.booleans(), st.lists(paths, max_size=4))
def test_texts_agree(pattern: str, base: str | None, ignore_case: bool, texts: list[str]) -> None:
    """Constructor strings of pieces of the syntax, with and without a base."""
    inputs: list[str | dict[str, str]] = [f"https://example.com/{text}" for text in texts]
    inputs += [{"pathname": f"/{text}", "search": text} for text in texts]
    require_agreement(pattern, base, inputs, ignore_case=ignore_case)


@given(inits, st.booleans(), st.lists(paths, max_size=4))
def test_mappings_agree(pattern: dict[str, str], ignore_case: bool, texts: list[str]) -> None:
    """Components of pieces of the syntax."""
    inputs: list[str | dict[str, str]] = [dict.fromkeys(pattern, text) for text in texts]
    inputs += [{"pathname": f"/{text}", "hostname": text} for text in texts]
    require_agreement(pattern, None, inputs, ignore_case=ignore_case)


@given(st.text(max_size=30), url_texts)
def test_any_text_agrees(pattern: str, url: str) -> None:
    """Text that is nearly never a pattern."""
    require_agreement(pattern, "https://example.com/", [url], ignore_case=False)


@given(st.lists(st.sampled_from(_PIECES), max_size=6).map("".join), st.lists(paths, max_size=6))
def test_pathnames_agree(pattern: str, texts: list[str]) -> None:
    """Pathnames match often, so that the groups are compared."""
    inputs: list[str | dict[str, str]] = [{"pathname": f"/{text}"} for text in texts]
    require_agreement({"pathname": f"/{pattern}"}, None, inputs, ignore_case=False)


def test_many_pathnames_agree() -> None:
    """Groups and modifiers in every order, of which many match."""
    pieces = (
        "a", "b", "/", "-", ":a", ":b", "*", "{a}?", "{a}*", "{b/}+", "{/:c}?", "{-:d}*", "{:e-}+",
        "{/:f/}*", "{a:g}+", "{:h}?", "{*/}?", "/:i*", "/:j+", "(.*)?", "(.*)*", "{a*b}*", "{:k}*",
    )  # fmt: skip
    chosen = random.Random(20260322)
    matched = 0
    for _ in range(3000):
        pattern = "/" + "".join(chosen.choices(pieces, k=chosen.randint(1, 5)))
        try:
            expected = oracle.create({"pathname": pattern})
        except oracle.PatternTypeError:
            continue
        made = URLPattern(pathname=pattern)
        for _ in range(6):
            text = "/" + "".join(chosen.choices(("a", "b", "/", "-", "ab", "c"), k=7))
            found = made.exec({"pathname": text})
            assert made.test({"pathname": text}) is (found is not None)
            expected_match = oracle.match(expected, {"pathname": text})
            assert (found is None) is (expected_match is None), (pattern, text)
            if found is not None and expected_match is not None:
                assert dict(found.pathname.groups) == expected_match["pathname"][1], (pattern, text)
                matched += 1
    assert matched > 2000


def test_the_oracle_passes_the_cases_of_web_platform_tests() -> None:
    """Those without regular expressions."""
    passed = 0
    for case in load_cases(MATCHING):
        inputs = case["pattern"] or [{}]
        if any(isinstance(input, dict) for input in inputs[1:]):
            continue
        try:
            pattern = oracle.create(*inputs)
        except oracle.PatternTypeError:
            assert case["expected_obj"] == "error"
            passed += 1
            continue
        except oracle.HasRegexpError:
            continue
        if case.get("expected_match") in (None, "error"):
            continue
        found = oracle.match(pattern, *(case["inputs"] or [{}]))
        assert found is not None
        for name, expected in case["expected_match"].items():
            if name != "inputs":
                assert found[name] == (expected["input"], expected["groups"])
        passed += 1
    assert passed > 180
