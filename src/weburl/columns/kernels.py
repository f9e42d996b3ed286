"""The kernels, which compute one batch of rows for each function of the room.

A kernel takes an array of text and its bases, records the rows that fail, and returns an array. A
function of this module makes it from the options, once for a column. So its caches live as long as
the column is computed.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache
from typing import Any, Final, TypeAlias

import pyarrow as pa

from weburl.api import parse as parse_url
from weburl.columns import parts
from weburl.columns.arrow import text_type
from weburl.columns.parts import (
    KIND_TYPE,
    Base,
    cut,
    over_values,
    part_type,
    read_bases,
    read_texts,
)
from weburl.columns.rows import FAILURES, Failures, records_of
from weburl.hosts.ipv4 import ends_in_a_number
from weburl.keys import KeyRules, SURTProfile
from weburl.keys import surt as surt_of_url
from weburl.keys.rules import key_of_href
from weburl.parsing.fast_path import parse_form_urlencoded
from weburl.public_suffix import PublicSuffixList
from weburl.rendering.text import render as render_record

Kernel: TypeAlias = Callable[["pa.Array", Base, Failures], "pa.Array"]
"""Takes an array of text, its base or bases, and where to record failures; returns an array."""

PARTS: Final = (
    "scheme",
    "username",
    "password",
    "host",
    "host_kind",
    "port",
    "path",
    "query",
    "fragment",
)
"""The names of the parts of a URL, in the order of `parse`."""

# How many hosts a cache keeps, at some 300 bytes each.
_HOSTS_KEPT: Final = 1 << 16
NAME_TYPE: Final = KIND_TYPE
"""The type of the names of failures."""
_NAMES: Final = pa.array(FAILURES, pa.string())
_NUMBER_OF_NAME: Final = {name: number for number, name in enumerate(FAILURES)}


def parts_type(text: pa.DataType) -> pa.DataType:
    """Return the type of what `parse` returns; ``text`` is the type of its text."""
    return pa.struct([(name, part_type(name, text)) for name in PARTS])


def names_of(failures: Failures, length: int) -> pa.Array:
    """Return the names of failures as an array, with null for rows that did not fail."""
    numbers: list[int | None] = [None] * length
    for row, name in failures.items():
        numbers[row] = _NUMBER_OF_NAME[name]
    return pa.DictionaryArray.from_arrays(pa.array(numbers, pa.int8()), _NAMES)


# --- the kernels: each is made from its options -------------------------------------------------


def can_parse() -> Kernel:
    """Return the kernel for whether rows parse."""
    return parts.can_parse


def check() -> Kernel:
    """Return the kernel for the names of failures."""

    def kernel(array: pa.Array, base: Base, failures: Failures) -> pa.Array:
        parts.can_parse(array, base, failures)
        return names_of(failures, len(array))

    return kernel


def part(part: str) -> Kernel:
    """Return the kernel for one part."""

    def kernel(array: pa.Array, base: Base, failures: Failures) -> pa.Array:
        return cut(array, base, [part], failures)[0][0]

    return kernel


def parse() -> Kernel:
    """Return the kernel for all parts."""

    def kernel(array: pa.Array, base: Base, failures: Failures) -> pa.Array:
        made, missing = cut(array, base, PARTS, failures)
        fields = list(parts_type(array.type))
        return pa.StructArray.from_arrays(made, fields=fields, mask=missing)

    return kernel


def registrable_domain(suffixes: PublicSuffixList) -> Kernel:
    """Return the kernel for registrable domains according to a list."""
    of_domain = lru_cache(_HOSTS_KEPT)(suffixes.registrable_domain)

    def kernel(array: pa.Array, base: Base, failures: Failures) -> pa.Array:
        return over_values(of_domain, cut(array, base, ["domain"], failures)[0][0])

    return kernel


def site(suffixes: PublicSuffixList) -> Kernel:
    """Return the kernel for sites according to a list."""

    @lru_cache(_HOSTS_KEPT)
    def of_scheme_and_host(text: str) -> str:
        scheme, slashes, host = text.partition("://")
        if not slashes or host.startswith("[") or ends_in_a_number(host):
            return text
        return f"{scheme}://{suffixes.registrable_domain(host) or host}"

    def kernel(array: pa.Array, base: Base, failures: Failures) -> pa.Array:
        return over_values(
            of_scheme_and_host, cut(array, base, ["scheme_and_host"], failures)[0][0]
        )

    return kernel


def first_value(query: str, name: str) -> str | None:
    """Return the first value of a name in a query, decoded, or None."""
    return next((value for key, value in parse_form_urlencoded(query) if key == name), None)


def search_param(name: str) -> Kernel:
    """Return the kernel for the first value of a name in the query."""

    def kernel(array: pa.Array, base: Base, failures: Failures) -> pa.Array:
        queries = cut(array, base, ["query"], failures)[0][0].to_pylist()
        values = [None if query is None else first_value(query, name) for query in queries]
        return pa.array(values, array.type)

    return kernel


def _of_hrefs(function: Callable[[str], str | None]) -> Kernel:
    """Return the kernel for what a function makes of each URL in its canonical form."""

    def kernel(array: pa.Array, base: Base, failures: Failures) -> pa.Array:
        hrefs = cut(array, base, ["href"], failures)[0][0].to_pylist()
        values = [None if href is None else function(href) for href in hrefs]
        return pa.array(values, array.type)

    return kernel


def key(rules: KeyRules) -> Kernel:
    """Return the kernel for keys by rules."""
    return _of_hrefs(lambda href: key_of_href(href, rules))


def surt(profile: SURTProfile) -> Kernel:
    """Return the kernel for the keys of web archives."""
    return _of_hrefs(lambda href: surt_of_url(href, profile=profile))


def without_query_params(names: tuple[str, ...], prefixes: tuple[str, ...]) -> Kernel:
    """Return the kernel for hrefs without some params."""

    def without(href: str) -> str:
        if "?" not in href:
            return href
        return parse_url(href).without_query_params(*names, prefixes=prefixes).href

    return _of_hrefs(without)


def render(**options: Any) -> Kernel:  # noqa: ANN401  # the options of weburl.render
    """Return the kernel for URLs as text for people."""

    def kernel(array: pa.Array, base: Base, failures: Failures) -> pa.Array:
        records = records_of(read_texts(array, base, failures), read_bases(base), failures)
        shown = [None if record is None else render_record(record, **options) for record in records]
        return pa.array(shown, array.type)

    return kernel


KERNELS: Final[dict[str, Callable[..., Kernel]]] = {
    "can_parse": can_parse,
    "check": check,
    "parse": parse,
    "part": part,
    "registrable_domain": registrable_domain,
    "site": site,
    "render": render,
    "search_param": search_param,
    "key": key,
    "surt": surt,
    "without_query_params": without_query_params,
}
"""The function that makes the kernel of each operation."""

BY_PYTHON: Final = frozenset(
    {
        "registrable_domain",
        "site",
        "search_param",
        "render",
        "key",
        "surt",
        "without_query_params",
    }
)
"""The operations that run Python for each value or each host, even in the compiled build."""

_OTHER_TYPES: Final = {"can_parse": pa.bool_(), "check": NAME_TYPE}


def result_type(operation: str, options: dict[str, Any], plain: pa.DataType) -> pa.DataType:
    """Return the type of a kernel's result for text of the type ``plain``."""
    if operation == "parse":
        return parts_type(plain)
    if operation == "part":
        return part_type(options["part"], plain)
    return _OTHER_TYPES.get(operation, plain)


def final_type(
    kernels_type: pa.DataType, column_type: pa.DataType, *, by_value: bool
) -> pa.DataType:
    """Return the type of a whole result.

    ``by_value``: whether each value of a dictionary was computed once, rather than each row.
    """
    if kernels_type not in (pa.string(), pa.large_string()):
        return kernels_type
    if pa.types.is_dictionary(column_type):
        return pa.dictionary(column_type.index_type, kernels_type) if by_value else kernels_type
    return text_type(column_type)
