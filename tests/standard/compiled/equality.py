"""Compares the fast path with the general parser.

`differences` says in sentences where they part, and where the readers of columns are certain of a
failure that the general parser does not give. ``python -m tests.standard.compiled.equality COUNT``
tries so many mutated texts, each on its own, on one of the bases, and as params. It ends with a
digest of all records, which is the same on every platform.
"""

from __future__ import annotations

import hashlib
import random
import struct
import sys
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from typing import Any, Final

import attrs

import weburl
from tests.corpus import corpus
from tests.wpt import load_cases
from weburl import COMPILED
from weburl.standard.infra.errors import Failure
from weburl.standard.infra.form_urlencoded import parse_form_urlencoded, serialize_form_urlencoded
from weburl.standard.infra.query_pairs import name_in, with_added_pair, with_pair, without_pairs
from weburl.standard.infra.schemes import DEFAULT_PORTS, SPECIAL_SCHEMES
from weburl.standard.infra.strings import to_scalar_value_string
from weburl.standard.url import fast_path, fast_path_regex
from weburl.standard.url.api import parse_generally as parse_url
from weburl.standard.url.record import URLRecord
from weburl.standard.url.value import STATE, serialize_url

if COMPILED:
    from weburl.columns.compiled.parts import WHAT, cut_column
    from weburl.columns.compiled.resolving import resolve_column

BASES: Final = (
    "https://example.com/a/b/c.html?q#f",
    "http://user:pw@example.com:8080/",
    "https://[::1]:8443/x/",
    "ftp://192.168.0.1/dir/file;type=a",
    "wss://xn--bcher-kva.example/chat?room=1",
    "file:///C:/Users/me/a.txt?q",
    "file://host/share/a/b",
    "file:///",
    "git+ssh://git@host:22/a/b/../c?q#f",
    "foo://host",
    "foo:/a/b?q",
    "foo:/.//double",
    "mailto:me@example.com?subject=x#f",
)
"""One of each kind that makes a difference."""

PIECES: Final = (
    *("", "/", "//", "\\", "?", "#", "@", ":", ":8080", ":065535", ":65536", "%"),
    *("%2e", "%2E%2e", "/../", "/./", "/.", "..", ".", "%41", "%C3%A9", "%00", "%zz", "%ff"),
    *("&", "&&", "=", "+", "&a=b", "&a", "&%61=1"),
    *("\t", "\n", "\r", " ", "\x00", "\x1f", "\x7f", "\x80", "\xad", "\u00e9", "\u00df", "\u0130"),
    *("\u4f8b", "\u3002", "\uff0e", "\uff11", "\u0628", "\u05d0", "\u0915\u094d", "\U0001f600"),
    *("\ud800", "\udc00", "\u200d", "a", "A", "Z", "0", "9", "x", "-", "--", "xn--", "xn--a", "_"),
    *("[::1]", "[1:2::3.4.5.6]", "[", "]", "[::ffff:1.2.3.4]", "0x7f.1", "1.2.3", "0300"),
    "4294967295",
    *(f"{scheme}:" for scheme in SPECIAL_SCHEMES),
    *(f":{port}" for port in sorted(set(DEFAULT_PORTS.values()))),
    *("http://", "HTTP:", "file://", "foo:", "foo://", "data:", "mailto:"),
    *("user:pw@", ":@", "@@", "C:", "C|", "c|/", "/C:/", "localhost", "LOCALHOST", "!", "$", "&"),
    *("'", '"', "<", ">", "`", "{", "}", "|", "^", "~", "+", ",", ";", "=", "a=b&c=d", "&&", "=="),
)


def general(text: str, base: URLRecord | None = None) -> URLRecord | None:
    """Return the general parser's record, or None if ``text`` does not parse."""
    try:
        return parse_url(text, base, "utf-8")
    except Failure:
        return None


def general_href(record: URLRecord) -> str:
    """Return the href as Python's serializer writes it."""
    return serialize_url(
        record.scheme,
        record.username,
        record.password,
        None if record.host is None else str(record.host),
        record.port,
        record.path_text,
        record.query,
        record.fragment,
    )


