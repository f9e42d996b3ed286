"""Values that were changed without their class lead to an exception, never to a crash."""

from __future__ import annotations

import contextlib
import copy
import inspect
import pickle
from collections.abc import Callable
from typing import Any

import pytest

import weburl
from tests.standard.compiled.equality import general_href
from weburl import COMPILED, Domain, IPv4Address, IPv6Address, OpaqueHost, URLRecord
from weburl.standard.url import fast_path
from weburl.standard.url.value import STATE, replaced

TEXTS = (
    "https://u:p@tampered.example:8080/a?b#c",  # later records of this host share it
    "http://1.2.3.4/",
    "https://[::1]/x/y",
    "foo://opaque/x",
    "file:///C:/x",
    "mailto:a@b",
)
BAD = (
    5,
    -1,
    True,
    10**30,
    b"x",
    "",
    "\u00e9",
    "\ud800",
    None,
    "x" * 3,
    1.5,
    (),
    ["a"],
    object,
    object(),
)
DELETED = object()
PARTS = ("protocol", "username", "host", "hostname", "port", "pathname", "search", "hash")

OPERATIONS: tuple[Callable[[URLRecord], object], ...] = (
    lambda record: record.href,
    lambda record: record.path,
    lambda record: record.join("x"),
    lambda record: record.with_query_param("b", "x y"),
    lambda record: record.add_query_param("b", "x"),
    lambda record: record.without_query_params("b"),
    lambda record: record.query_params,
    lambda record: record.join("?q"),
    lambda record: record.join("#f"),
    lambda record: record.join(""),
    lambda record: record.join("//h"),
    lambda record: record.join("/x"),
    lambda record: record.join("../\u00e9\t"),
    lambda record: weburl.parse("x", record),
    lambda record: weburl.canonicalize("https:x", record),
    lambda record: weburl.can_parse("x", record),
    lambda record: fast_path.join_quickly(record, "x"),
    repr,
    str,
    hash,
    lambda record: record == record.join("#x"),
    lambda record: record.query_pairs,
    lambda record: record < record.join("#x"),
    lambda record: record.origin,
    weburl.origin_of,
    lambda record: weburl.same_origin(record, record),
    lambda record: record.hostname,
    lambda record: record.with_path("/x"),
    lambda record: record.with_host("h:81"),
    lambda record: record.with_query({"a": "b"}),
    lambda record: record / "x",
    *(lambda record, name=name: getattr(weburl.URL(record), name) for name in PARTS),
    *(lambda record, name=name: setattr(weburl.URL(record), name, "1") for name in PARTS),
    lambda record: weburl.URL("x", record).href,
    copy.deepcopy,
    lambda record: pickle.loads(pickle.dumps(record)).href,
)


class LikeText(str):
    """A subclass of `str`."""

    __slots__ = ()


def tampered(value: Any, name: str, bad: object) -> None:
    """Change a slot, or empty it."""
    if bad is DELETED:
        object.__delattr__(value, name)
    else:
        object.__setattr__(value, name, bad)


def try_all(record: URLRecord) -> int:
    """Do everything with a record, and return how many operations raised an exception."""
    raised = 0
    for operation in OPERATIONS:
        try:
            operation(record)
        except Exception:  # noqa: BLE001 -- what it is depends on what was done to the record
            raised += 1
    return raised


@pytest.mark.parametrize("text", TEXTS)
@pytest.mark.parametrize("name", STATE)
def test_a_record_with_anything_in_a_slot(text: str, name: str) -> None:
    """An empty slot raises AttributeError. A compiled record has no slots, and does not change."""
    for bad in (*BAD, LikeText("x"), weburl.parse("https://h/"), Domain("h"), DELETED):
        record = weburl.parse(text)
        if COMPILED:
            with pytest.raises((AttributeError, TypeError)):
                tampered(record, name, bad)
            assert record == weburl.parse(text)
            continue
        tampered(record, name, bad)
        raised = try_all(record)
        if bad is DELETED:
            assert raised > 0
            with pytest.raises(AttributeError):
                _ = record.href


@pytest.mark.parametrize("text", TEXTS[:4])
def test_a_host_with_anything_for_its_value(text: str) -> None:
    """The host belongs to a record."""
    for bad in (*BAD, 1 << 128, LikeText("x"), DELETED):
        record = weburl.parse(text)
        tampered(record.host, "value", bad)
        try_all(record)


def test_a_host_of_another_kind_than_the_scheme_has() -> None:
    """The href is the one that Python's serializer writes."""
    hosts = (Domain("h"), OpaqueHost("h"), IPv4Address(1), IPv6Address(1), weburl.EmptyHost(), None)
    for text in TEXTS:
        for host in hosts:
            try:
                record = replaced(weburl.parse(text), host=host)
            except ValueError:  # no text has credentials without a host
                assert host is None
                continue
            assert record.host == host
            assert record.href == general_href(record)
            try_all(record)


