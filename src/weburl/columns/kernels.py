"""The kernels, which compute one batch of rows for each function of the room.

A kernel takes an array of text and its bases, records the rows that fail, and returns an array. A
function of this module makes it from the options, once for a column. So its caches live as long as
the column is computed.
"""

from __future__ import annotations

import struct
from collections.abc import Callable, Iterable
from hashlib import sha256
from typing import Any, Final, TypeAlias

import pyarrow as pa
import pyarrow.compute as pc

from weburl.columns import parts
from weburl.columns.arrow import text_type
from weburl.columns.judging import REASONS, refusals
from weburl.columns.parts import (
    KIND_TYPE,
    Base,
    cut,
    part_type,
    read_bases,
    read_texts,
)
from weburl.columns.ports import on_any_port, warn_of_other_ports
from weburl.columns.rows import FAILURES, HOST_KINDS, Failures, records_of
from weburl.columns.table import ANSWERS, PARTS, LinkField
from weburl.keys import KeyRules, SURTProfile
from weburl.keys import surt as surt_of_url
from weburl.lookalikes import ProtectedNames
from weburl.patterns.pattern import ComponentName, URLPattern
from weburl.policies.host_list import HostList
from weburl.policies.policy import URLPolicy
from weburl.public_suffix import PublicSuffixList
from weburl.standard.rendering.text import render as render_record
from weburl.standard.storage import COMPILED
from weburl.standard.url.api import parse as parse_url
from weburl.standard.url.fast_path import parse_form_urlencoded
from weburl.standard.url.segments import (
    depth_of_path,
    name_of_path,
    segments_of_path,
    suffix_of_name,
)

Kernel: TypeAlias = Callable[["pa.Array", Base, Failures], "pa.Array"]
"""Takes an array of text, its base or bases, and where to record failures; returns an array."""

NAME_TYPE: Final = KIND_TYPE
"""The type of the names of failures."""
_NAMES: Final = pa.array(FAILURES, pa.string())
_REASONS: Final = pa.array(REASONS, pa.string())
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

    def kernel(array: pa.Array, base: Base, failures: Failures) -> pa.Array:
        return parts.by_suffixes(array, base, "registrable_domain", suffixes, failures)

    return kernel


def site(suffixes: PublicSuffixList) -> Kernel:
    """Return the kernel for sites according to a list."""

    def kernel(array: pa.Array, base: Base, failures: Failures) -> pa.Array:
        return parts.by_suffixes(array, base, "site", suffixes, failures)

    return kernel


def first_value(query: str, name: str) -> str | None:
    """Return the first value of a name in a query, decoded, or None."""
    return next((value for key, value in parse_form_urlencoded(query) if key == name), None)


def _of_part(
    name: str,
    function: Callable[[str], Any],
    type: Callable[[pa.DataType], pa.DataType] = lambda text: text,
) -> Kernel:
    """Return the kernel for what a function makes of one part, null where the part is.

    ``type``: returns the type of the answers for the type of the strings.
    """

    def kernel(array: pa.Array, base: Base, failures: Failures) -> pa.Array:
        texts = cut(array, base, [name], failures)[0][0].to_pylist()
        values = [None if text is None else function(text) for text in texts]
        return pa.array(values, type(array.type))

    return kernel


def _of_texts(wanted: str, part: str, *options: Any, **more: Any) -> Kernel:  # noqa: ANN401
    """Return the kernel for what the compiled reader of strings makes of one part."""

    def kernel(array: pa.Array, base: Base, failures: Failures) -> pa.Array:
        return parts.of_texts(cut(array, base, [part], failures)[0][0], wanted, *options, **more)

    return kernel


def search_param(name: str) -> Kernel:
    """Return the kernel for the first value of a name in the query."""
    if COMPILED:
        return _of_texts("search_param", "query", name=name)
    return _of_part("query", lambda query: first_value(query, name))


def key(rules: KeyRules) -> Kernel:
    """Return the kernel for keys by rules."""

    def kernel(array: pa.Array, base: Base, failures: Failures) -> pa.Array:
        return parts.keys(array, base, rules, failures)

    return kernel


def key_hash(rules: KeyRules) -> Kernel:
    """Return the kernel for the first 64 bits of the SHA-256 of keys, as signed numbers."""

    def kernel(array: pa.Array, base: Base, failures: Failures) -> pa.Array:
        keys = parts.keys(array, base, rules, failures)
        digests = b"".join(
            sha256(key.encode()).digest()[:8] for key in keys.drop_null().to_pylist()
        )
        numbers = iter(struct.unpack(f">{len(digests) // 8}q", digests))
        return pa.array(
            [next(numbers) if there else None for there in keys.is_valid().to_pylist()], pa.int64()
        )

    return kernel


def surt(profile: SURTProfile) -> Kernel:
    """Return the kernel for the keys of web archives."""
    if COMPILED and profile == "archive":
        return _of_texts("surt", "href", surt_of_url)
    return _of_part("href", lambda href: surt_of_url(href, profile=profile))


