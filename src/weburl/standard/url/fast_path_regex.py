"""The fast path without compiled code: regexes for text that only has to be split.

Most text that is parsed was written by a browser, a database or this package. It has the scheme
http or https, a plain domain, and nothing to percent-encode. Of 48,010 links on web pages, these
regexes take 47,668. Whether text parses is also decided for most text that does not.

The regexes are possessive, and have no alternation inside a loop, which would take three times as
long. Those that not every program needs are compiled when they are first used.
"""

from __future__ import annotations

import re
import sys
from collections.abc import Callable
from typing import Any, Final

from weburl.standard.hosts.values import Domain, DomainStorage
from weburl.standard.infra.code_points import (
    FRAGMENT_PERCENT_ENCODE_SET,
    PATH_PERCENT_ENCODE_SET,
    PLAIN_DOMAIN,
    SPECIAL_QUERY_PERCENT_ENCODE_SET,
    PercentEncodeSet,
    character_class,
)
from weburl.standard.infra.schemes import DEFAULT_PORTS
from weburl.standard.url.record import URLRecord
from weburl.standard.url.value import RecordStorage

_SCHEME_IN_ANY_CASE: Final = "[Hh][Tt][Tt][Pp][Ss]?"
# Not the five digits from 60000 on, which may be too large.
_PORT_IN_RANGE: Final = ":(?:[1-5][0-9]{4}|[0-9]{0,4})"


def others(percent_encode_set: PercentEncodeSet, but: str = "") -> str:
    """Return a regex class of the ASCII that is neither in the set nor in ``but``."""
    kept = (chr(byte) for byte, is_kept in enumerate(percent_encode_set.kept) if is_kept)
    return f"[{character_class(code_point for code_point in kept if code_point not in but)}]"


# Most URLs have one of these; more schemes would make every match slower.
SCHEMES: Final = frozenset({"http", "https"})
HOST: Final = PLAIN_DOMAIN
# A canonical URL leaves out its default port. The general parser reads the default ports of both
# schemes, because a lookahead that depended on the scheme would take longer, and five digits, which
# may be too large a number.
PORT: Final = (
    f"(?!{'|'.join(f'{DEFAULT_PORTS[scheme]}/' for scheme in sorted(SCHEMES))})[1-9][0-9]{{0,3}}+"
)
# No segment starts with "." or "%2", so there are no dot segments.
_PLAIN: Final = others(PATH_PERCENT_ENCODE_SET, but="\\.%")
# Before Python 3.11.5, a loop that does not give back ends after what its last, failed round read.
_READ_BY_NO_FAILED_ROUND: Final = "" if sys.version_info >= (3, 11, 5) else r"(?<!/\.)(?<!/%2)"
PATH: Final = rf"/{_PLAIN}*+(?:[.%](?<!/\.)(?!(?<=/%)2){_PLAIN}*+)*+{_READ_BY_NO_FAILED_ROUND}"
QUERY: Final = others(SPECIAL_QUERY_PERCENT_ENCODE_SET)
FRAGMENT: Final = others(FRAGMENT_PERCENT_ENCODE_SET)


def _canonical(group: str, scheme: str, host: str, port: str) -> str:
    """Return the pattern of a canonical URL. ``group`` is "(" to capture its parts, or "(?:"."""
    # Most links end after the path, and have no port. An alternative that is empty takes less time
    # than an optional group.
    return (
        rf"{scheme}://{host}(?::{group}{port})|){group}{PATH})"
        rf"(?:\Z|(?:\?{group}{QUERY}*+)|)(?:\#{group}{FRAGMENT}*+)|))"
    )


# Without captures, which would take a third longer.
CANONICAL_LINK: Final = _canonical("(?:", "https?", HOST, PORT)

# Its groups are the "s" of "https" or "", domain, port, path, query and fragment.
SPLIT: Final = _canonical("(", "http(s?)", f"({HOST})", PORT)


def compiled_when_called(
    namespace: dict[str, Any], name: str, regex: Callable[[], str], method: str = "fullmatch"
) -> Callable[[str], re.Match[str] | None]:
    """Return a method of a regex. The first call compiles it, and rebinds ``name``.

    A cached function that returns the method would have to be called each time.
    """

    def at_first(text: str) -> re.Match[str] | None:
        found: Callable[[str], re.Match[str] | None] = getattr(re.compile(regex()), method)
        namespace[name] = found
        return found(text)

    return at_first


split: Callable[[str], re.Match[str] | None] = compiled_when_called(
    globals(), "split", lambda: SPLIT
)
is_canonical_link: Callable[[str], re.Match[str] | None] = compiled_when_called(
    globals(), "is_canonical_link", lambda: CANONICAL_LINK
)

