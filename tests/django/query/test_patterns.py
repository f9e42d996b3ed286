"""Tests of ``url__matches``: SQL finds the rows that the pattern matches, on every database."""

from __future__ import annotations

import pickle
import re
from collections.abc import Callable
from typing import Any

import pytest
from django.core.exceptions import ValidationError
from django.db import NotSupportedError
from django.db.models import F

from tests.django.hrefs import insert, misleading_hrefs, wpt_hrefs
from tests.django.partsapp.models import Generated, Plain
from tests.patterns.test_wpt import MATCHING, pattern_of
from tests.wpt import load_cases
from weburl import URLPattern, URLPatternError, URLRecord, parse
from weburl.patterns.pattern import ComponentName

PATTERNS = (
    "https://example.com/users/:id",
    "https://*.example.com/*",
    "*://*/*",
    "http{s}?://{*.}?example.com/docs/*",
    "https://example.com/a{/:b}*/end",
    "https://example.com/a{/:b}+/end?*#*",
    "https://example.com/:x+",
    "https://example.com/{a:b}+",
    "https://example.com/{a*z}+",
    "https://example.com/{ab}+",
    "https://example.com/{ab}*\\\\?q=*",
    "https://example.com/*/b/*/d/*",
    "https://:label.example.com:80*/",
    "https://example.com:{8080}?/",
    "https://user@example.com/",
    "mailto:*@example.com",
    "data\\:*",
    "foo://*",
    "https://example.com/100%25_off\\.\\*\\(x\\)?x={1|2}^$",
)
HREFS = (
    "https://example.com/users/1",
    "https://example.com/users/",
    "https://example.com/users/1/2",
    "https://example.com/users/1?q",
    "https://a.example.com/docs/x",
    "https://a.b.example.com/",
    "https://.example.com/",
    "http://example.com/docs/a/b?c#d",
    "https://example.com/a/end",
    "https://example.com/a/1/end",
    "https://example.com/a/1/2/end?x#y",
    "https://example.com/axayaz",
    "https://example.com/aza1z",
    "https://example.com/abab",
    "https://example.com/?q=1",
    "https://example.com/1/b/2/d/3",
    "https://x.example.com:8080/",
    "https://x.example.com:80/",
    "https://example.com:8080/",
    "https://user@example.com/",
    "https://user:pw@example.com/",
    "https://example.com/USERS/1",
    "https://example.com/100%25_off.*(x)?x={1|2}^$",
    "mailto:me@example.com",
    "data:,x",
    "foo://h/a",
    "https://example.com/?",
    "https://example.com/#",
)


def differences(pattern: URLPattern, stored: dict[int, URLRecord | None]) -> list[str]:
    """Return the URLs for which SQL and Python do not agree, of filter and of exclude."""
    keys = Plain.objects.values_list("pk", flat=True)
    found = set(keys.filter(url__matches=pattern))
    assert {*keys.exclude(url__matches=pattern)} == stored.keys() - found
    wanted = {key for key, url in stored.items() if url is not None and pattern.test(url)}
    return sorted(str(stored[key]) for key in found ^ wanted)


@pytest.fixture
def stored(db: None) -> dict[int, URLRecord | None]:
    """Store URLs of every kind, and a row without one. Return them by their keys."""
    insert(Plain, sorted({*HREFS, *wpt_hrefs(), *misleading_hrefs()}))
    Plain.objects.create(url=None)
    return dict(Plain.objects.values_list("pk", "url"))


def test_sql_finds_what_the_pattern_matches(stored: dict[int, URLRecord | None]) -> None:
    """Wildcards, groups and modifiers, in either case."""
    for text in PATTERNS:
        assert differences(URLPattern(text), stored) == [], text
        assert differences(URLPattern(text, ignore_case=True), stored) == [], text


