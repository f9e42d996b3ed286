"""The methods of columns in Polars and in pandas: their options, and the function that each calls.

They are written once for all libraries. Each library's own module converts its columns to Arrow and
the results back.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable
from functools import partial
from typing import TYPE_CHECKING, Generic, TypeAlias, TypeVar, Unpack

from weburl.columns import functions, hosts
from weburl.columns.arrow import ArrowColumn, Column
from weburl.columns.options import Errors, OfSuffixes, spelled_out
from weburl.columns.table import DEFAULT_LINK_FIELDS, LinkField, Part
from weburl.keys import KeyRules, SURTProfile
from weburl.lookalikes import ProtectedNames
from weburl.patterns.pattern import URLPattern
from weburl.policies.host_list import HostList
from weburl.policies.policy import URLPolicy
from weburl.public_suffix import PublicSuffixList, current_list
from weburl.standard.rendering.text import Only
from weburl.standard.url.record import URLRecord

if TYPE_CHECKING:
    from weburl.columns.html import Kinds, Limits

Own = TypeVar("Own")
"""A library's column type, which the methods are called on and return."""

Parts = TypeVar("Parts")
"""The type in which a library gets the parts of URLs."""

OfColumn: TypeAlias = Callable[..., Column]
"""A function of `weburl.columns` with its options set. It takes URLs, and a base if it can."""


