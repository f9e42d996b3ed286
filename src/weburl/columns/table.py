"""The functions of columns, each once. All engines, SQL, the stubs and the page follow this table.

A new function is a row here, its kernel in `kernels`, and its test.
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
    """A function in SQL: its name, what it returns in a few words, and its other arguments.

    ``part``: of the URL, if it returns one. ``or_error``: whether it returns a struct with the name
    of the failure. ``private``: whether the list's section of private domains counts. ``by_name``:
    which values it looks up by a name, if an engine is given some.
    """

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

    ``kernel``: makes its kernel of its arguments; None if it is written by itself. ``base``:
    whether it takes a base. ``column``: the argument that can also be a column. ``has_errors``:
    whether it takes ``errors``. ``in_python``: whether Python runs for each value in the compiled
    build too, so that several workers are processes. ``of_hosts``: whether it takes bare hosts.
    ``of_pages``: whether it takes HTML, so that it is in `weburl.columns.html`.
    """

    name: str
    kernel: Callable[..., Kernel] | None
    answer: Answer
    sql: tuple[SQLName, ...] = ()
    base: Literal["optional", "required"] | None = attrs.field(default=None, kw_only=True)
    column: str | None = attrs.field(default=None, kw_only=True)
    has_errors: bool = attrs.field(default=True, kw_only=True)
    in_python: bool = attrs.field(default=False, kw_only=True)
    of_hosts: bool = attrs.field(default=False, kw_only=True)
    of_pages: bool = attrs.field(default=False, kw_only=True)

    @property
    def takes(self) -> str:
        """The kind of its first argument."""
        return "host" if self.of_hosts else "body" if self.of_pages else "url"

    @property
    def takes_suffixes(self) -> bool:
        """Whether it takes the options for public suffixes."""
        return self.kernel is not None and "suffixes" in inspect.signature(self.kernel).parameters


