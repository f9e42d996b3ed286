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
    chunks_of,
    like,
    overflow,
    plain_text,
    read_column,
    texts_of,
)
from weburl.columns.functions import (
    Part,
    can_parse,
    canonicalize,
    check,
    host,
    key,
    origin,
    parse,
    part,
    registrable_domain,
    resolve,
    site,
    surt,
)
from weburl.columns.kernels import PARTS, first_value

PREFIX: Final = "url_"
"""What the names of all functions begin with."""


@attrs.frozen
class SQLFunction:
    """A function for SQL engines."""

    name: str
    """Its name: "url_host"."""
    arguments: tuple[str, ...]
    """The names of its arguments, all of which are text."""
    result: pa.DataType
    """The Arrow type of its answers: string, bool, int32, or a struct of these."""
    meaning: str
    """What it returns, in a few words."""
    function: Callable[..., Column]
    """The function of `weburl.columns` that it calls, whose text may be of another type."""

    def compute(self, *columns: object) -> Column:
        """Return the answers for columns of text: one column of equal length for each argument.

        A row with null in an argument is null. So is a row that does not parse, except for
        ``url_can_parse`` and ``url_error``. If the first column is chunked, so is the result.

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
        """Return its name with another prefix: "weburl_host".

        Raises ValueError for a prefix with characters other than ASCII letters, digits and "_".
        """
        if not (prefix.isascii() and f"{prefix}x".isidentifier()):
            raise ValueError(
                f"a prefix may have only ASCII letters, digits and underscores, not {prefix!r}"
            )
        return prefix + self.name.removeprefix(PREFIX)


def _search_param(urls: object, names: object) -> Column:
    """Return, for each row, the first value of its name in the query of its URL."""
    column, wanted = read_column(urls, "the URLs"), read_column(names, "the names")
    if len(wanted) != len(column):
        raise ValueError(f"there are {len(column)} URLs, but {len(wanted)} names")
    queries = part(column, "query").to_pylist()
    # A name that is not UTF-8 counts as null: no query can contain it.
    texts = [text for chunk in chunks_of(wanted) for text in texts_of(plain_text(chunk), [])]
    values = [
        None if query is None or name is None else first_value(query, name)
        for query, name in zip(queries, texts, strict=True)
    ]
    return like(column, [pa.array(values, pa.string())], pa.string())


def _of_key(rules: str, meaning: str) -> SQLFunction:
    # A name of rules as an argument could be misspelled in one row of many.
    function = partial(key, rules=rules)
    return SQLFunction(f"url_key_{rules}", ("url",), pa.string(), meaning, function)


_PART_TYPES: Final = {"port": pa.int32()}
_PARTS_TYPE: Final = pa.struct([(name, _PART_TYPES.get(name, pa.string())) for name in PARTS])


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
        _search_param,
    ),
    _of_key("browser", "a key: the same text for URLs that a browser fetches as the same"),
    _of_key("page", "a key: the same text for URLs that are almost certainly one page"),
    _of_key("crawl", "a key: the same text for URLs of which a crawler should fetch one"),
    SQLFunction("url_surt", ("url",), pa.string(), "the key in the index of web archives", surt),
)
"""All functions, in the order of the documentation."""

__all__ = ["FUNCTIONS", "PREFIX", "SQLFunction"]
