"""SQL, as templates, that splits a canonical URL into its parts, for each kind of database.

It must never change. Indexes, generated columns and constraints in people's databases contain it,
and a query uses an index only if both contain exactly the same SQL. So it has no parameters, no
percent signs, and no functions that exist only on Django's connections.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import Final

import attrs

from weburl import SPECIAL_SCHEMES

URL: Final = "{url}"
"""The placeholder for the column, or for another expression that returns the URL."""

POSITION: Final = {"sqlite": "instr", "postgresql": "strpos", "mysql": "instr"}
"""By vendor: the function that returns the position of one string in another, from 1, or 0."""

HOST_LABELS_IN_KEY: Final = 10
"""How many labels SQLite's `reversed_host` has, counted from the last one."""


def _alternatives(schemes: Iterable[str]) -> str:
    """Return a regular expression for any of ``schemes``: "https?" for http and https."""
    names = list(schemes)
    return "|".join(
        # Not a backslash, because databases differ in how string literals treat it.
        re.sub("[+.]", r"[\g<0>]", name) + ("s?" if f"{name}s" in names else "")
        for name in names
        if name[-1] != "s" or name[:-1] not in names
    )


def _literals(schemes: Iterable[str]) -> str:
    """Return ``schemes``, sorted, as a list of string literals."""
    return ", ".join(f"'{scheme}'" for scheme in sorted(schemes))


# A `file` URL has no credentials and no port, and its host may be empty. URLs with another special
# scheme always have a host.
_WITH_A_HOST: Final = [scheme for scheme in SPECIAL_SCHEMES if scheme != "file"]
_WITH_AN_ORIGIN: Final = [
    scheme.name for scheme in SPECIAL_SCHEMES.values() if scheme.has_tuple_origin
]
_ORIGIN_SCHEMES: Final = _literals(_WITH_AN_ORIGIN)

# A character that no canonical URL contains, for regular expressions and GLOB.
_UNPRINTABLE: Final = "[^ -~]"
# Only an opaque path may contain spaces, and none at its end.
_STRAY_SPACE: Final = "^[^:]*:/.* |[?#].* | [?#]| $"
_SCHEME: Final = "^[a-z][a-z0-9+.-]*:"
_SPECIAL: Final = f"^(?:{_alternatives([*_WITH_A_HOST, 'file'])}):"
_WHOLE_SPECIAL: Final = (
    f"^(?:(?:{_alternatives(_WITH_A_HOST)})://(?:[^/?#@]*@)?[^/?#@A-Z]+/|file://[^/?#@A-Z]*/)"
)


@attrs.frozen
class _Texts:
    """The SQL for one kind of database. The tables at the end of the module say what it returns."""

    parts: dict[str, str]
    presence: dict[str, str]
    canonical: str


