"""The public functions: what each takes and returns. Lower modules do the work."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TypeAlias, Unpack, get_args

from weburl.columns.arrow import (
    ArrowColumn,
    Column,
    column_of_one,
    is_column,
    read_column,
    require_same_length,
)
from weburl.columns.lists import list_to_use, require_host_list
from weburl.columns.options import Options, OptionsWithSuffixes, Running, spelled_out
from weburl.columns.pairs import are_same_site, first_values, matches_by_row
from weburl.columns.running import by_list, computed
from weburl.columns.table import PARTS, Part
from weburl.keys import KeyRules, SURTProfile
from weburl.lookalikes import ProtectedNames
from weburl.patterns.pattern import URLPattern
from weburl.policies.host_list import HostList
from weburl.policies.policy import URLPolicy, require_policy
from weburl.public_suffix import PublicSuffixList
from weburl.standard.infra.credentials import masked_value
from weburl.standard.infra.strings import require_text, to_scalar_value_string
from weburl.standard.rendering.text import Only, Wanted
from weburl.standard.url.api import parse as parse_url
from weburl.standard.url.record import URLRecord

Base: TypeAlias = ArrowColumn | str | URLRecord
"""The base of relative URLs: a column with one for each row, or one URL for all rows."""


@spelled_out(Options)
def canonicalize(
    urls: ArrowColumn,
    base: Base | None = None,
    **options: Unpack[Options],
) -> Column:
    """Return the href of the URL in each row. All spellings of a URL give the same text.

    A null row remains null. The result has the same chunks and the same type of text as the column.
    For a dictionary, each value is computed once, and the result has a dictionary, too.

    Args:
        urls: A column of text, as anything with the Arrow PyCapsule interface.
        base: What relative URLs are joined to, or None.
        **options: See `weburl.columns.options.Options`: ``errors``, ``workers`` and
            ``progress``.

    Raises:
        TypeError: ``urls`` or ``base`` is not text.
        URLParseError: ``base`` is one text that does not parse, or a row does not parse and
            ``errors`` is "raise".
        ValueError: An option has an unknown value, or a column of bases has another length.
        OverflowError: A chunk of the result would have more than 2 GB of text and is not
            large_string.

    Spec: #concept-url-serializer
    """
    return computed("part", {"part": "href"}, urls, base, **options)


@spelled_out(Options)
def resolve(
    urls: ArrowColumn,
    base: Base,
    **options: Unpack[Options],
) -> Column:
    """Return the href of the URL in each row, joined to ``base``.

    ``base`` is a column as long as ``urls``, or one URL as text or record. If the base of a row is
    null, the result is null. If the base of a row does not parse, neither does the row. The other
    arguments and errors are the same as for `canonicalize`.

    Spec: #concept-url-parser
    """
    if base is None:
        raise TypeError("a base must be a column, text or a URLRecord, not None")
    return canonicalize(urls, base, **options)


@spelled_out(Running)
def can_parse(
    urls: ArrowColumn,
    base: Base | None = None,
    **options: Unpack[Running],
) -> Column:
    """Return whether each row parses, as a column of Booleans.

    The arguments are the same as for `canonicalize`.

    Spec: #dom-url-canparse
    """
    return computed("can_parse", {}, urls, base, **options)


@spelled_out(Running)
def check(
    urls: ArrowColumn,
    base: Base | None = None,
    **options: Unpack[Running],
) -> Column:
    """Return the standard's name for the failure of each row, or null if the row parses.

    The names come from `weburl.ValidationErrorType`, plus "not-UTF-8" for bytes that are not
    text. The result is a dictionary. The arguments are the same as for `canonicalize`.

    Spec: #validation-error
    """
    return computed("check", {}, urls, base, **options)


@spelled_out(Options)
def parse(
    urls: ArrowColumn,
    base: Base | None = None,
    **options: Unpack[Options],
) -> Column:
    """Return the parts of each URL, as a column of structs.

    The fields are ``scheme``, ``username``, ``password``, ``host``, ``host_kind``, ``port``,
    ``path``, ``query`` and ``fragment``, as in `weburl.URLRecord`. The host is text without the
    port. ``host_kind`` is "domain", "ipv4", "ipv6", "opaque" or "empty", as a dictionary. ``port``
    is an int32, and null for no port and for the scheme's default port. ``path`` is text. The
    arguments are the same as for `canonicalize`.

    Spec: #concept-url-parser
    """
    return computed("parse", {}, urls, base, **options)


@spelled_out(Options)
def part(
    urls: ArrowColumn,
    part: Part,
    **options: Unpack[Options],
) -> Column:
    """Return one part of each URL: a field of what `parse` returns, without computing the others.

    ``part`` is the name of the field; another name raises ValueError. The result is also null for
    a URL without that part. The other arguments are the same as for `canonicalize`.

    Spec: #concept-url
    """
    if part not in PARTS:
        raise ValueError(f"part must be one of {', '.join(PARTS)}, not {masked_value(part)}")
    return computed("part", {"part": part}, urls, **options)


@spelled_out(Options)
def host(
    urls: ArrowColumn,
    **options: Unpack[Options],
) -> Column:
    """Return the host of each URL, without the port; null for a URL without a host.

    A domain is in ASCII. An IPv6 address is in brackets. A URL such as ``file:///a`` has the empty
    host, which is "". The arguments are the same as for `canonicalize`.

    Spec: #concept-url-host
    """
    return part(urls, "host", **options)


@spelled_out(OptionsWithSuffixes)
def registrable_domain(
    urls: ArrowColumn,
    **options: Unpack[OptionsWithSuffixes],
) -> Column:
    """Return the registrable domain of each URL's host, such as "example.co.uk", or null.

    ``private`` and ``suffixes``: see `weburl.columns.options.OfSuffixes`.
    The other arguments are the same as for `canonicalize`.

    Raises:
        ValueError: ``private`` is False, and the list is not the package's. Make that list without
            its private section instead.

    Spec: #host-registrable-domain
    """
    return by_list("registrable_domain", urls, **options)


@spelled_out(Options)
def origin(
    urls: ArrowColumn,
    **options: Unpack[Options],
) -> Column:
    """Return the origin of each URL as text, "null" for an opaque one.

    Two rows with "null" do not have the same origin. The arguments are the same as for
    `canonicalize`.

    Spec: #concept-url-origin
    """
    return computed("part", {"part": "origin"}, urls, **options)


@spelled_out(OptionsWithSuffixes)
def site(
    urls: ArrowColumn,
    **options: Unpack[OptionsWithSuffixes],
) -> Column:
    """Return the site of each URL as text ("https://example.co.uk"), "null" for an opaque origin.

    The arguments and errors are the same as for `registrable_domain`.

    Spec: https://html.spec.whatwg.org/multipage/browsers.html#obtain-a-site
    """
    return by_list("site", urls, **options)


@spelled_out(Options)
def render(
    urls: ArrowColumn,
    *,
    max_length: int | None = None,
    only: Only | None = None,
    omit_scheme: str | None = None,
    omit_www: bool = False,
    isolate: bool | None = None,
    **options: Unpack[Options],
) -> Column:
    """Return each URL as text for people to read, without username and password.

    The options and their errors are the same as for `weburl.render`, the other arguments the same
    as for `canonicalize`.

    Spec: #url-rendering
    """
    Wanted(max_length, only, omit_scheme, omit_www)  # Wrong options raise here, before the work.
    wanted = {
        "max_length": max_length,
        "only": only,
        "omit_scheme": omit_scheme,
        "omit_www": omit_www,
        "isolate": isolate,
    }
    return computed("render", wanted, urls, **options)


@spelled_out(Options)
def matches(
    urls: ArrowColumn,
    pattern: URLPattern | str | ArrowColumn,
    **options: Unpack[Options],
) -> Column:
    """Return whether each URL matches a pattern, as a column of Booleans.

    Args:
        pattern: A `weburl.URLPattern`, its text, or a column of patterns as text, as long as
            ``urls``. If the pattern of a row is null, the result is null.

    The other arguments are the same as for `canonicalize`; with a column of patterns, ``errors``
    must be "null".

    Raises:
        URLPatternError: A string is not a pattern.
        TypeError: ``pattern`` has another type.
        ValueError: A column of patterns has another length, or ``errors`` is not "null" with it.

    Spec: https://urlpattern.spec.whatwg.org/#dom-urlpattern-test
    """
    if is_column(pattern):
        column, patterns = read_column(urls, "the URLs"), read_column(pattern, "the patterns")
        require_same_length(column, patterns, "patterns")
        if options.get("errors", "null") != "null":
            raise ValueError("with a column of patterns, errors must be 'null'")
        hrefs = canonicalize(column, **options)
        return matches_by_row(hrefs, patterns)
    if not isinstance(pattern, URLPattern):
        pattern = URLPattern(require_text(pattern, "a pattern"))
    return computed("matches", {"pattern": pattern}, urls, **options)


@spelled_out(Options)
def in_host_list(
    urls: ArrowColumn,
    hosts: HostList,
    **options: Unpack[Options],
) -> Column:
    """Return whether the host of each URL is in a `weburl.HostList`, as a column of Booleans.

    It is false for a URL without a host. The other arguments are the same as for `canonicalize`.
    Raises TypeError if ``hosts`` is not a HostList.

    Spec: #concept-url-host
    """
    return computed("in_host_list", {"hosts": require_host_list(hosts)}, urls, **options)


@spelled_out(Options)
def lookalikes(
    urls: ArrowColumn,
    names: ProtectedNames | Iterable[str],
    **options: Unpack[Options],
) -> Column:
    """Return which of ``names`` the host of each URL looks like; null if it looks like none.

    ``names``: a `weburl.lookalikes.ProtectedNames`, or names that make one. Each distinct host is
    compared once. The other arguments are the same as for `canonicalize`. Raises the errors of
    `ProtectedNames`.

    Spec: #concept-url-host
    """
    protected = names if isinstance(names, ProtectedNames) else ProtectedNames(names)
    return computed("lookalikes", {"names": protected}, urls, **options)


@spelled_out(Running)
def allowed(
    urls: ArrowColumn,
    policy: URLPolicy,
    **options: Unpack[Running],
) -> Column:
    """Return whether a `weburl.URLPolicy` allows each URL, as a column of Booleans.

    The answers are the same as for `URLPolicy.allows`: text that does not parse is not allowed. A
    null row remains null. The other arguments are the same as for `canonicalize`. Raises TypeError
    if ``policy`` is not a URLPolicy.

    Spec: #concept-url
    """
    return computed("allowed", {"policy": require_policy(policy)}, urls, **options)


@spelled_out(Running)
def refusal(
    urls: ArrowColumn,
    policy: URLPolicy,
    **options: Unpack[Running],
) -> Column:
    """Return why a `weburl.URLPolicy` does not allow each URL, or null if it does.

    It is the code of the first violation that `URLPolicy.check` returns, such as "host-refused",
    or the name of the failure for text that does not parse, as `check` returns it. The result is
    a dictionary. The arguments and errors are the same as for `allowed`.

    Spec: #concept-url
    """
    return computed("refusal", {"policy": require_policy(policy)}, urls, **options)


def same_site(
    urls: ArrowColumn,
    other: Base,
    *,
    private: bool = True,
    suffixes: PublicSuffixList | None = None,
    workers: int | None = None,
) -> Column:
    """Return whether the two URLs of each row have the same site: scheme and registrable domain.

    ``other`` is a column as long as ``urls``, or one URL as text or record. URLs with an opaque
    origin, such as ``data:`` URLs, have no site in common with any other. If one of the two is null
    or does not parse, the answer is null. The other arguments and errors are the same as for
    `registrable_domain`.

    Spec: https://html.spec.whatwg.org/multipage/browsers.html#same-site
    """
    wanted = list_to_use(suffixes, private=private)
    column = read_column(urls, "the URLs")
    sites = site(column, suffixes=wanted, workers=workers)
    if isinstance(other, (str, URLRecord)):
        record = parse_url(other) if isinstance(other, str) else other
        return are_same_site(sites, site(column_of_one(record.href), suffixes=wanted))
    others = read_column(other, "the other URLs")
    require_same_length(column, others, "other URLs")
    return are_same_site(sites, site(others, suffixes=wanted, workers=workers))


@spelled_out(Options)
def search_param(
    urls: ArrowColumn,
    name: str | ArrowColumn,
    **options: Unpack[Options],
) -> Column:
    """Return the first value of ``name`` in each URL's query, decoded, or null without one.

    ``name`` is one name for all rows, or a column as long as ``urls``. If the name of a row is
    null, the result is null. The other arguments are the same as for `canonicalize`. Raises
    TypeError if ``name`` is not text, and ValueError for a column of names with another length.

    Spec: #dom-urlsearchparams-get
    """
    if is_column(name):
        column, names = read_column(urls, "the URLs"), read_column(name, "the names")
        require_same_length(column, names, "names")
        queries = part(column, "query", **options)
        return first_values(queries, names)
    name = to_scalar_value_string(require_text(name, "a name"))
    return computed("search_param", {"name": name}, urls, **options)


@spelled_out(Options)
def search_params(
    urls: ArrowColumn,
    **options: Unpack[Options],
) -> Column:
    """Return all params of each URL: a map from each name to the list of its values, decoded.

    Names are in the order of the query. A URL without a query has an empty map. The arguments are
    the same as for `canonicalize`.

    Spec: #concept-urlencoded-parser
    """
    return computed("search_params", {}, urls, **options)


@spelled_out(Options)
def path_segments(
    urls: ArrowColumn,
    **options: Unpack[Options],
) -> Column:
    """Return the segments of each URL's path as a list of text, percent-decoded.

    They are the same as in `URLRecord.segments`: the path "/" has one segment, "", and an opaque
    path has none. A "/" in a segment was written as "%2F". The arguments are the same as for
    `canonicalize`.

    Spec: #url-path-segment
    """
    return computed("path_segments", {}, urls, **options)


@spelled_out(Options)
def path_depth(
    urls: ArrowColumn,
    **options: Unpack[Options],
) -> Column:
    """Return how many segments each URL's path has, as an int32.

    It is 0 for "/" and 2 for "/a/b" and "/a/b/": an empty segment at the end does not count. An
    opaque path has 0. The arguments are the same as for `canonicalize`.

    Spec: #url-path-segment
    """
    return computed("path_depth", {}, urls, **options)


@spelled_out(Options)
def file_name(
    urls: ArrowColumn,
    **options: Unpack[Options],
) -> Column:
    """Return the last segment of each URL's path, percent-decoded, as `URLRecord.name` does.

    It is "" if the path ends with a slash. The arguments are the same as for `canonicalize`.

    Spec: #url-path-segment
    """
    return computed("file_name", {}, urls, **options)


@spelled_out(Options)
def file_extension(
    urls: ArrowColumn,
    **options: Unpack[Options],
) -> Column:
    """Return the end of each URL's file name from its last dot on, as `URLRecord.suffix` does.

    It is ".gz" for "a.tar.gz", and "" if there is no dot, or only one at the start or at the end.
    The arguments are the same as for `canonicalize`.

    Spec: #url-path-segment
    """
    return computed("file_extension", {}, urls, **options)


@spelled_out(Options)
def key(
    urls: ArrowColumn,
    rules: KeyRules | str = "page",
    **options: Unpack[Options],
) -> Column:
    """Return the key of each URL: the same text for URLs that the rules count as one page.

    ``rules``: the name of ready rules ("browser", "page" or "crawl"), a `weburl.keys.KeyRules`, or
    its JSON. The other arguments are the same as for `canonicalize`. Raises ValueError for
    an unknown name and for other JSON, and TypeError for a value of another type.

    Spec: #concept-url-serializer
    """
    return computed("key", {"rules": _rules(rules)}, urls, **options)


@spelled_out(Options)
def key_hash(
    urls: ArrowColumn,
    rules: KeyRules | str = "page",
    **options: Unpack[Options],
) -> Column:
    """Return a number for the key of each URL, as an int64: small, and equal for equal keys.

    It is the first 8 bytes of the SHA-256 of the key's UTF-8, read as a signed big-endian number,
    so any program can compute it from the key. Different keys can have the same number: among 200
    million keys, with a probability of one in a thousand. The arguments and errors are the same as
    for `key`.

    Spec: #concept-url-serializer
    """
    return computed("key_hash", {"rules": _rules(rules)}, urls, **options)


def _rules(rules: object) -> KeyRules:
    if isinstance(rules, str):
        is_json = rules.lstrip(" \t\n\r").startswith("{")
        return KeyRules.from_json(rules) if is_json else KeyRules.named(rules)
    if not isinstance(rules, KeyRules):
        raise TypeError(f"rules must be a name or KeyRules, not {type(rules).__name__}")
    return rules


@spelled_out(Options)
def surt(
    urls: ArrowColumn,
    profile: SURTProfile = "archive",
    **options: Unpack[Options],
) -> Column:
    """Return the SURT of each URL: the key under which web archives list it.

    ``profile``: as in `weburl.keys.surt`. The other arguments are the same as for `canonicalize`.
    Raises ValueError for another profile.

    Spec: #concept-url-serializer
    """
    if profile not in get_args(SURTProfile):
        raise ValueError(f"the profile is 'archive' or 'careful', not {masked_value(profile)}")
    return computed("surt", {"profile": profile}, urls, **options)


@spelled_out(Options)
def without_query_params(
    urls: ArrowColumn,
    *names: str,
    prefixes: str | Iterable[str] = (),
    **options: Unpack[Options],
) -> Column:
    """Return the href of each URL without the params of these names. All other bytes are kept.

    ``names``, ``prefixes`` and their errors are the same as for `URLRecord.without_query_params`.
    The other arguments are the same as for `canonicalize`.

    Spec: #dom-urlsearchparams-delete
    """
    starts = (prefixes,) if isinstance(prefixes, str) else tuple(prefixes)
    parse_url("https://h/?q").without_query_params(*names, prefixes=starts)  # errors come first
    return computed("without_query_params", {"names": names, "prefixes": starts}, urls, **options)