FUNCTIONS: Final = (
    Function(
        "canonicalize",
        kernels.canonicalize,
        "text",
        (
            SQLName(
                "url_canonicalize", "the URL as browsers write it: all spellings give the same text"
            ),
            SQLName(
                "url_canonicalize_or_error",
                "a struct of `value`, as `url_canonicalize`, and `error`, as `url_error`",
                or_error=True,
            ),
        ),
        base="optional",
    ),
    Function(
        "can_parse",
        kernels.can_parse,
        "bool",
        (SQLName("url_can_parse", "whether it parses"),),
        base="optional",
        has_errors=False,
    ),
    Function(
        "check",
        kernels.check,
        "name",
        (SQLName("url_error", "why it does not parse: the standard's name for the failure"),),
        base="optional",
        has_errors=False,
    ),
    Function(
        "parse",
        kernels.parse,
        "parts",
        (
            SQLName("url_parse", "all parts, username and password too"),
            SQLName(
                "url_parse_or_error",
                "a struct of `value`, as `url_parse`, and `error`, as `url_error`",
                or_error=True,
            ),
        ),
        base="optional",
    ),
    Function(
        "part",
        kernels.part,
        "part",
        (
            SQLName("url_scheme", "the scheme, without the colon", part="scheme"),
            SQLName("url_port", "the port; null for the scheme's default port", part="port"),
            SQLName("url_path", "the path, percent-encoded as in the URL", part="path"),
            SQLName("url_query", "the query, without the question mark", part="query"),
            SQLName("url_fragment", "the fragment, without the number sign", part="fragment"),
        ),
    ),
    Function("host", kernels.host, "text", (SQLName("url_host", "the host, without the port"),)),
    Function(
        "resolve",
        kernels.resolve,
        "text",
        (SQLName("url_resolve", "the URL, which may be relative, joined to the base", ("base",)),),
        base="required",
    ),
    Function(
        "render",
        kernels.render,
        "text",
        (SQLName("url_render", "the URL for people to read, without password"),),
        in_python=True,
    ),
    Function(
        "origin",
        kernels.origin,
        "text",
        (SQLName("url_origin", "the origin; 'null' for an opaque one"),),
    ),
    Function(
        "site",
        kernels.site,
        "text",
        (
            SQLName("url_site", "scheme and registrable domain, or host"),
            SQLName("url_site_without_private", "the same without private domains", private=False),
        ),
    ),
    Function(
        "registrable_domain",
        kernels.registrable_domain,
        "text",
        (
            SQLName(
                "url_registrable_domain",
                "the registrable domain of the host, by the Public Suffix List",
            ),
            SQLName(
                "url_registrable_domain_without_private",
                "the same without the list's section of private domains, such as github.io",
                private=False,
            ),
        ),
    ),
    Function(
        "search_param",
        kernels.search_param,
        "text",
        (
            SQLName(
                "url_search_param", "the first value of the name in the query, decoded", ("name",)
            ),
        ),
        column="name",
    ),
    Function(
        "search_params",
        kernels.search_params,
        "params",
        (
            SQLName(
                "url_search_params",
                "all parameters: each name with the list of its values, decoded",
            ),
        ),
        in_python=True,
    ),
    Function(
        "path_segments",
        kernels.path_segments,
        "segments",
        (SQLName("url_path_segments", "the segments of the path, decoded"),),
    ),
    Function(
        "same_site",
        None,
        "bool",
        (
            SQLName(
                "url_same_site",
                "whether both URLs have the same scheme and registrable domain",
                ("other",),
            ),
        ),
        column="other",
    ),
    Function(
        "matches",
        kernels.matches,
        "bool",
        (
            SQLName(
                "url_matches",
                "whether the URL matches the URL pattern, such as 'https://*/users/:id'",
                ("pattern",),
            ),
        ),
        column="pattern",
        in_python=True,
    ),
    Function(
        "in_host_list",
        kernels.in_host_list,
        "bool",
        (
            SQLName(
                "url_in_host_list",
                "whether the host is in the `HostList` of this name",
                ("list",),
                by_name="host_lists",
            ),
        ),
    ),
    Function(
        "allowed",
        kernels.allowed,
        "bool",
        (
            SQLName(
                "url_allowed",
                "whether the `URLPolicy` of this name allows the URL; false if it does not parse",
                ("policy",),
                by_name="policies",
            ),
        ),
        has_errors=False,
    ),
    Function(
        "refusal",
        kernels.refusal,
        "reason",
        (
            SQLName(
                "url_refusal",
                "why `url_allowed` is false: the code of a violation, or as `url_error`",
                ("policy",),
                by_name="policies",
            ),
        ),
        has_errors=False,
    ),
    Function(
        "key",
        kernels.key,
        "text",
        (
            SQLName(
                "url_key",
                "a key: the same text for URLs that the rules count as one page",
                ("rules",),
            ),
        ),
    ),
    Function(
        "key_hash",
        kernels.key_hash,
        "int64",
        (
            SQLName(
                "url_key_hash",
                "the first 64 bits of the SHA-256 of the key, as a signed number",
                ("rules",),
            ),
        ),
        in_python=True,
    ),
    Function(
        "surt",
        kernels.surt,
        "text",
        (SQLName("url_surt", "the key in the index of web archives"),),
    ),
    Function(
        "path_depth",
        kernels.path_depth,
        "int32",
        (SQLName("url_path_depth", "how many segments the path has"),),
    ),
    Function(
        "file_name",
        kernels.file_name,
        "text",
        (SQLName("url_file_name", "the last segment of the path, decoded"),),
    ),
    Function(
        "file_extension",
        kernels.file_extension,
        "text",
        (
            SQLName(
                "url_file_extension",
                "the end of the file name from its last dot on: '.gz'; '' without one",
            ),
        ),
    ),
    Function(
        "without_query_params",
        kernels.without_query_params,
        "text",
        (
            SQLName(
                "url_without_query_params",
                "the URL without the parameters of these names: 'ref,utm_*'",
                ("names",),
            ),
        ),
        in_python=True,
    ),
    Function(
        "canonical_host",
        kernels.canonical_host,
        "text",
        (SQLName("host_canonicalize", "the host as it is in a URL: lowercase, in ASCII"),),
        of_hosts=True,
    ),
    Function(
        "is_ip",
        kernels.is_ip,
        "bool",
        (SQLName("host_is_ip", "whether it is an IP address"),),
        of_hosts=True,
    ),
    Function(
        "host_in_host_list",
        kernels.host_in_host_list,
        "bool",
        (
            SQLName(
                "host_in_host_list",
                "whether the host is in the `HostList` of this name",
                ("list",),
                by_name="host_lists",
            ),
        ),
        of_hosts=True,
    ),
    Function(
        "registrable_domain_of_host",
        kernels.registrable_domain_of_host,
        "text",
        (
            SQLName(
                "host_registrable_domain", "the registrable domain of a host that is not in a URL"
            ),
            SQLName(
                "host_registrable_domain_without_private",
                "the same without private domains",
                private=False,
            ),
        ),
        of_hosts=True,
    ),
    Function(
        "public_suffix",
        kernels.public_suffix,
        "text",
        (SQLName("host_public_suffix", "the public suffix: 'co.uk' for 'www.example.co.uk'"),),
        of_hosts=True,
    ),
    Function(
        "subdomain",
        kernels.subdomain,
        "text",
        (
            SQLName(
                "host_subdomain", "the part before the registrable domain: 'www'; '' for nothing"
            ),
        ),
        of_hosts=True,
    ),
    Function(
        "links",
        None,
        "links",
        (
            SQLName(
                "html_links",
                "the links of a page, as a list of structs; needs the extra `html`",
                ("address",),
            ),
            SQLName(
                "html_links_or_error",
                "a struct of `value`, as `html_links`, and `error`, why the page cannot be read",
                ("address",),
                or_error=True,
            ),
        ),
        column="addresses",
        of_pages=True,
    ),
    Function("lookalikes", kernels.lookalikes, "text", in_python=True),
)
"""Every function."""

BY_NAME: Final = {function.name: function for function in FUNCTIONS}