def _sqlite() -> _Texts:
    u = URL
    scheme = f"substr({u}, 1, instr({u}, ':') - 1)"
    has_host = f"substr({u}, instr({u}, ':'), 3) = '://'"
    rest = f"substr({u}, instr({u}, ':') + 3)"
    slashes = f"replace(replace({rest}, '?', '/'), '#', '/')"
    authority = f"substr({rest}, 1, instr({slashes} || '/', '/') - 1)"
    userinfo = f"substr({authority}, 1, instr({authority}, '@') - 1)"
    host_and_port = f"substr({authority}, instr({authority}, '@') + 1)"
    bracket = f"instr({host_and_port}, ']')"
    after_bracket = f"substr({host_and_port}, {bracket} + 1)"
    any_host = f"substr({host_and_port}, 1, {bracket} + instr({after_bracket} || ':', ':') - 1)"
    # Nearly every URL is plain, and extracting a plain host takes a third of the time.
    is_plain = f"instr({u}, '@') = 0 AND instr({u}, '[') = 0"
    plain_host = f"substr({rest}, 1, instr(replace({slashes}, ':', '/') || '/', '/') - 1)"
    host = f"CASE WHEN {is_plain} THEN {plain_host} ELSE {any_host} END"
    # SQLite has no REVERSE. JSON functions reverse the labels, and evaluate the host only once. The
    # space at the end, which no label contains, sorts a domain before its subdomains.
    labels = f"""'[" ",' || replace(json_quote({host}), '.', '","') || ']'"""
    from_the_last = ", ".join(f"'$[#-{n}]'" for n in range(1, HOST_LABELS_IN_KEY + 1))
    no_fragment = f"substr({u}, 1, instr({u} || '#', '#') - 1)"
    no_query = f"substr({u}, 1, instr(replace({u}, '#', '?') || '?', '?') - 1)"
    path = f"substr({no_query}, instr({u}, ':') + 1)"
    after_slashes = f"substr({no_query}, instr({u}, ':') + 3)"
    has_origin = f"{scheme} IN ({_ORIGIN_SCHEMES})"
    # This is NULL for NULL, without `IS NOT NULL`. Newer SQLite simplifies that for a NOT NULL
    # column in a query but not in an index, and then does not use the index.
    empty = f"substr({u}, 1, 0)"

    def port_in(text: str) -> str:
        digits = f"substr({text}, instr({text}, ':') + 1)"
        return f"CASE WHEN instr({text}, ':') > 0 THEN CAST({digits} AS integer) END"

    parts = {
        "scheme": scheme,
        "username": (
            f"CASE WHEN {has_host} AND instr({u}, '@') > 0 AND instr({authority}, '@') > 0 "
            f"THEN substr({userinfo}, 1, instr({userinfo} || ':', ':') - 1) "
            f"ELSE {empty} END"
        ),
        "host": f"CASE WHEN {has_host} THEN {host} END",
        "hostname": f"CASE WHEN {has_host} THEN {host} ELSE {empty} END",
        "reversed_host": f"CASE WHEN {has_host} THEN json_extract({labels}, {from_the_last}) END",
        "port": (
            f"CASE WHEN {has_host} AND instr({rest}, ':') > 0 THEN "
            f"CASE WHEN {is_plain} THEN {port_in(authority)} ELSE {port_in(after_bracket)} END END"
        ),
        "path": (
            f"CASE WHEN {has_host} THEN CASE WHEN instr({after_slashes}, '/') > 0 "
            f"THEN substr({after_slashes}, instr({after_slashes}, '/')) ELSE '' END "
            f"WHEN substr({path}, 1, 4) = '/.//' THEN substr({path}, 3) ELSE {path} END"
        ),
        "query": (
            f"CASE WHEN instr({no_fragment}, '?') > 0 "
            f"THEN substr({no_fragment}, instr({no_fragment}, '?') + 1) END"
        ),
        "fragment": f"CASE WHEN instr({u}, '#') > 0 THEN substr({u}, instr({u}, '#') + 1) END",
        "origin": f"CASE WHEN {has_origin} THEN {scheme} || '://' || {host_and_port} END",
    }
    presence = {
        "host": has_host,
        "reversed_host": has_host,
        "port": f"{has_host} AND instr({after_bracket}, ':') > 0",
        "query": f"instr({no_fragment}, '?') > 0",
        "fragment": f"instr({u}, '#') > 0",
        "origin": has_origin,
    }
    # GLOB stops at a NUL, and treats a blob as text.
    canonical = (
        f"(typeof({u}) <> 'blob' AND instr({u}, char(0)) = 0 "
        f"AND {u} GLOB '[a-z]*:*' AND {scheme} NOT GLOB '*[^a-z0-9+.-]*' "
        f"AND {u} NOT GLOB '*{_UNPRINTABLE}*' "
        f"AND (substr({u}, instr({u}, ':') + 1, 1) <> '/' OR instr({u}, ' ') = 0) "
        f"AND {u} NOT GLOB '*[?#]* *' AND {u} NOT GLOB '* [?#]*' AND {u} NOT GLOB '* ' "
        f"AND ({scheme} NOT IN ({_literals(_WITH_A_HOST)}, 'file') "
        f"OR {has_host} AND {host_and_port} NOT GLOB '*[A-Z]*' "
        f"AND ({host_and_port} <> '' OR {scheme} = 'file') "
        f"AND substr({rest}, length({authority}) + 1, 1) = '/'))"
    )
    return _Texts(
        {part: _compact(sql) for part, sql in parts.items()},
        {part: _compact(sql) for part, sql in presence.items()},
        _compact(canonical),
    )


