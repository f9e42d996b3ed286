"""The functions of columns, each once: its names everywhere, its type, and how it runs.

This defines the names in SQL and on the command line, the types of answers, and whether workers
are threads or processes. A test holds the methods and the documents to it. Nothing here imports
pyarrow, so that ``python -m weburl columns --help`` works without it.
"""

from __future__ import annotations

from typing import Final, Literal, NamedTuple, TypeAlias, get_args

Part: TypeAlias = Literal[
    "scheme", "username", "password", "host", "host_kind", "port", "path", "query", "fragment"
]
"""The names of the parts of a URL, as in the struct that `parse` returns."""

PARTS: Final[tuple[Part, ...]] = get_args(Part)
"""The names of the parts, in the order of `parse`."""

LinkField: TypeAlias = Literal[
    "href",
    "kind",
    "element",
    "attribute",
    "input",
    "text",
    "rel",
    "target",
    "line",
    "column",
    "error",
]
"""The names of what a link of a page has."""

LINK_FIELDS: Final[tuple[LinkField, ...]] = get_args(LinkField)
"""The names of all fields of links."""
DEFAULT_LINK_FIELDS: Final = LINK_FIELDS[:5]
"""The fields of links if no others are named."""
SQL_LINK_FIELDS: Final = LINK_FIELDS[:7]
"""The fields of links in SQL, where no others can be named."""

Answer: TypeAlias = Literal[
    "text", "bool", "int32", "int64", "name", "reason", "parts", "segments", "params", "links"
]
"""The types of answers. A "name" is of a failure, and a "reason" is of a failure or a violation."""

ByName: TypeAlias = Literal["host_lists", "policies"]
"""The values that engines are given by name: lists of hosts, and policies."""


class SQLName(NamedTuple):
    """A function in SQL: its name, what it returns in a few words, and its other arguments.

    ``part``: of the URL, if it returns one. ``or_error``: whether it returns a struct with the name
    of the failure. ``private``: whether the list's section of private domains counts. ``by_name``:
    which values it looks up by a name, if an engine is given some.
    """

    name: str
    meaning: str
    others: tuple[str, ...] = ()
    part: Part | None = None
    or_error: bool = False
    private: bool = True
    by_name: ByName | None = None


class ColumnFunction(NamedTuple):
    """A function of `weburl.columns`.

    ``in_python``: whether Python runs for each value in the compiled build too, so that several
    workers are processes. ``of_hosts``: whether it takes bare hosts. ``of_pages``: whether it takes
    HTML, so that it is in `weburl.columns.html`. ``command``: its name for ``--add``, if it has
    one.
    """

    name: str
    answer: Answer
    sql: tuple[SQLName, ...] = ()
    in_python: bool = False
    of_hosts: bool = False
    of_pages: bool = False
    command: str | None = None

    @property
    def takes(self) -> str:
        """The kind of its first argument."""
        return "host" if self.of_hosts else "body" if self.of_pages else "url"


def _one(
    name: str,
    answer: Answer,
    sql: str,
    meaning: str,
    *others: str,
    in_python: bool = False,
    by_name: ByName | None = None,
    command: str | None = None,
) -> ColumnFunction:
    """Return a function that has one name in SQL, which begins with "host_" if it takes hosts."""
    names = (SQLName(sql, meaning, others, by_name=by_name),)
    of_hosts = sql.startswith("host_")
    return ColumnFunction(name, answer, names, in_python, of_hosts, command=command)


