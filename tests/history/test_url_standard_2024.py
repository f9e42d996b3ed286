"""`weburl.history.url_standard_2024`, against its document and against today's machine undone."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from tests import strategies
from tests.history import changes_undone, changes_undone_2024
from tests.history.test_url_standard_2020 import ATTRIBUTES, bases, components, texts
from tests.reference.api import ReferenceURL
from tests.reference.serializing import origin, origin_serializer
from tests.wpt import load, load_cases
from weburl.history import url_standard_2020
from weburl.history.errors import LegacyURLError
from weburl.history.url_standard_2024 import (
    URLRecord2024,
    get_attribute,
    parse,
    set_attribute,
)


def or_none(input: str, base: str | None = None, **options: str) -> URLRecord2024 | None:
    """Return the record, or None where the standard says failure."""
    try:
        return parse(input, base, **options)
    except LegacyURLError:
        return None


def undone(input: str, base: str | None, encoding: str = "utf-8") -> Any:
    """Return the components by the oracle."""
    base_record = None
    if base is not None:
        base_record = changes_undone_2024.parse(base, None)
        if base_record is None:
            return None
    record = changes_undone_2024.parse(input, base_record, encoding)
    return None if record is None else changes_undone.components(record)


@given(texts, bases)
@example("data:a #b", None)
@example("http://xn--a/", None)
@example("file:..//c|/", "file://h/D:/")
def test_it_is_todays_machine_with_the_changes_undone(input: str, base: str | None) -> None:
    """One was made from that of 2020, the other from today's."""
    assert components(or_none(input, base)) == undone(input, base)


@given(texts, st.sampled_from(["iso-2022-jp", "shift_jis", "latin1", "utf-16", "gbk"]))
@example("http://h/?\u00a5\u00a5a\u3042\u20ac", "iso-2022-jp")
def test_queries_in_other_encodings_are_those_of_the_machine_undone(
    input: str, encoding: str
) -> None:
    """As a whole, where the encoding has a state."""
    assert components(or_none(input, encoding=encoding)) == undone(input, None, encoding)


@given(texts, st.lists(strategies.setter_calls, max_size=3))
@example("foo:/a", [("pathname", "")])
@example("http://h/", [("hostname", "x:8")])
@example("data:a  ?b#c", [("search", ""), ("hash", "")])
def test_setters_are_those_of_the_machine_undone(input: str, calls: list[tuple[Any, str]]) -> None:
    """One after the other, what is ignored included."""
    record = or_none(input)
    reference = changes_undone_2024.parse(input, None)
    if record is None or reference is None:
        assert record is None and reference is None
        return
    for attribute, value in calls:
        if attribute == "href":
            continue
        record = set_attribute(record, attribute, value)
        changes_undone_2024.set_attribute(reference, attribute, value)
        assert components(record) == changes_undone.components(reference)


@given(texts)
@example("blob:ftp://h/")
@example("blob:/https:b:0/x")
def test_getters_and_origins_are_todays_for_the_same_record(input: str) -> None:
    """Nothing about them has changed since but what parsing makes of a path."""
    record = or_none(input)
    reference = changes_undone_2024.parse(input, None)
    if record is None or reference is None:
        return
    url = ReferenceURL("about:blank")
    url.record = reference
    for attribute in ("href", *ATTRIBUTES):
        assert get_attribute(record, attribute) == getattr(url, attribute)  # type: ignore[arg-type]
    if record.scheme != "blob":
        assert record.origin == origin_serializer(origin(reference))


def test_web_platform_tests_differ_in_the_cases_that_changed_alone() -> None:
    """The other cases had the results of today in 2024 already."""
    cases = load_cases("urltestdata.json")
    differing = 0
    for case in cases:
        record = or_none(case["input"], case["base"])
        assert components(record) == undone(case["input"], case["base"])
        href = None if record is None else record.href
        differing += href != (None if case.get("failure") else case["href"])
    assert (len(cases), differing) == (891, 15)