def differences(text: str, base: URLRecord | None = None) -> Iterator[str]:
    """Yield how the fast path differs from the general parser for ``text``, on a base if given."""
    expected = general(text, base)
    record = fast_path.parse_quickly(text) if base is None else fast_path.join_quickly(base, text)
    what = f"{text!r} on {base!s}"
    if record is not None:
        if expected is None:
            yield f"{what} does not parse, but there is {record!r}"
        else:
            yield from (f"{what}: {found}" for found in _record_differences(record, expected))
    failure = failure_of(text, base)
    for certain in certain_failures(text, base):
        if certain != failure:
            yield f"{what} fails in a column with {certain}, not {failure}"
    if failure is not None:
        yield from (f"{what}: {found}" for found in _error_differences(text, base, failure))
    if weburl.can_parse(text, base) != (expected is not None):
        yield f"{what}: can_parse gives another answer"
    if base is not None:
        return
    href = fast_path.canonical_href(text)
    if href is not None:
        href = href if type(href) is str else text
        if expected is None or href != general_href(expected):
            yield f"{what} has the href {href!r}"
    for is_parsable in (fast_path.is_parsable, fast_path_regex.is_parsable):
        if is_parsable(text) not in (None, expected is not None):
            yield f"{what} counts as {is_parsable(text)}"


def failure_of(text: str, base: URLRecord | None = None) -> str | None:
    """Return the name of the general parser's failure, or None."""
    try:
        parse_url(text, base, "utf-8")
    except Failure as failure:
        return failure.type.value
    return None


def _error_differences(text: str, base: URLRecord | None, failure: str) -> Iterator[str]:
    """Yield how the error of `parse` differs from the report of `check`."""
    try:
        weburl.parse(text, base)
    except weburl.URLParseError as caught:
        error = caught
    else:
        yield "parse raises no error"
        return
    if error.type != failure:
        yield f"the error has the type {error.type}"
    report = weburl.check(text, base)
    found = report.failure
    assert found is not None
    if (error.input, error.report) != (text, report) or type(error.input) is not str:
        yield f"the error has the report {error.report}"
    if not error.reason == found.message == error.args[0] == str(error).partition("\n")[0]:
        yield f"the error has the reason {error.reason!r}"
    if error.type is not found.type:
        yield f"the type {error.type!r} does not stay"


def certain_failures(text: str, base: URLRecord | None = None) -> list[str]:
    """Return the failures of which the readers of columns are certain: one name for each reader.

    None without compiled readers, or for text with surrogates, which no column has.
    """
    if not COMPILED or to_scalar_value_string(text) != text:
        return []
    column = _column_of(text)
    found: list[str] = []
    for reader in range(2 if base is None else 1):
        failures: dict[int, str] = {}
        if base is not None:
            resolve_column(column, _column_of(base.href), _decline, failures)
        elif reader:
            cut_column([], column, _decline, failures)
        else:
            cut_column([WHAT["href"]], column, _decline, failures)
        found += failures.values()
    return found


def _column_of(text: str) -> tuple[bytes, bytes, bytes, int, int, bool]:
    """Return the buffers of a column with one row."""
    data = text.encode()
    return data, struct.pack("=ii", 0, len(data)), b"", 0, 1, False


def _decline(_row: int, _text: str | None) -> None:
    """Decline a row, in the place of the general parser."""


def _record_differences(record: URLRecord, expected: URLRecord) -> Iterator[str]:
    if type(record) is not URLRecord or type(record.host) is not type(expected.host):
        yield f"{record.host!r} is not of the type of {expected.host!r}"
    for name in STATE:
        value, wanted = getattr(record, name), getattr(expected, name)
        if value != wanted or type(value) is not type(wanted):
            yield f"{name} {value!r} is not {wanted!r}"
    if record.href != general_href(expected):
        yield f"href {record.href!r} is not {general_href(expected)!r}"
    text = expected.path_text
    path: object = tuple(text[1:].split("/")) if text.startswith("/") else text
    if record.path != (() if text == "" and record.host is not None else path):
        yield f"path {record.path!r} is not that of {text!r}"
    if hash(record) != hash(expected):
        yield "the hash"


class PlainURL(weburl.URL):
    """A subclass, for which a compiled build runs the properties of Python."""

    __slots__ = ()


METHODS: Final = {
    "protocol": "with_scheme",
    "username": "with_username",
    "password": "with_password",
    "host": "with_host",
    "hostname": "with_hostname",
    "port": "with_port",
    "pathname": "with_path",
    "search": "with_query",
    "hash": "with_fragment",
}
"""The method of records for each attribute of `URL` that can be set."""

