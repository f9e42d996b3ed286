"""Parts of the URLs of a batch, as arrays, from the compiled reader of buffers or from records.

Both return the same. The compiled reader makes no Python object for a row, unless the general
parser must decide. With a base, it first makes hrefs and then cuts them into parts.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import lru_cache, partial
from typing import Any, Final, TypeAlias

import pyarrow as pa
import pyarrow.compute as pc

from weburl.columns.arrow import overflow, texts_of
from weburl.columns.rows import (
    HOST_KINDS,
    NOT_UTF_8,
    READERS,
    READERS_OF_HOSTS,
    Bases,
    Failures,
    Texts,
    bases_of,
    host_or_failure,
    hrefs_of,
    keys_of,
    note_failures,
    record_or_failure,
    records_of,
    slow_key,
)
from weburl.keys import KeyRules
from weburl.keys.rules import plan_by
from weburl.policies.host_list import HostList, has_serialized, table_in
from weburl.public_suffix import PublicSuffixList
from weburl.standard.hosts.ipv4 import ends_in_a_number
from weburl.standard.hosts.values import Host
from weburl.standard.infra.dns import MAX_DOMAIN_LENGTH
from weburl.standard.storage import COMPILED
from weburl.standard.url.record import URLRecord

if COMPILED:
    from weburl.columns.compiled.host_lists import listed_rows
    from weburl.columns.compiled.keys import key_column, surt_column
    from weburl.columns.compiled.parts import WHAT, cut_column, unchanged_rows
    from weburl.columns.compiled.resolving import resolve_column
    from weburl.columns.compiled.sinks import allocate_by
    from weburl.columns.compiled.suffixes import WHAT as WHAT_OF_DOMAINS
    from weburl.columns.compiled.suffixes import registrable_column
    from weburl.columns.compiled.texts import WHAT as WHAT_OF_TEXTS
    from weburl.columns.compiled.texts import segment_column, text_column
    from weburl.standard.compiled.suffixes import SuffixTable

    allocate_by(partial(pa.allocate_buffer, resizable=True))

Base: TypeAlias = "URLRecord | pa.Array | None"
"""One base for all rows, an array of text with one for each row, or None."""

KIND_TYPE: Final = pa.dictionary(pa.int8(), pa.string())
"""The type of the names of failures and of the kinds of hosts."""

HOSTS_KEPT: Final = 1 << 16
"""How many hosts a cache keeps, at some 300 bytes each."""

_LAST_ROWS: Final = 8

# Made once, because to make an array of a list, pyarrow looks for dateutil each time.
_NO_ROWS: Final = pa.array([], pa.bool_())

_KINDS: Final = pa.array(HOST_KINDS, pa.string())


def read_texts(array: pa.Array, base: Base, failures: Failures) -> list[str | None]:
    """Return the strings of an array. A row that is not UTF-8 fails, unless its base is null."""
    not_text: list[int] = []
    texts = texts_of(array, not_text)
    if isinstance(base, pa.Array):
        not_text = [row for row in not_text if base[row].is_valid]
    failures.update(dict.fromkeys(not_text, NOT_UTF_8))
    return texts


def part_type(name: str, text: pa.DataType) -> pa.DataType:
    """Return the type of a part; ``text`` is the type of text."""
    return {"port": pa.int32(), "host_kind": KIND_TYPE}.get(name, text)


def cut(
    array: pa.Array, base: Base, wanted: Sequence[str], failures: Failures
) -> tuple[list[pa.Array], pa.Array]:
    """Return an array for each wanted part, and an array of whether each row is not a URL."""
    if COMPILED:
        if base is not None:
            array = _resolved_buffers(array, base, failures)
            failures = {}  # Resolving has recorded all failures already.
        if list(wanted) == ["href"]:
            return [_hrefs_buffers(array, failures)], _NO_ROWS
        return _cut_buffers(array, wanted, failures)
    texts = read_texts(array, base, failures)
    if base is None and list(wanted) == ["href"]:
        hrefs = hrefs_of(texts, failures)
        return [pa.array(hrefs, array.type)], _NO_ROWS
    # Do not keep the records: the garbage collector would traverse all of them.
    columns: list[list[str | int | None]] = [[] for _ in wanted]
    writers = [(values.append, READERS[name]) for values, name in zip(columns, wanted, strict=True)]
    missing = []
    for record in records_of(texts, read_bases(base), failures):
        missing.append(record is None)
        for append, read in writers:
            append(None if record is None else read(record))
    arrays = [
        _with_names(name, pa.array(values, _storage(name, array.type)))
        for values, name in zip(columns, wanted, strict=True)
    ]
    return arrays, pa.array(missing, pa.bool_())


OfHosts: TypeAlias = Callable[["pa.Array", Failures], "pa.Array"]


def hosts_cut(part: str) -> OfHosts:
    """Return a function from an array of bare hosts to a part of each, which records failures.

    ``part``: "host", "domain" or "host_kind". Equal strings are read once, unless that is compiled.
    """
    read = READERS_OF_HOSTS[part]
    if COMPILED:
        return partial(_cut_hosts_buffers, part, read)

    @lru_cache(HOSTS_KEPT)
    def read_text(text: str) -> tuple[str | int | None, str | None]:
        """Return the part of a string, and the name of its failure."""
        own: Failures = {}
        host = host_or_failure(0, text, own)
        return (None, own[0]) if host is None else (read(host), None)

    def of_array(array: pa.Array, failures: Failures) -> pa.Array:
        encoded = array.dictionary_encode()
        not_text: list[int] = []
        texts = texts_of(encoded.dictionary, not_text)
        found = [(None, None) if text is None else read_text(text) for text in texts]
        bad = {at: name for at, (_, name) in enumerate(found) if name is not None}
        bad.update(dict.fromkeys(not_text, NOT_UTF_8))
        if bad:
            indices = encoded.indices.to_pylist()
            failures.update((row, bad[at]) for row, at in enumerate(indices) if at in bad)
        values = pa.array([value for value, _ in found], _storage(part, array.type))
        return _with_names(part, values.take(encoded.indices))

    return of_array


def _cut_hosts_buffers(
    part: str, read: Callable[[Host], str | int | None], array: pa.Array, failures: Failures
) -> pa.Array:
    def general(row: int, text: str | None) -> tuple[str | int | None] | None:
        host = host_or_failure(row, text, failures)
        return None if host is None else (read(host),)

    try:
        made, _ = cut_column([WHAT[part]], _buffers(array), general, failures, True)
    except OverflowError:
        raise overflow() from None
    return _with_names(part, _of_buffers(_storage(part, array.type), len(array), made[0]))


def keys(rules: KeyRules, array: pa.Array, base: Base, failures: Failures) -> pa.Array:
    """Return the key of each row by rules."""
    if COMPILED:
        if base is not None:
            array = _resolved_buffers(array, base, failures)
            failures = {}  # Resolving has recorded all failures already.
        return _key_buffers(array, rules, failures)
    if base is None:
        texts: Texts = read_texts(array, base, failures)
    else:
        texts = cut(array, base, ["href"], failures)[0][0].to_pylist()
    return pa.array(keys_of(texts, rules, failures), array.type)


def can_parse(array: pa.Array, base: Base, failures: Failures) -> pa.Array:
    """Return whether each row parses, and record the failures of the others."""
    if COMPILED and base is None:
        return _parsable_rows(array, failures)
    answers: list[bool | None]
    if COMPILED:
        hrefs = _resolved_buffers(array, base, failures)
        answers = [True if there else None for there in hrefs.is_valid().to_pylist()]
    else:
        texts = read_texts(array, base, failures)
        if base is None:
            note_failures(texts, failures)
            answers = [None if text is None else True for text in texts]
        else:
            records = records_of(texts, read_bases(base), failures)
            answers = [None if record is None else True for record in records]
    for row in failures:
        answers[row] = False
    return pa.array(answers, pa.bool_())


def read_bases(base: Base) -> Bases:
    """Return bases as records, or as the names of their failures."""
    if base is None or isinstance(base, URLRecord):
        return base
    not_text: list[int] = []
    bases = bases_of(texts_of(base, not_text))
    for row in not_text:
        bases[row] = NOT_UTF_8
    return bases


def _storage(name: str, text: pa.DataType) -> pa.DataType:
    return pa.int8() if name == "host_kind" else part_type(name, text)


def _with_names(name: str, array: pa.Array) -> pa.Array:
    """Return the array of a part, with names in place of the numbers of host kinds."""
    return pa.DictionaryArray.from_arrays(array, _KINDS) if name == "host_kind" else array


# --- by the compiled reader of buffers ----------------------------------------------------------


def by_suffixes(
    wanted: str, suffixes: PublicSuffixList, array: pa.Array, base: Base, failures: Failures
) -> pa.Array:
    """Return "registrable_domain" or "site" of each row, in one pass if that is compiled."""
    part = "domain" if wanted == "registrable_domain" else "scheme_and_host"
    of_text = _of_text(wanted, suffixes)
    if not COMPILED:
        return over_values(lru_cache(HOSTS_KEPT)(of_text), cut(array, base, [part], failures)[0][0])
    if base is not None:
        array = _resolved_buffers(array, base, failures)
        failures = {}

    def of_record(record: URLRecord) -> str | None:
        text = READERS[part](record)
        return None if text is None else of_text(str(text))

    return _cut_buffers(array, [wanted], failures, [of_record], _table(suffixes))[0][0]


def _cut_buffers(
    array: pa.Array,
    wanted: Sequence[str],
    failures: Failures,
    readers: Sequence[Callable[[URLRecord], str | int | None]] | None = None,
    table: SuffixTable | None = None,
    unchanged: int = 0,
) -> tuple[list[pa.Array], pa.Array]:
    readers = readers or [READERS[name] for name in wanted]

    def general(row: int, text: str | None) -> tuple[str | int | None, ...] | None:
        record = record_or_failure(row, text, failures)
        return None if record is None else tuple(read(record) for read in readers)

    try:
        numbers = [WHAT[name] for name in wanted]
        columns, rows = cut_column(
            numbers, _buffers(array), general, failures, False, table, unchanged
        )
    except OverflowError:
        raise overflow() from None
    arrays = [
        _with_names(name, _of_buffers(_storage(name, array.type), len(array), made))
        for name, made in zip(wanted, columns, strict=True)
    ]
    there = pa.Array.from_buffers(pa.bool_(), len(array), [None, pa.py_buffer(rows)], 0)
    return arrays, pc.invert(there)


def _hrefs_buffers(array: pa.Array, failures: Failures) -> pa.Array:
    """Return the hrefs of rows: the array itself, not a copy, if each row is its own href."""
    unchanged = unchanged_rows(_buffers(array))
    rest = array.slice(unchanged)
    # Plain rows are only read where there are more bytes after them, so not the last rows.
    if unchanged and len(rest) <= _LAST_ROWS:
        ((hrefs,), _) = _cut_buffers(rest, ["href"], {})
        if hrefs.equals(rest):
            return array
    return _cut_buffers(array, ["href"], failures, unchanged=unchanged)[0][0]


def _key_buffers(array: pa.Array, rules: KeyRules, failures: Failures) -> pa.Array:
    def general(row: int, text: str | None) -> tuple[str] | None:
        key = slow_key(row, text, rules, failures)
        return None if key is None else (key,)

    try:
        made = key_column(plan_by(rules), _buffers(array), general, failures)
    except OverflowError:
        raise overflow() from None
    return _of_buffers(array.type, len(array), made)


def _resolved_buffers(array: pa.Array, base: URLRecord | pa.Array, failures: Failures) -> pa.Array:
    """Return the hrefs of URLs, each joined to its base or all to one base."""
    bases = pa.array([base.href], pa.string()) if isinstance(base, URLRecord) else base

    def general(row: int, text: str | None) -> tuple[str] | None:
        own: Failures = {}
        one = read_bases(base if isinstance(base, URLRecord) else base.slice(row, 1))
        record = next(records_of([text], one, own))
        if record is None:
            failures[row] = own.get(0, NOT_UTF_8)
            return None
        return (record.href,)

    try:
        made = resolve_column(_buffers(array), _buffers(bases), general, failures)
    except OverflowError:
        raise overflow() from None
    return _of_buffers(array.type, len(array), made)


def _parsable_rows(array: pa.Array, failures: Failures) -> pa.Array:
    def general(row: int, text: str | None) -> tuple[()] | None:
        return None if record_or_failure(row, text, failures) is None else ()

    _, answers = cut_column([], _buffers(array), general, failures)
    return pa.Array.from_buffers(
        pa.bool_(), len(array), [_validity(array), pa.py_buffer(answers)], array.null_count
    )


def _validity(array: pa.Array) -> pa.Buffer | None:
    """Return a bit for each row that is not null, or None if no row is null."""
    return pc.is_valid(array).buffers()[1] if array.null_count else None


def _of_buffers(
    type: pa.DataType, length: int, made: tuple[bytearray, bytearray, bytearray | None, int]
) -> pa.Array:
    """Return the array that consists of these buffers."""
    data, offsets, validity, nulls = made
    buffers = [None if validity is None else pa.py_buffer(validity), pa.py_buffer(data)]
    if pa.types.is_string(type) or pa.types.is_large_string(type):
        buffers.insert(1, pa.py_buffer(offsets))
    return pa.Array.from_buffers(type, length, buffers, nulls)


def _buffers(
    array: pa.Array,
) -> tuple[memoryview, memoryview, memoryview, int, int, bool]:
    """Return the buffers of an array of text, its offset and length, and whether it is large."""
    validity, offsets, data = array.buffers()
    return (
        _bytes(data),
        _bytes(offsets),
        _bytes(validity if array.null_count else None),
        array.offset,
        len(array),
        array.type == pa.large_string(),
    )


def _bytes(buffer: pa.Buffer | None) -> memoryview:
    return memoryview(b"") if buffer is None else memoryview(buffer).cast("B")


def of_texts(
    array: pa.Array, wanted: str, name: str = "", type: pa.DataType | None = None
) -> pa.Array:
    """Return what is made of each path or query, by the compiled reader of strings.

    ``wanted``: "file_extension", "file_name", "path_depth" or "search_param". ``name``: of the
    parameter. ``type``: of the answers, if not that of the strings.
    """
    encoded = name.encode("utf-8", "surrogatepass")
    made = text_column(WHAT_OF_TEXTS[wanted], _buffers(array), encoded)
    return _of_buffers(type or array.type, len(array), made)


def surts(general: Callable[[Any], str], hrefs: pa.Array) -> pa.Array:
    """Return the SURTs of hrefs. ``general`` returns those that compiled code does not make."""
    made = surt_column(_buffers(hrefs), lambda _, href: (general(href),))
    return _of_buffers(hrefs.type, len(hrefs), made)


def segments(paths: pa.Array) -> pa.Array:
    """Return the lists of the segments of paths, by the compiled reader of strings."""
    lists, offsets, data, count = segment_column(_buffers(paths))
    values = _of_buffers(paths.type, count, (data, offsets, None, 0))
    return pa.Array.from_buffers(
        pa.list_(paths.type),
        len(paths),
        [_validity(paths), pa.py_buffer(lists)],
        paths.null_count,
        children=[values],
    )


# --- registrable domains, by a public suffix list ------------------------------------------------

OfArray: TypeAlias = Callable[["pa.Array"], "pa.Array"]


def of_domains(wanted: str, suffixes: PublicSuffixList) -> OfArray:
    """Return a function of an array of domains.

    ``wanted``: "registrable_domain", "public_suffix" or "subdomain".
    """
    if COMPILED:
        return partial(_registrable_buffers, _table(suffixes), wanted)
    return partial(over_values, lru_cache(HOSTS_KEPT)(_of_text(wanted, suffixes)))


def _of_text(wanted: str, suffixes: PublicSuffixList) -> Callable[[str], str | None]:
    """Return a function of one domain or, for a "site", of a scheme and a host."""
    if wanted == "subdomain":
        return partial(_subdomain, suffixes)
    if wanted == "site":
        return partial(_site, suffixes)
    found: Callable[[str], str | None] = getattr(suffixes, wanted)
    return found


def _subdomain(suffixes: PublicSuffixList, domain: str) -> str | None:
    registrable = suffixes.registrable_domain(domain)
    if registrable is None:
        return None
    return domain.removesuffix(registrable).removesuffix(".")


def _site(suffixes: PublicSuffixList, text: str) -> str:
    scheme, slashes, host = text.partition("://")
    if not slashes or host.startswith("[") or ends_in_a_number(host):
        return text
    return f"{scheme}://{suffixes.registrable_domain(host) or host}"


def _table(suffixes: PublicSuffixList) -> SuffixTable:
    return suffixes._table  # type: ignore[return-value]  # noqa: SLF001  # as it is if compiled


def _registrable_buffers(table: SuffixTable, wanted: str, array: pa.Array) -> pa.Array:
    made = registrable_column(table, WHAT_OF_DOMAINS[wanted], _buffers(array))
    return _of_buffers(array.type, len(array), made)


def over_values(
    of_text: Callable[[str], str | bool | None], array: pa.Array, type: pa.DataType | None = None
) -> pa.Array:
    """Return the results of a function for the strings of an array, each string once.

    ``type``: the type of the results, if it is not the type of the strings.
    """
    encoded = array.dictionary_encode()
    texts: Texts = encoded.dictionary.to_pylist()
    values = [None if text is None else of_text(text) for text in texts]
    return pa.array(values, array.type if type is None else type).take(encoded.indices)


# --- lists of hosts -------------------------------------------------------------------------------


def listed(hosts: HostList) -> Callable[[pa.Array, pa.Array], pa.Array]:
    """Return a function from arrays of hosts and of their kinds to whether the list has them."""
    has = lru_cache(HOSTS_KEPT)(partial(has_serialized, hosts))

    def of_array(array: pa.Array, kinds: pa.Array) -> pa.Array:
        if not COMPILED:
            return over_values(has, array, pa.bool_())
        table = table_in(hosts)
        answers, asked = (
            pa.Array.from_buffers(pa.bool_(), len(array), [None, pa.py_buffer(bits)])
            for bits in listed_rows(
                table.texts,
                table.ends,
                table.kinds,
                table.starts,
                table.shift,
                MAX_DOMAIN_LENGTH,
                _buffers(array),
            )
        )
        is_opaque = pc.equal(kinds.indices, HOST_KINDS.index("opaque"))
        asked = pc.or_(asked, is_opaque.fill_null(False))
        if asked.true_count:
            found = over_values(has, array.filter(asked), pa.bool_())
            answers = pc.replace_with_mask(answers, asked, found)
        return pc.if_else(array.is_valid(), answers, pa.scalar(None, pa.bool_()))

    return of_array
