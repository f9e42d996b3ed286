"""The URL standards of 2020 and 2024, against today's state machine with the changes undone."""

from __future__ import annotations

from types import ModuleType
from typing import Any, NamedTuple, get_args

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from tests import strategies
from tests.history import changes_undone
from tests.reference.api import ReferenceURL
from tests.reference.records import ReferenceRecord
from tests.reference.serializing import origin, origin_serializer
from tests.wpt import load, load_cases
from weburl.history import url_standard_2020, url_standard_2024
from weburl.history.errors import LegacyURLError
from weburl.history.url_standard_2020 import URLRecord2020
from weburl.history.url_standard_2024 import URLRecord2024

# Places where the rules of 2020 are others than today's, for Hypothesis to put together.
_DIFFERENT = st.lists(
    st.sampled_from(
        ["http:", "file:", "foo:", "blob:", "//", "/", "/", "\\", "C|", "c:", "..", ".", "^", "\0",
         " ", "?", "#", "@", ":", "a", "localhost", "1.2.3.", "09", "0x", "256", "xn--", "xn--abc-",
         "xn--xn--a-", "\u00ad", "\u20ac", "<", "|", "\x7f", "\x01", "[::1]", "%00", "%7C", "'"]
    ),
    max_size=9,
).map("".join)  # fmt: skip
texts = st.one_of(strategies.url_texts, _DIFFERENT)
bases = st.one_of(st.none(), strategies.base_texts.map(str), _DIFFERENT.map("file://h/".__add__))
ATTRIBUTES = [name for name in strategies.SETTERS if name != "href"]


class Edition(NamedTuple):
    """A standard, its oracle, and how many cases of web-platform-tests have changed since."""

    standard: ModuleType
    machine: type[changes_undone.MachineOf2024]
    changed: int

    def record(self, input: str, base: str | None = None, **options: str) -> Any:
        """Return the record, or None where the standard says failure."""
        try:
            return self.standard.parse(input, base, **options)
        except LegacyURLError:
            return None

    def undone(self, input: str, base: str | None, encoding: str = "utf-8") -> Any:
        """Return the oracle's record, or None."""
        base_record = None
        if base is not None:
            base_record = changes_undone.parse(self.machine, base, None)
            if base_record is None:
                return None
        return changes_undone.parse(self.machine, input, base_record, encoding)


EDITIONS = {
    "2020": Edition(url_standard_2020, changes_undone.MachineOf2020, 178),
    "2024": Edition(url_standard_2024, changes_undone.MachineOf2024, 15),
}
each_edition = pytest.mark.parametrize("edition", EDITIONS.values(), ids=EDITIONS)


def same(record: URLRecord2020 | URLRecord2024 | None, reference: ReferenceRecord | None) -> bool:
    """Return whether both failed, or have the same components."""
    if record is None or reference is None:
        return record is None and reference is None
    return (
        record.scheme,
        record.username,
        record.password,
        None if record.host is None else str(record.host),
        record.port,
        record.path,
        record.cannot_be_a_base_url,
        record.query,
        record.fragment,
    ) == changes_undone.components(reference)


@each_edition
@given(texts, bases)
@example("file:..//c|/", "file://h/D:/")
@example("c|", "file://h/D:/")
@example("data:a #b", None)
@example("http://xn--a/", None)
def test_it_is_todays_machine_with_the_changes_undone(
    edition: Edition, input: str, base: str | None
) -> None:
    """Written twice, from two texts, with one result."""
    assert same(edition.record(input, base), edition.undone(input, base))


@each_edition
@given(texts, st.sampled_from(["iso-2022-jp", "shift_jis", "latin1", "utf-16", "gbk"]))
@example("http://h/?\u00a5\u00a5a\u3042\u20ac", "iso-2022-jp")
def test_queries_in_other_encodings_are_those_of_the_machine_undone(
    edition: Edition, input: str, encoding: str
) -> None:
    """In 2020 code point by code point, where the encoding has a state; since then as a whole."""
    assert same(edition.record(input, encoding=encoding), edition.undone(input, None, encoding))


@each_edition
@given(texts, st.lists(strategies.setter_calls, max_size=3))
@example("file:a", [("protocol", "http")])
@example("foo:/a", [("pathname", "")])
@example("http://h/", [("hostname", "x:8")])
@example("data:a  ?b#c", [("search", ""), ("hash", "")])
def test_setters_are_those_of_the_machine_undone(
    edition: Edition, input: str, calls: list[tuple[Any, str]]
) -> None:
    """One after the other, what is ignored included."""
    record, reference = edition.record(input), edition.undone(input, None)
    assert same(record, reference)
    for attribute, value in calls if record is not None else ():
        if attribute == "href":
            continue
        record = edition.standard.set_attribute(record, attribute, value)
        changes_undone.set_attribute(edition.machine, reference, attribute, value)
        assert same(record, reference)


@each_edition
@given(texts)
@example("blob:ftp://h/")
@example("blob:/https:b:0/x")
def test_getters_and_origins_are_todays_for_the_same_record(edition: Edition, input: str) -> None:
    """Changed since: the origin of a blob URL, and what 2020 made of a null host in ``href``."""
    record, reference = edition.record(input), edition.undone(input, None)
    if record is None or reference is None:
        return
    url = ReferenceURL("about:blank")
    url.record = reference
    for attribute in ATTRIBUTES if edition is EDITIONS["2020"] else ("href", *ATTRIBUTES):
        assert edition.standard.get_attribute(record, attribute) == getattr(url, attribute)
    if record.scheme != "blob":
        assert record.origin == origin_serializer(origin(reference))


@each_edition
def test_web_platform_tests_differ_in_the_cases_that_changed_alone(edition: Edition) -> None:
    """The other cases had the results of today already."""
    cases = load_cases("urltestdata.json")
    differing = 0
    for case in cases:
        record = edition.record(case["input"], case["base"])
        assert same(record, edition.undone(case["input"], case["base"])), case
        href = None if record is None else record.href
        differing += href != (None if case.get("failure") else case["href"])
    assert (len(cases), differing) == (891, edition.changed)


@each_edition
def test_the_setters_of_web_platform_tests_agree_with_the_machine_undone(edition: Edition) -> None:
    """All but those of href, which only parses."""
    ran = 0
    for attribute, cases in load("setters_tests.json").items():
        for case in cases if attribute in ATTRIBUTES else ():
            record, reference = edition.record(case["href"]), edition.undone(case["href"], None)
            assert record is not None and reference is not None
            changes_undone.set_attribute(edition.machine, reference, attribute, case["new_value"])
            record = edition.standard.set_attribute(record, attribute, case["new_value"])
            assert same(record, reference), case
            ran += 1
    assert ran == 277


def test_the_module_names_all_attributes() -> None:
    """Those of the API but href, which no setter sets."""
    assert sorted(get_args(url_standard_2020.Attribute)) == sorted(ATTRIBUTES)
