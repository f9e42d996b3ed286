"""SQL that tells whether one text lies below another where both are known to the database alone.

It is only text, as in `sql`, but not frozen: no index contains it. `IT` is what may lie below, and
`OTHER` is what it may lie below; both are canonical. Nothing here is a pattern for ``LIKE``, so a
percent sign, "_" and a backslash are letters like others. `under` has the lookups.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any, Final

if TYPE_CHECKING:
    from django.db.models.sql.compiler import _AsSqlType

IT: Final = "{it}"
OTHER: Final = "{other}"
KEY: Final = "{key}"
"""`URLReversedHost` of `IT`."""
RAW: Final = "{raw}"
"""`OTHER` as it is, and not as bytes."""
END: Final = "{end}"
"""A text that comes after everything that may follow a prefix."""

_AFTER_ALL_PRINTABLE: Final = "\x7f"
_PIECE: Final = re.compile(r"\{([a-z]+)\}")

_BYTE: Final = "(?:25[0-5]|2[0-4][0-9]|1[0-9][0-9]|[1-9]?[0-9])"
# Such a text is an address wherever it may stand: it has no subdomains.
_IPV4: Final = f"^{_BYTE}(?:[.]{_BYTE}){{3}}$"


def filled(template: str, **pieces: _AsSqlType) -> _AsSqlType:
    """Return a template with SQL in the place of its names, and the parameters in their order."""
    pieces["end"] = ("%s", (_AFTER_ALL_PRINTABLE,))
    params: list[Any] = []

    def put(name: re.Match[str]) -> str:
        sql, own = pieces[name[1]]
        params.extend(own)
        return sql

    return _PIECE.sub(put, template), tuple(params)


def url_below(vendor: str) -> str:
    """Return the condition that the URL `IT` lies below the URL `OTHER`; never unknown.

    As `URLUnder` has it for a value. False for an `OTHER` with an opaque path. The range is for an
    index.
    """
    if vendor == "sqlite":
        # Its parser has little room for one expression within another. All pieces are from here.
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
    behind = f"SUBSTR({url}, {length} + 1, 1)"
    # "foo://" has an empty path, and ends with a slash that is not of the path.
    ends_with_slash = f"SUBSTR({base}, {length}, 1) = '/' AND {length} <> {colon} + 2"
    # "foo:/" has no host, and "foo://host" has one.
    is_of_a_host = f"{length} = {colon} + 1 AND {behind} = '/'"
    return (
        f"SUBSTR({url}, 1, {length}) = {base} AND SUBSTR({base}, {colon} + 1, 1) = '/' "
        f"AND ({behind} IN ('', '#', '/', '?') OR {ends_with_slash}) AND NOT ({is_of_a_host})"
    )


def path_below(vendor: str) -> str:
    """Return the condition that the path `IT` is `OTHER`, or lies below it; never unknown.

    The range is for an index.
    """
    length = _length(OTHER, vendor)
    behind = f"SUBSTR({IT}, {length} + 1, 1)"
    return (
        f"({IT} >= {OTHER} AND {IT} < {_joined((OTHER, END), vendor)} "
        f"AND SUBSTR({IT}, 1, {length}) = {OTHER} "
        f"AND ({behind} = '/' OR {IT} = {OTHER} OR SUBSTR({OTHER}, {length}, 1) = '/') "
        f"AND {_NEITHER_IS_NULL})"
    )


def host_below(vendor: str) -> str:
    """Return the condition that the host `IT` is `OTHER`, or a subdomain of it; never unknown."""
    suffix = _joined(("'.'", OTHER), vendor)
    count = f"{_length(OTHER, vendor)} + 1"
    end = f"SUBSTR({IT}, -({count}))" if vendor == "sqlite" else f"RIGHT({IT}, {count})"
    below = f"{OTHER} <> '' AND {end} = {suffix} AND NOT {_is_ipv4(vendor)}"
    return f"(({IT} = {OTHER} OR {below}) AND {_NEITHER_IS_NULL})"


def host_below_by_key(vendor: str) -> str:
    """Return the same condition for an index on `KEY`; not on SQLite, which cannot reverse text."""
    low, high = (_joined((f"REVERSE({OTHER})", mark), vendor) for mark in ("'.'", "'/'"))
    exactly = f"{KEY} = {low}"
    return (
        f"({KEY} >= {low} AND {KEY} < {high} "
        f"AND ({exactly} OR {OTHER} <> '' AND NOT {_is_ipv4(vendor)}) "
        f"AND {KEY} IS NOT NULL AND {OTHER} IS NOT NULL)"
    )


# So that ``exclude()`` is the opposite of ``filter()``.
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
