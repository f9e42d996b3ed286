"""SQL that decodes the value of a parameter, to select it, group by it or order by it.

It has parameters, so it cannot be used in an index or a generated column. SQLite calls Python
functions instead, which are registered on each connection that opens.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any, Final

from django.db import NotSupportedError

from django_whatwg_url.query.ways_of_writing import INVALID_SEQUENCE, VALID_SEQUENCE, Place
from weburl import URLSearchParams

if TYPE_CHECKING:
    from django.db.backends.base.base import BaseDatabaseWrapper
    from django.db.models.sql.compiler import _AsSqlType


def decoded(url: _AsSqlType, place: Place, connection: BaseDatabaseWrapper) -> _AsSqlType:
    """Return SQL that decodes the value of a parameter at ``place`` in ``url`` as UTF-8.

    It is NULL if ``url`` has no such place. Bytes that are not UTF-8 become U+FFFD, and so
    does NUL on PostgreSQL, which cannot store it. The value is compared by code point. Raises
    NotSupportedError on MySQL. On SQLite, use `SQLITE_FUNCTIONS`.
    """
    if connection.vendor == "postgresql":
        return _postgresql(url, place)
    if getattr(connection, "mysql_is_mariadb", False):
        return _mariadb(url, place)
    raise NotSupportedError(
        f"{connection.display_name} cannot decode text of a URL: keep the value in a column of its"
        " own, with a companion field"
    )


_TOKENS: Final = f"((?:%00|{INVALID_SEQUENCE}))|((?:%[0-7][0-9A-Fa-f]|{VALID_SEQUENCE}))|([^%]+|%)"


def _postgresql(url: _AsSqlType, place: Place) -> _AsSqlType:
    sql, params = url
    written = "replace(v, '+', ' ')"
    octets = (
        "CASE WHEN t[1] IS NOT NULL THEN '\\xefbfbd'::bytea"
        " WHEN t[2] IS NOT NULL THEN decode(replace(t[2], '%%', ''), 'hex')"
        " ELSE convert_to(t[3], 'UTF8') END"
    )
    text_of_octets = (
        f"(SELECT convert_from(string_agg({octets}, ''::bytea ORDER BY n), 'UTF8')"  # noqa: S608
        f" FROM regexp_matches({written}, %s, 'g') WITH ORDINALITY AS tokens(t, n))"
    )
    # Without OFFSET, PostgreSQL would repeat the search for each use of v.
    source = f'(SELECT substring({sql} from %s) COLLATE "C" AS v OFFSET 0) AS written'  # noqa: S608
    found = f"(SELECT CASE WHEN strpos(v, '%%') = 0 THEN {written} ELSE {text_of_octets} END"
    found = f"{found} FROM {source})"
    return found, (_TOKENS, *params, f"{place.before}({place.whole}){place.end}")


def _mariadb(url: _AsSqlType, place: Place) -> _AsSqlType:
    sql, params = url
    written = f"REPLACE(REGEXP_SUBSTR({sql}, %s), '+', ' ')"
    found: list[Any] = [*params, f"{place.before}\\K{place.whole}(?={place.end})"]
    # JSON decodes each byte to the character with its number, and HEX() of UCS-2 shows the numbers.
    for old, new in (("\\", "\\\\"), ('"', '\\"')):
        written = f"REPLACE({written}, %s, %s)"
        found += [old, new]
    for old, new in (
        (f"{VALID_SEQUENCE}(*SKIP)(*FAIL)|{INVALID_SEQUENCE}", "%EF%BF%BD"),
        ("%([0-9A-Fa-f]{2})", r"\\u00\1"),
    ):
        written = f"REGEXP_REPLACE({written}, %s, %s)"
        found += [old, new]
    numbers = f"HEX(CONVERT(JSON_UNQUOTE(CONCAT('\"', {written}, '\"')) USING ucs2))"
    octets = f"UNHEX(REGEXP_REPLACE({numbers}, '00(..)', %s))"
    value = f"CONVERT({octets} USING utf8mb4) COLLATE utf8mb4_nopad_bin"
    return (
        f"CASE WHEN {sql} REGEXP %s THEN {value} END",
        (*params, place.holding_something(), *found, r"\1"),
    )


def _query_param(url: str | None, name: str) -> str | None:
    if url is None:
        return None
    query = str(url).partition("#")[0].partition("?")[2]
    # URLSearchParams removes a leading "?", and the query itself may begin with one.
    return URLSearchParams(f"?{query}").get(name)


CREDENTIALS: Final = "(?<=://)[^/?#]*@"
"""A regular expression for a username and password, for Python and for each database."""


def _without_credentials(url: str | None) -> str | None:
    return None if url is None else re.sub(CREDENTIALS, "", url)


SQLITE_FUNCTIONS: Final[dict[str, tuple[int, Any]]] = {
    "whatwg_url_query_param": (2, _query_param),
    "whatwg_url_without_credentials": (1, _without_credentials),
}
"""The functions for SQLite by name, with the number of their arguments."""


def add_sqlite_functions(connection: BaseDatabaseWrapper, **_kwargs: object) -> None:
    """Register `SQLITE_FUNCTIONS` on a connection to SQLite that has just opened."""
    if connection.vendor == "sqlite":
        for name, (arguments, function) in SQLITE_FUNCTIONS.items():
            connection.connection.create_function(name, arguments, function, deterministic=True)