def without_query_params(names: tuple[str, ...], prefixes: tuple[str, ...]) -> Kernel:
    """Return the kernel for hrefs without some params."""

    def without(href: str) -> str:
        if "?" not in href:
            return href
        return parse_url(href).without_query_params(*names, prefixes=prefixes).href

    return _of_part("href", without)


def render(**options: Any) -> Kernel:  # noqa: ANN401  # the options of weburl.render
    """Return the kernel for URLs as text for people."""

    def kernel(array: pa.Array, base: Base, failures: Failures) -> pa.Array:
        records = records_of(read_texts(array, base, failures), read_bases(base), failures)
        shown = [None if record is None else render_record(record, **options) for record in records]
        return pa.array(shown, array.type)

    return kernel


def in_host_list(hosts: HostList) -> Kernel:
    """Return the kernel for whether the hosts of URLs are in a list; false without a host."""
    of_hosts = parts.listed(hosts)

    def kernel(array: pa.Array, base: Base, failures: Failures) -> pa.Array:
        (own, kinds), missing = cut(array, base, ["host", "host_kind"], failures)
        answers = of_hosts(own, kinds).fill_null(False)
        return pc.if_else(missing, pa.scalar(None, pa.bool_()), answers)

    return kernel


def lookalikes(names: ProtectedNames) -> Kernel:
    """Return the kernel for the names that hosts look like; null if there is none."""
    of_domains = parts.look_alike(names)

    def kernel(array: pa.Array, base: Base, failures: Failures) -> pa.Array:
        (own,), _ = cut(array, base, ["domain"], failures)
        return of_domains(own)

    return kernel


def allowed(policy: URLPolicy) -> Kernel:
    """Return the kernel for whether a policy allows URLs; false for text that does not parse."""
    of_texts = refusals(policy)

    def kernel(array: pa.Array, _: Base, failures: Failures) -> pa.Array:
        answers = of_texts(array, failures).is_null()
        return pc.if_else(array.is_valid(), answers, pa.scalar(None, pa.bool_()))

    return kernel


def refusal(policy: URLPolicy) -> Kernel:
    """Return the kernel for why a policy does not allow URLs."""
    of_texts = refusals(policy)

    def kernel(array: pa.Array, _: Base, failures: Failures) -> pa.Array:
        return pa.DictionaryArray.from_arrays(of_texts(array, failures), _REASONS)

    return kernel


def matches(pattern: URLPattern) -> Kernel:
    """Return the kernel for whether URLs match a pattern."""
    wanted = [
        (part, pattern.component_test(component))
        for component, part in _PARTS_OF_COMPONENTS.items()
        if getattr(pattern, component) != "*"
    ]
    wide = on_any_port(pattern)
    wanted.sort(key=lambda each: each[0] == "port")  # It is tested last, for the warning.

    def kernel(array: pa.Array, base: Base, failures: Failures) -> pa.Array:
        parts = ["scheme", *[part for part, _ in wanted]]
        (schemes, *columns), _ = cut(array, base, parts, failures)
        answers = [None if scheme is None else True for scheme in schemes.to_pylist()]
        for column, (part, test) in zip(columns, wanted, strict=True):
            matched = answers.count(True)
            for row, value in enumerate(column.to_pylist()):
                if answers[row]:
                    answers[row] = test("" if value is None else str(value))
            if part == "port" and wide is not None and answers.count(True) < matched:
                warn_of_other_ports(pattern, wide)
        return pa.array(answers, pa.bool_())

    return kernel


_PARTS_OF_COMPONENTS: Final[dict[ComponentName, str]] = {
    "protocol": "scheme",
    "username": "username",
    "password": "password",
    "hostname": "host",
    "port": "port",
    "pathname": "path",
    "search": "query",
    "hash": "fragment",
}


# --- several values for each URL -----------------------------------------------------------------


def path_depth() -> Kernel:
    """Return the kernel for the numbers of segments."""
    if COMPILED:
        return _of_texts("path_depth", "path", type=pa.int32())
    return _of_part("path", depth_of_path, lambda _: pa.int32())


def file_name() -> Kernel:
    """Return the kernel for the last segments, decoded."""
    if COMPILED:
        return _of_texts("file_name", "path")
    return _of_part("path", name_of_path)


def file_extension() -> Kernel:
    """Return the kernel for the extensions of the last segments."""
    if COMPILED:
        return _of_texts("file_extension", "path")
    return _of_part("path", lambda path: suffix_of_name(name_of_path(path)))


def path_segments() -> Kernel:
    """Return the kernel for lists of the segments, decoded."""
    if COMPILED:
        return lambda array, base, failures: parts.segments(
            cut(array, base, ["path"], failures)[0][0]
        )
    return _of_part("path", segments_of_path, segments_type)


