"""SQL that takes a canonical URL apart, for each kind of database: text, and nothing else.

The text is frozen: indexes, generated columns and constraints in people's databases were made
of it, and a query uses an index only where the two agree to the letter. So it holds no
parameters, no percent sign, and nothing that only Django's connections know.
"""

from __future__ import annotations

from typing import Final

URL: Final = "{url}"
"""What stands in the text for the column, or for whatever else gives the URL."""

HOST_LABELS_IN_KEY: Final = 10
"""How many labels of a host SQLite's `reversed_host` holds, from the last one on."""

_SCHEMES_WITH_AN_ORIGIN: Final = ("ftp", "http", "https", "ws", "wss")


def _sqlite_pieces() -> dict[str, str]:
    u = URL
    rest = f"substr({u}, instr({u}, ':') + 3)"
    one_delimiter = f"replace(replace({rest}, '?', '/'), '#', '/') || '/'"
    authority = f"substr({rest}, 1, instr({one_delimiter}, '/') - 1)"
    return {
        "scheme": f"substr({u}, 1, instr({u}, ':') - 1)",
        "has_host": f"substr({u}, instr({u}, ':'), 3) = '://'",
        "rest": rest,
        "authority": authority,
        "host_and_port": f"substr({authority}, instr({authority}, '@') + 1)",
    }


def _sqlite() -> dict[str, str]:
    u = URL
    pieces = _sqlite_pieces()
    scheme, has_host, authority = pieces["scheme"], pieces["has_host"], pieces["authority"]
    rest, host_and_port = pieces["rest"], pieces["host_and_port"]
    bracket = f"instr({host_and_port}, ']')"
    behind_bracket = f"substr({host_and_port}, {bracket} + 1)"
    # Nearly every URL is plain, and then this takes a third of the time.
    is_plain = f"instr({u}, '@') = 0 AND instr({u}, '[') = 0"
    one_end = f"replace(replace(replace({rest}, '?', '/'), '#', '/'), ':', '/') || '/'"
    any_host = f"substr({host_and_port}, 1, {bracket} + instr({behind_bracket} || ':', ':') - 1)"
    host = (
        f"CASE WHEN {is_plain} THEN substr({rest}, 1, instr({one_end}, '/') - 1) "
        f"ELSE {any_host} END"
    )

    def port_in(text: str) -> str:
        digits = f"substr({text}, instr({text}, ':') + 1)"
        return f"CASE WHEN instr({text}, ':') > 0 THEN CAST({digits} AS integer) END"

    userinfo = f"substr({authority}, 1, instr({authority}, '@') - 1)"
    no_fragment = f"substr({u}, 1, instr({u} || '#', '#') - 1)"
    no_query = f"substr({u}, 1, instr(replace({u}, '#', '?') || '?', '?') - 1)"
    path = f"substr({no_query}, instr({u}, ':') + 1)"
    behind_slashes = f"substr({no_query}, instr({u}, ':') + 3)"
    # There is no REVERSE: JSON turns the labels round, and evaluates the host only once.
    labels = f"""'[' || replace(json_quote({host}), '.', '","') || ']'"""
    from_the_last = ", ".join(f"'$[#-{n}]'" for n in range(1, HOST_LABELS_IN_KEY + 1))
    return {
        "scheme": scheme,
        "username": (
            f"CASE WHEN {has_host} AND instr({u}, '@') > 0 AND instr({authority}, '@') > 0 "
            f"THEN substr({userinfo}, 1, instr({userinfo} || ':', ':') - 1) "
            f"WHEN {u} IS NOT NULL THEN '' END"
        ),
        "host": f"CASE WHEN {has_host} THEN {host} END",
        "hostname": f"CASE WHEN {has_host} THEN {host} WHEN {u} IS NOT NULL THEN '' END",
        "reversed_host": (f"CASE WHEN {has_host} THEN json_extract({labels}, {from_the_last}) END"),
        "port": (
            f"CASE WHEN {has_host} AND instr({rest}, ':') > 0 THEN "
            f"CASE WHEN {is_plain} THEN {port_in(authority)} ELSE {port_in(behind_bracket)} END END"
        ),
        "path": (
            f"CASE WHEN {has_host} THEN CASE WHEN instr({behind_slashes}, '/') > 0 "
            f"THEN substr({behind_slashes}, instr({behind_slashes}, '/')) ELSE '' END "
            f"WHEN substr({path}, 1, 4) = '/.//' THEN substr({path}, 3) ELSE {path} END"
        ),
        "query": (
            f"CASE WHEN instr({no_fragment}, '?') > 0 "
            f"THEN substr({no_fragment}, instr({no_fragment}, '?') + 1) END"
        ),
        "fragment": f"CASE WHEN instr({u}, '#') > 0 THEN substr({u}, instr({u}, '#') + 1) END",
        "origin": (
            f"CASE WHEN {_in_schemes_with_an_origin(scheme)} "
            f"THEN {scheme} || '://' || {host_and_port} END"
        ),
    }


