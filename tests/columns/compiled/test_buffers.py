"""Compares the compiled reader of Arrow's buffers with the general parser."""

from __future__ import annotations

import importlib
import os
import struct
from collections.abc import Callable
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests import strategies
from weburl import COMPILED
from weburl.keys import KeyRules
from weburl.public_suffix import PublicSuffixList

pa = pytest.importorskip("pyarrow")
if not COMPILED:
    pytest.skip("there is no compiled reader in this build", allow_module_level=True)

reader: Any = importlib.import_module("weburl.columns.compiled.parts")
resolver: Any = importlib.import_module("weburl.columns.compiled.resolving")
columns_parts: Any = importlib.import_module("weburl.columns.parts")
rows: Any = importlib.import_module("weburl.columns.rows")
key_rules: Any = importlib.import_module("weburl.keys.rules")
key_columns: Any = importlib.import_module("weburl.columns.compiled.keys")
suffix_columns: Any = importlib.import_module("weburl.columns.compiled.suffixes")
suffix_tables: Any = importlib.import_module("weburl.standard.compiled.suffixes")

OFFSETS = b"\0\0\0\0\x09\0\0\0\x12\0\0\0"
DATA = b"https://ahttps://b"


def memory() -> int:
    """Return the bytes of memory of the machine, or 0 if unknown."""
    try:
        return os.sysconf("SC_PHYS_PAGES") * os.sysconf("SC_PAGE_SIZE")
    except (AttributeError, ValueError, OSError):
        return 0


def told(row: int, text: str | None) -> Any:
    """Refuse what the reader declined."""
    return None


def cut(*column: Any) -> Any:
    """Return the hrefs that are cut from buffers."""
    return reader.cut_column([reader.WHAT["href"]], column, told)


def test_whole_buffers() -> None:
    """The buffers are those of a pyarrow array, as bytes."""
    (made,), rows = cut(DATA, OFFSETS, b"", 0, 2, False)
    assert (bytes(made[0]), bytes(rows), made[3]) == (b"https://a/https://b/", b"\x03", 0)
    assert bytes(made[1]) == b"\0\0\0\0\x0a\0\0\0\x14\0\0\0"
    (made,), _ = cut(DATA, OFFSETS, b"\x02", 0, 2, False)
    assert (bytes(made[0]), bytes(made[2]), made[3]) == (b"https://b/", b"\x02", 1)


@pytest.mark.parametrize(
    "arguments",
    [
        (DATA, OFFSETS[:8], b"", 0, 2, False),
        (DATA, OFFSETS, b"", 1, 2, False),
        (DATA, OFFSETS, b"", -1, 2, False),
        (DATA, OFFSETS, b"", 0, -1, False),
        (DATA, OFFSETS, b"", 0, 2, True),
        (DATA, b"\0" * 80, b"\xff", 0, 9, False),
        (DATA[:-1], OFFSETS, b"", 0, 2, False),
        (b"", OFFSETS, b"", 0, 2, False),
        (DATA, b"\xff\xff\xff\xff" + OFFSETS[4:], b"", 0, 2, False),
        (DATA, OFFSETS[:4] + b"\x12\0\0\0\x09\0\0\0", b"", 0, 2, False),
    ],
)
def test_buffers_that_do_not_fit_are_refused(arguments: Any) -> None:
    """Nothing outside the buffers is read."""
    with pytest.raises(ValueError, match="an array's"):
        cut(*arguments)
    with pytest.raises(ValueError, match="an array's"):
        reader.cut_column([], arguments, told)
    good = (b"https://h", b"\0\0\0\0\x09\0\0\0", b"", 0, 1, False)
    with pytest.raises(ValueError, match="an array's"):
        resolver.resolve_column(arguments, good, told)
    if arguments[4] == 2:
        with pytest.raises(ValueError, match="an array's"):
            resolver.resolve_column((DATA, OFFSETS, b"", 0, 2, False), arguments, told)
    with pytest.raises(ValueError, match="as many bases"):
        resolver.resolve_column(good, (DATA, OFFSETS, b"", 0, 2, False), told)


def test_an_error_of_the_general_parser_is_raised() -> None:
    """It may be any exception."""

    def fails(row: int, text: str | None) -> Any:
        raise ZeroDivisionError(text)

    column = (b"nope", b"\0\0\0\0\x04\0\0\0", b"", 0, 1, False)
    with pytest.raises(ZeroDivisionError, match="nope"):
        reader.cut_column([reader.WHAT["port"]], column, fails)


