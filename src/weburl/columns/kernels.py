"""The kernels, which compute one batch of rows for each function of the room.

A kernel takes an array of text and its bases, records the rows that fail, and returns an array. A
function of this module makes it from its arguments, once for a column, and raises the errors for
wrong arguments. So its caches live as long as the column is computed. Its docstring and its
arguments are those of the public function of its name, which `table` lists.
"""

from __future__ import annotations

import struct
from collections.abc import Callable, Iterable
from functools import lru_cache, partial
from hashlib import sha256
from typing import Any, Final, TypeAlias, get_args

import pyarrow as pa
import pyarrow.compute as pc

from weburl.columns import parts
from weburl.columns.arrow import ArrowColumn, text_type
from weburl.columns.judging import REASONS, refusals
from weburl.columns.options import PARTS, Answer, LinkField, Part
from weburl.columns.parts import (
    HOSTS_KEPT,
    KIND_TYPE,
    Base,
    cut,
    over_values,
    part_type,
    read_bases,
    read_texts,
)
from weburl.columns.ports import on_any_port, warn_of_other_ports
from weburl.columns.rows import FAILURES, HOST_KINDS, Failures, records_of
from weburl.keys import KeyRules, SURTProfile
from weburl.keys import surt as surt_of_url
from weburl.lookalikes import ProtectedNames
from weburl.patterns.pattern import ComponentName, URLPattern
from weburl.policies.host_list import HostList
from weburl.policies.policy import URLPolicy, require_policy
from weburl.public_suffix import PublicSuffixList
from weburl.standard.hosts.values import trusted_domain
from weburl.standard.infra.credentials import masked_value
from weburl.standard.infra.strings import require_text, to_scalar_value_string
from weburl.standard.rendering.text import Only, options_of
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
    """Return whether each row parses, as a column of Booleans.

    Spec: #dom-url-canparse
    """
    return parts.can_parse


def check() -> Kernel:
    """Return the standard's name for the failure of each row, or null if the row parses.

    The names come from `weburl.ValidationErrorType`, plus "not-UTF-8" for bytes that are not
    text. The result is a dictionary.

    Spec: #validation-error
    """

    def kernel(array: pa.Array, base: Base, failures: Failures) -> pa.Array:
        parts.can_parse(array, base, failures)
        return names_of(failures, len(array))

    return kernel


def part(part: Part) -> Kernel:
    """Return one part of each URL: a field of what `parse` returns, without computing the others.

    ``part`` is the name of the field; another name raises ValueError. The result is also null for
    a URL without that part.

    Spec: #concept-url
    """
    if part not in PARTS:
        raise ValueError(f"part must be one of {', '.join(PARTS)}, not {masked_value(part)}")
    return _part(part)


def canonicalize() -> Kernel:
    """Return the href of the URL in each row. All spellings of a URL give the same text.

    A null row remains null. The result has the same chunks and the same type of text as the column.
    For a dictionary, each value is computed once, and the result has a dictionary, too.

    Args:
        urls: A column of text, as anything with the Arrow PyCapsule interface.
        base: What relative URLs are joined to, or None.
        errors: What happens to rows that do not parse. "null" makes each null. "raise" raises
            `URLParseError` for the first one. "name" returns structs with ``value`` and ``error``,
            the name of the failure as `check` returns it.
        workers: How many compute at a time. They are threads if no Python code runs for each row:
            in the compiled build, except for `render`, `matches`, `search_params`, `key_hash` and
            `without_query_params`, and always if Python has no GIL. Otherwise they are processes.
            By default, a column has as many threads as pyarrow uses (``pyarrow.cpu_count()``), but
            no more than one for each 65,536 rows, and no processes.
        progress: Called from time to time with the number of rows done and of all rows, or None.

    Raises:
        TypeError: ``urls`` or ``base`` is not text.
        URLParseError: ``base`` is one text that does not parse, or a row does not parse and
            ``errors`` is "raise".
        ValueError: An option has an unknown value, or a column of bases has another length.
        OverflowError: A chunk of the result would have more than 2 GB of text and is not
            large_string.

    Spec: #concept-url-serializer
    """
    return _part("href")


def resolve() -> Kernel:
    """Return the href of the URL in each row, joined to ``base``.

    ``base`` is a column as long as ``urls``, or one URL as text or record. If the base of a row is
    null, the result is null. If the base of a row does not parse, neither does the row.

    Spec: #concept-url-parser
    """
    return _part("href")


