"""A failed allocation or an interruption raises its error, and no memory is lost."""

from __future__ import annotations

import gc
import importlib
import os
import pickle
import sys
import sysconfig
import weakref
from collections.abc import Callable
from functools import partial
from inspect import getattr_static
from typing import Any

import pytest

import weburl
from weburl import COMPILED
from weburl.standard.url import fast_path

_testcapi: Any = pytest.importorskip("_testcapi", reason="lets allocations fail")
pytestmark = pytest.mark.skipif(not COMPILED, reason="there is nothing in C")

LONG = "a b" * 1000
BASE = weburl.parse("https://user:pw@example.com:8080/a/b?q")
FILE = weburl.parse("file:///C:/a")
STATE = BASE.__getstate__()
QUERY = weburl.parse(f"https://h/?a=b&c=%41&a=1&d={LONG}")
PAIRS = [("a", "b c"), ("\u00e9" * 400, LONG)]
TEXT = f"https://h\t/{LONG}".encode() + "https://b\u00fccher.example/\u00e9".encode()
OFFSETS = b"".join(at.to_bytes(8, sys.byteorder) for at in (0, 3011, len(TEXT)))
ROWS = (TEXT, OFFSETS, b"", 0, 2, True)
HOST_TEXT = ("A" * 3000 + ".b%41\u00fccher.example").encode()
HOST_OFFSETS = b"".join(at.to_bytes(8, sys.byteorder) for at in (0, len(HOST_TEXT)))
BARE_HOSTS = (HOST_TEXT, HOST_OFFSETS, b"", 0, 1, True)


def _columns() -> Any:
    """Return the compiled reader of columns, which only this build has."""
    return importlib.import_module("weburl.columns.compiled.parts")


def _resolving() -> Any:
    """Return the compiled reader of columns with bases."""
    return importlib.import_module("weburl.columns.compiled.resolving")


def _type_of_error(text: str) -> object:
    """Return the type of the error of a text, without its explanation."""
    try:
        weburl.parse(text)
    except weburl.URLParseError as error:
        return error.type
    return None


def _restored() -> weburl.URLRecord:
    """Return a record that is made as `pickle` makes it."""
    record = weburl.URLRecord.__new__(weburl.URLRecord)
    record.__setstate__(STATE)
    return record


def _edited_url() -> weburl.URL:
    """Return a URL after setting each part."""
    url = weburl.URL(BASE)
    url.protocol, url.username, url.password = "http", LONG, "\u00e9"
    url.hostname, url.host, url.port = "1.2.3.4", "b\u00fccher.example:81", "82"
    url.pathname, url.search, url.hash = LONG, f"?{LONG}", f"#{LONG}"
    return url


