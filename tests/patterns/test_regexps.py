"""Regular expressions of JavaScript: what they match, where Python's would match otherwise."""

from __future__ import annotations

import pytest

from weburl import URLPattern

# The regular expression, texts that it matches, and texts that it does not.
MATCHES = (
    ("\\d+", ("0", "12"), ("", "a", "1a")),
    ("\\D", ("a", "-"), ("1",)),
    ("\\w{2,3}", ("ab", "a_1"), ("a", "abcd", "a-")),
    ("\\W\\s?", ("-", "."), ("a",)),
    ("a|bc|", ("a", "bc"), ("b", "c")),
    ("[a-c\\-x]+", ("ab-x", "c"), ("d", "")),
    ("[^a-c]", ("d", "-"), ("a", "dd")),
    ("[\\d_]", ("1", "_"), ("a",)),
    ("[[a-z]--[aeiou]]", ("b",), ("a", "1")),
    ("[\\w&&[^\\d]]+", ("ab_",), ("a1",)),
    ("[[a-z]&&[b-d]]", ("c",), ("a",)),
    ("[[ab][cd]]", ("a", "d"), ("e",)),
    ("[]", (), ("a", "")),
    ("[^]", ("a", "."), ("",)),
    ("\\x61\\u0062\\u{63}", ("abc",), ("ab",)),
    ("\\$\\.\\*\\/", ("$.*/",), ("$a*/",)),
    ("[$.*]", ("$", ".", "*"), ("a",)),
    ("\\p{L}\\p{Lu}\\P{L}", ("aB1",), ("ab1",)),
    ("\\p{General_Category=Decimal_Number}", ("1",), ("a",)),
    ("[\\p{Alpha}--\\p{Lower}]", ("A",), ("a", "1")),
    ("^a$", ("a",), ("aa",)),
    ("a(?=b)\\w", ("ab",), ("ac",)),
    ("(?!a)\\w+", ("ba",), ("ab",)),
    ("\\w+(?<=b)", ("ab",), ("ba",)),
    ("\\w+(?<!b)", ("ba",), ("ab",)),
    ("\\bab\\b", ("ab",), ()),
    ("a\\Bb", ("ab",), ()),
    ("(?i:a)b", ("Ab", "ab"), ("aB",)),
    ("(?:a|ab)(?:c|bcd)", ("abcd", "ac", "abc"), ("ab",)),
    ("(?<year>\\d{4})", ("2026",), ("26",)),
    ("a{0}b", ("b",), ("ab",)),
    ("(?:a{2}){2,}", ("aaaa", "aaaaaa"), ("aaa", "aaaaa", "aa")),
    ("(?:a+)+b", ("aab",), ("aa",)),
    ("(?:a*)*b", ("aab", "b"), ("a",)),
    ("\\cJ|\\0|\\t|a", ("a",), ("t",)),
)  # fmt: skip


@pytest.mark.parametrize(("regexp", "yes", "no"), MATCHES)
def test_a_regular_expression_matches(
    regexp: str, yes: tuple[str, ...], no: tuple[str, ...]
) -> None:
    """The whole of a segment of the pathname, and the group has all of it."""
    pattern = URLPattern(pathname=f"/-({regexp})-")
    assert pattern.has_regexp_groups
    for text in yes:
        result = pattern.exec({"pathname": f"/-{text}-"}) if "^" not in regexp[:1] else None
        if result is not None:
            assert result.pathname.groups["0"] == text
        elif not regexp.startswith("^"):
            pytest.fail(f"{regexp} does not match {text}")
    for text in no:
        assert not pattern.test({"pathname": f"/-{text}-"}), text


def test_anchors_are_those_of_the_component() -> None:
    """The start and the end of the pathname, not of the group."""
    assert URLPattern(pathname="(^/a)b").test("https://h/ab")
    assert URLPattern(pathname="/a(b$)").test("https://h/ab")
    assert not URLPattern(pathname="/(^a)b").test("https://h/ab")


def test_groups_inside_of_an_expression_shift_those_after_it() -> None:
    """As in the standard, which counts them in and then names the groups without them."""
    result = URLPattern(pathname="/:a((?<x>b)c)/:d(e)").exec("https://h/bc/e")
    assert result is not None
    assert result.pathname.groups == {"a": "bc", "d": "b"}


def test_an_empty_repetition_is_none() -> None:
    """JavaScript takes no empty repetition, so that an optional group took no part."""
    for regexp, text, group in (
        ("(\\d*)?", "", None),
        ("(\\d*)?", "1", "1"),
        ("((?:ab)*)?", "", None),
        ("(.*)?", "", None),
        ("(a||b)+", "b", "b"),
        ("(\\d*)*", "", ""),
    ):
        result = URLPattern(pathname=f"/x{{{regexp[:-1]}}}{regexp[-1]}").exec(f"https://h/x{text}")
        assert result is not None
        assert result.pathname.groups == {"0": group}


def test_the_case_is_ignored_before_a_class_is_negated() -> None:
    """A class without "a" does not match "A" either."""
    pattern = URLPattern(pathname="/([^a])", ignore_case=True)
    assert not pattern.test("https://h/A")
    assert not pattern.test("https://h/a")
    assert pattern.test("https://h/B")
    assert URLPattern(pathname="/(\\u212a[\\u017f])", ignore_case=True).test("https://h/Ks")
    assert not URLPattern(pathname="/(\\u212a)").test("https://h/k")
    assert URLPattern(pathname="/((?-i:a)b)", ignore_case=True).test("https://h/aB")
    assert not URLPattern(pathname="/((?-i:a)b)", ignore_case=True).test("https://h/Ab")