def host() -> Kernel:
    """Return the host of each URL, without the port; null for a URL without a host.

    A domain is in ASCII. An IPv6 address is in brackets. A URL such as ``file:///a`` has the empty
    host, which is "".

    Spec: #concept-url-host
    """
    return _part("host")


def origin() -> Kernel:
    """Return the origin of each URL as text, "null" for an opaque one.

    Two rows with "null" do not have the same origin.

    Spec: #concept-url-origin
    """
    return _part("origin")


def _part(part: str) -> Kernel:
    """Return the kernel for one part of `weburl.columns.rows.READERS`."""

    def kernel(array: pa.Array, base: Base, failures: Failures) -> pa.Array:
        return cut(array, base, [part], failures)[0][0]

    return kernel


def parse() -> Kernel:
    """Return the parts of each URL, as a column of structs.

    The fields are ``scheme``, ``username``, ``password``, ``host``, ``host_kind``, ``port``,
    ``path``, ``query`` and ``fragment``, as in `weburl.URLRecord`. The host is text without the
    port. ``host_kind`` is "domain", "ipv4", "ipv6", "opaque" or "empty", as a dictionary. ``port``
    is an int32, and null for no port and for the scheme's default port. ``path`` is text.

    Spec: #concept-url-parser
    """

    def kernel(array: pa.Array, base: Base, failures: Failures) -> pa.Array:
        made, missing = cut(array, base, PARTS, failures)
        fields = list(parts_type(array.type))
        return pa.StructArray.from_arrays(made, fields=fields, mask=missing)

    return kernel


def registrable_domain(suffixes: PublicSuffixList) -> Kernel:
    """Return the registrable domain of each URL's host, such as "example.co.uk", or null.

    ``private``: whether the list's section of private domains (github.io) counts. ``suffixes``:
    a list to use instead of the current one (see `weburl.public_suffix`). Raises ValueError if
    ``private`` is False, and the list is not the package's. Make that list without its private
    section instead.

    Spec: #host-registrable-domain
    """
    return partial(parts.by_suffixes, "registrable_domain", suffixes)


def site(suffixes: PublicSuffixList) -> Kernel:
    """Return the site of each URL as text ("https://example.co.uk"), "null" for an opaque origin.

    ``private`` and ``suffixes`` are as in `registrable_domain`.

    Spec: https://html.spec.whatwg.org/multipage/browsers.html#obtain-a-site
    """
    return partial(parts.by_suffixes, "site", suffixes)


def first_value(query: str, name: str) -> str | None:
    """Return the first value of a name in a query, decoded, or None."""
    return next((value for key, value in parse_form_urlencoded(query) if key == name), None)


def _of_part(
    name: str,
    function: Callable[[str], Any],
    type: Callable[[pa.DataType], pa.DataType] = lambda text: text,
    compiled: Callable[[pa.Array], pa.Array] | None = None,
) -> Kernel:
    """Return the kernel for what a function makes of one part, null where the part is.

    ``type``: returns the type of the answers for the type of the strings. ``compiled``: does the
    same for an array of parts in the compiled build.
    """

    def kernel(array: pa.Array, base: Base, failures: Failures) -> pa.Array:
        texts = cut(array, base, [name], failures)[0][0]
        if COMPILED and compiled is not None:
            return compiled(texts)
        values = [None if text is None else function(text) for text in texts.to_pylist()]
        return pa.array(values, type(array.type))

    return kernel


def search_param(name: str | ArrowColumn) -> Kernel:
    """Return the first value of ``name`` in each URL's query, decoded, or null without one.

    ``name`` is one name for all rows, or a column as long as ``urls``. If the name of a row is
    null, the result is null. Raises TypeError if ``name`` is not text, and ValueError for a column
    of names with another length.

    Spec: #dom-urlsearchparams-get
    """
    name = to_scalar_value_string(require_text(name, "a name"))
    return _of_part(
        "query",
        lambda query: first_value(query, name),
        compiled=lambda queries: parts.of_texts(queries, "search_param", name),
    )


def key(rules: KeyRules | str = "page") -> Kernel:
    """Return the key of each URL: the same text for URLs that the rules count as one page.

    ``rules``: the name of ready rules ("browser", "page" or "crawl"), a `weburl.keys.KeyRules`, or
    its JSON. Raises ValueError for an unknown name and for other JSON, and TypeError for a value of
    another type.

    Spec: #concept-url-serializer
    """
    return partial(parts.keys, _rules(rules))