CALLS: dict[str, Callable[[], object]] = {
    "plain": lambda: fast_path.parse_quickly("https://example.com/a?b#c"),
    "long": lambda: fast_path.parse_quickly(
        f"HTTPS://u:{LONG}@EXAMPLE.com:81/{LONG}?{LONG}#{LONG}"
    ),
    "tabs": lambda: fast_path.parse_quickly("https://exa\tmple.com:8080/\n"),
    "IPv4": lambda: fast_path.parse_quickly("http://0x7f.1:500/"),
    "IPv6": lambda: fast_path.parse_quickly("http://[2001:db8::1]/"),
    "opaque": lambda: fast_path.parse_quickly("foo://h\u00e9?x"),
    "percent-encoded": lambda: fast_path.parse_quickly("https://ex%61mple.com/"),
    "IDN": lambda: fast_path.parse_quickly("https://b\u00fccher.example/\u00e9"),
    "join": lambda: fast_path.join_quickly(BASE, f"../{LONG}?x"),
    "join, file": lambda: fast_path.join_quickly(FILE, "/x y"),
    "href": lambda: BASE.href,
    "path": lambda: BASE.path,
    "origin": lambda: BASE.origin,
    "origin as a value": lambda: weburl.origin_of(BASE),
    "host of a URL": lambda: weburl.URL(BASE).host,
    "setters": lambda: _edited_url().record,
    "with_path": lambda: BASE.with_path(LONG),
    "with_host": lambda: BASE.with_host("[::1]:81"),
    "with_query": lambda: BASE.with_query({"a": LONG}),
    "build": lambda: weburl.URLRecord.build(scheme="https", host="h", path=LONG, port=81),
    "segment": lambda: BASE / LONG,
    "order": lambda: BASE < FILE,
    "hash": lambda: hash(BASE),
    "state": lambda: BASE.__reduce_ex__(4),
    "from a state": _restored,
    "canonical": lambda: fast_path.canonical_href(f"HTTP://h/{LONG}"),
    "parsable": lambda: fast_path.is_parsable("ht\ntp://\u00e9/"),
    "error": lambda: _type_of_error(f"HTTP://{LONG}:99999/"),
    "column": lambda: _columns().cut_column([0, 4], ROWS, None),
    "column of hosts": lambda: _columns().cut_column([4], BARE_HOSTS, None, None, True),
    "column, parsable": lambda: _columns().cut_column([], ROWS, None),
    "column, resolved": lambda: _resolving().resolve_column(ROWS, ROWS, None),
    "params in": lambda: fast_path.parse_form_urlencoded("a=b&c=%41&" + "%C3%A9" * 400),
    "params": lambda: str(weburl.URLSearchParams("a=b&c=%41&" + "%C3%A9" * 400)),
    "URL": lambda: weburl.URL(f"HTTP://h/{LONG}").href,
    "params, first": lambda: weburl.URLSearchParams("?a=b&c=%41" + "b+" * 900).get("c"),
    "params by name": lambda: dict(QUERY.query_params),
    "params, set": lambda: QUERY.with_query_param("c", LONG),
    "params, updated": lambda: QUERY.update_query({"c": LONG, "n": 2}),
    "params, removed": lambda: QUERY.without_query_params("a"),
    "registrable domain": lambda: BASE.host and BASE.host.registrable_domain,
    "params out": lambda: fast_path.serialize_form_urlencoded(PAIRS),
}


def failing(call: Callable[[], object], which: int) -> tuple[bool, object]:
    """Let one allocation fail, and return whether MemoryError was raised, and the value if not."""
    _testcapi.set_nomemory(which, which + 1)
    try:
        return False, call()
    except MemoryError:
        return True, None
    finally:
        _testcapi.remove_mem_hooks()


@pytest.mark.nightly
@pytest.mark.skipif(
    bool(sysconfig.get_config_var("Py_GIL_DISABLED")),
    reason="free-threaded Python itself crashes if a list gets no memory (python/cpython#152125)",
)
@pytest.mark.parametrize("name", CALLS)
def test_each_allocation_may_fail(name: str) -> None:
    """The result is MemoryError or the same value, and earlier allocations are released."""
    call = CALLS[name]
    expected = call()
    assert expected is not None
    failures = 0
    for which in range(200):
        failed, value = failing(call, which)
        failures += failed
        assert failed or value == expected
        del value
        if not failed:
            break
    assert 0 < failures < 200
    for which in range(failures):
        failing(call, which)
        gc.collect()
        before = sys.getallocatedblocks()
        for _ in range(20):
            failing(call, which)
        gc.collect()
        assert sys.getallocatedblocks() - before < 15


@pytest.mark.parametrize("error", [KeyboardInterrupt, MemoryError, RecursionError, SystemExit])
def test_what_is_raised_while_tables_are_made_is_not_lost(
    error: type[BaseException], monkeypatch: pytest.MonkeyPatch
) -> None:
    """The next call works."""
    from weburl.standard.infra import unicode_data

    def interrupt(*args: object) -> object:
        raise error

    # Code points of a page that no other test needs.
    text = f"https://{chr(0x1E900 + 0x22)}.example/"
    for name in ("category", "normalize", "bidirectional", "combining"):
        with monkeypatch.context() as patched:
            patched.setattr(unicode_data, name, interrupt)
            for function in (
                fast_path.parse_quickly,
                fast_path.canonical_href,
                fast_path.is_parsable,
            ):
                raised: type[BaseException] | None = None
                try:
                    function(text)
                except BaseException as caught:  # noqa: BLE001 -- all of them are meant
                    raised = type(caught)
                assert raised in {None, error}
    assert weburl.parse(text).href.startswith("https://xn--")