def test_the_setters_of_web_platform_tests_agree_with_the_machine_undone() -> None:
    """All but those of href, which only parses."""
    ran = 0
    for attribute, cases in load("setters_tests.json").items():
        for case in cases if attribute in ATTRIBUTES else ():
            record = or_none(case["href"])
            reference = changes_undone_2024.parse(case["href"], None)
            assert record is not None and reference is not None
            changes_undone_2024.set_attribute(reference, attribute, case["new_value"])
            record = set_attribute(record, attribute, case["new_value"])
            assert components(record) == changes_undone.components(reference), case
            ran += 1
    assert ran == 277


@pytest.mark.parametrize(
    ("input", "href"),
    [
        ("data:a #b", "data:a #b"),
        ("http://h/^", "http://h/^"),
        ("http://a<b/", None),
        ("http://a\x7fb/", None),
        ("foo://a^b", None),
        ("http://a.1/", None),
        ("http://xn--a/", None),
        ("http://xn--abc-/", None),
        ("https://\u00ad/", None),
        ("http://\u04c0/", None),
        ("http://\u1e9e/", "http://xn--zca/"),
        ("file:a", "file:///a"),
        ("file://h/C|/a", "file://h/C:/a"),
        ("file:////a", "file:////a"),
        ("foo:/.//a", "foo:/.//a"),
        ("http://h/#a\0b", "http://h/#a%00b"),
        ("http://0x7f.1/", "http://127.0.0.1/"),
        ("http://[::1", None),
    ],
)
def test_a_url_of_2024(input: str, href: str | None) -> None:
    """Between the other two."""
    record = or_none(input)
    assert (None if record is None else record.href) == href


@pytest.mark.parametrize(
    ("input", "expected"),
    [
        ("blob:https://h/x", "https://h"),
        ("blob:http://h:80/x", "http://h"),
        ("blob:ftp://h/x", "null"),
        ("blob:blob:https://h/", "null"),
        ("blob:file:///x", "null"),
        ("blob:/https:b:0/x", "null"),
        ("blob:", "null"),
        ("ftp://h/", "ftp://h"),
        ("foo://h/", "null"),
    ],
)
def test_an_origin_of_2024(input: str, expected: str) -> None:
    """A blob URL's is that of an http or https URL in its path."""
    assert parse(input).origin == expected


@pytest.mark.parametrize(
    ("url", "attribute", "value", "href"),
    [
        ("data:a  #b", "hash", "", "data:a"),
        ("data:a  ?b#c", "hash", "", "data:a  ?b"),
        ("data:a  ?b", "search", "", "data:a"),
        ("data:a  ?b#c", "search", "", "data:a  #c"),
        ("http://h/", "hostname", "x:8", "http://h/"),
        ("foo:/a", "pathname", "", "foo:/"),
        ("http://h/", "pathname", "a^b", "http://h/a^b"),
    ],
)
def test_a_setter_of_2024(url: str, attribute: Any, value: str, href: str) -> None:
    """What takes the query and the fragment away takes the spaces with them."""
    assert set_attribute(parse(url), attribute, value).href == href


def test_records_of_two_years_are_not_mixed_up() -> None:
    """Neither as bases, nor for setters, nor by comparing."""
    old, new = url_standard_2020.parse("http://u:p@h/a"), parse("http://u:p@h/a")
    assert old.href == new.href and old != new
    assert repr(new) == "URLRecord2024('http://***:***@h/a')"
    with pytest.raises(TypeError, match="a URLRecord2024 or None"):
        parse("b", old)  # type: ignore[arg-type]
    with pytest.raises(TypeError, match="a URLRecord2020 or None"):
        url_standard_2020.parse("b", new)
    with pytest.raises(TypeError, match="must be a URLRecord2024"):
        set_attribute(old, "hash", "")  # type: ignore[arg-type]
    with pytest.raises(TypeError, match="compared with its like"):
        new.equals(old)
    assert parse("b", new).href == "http://u:p@h/b"