ATTRIBUTES: Final = (*METHODS, "origin", "href")


def edit_differences(record: URLRecord, name: str, value: Any) -> Iterator[str]:
    """Yield how setting an attribute differs from the code in Python.

    ``value``: as a caller of `URL` or of a record gives it, which may be of a wrong type.
    """
    what = f"{name} = {value!r} of {record!r}"
    before = fields_of(record)
    # A `URL` of text may change its record itself, because no one else refers to that record.
    for given, uses_params in ((record, False), (record.href, False), (record.href, True)):
        made: list[object] = []
        for kind in (weburl.URL, PlainURL):
            url = kind(given)
            if uses_params:
                url.search_params.append("k", "v w")
            made.append(tried(lambda url=url: setattr(url, name, value)))  # type: ignore[misc]
            made += [getattr(url, attribute) for attribute in ATTRIBUTES]
            made += [url.record.__getstate__(), str(url.search_params)]
            made += map(type, fields_of(url.record))
            made.append(general_href(url.record))
        half = len(made) // 2
        if made[:half] != made[half:]:
            yield f"{what}: {made[:half]} is not {made[half:]}"
    if fields_of(record) != before:
        yield f"{what} changes the record"
    for method, arguments in (
        (METHODS[name], value),
        ("joinpath", value),
        ("__truediv__", value),
    ):
        call = getattr(URLRecord, method)
        general_call = getattr(call, "__wrapped__", call)
        found, expected = (tried(lambda: one(record, arguments)) for one in (call, general_call))  # noqa: B023
        if found != expected:
            yield f"{method} with {value!r} of {record!r}: {found!r} is not {expected!r}"


def fields_of(record: URLRecord) -> tuple[object, ...]:
    """Return the slots of a record."""
    return tuple(getattr(record, name) for name in STATE)


def tried(call: Callable[[], object]) -> Any:
    """Return the result of a call, or its error, in a form that can be compared."""
    try:
        made = call()
    except (AttributeError, TypeError, ValueError) as error:
        return type(error), str(error), vars(error)
    if not isinstance(made, URLRecord):
        return made
    return made.__getstate__(), *map(type, fields_of(made)), made.href


def edits(count: int, seed: int = 0) -> Iterator[tuple[str, str, str]]:
    """Yield ``count`` URLs, attributes and values. A value is another URL's, or mutated."""
    chance = random.Random(seed)
    texts = [record.href for text in seeds() if (record := general(text)) is not None]
    values = {
        name: [*dict.fromkeys(getattr(weburl.URL(text), name) for text in texts)]
        for name in METHODS
    }
    for _ in range(count):
        name = chance.choice([*METHODS])
        value = chance.choice(values[name if chance.random() < 0.9 else "pathname"])
        for _ in range(chance.choice((0, 0, 1, 1, 2))):
            value = _mutated_once(value, values[name], chance)
        yield chance.choice(texts), name, value


def params_differences(text: str) -> Iterator[str]:
    """Yield how `URLSearchParams` differs from the functions in Python for ``text``."""
    query = to_scalar_value_string(text).removeprefix("?")
    expected = parse_form_urlencoded(query)
    params = weburl.URLSearchParams(text)
    if list(params) != expected:
        yield f"{text!r} has the params {list(params)!r}"
    if str(params) != serialize_form_urlencoded(expected):
        yield f"{text!r} has the params that read {params!s}"
    names = [*dict.fromkeys(["a", "", "\u00e9", *(name for name, _ in expected[:4])])]
    for name in names:
        values = [value for each, value in expected if each == name]
        first = values[0] if values else None
        if weburl.URLSearchParams(text).get(name) != first or params.get(name) != first:
            yield f"{text!r} has another first value of {name!r}"
    record = general(f"https://u:p@h:81/p?{query.replace('#', '')}#f")
    assert record is not None
    yield from query_differences(record, names)