HOSTS = ("example.com", "1.2.3.4", "[::1]", "b\u00fccher.example")
TRACKED_NEVER: dict[str, Callable[[], object]] = {
    **{host: partial(weburl.parse, f"https://{host}/a?b#c") for host in HOSTS},
    "other scheme": lambda: weburl.parse("foo://opaque/x"),
    "no host": lambda: weburl.parse("mailto:you@example.com"),
    "empty host": lambda: weburl.parse("file:///x"),
    "join": lambda: BASE.join("../x?y#z"),
    "join, texts": lambda: weburl.parse("x", "https://example.com/"),
    "origin": lambda: weburl.origin_of(BASE),
    "site": lambda: weburl.obtain_a_site(BASE),
    "pair": lambda: next(iter(weburl.URLSearchParams("a=b"))),
    "name": lambda: next(iter(weburl.URLSearchParams("a"))),
}


@pytest.mark.parametrize("name", TRACKED_NEVER)
def test_the_garbage_collector_does_not_traverse_values(name: str) -> None:
    """They cannot be in a cycle. Traversing them made keeping records four times slower."""
    value: Any = TRACKED_NEVER[name]()
    assert not gc.is_tracked(value)
    if isinstance(value, weburl.URLRecord) and value.host != weburl.EmptyHost():
        assert not gc.is_tracked(value.host)


def test_values_unknown_to_the_collector_are_freed() -> None:
    """This happens with the last reference, and weak references notice it."""
    record = weburl.parse("https://example.com/")
    made: list[weburl.URLRecord] = [record.join("x"), pickle.loads(pickle.dumps(record))]
    gone: list[object] = []
    references = [weakref.ref(value, gone.append) for value in made]
    made.clear()
    assert gone == references[::-1] or gone == references
    assert [reference() for reference in references] == [None, None]


class _Slotted(weburl.URLRecord):
    """A subclass with a slot of its own."""

    __slots__ = ("note",)


class _WithAttributes(weburl.URLRecord):
    """A subclass whose objects have a dictionary."""


@pytest.mark.nightly
@pytest.mark.parametrize("kind", [_Slotted, _WithAttributes])
def test_the_garbage_collector_frees_records_of_a_subclass(kind: Any) -> None:
    """They can be in a cycle. The class and the host are released too."""
    host = weburl.Domain("example.com")
    gc.collect()
    before = sys.getrefcount(kind), sys.getrefcount(host)
    references = []
    for _ in range(100):
        record = kind("https", host=host)
        object.__setattr__(record, "note", record)
        assert gc.is_tracked(record)
        references.append(weakref.ref(record))
    del record
    gc.collect()
    assert [reference() for reference in references] == [None] * 100
    assert (sys.getrefcount(kind), sys.getrefcount(host)) == before


@pytest.mark.parametrize("kind", [weburl.URLRecord, weburl.Domain])
def test_a_class_made_in_c_has_the_operators_that_a_class_statement_gives(kind: Any) -> None:
    """A class statement with the same body has the same attributes."""
    body = {name: value for name, value in vars(kind).items() if name != "__weakref__"}
    stated = type(kind.__name__, kind.__bases__, body)
    for name in dir(stated):
        if name not in {"__subclasshook__", "__init_subclass__", "__new__"}:
            assert repr(getattr_static(kind, name)) == repr(getattr_static(stated, name)), name
    record = weburl.parse("https://example.com/")
    value: Any = record if kind is weburl.URLRecord else record.host
    again = pickle.loads(pickle.dumps(value))
    assert again is not value
    assert again == value
    assert hash(again) == hash(value)
    assert bool(value)
    for refused in (
        len,
        iter,
        os.fspath,
        lambda it: it + "x",
        lambda it: "x" + it,
        lambda it: "x" in it,
    ):
        with pytest.raises(TypeError):
            refused(value)


@pytest.mark.nightly
def test_no_reference_is_lost_or_kept() -> None:
    """The reference counts are the same after many calls."""
    text = "https://user:pw@example.com:8080/a/b?q#f"
    for _ in range(3):
        before = sys.getallocatedblocks()
        counts = [sys.getrefcount(value) for value in (None, "", "/", "https", BASE, text)]
        for _ in range(1000):
            record = weburl.parse(text)
            _ = record.href, record.path, record.join("x"), BASE.join("?y"), BASE.join("z")
            _ = weburl.canonicalize("HTTP://[::1]:8080/\u00e9"), weburl.can_parse("foo:bar")
            del record, _
        after = [sys.getrefcount(value) for value in (None, "", "/", "https", BASE, text)]
    assert all(abs(now - then) < 20 for now, then in zip(after, counts, strict=True))
    assert sys.getallocatedblocks() - before < 50