def key_hash(rules: KeyRules | str = "page") -> Kernel:
    """Return a number for the key of each URL, as an int64: small, and equal for equal keys.

    It is the first 8 bytes of the SHA-256 of the key's UTF-8, read as a signed big-endian number,
    so any program can compute it from the key. Different keys can have the same number: among 200
    million keys, with a probability of one in a thousand. ``rules`` is as in `key`.

    Spec: #concept-url-serializer
    """
    own = _rules(rules)

    def kernel(array: pa.Array, base: Base, failures: Failures) -> pa.Array:
        keys = parts.keys(own, array, base, failures)
        digests = b"".join(
            sha256(key.encode()).digest()[:8] for key in keys.drop_null().to_pylist()
        )
        numbers = iter(struct.unpack(f">{len(digests) // 8}q", digests))
        return pa.array(
            [next(numbers) if there else None for there in keys.is_valid().to_pylist()], pa.int64()
        )

    return kernel


def surt(profile: SURTProfile = "archive") -> Kernel:
    """Return the SURT of each URL: the key under which web archives list it.

    ``profile``: as in `weburl.keys.surt`. Raises ValueError for another profile.

    Spec: #concept-url-serializer
    """
    if profile not in get_args(SURTProfile):
        raise ValueError(f"the profile must be 'archive' or 'careful', not {masked_value(profile)}")
    return _of_part(
        "href",
        lambda href: surt_of_url(href, profile=profile),
        compiled=partial(parts.surts, surt_of_url) if profile == "archive" else None,
    )


def without_query_params(*names: str, prefixes: str | Iterable[str] = ()) -> Kernel:
    """Return the href of each URL without the parameters of these names. All other bytes are kept.

    ``names``, ``prefixes`` and their errors are the same as for `URLRecord.without_query_params`.

    Spec: #dom-urlsearchparams-delete
    """
    starts = (prefixes,) if isinstance(prefixes, str) else tuple(prefixes)
    parse_url("https://h/?q").without_query_params(*names, prefixes=starts)  # errors come first

    def without(href: str) -> str:
        if "?" not in href:
            return href
        return parse_url(href).without_query_params(*names, prefixes=starts).href

    return _of_part("href", without)


def render(
    *,
    max_length: int | None = None,
    only: Only | None = None,
    omit_scheme: str | None = None,
    omit_www: bool = False,
    isolate: bool | None = None,
) -> Kernel:
    """Return each URL as text for people to read, without username and password.

    The options and their errors are the same as for `weburl.render`.

    Spec: #url-rendering
    """
    options_of(max_length, only, omit_scheme, omit_www)  # Wrong options raise here.

    def kernel(array: pa.Array, base: Base, failures: Failures) -> pa.Array:
        records = records_of(read_texts(array, base, failures), read_bases(base), failures)
        shown = [
            None
            if record is None
            else render_record(
                record,
                max_length=max_length,
                only=only,
                omit_scheme=omit_scheme,
                omit_www=omit_www,
                isolate=isolate,
            )
            for record in records
        ]
        return pa.array(shown, array.type)

    return kernel


def require_host_list(hosts: object) -> HostList:
    """Return ``hosts`` if it is a list of hosts. Raises TypeError otherwise."""
    if not isinstance(hosts, HostList):
        raise TypeError(
            f"the hosts must be a weburl.HostList, not {type(hosts).__name__}: write"
            f" HostList(hosts), or HostList.read(path)"
        )
    return hosts


def in_host_list(hosts: HostList) -> Kernel:
    """Return whether the host of each URL is in a `weburl.HostList`, as a column of Booleans.

    It is false for a URL without a host. Raises TypeError if ``hosts`` is not a HostList.

    Spec: #concept-url-host
    """
    of_hosts = parts.listed(require_host_list(hosts))

    def kernel(array: pa.Array, base: Base, failures: Failures) -> pa.Array:
        (own, kinds), missing = cut(array, base, ["host", "host_kind"], failures)
        answers = of_hosts(own, kinds).fill_null(False)
        return pc.if_else(missing, pa.scalar(None, pa.bool_()), answers)

    return kernel