def _postgresql() -> dict[str, str]:
    u = URL
    authority = "^[^:]*://(?:[^/?#@]*@)?"
    host = f"substring({u} from '{authority}([[][^]/?#]*]|[^][/?#:@]*)')"
    return {
        "scheme": f"split_part({u}, ':', 1)",
        "username": (
            f"CASE WHEN {u} IS NOT NULL THEN "
            f"COALESCE(substring({u} from '^[^:]*://([^/?#:@]*)[^/?#@]*@'), '') END"
        ),
        "host": host,
        "hostname": f"CASE WHEN {u} IS NOT NULL THEN COALESCE({host}, '') END",
        "reversed_host": f"reverse('.' || {host})",
        # No more digits than an integer has room for, whatever else a row may hold.
        "port": (
            f"substring({u} from '{authority}(?:[[][^]/?#]*]|[^][/?#:@]*):([0-9]{{1,5}})')::integer"
        ),
        "path": f"substring({u} from '^[^:]*:(?://[^/?#]*|/[.](?=//))?([^?#]*)')",
        "query": f"substring({u} from '^[^?#]*[?]([^#]*)')",
        "fragment": f"substring({u} from '#(.*)$')",
        "origin": (
            f"(substring({u} from '^(?:https?|wss?|ftp)://') || "
            f"substring({u} from '{authority}([^/?#@]*)'))"
        ),
    }


def _mysql() -> dict[str, str]:
    u = URL
    scheme = f"SUBSTRING_INDEX({u}, ':', 1)"
    has_host = f"SUBSTRING({u}, LOCATE(':', {u}), 3) = '://'"
    rest = f"SUBSTRING({u}, LOCATE(':', {u}) + 3)"
    up_to_path = f"SUBSTRING_INDEX({rest}, '/', 1)"
    authority = f"SUBSTRING_INDEX(SUBSTRING_INDEX({up_to_path}, '?', 1), '#', 1)"
    host_and_port = f"SUBSTRING_INDEX({authority}, '@', -1)"
    userinfo = f"SUBSTRING_INDEX({authority}, '@', 1)"
    behind_bracket = f"SUBSTRING_INDEX({host_and_port}, ']', -1)"
    host = (
        f"CASE WHEN LEFT({host_and_port}, 1) = '[' "
        f"THEN CONCAT(SUBSTRING_INDEX({host_and_port}, ']', 1), ']') "
        f"ELSE SUBSTRING_INDEX({host_and_port}, ':', 1) END"
    )
    no_fragment = f"SUBSTRING_INDEX({u}, '#', 1)"
    no_query = f"SUBSTRING_INDEX({no_fragment}, '?', 1)"
    path = f"SUBSTRING({no_query}, LOCATE(':', {no_query}) + 1)"
    behind_slashes = f"SUBSTRING({no_query}, LOCATE(':', {no_query}) + 3)"
    return {
        "scheme": scheme,
        "username": (
            f"CASE WHEN {has_host} AND LOCATE('@', {authority}) > 0 "
            f"THEN SUBSTRING_INDEX({userinfo}, ':', 1) WHEN {u} IS NOT NULL THEN '' END"
        ),
        "host": f"CASE WHEN {has_host} THEN {host} END",
        "hostname": f"CASE WHEN {has_host} THEN {host} WHEN {u} IS NOT NULL THEN '' END",
        "reversed_host": f"CASE WHEN {has_host} THEN REVERSE(CONCAT('.', {host})) END",
        # In strict mode a cast of anything but digits would refuse the row.
        "port": (
            f"CASE WHEN {has_host} AND {behind_bracket} REGEXP ':[0-9]{{1,5}}$' "
            f"THEN CAST(SUBSTRING_INDEX({behind_bracket}, ':', -1) AS SIGNED) END"
        ),
        "path": (
            f"CASE WHEN {has_host} THEN CASE WHEN LOCATE('/', {behind_slashes}) > 0 "
            f"THEN SUBSTRING({behind_slashes}, LOCATE('/', {behind_slashes})) ELSE '' END "
            f"WHEN LEFT({path}, 4) = '/.//' THEN SUBSTRING({path}, 3) ELSE {path} END"
        ),
        "query": (
            f"CASE WHEN LOCATE('?', {no_fragment}) > 0 "
            f"THEN SUBSTRING({no_fragment}, LOCATE('?', {no_fragment}) + 1) END"
        ),
        "fragment": (
            f"CASE WHEN LOCATE('#', {u}) > 0 THEN SUBSTRING({u}, LOCATE('#', {u}) + 1) END"
        ),
        "origin": (
            f"CASE WHEN {_in_schemes_with_an_origin(scheme)} "
            f"THEN CONCAT({scheme}, '://', {host_and_port}) END"
        ),
    }