def _compact(sql: str) -> str:
    # On SQLite, Django parses the definition of a table by splitting it at ", ", and fails on "1".
    return sql.replace(", ", ",")


def _postgresql() -> _Texts:
    u = URL
    # The pattern skips credentials if the URL has any. If they were optional, a match could begin
    # before them and take the password for the port.
    authority = "^[^:]*://(?:[^/?#@]*@|(?![^/?#@]*@))"
    host = "[[][^]/?#]*]|[^][/?#:@]*"
    # A row may contain any text. Five digits always fit in an integer.
    port = f"{authority}(?:{host}):([0-9]{{1,5}})(?:[/?#]|$)"
    host_sql = f"substring({u} from '{authority}({host})')"
    scheme = f"split_part({u}, ':', 1)"
    has_host = f"substr({u}, strpos({u}, ':'), 3) = '://'"
    return _Texts(
        {
            "scheme": scheme,
            "username": (
                f"CASE WHEN {u} IS NOT NULL THEN "
                f"COALESCE(substring({u} from '^[^:]*://([^/?#:@]*)[^/?#@]*@'), '') END"
            ),
            "host": host_sql,
            "hostname": f"CASE WHEN {u} IS NOT NULL THEN COALESCE({host_sql}, '') END",
            "reversed_host": f"reverse('.' || {host_sql})",
            "port": f"substring({u} from '{port}')::integer",
            "path": f"substring({u} from '^[^:]*:(?://[^/?#]*|/[.](?=//))?([^?#]*)')",
            "query": f"substring({u} from '^[^?#]*[?]([^#]*)')",
            "fragment": f"substring({u} from '#(.*)$')",
            "origin": (
                f"(substring({u} from '^(?:{_alternatives(_WITH_AN_ORIGIN)})://') || "
                f"substring({u} from '{authority}([^/?#@]*)'))"
            ),
        },
        {
            "host": has_host,
            "reversed_host": has_host,
            "port": f"{u} ~ '{port}'",
            "query": f"strpos(split_part({u}, '#', 1), '?') > 0",
            "fragment": f"strpos({u}, '#') > 0",
            "origin": f"{scheme} IN ({_ORIGIN_SCHEMES})",
        },
        f"({u} ~ '{_SCHEME}' AND {u} !~ '{_UNPRINTABLE}' AND {u} !~ '{_STRAY_SPACE}' "
        f"AND ({u} !~ '{_SPECIAL}' OR {u} ~ '{_WHOLE_SPECIAL}'))",
    )