def test_patterns_of_web_platform_tests(stored: dict[int, URLRecord | None]) -> None:
    """All that SQL can check, of those that are patterns; and the others say why not."""
    checked = refused = 0
    for case in load_cases(MATCHING):
        try:
            pattern = pattern_of(case["pattern"])
        except (URLPatternError, TypeError):
            continue
        if pattern.has_regexp_groups or pattern.password != "*":
            with pytest.raises(NotSupportedError):
                differences(pattern, stored)
            refused += 1
        else:
            assert differences(pattern, stored) == [], pattern
            checked += 1
    assert checked > 180
    assert refused > 30


@pytest.mark.django_db
def test_each_pattern_is_found_as_text_mapping_and_value() -> None:
    """A query that is pickled keeps it."""
    insert(Plain, HREFS)
    pattern = URLPattern("https://example.com/users/:id")
    for operand in (pattern, str(pattern), {"pathname": "/users/:id", "search": "", "port": ""}):
        rows = Plain.objects.filter(url__matches=operand)
        assert {"https://example.com/users/1"} <= {row.url.href for row in rows if row.url}
    rows = Plain.objects.filter(url__matches=pattern)
    again = Plain.objects.all()
    again.query = pickle.loads(pickle.dumps(rows.query))  # made right here
    assert list(again) == list(rows)


@pytest.mark.django_db
def test_generated_columns_are_read() -> None:
    """A model with generated columns gives the same rows."""
    insert(Generated, HREFS)
    pattern = URLPattern("https://*.example.com/*")
    rows = Generated.objects.filter(url__matches=pattern)
    assert {row.url.href for row in rows} == {href for href in HREFS if pattern.test(href)}


@pytest.mark.parametrize(
    ("operand", "error", "message"),
    [
        (r"https://example.com/(\d+)", NotSupportedError, "In the pathname: A database cannot"),
        ({"hostname": "(a|b)"}, NotSupportedError, "In the hostname: A database cannot check"),
        ({"password": "x"}, NotSupportedError, "SQL cannot read the password"),
        ({"search": "*a*b*c*d*e"}, NotSupportedError, "In the search: .* more than 4 wildcards"),
        ("https://example.com/{", ValidationError, "This is not a URL pattern"),
        ("/relative", ValidationError, "needs a base URL"),
        ({"path": "/a"}, ValidationError, "no component “path”"),
        (1, TypeError, "not int"),
        (F("other"), TypeError, "not an expression"),
    ],
)
def test_what_cannot_be_asked_is_an_error_of_its_own(
    operand: Any, error: type[Exception], message: str
) -> None:
    """It is raised when the query is made."""
    with pytest.raises(error, match=message):
        Plain.objects.filter(url__matches=operand)


@pytest.mark.django_db
def test_a_password_in_a_pattern_is_not_shown() -> None:
    """Neither the error nor its cause shows it."""
    for operand in ({"password": "s3cret"}, {"password": "s3cret("}, {"username": "s3cret("}):
        with pytest.raises((ValidationError, NotSupportedError)) as caught:
            Plain.objects.filter(url__matches=operand)
        assert "s3cret" not in str(caught.value)
        assert "s3cret" not in str(caught.value.__cause__)


@pytest.mark.parametrize("text", PATTERNS)
def test_conditions_and_automaton_agree(text: str) -> None:
    """What is said for databases means the same to Python."""
    pattern = URLPattern(text)
    values: dict[ComponentName, Callable[[URLRecord], str]] = {
        "protocol": lambda url: url.scheme,
        "hostname": lambda url: "" if url.host is None else str(url.host),
        "port": lambda url: "" if url.port is None else str(url.port),
        "pathname": lambda url: url.path_text,
        "search": lambda url: url.query or "",
        "hash": lambda url: url.fragment or "",
    }
    for href in HREFS:
        url = parse(href)
        for component, read in values.items():
            condition = pattern.conditions().get(component)
            value = read(url)
            if condition is None:
                assert getattr(pattern, component) == "*"
                continue
            expected = pattern._components[component].matcher.test(value)
            got = (
                value == condition.prefix
                if condition.regexp is None
                else re.search(condition.regexp, value) is not None
            )
            assert got == expected, (component, value, condition)
            assert not expected or value.startswith(condition.prefix)
            assert condition.matches_empty == pattern._components[component].matcher.test("")