def search_params() -> Kernel:
    """Return the kernel for maps from the names in the query to their values."""

    def kernel(array: pa.Array, base: Base, failures: Failures) -> pa.Array:
        (schemes, queries), _ = cut(array, base, ["scheme", "query"], failures)
        values = [
            None if scheme is None else list(values_by_name(query or "").items())
            for scheme, query in zip(schemes.to_pylist(), queries.to_pylist(), strict=True)
        ]
        return pa.array(values, params_type(array.type))

    return kernel


def values_by_name(query: str) -> dict[str, list[str]]:
    """Return the values of each name in a query, decoded, in the order of the query."""
    values: dict[str, list[str]] = {}
    for name, value in parse_form_urlencoded(query):
        values.setdefault(name, []).append(value)
    return values


def segments_type(text: pa.DataType) -> pa.DataType:
    """Return the type of lists of segments; ``text`` is the type of text."""
    return pa.list_(text)


def params_type(text: pa.DataType) -> pa.DataType:
    """Return the type of maps of params; ``text`` is the type of text."""
    return pa.map_(text, pa.list_(text))


def links_type(fields: Iterable[LinkField]) -> pa.DataType:
    """Return the type of lists of links with these fields."""
    return pa.list_(pa.struct([(name, _TYPES_OF_LINKS.get(name, pa.string())) for name in fields]))


_TYPES_OF_LINKS: Final[dict[str, pa.DataType]] = {"line": pa.int32(), "column": pa.int32()}


# --- bare hosts -----------------------------------------------------------------------------------


def canonical_host() -> Kernel:
    """Return the kernel for hosts as they are in URLs."""
    hosts = parts.hosts_cut("host")

    def kernel(array: pa.Array, _: Base, failures: Failures) -> pa.Array:
        return hosts(array, failures)

    return kernel


def is_ip() -> Kernel:
    """Return the kernel for whether hosts are addresses."""
    kinds = parts.hosts_cut("host_kind")

    def kernel(array: pa.Array, _: Base, failures: Failures) -> pa.Array:
        return pc.not_equal(kinds(array, failures).indices, HOST_KINDS.index("domain"))

    return kernel


def host_in_host_list(hosts: HostList) -> Kernel:
    """Return the kernel for whether bare hosts are in a list."""
    texts, kinds, of_hosts = (
        parts.hosts_cut("host"),
        parts.hosts_cut("host_kind"),
        parts.listed(hosts),
    )

    def kernel(array: pa.Array, _: Base, failures: Failures) -> pa.Array:
        return of_hosts(texts(array, failures), kinds(array, {}))

    return kernel


def registrable_domain_of_host(suffixes: PublicSuffixList) -> Kernel:
    """Return the kernel for the registrable domains of hosts."""
    return _of_domains(parts.registrable_domains(suffixes))


def public_suffix(suffixes: PublicSuffixList) -> Kernel:
    """Return the kernel for the public suffixes of hosts."""
    return _of_domains(parts.public_suffixes(suffixes))


def subdomain(suffixes: PublicSuffixList) -> Kernel:
    """Return the kernel for the part before the registrable domains of hosts."""
    return _of_domains(parts.subdomains(suffixes))


def _of_domains(of_domains: parts.OfArray) -> Kernel:
    """Return the kernel for what a function makes of domains, null for addresses."""
    domains = parts.hosts_cut("domain")

    def kernel(array: pa.Array, _: Base, failures: Failures) -> pa.Array:
        return of_domains(domains(array, failures))

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
    "key_hash": key_hash,
    "surt": surt,
    "without_query_params": without_query_params,
    "matches": matches,
    "path_segments": path_segments,
    "path_depth": path_depth,
    "file_name": file_name,
    "file_extension": file_extension,
    "search_params": search_params,
    "in_host_list": in_host_list,
    "lookalikes": lookalikes,
    "allowed": allowed,
    "refusal": refusal,
    "host_in_host_list": host_in_host_list,
    "canonical_host": canonical_host,
    "is_ip": is_ip,
    "registrable_domain_of_host": registrable_domain_of_host,
    "public_suffix": public_suffix,
    "subdomain": subdomain,
}
"""The function that makes the kernel of each operation."""

_TYPES: Final = {
    "bool": pa.bool_(),
    "name": NAME_TYPE,
    "reason": NAME_TYPE,
    "int32": pa.int32(),
    "int64": pa.int64(),
}
_TYPES_WITH_TEXT: Final = {
    "parts": parts_type,
    "segments": segments_type,
    "params": params_type,
}


def result_type(operation: str, options: dict[str, Any], plain: pa.DataType) -> pa.DataType:
    """Return the type of a kernel's result for text of the type ``plain``."""
    if operation == "part":
        return part_type(options["part"], plain)
    answer = ANSWERS[operation]
    if answer in _TYPES_WITH_TEXT:
        return _TYPES_WITH_TEXT[answer](plain)
    return _TYPES.get(answer, plain)


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