FUNCTIONS: Final = (
    ColumnFunction(
        "canonicalize",
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
    ),
    _one("can_parse", "bool", "url_can_parse", "whether it parses"),
    _one(
        "check", "name", "url_error", "why it does not parse: the standard's name for the failure"
    ),
    ColumnFunction(
        "parse",
        "parts",
        (
            SQLName("url_parse", "all parts, username and password too"),
            SQLName(
                "url_parse_or_error",
                "a struct of `value`, as `url_parse`, and `error`, as `url_error`",
                or_error=True,
            ),
        ),
    ),
    ColumnFunction(
        "part",
        "text",
        (
            SQLName("url_scheme", "the scheme, without the colon", part="scheme"),
            SQLName("url_port", "the port; null for the scheme's default port", part="port"),
            SQLName("url_path", "the path, percent-encoded as in the URL", part="path"),
            SQLName("url_query", "the query, without the question mark", part="query"),
            SQLName("url_fragment", "the fragment, without the number sign", part="fragment"),
        ),
    ),
    _one("host", "text", "url_host", "the host, without the port"),
    _one(
        "resolve",
        "text",
        "url_resolve",
        "the URL, which may be relative, joined to the base",
        "base",
    ),
    _one(
        "render",
        "text",
        "url_render",
        "the URL for people to read, without password",
        in_python=True,
        command="rendered",
    ),
    _one("origin", "text", "url_origin", "the origin; 'null' for an opaque one", command="origin"),
    ColumnFunction(
        "site",
        "text",
        (
            SQLName("url_site", "scheme and registrable domain, or host"),
            SQLName("url_site_without_private", "the same without private domains", private=False),
        ),
        command="site",
    ),
    ColumnFunction(
        "registrable_domain",
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
        command="registrable_domain",
    ),
    _one(
        "search_param",
        "text",
        "url_search_param",
        "the first value of the name in the query, decoded",
        "name",
    ),
    _one(
        "search_params",
        "params",
        "url_search_params",
        "all params: each name with the list of its values, decoded",
        in_python=True,
    ),
    _one(
        "path_segments",
        "segments",
        "url_path_segments",
        "the segments of the path, decoded",
    ),
    _one(
        "same_site",
        "bool",
        "url_same_site",
        "whether both URLs have the same scheme and registrable domain",
        "other",
    ),
    _one(
        "matches",
        "bool",
        "url_matches",
        "whether the URL matches the URL pattern, such as 'https://*/users/:id'",
        "pattern",
        in_python=True,
    ),
    _one(
        "in_host_list",
        "bool",
        "url_in_host_list",
        "whether the host is in the `HostList` of this name",
        "list",
        by_name="host_lists",
    ),
    ColumnFunction("lookalikes", "text", in_python=True),
    _one(
        "allowed",
        "bool",
        "url_allowed",
        "whether the `URLPolicy` of this name allows the URL; false if it does not parse",
        "policy",
        by_name="policies",
        command="allowed",
    ),
    _one(
        "refusal",
        "reason",
        "url_refusal",
        "why `url_allowed` is false: the code of a violation, or as `url_error`",
        "policy",
        by_name="policies",
        command="refusal",
    ),
    _one(
        "key",
        "text",
        "url_key",
        "a key: the same text for URLs that the rules count as one page",
        "rules",
    ),
    _one(
        "key_hash",
        "int64",
        "url_key_hash",
        "the first 64 bits of the SHA-256 of the key, as a signed number",
        "rules",
        in_python=True,
    ),
    _one(
        "surt",
        "text",
        "url_surt",
        "the key in the index of web archives",
        command="surt",
    ),
    _one(
        "path_depth",
        "int32",
        "url_path_depth",
        "how many segments the path has",
        command="path_depth",
    ),
    _one(
        "file_name",
        "text",
        "url_file_name",
        "the last segment of the path, decoded",
        command="file_name",
    ),
    _one(
        "file_extension",
        "text",
        "url_file_extension",
        "the end of the file name from its last dot on: '.gz'; '' without one",
        command="file_extension",
    ),
    _one(
        "without_query_params",
        "text",
        "url_without_query_params",
        "the URL without the params of these names: 'ref,utm_*'",
        "names",
        in_python=True,
    ),
    _one(
        "canonical_host",
        "text",
        "host_canonicalize",
        "the host as it is in a URL: lowercase, in ASCII",
    ),
    _one("is_ip", "bool", "host_is_ip", "whether it is an IP address", command="is_ip"),
    _one(
        "host_in_host_list",
        "bool",
        "host_in_host_list",
        "whether the host is in the `HostList` of this name",
        "list",
        by_name="host_lists",
    ),
    ColumnFunction(
        "registrable_domain_of_host",
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
        command="registrable_domain",
    ),
    _one(
        "public_suffix",
        "text",
        "host_public_suffix",
        "the public suffix: 'co.uk' for 'www.example.co.uk'",
        command="public_suffix",
    ),
    _one(
        "subdomain",
        "text",
        "host_subdomain",
        "the part before the registrable domain: 'www'; '' for nothing",
        command="subdomain",
    ),
    ColumnFunction(
        "links",
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
        of_pages=True,
    ),
)
"""Every function. Those with a command are in the order of its help."""

ANSWERS: Final = {function.name: function.answer for function in FUNCTIONS}
OF_HOSTS: Final = frozenset(function.name for function in FUNCTIONS if function.of_hosts)
"""The functions of bare hosts."""
IN_PYTHON: Final = frozenset(function.name for function in FUNCTIONS if function.in_python)
"""The functions of URLs and hosts that run Python for each value, even in the compiled build."""


def commands(*, of_hosts: bool) -> dict[str, str]:
    """Return the names for ``--add``, each with the name of its function."""
    return {
        function.command: function.name
        for function in FUNCTIONS
        if function.command is not None and function.of_hosts == of_hosts
    }