class Methods(ABC, Generic[Own, Parts]):
    """The methods: each does the same as the function of `weburl.columns` with its name.

    ``errors`` sets what happens to a row that does not parse. "null" makes it null. "raise" raises
    an error for the first one. "name" returns a struct with ``value`` and ``error``, the name of
    the failure as `check` returns it. A null row remains null.

    ``base`` is what relative URLs are joined to: one URL as text or record, or a column with one
    for each row. One URL that does not parse raises `weburl.URLParseError` immediately.

    Wrong options raise TypeError or ValueError immediately.
    """

    @abstractmethod
    def _column(self, function: OfColumn, *base: str | URLRecord | Own | None) -> Own:
        """Return the result of a function for the URLs, and for the base if one is passed.

        What is passed as the base can also be another column that is the function's second
        argument.
        """

    @abstractmethod
    def _parts(self, function: OfColumn, *base: str | URLRecord | Own | None) -> Parts:
        """Return the result of a function that returns structs of parts."""

    def canonicalize(
        self, base: str | URLRecord | Own | None = None, *, errors: Errors = "null"
    ) -> Own:
        """Return the href of each URL. All spellings of a URL give the same text."""
        return self._column(partial(functions.canonicalize, errors=errors), base)

    def resolve(self, base: str | URLRecord | Own, *, errors: Errors = "null") -> Own:
        """Return the href of each URL, joined to ``base``; null if its base is null."""
        return self._column(partial(functions.resolve, errors=errors), base)

    def can_parse(self, base: str | URLRecord | Own | None = None) -> Own:
        """Return whether each row parses."""
        return self._column(functions.can_parse, base)

    def check(self, base: str | URLRecord | Own | None = None) -> Own:
        """Return the standard's name for the failure of each row, or null if the row parses."""
        return self._column(functions.check, base)

    def parse(self, base: str | URLRecord | Own | None = None, *, errors: Errors = "null") -> Parts:
        """Return all parts of each URL.

        They are ``scheme``, ``username``, ``password``, ``host``, ``host_kind``, ``port``,
        ``path``, ``query`` and ``fragment``.
        """
        return self._parts(partial(functions.parse, errors=errors), base)

    def part(self, part: Part, *, errors: Errors = "null") -> Own:
        """Return one part of each URL, such as "path"; null for a URL without that part."""
        return self._column(partial(functions.part, part=part, errors=errors))

    def host(self, *, errors: Errors = "null") -> Own:
        """Return the host of each URL, without the port; null for a URL without a host."""
        return self._column(partial(functions.host, errors=errors))

    @spelled_out(OfSuffixes)
    def registrable_domain(self, **options: Unpack[OfSuffixes]) -> Own:
        """Return the registrable domain of each URL's host, such as "example.co.uk", or null.

        ``private``: whether the list's section of private domains (github.io) counts. ``suffixes``:
        a list to use instead of the current one.
        """
        return self._by_list(functions.registrable_domain, **options)

    def origin(self, *, errors: Errors = "null") -> Own:
        """Return the origin of each URL as text, "null" for an opaque one."""
        return self._column(partial(functions.origin, errors=errors))

    @spelled_out(OfSuffixes)
    def site(self, **options: Unpack[OfSuffixes]) -> Own:
        """Return the site of each URL ("https://example.co.uk"), "null" for an opaque origin.

        The options are the same as for `registrable_domain`.
        """
        return self._by_list(functions.site, **options)

    def render(
        self,
        *,
        max_length: int | None = None,
        only: Only | None = None,
        omit_scheme: str | None = None,
        omit_www: bool = False,
        isolate: bool | None = None,
        errors: Errors = "null",
    ) -> Own:
        """Return each URL as text for people to read, without username and password.

        The options are the same as for `weburl.render`.
        """
        return self._column(
            partial(
                functions.render,
                max_length=max_length,
                only=only,
                omit_scheme=omit_scheme,
                omit_www=omit_www,
                isolate=isolate,
                errors=errors,
            )
        )

    def key(self, rules: KeyRules | str = "page", *, errors: Errors = "null") -> Own:
        """Return the key of each URL by rules, or by the ready rules of that name."""
        return self._column(partial(functions.key, rules=rules, errors=errors))

    def key_hash(self, rules: KeyRules | str = "page", *, errors: Errors = "null") -> Own:
        """Return a number for the key of each URL: the first 64 bits of its SHA-256, as int64."""
        return self._column(partial(functions.key_hash, rules=rules, errors=errors))

    def surt(self, profile: SURTProfile = "archive", *, errors: Errors = "null") -> Own:
        """Return the SURT of each URL: the key under which web archives list it."""
        return self._column(partial(functions.surt, profile=profile, errors=errors))

    def without_query_params(
        self, *names: str, prefixes: str | Iterable[str] = (), errors: Errors = "null"
    ) -> Own:
        """Return each URL without the params of these names. All other bytes are kept."""
        starts = (prefixes,) if isinstance(prefixes, str) else tuple(prefixes)

        def without(urls: ArrowColumn) -> Column:
            return functions.without_query_params(urls, *names, prefixes=starts, errors=errors)

        return self._column(without)

    def search_param(self, name: str | Own, *, errors: Errors = "null") -> Own:
        """Return the first value of ``name`` in each URL's query, decoded, or null.

        ``name`` is one name for all rows, or a column with one for each.
        """
        if isinstance(name, str):
            return self._column(partial(functions.search_param, name=name, errors=errors))
        return self._column(partial(functions.search_param, errors=errors), name)

    def search_params(self, *, errors: Errors = "null") -> Own:
        """Return all params of each URL: a map from each name to the list of its values."""
        return self._column(partial(functions.search_params, errors=errors))

    def path_segments(self, *, errors: Errors = "null") -> Own:
        """Return the segments of each URL's path as a list, percent-decoded."""
        return self._column(partial(functions.path_segments, errors=errors))

    def path_depth(self, *, errors: Errors = "null") -> Own:
        """Return how many segments each URL's path has, without an empty one at the end."""
        return self._column(partial(functions.path_depth, errors=errors))

    def file_name(self, *, errors: Errors = "null") -> Own:
        """Return the last segment of each URL's path, percent-decoded."""
        return self._column(partial(functions.file_name, errors=errors))

    def file_extension(self, *, errors: Errors = "null") -> Own:
        """Return the end of each URL's file name from its last dot on, such as ".gz", or ""."""
        return self._column(partial(functions.file_extension, errors=errors))

    def matches(self, pattern: str | URLPattern | Own, *, errors: Errors = "null") -> Own:
        """Return whether each URL matches a pattern: one for all rows, or a column of patterns."""
        if isinstance(pattern, (str, URLPattern)):
            return self._column(partial(functions.matches, pattern=pattern, errors=errors))
        return self._column(partial(functions.matches, errors=errors), pattern)

    def in_host_list(self, hosts: HostList, *, errors: Errors = "null") -> Own:
        """Return whether the host of each URL is in a list of hosts."""
        return self._column(partial(functions.in_host_list, hosts=hosts, errors=errors))

    def lookalikes(self, names: ProtectedNames | Iterable[str], *, errors: Errors = "null") -> Own:
        """Return which of ``names`` the host of each URL looks like; null if it looks like none."""
        return self._column(partial(functions.lookalikes, names=names, errors=errors))

    def allowed(self, policy: URLPolicy) -> Own:
        """Return whether a policy allows each URL; false if it does not parse."""
        return self._column(partial(functions.allowed, policy=policy))

    def refusal(self, policy: URLPolicy) -> Own:
        """Return why a policy does not allow each URL: the code of a violation, or of `check`."""
        return self._column(partial(functions.refusal, policy=policy))

    def same_site(
        self,
        other: str | URLRecord | Own,
        *,
        private: bool = True,
        suffixes: PublicSuffixList | None = None,
    ) -> Own:
        """Return whether each URL has the same site as the other one of its row.

        ``other`` is one URL for all rows, or a column. ``private`` and ``suffixes`` are as in
        `registrable_domain`.
        """
        own = current_list() if suffixes is None else suffixes
        return self._column(partial(functions.same_site, private=private, suffixes=own), other)

    def canonical_host(self, *, errors: Errors = "null") -> Own:
        """Return each bare host as it is in a URL. This and the following are not for URLs."""
        return self._column(partial(hosts.canonical_host, errors=errors))

    def is_ip(self, *, errors: Errors = "null") -> Own:
        """Return whether each bare host is an IPv4 or IPv6 address."""
        return self._column(partial(hosts.is_ip, errors=errors))

    def host_in_host_list(self, host_list: HostList, *, errors: Errors = "null") -> Own:
        """Return whether each bare host is in a list of hosts."""
        return self._column(partial(hosts.host_in_host_list, host_list=host_list, errors=errors))

    @spelled_out(OfSuffixes)
    def registrable_domain_of_host(self, **options: Unpack[OfSuffixes]) -> Own:
        """Return the registrable domain of each bare host.

        The options are the same as for `registrable_domain`.
        """
        return self._by_list(hosts.registrable_domain_of_host, **options)

    @spelled_out(OfSuffixes)
    def public_suffix(self, **options: Unpack[OfSuffixes]) -> Own:
        """Return the public suffix of each bare host: "co.uk" for "www.example.co.uk".

        The options are the same as for `registrable_domain`.
        """
        return self._by_list(hosts.public_suffix, **options)

    @spelled_out(OfSuffixes)
    def subdomain(self, **options: Unpack[OfSuffixes]) -> Own:
        """Return the part before the registrable domain of each bare host, or "".

        The options are the same as for `registrable_domain`.
        """
        return self._by_list(hosts.subdomain, **options)

    def links(
        self,
        addresses: str | URLRecord | Own,
        kinds: Kinds = None,
        *,
        fields: Iterable[LinkField] = DEFAULT_LINK_FIELDS,
        encoding: str | None = None,
        limits: Limits | None = None,
        errors: Errors = "null",
    ) -> Own:
        """Return the links of each page of HTML as a list of structs. This is not for URLs.

        ``addresses`` is a column with the address of each page, or one for all pages. The options
        are the same as for `weburl.columns.html.links`. Needs the extra ``html``.
        """
        from weburl.columns import html  # only links need the extra

        of_pages: OfColumn = partial(
            html.links,
            kinds=None if kinds is None else frozenset(kinds),
            fields=tuple(fields),
            encoding=encoding,
            limits=html.Limits() if limits is None else limits,
            errors=errors,
        )
        return self._column(of_pages, addresses)

    def _by_list(self, function: OfColumn, **options: Unpack[OfSuffixes]) -> Own:
        # The list is the one that is current now, not when a lazy query runs.
        if options.get("suffixes") is None:
            options["suffixes"] = current_list()
        return self._column(partial(function, **options))