def lookalikes(names: ProtectedNames | Iterable[str]) -> Kernel:
    """Return which of ``names`` the host of each URL looks like; null if it looks like none.

    ``names``: a `weburl.lookalikes.ProtectedNames`, or names that make one. Each distinct host is
    compared once. Raises the errors of `ProtectedNames`.

    Spec: #concept-url-host
    """
    protected = names if isinstance(names, ProtectedNames) else ProtectedNames(names)

    @lru_cache(HOSTS_KEPT)
    def of_domain(domain: str) -> str | None:
        found = protected.looks_like(trusted_domain(domain))
        return None if found is None else found.name

    def kernel(array: pa.Array, base: Base, failures: Failures) -> pa.Array:
        (own,), _ = cut(array, base, ["domain"], failures)
        return over_values(of_domain, own)

    return kernel


def allowed(policy: URLPolicy) -> Kernel:
    """Return whether a `weburl.URLPolicy` allows each URL, as a column of Booleans.

    The answers are the same as for `URLPolicy.allows`: text that does not parse is not allowed. A
    null row remains null. Raises TypeError if ``policy`` is not a URLPolicy.

    Spec: #concept-url
    """
    of_texts = refusals(require_policy(policy))

    def kernel(array: pa.Array, _: Base, failures: Failures) -> pa.Array:
        answers = of_texts(array, failures).is_null()
        return pc.if_else(array.is_valid(), answers, pa.scalar(None, pa.bool_()))

    return kernel


def refusal(policy: URLPolicy) -> Kernel:
    """Return why a `weburl.URLPolicy` does not allow each URL, or null if it does.

    It is the code of the first violation that `URLPolicy.check` returns, such as "host-refused",
    or the name of the failure for text that does not parse, as `check` returns it. The result is
    a dictionary. Raises TypeError if ``policy`` is not a URLPolicy.

    Spec: #concept-url
    """
    of_texts = refusals(require_policy(policy))

    def kernel(array: pa.Array, _: Base, failures: Failures) -> pa.Array:
        return pa.DictionaryArray.from_arrays(of_texts(array, failures), _REASONS)

    return kernel


def matches(pattern: URLPattern | str | ArrowColumn) -> Kernel:
    """Return whether each URL matches a pattern, as a column of Booleans.

    ``pattern`` is a `weburl.URLPattern`, its text, or a column of patterns as text, as long as
    ``urls``. If the pattern of a row is null, the result is null. With a column of patterns,
    ``errors`` must be "null".

    Raises URLPatternError for a string that is not a pattern, TypeError if ``pattern`` has another
    type, and ValueError for a column of patterns with another length.

    Spec: https://urlpattern.spec.whatwg.org/#dom-urlpattern-test
    """
    if not isinstance(pattern, URLPattern):
        pattern = URLPattern(require_text(pattern, "a pattern"))
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
    """Return how many segments each URL's path has, as an int32.

    It is 0 for "/" and 2 for "/a/b" and "/a/b/": an empty segment at the end does not count. An
    opaque path has 0.

    Spec: #url-path-segment
    """
    return _of_part(
        "path",
        depth_of_path,
        lambda _: pa.int32(),
        lambda paths: parts.of_texts(paths, "path_depth", type=pa.int32()),
    )


def file_name() -> Kernel:
    """Return the last segment of each URL's path, percent-decoded, as `URLRecord.name` does.

    It is "" if the path ends with a slash.

    Spec: #url-path-segment
    """
    return _of_part("path", name_of_path, compiled=lambda paths: parts.of_texts(paths, "file_name"))


def file_extension() -> Kernel:
    """Return the end of each URL's file name from its last dot on, as `URLRecord.suffix` does.

    It is ".gz" for "a.tar.gz", and "" if there is no dot, or only one at the start or at the end.

    Spec: #url-path-segment
    """
    return _of_part(
        "path",
        lambda path: suffix_of_name(name_of_path(path)),
        compiled=lambda paths: parts.of_texts(paths, "file_extension"),
    )


def path_segments() -> Kernel:
    """Return the segments of each URL's path as a list of text, percent-decoded.

    They are the same as in `URLRecord.segments`: the path "/" has one segment, "", and an opaque
    path has none. A "/" in a segment was written as "%2F".

    Spec: #url-path-segment
    """
    return _of_part("path", segments_of_path, pa.list_, parts.segments)


def search_params() -> Kernel:
    """Return all parameters of each URL: a map from each name to the list of its values, decoded.

    Names are in the order of the query. A URL without a query has an empty map.

    Spec: #concept-urlencoded-parser
    """

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


def params_type(text: pa.DataType) -> pa.DataType:
    """Return the type of maps of parameters; ``text`` is the type of text."""
    return pa.map_(text, pa.list_(text))