def _in_schemes_with_an_origin(scheme: str) -> str:
    schemes = ", ".join(f"'{scheme}'" for scheme in _SCHEMES_WITH_AN_ORIGIN)
    return f"{scheme} IN ({schemes})"


_PARTS: Final = {"sqlite": _sqlite(), "postgresql": _postgresql(), "mysql": _mysql()}

PART_SQL: Final = {
    part: {vendor: texts[part] for vendor, texts in _PARTS.items()} for part in _sqlite()
}
"""By part and vendor: an expression that gives the part of `URL`, NULL where it is null."""


def _presence() -> dict[str, dict[str, str]]:
    u = URL
    host = {
        "sqlite": f"substr({u}, instr({u}, ':'), 3) = '://'",
        "postgresql": f"substr({u}, strpos({u}, ':'), 3) = '://'",
        "mysql": f"SUBSTRING({u}, LOCATE(':', {u}), 3) = '://'",
    }
    return {
        "host": host,
        "reversed_host": host,
        "port": {
            vendor: f"({sql} IS NOT NULL OR {u} IS NULL)"
            for vendor, sql in PART_SQL["port"].items()
        },
        "query": {
            "sqlite": f"instr(substr({u}, 1, instr({u} || '#', '#') - 1), '?') > 0",
            "postgresql": f"strpos(split_part({u}, '#', 1), '?') > 0",
            "mysql": f"LOCATE('?', SUBSTRING_INDEX({u}, '#', 1)) > 0",
        },
        "fragment": {
            "sqlite": f"instr({u}, '#') > 0",
            "postgresql": f"strpos({u}, '#') > 0",
            "mysql": f"LOCATE('#', {u}) > 0",
        },
        "origin": {
            vendor: _in_schemes_with_an_origin(sql) for vendor, sql in PART_SQL["scheme"].items()
        },
    }


PRESENCE_SQL: Final = _presence()
"""By part, of those that may be null, and vendor: whether it is not; NULL where `URL` is NULL.

Joined to a comparison it makes that false, and not unknown, for a URL without the part: only
so is ``exclude()`` the opposite of ``filter()``, and a constraint refuses what lacks a host.
"""


def _canonical() -> dict[str, str]:
    u = URL
    scheme = "^[a-z][a-z0-9+.-]*:"
    unprintable = "[^ -~]"
    # Only an opaque path has spaces, and neither at its end.
    stray_space = "^[^:]*:/.* |[?#].* | [?#]| $"
    special = "^(?:https?|wss?|ftp|file):"
    whole = "^(?:(?:https?|wss?|ftp)://(?:[^/?#@]*@)?[^/?#@A-Z]+/|file://[^/?#@A-Z]*/)"
    # Whatever the collation of what is compared.
    exactly = "(?-i)"
    pieces = _sqlite_pieces()
    first_behind_colon = f"substr({u}, instr({u}, ':') + 1, 1)"
    first_behind_authority = f"substr({pieces['rest']}, length({pieces['authority']}) + 1, 1)"
    return {
        "sqlite": (
            # GLOB takes a NUL for the end, and a blob for text.
            f"(typeof({u}) <> 'blob' AND instr({u}, char(0)) = 0 "
            f"AND {u} GLOB '[a-z]*:*' AND {pieces['scheme']} NOT GLOB '*[^a-z0-9+.-]*' "
            f"AND {u} NOT GLOB '*{unprintable}*' "
            f"AND ({first_behind_colon} <> '/' OR instr({u}, ' ') = 0) "
            f"AND {u} NOT GLOB '*[?#]* *' AND {u} NOT GLOB '* [?#]*' AND {u} NOT GLOB '* ' "
            f"AND ({pieces['scheme']} NOT IN ('http', 'https', 'ws', 'wss', 'ftp', 'file') "
            f"OR {pieces['has_host']} AND {pieces['host_and_port']} NOT GLOB '*[A-Z]*' "
            f"AND ({pieces['host_and_port']} <> '' OR {pieces['scheme']} = 'file') "
            f"AND {first_behind_authority} = '/'))"
        ),
        "postgresql": (
            f"({u} ~ '{scheme}' AND {u} !~ '{unprintable}' AND {u} !~ '{stray_space}' "
            f"AND ({u} !~ '{special}' OR {u} ~ '{whole}'))"
        ),
        "mysql": (
            f"({u} REGEXP '{exactly}{scheme}' AND {u} NOT REGEXP '{unprintable}' "
            f"AND {u} NOT REGEXP '{stray_space}' "
            f"AND ({u} NOT REGEXP '{exactly}{special}' OR {u} REGEXP '{exactly}{whole}'))"
        ),
    }


CANONICAL_SQL: Final = _canonical()
"""By vendor: whether `URL` may be canonical; false for what certainly is not."""
