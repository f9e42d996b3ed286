"""The SQL functions for engines: one table of names, arguments, types and implementations.

Each engine's own module registers this table and adds nothing to it. Text is plain text here, not a
dictionary, because engines declare one type for a function. Nothing here knows an engine.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Final

import attrs
import pyarrow as pa

from weburl.columns.arrow import (
    Column,
    like,
    overflow,
    read_column,
    require_same_length,
)
from weburl.columns.functions import (
    Part,
    can_parse,
    canonicalize,
    check,
    file_extension,
    file_name,
    host,
    key,
    matches,
    origin,
    parse,
    part,
    path_depth,
    path_segments,
    registrable_domain,
    render,
    resolve,
    same_site,
    search_param,
    search_params,
    site,
    surt,
)
from weburl.columns.hosts import (
    canonical_host,
    is_ip,
    public_suffix,
    registrable_domain_of_host,
    subdomain,
)
from weburl.columns.kernels import PARTS, params_type, segments_type
from weburl.columns.pairs import texts_of_rows

PREFIX: Final = "url_"
"""What the names of all functions for URLs begin with."""

_HOST_PREFIX: Final = "host_"


@attrs.frozen
class SQLFunction:
    """A function for SQL engines."""

    name: str
    """Its name: "url_host"."""
    arguments: tuple[str, ...]
    """The names of its arguments, all of which are text."""
    result: pa.DataType
    """The Arrow type of its answers: string, bool, int32, or a struct, list or map of these."""
    meaning: str
    """What it returns, in a few words."""
    function: Callable[..., Column]
    """The function of `weburl.columns` that it calls, whose text may be of another type."""

    def compute(self, *columns: object) -> Column:
        """Return the answers for columns of text: one column of equal length for each argument.

        A row with null in an argument is null. So is a row that does not parse, except for
        ``url_can_parse``, ``url_error`` and the functions whose names end with ``_or_error``. If
        the first column is chunked, so is the result.

        Raises:
            TypeError: A column is missing or is not text.
            ValueError: The columns have different lengths.
            OverflowError: An array would have more than 2 GB of text.
        """
        if len(columns) != len(self.arguments):
            raise TypeError(f"{self.name} takes {len(self.arguments)} columns, not {len(columns)}")
        answers = self.function(*columns)
        if answers.type == self.result:
            return answers
        try:
            return answers.cast(self.result)
        except pa.ArrowInvalid:  # text that needs 64-bit offsets
            raise overflow() from None

    def named(self, prefix: str) -> str:
        """Return its name with another prefix: "weburl_host" for "url_host".

        The functions for hosts get it in front of their own: "weburl_host_is_ip".

        Raises ValueError for a prefix with characters other than ASCII letters, digits and "_".
        """
        if not (prefix.isascii() and f"{prefix}x".isidentifier()):
            raise ValueError(
                f"a prefix may have only ASCII letters, digits and underscores, not {prefix!r}"
            )
        if prefix == PREFIX and self.name.startswith(_HOST_PREFIX):
            return self.name
        return prefix + self.name.removeprefix(PREFIX)


def _key(urls: object, names: object) -> Column:
    """Return, for each row, the key of its URL by the ready rules of its name.

    Raises LookupError if there are no rules of a name, in whatever row it is.
    """
    column, of_rules = read_column(urls, "the URLs"), read_column(names, "the names of rules")
    require_same_length(column, of_rules, "names of rules")
    wanted = list(texts_of_rows(of_rules))
    different = {name for name in wanted if name is not None}
    if len(different) == 1 and None not in wanted:
        return key(column, different.pop())
    keys = {name: key(column, name).to_pylist() for name in different}
    values = [None if name is None else keys[name][row] for row, name in enumerate(wanted)]
    return like(column, [pa.array(values, pa.string())], pa.string())


_PART_TYPES: Final = {"port": pa.int32()}
_PARTS_TYPE: Final = pa.struct([(name, _PART_TYPES.get(name, pa.string())) for name in PARTS])
_SEGMENTS_TYPE: Final = segments_type(pa.string())
_PARAMS_TYPE: Final = params_type(pa.string())


def _with_error(value: pa.DataType) -> pa.DataType:
    """Return the type of structs of a value and the name of its failure."""
    return pa.struct([("value", value), ("error", pa.string())])


def _of_part(name: Part, meaning: str) -> SQLFunction:
    result = _PART_TYPES.get(name, pa.string())
    return SQLFunction(f"url_{name}", ("url",), result, meaning, partial(part, part=name))


FUNCTIONS: Final = (
    SQLFunction(
        "url_canonicalize",
        ("url",),
        pa.string(),
        "the URL as browsers write it: all spellings give the same text",
        canonicalize,
    ),
    SQLFunction("url_can_parse", ("url",), pa.bool_(), "whether it parses", can_parse),
    SQLFunction(
        "url_error",
        ("url",),
        pa.string(),
        "why it does not parse: the standard's name for the failure",
        check,
    ),
    SQLFunction("url_parse", ("url",), _PARTS_TYPE, "all parts, username and password too", parse),
    _of_part("scheme", "the scheme, without the colon"),
    SQLFunction("url_host", ("url",), pa.string(), "the host, without the port", host),
    _of_part("port", "the port; null for the scheme's default port"),
    _of_part("path", "the path, percent-encoded as in the URL"),
    _of_part("query", "the query, without the question mark"),
    _of_part("fragment", "the fragment, without the number sign"),
    SQLFunction(
        "url_origin", ("url",), pa.string(), "the origin; 'null' for an opaque one", origin
    ),
    SQLFunction("url_site", ("url",), pa.string(), "scheme and registrable domain, or host", site),
    SQLFunction(
        "url_registrable_domain",
        ("url",),
        pa.string(),
        "the registrable domain of the host, by the Public Suffix List",
        registrable_domain,
    ),
    SQLFunction(
        "url_resolve",
        ("url", "base"),
        pa.string(),
        "the URL, which may be relative, joined to the base",
        resolve,
    ),
    SQLFunction(
        "url_search_param",
        ("url", "name"),
        pa.string(),
        "the first value of the name in the query, decoded",
        search_param,
    ),
    SQLFunction(
        "url_search_params",
        ("url",),
        _PARAMS_TYPE,
        "all params: each name with the list of its values, decoded",
        search_params,
    ),
    SQLFunction(
        "url_path_segments",
        ("url",),
        _SEGMENTS_TYPE,
        "the segments of the path, decoded",
        path_segments,
    ),
    SQLFunction(
        "url_path_depth", ("url",), pa.int32(), "how many segments the path has", path_depth
    ),
    SQLFunction(
        "url_file_name", ("url",), pa.string(), "the last segment of the path, decoded", file_name
    ),
    SQLFunction(
        "url_file_extension",
        ("url",),
        pa.string(),
        "the end of the file name from its last dot on: '.gz'; '' without one",
        file_extension,
    ),
    SQLFunction(
        "url_same_site",
        ("url", "other"),
        pa.bool_(),
        "whether both URLs have the same scheme and registrable domain",
        same_site,
    ),
    SQLFunction(
        "url_matches",
        ("url", "pattern"),
        pa.bool_(),
        "whether the URL matches the URL pattern, such as 'https://*/users/:id'",
        matches,
    ),
    SQLFunction(
        "url_render", ("url",), pa.string(), "the URL for people to read, without password", render
    ),
    SQLFunction(
        "url_canonicalize_or_error",
        ("url",),
        _with_error(pa.string()),
        "a struct of `value`, as `url_canonicalize`, and `error`, as `url_error`",
        partial(canonicalize, errors="name"),
    ),
    SQLFunction(
        "url_parse_or_error",
        ("url",),
        _with_error(_PARTS_TYPE),
        "a struct of `value`, as `url_parse`, and `error`, as `url_error`",
        partial(parse, errors="name"),
    ),
    SQLFunction(
        "url_key",
        ("url", "rules"),
        pa.string(),
        "a key: the same text for URLs that the rules count as one page",
        _key,
    ),
    SQLFunction("url_surt", ("url",), pa.string(), "the key in the index of web archives", surt),
    SQLFunction(
        "host_canonicalize",
        ("host",),
        pa.string(),
        "the host as it is in a URL: lowercase, in ASCII",
        canonical_host,
    ),
    SQLFunction("host_is_ip", ("host",), pa.bool_(), "whether it is an IP address", is_ip),
    SQLFunction(
        "host_registrable_domain",
        ("host",),
        pa.string(),
        "the registrable domain of a host that is not in a URL",
        registrable_domain_of_host,
    ),
    SQLFunction(
        "host_public_suffix",
        ("host",),
        pa.string(),
        "the public suffix: 'co.uk' for 'www.example.co.uk'",
        public_suffix,
    ),
    SQLFunction(
        "host_subdomain",
        ("host",),
        pa.string(),
        "what comes before the registrable domain: 'www'; '' for nothing",
        subdomain,
    ),
)
"""All functions, in the order of the documentation."""

__all__ = ["FUNCTIONS", "PREFIX", "SQLFunction"]
