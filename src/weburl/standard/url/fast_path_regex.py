"""The fast path without compiled code: regexes that match a URL that is canonical already.

Most text that is parsed was written by a browser, a database or this package. It has the scheme
http or https, a plain domain, and nothing to percent-encode, so it only needs to be split.

The regexes are possessive, and have no alternation inside a loop, which would take three times as
long.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final, TypeVar

from weburl.standard.infra.code_points import (
    FRAGMENT_PERCENT_ENCODE_SET,
    PATH_PERCENT_ENCODE_SET,
    PLAIN_DOMAIN,
    SPECIAL_QUERY_PERCENT_ENCODE_SET,
    PercentEncodeSet,
    character_class,
)
from weburl.standard.infra.schemes import DEFAULT_PORTS

_Class = TypeVar("_Class", bound=type)
_Function = TypeVar("_Function", bound=Callable[..., Any])
_Value = TypeVar("_Value")


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


def with_fast_path(
    error_of: Callable[[str, Any, int], Exception],  # noqa: ARG001  # only C finds failures early
) -> Callable[[_Function], _Function]:
    """Return a decorator that leaves `weburl.parse` as it is: it calls the fast path itself."""
    return with_fast_answer


def with_fast_answer(general: _Function) -> _Function:
    """Return ``general``, `weburl.can_parse`, as it is: it calls the fast path itself."""
    return general


def with_fast_attributes(of_url: _Class) -> _Class:
    """Return ``of_url``, the class `URL`, as it is."""
    return of_url


def with_fast_origin(
    origin_class: type,  # noqa: ARG001
    opaque_class: type,  # noqa: ARG001
) -> Callable[[_Function], _Function]:
    """Return a decorator that leaves `weburl.origin_of` as it is."""
    return with_fast_answer


def have_same_origin(a: object, b: object) -> bool | None:  # noqa: ARG001
    """Return None: only compiled code compares records without making their origins."""
    return None


def with_fast_methods(of_params: _Class) -> _Class:
    """Return ``of_params``, the class `URLSearchParams`, as it is."""
    return of_params


def untracked(value: _Value) -> _Value:
    """Return ``value``. Only C can take a value off the list of the garbage collector."""
    return value
