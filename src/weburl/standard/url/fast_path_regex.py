"""The fast path without compiled code: regexes for text that only has to be split.

Most text that is parsed was written by a browser, a database or this package. It has the scheme
http or https, a plain domain, and nothing to percent-encode. Of 48,010 links on web pages, these
regexes take 47,668; a second tier for links that are nearly so took 190 more, in 60 % of the time
of the general parser, and is gone. A reference may also have dot segments and spaces.

The regexes are possessive, and have no alternation inside a loop, which would take three times as
long. Those that not every program needs are compiled when they are first used.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from functools import cache
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
from weburl.standard.url.path import resolve_dot_segments
from weburl.standard.url.record import URLRecord
from weburl.standard.url.value import RecordStorage, trusted_relative

_MAX_PORT: Final = 0xFFFF
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
# A canonical URL leaves out its default port. The default ports of both schemes go to the general
# parser, because a lookahead that depended on the scheme would cost more.
PORT: Final = (
    f"(?!{'|'.join(f'{DEFAULT_PORTS[scheme]}/' for scheme in sorted(SCHEMES))})[1-9][0-9]{{0,3}}+"
)
# No segment starts with "." or "%2", so there are no dot segments.
_PLAIN: Final = others(PATH_PERCENT_ENCODE_SET, but="\\.%")
PATH: Final = rf"/{_PLAIN}*+(?:[.%](?<!/\.)(?!(?<=/%)2){_PLAIN}*+)*+"
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

HOST_IN_ANY_CASE: Final = HOST.replace("a-z", "A-Za-z")

# Its groups are the "s" of "https" or "", domain, port, path, query and fragment. The port may be
# too large. A second regex for large ports would double their time.
SPLIT: Final = _canonical("(", "http(s?)", f"({HOST})", PORT.replace("{0,3}", "{0,4}"))


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

# --- links ----------------------------------------------------------------------------------------

# Nothing after the host and the port of a special URL can make it fail.
_is_parsable = compiled_when_called(
    globals(),
    "_is_parsable",
    lambda: (
        rf"[\x00-\x20]*+{_SCHEME_IN_ANY_CASE}://"
        rf"(?:{HOST_IN_ANY_CASE}|{_IPV4})(?:{_PORT_IN_RANGE})?(?:[/?#\\]|\Z)"
    ),
    "match",
)


def is_parsable(text: str) -> bool | None:
    """Return True for the text of a URL, or None if the parser must decide."""
    return True if _is_parsable(text) else None


def parse_quickly(text: object) -> URLRecord | None:
    """Return the record of the URL in ``text``, or None if the parser must decide."""
    if type(text) is not str:
        return None
    found = split(text)
    if found is None:
        return None
    s, host, digits, path, query, fragment = found.groups()
    port = None
    if digits is not None:
        port = int(digits)
        if port > _MAX_PORT:
            return None
    # Nearly all calls end here, so the domain and the record are made without calls of
    # `trusted_domain` and `trusted_record`, which would take a tenth of the time.
    domain = DomainStorage()
    domain.value = host
    domain.__class__ = Domain
    made = RecordStorage()
    made.scheme = "https" if s else "http"
    made.username = ""
    made.password = ""
    made.host = domain  # type: ignore[assignment]  # mypy does not follow the change of class
    made.port = port
    made.path_text = path
    made.query = query
    made.fragment = fragment
    made.__class__ = URLRecord
    return made  # type: ignore[return-value]


def canonical_href(text: object) -> str | None:
    """Return ``text`` if it is the href of a URL, or None if the parser must decide."""
    return text if type(text) is str and is_canonical_link(text) else None


# --- references -----------------------------------------------------------------------------------


@cache
def with_spaces() -> list[str]:
    """Return regexes of a path, a query and a fragment in which only spaces are to be encoded."""
    return [
        f"[ {others(percent_encode_set, but=backslash)[1:-1]}]*+"
        for percent_encode_set, backslash in (
            (PATH_PERCENT_ENCODE_SET, "\\"),
            (SPECIAL_QUERY_PERCENT_ENCODE_SET, ""),
            (FRAGMENT_PERCENT_ENCODE_SET, ""),
        )
    ]


def encode_spaces(
    path: str, query: str | None, fragment: str | None
) -> tuple[str, str | None, str | None]:
    """Return these parts with "%20" for each space."""
    return (
        path.replace(" ", "%20"),
        query and query.replace(" ", "%20"),
        fragment and fragment.replace(" ", "%20"),
    )


def _reference_regex() -> str:
    """Return the regex of a relative reference in which only spaces have to be percent-encoded.

    It starts neither a scheme nor a host. It has no space at its ends, where the parser removes it.
    Its groups are a path from the root; or else the dot segments at the start of a path, and the
    rest of that path; then query and fragment.
    """
    path, query, fragment = with_spaces()
    # Most references end after the path, so that is tried first.
    return (
        rf"(?! |//|[^:/?#]*+:)(?:(/{path})|((?:\.\.?/)*+)({path}))"
        rf"(?:\Z|(?:\?({query})|)(?:#({fragment})|))(?<! )"
    )


_reference = compiled_when_called(globals(), "_reference", _reference_regex)


_reference = compiled_when_called(globals(), "_reference", _reference_regex)


def join_quickly(base: object, text: object) -> URLRecord | None:
    """Return the record of ``text`` relative to the record ``base``, or None as `parse_quickly`.

    Spec: #relative-state
    """
    if type(base) is not URLRecord or type(text) is not str:
        return None
    found = _reference(text)
    if found is None:
        if text.startswith("//") and base.scheme in SCHEMES:
            text = f"{base.scheme}:{text}"
        return parse_quickly(text)  # a URL with a scheme of its own does not depend on the base
    if base.scheme not in SCHEMES:
        return None
    root, dots, path, query, fragment = found.groups()
    if root:
        path = root
    elif path or dots:
        if len(dots) < 3:  # no "../"
            before = base.path_text.rpartition("/")[0]
        else:
            # One split: removing segments one by one would copy a long path as often.
            before = base.path_text.rsplit("/", 1 + dots.count("../"))[0]
        path = f"{before}/{path}"
    else:
        path = base.path_text
        if query is None:
            query = base.query
    if " " in text:
        path, query, fragment = encode_spaces(path, query, fragment)
    if "/." in path or "/%2" in path:
        path = resolve_dot_segments(path)
    return trusted_relative(base, path, query, fragment)
