"""A condition that is true for text which the SQL of `sql` certainly splits correctly.

A column of `ExactURLField` holds URLs in any spelling, and SQL cannot parse them. So a query on a
part first checks that the text is a canonical URL with a special scheme and an ordinary host. The
path may be missing, as in "https://example.com". The condition has no parameters and no percent
signs. Only queries use it, and no index.
"""

from __future__ import annotations

from typing import Final

from django_whatwg_url.query.sql import URL
from weburl import SPECIAL_SCHEMES

# Databases differ in how bracket expressions treat brackets, backslashes, quotes and percent signs,
# so these are left out. Some canonical URLs do not match, but nothing else does.
_IN_PATH: Final = "[!$-;=@-Z_a-z|~]"
_IN_QUERY: Final = "[!$-&(-;=?-Z^-~]"
_IN_FRAGMENT: Final = "[!#-;=?-Z^_a-~]"
_LABEL: Final = "[a-z0-9_-]+"
# A host whose last label begins with a digit may be an IPv4 address in another notation.
_LAST_LABEL: Final = "[a-z_][a-z0-9_-]*"
_DECIMAL: Final = "(?:25[0-5]|2[0-4][0-9]|1[0-9][0-9]|[1-9]?[0-9])"
_HOST: Final = (
    f"(?:(?:{_LABEL}[.])*{_LAST_LABEL}[.]?|{_DECIMAL}[.]{_DECIMAL}[.]{_DECIMAL}[.]{_DECIMAL})"
)
# "." and "..", also percent-encoded. The range from "$" to "&" stands for the percent sign.
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
    # Django registers REGEXP with Python's `re`, where "$" also matches before a final newline. So
    # GLOB refuses newlines.
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
"""By vendor: a condition that is true if SQL can split `URL`. NULL if `URL` is NULL."""