@pytest.mark.parametrize(
    ("text", "name"),
    [
        ("", "missing-scheme-non-relative-URL"),
        ("a b:c", "missing-scheme-non-relative-URL"),
        ("https://", "host-missing"),
        ("https://a@:80/", "host-missing"),
        ("foo://:80", "host-missing"),
        ("https://a b/", "domain-to-ASCII"),
        ("foo://a b/", "host-invalid-code-point"),
        ("https://1.2.3.4.5/", "IPv4-too-many-parts"),
        ("https://1..2/", "IPv4-non-numeric-part"),
        ("https://256.2.3.4/", "IPv4-out-of-range-part"),
        ("https://[::1/", "IPv6-unclosed"),
        ("https://a:65536/", "port-out-of-range"),
        ("https://a:65536x/", "port-invalid"),
    ],
)
def test_a_certain_failure_needs_no_general_parser(text: str, name: str) -> None:
    """All readers of columns of URLs name it, and make no text of the row."""

    def never(row: int, text: str | None) -> Any:
        raise AssertionError

    data = text.encode()
    column = (data, struct.pack("=ii", 0, len(data)), b"", 0, 1, False)
    base = (b"a:b", struct.pack("=ii", 0, 3), b"", 0, 1, False)
    plan = key_rules.plan_by(KeyRules.named("page"))
    readers: tuple[Callable[[dict[int, str]], object], ...] = (
        lambda failures: reader.cut_column([reader.WHAT["port"]], column, never, failures),
        lambda failures: reader.cut_column([], column, never, failures),
        lambda failures: resolver.resolve_column(column, base, never, failures),
        lambda failures: key_columns.key_column(plan, column, never, failures),
    )
    for read in readers:
        failures: dict[int, str] = {}
        read(failures)
        assert failures == {0: name}


@pytest.mark.parametrize(
    "text",
    [
        "https://a<%CC%B8/",  # decoded, and mapped together with the one before it
        "https://a<\u0338/",
        "https://a<[:\u0338/",  # the colon does not end the host
        "https://[::1]x/",
        "https://[::g]/",
        "file://:80/",
        "file://a b:\u00e9/",
        "https://\u00e9 b/",
    ],
)
def test_other_failures_are_left_to_the_general_parser(text: str) -> None:
    """It may find another failure first, or none."""
    failures: dict[int, str] = {}
    data = text.encode()
    column = (data, struct.pack("=ii", 0, len(data)), b"", 0, 1, False)
    reader.cut_column([], column, told, failures)
    assert failures == {}


@given(
    st.lists(st.none() | strategies.url_texts.map(lambda text: text.encode("utf-8", "replace"))),
    st.sampled_from(["https://h:1/a/b?c#d", "file:///C:/a", "foo:/a", "foo:/.//a", "mailto:x"]),
)
def test_the_general_way_gives_the_same(urls: list[bytes | None], base: str) -> None:
    """All parts are compared, with a base and without."""
    from weburl import parse
    from weburl.columns import parts
    from weburl.columns.rows import READERS

    array = pa.array(urls, pa.binary()).view(pa.string())
    bases = pa.array([base] * len(urls), pa.string())
    wanted = [name for name in READERS if name in reader.WHAT]
    for of_rows in (None, parse(base), bases):
        answers = []
        for compiled in (True, False):
            failures: dict[int, str] = {}
            with pytest.MonkeyPatch.context() as patch:
                patch.setattr(parts, "COMPILED", compiled)
                columns, missing = parts.cut(array, of_rows, wanted, failures)
                checked: dict[int, str] = {}
                parsable = parts.can_parse(array, of_rows, checked)
            answers.append(
                (
                    [column.to_pylist() for column in columns],
                    missing.to_pylist(),
                    parsable.to_pylist(),
                    failures,
                )
            )
            assert failures == checked
        assert answers[0] == answers[1]


# --- registrable domains ----------------------------------------------------------------------

LABELS = st.sampled_from(["", "a", "b", "c", "co", "1", "xn--a", "[", ":"])
NAMES = st.lists(LABELS.filter(bool), min_size=1, max_size=4).map(".".join)