def _mysql() -> _Texts:
    u = URL
    scheme = f"SUBSTRING_INDEX({u}, ':', 1)"
    has_host = f"SUBSTRING({u}, LOCATE(':', {u}), 3) = '://'"
    rest = f"SUBSTRING({u}, LOCATE(':', {u}) + 3)"
    up_to_path = f"SUBSTRING_INDEX({rest}, '/', 1)"
    authority = f"SUBSTRING_INDEX(SUBSTRING_INDEX({up_to_path}, '?', 1), '#', 1)"
    userinfo = f"SUBSTRING_INDEX({authority}, '@', 1)"
    host_and_port = f"SUBSTRING_INDEX({authority}, '@', -1)"
    after_bracket = f"SUBSTRING_INDEX({host_and_port}, ']', -1)"
    host = (
        f"CASE WHEN LEFT({host_and_port}, 1) = '[' "
        f"THEN CONCAT(SUBSTRING_INDEX({host_and_port}, ']', 1), ']') "
        f"ELSE SUBSTRING_INDEX({host_and_port}, ':', 1) END"
    )
    # In strict mode, MySQL refuses the row if anything except digits is cast.
    has_port = f"{has_host} AND {after_bracket} REGEXP ':[0-9]{{1,5}}$'"
    no_fragment = f"SUBSTRING_INDEX({u}, '#', 1)"
    no_query = f"SUBSTRING_INDEX({no_fragment}, '?', 1)"
    path = f"SUBSTRING({no_query}, LOCATE(':', {no_query}) + 1)"
    after_slashes = f"SUBSTRING({no_query}, LOCATE(':', {no_query}) + 3)"
    has_origin = f"{scheme} IN ({_ORIGIN_SCHEMES})"
    exactly = "(?-i)"  # Respect letter case, whatever the collation of the column.
    return _Texts(
        {
            "scheme": scheme,
            "username": (
                f"CASE WHEN {has_host} AND LOCATE('@', {authority}) > 0 "
                f"THEN SUBSTRING_INDEX({userinfo}, ':', 1) WHEN {u} IS NOT NULL THEN '' END"
            ),
            "host": f"CASE WHEN {has_host} THEN {host} END",
            "hostname": f"CASE WHEN {has_host} THEN {host} WHEN {u} IS NOT NULL THEN '' END",
            "reversed_host": f"CASE WHEN {has_host} THEN REVERSE(CONCAT('.', {host})) END",
            "port": (
                f"CASE WHEN {has_port} "
                f"THEN CAST(SUBSTRING_INDEX({after_bracket}, ':', -1) AS SIGNED) END"
            ),
            "path": (
                f"CASE WHEN {has_host} THEN CASE WHEN LOCATE('/', {after_slashes}) > 0 "
                f"THEN SUBSTRING({after_slashes}, LOCATE('/', {after_slashes})) ELSE '' END "
                f"WHEN LEFT({path}, 4) = '/.//' THEN SUBSTRING({path}, 3) ELSE {path} END"
            ),
            "query": (
                f"CASE WHEN LOCATE('?', {no_fragment}) > 0 "
                f"THEN SUBSTRING({no_fragment}, LOCATE('?', {no_fragment}) + 1) END"
            ),
            "fragment": (
                f"CASE WHEN LOCATE('#', {u}) > 0 THEN SUBSTRING({u}, LOCATE('#', {u}) + 1) END"
            ),
            "origin": f"CASE WHEN {has_origin} THEN CONCAT({scheme}, '://', {host_and_port}) END",
        },
        {
            "host": has_host,
            "reversed_host": has_host,
            "port": has_port,
            "query": f"LOCATE('?', {no_fragment}) > 0",
            "fragment": f"LOCATE('#', {u}) > 0",
            "origin": has_origin,
        },
        f"({u} REGEXP '{exactly}{_SCHEME}' AND {u} NOT REGEXP '{_UNPRINTABLE}' "
        f"AND {u} NOT REGEXP '{_STRAY_SPACE}' "
        f"AND ({u} NOT REGEXP '{exactly}{_SPECIAL}' OR {u} REGEXP '{exactly}{_WHOLE_SPECIAL}'))",
    )


_TEXTS: Final = {"sqlite": _sqlite(), "postgresql": _postgresql(), "mysql": _mysql()}

PART_SQL: Final = {
    part: {vendor: texts.parts[part] for vendor, texts in _TEXTS.items()}
    for part in _TEXTS["sqlite"].parts
}
"""By part and vendor: an expression for the part of `URL`. NULL if the URL lacks the part."""

PRESENCE_SQL: Final = {
    part: {vendor: texts.presence[part] for vendor, texts in _TEXTS.items()}
    for part in _TEXTS["sqlite"].presence
}
"""By part and vendor: whether `URL` has the part. Only for parts that may be NULL.

Added to a comparison, it makes the comparison false, and not unknown, for a URL without the part.
So ``exclude()`` is the opposite of ``filter()``, and a constraint refuses a URL without a host. If
`URL` is NULL, the condition is NULL.
"""

CANONICAL_SQL: Final = {vendor: texts.canonical for vendor, texts in _TEXTS.items()}
"""By vendor: a condition that is false for `URL` only if it is certainly not canonical."""

TEXT_SQL: Final = {
    "sqlite": URL,
    "postgresql": f'({URL} COLLATE "default")',
    "mysql": URL,  # MySQL converts it when it is combined with text in another character set.
}
"""By vendor: `URL` as text in the default collation of the database."""