def links_type(fields: Iterable[LinkField]) -> pa.DataType:
    """Return the type of lists of links with these fields."""
    return pa.list_(pa.struct([(name, _TYPES_OF_LINKS.get(name, pa.string())) for name in fields]))


_TYPES_OF_LINKS: Final[dict[str, pa.DataType]] = {"line": pa.int32(), "column": pa.int32()}


# --- bare hosts -----------------------------------------------------------------------------------


def canonical_host() -> Kernel:
    """Return each host as it is in a URL: domains in ASCII and lowercase, addresses in short form.

    A string with a port, a scheme or a path does not parse.

    Spec: #concept-host-parser
    """
    hosts = parts.hosts_cut("host")

    def kernel(array: pa.Array, _: Base, failures: Failures) -> pa.Array:
        return hosts(array, failures)

    return kernel


def is_ip() -> Kernel:
    """Return whether each host is an IPv4 or IPv6 address in any spelling that browsers accept.

    An IPv6 address is in brackets, as in a URL.

    Spec: #concept-host-parser
    """
    kinds = parts.hosts_cut("host_kind")

    def kernel(array: pa.Array, _: Base, failures: Failures) -> pa.Array:
        return pc.not_equal(kinds(array, failures).indices, HOST_KINDS.index("domain"))

    return kernel


def host_in_host_list(host_list: HostList) -> Kernel:
    """Return whether each host is in a `weburl.HostList`, as a column of Booleans.

    Raises TypeError if ``host_list`` is not a HostList.

    Spec: #concept-host-parser
    """
    texts, kinds, of_hosts = (
        parts.hosts_cut("host"),
        parts.hosts_cut("host_kind"),
        parts.listed(require_host_list(host_list)),
    )

    def kernel(array: pa.Array, _: Base, failures: Failures) -> pa.Array:
        return of_hosts(texts(array, failures), kinds(array, {}))

    return kernel


def registrable_domain_of_host(suffixes: PublicSuffixList) -> Kernel:
    """Return the registrable domain of each host: "example.co.uk" for "www.Example.co.uk".

    The result is null for an address and for a public suffix. ``private`` and ``suffixes`` are as
    in `registrable_domain`.

    Spec: #host-registrable-domain
    """
    return _of_domains("registrable_domain", suffixes)


def public_suffix(suffixes: PublicSuffixList) -> Kernel:
    """Return the public suffix of each host: "co.uk" for "www.example.co.uk".

    The result is null for an address. ``private`` and ``suffixes`` are as in `registrable_domain`.

    Spec: #host-public-suffix
    """
    return _of_domains("public_suffix", suffixes)


def subdomain(suffixes: PublicSuffixList) -> Kernel:
    """Return the part before the registrable domain of each host: "www" for "www.example.co.uk".

    It is "" if nothing does. The result is null for a host without a registrable domain.
    ``private`` and ``suffixes`` are as in `registrable_domain`.

    Spec: #host-registrable-domain
    """
    return _of_domains("subdomain", suffixes)


def _of_domains(wanted: str, suffixes: PublicSuffixList) -> Kernel:
    """Return the kernel for what `parts.of_domains` makes of domains, null for addresses."""
    domains, of_domains = parts.hosts_cut("domain"), parts.of_domains(wanted, suffixes)

    def kernel(array: pa.Array, _: Base, failures: Failures) -> pa.Array:
        return of_domains(domains(array, failures))

    return kernel


def _rules(rules: object) -> KeyRules:
    if isinstance(rules, str):
        is_json = rules.lstrip(" \t\n\r").startswith("{")
        return KeyRules.from_json(rules) if is_json else KeyRules.named(rules)
    if not isinstance(rules, KeyRules):
        raise TypeError(f"rules must be a name or KeyRules, not {type(rules).__name__}")
    return rules


# --- the types of answers -----------------------------------------------------------------------

_TYPES: Final = {
    "bool": pa.bool_(),
    "name": NAME_TYPE,
    "reason": NAME_TYPE,
    "int32": pa.int32(),
    "int64": pa.int64(),
}
_TYPES_WITH_TEXT: Final[dict[str, Callable[[pa.DataType], pa.DataType]]] = {
    "parts": parts_type,
    "segments": pa.list_,
    "params": params_type,
}


def result_type(answer: Answer, plain: pa.DataType) -> pa.DataType:
    """Return the type of an answer for text of the type ``plain``."""
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
