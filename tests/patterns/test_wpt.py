"""`URLPattern` against the cases of web-platform-tests, all of which pass."""

from __future__ import annotations

from typing import Any

import pytest

from tests.wpt import load_cases
from weburl import URLPattern, URLPatternError, URLPatternResult

COMPONENTS = ("protocol", "username", "password", "hostname", "port", "pathname", "search", "hash")
MATCHING = "urlpatterntestdata.json"


def pattern_of(arguments: list[Any]) -> URLPattern:
    """Return the pattern of a case, whose last argument may be the options."""
    *inputs, last = arguments or [{}]
    if inputs and isinstance(last, dict):
        input, base = (*inputs, None)[:2]
        return URLPattern(input, base, ignore_case=last["ignoreCase"])
    if any(isinstance(argument, dict) for argument in inputs[1:]):
        raise URLPatternError("JavaScript has no options before the base URL", "")
    input, base = (*inputs, last, None)[:2]
    return URLPattern(input, base)


def expected_pattern(case: dict[str, Any], component: str) -> str | None:
    """Return the pattern string that the case says of a component, or None if it says nothing."""
    expected = case.get("expected_obj")
    if expected is not None and component in expected:
        return str(expected[component])
    if component in case.get("exactly_empty_components", []):
        return ""
    given = case["pattern"][0] if case["pattern"] else {}
    return str(given[component]) if isinstance(given, dict) and component in given else None


def check_match(case: dict[str, Any], result: URLPatternResult) -> None:
    """Require that a result is the expected one in each component."""
    expected = case["expected_match"]
    if "inputs" in expected:
        assert list(result.inputs) == expected["inputs"]
    for component in COMPONENTS:
        found = getattr(result, component)
        is_empty = component in case.get("exactly_empty_components", [])
        default = {"input": "", "groups": {} if is_empty else {"0": ""}}
        assert {"input": found.input, "groups": dict(found.groups)} == expected.get(
            component, default
        )


def run(case: dict[str, Any]) -> None:
    """Run one case of matching."""
    if case.get("expected_obj") == "error":
        with pytest.raises(URLPatternError):
            pattern_of(case["pattern"])
        return
    pattern = pattern_of(case["pattern"])
    for component in COMPONENTS:
        expected = expected_pattern(case, component)
        assert expected is None or getattr(pattern, component) == expected
    if "expected_match" not in case:
        return
    if case["expected_match"] == "error":
        for call in (pattern.test, pattern.exec):
            with pytest.raises(URLPatternError):
                call(*case["inputs"])
        return
    result = pattern.exec(*case["inputs"])
    assert pattern.test(*case["inputs"]) is (case["expected_match"] is not None)
    assert (result is None) is (case["expected_match"] is None)
    if result is not None:
        check_match(case, result)


def test_every_case_of_matching_passes() -> None:
    """No case is left out, not even those with regular expressions."""
    failures: list[str] = []
    cases = load_cases(MATCHING)
    for number, case in enumerate(cases):
        try:
            run(case)
        except (AssertionError, URLPatternError, TypeError, pytest.fail.Exception) as error:
            failures.append(f"{number}: {case['pattern']}: {error}")
    assert not failures, "\n".join(failures)
    assert len(cases) >= 369


def test_every_case_of_comparing_passes() -> None:
    """The order of two patterns, from both sides."""
    cases = load_cases("urlpattern-compare-test-data.json")
    for case in cases:
        left, right = URLPattern(case["left"]), URLPattern(case["right"])
        component, expected = case["component"], case["expected"]
        assert URLPattern.compare_component(component, left, right) == expected
        assert URLPattern.compare_component(component, right, left) == -expected
        assert URLPattern.compare_component(component, left, left) == 0
    assert len(cases) >= 25


def test_every_case_of_generating_passes() -> None:
    """The text of a component, or an error where the case has none."""
    cases = load_cases("urlpattern-generate-test-data.json")
    for case in cases:
        pattern = URLPattern(case["pattern"])
        if case["expected"] is None:
            with pytest.raises(URLPatternError):
                pattern.generate(case["component"], case["groups"])
        else:
            assert pattern.generate(case["component"], case["groups"]) == case["expected"]
    assert len(cases) >= 19


def test_what_is_matched_is_generated_again() -> None:
    """The groups of a match give the component back, where text can be generated for it."""
    generated = 0
    for case in load_cases(MATCHING):
        if case.get("expected_obj") == "error" or not isinstance(case.get("expected_match"), dict):
            continue
        pattern = pattern_of(case["pattern"])
        result = pattern.exec(*case["inputs"])
        assert result is not None
        for component in COMPONENTS:
            found = getattr(result, component)
            try:
                text = pattern.generate(component, found.groups)  # type: ignore[arg-type]
            except URLPatternError:
                continue
            assert text == (found.input.lower() if pattern.ignore_case else found.input)
            generated += 1
    assert generated > 200


def test_a_pattern_string_is_a_fixed_point() -> None:
    """The components of a pattern, in their normal form, make an equal pattern.

    The exception is the default port of a scheme, if the pattern did not write it in this form.
    """
    exceptions = 0
    for case in load_cases(MATCHING):
        if case.get("expected_obj") != "error":
            pattern = pattern_of(case["pattern"])
            again = URLPattern(
                {name: getattr(pattern, name) for name in COMPONENTS},
                ignore_case=pattern.ignore_case,
            )
            if pattern.port and not again.port:
                exceptions += 1
                continue
            assert again == pattern
            assert hash(again) == hash(pattern)
    assert exceptions == 1
