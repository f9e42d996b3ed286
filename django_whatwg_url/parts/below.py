"""SQL conditions that one text lies below another, for when only the database knows both.

This module contains only text, as `sql` does. Unlike there, the text may change, because no index
contains it. `IT` is the text that may lie below `OTHER`, and both are canonical. No condition uses
``LIKE``, so "%", "_" and backslashes have no special meaning. `under` has the lookups.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any, Final

if TYPE_CHECKING:
    from django.db.models.sql.compiler import _AsSqlType

IT: Final = "{it}"
OTHER: Final = "{other}"
KEY: Final = "{key}"
"""The `URLReversedHost` of `IT`."""
RAW: Final = "{raw}"
"""`OTHER` as text, not as bytes."""
END: Final = "{end}"
"""A character that sorts after everything that may follow a prefix."""

_AFTER_ALL_PRINTABLE: Final = "\x7f"
_PIECE: Final = re.compile(r"\{([a-z]+)\}")

_BYTE: Final = "(?:25[0-5]|2[0-4][0-9]|1[0-9][0-9]|[1-9]?[0-9])"
# A host of this form is an address, whatever the scheme, so it has no subdomains.
_IPV4: Final = f"^{_BYTE}(?:[.]{_BYTE}){{3}}$"


def filled(template: str, **pieces: _AsSqlType) -> _AsSqlType:
    """Return the template with its names replaced by SQL, and the parameters in order."""
    pieces["end"] = ("%s", (_AFTER_ALL_PRINTABLE,))
    params: list[Any] = []

    def put(name: re.Match[str]) -> str:
        sql, own = pieces[name[1]]
        params.extend(own)
        return sql

    return _PIECE.sub(put, template), tuple(params)


def url_below(vendor: str) -> str:
    """Return the condition that the URL `IT` lies below the URL `OTHER`. It is never unknown.

    "Below" means the same as in `URLUnder`. If the path of `OTHER` is opaque, the condition is
    false. The condition includes a range so that it can use an index.
    """
    if vendor == "sqlite":
        # Subqueries keep the expression flat, because SQLite's parser limits the depth of nesting.
        # S608 does not apply: all pieces of the SQL come from this module.
        base = _without_query("other", vendor)
        texts = f"(SELECT {base} AS base FROM (SELECT {OTHER} AS other))"  # noqa: S608
        end = f"(SELECT base || {END} FROM {texts})"  # noqa: S608
        below = f"(SELECT {_url_below(IT, 'base', vendor)} FROM {texts})"  # noqa: S608
        return f"({IT} >= {texts} AND {IT} < {end} AND COALESCE({below}, 0))"
    base = _without_query(OTHER, vendor)
    within = f"{IT} >= {base} AND {IT} < {_joined((base, END), vendor)}"
    return f"({within} AND {_url_below(IT, base, vendor)} AND {_NEITHER_IS_NULL})"


def _url_below(url: str, base: str, vendor: str) -> str:
    length, colon = _length(base, vendor), _position(base, ":", vendor)
    following = f"SUBSTR({url}, {length} + 1, 1)"
    # The path of "foo://" is empty, so its last slash is not part of a path.
    ends_with_slash = f"SUBSTR({base}, {length}, 1) = '/' AND {length} <> {colon} + 2"
    # "foo:/" has no host, so "foo://host" is not below it.
    is_of_a_host = f"{length} = {colon} + 1 AND {following} = '/'"
    return (
        f"SUBSTR({url}, 1, {length}) = {base} AND SUBSTR({base}, {colon} + 1, 1) = '/' "
        f"AND ({following} IN ('', '#', '/', '?') OR {ends_with_slash}) AND NOT ({is_of_a_host})"
    )


def path_below(vendor: str) -> str:
    """Return the condition that the path `IT` is `OTHER` or lies below it. It is never unknown.

    The condition includes a range so that it can use an index.
    """
    length = _length(OTHER, vendor)
    following = f"SUBSTR({IT}, {length} + 1, 1)"
    return (
        f"({IT} >= {OTHER} AND {IT} < {_joined((OTHER, END), vendor)} "
        f"AND SUBSTR({IT}, 1, {length}) = {OTHER} "
        f"AND ({following} = '/' OR {IT} = {OTHER} OR SUBSTR({OTHER}, {length}, 1) = '/') "
        f"AND {_NEITHER_IS_NULL})"
    )


def host_below(vendor: str) -> str:
    """Return the condition that the host `IT` is `OTHER` or a subdomain. It is never unknown."""
    suffix = _joined(("'.'", OTHER), vendor)
    count = f"{_length(OTHER, vendor)} + 1"
    end = f"SUBSTR({IT}, -({count}))" if vendor == "sqlite" else f"RIGHT({IT}, {count})"
    below = f"{OTHER} <> '' AND {end} = {suffix} AND NOT {_is_ipv4(vendor)}"
    return f"(({IT} = {OTHER} OR {below}) AND {_NEITHER_IS_NULL})"


def host_below_by_key(vendor: str) -> str:
    """Return the same condition for an index on `KEY`. SQLite has no such index on this text."""
    low, high = (_joined((f"REVERSE({OTHER})", mark), vendor) for mark in ("'.'", "'/'"))
    exactly = f"{KEY} = {low}"
    return (
        f"({KEY} >= {low} AND {KEY} < {high} "
        f"AND ({exactly} OR {OTHER} <> '' AND NOT {_is_ipv4(vendor)}) "
        f"AND {KEY} IS NOT NULL AND {OTHER} IS NOT NULL)"
    )


# Without this, exclude() would not be the opposite of filter(): NULL is neither true nor false.
_NEITHER_IS_NULL: Final = f"{IT} IS NOT NULL AND {OTHER} IS NOT NULL"


def _without_query(url: str, vendor: str) -> str:
    if vendor == "postgresql":
        return f"substring({url} from '^[^?#]*')"
    if vendor == "mysql":
        return f"SUBSTRING_INDEX(SUBSTRING_INDEX({url}, '#', 1), '?', 1)"
    return f"substr({url}, 1, instr(replace({url}, '#', '?') || '?', '?') - 1)"


def _length(text: str, vendor: str) -> str:
    return f"CHAR_LENGTH({text})" if vendor == "mysql" else f"LENGTH({text})"


def _position(text: str, piece: str, vendor: str) -> str:
    function = "strpos" if vendor == "postgresql" else "INSTR"
    return f"{function}({text}, '{piece}')"


def _joined(texts: tuple[str, ...], vendor: str) -> str:
    return f"CONCAT({', '.join(texts)})" if vendor == "mysql" else f"({' || '.join(texts)})"


def _is_ipv4(vendor: str) -> str:
    return f"{RAW} {'~' if vendor == 'postgresql' else 'REGEXP'} '{_IPV4}'"
