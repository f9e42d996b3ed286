"""`weburl.standard.url.origin_of`: the origin of a URL, as text and as a value."""

from __future__ import annotations

import pytest
from hypothesis import given

from tests.strategies import url_texts
from tests.wpt import load_cases
from weburl import Domain, OpaqueOrigin, Origin, TupleOrigin, URLParseError, URLRecord, parse
from weburl.standard.url.origin import serialize_origin
from weburl.standard.url.origin_of import origin_of


@pytest.mark.parametrize(
    ("text", "origin"),
    [
        ("blob:https://whatwg.org/d0360e2f-caee-469f-9a2f-87d5b0456f6f", "https://whatwg.org"),
        ("blob:http://H:8080/a?b#c", "http://h:8080"),
        ("blob:HTTPS:h", "https://h"),
        ("blob:ws://h/", "null"),
        ("blob:ftp://h/", "null"),
        ("blob:file:///a", "null"),
        ("blob:foo://h/", "null"),
        ("blob:blob:https://h/", "null"),
        ("blob:https://", "null"),
        ("blob:d0360e2f", "null"),
        ("blob:", "null"),
        ("blob://h/https://h/", "null"),
        ("blob:/https://h/", "null"),
        ("blob:https:?//h", "null"),
    ],
)
def test_a_blob_url_has_the_origin_of_the_url_in_its_path(text: str, origin: str) -> None:
    """If that is an http or https URL; its query is no part of the path."""
    assert parse(text).origin == origin


def test_a_blob_url_inside_many_others_has_an_opaque_origin() -> None:
    """And takes no more calls than one."""
    assert parse("blob:" * 100_000 + "https://h/").origin == "null"


def test_the_origins_of_web_platform_tests_are_as_expected() -> None:
    """Of every case that names one."""
    cases = [case for case in load_cases("urltestdata.json") if "origin" in case]
    wrong = [
        (case, origin)
        for case in cases
        if (origin := parse(case["input"], case["base"]).origin) != case["origin"]
    ]
    assert wrong == []
    assert len(cases) == 411


def test_the_origin_of_a_url_is_a_value() -> None:
    """Of scheme, host and port, without a domain; or opaque, and then a new one each time."""
    assert origin_of(parse("https://u:p@EXAMPLE.com:8080/a?b#c")) == TupleOrigin(
        "https", Domain("example.com"), 8080, None
    )
    assert origin_of(parse("blob:https://h/id")) == TupleOrigin("https", Domain("h"))
    record = parse("data:,a")
    assert isinstance(origin_of(record), OpaqueOrigin)
    assert origin_of(record) != origin_of(record)


def test_a_blob_urls_entry_says_of_what_origin_it_is() -> None:
    """It is asked for blob URLs alone; one that it does not know has the origin in its path."""
    asked: list[URLRecord] = []
    maker = OpaqueOrigin()

    def entry_origin(record: URLRecord) -> Origin | None:
        asked.append(record)
        return maker if record.path_text.endswith("/known") else None

    known, unknown = parse("blob:null/known"), parse("blob:https://h/unknown")
    assert origin_of(known, blob_entry_origin=entry_origin) is maker
    assert origin_of(unknown, blob_entry_origin=entry_origin) == origin_of(parse("https://h/"))
    plain = parse("https://h/known")
    assert origin_of(plain, blob_entry_origin=entry_origin) == TupleOrigin("https", Domain("h"))
    assert asked == [known, unknown]
    assert known.origin == "null"


@given(url_texts)
def test_an_origin_is_serialized_as_the_record_says(text: str) -> None:
    """The value and the text are two views of one thing; a tuple origin is a URL of that origin."""
    try:
        record = parse(text, "https://base.example/")
    except URLParseError:
        return
    origin = origin_of(record)
    assert str(origin) == serialize_origin(record) == record.origin
    if isinstance(origin, TupleOrigin):
        assert origin_of(parse(str(origin))) == origin