def test_forged_pickles() -> None:
    """Their states have other types or another length."""
    good = weburl.parse(TEXTS[0]).__getstate__()
    for index in range(len(good)):
        for bad in BAD:
            record = URLRecord.__new__(URLRecord)
            with contextlib.suppress(ValueError):  # the compiled build refuses most of them
                record.__setstate__((*good[:index], bad, *good[index + 1 :]))
            try_all(record)
    empty = URLRecord.__new__(URLRecord)
    assert try_all(empty) > len(OPERATIONS) // 2
    with pytest.raises(ValueError, match=r"zip|state"):
        empty.__setstate__(good[:3])


@pytest.mark.parametrize(
    "value", [None, 1, "x", b"x", object(), Domain("a.b"), LikeText("https://h/")]
)
def test_what_is_neither_a_record_nor_plain_text_is_declined(value: Any) -> None:
    """Only the public functions take subclasses of `str`."""
    for function in (fast_path.parse_quickly, fast_path.canonical_href, fast_path.is_parsable):
        if function.__module__ == "weburl.standard.compiled.parser" and type(value) is not str:
            assert function(value) is None
    if fast_path.join_quickly.__module__ == "weburl.standard.compiled.parser":
        assert fast_path.join_quickly(value, "x") is None
        from weburl.standard.compiled.serializer import href_of, path_of

        for reader in (href_of, path_of):
            with pytest.raises(AttributeError):
                reader(value)


def test_a_record_of_a_subclass_is_read_like_any() -> None:
    """Python reads it, because its slots may have another meaning."""

    class Record(URLRecord):
        __slots__ = ()

    record = Record("https", host=Domain("example.com"), path=("a", "b"))
    assert record.href == "https://example.com/a/b"
    assert record.path == ("a", "b")
    assert record.join("c").href == "https://example.com/a/c"


@pytest.mark.parametrize("value", [*BAD, DELETED], ids=range(len(BAD) + 1))
def test_params_with_anything_for_their_list(value: Any) -> None:
    """Only a list of pairs is written. The constructor replaces any value."""
    params = weburl.URLSearchParams([("a", "b")])
    tampered(params, "_pairs", value)
    try:
        text = str(params)
    except (AttributeError, TypeError, ValueError):
        pass
    else:
        assert text == ""
    params.__init__("c=d")  # type: ignore[misc]
    assert str(params) == "c=d"


@pytest.mark.parametrize("value", [*BAD, DELETED], ids=range(len(BAD) + 1))
def test_params_with_anything_for_their_query(value: Any) -> None:
    """Only text is read as a query. The constructor replaces any value."""
    params = weburl.URLSearchParams("a=b")
    tampered(params, "_query", value)
    for read in (str, lambda params: params.get("a"), lambda params: params.get("x"), list):
        with contextlib.suppress(AttributeError, TypeError, ValueError):
            read(params)
    params.__init__("c=d")  # type: ignore[misc]
    assert params.get("c") == "d"


@pytest.mark.parametrize("slot", ["_href", "_record", "_params_changed", "_search_params"])
@pytest.mark.parametrize("value", [*BAD, DELETED], ids=range(len(BAD) + 1))
def test_a_url_with_anything_in_a_slot(slot: str, value: Any) -> None:
    """The constructor replaces any value."""
    url = weburl.URL("https://h/")
    tampered(url, slot, value)
    for name in ("href", *PARTS):
        with contextlib.suppress(AttributeError, TypeError, ValueError, AssertionError):
            getattr(url, name)
        with contextlib.suppress(AttributeError, TypeError, ValueError, AssertionError):
            setattr(url, name, "1")
    url.__init__("https://i/")  # type: ignore[misc]
    assert url.href == "https://i/"
    assert url.record == weburl.parse("https://i/")


@pytest.mark.parametrize("made", [weburl.URL, weburl.URLSearchParams])
def test_a_constructor_refuses_what_is_not_of_its_class(made: type[Any]) -> None:
    """Other objects do not have the same slots."""
    for value in (5, "x", object(), None, weburl.parse("https://h/")):
        with pytest.raises((AttributeError, TypeError)):
            made.__init__(value, "https://h/")


@pytest.mark.parametrize("made", [weburl.URL, weburl.URLSearchParams])
def test_methods_of_a_subclass_are_called(made: type[Any]) -> None:
    """It may use the slots of its base in another way."""

    class Own(made):  # type: ignore[misc]
        def __init__(self, text: str) -> None:
            super().__init__(text.removesuffix("!"))

    assert str(Own("https://h/?a=b!")) == str(made("https://h/?a=b"))
    assert str(inspect.signature(made)).startswith(("(url: ", "(init: "))
