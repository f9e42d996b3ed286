"""SQL that is true for text whose parts can be read without parsing. It is only text.

A column of `ExactURLField` holds URLs in any spelling, and SQL cannot parse. So a query on a part
first asks whether the text is one of those for which `sql` gives the right part: canonical text
with a special scheme and an ordinary host. The path may be missing, as in "https://example.com".
The condition has no parameters and no percent signs. It is in queries only, never in an index.
"""

from __future__ import annotations

from typing import Final

from django_whatwg_url.parts.sql import URL
from weburl import SPECIAL_SCHEMES

# Bracket expressions without brackets, backslashes, quotes and percent signs in them, which the
# databases read in their own ways. So some canonical URLs are missing, but no others are included.
_IN_PATH: Final = "[!$-;=@-Z_a-z|~]"
_IN_QUERY: Final = "[!$-&(-;=?-Z^-~]"
_IN_FRAGMENT: Final = "[!#-;=?-Z^_a-~]"
_LABEL: Final = "[a-z0-9_-]+"
# Text whose last label begins with a digit may be an IPv4 address in another notation.
_LAST_LABEL: Final = "[a-z_][a-z0-9_-]*"
_DECIMAL: Final = "(?:25[0-5]|2[0-4][0-9]|1[0-9][0-9]|[1-9]?[0-9])"
_HOST: Final = (
    f"(?:(?:{_LABEL}[.])*{_LAST_LABEL}[.]?|{_DECIMAL}[.]{_DECIMAL}[.]{_DECIMAL}[.]{_DECIMAL})"
)
# "." and "..", also percent-encoded, of which the range from "$" to "&" has the first character.
_DOT_SEGMENT: Final = "/(?:[.]|[$-&]2[Ee])(?:[.]|[$-&]2[Ee])?(?:[/?#]|$)"
# `file` is left out, because of drive letters.
_BEGINNINGS: Final = "|".join(
    f"{scheme.name}://{_HOST}(?::(?!{scheme.default_port}(?:[/?#]|$))[1-9][0-9]{{0,4}})?"
    for scheme in SPECIAL_SCHEMES.values()
    if scheme.default_port is not None
)
_SURE: Final = f"^(?:{_BEGINNINGS})(?:/{_IN_PATH}*)?(?:[?]{_IN_QUERY}*)?(?:#{_IN_FRAGMENT}*)?$"
_UNPRINTABLE: Final = "[^ -~]"

SURE_SQL: Final = {
    # Django gives each connection to SQLite a function for REGEXP. "$" matches before a newline.
    "sqlite": (
        f"({URL} NOT GLOB '*{_UNPRINTABLE}*' AND {URL} NOT REGEXP '{_DOT_SEGMENT}' "
        f"AND {URL} REGEXP '{_SURE}')"
    ),
    "postgresql": (
        f"({URL} !~ '{_UNPRINTABLE}' AND {URL} !~ '{_DOT_SEGMENT}' AND {URL} ~ '{_SURE}')"
    ),
    "mysql": (
        f"({URL} NOT REGEXP '{_UNPRINTABLE}' AND {URL} NOT REGEXP '{_DOT_SEGMENT}' "
        f"AND {URL} REGEXP '(?-i){_SURE}')"
    ),
}
"""By vendor: whether the parts of `URL` can be read. NULL if `URL` is NULL."""