# An IPv4 address as it is serialized.
_BYTE: Final = "(?:25[0-5]|2[0-4][0-9]|1[0-9][0-9]|[1-9]?[0-9])"
_IPV4: Final = rf"{_BYTE}(?:\.{_BYTE}){{3}}"

# Nothing after the host and the port of a special URL can make it fail. What most links have comes
# first, a scheme in lowercase and a slash after the host: an eighth faster.
_is_parsable = compiled_when_called(
    globals(),
    "_is_parsable",
    lambda: (
        rf"(?:https?|[\x00-\x20]*+{_SCHEME_IN_ANY_CASE})://"
        rf"(?:{HOST.replace('a-z', 'A-Za-z')}|{_IPV4})(?:/|(?:{_PORT_IN_RANGE})?(?:[/?#\\]|\Z))"
    ),
    "match",
)

# The start of text that certainly fails. Nothing depends on spaces at the end, tabs or newlines,
# because the parser removes them. The rest of the authority has no "@", which would make everything
# before it credentials. It has no "%" or character beyond ASCII either, because "<" and ">" become
# other characters if a combining mark follows.
_LARGE_PORT: Final = (
    "0*+(?:[1-9][0-9]{5}|[7-9][0-9]{4}|6[6-9][0-9]{3}|65[6-9][0-9]{2}|655[4-9][0-9]|6553[6-9])"
)
_FORBIDDEN_ENCODED: Final = "%(?:[01]|2[035Ff]|3[ACEFacef]|40|5[B-Eb-e]|7[CFcf])"
_NUMBER: Final = "(?:0|[1-9][0-9]*+)"
_BAD_IPV4: Final = rf"(?!{_IPV4}\.?(?![.0-9]))(?>(?:{_NUMBER}\.){{3,}}){_NUMBER}\.?(?=[:/?#\\]|\Z)"
_BAD_HOST: Final = (
    rf"(?:{_BAD_IPV4}|\[[0-9A-Fa-f:.]*+(?:[^0-9A-Fa-f:.@\]\t\n\r]|\Z)"
    rf"|[-.0-9A-Z_a-z]*+(?:[ <>^|\]\x7f][\x00-\x20]*+(?!\Z)|{_FORBIDDEN_ENCODED}"
    rf"|:(?:[0-9]*+[^\x00-\x20/?#\\@0-9]|{_LARGE_PORT})))"
)
_is_failure = compiled_when_called(
    globals(),
    "_is_failure",
    lambda: (
        r"[\x00-\x20]*+(?:[^\x00-\x20A-Za-z]"
        r"|[A-Za-z][-+.0-9A-Za-z]*+(?:[^-+.:0-9A-Za-z\t\n\r]|\Z)"
        rf"|{_SCHEME_IN_ANY_CASE}:[/\\]*+"
        rf"(?:[?#]|\Z|{_BAD_HOST}[^/?#\\@%\x80-\U0010ffff]*+(?:[/?#\\]|\Z)))"
    ),
    "match",
)


def is_parsable(text: str) -> bool | None:
    """Return True for the text of a URL, and False for text that is certain to fail."""
    if _is_parsable(text):
        return True
    return False if _is_failure(text) else None


def parse_quickly(text: object) -> URLRecord | None:
    """Return the record of the URL in ``text``, or None if the parser must decide."""
    if type(text) is not str:
        return None
    found = split(text)
    if found is None:
        return None
    s, host, digits, path, query, fragment = found.groups()
    # Nearly all calls end here, so the domain and the record are made without calls of
    # `trusted_domain` and `filled`, which would take a tenth of the time.
    domain = DomainStorage()
    domain.value = host
    domain.__class__ = Domain
    made = RecordStorage()
    made.scheme = "https" if s else "http"
    made.username = ""
    made.password = ""
    made.host = domain  # type: ignore[assignment]  # mypy does not follow the change of class
    made.port = None if digits is None else int(digits)
    made.path_text = path
    made.query = query
    made.fragment = fragment
    made.__class__ = URLRecord
    return made  # type: ignore[return-value]


def canonical_href(text: object) -> str | None:
    """Return ``text`` if it is the href of a URL, or None if the parser must decide."""
    return text if type(text) is str and is_canonical_link(text) else None


def join_quickly(base: object, text: object) -> URLRecord | None:
    """Return the record of ``text`` relative to the record ``base``, or None as `parse_quickly`.

    Only a link is read here: it has a scheme and a host of its own, so the base does not matter.
    """
    return parse_quickly(text) if type(base) is URLRecord else None