def query_differences(record: URLRecord, names: Sequence[str]) -> Iterator[str]:
    """Yield the edits and values of a query that differ from those in Python."""
    query = record.query
    assert query is not None
    by_name: dict[str, list[str]] = {}
    for name, value in parse_form_urlencoded(query):
        by_name.setdefault(name, []).append(value)
    if record.query_params != by_name:
        yield f"{query!r} has the params {record.query_params!r}"
    edits: list[tuple[str, URLRecord, str | None]] = []
    for wanted in (names[:1], names[:2], names[-1:]):
        pairs = {pair for pair in query.split("&") if pair and name_in(pair) in wanted}
        expected = without_pairs(query, pairs.__contains__)
        edits.append((f"without {wanted}", record.without_query_params(*wanted), expected))
    for name in names:
        for value in ("", "b c", *by_name.get(name, ())[:1]):
            found = record.with_query_param(name, value)
            edits.append((f"with {name!r}, {value!r}", found, with_pair(query, name, value)))
            found = record.add_query_param(name, value)
            edits.append((f"and {name!r}, {value!r}", found, with_added_pair(query, name, value)))
    update = URLRecord.update_query
    general_update = getattr(update, "__wrapped__", update)
    for given in (dict.fromkeys(names[:2], "b c"), {names[-1]: "", "new": "\u00e9"}):
        expected_record = general_update(record, given)
        edits.append((f"updated {given}", update(record, given), expected_record.query))
    for what, found, expected in edits:
        if found != attrs.evolve(record, query=expected):
            yield f"{query!r} {what} is {found.query!r}"
        if (found is record) != (expected == query):
            yield f"{query!r} {what} is a copy or not"


def seeds() -> list[str]:
    """Return the texts that mutations start from, which are test cases and real links."""
    cases = load_cases("urltestdata.json")
    return [*dict.fromkeys(case["input"] for case in cases), *corpus()[::40], *BASES]


def mutated(count: int, seed: int = 0, known: Sequence[str] = ()) -> Iterator[str]:
    """Yield ``count`` texts made of ``known`` or `seeds`. They are the same for the same seed."""
    chance = random.Random(seed)
    known = known or seeds()
    for _ in range(count):
        text = chance.choice(known)
        for _ in range(chance.choice((1, 1, 1, 2, 2, 3, 5))):
            text = _mutated_once(text, known, chance)
        yield text[:300]


def _mutated_once(text: str, known: Sequence[str], chance: random.Random) -> str:
    start = chance.randrange(len(text) + 1)
    kind = chance.randrange(8)
    if kind < 4:  # put in
        return text[:start] + chance.choice(PIECES) + text[start:]
    end = min(len(text), start + chance.choice((1, 1, 2, 5, 12)))
    if kind == 4:  # take out
        return text[:start] + text[end:]
    if kind == 5:  # put in its place
        return text[:start] + chance.choice(PIECES) + text[end:]
    if kind == 6:  # another case
        return text[:start] + text[start:end].swapcase() + text[end:]
    other = chance.choice(known)
    return text[:start] + other[chance.randrange(len(other) + 1) :]


def main() -> int:
    """Try as many texts as the command line says, and print the differences."""
    count = int(sys.argv[1])
    seed = int(sys.argv[2]) if len(sys.argv) > 2 else 0
    bases = [general(text) for text in BASES]
    assert None not in bases
    taken: Counter[str] = Counter()
    answers = hashlib.sha256()
    wrong = 0
    for index, text in enumerate(mutated(count, seed)):
        base = bases[index % len(bases)]
        assert base is not None
        for found in (*differences(text), *differences(text, base), *params_differences(text)):
            wrong += 1
            if wrong <= 100:
                print(found)
        made = general(text), general(text, base)
        answers.update(repr([one and one.__getstate__() for one in made]).encode())
        taken["parse"] += fast_path.parse_quickly(text) is not None
        taken["parsable"] += made[0] is not None
        taken["join"] += fast_path.join_quickly(base, text) is not None
        taken["joinable"] += made[1] is not None
        taken["certain to fail"] += bool(certain_failures(text))
    for text, name, value in edits(count, seed):
        for found in edit_differences(weburl.parse(text), name, value):
            wrong += 1
            if wrong <= 100:
                print(found)
    print(f"{count:,} texts and edits, {wrong:,} differences; taken: {dict(taken)}")
    print(f"the digest of the records is {answers.hexdigest()}")
    return 1 if wrong or not count or not taken["parse"] else 0


if __name__ == "__main__":
    sys.exit(main())
