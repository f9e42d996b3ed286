"""The functions of columns, each once. All engines, SQL, the stubs and the page follow this table.

A new function is a row here, its names in SQL, its kernel in `kernels`, and its test.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable
from typing import Final, Literal

import attrs

from weburl.columns import kernels
from weburl.columns.kernels import Kernel
from weburl.columns.names import Answer, ByName, Part


@attrs.frozen
class SQLName:
    """A name of a function in SQL, what it returns in a few words, and its other arguments.

    ``part``: of the URL, if it returns one. ``or_error``: whether it returns a struct with the name
    of the failure. ``private``: whether the list's section of private domains counts. ``by_name``:
    which values it looks up by a name, if an engine is given some.
    """

    function: str
    name: str
    meaning: str
    others: tuple[str, ...] = ()
    part: Part | None = attrs.field(default=None, kw_only=True)
    or_error: bool = attrs.field(default=False, kw_only=True)
    private: bool = attrs.field(default=True, kw_only=True)
    by_name: ByName | None = attrs.field(default=None, kw_only=True)


@attrs.frozen
class Function:
    """A function of `weburl.columns`.

    ``base``: whether it takes a base. ``column``: the argument that can also be a column.
    ``has_errors``: whether it takes ``errors``. ``in_python``: whether Python runs for each value
    in the compiled build too, so that several workers are processes. ``of_hosts``: whether it takes
    bare hosts. ``of_pages``: whether it takes HTML, so that it is in `weburl.columns.html`.
    """

    name: str
    answer: Answer
    base: Literal["optional", "required"] | None = attrs.field(default=None, kw_only=True)
    column: str | None = attrs.field(default=None, kw_only=True)
    has_errors: bool = attrs.field(default=True, kw_only=True)
    in_python: bool = attrs.field(default=False, kw_only=True)
    of_hosts: bool = attrs.field(default=False, kw_only=True)
    of_pages: bool = attrs.field(default=False, kw_only=True)

    @property
    def kernel(self) -> Callable[..., Kernel] | None:
        """Makes its kernel of its arguments; None if it is written by itself."""
        made: Callable[..., Kernel] | None = vars(kernels).get(self.name)
        return made

    @property
    def sql(self) -> tuple[SQLName, ...]:
        """Its names in SQL."""
        return tuple(sql for sql in SQL_NAMES if sql.function == self.name)

    @property
    def takes(self) -> str:
        """The kind of its first argument."""
        return "host" if self.of_hosts else "body" if self.of_pages else "url"

    @property
    def takes_suffixes(self) -> bool:
        """Whether it takes the options for public suffixes."""
        kernel = self.kernel
        return kernel is not None and "suffixes" in inspect.signature(kernel).parameters


FUNCTIONS: Final = (
    Function("canonicalize", "text", base="optional"),
    Function("can_parse", "bool", base="optional", has_errors=False),
    Function("check", "name", base="optional", has_errors=False),
    Function("parse", "parts", base="optional"),
    Function("part", "part"),
    Function("host", "text"),
    Function("resolve", "text", base="required"),
    Function("render", "text", in_python=True),
    Function("origin", "text"),
    Function("site", "text"),
    Function("registrable_domain", "text"),
    Function("search_param", "text", column="name"),
    Function("search_params", "params", in_python=True),
    Function("path_segments", "segments"),
    Function("same_site", "bool", column="other"),
    Function("matches", "bool", column="pattern", in_python=True),
    Function("in_host_list", "bool"),
    Function("allowed", "bool", has_errors=False),
    Function("refusal", "reason", has_errors=False),
    Function("key", "text"),
    Function("key_hash", "int64", in_python=True),
    Function("surt", "text"),
    Function("path_depth", "int32"),
    Function("file_name", "text"),
    Function("file_extension", "text"),
    Function("without_query_params", "text", in_python=True),
    Function("canonical_host", "text", of_hosts=True),
    Function("is_ip", "bool", of_hosts=True),
    Function("host_in_host_list", "bool", of_hosts=True),
    Function("registrable_domain_of_host", "text", of_hosts=True),
    Function("public_suffix", "text", of_hosts=True),
    Function("subdomain", "text", of_hosts=True),
    Function("links", "links", column="addresses", of_pages=True),
    Function("lookalikes", "text", in_python=True),
)
"""Every function."""

SQL_NAMES: Final = (
    SQLName(
        "canonicalize",
        "url_canonicalize",
        "the URL as browsers write it: all spellings give the same text",
    ),
    SQLName(
        "canonicalize",
        "url_canonicalize_or_error",
        "a struct of `value`, as `url_canonicalize`, and `error`, as `url_error`",
        or_error=True,
    ),
    SQLName("can_parse", "url_can_parse", "whether it parses"),
    SQLName("check", "url_error", "why it does not parse: the standard's name for the failure"),
    SQLName("parse", "url_parse", "all parts, username and password too"),
    SQLName(
        "parse",
        "url_parse_or_error",
        "a struct of `value`, as `url_parse`, and `error`, as `url_error`",
        or_error=True,
    ),
    SQLName("part", "url_scheme", "the scheme, without the colon", part="scheme"),
    SQLName("part", "url_port", "the port; null for the scheme's default port", part="port"),
    SQLName("part", "url_path", "the path, percent-encoded as in the URL", part="path"),
    SQLName("part", "url_query", "the query, without the question mark", part="query"),
    SQLName("part", "url_fragment", "the fragment, without the number sign", part="fragment"),
    SQLName("host", "url_host", "the host, without the port"),
    SQLName(
        "resolve", "url_resolve", "the URL, which may be relative, joined to the base", ("base",)
    ),
    SQLName("render", "url_render", "the URL for people to read, without password"),
    SQLName("origin", "url_origin", "the origin; 'null' for an opaque one"),
    SQLName("site", "url_site", "scheme and registrable domain, or host"),
    SQLName("site", "url_site_without_private", "the same without private domains", private=False),
    SQLName(
        "registrable_domain",
        "url_registrable_domain",
        "the registrable domain of the host, by the Public Suffix List",
    ),
    SQLName(
        "registrable_domain",
        "url_registrable_domain_without_private",
        "the same without the list's section of private domains, such as github.io",
        private=False,
    ),
    SQLName(
        "search_param",
        "url_search_param",
        "the first value of the name in the query, decoded",
        ("name",),
    ),
    SQLName(
        "search_params",
        "url_search_params",
        "all parameters: each name with the list of its values, decoded",
    ),
    SQLName("path_segments", "url_path_segments", "the segments of the path, decoded"),
    SQLName(
        "same_site",
        "url_same_site",
        "whether both URLs have the same scheme and registrable domain",
        ("other",),
    ),
    SQLName(
        "matches",
        "url_matches",
        "whether the URL matches the URL pattern, such as 'https://*/users/:id'",
        ("pattern",),
    ),
    SQLName(
        "in_host_list",
        "url_in_host_list",
        "whether the host is in the `HostList` of this name",
        ("list",),
        by_name="host_lists",
    ),
    SQLName(
        "allowed",
        "url_allowed",
        "whether the `URLPolicy` of this name allows the URL; false if it does not parse",
        ("policy",),
        by_name="policies",
    ),
    SQLName(
        "refusal",
        "url_refusal",
        "why `url_allowed` is false: the code of a violation, or as `url_error`",
        ("policy",),
        by_name="policies",
    ),
    SQLName(
        "key",
        "url_key",
        "a key: the same text for URLs that the rules count as one page",
        ("rules",),
    ),
    SQLName(
        "key_hash",
        "url_key_hash",
        "the first 64 bits of the SHA-256 of the key, as a signed number",
        ("rules",),
    ),
    SQLName("surt", "url_surt", "the key in the index of web archives"),
    SQLName("path_depth", "url_path_depth", "how many segments the path has"),
    SQLName("file_name", "url_file_name", "the last segment of the path, decoded"),
    SQLName(
        "file_extension",
        "url_file_extension",
        "the end of the file name from its last dot on: '.gz'; '' without one",
    ),
    SQLName(
        "without_query_params",
        "url_without_query_params",
        "the URL without the parameters of these names: 'ref,utm_*'",
        ("names",),
    ),
    SQLName(
        "canonical_host", "host_canonicalize", "the host as it is in a URL: lowercase, in ASCII"
    ),
    SQLName("is_ip", "host_is_ip", "whether it is an IP address"),
    SQLName(
        "host_in_host_list",
        "host_in_host_list",
        "whether the host is in the `HostList` of this name",
        ("list",),
        by_name="host_lists",
    ),
    SQLName(
        "registrable_domain_of_host",
        "host_registrable_domain",
        "the registrable domain of a host that is not in a URL",
    ),
    SQLName(
        "registrable_domain_of_host",
        "host_registrable_domain_without_private",
        "the same without private domains",
        private=False,
    ),
    SQLName(
        "public_suffix", "host_public_suffix", "the public suffix: 'co.uk' for 'www.example.co.uk'"
    ),
    SQLName(
        "subdomain",
        "host_subdomain",
        "the part before the registrable domain: 'www'; '' for nothing",
    ),
    SQLName(
        "links",
        "html_links",
        "the links of a page, as a list of structs; needs the extra `html`",
        ("address",),
    ),
    SQLName(
        "links",
        "html_links_or_error",
        "a struct of `value`, as `html_links`, and `error`, why the page cannot be read",
        ("address",),
        or_error=True,
    ),
)
"""Every name in SQL, those of a function together."""

BY_NAME: Final = {function.name: function for function in FUNCTIONS}