@st.composite
def suffix_lists(draw: st.DrawFn) -> PublicSuffixList:
    """Draw a list of a few names, many of which share an ending."""
    names = st.frozensets(NAMES, max_size=8)
    exceptions = frozenset(name for name in draw(names) if "." in name)
    return PublicSuffixList(draw(names), draw(names), exceptions)


@given(suffix_lists(), st.lists(st.lists(LABELS, max_size=6).map(".".join)), st.booleans())
def test_registrable_domains_of_a_column_are_those_of_the_list(
    suffixes: PublicSuffixList, domains: list[str], is_large: bool
) -> None:
    """Some rows are not domains, and the array is a slice."""
    whole = pa.array(["x", *domains, None], pa.large_string() if is_large else pa.string())
    found = columns_parts.of_domains("registrable_domain", suffixes)(whole.slice(1))
    found.validate(full=True)
    assert found.to_pylist() == [*map(suffixes.registrable_domain, domains), None]


@pytest.mark.parametrize("wanted", suffix_columns.WHAT.values(), ids=suffix_columns.WHAT)
def test_buffers_of_domains_that_do_not_fit_are_refused(wanted: int) -> None:
    """The same checks apply as for URLs."""
    table = suffix_tables.SuffixTable({"com": 1})
    for offsets in (OFFSETS[:8], OFFSETS[:4] + b"\x12\0\0\0\x09\0\0\0"):
        with pytest.raises(ValueError, match="an array's offsets"):
            suffix_columns.registrable_column(table, wanted, (DATA, offsets, b"", 0, 2, False))


# --- bare hosts ----------------------------------------------------------------------------------


@given(suffix_lists(), st.lists(NAMES))
def test_suffixes_and_subdomains_of_a_column_are_those_of_the_list(
    suffixes: PublicSuffixList, names: list[str]
) -> None:
    """Each row has the result of the function for one domain."""
    array = pa.array([*names, None], pa.string())
    found = columns_parts.of_domains("public_suffix", suffixes)(array)
    found.validate(full=True)
    assert found.to_pylist() == [*map(suffixes.public_suffix, names), None]
    before = columns_parts.of_domains("subdomain", suffixes)(array)
    before.validate(full=True)
    for name, label in zip(names, before.to_pylist(), strict=False):
        domain = suffixes.registrable_domain(name)
        assert label == (None if domain is None else name[: -len(domain)].removesuffix("."))


@given(
    st.lists(
        st.one_of(
            st.none(),
            st.text(),
            st.text("aA.1:[]%/\\?#@ \t\n\u00e9\u3002\u00ad", max_size=8),
            st.ip_addresses().map(str),
            st.ip_addresses(v=6).map("[{}]".format),
        )
    )
)
def test_hosts_of_a_column_are_those_of_the_parser(texts: list[str | None]) -> None:
    """The failures are the same, and nothing is trimmed."""
    failures: dict[int, str] = {}
    found = columns_parts.hosts_cut("host")(pa.array(texts, pa.string()), failures)
    found.validate(full=True)
    expected: dict[int, str] = {}
    hosts = [
        None if text is None else rows.host_or_failure(row, text, expected)
        for row, text in enumerate(texts)
    ]
    assert found.to_pylist() == [None if host is None else str(host) for host in hosts]
    assert failures == expected


def test_a_bare_host_has_no_other_parts() -> None:
    """They would be read from memory without a URL."""
    column = (DATA, OFFSETS, b"", 0, 2, False)
    with pytest.raises(ValueError, match="a bare host has no other parts"):
        reader.cut_column([reader.WHAT["href"]], column, told, None, True)


@pytest.mark.skipif(memory() < 12 << 30, reason="needs 4 GB of memory, of 12")
def test_a_short_part_of_more_than_2_gb_of_urls_has_room() -> None:
    """Only what is written counts, and not the room that percent-encoding could need."""
    row, count = b"https://h/" + b"\x7f" * (1 << 23), 90
    offsets = b"".join((len(row) * at).to_bytes(4, "little") for at in range(count + 1))
    assert count * (10 + 3 * (1 << 23)) > 1 << 31
    column = (row * count, offsets, b"", 0, count, False)
    (made,), _ = reader.cut_column([reader.WHAT["host"]], column, told)
    assert (bytes(made[0]), made[3]) == (b"h" * count, 0)
    with pytest.raises(OverflowError, match="2 GB"):
        reader.cut_column([reader.WHAT["href"]], column, told)
